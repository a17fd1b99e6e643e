//! What the tester costs: differences once for all mixes, and many checks a second.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use coenzyme::prelude::*;
use coenzyme::{
    AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed, Augmented, Function, Holds, HoldsMut,
    scaled,
};
use coenzyme_testutils::__private::Points;
use coenzyme_testutils::{Report, Setting, input, out, severed, value};

/// y ← x², counting the calls of the primal.
struct Counted;

static CALLS: AtomicUsize = AtomicUsize::new(0);

fn square(y: &mut [f64], x: &[f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x * x);
}

impl<Y: HoldsMut<[f64]>, X: Holds<[f64]>> Function<(Y, X)> for Counted {
    type Output = ();

    fn call(&self, (mut y, x): (Y, X)) {
        CALLS.fetch_add(1, Ordering::Relaxed);
        square(y.get_mut(), x.get());
    }
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for Counted
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        square(y.primal_mut(), x.primal());
        y.assign(|lane, _, dy| match x.tangent(lane) {
            Some(dx) => {
                for ((dy, x), dx) in dy.iter_mut().zip(x.primal()).zip(dx) {
                    *dy = scaled(2.0 * x, *dx, config.strong_zero());
                }
            }
            None => dy.fill(0.0),
        });
        R::forward(config, || (), |_| ())
    }
}

/// How often the primal is called by a test that ends well.
fn calls_of(test: impl FnOnce() -> Report) -> usize {
    let before = CALLS.load(Ordering::Relaxed);
    test().assert();
    CALLS.load(Ordering::Relaxed) - before
}

#[test]
fn differences_are_taken_once_for_all_mixes() {
    static POINTS: Points = Points::new();
    let tester =
        Setting::new((out(5).named("y"), input(5).named("x"))).function("counted", Counted);
    let tester = tester
        .const_buffers(severed("counted only"))
        .sharing(&POINTS, "()", true);
    let (all, no_need) = (
        tester.mix(AsConst, (AsDuplicated, AsDuplicated)),
        tester.mix(AsConst, (AsDuplicatedNoNeed, AsDuplicated)),
    );
    let wide = calls_of(|| {
        let const_input = tester.mix(AsConst, (AsDuplicated, AsConst)).forward::<1>();
        let nothing = tester.mix(AsConst, (AsConst, AsConst)).forward::<1>();
        Report::worst([
            all.forward::<3>(),
            no_need.forward::<2>(),
            const_input,
            nothing,
        ])
    });
    // Beside the differences, what is read is taken outside of the domain, in 35 ways, and its numbers stand in
    // two other orders, where one direction is measured for each argument. Each of four mixes is looked at where it is longer.
    let (inputs, outside, orders, longer) = (10, 35, 2 * 2 * 26, 4 * 4);
    assert!(
        wide <= 48 * inputs + 2 + outside + orders + longer,
        "{wide} calls of the primal for {inputs} inputs"
    );
    // In one lane further points are looked at, and other sizes: these too once.
    let first = calls_of(|| all.forward::<1>());
    let second = calls_of(|| no_need.forward::<1>());
    assert!(
        20 * second < first,
        "{first} calls of the primal, and then {second}"
    );
}

/// `ln x`, counting calls far from where it is declared to be called.
#[primitive]
fn logarithm(x: f64) -> f64 {
    FAR.fetch_add(usize::from(!(0.25..8.0).contains(&x)), Ordering::Relaxed);
    x.ln()
}

easy_rule! {
    fn logarithm(x: f64) -> y: f64;
    dy/dx = 1.0 / x;
}

static FAR: AtomicUsize = AtomicUsize::new(0);

#[test]
fn nothing_is_differentiated_outside_of_its_range() {
    let tester = Setting::new((value(1.5).within(0.5..4.0),));
    let tester = tester.function("logarithm", logarithm {});
    tester
        .mix(AsDuplicated, (AsDuplicated,))
        .forward::<1>()
        .assert();
    let far = FAR.load(Ordering::Relaxed);
    // where its domain ends is looked for
    assert!(far <= 64, "{far} calls outside of the range");
}

/// Σ x, with a tape of a hundred numbers that nobody reads.
struct Hoard;

impl<X: Holds<[f64]>> Function<(X,)> for Hoard {
    type Output = f64;

    fn call(&self, (x,): (X,)) -> f64 {
        x.get().iter().sum()
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Hoard
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Augmented<R, Vec<f64>, W> {
        R::augmented(config, x.primal().iter().sum(), vec![0.0; 100])
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: Vec<f64>,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let gradient = x.accumulate(|lane, _, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            dx.iter_mut().for_each(|mut dx| dx += seed);
        });
        (gradient,)
    }
}

#[test]
fn large_tapes_are_worth_a_word_and_no_more() {
    let tester = Setting::new((input(3),)).function("hoard", Hoard);
    let report = tester.mix(AsActive, (AsDuplicated,)).reverse::<_, _, 1>();
    report.assert();
    let advice: Vec<_> = report.advice().iter().collect();
    assert!(
        matches!(advice[..], [text] if text.starts_with("T1: the tape owns 800 bytes")),
        "{advice:?}"
    );
}

/// a·b.
#[primitive]
fn product(a: f64, b: f64) -> f64 {
    a * b
}

easy_rule! {
    fn product(a: f64, b: f64) -> c: f64;
    dc/da = b;
    dc/db = a;
}

#[test]
fn checks_are_many_a_second() {
    let start = Instant::now();
    let mut comparisons = 0;
    for seed in 0..20 {
        let arguments = (value(1.0).within(-3.0..3.0), value(1.0).within(-3.0..3.0));
        let tester = Setting::new(arguments)
            .function("product", product {})
            .seed(seed);
        let both = tester.mix(AsActive, (AsActive, AsActive));
        let ahead = tester.mix(AsDuplicated, (AsDuplicated, AsDuplicated));
        let reports = [
            both.reverse::<_, _, 1>(),
            both.reverse::<_, _, 3>(),
            ahead.forward::<1>(),
            ahead.forward::<3>(),
        ];
        let report = Report::worst(reports);
        report.assert();
        assert!(report.advice().is_empty());
        comparisons += report.comparisons();
    }
    let rate = comparisons as f64 / start.elapsed().as_secs_f64();
    eprintln!("{rate:.0} checks/s");
    if !cfg!(debug_assertions) {
        assert!(rate > 50_000.0, "only {rate:.0} checks/s");
    }
}
