//! Roots between ends, symmetric systems, accelerated iterations, interpolation: every rule in every mix, and what they say of events.

use coenzyme::prelude::*;
use coenzyme::{AsConst, AsDuplicated, Dual, Real};
use coenzyme_loops::{
    Bracket, Error, FixedPoint, LeastSquares, Newton, Solver, bracketed_root, fixed_point,
    least_squares, linear_interpolation, monotone_interpolation, natural_spline, root,
};
use coenzyme_testutils::{Overrides, Setting, by_mut, inout, input, test_rule, value};

/// Rises wherever it is.
#[differentiable]
fn rising<T: Real>(r: &mut T, x: &T, p: &[T]) {
    *r = T::lit(2.0) * *x + (*x * p[0]).sin() * T::lit(0.5) - p[1];
}

const BRACKET: Bracket = Bracket::new([-5.0, 7.0], 1e-15);

test_rule! {
    bracketed_root;
    x: by_mut(0.1_f64), p: input([0.9, 0.6]), f: value(Inactive(rising {})) [Const], how: value(BRACKET) [Const];
    ret: [Const];
    name = between,
    const_buffers = severed("what is read back through a `Const` root is inactive"),
    overrides = Overrides::none().allow_vacuous("what the root is written over is inactive")
}

#[test]
fn second_order_of_a_root_between_ends() {
    let f = value(Inactive(rising {}));
    let how = value(BRACKET);
    let zeros = [Dual::constant(0.0_f64); 2];
    let dual = Setting::new((by_mut(zeros[0]), input(zeros), f.clone(), how.clone()));
    let dual = dual.function("bracketed_root", bracketed_root {});
    let plain = Setting::new((by_mut(0.1_f64), input([0.9, 0.6]), f, how));
    let plain = plain.function("bracketed_root", bracketed_root {});
    let all = (AsDuplicated, AsDuplicated, AsConst, AsConst);
    plain.mix(AsConst, all).second_order(&dual).assert();
}

/// `∛a`, to third order: `a^(1/3)·1/3·(−2/3)·(−5/3)/a³ = 10/27·a^(−8/3)`.
#[test]
fn f4_a_cube_root_to_third_order() {
    #[differentiable]
    fn cube<T: Real>(r: &mut T, x: &T, a: &T) {
        *r = *x * *x * *x - *a;
    }
    fn cube_root<T: Real>(a: T) -> T {
        let mut x = T::zero();
        let how = Bracket::new([0.0, 10.0], 0.0);
        bracketed_root(&mut x, &a, Inactive(cube {}), how).expect("a sign change");
        x
    }
    let a = Dual::variable(Dual::variable(Dual::variable(2.0_f64)));
    let third = cube_root(a).tangent.tangent.tangent;
    assert!((third - 10.0 / 27.0 * 2.0_f64.powf(-8.0 / 3.0)).abs() < 1e-14);
    assert!((cube_root(2.0) - 2.0_f64.cbrt()).abs() < 1e-15);
}

#[test]
fn a_bracket_without_a_root_is_an_error_and_touches_nothing() {
    let mut x = 0.25;
    let how = Bracket::new([2.0, 3.0], 1e-12);
    let error = bracketed_root(&mut x, &[0.5, 1.0][..], Inactive(rising {}), how);
    assert!(matches!(error, Err(Error::NoBracket { .. })), "{error:?}");
    assert_eq!(x, 0.25);
}

/// The gradient of `Σ ln cosh xᵢ + ½Σ(xᵢ − xᵢ₊₁)² + … − p·x`: its Jacobian is symmetric and definite.
#[differentiable]
fn slopes<T: Real>(r: &mut [T], x: &[T], p: &[T]) {
    let n = x.len();
    for i in 0..n {
        let mut s = x[i].tanh() + T::lit(0.5) * x[i] - p[i];
        if i > 0 {
            s += x[i] - x[i - 1];
        }
        if i + 1 < n {
            s += x[i] - x[i + 1];
        }
        r[i] = s;
    }
}

