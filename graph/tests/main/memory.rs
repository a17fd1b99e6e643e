//! Gradients within a budget, measured beside the plan; what a pullback allocates.

use allocation_counter::measure;
use coenzyme_graph::{Graph, Spec, Value};
use ndarray::Array1;

use super::{core, none, said, session, v};

const N: usize = 4096;

/// `sin` applied so many times to an array of 4096 numbers.
fn chain(length: usize) -> Graph {
    Graph::record(
        &session(),
        "user::chain",
        &[("x", Spec::f64(&[N]))],
        |g, x| {
            let mut h = x[0].clone();
            for _ in 0..length {
                h = g.call("core::sin", &[&h], &none())?;
            }
            Ok(vec![h])
        },
    )
    .expect("fits")
}

#[test]
fn a_gradient_within_a_budget_has_the_same_bits_and_stays_within_it() {
    let (graph, x) = (chain(100), v(Array1::linspace(0.0, 1.0, N)));
    let array = N * 8;
    let all = graph.plan_memory(usize::MAX).expect("no bound");
    assert_eq!((all.segments(), all.recomputed), (1, 0));
    let (_, want) = graph.gradients(&[&x], &[true], None).expect("runs");
    let mut last = usize::MAX;
    for budget in [all.peak_bytes / 2, all.peak_bytes / 4, 60 * array] {
        let plan = graph.plan_memory(budget).expect("possible");
        assert!(plan.peak_bytes <= budget && plan.segments() > 1 && plan.recomputed < 100);
        let mut dx = None;
        let measured = measure(|| {
            let (_, gradient) = graph
                .gradients_within(&plan, &[&x], &[true], None)
                .expect("runs");
            dx = gradient.into_iter().next().flatten();
        });
        assert!(
            dx.expect("active")
                .same_bits(want[0].as_ref().expect("active"))
        );
        // the sweep itself, per node: places for values, tapes and cotangents
        let overhead = 100 * 1024;
        let peak = usize::try_from(measured.bytes_max).expect("positive");
        assert!(
            peak <= plan.peak_bytes + overhead,
            "planned {}, measured {peak}",
            plan.peak_bytes
        );
        assert!(peak < last, "a smaller budget takes less: {peak} {last}");
        last = peak;
    }
    let error = said(graph.plan_memory(array));
    assert!(
        error.contains("bytes are too few: the gradient needs"),
        "{error}"
    );
}

#[test]
fn m21_the_pullback_of_a_product_allocates_nothing_for_the_shadows() {
    let n = 1_000_000;
    let (x, y) = (
        v(Array1::linspace(0.0, 1.0, n)),
        v(Array1::linspace(1.0, 2.0, n)),
    );
    let mul = core("mul");
    let call = coenzyme_graph::Call::new(none());
    let (_, tape) = mul.augmented(&[&x, &y], &call).expect("runs");
    let zeros = || Some(Value::zeros(&Spec::f64(&[n])));
    let mut dx: [coenzyme_graph::Shadows; 1] = [[zeros(), zeros()].into_iter().collect()];
    let dy = vec![
        [Some(Value::full(&Spec::f64(&[n]), 1.0))]
            .into_iter()
            .collect(),
    ];
    let measured = measure(|| {
        mul.pullback(&[&x, &y], dy, tape, &mut dx, &call)
            .expect("runs");
    });
    // no array: lists of a few words
    assert!(measured.bytes_total < 4096, "{measured:?}");
    assert_eq!(dx[0][0].as_ref(), Some(&y));
}

#[test]
fn a_replay_lets_go_of_what_nobody_reads_any_more() {
    let (graph, x) = (chain(100), v(Array1::linspace(0.0, 1.0, N)));
    let measured = measure(|| {
        graph.run(&[&x]).expect("runs");
    });
    let arrays = usize::try_from(measured.bytes_max).expect("positive") / (N * 8);
    assert!(arrays < 5, "{arrays} arrays at a time");
}
