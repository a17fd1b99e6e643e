//! Scalar code does not allocate, and a loop that needs a tape allocates once for all calls of a thread.

use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated, autodiff, gradient_into, value_and_gradient};

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
pub(crate) fn allocations<T>(f: impl FnOnce() -> T) -> u64 {
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

/// As `sum_of_logs`, by a function that takes slices, and by scratch memory that the caller hands in.
#[differentiable]
fn log_sum(x: &[f64]) -> f64 {
    let top = x
        .iter()
        .fold(f64::NEG_INFINITY, |a, &b| if b > a { b } else { a });
    x.iter().map(|x| (x - top).exp()).sum::<f64>().ln() + top
}

#[differentiable]
fn sum_of_logs_lent(x: &[f64], w: &[f64], scratch: &mut [f64]) -> f64 {
    let mut total = 0.0;
    for x in x {
        for (s, w) in scratch.iter_mut().zip(w) {
            *s = x * w;
        }
        total += log_sum(scratch);
    }
    total
}

#[test]
fn scratch_memory_of_the_caller_leaves_nothing_on_the_tape_if_rounds_fill_it() {
    let left = |length: usize, rounds: usize| {
        let (x, w) = (vec![0.5; rounds], [0.1, 0.2, 0.3]);
        let (mut dx, mut dw) = (x.clone(), w);
        let (mut scratch, mut dscratch) = (vec![0.0; length], vec![0.0; length]);
        let args = &mut (
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&w[..], &mut dw[..]),
            Duplicated(&mut scratch[..], &mut dscratch[..]),
        );
        let thunk = Thunk::<_, Active<f64>>::new(sum_of_logs_lent {});
        thunk.augmented(args).tape.is_empty()
    };
    assert!(left(3, 100) && left(2, 100));
    assert!(!left(4, 100), "what the rounds do not fill is kept");
}

#[test]
fn rounds_with_such_memory_do_not_allocate() {
    let of = |rounds: usize| {
        let (x, w) = (vec![0.5; rounds], [0.1, 0.2, 0.3]);
        let (mut dx, mut dw) = (x.clone(), w);
        let (mut scratch, mut dscratch) = ([0.0; 3], [0.0; 3]);
        let mut call = || {
            let args = (
                Duplicated(&x[..], &mut dx[..]),
                Duplicated(&w[..], &mut dw[..]),
                Duplicated(&mut scratch[..], &mut dscratch[..]),
            );
            autodiff(ReverseWithPrimal, &sum_of_logs_lent {}, AsActive, args)
        };
        call();
        allocations(call)
    };
    assert_eq!(of(10), of(1000));
    assert!(of(10) <= 2, "{} allocations", of(10));
}

#[differentiable]
fn squared_distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// `Σ ln Σ exp |x − mⱼ|²` of points and means that lie one after the other; the scratch memory has as many entries as there are means.
#[differentiable]
fn mixture(x: &[f64], means: &[f64], scratch: &mut [f64]) -> f64 {
    let d = means.len() / scratch.len();
    let mut total = 0.0;
    for x in x.chunks_exact(d) {
        for (s, mean) in scratch.iter_mut().zip(means.chunks_exact(d)) {
            *s = squared_distance(x, mean);
        }
        total += log_sum(scratch);
    }
    total
}

#[test]
fn scratch_memory_with_an_entry_for_each_chunk_leaves_nothing_of_its_rounds_on_the_tape() {
    let left = |points: usize| {
        let (x, means) = (vec![0.5; 2 * points], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]);
        let (mut dx, mut dmeans) = (x.clone(), means);
        let (mut scratch, mut dscratch) = ([0.0; 3], [0.0; 3]);
        let args = &mut (
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&means[..], &mut dmeans[..]),
            Duplicated(&mut scratch[..], &mut dscratch[..]),
        );
        let thunk = Thunk::<_, Active<f64>>::new(mixture {});
        thunk.augmented(args).tape.bytes()
    };
    assert_eq!(left(10), left(1000));
}

/// Where a ray at `height` meets a ball of radius `r`.
#[differentiable]
fn depth(height: f64, r: f64) -> Option<f64> {
    let left = r * r - height * height;
    if left < 0.0 {
        return None;
    }
    Some(left.sqrt())
}

#[differentiable]
fn depths(heights: &[f64], r: f64) -> f64 {
    let mut total = 0.0;
    for height in heights {
        if let Some(t) = depth(*height, r) {
            total += t * t;
        }
    }
    total
}

