//! The rule library of `coenzyme`.

pub mod array;
#[cfg(test)]
mod check;
pub mod class;
pub mod linalg;
pub mod nn;
pub mod scalar;
