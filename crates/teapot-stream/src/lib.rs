//! Files in, aligned segments and scores out, in flat memory and on all cores.
#![forbid(unsafe_code)]
#![deny(missing_docs)]
