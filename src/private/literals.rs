//! What gives the literals in `gradient!` their types.

use crate::rule::Function;

/// References to the arguments of a call.
pub trait References {
    /// The arguments themselves.
    type Arguments;
}

macro_rules! tuples {
    ($(($($a:ident)*))*) => {$(
        impl<$($a),*> References for ($(&$a,)*) {
            type Arguments = ($($a,)*);
        }
    )*};
}

tuples! {
    (A)
    (A B)
    (A B C)
    (A B C D)
    (A B C D E)
    (A B C D E F)
    (A B C D E F G)
    (A B C D E F G H)
}

/// Does nothing; the types of the parameters of `f` become those of the arguments that have none yet. A marker is a
/// [`Function`] of one tuple of arguments, from which the compiler infers.
#[inline]
pub fn parameters_tell<F: Function<R::Arguments>, R: References>(_: &F, _: R) {}
