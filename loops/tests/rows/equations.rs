//! f.5: differential equations.

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsConst, AsDuplicated, Dual, Real};
use coenzyme_loops::Error;
use coenzyme_loops::ode::{Adjoint, Method, Ode, integrate, integrate_until};
use coenzyme_testutils::{Setting, inout, input, test_rule, value};

/// Bounded slopes, so that the tester may look far away.
#[differentiable]
fn swing<T: Real>(dx: &mut [T], x: &[T], p: &[T], #[constant] t: f64) {
    dx[0] = (p[0] * x[1]).sin() + T::lit(0.1 * t);
    dx[1] = -(x[0] + p[1]).sin() - T::lit(0.3) * x[1];
}

test_rule! {
    integrate;
    x: inout([0.7, -0.4]), p: input([0.9, 0.6]), f: value(Inactive(swing {})) [Const], ode: value(ode) [Const];
    ret: [Const];
    name = equations, sizes = ode in [
        Ode::fixed(Method::Rk4, 0.0, 1.0, 5),
        Ode::fixed(Method::DormandPrince, 0.0, 0.5, 3).keeping(2),
        Ode::fixed(Method::Sdirk2, 0.0, 0.5, 2),
        Ode::fixed(Method::ImplicitEuler, 0.3, 0.1, 2),
        Ode::fixed(Method::Rk4, 0.0, 0.04, 20).adjoint(Adjoint::Interpolated).keeping(7),
        Ode::fixed(Method::Rk4, 0.2, 0.16, 20).adjoint(Adjoint::BackSolve)
    ],
    const_buffers = severed("what is read back through a `Const` state is inactive")
}

#[test]
fn second_order_of_explicit_and_implicit_methods() {
    for ode in [
        Ode::fixed(Method::Rk4, 0.0, 1.0, 4),
        Ode::fixed(Method::Sdirk2, 0.0, 0.5, 2),
    ] {
        let (f, ode) = (value(Inactive(swing {})), value(ode));
        let duals = || [Dual::constant(0.0); 2];
        let dual = Setting::new((inout(duals()), input(duals()), f.clone(), ode.clone()));
        let dual = dual.function("integrate", integrate {});
        let plain = Setting::new((inout([0.7, -0.4]), input([0.9, 0.6]), f, ode));
        let plain = plain.function("integrate", integrate {});
        let all = (AsDuplicated, AsDuplicated, AsConst, AsConst);
        plain.mix(AsConst, all).second_order(&dual).assert();
    }
}

#[track_caller]
fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a_i, b_i) in a.iter().zip(b) {
        assert!(
            (a_i - b_i).abs() <= tolerance * b_i.abs().max(1.0),
            "{a:?} and {b:?}"
        );
    }
}

#[differentiable]
fn decay(dx: &mut [f64], x: &[f64], rate: &f64, _t: f64) {
    dx[0] = -*rate * x[0];
}

#[differentiable]
fn left(start: f64, rate: f64, #[constant] ode: Ode) -> Result<f64, Error> {
    let mut x = [start];
    integrate(&mut x[..], &rate, Inactive(decay {}), ode)?;
    Ok(x[0])
}

#[test]
fn f5_decay_the_derivative_is_that_of_the_discrete_solver() {
    for (method, n, expected) in [
        (
            Method::Euler,
            10,
            [0.659_569_172_193, 0.329_784_586_096, -1.105_423_193_620],
        ),
        (
            Method::Rk4,
            10,
            [0.699_876_310_743, 0.349_938_155_371, -1.049_808_560_577],
        ),
    ] {
        let ode = Ode::fixed(method, 0.0, 1.5, n);
        let args = (Active(2.0), Active(0.7), Const(ode));
        let ((dx, dp, _), x) =
            autodiff(ReverseWithPrimal, &left {}, AsActive, args).expect("explicit");
        close(&[x, dx, dp], &expected, 1e-12);
    }
    let ode = Ode::fixed(Method::Rk4, 0.0, 1.5, 100);
    let ((_, dp, _),) = autodiff(
        Reverse,
        &left {},
        AsActive,
        (Active(2.0), Active(0.7), Const(ode)),
    )
    .expect("explicit");
    close(&[dp], &[-1.049_813_246_909], 1e-12);
    // the implicit Euler method: x·(1 + θh)⁻ⁿ
    let ode = Ode::fixed(Method::ImplicitEuler, 0.0, 1.5, 10);
    let ((dx, dp, _), x) = autodiff(
        ReverseWithPrimal,
        &left {},
        AsActive,
        (Active(2.0), Active(0.7), Const(ode)),
    )
    .expect("regular");
    let factor = 1.105_f64.powi(-10);
    close(
        &[x, dx, dp],
        &[2.0 * factor, factor, -3.0 * factor / 1.105],
        1e-13,
    );
}

