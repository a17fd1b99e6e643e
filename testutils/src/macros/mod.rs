//! The macros.

mod activity;
mod arrays;
mod gradient;
mod rule;
mod single;
mod untested;
