//! Panics of functions that others wrote become errors.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::error::OpError;

/// Runs `f`; a panic inside is an error of the operation that says what the panic said.
///
/// Nothing is left half written: values that `f` was given are shared and are not written, and shadows of a call that failed are
/// dropped by the caller.
#[doc(hidden)]
pub fn guarded<U>(operation: &str, f: impl FnOnce() -> U) -> Result<U, OpError> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        OpError::failed(operation, text.unwrap_or("the function panicked"))
    })
}
