//! A function in, the plan of its reverse sweep out.

mod loops;
mod values;
