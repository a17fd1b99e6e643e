//! Values and derivatives where calculus or floating point leaves something open: zeros of both signs, infinities, NaN, the ends
//! of domains, kinks, jumps and ties. What stands here is documented where the function is.

mod judge;

use coenzyme::prelude::*;
use coenzyme_rules::{array, scalar};
use judge::run;
use ndarray::{Array1, array};

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;
const PI: f64 = std::f64::consts::PI;

/// Equal numbers, or both NaN; a zero of either sign is a zero.
fn same(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-15 * b.abs().max(1.0) || a.is_nan() && b.is_nan()
}

/// `f { x => value, derivative; … }` on arrays, in both modes.
macro_rules! edges {
    ($($f:ident { $($x:expr => $y:expr, $dy:expr;)+ })+) => {$(
        #[test]
        fn $f() {
            let x = array![$($x),+];
            let one = Array1::ones(x.len());
            let mut reverse = Tangent::zero_like(&x);
            let value = run(&array::$f {}, (Duplicated(&*x, &mut *reverse),), &one);
            let (forward,) = autodiff!(Forward, array::$f, Duplicated(&x, &one));
            let want = [$(($y, $dy)),+];
            for (i, (y, dy)) in want.into_iter().enumerate() {
                let at = format!("{} at {:?}", stringify!($f), x[i]);
                assert!(same(value[i], y), "{at}: {} instead of {y}", value[i]);
                assert!(same(reverse[i], dy), "{at}, reverse: {} instead of {dy}", reverse[i]);
                assert!(same(forward[i], dy), "{at}, forward: {} instead of {dy}", forward[i]);
            }
        }
    )+};
}

