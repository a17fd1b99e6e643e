//! Memory that is lent to calls: their second half has it without a copy for each call.

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated, autodiff};

use coenzyme_testutils::test_gradient;

use crate::allocation::allocations;

/// What a call allocates once the tape has its room.
fn once_warm<T>(mut call: impl FnMut() -> T) -> u64 {
    call();
    allocations(call)
}

/// `Σ wᵢ (aᵢ − bᵢ)²`, of three parts of one parameter.
#[differentiable]
fn weighted(w: &[f64], a: &[f64], b: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..w.len() {
        sum += w[i] * (a[i] - b[i]) * (a[i] - b[i]);
    }
    sum
}

#[differentiable]
fn sum_of_weighted(x: &[f64], calls: usize) -> f64 {
    let rows = x.to_vec();
    let mut total = 0.0;
    for k in 0..calls {
        total += weighted(&x[..4], &x[4 * k..][..4], &x[8..][4 * k..4 * k + 4]);
        total += weighted(&rows[..4], &rows[4..8], &rows[8..12]);
    }
    total
}

#[test]
fn parts_of_one_memory_are_lent_to_a_call_without_shadows_of_their_own() {
    let x: Vec<f64> = (0..32).map(|k| f64::from(k).sin()).collect();
    let mut dx = vec![0.0; 32];
    let mut count = |calls: usize| {
        gradient!(sum_of_weighted, &x[..], calls); // gets the tape its room
        allocations(|| {
            autodiff!(
                Reverse,
                sum_of_weighted,
                Active,
                Duplicated(&x[..], &mut dx[..]),
                Const(calls)
            )
        })
    };
    // in the first round two of the parts overlap
    assert_eq!(count(1), count(5));
}

/// Logistic growth of some kinds, into memory of the caller.
#[differentiable]
fn growth(state: &[f64], rates: &[f64], out: &mut [f64]) {
    for ((out, x), r) in out.iter_mut().zip(state).zip(rates) {
        *out = r * x * (1.0 - x);
    }
}

#[differentiable]
fn grown(start: &[f64], rates: &[f64], steps: usize) -> f64 {
    let mut state = start.to_vec();
    let (mut ahead, mut rate) = (vec![0.0; start.len()], vec![0.0; start.len()]);
    for _ in 0..steps {
        growth(&state, rates, &mut rate);
        for i in 0..state.len() {
            ahead[i] = state[i] + 0.01 * rate[i];
        }
        growth(&ahead, rates, &mut rate);
        for i in 0..state.len() {
            state[i] += 0.02 * rate[i];
        }
    }
    state[0] * state[0]
}

#[test]
fn memory_that_a_call_reads_and_that_changes_afterwards_is_kept_without_an_allocation() {
    for kinds in [2, 100] {
        let (start, rates) = (vec![0.3; kinds], vec![0.8; kinds]);
        let (mut dstart, mut drates) = (vec![0.0; kinds], vec![0.0; kinds]);
        let mut of = |steps: usize| {
            once_warm(|| {
                let args = (
                    Duplicated(&start[..], &mut dstart[..]),
                    Duplicated(&rates[..], &mut drates[..]),
                    Const(steps),
                );
                autodiff(ReverseWithPrimal, &grown {}, AsActive, args)
            })
        };
        assert_eq!(of(10), of(1000));
    }
}

/// Oscillators of different strength, each drawn to the one after it: an array for each quantity, and a time that is a number.
#[derive(Clone, Tangent)]
struct Oscillators {
    at: Vec<f64>,
    speed: Vec<f64>,
    ends: [Vec<f64>; 2],
    turn: usize,
    clock: (f64, usize),
}

#[differentiable]
impl Oscillators {
    fn pull(&self, strength: &[f64], out: &mut [f64]) {
        let n = self.at.len();
        for i in 0..n {
            let between = self.at[(i + self.turn) % n] - self.at[i];
            out[i] = strength[i] * between * between * self.clock.0 - self.ends[1][i] * self.at[i];
        }
    }

