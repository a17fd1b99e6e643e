//! Every rule of numbers, judged in every mix.

mod judge;

use coenzyme_testutils::{Overrides, value};

/// Some functions at the same points.
macro_rules! at {
    ($($($f:ident)+: $points:tt;)+) => {$($(
        judge! { scalar: $f(x: value(at)) Active { sizes = at in $points }; }
    )+)+};
}

fn steps(why: &str) -> Overrides {
    Overrides::none().allow_vacuous(why)
}

at! {
    // `libm` changes its polynomial at 0.84, 1.25 and 2.86.
    erf erfc: [-3.0, -2.8, -1.3, -1.2, -0.8, 0.0, 0.5, 0.9, 1.1, 2.9];
    lgamma digamma: [-2.4, -0.7, 0.3, 0.49, 0.51, 1.0, 4.5, 11.9, 12.1, 30.0];
    trigamma: [-0.7, 0.3, 0.49, 0.51, 1.0, 4.5, 11.9, 12.1, 30.0];
    bessel_j0 bessel_j1: [-2.5, 0.3, 1.9, 2.1, 7.9, 8.1];
    logistic softplus log_logistic: [-12.0, -2.0, -1e-9, 0.0, 0.7, 3.0, 9.0];
    logit: [0.2, 0.4, 0.7];
    leaky_relu elu softsign: [-1.5, -0.3, 0.4, 2.0, 25.0];
    gelu gelu_tanh swish mish: [-1.5, -0.3, 0.0, 0.4, 2.0, 12.0];
    // Both sides of where its series ends.
    sinc: [-1.3, -0.1, -0.09, 0.05, 0.094, 0.097, 0.7, 1.0, 5.5];
}

/// The functions that vectorize, on both sides of where they change their formula.
macro_rules! fast {
    ($($($f:ident)+: $points:tt;)+) => {
        mod fast {
            use super::*;
            $($(judge! { fast: $f(x: value(at)) Active { sizes = at in $points }; })+)+
        }
    };
}

fast! {
    exp exp_m1: [-12.0, -0.7, -1e-9, 0.0, 0.3, 0.5, 12.0, 39.9, 40.1];
    tanh logistic: [-12.0, -0.6, -0.5, 0.0, 0.5, 0.6, 3.0];
    ln: [1e-3, 0.7, 0.72, 1.0, 1.41, 1.42, 40.0];
    ln_1p: [-0.9, -0.3, -0.29, 0.0, 0.41, 0.42, 40.0];
    sin cos: [-4.0, -0.8, -0.7, 0.3, 0.7, 0.8, 9.0];
    erf: [-3.0, -1.1, -0.9, 0.0, 0.5, 0.9, 1.1, 2.9];
}

judge! { scalar:
    relu(x: value(at)) Active { sizes = at in [-20.0, -0.3, 0.4, 25.0], overrides = steps("0 for every negative number") };
    polygamma(x: value(at), n: value(3_u32) [Const]) Active { sizes = at in [0.3, 0.49, 0.51, 4.5, 11.9, 12.1] };
    bessel_j(x: value(2.1), n: value(n) [Const]) Active { sizes = n in [-2, -1, 0, 1, 2, 5] };
    beta(x: value(1.4), y: value(2.7)) Active;
    lbeta(x: value(1.4), y: value(2.7)) Active;
    logaddexp(x: value(x), y: value(1.2 * x)) Active { sizes = x in [0.3, -1.0, 5.0] };
    logaddexp as logaddexp_of_equals(x: value(-3.0), y: value(-3.0)) Active;
    xlogy(x: value(x), y: value(0.7)) Active { sizes = x in [-2.0, 0.3] };
    xlogy as xlogy_of_zero(x: value(0.0), y: value(0.7)) Active { overrides = steps("0·ln(y) is 0 for all y") };
    xlog1py(x: value(x), y: value(0.7)) Active { sizes = x in [-2.0, 0.3] };
    xlog1py as xlog1py_of_zero(x: value(0.0), y: value(0.7)) Active { overrides = steps("0·ln(1 + y) is 0 for all y") };
}

judge! { scalar:
    elliptic_k(x: value(at)) Active { sizes = at in [-3.0, -1e-3, 0.0, 0.5, 0.9] };
    elliptic_e(x: value(at)) Active { sizes = at in [-3.0, -1e-3, 0.0, 0.5, 0.9] };
    elliptic_f(x: value(at), y: value(0.3)) Active { sizes = at in [-2.0, 0.2, 1.1, 4.0] };
    elliptic_e_incomplete(x: value(at), y: value(0.3)) Active { sizes = at in [-2.0, 0.2, 1.1, 4.0] };
    gamma_p(x: value(at.0), y: value(at.1)) Active { sizes = at in [(2.5, 1.3), (0.5, 3.0), (10.0, 8.0), (10.0, 14.0)] };
    gamma_q(x: value(at.0), y: value(at.1)) Active { sizes = at in [(2.5, 1.3), (0.5, 3.0), (10.0, 8.0), (10.0, 14.0)] };
    beta_inc(a: value(at.0), b: value(at.1), x: value(at.2)) Active { sizes = at in [(2.0, 3.0, 0.4), (5.0, 1.5, 0.9), (0.5, 0.5, 0.7)] };
    bessel_y(x: value(2.1), n: value(n) [Const]) Active { sizes = n in [-1, 0, 1, 3] };
    bessel_i(x: value(at), n: value(2) [Const]) Active { sizes = at in [-3.0, 0.7, 2.1, 45.0] };
    bessel_k(x: value(2.1), n: value(n) [Const]) Active { sizes = n in [-1, 0, 1, 3] };
}

