//! Robertson's chemical reactions, whose rates are nine orders of magnitude apart: the three rates are found from noisy measurements by Levenberg and
//! Marquardt's method, with the Jacobian from forward sensitivities of an implicit solver in three lanes. Its product with the residuals
//! is the gradient of reverse mode, which is asserted.
//!
//! Writes `kinetics.png` to the folder that is given, or to `target/pictures`: where it began, the fit, the measurements.

use coenzyme::prelude::*;
use coenzyme::{AsConst, BatchDuplicated};
use coenzyme_loops::ode::{Method, Ode, integrate};
use coenzyme_loops::{Error, random};

#[path = "pictures/mod.rs"]
mod pictures;
use pictures::{Curve, Frame};

const RATES: [f64; 3] = [0.04, 3e7, 1e4];
/// Measurements, at times `10⁻⁵ … 10⁵`.
const TIMES: usize = 31;
/// The second substance is rare.
const SCALE: [f64; 3] = [1.0, 2e4, 1.0];
const NOISE: f64 = 0.01;

/// `A → B`, `2B → B + C`, `B + C → A + C`, for the logarithms of the rates.
#[differentiable]
fn reactions(dx: &mut [f64], x: &[f64], p: &[f64], _t: f64) {
    let slow = p[0].exp() * x[0];
    let fast = p[1].exp() * x[1] * x[1];
    let back = p[2].exp() * x[1] * x[2];
    dx[0] = back - slow;
    dx[1] = slow - back - fast;
    dx[2] = fast;
}

fn time(i: usize) -> f64 {
    10_f64.powf(i as f64 / 3.0 - 5.0)
}

/// From the measurement before, or the start, to this one.
fn stretch(i: usize) -> Ode {
    let from = if i == 0 { 0.0 } else { time(i - 1) };
    Ode::adaptive(Method::Sdirk4, from, time(i), 1e-6, 1e-10)
}

/// A state, and its derivatives in the three parameters.
type Row = ([f64; 3], [[f64; 3]; 3]);

/// The substances at each time, and their derivatives.
fn solve(p: &[f64; 3]) -> Result<Vec<Row>, Error> {
    let (mut x, mut lanes) = ([1.0, 0.0, 0.0], [[0.0; 3]; 3]);
    let directions: [[f64; 3]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j)));
    let mut rows = Vec::new();
    for i in 0..TIMES {
        let args = (
            BatchDuplicated(&mut x[..], lanes.each_mut().map(|lane| &mut lane[..])),
            BatchDuplicated(&p[..], directions.each_ref().map(|d| &d[..])),
            Const(Inactive(reactions {})),
            Const(stretch(i)),
        );
        autodiff(Forward, &integrate {}, AsConst, args)?;
        rows.push((x, lanes));
    }
    Ok(rows)
}

/// `½·Σ r²`, as a program of its own.
#[differentiable]
fn misfit(p: &[f64], measured: &[[f64; 3]]) -> Result<f64, Error> {
    let mut x = [1.0, 0.0, 0.0];
    let mut sum = 0.0;
    for i in 0..measured.len() {
        integrate(&mut x[..], p, Inactive(reactions {}), stretch(i))?;
        for k in 0..3 {
            let r = SCALE[k] * x[k] - measured[i][k];
            sum += 0.5 * r * r;
        }
    }
    Ok(sum)
}

/// `JᵀJ`, `Jᵀr` and `½·Σ r²`.
fn normal_equations(rows: &[Row], measured: &[[f64; 3]]) -> ([[f64; 3]; 3], [f64; 3], f64) {
    let (mut matrix, mut right, mut half_squares) = ([[0.0; 3]; 3], [0.0; 3], 0.0);
    for ((x, lanes), measured) in rows.iter().zip(measured) {
        for k in 0..3 {
            let r = SCALE[k] * x[k] - measured[k];
            half_squares += 0.5 * r * r;
            for i in 0..3 {
                right[i] += SCALE[k] * lanes[i][k] * r;
                (0..3)
                    .for_each(|j| matrix[i][j] += SCALE[k] * SCALE[k] * lanes[i][k] * lanes[j][k]);
            }
        }
    }
    (matrix, right, half_squares)
}