edges! {
    recip { 0.0 => INF, -INF; -0.0 => -INF, -INF; INF => 0.0, 0.0; -INF => 0.0, 0.0; NAN => NAN, NAN; }
    sqrt { 0.0 => 0.0, INF; -0.0 => -0.0, -INF; -1.0 => NAN, NAN; INF => INF, 0.0; NAN => NAN, NAN; }
    cbrt { 0.0 => 0.0, INF; -0.0 => 0.0, INF; -8.0 => -2.0, 1.0 / 12.0; INF => INF, 0.0; -INF => -INF, 0.0; NAN => NAN, NAN; }
    exp { 0.0 => 1.0, 1.0; -INF => 0.0, 0.0; INF => INF, INF; 800.0 => INF, INF; NAN => NAN, NAN; }
    exp2 { -INF => 0.0, 0.0; INF => INF, INF; NAN => NAN, NAN; }
    exp_m1 { 0.0 => 0.0, 1.0; -INF => -1.0, 0.0; INF => INF, INF; NAN => NAN, NAN; }
    ln { 0.0 => -INF, INF; -0.0 => -INF, -INF; -2.0 => NAN, -0.5; INF => INF, 0.0; NAN => NAN, NAN; }
    ln_1p { -1.0 => -INF, INF; -3.0 => NAN, -0.5; INF => INF, 0.0; NAN => NAN, NAN; }
    log2 { 0.0 => -INF, INF; INF => INF, 0.0; NAN => NAN, NAN; }
    log10 { 0.0 => -INF, INF; INF => INF, 0.0; NAN => NAN, NAN; }
    sin { 0.0 => 0.0, 1.0; INF => NAN, NAN; NAN => NAN, NAN; }
    cos { 0.0 => 1.0, 0.0; INF => NAN, NAN; NAN => NAN, NAN; }
    tan { 0.0 => 0.0, 1.0; -INF => NAN, NAN; NAN => NAN, NAN; }
    asin { 1.0 => PI / 2.0, INF; -1.0 => -PI / 2.0, INF; 1.5 => NAN, NAN; NAN => NAN, NAN; }
    acos { 1.0 => 0.0, -INF; -1.0 => PI, -INF; -1.5 => NAN, NAN; NAN => NAN, NAN; }
    atan { INF => PI / 2.0, 0.0; -INF => -PI / 2.0, 0.0; NAN => NAN, NAN; }
    sinh { INF => INF, INF; -INF => -INF, INF; NAN => NAN, NAN; }
    cosh { INF => INF, INF; -INF => INF, -INF; NAN => NAN, NAN; }
    tanh { INF => 1.0, 0.0; -INF => -1.0, 0.0; -0.0 => -0.0, 1.0; NAN => NAN, NAN; }
    asinh { INF => INF, 0.0; -INF => -INF, 0.0; NAN => NAN, NAN; }
    acosh { 1.0 => 0.0, INF; 0.5 => NAN, NAN; INF => INF, 0.0; NAN => NAN, NAN; }
    atanh { 1.0 => INF, INF; -1.0 => -INF, INF; 2.0 => NAN, -1.0 / 3.0; NAN => NAN, NAN; }
    abs { 0.0 => 0.0, 0.0; -0.0 => 0.0, 0.0; 5e-324 => 5e-324, 1.0; -5e-324 => 5e-324, -1.0; -INF => INF, -1.0; NAN => NAN, NAN; }
    signum { 0.0 => 1.0, 0.0; -0.0 => -1.0, 0.0; -INF => -1.0, 0.0; NAN => NAN, 0.0; }
    floor { 1.0 => 1.0, 0.0; -0.5 => -1.0, 0.0; INF => INF, 0.0; NAN => NAN, 0.0; }
    ceil { 1.0 => 1.0, 0.0; -0.5 => -0.0, 0.0; -INF => -INF, 0.0; NAN => NAN, 0.0; }
    round { 0.5 => 1.0, 0.0; -0.5 => -1.0, 0.0; 2.5 => 3.0, 0.0; NAN => NAN, 0.0; }
    trunc { 1.0 => 1.0, 0.0; -1.5 => -1.0, 0.0; INF => INF, 0.0; NAN => NAN, 0.0; }
    fract { 1.0 => 0.0, 1.0; -1.5 => -0.5, 1.0; INF => NAN, 1.0; NAN => NAN, 1.0; }

    erf { INF => 1.0, 0.0; -INF => -1.0, 0.0; -0.0 => -0.0, std::f64::consts::FRAC_2_SQRT_PI; NAN => NAN, NAN; }
    erfc { INF => 0.0, 0.0; -INF => 2.0, 0.0; 0.0 => 1.0, -std::f64::consts::FRAC_2_SQRT_PI; NAN => NAN, NAN; }
    lgamma { 0.0 => INF, NAN; -1.0 => INF, NAN; -2.0 => INF, NAN; 1.0 => 0.0, -0.577_215_664_901_532_9;
        2.0 => 0.0, 0.422_784_335_098_467_1; INF => INF, INF; NAN => NAN, NAN; }
    digamma { 0.0 => NAN, NAN; -3.0 => NAN, NAN; 1.0 => -0.577_215_664_901_532_9, PI * PI / 6.0; INF => INF, 0.0; NAN => NAN, NAN; }
    trigamma { 0.0 => NAN, NAN; -1.0 => NAN, NAN; INF => 0.0, 0.0; NAN => NAN, NAN; }
    bessel_j0 { 0.0 => 1.0, 0.0; INF => 0.0, 0.0; NAN => NAN, NAN; }
    bessel_j1 { 0.0 => 0.0, 0.5; INF => 0.0, 0.0; NAN => NAN, NAN; }
    sinc { 0.0 => 1.0, 0.0; -0.0 => 1.0, 0.0; 1.0 => 0.0, -1.0; INF => 0.0, 0.0; -INF => 0.0, 0.0; NAN => NAN, NAN; }

    logistic { 0.0 => 0.5, 0.25; INF => 1.0, 0.0; -INF => 0.0, 0.0; -800.0 => 0.0, 0.0; 800.0 => 1.0, 0.0; NAN => NAN, NAN; }
    logit { 0.0 => -INF, INF; 1.0 => INF, INF; 0.5 => 0.0, 4.0; NAN => NAN, NAN; }
    softplus { 0.0 => 2.0_f64.ln(), 0.5; INF => INF, 1.0; -INF => 0.0, 0.0; 800.0 => 800.0, 1.0; NAN => NAN, NAN; }
    log_logistic { 0.0 => -2.0_f64.ln(), 0.5; INF => 0.0, 0.0; -INF => -INF, 1.0; -800.0 => -800.0, 1.0; NAN => NAN, NAN; }
    relu { 0.0 => 0.0, 0.0; -0.0 => 0.0, 0.0; 5e-324 => 5e-324, 1.0; -5e-324 => 0.0, 0.0; INF => INF, 1.0; -INF => 0.0, 0.0;
        NAN => NAN, 0.0; }
    leaky_relu { 0.0 => 0.0, 0.01; -0.0 => -0.0, 0.01; 1e-300 => 1e-300, 1.0; -INF => -INF, 0.01; NAN => NAN, 0.01; }
    elu { 0.0 => 0.0, 1.0; -0.0 => -0.0, 1.0; 1e-300 => 1e-300, 1.0; INF => INF, 1.0; -INF => -1.0, 0.0; NAN => NAN, NAN; }
    softsign { 0.0 => 0.0, 1.0; -0.0 => -0.0, 1.0; 1e300 => 1.0, 0.0; INF => 1.0, 0.0; -INF => -1.0, 0.0; NAN => NAN, NAN; }
    gelu { 0.0 => 0.0, 0.5; 40.0 => 40.0, 1.0; -40.0 => 0.0, 0.0; INF => INF, 1.0; -INF => 0.0, 0.0; NAN => NAN, NAN; }
    gelu_tanh { 0.0 => 0.0, 0.5; 1e150 => 1e150, 1.0; -1e150 => 0.0, 0.0; INF => INF, 1.0; -INF => 0.0, 0.0; NAN => NAN, NAN; }
    swish { 0.0 => 0.0, 0.5; 800.0 => 800.0, 1.0; -800.0 => 0.0, 0.0; INF => INF, 1.0; -INF => 0.0, 0.0; NAN => NAN, NAN; }
    mish { 0.0 => 0.0, 0.6; 800.0 => 800.0, 1.0; -800.0 => 0.0, 0.0; INF => INF, 1.0; -INF => 0.0, 0.0; NAN => NAN, NAN; }
}

