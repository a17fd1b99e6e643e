//! The run-time layer, in one binary.

mod adapting;
mod cache;
mod erased;
mod errors;
mod fused;
mod fuzz;
mod graphs;
mod library;
mod memory;
mod minitensor;
mod parameters;
mod plugins;
mod seeds;

use std::sync::Arc;

use coenzyme_graph::{Attrs, Operation, Registry, Rule, Session, Value, operation};
use ndarray::{Array, Dimension};

/// A session of the library alone, with counters of its own.
fn session() -> Session {
    Session::new(Arc::clone(Registry::global()))
}

fn core(name: &str) -> Arc<dyn Operation> {
    Registry::global()
        .get(&format!("core::{name}"))
        .expect("registered")
}

fn v<D: Dimension>(x: Array<f64, D>) -> Value {
    Value::from(x)
}

/// Compares entries with printed numbers.
#[track_caller]
fn close(got: &Value, want: &[f64]) {
    let got = got.entries::<f64>().expect("of f64");
    assert_eq!(got.len(), want.len(), "{got:?} {want:?}");
    for (a, b) in got.iter().zip(want) {
        assert!(
            (a - b).abs() <= 1e-11 * b.abs().max(1.0),
            "{got:?} {want:?}"
        );
    }
}

#[track_caller]
fn said<T>(result: Result<T, impl std::fmt::Display>) -> String {
    match result {
        Ok(_) => panic!("no error"),
        Err(error) => error.to_string(),
    }
}

/// `x·σ(x)` by closures, as minitensor's example should have been.
fn swish() -> Arc<dyn Operation> {
    let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
    let slope = move |x: f64| sigma(x) + x * sigma(x) * (1.0 - sigma(x));
    let of = |x: &Value, f: &dyn Fn(f64) -> f64| x.get::<f64>().expect("f64").mapv(f);
    Rule::builder("user::swish", ["x"])
        .value(move |x, _| Ok(vec![of(x[0], &|x| x * sigma(x)).into()]))
        .pushforward(move |x, dx, _| {
            let dx = dx[0].and_then(Value::get::<f64>).ok_or("no tangent")?;
            Ok(vec![(of(x[0], &slope) * dx).into()])
        })
        .pullback(move |pull| {
            let dy = pull.dy[0]
                .as_ref()
                .and_then(Value::get::<f64>)
                .ok_or("no cotangent")?;
            Ok(vec![Some((of(pull.x[0], &slope) * dy).into())])
        })
        .build()
        .expect("complete")
}

/// The same as a static rule of the library, under another name.
fn erased_swish() -> Arc<dyn Operation> {
    use coenzyme_graph::{Outline, erase::Any};
    use coenzyme_rules::array::swish;
    operation!("user::erased_swish" = swish[x: Any<T>] -> ndarray::ArrayD<T>, for [f64],
        |_, x, _| Ok(Outline::new(x, x[0].clone())))
}

fn none() -> Attrs {
    Attrs::new()
}
