//! What is inside a plate, by heating its surface and looking: the conductivity of each cell is found from sixteen pictures of the
//! temperature, by L-BFGS with a gradient through the time loop of a heat equation.
//!
//! The loop keeps eight of its states (`coenzyme_rules::loops`). The gradient is asserted against one that keeps the tape of
//! every step, and against an adjoint written by hand. The picture goes to `target/heat.svg`.
//!
//! `cargo run --release --example heat`

mod model;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use argmin::core::{CostFunction, Error, Executor, Gradient, State};
use argmin::solver::linesearch::MoreThuenteLineSearch;
use argmin::solver::quasinewton::LBFGS;
use coenzyme::prelude::*;
use coenzyme_rules::loops::Schedule;
use model::{N, Picture, misfit, misfit_taped};

const STEPS: usize = 120;

/// The optimizer's problem: the conductivities that explain the pictures.
struct Problem<'a> {
    pictures: &'a [Picture],
    schedule: Schedule,
}

impl CostFunction for Problem<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, log_k: &Vec<f64>) -> Result<f64, Error> {
        Ok(misfit(log_k, self.pictures, STEPS, self.schedule))
    }
}

impl Gradient for Problem<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, log_k: &Vec<f64>) -> Result<Vec<f64>, Error> {
        let mut d = make_zero(log_k);
        autodiff!(
            Reverse,
            misfit,
            Duplicated(log_k, &mut d),
            Const(self.pictures),
            Const(STEPS),
            Const(self.schedule)
        );
        Ok(d)
    }
}

fn main() -> Result<(), Error> {
    let truth = model::plate();
    let pictures = model::experiments(&truth, STEPS);
    let start = vec![0.0; N * N];
    let problem = Problem {
        pictures: &pictures,
        schedule: Schedule::binomial(8),
    };

    let gradient = problem.gradient(&start)?;
    let (mut taped, mut hand) = (vec![0.0; N * N], vec![0.0; N * N]);
    autodiff!(
        Reverse,
        misfit_taped,
        Duplicated(&start, &mut taped),
        Const(&pictures[..]),
        Const(STEPS)
    );
    model::by_hand(&start, &pictures, STEPS, &mut hand);
    println!(
        "gradient of the misfit in {} conductivities, relative distance to that\n",
        N * N
    );
    println!(
        "  of the loop without checkpoints  {:.1e}",
        distance(&gradient, &taped)
    );
    println!(
        "  of the adjoint written by hand   {:.1e}",
        distance(&gradient, &hand)
    );
    assert!(distance(&gradient, &taped) < 1e-12);
    assert!(distance(&gradient, &hand) < 1e-12);

    let solver = LBFGS::new(MoreThuenteLineSearch::new(), 11).with_tolerance_grad(1e-7)?;
    let result = Executor::new(Problem { ..problem }, solver)
        .configure(|state| state.param(start.clone()).max_iters(150))
        .run()?;
    let found = result
        .state()
        .get_best_param()
        .expect("an iteration has parameters");
    let (before, after) = (distance(&start, &truth), distance(found, &truth));
    println!("\n{:28}{:>12}{:>12}", "", "start", "found");
    println!(
        "{:28}{:>12.3e}{:>12.3e}",
        "misfit",
        problem.cost(&start)?,
        result.state().get_best_cost()
    );
    println!(
        "{:28}{before:>12.3}{after:>12.3}",
        "distance to the true plate"
    );
    println!("iterations: {}", result.state().get_iter());
    assert!(
        after < 0.1,
        "relative distance {after} of the conductivities from the true ones"
    );

    let path = target().join("heat.svg");
    std::fs::write(
        &path,
        svg(&[("start", &start), ("found", found), ("true", &truth)]),
    )?;
    println!("picture: {}", path.display());
    Ok(())
}

/// `|a − b|/|b|`.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let square: f64 = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum();
    (square / b.iter().map(|b| b * b).sum::<f64>()).sqrt()
}

/// The plates side by side: blue conducts badly, red well.
fn svg(plates: &[(&str, &[f64])]) -> String {
    let cell = 12;
    let side = cell * N;
    let (width, height) = (plates.len() * (side + 20) + 20, side + 50);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"15\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (at, (name, log_k)) in plates.iter().enumerate() {
        let left = 20 + at * (side + 20);
        let _ = writeln!(svg, "<text x=\"{left}\" y=\"25\">{name}</text>");
        for (c, m) in log_k.iter().enumerate() {
            let (x, y) = (left + c % N * cell, 35 + c / N * cell);
            let shade = |m: f64| (255.0 * (1.0 - m / 1.7).clamp(0.0, 1.0)) as u8;
            let (red, blue) = (shade(-m), shade(*m));
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{cell}\" height=\"{cell}\" fill=\"rgb({red},{},{blue})\"/>",
                red.min(blue)
            );
        }
    }
    svg + "</svg>\n"
}

/// The directory that this program was built in: `target`, two above `release/examples`.
fn target() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().nth(3);
    target.unwrap_or(Path::new(".")).to_owned()
}
