//! Recording, replay, derivatives of graphs, on one thread and many.

use std::sync::Arc;

use coenzyme_graph::{
    Graph, Named, OpError, Operation, Recorder, Session, Spec, Value, Var, attrs,
};
use coenzyme_testutils::{input, test_reverse};
use ndarray::{Array1, Array2, arr0, array};

use super::{close, core, none, said, session, v};

/// `Σ x·x·x` by two calls of `mul`.
fn cubes(session: &Session, n: usize) -> Graph {
    Graph::record(session, "user::cubes", &[("x", Spec::f64(&[n]))], |g, x| {
        let square = g.call("core::mul", &[&x[0], &x[0]], &none())?;
        let cube = g.call("core::mul", &[&square, &x[0]], &none())?;
        Ok(vec![g.call("core::sum", &[&cube], &none())?])
    })
    .expect("fits")
}

#[test]
fn e8_gradients_are_graphs_and_have_gradients() {
    let graph = cubes(&session(), 3);
    let (x, one) = (v(array![1.0, 2.0, 3.0]), v(arr0(1.0)));
    assert_eq!(graph.run(&[&x]).expect("runs")[0].to_number(), Some(36.0));
    let gradient = graph.gradient(&[0]).expect("rules");
    close(
        &gradient.run(&[&x, &one]).expect("runs")[0],
        &[3.0, 12.0, 27.0],
    );
    // H·[1, −1, 2], by reverse over reverse and by forward over reverse
    let direction = v(array![1.0, -1.0, 2.0]);
    let second = gradient.gradient(&[0]).expect("rules");
    close(
        &second.run(&[&x, &one, &direction]).expect("runs")[0],
        &[6.0, -12.0, 36.0],
    );
    let (_, forward) = gradient
        .pushforward(&[&x, &one], &[Some(&direction), None])
        .expect("runs");
    close(&forward[0], &[6.0, -12.0, 36.0]);
    // a third is refused, and is not zero
    assert!(said(second.gradient(&[0])).contains("has no reverse rule"));
}

#[test]
fn a_gradient_that_is_recorded_is_the_gradient_bit_by_bit() {
    let session = session();
    let graph = network(&session, 3).expect("fits");
    let x = parameters(3);
    let operands: Vec<&Value> = x.iter().collect();
    let wanted = vec![true; x.len()];
    let (_, dx) = graph.gradients(&operands, &wanted, None).expect("runs");
    let recorded = graph
        .gradient(&(0..x.len()).collect::<Vec<_>>())
        .expect("rules");
    let one = v(arr0(1.0));
    let with_seed: Vec<&Value> = operands.iter().copied().chain([&one]).collect();
    let replayed = recorded.run(&with_seed).expect("runs");
    assert!(
        dx.iter()
            .flatten()
            .zip(&replayed)
            .all(|(a, b)| a.same_bits(b))
    );
}

#[test]
fn forward_and_reverse_of_a_graph_agree_and_the_tester_judges_it() {
    let graph: Arc<dyn Operation> = Arc::new(cubes(&session(), 3));
    let x = input(array![1.0, -2.0, 0.5]);
    test_reverse!((Named::new(&graph, none())), Duplicated, (x, Duplicated));
}

#[test]
fn graphs_are_called_in_graphs() {
    let session = session();
    let inner: Arc<dyn Operation> = Arc::new(cubes(&session, 2));
    let graph = Graph::record(
        &session,
        "user::outer",
        &[("x", Spec::f64(&[2]))],
        |g, x| {
            let once = g.apply(&inner, &[&x[0]], &none())?;
            let scaled = g.call("core::scale", &[&x[0], &once], &none())?;
            Ok(vec![g.apply(&inner, &[&scaled], &none())?])
        },
    )
    .expect("fits");
    assert_eq!(
        graph.calls().collect::<Vec<_>>(),
        ["user::cubes", "core::scale", "user::cubes"]
    );
    // s = Σx³, y = s³·s = s⁴
    let x = v(array![1.0, 2.0]);
    assert_eq!(graph.run(&[&x]).expect("runs")[0].to_number(), Some(6561.0));
    let (_, dx) = graph.gradients(&[&x], &[true], None).expect("runs");
    close(
        dx[0].as_ref().expect("active"),
        &[4.0 * 729.0 * 3.0, 4.0 * 729.0 * 12.0],
    );
    // Hessian·[1, 0] = 12s²·(3x²)₀·3x² + 4s³·6x₀·e₀
    let gradient = graph.gradient(&[0]).expect("rules");
    let direction = v(array![1.0, 0.0]);
    let (_, hessian) = gradient
        .pushforward(&[&x, &v(arr0(1.0))], &[Some(&direction), None])
        .expect("runs");
    close(
        &hessian[0],
        &[
            12.0 * 81.0 * 9.0 + 4.0 * 729.0 * 6.0,
            12.0 * 81.0 * 3.0 * 12.0,
        ],
    );
    // and they are written once
    let registry = session.registry();
    let loaded = Graph::from_bytes(registry, &graph.to_bytes()).expect("the same");
    assert_eq!(
        loaded.run(&[&x]).expect("runs")[0].to_number(),
        Some(6561.0)
    );
    assert_eq!(graph.to_json().matches("user::cubes").count(), 1);
}

