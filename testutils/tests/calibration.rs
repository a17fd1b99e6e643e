//! Measures the ladder on functions whose derivatives are known in closed form and which are badly
//! scaled, nearly singular, oscillating or cancelling.
//!
//! Three figures are required, over all trials together: the error stays within the bar in 99.5 %,
//! a right derivative fails in at most 0.1 %, and no derivative that is wrong by 10⁻⁵ passes.
//!
//! `TESTUTILS_SEED` and `TESTUTILS_PROFILE=soak` repeat the measurement elsewhere and at length.

#[path = "calibration/cancelling.rs"]
mod cancelling;
#[path = "calibration/families.rs"]
mod families;
#[path = "calibration/offset.rs"]
mod offset;
#[path = "calibration/rules.rs"]
mod rules;

use coenzyme_testutils::{Environment, Estimate, Judgement, Ladder, Stream, Tolerance};
use families::{FAMILIES, Family};

const TRIALS: usize = 250;

/// What came of the trials of one family, or of all.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    trials: usize,
    covered: usize,
    judged: usize,
    false_alarms: usize,
    missed: usize,
}

impl Tally {
    fn add(&mut self, estimate: &Estimate, exact: f64) {
        let judge = |got| Tolerance::DOUBLE.judge(got, estimate);
        let right = judge(exact);
        self.trials += 1;
        self.covered += usize::from(covers(estimate, exact));
        self.judged += usize::from(!matches!(right, Judgement::Inconclusive(_)));
        self.false_alarms += usize::from(matches!(right, Judgement::Fail { .. }));
        // Of a derivative that is zero, no fraction is wrong: a slope of 10⁻⁵ is.
        let error = 1e-5 * if exact == 0.0 { 1.0 } else { exact };
        let wrong = [exact + error, exact - error];
        self.missed += usize::from(wrong.into_iter().any(|got| judge(got) == Judgement::Pass));
    }

    fn merge(&mut self, other: Tally) {
        self.trials += other.trials;
        self.covered += other.covered;
        self.judged += other.judged;
        self.false_alarms += other.false_alarms;
        self.missed += other.missed;
    }
}

/// Whether the estimate is honest about `exact`: within its bar, or without a value.
fn covers(estimate: &Estimate, exact: f64) -> bool {
    estimate.value.is_nan() || (estimate.value - exact).abs() <= estimate.bar
}

/// A point of the family's range, uniform in the exponent where the range spans decades.
fn point(family: &Family, stream: &mut Stream) -> f64 {
    let (low, high) = (family.range.start, family.range.end);
    let fraction = (stream.bits() >> 11) as f64 / (1_u64 << 53) as f64;
    if low > 0.0 && high / low > 100.0 {
        low * (high / low).powf(fraction)
    } else {
        low + (high - low) * fraction
    }
}

fn measure(family: &Family, environment: &Environment) -> Tally {
    let mut stream = Stream::of_case(family.name, environment.seed);
    let mut tally = Tally::default();
    for _ in 0..TRIALS * environment.profile.points() {
        let x = point(family, &mut stream);
        let primal = |x: &[f64]| Some(vec![(family.primal)(x[0])]);
        let column = Ladder::default().column(primal, &[x], 0).expect("total");
        tally.add(&column[0], (family.derivative)(x));
    }
    tally
}

#[test]
fn bars_cover_alarms_are_true_and_nothing_is_missed() {
    let environment = Environment::from_env();
    let mut total = Tally::default();
    println!("{:<28} trials covered judged alarms missed", "family");
    for family in FAMILIES {
        let tally = measure(family, &environment);
        print_row(family.name, tally);
        let covered = tally.covered as f64 / tally.trials as f64;
        assert!(
            covered >= 0.98,
            "bars too narrow on {}: {tally:?}",
            family.name
        );
        total.merge(tally);
    }
    print_row("all", total);
    let share = |count: usize| count as f64 / total.trials as f64;
    assert!(total.trials >= 12_800);
    assert!(share(total.covered) >= 0.995, "bars too narrow: {total:?}");
    assert!(
        share(total.false_alarms) <= 0.001,
        "false alarms: {total:?}"
    );
    assert_eq!(total.missed, 0, "wrong by 1e-5 and passed: {total:?}");
    assert!(
        share(total.judged) >= 0.8,
        "too much is inconclusive: {total:?}"
    );
}

fn print_row(name: &str, tally: Tally) {
    let Tally {
        trials,
        covered,
        judged,
        false_alarms,
        missed,
    } = tally;
    println!("{name:<28} {trials:>6} {covered:>7} {judged:>6} {false_alarms:>6} {missed:>6}");
}
