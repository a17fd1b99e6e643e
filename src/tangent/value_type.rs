//! What an owned type needs besides a tangent space.

/// Makes owned types with a hand-written [`Tangent`](crate::Tangent) arguments and return values of differentiated
/// functions, as `#[derive(Tangent)]` does for structs and enums.
///
/// ```
/// use coenzyme::{Active, Duplicated, Incongruent, Tangent, value_type};
///
/// /// An angle in radians.
/// #[derive(Clone, Debug, PartialEq)]
/// struct Angle(f64);
///
/// impl Tangent for Angle {
///     type Owned = Angle;
///     type Target = Angle;
///
///     fn target(this: &Self) -> &Angle { this }
///     fn zero_like(this: &Self) -> Angle { Angle(0.0) }
///     fn zero_out(this: &mut Self) { this.0 = 0.0 }
///     fn accumulate(this: &mut Self, other: &Angle) { this.0 += other.0 }
///     fn scale(this: &mut Self, by: f64) { this.0 *= by }
///     fn inner(this: &Self, other: &Angle) -> f64 { this.0 * other.0 }
///     fn flatten_into(this: &Self, out: &mut Vec<f64>) { out.push(this.0) }
///     fn unflatten_from(this: &mut Self, from: &mut &[f64]) { Tangent::unflatten_from(&mut this.0, from) }
///     fn congruent(this: &Self, _: &Angle) -> Result<(), Incongruent> { Ok(()) }
/// }
///
/// value_type!(Angle);
///
/// let arg = Duplicated(Angle(1.0), Angle(0.5));
/// assert_eq!(arg.shadow(0), &Angle(0.5));
/// ```
///
/// A generic type has its parameters in front: `value_type!([T: Real, const N: usize] Weights<T, N>)`.
#[macro_export]
macro_rules! value_type {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {$(
        $crate::__holds_itself! { [$($g)*] $t }
        $crate::__plain_outcome! { [$($g)*] $t }
        $crate::__probed! { (<$($g)*>) ($t) () }

        impl<$($g)*> $crate::NaturalReturn for $t {
            type Forward = $crate::AsDuplicated;
            type Reverse = $crate::AsActive;
        }

        impl<$($g)*> $crate::GradientArg for $t
        where
            $t: $crate::Tangent<Owned = $t>,
        {
            type Handle = $crate::Active<$t>;
            type Gradient = $t;

            #[inline]
            fn annotate(self) -> Self::Handle {
                $crate::Active(self)
            }
            #[inline]
            fn gradient(_: Self::Handle, [entry]: [$t; 1]) -> $t {
                entry
            }
        }
    )*};
    ($($t:ty),* $(,)?) => {
        $crate::value_type! { $([] $t),* }
    };
}