#[test]
fn a_gradient_is_written_and_read() {
    let session = session();
    let gradient = cubes(&session, 2).gradient(&[0]).expect("rules");
    let loaded = Graph::from_json(session.registry(), &gradient.to_json()).expect("the same");
    let (x, one) = (v(array![1.0, 2.0]), v(arr0(1.0)));
    close(&loaded.run(&[&x, &one]).expect("runs")[0], &[3.0, 12.0]);
    assert_eq!(loaded.to_bytes(), gradient.to_bytes());
}

#[test]
fn constants_keep_every_bit_in_files() {
    let session = session();
    let odd = [
        0.1,
        -0.0,
        f64::MIN_POSITIVE / 3.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e300 / 7.0,
    ];
    let graph = Graph::record(&session, "user::odd", &[("x", Spec::f64(&[7]))], |g, x| {
        let constant = g.constant(Value::from(odd.to_vec()));
        let masked = g.constant(Value::from(vec![true, false]));
        let _ = masked;
        Ok(vec![
            g.call("core::add", &[&x[0], &constant], &none())?,
            constant,
        ])
    })
    .expect("fits");
    let x = Value::zeros(&Spec::f64(&[7]));
    let want = graph.run(&[&x]).expect("runs");
    for loaded in [
        Graph::from_json(session.registry(), &graph.to_json()),
        Graph::from_bytes(session.registry(), &graph.to_bytes()),
    ] {
        let got = loaded.expect("the same").run(&[&x]).expect("runs");
        assert!(got.iter().zip(&want).all(|(a, b)| a.same_bits(b)));
    }
}

/// A network whose width is large enough for threads: `x`, `w₁`, …, and many branches.
fn network(session: &Session, branches: usize) -> Result<Graph, OpError> {
    let mut inputs = vec![("x".to_string(), Spec::f64(&[24, 24]))];
    inputs.extend((0..branches).map(|i| (format!("w{i}"), Spec::f64(&[24, 24]))));
    let inputs: Vec<_> = inputs
        .iter()
        .map(|(name, spec)| (name.as_str(), spec.clone()))
        .collect();
    Graph::record(session, "user::network", &inputs, |g, x| {
        let mut sum: Option<Var> = None;
        for w in &x[1..] {
            let h = branch(g, &x[0], w)?;
            sum = Some(match sum {
                Some(sum) => g.call("core::add", &[&sum, &h], &none())?,
                None => h,
            });
        }
        let sum = sum.expect("a branch");
        Ok(vec![g.call("core::mean", &[&sum], &none())?])
    })
}

fn branch(g: &mut Recorder<'_>, x: &Var, w: &Var) -> Result<Var, OpError> {
    let h = g.call("core::matmul", &[x, w], &none())?;
    let h = g.call("core::tanh", &[&h], &none())?;
    let h = g.call("core::matmul", &[&h, x], &none())?;
    g.call("core::softmax", &[&h], &attrs! { axis: 1 })
}

fn parameters(branches: usize) -> Vec<Value> {
    (0..=branches)
        .map(|k| {
            let entry = |(i, j)| (1.3 * i as f64 + 0.7 * j as f64 + k as f64).sin() * 0.3;
            v(Array2::from_shape_fn((24, 24), entry))
        })
        .collect()
}

#[test]
fn the_gradient_has_the_same_bits_on_any_number_of_threads() {
    let graph = network(&session(), 8).expect("fits");
    let x = parameters(8);
    let operands: Vec<&Value> = x.iter().collect();
    let wanted = vec![true; x.len()];
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads");
        pool.install(|| graph.gradients(&operands, &wanted, None).expect("runs").1)
    };
    let one = on(1);
    for threads in [2, 3, 4, 8] {
        let many = on(threads);
        assert!(
            one.iter()
                .flatten()
                .zip(many.iter().flatten())
                .all(|(a, b)| a.same_bits(b)),
            "{threads}"
        );
    }
}

