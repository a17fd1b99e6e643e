//! The macros.

mod activity;
mod arrays;
mod rule;
mod single;
mod untested;
