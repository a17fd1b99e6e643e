//! The log-likelihood of a local linear trend by Kalman's filter (`examples/kalman`): 2 × 2 matrices, 100 observations.

#[path = "../../examples/kalman/data.rs"]
mod data;
#[path = "../../examples/kalman/model.rs"]
mod model;

use std::hint::black_box;

use coenzyme::prelude::*;
use data::NILE;
use model::log_likelihood;

use crate::measure::{Bench, Gradient, Workload};

struct Kalman;

const LOG_R: f64 = 9.0;
const LOG_Q: [f64; 2] = [7.0, 2.0];

impl Workload for Kalman {
    fn lengths(&self) -> Vec<usize> {
        vec![1, 2]
    }
    fn primal(&self) -> f64 {
        log_likelihood(black_box(LOG_R), black_box(&LOG_Q), &NILE)
    }
    fn hand(&self, d: &mut Gradient) {
        let (dr, dq) = model::by_hand(black_box(LOG_R), black_box(&LOG_Q), &NILE);
        d[0][0] += dr;
        d[1].iter_mut().zip(dq).for_each(|(d, dq)| *d += dq);
    }
    fn generated(&self, d: &mut Gradient) {
        let mut dq = [0.0; 2];
        let ((dr, ..),) = autodiff!(
            Reverse,
            log_likelihood,
            Active,
            Active(black_box(LOG_R)),
            Duplicated(black_box(&LOG_Q), &mut dq),
            Const(&NILE[..])
        );
        d[0][0] += dr;
        d[1].iter_mut().zip(dq).for_each(|(d, dq)| *d += dq);
    }
    fn tape_bytes(&self) -> usize {
        let mut dq = [0.0; 2];
        let args = &mut (Active(LOG_R), Duplicated(&LOG_Q, &mut dq), Const(&NILE[..]));
        Thunk::<_, Active<f64>>::new(log_likelihood {})
            .augmented(args)
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    bench.run("kalman", &Kalman);
}
