//! Judges differentiation rules against finite differences.