    fn advance(&mut self, pull: &[f64], dt: f64) {
        for i in 0..pull.len() {
            self.speed[i] += dt * pull[i];
            self.at[i] += dt * self.speed[i];
            self.ends[1][i] *= 1.0 - 0.001 * self.at[i];
        }
        self.turn += 1;
        self.clock.0 *= 1.001;
        self.clock.1 += 1;
    }
}

#[differentiable]
fn swung(start: &[f64], strength: &[f64], steps: usize) -> f64 {
    let mut all = Oscillators {
        at: start.to_vec(),
        speed: vec![0.0; start.len()],
        ends: [vec![0.0; 1], vec![0.5; start.len()]],
        turn: 1,
        clock: (1.0, 0),
    };
    let mut pull = vec![0.0; start.len()];
    for _ in 0..steps {
        all.pull(strength, &mut pull);
        all.advance(&pull, 0.01);
    }
    all.at[0] * all.speed[1] + all.clock.1 as f64
}

#[test]
fn a_struct_of_vectors_that_a_method_reads_is_kept_without_an_allocation() {
    let (start, strength) = (vec![0.3, -0.2, 0.9], vec![0.8, 1.2, 0.4]);
    let (mut dstart, mut dstrength) = (vec![0.0; 3], vec![0.0; 3]);
    let mut of = |steps: usize| {
        once_warm(|| {
            let args = (
                Duplicated(&start[..], &mut dstart[..]),
                Duplicated(&strength[..], &mut dstrength[..]),
                Const(steps),
            );
            autodiff(ReverseWithPrimal, &swung {}, AsActive, args)
        })
    };
    assert_eq!(of(10), of(300));
    // all of it comes back as it was
    test_gradient! { swung(&start, &strength, 20) }
}

#[differentiable]
fn advanced(all: &mut [Charge], k: f64) {
    for i in 1..all.len() {
        let d = all[i].at - all[i - 1].at;
        all[i].speed -= k * d * d;
    }
    for c in all.iter_mut() {
        c.at += 0.01 * c.speed;
    }
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Charge {
    at: f64,
    speed: f64,
}

/// A list that is pushed to first, and then lent to be changed.
#[differentiable]
fn pushed_and_advanced(x: &[f64], steps: usize) -> f64 {
    let mut all = Vec::new();
    for at in x {
        all.push(Charge {
            at: *at,
            speed: 0.1,
        });
    }
    for _ in 0..steps {
        advanced(&mut all, x[0]);
    }
    all[1].at * all[2].speed
}

#[test]
fn a_vector_that_has_grown_is_lent_in_place_to_be_changed() {
    let x = [0.3, 0.8, 1.9];
    let mut dx = [0.0; 3];
    let mut of = |steps: usize| {
        once_warm(|| {
            let args = (Duplicated(&x[..], &mut dx[..]), Const(steps));
            autodiff(ReverseWithPrimal, &pushed_and_advanced {}, AsActive, args)
        })
    };
    assert_eq!(of(10), of(1000));
    test_gradient! { pushed_and_advanced(&x[..], 7) }
}

/// A list that grows row by row, and whose rows are lent once it has grown.
#[differentiable]
fn of_rows(x: &[f64], rounds: usize) -> f64 {
    let mut rows = Vec::new();
    for k in 0..3 {
        rows.push(x[4 * k..][..4].to_vec());
    }
    let mut total = 0.0;
    for k in 0..rounds {
        total += weighted(&rows[k % 3], &x[..4], &x[4..8]);
    }
    total
}

#[test]
fn an_entry_of_a_vector_that_has_grown_is_lent_in_place() {
    let x: Vec<f64> = (0..12).map(|k| f64::from(k).sin()).collect();
    let mut dx = [0.0; 12];
    let mut of = |rounds: usize| {
        once_warm(|| {
            let args = (Duplicated(&x[..], &mut dx[..]), Const(rounds));
            autodiff(ReverseWithPrimal, &of_rows {}, AsActive, args)
        })
    };
    assert_eq!(of(10), of(1000));
    let dual = |rounds: usize| {
        once_warm(|| {
            let args = (Duplicated(&x[..], &x[..]), Const(rounds));
            autodiff(Forward, &of_rows {}, AsDuplicated, args)
        })
    };
    assert_eq!(dual(10), dual(1000));
    test_gradient! { of_rows(&x, 3) }
}