/// Lotka and Volterra's equations.
#[differentiable]
fn prey_and_predators<T: Real>(dx: &mut [T], x: &[T], p: &[T], _t: f64) {
    dx[0] = x[0] * (p[0] - p[1] * x[1]);
    dx[1] = x[1] * (p[3] * x[0] - p[2]);
}

const RATES: [f64; 4] = [1.5, 1.0, 3.0, 1.0];

/// The state at the end, and the gradient of its sum in the start and in the rates.
fn lotka_volterra(ode: Ode) -> ([f64; 2], [f64; 2], [f64; 4]) {
    let (mut x, mut dx, mut dp) = ([1.0, 1.0], [1.0, 1.0], [0.0; 4]);
    let mut args = (
        Duplicated(&mut x[..], &mut dx[..]),
        Duplicated(&RATES[..], &mut dp[..]),
        Const(Inactive(prey_and_predators {})),
        Const(ode),
    );
    let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(integrate {});
    let tape = thunk.augmented(&mut args).expect("smooth").tape;
    thunk.reverse((), tape, &mut args);
    (x, dx, dp)
}

#[test]
fn f5_lotka_volterra() {
    let (_, _, dp) = lotka_volterra(Ode::fixed(Method::Rk4, 0.0, 1.0, 100));
    let expected = [
        2.786_602_449_561,
        -1.319_068_181_724,
        0.256_766_962_692,
        -0.247_992_670_846,
    ];
    close(&dp, &expected, 1e-12);
    let (_, _, dp) = lotka_volterra(Ode::fixed(Method::Rk4, 0.0, 1.0, 20));
    let expected = [
        2.786_600_871_501,
        -1.319_069_404_612,
        0.256_766_146_872,
        -0.247_991_955_103,
    ];
    close(&dp, &expected, 1e-12);
    let (x, dx, dp) = lotka_volterra(Ode::adaptive(Method::DormandPrince, 0.0, 1.0, 1e-12, 1e-12));
    close(&x, &[2.772_850_901_841, 0.258_710_878_143], 1e-11);
    close(&dx, &[2.524_858_229_836, -1.060_357_301_708], 1e-10);
    let expected = [
        2.786_602_452_145,
        -1.319_068_179_851,
        0.256_766_963_991,
        -0.247_992_672_005,
    ];
    close(&dp, &expected, 1e-10);
    let (x, _, dp) = lotka_volterra(Ode::adaptive(
        Method::DormandPrince,
        0.0,
        10.0,
        1e-12,
        1e-12,
    ));
    close(&x, &[1.026_344_767_575, 0.909_691_078_136], 1e-9);
    let expected = [
        -4.096_212_993_658,
        -0.509_408_811_911,
        -1.145_834_886_430,
        -1.804_327_868_767,
    ];
    close(&dp, &expected, 1e-8);
}

#[test]
fn f5_gradients_are_the_same_bits_however_many_states_are_kept() {
    for ode in [
        Ode::fixed(Method::Rk4, 0.0, 5.0, 100),
        Ode::adaptive(Method::DormandPrince, 0.0, 5.0, 1e-6, 1e-6),
        Ode::adaptive(Method::Sdirk2, 0.0, 1.0, 1e-3, 1e-3),
    ] {
        let all = lotka_volterra(ode.keeping(1000));
        for states in [2, 5, 32] {
            assert_eq!(lotka_volterra(ode.keeping(states)), all);
        }
    }
}

