//! D25 and f.4: fixed points and roots.

use coenzyme::prelude::*;
use coenzyme::{AsConst, AsDuplicated, Dual, Real};
use coenzyme_loops::{Error, FixedPoint, Newton, Schedule, Solver, fixed_point, iterate, root};
use coenzyme_testutils::{Overrides, Setting, inout, input, test_rule, value};

/// A contraction by 0.4 at least, wherever it is.
#[differentiable]
fn contraction<T: Real>(x: &mut [T], p: &[T], _t: usize) {
    let (a, b) = (x[0], x[1]);
    x[0] = T::lit(0.4) * (p[0] + b).tanh();
    x[1] = T::lit(0.3) * (p[1] - a).sin() + T::lit(0.1) * p[0];
}

test_rule! {
    fixed_point;
    x: inout([0.2, -0.3]), p: input([0.9, 0.6]), f: value(Inactive(contraction {})) [Const], how: value(how) [Const];
    ret: [Const];
    name = stationary, sizes = how in [
        FixedPoint::new(1e-15, 200),
        FixedPoint::new(1e-15, 200).with_solver(Solver::Direct),
        FixedPoint::new(1e-15, 200).with_solver(Solver::Gmres)
    ],
    const_buffers = severed("what is read back through a `Const` state is inactive"),
    overrides = Overrides::none().allow_vacuous("the initial guess is inactive")
}

/// `2x₀ + sin x₁ = p₀`, `2x₁ + cos x₀ = p₁`: regular everywhere.
#[differentiable]
fn equations<T: Real>(r: &mut [T], x: &[T], p: &[T]) {
    r[0] = T::lit(2.0) * x[0] + x[1].sin() - p[0];
    r[1] = T::lit(2.0) * x[1] + x[0].cos() - p[1];
}

test_rule! {
    root;
    x: inout([0.2, -0.3]), p: input([0.9, 0.6]), f: value(Inactive(equations {})) [Const], how: value(how) [Const];
    ret: [Const];
    name = roots, sizes = how in [Newton::new(1e-13, 60), Newton::new(1e-13, 60).matrix_free()],
    const_buffers = severed("what is read back through a `Const` state is inactive"),
    overrides = Overrides::none().allow_vacuous("the initial guess is inactive")
}

