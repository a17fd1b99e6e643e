//! Forward rules for two combinations of activities, chosen by type.

use coenzyme::prelude::*;

/// `y ← x²`, returns `Σ y`: its derivative is what its rules say.
#[primitive]
fn f(y: &mut [f64], x: &[f64]) -> f64 {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    y.iter().sum()
}

type Y<'a> = Duplicated<&'a mut [f64]>;
type X<'a> = Duplicated<&'a [f64]>;

/// `ẏ ← 2x·ẋ`, returns `Σ ẏ`.
fn tangents(dy: &mut [f64], x: &[f64], dx: &[f64]) -> f64 {
    for ((dy, x), dx) in dy.iter_mut().zip(x).zip(dx) {
        *dy = 2.0 * x * dx;
    }
    dy.iter().sum()
}

impl<'a> ForwardRule<Duplicated<f64>, (Y<'a>, X<'a>)> for f {
    fn forward(&self, _: &ForwardConfig, (y, x): (&mut Y<'a>, &mut X<'a>)) -> Duplicated<f64> {
        println!("Using custom rule!");
        let sum = f(y.primal_mut(), x.primal());
        Duplicated(sum, tangents(y.shadow_mut(0), x.primal(), x.shadow(0)))
    }
}

impl<'a> ForwardRule<DuplicatedNoNeed<f64>, (Y<'a>, X<'a>)> for f {
    fn forward(&self, _: &ForwardConfig, (y, x): (&mut Y<'a>, &mut X<'a>)) -> [f64; 1] {
        println!("Using custom rule with DuplicatedNoNeed output.");
        for (y, x) in y.primal_mut().iter_mut().zip(*x.primal()) {
            *y = x * x;
        }
        [tangents(y.shadow_mut(0), x.primal(), x.shadow(0))]
    }
}

/// `f²`.
#[differentiable]
fn g(y: &mut [f64], x: &[f64]) -> f64 {
    let sum = f(y, x);
    sum * sum
}

pub(crate) fn run() {
    let (mut y, mut dy) = ([0.0, 0.0], [0.0, 0.0]);
    let (x, dx) = ([3.0, 1.0], [1.0, 0.0]);

    let tangent = autodiff!(
        Forward,
        g,
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&x[..], &dx[..])
    );
    println!("forward of g: {tangent:?}, dy = {dy:?}");

    let (mut y, mut dy) = ([0.0, 0.0], [0.0, 0.0]);
    let tangent = autodiff!(
        Forward,
        f,
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&x[..], &dx[..])
    );
    println!("forward of f: {tangent:?}, dy = {dy:?}, y = {y:?}");
}
