//! Integration up to an event, whose time is active.
//!
//! At the time `t` of the event `g(x(t), p) = 0`. With the tangent `ẏ` and the cotangent `ȳ` of the state at that time held fixed, the derivative `f` of the
//! last step in its length, and `g′ = gₓ·f`:
//!
//! | value | forward | reverse |
//! |---|---|---|
//! | `t` | `ṫ = −(gₓ·ẏ + gₚ·ṗ)/g′` | `λ = −(t̄ + f·x̄)/g′` |
//! | `x = x(t)` | `ẋ = ẏ + f·ṫ` | `ȳ = x̄ + λ·gₓ`, `p̄ += λ·gₚ` |
//!
//! Source: Chen, Amos & Nickel 2021, *Learning neural event functions for ordinary differential equations*, ICLR, arXiv:2011.03902, section 3.

use std::array::from_fn;
use std::ops::ControlFlow::{Break, Continue};

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Lanes, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, primitive,
};

use super::solve::{Ode, Show, Taken, advance, run, unwind};
use super::step::{Interval, Stages, Stepper};
use crate::body::{ForwardField, ForwardResidual, ReverseField, ReverseResidual, lent, tangents};
use crate::implicit::bracketed::brent;
use crate::implicit::linear::{axpy, dot};
use crate::online::Online;
use crate::{Error, Operand};

/// Takes `x` from its state at the first time to that at the first event, and returns the time of the event, which is active as the state there is.
/// `x` is `(n)`; `event(r, x, p)` writes one number to `r[0]`.
///
/// An event is a fall through zero: the number is positive at the end of one step and is not at the end of the next. A ball that leaves the ground is no
/// event, though its height is zero or, by rounding, less; what falls and rises again within a step is not seen. For a rise, negate the number.
///
/// The equation must not depend on `t`: time is inactive, and the time of an event is not. Give the state a component of slope one, and let equation and event read
/// that.
///
/// The steps are those of [`integrate()`](super::integrate()), and the last one is as long as it takes: found by Brent's method, to rounding, with about ten calls of the
/// method. The derivative is the exact one of that, with the other step sizes held fixed. Cost: as [`integrate()`](super::integrate()), and one derivative of `event`.
/// First order only.
///
/// # Errors
/// [`Error::NoEvent`] if there is none until the last time of `ode`; [`Error::SingularJacobian`] if a derivative is wanted and the number does not change
/// with time at the event, as where a trajectory grazes; those of [`integrate()`](super::integrate()). `x` is where the solver was then; no shadow has been touched.
///
/// # Panics
/// If the slope at the event is another one at the time when the solver began.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::Error;
/// use coenzyme_loops::ode::{Method, Ode, integrate_until};
///
/// /// Height and velocity under the gravity `p`.
/// #[differentiable]
/// fn fall(dx: &mut [f64], x: &[f64], p: &f64, _t: f64) {
///     dx[0] = x[1];
///     dx[1] = -*p;
/// }
///
/// #[differentiable]
/// fn height(r: &mut [f64], x: &[f64], _p: &f64) {
///     r[0] = x[0];
/// }
///
/// /// When a ball that is thrown up is back.
/// #[differentiable]
/// fn flight(velocity: f64, gravity: f64) -> Result<f64, Error> {
///     let mut x = [0.0, velocity];
///     let ode = Ode::fixed(Method::Rk4, 0.0, 10.0, 50);
///     integrate_until(&mut x[..], &gravity, Inactive(fall {}), Inactive(height {}), ode)
/// }
///
/// // 2v/g
/// assert!((flight(10.0, 8.0)? - 2.5).abs() < 1e-14);
/// let (dv, dg) = gradient!(flight, 10.0, 8.0)?;
/// assert!((dv - 0.25).abs() < 1e-14 && (dg + 0.3125).abs() < 1e-14);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn integrate_until<P, F, E>(
    x: &mut [f64],
    p: &P,
    f: Inactive<F>,
    event: Inactive<E>,
    ode: Ode,
) -> Result<f64, Error>
where
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P, f64), Output = ()>
        + ForwardField<[f64], P, 1>,
    E: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P), Output = ()>,
{
    land(&f.0, &event.0, p, ode, x, &mut |_, _, _| Ok(Continue(()))).map(|landing| landing.time)
}

/// An event, and the step that ends there.
struct Landing {
    time: f64,
    stages: Stages<f64>,
    at: Interval,
}

