//! What rules are judged by in place of differences of their own function, and what a failure shows on request.

use std::process::Command;

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated, Augmented, Dual, Real, scaled};
use coenzyme_testutils::{Setting, Verdict, input, out, severed, value};

/// √x, by bisection: a staircase, whose steps have slopes of their own.
#[primitive]
fn rough(x: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0 + x);
    for _ in 0..20 {
        let middle = (low + high) / 2.0;
        if middle * middle < x {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

easy_rule! {
    fn rough(x: f64) -> y: f64;
    dy/dx = 0.5 / x.sqrt();
}

/// √x.
#[differentiable]
fn smooth(x: f64) -> f64 {
    x.sqrt()
}

#[test]
fn rough_function_is_judged_by_a_smooth_one() {
    let tester = || Setting::new((value(2.25),)).function("rough", rough {});
    let alone = tester();
    let report = alone.mix(AsActive, (AsActive,)).reverse::<_, _, 1>();
    assert!(!report.verdict().is_green(), "{report}");
    let smooth = Setting::new((value(2.25),)).function("smooth", smooth {});
    let judged = tester().reference(smooth);
    judged
        .mix(AsActive, (AsActive,))
        .reverse::<_, _, 2>()
        .assert();
}

/// y ← x³·a, returns Σ x·a.
#[differentiable]
fn cubes<T: Real>(y: &mut [T], x: &[T], a: T) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        y[i] = x[i] * x[i] * x[i] * a;
        sum += x[i] * a;
    }
    sum
}

#[test]
fn dual_numbers_are_a_reference_without_steps() {
    let duals = || [Dual::constant(0.0); 3];
    let zero = Dual::constant(0.0);
    let dual =
        Setting::new((out(duals()), input(duals()), value(zero))).function("cubes", cubes {});
    let arguments = (
        out(3).named("y"),
        input(3).named("x"),
        value(1.5).named("a"),
    );
    let tester = Setting::new(arguments)
        .function("cubes", cubes {})
        .dual(dual);
    let tester = tester.const_buffers(severed("as Enzyme does"));
    let report = tester
        .mix(AsActive, (AsDuplicated, AsDuplicated, AsActive))
        .reverse::<_, _, 2>();
    assert_eq!(report.verdict(), Verdict::Pass, "{report}");
    let ahead = tester.mix(AsDuplicated, (AsDuplicated, AsDuplicated, AsDuplicated));
    assert_eq!(ahead.forward::<3>().verdict(), Verdict::Pass);
}

/// x·y.
#[differentiable]
fn product(x: f64, y: f64) -> f64 {
    x * y
}

#[test]
fn known_derivatives_judge_like_differences() {
    let report = |sign: f64| {
        let tester = Setting::new((value(1.5).named("x"), value(-0.75).named("y")));
        let tester = tester.function("product", product {});
        let tester = tester.derivatives(move |x| vec![vec![x[1][0], sign * x[0][0]]]);
        tester
            .mix(AsActive, (AsActive, AsActive))
            .reverse::<_, _, 1>()
    };
    report(1.0).assert();
    let wrong = report(-1.0);
    assert!(matches!(wrong.verdict(), Verdict::Fail(_)));
    assert_eq!(wrong.entries()[0].place.argument, "y.gradient");
    assert_eq!(wrong.entries()[0].expected, -wrong.entries()[0].got);
}

#[test]
#[should_panic = "the known derivatives have (1, 1) rows and columns, expected (1, 2)"]
fn known_derivatives_of_another_shape_are_refused() {
    let tester = Setting::new((value(1.5), value(-0.75))).function("product", product {});
    let tester = tester.derivatives(|_| vec![vec![1.0]]);
    let _ = tester
        .mix(AsActive, (AsActive, AsActive))
        .reverse::<_, _, 1>();
}

/// Σ x².
#[primitive]
fn squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<[f64], W>, const W: usize>
    ReverseRule<R, (X,), W> for squares
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Augmented<R, Self::Tape, W> {
        let tape = Saved::new(x.primal(), config.overwritten(0));
        R::augmented(config, squares(x.primal()), tape)
    }

    /// With 3 for 2; if that is asked for, where `x` is long only.
    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let only_long = std::env::var("WRONG_RULE").is_ok_and(|wrong| wrong == "long");
        let gradient = x.accumulate(|lane, x, mut dx| {
            let seed = dret.lane(lane).copied().unwrap_or(0.0);
            let right = only_long && x.len() <= 20;
            let factor = if right { 2.0 } else { 3.0 };
            for (x, mut dx) in tape.get(x).iter().zip(dx.iter_mut()) {
                dx += scaled(factor * x, seed, config.strong_zero());
            }
        });
        (gradient,)
    }
}

/// Run by the tests below in a process of its own, with other variables; it does nothing otherwise.
#[test]
fn wrong_rule_on_request() {
    if std::env::var_os("WRONG_RULE").is_some() {
        coenzyme_testutils::test_reverse!(squares, Active, (input(3), Duplicated));
    }
}

/// What the wrong rule prints under some variables.
fn told(variables: &[(&str, &str)]) -> String {
    let mut command = Command::new(std::env::current_exe().expect("tests know where they are"));
    command.args(["wrong_rule_on_request", "--exact", "--nocapture"]);
    command.env("WRONG_RULE", "1").env("NO_COLOR", "1");
    command.envs(variables.iter().copied());
    let output = command.output().expect("tests can run themselves");
    assert!(!output.status.success(), "the rule is wrong");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn picture_is_drawn_on_request() {
    assert!(!told(&[]).contains("picture"));
    let text = told(&[("TESTUTILS_PICTURE", "1")]);
    assert!(text.contains("picture step"), "{text}");
    assert!(text.contains("o rule  * best"), "{text}");
    assert!(
        text.lines()
            .filter(|line| line.trim_start().starts_with("2^-"))
            .count()
            > 10
    );
}

/// The id in a line of a message.
fn id(line: &str) -> &str {
    let id = line.split_once("TESTUTILS_REPLAY=").expect("a replay").1;
    id.split_whitespace().next().expect("an id")
}

/// The line with the point.
fn point(text: &str) -> String {
    let line = text.lines().find(|line| line.contains("  point "));
    line.expect("a point").trim().to_owned()
}

#[test]
fn replays_run_the_case_and_the_shrunk_case() {
    let text = told(&[]);
    let mut replays = text
        .lines()
        .filter(|line| line.contains("TESTUTILS_REPLAY="));
    let shrunk = id(replays.next().expect("a line below `shrunk`"));
    let whole = id(replays.next().expect("a line `replay`"));
    assert!(shrunk.starts_with(whole) && shrunk.contains('~'), "{text}");
    assert_eq!(point(&told(&[("TESTUTILS_REPLAY", whole)])), point(&text));
    let simple = point(&told(&[("TESTUTILS_REPLAY", shrunk)]));
    assert!(simple.ends_with("[1.5, 1.5, 1.5]"), "{simple}");
}

#[test]
fn replay_of_a_size_that_nobody_has_given_fails_there() {
    let long = ("WRONG_RULE", "long");
    let text = told(&[long]);
    assert!(text.contains("Z2 sizes that were not given"), "{text}");
    let line = text.lines().find(|line| line.contains("TESTUTILS_REPLAY="));
    let again = told(&[long, ("TESTUTILS_REPLAY", id(line.expect("a replay")))]);
    assert!(again.contains("size 31"), "{again}");
    assert_eq!(point(&again), point(&text));
}
