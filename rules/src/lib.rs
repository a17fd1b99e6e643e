//! The rule library of `coenzyme`.
