//! Functions of one differentiable operand and any number of attributes.

use coenzyme::{
    Activity, AugmentedOutcome, AugmentedReturn, ForwardArg, ForwardConfig, ForwardOutcome,
    ForwardReturn, Lanes, ReverseArg, ReverseConfig, ReverseReturn, Saved, Tangent,
};

use super::each_lane::each_lane;
use super::{Plain, Reads, effective};

/// The point at which a [`Unary`] is differentiated.
#[derive(Debug)]
pub struct At<'a, X: ?Sized, Out, Residual> {
    /// The operand. If the derivative does not read it, its entries may be stale; its shape is right.
    pub x: &'a X,
    /// The value; surely there if the derivative reads it.
    pub out: Option<&'a Out>,
    /// What computing the value left behind; a default if the derivative does not read it.
    pub residual: &'a Residual,
    /// Whether a zero seed must give a zero derivative also where a partial is infinite or NaN.
    pub strong_zero: bool,
}

impl<X: ?Sized, Out, Residual> At<'_, X, Out, Residual> {
    /// The value.
    ///
    /// # Panics
    /// If the class did not declare that it reads the value.
    #[track_caller]
    pub fn out(&self) -> &Out {
        self.out
            .expect("a derivative that reads the value says so in READS")
    }
}

/// A function of one operand `x: X` with a derivative, and attributes without.
pub trait Unary<X: Tangent + ToOwned + ?Sized> {
    /// What it returns.
    type Out: Plain;
    /// References to the attributes: `()`, `(&usize,)`, `(&[usize], &bool)`.
    type Attrs<'a>: Copy;
    /// What computing the value leaves for the derivative, such as a factorization: `()` for most.
    type Residual: Default;

    /// What the derivative reads.
    const READS: Reads;

