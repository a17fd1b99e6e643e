//! A pendulum by Euler's method: `x ← x − hθ sin x`, 100 000 steps of 1e-5, loss `x²`.

use std::cell::RefCell;
use std::hint::black_box;

use coenzyme::prelude::*;

use crate::measure::{Bench, Gradient, Workload};

#[differentiable]
fn pendulum(x0: f64, theta: f64, steps: usize, h: f64) -> f64 {
    let mut x = x0;
    for _ in 0..steps {
        x -= h * theta * x.sin();
    }
    x * x
}

#[derive(Default)]
struct Pendulum(RefCell<Vec<f64>>);

const START: (f64, f64) = (1.2, 0.9);
const STEPS: (usize, f64) = (100_000, 1e-5);

impl Workload for Pendulum {
    fn lengths(&self) -> Vec<usize> {
        vec![2]
    }
    fn primal(&self) -> f64 {
        pendulum(black_box(START.0), black_box(START.1), STEPS.0, STEPS.1)
    }
    fn hand(&self, d: &mut Gradient) {
        let ((x0, theta), (steps, h)) = (black_box(START), STEPS);
        let mut tape = self.0.borrow_mut();
        tape.clear();
        let mut x = x0;
        for _ in 0..steps {
            tape.push(x);
            x -= h * theta * x.sin();
        }
        let (mut dx, mut dtheta) = (2.0 * x, 0.0);
        for x in tape.iter().rev() {
            let (sin, cos) = x.sin_cos();
            dtheta -= h * sin * dx;
            dx -= h * theta * cos * dx;
        }
        d[0][0] += dx;
        d[0][1] += dtheta;
    }
    fn generated(&self, d: &mut Gradient) {
        let ((x0, theta), (steps, h)) = (black_box(START), STEPS);
        let ((dx, dtheta, ..),) = autodiff!(
            Reverse,
            pendulum,
            Active,
            Active(x0),
            Active(theta),
            Const(steps),
            Const(h)
        );
        d[0][0] += dx;
        d[0][1] += dtheta;
    }
    fn tape_bytes(&self) -> usize {
        let args = &mut (
            Active(START.0),
            Active(START.1),
            Const(STEPS.0),
            Const(STEPS.1),
        );
        Thunk::<_, Active<f64>>::new(pendulum {})
            .augmented(args)
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    bench.run("pendulum", &Pendulum::default());
}
