//! What functions return: a value, or a value inside `Result` or `Option`.

use crate::tangent::{Inactive, Tangent};

/// A return type, seen as a value that may be missing.
///
/// The derivative of a function that returns `Result<T, E>` is a `Result` with the same error: `?` works in rules, and
/// after an error nothing is half written.
///
/// ```
/// use coenzyme::Outcome;
///
/// fn doubled<Out: Outcome<Value = f64>>(out: Out) -> Out::Of<f64> {
///     Outcome::map_value(out, |x| 2.0 * x)
/// }
///
/// assert_eq!(doubled(1.5), 3.0);
/// assert_eq!(doubled(Ok::<_, String>(1.5)), Ok(3.0));
/// assert_eq!(doubled(None), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "a differentiated function cannot return `{Self}`",
    label = "not a return type with a tangent space",
    note = "return a float, an array, a tuple or a struct with `#[derive(Tangent)]`, or `Result` or `Option` of one",
    note = "a value of any other type is returned inside `Inactive`"
)]
pub trait Outcome: Sized {
    /// The value: `T` for `T`, `Result<T, E>` and `Option<T>`.
    type Value: Tangent<Owned = Self::Value>;
    /// The same shape around another value.
    type Of<U>;

    /// Whether there always is a value.
    const ALWAYS: bool;

    /// Applies `f` to the value, if there is one.
    fn map_value<U>(this: Self, f: impl FnOnce(Self::Value) -> U) -> Self::Of<U>;

    /// Calls the function and applies `f` to its value, if there is one. Where there always is one and it is not `needed`, the
    /// call is skipped and `f` gets `None`.
    #[inline]
    fn map_if<U>(
        needed: bool,
        call: impl FnOnce() -> Self,
        f: impl FnOnce(Option<Self::Value>) -> U,
    ) -> Self::Of<U> {
        let _ = needed;
        Self::map_value(call(), |value| f(Some(value)))
    }

    /// The shape with something inside.
    fn wrap<U>(inside: U) -> Self::Of<U>;

    /// Applies `f` to what is inside, if there is something.
    fn map_of<U, V>(of: Self::Of<U>, f: impl FnOnce(U) -> V) -> Self::Of<V>;

    /// The value, if there is one.
    fn value(this: &Self) -> Option<&Self::Value>;
}

/// A type that is always there is its own value. Real numbers have one implementation for all, so that in a rule which is
/// generic over the number type `Of<U>` is seen to be `U`.
#[doc(hidden)]
#[macro_export]
macro_rules! __plain_outcome {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {$(
        impl<$($g)*> $crate::Outcome for $t {
            type Value = $t;
            type Of<Inside> = Inside;
            const ALWAYS: bool = true;

            #[inline]
            fn map_value<U>(this: Self, f: impl FnOnce($t) -> U) -> U {
                f(this)
            }
            #[inline]
            #[allow(clippy::unused_unit)]
            fn map_if<U>(
                needed: bool,
                call: impl FnOnce() -> $t,
                f: impl FnOnce(Option<$t>) -> U,
            ) -> U {
                f(needed.then(call))
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn wrap<U>(inside: U) -> U {
                inside
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn map_of<U, V>(of: U, f: impl FnOnce(U) -> V) -> V {
                f(of)
            }
            #[inline]
            fn value(this: &Self) -> Option<&$t> {
                Some(this)
            }
        }
    )*};
}

__plain_outcome! {
    [T: crate::Real] T, [] (), [] bool, [] char, [] String, [] &'static str,
    [] i8, [] i16, [] i32, [] i64, [] i128, [] isize, [] u8, [] u16, [] u32, [] u64, [] u128, [] usize,
    [T: Tangent<Owned = T>] Vec<T>, [T: Tangent<Owned = T>, const N: usize] [T; N], [T: Tangent<Owned = T>] Box<[T]>,
    [] Box<f32>, [] Box<f64>, [T: Tangent<Owned = T>, const N: usize] Box<[T; N]>,
    [T: Clone] Inactive<T>,
    [A: Tangent<Owned = A>] (A,),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>] (A, B),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>] (A, B, C),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>] (A, B, C, D),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>] (A, B, C, D, E),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>, F: Tangent<Owned = F>] (A, B, C, D, E, F),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>, F: Tangent<Owned = F>, G: Tangent<Owned = G>] (A, B, C, D, E, F, G),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>, F: Tangent<Owned = F>, G: Tangent<Owned = G>, H: Tangent<Owned = H>] (A, B, C, D, E, F, G, H),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>, F: Tangent<Owned = F>, G: Tangent<Owned = G>, H: Tangent<Owned = H>, I: Tangent<Owned = I>] (A, B, C, D, E, F, G, H, I),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>, F: Tangent<Owned = F>, G: Tangent<Owned = G>, H: Tangent<Owned = H>, I: Tangent<Owned = I>, J: Tangent<Owned = J>] (A, B, C, D, E, F, G, H, I, J),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>, F: Tangent<Owned = F>, G: Tangent<Owned = G>, H: Tangent<Owned = H>, I: Tangent<Owned = I>, J: Tangent<Owned = J>, K: Tangent<Owned = K>] (A, B, C, D, E, F, G, H, I, J, K),
    [A: Tangent<Owned = A>, B: Tangent<Owned = B>, C: Tangent<Owned = C>, D: Tangent<Owned = D>, E: Tangent<Owned = E>, F: Tangent<Owned = F>, G: Tangent<Owned = G>, H: Tangent<Owned = H>, I: Tangent<Owned = I>, J: Tangent<Owned = J>, K: Tangent<Owned = K>, L: Tangent<Owned = L>] (A, B, C, D, E, F, G, H, I, J, K, L),
}

#[cfg(feature = "complex")]
__plain_outcome! { [T: crate::Real] num_complex::Complex<T> }

#[cfg(feature = "ndarray")]
__plain_outcome! { [T: Tangent<Owned = T> + Clone, D: ndarray::Dimension] ndarray::Array<T, D> }

impl<T: Tangent<Owned = T>, E> Outcome for Result<T, E> {
    type Value = T;
    type Of<U> = Result<U, E>;
    const ALWAYS: bool = false;

    #[inline]
    fn map_value<U>(this: Self, f: impl FnOnce(T) -> U) -> Result<U, E> {
        this.map(f)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn wrap<U>(inside: U) -> Result<U, E> {
        Ok(inside)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map_of<U, V>(of: Result<U, E>, f: impl FnOnce(U) -> V) -> Result<V, E> {
        of.map(f)
    }
    #[inline]
    fn value(this: &Self) -> Option<&T> {
        this.as_ref().ok()
    }
}

impl<T: Tangent<Owned = T>> Outcome for Option<T> {
    type Value = T;
    type Of<U> = Option<U>;
    const ALWAYS: bool = false;

    #[inline]
    fn map_value<U>(this: Self, f: impl FnOnce(T) -> U) -> Option<U> {
        this.map(f)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn wrap<U>(inside: U) -> Option<U> {
        Some(inside)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn map_of<U, V>(of: Option<U>, f: impl FnOnce(U) -> V) -> Option<V> {
        of.map(f)
    }
    #[inline]
    fn value(this: &Self) -> Option<&T> {
        this.as_ref()
    }
}
