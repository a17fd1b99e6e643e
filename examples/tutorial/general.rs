//! One forward rule for every combination of activities and every width.

use coenzyme::prelude::*;

/// `y ← x²`, returns `Σ y`.
#[primitive]
fn f(y: &mut [f64], x: &[f64]) -> f64 {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    y.iter().sum()
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for f
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        println!("Using our general custom rule!");
        let sum = f(y.primal_mut(), x.primal());
        y.assign(|lane, _, dy| match x.tangent(lane) {
            Some(dx) => {
                for ((dy, x), dx) in dy.iter_mut().zip(x.primal()).zip(dx) {
                    *dy = 2.0 * x * dx;
                }
            }
            None => dy.fill(0.0),
        });
        let tangent = |lane| y.tangent(lane).map_or(0.0, |dy| dy.iter().sum());
        R::forward(config, || sum, tangent)
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

    let tangent = autodiff!(Forward, g, Duplicated(&mut y, &mut dy), Duplicated(&x, &dx));
    println!("y and x Duplicated: {tangent:?}, dy = {dy:?}");

    let tangent = autodiff!(Forward, g, Const(&mut y), Duplicated(&x, &dx));
    println!("y Const: {tangent:?}");

    let tangent = autodiff!(Forward, g, Duplicated, Const(&mut y), Const(&x));
    println!("y and x Const: {tangent:?}");

    let mut dy = [[0.0; 2]; 2];
    let [dy0, dy1] = &mut dy;
    let tangents = autodiff!(
        Forward,
        g,
        BatchDuplicated(&mut y, [dy0, dy1]),
        BatchDuplicated(&x, [&[1.0, 0.0], &[0.0, 1.0]])
    );
    println!("two lanes: {tangents:?}, dy = {dy:?}");
}
