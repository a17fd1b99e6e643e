//! Where something stands in the source.

use proc_macro2::Span;

/// A place in the source, by which what the compiler decided of a call is found again in a copy of the body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Site(usize, usize);

impl Site {
    /// The place that a token comes from. Outside of the compiler and of the tests all tokens come from one place.
    pub(crate) fn of(span: Span) -> Self {
        #[cfg(test)]
        let (line, column) = (span.start().line, span.start().column);
        #[cfg(not(test))]
        let (line, column) = match proc_macro::is_available() {
            true => {
                let start = span.unwrap().start();
                (start.line(), start.column())
            }
            false => (0, 0),
        };
        Self(line, column)
    }
}
