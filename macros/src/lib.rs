//! The macros of `coenzyme`.
