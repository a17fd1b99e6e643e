//! Every row of `coenzyme::ops` against central differences, on both signs and on both sides of every branch; and the
//! documented values at the edges.

use coenzyme::{derivative, ops};
use num_traits::Float;

const STEP: f64 = 1e-5;

/// Central differences of order four with one step: truncation `h⁴·f⁽⁵⁾/30` is below 1e-18 of the derivatives here, the
/// rounding of `f/h` is about 1e-11 of the value.
fn differences(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    let h = STEP * x.abs().max(1.0);
    let slope = |h: f64| (f(x + h) - f(x - h)) / (2.0 * h);
    (4.0 * slope(h) - slope(2.0 * h)) / 3.0
}

#[track_caller]
fn assert_agrees(what: &str, partial: f64, f: impl Fn(f64) -> f64, x: f64) {
    let truth = differences(&f, x);
    let tolerance = 1e-10 * (1.0 + truth.abs() + f(x).abs());
    assert!(
        (partial - truth).abs() < tolerance,
        "{what} at {x}: partial {partial}, differences {truth}"
    );
}

/// `row: points`, for a function of one number that is a method of `f64`.
macro_rules! unary {
    ($($row:ident: $($x:expr),*;)*) => {
        #[test]
        fn partials_of_one_operand_agree_with_differences() {
            $(for x in [$($x),*] {
                let f = |x: f64| Float::$row(x);
                let partial = ops::$row::partial(x, f(x));
                assert_agrees(stringify!($row), partial, f, x);
                assert_eq!(derivative(|x| Float::$row(x), x), partial, "dual numbers use the row");
            })*
        }
    };
}

unary! {
    recip: -2.0, -0.5, 0.25, 3.0;
    sqrt: 0.01, 1.0, 50.0;
    cbrt: -8.0, -0.1, 0.1, 27.5;
    exp: -3.0, 0.0, 2.5;
    exp2: -3.0, 0.0, 2.5;
    exp_m1: -3.0, 0.0, 1e-3, 2.5;
    ln: 0.01, 1.0, 50.0;
    ln_1p: -0.9, 0.0, 1e-3, 50.0;
    log2: 0.01, 1.0, 50.0;
    log10: 0.01, 1.0, 50.0;
    sin: -4.0, 0.0, 1.0, 9.0;
    cos: -4.0, 0.0, 1.0, 9.0;
    tan: -4.0, 0.0, 1.0, 2.0;
    asin: -0.9, 0.0, 0.5, 0.95;
    acos: -0.9, 0.0, 0.5, 0.95;
    atan: -20.0, -0.5, 0.0, 3.0;
    sinh: -3.0, 0.0, 2.0;
    cosh: -3.0, 0.0, 2.0;
    tanh: -3.0, 0.0, 2.0;
    asinh: -30.0, -0.5, 0.0, 3.0;
    acosh: 1.1, 2.0, 50.0;
    atanh: -0.9, 0.0, 0.5, 0.95;
    abs: -2.0, -1e-3, 1e-3, 2.0;
    to_radians: -90.0, 1.0;
    to_degrees: -1.5, 1.0;
    fract: -1.5, -0.25, 0.25, 7.75;
    signum: -2.0, 3.0;
    floor: -1.5, -0.25, 0.25, 7.75;
    ceil: -1.5, -0.25, 0.25, 7.75;
    round: -1.75, -0.25, 0.25, 7.75;
    trunc: -1.5, -0.25, 0.25, 7.75;
}

// no method of `Float`
#[test]
fn rounding_to_even_is_flat() {
    for x in [-1.75_f64, -0.25, 0.25, 7.75] {
        let partial = ops::round_ties_even::partial(x, x.round_ties_even());
        assert_agrees("round_ties_even", partial, f64::round_ties_even, x);
    }
}

#[test]
fn negation_has_the_partial_minus_one() {
    assert_agrees("neg", ops::neg::partial(1.5, -1.5), |x| -x, 1.5);
}

/// `row(f): points`, for a function of two numbers.
macro_rules! binary {
    ($($row:ident($f:expr): $($point:expr),*;)*) => {
        #[test]
        fn partials_of_two_operands_agree_with_differences() {
            $(for (a, b) in [$($point),*] {
                let f: fn(f64, f64) -> f64 = $f;
                let (da, db) = ops::$row::partials(a, b, f(a, b));
                assert_agrees(concat!("∂₁ ", stringify!($row)), da, |a| f(a, b), a);
                assert_agrees(concat!("∂₂ ", stringify!($row)), db, |b| f(a, b), b);
            })*
        }
    };
}

