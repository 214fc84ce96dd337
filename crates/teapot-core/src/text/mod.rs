//! Text rules of Python and of the reference tools, in one place: nothing else trims, splits or tokenizes.

pub mod whitespace;