/// Forward sensitivities in four lanes are the reverse gradient.
fn sensitivities<const N: usize>(
    start: [f64; N],
    p: [f64; 4],
    seed: [f64; N],
    ode: Ode,
    f: impl Fn(&mut [f64], &mut [[f64; N]; 4], Ode) -> Result<usize, Error>,
    g: impl Fn(&mut [f64], &mut [f64; N], &mut [f64; 4], Ode) -> Result<usize, Error>,
) -> usize {
    let _ = p;
    let (mut x, mut lanes) = (start, [[0.0; N]; 4]);
    let steps = f(&mut x, &mut lanes, ode).expect("it goes through");
    let (mut y, mut dy, mut dp) = (start, seed, [0.0; 4]);
    assert_eq!(g(&mut y, &mut dy, &mut dp, ode), Ok(steps));
    assert_eq!(x, y);
    for (lane, dp) in lanes.iter().zip(dp) {
        let forward: f64 = lane.iter().zip(seed).map(|(dx, seed)| dx * seed).sum();
        let size: f64 = lane
            .iter()
            .zip(seed)
            .map(|(dx, seed)| (dx * seed).abs())
            .sum();
        assert!(
            (forward - dp).abs() <= 1e-10 * size.max(1e-300),
            "{forward} and {dp}"
        );
    }
    steps
}

/// The directions of the four rates.
fn directions() -> [[f64; 4]; 4] {
    std::array::from_fn(|i| std::array::from_fn(|j| f64::from(i == j)))
}

macro_rules! both_modes {
    ($f:ident, $p:expr, $n:literal) => {
        (
            |x: &mut [f64], lanes: &mut [[f64; $n]; 4], ode| {
                let (p, dp) = ($p, directions());
                let lanes = lanes.each_mut().map(|lane| &mut lane[..]);
                let args = (
                    BatchDuplicated(x, lanes),
                    BatchDuplicated(&p[..], dp.each_ref().map(|dp| &dp[..])),
                    Const(Inactive($f {})),
                    Const(ode),
                );
                let done = autodiff(ForwardWithPrimal, &integrate {}, AsConst, args);
                done.map(|(steps,)| steps)
            },
            |x: &mut [f64], dx: &mut [f64; $n], dp: &mut [f64; 4], ode| {
                let p = $p;
                let mut args = (
                    Duplicated(x, &mut dx[..]),
                    Duplicated(&p[..], &mut dp[..]),
                    Const(Inactive($f {})),
                    Const(ode),
                );
                let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(integrate {});
                let augmented = thunk.augmented(&mut args)?;
                thunk.reverse((), augmented.tape, &mut args);
                Ok(augmented.primal.expect("asked for"))
            },
        )
    };
}

#[test]
fn f5_forward_sensitivities_in_lanes_are_the_adjoint() {
    let (f, g) = both_modes!(prey_and_predators, RATES, 2);
    let ode = Ode::adaptive(Method::DormandPrince, 0.0, 5.0, 1e-8, 1e-8);
    sensitivities([1.0, 1.0], RATES, [0.3, -0.7], ode, f, g);
}

/// Robertson's kinetics, stiff over eleven orders of magnitude, with a fourth rate for the start of the reverse reaction.
#[differentiable]
fn robertson(dx: &mut [f64], x: &[f64], p: &[f64], _t: f64) {
    let slow = p[0] * x[0];
    let fast = p[1] * x[1] * x[1];
    let back = p[2] * x[1] * x[2];
    dx[0] = back - slow;
    dx[1] = slow - back - fast + p[3] * x[2];
    dx[2] = fast - p[3] * x[2];
}

#[test]
fn f5_stiff_kinetics() {
    const KINETICS: [f64; 4] = [0.04, 3e7, 1e4, 0.0];
    let (f, g) = both_modes!(robertson, KINETICS, 3);
    let ode = Ode::adaptive(Method::Sdirk2, 0.0, 40.0, 1e-5, 1e-9);
    let steps = sensitivities([1.0, 0.0, 0.0], KINETICS, [1.0, 0.0, 0.0], ode, f, g);
    assert!(
        steps < 1000,
        "{steps} steps: an explicit method takes a hundred thousand"
    );
    // Hairer and Wanner's reference at t = 40
    let (mut x, p) = ([1.0, 0.0, 0.0], KINETICS);
    integrate(&mut x[..], &p[..], Inactive(robertson {}), ode).expect("it goes through");
    close(&x[..1], &[0.715_827_068_718_92], 2e-3);
    assert!((x[1] / 9.185_534_764_557_7e-6 - 1.0).abs() < 5e-3);
    assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-12);
}