binary! {
    add(|a, b| a + b): (1.5, -2.0), (0.0, 0.0);
    sub(|a, b| a - b): (1.5, -2.0), (0.0, 0.0);
    mul(|a, b| a * b): (1.5, -2.0), (0.0, 3.0), (0.0, 0.0);
    div_euclid(|a, b| a.div_euclid(b)): (1.5, -2.0), (-1.5, 0.4), (7.0, 3.0);
    div(|a, b| a / b): (1.5, -2.0), (-1.5, 0.5), (0.0, 3.0);
    rem(|a, b| a % b): (7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (0.5, 2.0);
    rem_euclid(f64::rem_euclid): (7.5, 2.0), (-7.5, 2.0), (7.5, -2.0), (-7.5, -2.0), (0.5, 2.0);
    powf(f64::powf): (2.0, 3.0), (2.0, -1.5), (0.1, 0.5), (3.0, 0.0), (1.0, 2.0);
    hypot(f64::hypot): (3.0, 4.0), (-3.0, 4.0), (3.0, -0.5), (2.0, 0.0);
    atan2(f64::atan2): (1.0, 2.0), (1.0, -2.0), (-1.0, -2.0), (-1.0, 2.0), (0.0, 1.0), (2.0, 0.0);
    max(f64::max): (1.0, 2.0), (2.0, 1.0), (-1.0, -2.0);
    min(f64::min): (1.0, 2.0), (2.0, 1.0), (-1.0, -2.0);
    copysign(f64::copysign): (1.5, 2.0), (1.5, -2.0), (-1.5, 2.0), (-1.5, -2.0);
    midpoint(f64::midpoint): (1.5, -2.0), (0.0, 0.0);
    log(f64::log): (2.0, 3.0), (0.5, 3.0), (2.0, 0.25);
}

#[test]
fn integer_powers_agree_with_differences() {
    for (a, n) in [
        (2.0, 3),
        (-2.0, 3),
        (-2.0, 2),
        (0.5, -2),
        (-0.5, -3),
        (0.0, 2),
        (0.0, 1),
        (3.0, 0),
        (0.0, 0),
    ] {
        assert_agrees(
            &format!("powi {n}"),
            ops::powi::partial(a, n),
            |a: f64| a.powi(n),
            a,
        );
    }
    for (a, b) in [(-2.0, 3.0), (-2.0, 2.0), (-0.5, -3.0)] {
        assert_agrees(
            "∂₁ powf",
            ops::powf::partials(a, b, a.powf(b)).0,
            |a: f64| a.powf(b),
            a,
        );
    }
}

#[test]
fn three_operands_agree_with_differences() {
    use ops::Operand;
    for (x, lo, hi) in [(0.5, -1.0, 1.0), (-2.0, -1.0, 1.0), (3.0, -1.0, 1.0)] {
        let (d0, d1, d2) =
            Operand::<ops::clamp, (f64, f64)>::partials(x, (lo, hi), x.clamp(lo, hi));
        assert_agrees("∂₁ clamp", d0, |x| x.clamp(lo, hi), x);
        assert_agrees("∂₂ clamp", d1, |lo| x.clamp(lo, hi), lo);
        assert_agrees("∂₃ clamp", d2, |hi| x.clamp(lo, hi), hi);
    }
    let (a, b, c) = (1.5_f64, -2.0, 0.25);
    let (d0, d1, d2) = Operand::<ops::mul_add, (f64, f64)>::partials(a, (b, c), a.mul_add(b, c));
    assert_agrees("∂₁ mul_add", d0, |a| a.mul_add(b, c), a);
    assert_agrees("∂₂ mul_add", d1, |b| a.mul_add(b, c), b);
    assert_agrees("∂₃ mul_add", d2, |c| a.mul_add(b, c), c);
}

#[test]
fn edges_are_as_documented() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let unary = |partial: f64, expected: f64| {
        assert!(
            partial == expected || partial.is_nan() && expected.is_nan(),
            "{partial}, expected {expected}"
        );
    };
    unary(ops::abs::partial(0.0, 0.0), 0.0);
    unary(ops::abs::partial(-0.0, 0.0), 0.0);
    unary(ops::abs::partial(NAN, NAN), NAN);
    unary(ops::signum::partial(0.0, 1.0), 0.0);
    unary(ops::floor::partial(1.0, 1.0), 0.0);
    unary(ops::sqrt::partial(0.0, 0.0), INF);
    unary(ops::cbrt::partial(0.0, 0.0), INF);
    unary(ops::asin::partial(1.0, 1.0.asin()), INF);
    unary(ops::acos::partial(-1.0, (-1.0).acos()), -INF);
    unary(ops::acosh::partial(1.0, 0.0), INF);
    unary(ops::atanh::partial(1.0, INF), INF);
    unary(ops::ln::partial(0.0, -INF), INF);
    unary(ops::sqrt::partial(-1.0, NAN), NAN);
    unary(ops::asin::partial(2.0, NAN), NAN);
    unary(ops::tanh::partial(50.0, 1.0), 0.0);
    unary(ops::exp::partial(-INF, 0.0), 0.0);

    let binary = |(da, db): (f64, f64), (a, b): (f64, f64)| {
        unary(da, a);
        unary(db, b);
    };
    // ties go to the first operand; NaN is passed over
    binary(ops::max::partials(1.0, 1.0, 1.0), (1.0, 0.0));
    binary(ops::min::partials(1.0, 1.0, 1.0), (1.0, 0.0));
    binary(ops::max::partials(NAN, 1.0, 1.0), (0.0, 1.0));
    binary(ops::max::partials(1.0, NAN, 1.0), (1.0, 0.0));
    binary(ops::min::partials(NAN, 1.0, 1.0), (0.0, 1.0));
    binary(ops::min::partials(1.0, NAN, 1.0), (1.0, 0.0));
    binary(ops::hypot::partials(0.0, 0.0, 0.0), (0.0, 0.0));
    binary(ops::atan2::partials(0.0, 0.0, 0.0), (NAN, NAN));
    binary(ops::powf::partials(0.0, 2.0, 0.0), (0.0, 0.0));
    binary(ops::powf::partials(0.0, 1.0, 0.0), (1.0, 0.0));
    binary(ops::powf::partials(0.0, 0.5, 0.0), (INF, 0.0));
    binary(ops::powf::partials(-2.0, 2.0, 4.0), (-4.0, NAN));
    binary(ops::powf::partials(3.0, 0.0, 1.0), (0.0, 3.0.ln()));
    binary(ops::copysign::partials(0.0, -1.0, -0.0), (-1.0, 0.0));
    // on the jump, the side of the value
    binary(ops::rem::partials(6.0, 2.0, 0.0), (1.0, -3.0));
    binary(ops::rem_euclid::partials(-6.0, 2.0, 0.0), (1.0, 3.0));
}

