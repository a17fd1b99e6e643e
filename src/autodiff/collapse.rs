//! One lane is shown as itself, several as an array.

/// The form in which lanes leave a driver: `T` for `[T; 1]`, the array itself for more, entry by entry for tuples.
#[diagnostic::on_unimplemented(
    message = "`autodiff` returns up to 64 lanes, not `{Self}`",
    label = "too wide",
    note = "call the rule itself, or use `jacobian_forward`, for more lanes"
)]
pub trait Collapse {
    /// The form without one-element arrays.
    type Collapsed;

    /// Takes the one lane out of its array.
    fn collapse(self) -> Self::Collapsed;
}

impl<T> Collapse for [T; 1] {
    type Collapsed = T;

    #[inline]
    fn collapse(self) -> T {
        let [only] = self;
        only
    }
}

macro_rules! lanes {
    ($($w:literal)*) => {$(
        impl<T> Collapse for [T; $w] {
            type Collapsed = Self;

            #[inline]
            fn collapse(self) -> Self {
                self
            }
        }
    )*};
}

lanes! {
    2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40
    41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
}

impl<G: Collapse> Collapse for Vec<G> {
    type Collapsed = Vec<G::Collapsed>;

    fn collapse(self) -> Self::Collapsed {
        self.into_iter().map(G::collapse).collect()
    }
}

macro_rules! tuples {
    ($(($($g:ident $i:tt)*))*) => {$(
        impl<$($g: Collapse),*> Collapse for ($($g,)*) {
            type Collapsed = ($($g::Collapsed,)*);

            #[inline]
            #[allow(clippy::unused_unit)]
            fn collapse(self) -> Self::Collapsed {
                ($(self.$i.collapse(),)*)
            }
        }
    )*};
}

tuples! {
    ()
    (A 0)
    (A 0 B 1)
    (A 0 B 1 C 2)
    (A 0 B 1 C 2 D 3)
    (A 0 B 1 C 2 D 3 E 4)
    (A 0 B 1 C 2 D 3 E 4 F 5)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18 A19 19)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18 A19 19 A20 20)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18 A19 19 A20 20 A21 21)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18 A19 19 A20 20 A21 21 A22 22)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18 A19 19 A20 20 A21 21 A22 22 A23 23)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18 A19 19 A20 20 A21 21 A22 22 A23 23 A24 24)
    (A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11 A12 12 A13 13 A14 14 A15 15 A16 16 A17 17 A18 18 A19 19 A20 20 A21 21 A22 22 A23 23 A24 24 A25 25)
}
