//! Parts that are moved out of structs and vectors, and values that come out of `Result`s.

use coenzyme::{Real, Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Net {
    w: Vec<f64>,
    bias: f64,
    inner: Inner,
}

#[derive(Clone, Debug, Tangent)]
struct Inner {
    v: Vec<f64>,
    scale: f64,
}

fn net() -> Net {
    Net {
        w: any(2),
        bias: 0.3,
        inner: Inner {
            v: positive(2),
            scale: 0.7,
        },
    }
}

#[differentiable]
fn moved_field(n: Net, x: f64) -> f64 {
    let w = n.w;
    let inner = n.inner;
    let mut s = n.bias;
    for (a, b) in w.iter().zip(&inner.v) {
        s += a * b * x;
    }
    s * inner.scale
}

#[differentiable]
fn destructured(n: Net) -> f64 {
    let Net {
        w,
        bias,
        inner: Inner { v, scale },
    } = n;
    w[0] * v[1] * scale + bias
}

#[differentiable]
fn cloned_field(n: &Net) -> f64 {
    let mut w = n.w.clone();
    w[0] *= 2.0;
    let inner = n.inner.clone();
    w[0] * w[1] * inner.scale * inner.v[0]
}

#[differentiable]
fn taken(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    let b = std::mem::take(&mut a);
    a = vec![b[0] * 2.0];
    a[0] * b[1]
}

#[differentiable]
fn moved_local(x: &[f64]) -> Vec<f64> {
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for i in 0..x.len() {
        let mut row = x.to_vec();
        row[i] *= row[0] * 2.0;
        let total = row[0] * row[i];
        row[i] += total;
        rows.push(row);
    }
    let mut last = rows.pop().unwrap();
    last[0] += rows[0][1] * rows[0][0];
    last
}

#[differentiable]
fn element_cloned(m: &[Vec<f64>]) -> f64 {
    let mut best = m[0].clone();
    for row in m {
        if row[0] > best[0] {
            best = row.clone();
        }
    }
    best.iter().map(|v| v * v).sum()
}

#[differentiable]
fn tuple_return(x: &[f64]) -> (Vec<f64>, f64) {
    let y: Vec<f64> = x.iter().map(|v| v * v).collect();
    let s = y.iter().sum();
    (y, s)
}

#[differentiable]
fn uses_tuple(x: &[f64]) -> f64 {
    let (y, s) = tuple_return(x);
    y[0] * s
}

#[differentiable]
fn result_vec(x: &[f64]) -> Result<Vec<f64>, String> {
    if x.is_empty() {
        return Err("empty".to_string());
    }
    let norm = x.iter().map(|v| v * v).sum::<f64>().sqrt();
    if norm == 0.0 {
        return Err("zero".into());
    }
    Ok(x.iter().map(|v| v / norm).collect())
}

#[differentiable]
fn uses_unwrap(x: &[f64]) -> f64 {
    let v = result_vec(x).unwrap();
    v[0] * v[1]
}

#[differentiable]
fn nested_fn(x: f64) -> f64 {
    #[differentiable]
    fn inner(x: f64) -> f64 {
        x * x
    }
    inner(x) + inner(2.0 * x)
}

#[differentiable]
fn slices(x: &[f64]) -> f64 {
    let (head, tail) = x.split_first().unwrap();
    let (last, _) = tail.split_last().unwrap();
    head * last
}

#[differentiable]
fn boxed_slice(x: Box<[f64]>) -> f64 {
    x[0] * x[1]
}

#[differentiable]
fn number<T: Real>(x: T, n: usize) -> T {
    if n == 0 {
        return T::one();
    }
    let mut acc = T::zero();
    for i in 0..n {
        acc = acc * x + T::lit(i as f64);
    }
    acc
}

#[differentiable]
fn generic_mean<T: Real>(x: &[T]) -> T {
    let n = T::lit(x.len() as f64);
    x.iter().copied().sum::<T>() / n
}

#[differentiable]
fn generic_max<T>(x: &[T]) -> T
where
    T: Real,
{
    let mut m = x[0];
    for &v in &x[1..] {
        if v > m {
            m = v;
        }
    }
    m
}

#[differentiable]
fn safe_sqrt(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err(format!("negative: {x}"));
    }
    Ok(x.sqrt())
}

#[differentiable]
fn geometric(a: f64, b: f64) -> Result<f64, String> {
    let p = safe_sqrt(a * b)?;
    let q = safe_sqrt(a + b)?;
    Ok(p / q)
}

#[differentiable]
fn uses_geometric(a: f64, b: f64) -> f64 {
    let mean = geometric(a, b).expect("positive numbers");
    mean * geometric(mean, b).unwrap()
}

judge! {
    uses_geometric(0.7, 0.4);
    moved_field(net(), 0.3);
    destructured(net());
    cloned_field(&net());
    taken(&any(2));
    moved_local(&any(2));
    element_cloned(&vec![any(2), positive(2)]);
    uses_tuple(&any(2));
    uses_unwrap(&any(2));
    nested_fn(0.4);
    slices(&any(3));
    number(0.4, 3) (0.4, 0);
    generic_mean(&any(3));
    generic_max(&any(3));
    boxed_slice(any(2).into_boxed_slice());
}
