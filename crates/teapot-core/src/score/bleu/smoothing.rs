//! How BLEU treats orders without a match.

use std::fmt;

/// What takes the place of a precision of 0, so that one order without a match doesn't make the score 0.
///
/// When no order has a match at all the score is 0 under every method.
///
/// Sources: Chen and Cherry 2014 (methods 1 to 3), sacreBLEU 2.6.0 `metrics/bleu.py`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Smoothing {
    /// `none`: the precision stays 0, and with it the score.
    None,
    /// `floor`: this many matches instead of 0. sacreBLEU's default value is 0.1, teapot-nlp passes 0.01.
    Floor(f64),
    /// `add-k`: this many is added to matches and totals of all orders above 1. sacreBLEU's default value is 1.
    AddK(f64),
    /// `exp`: ½ match for the first order without one, ¼ for the second, and so on (NIST, mteval-v13a).
    Exp,
}

impl Smoothing {
    /// The names of the methods: `floor`, `add-k`, `exp`, `none`.
    pub const NAMES: [&str; 4] = ["floor", "add-k", "exp", "none"];

    /// A method by its name with sacreBLEU's default value (floor 0.1, add-k 1); nothing for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::None),
            "floor" => Some(Self::Floor(0.1)),
            "add-k" => Some(Self::AddK(1.0)),
            "exp" => Some(Self::Exp),
            _ => None,
        }
    }

    /// The method's name in options and signatures.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Floor(_) => "floor",
            Self::AddK(_) => "add-k",
            Self::Exp => "exp",
        }
    }

    /// The method's value, for the two that take one.
    pub fn value(self) -> Option<f64> {
        match self {
            Self::None | Self::Exp => None,
            Self::Floor(value) | Self::AddK(value) => Some(value),
        }
    }
}

/// The method as sacreBLEU's signature has it: `floor[0.01]`, `add-k[1.00]`, `exp`, `none`.
impl fmt::Display for Smoothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            Some(value) => write!(f, "{}[{value:.2}]", self.name()),
            None => f.write_str(self.name()),
        }
    }
}
