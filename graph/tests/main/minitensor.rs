//! The rows of minitensor's seed: M3–M31.

use std::sync::{Arc, Mutex};

use coenzyme_graph::{
    AttrKind, DType, ErrorKind, Graph, Mask, Named, OpError, Operation, Options, Registry, Rule,
    Session, Spec, Value, attrs,
};
use coenzyme_testutils::{input, test_forward, test_reverse};
use ndarray::{ArrayD, arr0, array};

use super::{close, erased_swish, none, said, session, swish, v};

#[test]
fn m3_operands_are_looked_at_before_anything_runs() {
    let ran = Arc::new(Mutex::new(0));
    let count = Arc::clone(&ran);
    let positive = Rule::builder("user::even", ["x"])
        .validate(|x, _| match x[0].entries() % 2 {
            0 => Ok(()),
            _ => Err("an even number of entries is needed".into()),
        })
        .value(move |x, _| {
            *count.lock().expect("no panic") += 1;
            Ok(vec![x[0].clone()])
        })
        .build()
        .expect("complete");
    let error = said(session().run(&positive, &[&v(array![1.0])], &none()));
    assert_eq!(
        error,
        "operation 'user::even': operands x: f64[1]: an even number of entries is needed"
    );
    assert_eq!(*ran.lock().expect("no panic"), 0);
}

#[test]
fn m4_the_primal_is_called_value() {
    let x = v(array![1.0, 2.0, -1.0]);
    let y = session().run(&swish(), &[&x], &none()).expect("runs");
    close(&y[0], &[0.731058578630, 1.761594155956, -0.268941421370]);
}

#[test]
fn m5_what_the_reverse_pass_needs_is_on_a_tape() {
    let (session, x) = (session(), v(array![1.0, 2.0]));
    let keeping = Rule::builder("user::exp", ["x"])
        .value(|x, _| Ok(vec![x[0].get::<f64>().ok_or("f64")?.mapv(f64::exp).into()]))
        .augmented(|x, _| {
            let y = x[0].get::<f64>().ok_or("f64")?.mapv(f64::exp);
            Ok((vec![y.clone().into()], Box::new(y)))
        })
        .pullback(|pull| {
            let y = pull
                .kept
                .downcast_ref::<ArrayD<f64>>()
                .ok_or("what was kept")?;
            let dy = pull.dy[0]
                .as_ref()
                .and_then(Value::get::<f64>)
                .ok_or("a cotangent")?;
            Ok(vec![Some((y.clone() * dy).into())])
        })
        .build()
        .expect("complete");
    let options = Options {
        active: Mask::ALL,
        ..Options::default()
    };
    let (y, pending) = session
        .augmented(&keeping, &[&x], &none(), &options)
        .expect("runs");
    let mut dx = pending.zeros();
    pending
        .pullback([Some(v(array![1.0, 1.0]))].into_iter().collect(), &mut dx)
        .expect("runs");
    assert_eq!(dx[0].as_ref(), Some(&y[0]));
}

#[test]
fn m6_operands_are_counted() {
    let error = said(session().call("core::powf", &[&v(array![2.0])], &none()));
    assert_eq!(error, "operation 'core::powf' expects 2 inputs, got 1");
}

#[test]
fn m7_m8_m9_what_is_returned_is_what_was_declared() {
    let liar = Rule::builder("user::liar", ["x"])
        .outline(|_, _| Ok(vec![Spec::f64(&[2, 2])]))
        .value(|_, _| Ok(vec![Value::zeros(&Spec::f64(&[2, 3]))]))
        .build()
        .expect("complete");
    let session = session().verifying(true);
    let error = session
        .run(&liar, &[&v(array![1.0])], &none())
        .expect_err("it lies");
    let (declared, actual) = (vec![Spec::f64(&[2, 2])], vec![Spec::f64(&[2, 3])]);
    assert_eq!(error.kind(), &ErrorKind::SpecViolation { declared, actual });
    assert_eq!(
        error.to_string(),
        "operation 'user::liar': declared f64[2, 2], returned f64[2, 3]"
    );
    // the type too
    let rounded = Rule::builder("user::rounded", ["x"])
        .value(|x, _| Ok(vec![x[0].cast(DType::F32)]))
        .build()
        .expect("complete");
    let error = said(session.run(&rounded, &[&v(array![1.0])], &none()));
    assert_eq!(
        error,
        "operation 'user::rounded': declared f64[1], returned f32[1]"
    );
}

