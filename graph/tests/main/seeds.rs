//! What Endia, Nabla and Dr.Jit do with operations known at run time, with their numbers: a test for each row.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use coenzyme_graph::{
    DType, ErrorKind, Graph, Mask, Named, OpError, Operation, Options, Registry, Rule, Session,
    Spec, Value, attrs,
};
use coenzyme_testutils::{input, test_reverse};
use ndarray::{ArrayD, array};

use super::{close, core, none, said, session, swish, v};

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
pub(super) struct Stages(Arc<Mutex<Vec<String>>>);

impl Stages {
    /// Notes the stages of `f`. Places of events that other threads meet for the first time while a subscriber begins may not hear of it: `met`
    /// meets those of `f`, and they are told again.
    pub(super) fn during(&self, met: impl FnOnce(), f: impl FnOnce()) {
        tracing::subscriber::with_default(self.clone(), || {
            met();
            std::thread::sleep(Duration::from_millis(50));
            tracing::callsite::rebuild_interest_cache();
            drop(self.seen());
            f();
        });
    }

    /// What has been noted, which is forgotten.
    pub(super) fn seen(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().expect("no panic"))
    }
}

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
    let met = || {
        let (w, one) = (v(array![[1.0]]), v(array![1.0]));
        let operands = [("w", &w), ("x", &one), ("b", &one)];
        model(&super::session(), &operands).expect("runs");
    };
    let seen = || stages.seen();
    stages.during(met, || {
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
    // the tangent by index, and by name
    let (x, dx) = (v(array![1.0, 2.0, 3.0]), v(array![5.0, 6.0, 7.0]));
    let moved = |index: usize| {
        let mut tangents = [None];
        tangents[index] = Some(&dx);
        let pushed = session().pushforward(&rule, &[&x], &tangents, &none());
        pushed.expect("runs").1[0].clone()
    };
    for dy in [moved(0), moved(signature.index_of("value").expect("named"))] {
        close(&dy, &NORMALIZED);
    }
}

/// The derivative of `v/‖v‖` at (1, 2, 3) along (5, 6, 7), which is its transpose on the same: row D3.
const NORMALIZED: [f64; 3] = [0.610882838657, 0.152720709664, -0.305441419328];

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
    let session = Session::new(registry.into());
    let (x, seed) = (v(array![1.0, 2.0, 3.0]), v(array![5.0, 6.0, 7.0]));
    let (y, dx) = session
        .gradients(&rule, &[&x], &none(), Some(&[Some(seed)]))
        .expect("runs");
    close(&y[0], &[0.267261241912, 0.534522483825, 0.801783725737]);
    close(dx[0].as_ref().expect("active"), &NORMALIZED);
    let named = Named::new(&rule, none());
    let x = input(array![1.0, -2.0, 0.5].into_dyn());
    test_reverse!((named), Duplicated, (x, Duplicated));
}
