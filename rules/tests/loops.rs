//! Checkpointing: right in every mix of activities, and as thrifty as the schedule says.

use std::cell::Cell;

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsConst, AsDuplicated, Dual, Real};
use coenzyme_rules::loops::{Schedule, checkpoint, iterate};
use coenzyme_testutils::{Setting, inout, input, test_rule, value};

/// A step that depends on time, mixes its state, and needs all of it again.
#[differentiable]
fn step<T: Real>(x: &mut [T], p: &[T], t: usize) {
    let (a, b) = (x[0], x[1]);
    let time = T::lit(0.01 * t as f64);
    x[0] = a + T::lit(0.2) * (p[0] * b).sin();
    x[1] = b - T::lit(0.1) * p[1] * a * a + time * a;
}

test_rule! {
    iterate;
    x: inout([0.7, -0.4]), p: input([0.9, 0.6]), f: value(Inactive(step {})) [Const],
    n: value(case.0) [Const], schedule: value(case.1) [Const];
    ret: [Const];
    name = iterations, sizes = case in [(0_usize, Schedule::every(1)), (4, Schedule::binomial(2)), (5, Schedule::every(2))],
    const_buffers = severed("what is read back through a `Const` state is inactive")
}

/// A function of state and parameter that uses and changes the state around the loop, for each schedule.
macro_rules! steps {
    ($($name:ident: $n:literal, $schedule:expr;)*) => {$(
        mod $name {
            use super::*;

            #[differentiable]
            fn looped(x: &mut [f64], p: &[f64]) -> f64 {
                let before = x[0] * x[1];
                iterate(x, p, Inactive(step {}), $n, $schedule);
                let after = x[0] * x[1];
                x[1] *= p[0];
                before + after * after
            }

            test_rule! {
                looped;
                x: inout([0.7, -0.4]), p: input([0.9, 0.6]);
                ret: [Const, Active];
                const_buffers = severed("what is read back through a `Const` state is inactive")
            }
        }
    )*};
}

steps! {
    one_step: 1, Schedule::binomial(3);
    from_the_start: 4, Schedule::binomial(1);
    two_states: 7, Schedule::binomial(2);
    three_states: 11, Schedule::binomial(3);
    each_state: 5, Schedule::every(1);
    each_third: 8, Schedule::every(3);
    in_one_block: 5, Schedule::every(9);
    both: 9, Schedule::binomial(2).taping(2);
}

/// The state as a number, the parameter by value and owned.
#[differentiable]
fn scalar_step(x: &mut f64, p: &(f64, f64), _t: usize) {
    *x = p.0 * *x + p.1 * (*x).sin();
}

#[differentiable]
fn of_numbers(start: f64, p: (f64, f64)) -> f64 {
    let mut x = start;
    iterate(
        &mut x,
        &p,
        Inactive(scalar_step {}),
        6,
        Schedule::binomial(2),
    );
    x
}

test_rule! { of_numbers; start: value(0.7), p: value((0.9, -0.4)); ret: [Const, Active]; name = numbers }

/// A state with a field that is counted, not differentiated.
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Particle {
    position: Vec<f64>,
    steps: usize,
}

#[differentiable]
fn fall(particle: &mut Particle, g: &f64, _t: usize) {
    particle.position[0] += 0.1 * particle.position[1];
    particle.position[1] -= 0.1 * *g * particle.position[0];
    particle.steps += 1;
}

#[test]
fn a_state_may_be_a_struct() {
    let start = || Particle {
        position: vec![1.0, 0.5],
        steps: 0,
    };
    let fallen = |g: f64| {
        let mut x = start();
        iterate(&mut x, &g, Inactive(fall {}), 10, Schedule::binomial(2));
        x
    };
    let (mut x, mut dx) = (
        start(),
        Particle {
            position: vec![1.0, 0.0],
            steps: 0,
        },
    );
    let (g, mut dg) = (2.0, 0.0);
    autodiff!(
        Reverse,
        iterate,
        Const,
        Duplicated(&mut x, &mut dx),
        Duplicated(&g, &mut dg),
        Const(Inactive(fall {})),
        Const(10_usize),
        Const(Schedule::binomial(2))
    );
    assert_eq!(x, fallen(2.0));
    assert_eq!(x.steps, 10);
    let h = 1e-5;
    let difference = (fallen(g + h).position[0] - fallen(g - h).position[0]) / (2.0 * h);
    assert!((dg - difference).abs() < 1e-9, "{dg} and {difference}");
}

/// `p₀·Π cos(p₁·xᵢ)`.
#[differentiable]
fn chain<T: Real>(x: &[T], p: &[T]) -> T {
    let mut y = p[0];
    for x in x {
        y *= (p[1] * *x * y).cos();
    }
    y
}