    /// The value.
    fn value(x: &X, attrs: Self::Attrs<'_>) -> Self::Out;

    /// The value and what it leaves for the derivative.
    fn linearize(x: &X, attrs: Self::Attrs<'_>) -> (Self::Out, Self::Residual) {
        (Self::value(x, attrs), Self::Residual::default())
    }

    /// The tangent of the value.
    fn pushforward(
        at: &At<'_, X, Self::Out, Self::Residual>,
        dx: &X,
        attrs: Self::Attrs<'_>,
    ) -> Self::Out;

    /// Adds the cotangent of the operand to `dx`, from the cotangent `dy` of the value.
    fn pullback(
        at: &At<'_, X, Self::Out, Self::Residual>,
        dy: &Self::Out,
        dx: &mut X,
        attrs: Self::Attrs<'_>,
    );
}

/// What the reverse pass of a [`Unary`] reads again.
pub struct UnaryTape<X: ToOwned + ?Sized, Out, Residual> {
    x: Saved<X>,
    out: Option<Out>,
    residual: Residual,
}

/// The forward rule.
#[inline]
pub fn forward<U, X, A, R, const W: usize>(
    config: &ForwardConfig,
    x: &A,
    attrs: U::Attrs<'_>,
) -> ForwardOutcome<R, W>
where
    X: Tangent + ToOwned + ?Sized,
    U: Unary<X>,
    A: ForwardArg<X, W>,
    R: ForwardReturn<W, Out = U::Out>,
{
    if !(R::ACTIVE && x.is_active()) {
        return U::Out::wrap(constant::<U::Out, R, W>(config, || {
            U::value(x.primal(), attrs)
        }));
    }
    let (out, residual) = if U::READS.needs_value() || config.needs_primal() {
        let (out, residual) = U::linearize(x.primal(), attrs);
        (Some(out), residual)
    } else {
        (None, U::Residual::default())
    };
    let at = At {
        x: x.primal(),
        out: out.as_ref(),
        residual: &residual,
        strong_zero: config.strong_zero(),
    };
    let value = || U::value(x.primal(), attrs);
    let mut tangents: [Option<U::Out>; W] = each_lane(&mut |lane| {
        Some(match effective(x.tangent(lane), config.strong_zero()) {
            Some(dx) => U::pushforward(&at, dx, attrs),
            None => zero_like(out.as_ref(), value),
        })
    });
    U::Out::wrap(R::forward(
        config,
        || out.unwrap_or_else(value),
        |lane| tangents[lane].take().expect("each lane is asked for once"),
    ))
}

/// Zeros like the value, which may not have been computed.
pub(super) fn zero_like<Out: Plain>(out: Option<&Out>, value: impl Fn() -> Out) -> Out {
    out.map_or_else(|| Tangent::zero_like(&value()), Tangent::zero_like)
}

/// The forward result where no tangent flows: zero tangents, if any are asked for.
pub(super) fn constant<Out, R, const W: usize>(
    config: &ForwardConfig,
    value: impl Fn() -> Out,
) -> R::Forward
where
    Out: Plain,
    R: ForwardReturn<W, Out = Out>,
{
    if !R::ACTIVE {
        return R::forward(config, value, |_| {
            unreachable!("no tangent of a Const return")
        });
    }
    let out = value();
    let mut zeros: [Option<Out>; W] = each_lane(&mut |_| Some(Tangent::zero_like(&out)));
    R::forward(
        config,
        || out,
        |lane| zeros[lane].take().expect("each lane is asked for once"),
    )
}

/// The first half of the reverse rule. `index` is the operand's place among the arguments.
#[inline]
pub fn augmented<U, X, A, R, const W: usize>(
    config: &ReverseConfig,
    x: &A,
    attrs: U::Attrs<'_>,
) -> AugmentedOutcome<R, UnaryTape<X, U::Out, U::Residual>, W>
where
    X: Tangent + ToOwned + ?Sized,
    U: Unary<X>,
    A: ReverseArg<X, W>,
    R: ReverseReturn<W, Out = U::Out>,
{
    let reads = U::READS.when(R::ACTIVE && x.is_active());
    let saved = Saved::new(x.primal(), reads.x && config.overwritten(0));
    let (out, residual) = if reads.residual {
        let (out, residual) = U::linearize(x.primal(), attrs);
        (Some(out), residual)
    } else {
        let wanted = reads.out || R::NEEDS_SHADOW || config.needs_primal();
        let out = wanted.then(|| U::value(x.primal(), attrs));
        (out, U::Residual::default())
    };
    U::Out::wrap(finish::<U::Out, R, _, W>(config, out, reads.out, |out| {
        UnaryTape {
            x: saved,
            out,
            residual,
        }
    }))
}

/// The augmented return: the value goes to the caller, to the tape, or is copied if both want it.
pub(super) fn finish<Out, R, Tape, const W: usize>(
    config: &ReverseConfig,
    out: Option<Out>,
    keep: bool,
    tape: impl FnOnce(Option<Out>) -> Tape,
) -> AugmentedReturn<Out, R::Shadow, Tape>
where
    Out: Plain,
    R: ReverseReturn<W, Out = Out>,
{
    let shadow = R::shadow(|_| {
        Tangent::zero_like(
            out.as_ref()
                .expect("the value is computed if a shadow is asked for"),
        )
    });
    let (primal, kept) = match (config.needs_primal(), keep) {
        (true, true) => (out.clone(), out),
        (true, false) => (out, None),
        (false, true) => (None, out),
        (false, false) => (None, None),
    };
    AugmentedReturn::new(primal, shadow, tape(kept))
}

/// The second half of the reverse rule.
#[inline]
pub fn reverse<U, X, A, R, const W: usize>(
    config: &ReverseConfig,
    dret: &R::Cotangent,
    tape: &UnaryTape<X, U::Out, U::Residual>,
    x: &mut A,
    attrs: U::Attrs<'_>,
) -> <A as Activity<W>>::Gradient
where
    X: Tangent + ToOwned + ?Sized,
    U: Unary<X>,
    A: ReverseArg<X, W>,
    R: ReverseReturn<W, Out = U::Out>,
{
    x.accumulate(|lane, x, mut dx| {
        let Some(dy) = effective(dret.lane(lane), config.strong_zero()) else {
            return;
        };
        let at = At {
            x: tape.x.get(x),
            out: tape.out.as_ref(),
            residual: &tape.residual,
            strong_zero: config.strong_zero(),
        };
        dx.accumulate_with(|dx| U::pullback(&at, dy, dx, attrs));
    })
}

#[cfg(test)]
mod tests {
    use coenzyme::{Active, Args, Const, Duplicated, ReverseRule, Thunk};
    use ndarray::{Array1, ArrayRef1, array};

