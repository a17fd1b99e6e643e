//! Tuples of annotated arguments.

use crate::activity::{Activity, Annotation, AnyWidth, Join, Known};

/// A tuple of annotated arguments, before the width of the call is known.
pub trait Annotated {
    /// What the primal takes.
    type Primals;
    /// The width of all arguments together.
    type Width;
    /// The tuple itself. A driver asks rules for this type, which is known only if the annotations are right: so that a mistake
    /// in them is one error.
    type Checked;

    /// The tuple itself.
    fn checked(self) -> Self::Checked;
}

/// The annotated arguments of a call: a tuple of activities of one width.
#[diagnostic::on_unimplemented(
    message = "`{Self}` are not the arguments of a differentiated call of width {W}",
    label = "mixed widths, or an argument without activity",
    note = "annotate every argument: `Const(x)`, `Active(x)`, `Duplicated(x, dx)`, `BatchDuplicated(x, [dx1, dx2])`",
    note = "all batched arguments of one call have the same number of shadows"
)]
pub trait Args<const W: usize> {
    /// The arguments as a rule receives them: a tuple of `&mut`.
    type Refs<'a>
    where
        Self: 'a;
    /// What a reverse rule returns: one entry per argument.
    type Gradients;

    /// The arguments, lent to a rule.
    fn refs(&mut self) -> Self::Refs<'_>;
}

/// One row per arity. Each argument is given as `type index width-before width-after`: the widths are joined from left to
/// right.
macro_rules! tuples {
    ($(($($a:ident $i:tt $before:ident $after:ident),* => $width:ident))*) => {$(
        impl<$($a: Annotation, $after,)*> Annotated for ($($a,)*)
        where
            $($before: Join<$a::Width, Joined = $after>,)*
        {
            type Primals = ($($a::Primal,)*);
            type Width = $width;
            type Checked = <$width as Known<Self>>::Known;

            #[inline]
            fn checked(self) -> Self::Checked {
                $width::known(self)
            }
        }

        args! { $($a $i),* }
    )*};
}

macro_rules! args {
    ($($a:ident $i:tt),*) => {
        impl<$($a: Activity<W>,)* const W: usize> Args<W> for ($($a,)*) {
            type Refs<'a>
                = ($(&'a mut $a,)*)
            where
                Self: 'a;
            type Gradients = ($($a::Gradient,)*);

            #[inline]
            #[allow(clippy::unused_unit)]
            fn refs(&mut self) -> Self::Refs<'_> {
                ($(&mut self.$i,)*)
            }
        }
    };
}

tuples! {
    ( => AnyWidth)
    (A 0 AnyWidth W0 => W0)
    (A 0 AnyWidth W0, B 1 W0 W1 => W1)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2 => W2)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3 => W3)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4 => W4)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5 => W5)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6 => W6)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7 => W7)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8 => W8)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9 => W9)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10 => W10)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11 => W11)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12 => W12)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13 => W13)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14 => W14)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15 => W15)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16 => W16)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17 => W17)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18 => W18)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18, A19 19 W18 W19 => W19)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18, A19 19 W18 W19, A20 20 W19 W20 => W20)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18, A19 19 W18 W19, A20 20 W19 W20, A21 21 W20 W21 => W21)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18, A19 19 W18 W19, A20 20 W19 W20, A21 21 W20 W21, A22 22 W21 W22 => W22)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18, A19 19 W18 W19, A20 20 W19 W20, A21 21 W20 W21, A22 22 W21 W22, A23 23 W22 W23 => W23)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18, A19 19 W18 W19, A20 20 W19 W20, A21 21 W20 W21, A22 22 W21 W22, A23 23 W22 W23, A24 24 W23 W24 => W24)
    (A 0 AnyWidth W0, B 1 W0 W1, C 2 W1 W2, D 3 W2 W3, E 4 W3 W4, F 5 W4 W5, G 6 W5 W6, H 7 W6 W7, I 8 W7 W8, J 9 W8 W9, K 10 W9 W10, L 11 W10 W11, A12 12 W11 W12, A13 13 W12 W13, A14 14 W13 W14, A15 15 W14 W15, A16 16 W15 W16, A17 17 W16 W17, A18 18 W17 W18, A19 19 W18 W19, A20 20 W19 W20, A21 21 W20 W21, A22 22 W21 W22, A23 23 W22 W23, A24 24 W23 W24, A25 25 W24 W25 => W25)
}