#[test]
fn second_order_of_implicit_functions() {
    let duals = || [Dual::constant(0.0); 2];
    for solver in [Solver::Iteration, Solver::Direct, Solver::Gmres] {
        let f = value(Inactive(contraction {}));
        let how = value(FixedPoint::new(1e-14, 300).with_solver(solver));
        let dual = Setting::new((inout(duals()), input(duals()), f.clone(), how.clone()));
        let dual = dual.function("fixed_point", fixed_point {});
        let plain = Setting::new((inout([0.2, -0.3]), input([0.9, 0.6]), f, how));
        let plain = plain.function("fixed_point", fixed_point {});
        let all = (AsDuplicated, AsDuplicated, AsConst, AsConst);
        plain.mix(AsConst, all).second_order(&dual).assert();
    }
    let f = value(Inactive(equations {}));
    let how = value(Newton::new(1e-13, 60));
    let dual = Setting::new((inout(duals()), input(duals()), f.clone(), how.clone()));
    let dual = dual.function("root", root {});
    let plain = Setting::new((inout([0.2, -0.3]), input([0.9, 0.6]), f, how));
    let plain = plain.function("root", root {});
    let all = (AsDuplicated, AsDuplicated, AsConst, AsConst);
    plain.mix(AsConst, all).second_order(&dual).assert();
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

/// Newton's step to `√a`.
#[differentiable]
fn heron<T: Real>(x: &mut T, a: &T, _t: usize) {
    *x = T::lit(0.5) * (*x + *a / *x);
}

const HERON: FixedPoint = FixedPoint::new(1e-14, 50);

/// `√a` and its derivative, in reverse mode.
fn square_root<T: Real>(a: T) -> (T, T) {
    let (mut x, mut dx, mut da) = (T::one(), T::one(), T::zero());
    let args = (
        Duplicated(&mut x, &mut dx),
        Duplicated(&a, &mut da),
        Const(Inactive(heron {})),
        Const(HERON),
    );
    let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(fixed_point {});
    let mut args = args;
    let tape = thunk.augmented(&mut args).expect("it converges").tape;
    thunk.reverse((), tape, &mut args);
    (x, da)
}

#[test]
fn d25_the_derivative_of_a_fixed_point_has_no_loop() {
    let (x, dx) = square_root(2.0);
    close(&[x, dx], &[1.414_213_562_373, 0.353_553_390_593], 1e-12);
    close(&[dx], &[0.353_553_390_593_273_73], 2e-16);
    let (_, second) = square_root(Dual::variable(2.0));
    close(&[second.tangent], &[-0.088_388_347_648_318_43], 1e-15);
}

/// Unrolled, the derivative lags behind.
#[test]
fn f4_the_derivative_of_the_iterations_lags() {
    let expected = [
        0.5,
        0.361_111_111_111,
        0.353_565_936_178,
        0.353_553_390_612,
        0.353_553_390_593,
    ];
    for (k, expected) in (1_usize..).zip(expected) {
        let (mut x, mut dx, mut da) = (1.0, 1.0, 0.0);
        autodiff!(
            Reverse,
            iterate,
            Const,
            Duplicated(&mut x, &mut dx),
            Duplicated(&2.0, &mut da),
            Const(Inactive(heron {})),
            Const(k),
            Const(Schedule::every(1))
        );
        close(&[da], &[expected], 1e-12);
    }
    let (mut x, a) = (1.0, 2.0);
    let steps = fixed_point(&mut x, &a, Inactive(heron {}), HERON);
    // five steps to the solution, and one that finds it there
    assert_eq!(steps, Ok(6));
}

/// Kepler's equation, of `(M, e)`.
#[differentiable]
fn kepler(r: &mut f64, anomaly: &f64, p: &[f64]) {
    *r = *anomaly - p[1] * anomaly.sin() - p[0];
}

#[test]
fn f4_keplers_equation() {
    for how in [Newton::new(1e-15, 20), Newton::new(1e-15, 20).matrix_free()] {
        let (mut x, mut dx, p, mut dp) = (1.0, 1.0, [1.0, 0.3], [0.0; 2]);
        let mut args = (
            Duplicated(&mut x, &mut dx),
            Duplicated(&p[..], &mut dp[..]),
            Const(Inactive(kepler {})),
            Const(how),
        );
        let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(root {});
        let tape = thunk.augmented(&mut args).expect("it converges").tape;
        thunk.reverse((), tape, &mut args);
        close(&[x], &[1.288_091_313_211_837_7], 1e-15);
        close(
            &dp,
            &[1.091_329_301_150_417_5, 1.048_008_305_049_936_2],
            1e-15,
        );
        assert_eq!(dx, 0.0); // of the initial guess
    }
}

/// `x = cos(θx)`
#[differentiable]
fn cosine(x: &mut f64, theta: &f64, _t: usize) {
    *x = (*theta * *x).cos();
}

#[test]
fn f4_cosine() {
    let (mut x, mut dx, mut dtheta) = (0.5, 1.0, 0.0);
    let mut args = (
        Duplicated(&mut x, &mut dx),
        Duplicated(&1.0, &mut dtheta),
        Const(Inactive(cosine {})),
        Const(FixedPoint::new(1e-16, 200)),
    );
    let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(fixed_point {});
    let tape = thunk.augmented(&mut args).expect("it converges").tape;
    thunk.reverse((), tape, &mut args);
    close(
        &[x, dtheta],
        &[0.739_085_133_215_160_6, -0.297_474_341_509_832_26],
        4e-16,
    );
}

/// Of a deep equilibrium model `z = tanh(W·z + U·x + b)`: `p = (W, U, x, b)`.
#[differentiable]
fn layer(z: &mut [f64], p: &[f64], _t: usize) {
    count();
    let (a, b) = (z[0], z[1]);
    z[0] = (p[0] * a + p[1] * b + p[4] * p[8] + p[5] * p[9] + p[10]).tanh();
    z[1] = (p[2] * a + p[3] * b + p[6] * p[8] + p[7] * p[9] + p[11]).tanh();
}

thread_local! {
    static CALLS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

#[inactive]
fn count() {
    CALLS.set(CALLS.get() + 1);
}

const MODEL: [f64; 12] = [
    0.5, 0.2, -0.3, 0.4, 1.0, 0.0, 0.5, 1.0, 0.3, -0.2, 0.1, 0.05,
];

/// `z`, the cotangents of `p`, and the calls of the layer in both halves.
fn equilibrium(how: FixedPoint) -> ([f64; 2], [f64; 12], [usize; 2]) {
    let (mut z, mut dz, mut dp) = ([0.0; 2], [1.0, 2.0], [0.0; 12]);
    let mut args = (
        Duplicated(&mut z[..], &mut dz[..]),
        Duplicated(&MODEL[..], &mut dp[..]),
        Const(Inactive(layer {})),
        Const(how),
    );
    let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(fixed_point {});
    CALLS.set(0);
    let tape = thunk.augmented(&mut args).expect("it converges").tape;
    let first = CALLS.replace(0);
    thunk.reverse((), tape, &mut args);
    (z, dp, [first, CALLS.get()])
}

#[test]
fn f4_deep_equilibrium() {
    let how = FixedPoint::new(1e-15, 100);
    for solver in [Solver::Iteration, Solver::Direct, Solver::Gmres] {
        let (z, dp, calls) = equilibrium(how.with_solver(solver));
        close(&z, &[0.553_662_705_103, -0.265_917_949_994], 1e-12);
        let of_w = [
            0.060_452_167_925,
            -0.029_034_494_141,
            1.655_712_626_071,
            -0.795_220_092_029,
        ];
        close(&dp[..4], &of_w, 1e-12);
        close(&dp[8..10], &[1.604_421_740_482, 2.990_471_655_056], 1e-12);
        close(&dp[10..], &[0.109_185_912_954, 2.990_471_655_056], 1e-12);
        // 39 iterations and a last one or two of rounding; the adjoint's about as many, and one for the parameter
        match solver {
            Solver::Iteration => assert!(
                calls[0].abs_diff(39) <= 2 && calls[1].abs_diff(41) <= 3,
                "{calls:?}"
            ),
            Solver::Direct => assert!(calls[0].abs_diff(41) <= 2 && calls[1] == 1, "{calls:?}"),
            _ => assert!(calls[1] <= 3, "{calls:?}"),
        }
    }
}

/// A contraction that takes as long as one likes: `x ← x + (a − x)/rate`.
#[differentiable]
fn slow(x: &mut f64, p: &[f64], _t: usize) {
    *x += (p[0] - *x) * p[1];
}

#[test]
fn f4_memory_is_that_of_one_step() {
    // as many iterations as make the distance 1e-9, at these rates
    let rates: &[f64] = if cfg!(debug_assertions) {
        &[2e-2, 2e-4]
    } else {
        &[2e-2, 2e-4, 2e-6]
    };
    let mut iterations = Vec::with_capacity(3);
    let bytes: Vec<u64> = rates
        .iter()
        .map(|rate| {
            let (mut x, mut dx, p, mut dp) = (0.0, 1.0, [1.0, *rate], [0.0; 2]);
            let memory = allocation_counter::measure(|| {
                let mut args = (
                    Duplicated(&mut x, &mut dx),
                    Duplicated(&p[..], &mut dp[..]),
                    Const(Inactive(slow {})),
                    Const(FixedPoint::new(1e-9 * rate, 20_000_000)),
                );
                let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(fixed_point {});
                let augmented = thunk.augmented(&mut args).expect("it converges");
                iterations.extend(augmented.primal);
                thunk.reverse((), augmented.tape, &mut args);
            });
            close(&dp[..1], &[1.0], 1e-7);
            memory.bytes_max
        })
        .collect();
    assert!(
        iterations[0] >= 1_000 && iterations[1] >= 100_000,
        "{iterations:?}"
    );
    assert!(
        bytes.iter().all(|b| *b == bytes[0] && *b < 1024),
        "{bytes:?}"
    );
}

#[test]
fn no_convergence_is_an_error_with_the_numbers_and_shadows_stay() {
    let (mut x, mut dx, mut da) = (1.0, 7.0, 3.0);
    let result = autodiff!(
        Reverse,
        fixed_point,
        Const,
        Duplicated(&mut x, &mut dx),
        Duplicated(&2.0, &mut da),
        Const(Inactive(heron {})),
        Const(FixedPoint::new(1e-14, 3))
    );
    let Err(Error::NoConvergence {
        iterations: 3,
        residual,
        tolerance,
    }) = result
    else {
        panic!("{result:?}");
    };
    assert!(residual > 1e-4 && tolerance == 1e-14);
    assert_eq!((dx, da), (7.0, 3.0));
    let message = result.expect_err("no convergence").to_string();
    assert!(
        message.starts_with("no convergence in 3 iterations: 2.4"),
        "{message}"
    );
}

#[test]
fn a_singular_jacobian_is_an_error_and_shadows_stay() {
    /// `x²  = p`, whose derivative at 0 is infinite.
    #[differentiable]
    fn square(r: &mut f64, x: &f64, p: &f64) {
        *r = *x * *x - *p;
    }
    let (mut x, mut dx, mut dp) = (0.0, 7.0, 3.0);
    let result = autodiff!(
        Reverse,
        root,
        Const,
        Duplicated(&mut x, &mut dx),
        Duplicated(&0.0, &mut dp),
        Const(Inactive(square {})),
        Const(Newton::new(1e-12, 30))
    );
    assert_eq!(result, Err(Error::SingularJacobian { column: 0, size: 1 }));
    assert_eq!((dx, dp), (7.0, 3.0));
    let (mut x, p) = (0.3, -1.0);
    let none = root(&mut x, &p, Inactive(square {}), Newton::new(1e-12, 30));
    assert!(
        matches!(none, Err(Error::NoConvergence { iterations: 30, .. })),
        "{none:?}"
    );
}
