//! Which return activity a driver asks a rule for.

use num_traits::One;

use super::Collapse;
use crate::activity::{Active, BatchDuplicated, BatchDuplicatedNoNeed, Const};
use crate::rule::{ForwardReturn, Outcome, ReverseReturn};

/// The return carries no derivative.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsConst;
/// The returned value is differentiated, in reverse mode.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsActive;
/// The returned value has a shadow.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsDuplicated;
/// The returned value has a shadow, and is not itself needed.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsDuplicatedNoNeed;
/// The type of the returned value decides: a number is active, memory duplicated, the rest constant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Natural;

/// The kind that [`Natural`] stands for, by the type of the returned value.
pub trait NaturalReturn {
    /// In forward mode: [`AsDuplicated`] or [`AsConst`].
    type Forward;
    /// In reverse mode: [`AsActive`], [`AsDuplicated`] or [`AsConst`].
    type Reverse;
}

macro_rules! natural {
    ($($forward:ident $reverse:ident: $([$($g:tt)*] $t:ty),*;)*) => {$($(
        impl<$($g)*> NaturalReturn for $t {
            type Forward = $forward;
            type Reverse = $reverse;
        }
    )*)*};
}

natural! {
    AsDuplicated AsActive: [] f32, [] f64, [T] crate::Dual<T>, [T, const N: usize] [T; N],
        [A] (A,), [A, B] (A, B), [A, B, C] (A, B, C), [A, B, C, D] (A, B, C, D);
    AsDuplicated AsDuplicated: [T] Vec<T>, [T] Box<[T]>, [] Box<f32>, [] Box<f64>, [T, const N: usize] Box<[T; N]>;
    AsConst AsConst: [] (), [] bool, [] char, [] String, [T] crate::Inactive<T>,
        [] i8, [] i16, [] i32, [] i64, [] i128, [] isize, [] u8, [] u16, [] u32, [] u64, [] u128, [] usize;
}

#[cfg(feature = "complex")]
natural! { AsDuplicated AsActive: [T] num_complex::Complex<T>; }

#[cfg(feature = "ndarray")]
natural! { AsDuplicated AsDuplicated: [T, D] ndarray::Array<T, D>; }

/// A return activity of forward mode, chosen for a function that returns `Out`. `PRIMAL`: the value is wanted too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a return activity of forward mode",
    label = "not in forward mode",
    note = "write `Duplicated`, `DuplicatedNoNeed` or `Const`; `Active` belongs to reverse mode"
)]
pub trait ForwardKind<Out: Outcome, const PRIMAL: bool, const W: usize> {
    /// The return activity asked for.
    type R: ForwardReturn<W, Out = Out>;
    /// What the driver gives back, inside the `Result` or `Option` of the function.
    type Shown;

    /// From what the rule returned.
    fn show(returned: <Self::R as ForwardReturn<W>>::Forward) -> Self::Shown;
}

impl<Out: Outcome, const W: usize> ForwardKind<Out, false, W> for AsConst {
    type R = Const<Out>;
    type Shown = ();

    #[inline]
    fn show(_: Option<Out::Value>) {}
}

impl<Out: Outcome, const W: usize> ForwardKind<Out, true, W> for AsConst {
    type R = Const<Out>;
    type Shown = (Out::Value,);

    #[inline]
    fn show(returned: Option<Out::Value>) -> Self::Shown {
        (returned.expect("a rule returns the primal when its configuration asks for it"),)
    }
}

impl<Out: Outcome, const W: usize> ForwardKind<Out, true, W> for AsDuplicated
where
    [Out::Value; W]: Collapse,
{
    type R = BatchDuplicated<Out, Out, W>;
    type Shown = (<[Out::Value; W] as Collapse>::Collapsed, Out::Value);

    #[inline]
    fn show(returned: BatchDuplicated<Out::Value, Out::Value, W>) -> Self::Shown {
        let (primal, tangents) = returned.into_parts();
        (tangents.collapse(), primal)
    }
}

macro_rules! without_primal {
    ($($kind:ident),*) => {$(
        impl<Out: Outcome, const W: usize> ForwardKind<Out, false, W> for $kind
        where
            [Out::Value; W]: Collapse,
        {
            type R = BatchDuplicatedNoNeed<Out, Out, W>;
            type Shown = (<[Out::Value; W] as Collapse>::Collapsed,);

            #[inline]
            fn show(tangents: [Out::Value; W]) -> Self::Shown {
                (tangents.collapse(),)
            }
        }
    )*};
}

