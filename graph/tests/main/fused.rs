//! Chains of calls that work entry by entry, as one call in tiles.

use allocation_counter::measure;
use coenzyme_graph::{Graph, Mask, OpError, Operation, Recorder, Session, Spec, Value, Var, attrs};
use ndarray::{Array1, Array2, arr0};

use super::{close, none, said, session, v};

/// `sin(x)·x + exp(x)`
fn row(g: &mut Recorder<'_>, x: &Var) -> Result<Var, OpError> {
    let sine = g.call("core::sin", &[x], &none())?;
    let product = g.call("core::mul", &[&sine, x], &none())?;
    let exp = g.call("core::exp", &[x], &none())?;
    g.call("core::add", &[&product, &exp], &none())
}

fn recorded(n: usize) -> Graph {
    Graph::record(
        &session(),
        "user::m29",
        &[("x", Spec::f64(&[n]))],
        |g, x| Ok(vec![row(g, &x[0])?]),
    )
    .expect("fits")
}

fn points(n: usize) -> Value {
    v(Array1::from_shape_fn(n, |i| (i as f64 * 0.37).sin() * 2.0))
}

/// The same bits in value and tangent, and the same gradient.
fn alike(graph: &Graph, fused: &Graph, x: &[&Value]) {
    let bits = |a: &[Value], b: &[Value]| a.iter().zip(b).all(|(a, b)| a.same_bits(b));
    let y = graph.run(x).expect("runs");
    assert!(bits(&y, &fused.run(x).expect("runs")));
    let one: Vec<Value> = x.iter().map(|x| Value::full(&x.spec(), 0.5)).collect();
    let dx: Vec<Option<&Value>> = one.iter().map(Some).collect();
    let pushed = graph.pushforward(x, &dx).expect("runs").1;
    assert!(bits(&pushed, &fused.pushforward(x, &dx).expect("runs").1));
    let wanted = vec![true; x.len()];
    let seeds: Vec<_> = y.iter().map(|y| Some(y.clone())).collect();
    let (value, want) = graph.gradients(x, &wanted, Some(&seeds)).expect("runs");
    let (other, got) = fused.gradients(x, &wanted, Some(&seeds)).expect("runs");
    assert!(bits(&value, &other));
    for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
        close(got, want.entries().expect("f64"));
    }
}

#[test]
fn m29_a_chain_is_one_pass_with_the_same_bits() {
    // below, at and above whole tiles
    for n in [1, 8192, 8193, 20_000, 24_576] {
        let (graph, x) = (recorded(n), points(n));
        let fused = graph.fused();
        assert_eq!(
            fused.calls().collect::<Vec<_>>(),
            ["fused::sin-mul-exp-add"]
        );
        alike(&graph, &fused, &[&x]);
        let read = Graph::from_bytes(session().registry(), &fused.to_bytes()).expect("the same");
        assert!(read.run(&[&x]).expect("runs")[0].same_bits(&graph.run(&[&x]).expect("runs")[0]));
    }
}

#[test]
fn m29_the_derivative_of_a_chain_is_that_of_finite_differences() {
    let (n, h) = (20_000, 1e-6);
    let (fused, x) = (recorded(n).fused(), points(n));
    let (_, dx) = fused.gradients(&[&x], &[true], None).expect("runs");
    let f = |x: f64| x.sin() * x + x.exp();
    let got = dx[0]
        .as_ref()
        .and_then(Value::entries::<f64>)
        .expect("active");
    for (x, got) in x.entries::<f64>().expect("f64").iter().zip(got) {
        assert!((got - (f(x + h) - f(x - h)) / (2.0 * h)).abs() < 1e-7);
    }
}

/// A program at random of calls on matrices: entry by entry, along rows, and with a number.
fn random(session: &Session, seed: u64, calls: usize) -> Graph {
    let mut state = seed;
    let mut next = move |n: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % n
    };
    let matrix = || Spec::f64(&[100, 90]);
    Graph::record(
        session,
        "user::random",
        &[("x", matrix()), ("y", matrix())],
        |g, x| {
            let mut all = x.to_vec();
            let half = g.constant(arr0(0.5));
            for _ in 0..calls {
                let a = all[next(all.len())].clone();
                let b = all[next(all.len())].clone();
                all.push(match next(8) {
                    0 => g.call("core::softmax", &[&a], &attrs! { axis: 1 })?,
                    1 => g.call("core::mul", &[&a, &half], &none())?,
                    2 => g.call("core::tanh", &[&a], &none())?,
                    3 => g.call("core::sub", &[&a, &b], &none())?,
                    4 => g.call("core::mul", &[&a, &b], &none())?,
                    5 => g.call("core::sin", &[&a], &none())?,
                    _ => g.call("core::hypot", &[&a, &b], &none())?,
                });
            }
            let last = all.len() - 1;
            Ok(vec![
                all[last].clone(),
                all[last / 2].clone(),
                g.call("core::sum", &[&all[last]], &none())?,
            ])
        },
    )
    .expect("fits")
}