test_rule! {
    root;
    x: inout([0.2, -0.3, 0.1]), p: input([0.9, 0.6, -0.4]), f: value(Inactive(slopes {})) [Const], how: value(Newton::new(1e-13, 60).symmetric()) [Const];
    ret: [Const];
    name = minimum,
    const_buffers = severed("what is read back through a `Const` state is inactive"),
    overrides = Overrides::none().allow_vacuous("the initial guess is inactive")
}

/// A gradient step towards the same minimum: symmetric too.
#[differentiable]
fn descent<T: Real>(x: &mut [T], p: &[T], _t: usize) {
    let mut r = vec![T::zero(); x.len()];
    slopes(&mut r, x, p);
    for i in 0..x.len() {
        x[i] -= T::lit(0.2) * r[i];
    }
}

test_rule! {
    fixed_point;
    x: inout([0.2, -0.3, 0.1]), p: input([0.9, 0.6, -0.4]), f: value(Inactive(descent {})) [Const], how: value(how) [Const];
    ret: [Const];
    name = accelerated, sizes = how in [
        FixedPoint::new(1e-15, 500).with_solver(Solver::ConjugateGradients),
        FixedPoint::new(1e-15, 500).accelerated(3)
    ],
    const_buffers = severed("what is read back through a `Const` state is inactive"),
    overrides = Overrides::none().allow_vacuous("the initial guess is inactive")
}

/// It converges where the plain iteration does not, to the same point as Newton's method.
#[test]
fn accelerated_iterations_are_shorter() {
    let (p, long) = ([0.9, 0.6, -0.4], FixedPoint::new(1e-12, 1000));
    let steps = |how| {
        let mut x = [0.0_f64; 3];
        let steps = fixed_point(&mut x[..], &p[..], Inactive(descent {}), how);
        (x, steps.expect("it converges"))
    };
    let ((plain, many), (fast, few)) = (steps(long), steps(long.accelerated(3)));
    assert!(3 * few < many, "{few} and {many}");
    assert!(plain.iter().zip(fast).all(|(a, b)| (a - b).abs() < 1e-11));

    #[differentiable]
    fn repelling(x: &mut f64, a: &f64, _t: usize) {
        *x = *a - 3.0 * *x;
    }
    let how = FixedPoint::new(1e-12, 50);
    assert!(fixed_point(&mut 0.0, &2.0, Inactive(repelling {}), how).is_err());
    let (mut x, mut dx, mut da) = (0.0, 1.0, 0.0);
    let found = autodiff!(
        Reverse,
        fixed_point,
        Const,
        Duplicated(&mut x, &mut dx),
        Duplicated(&2.0, &mut da),
        Const(Inactive(repelling {})),
        Const(how.accelerated(2).with_solver(Solver::Direct))
    );
    assert!(found.is_ok());
    assert!((x - 0.5).abs() < 1e-12 && (da - 0.25).abs() < 1e-12);
}

/// A curve through data that it does not meet: the residuals are far from zero, and so is what Gauss and Newton leave out.
#[differentiable]
fn curve<T: Real>(r: &mut [T], x: &[T], p: &[T]) {
    for i in 0..r.len() {
        let t = T::lit(0.5 * i as f64 - 1.0);
        r[i] = x[0] * (x[1] * t).exp() + T::lit(0.1) * x[1] - p[i];
    }
}

test_rule! {
    least_squares;
    x: inout([0.8, 0.3]), p: input([0.9, 0.4, 1.6, 1.1, 2.4]), f: value(Inactive(curve {})) [Const], how: value(LeastSquares::new(5, 1e-13, 200)) [Const];
    ret: [Const];
    name = fits,
    const_buffers = severed("what is read back through a `Const` state is inactive"),
    overrides = Overrides::none().allow_vacuous("the initial guess is inactive")
}

