//! Where something stands in the source.

use proc_macro2::Span;

/// A place in the source, by which what the compiler decided of a call is found again in a copy of the body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Site(usize, usize);

impl Site {
    /// The place that a token comes from. Outside of the compiler all tokens come from one place.
    pub(crate) fn of(span: Span) -> Self {
        if !proc_macro::is_available() {
            return Self(0, 0);
        }
        let start = span.unwrap().start();
        Self(start.line(), start.column())
    }
}
