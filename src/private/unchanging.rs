//! Macros that are not known, as statements.

/// What a closure around such a macro gives. A macro that returns from the function gives something else.
#[derive(Debug)]
pub struct AMacroThatReturnsIsNotKnown;

/// Runs a macro that changes no local: an `Fn` cannot.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn unchanging(statement: impl Fn() -> AMacroThatReturnsIsNotKnown) {
    statement();
}
