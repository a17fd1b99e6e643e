//! D17–D21: sums, and the complete elliptic integral `K(m)`.

use std::f64::consts::FRAC_PI_2;

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsConst, AsDuplicated, Dual, Real};
use coenzyme_loops::random::{Pcg32, uniform};
use coenzyme_loops::sum_loop;
use coenzyme_testutils::{Setting, input, test_rule, value};

/// A term with two parameters.
#[differentiable]
fn term<T: Real>(i: usize, p: &[T]) -> T {
    (p[0] * T::lit(i as f64 + 0.5)).sin() * p[1]
}

test_rule! {
    sum_loop;
    items: value(Inactive(0..n)) [Const], p: input(2), f: value(Inactive(term {})) [Const];
    ret: [Const, Active];
    name = sums, sizes = n in [0_usize, 1, 5],
    overrides = coenzyme_testutils::Overrides::none().allow_vacuous("an empty sum is constant")
}

#[test]
fn second_order_of_a_sum() {
    let items = value(Inactive(0..4_usize));
    let f = value(Inactive(term {}));
    let dual = Setting::new((items.clone(), input([Dual::constant(0.0); 2]), f.clone()));
    let dual = dual.function("sum_loop", sum_loop {});
    let plain = Setting::new((items, input(2), f)).function("sum_loop", sum_loop {});
    let all = (AsConst, AsDuplicated, AsConst);
    plain.mix(AsActive, all).second_order(&dual).assert();
}

/// `sin²(πu/2)`, a number of the type of `m`.
#[inactive]
fn square_of_sine<T: Real>(u: f64, _m: &T) -> T {
    T::lit((FRAC_PI_2 * u).sin().powi(2))
}

/// `(1 − m·sin²(πu/2))^{−1/2}`: the mean over `u` in `[0, 1)`, times π/2, is `K(m)`.
#[differentiable]
fn integrand<T: Real>(u: f64, m: &T) -> T {
    (T::one() - *m * square_of_sine(u, m)).sqrt().recip()
}

fn monte_carlo(n: usize, m: f64) -> (f64, f64) {
    let items = Inactive(Pcg32::default().floats().take(n));
    let mut dm = 0.0;
    let (_, value) = autodiff!(
        ReverseWithPrimal,
        sum_loop,
        Active,
        Const(items),
        Duplicated(&m, &mut dm),
        Const(Inactive(integrand {}))
    );
    let scale = FRAC_PI_2 / n as f64;
    (value * scale, dm * scale)
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1.0), "{a} and {b}");
}

#[test]
fn d17_monte_carlo_of_k_and_its_derivative() {
    let (k, dk) = monte_carlo(1000, 0.5);
    close(k, 1.872_032_498_225_482, 1e-13);
    close(dk, 0.912_755_623_674_727, 1e-13);
    let floats: Vec<f64> = Pcg32::default().floats().take(2).collect();
    close(floats[0], 0.108_378_648_757_935, 1e-14);
    close(floats[1], 0.906_960_010_528_564, 1e-14);
}

/// The million samples of the row: a fifth of a second in release, some seconds in debug.
#[test]
#[cfg_attr(debug_assertions, ignore = "a million samples: in release only")]
fn d17_a_million_samples() {
    for (m, k, dk) in [
        (0.5, 1.854_525_718_596, 0.848_729_874_807),
        (0.9, 2.579_955_757_363, 4.713_694_188_326),
        (0.0, 1.570_796_326_795, 0.393_237_669_539),
    ] {
        let (value, derivative) = monte_carlo(1_000_000, m);
        close(value, k, 1e-11);
        close(derivative, dk, 1e-11);
    }
}

fn peak(work: impl FnOnce()) -> u64 {
    allocation_counter::measure(work).bytes_max
}

#[test]
fn d17_no_memory_whatever_the_number_of_terms() {
    let sizes: &[usize] = if cfg!(debug_assertions) {
        &[1_000, 100_000]
    } else {
        &[1_000, 100_000, 10_000_000]
    };
    for &n in sizes {
        let bytes = peak(|| {
            monte_carlo(n, 0.5);
        });
        assert!(bytes <= 64, "{n} terms: {bytes} bytes");
    }
}