/// The same to eight digits, by the method of order four: the one of order two takes 2629 steps for seven.
#[test]
fn f5_stiff_kinetics_to_eight_digits() {
    const KINETICS: [f64; 4] = [0.04, 3e7, 1e4, 0.0];
    let (f, g) = both_modes!(robertson, KINETICS, 3);
    let ode = Ode::adaptive(Method::Sdirk4, 0.0, 40.0, 1e-6, 1e-10);
    let steps = sensitivities([1.0, 0.0, 0.0], KINETICS, [0.4, 1e3, -0.2], ode, f, g);
    assert!(steps < 300, "{steps} steps");
    let (mut x, p) = ([1.0, 0.0, 0.0], KINETICS);
    integrate(&mut x[..], &p[..], Inactive(robertson {}), ode).expect("it goes through");
    close(&x[..1], &[0.715_827_068_718_92], 1e-8);
    assert!((x[1] / 9.185_534_764_557_7e-6 - 1.0).abs() < 1e-8);
}

/// The derivative of the solution, from rough steps and from fine ones: its error is of order four, and it is not that of the program.
#[test]
fn f5_the_interpolated_adjoint_is_of_order_four() {
    // ∂(u + v)/∂p of the equation itself
    let exact = [
        2.786_602_452_145,
        -1.319_068_179_851,
        0.256_766_963_991,
        -0.247_992_672_005,
    ];
    for adjoint in [Adjoint::Interpolated, Adjoint::BackSolve] {
        let error = |steps| {
            let (_, dx, dp) =
                lotka_volterra(Ode::fixed(Method::Rk4, 0.0, 1.0, steps).adjoint(adjoint));
            close(&dx, &[2.524_858_229_836, -1.060_357_301_708], 1e-4);
            dp.iter()
                .zip(exact)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max)
        };
        let (rough, fine) = (error(20), error(80));
        assert!(
            rough > 1e-8 && fine < 1e-7,
            "{adjoint:?}: {rough} and {fine}"
        );
        let order = (rough / fine).log(4.0);
        assert!((3.5..5.5).contains(&order), "{adjoint:?}: {order}");
    }
    let chosen = Ode::adaptive(Method::DormandPrince, 0.0, 1.0, 1e-9, 1e-9);
    let (_, _, dp) = lotka_volterra(chosen.adjoint(Adjoint::Interpolated).keeping(3));
    close(&dp, &exact, 1e-5);
    assert_eq!(lotka_volterra(chosen.adjoint(Adjoint::Interpolated)).2, dp);
}

/// `x′ = r(1 − x)`, which forgets where it began.
#[differentiable]
fn relaxation(dx: &mut [f64], x: &[f64], rate: &f64, _t: f64) {
    dx[0] = *rate * (1.0 - x[0]);
}

#[test]
fn f5_going_back_keeps_one_state_and_is_no_way_where_the_solution_forgets() {
    // of x = 1 − e^(−rt) at t = 2 in the rate, relative to the closed form
    let of = |adjoint: Adjoint, rate: f64| {
        let (mut x, mut dx, mut dp) = ([0.0], [1.0], 0.0);
        let mut args = (
            Duplicated(&mut x[..], &mut dx[..]),
            Duplicated(&rate, &mut dp),
            Const(Inactive(relaxation {})),
            Const(Ode::fixed(Method::Rk4, 0.0, 2.0, 800).adjoint(adjoint)),
        );
        let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(integrate {});
        let tape = thunk.augmented(&mut args).expect("explicit").tape;
        let states = tape.snapshots();
        thunk.reverse((), tape, &mut args);
        (states, dp / (2.0 * f64::exp(-2.0 * rate)) - 1.0)
    };
    let (states, error) = of(Adjoint::BackSolve, 1.0);
    assert!(states == 1 && error.abs() < 1e-8, "{states} {error}");
    let (states, error) = of(Adjoint::Interpolated, 15.0);
    assert!(states > 16 && error.abs() < 1e-3, "{states} {error}");
    let (_, lost) = of(Adjoint::BackSolve, 20.0);
    assert!(lost.abs() > 0.1, "{lost}");
    assert!(Adjoint::BackSolve.is_approximate() && !Adjoint::Discrete.is_approximate());
}

