//! Complex numbers.

use coenzyme::{Real, differentiable};
use num_complex::{Complex, Complex64};

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
fn operators(a: Complex64, b: Complex64) -> Complex64 {
    (a * b + a / b - b) * a - (-b)
}

#[differentiable]
fn with_real_numbers(a: Complex64, k: f64) -> Complex64 {
    let w = a * k + 2.0 * a - 1.0;
    k * w / 3.0 + (k - a) / a
}

#[differentiable]
fn functions(z: Complex64) -> Complex64 {
    z.exp() * z.sin() + z.sqrt().ln() - z.powi(3) / z.cosh() + z.tan() * z.tanh()
}

#[differentiable]
fn of_the_plane(z: Complex64, w: Complex64) -> f64 {
    (z * w.conj()).re + z.norm() * w.norm_sqr() + (z - w).arg() + z.im * w.re
}

#[differentiable]
fn made(r: f64, t: f64) -> f64 {
    let z = Complex::new(r * t.cos(), r * t.sin());
    let i = Complex64::new(0.0, 1.0);
    (z * z * i).re * z.im
}

/// The squared modulus of the transform of a signal at one frequency.
#[differentiable]
fn spectrum(signal: &[f64], k: usize) -> f64 {
    let n = signal.len() as f64;
    let mut sum = Complex64::new(0.0, 0.0);
    for (t, x) in signal.iter().enumerate() {
        let angle = -2.0 * std::f64::consts::PI * (k * t) as f64 / n;
        sum += Complex64::new(angle.cos(), angle.sin()) * *x;
    }
    sum.norm_sqr() / n
}

#[differentiable]
fn impedance(r: f64, l: f64, c: f64, omega: f64) -> f64 {
    let j = Complex64::new(0.0, 1.0);
    let z = r + j * omega * l + 1.0 / (j * omega * c);
    z.norm()
}

#[differentiable]
fn iterated<T: Real>(c: Complex<T>, n: usize) -> T {
    let mut z = c;
    for _ in 0..n {
        z = z * z + c;
    }
    z.norm_sqr()
}

#[differentiable]
fn vectors(a: &[Complex64], b: &mut [Complex64]) -> f64 {
    let mut s = Complex64::new(0.0, 0.0);
    for (x, y) in a.iter().zip(b.iter_mut()) {
        s += x.conj() * *y;
        *y = *y * *x;
    }
    s.re * s.im
}

judge! {
    operators(Complex::new(0.7, -0.4), Complex::new(0.3, 1.1));
    with_real_numbers(Complex::new(0.7, -0.4), 0.6);
    functions(Complex::new(0.7, -0.4));
    of_the_plane(Complex::new(0.7, -0.4), Complex::new(0.3, 1.1));
    made(0.7, 0.4);
    spectrum(&any(4), 1);
    impedance(0.7, 0.3, 1.2, 0.9);
    iterated(Complex::new(0.2, -0.3), 3);
    vectors(&vec![Complex::new(0.7, -0.4), Complex::new(0.1, 0.9)], &mut vec![Complex::new(0.3, 1.1), Complex::new(-0.2, 0.5)]);
}