/// The same loop in plain code, with numbers that are a function of the counter.
#[differentiable]
fn plain_loop(m: f64, n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        #[recompute]
        let u = uniform(3, i as u64);
        #[recompute]
        let s = (FRAC_PI_2 * u).sin();
        sum += 1.0 / (1.0 - m * s * s).sqrt();
    }
    sum * FRAC_PI_2 / n as f64
}

#[test]
fn d17_a_generated_loop_with_a_counter_leaves_nothing_on_the_tape() {
    let mut all = [0.0; 2];
    let bytes = [1_000_usize, 50_000].map(|n| {
        peak(|| {
            let ((dm, _), value) =
                autodiff!(ReverseWithPrimal, plain_loop, Active, Active(0.5), Const(n));
            all = [value, dm];
        })
    });
    assert_eq!(bytes[0], bytes[1]);
    // 50 000 samples: five standard errors
    close(all[0], K[2].1, 6e-3);
    close(all[1], K[2].2, 2e-2);
}

/// `m`, `K(m)`, `K′(m)`: the exact values of the row.
const K: [(f64, f64, f64); 5] = [
    (0.1, 1.612_441_348_720_219_4, 0.442_002_350_275_365_24),
    (0.25, 1.685_750_354_812_596, 0.541_731_848_613_280_3),
    (0.5, 1.854_074_677_301_371_9, 0.847_213_084_793_979_1),
    (0.75, 2.156_515_647_499_643_2, 1.791_805_641_849_463_2),
    (0.9, 2.578_092_113_348_173_2, 4.705_364_007_606_978),
];

/// Midpoints of `[0, 1)`: the rule of midpoints converges geometrically for periodic functions.
fn nodes(n: usize) -> Inactive<impl Iterator<Item = f64> + Clone> {
    Inactive((0..n).map(move |i| (i as f64 + 0.5) / n as f64))
}

/// `K(m)`, with a derivative by differentiation inside its rules: [`sum_loop`] of [`integrand`] in forward mode.
#[primitive]
fn nested<T: Real>(m: T) -> T {
    sum_loop(nodes(64), &m, Inactive(integrand {})) * T::lit(FRAC_PI_2 / 64.0)
}

/// `(K, K′)`
fn inside<T: Real>(m: T) -> (T, T) {
    let scale = T::lit(FRAC_PI_2 / 64.0);
    let one = T::one();
    let args = (
        Const(nodes(64)),
        Duplicated(&m, &one),
        Const(Inactive(integrand {})),
    );
    let (dk, k) = autodiff(ForwardWithPrimal, &sum_loop {}, AsDuplicated, args);
    (k * scale, dk * scale)
}

impl<R, M, T, const W: usize> ForwardRule<R, (M,), W> for nested
where
    T: Real,
    R: ForwardReturn<W, Out = T>,
    M: ForwardArg<T, W>,
{
    fn forward(&self, config: &ForwardConfig, (m,): (&mut M,)) -> R::Forward {
        let (k, dk) = inside(*m.primal());
        R::forward(
            config,
            || k,
            |lane| m.tangent(lane).map_or(T::zero(), |dm| dk * *dm),
        )
    }
}

impl<R, M, T, const W: usize> ReverseRule<R, (M,), W> for nested
where
    T: Real,
    R: ReverseReturn<W, Out = T>,
    M: ReverseArg<T, W>,
{
    type Tape = T;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (m,): (&mut M,),
    ) -> coenzyme::Augmented<R, T, W> {
        let (k, dk) = inside(*m.primal());
        R::augmented(config, k, dk)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        dk: T,
        (m,): (&mut M,),
    ) -> (M::Gradient,) {
        (m.accumulate(|lane, _, mut dm| dm += dret.lane(lane).map_or(T::zero(), |dy| dk * *dy)),)
    }
}

