//! Enzyme's tutorial on custom rules, in Rust: the first chapter of the book, as a program.
//!
//! Every block prints what the book says it prints, and `tests/tutorial.rs` checks that.

mod general;
mod generated;
mod inactive;
mod reverse;
mod specific;

fn main() {
    heading("No rule at all: the derivative is generated");
    generated::run();
    heading("One forward rule for each combination of activities");
    specific::run();
    heading("One forward rule for all of them");
    general::run();
    heading("A reverse rule");
    reverse::run();
    heading("Functions without derivative");
    inactive::run();
}

fn heading(title: &str) {
    println!("\n# {title}");
}
