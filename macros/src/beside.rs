//! What the crate above is built with. It calls the macros by other names then: Cargo features of this crate would have it built once for each set of
//! them, and with it all that stands on it.

use std::cell::Cell;

thread_local! {
    static CHECKS: Cell<bool> = const { Cell::new(false) };
    static NALGEBRA: Cell<bool> = const { Cell::new(false) };
}

/// Whether drivers ask if they should check what they compute.
pub(crate) fn checks() -> bool {
    CHECKS.get()
}

/// Whether functions of the types of `nalgebra` have markers in scope.
pub(crate) fn nalgebra() -> bool {
    NALGEBRA.get()
}

/// Expands with drivers that ask if they should check what they compute.
pub(crate) fn with_checks<T>(expand: impl FnOnce() -> T) -> T {
    with(&CHECKS, expand)
}

/// Expands beside the markers of `nalgebra`.
pub(crate) fn with_nalgebra<T>(expand: impl FnOnce() -> T) -> T {
    with(&NALGEBRA, expand)
}

fn with<T>(flag: &'static std::thread::LocalKey<Cell<bool>>, expand: impl FnOnce() -> T) -> T {
    /// The flag goes down also where the expansion panics: the compiler goes on.
    struct Down(&'static std::thread::LocalKey<Cell<bool>>);

    impl Drop for Down {
        fn drop(&mut self) {
            self.0.set(false);
        }
    }

    flag.set(true);
    let _down = Down(flag);
    expand()
}
