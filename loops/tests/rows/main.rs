//! The rows of other systems' tables, each number in a test named after its row, and every rule in every mix.

mod ballistics;
mod equations;
mod general;
mod implicit;
mod integrals;
mod sums;
