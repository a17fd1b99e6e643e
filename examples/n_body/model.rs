//! Bodies that attract each other: the energy, its gradient, and the motion.

use coenzyme::prelude::*;

/// `−Σ mᵢmⱼ/|xᵢ − xⱼ|` over all pairs, with a gravitational constant of one.
#[differentiable]
pub(crate) fn potential(x: &[[f64; 3]], mass: &[f64]) -> f64 {
    let mut energy = 0.0;
    for i in 0..x.len() {
        for j in 0..i {
            let d0 = x[i][0] - x[j][0];
            let d1 = x[i][1] - x[j][1];
            let d2 = x[i][2] - x[j][2];
            energy -= mass[i] * mass[j] / (d0 * d0 + d1 * d1 + d2 * d2).sqrt();
        }
    }
    energy
}

/// The gradient by hand: `∂E/∂xᵢ = Σ mᵢmⱼ(xᵢ − xⱼ)/|xᵢ − xⱼ|³`, minus Newton's force. Adds to `dx`.
pub(crate) fn by_hand(x: &[[f64; 3]], mass: &[f64], dx: &mut [[f64; 3]]) {
    for i in 0..x.len() {
        for j in 0..i {
            let d: [f64; 3] = std::array::from_fn(|k| x[i][k] - x[j][k]);
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            let pull = mass[i] * mass[j] / (square * square.sqrt());
            for k in 0..3 {
                dx[i][k] += pull * d[k];
                dx[j][k] -= pull * d[k];
            }
        }
    }
}

/// Positions and velocities of bodies.
#[derive(Clone, Debug)]
pub(crate) struct System {
    pub(crate) mass: Vec<f64>,
    pub(crate) x: Vec<[f64; 3]>,
    pub(crate) v: Vec<[f64; 3]>,
}

impl System {
    /// Three equal bodies that follow each other on one curve, an eight: Chenciner and Montgomery, Annals of Mathematics 152,
    /// 2000, doi:10.2307/2661357, with the initial conditions that Simó found.
    pub(crate) fn figure_eight() -> Self {
        let (a, b) = (
            [0.97000436, -0.24308753, 0.0],
            [-0.93240737, -0.86473146, 0.0],
        );
        Self {
            mass: vec![1.0; 3],
            x: vec![a, a.map(|a| -a), [0.0; 3]],
            v: vec![b.map(|b| -0.5 * b), b.map(|b| -0.5 * b), b],
        }
    }

    /// Kinetic and potential energy.
    pub(crate) fn energy(&self) -> f64 {
        let kinetic = |(m, v): (&f64, &[f64; 3])| 0.5 * m * v.iter().map(|v| v * v).sum::<f64>();
        potential(&self.x, &self.mass) + self.mass.iter().zip(&self.v).map(kinetic).sum::<f64>()
    }

    /// The sum of all momenta.
    pub(crate) fn momentum(&self) -> [f64; 3] {
        let bodies = || self.mass.iter().zip(&self.v);
        std::array::from_fn(|k| bodies().map(|(m, v)| m * v[k]).sum())
    }

    /// A step of the leapfrog method: half a kick, a drift, half a kick, with forces from the generated gradient.
    pub(crate) fn step(&mut self, h: f64) {
        self.kick(0.5 * h);
        for (x, v) in self.x.iter_mut().zip(&self.v) {
            for k in 0..3 {
                x[k] += h * v[k];
            }
        }
        self.kick(0.5 * h);
    }

    fn kick(&mut self, h: f64) {
        let (gradient, ()) = gradient!(potential, &self.x, Const(&self.mass[..]));
        for ((v, gradient), m) in self.v.iter_mut().zip(gradient).zip(&self.mass) {
            for k in 0..3 {
                v[k] -= h * gradient[k] / m;
            }
        }
    }
}
