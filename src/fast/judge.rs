//! Every function against the reference of [`double_double`](super::double_double) at many points, and at its edges.
//!
//! The reference itself is compared with values of 80 digits (mpmath 1.3). `FAST_POINTS=10000000 cargo test --release -p coenzyme --lib
//! fast:: -- --nocapture` takes ten million points of each, and prints the largest errors.

use super::Fast;
use super::double_double::{self as reference, Double, of};

/// How many points each function is compared at.
fn points() -> usize {
    let asked = std::env::var("FAST_POINTS").ok();
    asked.map_or(100_000, |n| n.parse().expect("a number of points"))
}

/// Numbers that look random: splitmix64.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 * 2_f64.powi(-53))
    }
    /// Of any sign and size: uniform in its bits.
    fn any(&mut self) -> f64 {
        f64::from_bits(self.bits())
    }
}

/// The distance of `got` from `2ᵏ·want`, in units of the last place of a number of that size.
fn ulps(got: f64, (want, k): (Double, i32)) -> f64 {
    // a power of two is exact in the sum, where `2ᵏ·want` may overflow or lose digits
    let nearest = want.high * 2_f64.powi(k / 2) * 2_f64.powi(k - k / 2);
    if got == nearest && !nearest.is_normal() {
        return 0.0;
    }
    let exponent = (nearest.abs().max(f64::MIN_POSITIVE).to_bits() >> 52) as i32 - 1023;
    let by = |x: f64, k: i32| x * 2_f64.powi(k / 2) * 2_f64.powi(k - k / 2);
    let ulp = exponent - 52;
    (by(got, -ulp) - by(want.high, k - ulp) - by(want.low, k - ulp)).abs()
}

/// Compares `f` with `truth` on an interval and on numbers of all sizes in it.
#[track_caller]
fn within_two_ulps(
    name: &str,
    (low, high): (f64, f64),
    f: impl Fn(f64) -> f64,
    truth: impl Fn(f64) -> (Double, i32),
) {
    let mut random = Random(7);
    let mut worst = (0.0, 0.0);
    let mut all = 0;
    while all < points() {
        let x = match all % 4 {
            0 | 1 => random.between(low, high),
            2 => random.between(low.max(-2.5), high.min(2.5)),
            _ => random.any(),
        };
        if !(low..=high).contains(&x) {
            all += usize::from(all % 4 != 3);
            continue;
        }
        all += 1;
        let off = ulps(f(x), truth(x));
        if off > worst.0 || off.is_nan() {
            worst = (off, x);
        }
        assert!(off <= 2.0, "{name}({x:e}) is {off} ulp off: {:e}", f(x));
    }
    println!("{name}: {:.3} ulp at {:e}", worst.0, worst.1);
}

#[test]
fn functions_of_f64_are_within_two_ulps() {
    let plain = |y: Double| (y, 0);
    // the lower end: the smallest subnormal result
    within_two_ulps("exp", (-745.0, 709.78), f64::fast_exp, |x| {
        reference::exp(of(x))
    });
    within_two_ulps("exp_m1", (-50.0, 709.0), f64::fast_exp_m1, |x| {
        plain(reference::exp_m1(x))
    });
    within_two_ulps("ln", (0.0, f64::MAX), f64::fast_ln, |x| plain(natural(x)));
    within_two_ulps("ln near 1", (0.5, 2.0), f64::fast_ln, |x| plain(natural(x)));
    within_two_ulps("ln_1p", (-0.999_999_999, 1e300), f64::fast_ln_1p, |x| {
        plain(reference::ln_1p(x))
    });
    within_two_ulps("tanh", (-20.0, 20.0), f64::fast_tanh, |x| {
        plain(reference::tanh(x))
    });
    within_two_ulps("sin", (-1.647e6, 1.647e6), f64::fast_sin, |x| {
        plain(reference::sin(x, 0))
    });
    within_two_ulps("cos", (-1.647e6, 1.647e6), f64::fast_cos, |x| {
        plain(reference::sin(x, 1))
    });
    within_two_ulps("sin near 0", (-7.0, 7.0), f64::fast_sin, |x| {
        plain(reference::sin(x, 0))
    });
    within_two_ulps("cos near 0", (-7.0, 7.0), f64::fast_cos, |x| {
        plain(reference::sin(x, 1))
    });
}

