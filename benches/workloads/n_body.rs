//! The potential energy of 100 bodies (`examples/n_body`), in positions and masses.

#[path = "../../examples/n_body/model.rs"]
#[allow(dead_code)]
mod model;

use std::hint::black_box;

use coenzyme::prelude::*;
use model::potential;

use crate::measure::{Bench, Gradient, Workload, numbers};

struct Bodies {
    x: Vec<[f64; 3]>,
    mass: Vec<f64>,
}

impl Workload for Bodies {
    fn lengths(&self) -> Vec<usize> {
        vec![3 * self.x.len()]
    }
    fn primal(&self) -> f64 {
        potential(black_box(&self.x), black_box(&self.mass))
    }
    fn hand(&self, d: &mut Gradient) {
        let (dx, _) = d[0].as_chunks_mut();
        model::by_hand(black_box(&self.x), black_box(&self.mass), dx);
    }
    fn generated(&self, d: &mut Gradient) {
        let (dx, _) = d[0].as_chunks_mut::<3>();
        autodiff!(
            Reverse,
            potential,
            Active,
            Duplicated(black_box(&self.x[..]), dx),
            Const(black_box(&self.mass[..]))
        );
    }
    fn tape_bytes(&self) -> usize {
        let mut dx = vec![[0.0; 3]; self.x.len()];
        let args = &mut (Duplicated(&self.x[..], &mut dx[..]), Const(&self.mass[..]));
        Thunk::<_, Active<f64>>::new(potential {})
            .augmented(args)
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    let x = numbers(1, 300, -1.0, 1.0).as_chunks().0.to_vec();
    let mass = numbers(2, 100, 0.5, 2.0);
    bench.run("n-body", &Bodies { x, mass });
}
