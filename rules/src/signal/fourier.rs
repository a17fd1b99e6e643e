//! Fourier transforms, none of them normalized, through `rustfft` and `realfft`.
//!
//! | function | value | reverse |
//! |---|---|---|
//! | [`fft()`] | `yₖ = Σⱼ xⱼ e^(−2πijk/n)` | `x̄ += ifft(ȳ)` |
//! | [`ifft()`] | `xⱼ = Σₖ yₖ e^(2πijk/n)` | `ȳ += fft(x̄)` |
//! | [`rfft()`] | the first `⌊n/2⌋ + 1` of `fft` of real `x` | `x̄ += irfft(ȳ∘h)`, `h = 1` for entries without mirror image, else ½ |
//! | [`irfft()`] | `ifft` of the hermitian extension of `y` | `ȳ += rfft(x̄)/h` |
//!
//! Cotangents of complex numbers are `∂L/∂Re + i·∂L/∂Im`. So the adjoint of a matrix is its conjugate transpose, and that of `fft` the
//! unnormalized inverse. All maps are linear; nothing is on the tape. `O(n log n)`.

use coenzyme::{Real, primitive};
use num_complex::Complex;
use realfft::RealFftPlanner;
use rustfft::{FftDirection, FftNum, FftPlanner};

use crate::class::{Linear, Plain, Scalar, Transposed};
use crate::unary_rule;

impl<T: Real> Plain for Complex<T> {
    fn wrap<U>(inside: U) -> U {
        inside
    }
}

/// The discrete Fourier transform of `x` (`(n)`), unnormalized; nothing for nothing.
///
/// ```
/// # use num_complex::Complex;
/// let x = [1.0, 2.0].map(Complex::from);
/// assert_eq!(coenzyme_rules::signal::fft(&x[..]), [3.0, -1.0].map(Complex::from));
/// ```
#[primitive]
pub fn fft<T: Scalar + FftNum>(x: &[Complex<T>]) -> Vec<Complex<T>> {
    transform(x, FftDirection::Forward)
}

/// The inverse transform of `y` (`(n)`), without the factor `1/n`: `ifft(fft(x)) = n·x`.
#[primitive]
pub fn ifft<T: Scalar + FftNum>(y: &[Complex<T>]) -> Vec<Complex<T>> {
    transform(y, FftDirection::Inverse)
}

fn transform<T: FftNum>(x: &[Complex<T>], direction: FftDirection) -> Vec<Complex<T>> {
    let mut y = x.to_vec();
    if !y.is_empty() {
        FftPlanner::new()
            .plan_fft(y.len(), direction)
            .process(&mut y);
    }
    y
}

/// The first half of the transform of real `x` (`(n)`): `(⌊n/2⌋ + 1)` numbers, of which the rest are the conjugates. **Panics** for
/// nothing.
///
/// ```
/// # use num_complex::Complex;
/// let y = coenzyme_rules::signal::rfft(&[1.0, 2.0, 1.0, 0.0][..]);
/// assert_eq!(y, [Complex::new(4.0, 0.0), Complex::new(0.0, -2.0), Complex::new(0.0, 0.0)]);
/// ```
#[primitive]
#[track_caller]
pub fn rfft<T: Scalar + FftNum>(x: &[T]) -> Vec<Complex<T>> {
    assert!(!x.is_empty(), "rfft: no entries");
    let mut x = x.to_vec();
    let plan = RealFftPlanner::new().plan_fft_forward(x.len());
    let mut y = plan.make_output_vec();
    plan.process(&mut x, &mut y)
        .expect("the lengths are those of the plan");
    y
}

/// The `n` real numbers of which `y` (`(⌊n/2⌋ + 1)`) is the first half of the transform, times `n`. The imaginary part of an entry
/// without mirror image (the first, and the last of an even `n`) has no influence. **Panics** if the length does not fit, or for nothing.
#[primitive]
#[track_caller]
pub fn irfft<T: Scalar + FftNum>(y: &[Complex<T>], n: usize) -> Vec<T> {
    assert!(
        n > 0 && y.len() == n / 2 + 1,
        "irfft: {} entries for a length of {n}",
        y.len()
    );
    let mut y = y.to_vec();
    y[0].im = T::zero();
    if n.is_multiple_of(2) {
        y[n / 2].im = T::zero();
    }
    let plan = RealFftPlanner::new().plan_fft_inverse(n);
    let mut x = plan.make_output_vec();
    plan.process(&mut y, &mut x)
        .expect("the lengths are those of the plan, and the imaginary parts zero");
    x
}

