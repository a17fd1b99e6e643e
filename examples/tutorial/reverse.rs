//! A reverse rule that copies what it reads again only if that is overwritten.

use std::sync::atomic::{AtomicUsize, Ordering};

use coenzyme::Augmented;
use coenzyme::prelude::*;

/// `y ← x²`, returns `Σ y`.
#[primitive]
fn f(y: &mut [f64], x: &[f64]) -> f64 {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    y.iter().sum()
}

/// How often the rule has put a copy of `x` on its tape.
static COPIES: AtomicUsize = AtomicUsize::new(0);

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for f
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Y, &mut X),
    ) -> Augmented<R, Self::Tape, W> {
        println!("In custom augmented primal rule.");
        // y is written in any case, whether or not somebody needs the sum
        let sum = f(y.primal_mut(), x.primal());
        let tape = Saved::new(x.primal(), config.overwritten(1));
        COPIES.fetch_add(usize::from(tape.is_copied()), Ordering::Relaxed);
        R::augmented(config, sum, tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        println!("In custom reverse rule.");
        // x̄ += 2x·(ȳ + s̄), then ȳ ← 0
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(dy) = y.cotangent(lane) else { return };
            let dsum = dret.lane(lane).copied().unwrap_or(0.0);
            for ((mut dx, x), dy) in dx.iter_mut().zip(tape.get(x)).zip(dy) {
                dx += 2.0 * x * (dy + dsum);
            }
        });
        (y.consume(), dx)
    }
}

/// `f²`.
#[differentiable]
fn g(y: &mut [f64], x: &[f64]) -> f64 {
    let sum = f(y, x);
    sum * sum
}

/// `f²` again, from what `f` wrote to `y`, with `x` overwritten in between.
#[differentiable]
fn h(y: &mut [f64], x: &mut [f64]) -> f64 {
    let sum = f(y, x);
    for x in x.iter_mut() {
        *x = *x * *x;
    }
    sum * y.iter().sum::<f64>()
}

pub(crate) fn run() {
    let (mut y, mut dy) = ([0.0, 0.0], [0.0, 0.0]);
    let (mut x, mut dx) = ([3.0, 1.0], [0.0, 0.0]);

    autodiff!(
        Reverse,
        g,
        Active,
        Duplicated(&mut y, &mut dy),
        Duplicated(&x, &mut dx)
    );
    let copies = COPIES.load(Ordering::Relaxed);
    println!("reverse of g: dx = {dx:?}, dy = {dy:?}, copies of x: {copies}");

    (dx, dy) = ([0.0; 2], [0.0; 2]);
    autodiff!(
        Reverse,
        h,
        Active,
        Duplicated(&mut y, &mut dy),
        Duplicated(&mut x, &mut dx)
    );
    let copies = COPIES.load(Ordering::Relaxed);
    println!("reverse of h: dx = {dx:?}, dy = {dy:?}, copies of x: {copies}");
}