#[test]
#[should_panic(
    expected = "the adjoint equation is solved by an explicit method, and an implicit one was asked for"
)]
fn a_stiff_adjoint_is_refused() {
    let _ = Ode::fixed(Method::Sdirk4, 0.0, 1.0, 5).adjoint(Adjoint::Interpolated);
}

/// A solution cannot be found again by going back where it decays: why that is not how the reverse pass finds its states.
#[test]
fn f5_going_back_is_unstable() {
    #[differentiable]
    fn linear(dx: &mut [f64], x: &[f64], rate: &f64, _t: f64) {
        dx[0] = *rate * x[0];
    }
    for (rate, error) in [(-1.0, 7.4e-10), (-5.0, 2.2e-6), (-20.0, 2.4e7)] {
        let back = |end: f64| {
            let mut x = [end];
            let ode = Ode::fixed(Method::Rk4, 2.0, 0.0, 200);
            integrate(&mut x[..], &rate, Inactive(linear {}), ode).expect("explicit");
            x[0]
        };
        let end = f64::exp(2.0 * rate);
        let grown = back(end + 1e-10) - back(end);
        assert!((grown / error - 1.0).abs() < 0.03, "{grown} and {error}");
    }
}

#[test]
fn a_solution_that_ends_is_an_error_and_shadows_stay() {
    /// `x′ = x²`, which is infinite at `t = 1/x₀`.
    #[differentiable]
    fn explosion(dx: &mut [f64], x: &[f64], _p: &(), _t: f64) {
        dx[0] = x[0] * x[0];
    }
    let (mut x, mut dx) = ([1.0], [5.0]);
    let result = autodiff!(
        Reverse,
        integrate,
        Const,
        Duplicated(&mut x[..], &mut dx[..]),
        Const(&()),
        Const(Inactive(explosion {})),
        Const(Ode::adaptive(Method::DormandPrince, 0.0, 2.0, 1e-6, 1e-6))
    );
    let Err(Error::StepTooSmall { at, .. }) = result else {
        panic!("{result:?}");
    };
    assert!((at - 1.0).abs() < 1e-3, "{at}");
    assert_eq!(dx, [5.0]);
}

/// Turns, at a bounded speed that depends on everything, so that the tester may look far away.
#[differentiable]
fn turning(dx: &mut [f64], x: &[f64], p: &[f64], _t: f64) {
    dx[0] = 1.3 + 0.3 * (x[1] + p[0]).sin();
    dx[1] = 0.5 * (x[0] * p[1]).cos();
}

/// Falls through zero once in each turn.
#[differentiable]
fn mark(r: &mut [f64], x: &[f64], p: &[f64]) {
    r[0] = (x[0] - 0.2 * p[1].sin()).sin() + 0.1 * x[1].cos();
}

test_rule! {
    integrate_until;
    x: inout([0.4, 0.2]), p: input([0.4, 0.6]), f: value(Inactive(turning {})) [Const], event: value(Inactive(mark {})) [Const], ode: value(ode) [Const];
    ret: [Const, Active];
    name = events, widths = [2], sizes = ode in [
        Ode::fixed(Method::Rk4, 0.0, 9.0, 18).keeping(3),
        Ode::fixed(Method::Sdirk2, 0.0, 9.0, 30)
    ],
    const_buffers = severed("what is read back through a `Const` state is inactive")
}

/// Height and velocity of a ball in a field of gravity `p`.
#[differentiable]
fn ball(dx: &mut [f64], x: &[f64], p: &[f64], _t: f64) {
    dx[0] = x[1];
    dx[1] = -p[0];
}

#[differentiable]
fn height(r: &mut [f64], x: &[f64], _p: &[f64]) {
    r[0] = x[0];
}

/// The time of the last of some bounces, and the velocity after it.
#[differentiable]
fn bounced(
    start: f64,
    p: &[f64],
    bounces: usize,
    #[constant] ode: Ode,
) -> Result<(f64, f64), Error> {
    let mut x = [start, 0.0];
    let mut time = 0.0;
    for _ in 0..bounces {
        time += integrate_until(&mut x[..], p, Inactive(ball {}), Inactive(height {}), ode)?;
        x[0] = 0.0;
        x[1] *= -p[1];
    }
    Ok((time, x[1]))
}

