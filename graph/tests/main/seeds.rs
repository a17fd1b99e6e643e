//! What Endia, Nabla, Dr.Jit and minitensor do with operations known at run time, with their numbers: a test for each row.

use std::sync::{Arc, Mutex};

use coenzyme_graph::{
    AttrKind, DType, ErrorKind, Graph, Mask, Named, OpError, Operation, Options, Registry, Rule,
    Session, Spec, Value, attrs,
};
use coenzyme_testutils::{input, test_forward, test_reverse};
use ndarray::{ArrayD, arr0, array};

use super::{close, core, erased_swish, none, said, session, swish, v};

#[test]
fn e9_a_registered_operation_tells_its_name_and_arity() {
    let registry = Registry::global();
    assert!(registry.names().contains(&"core::mul".to_string()));
    let mul = core("mul");
    assert_eq!(
        (&*mul.signature().name, mul.signature().operands.len()),
        ("core::mul", 2)
    );
    // one of closures tells the same
    let swish = swish();
    assert_eq!(
        (&*swish.signature().name, swish.signature().operands.len()),
        ("user::swish", 1)
    );
}

#[test]
fn e11_a_name_is_that_of_one_operation() {
    let registry = Registry::new();
    assert_eq!(registry.register(core("mul")), Ok(()));
    let twice = registry.register(core("mul")).expect_err("taken");
    assert!(
        twice
            .to_string()
            .starts_with("operation 'core::mul' is already registered")
    );
    let unnamed = Rule::builder("", ["x"])
        .value(|x, _| Ok(vec![x[0].clone()]))
        .build();
    let refused = registry.register(unnamed.expect("complete"));
    assert_eq!(said(refused), "the name of an operation is empty");
    assert_eq!(registry.names(), ["core::mul"]);
}

/// The stages of `tracing` events, in order.
#[derive(Clone, Default)]
struct Stages(Arc<Mutex<Vec<String>>>);

impl tracing::field::Visit for Stages {
    fn record_debug(&mut self, _: &tracing::field::Field, _: &dyn std::fmt::Debug) {}
    fn record_str(&mut self, field: &tracing::field::Field, value: &str) {
        if field.name() == "stage" {
            self.0.lock().expect("no panic").push(value.into());
        }
    }
}

