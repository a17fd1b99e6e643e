//! Parameters in groups: gradients of several calls, what is switched off, what is clipped.

use coenzyme_graph::{Graph, Parameters, Session, Spec, Value};
use ndarray::{arr0, array};

use super::{close, none, said, session, v};

/// `Σ (tanh(x·w) + b − y)²` of a row `x`.
fn loss(session: &Session) -> Graph {
    let operands = [
        ("w", Spec::f64(&[2])),
        ("b", Spec::f64(&[2])),
        ("x", Spec::f64(&[2])),
        ("y", Spec::f64(&[2])),
    ];
    Graph::record(session, "user::loss", &operands, |g, v| {
        let h = g.call("core::mul", &[&v[2], &v[0]], &none())?;
        let h = g.call("core::tanh", &[&h], &none())?;
        let h = g.call("core::add", &[&h, &v[1]], &none())?;
        let off = g.call("core::sub", &[&h, &v[3]], &none())?;
        let square = g.call("core::mul", &[&off, &off], &none())?;
        Ok(vec![g.call("core::sum", &[&square], &none())?])
    })
    .expect("fits")
}

fn parameters() -> Parameters {
    let mut p = Parameters::new();
    p.insert("weights", "w", v(array![0.3, -0.8]));
    p.insert("biases", "b", v(array![0.1, 0.4]));
    p
}

fn batches() -> [(Value, Value); 3] {
    [
        (v(array![1.0, 2.0]), v(array![0.5, -0.5])),
        (v(array![-0.4, 0.3]), v(array![1.5, 0.2])),
        (v(array![0.9, -1.1]), v(array![0.0, 2.0])),
    ]
}

/// The sum over all batches, in plain Rust.
fn total(w: [f64; 2], b: [f64; 2]) -> f64 {
    let row = |x: &Value| x.entries::<f64>().expect("f64").to_vec();
    let of = |(x, y): &(Value, Value)| -> f64 {
        let (x, y) = (row(x), row(y));
        let off = |i: usize| (x[i] * w[i]).tanh() + b[i] - y[i];
        (0..2).map(|i| off(i) * off(i)).sum()
    };
    batches().iter().map(of).sum()
}

fn near(got: &Value, want: impl Fn(usize) -> f64) {
    for (i, got) in got.entries::<f64>().expect("f64").iter().enumerate() {
        assert!((got - want(i)).abs() < 1e-7, "{got} {}", want(i));
    }
}

#[test]
fn gradients_of_several_calls_are_summed() {
    let (graph, mut p) = (loss(&session()), parameters());
    let mut sum = 0.0;
    for (x, y) in &batches() {
        let out = p.accumulate(&graph, &[("x", x), ("y", y)]).expect("runs");
        sum += out[0].to_number::<f64>().expect("a number");
    }
    let (w, b, h) = ([0.3, -0.8], [0.1, 0.4], 1e-6);
    assert!((sum - total(w, b)).abs() < 1e-12);
    let moved = |x: [f64; 2], i: usize, h: f64| {
        std::array::from_fn(|j| x[j] + if i == j { h } else { 0.0 })
    };
    near(p.gradient("w").expect("arrived"), |i| {
        (total(moved(w, i, h), b) - total(moved(w, i, -h), b)) / (2.0 * h)
    });
    near(p.gradient("b").expect("arrived"), |i| {
        (total(w, moved(b, i, h)) - total(w, moved(b, i, -h))) / (2.0 * h)
    });
    p.all().clear();
    assert_eq!(p.gradient("w"), None);
}

