//! The macros.

mod activity;
mod rule;
mod single;
mod untested;
