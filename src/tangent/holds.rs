//! How an argument gives access to the memory it stands for.

use super::{Inactive, Tangent};

/// An argument with its memory: what shadows of different containers are compared by.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand beside a shadow",
    label = "derivatives of this type are not known",
    note = "write `#[derive(Tangent)]` on the type, or `Const(x)` if it carries no derivative"
)]
pub trait Memory {
    /// The memory: `[f64]` for `&[f64]`, `&Vec<f64>` and `&[f64; 3]`.
    type Target: Tangent + ?Sized;
    /// What the argument is, or refers to: `[f64; 3]` for `&[f64; 3]`, of which `Target` has lost the length.
    #[doc(hidden)]
    type Whole: ?Sized;

    /// The memory.
    fn memory(&self) -> &Self::Target;
}

/// An argument through which a `T` can be read: `f64` holds itself, `&[f64]`, `&Vec<f64>` and `Vec<f64>` hold `[f64]`.
///
/// Rules are written for the `T`, and so serve whatever holds one.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed where a function takes `{T}`",
    label = "no argument that a rule can read",
    note = "a type of your own that a differentiated function takes by value is marked `#[derive(Tangent)]`, also if nothing in it carries a derivative"
)]
pub trait Holds<T: ?Sized> {
    /// The value held.
    fn get(&self) -> &T;
}

/// An argument through which a `T` can be changed.
pub trait HoldsMut<T: ?Sized>: Holds<T> {
    /// The value held.
    fn get_mut(&mut self) -> &mut T;
}

/// An owned value: its derivative in reverse mode is returned ([`Active`](crate::Active)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is memory, and cannot be `Active`",
    label = "not a by-value argument",
    note = "derivatives of memory are accumulated in a shadow: write `Duplicated(&x, &mut dx)`"
)]
pub trait ByValue {}

/// A reference or a view: its derivative in reverse mode is accumulated in a shadow
/// ([`Duplicated`](type@crate::Duplicated)).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is passed by value, and cannot be `Duplicated` in reverse mode",
    label = "not a reference or a view",
    note = "by-value derivatives are returned: write `Active(x)`; for a value that owns memory write `MixedDuplicated(x, &mut dx)`"
)]
pub trait ByReference {}

impl<T: ?Sized> Holds<T> for &T {
    #[inline]
    fn get(&self) -> &T {
        self
    }
}

// what a loop over a list of references gives, where the compiler takes one reference away
impl<T: ?Sized> Holds<T> for &&T {
    #[inline]
    fn get(&self) -> &T {
        self
    }
}

impl Holds<str> for &String {
    #[inline]
    fn get(&self) -> &str {
        self
    }
}

impl<T: ?Sized> Holds<T> for &mut T {
    #[inline]
    fn get(&self) -> &T {
        self
    }
}

impl<T: ?Sized> HoldsMut<T> for &mut T {
    #[inline]
    fn get_mut(&mut self) -> &mut T {
        self
    }
}

impl<T: Tangent + ?Sized> Memory for &T {
    type Target = T::Target;
    type Whole = T;

    #[inline]
    fn memory(&self) -> &T::Target {
        Tangent::target(&**self)
    }
}

impl<T: Tangent + ?Sized> Memory for &mut T {
    type Target = T::Target;
    type Whole = T;

    #[inline]
    fn memory(&self) -> &T::Target {
        Tangent::target(&**self)
    }
}

impl<T: ?Sized> ByReference for &T {}
impl<T: ?Sized> ByReference for &mut T {}

/// A value whose tangents are values of the same type: what a number is, and what `#[derive(Clone, Tangent)]` makes of a struct.
///
/// Everything that rules may want to know of such a type follows from this one bound. A trait whose methods change the state of a type
/// parameter, or take it by value, has it as a supertrait:
///
/// ```
/// use coenzyme::{Tangent, Value, differentiable, gradient};
///
/// #[differentiable]
/// trait Filter: Value {
///     fn next(&mut self, x: f64) -> f64;
/// }
///
/// #[derive(Clone, Tangent)]
/// struct LowPass {
///     y: f64,
///     a: f64,
/// }
///
/// #[differentiable]
/// impl Filter for LowPass {
///     fn next(&mut self, x: f64) -> f64 {
///         self.y += self.a * (x - self.y);
///         self.y
///     }
/// }
///
/// #[differentiable]
/// fn last<F: Filter>(filter: &mut F, x: &[f64]) -> f64 {
///     let mut y = 0.0;
///     for x in x {
///         y = filter.next(*x);
///     }
///     y
/// }
///
/// #[differentiable]
/// fn f(a: f64) -> f64 {
///     let mut filter = LowPass { y: 0.0, a };
///     last(&mut filter, &[1.0, 2.0])
/// }
///
/// // a + a (2 - a)
/// assert_eq!(gradient!(f, 0.25), (2.5,));
/// ```
pub trait Value:
    Tangent<Owned = Self, Target = Self>
    + Clone
    + Send
    + HoldsMut<Self>
    + ByValue
    + Memory<Target = Self>
    + crate::rule::Outcome<Value = Self, Of<Self> = Self>
    + crate::__private::Blank
    + 'static
{
}

impl<T> Value for T where
    T: Tangent<Owned = T, Target = T>
        + Clone
        + Send
        + HoldsMut<T>
        + ByValue
        + Memory<Target = T>
        + crate::rule::Outcome<Value = T, Of<T> = T>
        + crate::__private::Blank
        + 'static
{
}