/// The primal of [`integrate_until()`]: shows each step, the last one included.
fn land<P, F, E>(
    f: &F,
    event: &E,
    p: &P,
    ode: Ode,
    x: &mut [f64],
    show: &mut Show<'_, f64>,
) -> Result<Landing, Error>
where
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P, f64), Output = ()>
        + ForwardField<[f64], P, 1>,
    E: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P), Output = ()>,
{
    let tableau = ode.method().tableau();
    let stepper = Stepper { tableau, f, p };
    let number = |x: &[f64]| {
        let mut r = [0.0];
        event.call((&mut r[..], x, p));
        r[0]
    };
    let after = |x: &[f64], stages: &Stages<f64>, length: f64| {
        let mut x = x.to_vec();
        advance(&mut x, stages, tableau.b, length);
        x
    };
    let (mut value, mut last) = (number(x), None);
    run(f, p, ode, x, &mut |x, stages, at| {
        let end = number(&after(x, stages, at.length));
        if !(value > 0.0 && end <= 0.0) {
            value = end;
            return show(x, stages, at);
        }
        // what a shorter step leads to; a NaN is refused where one cannot be made
        let (length, _) = brent([0.0, at.length], 0.0, |length| match length {
            0.0 => value,
            length => {
                let stages = stepper.stages(x, Interval { length, ..at });
                stages.map_or(f64::NAN, |stages| number(&after(x, &stages, length)))
            }
        })?;
        let at = Interval { length, ..at };
        let stages = stepper.stages(x, at)?;
        if show(x, &stages, at)?.is_continue() {
            last = Some((stages, at));
        }
        Ok(Break(()))
    })?;
    let [from, to] = ode.ends();
    let Some((stages, at)) = last else {
        return Err(Error::NoEvent { from, to, value });
    };
    advance(x, &stages, tableau.b, at.length);
    let time = at.start + at.length;
    let [begun, now] = [from, time].map(|t| {
        let mut slope = vec![0.0; x.len()];
        f.call((&mut slope, x, p, t));
        slope
    });
    assert!(
        begun == now || now.iter().any(|slope| slope.is_nan()),
        "integrate_until: the equation depends on time: at the event its slope is {now:?}, and {begun:?} if the time is {from}; give the state a component of slope one"
    );
    Ok(Landing { time, stages, at })
}

/// How fast the state at an event changes with the length of the last step, and the event's number with it, which is not zero.
fn crossing<P, F, E>(
    stepper: &Stepper<'_, F, P>,
    event: &E,
    x: &[f64],
    landing: &Landing,
) -> Result<(Vec<f64>, f64), Error>
where
    P: ?Sized,
    F: ForwardField<[f64], P, 1>,
    E: ForwardResidual<[f64], P, 1>,
{
    let slope = stepper.in_length(&landing.stages, landing.at)?;
    let config = ForwardConfig::new(false);
    let rate = along(event, &config, stepper.p, x, &slope, None);
    match rate == 0.0 {
        true => Err(Error::SingularJacobian { column: 0, size: 1 }),
        false => Ok((slope, rate)),
    }
}

/// `gₓ·v + gₚ·ṗ`
fn along<P, E>(
    event: &E,
    config: &ForwardConfig,
    p: &P,
    x: &[f64],
    v: &[f64],
    dp: Option<&P>,
) -> f64
where
    P: ?Sized,
    E: ForwardResidual<[f64], P, 1>,
{
    let (mut r, mut dr) = ([0.0], [0.0]);
    let (lanes, v) = (Some([&mut dr[..]]), Some([v]));
    event.push(config, &mut r, lanes, x, v, p, dp.map(|dp| [dp]));
    dr[0]
}

impl<R, X, Q, G, H, C, P, F, E, const W: usize> ForwardRule<R, (X, Q, G, H, C), W>
    for integrate_until
where
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<f64, Error>>,
    X: ForwardArgMut<[f64], W> + Annotation<Primal: Memory<Target = [f64]>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    H: ForwardArg<Inactive<E>, W> + Annotation<Primal = Inactive<E>>,
    C: ForwardArg<Ode, W>,
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P, f64), Output = ()>
        + ForwardField<[f64], P, 1>
        + ForwardField<[f64], P, W>,
    E: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P), Output = ()>
        + ForwardResidual<[f64], P, 1>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, event, ode): (&mut X, &mut Q, &mut G, &mut H, &mut C),
    ) -> Result<R::Forward, Error> {
        let (dp, ode) = (tangents(p), *ode.primal());
        let (f, event, p) = (&f.primal().0, &event.primal().0, p.primal());
        let tableau = ode.method().tableau();
        let stepper = Stepper { tableau, f, p };
        let (x, mut dx) = x.split_mut();
        let mut dx = lent(&mut dx);
        let wanted = dx.is_some() || R::ACTIVE && dp.is_some();
        // what is assigned is assigned when all has gone well
        let mut ahead: [Vec<f64>; W] = from_fn(|lane| match &dx {
            Some(dx) => dx[lane].to_vec(),
            None => vec![0.0; x.len()],
        });
        let landing = land(f, event, p, ode, x, &mut |_, stages, at| {
            if wanted {
                let mut ahead = ahead.each_mut().map(|dx| &mut dx[..]);
                stepper.forward(config, stages, &mut ahead, dp, at)?;
            }
            Ok(Continue(()))
        })?;
        let mut times = [0.0; W];
        if wanted {
            let (slope, rate) = crossing(&stepper, event, x, &landing)?;
            for (lane, ahead) in ahead.iter_mut().enumerate() {
                let dp = dp.map(|dp| dp[lane]);
                times[lane] = -along(event, config, p, x, ahead, dp) / rate;
                axpy(ahead, times[lane], &slope);
            }
        }
        for (dx, ahead) in dx.iter_mut().flatten().zip(&ahead) {
            dx.copy_from_slice(ahead);
        }
        Ok(R::forward(config, || landing.time, |lane| times[lane]))
    }
}

