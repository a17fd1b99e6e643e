//! The macros.

mod activity;
mod arrays;
mod gradient;
mod lanes;
mod rule;
mod single;
mod untested;
