//! Generic functions.

use coenzyme::{Real, Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn number<T: Real>(x: T, y: T) -> T {
    let two = T::lit(2.0);
    (x * y + two).sin() / (T::one() + x * x)
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

#[differentiable]
fn with_where_clause<T>(x: &[T], k: T) -> T
where
    T: Real,
{
    x.iter().map(|v| *v * k).sum::<T>() * k
}

#[differentiable]
fn written<T: Real>(y: &mut [T], x: &[T], k: T) {
    for (a, b) in y.iter_mut().zip(x) {
        *a = *a * k + *b * *b;
    }
}

#[differentiable]
fn fixed<const N: usize>(x: &[f64; N], y: [f64; N]) -> f64 {
    let mut s = 0.0;
    for i in 0..N {
        s += x[i] * y[N - 1 - i];
    }
    s
}

#[differentiable]
fn local_of_generic_length<const N: usize>(x: &[f64; N]) -> f64 {
    let mut y = [0.0; N];
    for i in 0..N {
        y[i] = x[i] * x[(i + 1) % N];
        y[0] += y[i];
    }
    y[0] * y[N - 1]
}

#[differentiable]
fn both<T: Real, const N: usize>(x: &[T; N], k: T) -> [T; N] {
    let mut y = [T::zero(); N];
    for i in 0..N {
        y[i] = x[i] * k.exp();
    }
    y
}

#[differentiable]
fn calls_generic<T: Real>(x: &[T], k: T) -> T {
    rosenbrock(x) * number(k, x[0])
}

#[differentiable]
fn calls_at_a_type(x: &[f64], k: f64) -> f64 {
    rosenbrock(x) + number::<f64>(k, x[1]) + number(x[0], 2.0)
}

#[differentiable]
fn with_lifetimes<'a>(x: &'a [f64], y: &'a [f64]) -> f64 {
    x[0] * y[0] + x[1]
}

#[differentiable]
fn generic_branches<T: Real>(x: T) -> T {
    if x > T::zero() {
        x.sqrt()
    } else {
        -x.powi(3) + Real::lit(1.5)
    }
}

#[differentiable]
fn generic_loop<T: Real>(x: T, n: usize) -> T {
    let mut s = x;
    let mut k = 0;
    while k < n && s < T::lit(10.0) {
        s = s * s + T::lit(0.1);
        k += 1;
    }
    s
}

/// `y` is `x` with the length in its type: references to arrays of generic length are lent as references.
#[differentiable]
fn fixed_of_slices(x: &[f64], y: &[f64]) -> f64 {
    fixed::<3>(&[x[0], x[1], x[2]], [y[0], y[1], y[2]])
}

#[differentiable]
fn local_of_slices(x: &[f64]) -> f64 {
    local_of_generic_length(&[x[0], x[1], x[2]]) * local_of_generic_length(&[x[0], x[1]])
}

#[differentiable]
fn both_of_slices(x: &[f64], k: f64) -> f64 {
    let y = both(&[x[0], x[1]], k);
    y[0] * y[1]
}

/// A trait of numbers that is not ours.
trait Scalar: num_traits::Float + std::fmt::Debug {
    const HALF: Self;

    fn value(v: f32) -> Self;
}

impl Scalar for f64 {
    const HALF: Self = 0.5;

    fn value(v: f32) -> Self {
        v.into()
    }
}

impl Scalar for f32 {
    const HALF: Self = 0.5;

    fn value(v: f32) -> Self {
        v
    }
}

#[derive(Clone, Copy, Tangent)]
struct Segment<S> {
    from: S,
    to: S,
}
#[differentiable]
impl<S: Scalar> Segment<S> {
    fn sample(&self, t: S) -> S {
        self.from * (S::one() - t) + self.to * t
    }
    fn before(&self, t: S) -> Segment<S> {
        Segment {
            from: self.from,
            to: self.sample(t),
        }
    }
    fn crossing(&self, level: S) -> Option<S> {
        let rise = self.to - self.from;
        if rise.abs() < S::value(1e-4) {
            return None;
        }
        Some((level - self.from) / rise * S::HALF)
    }
}
#[differentiable]
fn own_trait_of_numbers(a: f64, b: f64, t: f64) -> f64 {
    let part = Segment { from: a, to: b }.before(t);
    let at = part.crossing(t).unwrap();
    part.sample(at).sin() + at
}

judge! {
    own_trait_of_numbers(0.3, 1.9, 0.6);
    fixed_of_slices(&any(3), &positive(3));
    local_of_slices(&any(3));
    both_of_slices(&any(2), 0.4);
    number(0.7, -0.4);
    rosenbrock(&any(3));
    with_where_clause(&any(3), 0.7);
    written(&mut any(3), &positive(3), 0.7);
    calls_generic(&any(3), 0.7);
    calls_at_a_type(&any(3), 0.7);
    with_lifetimes(&any(2), &positive(2));
    generic_branches(0.7) (-0.7);
    generic_loop(0.7, 3);
}
