//! What the strategies draw, and what they shrink to.

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsDuplicated};
use coenzyme_testutils::{Verdict, input, strategies, test_reverse};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{FileFailurePersistence, RngAlgorithm, TestError, TestRng, TestRunner};

/// Failures found once are tried first for ever, from the file beside this one.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        cases: 64,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn coordinates_are_on_the_lattice_and_not_near_zero(x in strategies::coordinate(-9.0..9.0)) {
        prop_assert!((5.0 / 16.0..=2.75).contains(&x.abs()) && (16.0 * x).fract() == 0.0);
    }

    #[test]
    fn ranges_are_kept(x in strategies::full_mantissa(0.5..1.0), y in strategies::coordinate(1e-9..2e-9)) {
        prop_assert!((0.5..1.0).contains(&x) && (1e-9..2e-9).contains(&y));
    }

    #[test]
    fn seeds_are_not_near_zero(lanes in strategies::lanes(3, 4)) {
        prop_assert_eq!((lanes.len(), lanes[2].len()), (3, 4));
        prop_assert!(lanes.iter().flatten().all(|seed| (0.5..=1.5).contains(&seed.abs())));
    }

    #[test]
    fn arrays_hold_the_same_numbers_wherever_they_are(
        x in strategies::shape::<2>(40).prop_flat_map(|shape| strategies::placed(shape, -3.0..3.0))
    ) {
        prop_assert!(x.view().len() <= 40 && x.is_untouched_beside());
        prop_assert!(x.view().iter().all(|x| x.abs() >= 5.0 / 16.0), "{x:?}");
    }

    #[test]
    fn right_rules_pass_at_any_point(x in strategies::points(1..5, -3.0..3.0)) {
        let report = test_reverse("cubes", (input(x),), (AsDuplicated,), AsActive, cubes {});
        prop_assert!(report.verdict().is_green(), "{report}");
    }
}

/// Σ xᵢ³
#[differentiable]
fn cubes(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i] * x[i];
    }
    sum
}

/// x², with a rule that is right where x is 1 and wrong elsewhere.
#[primitive]
fn square(x: f64) -> f64 {
    x * x
}

easy_rule! {
    fn square(x: f64) -> y: f64;
    dy/dx = 2.0 * y;
}

/// The same draws in every run, which leave nothing behind.
fn runner() -> TestRunner {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

/// The simplest of what is drawn that `fails`.
fn simplest<S: Strategy>(strategy: S, fails: impl Fn(&S::Value) -> bool) -> S::Value {
    let mut runner = runner();
    let result = runner.run(&strategy, |value| {
        if fails(&value) {
            Err(TestCaseError::fail("as it should"))
        } else {
            Ok(())
        }
    });
    match result {
        Err(TestError::Fail(_, value)) => value,
        _ => panic!("nothing failed"),
    }
}

#[test]
fn a_wrong_rule_shrinks_to_the_simplest_point() {
    let fails = |x: &f64| {
        let argument = (coenzyme_testutils::value(*x),);
        let report = test_reverse("square", argument, (AsActive,), AsActive, square {});
        matches!(report.verdict(), Verdict::Fail(_))
    };
    assert_eq!(simplest(strategies::coordinate(-3.0..3.0), fails), 1.5);
    assert_eq!(simplest(strategies::full_mantissa(-3.0..3.0), fails), 1.5);
}

#[test]
fn points_shrink_in_length_and_on_the_lattice() {
    let points = || strategies::points(0..9, -3.0..3.0);
    assert_eq!(simplest(points(), |x| x.len() >= 2), [1.5, 1.5]);
    let large = simplest(points(), |x| x.iter().any(|x| x.abs() > 1.25));
    assert_eq!((large.len(), (16.0 * large[0]).fract()), (1, 0.0));
}

#[test]
fn layouts_shrink_to_contiguous_memory() {
    let placed = strategies::placed([2, 3], -3.0..3.0);
    let simplest = simplest(placed, |x| x.view().len() == 6);
    assert_eq!(simplest.view().strides(), [3, 1]);
    assert_eq!(simplest.view().as_slice(), Some(&[1.5; 6][..]));
}

#[test]
fn layouts_are_of_every_kind() {
    let mut runner = runner();
    let mut draw = || {
        strategies::placed([2], -3.0..3.0)
            .new_tree(&mut runner)
            .expect("no filter")
            .current()
    };
    let steps: std::collections::BTreeSet<isize> =
        (0..200).map(|_| draw().view().strides()[0]).collect();
    assert_eq!(steps.into_iter().collect::<Vec<_>>(), [-2, -1, 1, 2, 3]);
    let mut written = draw();
    assert!(written.is_untouched_beside());
    written.view_mut().fill(0.0);
    assert!(written.is_untouched_beside() && written.view().sum() == 0.0);
}