/// An owned type holds itself.
#[doc(hidden)]
#[macro_export]
macro_rules! __holds_itself {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {$(
        impl<$($g)*> $crate::Holds<$t> for $t {
            #[inline]
            fn get(&self) -> &$t {
                self
            }
        }
        impl<$($g)*> $crate::HoldsMut<$t> for $t {
            #[inline]
            fn get_mut(&mut self) -> &mut $t {
                self
            }
        }
        impl<$($g)*> $crate::Memory for $t
        where
            $t: $crate::Tangent,
        {
            type Target = <$t as $crate::Tangent>::Target;
            type Whole = $t;

            #[inline]
            fn memory(&self) -> &Self::Target {
                $crate::Tangent::target(self)
            }
        }
        impl<$($g)*> $crate::ByValue for $t {}
    )*};
}

/// A container of `T`s holds a slice of them.
macro_rules! slice {
    ($([$($g:tt)*] $t:ty => $m:ident),* $(,)?) => {$(
        impl<'a, $($g)*> Holds<[T]> for $t {
            #[inline]
            fn get(&self) -> &[T] {
                &self[..]
            }
        }
        slice!(@$m [$($g)*] $t);
    )*};
    (@shared [$($g:tt)*] $t:ty) => {};
    (@exclusive [$($g:tt)*] $t:ty) => {
        impl<'a, $($g)*> HoldsMut<[T]> for $t {
            #[inline]
            fn get_mut(&mut self) -> &mut [T] {
                &mut self[..]
            }
        }
    };
}

__holds_itself! {
    [] f32, [] f64, [] (), [] bool, [] char, [] String,
    [] i8, [] i16, [] i32, [] i64, [] i128, [] isize, [] u8, [] u16, [] u32, [] u64, [] u128, [] usize,
    [] std::ops::Range<usize>, [] std::ops::RangeInclusive<usize>,
    [] std::num::NonZeroUsize, [] std::num::NonZeroU8, [] std::num::NonZeroU16, [] std::num::NonZeroU32, [] std::num::NonZeroU64,
    [T] Vec<T>, [T, const N: usize] [T; N], [T: ?Sized] Box<T>, [T] Option<T>, [T] Inactive<T>,
    [A] (A,), [A, B] (A, B), [A, B, C] (A, B, C), [A, B, C, D] (A, B, C, D), [A, B, C, D, E] (A, B, C, D, E),
    [A, B, C, D, E, F] (A, B, C, D, E, F), [A, B, C, D, E, F, G] (A, B, C, D, E, F, G),
    [A, B, C, D, E, F, G, H] (A, B, C, D, E, F, G, H),
    [A, B, C, D, E, F, G, H, I] (A, B, C, D, E, F, G, H, I),
    [A, B, C, D, E, F, G, H, I, J] (A, B, C, D, E, F, G, H, I, J),
    [A, B, C, D, E, F, G, H, I, J, K] (A, B, C, D, E, F, G, H, I, J, K),
    [A, B, C, D, E, F, G, H, I, J, K, L] (A, B, C, D, E, F, G, H, I, J, K, L),
    [T: crate::Real] crate::Dual<T>,
}

slice! {
    [T] Vec<T> => exclusive, [T, const N: usize] [T; N] => exclusive,
    [T] &'a Vec<T> => shared, [T] &'a mut Vec<T> => exclusive,
    [T, const N: usize] &'a [T; N] => shared, [T, const N: usize] &'a mut [T; N] => exclusive,
}

/// A box holds what is in it.
macro_rules! boxed {
    ($($t:ty),*) => {$(
        impl<T: ?Sized> Holds<T> for $t {
            #[inline]
            fn get(&self) -> &T {
                self
            }
        }
    )*};
    (mut $($t:ty),*) => {
        boxed!($($t),*);
        $(impl<T: ?Sized> HoldsMut<T> for $t {
            #[inline]
            fn get_mut(&mut self) -> &mut T {
                self
            }
        })*
    };
}

boxed!(&Box<T>);
boxed!(mut Box<T>, &mut Box<T>);

#[cfg(feature = "complex")]
__holds_itself! { [T] num_complex::Complex<T> }

#[cfg(feature = "ndarray")]
mod array {
    use ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Dimension};

    use super::{ByReference, Holds, HoldsMut, Memory, Tangent};

    __holds_itself! { [T, D: Dimension] Array<T, D> }

    macro_rules! array {
        ($($t:ty => $m:ident),* $(,)?) => {$(
            impl<'a, T, D: Dimension> Holds<ArrayRef<T, D>> for $t {
                #[inline]
                fn get(&self) -> &ArrayRef<T, D> {
                    self
                }
            }
            array!(@$m $t);
        )*};
        (@shared $t:ty) => {};
        (@exclusive $t:ty) => {
            impl<'a, T, D: Dimension> HoldsMut<ArrayRef<T, D>> for $t {
                #[inline]
                fn get_mut(&mut self) -> &mut ArrayRef<T, D> {
                    self
                }
            }
        };
    }

    array! {
        Array<T, D> => exclusive, &'a Array<T, D> => shared, &'a mut Array<T, D> => exclusive,
        ArrayView<'a, T, D> => shared, ArrayViewMut<'a, T, D> => exclusive,
    }

    macro_rules! view {
        ($($t:ty),*) => {$(
            impl<T: Tangent<Owned = T> + Clone, D: Dimension> Memory for $t {
                type Target = ArrayRef<T, D>;
                type Whole = Self;

                #[inline]
                fn memory(&self) -> &ArrayRef<T, D> {
                    self
                }
            }
            impl<T, D: Dimension> ByReference for $t {}
        )*};
    }

    view!(ArrayView<'_, T, D>, ArrayViewMut<'_, T, D>);
}
