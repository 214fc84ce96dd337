//! What the measuring programs share.

use std::time::Duration;

/// Processor time of this thread: it doesn't depend on what else runs.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Time since the first call, where the processor time of a thread is not to be had.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

/// Seconds of processor time of this thread that `work` takes, and what it gives.
pub fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let before = thread_time();
    let result = work();
    (thread_time().saturating_sub(before).as_secs_f64(), result)
}
