//! Modes around modes: the innermost is what is checked.

use super::{Checked, CheckedIfAsked};
use crate::autodiff::{
    Batch, Forward, ForwardWithPrimal, Nested, Reverse, ReverseWithPrimal, StrongZero,
};

/// A mode that has a checked form.
#[doc(hidden)]
pub trait Checkable {
    /// The checked form.
    type Form;

    /// Wraps the innermost mode in [`Checked`].
    fn form(self) -> Self::Form;
}

macro_rules! innermost {
    ($($mode:ident)*) => {$(
        impl Checkable for $mode {
            type Form = Checked<$mode>;

            fn form(self) -> Checked<$mode> {
                Checked(self)
            }
        }
    )*};
}

innermost! { Forward ForwardWithPrimal Reverse ReverseWithPrimal }

impl<M: Checkable, const W: usize> Checkable for Batch<M, W> {
    type Form = Batch<M::Form, W>;

    fn form(self) -> Self::Form {
        Batch(self.0.form())
    }
}

impl<M: Checkable> Checkable for StrongZero<M> {
    type Form = StrongZero<M::Form>;

    fn form(self) -> Self::Form {
        StrongZero(self.0.form())
    }
}

impl<M: Checkable> Checkable for Nested<M> {
    type Form = Nested<M::Form>;

    fn form(self) -> Self::Form {
        self.map(M::form)
    }
}

// they are checked, or see to it

impl<M> Checkable for Checked<M> {
    type Form = Self;

    fn form(self) -> Self {
        self
    }
}

impl<M> Checkable for CheckedIfAsked<M> {
    type Form = Self;

    fn form(self) -> Self {
        self
    }
}
