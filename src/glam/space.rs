//! Tangent spaces: every component is a number of its own.

use ::glam::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Mat2, Mat3, Mat4, Quat, Vec2, Vec3, Vec4,
};

use crate::__private::Blank;
use crate::error::Incongruent;
use crate::foreign::Components;
use crate::tangent::Tangent;

/// A type that is `N` numbers.
pub(super) trait Numbers<T, const N: usize>: Copy {
    /// The numbers; of a matrix column after column.
    fn numbers(self) -> [T; N];
    /// The value of these numbers.
    fn of_numbers(numbers: [T; N]) -> Self;

    /// `Σ aᵢ·bᵢ`
    fn inner_product(self, other: Self) -> T
    where
        T: crate::Real,
    {
        let pairs = self.numbers().into_iter().zip(other.numbers());
        pairs.fold(T::zero(), |sum, (a, b)| sum + a * b)
    }
}

macro_rules! spaces {
    ($($t:ty: $v:ident $n:literal $to:ident $from:ident $([$($by:tt)*])?;)*) => {$(
        impl Numbers<$t, $n> for $v {
            #[inline]
            fn numbers(self) -> [$t; $n] {
                self.$to()
            }
            #[inline]
            fn of_numbers(numbers: [$t; $n]) -> Self {
                Self::$from($($($by)*)? numbers)
            }
        }

        impl Tangent for $v {
            type Owned = Self;
            type Target = Self;

            const ONE_SHAPE: bool = true;
            const WORDS: usize = $n;

            #[inline]
            fn write_words(this: &Self, to: &mut [u64]) {
                Tangent::write_words(&this.numbers(), to);
            }
            #[inline]
            fn read_words(from: &[u64]) -> Self {
                Self::of_numbers(<[$t; $n]>::read_words(from))
            }
            #[inline]
            fn target(this: &Self) -> &Self {
                this
            }
            #[inline]
            fn zero_like(_: &Self) -> Self {
                Self::blank()
            }
            #[inline]
            fn zero_out(this: &mut Self) {
                *this = Self::blank();
            }
            #[inline]
            fn accumulate(this: &mut Self, other: &Self) {
                let mut sum = this.numbers();
                Tangent::accumulate(&mut sum, &other.numbers());
                *this = Self::of_numbers(sum);
            }
            fn scale(this: &mut Self, by: f64) {
                let mut product = this.numbers();
                Tangent::scale(&mut product, by);
                *this = Self::of_numbers(product);
            }
            fn inner(this: &Self, other: &Self) -> f64 {
                Tangent::inner(&this.numbers(), &other.numbers())
            }
            fn flatten_into(this: &Self, out: &mut Vec<f64>) {
                Tangent::flatten_into(&this.numbers(), out);
            }
            fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
                let mut numbers = this.numbers();
                Tangent::unflatten_from(&mut numbers, from);
                *this = Self::of_numbers(numbers);
            }
            #[inline]
            fn congruent(_: &Self, _: &Self) -> Result<(), Incongruent> {
                Ok(())
            }
        }

        impl Blank for $v {
            #[inline]
            fn blank() -> Self {
                Self::of_numbers([0.0; $n])
            }
        }

        crate::value_type! { [] $v }
    )*};
}

spaces! {
    f64: DVec2 2 to_array from_array;
    f64: DVec3 3 to_array from_array;
    f64: DVec4 4 to_array from_array;
    f64: DQuat 4 to_array from_array;
    f64: DMat2 4 to_cols_array from_cols_array [&];
    f64: DMat3 9 to_cols_array from_cols_array [&];
    f64: DMat4 16 to_cols_array from_cols_array [&];
    f32: Vec2 2 to_array from_array;
    f32: Vec3 3 to_array from_array;
    f32: Vec4 4 to_array from_array;
    f32: Quat 4 to_array from_array;
    f32: Mat2 4 to_cols_array from_cols_array [&];
    f32: Mat3 9 to_cols_array from_cols_array [&];
    f32: Mat4 16 to_cols_array from_cols_array [&];
}

impl<T: crate::Real> Numbers<T, 1> for T {
    fn numbers(self) -> [T; 1] {
        [self]
    }
    fn of_numbers([x]: [T; 1]) -> T {
        x
    }
}

macro_rules! components {
    ($($t:ty: $($v:ident)*;)*) => {$($(
        impl Components<$t> for $v {
            fn components(&self) -> &[$t] {
                self.as_ref()
            }
            fn add_at(&mut self, i: usize, x: $t) {
                let mut numbers = self.numbers();
                numbers[i] += x;
                *self = Self::of_numbers(numbers);
            }
        }
    )*)*};
}

components! {
    f64: DVec2 DVec3 DVec4 DQuat DMat2 DMat3 DMat4;
    f32: Vec2 Vec3 Vec4 Quat Mat2 Mat3 Mat4;
}