    use super::*;
    use crate::array::{add, exp, mul, neg, sin, sum};
    use crate::class::BinaryTape;
    use crate::scalar::logistic;

    type R = Duplicated<Array1<f64>>;
    type Dup<'a> = Duplicated<&'a ArrayRef1<f64>, &'a mut ArrayRef1<f64>>;
    type Fixed<'a> = Const<&'a ArrayRef1<f64>>;
    type Tape1 = UnaryTape<ArrayRef1<f64>, Array1<f64>, ()>;
    type Tape2 = BinaryTape<ArrayRef1<f64>, ArrayRef1<f64>, Array1<f64>, ()>;

    fn bytes(x: bool, out: bool) -> usize {
        24 * usize::from(x) + 24 * usize::from(out)
    }

    /// The bytes of arrays of three numbers on the tape of a function of one array.
    fn one<'a, F: ReverseRule<R, (Dup<'a>,), 1, Tape = Tape1>>(
        f: F,
        args: &mut (Dup<'a>,),
        overwritten: bool,
    ) -> usize {
        let config = ReverseConfig::new(true).with_overwritten(0, overwritten);
        let tape = f.augmented_primal(&config, args.refs()).tape;
        bytes(tape.x.is_copied(), tape.out.is_some())
    }

    /// Likewise of two arrays, both overwritten.
    fn two<A: Args<1>, F: ReverseRule<R, A, 1, Tape = Tape2>>(f: F, mut args: A) -> usize {
        let config = ReverseConfig::new(true).with_all_overwritten();
        f.augmented_primal(&config, args.refs()).tape.bytes(bytes)
    }

    #[test]
    fn n20_the_tape_holds_what_the_partial_reads() {
        let (x, mut dx) = (array![1.0, 2.0, 3.0], array![0.0, 0.0, 0.0]);
        let mut args = (Duplicated(&*x, &mut *dx),);
        assert_eq!(one(neg {}, &mut args, true), 0);
        assert_eq!(one(exp {}, &mut args, true), 24);
        assert_eq!(one(exp {}, &mut args, false), 24);
        assert_eq!(one(sin {}, &mut args, true), 24);
        assert_eq!(one(sin {}, &mut args, false), 0);
    }

    #[test]
    fn n10_the_tape_of_a_product_holds_the_factor_of_an_active_one() {
        let (x, y) = (array![1.0, 2.0, 3.0], array![4.0, 5.0, 6.0]);
        let (mut dx, mut dy) = (Tangent::zero_like(&x), Tangent::zero_like(&y));
        let (x, y) = (&*x, &*y);
        assert_eq!(
            two(mul {}, (Duplicated(x, &mut *dx), Duplicated(y, &mut *dy))),
            48
        );
        assert_eq!(two(mul {}, (Duplicated(x, &mut *dx), Const(y))), 24);
        assert_eq!(
            two::<(Fixed<'_>, Fixed<'_>), _>(mul {}, (Const(x), Const(y))),
            0
        );
        assert_eq!(
            two(add {}, (Duplicated(x, &mut *dx), Duplicated(y, &mut *dy))),
            0
        );
    }

    #[test]
    fn numbers_return_their_derivative() {
        let thunk = Thunk::<_, Active<f64>>::new(logistic {});
        let augmented = thunk.augmented(&mut (Active(0.0),));
        assert_eq!(augmented.primal, Some(0.5));
        let gradients = thunk.reverse([2.0], augmented.tape, &mut (Active(0.0),));
        assert_eq!(gradients, ([0.5],));
    }

    #[test]
    fn a_returned_number_is_active() {
        let (x, mut dx) = (array![1.0, 2.0], array![10.0, 20.0]);
        let mut args = (Duplicated(&*x, &mut *dx),);
        let thunk = Thunk::<_, Active<f64>>::new(sum {});
        let augmented = thunk.augmented(&mut args);
        thunk.reverse([3.0], augmented.tape, &mut args);
        assert_eq!(dx, array![13.0, 23.0]);
    }
}