test_rule! {
    checkpoint;
    x: input(n), p: input(2), f: value(Inactive(chain {})) [Const];
    ret: [Const, Active];
    name = checkpoints, sizes = n in [0, 1, 3]
}

#[differentiable]
fn checkpointed_chain(x: &mut [f64], p: &[f64]) -> f64 {
    let y = checkpoint(x, p, Inactive(chain {}));
    x[0] *= y; // the call's argument is overwritten
    y * y
}

test_rule! {
    checkpointed_chain;
    x: inout(3), p: input(2);
    ret: [Const, Active];
    name = calls, const_buffers = severed("what is written to a `Const` buffer is inactive")
}

/// A function that can fail.
#[differentiable]
fn root(x: &f64, _p: &()) -> Option<f64> {
    if *x < 0.0 {
        return None;
    }
    Some((*x).sqrt())
}

#[test]
fn a_call_with_checkpoint_may_fail() {
    let at = |x: f64| {
        let mut dx = 0.0;
        let done = autodiff!(
            Reverse,
            checkpoint,
            Active,
            Duplicated(&x, &mut dx),
            Const(&()),
            Const(Inactive(root {}))
        );
        done.map(|_| dx)
    };
    assert_eq!(at(4.0), Some(0.25));
    assert_eq!(at(-4.0), None);
}

/// A drift of `x₀` or a kick of `x₁`, in turn: what a call reads, it leaves; the next call overwrites it.
#[primitive]
fn drift_or_kick(x: &mut [f64], p: &f64, t: usize) {
    let (read, write) = (t % 2, 1 - t % 2);
    x[write] += p * x[read].sin();
}

impl<X, P, N, const W: usize> ReverseRule<Const<()>, (X, P, N), W> for drift_or_kick
where
    X: ReverseArgMut<[f64], W>,
    P: ReverseArg<f64, W>,
    N: ReverseArg<usize, W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, t): (&mut X, &mut P, &mut N),
    ) -> AugmentedReturn<(), (), Saved<[f64]>> {
        drift_or_kick(x.primal_mut(), p.primal(), *t.primal());
        let tape = Saved::new(x.primal(), config.overwritten(0));
        AugmentedReturn::new(Some(()), (), tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        (): (),
        tape: Saved<[f64]>,
        (x, p, t): (&mut X, &mut P, &mut N),
    ) -> (X::Gradient, P::Gradient, N::Gradient) {
        let (read, write) = (t.primal() % 2, 1 - t.primal() % 2);
        let at = tape.get(x.primal())[read];
        let of_p = p.accumulate(|lane, _, mut dp| {
            dp += x.cotangent(lane).map_or(0.0, |dx| at.sin() * dx[write]);
        });
        let of_x = x.transform(|_, _, dx| dx[read] += p.primal() * at.cos() * dx[write]);
        (of_x, of_p, t.no_gradient())
    }
}

