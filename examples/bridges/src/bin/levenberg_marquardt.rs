//! Fits of two data sets of the National Institute of Standards and Technology (Statistical Reference Datasets, nonlinear regression:
//! Misra1a, of lower, and MGH09, of higher difficulty) with `levenberg-marquardt` and our Jacobian, asserted against the certified
//! parameters, their standard deviations and the residual sum of squares. The picture goes to `target/levenberg_marquardt.svg`.
//!
//! `cargo run --release --manifest-path examples/bridges/Cargo.toml --bin levenberg_marquardt`

use bridges::Plot;
use coenzyme::jacobian;
use coenzyme::prelude::*;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, Owned};

/// `y`, `x`: volume of a gas that a filter of charcoal takes up, and pressure (Misra, 1978).
const MISRA1A: [[f64; 2]; 14] = [
    [10.07, 77.6],
    [14.73, 114.9],
    [17.94, 141.1],
    [23.93, 190.8],
    [29.61, 239.9],
    [35.18, 289.0],
    [40.02, 332.8],
    [44.82, 378.4],
    [50.76, 434.8],
    [55.05, 477.3],
    [61.01, 536.8],
    [66.40, 593.1],
    [75.47, 689.1],
    [81.78, 760.0],
];

/// `y`, `x`: made by Kowalik and Osborne (1978).
const MGH09: [[f64; 2]; 11] = [
    [0.1957, 4.0],
    [0.1947, 2.0],
    [0.1735, 1.0],
    [0.1600, 0.5],
    [0.0844, 0.25],
    [0.0627, 0.167],
    [0.0456, 0.125],
    [0.0342, 0.1],
    [0.0323, 0.0833],
    [0.0235, 0.0714],
    [0.0246, 0.0625],
];

#[differentiable]
fn saturation(b: &[f64], x: f64) -> f64 {
    b[0] * (1.0 - (-b[1] * x).exp())
}

#[differentiable]
fn rational(b: &[f64], x: f64) -> f64 {
    b[0] * (x * x + x * b[1]) / (x * x + x * b[2] + b[3])
}

/// What the parameters `b` leave unexplained: of a saturation if there are two, else of a rational function.
#[differentiable]
fn residuals(b: &[f64], data: &[[f64; 2]]) -> Vec<f64> {
    let mut r = vec![0.0; data.len()];
    for i in 0..data.len() {
        let x = data[i][1];
        let model = if b.len() == 2 {
            saturation(b, x)
        } else {
            rational(b, x)
        };
        r[i] = model - data[i][0];
    }
    r
}

/// The solver's problem.
struct Fit<'a> {
    b: DVector<f64>,
    data: &'a [[f64; 2]],
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for Fit<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, b: &DVector<f64>) {
        self.b.copy_from(b);
    }
    fn params(&self) -> DVector<f64> {
        self.b.clone()
    }
    fn residuals(&self) -> Option<DVector<f64>> {
        Some(residuals(self.b.as_slice(), self.data).into())
    }
    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let j = jacobian!(residuals, self.b.as_slice(), Const(self.data));
        Some(DMatrix::from_row_slice(j.rows(), j.columns(), j.as_slice()))
    }
}

/// What the institute certifies.
struct Certified<'a> {
    b: &'a [f64],
    deviations: &'a [f64],
    sum_of_squares: f64,
}

/// Agreement in seven digits of what has eleven: the solver stops where the sum of squares does not change.
fn agrees(found: f64, certified: f64) -> bool {
    (found / certified - 1.0).abs() < 1e-7
}

/// Fits from `start` and compares.
fn fit(name: &str, data: &[[f64; 2]], start: &[f64], certified: Certified) -> Vec<f64> {
    let problem = Fit {
        b: DVector::from_column_slice(start),
        data,
    };
    let solver = LevenbergMarquardt::new()
        .with_tol(1e-15)
        .with_patience(1000);
    let (fit, report) = solver.minimize(problem);
    let sum = 2.0 * report.objective_function;
    println!(
        "{name}: {} evaluations, residual sum of squares {sum:.10e}",
        report.number_of_evaluations
    );
    assert!(agrees(sum, certified.sum_of_squares));
    // the covariance is s² (JᵀJ)⁻¹
    let j = fit.jacobian().expect("the model has a value everywhere");
    let s2 = sum / (data.len() - start.len()) as f64;
    let covariance = (j.tr_mul(&j))
        .try_inverse()
        .expect("independent parameters")
        * s2;
    for (i, (b, deviation)) in certified.b.iter().zip(certified.deviations).enumerate() {
        let found = covariance[(i, i)].sqrt();
        println!("  b{} = {:.10e} ± {found:.10e}", i + 1, fit.b[i]);
        assert!(agrees(fit.b[i], *b) && agrees(found, *deviation));
    }
    fit.b.as_slice().to_vec()
}

fn main() -> std::io::Result<()> {
    let gas = Certified {
        b: &[2.3894212918e2, 5.5015643181e-4],
        deviations: &[2.7070075241, 7.2668688436e-6],
        sum_of_squares: 1.2455138894e-1,
    };
    let gas = fit("Misra1a", &MISRA1A, &[500.0, 0.0001], gas);
    let rate = Certified {
        b: &[
            1.9280693458e-1,
            1.9128232873e-1,
            1.2305650693e-1,
            1.3606233068e-1,
        ],
        deviations: &[
            1.1435312227e-2,
            1.9633220911e-1,
            8.0842031232e-2,
            9.0025542308e-2,
        ],
        sum_of_squares: 3.0750560385e-4,
    };
    let rate = fit("MGH09", &MGH09, &[0.25, 0.39, 0.415, 0.39], rate);

    // both in parts of their greatest abscissa and ordinate
    let mut plot = Plot::new("Misra1a and MGH09, fitted", [0.0, 1.0], [0.0, 1.05]);
    let sweep = |model: &dyn Fn(f64) -> f64, x: f64, y: f64| -> Vec<[f64; 2]> {
        let at = |i: i32| f64::from(i) / 200.0;
        (0..=200).map(|i| [at(i), model(at(i) * x) / y]).collect()
    };
    plot.line(
        sweep(&|x| saturation(&gas, x), 760.0, 81.78),
        "#1b6ca8",
        2.0,
    );
    plot.dots(MISRA1A.map(|[y, x]| [x / 760.0, y / 81.78]), "#1b6ca8");
    plot.line(sweep(&|x| rational(&rate, x), 4.0, 0.1957), "#d95f02", 2.0);
    plot.dots(MGH09.map(|[y, x]| [x / 4.0, y / 0.1957]), "#d95f02");
    plot.save("levenberg_marquardt")
}
