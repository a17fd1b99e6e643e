//! Gradients of functions that return one number.

use num_traits::One;

use super::{AsActive, ScalarOutcome, mode};
use crate::activity::{Active, Activity, Annotation, BatchDuplicated, Const, Duplicated};
use crate::config::ReverseConfig;
use crate::real::Real;
use crate::rule::{Annotated, Args, AugmentedReturn, Function, Outcome, ReverseRule};
use crate::tangent::Tangent;

/// A plain argument that a gradient can be taken with respect to.
///
/// | argument | its gradient |
/// |---|---|
/// | a number, also a complex one, or an array, vector, tuple or struct by value | the same type |
/// | `&T`, for an array, a vector, a struct, an `ndarray` array … | `T` |
/// | `&[T]` | `Vec<T>` |
/// | an `ndarray` view | an owned array |
/// | `&mut T`, `&mut [T]` | as for `&T`, `&[T]`: with respect to what was there before |
/// | `Const(x)`, an integer, a flag, a string | `()` |
#[diagnostic::on_unimplemented(
    message = "a gradient with respect to `{Self}` is not known",
    label = "not an argument of `gradient`",
    note = "pass a number, a slice, an array, `Const(x)`, or use `autodiff!` and annotate the arguments yourself"
)]
pub trait GradientArg {
    /// The argument with its activity; a shadow, if there is one, is owned.
    type Handle: Activity<1> + Annotation;
    /// What `gradient` returns for it.
    type Gradient;

    /// Annotates the argument, with a zero shadow.
    fn annotate(self) -> Self::Handle;

    /// The gradient, from the shadow or from the entry that the reverse pass returned.
    fn gradient(
        handle: Self::Handle,
        entry: <Self::Handle as Activity<1>>::Gradient,
    ) -> Self::Gradient;
}

macro_rules! by_value {
    ($([$($g:tt)*] $t:ty),* $(,)?) => {$(
        impl<$($g)*> GradientArg for $t {
            type Handle = Active<$t>;
            type Gradient = $t;

            #[inline]
            fn annotate(self) -> Active<$t> {
                Active(self)
            }
            #[inline]
            fn gradient(_: Active<$t>, [entry]: [$t; 1]) -> $t {
                entry
            }
        }
    )*};
}

by_value! {
    [] f32, [] f64, [T: Real] crate::Dual<T>, [T, const N: usize] [T; N], [T] Vec<T>,
    [A, B] (A, B), [A, B, C] (A, B, C), [A, B, C, D] (A, B, C, D),
}

#[cfg(feature = "complex")]
by_value! { [T: Real] num_complex::Complex<T> }

macro_rules! inactive {
    ($([$($g:tt)*] $t:ty as $inner:ty: $x:ident => $e:expr),* $(,)?) => {$(
        impl<$($g)*> GradientArg for $t {
            type Handle = Const<$inner>;
            type Gradient = ();

            #[inline]
            fn annotate(self) -> Const<$inner> {
                let $x = self;
                Const($e)
            }
            #[inline]
            fn gradient(_: Const<$inner>, (): ()) {}
        }
    )*};
}

