//! Scalar code does not allocate, and a loop that needs a tape allocates once for all calls of a thread.

use std::hint::black_box;

use coenzyme::gradient_into;
use coenzyme::prelude::*;

/// `Σ (xᵢ − μ)²`.
#[differentiable]
fn squares(x: &[f64], mu: f64) -> f64 {
    let mut sum = 0.0;
    for x in x {
        let d = x - mu;
        sum += d * d;
    }
    sum
}

/// A few operations in a row.
#[differentiable]
fn straight(x: f64, y: f64) -> f64 {
    let r = (x * x + y * y).sqrt();
    let phase = (x / y).atan();
    let wave = (3.0 * phase).sin() * (-r).exp();
    if wave > 0.0 { wave.ln() } else { r * phase }
}

/// The energy of a pendulum after some steps, which a precise integrator would keep.
#[differentiable]
fn pendulum(angle: f64, speed: f64, steps: usize) -> f64 {
    let h = 0.01;
    let (mut q, mut p) = (angle, speed);
    for _ in 0..steps {
        p -= h * q.sin();
        q += h * p;
    }
    0.5 * p * p - q.cos()
}

/// The log-likelihood of some numbers, through a function with a rule.
#[differentiable]
fn through_a_rule(x: &[f64], scale: f64) -> f64 {
    let mut sum = 0.0;
    for x in x {
        sum += log_cosh(x * scale);
    }
    sum
}

#[primitive]
fn log_cosh(x: f64) -> f64 {
    x.cosh().ln()
}

easy_rule! {
    fn log_cosh(x: f64) -> y: f64;
    dy/dx = x.tanh();
}

/// How often `f` allocates.
fn allocations<T>(f: impl FnOnce() -> T) -> u64 {
    let counted = allocation_counter::measure(|| {
        black_box(f());
    });
    counted.count_total
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| vec![0.0; 10]), 1);
}

#[test]
fn straight_line_code_does_not_allocate() {
    assert_eq!(allocations(|| gradient!(straight, 0.3, 0.7)), 0);
    let (x, y) = (Duplicated(0.3, 1.0), Duplicated(0.7, 0.0));
    assert_eq!(allocations(|| autodiff!(Forward, straight, x, y)), 0);
    let (x, y) = (Active(-0.3), Active(0.7));
    assert_eq!(
        allocations(|| autodiff!(Batch::<_, 3>(ReverseWithPrimal), straight, x, y)),
        0
    );
}

/// `Σ ln Σ exp(xᵢ·wⱼ)`, by scratch memory that every round fills.
#[differentiable]
fn sum_of_logs(x: &[f64], w: &[f64]) -> f64 {
    let mut scratch = vec![0.0; w.len()];
    let mut total = 0.0;
    for i in 0..x.len() {
        for j in 0..w.len() {
            scratch[j] = (x[i] * w[j]).exp();
        }
        let mut sum = 0.0;
        for j in 0..w.len() {
            sum += scratch[j];
        }
        total += sum.ln();
    }
    total
}

#[test]
fn straight_line_code_leaves_nothing_on_the_tape() {
    let args = &mut (Active(0.3), Active(0.7));
    let tape = Thunk::<_, Active<f64>>::new(straight {})
        .augmented(args)
        .tape;
    assert!(tape.is_empty(), "{} bytes", tape.bytes());
}

#[test]
fn a_loop_that_only_adds_leaves_nothing_on_the_tape() {
    let (x, w) = (vec![0.5; 100], [0.1, 0.2, 0.3]);
    let (mut dx, mut dw) = ([0.0; 100], [0.0; 3]);
    let args = &mut (
        Duplicated(&x[..], &mut dx[..]),
        Duplicated(&w[..], &mut dw[..]),
    );
    let tape = Thunk::<_, Active<f64>>::new(sum_of_logs {})
        .augmented(args)
        .tape;
    assert!(tape.is_empty(), "{} bytes", tape.bytes());
}

/// `h ← tanh(U·h)`, again and again.
#[differentiable]
fn recurrent(u: &[f64], start: &[f64], steps: usize) -> f64 {
    let n = start.len();
    let (mut h, mut z) = (start.to_vec(), vec![0.0; n]);
    for _ in 0..steps {
        for r in 0..n {
            z[r] = 0.0;
            for k in 0..n {
                z[r] += u[r * n + k] * h[k];
            }
        }
        for k in 0..n {
            h[k] = z[k].tanh();
        }
    }
    h[0]
}

#[test]
fn a_state_goes_to_the_tape_once_in_each_step_however_often_it_is_read() {
    let bytes = |n: usize, steps: usize| {
        let (u, h) = (vec![0.1; n * n], vec![0.5; n]);
        let (mut du, mut dh) = (u.clone(), h.clone());
        let args = &mut (
            Duplicated(&u[..], &mut du[..]),
            Duplicated(&h[..], &mut dh[..]),
            Const(steps),
        );
        let thunk = Thunk::<_, Active<f64>>::new(recurrent {});
        thunk.augmented(args).tape.bytes()
    };
    // the state, and what `tanh` gave
    assert_eq!(bytes(10, 8) - bytes(10, 7), 2 * 8 * 10);
}

