//! The gradient of a network that is known at run time: layers of 256 × 512 × 512 × 512 with tanh between, a batch of 256, mean squared error. A recorded graph beside `candle` and `burn`.

use std::hint::black_box;
use std::time::Instant;

use burn_autodiff::Autodiff;
use burn_ndarray::{NdArray, NdArrayDevice};
use burn_tensor::{Tensor as Burn, TensorData};
use candle_core::{Device, Tensor, Var};
use coenzyme_graph::erase::{Any, Matrix, Vector};
use coenzyme_graph::{
    Attrs, Graph, OpError, Outline, Recorder, Registry, Session, Spec, Value, Var as Node,
    operation,
};
use coenzyme_rules::array::tanh;
use coenzyme_rules::nn::{dense, mean_squared_error};
use ndarray::{Array2, ArrayD};

use crate::samples;

const LAYERS: [usize; 4] = [256, 512, 512, 512];
const BATCH: usize = 256;
const ROUNDS: usize = 31;

/// Input, target, and weights and biases of each layer, with their shapes.
fn operands() -> Vec<(Vec<f64>, [usize; 2])> {
    let mut all = vec![[BATCH, LAYERS[0]], [BATCH, LAYERS[3]]];
    all.extend(LAYERS.windows(2).flat_map(|n| [[n[0], n[1]], [1, n[1]]]));
    let scaled = |(k, [m, n]): (usize, [usize; 2])| {
        let by = if k < 2 { 1.0 } else { 1.0 / (m as f64).sqrt() };
        let x = samples(k as u32 + 5, m * n)
            .iter()
            .map(|x| x * by)
            .collect();
        (x, [m, n])
    };
    all.into_iter().enumerate().map(scaled).collect()
}

fn session() -> Result<Session, OpError> {
    let registry = Registry::new();
    registry.register_all([
        operation!("bench::tanh" = tanh[x: Any<T>] -> ArrayD<T>, for [f64], |_, x, _| Ok(Outline::new(x, x[0].clone()))),
        operation!("bench::dense" = dense[x: Matrix<T>, w: Matrix<T>, b: Vector<T>] -> Array2<T>, for [f64],
            |_, x, _| Ok(Outline::new(x, Spec::f64(&[x[0].shape[0], x[1].shape[1]])))),
        operation!("bench::loss" = mean_squared_error[x: Any<T>, y: Any<T>] -> T, for [f64],
            |_, x, _| Ok(Outline::new(x, Spec::f64(&[])))),
    ])?;
    Ok(Session::new(registry.into()).verifying(false))
}

fn recorded(g: &mut Recorder<'_>, x: &[Node]) -> Result<Vec<Node>, OpError> {
    let none = Attrs::new();
    let mut h = x[0].clone();
    for (k, wb) in x[2..].chunks(2).enumerate() {
        h = g.call("bench::dense", &[&h, &wb[0], &wb[1]], &none)?;
        if k + 1 < LAYERS.len() - 1 {
            h = g.call("bench::tanh", &[&h], &none)?;
        }
    }
    Ok(vec![g.call("bench::loss", &[&h, &x[1]], &none)?])
}

/// The gradients one after the other, from operands that have been made before.
type Race = Box<dyn Fn() -> Vec<Vec<f64>>>;

fn ours() -> Result<Race, OpError> {
    let values = operands().into_iter().enumerate().map(|(k, (x, [m, n]))| {
        // biases have one axis
        let shape = if k >= 2 && m == 1 {
            vec![n]
        } else {
            vec![m, n]
        };
        Value::from_vec(&shape, x).expect("as many entries")
    });
    let values: Vec<Value> = values.collect();
    let specs: Vec<(&str, Spec)> = values.iter().map(|v| ("p", v.spec())).collect();
    let graph = Graph::record(&session()?, "bench::network", &specs, recorded)?;
    let wanted: Vec<bool> = (0..values.len()).map(|i| i >= 2).collect();
    Ok(Box::new(move || {
        let x: Vec<&Value> = values.iter().collect();
        let (_, dx) = graph.gradients(&x, &wanted, None).expect("runs");
        let entries = |dx: &Value| dx.entries::<f64>().expect("f64").to_vec();
        dx.iter().flatten().map(entries).collect()
    }))
}

