//! Panics that are counted on, without a word on the terminal.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// Where and why this thread panicked last; `None` where panics are printed as they always are.
    static LAST: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What `run` returns; if it panics, with what and where.
pub(super) fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            LAST.with_borrow_mut(|last| match last {
                Some(last) => *last = panic.to_string(),
                None => print(panic),
            });
        }));
    });
    LAST.set(Some(String::new()));
    let outcome = catch_unwind(AssertUnwindSafe(run));
    let last = LAST.take().unwrap_or_default();
    outcome.map_err(|_| last)
}
