//! How fast neighbours on Lorenz' attractor part: `ode_solvers` integrates the equation together with its variational equation
//! `dΦ/dt = J·Φ`, whose Jacobian is ours. The greatest Lyapunov exponent is asserted against the published 0.906 (Sprott, *Chaos and
//! Time-Series Analysis*, 2003), their sum against the trace of the Jacobian. The picture goes to `target/ode_solvers.svg`.
//!
//! `cargo run --release --manifest-path examples/bridges/Cargo.toml --bin ode_solvers`

use bridges::Plot;
use coenzyme::jacobian;
use coenzyme::prelude::*;
use ode_solvers::{Dop853, SVector, System};

const SIGMA: f64 = 10.0;
const RHO: f64 = 28.0;
const BETA: f64 = 8.0 / 3.0;
/// Between orthonormalizations.
const SPELL: f64 = 0.5;
const SPELLS: usize = 2000;

#[differentiable]
fn lorenz(p: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = p;
    [SIGMA * (y - x), x * (RHO - z) - y, x * y - BETA * z]
}

/// A point, and the columns of `Φ`.
type Bundle = SVector<f64, 12>;

struct Variational;

impl System<f64, Bundle> for Variational {
    fn system(&self, _: f64, state: &Bundle, d: &mut Bundle) {
        let point = [state[0], state[1], state[2]];
        d.as_mut_slice()[..3].copy_from_slice(&lorenz(point));
        let j = jacobian!(lorenz, point);
        for column in 1..4 {
            for i in 0..3 {
                d[3 * column + i] = (0..3).map(|k| j[(i, k)] * state[3 * column + k]).sum();
            }
        }
    }
}

/// Orthonormalizes the columns after Gram and Schmidt. Returns the logarithms of their lengths before.
fn orthonormalize(state: &mut Bundle) -> [f64; 3] {
    let mut stretched = [0.0; 3];
    for c in 0..3 {
        let mut column: [f64; 3] = std::array::from_fn(|i| state[3 * (c + 1) + i]);
        for earlier in 0..c {
            let unit: [f64; 3] = std::array::from_fn(|i| state[3 * (earlier + 1) + i]);
            let along: f64 = (0..3).map(|i| unit[i] * column[i]).sum();
            (0..3).for_each(|i| column[i] -= along * unit[i]);
        }
        let length = column.iter().map(|x| x * x).sum::<f64>().sqrt();
        stretched[c] = length.ln();
        (0..3).for_each(|i| state[3 * (c + 1) + i] = column[i] / length);
    }
    stretched
}

fn main() -> std::io::Result<()> {
    let mut plot = Plot::new(
        "Lorenz' attractor: red where neighbours part",
        [-20.0, 20.0],
        [0.0, 50.0],
    );
    let mut state = Bundle::from_fn(|i, _| match i {
        0..3 => 1.0,
        _ => f64::from(u8::from((i - 3) % 4 == 0)),
    });
    let mut sums = [0.0; 3];
    // the first spells lead to the attractor
    for spell in 0..SPELLS + 20 {
        let mut solver = Dop853::new(Variational, 0.0, SPELL, SPELL / 25.0, state, 1e-12, 1e-12);
        let done = solver.integrate();
        done.unwrap_or_else(|error| panic!("spell {spell}: {error}"));
        state = *solver.y_out().last().expect("the end of the spell");
        let stretched = orthonormalize(&mut state);
        if spell < 20 {
            continue;
        }
        (0..3).for_each(|i| sums[i] += stretched[i]);
        if spell < 220 {
            let shade = (255.0 / (1.0 + (-2.0 * stretched[0]).exp())) as u8;
            let way = solver.y_out().iter().map(|s| [s[0], s[2]]);
            plot.line(way, &format!("rgb({shade},80,{})", 255 - shade), 1.0);
        }
    }
    let exponents = sums.map(|sum| sum / (SPELL * SPELLS as f64));
    println!("Lyapunov exponents {exponents:.4?}");
    assert!((exponents[0] - 0.906).abs() < 0.03 && exponents[1].abs() < 0.02);
    // Liouville: volumes shrink as the trace of the Jacobian says, the same everywhere; the ends of the spells are interpolated
    let trace = -(SIGMA + 1.0 + BETA);
    let sum: f64 = exponents.iter().sum();
    println!("their sum {sum:.9}, the trace {trace:.9}");
    assert!((sum - trace).abs() < 1e-5);
    plot.save("ode_solvers")
}
