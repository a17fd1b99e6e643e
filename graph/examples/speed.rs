//! What calls at run time cost beside the same calls made statically: ratios of one run, medians of interleaved repetitions.
//!
//! ```text
//! cargo run --release -p coenzyme-graph --no-default-features --example speed
//! ```

use std::hint::black_box;
use std::time::Instant;

use coenzyme::{Active, Const, Duplicated, Tangent, Thunk};
use coenzyme_graph::erase::{Any, Matrix, Vector};
use coenzyme_graph::{
    Graph, OpError, Outline, Recorder, Registry, Session, Spec, Value, Var, attrs, operation,
};
use coenzyme_rules::array::{mul, tanh};
use coenzyme_rules::linalg::matmul;
use coenzyme_rules::nn::{dense, mean_squared_error};
use ndarray::{Array1, Array2, ArrayD, ArrayRef2};

/// Medians of the seconds of each, taken in turn.
fn medians<const N: usize>(repetitions: usize, mut each: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut seconds: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..repetitions {
        for (f, seconds) in each.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            f();
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    seconds.map(|mut s| {
        s.sort_by(f64::total_cmp);
        s[s.len() / 2]
    })
}

/// A session of the operations that are measured here. The library is not compiled for it.
fn session() -> Result<Session, OpError> {
    let registry = Registry::new();
    registry.register_all([
        operation!("bench::tanh" = tanh[x: Any<T>] -> ArrayD<T>, for [f64],
            |_, x, _| Ok(Outline::new(x, x[0].clone())), entrywise true),
        operation!("bench::mul" = mul[x: Any<T>, y: Any<T>] -> ArrayD<T>, for [f64],
            |_, x, _| Ok(Outline::new(x, x[0].clone())), entrywise true),
        operation!("bench::dense" = dense[x: Matrix<T>, w: Matrix<T>, b: Vector<T>] -> Array2<T>, for [f64],
            |_, x, _| Ok(Outline::new(x, Spec::f64(&[x[0].shape[0], x[1].shape[1]])))),
        operation!("bench::loss" = mean_squared_error[x: Any<T>, y: Any<T>] -> T, for [f64],
            |_, x, _| Ok(Outline::new(x, Spec::f64(&[])))),
    ])?;
    Ok(Session::new(registry.into()).verifying(false))
}

/// A cached call of `tanh` on eight numbers, beside the operation alone and the rule alone.
fn dispatch() -> Result<(), OpError> {
    const CALLS: usize = 10_000;
    let session = session()?;
    let erased = session.registry().get("bench::tanh")?;
    let x = Array1::linspace(0.0, 1.0, 8).into_dyn();
    let (value, none) = (Value::from(x.clone()), attrs! {});
    session.run(&erased, &[&value], &none)?;
    let [called, operation, rule] = medians(
        31,
        [
            &mut || {
                (0..CALLS).for_each(|_| drop(black_box(session.run(&erased, &[&value], &none))))
            },
            &mut || (0..CALLS).for_each(|_| drop(black_box(erased.value(&[&value], &none)))),
            &mut || (0..CALLS).for_each(|_| drop(black_box(tanh(&*x)))),
        ],
    );
    let each = |seconds: f64| seconds / CALLS as f64 * 1e9;
    println!(
        "tanh of 8 numbers: {:.0} ns called, {:.0} ns erased, {:.0} ns static",
        each(called),
        each(operation),
        each(rule)
    );
    println!(
        "  a cached call takes {:.0} ns beyond the erased rule, {:.0} ns beyond the static",
        each(called - operation),
        each(called - rule)
    );
    let seed = [Some(value.clone())];
    let thunk = Thunk::<_, Duplicated<ArrayD<f64>>>::new(tanh {});
    let [named, gradient, statically] = medians(
        31,
        [
            &mut || {
                (0..CALLS)
                    .for_each(|_| drop(black_box(session.call("bench::tanh", &[&value], &none))))
            },
            &mut || {
                (0..CALLS).for_each(|_| {
                    drop(black_box(session.gradients(
                        &erased,
                        &[&value],
                        &none,
                        Some(&seed),
                    )));
                })
            },
            &mut || {
                (0..CALLS).for_each(|_| {
                    let mut dx = Tangent::zero_like(&x);
                    let mut args = (Duplicated(&*x, &mut *dx),);
                    let augmented = thunk.augmented(&mut args);
                    thunk.reverse([x.clone()], augmented.tape, &mut args);
                    black_box((augmented.primal, dx));
                })
            },
        ],
    );
    println!(
        "  by name {:.0} ns; its gradient {:.0} ns called, {:.0} ns static, {:.0} ns beyond",
        each(named),
        each(gradient),
        each(statically),
        each(gradient - statically)
    );
    Ok(())
}

const LAYERS: [usize; 4] = [256, 512, 512, 512];
const BATCH: usize = 256;

fn layer(k: usize, rows: usize, columns: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows, columns), |(i, j)| {
        ((i * 7 + j * 13 + k) as f64).sin() / (rows as f64).sqrt()
    })
}