without_primal!(AsDuplicated, AsDuplicatedNoNeed);

impl<Out, const PRIMAL: bool, const W: usize> ForwardKind<Out, PRIMAL, W> for Natural
where
    Out: Outcome<Value: NaturalReturn<Forward: ForwardKind<Out, PRIMAL, W>>>,
{
    type R = <<Out::Value as NaturalReturn>::Forward as ForwardKind<Out, PRIMAL, W>>::R;
    type Shown = <<Out::Value as NaturalReturn>::Forward as ForwardKind<Out, PRIMAL, W>>::Shown;

    #[inline]
    fn show(returned: <Self::R as ForwardReturn<W>>::Forward) -> Self::Shown {
        <Out::Value as NaturalReturn>::Forward::show(returned)
    }
}

/// A return activity of reverse mode, chosen for a function that returns `Out`, with the seed a driver starts from.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a return activity that a driver of reverse mode can seed",
    label = "no seed",
    note = "write `Active` for a real number, or `Const`; for a complex number or an array use `Thunk`, which takes the cotangent from you"
)]
pub trait ReverseKind<Out: Outcome, const W: usize> {
    /// The return activity asked for.
    type R: ReverseReturn<W, Out = Out>;

    /// The cotangent to start from: one in every lane.
    fn seed() -> <Self::R as ReverseReturn<W>>::Cotangent;
}

impl<Out: Outcome, const W: usize> ReverseKind<Out, W> for AsConst {
    type R = Const<Out>;

    #[inline]
    fn seed() {}
}

/// A real number, whose derivative is taken by starting from one.
#[diagnostic::on_unimplemented(
    message = "a driver of reverse mode starts from a cotangent of one, and in which direction that is in `{Self}` is not known",
    label = "not a real number",
    note = "return the real part, or the square of the absolute value, if that is what is to be differentiated",
    note = "or give the cotangent: `let f = Thunk::<_, Active<_>>::new(f {{}}); let out = f.augmented(&mut args); f.reverse([seed], out.tape, &mut args)`"
)]
pub trait Seed: Sized {
    /// One.
    fn seed() -> Self;
}

// what has an order is no complex number
#[diagnostic::do_not_recommend]
impl<T: One + PartialOrd> Seed for T {
    #[inline]
    fn seed() -> Self {
        Self::one()
    }
}

impl<Out: Outcome<Value: Seed>, const W: usize> ReverseKind<Out, W> for AsActive {
    type R = Active<Out>;

    #[inline]
    fn seed() -> [Out::Value; W] {
        std::array::from_fn(|_| Out::Value::seed())
    }
}

impl<Out, const W: usize> ReverseKind<Out, W> for Natural
where
    Out: Outcome<Value: NaturalReturn<Reverse: ReverseKind<Out, W>>>,
{
    type R = <<Out::Value as NaturalReturn>::Reverse as ReverseKind<Out, W>>::R;

    #[inline]
    fn seed() -> <Self::R as ReverseReturn<W>>::Cotangent {
        <Out::Value as NaturalReturn>::Reverse::seed()
    }
}

/// The return activity that a kind stands for in reverse mode, whoever gives the seed.
pub trait Tag<Out, const W: usize> {
    /// The return activity.
    type R;
}

impl<Out, const W: usize> Tag<Out, W> for AsConst {
    type R = Const<Out>;
}

impl<Out, const W: usize> Tag<Out, W> for AsActive {
    type R = Active<Out>;
}

impl<Out, const W: usize> Tag<Out, W> for AsDuplicated {
    type R = BatchDuplicated<Out, Out, W>;
}

/// A return type whose value is one real number.
#[diagnostic::on_unimplemented(
    message = "a gradient is taken of a function that returns one number, not `{Self}`",
    label = "not a number",
    note = "use `jacobian_reverse` or `Thunk` for a function that returns an array"
)]
pub trait ScalarOutcome: Outcome<Value: crate::Real> {}

impl<Out: Outcome<Value: crate::Real>> ScalarOutcome for Out {}
