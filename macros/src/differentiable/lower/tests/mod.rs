//! What becomes of the user's syntax: a function in, its program out.

mod closures;
mod combinators;
mod exits;
mod iterators;
mod lent;
mod options;
mod refused;
mod swaps;
mod values;
