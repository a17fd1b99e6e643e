//! The rows of other systems' tables, each number in a test named after its row, and every rule in every mix.

#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "numbers as the tables have them"
)]

mod ballistics;
mod equations;
mod estimates;
mod general;
mod implicit;
mod integrals;
mod sums;
mod unknowns;