#[test]
fn programs_at_random_are_the_same_fused() {
    let session = session();
    let at = |k: f64| {
        v(Array2::from_shape_fn((100, 90), |(i, j)| {
            (i as f64 * 1.3 + j as f64 * k).sin() + 1.5
        }))
    };
    let (x, y) = (at(0.7), at(0.3));
    let mut fewer = 0;
    for seed in 0..40 {
        let graph = random(&session, seed, 5 + seed as usize % 20).without_dead_code();
        let fused = graph.fused();
        assert!(fused.calls().count() <= graph.calls().count());
        fewer += graph.calls().count() - fused.calls().count();
        alike(&graph, &fused, &[&x, &y]);
    }
    assert!(fewer > 100, "{fewer}");
}

/// `n` entries through forty calls.
fn long(n: usize) -> Graph {
    Graph::record(
        &session(),
        "user::long",
        &[("x", Spec::f64(&[n]))],
        |g, x| {
            let mut h = x[0].clone();
            for _ in 0..20 {
                h = g.call("core::mul", &[&h, &x[0]], &none())?;
                h = g.call("core::tanh", &[&h], &none())?;
            }
            let h = g.call("core::softmax", &[&h], &attrs! { axis: 0 })?;
            Ok(vec![g.call("core::sum", &[&h], &none())?])
        },
    )
    .expect("fits")
}

#[test]
fn m29_memory_is_that_of_the_ends_of_a_chain() {
    let n = 100_000;
    let (graph, x) = (long(n), points(n));
    let fused = graph.fused();
    assert_eq!(
        fused.calls().collect::<Vec<_>>(),
        ["fused::mul-…-tanh", "softmax", "sum"].map(|name| match name {
            "softmax" => "core::softmax",
            "sum" => "core::sum",
            chain => chain,
        })
    );
    let peak = |graph: &Graph| {
        let run = || drop(graph.gradients(&[&x], &[true], None).expect("runs"));
        measure(run).bytes_max as usize
    };
    let (apart, together) = (peak(&graph), peak(&fused));
    assert!(
        apart > 40 * 8 * n && together < 8 * 8 * n,
        "{apart} {together}"
    );
    // and so says the plan
    let tape = |graph: &Graph| graph.cost().tape_bytes;
    assert!(tape(&fused) < tape(&graph) && fused.cost().flops == graph.cost().flops);
}

#[test]
fn a_seed_of_the_wrong_shape_and_a_rule_that_is_not_there_are_errors_of_a_chain_too() {
    let (graph, x) = (recorded(20_000).fused(), points(20_000));
    let seed = [Some(points(19_999))];
    let error = said(graph.gradients(&[&x], &[true], Some(&seed)));
    assert!(
        error.contains("expected f64[20000], got f64[19999]"),
        "{error}"
    );
    let error = said(graph.run(&[&points(19_999)]));
    assert!(
        error.contains("the graph was recorded for f64[20000]"),
        "{error}"
    );
    // in lanes, and of a graph that is called
    let inner: std::sync::Arc<dyn Operation> = std::sync::Arc::new(recorded(20_000));
    let options = coenzyme_graph::Options {
        active: Mask::ALL,
        ..coenzyme_graph::Options::default()
    };
    let (_, pending) = session()
        .augmented(&inner, &[&x], &none(), &options)
        .expect("runs");
    let mut dx = pending.zeros();
    pending
        .pullback([Some(points(20_000))].into_iter().collect(), &mut dx)
        .expect("runs");
    let (_, want) = recorded(20_000)
        .gradients(&[&x], &[true], Some(&[Some(points(20_000))]))
        .expect("runs");
    assert_eq!(dx[0], want[0]);
}