/// A line through points: its derivative in them is the pseudo-inverse, here of `(1, t)` at `t = 0, 1, 2, 3`.
#[test]
fn f4_a_line_through_points() {
    #[differentiable]
    fn line<T: Real>(r: &mut [T], x: &[T], p: &[T]) {
        for i in 0..p.len() {
            r[i] = x[0] + x[1] * T::lit(i as f64) - p[i];
        }
    }
    let how = LeastSquares::new(4, 1e-13, 50);
    let p = [1.0, 3.5, 4.0, 7.5];
    let (mut x, mut dx, mut dp) = ([0.0; 2], [0.0, 1.0], [0.0; 4]);
    autodiff!(
        Reverse,
        least_squares,
        Const,
        Duplicated(&mut x[..], &mut dx[..]),
        Duplicated(&p[..], &mut dp[..]),
        Const(Inactive(line {})),
        Const(how)
    )
    .expect("a line");
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-11);
    assert!(close(&x, &[1.0, 2.0]), "{x:?}");
    assert!(close(&dp, &[-0.3, -0.1, 0.1, 0.3]), "{dp:?}");
    let stuck = least_squares(
        &mut [0.8, 0.3],
        &[1.0; 5],
        Inactive(curve {}),
        LeastSquares::new(5, 1e-13, 1),
    );
    assert!(matches!(
        stuck,
        Err(Error::NoConvergence { iterations: 1, .. })
    ));
}

const KNOTS: [f64; 4] = [-0.8, 0.1, 0.5, 1.7];
const VALUES: [f64; 4] = [0.3, -0.6, 0.9, 0.2];

test_rule! {
    linear_interpolation;
    x: input([0.3, -1.1, 1.2, 2.4, -0.2]), knots: input(KNOTS), values: input(VALUES);
    ret: [Const, Duplicated];
    name = lines
}

test_rule! {
    natural_spline;
    x: input(case.0), knots: input(case.1), values: input(case.2);
    ret: [Const, Duplicated];
    name = splines, sizes = case in [
        (vec![0.3, -1.1, 1.2, 2.4, -0.2], KNOTS.to_vec(), VALUES.to_vec()),
        (vec![0.3], vec![0.0, 1.0], vec![2.0, 3.0]),
        (vec![], KNOTS.to_vec(), VALUES.to_vec())
    ]
}

/// Through its values, with two continuous derivatives, and straight at the ends; a line is itself.
#[test]
fn a_natural_spline_is_one() {
    let at = |x: f64| {
        let x = Dual::variable(Dual::variable(x));
        let [knots, values] = [KNOTS, VALUES].map(|v| v.map(|v| Dual::constant(Dual::constant(v))));
        let y = natural_spline(&[x], &knots, &values)[0];
        [y.value.value, y.value.tangent, y.tangent.tangent]
    };
    for (knot, value) in KNOTS.into_iter().zip(VALUES) {
        let (left, right) = (at(knot - 1e-9), at(knot + 1e-9));
        assert!((left[0] - value).abs() < 1e-7);
        for order in 0..3 {
            assert!(
                (left[order] - right[order]).abs() < 1e-6,
                "{order} at {knot}"
            );
        }
    }
    assert!(at(KNOTS[0])[2].abs() < 1e-14 && at(KNOTS[3] - 1e-12)[2].abs() < 1e-10);
    let line: Vec<f64> = natural_spline(&[-2.0, 0.3, 5.0], &[0.0, 1.0, 4.0], &[1.0, 3.0, 9.0]);
    let expected = [-3.0_f64, 1.6, 11.0];
    assert!(
        line.iter()
            .zip(expected)
            .all(|(a, b)| (a - b).abs() < 1e-14)
    );
}

const STEEP: [f64; 5] = [-0.8, 0.1, 0.5, 1.7, 2.6];

test_rule! {
    monotone_interpolation;
    x: input(case.0), knots: input(case.1), values: input(case.2);
    ret: [Const, Duplicated];
    name = monotone, sizes = case in [
        (vec![0.3, -1.1, 1.2, 2.4, -0.2, 3.1], STEEP.to_vec(), vec![0.3, 0.6, 1.9, 2.2, 4.0]),
        // turns, and ends that would overshoot
        (vec![0.3, -1.1, 1.2, 2.4, -0.2, 3.1], STEEP.to_vec(), vec![0.3, -0.6, -5.9, 0.2, 0.1]),
        (vec![0.3, -0.4, 1.6], vec![0.0, 1.0], vec![2.0, 3.0]),
        (vec![], STEEP.to_vec(), vec![1.0; 5])
    ]
}