fn candle() -> candle_core::Result<Race> {
    let mut all = Vec::new();
    for (x, shape) in operands() {
        all.push(Var::from_tensor(&Tensor::from_vec(
            x,
            (shape[0], shape[1]),
            &Device::Cpu,
        )?)?);
    }
    let gradients = move || -> candle_core::Result<Vec<Vec<f64>>> {
        let mut h = all[0].as_tensor().detach();
        for (k, wb) in all[2..].chunks(2).enumerate() {
            h = h.matmul(&wb[0])?.broadcast_add(&wb[1])?;
            if k + 1 < LAYERS.len() - 1 {
                h = h.tanh()?;
            }
        }
        let loss = (h - all[1].as_tensor().detach())?.sqr()?.mean_all()?;
        let store = loss.backward()?;
        let of = |x: &Var| {
            let gradient = store.get(x).expect("a gradient");
            gradient.flatten_all()?.to_vec1::<f64>()
        };
        all[2..].iter().map(of).collect()
    };
    Ok(Box::new(move || gradients().expect("runs")))
}

fn burn() -> Race {
    type Backend = Autodiff<NdArray<f64>>;
    let tensor = |(x, shape): (Vec<f64>, [usize; 2])| {
        Burn::<Backend, 2>::from_data(TensorData::new(x, shape), &NdArrayDevice::default())
    };
    let all: Vec<Burn<Backend, 2>> = operands().into_iter().map(tensor).collect();
    Box::new(move || {
        let x: Vec<_> = all[2..].iter().map(|x| x.clone().require_grad()).collect();
        let mut h = all[0].clone();
        for (k, wb) in x.chunks(2).enumerate() {
            h = h.matmul(wb[0].clone()) + wb[1].clone();
            if k + 1 < LAYERS.len() - 1 {
                h = h.tanh();
            }
        }
        let off = h - all[1].clone();
        let gradients = (off.clone() * off).mean().backward();
        let of = |x: &Burn<Backend, 2>| {
            let gradient = x.grad(&gradients).expect("a gradient").into_data();
            gradient.into_vec::<f64>().expect("numbers of type f64")
        };
        x.iter().map(of).collect()
    })
}

/// Asserts that all agree, and prints `network,<crate>,<median of the rounds' ratios to ours>,<best milliseconds>,<ours>`.
pub(crate) fn race() {
    let ours = ours().expect("recorded");
    let peers = [
        ("candle", candle().expect("tensors")),
        ("burn-ndarray", burn()),
    ];
    for (name, theirs) in &peers {
        for (a, b) in ours().iter().zip(&theirs()) {
            assert_eq!(a.len(), b.len());
            let worst = a.iter().zip(b).map(|(a, b)| (a - b).abs());
            let worst = worst.fold(0.0, f64::max);
            assert!(worst < 1e-12, "{name}: {worst}");
        }
        let seconds = |race: &Race| {
            let start = Instant::now();
            black_box(race());
            start.elapsed().as_secs_f64()
        };
        let rounds: Vec<[f64; 2]> = (0..ROUNDS)
            .map(|_| [seconds(&ours), seconds(theirs)])
            .collect();
        let mut ratios: Vec<f64> = rounds.iter().map(|[a, b]| b / a).collect();
        ratios.sort_by(f64::total_cmp);
        let best = |i: usize| {
            rounds
                .iter()
                .map(|t| t[i] * 1e3)
                .fold(f64::INFINITY, f64::min)
        };
        println!(
            "network,{name},{:.2},{:.1},{:.1}",
            ratios[ROUNDS / 2],
            best(1),
            best(0)
        );
    }
}