/// The loss of three dense layers with tanh between.
fn recorded(g: &mut Recorder<'_>, x: &[Var]) -> Result<Vec<Var>, OpError> {
    let none = attrs! {};
    let mut h = x[0].clone();
    for (k, wb) in x[2..].chunks(2).enumerate() {
        h = g.call("bench::dense", &[&h, &wb[0], &wb[1]], &none)?;
        if k + 1 < LAYERS.len() - 1 {
            h = g.call("bench::tanh", &[&h], &none)?;
        }
    }
    Ok(vec![g.call("bench::loss", &[&h, &x[1]], &none)?])
}

/// The same by the rules themselves: first halves forward, second halves backward.
fn statically(
    x: &Array2<f64>,
    target: &Array2<f64>,
    weights: &[(Array2<f64>, Array1<f64>)],
) -> Vec<(Array2<f64>, Array1<f64>)> {
    let layer = Thunk::<_, Duplicated<Array2<f64>>>::new(dense {});
    let loss = Thunk::<_, Active<f64>>::new(mean_squared_error {});
    let mut kept = Vec::new();
    let mut h = x.clone();
    for (k, (w, b)) in weights.iter().enumerate() {
        let (mut dh, mut dw, mut db) = (
            Tangent::zero_like(&h),
            Tangent::zero_like(w),
            Tangent::zero_like(b),
        );
        let mut args = (
            Duplicated(&*h, &mut *dh),
            Duplicated(&**w, &mut *dw),
            Duplicated(&**b, &mut *db),
        );
        let augmented = layer.augmented(&mut args);
        let y = augmented.primal.expect("wanted");
        kept.push((h, dh, dw, db, augmented.tape));
        h = if k + 1 < weights.len() { tanh(&y) } else { y };
    }
    let mut dy = Tangent::zero_like(&h);
    let mut args = (Duplicated(&*h, &mut *dy), Const(&**target));
    let tape = loss.augmented(&mut args).tape;
    let _ = loss.reverse([1.0], tape, &mut args);
    let mut gradients = Vec::new();
    for ((h, mut dh, mut dw, mut db, tape), (w, b)) in kept.into_iter().zip(weights).rev() {
        let mut args = (
            Duplicated(&*h, &mut *dh),
            Duplicated(&**w, &mut *dw),
            Duplicated(&**b, &mut *db),
        );
        let _ = layer.reverse([dy], tape, &mut args);
        gradients.push((dw, db));
        // this layer read the tanh of the one before
        dh.zip_mut_with(&h, |dh, h| *dh *= 1.0 - h * h);
        dy = dh;
    }
    gradients.reverse();
    gradients
}