/// What the reverse pass of [`integrate_until()`] starts from: the steps, the states that are kept, the crossing, and the parameter if it may be overwritten.
pub struct EventTape<P: ToOwned + ?Sized> {
    steps: Vec<(f64, f64)>,
    kept: Vec<(usize, Vec<f64>)>,
    crossing: Option<Crossing>,
    p: Saved<P>,
}

/// The state at an event, and how it and the event's number change with the length of the last step.
struct Crossing {
    x: Vec<f64>,
    slope: Vec<f64>,
    rate: f64,
}

impl<R, X, Q, G, H, C, P, F, E, const W: usize> ReverseRule<R, (X, Q, G, H, C), W>
    for integrate_until
where
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<f64, Error>>,
    X: ReverseArgMut<[f64], W> + Annotation<Primal: Memory<Target = [f64]>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    H: ReverseArg<Inactive<E>, W> + Annotation<Primal = Inactive<E>>,
    C: ReverseArg<Ode, W>,
    F: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P, f64), Output = ()>
        + ForwardField<[f64], P, 1>
        + ReverseField<[f64], P, W>,
    E: for<'a> Function<(&'a mut [f64], &'a [f64], &'a P), Output = ()>
        + ForwardResidual<[f64], P, 1>
        + ReverseResidual<[f64], P, 1>,
{
    type Tape = EventTape<P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, event, ode): (&mut X, &mut Q, &mut G, &mut H, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let wanted = x.is_active() || R::ACTIVE && p.is_active();
        let (ode, saved) = (
            *ode.primal(),
            Saved::new(p.primal(), wanted && config.overwritten(1)),
        );
        let mut online = Online::<[f64]>::new(ode.states());
        let mut steps = Vec::new();
        let (f, event, p) = (&f.primal().0, &event.primal().0, p.primal());
        let x = x.primal_mut();
        let landing = land(f, event, p, ode, x, &mut |x, _, at| {
            if wanted {
                online.offer(steps.len(), x);
                steps.push((at.start, at.length));
            }
            Ok(Continue(()))
        })?;
        let mut tape = EventTape {
            steps,
            kept: online.kept,
            crossing: None,
            p: saved,
        };
        if wanted {
            let tableau = ode.method().tableau();
            let stepper = Stepper { tableau, f, p };
            let (slope, rate) = crossing(&stepper, event, x, &landing)?;
            let x = x.to_vec();
            tape.crossing = Some(Crossing { x, slope, rate });
        }
        Ok(R::augmented(config, landing.time, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, event, ode): (&mut X, &mut Q, &mut G, &mut H, &mut C),
    ) -> (
        X::Gradient,
        Q::Gradient,
        G::Gradient,
        H::Gradient,
        C::Gradient,
    ) {
        let mut of_p = p.no_gradient();
        if let Some(crossing) = &tape.crossing {
            let active = p.is_active();
            let (p, mut dp) = p.split(&mut of_p);
            let p = tape.p.get(p);
            let (_, mut dx) = x.split_mut();
            let mut dx = lent(&mut dx);
            let mut back: [Vec<f64>; W] = from_fn(|lane| match &dx {
                Some(dx) => dx[lane].to_vec(),
                None => vec![0.0; crossing.x.len()],
            });
            for (lane, back) in back.iter_mut().enumerate() {
                let of_time = dret.lane(lane).copied().unwrap_or(0.0);
                let multiplier = -(of_time + dot(&crossing.slope, back)) / crossing.rate;
                let dp = dp[lane].as_deref_mut();
                cross_back(&event.primal().0, config, crossing, p, multiplier, back, dp);
            }
            let taken = Taken {
                ode: *ode.primal(),
                steps: &tape.steps,
                kept: tape.kept,
                end: crossing.x.clone(),
            };
            let mut lanes = back.each_mut().map(|back| &mut back[..]);
            let f = &f.primal().0;
            unwind(config, f, (p, active), taken, &mut lanes, &mut dp);
            for (dx, back) in dx.iter_mut().flatten().zip(&back) {
                dx.copy_from_slice(back);
            }
        }
        (
            x.no_gradient(),
            of_p,
            f.no_gradient(),
            event.no_gradient(),
            ode.no_gradient(),
        )
    }
}

/// `x̄ += λ·gₓ`, `p̄ += λ·gₚ`
fn cross_back<P, E>(
    event: &E,
    config: &ReverseConfig,
    crossing: &Crossing,
    p: &P,
    multiplier: f64,
    dx: &mut [f64],
    dp: Option<&mut P>,
) where
    P: ?Sized,
    E: ReverseResidual<[f64], P, 1>,
{
    let config = config.with_none_overwritten();
    let (mut r, mut dr) = ([0.0], [multiplier]);
    let tape = event.tape(&config, &mut r, &crossing.x, p, (true, dp.is_some()));
    let (lanes, dp) = ([&mut dr[..]], dp.map(|dp| [dp]));
    event.pull(&config, &mut r, lanes, &crossing.x, Some([dx]), p, dp, tape);
}