#[test]
fn m10_operations_are_registered_listed_called_and_removed() {
    let registry = Arc::new(Registry::new());
    registry.register(swish()).expect("a name");
    assert_eq!(registry.names(), ["user::swish"]);
    let taken = registry.get("user::swish").expect("registered");
    assert!(registry.contains("user::swish"));
    let session = Session::new(Arc::clone(&registry));
    let x = v(array![1.0]);
    close(
        &session.call("user::swish", &[&x], &none()).expect("runs")[0],
        &[0.731058578630],
    );
    assert!(registry.unregister("user::swish").is_ok());
    assert_eq!(
        said(registry.unregister("user::swish")),
        "operation 'user::swish' is not registered"
    );
    assert_eq!(
        said(registry.get("swish")),
        "operation 'swish' is not registered"
    );
    // who has it keeps it
    close(
        &session.run(&taken, &[&x], &none()).expect("runs")[0],
        &[0.731058578630],
    );
}

#[test]
fn m11_closures_make_an_operation_that_the_tester_judges() {
    let unfinished = Rule::builder("user::nothing", ["x"]).build();
    assert!(said(unfinished).contains("primal function is required"));
    let x = input(array![1.0, 2.0, -1.0].into_dyn());
    for rule in [swish(), erased_swish()] {
        let named = Named::new(&rule, none());
        test_forward!((named.clone()), Duplicated, (x, Duplicated));
        test_reverse!((named), Duplicated, (x, Duplicated));
    }
}

#[test]
fn m12_a_pullback_sees_values_and_the_gradient_that_ignores_them_is_refused() {
    let x = v(array![1.0, 2.0, -1.0]);
    let (_, dx) = session()
        .gradients(&swish(), &[&x], &none(), None)
        .expect("runs");
    close(
        dx[0].as_ref().expect("active"),
        &[0.927670511871, 1.090784248785, 0.072329488129],
    );
    // ones, whatever comes: what minitensor's example returns
    let ones = Rule::builder("user::ones", ["x"])
        .value(|x, _| Ok(vec![x[0].get::<f64>().ok_or("f64")?.mapv(f64::exp).into()]))
        .pullback(|pull| Ok(vec![Some(Value::full(&pull.x[0].spec(), 1.0))]))
        .build()
        .expect("complete");
    let named = Named::new(&ones, none());
    let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let x = input(array![1.0, 2.0].into_dyn());
        test_reverse!((named), Duplicated, (x, Duplicated));
    }));
    assert!(judged.is_err(), "the tester must not believe it");
    // and none at all is an error, not a zero
    let silent = Rule::builder("user::silent", ["x"])
        .value(|x, _| Ok(vec![x[0].clone()]))
        .pullback(|_| Ok(vec![None]))
        .build()
        .expect("complete");
    let error = said(session().gradients(&silent, &[&x], &none(), None));
    assert_eq!(
        error,
        "operation 'user::silent': the rule returned no cotangent for active operand 'x'"
    );
}

#[test]
fn m18_the_face_is_that_of_a_foreign_caller() {
    // names, slices and errors that own what they say; all of it behind one trait object
    fn through(session: &Session, name: &str, x: &[&Value]) -> Result<Vec<f64>, String> {
        let y = session.call(name, x, &none()).map_err(|e| e.to_string())?;
        Ok(y[0].entries::<f64>().unwrap_or_default().to_vec())
    }
    let x = v(array![0.0]);
    assert_eq!(through(&session(), "core::exp", &[&x]), Ok(vec![1.0]));
    assert!(through(&session(), "core::exq", &[&x]).is_err());
    fn is_sent<T: Send + Sync + 'static>() {}
    is_sent::<OpError>();
    is_sent::<Session>();
    is_sent::<Graph>();
}