#[test]
fn derivatives_do_not_pass_what_is_detached_nor_inputs_that_are_not_wanted() {
    let session = session();
    let graph = Graph::record(
        &session,
        "user::g",
        &[("x", Spec::f64(&[])), ("y", Spec::f64(&[]))],
        |g, x| {
            let still = g.call("core::detach", &[&x[0]], &none())?;
            let product = g.call("core::mul", &[&still, &x[0]], &none())?;
            Ok(vec![g.call("core::mul", &[&product, &x[1]], &none())?])
        },
    )
    .expect("fits");
    let (x, y) = (v(arr0(3.0)), v(arr0(5.0)));
    let (_, d) = graph
        .gradients(&[&x, &y], &[true, false], None)
        .expect("runs");
    assert_eq!(d[0].as_ref().and_then(Value::to_number), Some(15.0));
    assert_eq!(d[1], None);
    let (_, forward) = graph
        .pushforward(&[&x, &y], &[Some(&v(arr0(1.0))), None])
        .expect("runs");
    assert_eq!(forward[0].to_number(), Some(15.0));
}

#[test]
fn a_variable_of_another_recording_and_other_operands_are_refused() {
    let session = session();
    let mut foreign = None;
    let graph = Graph::record(&session, "user::a", &[("x", Spec::f64(&[2]))], |_, x| {
        foreign = Some(x[0].clone());
        Ok(vec![x[0].clone()])
    })
    .expect("fits");
    let foreign = foreign.expect("taken");
    let mixed = Graph::record(&session, "user::b", &[("x", Spec::f64(&[2]))], |g, x| {
        Ok(vec![g.call("core::add", &[&x[0], &foreign], &none())?])
    });
    assert!(said(mixed).contains("an operand belongs to another recording"));
    let error = said(graph.run(&[&v(array![1.0])]));
    assert_eq!(
        error,
        "operation 'user::a': operands x: f64[1]: the graph was recorded for f64[2]"
    );
}

#[test]
fn a_program_may_branch_on_values_while_it_is_traced() {
    let absolute = |x: f64| {
        let (y, graph) = Graph::trace(
            &session(),
            "user::abs",
            &[("x", &v(arr0(x)))],
            |g, x| match x[0].value().and_then(Value::to_number::<f64>) {
                Some(value) if value < 0.0 => Ok(vec![g.call("core::neg", &[&x[0]], &none())?]),
                _ => Ok(vec![x[0].clone()]),
            },
        )
        .expect("runs");
        (y[0].to_number(), graph.calls().count())
    };
    assert_eq!(absolute(-2.0), (Some(2.0), 1));
    assert_eq!(absolute(2.0), (Some(2.0), 0));
}

#[test]
fn costs_are_those_of_the_calls_and_their_sum() {
    let graph = cubes(&session(), 10);
    let cost = graph.cost();
    let names: Vec<_> = cost
        .nodes
        .iter()
        .map(|node| node.operation.as_str())
        .collect();
    assert_eq!(names, ["mul", "mul", "sum"]);
    assert_eq!((cost.flops, cost.bytes, cost.tape_bytes), (30.0, 168, 0));
}

#[test]
fn a_hundred_thousand_nodes_are_recorded_differentiated_and_replayed() {
    let (session, n) = (session(), 100_000);
    let graph = Graph::record(
        &session,
        "user::chain",
        &[("x", Spec::f64(&[2]))],
        |g, x| {
            let (sin, mut h) = (core("sin"), x[0].clone());
            for _ in 0..n {
                h = g.apply(&sin, &[&h], &none())?;
            }
            Ok(vec![h])
        },
    )
    .expect("fits");
    assert_eq!(graph.len(), n + 1);
    let x = v(array![0.5, 1.0]);
    let mut want = Array1::from(vec![0.5_f64, 1.0]);
    let mut slope = Array1::ones(2);
    for _ in 0..n {
        slope = slope * want.mapv(f64::cos);
        want = want.mapv(f64::sin);
    }
    let (y, dx) = graph.gradients(&[&x], &[true], None).expect("runs");
    close(&y[0], want.as_slice().expect("contiguous"));
    close(
        dx[0].as_ref().expect("active"),
        slope.as_slice().expect("contiguous"),
    );
    let gradient = graph.gradient(&[0]).expect("rules");
    // the last sine is nobody's operand
    assert_eq!(gradient.len(), 2 * n + 1);
    assert!(
        gradient.run(&[&x, &v(array![1.0, 1.0])]).expect("runs")[0]
            .same_bits(dx[0].as_ref().expect("active"))
    );
}
