//! A call option by Monte Carlo (`examples/black_scholes`), 10 000 pairs of paths with a random stream that is not active.

#[path = "../../examples/black_scholes/model.rs"]
#[allow(dead_code)]
mod model;

use std::hint::black_box;

use coenzyme::prelude::*;
use model::{Random, price};

use crate::measure::{Bench, Gradient, Workload};

struct Call;

const MARKET: (f64, f64, f64) = (100.0, 0.2, 0.05);
const CONTRACT: (f64, f64) = (105.0, 1.0);
const PATHS: usize = 10_000;

impl Workload for Call {
    fn lengths(&self) -> Vec<usize> {
        vec![3]
    }
    fn primal(&self) -> f64 {
        let ((s, sigma, r), (k, t)) = (black_box(MARKET), CONTRACT);
        price(s, sigma, r, k, t, PATHS, &mut Random(1))
    }
    fn hand(&self, d: &mut Gradient) {
        let ((s, sigma, r), (k, t)) = (black_box(MARKET), CONTRACT);
        let greeks = model::by_hand(s, sigma, r, k, t, PATHS, &mut Random(1));
        d[0].iter_mut().zip(greeks).for_each(|(d, g)| *d += g);
    }
    fn generated(&self, d: &mut Gradient) {
        let ((s, sigma, r), (k, t)) = (black_box(MARKET), CONTRACT);
        let ((ds, dsigma, dr, ..),) = autodiff!(
            Reverse,
            price,
            Active,
            Active(s),
            Active(sigma),
            Active(r),
            Const(k),
            Const(t),
            Const(PATHS),
            Const(&mut Random(1))
        );
        d[0][0] += ds;
        d[0][1] += dsigma;
        d[0][2] += dr;
    }
    fn tape_bytes(&self) -> usize {
        let ((s, sigma, r), (k, t)) = (MARKET, CONTRACT);
        let mut random = Random(1);
        let args = &mut (
            Active(s),
            Active(sigma),
            Active(r),
            Const(k),
            Const(t),
            Const(PATHS),
            Const(&mut random),
        );
        Thunk::<_, Active<f64>>::new(price {})
            .augmented(args)
            .tape
            .bytes()
    }
}

pub(crate) fn run(bench: &Bench) {
    bench.run("black-scholes", &Call);
}