impl tracing::Subscriber for Stages {
    fn enabled(&self, metadata: &tracing::Metadata<'_>) -> bool {
        metadata.target() == "coenzyme_graph"
    }
    fn new_span(&self, _: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, event: &tracing::Event<'_>) {
        event.record(&mut self.clone());
    }
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[test]
fn n1_every_call_goes_through_the_same_stages() {
    let (session, stages) = (session(), Stages::default());
    let x = v(array![1.0, 2.0]);
    let seen = || std::mem::take(&mut *stages.0.lock().expect("no panic"));
    tracing::subscriber::with_default(stages.clone(), || {
        let record = || {
            Graph::trace(&session, "user::e", &[("x", &x)], |g, x| {
                Ok(vec![g.call("core::exp", &[&x[0]], &none())?])
            })
        };
        record().expect("runs");
        assert_eq!(
            seen(),
            [
                "validate", "outline", "cache", "execute", "verify", "record"
            ]
        );
        record().expect("runs");
        assert_eq!(seen(), ["validate", "cache", "execute", "verify", "record"]);
        session.call("core::exp", &[&x], &none()).expect("runs");
        assert_eq!(seen(), ["validate", "cache", "execute", "verify"]);
        let misfit = session.call("core::exp", &[&x, &x], &none());
        assert!(misfit.is_err());
        assert_eq!(seen(), ["validate"]);
    });
}

#[test]
fn n3_the_name_stands_in_the_picture_of_the_graph() {
    let graph = normalize();
    assert!(graph.to_dot().contains("tooltip=\"user::normalize\""));
    assert_eq!(graph.calls().collect::<Vec<_>>(), ["user::normalize"]);
}

/// `x/‖x‖`, rows of three numbers.
fn normalize() -> Graph {
    let registry = Registry::new();
    let rule = Rule::builder("user::normalize", ["value"])
        .value(|x, _| {
            let x = x[0].get::<f64>().ok_or("f64")?;
            let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
            Ok(vec![(x / norm).into()])
        })
        .build();
    registry.register(rule.expect("complete")).expect("a name");
    let session = Session::new(registry.into());
    Graph::record(
        &session,
        "user::graph",
        &[("in", Spec::f64(&[3]))],
        |g, x| Ok(vec![g.call("user::normalize", &[&x[0]], &none())?]),
    )
    .expect("fits")
}

#[test]
fn d4_names_are_labels_in_graphviz() {
    let dot = normalize().to_dot();
    assert!(dot.contains("label=\"normalize\""), "{dot}");
    let nodes = dot.lines().filter(|line| line.contains("tooltip=")).count();
    assert_eq!(nodes, 3, "in, normalize, out: {dot}");
    let svg = normalize().to_svg();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert_eq!(svg.matches("<rect").count(), 3);
}

#[test]
fn n5_shapes_of_all_outputs_are_told_without_data() {
    let outline = core("matmul")
        .outline(&[Spec::f64(&[8, 16]), Spec::f64(&[16, 4])], &none())
        .expect("fits");
    assert_eq!(outline.outputs[..], [Spec::f64(&[8, 4])]);
    // of each shard of a mesh 2 × 4, by the shards' own shapes
    let shard = core("matmul")
        .outline(&[Spec::f64(&[4, 4]), Spec::f64(&[4, 4])], &none())
        .expect("fits");
    assert_eq!(shard.outputs[..], [Spec::f64(&[4, 4])]);
    let svd = core("svd")
        .outline(&[Spec::f32(&[5, 3])], &none())
        .expect("fits");
    assert_eq!(
        svd.outputs[..],
        [Spec::f32(&[5, 3]), Spec::f32(&[3]), Spec::f32(&[3, 3])]
    );
}

#[test]
fn n8_attributes_change_with_axes_in_front() {
    let softmax = core("softmax");
    assert_eq!(
        softmax.batched(&[2], &attrs! { axis: 1 }),
        Some(attrs! { axis: 2 })
    );
    assert_eq!(
        softmax.batched(&[2], &attrs! { axis: -1 }),
        Some(attrs! { axis: -1 })
    );
    let reshape = core("reshape");
    let shape = attrs! { shape: [2_usize, 3] };
    let batched = reshape.batched(&[2], &shape).expect("known");
    assert_eq!(batched, attrs! { shape: [2_usize, 2, 3] });
    // and so the batch is that of the entries
    let x = v(ndarray::Array1::linspace(0.0, 11.0, 12)
        .into_shape_with_order((2, 6))
        .expect("12"));
    let y = session()
        .call("core::reshape", &[&x], &batched)
        .expect("fits");
    assert_eq!(y[0].shape(), [2, 2, 3]);
    assert_eq!(core("matmul").batched(&[2], &none()), None);
}

#[test]
fn n9_operations_are_counted() {
    let flops = |name: &str, shapes: &[&[usize]], a| {
        let specs: Vec<_> = shapes.iter().map(|s| Spec::f64(s)).collect();
        core(name).outline(&specs, &a).expect("fits").flops
    };
    assert_eq!(flops("add", &[&[2, 3], &[2, 3]], none()), 6.0);
    assert_eq!(flops("logistic", &[&[2, 3]], none()), 24.0);
    assert_eq!(flops("sum", &[&[2, 3]], none()), 6.0);
    assert_eq!(flops("matmul", &[&[2, 3], &[3, 4]], none()), 48.0);
    assert_eq!(
        flops("batch_matmul", &[&[5, 2, 3], &[5, 3, 4]], none()),
        240.0
    );
}

#[test]
fn n10_bytes_of_outputs_and_tapes_are_counted() {
    let of = |spec: Spec| core("exp").outline(&[spec], &none()).expect("fits").bytes();
    assert_eq!((of(Spec::f32(&[2, 4])), of(Spec::f64(&[2, 4]))), (32, 64));
    let n = 10;
    let mul = core("mul")
        .outline(&[Spec::f64(&[n]), Spec::f64(&[n])], &none())
        .expect("fits");
    let tape = |active: &[usize]| {
        let active = active.iter().fold(Mask::NONE, |m, i| m.with(*i));
        mul.tape_bytes(active, Mask::ALL)
    };
    assert_eq!(
        [tape(&[0, 1]), tape(&[0]), tape(&[1]), tape(&[])],
        [2 * n * 8, n * 8, n * 8, 0]
    );
}

#[test]
fn n14_a_call_is_known_by_all_but_its_data() {
    let session = session();
    let softmax = core("softmax");
    let call = |x: &Value, axis: i64, options: Options| {
        session
            .plan(&softmax, &[x], &attrs! { axis: axis }, &options)
            .expect("fits");
        session.counters()
    };
    let options = Options::default();
    let mut last = session.counters();
    for k in 0..3 {
        last = call(&v(array![[k as f64, 1.0]]), 0, options);
    }
    assert_eq!((last.misses, last.hits), (1, 2));
    let mut misses = 1;
    let mut missed = |x: &Value, axis, options| {
        misses += 1;
        assert_eq!(
            (call(x, axis, options).misses, session.counters().hits),
            (misses, 2)
        );
    };
    let x = v(array![[0.0, 1.0]]);
    missed(&x.cast(DType::F32), 0, options);
    missed(&v(array![[0.0], [1.0]]), 0, options);
    missed(&x, 1, options);
    missed(
        &x,
        0,
        Options {
            active: Mask::ALL,
            ..options
        },
    );
    missed(
        &x,
        0,
        Options {
            overwritten: Mask::ALL,
            ..options
        },
    );
    missed(
        &x,
        0,
        Options {
            width: 2,
            ..options
        },
    );
    missed(
        &x,
        0,
        Options {
            batch_dims: 1,
            ..options
        },
    );
    missed(
        &x,
        0,
        Options {
            strong_zero: true,
            ..options
        },
    );
    // another operation with the same operands, attributes and options
    session
        .plan(&core("log_softmax"), &[&x], &attrs! { axis: 0 }, &options)
        .expect("fits");
    assert_eq!(session.counters().hits, 2);
}

/// `Σ tanh(W·x + b)²`
fn model(session: &Session, x: &[(&str, &Value)]) -> Result<(Value, Graph), OpError> {
    let (y, graph) = Graph::trace(session, "user::model", x, |g, x| {
        let h = g.call("core::matvec", &[&x[0], &x[1]], &none())?;
        let h = g.call("core::add", &[&h, &x[2]], &none())?;
        let h = g.call("core::tanh", &[&h], &none())?;
        let square = g.call("core::mul", &[&h, &h], &none())?;
        Ok(vec![g.call("core::sum", &[&square], &none())?])
    })?;
    Ok((y[0].clone(), graph))
}

#[test]
fn n15_what_ran_and_what_was_recorded_are_the_same_bit_by_bit() {
    let (w, x, b) = (
        v(array![[0.3, -1.7], [2.2, 0.1]]),
        v(array![0.7, -0.2]),
        v(array![0.05, 3.1]),
    );
    let operands = [("w", &w), ("x", &x), ("b", &b)];
    let (ran, graph) = model(&session(), &operands).expect("runs");
    let replayed = graph.run(&[&w, &x, &b]).expect("runs");
    assert!(ran.same_bits(&replayed[0]));
    assert_eq!(graph.calls().count(), 5, "one node for each call");
    assert_eq!(graph.len(), 8);
}

#[test]
fn n16_a_node_has_operation_attributes_and_operands() {
    let graph = Graph::record(
        &session(),
        "user::g",
        &[("x", Spec::f64(&[2, 3]))],
        |g, x| {
            let parts = g.apply_all(
                &core("split"),
                &[&x[0]],
                &attrs! { axis: 1, parts: 3_usize },
            )?;
            Ok(vec![g.call(
                "core::add",
                &[&parts[0], &parts[2]],
                &none(),
            )?])
        },
    )
    .expect("fits");
    let drawn = graph.to_petgraph();
    assert_eq!((drawn.node_count(), drawn.edge_count()), (3, 3));
    assert!(
        graph
            .to_dot()
            .contains("tooltip=\"core::split, axis: 1, parts: 3\"")
    );
    let x = v(array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(graph.run(&[&x]).expect("runs")[0], v(array![[4.0], [10.0]]));
    let (_, dx) = graph.gradients(&[&x], &[true], None).expect("runs");
    assert_eq!(dx[0], Some(v(array![[1.0, 0.0, 1.0], [1.0, 0.0, 1.0]])));
}

#[test]
fn n17_an_active_operand_has_numbers_with_derivatives() {
    let options = Options {
        active: Mask::NONE.with(1),
        ..Options::default()
    };
    let (x, i) = (v(array![[1.0], [2.0]]), Value::from(vec![1_i64]));
    let error = session().augmented(&core("embedding"), &[&x, &i], &none(), &options);
    let error = error.expect_err("indices have no derivative");
    let (operand, dtype) = ("ids".to_string(), DType::I64);
    assert_eq!(
        error.kind(),
        &ErrorKind::ActiveOnNonFloat { operand, dtype }
    );
    assert_eq!(
        error.to_string(),
        "operation 'core::embedding': operand 'ids' is active, but i64 has no derivative"
    );
}

#[test]
fn n18_ranks_follow_from_outlines() {
    let rank = |name, a| {
        core(name)
            .outline(&[Spec::f64(&[2, 3, 4])], &a)
            .expect("fits")
            .outputs[0]
            .rank()
    };
    assert_eq!(rank("sum_axis", attrs! { axis: 1 }), 2);
    assert_eq!(
        rank("sum_axes", attrs! { axes: [2_usize], keepdims: true }),
        3
    );
    assert_eq!(rank("sum", none()), 0);
}

/// `normalize` of `(n, 3)` as Dr.Jit's class: value and both modes.
fn normalize_rule() -> Arc<dyn Operation> {
    type Rows = ndarray::ArrayRef<f64, ndarray::IxDyn>;
    fn rows(x: &Value) -> &Rows {
        x.get::<f64>().expect("f64")
    }
    /// `(d − ŷ·⟨ŷ, d⟩)/‖x‖`, the derivative and its own transpose.
    fn project(x: &Rows, d: &Rows) -> ArrayD<f64> {
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let y = x / norm;
        let along = y.iter().zip(d).map(|(y, d)| y * d).sum::<f64>();
        (d.to_owned() - y * along) / norm
    }
    Rule::builder("user::normalize", ["value"])
        .value(|x, _| {
            let x = rows(x[0]);
            Ok(vec![
                (x / x.iter().map(|x| x * x).sum::<f64>().sqrt()).into(),
            ])
        })
        .pushforward(|x, dx, _| {
            Ok(vec![
                project(rows(x[0]), rows(dx[0].ok_or("no tangent")?)).into(),
            ])
        })
        .pullback(|pull| {
            let dy = pull.dy[0].as_ref().ok_or("no cotangent")?;
            Ok(vec![Some(project(rows(pull.x[0]), rows(dy)).into())])
        })
        .build()
        .expect("complete")
}

#[test]
fn d8_operands_are_found_by_index_and_by_name() {
    let rule = normalize_rule();
    let signature = rule.signature();
    assert_eq!(signature.index_of("value"), Ok(0));
    let error = signature.index_of("valu").expect_err("another name");
    assert_eq!(error.kind(), &ErrorKind::UnknownOperand("valu".into()));
    assert_eq!(error.help(), Some("did you mean 'value'?"));
}

#[test]
fn d12_a_missing_rule_is_said() {
    let only_value = Rule::builder("user::gelu", ["x"]).value(|x, _| Ok(vec![x[0].clone()]));
    let gelu = only_value.build().expect("complete");
    let x = v(array![1.0]);
    let reverse = session().gradients(&gelu, &[&x], &none(), None);
    assert_eq!(said(reverse), "operation 'user::gelu' has no reverse rule");
    let forward = session().pushforward(&gelu, &[&x], &[Some(&x)], &none());
    assert_eq!(said(forward), "operation 'user::gelu' has no forward rule");
    // nor does a graph stop the gradient silently
    let (_, graph) = Graph::trace(&session(), "user::g", &[("x", &x)], |g, x| {
        Ok(vec![g.apply(&gelu, &[&x[0]], &none())?])
    })
    .expect("runs");
    let error = said(graph.gradients(&[&x], &[true], None));
    assert!(
        error.starts_with("operation 'user::gelu' has no reverse rule"),
        "{error}"
    );
}

#[test]
fn d34_the_reference_of_custom_operations() {
    // eval, forward, backward, name, grad_in, grad_out of Dr.Jit's `CustomOp`, in the words of this crate
    let rule = normalize_rule();
    let (session, x, dx) = (
        session(),
        v(array![3.0, 0.0, 4.0]),
        v(array![0.0, 1.0, 0.0]),
    );
    assert_eq!(rule.signature().name, "user::normalize");
    close(
        &session.run(&rule, &[&x], &none()).expect("runs")[0],
        &[0.6, 0.0, 0.8],
    );
    let (_, dy) = session
        .pushforward(&rule, &[&x], &[Some(&dx)], &none())
        .expect("runs");
    close(&dy[0], &[0.0, 0.2, 0.0]);
    let seed = [Some(v(array![1.0, 0.0, 0.0]))];
    let (_, back) = session
        .gradients(&rule, &[&x], &none(), Some(&seed))
        .expect("runs");
    close(back[0].as_ref().expect("active"), &[0.128, 0.0, -0.096]);
}

#[test]
fn d36_operands_have_names_and_the_registry_gives_the_same_numbers() {
    let registry = Registry::new();
    registry.register(normalize_rule()).expect("a name");
    let rule = registry.get("user::normalize").expect("registered");
    assert_eq!(rule.signature().operands[0].name, "value");
    let named = Named::new(&rule, none());
    let x = input(array![1.0, -2.0, 0.5].into_dyn());
    test_reverse!((named), Duplicated, (x, Duplicated));
}

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
