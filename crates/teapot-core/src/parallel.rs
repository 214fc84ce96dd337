//! Work on several threads with results in order: the only place of the core that starts threads.
//!
//! Threads are scoped: all of them have ended when a call returns, so nothing outlives the environment that called. Items
//! are handed out one by one from a shared source, and results are put back in the order of the items, so the outcome
//! is the same for any number of threads.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// More threads than this are never started, whoever asks.
const MAX_THREADS: usize = 256;

/// How many threads a request for `threads` means: 0 asks for one a core; from 1 to 256.
pub fn thread_count(threads: usize) -> usize {
    if threads > 0 {
        return threads.min(MAX_THREADS);
    }
    thread::available_parallelism().map_or(1, usize::from)
}

/// [`thread_count`] for a known number of items: more threads than items would only be started and joined.
pub fn thread_count_for(threads: usize, items: usize) -> usize {
    thread_count(threads).min(items).max(1)
}

/// Maps items to results on `threads` threads, in order.
///
/// `next` is called under a lock, by one thread at a time, until it gives `None` or an error; `state` makes what a thread
/// keeps between items (scratch buffers); `work` runs outside the lock. At most `threads` items are alive at a time.
///
/// # Errors
///
/// The error of the earliest item that failed, whether in `next` or in `work`. No new items are handed out after it.
pub fn map_ordered<I, S, O, E>(
    threads: usize,
    next: impl FnMut() -> Result<Option<I>, E> + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> Result<O, E> + Sync,
) -> Result<Vec<O>, E>
where
    O: Send,
    E: Send,
{
    struct Source<N> {
        next: N,
        ticket: usize,
        ended: bool,
    }
    let source = Mutex::new(Source { next, ticket: 0, ended: false });
    let results = Mutex::new(Vec::new());
    let run = || {
        let mut own = state();
        loop {
            let (ticket, item) = {
                let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
                if source.ended {
                    return;
                }
                let item = (source.next)();
                source.ended = !matches!(item, Ok(Some(_)));
                source.ticket += 1;
                (source.ticket, item)
            };
            let result = match item {
                Ok(None) => return,
                Ok(Some(item)) => work(&mut own, item),
                Err(error) => Err(error),
            };
            if result.is_err() {
                source.lock().unwrap_or_else(PoisonError::into_inner).ended = true;
            }
            results.lock().unwrap_or_else(PoisonError::into_inner).push((ticket, result));
        }
    };
    if threads <= 1 {
        run();
    } else {
        thread::scope(|scope| {
            let workers: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
            run();
            for worker in workers {
                // With its own message: the scope's would be that some thread panicked.
                worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|&(ticket, _)| ticket);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(threads: usize, until: u32) -> Result<Vec<u32>, String> {
        let mut items = 0..until;
        map_ordered(threads, || Ok(items.next()), || (), |(), item| Ok(item * item))
    }

    #[test]
    fn order_is_kept_for_any_number_of_threads() {
        let expected: Vec<u32> = (0..1000).map(|n| n * n).collect();
        for threads in [0, 1, 2, 3, 16] {
            assert_eq!(squares(threads, 1000).unwrap(), expected);
        }
        assert_eq!(squares(4, 0).unwrap(), Vec::<u32>::new());
    }

    #[test]
    fn the_earliest_error_wins() {
        for threads in [1, 2, 8] {
            let mut items = 0..1000;
            let outcome: Result<Vec<u32>, u32> = map_ordered(
                threads,
                || Ok(items.next()),
                || (),
                |(), item| if item >= 10 { Err(item) } else { Ok(item) },
            );
            assert_eq!(outcome, Err(10));
        }
        let outcome: Result<Vec<u32>, &str> =
            map_ordered(2, || Err("no input"), || (), |(), item: u32| Ok(item));
        assert_eq!(outcome, Err("no input"));
    }

    #[test]
    fn a_panic_in_a_worker_reaches_the_caller_with_its_message() {
        let mut items = 0..10;
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            map_ordered(
                2,
                || Ok(items.next()),
                || (),
                |(), item: u32| -> Result<u32, ()> {
                    assert_ne!(item, 5, "five");
                    Ok(item)
                },
            )
        }));
        let message = caught.unwrap_err().downcast_ref::<String>().cloned().unwrap_or_default();
        assert!(message.contains("five"), "{message}");
    }
}
