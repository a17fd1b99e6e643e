//! A callee is asked for its value where something reads it.

use std::cell::Cell;

use coenzyme::prelude::*;
use coenzyme::{
    AsActive, AugmentedReturn, ForwardConfig, Lanes, Real, ReverseConfig, ReverseWithPrimal,
    autodiff,
};

thread_local! {
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

/// `x³`, whose value costs something.
#[primitive]
fn expensive(x: f64) -> f64 {
    ASKED.set(ASKED.get() + 1);
    x * x * x
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for expensive
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let at = *x.primal();
        let tangent = |lane| x.tangent(lane).map_or(0.0, |d| 3.0 * at * at * d);
        R::forward(config, || expensive(at), tangent)
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for expensive
where
    R: ReverseReturn<W, Out = f64, Shadow = ()>,
    X: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> AugmentedReturn<f64, (), ()> {
        AugmentedReturn::new(
            config.needs_primal().then(|| expensive(*x.primal())),
            (),
            (),
        )
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|lane, x, mut dx| {
            if let Some(d) = dret.lane(lane) {
                dx += 3.0 * x * x * d;
            }
        }),)
    }
}

#[differentiable]
fn tail(x: f64) -> f64 {
    expensive(x)
}

#[differentiable]
fn tail_of_tail(x: f64) -> f64 {
    tail(x)
}

#[differentiable]
fn linear(x: f64) -> f64 {
    2.0 * expensive(x) - tail(0.5 * x) * 0.25 + 1.0
}

#[differentiable]
fn linear_in_linear(x: f64) -> f64 {
    let a = linear(x);
    let b = -linear(x * x);
    a + 3.0 * b
}

#[differentiable]
fn product(x: f64) -> f64 {
    expensive(x) * x
}

#[differentiable]
fn product_of_tail(x: f64) -> f64 {
    let y = tail_of_tail(x);
    y * y
}

#[differentiable]
fn summed(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x {
        sum += 0.5 * linear(*v);
    }
    sum
}

#[differentiable]
fn decides(x: f64) -> f64 {
    let y = expensive(x);
    if y > 0.0 { 2.0 * y } else { y }
}

#[differentiable]
fn stored(x: f64, y: &mut [f64]) {
    y[0] = expensive(x);
    y[1] += 2.0 * tail(x);
}

#[differentiable]
fn returned_in_parts(x: f64) -> (f64, f64) {
    let y = expensive(x);
    (y, 2.0 * y)
}

#[differentiable]
fn printed(x: f64) -> f64 {
    let y = expensive(x);
    assert!(y < 1e9, "{y}");
    y
}

#[differentiable]
fn read_beside(x: f64) -> f64 {
    let y = expensive(x);
    2.0 * y + y.sin()
}

#[differentiable]
fn passed_to_a_call(x: f64) -> f64 {
    tail(expensive(x))
}

#[differentiable]
fn early(x: f64) -> f64 {
    if x < 0.0 {
        return tail(x);
    }
    2.0 * tail(x)
}

#[differentiable]
fn fallible(x: f64) -> Option<f64> {
    let y = expensive(x);
    Some(2.0 * y)
}

#[differentiable]
fn unwrapped(x: f64) -> f64 {
    3.0 * fallible(x).unwrap()
}

#[differentiable]
fn generic<T: Real>(x: T) -> T {
    let y = generic_tail(x);
    T::lit(2.0) * y
}

#[differentiable]
fn generic_tail<T: Real>(x: T) -> T {
    x * x
}

#[differentiable]
fn checkpointed(x: f64) -> f64 {
    let mut y = x;
    #[checkpoint(2)]
    for _ in 0..4 {
        y = 0.5 * expensive(y);
    }
    y
}

/// The derivative by `x`, and how often the value was asked for without and with the primal.
macro_rules! asked {
    ($f:ident, $x:expr) => {{
        let (((dx,),), without) = counted(|| autodiff(Reverse, &$f {}, AsActive, (Active($x),)));
        let (((with_primal,), value), with) =
            counted(|| autodiff(ReverseWithPrimal, &$f {}, AsActive, (Active($x),)));
        assert_eq!(with_primal, dx);
        assert_eq!(value, $f($x));
        let (dx, step): (f64, f64) = (dx, 1e-5);
        let difference = ($f($x + step) - $f($x - step)) / (2.0 * step);
        assert!(
            (dx - difference).abs() < 1e-6 * (1.0 + dx.abs()),
            "{dx} {difference}"
        );
        (without, with)
    }};
}

fn counted<R>(run: impl FnOnce() -> R) -> (R, usize) {
    ASKED.set(0);
    let result = run();
    (result, ASKED.get())
}

#[test]
fn what_is_only_passed_on_is_not_asked_for() {
    assert_eq!(asked!(tail, 1.3), (0, 1));
    assert_eq!(asked!(tail_of_tail, 1.3), (0, 1));
    assert_eq!(asked!(linear, 1.3), (0, 2));
    assert_eq!(asked!(linear_in_linear, 1.3), (0, 4));
    assert_eq!(asked!(early, 1.3), (0, 1));
    assert_eq!(asked!(early, -1.3), (0, 1));
    assert_eq!(asked!(unwrapped, 1.3), (0, 1));
    assert_eq!(asked!(generic, 1.3), (0, 0));
}

#[test]
fn what_is_read_is_asked_for() {
    assert_eq!(asked!(product, 1.3), (1, 1));
    assert_eq!(asked!(product_of_tail, 1.3), (1, 1));
    assert_eq!(asked!(decides, 1.3), (1, 1));
    assert_eq!(asked!(printed, 1.3), (1, 1));
    assert_eq!(asked!(read_beside, 1.3), (1, 1));
    // the inner one; the outer one is passed on
    assert_eq!(asked!(passed_to_a_call, 1.3), (1, 2));
}

#[test]
fn memory_keeps_what_is_stored() {
    let (mut y, mut dy) = ([0.0, 1.0], [1.0, 1.0]);
    let (((dx, ()),), asked) = counted(|| {
        autodiff(
            Reverse,
            &stored {},
            coenzyme::AsConst,
            (Active(1.3), Duplicated(&mut y[..], &mut dy[..])),
        )
    });
    assert_eq!(
        (y, asked),
        ([expensive(1.3), 1.0 + 2.0 * expensive(1.3)], 2)
    );
    assert!((dx - 3.0 * 3.0 * 1.3 * 1.3).abs() < 1e-12);
}

#[test]
fn in_loops_and_parts() {
    let (x, mut dx) = ([0.5, 1.5], [0.0; 2]);
    let (_, asked) = counted(|| {
        autodiff(
            Reverse,
            &summed {},
            AsActive,
            (Duplicated(&x[..], &mut dx[..]),),
        )
    });
    assert_eq!(asked, 0);
    for (x, dx) in x.iter().zip(dx) {
        assert!((dx - 0.5 * (6.0 - 0.375 / 4.0) * x * x).abs() < 1e-12);
    }
    assert_eq!(
        checkpointed(1.1),
        autodiff(
            ReverseWithPrimal,
            &checkpointed {},
            AsActive,
            (Active(1.1),)
        )
        .1
    );
}