/// Heat in a rod whose conductivity is wanted.
#[differentiable]
fn diffusion(u0: &[f64], c: f64, steps: usize) -> f64 {
    let n = u0.len();
    let mut u = u0.to_vec();
    for _ in 0..steps {
        for i in 1..n - 1 {
            u[i] += c * (u[i - 1] + u[i + 1] - 2.0 * u[i]);
        }
    }
    u[n / 2]
}

#[test]
fn a_value_goes_to_the_tape_rather_than_what_it_is_computed_from() {
    let bytes = |steps: usize| {
        let (u, mut du) = (vec![0.5; 10], vec![0.0; 10]);
        let args = &mut (Duplicated(&u[..], &mut du[..]), Active(0.1), Const(steps));
        let thunk = Thunk::<_, Active<f64>>::new(diffusion {});
        thunk.augmented(args).tape.bytes()
    };
    // the bracket, and not the three temperatures
    assert_eq!(bytes(8) - bytes(7), 8 * 8);
}

/// A point in a plane, and its step towards the origin.
#[derive(Clone, Copy, Debug, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn moved(p: Point, h: f64) -> Point {
    Point {
        x: p.x - h * p.y * p.x,
        y: p.y + h * p.x * p.x,
    }
}

#[differentiable]
fn path(start: Point, h: f64, steps: usize) -> f64 {
    let mut p = start;
    for _ in 0..steps {
        p = moved(moved(p, 0.5 * h), h);
    }
    p.x * p.y
}

#[test]
fn structs_and_the_tapes_of_calls_do_not_allocate_once_the_tape_is_warm() {
    let start = Point { x: 0.3, y: 0.7 };
    let gradient = |steps| gradient!(path, start, 0.1, steps).0.x;
    let cold = gradient(1000);
    assert_eq!(allocations(|| gradient(1000)), 0);
    assert_eq!(cold, gradient(1000));

    let bytes = |steps: usize| {
        let thunk = Thunk::<_, Active<f64>>::new(path {});
        let args = &mut (Active(start), Active(0.1), Const(steps));
        thunk.augmented(args).tape.bytes()
    };
    // the point; where it was half-way and where it went, the calls say again
    assert_eq!(bytes(9) - bytes(8), 2 * 8);
}

#[test]
fn a_sum_over_memory_does_not_allocate() {
    let (x, mut dx) = (vec![1.0; 1000], vec![0.0; 1000]);
    let both = allocations(|| {
        autodiff!(
            ReverseWithPrimal,
            squares,
            Duplicated(&x, &mut dx),
            Active(0.5)
        )
    });
    assert_eq!((both, dx[0]), (0, 1.0));
    assert_eq!(
        allocations(|| autodiff!(Reverse, squares, Const(&x), Active(0.5))),
        0
    );
    assert_eq!(
        allocations(|| autodiff!(Reverse, squares, Duplicated(&x, &mut dx), Const(0.5))),
        0
    );
    let tangents = (Duplicated(&x, &dx), Duplicated(0.5, 1.0));
    assert_eq!(
        allocations(|| autodiff!(Forward, squares, tangents.0, tangents.1)),
        0
    );
}

#[test]
fn a_loop_through_a_rule_allocates_only_what_the_caller_asks_for() {
    let x = vec![0.1; 1000];
    let _ = gradient!(through_a_rule, &x, 2.0);
    let constant = allocations(|| gradient!(through_a_rule, Const(&x[..]), 2.0));
    assert_eq!(constant, 0, "the tape is warm");
    let both = allocations(|| gradient!(through_a_rule, &x, 2.0));
    assert_eq!(both, 1, "one vector: the gradient");
}

#[test]
fn a_loop_that_needs_a_tape_allocates_once() {
    let run = || gradient!(pendulum, 1.0, 0.0, 1000_usize);
    assert!(allocations(run) > 0, "the first call makes the tape");
    for _ in 0..3 {
        assert_eq!(allocations(run), 0, "the tape is warm");
    }
}

/// `Σᵢ (xᵢ − x̄)²`, with the mean inside.
#[differentiable]
fn deviations(x: &[f64]) -> f64 {
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    x.iter().map(|x| (x - mean).powi(2)).sum()
}

#[test]
fn gradient_into_does_not_allocate() {
    let (x, mut dx) = (vec![1.0; 1000], vec![0.0; 1000]);
    gradient_into(&deviations {}, &x, &mut dx);
    let again = allocations(|| gradient_into(&deviations {}, &x, &mut dx));
    assert_eq!(again, 0, "the tape is warm");
}