#[test]
fn m24_groups_are_switched_off_clipped_and_moved_apart() {
    let (graph, mut p) = (loss(&session()), parameters());
    let [(x, y), (other, target), _] = batches();
    p.accumulate(&graph, &[("x", &x), ("y", &y)]).expect("runs");
    let before = p.gradient("w").expect("arrived").clone();
    // off: nothing arrives, nothing is clipped or moved, and what has arrived stays
    p.group("weights").expect("w").set_active(false);
    p.accumulate(&graph, &[("x", &other), ("y", &target)])
        .expect("runs");
    assert_eq!(p.gradient("w"), Some(&before));
    let norm = p.all().clip_norm(0.5);
    assert!(norm > 0.5, "{norm}");
    assert_eq!(p.gradient("w"), Some(&before));
    let b = p.gradient("b").expect("arrived").clone();
    assert!((b.inner(&b).sqrt() - 0.5).abs() < 1e-15);
    p.all().descend(2.0);
    assert_eq!(p.value("w"), Some(&v(array![0.3, -0.8])));
    near(p.value("b").expect("b"), |i| {
        [0.1, 0.4][i] - 2.0 * b.entries::<f64>().expect("f64")[i]
    });
    // on again
    p.group("weights").expect("w").set_active(true);
    p.group("weights").expect("w").clip_value(0.01);
    near(p.gradient("w").expect("arrived"), |i| {
        before.entries::<f64>().expect("f64")[i].clamp(-0.01, 0.01)
    });
    assert!(p.group("weight").is_none());
    assert_eq!(
        p.names().collect::<Vec<_>>(),
        [("weights", "w"), ("biases", "b")]
    );
}

#[test]
fn a_parameter_that_is_two_operands_gets_both_gradients() {
    let number = || Spec::f64(&[]);
    let operands = [("w", number()), ("w", number()), ("x", number())];
    let graph = Graph::record(&session(), "user::tied", &operands, |g, v| {
        let y = g.call("core::mul", &[&v[0], &v[1]], &none())?;
        Ok(vec![g.call("core::mul", &[&y, &v[2]], &none())?])
    })
    .expect("fits");
    let mut p = Parameters::new();
    p.insert("all", "w", v(arr0(3.0)));
    p.accumulate(&graph, &[("x", &v(arr0(5.0)))]).expect("runs");
    close(p.gradient("w").expect("arrived"), &[30.0]);
}

#[test]
fn a_step_of_ones_own_keeps_shapes_and_integers_have_no_gradient() {
    let rows = Spec::f64(&[3, 2]);
    let ids = Spec::new(coenzyme_graph::DType::I64, &[2]);
    let graph = Graph::record(
        &session(),
        "user::rows",
        &[("table", rows), ("ids", ids)],
        |g, v| {
            let rows = g.call("core::embedding", &[&v[0], &v[1]], &none())?;
            Ok(vec![g.call("core::sum", &[&rows], &none())?])
        },
    )
    .expect("fits");
    let mut p = Parameters::new();
    p.insert(
        "table",
        "table",
        v(array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]),
    );
    p.insert("ids", "ids", Value::from(vec![2_i64, 2]));
    p.accumulate(&graph, &[]).expect("runs");
    assert_eq!(p.gradient("ids"), None);
    close(
        p.gradient("table").expect("arrived"),
        &[0.0, 0.0, 0.0, 0.0, 2.0, 2.0],
    );
    let wrong = p.all().update(|_, x, _| *x = v(arr0(1.0)));
    assert_eq!(
        said(wrong),
        "operation 'parameters::update': 'table' has become f64[], expected f64[3, 2]"
    );
    close(
        p.value("table").expect("there"),
        &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
    );
    let signs = p.all().update(|name, x, dx| {
        assert_eq!(name, "table");
        let dx = dx.get::<f64>().expect("f64");
        let x = x.get_mut::<f64>().expect("f64");
        x.zip_mut_with(dx, |x, dx| *x -= 0.5 * dx);
    });
    assert_eq!(signs, Ok(()));
    close(
        p.value("table").expect("there"),
        &[1.0, 2.0, 3.0, 4.0, 4.0, 5.0],
    );
}

#[test]
fn operands_that_are_nowhere_or_twice_are_named_and_nothing_arrives() {
    let (graph, mut p) = (loss(&session()), parameters());
    let (x, y) = &batches()[0];
    let mut refused = |data: &[(&str, &Value)]| said(p.accumulate(&graph, data));
    assert_eq!(
        refused(&[("x", x)]),
        "operation 'user::loss': operand 'y' is neither a parameter nor given"
    );
    assert_eq!(
        refused(&[("x", x), ("y", y), ("w", x)]),
        "operation 'user::loss': operand 'w' is a parameter, and given too"
    );
    assert!(refused(&[("x", x), ("y", y), ("z", x)]).contains("there is no operand 'z'"));
    assert!(refused(&[("x", x), ("y", &v(array![1.0]))]).contains("the graph was recorded for"));
    assert_eq!((p.gradient("w"), p.gradient("b")), (None, None));
}