#[test]
fn m20_five_checks_each_with_its_message() {
    let session = session();
    let (x, y) = (v(array![1.0, 2.0]), v(array![1.0, 2.0, 3.0]));
    let call = |name: &str, x: &[&Value]| said(session.call(name, x, &none()));
    assert_eq!(
        call("core::mul", &[&x]),
        "operation 'core::mul' expects 2 inputs, got 1"
    );
    assert_eq!(
        call("core::mul", &[&x, &y]),
        "operation 'core::mul': operands x: f64[2], y: f64[3]: the shapes do not fit"
    );
    assert_eq!(
        call("core::exp", &[&Value::from(vec![1_i64])]),
        "operation 'core::exp': operand 'x' is i64[1], expected f64 or f32"
    );
    assert_eq!(
        call("core::mul", &[&x, &x.cast(DType::F32)]),
        "operation 'core::mul': operand 'y' is f32[2], expected f64\n\
         help: all numbers of a call have one type: convert with 'core::cast'"
    );
    assert_eq!(
        call("core::matmul", &[&x, &x]),
        "operation 'core::matmul': operands a: f64[2], b: f64[2]: a has rank 1, expected 2"
    );
    // one's own
    let even = Rule::builder("user::halves", ["x"])
        .validate(|x, _| match x[0].entries() % 2 {
            0 => Ok(()),
            _ => Err("there is no half of it".into()),
        })
        .value(|x, _| Ok(vec![x[0].clone()]))
        .build()
        .expect("complete");
    assert_eq!(
        said(session.run(&even, &[&y], &none())),
        "operation 'user::halves': operands x: f64[3]: there is no half of it"
    );
}

#[test]
fn m22_errors_have_help_and_context() {
    let session = session();
    let x = v(array![[1.0, 2.0]]);
    let error = session
        .call("core::softmax", &[&x], &attrs! { axes: 1 })
        .expect_err("misspelt");
    assert_eq!(error.help(), Some("did you mean 'axis'?"));
    let error = session
        .call("core::softmax", &[&x], &none())
        .expect_err("missing");
    assert_eq!(
        error.to_string(),
        "operation 'core::softmax': attribute 'axis' (int) is missing\nhelp: core::softmax(x; axis: int)"
    );
    let error = session
        .call("core::softmax", &[&x], &attrs! { axis: "one" })
        .expect_err("a text");
    assert_eq!(
        error.to_string(),
        "operation 'core::softmax': attribute 'axis' is int, got text\nhelp: core::softmax(x; axis: int)"
    );
    let error = session
        .call("core::softmax", &[&x], &attrs! { axis: 2 })
        .expect_err("beyond");
    assert_eq!(
        error.to_string(),
        "operation 'core::softmax': operands x: f64[1, 2] with axis: 2: axis 2 is out of bounds"
    );
    // an error in a graph says where
    let (_, graph) = Graph::trace(
        &session,
        "user::inverse",
        &[("a", &v(array![[2.0]]))],
        |g, x| Ok(vec![g.call("core::inverse", &[&x[0]], &none())?]),
    )
    .expect("runs");
    let error = graph.run(&[&v(array![[0.0]])]).expect_err("singular");
    assert_eq!(error.context(), ["at node 1 of graph 'user::inverse'"]);
}

#[test]
fn m23_the_audit_finds_what_an_operation_owes() {
    let registry = Registry::new();
    let x = v(array![1.0, 2.0]);
    let unnamed = Rule::builder("mul", ["x", "x"])
        .value(|x, _| Ok(vec![x[0].clone()]))
        .build()
        .expect("complete");
    let findings = registry.audit(&*unnamed, &[&x, &x], &none());
    let found: Vec<_> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "mul: the name is not of the form 'crate::operation'",
            "mul: two operands are named 'x'"
        ]
    );
    // a pullback that is not the transpose of the pushforward
    let wrong = Rule::builder("user::wrong", ["x"])
        .value(|x, _| Ok(vec![(x[0].get::<f64>().ok_or("f64")? * 3.0).into()]))
        .pushforward(|_, dx, _| {
            Ok(vec![
                (dx[0].and_then(Value::get::<f64>).ok_or("f64")? * 3.0).into(),
            ])
        })
        .pullback(|pull| Ok(vec![pull.dy[0].clone()]))
        .build()
        .expect("complete");
    let findings = registry.audit(&*wrong, &[&x], &none());
    assert!(
        findings.len() == 1 && findings[0].what.starts_with("the modes disagree"),
        "{findings:?}"
    );
    assert_eq!(registry.audit(&*swish(), &[&x], &none()), []);
}

#[test]
fn m24_gradients_are_clipped_where_they_are_used() {
    let clipped = coenzyme_graph::clip_norm(&mut [Some(v(array![3.0, 4.0])), None], 1.0);
    assert_eq!(clipped, 5.0);
    let mut dx = [Some(Value::number(10.0))];
    coenzyme_graph::clip_value(&mut dx, 1.0);
    assert_eq!(dx[0], Some(v(arr0(1.0))));
}

