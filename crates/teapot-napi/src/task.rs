//! The one asynchronous task type: work on owned data, on the thread pool, with panics caught.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi::{Env, Task};
use napi_derive::napi;

use crate::error::{Code, Error, Result, into_thrown};

/// Work that is done once, away from the JavaScript thread. It owns everything it reads.
type Work<T> = Box<dyn FnOnce() -> Result<T> + Send>;

/// One piece of work for the thread pool.
///
/// A panic inside an `extern "C"` callback would abort the process, so the work runs inside `catch_unwind` and a panic
/// becomes an error with the code `ERR_TEAPOT_INTERNAL`.
pub struct Job<T> {
    work: Option<Work<T>>,
    failure: Option<Error>,
}

/// Starts work on the thread pool and gives the promise of its result.
pub fn spawn<T, F>(work: F) -> AsyncTask<Job<T>>
where
    T: ToNapiValue + TypeName + Send + 'static,
    F: FnOnce() -> Result<T> + Send + 'static,
{
    AsyncTask::new(Job { work: Some(Box::new(work)), failure: None })
}

/// Runs work on this thread with panics caught, for the synchronous exports.
///
/// # Errors
///
/// The error of the work; `ERR_TEAPOT_INTERNAL` when it panicked.
pub fn guard<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "unknown panic".to_owned());
        Err(Error::new(Code::Internal, format!("the native core panicked: {message}")))
    })
}

impl<T: ToNapiValue + TypeName + Send + 'static> Task for Job<T> {
    type Output = T;
    type JsValue = T;

    fn compute(&mut self) -> napi::Result<T> {
        let outcome = match self.work.take() {
            Some(work) => guard(work),
            None => Err(Error::new(Code::Internal, "a task ran twice".to_owned())),
        };
        outcome.map_err(|error| {
            let placeholder = napi::Error::from_reason(error.reason.clone());
            self.failure = Some(error);
            placeholder
        })
    }

    fn resolve(&mut self, _env: Env, output: T) -> napi::Result<T> {
        Ok(output)
    }

    fn reject(&mut self, env: Env, error: napi::Error) -> napi::Result<T> {
        Err(match self.failure.take() {
            Some(failure) => into_thrown(failure, env),
            None => error,
        })
    }
}

/// A flag that stops running work: JavaScript sets it, the work reads it between small pieces.
#[napi]
#[derive(Default)]
pub struct Cancellation {
    flag: Arc<AtomicBool>,
}

#[napi]
impl Cancellation {
    /// Makes a flag that is not set.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag: the work ends soon with the code `ERR_TEAPOT_CANCELLED`. Safe to call twice.
    #[napi]
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }
}

impl Cancellation {
    /// The flag itself, to be moved into the work.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }
}

/// The flag of an optional cancellation; one that is never set when there is none.
pub fn flag_of(cancellation: Option<&Cancellation>) -> Arc<AtomicBool> {
    cancellation.map_or_else(|| Arc::new(AtomicBool::new(false)), Cancellation::flag)
}
