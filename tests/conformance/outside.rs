//! Values from outside the function: constants, statics, results of inactive functions, constant parameters.

use coenzyme::{Active, Const, Duplicated, Real, autodiff, differentiable, gradient, inactive};

use crate::judge::any;
use crate::subject::judge;

static W: [f64; 3] = [0.1, 0.2, 0.3];
const WEIGHTS: [f64; 3] = [0.2, 0.3, 0.5];
static SCALE: f64 = 2.5;

#[inactive]
fn weights(n: usize) -> Vec<f64> {
    vec![0.5; n]
}

#[differentiable]
fn outside(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (w, v) in W.iter().zip(x) {
        s += w * v * v;
    }
    for (v, w) in x.iter().zip(weights(3).iter()) {
        s += w * v * s;
    }
    s + x.iter().zip(&W).map(|(a, b)| a * b).sum::<f64>()
}

#[differentiable]
fn consts(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (w, v) in WEIGHTS.iter().zip(x) {
        s += w * v * v;
    }
    s * SCALE * std::f64::consts::PI
}

judge! {
 outside(&any(3)); consts(&any(3));
}

#[derive(Clone)]
struct M(f64);
#[differentiable]
fn g(x: f64, #[constant] m: &M) -> f64 {
    x * m.0
}
#[differentiable]
fn f(x: f64, #[constant] m: &M) -> f64 {
    g(x * x, m) * m.0
}
#[differentiable]
fn mixed(x: &[f64], #[constant] m: &M) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += gs(&x[i..], m, i) * g(x[0], m);
    }
    s
}
#[differentiable]
fn gs(x: &[f64], #[constant] m: &M, n: usize) -> f64 {
    x[0] * x[0] * m.0 + n as f64 * by_value(x[0], m.clone()) + g(x[0], &M(2.0))
}
#[differentiable]
fn by_value(x: f64, #[constant] m: M) -> f64 {
    g(x, &m)
}
#[differentiable]
fn generic<T: Real>(x: &[T], #[constant] w: &[T], #[constant] m: &M) -> T {
    x[0] * w[0] * inner(x, w, m)
}
#[differentiable]
fn inner<T: Real>(x: &[T], #[constant] w: &[T], #[constant] m: &M) -> T {
    x[0] * w[1]
}
#[differentiable]
fn scratch(x: f64, #[constant] w: &mut Vec<usize>, #[constant] m: &M) -> f64 {
    w.push(1);
    note(w, 2);
    x * w.len() as f64 * scratch2(x, w)
}
#[differentiable]
fn scratch2(x: f64, #[constant] w: &mut Vec<usize>) -> f64 {
    w.push(1);
    x * w.len() as f64
}
#[inactive]
fn note(#[constant] w: &mut Vec<usize>, n: usize) {
    w.push(n);
}
#[test]
fn constants_are_passed_on() {
    let m = M(2.0);
    assert_eq!(
        autodiff!(coenzyme::Reverse, f, Active, Active(0.5), Const(&m)),
        ((4.0 * 2.0 * 0.5, ()),)
    );
    assert_eq!(
        autodiff!(coenzyme::Forward, f, Duplicated(0.5, 1.0), Const(&m)),
        (4.0,)
    );
    let _: ([f64; 2], ()) = gradient!(mixed, &[0.3, 0.4], Const(&m));
    let _ = gradient!(generic, &[0.3, 0.4], Const(&[0.1, 0.2]), Const(&m));
    let _ = autodiff!(
        coenzyme::Forward,
        generic::<f64>,
        Duplicated(&[0.3, 0.4], &[1.0, 2.0]),
        Const(&[0.1, 0.2]),
        Const(&m)
    );
    let mut w = vec![];
    assert_eq!(
        gradient!(scratch, 0.5, Const(&mut w), Const(&m)).0,
        2.0 * 0.5 * 2.0 * 3.0
    );
    let _: () = autodiff!(coenzyme::Forward, note, Const(&mut w), Const(3));
}