#[test]
fn m27_crates_register_their_operations_and_versions_are_compared() {
    fn first(registry: &Registry) -> Result<(), OpError> {
        registry.register_all(["a::one", "a::two", "a::three"].map(named))
    }
    fn second(registry: &Registry) -> Result<(), OpError> {
        registry.register_all(["b::one", "b::two", "b::three"].map(named))
    }
    fn named(name: &'static str) -> Arc<dyn Operation> {
        let rule = Rule::builder(name, ["x"]).value(|x, _| Ok(vec![x[0].clone()]));
        rule.build().expect("complete")
    }
    let registry = Registry::new();
    first(&registry).expect("names");
    second(&registry).expect("names");
    assert_eq!(registry.len(), 6);
    // all or none
    let again = registry.register_all(["c::one", "a::two"].map(named));
    assert!(again.is_err() && registry.len() == 6);
}

#[test]
fn m29_common_subexpressions_are_computed_once() {
    // sin(x)·x + sin(x)
    let x = v(array![0.3, 1.7]);
    let (y, graph) = Graph::trace(&session(), "user::g", &[("x", &x)], |g, x| {
        let first = g.call("core::sin", &[&x[0]], &none())?;
        let again = g.call("core::sin", &[&x[0]], &none())?;
        let unused = g.call("core::exp", &[&x[0]], &none())?;
        let _ = g.call("core::neg", &[&unused], &none())?;
        let product = g.call("core::mul", &[&first, &x[0]], &none())?;
        Ok(vec![g.call("core::add", &[&product, &again], &none())?])
    })
    .expect("runs");
    let small = graph.without_common_subexpressions().without_dead_code();
    assert_eq!((graph.calls().count(), small.calls().count()), (6, 3));
    assert!(small.run(&[&x]).expect("runs")[0].same_bits(&y[0]));
    let gradient = |graph: &Graph| graph.gradients(&[&x], &[true], None).expect("runs").1;
    let (one, other) = (gradient(&graph), gradient(&small));
    close(
        one[0].as_ref().expect("active"),
        other[0].as_ref().and_then(Value::entries).expect("f64"),
    );
}

#[test]
fn m31_graphs_are_written_by_the_names_of_their_operations() {
    let registry = Arc::new(Registry::with_core());
    registry.register(swish()).expect("a name");
    let session = Session::new(Arc::clone(&registry));
    let (x, p) = (v(array![1.0, 2.0]), v(array![2.0, 0.5]));
    let (y, graph) = Graph::trace(&session, "user::saved", &[("x", &x), ("p", &p)], |g, x| {
        let power = g.call("core::powf", &[&x[0], &x[1]], &none())?;
        Ok(vec![g.call("user::swish", &[&power], &none())?])
    })
    .expect("runs");
    for loaded in [
        Graph::from_json(&registry, &graph.to_json()),
        Graph::from_bytes(&registry, &graph.to_bytes()),
    ] {
        let loaded = loaded.expect("the same graph");
        assert!(loaded.run(&[&x, &p]).expect("runs")[0].same_bits(&y[0]));
        assert_eq!(loaded.signature(), graph.signature());
    }
    let missing = Graph::from_json(&Registry::with_core(), &graph.to_json());
    assert_eq!(said(missing), "missing rules: user::swish");
    let missing = Graph::from_bytes(&Registry::new(), &graph.to_bytes());
    assert_eq!(said(missing), "missing rules: core::powf, user::swish");
}

#[test]
fn m31_attributes_have_types_and_defaults() {
    let rule = Rule::builder("user::times", ["x"])
        .attribute("by", AttrKind::Float, Some(2.0.into()))
        .value(|x, a| match a.get("by") {
            Some(coenzyme_graph::Attr::Float(by)) => {
                let mut y = x[0].clone();
                y.scale(*by);
                Ok(vec![y])
            }
            _ => Err("checked before".into()),
        })
        .build()
        .expect("complete");
    let (session, x) = (session(), v(array![1.5]));
    assert_eq!(
        session.run(&rule, &[&x], &none()).expect("runs")[0],
        v(array![3.0])
    );
    // an integer is a float where a float is taken
    assert_eq!(
        session.run(&rule, &[&x], &attrs! { by: 4 }).expect("runs")[0],
        v(array![6.0])
    );
    assert_eq!(rule.signature().schema(), "user::times(x; by: float = 2.0)");
}