/// Multiplies the entries that stand for two, themselves and their mirror images.
fn scale_mirrored<T: Scalar + FftNum>(y: &mut [Complex<T>], n: usize, factor: f64) {
    for y in &mut y[1..n.div_ceil(2)] {
        *y = Complex::new(y.re * T::lit(factor), y.im * T::lit(factor));
    }
}

/// `x += by`
fn add<T: Scalar>(x: &mut [Complex<T>], by: Vec<Complex<T>>) {
    for (x, by) in x.iter_mut().zip(by) {
        x.re += by.re;
        x.im += by.im;
    }
}

impl<T: Scalar + FftNum> Linear<[Complex<T>]> for fft {
    type Out = Vec<Complex<T>>;
    type Attrs<'a> = ();

    fn apply(x: &[Complex<T>], (): ()) -> Vec<Complex<T>> {
        fft(x)
    }
    fn transpose(dy: &Vec<Complex<T>>, dx: &mut [Complex<T>], (): ()) {
        add(dx, ifft(dy));
    }
}

impl<T: Scalar + FftNum> Linear<[Complex<T>]> for ifft {
    type Out = Vec<Complex<T>>;
    type Attrs<'a> = ();

    fn apply(y: &[Complex<T>], (): ()) -> Vec<Complex<T>> {
        ifft(y)
    }
    fn transpose(dx: &Vec<Complex<T>>, dy: &mut [Complex<T>], (): ()) {
        add(dy, fft(dx));
    }
}

impl<T: Scalar + FftNum> Linear<[T]> for rfft {
    type Out = Vec<Complex<T>>;
    type Attrs<'a> = ();

    fn apply(x: &[T], (): ()) -> Vec<Complex<T>> {
        rfft(x)
    }
    fn transpose(dy: &Vec<Complex<T>>, dx: &mut [T], (): ()) {
        let mut dy = dy.clone();
        scale_mirrored(&mut dy, dx.len(), 0.5);
        let by = irfft(&dy[..], dx.len());
        for (dx, by) in dx.iter_mut().zip(by) {
            *dx += by;
        }
    }
}

impl<T: Scalar + FftNum> Linear<[Complex<T>]> for irfft {
    type Out = Vec<T>;
    type Attrs<'a> = (&'a usize,);

    fn apply(y: &[Complex<T>], (&n,): (&usize,)) -> Vec<T> {
        irfft(y, n)
    }
    fn transpose(dx: &Vec<T>, dy: &mut [Complex<T>], (&n,): (&usize,)) {
        let mut by = rfft(&dx[..]);
        scale_mirrored(&mut by, n, 2.0);
        add(dy, by);
    }
}

unary_rule!(fft[T: Scalar + FftNum](x: [Complex<T>]) = Transposed<fft>);
unary_rule!(ifft[T: Scalar + FftNum](y: [Complex<T>]) = Transposed<ifft>);
unary_rule!(rfft[T: Scalar + FftNum](x: [T]) = Transposed<rfft>);
unary_rule!(irfft[T: Scalar + FftNum](y: [Complex<T>]; n: usize) = Transposed<irfft>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::samples;
    use num_traits::Zero;

    fn complex(n: usize) -> Vec<Complex<f64>> {
        let parts = samples(52, (n, 2));
        let rows = parts.rows().into_iter();
        rows.map(|z| Complex::new(z[0], z[1])).collect()
    }

    #[test]
    fn the_inverse_is_n_times_the_inverse() {
        let x = complex(6);
        for (a, b) in ifft(&fft(&x[..])[..]).iter().zip(&x) {
            assert!((a / 6.0 - b).norm() < 1e-14);
        }
        assert_eq!(fft::<f64>(&[]), []);
    }

    #[test]
    #[should_panic(expected = "irfft: 3 entries for a length of 6")]
    fn a_length_that_does_not_fit_is_named() {
        let _ = irfft(&[Complex::<f64>::zero(); 3][..], 6);
    }
}