#[test]
fn the_error_function_is_within_two_ulps() {
    within_two_ulps("erf", (-5.9, 5.9), f64::fast_erf, |x| {
        (reference::erf(x), 0)
    });
}

/// A logarithm, of subnormal numbers and next to 1 too.
fn natural(x: f64) -> Double {
    if (0.75..1.25).contains(&x) {
        return reference::ln_1p(x - 1.0);
    }
    if x >= f64::MIN_POSITIVE {
        return reference::ln(of(x));
    }
    let scale = 2_f64.powi(60);
    reference::ln(of(x * scale)) - reference::ln(of(scale))
}

#[test]
fn functions_of_f32_are_the_nearest_numbers() {
    type Pair = (&'static str, f32, fn(f32) -> f32, fn(f64) -> f64);
    let pairs: [Pair; 8] = [
        ("exp", 88.0, f32::fast_exp, f64::fast_exp),
        ("exp_m1", 88.0, f32::fast_exp_m1, f64::fast_exp_m1),
        ("ln", 1e30, f32::fast_ln, f64::fast_ln),
        ("ln_1p", 1e30, f32::fast_ln_1p, f64::fast_ln_1p),
        ("tanh", 9.0, f32::fast_tanh, f64::fast_tanh),
        ("sin", 1e6, f32::fast_sin, f64::fast_sin),
        ("cos", 1e6, f32::fast_cos, f64::fast_cos),
        ("erf", 4.0, f32::fast_erf, f64::fast_erf),
    ];
    let mut random = Random(3);
    for (name, size, f, truth) in pairs {
        for _ in 0..points() / 10 {
            let x = random.between(f64::from(-size), f64::from(size)) as f32;
            let (y, want) = (f(x), truth(f64::from(x)));
            let half = 0.5 * f64::from(want as f32).abs() * f64::from(f32::EPSILON);
            let near = (f64::from(y) - want).abs() <= half.max(1e-45);
            assert!(
                near || want.is_nan() && y.is_nan(),
                "{name}({x:e}): {y:e}, {want:e}"
            );
        }
    }
}

#[test]
fn edges_are_those_of_the_methods() {
    type Function = fn(f64) -> f64;
    let pairs: [(&str, Function, Function); 7] = [
        ("exp", f64::fast_exp, f64::exp),
        ("exp_m1", f64::fast_exp_m1, f64::exp_m1),
        ("ln", f64::fast_ln, f64::ln),
        ("ln_1p", f64::fast_ln_1p, f64::ln_1p),
        ("tanh", f64::fast_tanh, f64::tanh),
        ("sin", f64::fast_sin, f64::sin),
        ("erf", f64::fast_erf, libm::erf),
    ];
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        5e-324,
        -5e-324,
        1e-310,
        f64::MIN_POSITIVE,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
        709.782_712_893_383_9,
        709.782_712_893_384_1,
        -745.133_219_101_941_1,
        -745.133_219_101_941_2,
        -708.5,
        -2.0,
        -37.5,
        40.0,
        40.000_000_000_000_01,
        0.55,
        -0.55,
        22.1,
        6.0,
        6.1,
        std::f64::consts::LN_2,
        std::f64::consts::SQRT_2,
        1e-17,
        -1e-17,
        1.0 - f64::EPSILON,
        1.0 + f64::EPSILON,
    ];
    for (name, f, method) in pairs {
        for x in edges {
            if name == "sin" && x.is_finite() && x.abs() > 1e7 {
                assert!(f(x).is_nan(), "beyond the range that it knows");
                continue;
            }
            let (y, want) = (f(x), method(x));
            let ulp = f64::from_bits(want.abs().to_bits() + 1) - want.abs();
            let same = y.is_nan() && want.is_nan() || y == want || (y - want).abs() <= 2.0 * ulp;
            assert!(same, "{name}({x:e}) = {y:e}, not {want:e}");
            let sign = want.is_nan() || y.is_sign_negative() == want.is_sign_negative();
            assert!(sign, "{name}({x:e}) = {y:e} has another sign");
        }
    }
    assert_eq!(
        (0.0.fast_cos(), (-0.0).fast_cos(), 5e-324.fast_cos()),
        (1.0, 1.0, 1.0)
    );
    assert!(f64::INFINITY.fast_cos().is_nan() && f64::NAN.fast_cos().is_nan());
    assert_eq!(709.782_712_893_384_1.fast_exp(), f64::INFINITY);
    assert_eq!((-745.2).fast_exp(), 0.0);
    assert_eq!(
        (100_f32.fast_exp(), (-110_f32).fast_exp()),
        (f32::INFINITY, 0.0)
    );
}