#[test]
fn a_step_by_hand_is_told_what_the_next_one_overwrites() {
    let end = |p: f64| {
        let mut x = [0.3, 0.8];
        iterate(
            &mut x[..],
            &p,
            Inactive(drift_or_kick {}),
            8,
            Schedule::binomial(1),
        );
        x[0]
    };
    let difference = (end(0.4 + 1e-5) - end(0.4 - 1e-5)) / 2e-5;
    for schedule in [
        Schedule::binomial(2),
        Schedule::every(3),
        Schedule::every(8),
    ] {
        let (mut x, mut dx, mut dp) = ([0.3, 0.8], [1.0, 0.0], 0.0);
        autodiff!(
            Reverse,
            iterate,
            Const,
            Duplicated(&mut x[..], &mut dx[..]),
            Duplicated(&0.4, &mut dp),
            Const(Inactive(drift_or_kick {})),
            Const(8_usize),
            Const(schedule)
        );
        assert!(
            (dp - difference).abs() < 1e-9,
            "{schedule:?}: {dp} and {difference}"
        );
    }
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

#[inactive]
fn count() {
    CALLS.set(CALLS.get() + 1);
}

/// A step that counts its calls, plain and augmented.
#[differentiable]
fn counted(x: &mut [f64], p: &[f64], _t: usize) {
    count();
    for i in 0..x.len() {
        x[i] += 0.01 * (p[0] * x[i]).sin();
    }
}

/// The gradient of the mean final state: calls of the step, peak memory in bytes, and the derivative in `p`.
fn measure(width: usize, n: usize, schedule: Schedule) -> (usize, usize, f64) {
    let (mut x, mut dx) = (vec![0.5; width], vec![1.0 / width as f64; width]);
    let (p, mut dp) = ([0.8], [0.0]);
    CALLS.set(0);
    let memory = allocation_counter::measure(|| {
        autodiff!(
            Reverse,
            iterate,
            Const,
            Duplicated(&mut x[..], &mut dx[..]),
            Duplicated(&p[..], &mut dp[..]),
            Const(Inactive(counted {})),
            Const(n),
            Const(schedule)
        );
    });
    (CALLS.get(), memory.bytes_max as usize, dp[0])
}

/// The table of f.1: `t(n, c)` runs without tape, and `n` with tape.
#[test]
fn f1_steps_run_as_often_as_the_optimum() {
    for (n, c, calls) in [
        (1, 1, 1),
        (2, 1, 3),
        (10, 3, 25),
        (14, 3, 41),
        (56, 3, 266),
        (100, 5, 416),
        (100, 10, 322),
        (200, 5, 200 + Schedule::binomial(5).advances(200)),
        (10, 100, 19),
    ] {
        assert_eq!(
            measure(3, n, Schedule::binomial(c)).0,
            calls,
            "{n} steps, {c} states"
        );
    }
    // periodic: the last period runs once
    for (n, k) in [(1, 1), (10, 3), (100, 10), (101, 10)] {
        let last = (n - 1) % k + 1;
        assert_eq!(measure(3, n, Schedule::every(k)).0, 2 * n - last);
    }
}

/// A state has 8 kB, and the tape of a step about as much: `cos` of each entry can be had again only from the state.
#[test]
fn memory_is_that_of_the_states_kept() {
    let (width, n) = (1000, 400);
    let state = 8 * width;
    let (_, all, dp) = measure(width, n, Schedule::every(n));
    assert!(all > n * state, "without checkpoints: {all} bytes");
    for (schedule, states) in [
        (Schedule::binomial(1), 1),
        (Schedule::binomial(9), 9),
        (Schedule::every(20), 20 + 20),
        (Schedule::binomial(4).taping(5), 4 + 5),
    ] {
        let (_, bytes, same) = measure(width, n, schedule);
        // one state at hand, storage between uses, a step's tape that grows
        assert!(bytes < (states + 4) * state, "{schedule:?}: {bytes} bytes");
        assert_eq!(same, dp, "{schedule:?}");
    }
}

#[test]
fn no_step_leaves_everything() {
    let (calls, _, dp) = measure(3, 0, Schedule::binomial(2));
    assert_eq!((calls, dp), (0, 0.0));
}

#[test]
#[should_panic(expected = "at least one state")]
fn no_state_is_too_few() {
    let _ = Schedule::binomial(0);
}

/// Dual numbers, whose values do not matter.
fn duals<const N: usize>() -> [Dual<f64>; N] {
    [Dual::constant(0.0); N]
}

#[test]
fn second_order_of_iterate() {
    for schedule in [Schedule::binomial(2), Schedule::every(2)] {
        let (f, n, schedule) = (value(Inactive(step {})), value(5_usize), value(schedule));
        let dual = (
            inout(duals::<2>()),
            input(duals::<2>()),
            f.clone(),
            n.clone(),
            schedule.clone(),
        );
        let dual = Setting::new(dual).function("iterate", iterate {});
        let plain = (inout([0.7, -0.4]), input([0.9, 0.6]), f, n, schedule);
        let plain = Setting::new(plain).function("iterate", iterate {});
        let all = (AsDuplicated, AsDuplicated, AsConst, AsConst, AsConst);
        plain.mix(AsConst, all).second_order(&dual).assert();
    }
}

#[test]
fn second_order_of_checkpoint() {
    let f = value(Inactive(chain {}));
    let dual = Setting::new((input(duals::<3>()), input(duals::<2>()), f.clone()));
    let dual = dual.function("checkpoint", checkpoint {});
    let plain = Setting::new((input(3), input(2), f)).function("checkpoint", checkpoint {});
    let all = (AsDuplicated, AsDuplicated, AsConst);
    plain.mix(AsActive, all).second_order(&dual).assert();
}

/// A loop in a function that generated code calls: what is promised to the function is promised to the loop.
#[differentiable]
fn shifted(x: &mut [f64], p: &[f64], n: usize) {
    iterate(x, p, Inactive(step {}), n, Schedule::binomial(2));
    x[1] += 1.0;
}

#[differentiable]
fn two_functions_deep(x: &[f64], p: &[f64]) -> f64 {
    let mut y = x.to_vec();
    shifted(&mut y, p, 5);
    y[0] * y[1]
}

#[differentiable]
fn loop_of_loops(x: &[f64], p: &[f64]) -> f64 {
    let mut y = x.to_vec();
    iterate(&mut y, p, Inactive(shifted {}), 3, Schedule::binomial(2));
    y[0] * y[1]
}

test_rule! { two_functions_deep; x: input([0.7, -0.4]), p: input([0.9, 0.6]); ret: [Const, Active]; name = deep }
test_rule! { loop_of_loops; x: input([0.7, -0.4]), p: input([0.9, 0.6]); ret: [Const, Active]; name = nested }
