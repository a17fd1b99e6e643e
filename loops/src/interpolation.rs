//! Interpolation between knots that may all be active.

use coenzyme::Real;
use coenzyme::prelude::*;

/// Refuses what there is no curve through.
#[inactive]
fn check<T: Real>(knots: &[T], values: &[T]) {
    let (n, m) = (knots.len(), values.len());
    assert!(
        n == m && n > 1,
        "interpolation: {n} knots and {m} values, where two are needed at least, and as many"
    );
    let rising = knots.windows(2).all(|pair| pair[0] < pair[1]);
    assert!(rising, "interpolation: the knots do not rise");
}

/// The piece that `x` lies in, of as many as there are knots, less one; the first or the last for an `x` outside. A knot belongs to the piece on its right.
#[inactive]
fn piece<T: Real>(x: T, knots: &[T]) -> usize {
    knots[1..knots.len() - 1].partition_point(|knot| *knot <= x)
}

/// Lines between `(knots, values)`, at each of `x`; the first and the last line go on outside.
///
/// Knots, values and points may be active. At a knot the derivative is that of the line on its right.
///
/// | | length | |
/// |---|---|---|
/// | `x` | `(m)` | any order |
/// | `knots` | `(n)`, `n ≥ 2` | rising |
/// | `values` | `(n)` | |
///
/// Cost: `O(n)`, and `O(log n)` for each point.
///
/// # Panics
/// If there are not as many values as knots, fewer than two, or the knots do not rise.
///
/// ```
/// use coenzyme_loops::linear_interpolation;
///
/// let y = linear_interpolation(&[0.5, 2.0, 4.0], &[0.0, 1.0, 3.0], &[2.0, 4.0, 0.0]);
/// assert_eq!(y, [3.0, 2.0, -2.0]);
/// ```
#[differentiable]
pub fn linear_interpolation<T: Real>(x: &[T], knots: &[T], values: &[T]) -> Vec<T> {
    check(knots, values);
    let mut y = vec![T::zero(); x.len()];
    for k in 0..x.len() {
        let i = piece(x[k], knots);
        let s = (x[k] - knots[i]) / (knots[i + 1] - knots[i]);
        y[k] = values[i] + s * (values[i + 1] - values[i]);
    }
    y
}

/// The natural cubic spline through `(knots, values)`, at each of `x`: twice continuously differentiable, with second derivatives of zero at the ends; the
/// first and the last cubic go on outside.
///
/// Knots, values and points may be active; shapes as in [`linear_interpolation()`]. Cost: `O(n)`, and `O(log n)` for each point.
///
/// # Panics
/// As [`linear_interpolation()`].
///
/// Source: de Boor 1978, *A practical guide to splines*, chapter IV.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::natural_spline;
///
/// #[differentiable]
/// fn middle(values: &[f64]) -> f64 {
///     let y = natural_spline(&[1.5], &[0.0, 1.0, 2.0, 3.0], values);
///     y[0]
/// }
///
/// // the spline is linear in its values: its gradient is the weight of each
/// let (weights,) = gradient!(middle, &[0.0, 1.0, 4.0, 9.0][..]);
/// let expected = [-0.075, 0.575, 0.575, -0.075];
/// assert!(weights.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15));
/// ```
#[differentiable]
pub fn natural_spline<T: Real>(x: &[T], knots: &[T], values: &[T]) -> Vec<T> {
    check(knots, values);
    let bends = second_derivatives(knots, values);
    let mut y = vec![T::zero(); x.len()];
    for k in 0..x.len() {
        let i = piece(x[k], knots);
        let h = knots[i + 1] - knots[i];
        let (a, b) = ((knots[i + 1] - x[k]) / h, (x[k] - knots[i]) / h);
        let bend = (a * a * a - a) * bends[i] + (b * b * b - b) * bends[i + 1];
        y[k] = a * values[i] + b * values[i + 1] + bend * h * h / T::lit(6.0);
    }
    y
}

/// Those of the natural spline at its knots: a system of three diagonals, solved from the first to the last and back.
#[differentiable]
fn second_derivatives<T: Real>(knots: &[T], values: &[T]) -> Vec<T> {
    let n = knots.len();
    // hᵢ₋₁·mᵢ₋₁ + 2(hᵢ₋₁ + hᵢ)·mᵢ + hᵢ·mᵢ₊₁ = 6·(change of slope), of which each row keeps what depends on mᵢ₊₁ alone
    let mut above = vec![T::zero(); n];
    let mut bends = vec![T::zero(); n];
    for i in 1..n - 1 {
        let (before, after) = (knots[i] - knots[i - 1], knots[i + 1] - knots[i]);
        let slopes = (values[i + 1] - values[i]) / after - (values[i] - values[i - 1]) / before;
        let pivot = T::lit(2.0) * (before + after) - before * above[i - 1];
        above[i] = after / pivot;
        bends[i] = (T::lit(6.0) * slopes - before * bends[i - 1]) / pivot;
    }
    for j in 2..n {
        let i = n - j;
        bends[i] = bends[i] - above[i] * bends[i + 1];
    }
    bends
}

