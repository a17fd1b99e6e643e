//! The influenza in an English boarding school, January 1978 (763 boys; British Medical Journal 1978, 1:587): the rates of infection and recovery of the
//! SIR model by Gauss and Newton's method, with the Jacobian from forward sensitivities of the solver in two lanes, and bands of two standard deviations.
//!
//! Writes `epidemic.png` to the folder that is given, or to `target/pictures`.

use coenzyme::prelude::*;
use coenzyme::{AsConst, BatchDuplicated};
use coenzyme_loops::Error;
use coenzyme_loops::ode::{Method, Ode, integrate};

#[path = "pictures/mod.rs"]
mod pictures;
use pictures::{Curve, Frame};

/// Boys in bed, day by day.
const IN_BED: [f64; 14] = [
    3.0, 8.0, 26.0, 76.0, 225.0, 298.0, 258.0, 233.0, 189.0, 128.0, 68.0, 29.0, 14.0, 4.0,
];
const BOYS: f64 = 763.0;

/// Susceptible and infected, for `p = (β, γ)`.
#[differentiable]
fn spread(dx: &mut [f64], x: &[f64], p: &[f64], _t: f64) {
    let infected = p[0] * x[0] * x[1] / BOYS;
    dx[0] = -infected;
    dx[1] = infected - p[1] * x[1];
}

/// The infected at every tenth of a day, and their derivatives in `β` and `γ`.
fn solve(p: &[f64; 2]) -> Result<Vec<(f64, [f64; 2])>, Error> {
    let (mut x, mut lanes) = ([BOYS - IN_BED[0], IN_BED[0]], [[0.0; 2]; 2]);
    let directions = [[1.0, 0.0], [0.0, 1.0]];
    let mut infected = vec![(x[1], [0.0; 2])];
    for tenth in 0..130 {
        let (from, to) = (f64::from(tenth) / 10.0, f64::from(tenth + 1) / 10.0);
        let args = (
            BatchDuplicated(&mut x[..], lanes.each_mut().map(|lane| &mut lane[..])),
            BatchDuplicated(&p[..], directions.each_ref().map(|d| &d[..])),
            Const(Inactive(spread {})),
            Const(Ode::fixed(Method::Rk4, from, to, 2)),
        );
        autodiff(Forward, &integrate {}, AsConst, args)?;
        infected.push((x[1], lanes.map(|lane| lane[1])));
    }
    Ok(infected)
}

/// `JᵀJ` and `Jᵀr`, and the sum of squares.
fn normal_equations(infected: &[(f64, [f64; 2])]) -> ([[f64; 2]; 2], [f64; 2], f64) {
    let (mut matrix, mut right, mut squares) = ([[0.0; 2]; 2], [0.0; 2], 0.0);
    for (day, measured) in IN_BED.iter().enumerate() {
        let (value, d) = infected[10 * day];
        let r = measured - value;
        squares += r * r;
        for i in 0..2 {
            right[i] += d[i] * r;
            (0..2).for_each(|j| matrix[i][j] += d[i] * d[j]);
        }
    }
    (matrix, right, squares)
}

fn inverse([[a, b], [c, d]]: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    let det = a * d - b * c;
    [[d / det, -b / det], [-c / det, a / det]]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut p = [2.0, 0.5];
    let mut last = f64::INFINITY;
    for iteration in 0..50 {
        let (matrix, right, squares) = normal_equations(&solve(&p)?);
        println!(
            "{iteration:2}  β = {:.6}  γ = {:.6}  squares {squares:.3}",
            p[0], p[1]
        );
        if (last - squares).abs() < 1e-10 * squares {
            break;
        }
        last = squares;
        let inverse = inverse(matrix);
        let change = [0, 1].map(|i| inverse[i][0] * right[0] + inverse[i][1] * right[1]);
        // a step that does not help is halved
        let mut length = 1.0;
        let next = loop {
            let next = [p[0] + length * change[0], p[1] + length * change[1]];
            if normal_equations(&solve(&next)?).2 <= squares || length < 1e-6 {
                break next;
            }
            length *= 0.5;
        };
        p = next;
    }
    let infected = solve(&p)?;
    let (matrix, _, squares) = normal_equations(&infected);
    let variance = squares / (IN_BED.len() - 2) as f64;
    let covariance = inverse(matrix).map(|row| row.map(|c| c * variance));
    let deviation = [covariance[0][0].sqrt(), covariance[1][1].sqrt()];
    println!(
        "β = {:.4} ± {:.4}, γ = {:.4} ± {:.4}",
        p[0], deviation[0], p[1], deviation[1]
    );
    // what others have found for these data: 1.67 to 1.70, 0.44 to 0.45
    assert!((p[0] - 1.67).abs() < 0.05 && (p[1] - 0.445).abs() < 0.02);

    let at = |i: usize| i as f64 / 10.0;
    let width = |d: &[f64; 2]| {
        let of = |i: usize| covariance[i][0] * d[0] + covariance[i][1] * d[1];
        2.0 * (d[0] * of(0) + d[1] * of(1)).sqrt()
    };
    let edge = |sign: f64| {
        let points = infected.iter().enumerate();
        points
            .map(|(i, (y, d))| (at(i), y + sign * width(d)))
            .collect::<Vec<_>>()
    };
    let curve = infected
        .iter()
        .enumerate()
        .map(|(i, (y, _))| (at(i), *y))
        .collect();
    let data = IN_BED
        .iter()
        .enumerate()
        .map(|(day, y)| (day as f64, *y))
        .collect();
    let curves = vec![
        Curve::line(curve),
        Curve::band(edge(-1.0), edge(1.0)),
        Curve::points(data),
    ];
    let folder = pictures::folder();
    Frame::new(0.0..13.5, 0.0..340.0, curves).save(&folder.join("epidemic.png"))?;
    println!("the picture is in {}", folder.display());
    Ok(())
}
