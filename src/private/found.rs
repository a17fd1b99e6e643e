//! Options and results without derivative, where something active stands in for what is missing.

/// An `Option` or a `Result`.
#[diagnostic::on_unimplemented(
    message = "this method was taken for one of `Option` or `Result`, and it is called on a value of type `{Self}`",
    label = "another type",
    note = "call a method of your own by its path, `{Self}::method(…)`"
)]
pub trait MayBeFound {
    /// What is in it.
    type Value;

    /// The value, if it is there.
    fn found(self) -> Option<Self::Value>;
}

impl<T> MayBeFound for Option<T> {
    type Value = T;

    fn found(self) -> Self {
        self
    }
}

impl<T, E> MayBeFound for Result<T, E> {
    type Value = T;

    fn found(self) -> Option<T> {
        self.ok()
    }
}

/// The value, if it is there; an error is lost.
pub fn found<O: MayBeFound>(option: O) -> Option<O::Value> {
    option.found()
}
