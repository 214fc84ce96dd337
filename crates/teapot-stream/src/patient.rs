//! Reading what may keep its reader waiting: pipes, terminals, sockets.
//!
//! A read of a pipe ends when its writer pleases, maybe never, and nothing in the standard library breaks it off. So a
//! thread of its own reads, and whoever wants the bytes looks up from waiting from time to time. A thread that still waits
//! when the process ends is simply gone with it; the threads of an event loop's pool would be waited for.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// The size of one read.
const READ_BYTES: usize = 64 * 1024;

/// Reads that may lie ready: the thread gets no further ahead.
const READY_CHUNKS: usize = 4;

/// How often a waiting reader looks whether it is still wanted.
const LOOK_UP: Duration = Duration::from_millis(20);

/// How long a read is put off that the operating system won't wait for.
const NON_BLOCKING_PAUSE: Duration = Duration::from_millis(1);

/// Ends the waiting of the inputs that were opened with it, once the flag that it watches is set.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    watched: Arc<Mutex<Arc<AtomicBool>>>,
}

impl Stop {
    /// Watches this flag from now on, and no other.
    pub fn watch(&self, flag: &Arc<AtomicBool>) {
        *self.watched.lock().unwrap_or_else(PoisonError::into_inner) = Arc::clone(flag);
    }

    fn is_set(&self) -> bool {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner).load(Ordering::Relaxed)
    }
}

/// The kind of the error with which a stopped read ends; no file gives it.
pub const STOPPED: io::ErrorKind = io::ErrorKind::ConnectionAborted;

/// Bytes that a thread reads.
pub struct PatientReader {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: io::Cursor<Vec<u8>>,
    stop: Stop,
}

impl PatientReader {
    /// Starts a thread that opens and reads an input: opening a named pipe waits for its writer.
    ///
    /// # Errors
    ///
    /// When the operating system refuses another thread.
    pub fn start<R: Read + 'static>(
        open: impl FnOnce() -> io::Result<R> + Send + 'static,
        stop: &Stop,
    ) -> io::Result<Self> {
        let (sender, chunks) = sync_channel(READY_CHUNKS);
        thread::Builder::new().name("teapot-input".to_owned()).spawn(move || match open() {
            Ok(reader) => send_chunks(reader, &sender),
            Err(error) => drop(sender.send(Err(error))),
        })?;
        Ok(Self { chunks, chunk: io::Cursor::default(), stop: stop.clone() })
    }

    /// Waits for the next chunk; an empty one at the end.
    fn next_chunk(&self) -> io::Result<Vec<u8>> {
        loop {
            // Asked for every chunk: a writer that trickles never lets the wait time out.
            if self.stop.is_set() {
                return Err(STOPPED.into());
            }
            match self.chunks.recv_timeout(LOOK_UP) {
                Ok(chunk) => return chunk,
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

impl Read for PatientReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.chunk.read(buffer)?;
        if length > 0 || buffer.is_empty() {
            return Ok(length);
        }
        self.chunk = io::Cursor::new(self.next_chunk()?);
        self.chunk.read(buffer)
    }
}

/// Sends what a reader gives, up to its end, its first error or the day nobody listens any more.
fn send_chunks(mut reader: impl Read, sender: &SyncSender<io::Result<Vec<u8>>>) {
    let mut buffer = vec![0; READ_BYTES];
    loop {
        let sent = match reader.read(&mut buffer) {
            Ok(0) => return,
            Ok(length) => sender.send(Ok(buffer[..length].to_vec())),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // Whoever shares standard input with us, Node for one, may have made it non-blocking.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                thread::sleep(NON_BLOCKING_PAUSE);
                continue;
            }
            Err(error) => {
                drop(sender.send(Err(error)));
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gives_all_bytes_of_a_reader() {
        let text: Vec<u8> = (0..300_000_u32).map(|number| (number % 251) as u8).collect();
        let source = io::Cursor::new(text.clone());
        let mut reader = PatientReader::start(|| Ok(source), &Stop::default()).unwrap();
        let mut read = Vec::new();
        reader.read_to_end(&mut read).unwrap();
        assert_eq!(read, text);
        assert_eq!(reader.read(&mut [0]).unwrap(), 0);
    }

    #[test]
    fn gives_the_errors_of_opening_and_reading() {
        let open = || Err::<io::Empty, _>(io::ErrorKind::PermissionDenied.into());
        let mut reader = PatientReader::start(open, &Stop::default()).unwrap();
        assert_eq!(reader.read(&mut [0]).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    }

    /// A reader whose writer never comes.
    struct Silent;

    impl Read for Silent {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    /// A writer that gives a byte now and then, for ever.
    struct Trickle;

    impl Read for Trickle {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            thread::sleep(Duration::from_millis(1));
            buffer[0] = b'a';
            Ok(1)
        }
    }

    #[test]
    fn stops_reading_what_trickles() {
        let (stop, flag) = (Stop::default(), Arc::new(AtomicBool::new(false)));
        stop.watch(&flag);
        let mut reader = PatientReader::start(|| Ok(Trickle), &stop).unwrap();
        assert_eq!(reader.read(&mut [0]).unwrap(), 1);
        flag.store(true, Ordering::Relaxed);
        let kind = (0..100).find_map(|_| reader.read(&mut [0]).err());
        assert_eq!(kind.map(|error| error.kind()), Some(STOPPED));
    }

    #[test]
    fn stops_waiting_when_the_flag_is_set() {
        let (stop, flag) = (Stop::default(), Arc::new(AtomicBool::new(false)));
        stop.watch(&flag);
        let mut reader = PatientReader::start(|| Ok(Silent), &stop).unwrap();
        let waiting = thread::spawn(move || reader.read(&mut [0]).unwrap_err().kind());
        flag.store(true, Ordering::Relaxed);
        assert_eq!(waiting.join().unwrap(), STOPPED);
    }
}