/// `f { (x, y) => value, partial in x, partial in y; … }` on arrays.
macro_rules! edges_of_two {
    ($($f:ident { $(($x:expr, $y:expr) => $z:expr, $dx:expr, $dy:expr;)+ })+) => {$(
        #[test]
        fn $f() {
            let (x, y) = (array![$($x),+], array![$($y),+]);
            let (mut dx, mut dy) = (Tangent::zero_like(&x), Tangent::zero_like(&y));
            let args = (Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy));
            let value = run(&array::$f {}, args, &Array1::ones(x.len()));
            let want = [$(($z, $dx, $dy)),+];
            for (i, (z, in_x, in_y)) in want.into_iter().enumerate() {
                let at = format!("{} at {:?}", stringify!($f), (x[i], y[i]));
                assert!(same(value[i], z), "{at}: {} instead of {z}", value[i]);
                assert!(same(dx[i], in_x), "{at}, in x: {} instead of {in_x}", dx[i]);
                assert!(same(dy[i], in_y), "{at}, in y: {} instead of {in_y}", dy[i]);
            }
        }
    )+};
}

edges_of_two! {
    // A tie belongs to the first operand, zeros of both signs are equal, NaN is passed over.
    maximum { (2.0, 2.0) => 2.0, 1.0, 0.0; (0.0, -0.0) => 0.0, 1.0, 0.0; (NAN, 1.0) => 1.0, 0.0, 1.0; (1.0, NAN) => 1.0, 1.0, 0.0;
        (-INF, -INF) => -INF, 1.0, 0.0; (1.0, INF) => INF, 0.0, 1.0; }
    minimum { (2.0, 2.0) => 2.0, 1.0, 0.0; (-0.0, 0.0) => 0.0, 1.0, 0.0; (NAN, 1.0) => 1.0, 0.0, 1.0; (1.0, NAN) => 1.0, 1.0, 0.0;
        (INF, INF) => INF, 1.0, 0.0; (1.0, INF) => 1.0, 1.0, 0.0; }
    div { (1.0, 0.0) => INF, INF, -INF; (0.0, 0.0) => NAN, INF, NAN; (1.0, INF) => 0.0, 0.0, 0.0; }
    powf { (0.0, 2.0) => 0.0, 0.0, 0.0; (0.0, 1.0) => 0.0, 1.0, 0.0; (0.0, 0.5) => 0.0, INF, 0.0; (-2.0, 2.0) => 4.0, -4.0, NAN;
        (1.0, INF) => 1.0, INF, 0.0; (3.0, 0.0) => 1.0, 0.0, 3.0_f64.ln(); }
    hypot { (0.0, 0.0) => 0.0, 0.0, 0.0; (3.0, 0.0) => 3.0, 1.0, 0.0; (NAN, 1.0) => NAN, NAN, NAN; }
    atan2 { (0.0, 0.0) => 0.0, NAN, NAN; (0.0, -1.0) => PI, -1.0, 0.0; (1.0, 0.0) => PI / 2.0, 0.0, -1.0; }
    copysign { (2.0, -0.0) => -2.0, -1.0, 0.0; (-2.0, 0.0) => 2.0, -1.0, 0.0; }
    rem { (4.0, 2.0) => 0.0, 1.0, -2.0; (-4.5, 2.0) => -0.5, 1.0, 2.0; (1.0, 0.0) => NAN, 1.0, -INF; }
    logaddexp { (1.0, 1.0) => 1.0 + 2.0_f64.ln(), 0.5, 0.5; (-INF, 1.0) => 1.0, 0.0, 1.0; (INF, 1.0) => INF, 1.0, 0.0;
        (-INF, -INF) => -INF, 0.5, 0.5; (INF, INF) => INF, 0.5, 0.5; (NAN, 1.0) => NAN, NAN, NAN; }
    xlogy { (0.0, 0.0) => 0.0, -INF, 0.0; (0.0, 2.0) => 0.0, 2.0_f64.ln(), 0.0; (1.0, 0.0) => -INF, -INF, INF;
        (2.0, -1.0) => NAN, NAN, -2.0; (NAN, 1.0) => NAN, 0.0, NAN; }
    xlog1py { (0.0, -1.0) => 0.0, -INF, 0.0; (1.0, -1.0) => -INF, -INF, INF; (0.0, 1.0) => 0.0, 2.0_f64.ln(), 0.0; }
}

#[test]
fn functions_of_numbers_have_the_edges_of_those_of_arrays() {
    macro_rules! all {
        ($($f:ident)+) => {$(
            for x in [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN] {
                let ((slope,), value) = autodiff!(ReverseWithPrimal, scalar::$f, Active(x));
                let (x, mut dx) = (array![x], array![0.0]);
                let of_array = run(&array::$f {}, (Duplicated(&*x, &mut *dx),), &array![1.0]);
                assert!(same(value, of_array[0]) && same(slope, dx[0]), "{} at {x}", stringify!($f));
            }
        )+};
    }
    all!(erf erfc lgamma digamma trigamma bessel_j0 bessel_j1 sinc logistic logit softplus log_logistic relu leaky_relu elu
        softsign gelu gelu_tanh swish mish);
}
