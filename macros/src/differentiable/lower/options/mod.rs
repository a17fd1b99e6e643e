//! Values that may be absent, which become a flag and a value.

pub(crate) mod called_option;
pub(crate) mod combinator;
pub(crate) mod combined;
pub(crate) mod error_parts;
pub(crate) mod guarded;
pub(crate) mod local;
pub(crate) mod outcome_arms;
pub(crate) mod unwrapped;
