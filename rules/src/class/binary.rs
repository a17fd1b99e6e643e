//! Functions of two differentiable operands and any number of attributes.

use std::cell::OnceCell;

use coenzyme::{
    Activity, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn, Lanes,
    ReverseArg, ReverseConfig, ReverseReturn, Saved, Tangent,
};

use super::each_lane::each_lane;
use super::unary::{constant, finish, zero_like};
use super::{Plain, Reads, effective};

/// The point at which a [`Binary`] is differentiated.
#[derive(Debug)]
pub struct At2<'a, X: ?Sized, Y: ?Sized, Out, Residual> {
    /// The first operand. If the derivative does not read it, its entries may be stale; its shape is right.
    pub x: &'a X,
    /// The second operand, likewise.
    pub y: &'a Y,
    /// The value; surely there if the derivative reads it.
    pub out: Option<&'a Out>,
    /// What computing the value left behind; a default if the derivative does not read it.
    pub residual: &'a Residual,
    /// A place for what the cotangents of both operands need, such as a solution: empty at first in each lane.
    pub shared: &'a OnceCell<Out>,
    /// Whether a zero seed must give a zero derivative also where a partial is infinite or NaN.
    pub strong_zero: bool,
}

impl<X: ?Sized, Y: ?Sized, Out, Residual> At2<'_, X, Y, Out, Residual> {
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

/// A function of two operands with derivatives, and attributes without.
pub trait Binary<X: Tangent + ToOwned + ?Sized, Y: Tangent + ToOwned + ?Sized> {
    /// What it returns.
    type Out: Plain;
    /// References to the attributes: `()`, `(&usize,)`, `(&[usize], &bool)`.
    type Attrs<'a>: Copy;
    /// What computing the value leaves for the derivative, such as a factorization: `()` for most.
    type Residual: Default;

    /// What the derivative in `x` reads, and what that in `y` reads.
    const READS: [Reads; 2];

    /// The value.
    fn value(x: &X, y: &Y, attrs: Self::Attrs<'_>) -> Self::Out;

    /// The value and what it leaves for the derivative.
    fn linearize(x: &X, y: &Y, attrs: Self::Attrs<'_>) -> (Self::Out, Self::Residual) {
        (Self::value(x, y, attrs), Self::Residual::default())
    }

    /// The tangent of the value; `None` for an operand that does not vary. At least one varies.
    fn pushforward(
        at: &At2<'_, X, Y, Self::Out, Self::Residual>,
        dx: Option<&X>,
        dy: Option<&Y>,
        attrs: Self::Attrs<'_>,
    ) -> Self::Out;

    /// Adds the cotangent of the first operand to `dx`, from the cotangent `dz` of the value.
    fn pullback_x(
        at: &At2<'_, X, Y, Self::Out, Self::Residual>,
        dz: &Self::Out,
        dx: &mut X,
        attrs: Self::Attrs<'_>,
    );

    /// Adds the cotangent of the second operand to `dy`.
    fn pullback_y(
        at: &At2<'_, X, Y, Self::Out, Self::Residual>,
        dz: &Self::Out,
        dy: &mut Y,
        attrs: Self::Attrs<'_>,
    );
}

/// What the reverse pass of a [`Binary`] reads again.
pub struct BinaryTape<X: ToOwned + ?Sized, Y: ToOwned + ?Sized, Out, Residual> {
    x: Saved<X>,
    y: Saved<Y>,
    out: Option<Out>,
    residual: Residual,
}

impl<X: ToOwned + ?Sized, Y: ToOwned + ?Sized, Out, Residual> BinaryTape<X, Y, Out, Residual> {
    #[cfg(test)]
    pub(super) fn bytes(&self, bytes: impl Fn(bool, bool) -> usize) -> usize {
        bytes(self.x.is_copied(), self.out.is_some()) + bytes(self.y.is_copied(), false)
    }

    /// The point, from the tape and the operands where they lie.
    fn at<'a>(
        &'a self,
        x: &'a X,
        y: &'a Y,
        shared: &'a OnceCell<Out>,
        config: &ReverseConfig,
    ) -> At2<'a, X, Y, Out, Residual> {
        At2 {
            x: self.x.get(x),
            y: self.y.get(y),
            out: self.out.as_ref(),
            residual: &self.residual,
            shared,
            strong_zero: config.strong_zero(),
        }
    }
}

/// What the derivatives in the active operands read.
fn reads<B, X, Y>(x: bool, y: bool) -> Reads
where
    X: Tangent + ToOwned + ?Sized,
    Y: Tangent + ToOwned + ?Sized,
    B: Binary<X, Y>,
{
    B::READS[0].when(x).and(B::READS[1].when(y))
}

