#![allow(missing_docs)]
use coenzyme::*;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}
#[differentiable]
fn sumsq(x: &[f64], mu: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        let d = x[i] - mu;
        s += d * d;
    }
    s
}
#[differentiable]
fn f(y: &mut [f64], x: &[f64]) -> f64 {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
    let mut s = 0.0;
    for v in y.iter() {
        s += *v;
    }
    s
}
#[differentiable]
fn g(y: &mut [f64], x: &[f64]) -> f64 {
    let s = f(y, x);
    s * s
}
#[differentiable]
fn rosenbrock<T: Real>(x: &[T]) -> T {
    let mut s = T::zero();
    for i in 0..x.len() - 1 {
        let a = T::one() - x[i];
        let b = x[i + 1] - x[i] * x[i];
        s += a * a + T::lit(100.0) * b * b;
    }
    s
}

#[test]
fn probe() {
    let ((d,),) = autodiff(Reverse, &square {}, Natural, (Active(3.0),));
    assert_eq!(d, 6.0);
    let t = autodiff(
        ForwardWithPrimal,
        &square {},
        Natural,
        (Duplicated(3.0, 1.0),),
    );
    assert_eq!(t, (6.0, 9.0));
    let (dx, dmu) = gradient(&sumsq {}, (&[1.0, 2.0, 4.0], 1.0));
    assert_eq!((dx, dmu), (vec![0.0, 2.0, 6.0], -8.0));
    let (mut y, mut dy) = ([0.0; 2], [0.0; 2]);
    let (x, dx) = ([3.0, 1.0], [1.0, 0.0]);
    let t = autodiff(
        ForwardWithPrimal,
        &g {},
        Natural,
        (Duplicated(&mut y, &mut dy), Duplicated(&x, &dx)),
    );
    assert_eq!(t, (120.0, 100.0));
    assert_eq!(dy, [6.0, 0.0]);
    let mut dx = [0.0; 2];
    dy = [0.0; 2];
    autodiff(
        Reverse,
        &g {},
        Natural,
        (Duplicated(&mut y, &mut dy), Duplicated(&x, &mut dx)),
    );
    assert_eq!(dx, [120.0, 40.0]);
    assert_eq!(dy, [0.0; 2]);
    let (gr,) = gradient(&rosenbrock {}, (&[1.0, 2.0][..],));
    println!("{gr:?} {:?}", hessian(&rosenbrock {}, &[1.0, 2.0]));
}
