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
    (A B C D E F G H I)
    (A B C D E F G H I J)
    (A B C D E F G H I J K)
    (A B C D E F G H I J K L)
    (A B C D E F G H I J K L A12)
    (A B C D E F G H I J K L A12 A13)
    (A B C D E F G H I J K L A12 A13 A14)
    (A B C D E F G H I J K L A12 A13 A14 A15)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18 A19)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18 A19 A20)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18 A19 A20 A21)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24)
    (A B C D E F G H I J K L A12 A13 A14 A15 A16 A17 A18 A19 A20 A21 A22 A23 A24 A25)
}

/// Does nothing; the types of the parameters of `f` become those of the arguments that have none yet. A marker is a
/// [`Function`] of one tuple of arguments, from which the compiler infers.
#[inline]
pub fn parameters_tell<F: Function<R::Arguments>, R: References>(_: &F, _: R) {}