/// Through its values, with one continuous derivative, and monotone wherever they are. The slopes inside are those of Fritsch and Butland's equation 5, by hand.
#[test]
fn f6_a_monotone_cubic_is_one() {
    let values = [0.3, 0.6, 1.9, 1.9, -4.0].map(Dual::constant);
    let knots = STEEP.map(Dual::constant);
    let at = |x: f64| monotone_interpolation(&[Dual::variable(x)], &knots, &values)[0];
    for (knot, value) in STEEP.into_iter().zip(values) {
        let (left, right) = (at(knot - 1e-10), at(knot + 1e-10));
        assert!((left.value - value.value).abs() < 1e-8);
        assert!((left.tangent - right.tangent).abs() < 1e-8, "at {knot}");
    }
    for i in 0..=400 {
        let x = -1.5 + 0.01 * f64::from(i);
        let slope = at(x).tangent;
        let expected = match x {
            x if x < 0.5 - 1e-9 => slope >= 0.0,
            x if x < 1.7 + 1e-9 => slope.abs() < 1e-12,
            _ => slope < 0.0,
        };
        assert!(expected, "{slope} at {x}");
    }
    // lines of slope 1/3 and 13/4 over 0.9 and 0.4: 3·1.3 = 3.9 over 1.7·3 + 2.2·4/13
    assert!((at(0.1).tangent - 3.9 / (1.7 * 3.0 + 2.2 * 4.0 / 13.0)).abs() < 1e-14);
}

#[test]
#[should_panic(expected = "interpolation: the knots do not rise")]
fn knots_rise() {
    let _ = linear_interpolation(&[0.5], &[0.0, 2.0, 1.0], &[0.0; 3]);
}

/// The height after the time `t`, of `p = (gravity, height, velocity)`, in eight leapfrog steps.
#[differentiable]
fn height(r: &mut f64, t: &f64, p: &[f64]) {
    let dt = *t / 8.0;
    let (mut x, mut v) = (p[1], p[2]);
    for _ in 0..8 {
        v -= 0.5 * dt * p[0];
        x += dt * v;
        v -= 0.5 * dt * p[0];
    }
    *r = x;
}

/// When a ball hits the ground, and how fast it is after `bounces` of them: an event is a root whose body is an integral.
#[differentiable]
fn bounces(p: &[f64], restitution: f64, bounces: usize) -> Result<f64, Error> {
    let mut velocity = 0.0;
    let mut start = p[1];
    let mut time = 0.0;
    for k in 0..bounces {
        let q = [p[0], start, velocity];
        let mut t = 0.0;
        // not the moment in which it leaves the ground
        let first = if k == 0 { 0.0 } else { 0.02 };
        bracketed_root(
            &mut t,
            &q[..],
            Inactive(height {}),
            Bracket::new([first, 9.0], 1e-14),
        )?;
        time += t;
        velocity = -restitution * (velocity - p[0] * t);
        start = 0.0;
    }
    Ok(time)
}

/// Against the closed form `√(2h/g)·(1 + 2e + 2e²)`.
#[test]
fn f5_a_bouncing_ball() {
    let (g, h, e) = (9.81, 1.5, 0.8);
    let mut dp = [0.0; 3];
    let p = [g, h, 0.0];
    let ((_, de, _), time) = autodiff!(
        ReverseWithPrimal,
        bounces,
        Duplicated(&p, &mut dp),
        Active(e),
        Const(3)
    )
    .expect("it falls");
    let fall = (2.0 * h / g).sqrt();
    let sum = 1.0 + 2.0 * e + 2.0 * e * e;
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} and {b}");
    close(time, fall * sum);
    close(dp[0], -0.5 * fall / g * sum);
    close(dp[1], 0.5 * fall / h * sum);
    close(de, fall * (2.0 + 4.0 * e));
}
