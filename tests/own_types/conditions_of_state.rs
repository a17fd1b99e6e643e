//! `while` loops whose condition reads a parameter that calls in the body change.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Simulation {
    x: f64,
    t: f64,
    steps: usize,
}

#[differentiable]
impl Simulation {
    fn step(&mut self, dt: f64) {
        self.x += dt * self.x * self.x;
        self.t += dt;
        self.steps += 1;
    }

    fn run(&mut self, end: f64) {
        while self.t < end {
            self.step(0.1);
        }
    }

    fn done(&self) -> bool {
        self.steps >= 2
    }

    fn run_to_the_end(&mut self, end: f64) {
        while self.t < end {
            let dt = (end - self.t).min(0.2);
            self.step(dt);
            self.x *= 0.9;
            if self.x > 100.0 {
                break;
            }
        }
    }
}

#[differentiable]
fn run(simulation: &mut Simulation, most: usize) -> f64 {
    let mut area = 0.0;
    while !simulation.done() && simulation.steps < most {
        simulation.step(0.3);
        area += simulation.x;
    }
    area
}

#[differentiable]
fn in_rounds(simulation: &mut Simulation, rounds: usize) {
    for round in 0..rounds {
        while simulation.steps < 2 * (round + 1) {
            simulation.step(0.05);
        }
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut simulation = Simulation {
        x,
        t: 0.0,
        steps: 0,
    };
    let area = run(&mut simulation, 5);
    simulation.run(0.95);
    simulation.run_to_the_end(1.28);
    in_rounds(&mut simulation, 7);
    simulation.x * area
}

judge! {
    f(0.3);
}
