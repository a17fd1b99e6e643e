//! What the driver macros write with the feature `checked`: calls that `COENZYME_CHECKED=1` compares with differences.
//!
//! Whether arguments can be copied, read and moved is a trait, and a driver that is a function cannot ask whether its arguments happen
//! to implement it. A macro can, where the types are known: of the two methods named `way`, lookup finds that of [`MayBeChecked`] if its
//! bounds hold, and one reference further away that of [`IsNotChecked`]. In a generic function nothing is known of a type parameter that is
//! not in its bounds, and the second is found. So the call says aloud that it is not checked.
//!
//! ```text
//! match gradient(&f {}, (x, y)) {
//!     call => (&call).way().run(call),
//! }
//! ```

use std::collections::BTreeSet;
use std::io::Write;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

use super::asked::asked;
use super::name_of;

/// A call of a driver, put off. The bounds of the driver are those of the function that a macro writes, of the call as it is and of the
/// checked one, which asks for more: they are written once. Generics are said as they are declared, then as they are used; those of the
/// bounds that the call has no place for come last.
macro_rules! call {
    (
        $(#[$about:meta])*
        struct $Call:ident [$($declared:tt)*] [$($used:tt)*] { $($field:ident: $type:ty,)* }

        $(#[$put_off:meta])*
        fn $driver:ident [$($more:tt)*] -> $Output:ty
        where { $($bounds:tt)* }

        plain($plain:ident) $run:block

        checked($checked:ident) where { $($further:tt)* } $check:block
    ) => {
        $(#[$about])*
        pub struct $Call<$($declared)*> {
            $($field: $type,)*
        }

        $(#[$put_off])*
        #[inline]
        pub fn $driver<$($declared)*, $($more)*>($($field: $type),*) -> $Call<$($used)*>
        where
            $($bounds)*
        {
            $Call { $($field),* }
        }

        impl<$($declared)*, $($more)*> Call for $Call<$($used)*>
        where
            $($bounds)*
        {
            type Function = F;
            type Output = $Output;

            #[inline]
            fn plain(self) -> $Output {
                let $plain = self;
                $run
            }
        }

        impl<$($declared)*, $($more)*> CheckedCall for $Call<$($used)*>
        where
            $($bounds)*
            $($further)*
        {
            fn checked(self) -> $Output {
                let $checked = self;
                $check
            }
        }
    };
}

mod autodiff;
mod gradient;
mod jvp;
mod passes;
mod vjp;
mod watching;

pub use autodiff::{Autodiff, autodiff};
pub use gradient::{Gradient, Whole, finished, gradient};
pub use jvp::{Jvp, jvp};
pub use passes::{ForwardPass, ReversePass, forward, reverse};
pub use vjp::{Vjp, vjp};

/// A call of a driver.
pub trait Call: Sized {
    /// The function.
    type Function;
    /// What the driver returns.
    type Output;

    /// Runs the driver.
    fn plain(self) -> Self::Output;
}

/// A call that can be compared with differences.
pub trait CheckedCall: Call {
    /// Runs the driver, and compares.
    fn checked(self) -> Self::Output;
}

/// The way of a call that can be checked.
pub struct Asking;

/// The way of a call that cannot.
pub struct Plainly;

/// Finds the way of what can be checked.
pub trait MayBeChecked {
    /// The way.
    fn way(&self) -> Asking {
        Asking
    }
}

/// Finds the way of the rest.
pub trait IsNotChecked {
    /// The way.
    fn way(&self) -> Plainly {
        Plainly
    }
}

impl<C: CheckedCall> MayBeChecked for C {}
impl<C: Call> IsNotChecked for &C {}

impl Asking {
    /// Runs the call, and checks it if the environment asks for it.
    #[inline]
    pub fn run<C: CheckedCall>(self, call: C) -> C::Output {
        match asked() {
            true => call.checked(),
            false => call.plain(),
        }
    }
}

impl Plainly {
    /// Runs the call, and says that it is not checked if the environment asks for it.
    #[inline]
    #[track_caller]
    pub fn run<C: Call>(self, call: C) -> C::Output {
        if asked() {
            say_unchecked(name_of::<C::Function>(), Location::caller());
        }
        call.plain()
    }
}

/// Once for each function and place; past the test harness, which would keep it to itself.
fn say_unchecked(function: &'static str, place: &'static Location<'static>) {
    static SAID: Mutex<BTreeSet<(&str, &Location<'_>)>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert((function, place)) {
        let text = format!(
            "coenzyme: the derivative of `{function}` at {place} is not checked: an argument cannot be copied, is not known to be in a generic function, or has no type yet (`let x: f64 = 0.5;`)\n"
        );
        // that nobody reads it is no reason to stop
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}