/// The reference is right to 100 bits: `(what, x, y, y − its nearest f64)`, by mpmath with 80 digits.
#[test]
#[allow(clippy::excessive_precision, clippy::approx_constant)]
fn the_reference_is_that_of_another_library() {
    let plain = |y: (Double, i32)| Double {
        high: y.0.high * 2_f64.powi(y.1),
        low: y.0.low * 2_f64.powi(y.1),
    };
    for (name, x, high, low) in [
        ("exp", 0.7, 2.0137527074704766, -2.0058243549764793e-16),
        ("exp", 1e-05, 1.00001000005, 9.70188425858504e-17),
        ("ln", 0.7, -0.35667494393873245, 4.82556379937662e-18),
        ("ln", 3e-310, -712.7027665394861, 5.060294180236257e-14),
        (
            "ln",
            1.0000001,
            9.999999505838704e-08,
            1.5249709528441489e-24,
        ),
        ("sin", 0.7, 0.644217687237691, 2.8740567927338755e-18),
        (
            "sin",
            1000000.0,
            -0.34999350217129294,
            -1.5952848809323968e-17,
        ),
        ("sin", 355.0, -3.014435335948845e-05, 1.3012643991046347e-21),
        ("cos", 0.7, 0.7648421872844885, -4.013780434022238e-17),
        ("cos", 1000000.0, 0.9367521275331447, 4.637088260214747e-17),
        ("cos", 11.0, 0.004425697988050785, 3.2449142686784373e-19),
        ("tanh", 0.7, 0.6043677771171635, -2.7916180015425346e-17),
        ("tanh", 0.001, 0.0009999996666668, 1.7800613799166557e-20),
        ("tanh", 5.0, 0.9999092042625951, 2.298523750966507e-17),
        ("exp_m1", 0.7, 1.0137527074704764, 2.146216942738339e-17),
        (
            "exp_m1",
            1e-09,
            1.0000000005000001e-09,
            -7.443897403844588e-26,
        ),
        ("exp_m1", -0.4, -0.32967995396436073, 1.382964510883754e-17),
        ("ln_1p", 0.7, 0.5306282510621704, -5.076541175216476e-18),
        ("ln_1p", 1e-09, 9.999999995e-10, 7.493897403823754e-26),
        ("ln_1p", -0.4, -0.5108256237659907, 1.5233815099851014e-18),
        ("erf", 0.7, 0.6778011938374184, 5.860416063065593e-18),
        ("erf", 1e-09, 1.1283791670955127e-09, -1.624992790279848e-26),
        ("erf", 2.5, 0.999593047982555, 4.6925151097042234e-17),
    ] {
        let y = match name {
            "exp" => plain(reference::exp(of(x))),
            "exp_m1" => reference::exp_m1(x),
            "ln" => natural(x),
            "ln_1p" => reference::ln_1p(x),
            "tanh" => reference::tanh(x),
            "sin" => reference::sin(x, 0),
            "cos" => reference::sin(x, 1),
            _ => reference::erf(x),
        };
        let off = ((y.high - high) + (y.low - low)).abs();
        assert!(
            off <= 1e-28 * high.abs(),
            "{name}({x}): {y:?}, off by {off:e}"
        );
    }
}