/// As `depths`, where a ray that passes by is a mistake.
#[differentiable]
fn all_depths(heights: &[f64], r: f64) -> Option<f64> {
    let mut total = 0.0;
    for height in heights {
        let t = depth(*height, r)?;
        total += t * t;
    }
    Some(total)
}

#[test]
fn calls_that_may_give_nothing_leave_nothing_on_the_tape() {
    let heights: Vec<f64> = (0..100).map(|i| f64::from(i) / 60.0).collect();
    let mut slopes = vec![0.0; 100];
    let args = &mut (Duplicated(&heights[..], &mut slopes[..]), Active(1.0));
    let tape = Thunk::<_, Active<f64>>::new(depths {}).augmented(args).tape;
    assert!(tape.is_empty(), "{} bytes", tape.bytes());
}

#[test]
fn calls_that_may_fail_do_not_allocate() {
    let heights = vec![0.3; 1000];
    let mut slopes = vec![0.0; 1000];
    let mut of = |rounds: usize| {
        let mut call = || {
            let args = (
                Duplicated(&heights[..rounds], &mut slopes[..rounds]),
                Active(1.0),
            );
            autodiff(ReverseWithPrimal, &all_depths {}, AsActive, args)
        };
        call().expect("no ray passes by");
        allocations(call)
    };
    assert_eq!(of(10), of(1000));
}

static COUNTED: AtomicUsize = AtomicUsize::new(0);

#[primitive]
fn counted(x: f64) -> f64 {
    COUNTED.fetch_add(1, Ordering::Relaxed);
    x * x
}

easy_rule! {
    fn counted(x: f64) -> y: f64;
    dy/dx = 2.0 * x;
}

#[differentiable]
fn sum_of_counted(x: &[f64]) -> f64 {
    let mut total = 0.0;
    for x in x {
        total += counted(*x);
    }
    total
}

#[test]
fn a_sum_and_its_gradient_compute_each_term_once() {
    let x = [0.5; 7];
    let (value, (dx,)) = value_and_gradient(&sum_of_counted {}, (&x[..],));
    assert_eq!((value, dx), (7.0 * 0.25, vec![1.0; 7]));
    assert_eq!(COUNTED.load(Ordering::Relaxed), 7);
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

#[differentiable]
fn squares_of(x: &[f64]) -> Vec<f64> {
    let mut out = Vec::with_capacity(x.len());
    for x in x {
        out.push(x * x);
    }
    out
}

#[differentiable]
fn last_square(x: &[f64]) -> f64 {
    let squares = squares_of(x);
    squares[x.len() - 1]
}

#[test]
fn the_shadows_of_a_vector_have_its_room() {
    let x = [0.5; 100];
    let lanes = [[1.0; 100]; 5];
    let call = || {
        let args = (BatchDuplicated(&x[..], lanes.each_ref().map(|d| &d[..])),);
        autodiff(Forward, &last_square {}, AsDuplicated, args)
    };
    call();
    // one for each lane, and one for the value
    assert_eq!(allocations(call), 6);
}

/// The state of a cell.
#[derive(Clone, Tangent)]
struct State {
    h: Vec<f64>,
    c: Vec<f64>,
}

#[differentiable]
fn cell(s: &State, x: f64) -> State {
    let c: Vec<f64> = s.c.iter().map(|c| x * c).collect();
    let h: Vec<f64> = s.h.iter().map(|h| x * h).collect();
    State { h, c }
}

#[differentiable]
fn after_some_cells(x: f64, steps: usize) -> f64 {
    let mut s = State {
        h: vec![0.5; 4],
        c: vec![1.5; 4],
    };
    for _ in 0..steps {
        s = cell(&s, x);
    }
    s.h.iter().sum::<f64>() * s.c[0]
}

/// Allocations that one step more makes.
#[test]
fn the_vectors_of_a_struct_are_moved_into_it() {
    let allocations = |steps: usize| {
        let call = || {
            autodiff!(
                Reverse,
                after_some_cells,
                Active(black_box(1.1)),
                Const(steps)
            )
        };
        call();
        allocations(call)
    };
    // two of the step itself; in the reverse sweep two for the state before, two for the shapes of the vectors and two for the cotangent of the
    // state before
    assert_eq!(allocations(20) - allocations(10), 10 * 8);
}