#[coenzyme::differentiable]
fn square(x: f64) -> f64 {
    x * x
}

/// One name on both sides of an operator has a rule of its own, where the operator says what it is.
#[test]
fn a_number_times_itself_agrees_with_differences() {
    for x in [-3.0, -0.1, 0.0, 0.5, 12.0] {
        let (slope,) = coenzyme::gradient!(square, x);
        assert_agrees("x * x, backwards", slope, |x| x * x, x);
    }
}

#[test]
fn angles_of_tiny_and_huge_points_keep_their_partials() {
    for scale in [1e-200, 1e200] {
        let (da, db) = ops::atan2::partials(3.0 * scale, 4.0 * scale, 3.0.atan2(4.0));
        assert!((da * scale - 0.16).abs() < 1e-15 && (db * scale + 0.12).abs() < 1e-15);
    }
}

#[test]
fn clamp_on_its_bounds_passes_the_derivative_to_the_operand() {
    use ops::Operand;
    for x in [-1.0, 1.0] {
        let partials = Operand::<ops::clamp, (f64, f64)>::partials(x, (-1.0, 1.0), x);
        assert_eq!(partials, (1.0, 0.0, 0.0));
    }
}

#[test]
fn both_directions_are_transposes() {
    use ops::Operand;
    fn check<Op, const N: usize>(points: [(f64, f64, f64); N])
    where
        f64: Operand<Op, (f64,), Output = f64, Partials = (f64, f64)>,
    {
        for (a, b, y) in points {
            let partials = a.partials((b,), y);
            let forward = <f64 as Operand<Op, (f64,)>>::pushforward(&partials, 0.5, (-1.5,));
            let (da, (db,)) = <f64 as Operand<Op, (f64,)>>::pullback(&partials, &2.0);
            assert!((forward * 2.0 - (da * 0.5 - db * 1.5)).abs() < 1e-12);
        }
    }
    check::<ops::mul, _>([(3.0, 2.0, 6.0)]);
    check::<ops::div, _>([(3.0, 2.0, 1.5)]);
    check::<ops::powf, _>([(3.0, 2.0, 9.0)]);
}