inactive! {
    [P] Const<P> as P: x => x.0,
    [] bool as bool: x => x, [] i32 as i32: x => x, [] i64 as i64: x => x, [] u32 as u32: x => x, [] u64 as u64: x => x,
    [] usize as usize: x => x, ['a] &'a str as &'a str: x => x,
}

macro_rules! memory {
    ($([$($g:tt)*] $t:ty => $s:ty),* $(,)?) => {$(
        impl<$($g)*> GradientArg for $t {
            type Handle = Duplicated<$t, $s>;
            type Gradient = $s;

            #[inline]
            fn annotate(self) -> Self::Handle {
                let shadow = Tangent::zero_like(&*self);
                BatchDuplicated::from_parts(self, [shadow])
            }
            #[inline]
            fn gradient(handle: Self::Handle, (): ()) -> $s {
                let (_, [shadow]) = handle.into_parts();
                shadow
            }
        }
    )*};
}

memory! {
    ['a, T: Tangent<Owned = T>] &'a T => T,
    ['a, T: Tangent<Owned = T>] &'a mut T => T,
    ['a, T: Tangent<Owned = T>] &'a [T] => Vec<T>,
    ['a, T: Tangent<Owned = T>] &'a mut [T] => Vec<T>,
}

#[cfg(feature = "ndarray")]
mod array {
    use ndarray::{Array, ArrayView, Dimension};

    use super::{BatchDuplicated, Duplicated, GradientArg, Tangent};

    memory! {
        ['a, T: Tangent<Owned = T> + Clone, D: Dimension] ArrayView<'a, T, D> => Array<T, D>,
    }
}

/// A tuple of plain arguments.
pub trait GradientArgs {
    /// The arguments with their activities.
    type Handles: Args<1> + Annotated;
    /// What `gradient` returns: one entry per argument.
    type Gradients;

    /// Annotates the arguments.
    fn annotate(self) -> Self::Handles;

    /// The gradients, from what the reverse pass left and returned.
    fn gradients(
        handles: Self::Handles,
        entries: <Self::Handles as Args<1>>::Gradients,
    ) -> Self::Gradients;
}

macro_rules! tuples {
    ($(($($a:ident $i:tt)*))*) => {$(
        impl<$($a: GradientArg),*> GradientArgs for ($($a,)*)
        where
            ($($a::Handle,)*): Annotated,
        {
            type Handles = ($($a::Handle,)*);
            type Gradients = ($($a::Gradient,)*);

            #[inline]
            fn annotate(self) -> Self::Handles {
                ($(self.$i.annotate(),)*)
            }
            #[inline]
            fn gradients(handles: Self::Handles, entries: <Self::Handles as Args<1>>::Gradients) -> Self::Gradients {
                ($($a::gradient(handles.$i, entries.$i),)*)
            }
        }
    )*};
}

tuples! {
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

/// The gradient of `f` at `args`: one entry per argument, see [`GradientArg`].
///
/// The cost is that of one reverse pass, and one shadow for each argument that is memory; [`gradient_into`] allocates none.
/// If `f` returns `Result` or `Option`, so does this.
///
/// ```
/// use coenzyme::{gradient};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// assert_eq!(gradient(&cubes {}, (&[1.0, 2.0],)), ([3.0, 12.0],));
/// # }
/// ```
///
/// # Panics
/// As `f` and its rules do.
#[inline]
pub fn gradient<F, X>(f: &F, args: X) -> <F::Output as Outcome>::Of<X::Gradients>
where
    X: GradientArgs,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<
            Active<<F as Function<<X::Handles as Annotated>::Primals>>::Output>,
            X::Handles,
            1,
        >,
{
    let mut handles = args.annotate();
    let config = ReverseConfig::new(false);
    let returned =
        mode::both::<F, AsActive, X::Handles, F::Output, false, 1>(f, &config, &mut handles);
    F::Output::map_of(returned, |(entries, _)| X::gradients(handles, entries))
}

/// The value of `f` at `args` and its gradient: see [`gradient`].
///
/// ```
/// use coenzyme::{value_and_gradient};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// assert_eq!(value_and_gradient(&cubes {}, (&[1.0, 2.0],)), (9.0, ([3.0, 12.0],)));
/// # }
/// ```
///
/// # Panics
/// As `f` and its rules do.
#[inline]
#[allow(clippy::type_complexity)]
pub fn value_and_gradient<F, X>(
    f: &F,
    args: X,
) -> <F::Output as Outcome>::Of<(<F::Output as Outcome>::Value, X::Gradients)>
where
    X: GradientArgs,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<
            Active<<F as Function<<X::Handles as Annotated>::Primals>>::Output>,
            X::Handles,
            1,
        >,
{
    let mut handles = args.annotate();
    let config = ReverseConfig::new(true);
    let returned =
        mode::both::<F, AsActive, X::Handles, F::Output, true, 1>(f, &config, &mut handles);
    F::Output::map_of(returned, |(entries, value)| {
        (value.expect(PRIMAL), X::gradients(handles, entries))
    })
}

const PRIMAL: &str = "a rule returns the primal when its configuration asks for it";

/// Writes the gradient of `f` at `x` to `dx` and returns the value. What `dx` held before is forgotten; nothing is allocated
/// beyond what the rule of `f` does. If `f` returns an error, so does this, and `dx` is as it was.
///
/// ```
/// use coenzyme::{gradient_into};
/// # include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/docs/cubes.rs"));
/// # fn main() {
/// // cubes(x) = Σ x³
/// let mut dx = [f64::NAN; 2];
/// assert_eq!(gradient_into(&cubes {}, &[1.0, 2.0], &mut dx), 9.0);
/// assert_eq!(dx, [3.0, 12.0]);
/// # }
/// ```
///
/// # Panics
/// If `dx` has not the length of `x`, before anything is changed.
#[inline]
#[track_caller]
pub fn gradient_into<'a, F, T>(
    f: &F,
    x: &'a [T],
    dx: &'a mut [T],
) -> <F::Output as Outcome>::Of<<F::Output as Outcome>::Value>
where
    T: Tangent<Owned = T>,
    F: Function<(&'a [T],), Output: ScalarOutcome>,
    F: ReverseRule<
            Active<<F as Function<(&'a [T],)>>::Output>,
            (Duplicated<&'a [T], &'a mut [T]>,),
            1,
        >,
{
    let mut args = (Duplicated(x, dx),);
    let config = ReverseConfig::new(true);
    if F::Output::ALWAYS {
        Tangent::zero_out(&mut **args.0.shadow_mut(0));
        let both = f.both::<true>(&config, [One::one()], &mut args);
        return F::Output::map_of(both, |(_, primal)| primal.expect(PRIMAL));
    }
    let augmented = f.augmented_primal(&config, args.refs());
    F::Output::map_of(augmented, |AugmentedReturn { primal, tape, .. }| {
        Tangent::zero_out(&mut **args.0.shadow_mut(0));
        let ((),) = f.reverse(&config, [One::one()], tape, args.refs());
        primal.expect(PRIMAL)
    })
}
