//! What a call returned that may be no value.

/// What the rules of a function that returns an `Option` or a `Result` return.
pub trait Attempt {
    /// Whether there is a value.
    fn came(&self) -> bool;
}

impl<T> Attempt for Option<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn came(&self) -> bool {
        self.is_some()
    }
}

impl<T, E> Attempt for Result<T, E> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn came(&self) -> bool {
        self.is_ok()
    }
}

/// A `Result` of whatever name, `type Fallible<T> = Result<T, Error>;`, and its error.
pub trait Fallible {
    /// What it holds where there is no value.
    type Error;
}

impl<T, E> Fallible for Result<T, E> {
    type Error = E;
}
