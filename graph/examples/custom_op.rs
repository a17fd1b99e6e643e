//! Operations of one's own, as minitensor's and Endia's tutorials have them, with their numbers.
//!
//! ```text
//! cargo run -p coenzyme-graph --example custom_op                      # the tour
//! cargo run -p coenzyme-graph --example custom_op -- list              # the operations
//! cargo run -p coenzyme-graph --example custom_op -- run user::swish 1,2,-1
//! cargo run -p coenzyme-graph --example custom_op -- check user::custom_mul 1,2 3,4
//! ```

use coenzyme_graph::{Graph, OpError, Operation, Registry, Rule, Session, Spec, Value, attrs};
use std::sync::Arc;

/// `x·σ(x)`: a function, its slope, and nothing else.
fn swish() -> Result<Arc<dyn Operation>, OpError> {
    let sigma = |x: f64| 1.0 / (1.0 + (-x).exp());
    Rule::builder("user::swish", ["x"])
        .value(move |x, _| {
            let x = x[0].get::<f64>().ok_or("expected f64")?;
            Ok(vec![x.mapv(|x| x * sigma(x)).into()])
        })
        .pullback(move |pull| {
            let x = pull.x[0].get::<f64>().ok_or("expected f64")?;
            let dy = pull.dy[0].as_ref().and_then(Value::get::<f64>);
            let slope = x.mapv(|x| sigma(x) * (1.0 + x * (1.0 - sigma(x))));
            Ok(vec![Some((slope * dy.ok_or("a cotangent")?).into())])
        })
        .build()
}

/// `a·b` of equal shapes: Endia's `custom_mul`. Its pullback is made only for operands that want it.
fn custom_mul() -> Result<Arc<dyn Operation>, OpError> {
    let product = |a: &Value, b: &Value| -> Result<Value, String> {
        let (a, b) = (
            a.get::<f64>().ok_or("expected f64")?,
            b.get::<f64>().ok_or("expected f64")?,
        );
        Ok((a.to_owned() * b).into())
    };
    Rule::builder("user::custom_mul", ["a", "b"])
        .validate(|x, _| match x[0].shape == x[1].shape {
            true => Ok(()),
            false => Err("the shapes differ".into()),
        })
        .value(move |x, _| Ok(vec![product(x[0], x[1])?]))
        .pullback(move |pull| {
            let dy = pull.dy[0].as_ref().ok_or("a cotangent")?;
            let of = |i: usize, other: usize| match pull.active.has(i) {
                true => product(dy, pull.x[other]).map(Some),
                false => Ok(None),
            };
            Ok(vec![of(0, 1)?, of(1, 0)?])
        })
        .build()
}

fn main() -> Result<(), OpError> {
    let registry = Arc::new(Registry::with_core());
    registry.register_all([swish()?, custom_mul()?])?;
    let session = Session::new(Arc::clone(&registry));
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => tour(&session),
        ["list"] => {
            registry.names().iter().for_each(|name| println!("{name}"));
            Ok(())
        }
        ["run", name, ref numbers @ ..] => run(&session, name, numbers),
        ["check", name, ref numbers @ ..] => check(&session, name, numbers),
        _ => {
            eprintln!("custom_op [list | run NAME NUMBERS… | check NAME NUMBERS…]");
            Ok(())
        }
    }
}

/// One operand for each word: `1,2,-1`.
fn operands(words: &[&str]) -> Vec<Value> {
    let numbers =
        |word: &&str| -> Vec<f64> { word.split(',').filter_map(|n| n.parse().ok()).collect() };
    words.iter().map(|word| numbers(word).into()).collect()
}

fn run(session: &Session, name: &str, numbers: &[&str]) -> Result<(), OpError> {
    let x = operands(numbers);
    let x: Vec<&Value> = x.iter().collect();
    let operation = session.registry().get(name)?;
    let (y, dx) = session.gradients(&operation, &x, &attrs! {}, None)?;
    println!("value    {:?}", y[0].entries::<f64>().unwrap_or_default());
    for dx in dx.iter().flatten() {
        println!("gradient {:?}", dx.entries::<f64>().unwrap_or_default());
    }
    Ok(())
}

/// What the operation owes, on these operands.
fn check(session: &Session, name: &str, numbers: &[&str]) -> Result<(), OpError> {
    let x = operands(numbers);
    let x: Vec<&Value> = x.iter().collect();
    let operation = session.registry().get(name)?;
    let findings = session.registry().audit(&*operation, &x, &attrs! {});
    findings.iter().for_each(|finding| println!("{finding}"));
    println!(
        "{}: {} findings",
        operation.signature().schema(),
        findings.len()
    );
    Ok(())
}

fn near(got: Option<&Value>, want: &[f64]) {
    let got = got.and_then(Value::entries::<f64>).unwrap_or_default();
    assert_eq!(got.len(), want.len());
    let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-11;
    assert!(got.iter().zip(want).all(close), "{got:?} {want:?}");
}

fn tour(session: &Session) -> Result<(), OpError> {
    run(session, "user::swish", &["1,2,-1"])?;
    check(session, "user::swish", &["1,2,-1"])?;
    let x = Value::from(vec![1.0, 2.0, -1.0]);
    let (y, dx) = session.gradients(
        &session.registry().get("user::swish")?,
        &[&x],
        &attrs! {},
        None,
    )?;
    near(
        y.first(),
        &[0.731058578630, 1.761594155956, -0.268941421370],
    );
    near(
        dx[0].as_ref(),
        &[0.927670511871, 1.090784248785, 0.072329488129],
    );

    // Endia: c = Σ a·b, a.grad, b.grad
    let three = || Spec::f64(&[3]);
    let graph = Graph::record(
        session,
        "user::endia",
        &[("a", three()), ("b", three())],
        |g, x| {
            let c = g.call("user::custom_mul", &[&x[0], &x[1]], &attrs! {})?;
            Ok(vec![g.call("core::sum", &[&c], &attrs! {})?])
        },
    )?;
    let (a, b) = (
        Value::from(vec![1.0, 2.0, 3.0]),
        Value::from(vec![4.0, 5.0, 6.0]),
    );
    let (c, gradients) = graph.gradients(&[&a, &b], &[true, true], None)?;
    println!("Σ a·b = {:?}", c[0].to_number::<f64>());
    near(c.first(), &[32.0]);
    near(gradients[0].as_ref(), &[4.0, 5.0, 6.0]);
    near(gradients[1].as_ref(), &[1.0, 2.0, 3.0]);

    println!("{}", graph.to_dot());
    println!(
        "{} bytes of SVG, {} of JSON, {} in binary",
        graph.to_svg().len(),
        graph.to_json().len(),
        graph.to_bytes().len()
    );
    let misfit = session.call(
        "user::custom_mul",
        &[&a, &Value::from(vec![1.0])],
        &attrs! {},
    );
    println!("{}", misfit.expect_err("three and one"));
    Ok(())
}
