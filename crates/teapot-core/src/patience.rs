//! Breaking off work on one segment: two lines of a megabyte may take an edit distance half a minute.
//!
//! Kernels whose time grows faster than the length of their texts tell a [`Patience`] how many steps they did, now and
//! then; it asks from time to time whether the result is still wanted. What is short is never asked about, so that short
//! texts pay nothing.

use std::cell::Cell;
use std::fmt;

use crate::error::{Error, ErrorKind, Result};

/// Steps between two questions: a step takes about a nanosecond, so some milliseconds.
const STEPS: usize = 1 << 22;

/// Tells a kernel when to give up.
///
/// ```
/// use teapot_core::patience::Patience;
/// let patience = Patience::new(&|| true);
/// assert!(patience.spend(1000).is_ok());
/// assert!(patience.spend(1_000_000_000).is_err());
/// assert!(Patience::endless().spend(1_000_000_000).is_ok());
/// ```
pub struct Patience<'p> {
    is_cancelled: &'p dyn Fn() -> bool,
    /// Steps until the next question.
    left: Cell<usize>,
}

impl<'p> Patience<'p> {
    /// Patience until `is_cancelled` gives true. It is asked about every four million steps of a kernel.
    pub fn new(is_cancelled: &'p dyn Fn() -> bool) -> Self {
        Self { is_cancelled, left: Cell::new(STEPS) }
    }

    /// Patience that never ends.
    pub fn endless() -> Patience<'static> {
        Patience::new(&|| false)
    }

    /// Counts steps that were done or are about to be done; a step is what takes about a nanosecond.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when it is time to ask and the result isn't wanted any more.
    #[inline]
    pub fn spend(&self, steps: usize) -> Result<()> {
        if let Some(left) = self.left.get().checked_sub(steps) {
            self.left.set(left);
            return Ok(());
        }
        self.left.set(STEPS);
        self.ask()
    }

    /// Asks at once.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Cancelled`] when the result isn't wanted any more.
    pub fn ask(&self) -> Result<()> {
        if (self.is_cancelled)() { Err(Error::new(ErrorKind::Cancelled)) } else { Ok(()) }
    }
}

impl fmt::Debug for Patience<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patience").field("left", &self.left.get()).finish_non_exhaustive()
    }
}
