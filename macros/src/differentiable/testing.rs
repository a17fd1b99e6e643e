//! What the tests of the compiler ask: the program of a function as text, before and after it is improved.

use syn::ItemFn;

use super::ir::Program;
use super::{callable, lower};
use crate::errors::Errors;
use crate::signature::Function;

/// The signature and the program of a function, as lowering makes it.
pub(super) fn lowered(text: &str) -> (Function, Program) {
    let mut item: ItemFn = syn::parse_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let mut errors = Errors::default();
    let (function, body) = callable::parse_item(&mut item, &mut errors);
    let program = lower::lower(&function, &body, &mut errors);
    assert!(errors.is_empty(), "{}", errors.into_tokens());
    (function, program)
}

/// As [`lowered`], and improved as for emission.
pub(super) fn improved(text: &str) -> (Function, Program) {
    let (function, mut program) = lowered(text);
    program.improve();
    (function, program)
}

/// The errors of a function that is refused.
pub(super) fn refused(text: &str) -> String {
    let mut item: ItemFn = syn::parse_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let mut errors = Errors::default();
    let (function, body) = callable::parse_item(&mut item, &mut errors);
    if errors.is_empty() {
        lower::lower(&function, &body, &mut errors).improve();
    }
    assert!(!errors.is_empty(), "accepted: {text}");
    errors.into_tokens().to_string()
}

/// Asserts that a text has these lines, whatever the spaces before the first.
#[track_caller]
pub(super) fn assert_lines(found: &str, wanted: &str) {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let lines: Vec<&str> = wanted.lines().filter(|l| !l.trim().is_empty()).collect();
    let by = lines.first().map_or(0, |line| indent(line));
    let wanted: Vec<&str> = lines.iter().map(|l| l.get(by..).unwrap_or("")).collect();
    let found: Vec<&str> = found.lines().collect();
    assert!(
        found == wanted,
        "found:\n{}\n\nwanted:\n{}",
        found.join("\n"),
        wanted.join("\n")
    );
}

/// Asserts the program of a function, as lowering makes it.
#[track_caller]
pub(super) fn assert_lowered(function: &str, wanted: &str) {
    assert_lines(&format!("{:#}", lowered(function).1), wanted);
}
