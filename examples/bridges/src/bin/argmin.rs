//! A chain of springs hangs as its energy is least: `argmin`'s trust region method with our gradient and Hessian. The tensions are
//! asserted against the weights that they carry, and the shape against a catenary. The picture goes to `target/argmin.svg`.
//!
//! `cargo run --release --manifest-path examples/bridges/Cargo.toml --bin argmin`

use argmin::core::{CostFunction, Error, Executor, Gradient, Hessian, State};
use argmin::solver::trustregion::{Steihaug, TrustRegion};
use bridges::Plot;
use coenzyme::hessian;
use coenzyme::prelude::*;

/// Links; the joints between them are free.
const LINKS: usize = 24;
/// Of the chain, and between its ends, which are on one level.
const LENGTH: f64 = 1.5;
const SPAN: f64 = 1.0;
/// Of all links together.
const WEIGHT: f64 = 1.0;
/// Of one link.
const STIFFNESS: f64 = 2e4;

/// Elastic energy and that of the weight, of the places `x₁, y₁, x₂, …` of the joints.
#[differentiable(order = 2)]
fn energy(joints: &[f64]) -> f64 {
    let rest = LENGTH / LINKS as f64;
    let mut energy = 0.0;
    let (mut x, mut y) = (0.0, 0.0);
    for i in 0..LINKS {
        let (mut next_x, mut next_y) = (SPAN, 0.0);
        if i + 1 < LINKS {
            next_x = joints[2 * i];
            next_y = joints[2 * i + 1];
        }
        let (dx, dy) = (next_x - x, next_y - y);
        let stretch = (dx * dx + dy * dy).sqrt() - rest;
        energy += 0.5 * STIFFNESS * stretch * stretch;
        // half of a link's weight hangs on each of its ends
        energy += 0.5 * WEIGHT / LINKS as f64 * (y + next_y);
        x = next_x;
        y = next_y;
    }
    energy
}

/// The solver's problem.
struct Chain;

impl CostFunction for Chain {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, joints: &Vec<f64>) -> Result<f64, Error> {
        Ok(energy(joints))
    }
}

impl Gradient for Chain {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, joints: &Vec<f64>) -> Result<Vec<f64>, Error> {
        Ok(gradient!(energy, joints).0)
    }
}

impl Hessian for Chain {
    type Param = Vec<f64>;
    type Hessian = Vec<Vec<f64>>;

    fn hessian(&self, joints: &Vec<f64>) -> Result<Vec<Vec<f64>>, Error> {
        Ok(hessian!(energy, joints))
    }
}

fn main() -> Result<(), Error> {
    // a triangle of the right length, which is no equilibrium
    let depth = 0.5 * (LENGTH * LENGTH - SPAN * SPAN).sqrt();
    let start = (1..LINKS).flat_map(|i| {
        let s = i as f64 / LINKS as f64;
        [SPAN * s, depth * ((2.0 * s - 1.0).abs() - 1.0)]
    });
    let start: Vec<f64> = start.collect();
    let solver = TrustRegion::new(Steihaug::new());
    let result = Executor::new(Chain, solver)
        .configure(|state| {
            state
                .param(start.clone())
                .max_iters(60)
                .target_cost(f64::NEG_INFINITY)
        })
        .run()?;
    let joints = result
        .state()
        .get_best_param()
        .expect("a best point")
        .clone();
    let slope = gradient!(energy, &joints).0;
    let slope = slope.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
    println!(
        "{} iterations, energy {:.6}, greatest force left {slope:.1e}",
        result.state().get_iter(),
        energy(&joints)
    );
    assert!(slope < 1e-7);

    let mut points = vec![[0.0, 0.0]];
    points.extend(joints.chunks(2).map(|p| [p[0], p[1]]));
    points.push([SPAN, 0.0]);
    check_tensions(&points);
    let a = check_catenary(&points);

    let mut plot = Plot::new(
        "a chain of springs, its start, and a catenary",
        [0.0, SPAN],
        [-0.6, 0.0],
    );
    let start = [vec![0.0, 0.0], start, vec![SPAN, 0.0]].concat();
    plot.line(start.chunks(2).map(|p| [p[0], p[1]]), "#bbbbbb", 1.5);
    plot.line(
        (0..=200).map(|i| catenary(a, SPAN * f64::from(i) / 200.0)),
        "#1b6ca8",
        2.0,
    );
    plot.dots(points, "#d95f02");
    Ok(plot.save("argmin")?)
}

/// The horizontal part of the tension is that of every link, and the vertical part grows by the weight of one.
fn check_tensions(points: &[[f64; 2]]) {
    let rest = LENGTH / LINKS as f64;
    let tension = |w: &[[f64; 2]]| {
        let (dx, dy) = (w[1][0] - w[0][0], w[1][1] - w[0][1]);
        let length = dx.hypot(dy);
        let force = STIFFNESS * (length - rest);
        [force * dx / length, force * dy / length]
    };
    let tensions: Vec<_> = points.windows(2).map(tension).collect();
    for pair in tensions.windows(2) {
        assert!((pair[1][0] - pair[0][0]).abs() < 1e-6);
        assert!((pair[1][1] - pair[0][1] - WEIGHT / LINKS as f64).abs() < 1e-6);
    }
    println!("tension at the lowest point {:.6}", tensions[LINKS / 2][0]);
}

/// The point of the catenary of parameter `a` at `x`.
fn catenary(a: f64, x: f64) -> [f64; 2] {
    let half = 0.5 * SPAN;
    [x, a * (((x - half) / a).cosh() - (half / a).cosh())]
}

/// The joints lie on the catenary of this length, but for the links that are straight and stretch. Returns its parameter.
fn check_catenary(points: &[[f64; 2]]) -> f64 {
    // 2a·sinh(span/2a) falls with a
    let (mut low, mut high) = (0.05, 10.0);
    for _ in 0..100 {
        let a = 0.5 * (low + high);
        match 2.0 * a * (0.5 * SPAN / a).sinh() > LENGTH {
            true => low = a,
            false => high = a,
        }
    }
    let far = points.iter().map(|p| (p[1] - catenary(low, p[0])[1]).abs());
    let far = far.fold(0.0, f64::max);
    println!("catenary of parameter {low:.6}, farthest joint {far:.1e} from it");
    assert!(far < 2e-3);
    low
}