/// `K′(m)` by hand: the sum of the derivatives of the terms.
fn by_hand(m: f64) -> f64 {
    let terms = nodes(64).0.map(|u| {
        let s = (FRAC_PI_2 * u).sin().powi(2);
        0.5 * s * (1.0 - m * s).powf(-1.5)
    });
    terms.sum::<f64>() * FRAC_PI_2 / 64.0
}

#[test]
fn d19_differentiation_inside_a_rule_is_the_rule_by_hand() {
    for (m, k, dk) in K {
        let ((of_m,), value) = autodiff!(ReverseWithPrimal, nested, Active, Active(m));
        close(value, k, 4e-15);
        close(of_m, by_hand(m), 1e-14);
        close(of_m, dk, 1e-14);
        let (forward,) = autodiff!(Forward, nested, Duplicated(m, 1.0));
        assert_eq!(forward, of_m);
    }
}

/// D18: `K″(1/2) = K(1/2)`, an identity of the differential equation of `K`.
#[test]
fn d18_the_second_derivative_at_one_half_is_the_value() {
    let (second,) = autodiff!(
        Forward,
        nested,
        Duplicated(Dual::variable(0.5), Dual::constant(1.0))
    );
    close(second.value, K[2].2, 1e-14);
    close(second.tangent, K[2].1, 1e-13);
}

/// `x³`, with a reverse rule by hand.
#[primitive]
fn cube(x: f64) -> f64 {
    x * x * x
}

easy_rule! {
    fn cube(x: f64) -> y: f64;
    dy/dx = 3.0 * x * x;
}

/// `x³`, whose forward rule differentiates [`cube`] in reverse mode.
#[primitive]
fn through_reverse(x: f64) -> f64 {
    cube(x)
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for through_reverse
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let (dx,) = gradient!(cube, *x.primal());
        R::forward(
            config,
            || cube(*x.primal()),
            |lane| x.tangent(lane).map_or(0.0, |t| dx * t),
        )
    }
}

/// `x⁶`, whose reverse rule differentiates [`through_reverse`] in forward mode.
#[primitive]
fn sixth(x: f64) -> f64 {
    through_reverse(x).powi(2)
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for sixth
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
{
    type Tape = f64;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> coenzyme::Augmented<R, f64, W> {
        let (dx, value) = autodiff!(
            ForwardWithPrimal,
            through_reverse,
            Duplicated(*x.primal(), 1.0)
        );
        R::augmented(config, value * value, 2.0 * value * dx)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        partial: f64,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        (x.accumulate(|lane, _, mut dx| dx += dret.lane(lane).map_or(0.0, |dy| partial * dy)),)
    }
}

#[test]
fn d19_three_rules_deep_with_mixed_modes() {
    let (dx,) = gradient!(sixth, 1.3);
    close(dx, 6.0 * 1.3_f64.powi(5), 1e-14);
}

#[test]
fn d19_perturbations_are_not_confused() {
    let inner = |x: Dual<f64>| x * coenzyme::derivative(|y| Dual::constant(x) + y, x);
    assert_eq!(coenzyme::derivative(inner, 5.0), 1.0);
}

/// D21: a hundred parameters at once.
#[test]
fn d21_k_on_a_grid() {
    use coenzyme_rules::parallel::map;
    #[differentiable]
    fn k(m: f64, _p: &()) -> f64 {
        nested(m)
    }
    let grid: Vec<f64> = (0..100).map(|i| 0.9 * i as f64 / 99.0).collect();
    let (mut dm, ones) = (vec![0.0; 100], vec![1.0; 100]);
    let mut args = (
        Duplicated(&grid[..], &mut dm[..]),
        Const(&()),
        Const(Inactive(k {})),
    );
    let thunk = Thunk::<_, Duplicated<Vec<f64>>>::new(map {});
    let augmented = thunk.augmented(&mut args);
    let values = augmented.primal.clone().expect("asked for");
    thunk.reverse([ones], augmented.tape, &mut args);
    close(values[0], 1.570_796_326_8, 1e-10);
    close(values[99], 2.578_092_113_3, 1e-10);
    close(dm[0], std::f64::consts::PI / 8.0, 1e-14);
    close(dm[99], K[4].2, 1e-14);
}