/// After three bounces `√(2h/g)·(1 + 2e + 2e²)`, with a velocity of `e³√(2gh)`.
#[test]
fn f5_a_bouncing_ball_with_events() {
    let (h, g, e) = (1.5_f64, 9.81_f64, 0.8_f64);
    let (fall, sum) = ((2.0 * h / g).sqrt(), 1.0 + 2.0 * e + 2.0 * e * e);
    let speed = (2.0 * g * h).sqrt();
    for ode in [
        Ode::fixed(Method::Rk4, 0.0, 3.0, 30),
        Ode::adaptive(Method::DormandPrince, 0.0, 9.0, 1e-9, 1e-9),
        Ode::fixed(Method::Midpoint, 0.0, 3.0, 7).keeping(2),
    ] {
        let (p, mut dp) = ([g, e], [0.0; 2]);
        let mut args = (
            Active(h),
            Duplicated(&p[..], &mut dp[..]),
            Const(3),
            Const(ode),
        );
        let thunk = Thunk::<_, Active<Result<(f64, f64), Error>>>::new(bounced {});
        let augmented = thunk.augmented(&mut args).expect("it falls");
        let (time, velocity) = augmented.primal.expect("asked for");
        close(&[time, velocity], &[fall * sum, e.powi(3) * speed], 1e-12);
        let ([dh], ..) = thunk.reverse([(1.0, 0.5)], augmented.tape, &mut args);
        let exact = [
            0.5 * fall / h * sum + 0.25 * e.powi(3) * speed / h,
            -0.5 * fall / g * sum + 0.25 * e.powi(3) * speed / g,
            fall * (2.0 + 4.0 * e) + 1.5 * e * e * speed,
        ];
        close(&[dh, dp[0], dp[1]], &exact, 1e-11);
    }
}

#[test]
#[should_panic(expected = "integrate_until: the equation depends on time")]
fn f5_events_of_equations_that_depend_on_time_are_refused() {
    #[differentiable]
    fn driven(dx: &mut [f64], _x: &[f64], _p: &(), t: f64) {
        dx[0] = -1.0 - t;
    }
    #[differentiable]
    fn first(r: &mut [f64], x: &[f64], _p: &()) {
        r[0] = x[0];
    }
    let ode = Ode::fixed(Method::Rk4, 0.0, 3.0, 6);
    let _ = integrate_until(
        &mut [1.0],
        &(),
        Inactive(driven {}),
        Inactive(first {}),
        ode,
    );
}

#[test]
fn f5_events_that_do_not_come_and_trajectories_that_graze() {
    let mut x = [1.0, 0.0];
    let ode = Ode::fixed(Method::Rk4, 0.0, 0.25, 5);
    let mut dx = [5.0, 6.0];
    let args = (
        Duplicated(&mut x[..], &mut dx[..]),
        Const(&[9.81, 0.0][..]),
        Const(Inactive(ball {})),
        Const(Inactive(height {})),
        Const(ode),
    );
    let late = autodiff(Reverse, &integrate_until {}, AsActive, args);
    let left = 1.0 - 0.5 * 9.81 * 0.0625;
    match late {
        Err(Error::NoEvent { from, to, value }) => {
            close(&[from, to, value], &[0.0, 0.25, left], 1e-14)
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(dx, [5.0, 6.0]);

    /// Falls to zero in a jump, with a slope of zero.
    #[differentiable]
    fn graze(r: &mut [f64], x: &[f64], _p: &[f64]) {
        r[0] = if x[0] > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut x, mut dx) = ([1.0, 0.0], [5.0, 6.0]);
    let args = (
        Duplicated(&mut x[..], &mut dx[..]),
        Const(&[9.81, 0.0][..]),
        Const(Inactive(ball {})),
        Const(Inactive(graze {})),
        Const(Ode::fixed(Method::Rk4, 0.0, 2.0, 20)),
    );
    let flat = autodiff(Reverse, &integrate_until {}, AsActive, args);
    assert!(
        matches!(flat, Err(Error::SingularJacobian { .. })),
        "{flat:?}"
    );
    assert_eq!(dx, [5.0, 6.0]);
}
