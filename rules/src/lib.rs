//! The rule library of `coenzyme`.

#[cfg(test)]
mod check;
pub mod class;
pub mod scalar;