/// The forward rule.
#[inline]
pub fn forward<B, X, Y, A0, A1, R, const W: usize>(
    config: &ForwardConfig,
    x: &A0,
    y: &A1,
    attrs: B::Attrs<'_>,
) -> ForwardOutcome<R, W>
where
    X: Tangent + ToOwned + ?Sized,
    Y: Tangent + ToOwned + ?Sized,
    B: Binary<X, Y>,
    A0: ForwardArg<X, W>,
    A1: ForwardArg<Y, W>,
    R: ForwardReturn<W, Out = B::Out>,
{
    let value = || B::value(x.primal(), y.primal(), attrs);
    if !(R::ACTIVE && (x.is_active() || y.is_active())) {
        return B::Out::wrap(constant::<B::Out, R, W>(config, value));
    }
    let reads = reads::<B, X, Y>(x.is_active(), y.is_active());
    let (out, residual) = if reads.residual {
        let (out, residual) = B::linearize(x.primal(), y.primal(), attrs);
        (Some(out), residual)
    } else {
        let wanted = reads.out || config.needs_primal();
        (wanted.then(value), B::Residual::default())
    };
    let at = At2 {
        x: x.primal(),
        y: y.primal(),
        out: out.as_ref(),
        residual: &residual,
        shared: &OnceCell::new(),
        strong_zero: config.strong_zero(),
    };
    let mut tangents: [Option<B::Out>; W] = each_lane(&mut |lane| {
        let dx = effective(x.tangent(lane), config.strong_zero());
        let dy = effective(y.tangent(lane), config.strong_zero());
        Some(match (dx, dy) {
            (None, None) => zero_like(out.as_ref(), value),
            _ => B::pushforward(&at, dx, dy, attrs),
        })
    });
    B::Out::wrap(R::forward(
        config,
        || out.unwrap_or_else(value),
        |lane| tangents[lane].take().expect("each lane is asked for once"),
    ))
}

/// The first half of the reverse rule.
#[inline]
pub fn augmented<B, X, Y, A0, A1, R, const W: usize>(
    config: &ReverseConfig,
    x: &A0,
    y: &A1,
    attrs: B::Attrs<'_>,
) -> AugmentedOutcome<R, BinaryTape<X, Y, B::Out, B::Residual>, W>
where
    X: Tangent + ToOwned + ?Sized,
    Y: Tangent + ToOwned + ?Sized,
    B: Binary<X, Y>,
    A0: ReverseArg<X, W>,
    A1: ReverseArg<Y, W>,
    R: ReverseReturn<W, Out = B::Out>,
{
    let reads = reads::<B, X, Y>(R::ACTIVE && x.is_active(), R::ACTIVE && y.is_active());
    let saved_x = Saved::new(x.primal(), reads.x && config.overwritten(0));
    let saved_y = Saved::new(y.primal(), reads.y && config.overwritten(1));
    let (out, residual) = if reads.residual {
        let (out, residual) = B::linearize(x.primal(), y.primal(), attrs);
        (Some(out), residual)
    } else {
        let wanted = reads.out || R::NEEDS_SHADOW || config.needs_primal();
        let out = wanted.then(|| B::value(x.primal(), y.primal(), attrs));
        (out, B::Residual::default())
    };
    B::Out::wrap(finish::<B::Out, R, _, W>(config, out, reads.out, |out| {
        BinaryTape {
            x: saved_x,
            y: saved_y,
            out,
            residual,
        }
    }))
}

/// The second half of the reverse rule.
#[inline]
pub fn reverse<B, X, Y, A0, A1, R, const W: usize>(
    config: &ReverseConfig,
    dret: &R::Cotangent,
    tape: &BinaryTape<X, Y, B::Out, B::Residual>,
    x: &mut A0,
    y: &mut A1,
    attrs: B::Attrs<'_>,
) -> (<A0 as Activity<W>>::Gradient, <A1 as Activity<W>>::Gradient)
where
    X: Tangent + ToOwned + ?Sized,
    Y: Tangent + ToOwned + ?Sized,
    B: Binary<X, Y>,
    A0: ReverseArg<X, W>,
    A1: ReverseArg<Y, W>,
    R: ReverseReturn<W, Out = B::Out>,
{
    let shared: [OnceCell<B::Out>; W] = each_lane(&mut |_| OnceCell::new());
    let of_x = x.accumulate(|lane, x, mut dx| {
        if let Some(dz) = effective(dret.lane(lane), config.strong_zero()) {
            let at = tape.at(x, y.primal(), &shared[lane], config);
            dx.accumulate_with(|dx| B::pullback_x(&at, dz, dx, attrs));
        }
    });
    let of_y = y.accumulate(|lane, y, mut dy| {
        if let Some(dz) = effective(dret.lane(lane), config.strong_zero()) {
            let at = tape.at(x.primal(), y, &shared[lane], config);
            dy.accumulate_with(|dy| B::pullback_y(&at, dz, dy, attrs));
        }
    });
    (of_x, of_y)
}