fn network() -> Result<(), OpError> {
    let (x, target) = (layer(0, BATCH, LAYERS[0]), layer(1, BATCH, LAYERS[3]));
    let weights: Vec<_> = LAYERS
        .windows(2)
        .enumerate()
        .map(|(k, n)| (layer(k + 2, n[0], n[1]), Array1::from_elem(n[1], 0.1)))
        .collect();
    let mut values = vec![Value::from(x.clone()), Value::from(target.clone())];
    for (w, b) in &weights {
        values.extend([Value::from(w.clone()), Value::from(b.clone())]);
    }
    let specs: Vec<(&str, Spec)> = values.iter().map(|v| ("p", v.spec())).collect();
    let graph = Graph::record(&session()?, "bench::mlp", &specs, recorded)?;
    let operands: Vec<&Value> = values.iter().collect();
    let wanted: Vec<bool> = (0..values.len()).map(|i| i >= 2).collect();
    let (_, dx) = graph.gradients(&operands, &wanted, None)?;
    let want = statically(&x, &target, &weights);
    let got: ArrayD<f64> = dx[2]
        .as_ref()
        .and_then(Value::to_array)
        .expect("a gradient");
    let worst = got
        .iter()
        .zip(&want[0].0)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    assert!(worst < 1e-12, "the same gradient: {worst}");
    let one = rayon_pool();
    let [graph, own, product] = medians(
        15,
        [
            &mut || one.install(|| drop(black_box(graph.gradients(&operands, &wanted, None)))),
            &mut || drop(black_box(statically(&x, &target, &weights))),
            &mut || drop(black_box(product(&x, &weights[0].0))),
        ],
    );
    println!(
        "gradient of an MLP 256×512×512×512, batch 256: graph {:.1} ms, by hand {:.1} ms, ratio {:.2}; one product {:.1} ms",
        graph * 1e3,
        own * 1e3,
        graph / own,
        product * 1e3
    );
    Ok(())
}

fn product(a: &ArrayRef2<f64>, b: &ArrayRef2<f64>) -> Array2<f64> {
    matmul(a, b)
}

fn rayon_pool() -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread")
}

/// Time for each node of a chain of products with a number, for two lengths.
fn chains() -> Result<(), OpError> {
    let none = attrs! {};
    let session = session()?;
    let mul = session.registry().get("bench::mul")?;
    for n in [10_000, 100_000] {
        let record = || {
            Graph::record(
                Session::global(),
                "bench::chain",
                &[("x", Spec::f64(&[4]))],
                |g, x| {
                    let mut h = x[0].clone();
                    for _ in 0..n {
                        h = g.apply(&mul, &[&h, &x[0]], &none)?;
                    }
                    Ok(vec![h])
                },
            )
        };
        let graph = record()?;
        let x = Value::from(vec![1.0, 0.5, -1.0, 0.99]);
        let [recording, replay, gradient] = medians(
            5,
            [
                &mut || drop(black_box(record())),
                &mut || drop(black_box(graph.run(&[&x]))),
                &mut || drop(black_box(graph.gradients(&[&x], &[true], None))),
            ],
        );
        let each = |seconds: f64| seconds / f64::from(n) * 1e9;
        println!(
            "{n} nodes, ns each: record {:.0}, replay {:.0}, gradient {:.0}",
            each(recording),
            each(replay),
            each(gradient),
        );
    }
    Ok(())
}

/// Eight products of a million numbers, one by one and as one call in tiles.
fn fusion() -> Result<(), OpError> {
    let none = attrs! {};
    let n = 1_000_000;
    let graph = Graph::record(
        &session()?,
        "bench::products",
        &[("x", Spec::f64(&[n]))],
        |g, x| {
            let mut h = x[0].clone();
            for _ in 0..8 {
                h = g.call("bench::mul", &[&h, &x[0]], &none)?;
            }
            Ok(vec![h])
        },
    )?;
    let fused = graph.fused();
    let x = Value::full(&Spec::f64(&[n]), 0.9);
    let [apart, together, gradient_apart, gradient_together] = medians(
        9,
        [
            &mut || drop(black_box(graph.run(&[&x]))),
            &mut || drop(black_box(fused.run(&[&x]))),
            &mut || drop(black_box(graph.gradients(&[&x], &[true], None))),
            &mut || drop(black_box(fused.gradients(&[&x], &[true], None))),
        ],
    );
    println!(
        "eight products of 10⁶ numbers: {:.1} ms, fused {:.1} ms; gradient {:.1} ms, fused {:.1} ms",
        apart * 1e3,
        together * 1e3,
        gradient_apart * 1e3,
        gradient_together * 1e3
    );
    Ok(())
}

fn main() -> Result<(), OpError> {
    dispatch()?;
    fusion()?;
    network()?;
    chains()
}