/// Values and derivatives by mpmath 1.3, with 40 digits.
#[allow(
    clippy::excessive_precision,
    reason = "numbers as the references have them"
)]
mod references {
    use coenzyme::{Dual, gradient};
    use coenzyme_rules::scalar::*;

    #[track_caller]
    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance * b.abs(), "{a} and {b}");
    }

    /// Row D18: `K` and its derivative, the second derivative at one half, and edges.
    #[test]
    fn d18_complete_elliptic_integrals() {
        use std::f64::consts::{FRAC_PI_2, PI};
        for (m, k, dk) in [
            (0.0, FRAC_PI_2, PI / 8.0),
            (0.1, 1.612_441_348_720_219_4, 0.442_002_350_275_365_24),
            (0.25, 1.685_750_354_812_596, 0.541_731_848_613_280_3),
            (0.5, 1.854_074_677_301_371_9, 0.847_213_084_793_979_1),
            (0.75, 2.156_515_647_499_643_2, 1.791_805_641_849_463_2),
            (0.9, 2.578_092_113_348_173_2, 4.705_364_007_606_978),
        ] {
            close(elliptic_k(m), k, 4e-16);
            close(gradient!(elliptic_k, m).0, dk, 1e-15);
        }
        let (second,) = gradient!(elliptic_k, Dual::variable(0.5));
        close(second.tangent, elliptic_k(0.5), 2e-15);
        for (m, k, e) in [
            (-3.0, 1.078_257_823_749_821_6, 2.422_112_055_136_919),
            (0.99, 3.695_637_362_989_874_2, 1.015_993_545_025_224),
        ] {
            close(elliptic_k(m), k, 4e-16);
            // a difference, of numbers up to four times as large
            close(elliptic_e(m), e, 4e-15);
        }
        assert_eq!((elliptic_k(1.0), elliptic_e(1.0)), (f64::INFINITY, 1.0));
        assert_eq!(gradient!(elliptic_e, 1.0), (f64::NEG_INFINITY,));
        assert!(elliptic_k(1.5_f64).is_nan() && elliptic_e(1.5_f64).is_nan());
        // Legendre's relation, DLMF 19.7.1
        let legendre = |m: f64| {
            elliptic_e(m) * elliptic_k(1.0 - m) + elliptic_e(1.0 - m) * elliptic_k(m)
                - elliptic_k(m) * elliptic_k(1.0 - m)
        };
        close(legendre(0.2), FRAC_PI_2, 1e-15);
    }

    #[test]
    fn incomplete_elliptic_integrals() {
        for (phi, m, f, e) in [
            (0.5, 0.3, 0.506_140_211_962_355_3, 0.493_991_144_728_968_43),
            (1.2, 0.8, 1.488_495_688_949_33, 0.998_874_639_838_425_3),
            (4.0, 0.5, 4.619_520_616_257_107, 3.511_927_740_482_793),
            (
                -0.7,
                -2.0,
                -0.623_356_299_527_433_4,
                -0.793_227_826_528_402_04,
            ),
        ] {
            close(elliptic_f(phi, m), f, 1e-15);
            close(elliptic_e_incomplete(phi, m), e, 1e-15);
        }
    }

    #[test]
    fn bessel_functions() {
        for (n, x, i) in [
            (0, 1.0, 1.266_065_877_752_008_3),
            (1, 1.0, 0.565_159_103_992_485),
            (3, 2.5, 0.474_370_408_778_035_6),
            (0, 40.0, 14_894_774_793_419_900.0),
            (2, -3.0, 2.245_212_440_929_951),
            (5, 0.1, 2.605_251_929_893_697_6e-9),
        ] {
            close(bessel_i(x, n), i, 1e-14);
        }
        for (n, x, k) in [
            (0, 1.0, 0.421_024_438_240_708_33),
            (1, 1.0, 0.601_907_230_197_234_6),
            (2, 0.1, 199.503_964_642_114_12),
            (0, 1e-3, 7.023_688_800_562_381),
            (3, 5.0, 0.008_291_768_415_230_933),
            (0, 100.0, 4.656_628_229_175_902e-45),
            (1, 600.0, 1.356_957_918_112_806e-262),
        ] {
            close(bessel_k(x, n), k, 1e-13);
        }
        for (n, x, y) in [
            (0, 1.0, 0.088_256_964_215_676_96),
            (1, 2.5, 0.145_918_137_966_785_8),
            (3, 7.0, 0.268_080_603_042_315_1),
        ] {
            close(bessel_y(x, n), y, 1e-14);
        }
        // Wronskian, DLMF 10.28.2, on both sides of where `I` changes its formula
        for x in [0.3_f64, 7.0, 39.0, 41.0, 200.0] {
            let w = bessel_i(x, 2) * bessel_k(x, 3) + bessel_i(x, 3) * bessel_k(x, 2);
            close(w * x, 1.0, 1e-13);
        }
        assert_eq!(bessel_k(0.0, 1), f64::INFINITY);
        assert!(bessel_k(-1.0_f64, 1).is_nan());
        assert_eq!((bessel_i(0.0, 0), bessel_i(0.0, 1)), (1.0, 0.0));
    }

    #[test]
    fn incomplete_gamma_functions_in_both_arguments() {
        for (a, x, p, da, dx) in [
            (
                2.5,
                1.3,
                0.238_634_732_154_986_1,
                -0.229_626_898_335_559_34,
                0.303_875_720_966_830_3,
            ),
            (
                0.5,
                3.0,
                0.985_694_121_564_570_4,
                -0.047_240_326_447_973_75,
                0.016_217_391_109_880_487,
            ),
            (
                10.0,
                8.0,
                0.283_375_741_272_989_1,
                -0.112_605_723_108_186_14,
                0.124_076_917_289_419_95,
            ),
            (
                10.0,
                14.0,
                0.890_600_630_357_261,
                -0.056_690_997_715_325_73,
                0.047_344_173_742_389_8,
            ),
            (
                0.1,
                0.01,
                0.662_621_259_954_479_2,
                -2.776_160_812_425_422,
                6.566_234_387_899_282,
            ),
            // the fraction of an integer ends, that of its derivative does not
            (
                2.0,
                5.0,
                0.959_572_318_005_487_2,
                -0.055_859_896_052_536_778,
                0.033_689_734_995_427_335,
            ),
            (
                100.0,
                90.0,
                0.158_220_989_186_430_17,
                -0.024_611_916_843_979_91,
                0.025_912_028_250_155_66,
            ),
        ] {
            close(gamma_p(a, x), p, 2e-13);
            close(gamma_q(a, x), 1.0 - p, 2e-13);
            let (of_a, of_x) = gradient!(gamma_p, a, x);
            close(of_a, da, 1e-12);
            close(of_x, dx, 2e-13);
        }
        assert_eq!((gamma_p(2.0, 0.0), gamma_q(2.0, 0.0)), (0.0, 1.0));
        assert_eq!(
            (gamma_p(2.0, f64::INFINITY), gamma_q(2.0, f64::INFINITY)),
            (1.0, 0.0)
        );
        assert_eq!(gradient!(gamma_p, 1.0, 0.0), (0.0, 1.0));
        assert!(gamma_p(-1.0_f64, 2.0).is_nan() && gamma_p(1.0_f64, -2.0).is_nan());
    }

    #[test]
    fn incomplete_beta_function_in_all_arguments() {
        for (a, b, x, y, da, db, dx) in [
            (
                2.0,
                3.0,
                0.4,
                0.5248,
                -0.240_869_376_087_556_58,
                0.156_344_336_413_598_77,
                1.728,
            ),
            (
                0.5,
                0.5,
                0.7,
                0.630_989_880_434_454_6,
                -0.468_744_583_915_505_5,
                0.642_811_481_157_283_8,
                0.694_609_118_042_856_6,
            ),
            (
                5.0,
                1.5,
                0.9,
                0.776_172_134_316_215_7,
                -0.050_955_749_119_681_11,
                0.287_097_487_347_892_6,
                2.808_234_117_921_242_7,
            ),
            (
                2.5,
                2.0,
                0.3,
                0.135_561_332_982_528_6,
                -0.128_705_637_106_311_5,
                0.098_712_246_728_580_466,
                1.0064401994157427,
            ),
            (
                20.0,
                30.0,
                0.4,
                0.507_700_199_657_648,
                -0.069_775_119_224_570_09,
                0.046_387_678_845_244_21,
                5.727_927_641_476_2,
            ),
        ] {
            close(beta_inc(a, b, x), y, 1e-13);
            let (of_a, of_b, of_x) = gradient!(beta_inc, a, b, x);
            close(of_a, da, 1e-12);
            close(of_b, db, 1e-12);
            close(of_x, dx, 1e-13);
        }
        assert_eq!(
            (beta_inc(2.0, 3.0, 0.0), beta_inc(2.0, 3.0, 1.0)),
            (0.0, 1.0)
        );
        assert!(beta_inc(2.0_f64, 3.0, 1.5).is_nan());
    }
}
