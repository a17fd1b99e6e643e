//! Heat in a plate of 20 × 20 cells (`examples/heat`), 120 steps, two pictures: the loop as it stands, and with eight states kept.
//! The adjoint by hand keeps every state.

#[path = "../../examples/heat/model.rs"]
#[allow(dead_code)]
mod model;

use std::hint::black_box;

use coenzyme::prelude::*;
use coenzyme_rules::loops::Schedule;
use model::{N, Picture, misfit, misfit_taped};

use crate::measure::{Bench, Gradient, Workload, numbers};

const STEPS: usize = 120;

struct Plate {
    log_k: Vec<f64>,
    pictures: Vec<Picture>,
}

impl Plate {
    fn new() -> Self {
        Self {
            log_k: numbers(1, N * N, -0.3, 0.3),
            pictures: model::experiments(&model::plate(), STEPS)[5..7].to_vec(),
        }
    }
}

macro_rules! workload {
    ($name:ident, $f:ident $(, $schedule:expr)?) => {
        struct $name(Plate);

        impl Workload for $name {
            fn lengths(&self) -> Vec<usize> {
                vec![N * N]
            }
            fn primal(&self) -> f64 {
                $f(black_box(&self.0.log_k), &self.0.pictures, STEPS $(, $schedule)?)
            }
            fn hand(&self, d: &mut Gradient) {
                model::by_hand(black_box(&self.0.log_k), &self.0.pictures, STEPS, &mut d[0]);
            }
            fn generated(&self, d: &mut Gradient) {
                autodiff!(
                    Reverse,
                    $f,
                    Active,
                    Duplicated(black_box(&self.0.log_k[..]), &mut d[0][..]),
                    Const(&self.0.pictures[..]),
                    Const(STEPS)
                    $(, Const($schedule))?
                );
            }
            fn tape_bytes(&self) -> usize {
                let mut d = vec![0.0; N * N];
                let args = &mut (
                    Duplicated(&self.0.log_k[..], &mut d[..]),
                    Const(&self.0.pictures[..]),
                    Const(STEPS),
                    $(Const($schedule),)?
                );
                Thunk::<_, Active<f64>>::new($f {}).augmented(args).tape.bytes()
            }
        }
    };
}

workload!(Taped, misfit_taped);
workload!(Checkpointed, misfit, Schedule::binomial(8));

pub(crate) fn run(bench: &Bench) {
    bench.run("heat", &Taped(Plate::new()));
    bench.run("heat checkpointed", &Checkpointed(Plate::new()));
}