/// The monotone cubic through `(knots, values)`, at each of `x`: once continuously differentiable, and it rises, falls or stays wherever the values do, so
/// that it is never outside of its two values. Outside of the knots it is the tangent at the end.
///
/// The slope at a knot is the weighted harmonic mean of those of the lines beside it, and zero where they differ in sign. It is the curve that other packages
/// call PCHIP, but for what is outside. Knots, values and points may be active; shapes as in [`linear_interpolation()`]. The derivative has a jump where a line
/// beside a knot changes its sign. Cost: `O(n)`, and `O(log n)` for each point.
///
/// # Panics
/// As [`linear_interpolation()`].
///
/// Source: Fritsch & Butland 1984, *A method for constructing local monotone piecewise cubic interpolants*, doi:10.1137/0905021, after Fritsch &
/// Carlson 1980, doi:10.1137/0717021.
///
/// ```
/// use coenzyme_loops::{monotone_interpolation, natural_spline};
///
/// let (knots, values) = ([0.0, 1.0, 2.0, 3.0], [0.0, 0.0, 1.0, 1.0]);
/// assert_eq!(monotone_interpolation(&[0.5, 1.5, 2.5], &knots, &values), [0.0, 0.5, 1.0]);
/// assert!(natural_spline(&[0.5], &knots, &values)[0] < 0.0);
/// ```
#[differentiable]
pub fn monotone_interpolation<T: Real>(x: &[T], knots: &[T], values: &[T]) -> Vec<T> {
    check(knots, values);
    let slopes = monotone_slopes(knots, values);
    let last = knots.len() - 1;
    let mut y = vec![T::zero(); x.len()];
    for k in 0..x.len() {
        if x[k] < knots[0] {
            y[k] = values[0] + (x[k] - knots[0]) * slopes[0];
        } else if x[k] > knots[last] {
            y[k] = values[last] + (x[k] - knots[last]) * slopes[last];
        } else {
            let i = piece(x[k], knots);
            let h = knots[i + 1] - knots[i];
            let s = (x[k] - knots[i]) / h;
            let r = T::one() - s;
            let rise = s * s * (T::lit(3.0) - T::lit(2.0) * s) * (values[i + 1] - values[i]);
            y[k] = values[i] + rise + h * s * r * (r * slopes[i] - s * slopes[i + 1]);
        }
    }
    y
}

/// Those of the monotone cubic at its knots.
#[differentiable]
fn monotone_slopes<T: Real>(knots: &[T], values: &[T]) -> Vec<T> {
    let n = knots.len();
    let mut lines = vec![T::zero(); n - 1];
    for i in 0..n - 1 {
        lines[i] = (values[i + 1] - values[i]) / (knots[i + 1] - knots[i]);
    }
    let mut slopes = vec![lines[0]; n];
    for i in 1..n - 1 {
        let (before, after) = (knots[i] - knots[i - 1], knots[i + 1] - knots[i]);
        let mut slope = T::zero();
        if lines[i - 1] * lines[i] > T::zero() {
            let (left, right) = (T::lit(2.0) * after + before, after + T::lit(2.0) * before);
            slope = (left + right) / (left / lines[i - 1] + right / lines[i]);
        }
        slopes[i] = slope;
    }
    if n > 2 {
        slopes[0] = end_slope(knots[1] - knots[0], knots[2] - knots[1], lines[0], lines[1]);
        let (h, next) = (knots[n - 1] - knots[n - 2], knots[n - 2] - knots[n - 3]);
        slopes[n - 1] = end_slope(h, next, lines[n - 2], lines[n - 3]);
    }
    slopes
}

/// The slope at an end of the parabola through three values, as far as the curve stays monotone with it.
#[differentiable]
fn end_slope<T: Real>(h: T, next: T, line: T, beyond: T) -> T {
    let slope = ((T::lit(2.0) * h + next) * line - h * beyond) / (h + next);
    if slope * line <= T::zero() {
        T::zero()
    } else if line * beyond < T::zero() && slope.abs() > T::lit(3.0) * line.abs() {
        T::lit(3.0) * line
    } else {
        slope
    }
}