/// Cramer's rule.
fn solved(m: &[[f64; 3]; 3], b: &[f64; 3]) -> [f64; 3] {
    let det = |[a, b, c]: [[f64; 3]; 3]| {
        a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
    };
    std::array::from_fn(|i| {
        let mut with = *m;
        (0..3).for_each(|row| with[row][i] = b[row]);
        det(with) / det(*m)
    })
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let truth = RATES.map(f64::ln);
    let noise = |i: usize, k: usize| NOISE * random::normal(1, (3 * i + k) as u64);
    let exact = solve(&truth)?;
    let measured: Vec<[f64; 3]> = (exact.iter().enumerate())
        .map(|(i, (x, _))| std::array::from_fn(|k| SCALE[k] * x[k] + noise(i, k)))
        .collect();

    let start = [0.2, 1e8, 2e3].map(f64::ln);
    let (mut p, mut damping) = (start, 1e-2);
    let mut rows = solve(&p)?;
    for iteration in 0..40 {
        let (mut matrix, right, squares) = normal_equations(&rows, &measured);
        let (gradient, _) = gradient!(misfit, &p[..], &measured[..])?;
        for (forward, reverse) in right.iter().zip(&gradient) {
            assert!((forward - reverse).abs() < 1e-7 * (1.0 + reverse.abs()));
        }
        let rates = p.map(f64::exp);
        println!(
            "{iteration:2}  {:.5} {:.4e} {:.4e}  misfit {squares:.6}",
            rates[0], rates[1], rates[2]
        );
        (0..3).for_each(|i| matrix[i][i] *= 1.0 + damping);
        let change = solved(&matrix, &right);
        let next: [f64; 3] = std::array::from_fn(|i| p[i] - change[i]);
        let found = solve(&next)?;
        if normal_equations(&found, &measured).2 < squares {
            (p, rows, damping) = (next, found, damping * 0.2);
        } else {
            damping *= 8.0;
        }
        if change.iter().all(|change| change.abs() < 1e-8) {
            break;
        }
    }
    let (matrix, _, squares) = normal_equations(&rows, &measured);
    let variance = 2.0 * squares / (3 * TIMES - 3) as f64;
    for i in 0..3 {
        let unit: [f64; 3] = std::array::from_fn(|j| f64::from(i == j));
        let deviation = (variance * solved(&matrix, &unit)[i]).sqrt();
        println!("rate {i}: {:.5e} ± {:.1} %", p[i].exp(), 100.0 * deviation);
        assert!((p[i] - truth[i]).abs() < 4.0 * deviation);
    }
    draw(&solve(&start)?, &rows, &measured)
}

fn draw(
    start: &[Row],
    fit: &[Row],
    measured: &[[f64; 3]],
) -> Result<(), Box<dyn std::error::Error>> {
    let mut curves = Vec::new();
    for k in 0..3 {
        let at = |rows: &[Row]| {
            let points = rows.iter().enumerate();
            points
                .map(|(i, (x, _))| (time(i).log10(), SCALE[k] * x[k]))
                .collect::<Vec<_>>()
        };
        let points = measured.iter().enumerate();
        let points = points.map(|(i, x)| (time(i).log10(), x[k])).collect();
        curves.extend([
            Curve::line(at(start)),
            Curve::line(at(fit)),
            Curve::points(points),
        ]);
    }
    let folder = pictures::folder();
    Frame::new(-5.2..5.2, -0.05..1.1, curves).save(&folder.join("kinetics.png"))?;
    println!("the picture is in {}", folder.display());
    Ok(())
}
