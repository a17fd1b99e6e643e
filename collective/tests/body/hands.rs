//! Programs in other hands: solvers around distributed dot products, pipelines, layers, batches, with the shapes that people give them.
//! Each is judged by differences of the sum of all losses, in each entry of each rank.

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, Process};
use ndarray::{Array2, ArrayRef1, ArrayRef2};

use super::styles::judge;
use super::{Check, Random};

pub(crate) const CHECKS: &[Check] = &[
    ("a solver around dot products", a_solver),
    ("a pipeline of stages", a_pipeline),
    ("a layer cut by columns and rows", a_layer),
    ("a batch in pieces", a_batch),
    ("a plate cut in rows", a_plate),
    ("a state in a struct", a_state),
    ("a ring of partial sums", a_ring),
];

#[differentiable]
fn dot_of_all(comm: &Comm, a: &[f64], b: &[f64]) -> Result<f64, CommError> {
    let own: f64 = a.iter().zip(b.iter()).map(|(a, b)| a * b).sum();
    let sum = all_reduce(comm, &[own])?;
    Ok(sum[0])
}

/// `(3 + s·s)·x − x₋₁ − x₊₁` on a line that is cut among ranks.
#[differentiable]
fn apply(comm: &Comm, s: &[f64], x: &[f64]) -> Result<Vec<f64>, CommError> {
    let m = x.len();
    let left = shift(comm, 1, &x[m - 1..])?;
    let right = shift(comm, -1, &x[..1])?;
    let mut y = vec![0.0; m];
    for i in 0..m {
        let before = if i == 0 { left[0] } else { x[i - 1] };
        let after = if i == m - 1 { right[0] } else { x[i + 1] };
        y[i] = (3.0 + s[i] * s[i]) * x[i] - before - after;
    }
    Ok(y)
}

/// Conjugate gradients until the residual is small, at most ten rounds; the energy of the solution.
#[differentiable]
fn solved(comm: &Comm, s: &[f64], b: &[f64]) -> Result<f64, CommError> {
    let mut x = vec![0.0; b.len()];
    let mut r = b.to_vec();
    let mut p = r.clone();
    let mut rr = dot_of_all(comm, &r, &r)?;
    for _ in 0..10 {
        if rr < 1e-6 {
            break;
        }
        let ap = apply(comm, s, &p)?;
        let alpha = rr / dot_of_all(comm, &p, &ap)?;
        for i in 0..x.len() {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        let next = dot_of_all(comm, &r, &r)?;
        let beta = next / rr;
        for i in 0..p.len() {
            p[i] = r[i] + beta * p[i];
        }
        rr = next;
    }
    let mut energy = 0.0;
    for i in 0..x.len() {
        energy += x[i] * b[i];
    }
    Ok(energy)
}

fn a_solver(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(101, comm.rank());
    let (s, b) = (random.vector(3), random.vector(3));
    let mut ds = vec![0.0; 3];
    autodiff!(
        Reverse,
        solved,
        Const(comm),
        Duplicated(&s, &mut ds),
        Const(&b)
    )
    .expect("sent");
    judge("solved", comm, &s, &ds, |s| solved(comm, s, &b));
}

#[differentiable]
fn stage(w: &[f64], x: f64) -> f64 {
    (w[0] * x + w[1]).tanh()
}

/// Each rank is a stage; micro-batches go through, one after the other.
#[differentiable]
fn pipeline(comm: &Comm, w: &[f64], inputs: usize) -> Result<f64, CommError> {
    let me = comm.rank();
    let last = comm.size() - 1;
    let mut loss = 0.0;
    for k in 0..inputs {
        let x = if me == 0 {
            0.3 * (k + 1) as f64
        } else {
            let mut buffer = [0.0];
            recv(comm, me - 1, k as i32, &mut buffer)?;
            buffer[0]
        };
        let y = stage(w, x);
        if me < last {
            send(comm, me + 1, k as i32, &[y])?;
        } else {
            loss += (y - 0.1).powi(2);
        }
    }
    Ok(loss)
}

fn a_pipeline(process: &Process) {
    let comm = process.world();
    let w = Random::new(103, comm.rank()).vector(2);
    let mut dw = vec![0.0; 2];
    autodiff!(
        Reverse,
        pipeline,
        Const(comm),
        Duplicated(&w, &mut dw),
        Const(3)
    )
    .expect("sent");
    judge("pipeline", comm, &w, &dw, |w| pipeline(comm, w, 3));
}

/// Hidden units of this rank, of an input that the first rank has.
#[differentiable]
fn layer(comm: &Comm, w: &ArrayRef2<f64>, x: &ArrayRef1<f64>) -> Result<f64, CommError> {
    let input = broadcast(comm, 0, &[x[0], x[1]])?;
    let mut out = vec![0.0; 2];
    for j in 0..w.nrows() {
        let mut h = 0.0;
        for i in 0..w.ncols() {
            h += w[[j, i]] * input[i];
        }
        let h = h.max(0.1 * h);
        out[0] += h * w[[j, 0]];
        out[1] += h * h;
    }
    let out = all_reduce(comm, &out)?;
    Ok(out.iter().map(|y| y * y).sum::<f64>() / comm.size() as f64)
}

fn a_layer(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(107, comm.rank());
    let w = random.vector(6);
    let x = ndarray::arr1(&random.vector(2));
    let matrix = |w: &[f64]| Array2::from_shape_vec((3, 2), w.to_vec()).expect("six entries");
    let (m, mut dm) = (matrix(&w), matrix(&[0.0; 6]));
    autodiff!(
        Reverse,
        layer,
        Const(comm),
        Duplicated(&m, &mut dm),
        Const(&x)
    )
    .expect("sent");
    let found: Vec<f64> = dm.iter().copied().collect();
    judge("layer", comm, &w, &found, |w| layer(comm, &matrix(w), &x));
}

/// Mean squared error over the samples of all ranks, normalized by their mean and spread; a rank may have no samples.
#[differentiable]
fn batch(comm: &Comm, x: &[f64], w: f64) -> Result<f64, CommError> {
    let moments = [
        x.len() as f64,
        x.iter().sum::<f64>(),
        x.iter().map(|x| x * x).sum::<f64>(),
    ];
    let all = all_reduce(comm, &moments)?;
    let mean = all[1] / all[0];
    let spread = (all[2] / all[0] - mean * mean + 1e-3).sqrt();
    let mut loss = 0.0;
    for x in x {
        let e = w * (x - mean) / spread - 0.5;
        loss += e * e / all[0];
    }
    Ok(loss)
}

fn a_batch(process: &Process) {
    let comm = process.world();
    let x = Random::new(109, comm.rank()).vector((comm.rank() + 2) % 3);
    let (dx,) = {
        let mut dx = vec![0.0; x.len()];
        autodiff!(
            Reverse,
            batch,
            Const(comm),
            Duplicated(&x, &mut dx),
            Const(0.8)
        )
        .expect("sent");
        (dx,)
    };
    judge("batch", comm, &x, &dx, |x| batch(comm, x, 0.8));
}

/// Rows of a plate with a halo row above and below, which messages fill in each step.
#[differentiable]
fn plate(comm: &Comm, u: &ArrayRef2<f64>, steps: usize) -> Result<f64, CommError> {
    let (rows, columns) = (u.nrows(), u.ncols());
    let (me, n) = (comm.rank(), comm.size());
    let mut padded = Array2::<f64>::zeros((rows + 2, columns));
    for i in 0..rows {
        for j in 0..columns {
            padded[[i + 1, j]] = u[[i, j]];
        }
    }
    for _ in 0..steps {
        let mut top = vec![0.0; columns];
        let mut bottom = vec![0.0; columns];
        for j in 0..columns {
            top[j] = padded[[1, j]];
            bottom[j] = padded[[rows, j]];
        }
        if me > 0 {
            send(comm, me - 1, 1, &top)?;
        }
        if me + 1 < n {
            send(comm, me + 1, 2, &bottom)?;
            let mut below = vec![0.0; columns];
            recv(comm, me + 1, 1, &mut below)?;
            for j in 0..columns {
                padded[[rows + 1, j]] = below[j];
            }
        }
        if me > 0 {
            let mut above = vec![0.0; columns];
            recv(comm, me - 1, 2, &mut above)?;
            for j in 0..columns {
                padded[[0, j]] = above[j];
            }
        }
        let mut next = padded.clone();
        for i in 1..=rows {
            for j in 0..columns {
                let c = padded[[i, j]];
                let flow = padded[[i - 1, j]] + padded[[i + 1, j]] - 2.0 * c;
                next[[i, j]] = c + 0.1 * flow - 0.05 * c * c * c;
            }
        }
        padded = next;
    }
    let mut sum = 0.0;
    for i in 1..=rows {
        for j in 0..columns {
            sum += padded[[i, j]] * padded[[i, j]];
        }
    }
    Ok(sum)
}

fn a_plate(process: &Process) {
    let comm = process.world();
    let u = Random::new(113, comm.rank()).vector(4);
    let matrix = |u: &[f64]| Array2::from_shape_vec((2, 2), u.to_vec()).expect("four entries");
    let (m, mut dm) = (matrix(&u), matrix(&[0.0; 4]));
    autodiff!(
        Reverse,
        plate,
        Const(comm),
        Duplicated(&m, &mut dm),
        Const(3)
    )
    .expect("sent");
    let found: Vec<f64> = dm.iter().copied().collect();
    judge("plate", comm, &u, &found, |u| plate(comm, &matrix(u), 3));
}

#[derive(Clone, Tangent)]
struct Particles {
    position: Vec<f64>,
    velocity: Vec<f64>,
}

/// Particles of all ranks that are drawn to their common centre.
#[differentiable]
fn swarm(comm: &Comm, start: &Particles, steps: usize) -> Result<f64, CommError> {
    let mut x = start.position.clone();
    let mut v = start.velocity.clone();
    let count = all_reduce(comm, &[x.len() as f64])?[0];
    for _ in 0..steps {
        let mut own = 0.0;
        for i in 0..x.len() {
            own += x[i];
        }
        let centre = all_reduce(comm, &[own])?[0] / count;
        for i in 0..x.len() {
            v[i] += 0.1 * (centre - x[i]).sin();
            x[i] += 0.1 * v[i];
        }
    }
    let mut energy = 0.0;
    for i in 0..v.len() {
        energy += 0.5 * v[i] * v[i];
    }
    Ok(energy)
}

fn a_state(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(127, comm.rank());
    let (x, velocity) = (random.vector(2), random.vector(2));
    let at = |x: &[f64]| Particles {
        position: x.to_vec(),
        velocity: velocity.clone(),
    };
    let start = at(&x);
    let mut found = make_zero(&start);
    autodiff!(
        Reverse,
        swarm,
        Const(comm),
        Duplicated(&start, &mut found),
        Const(4)
    )
    .expect("sent");
    judge("swarm", comm, &x, &found.position, |x| {
        swarm(comm, &at(x), 4)
    });
}

/// A reduce-scatter by hand: partial sums go round, and each rank keeps the block that ends with it.
#[differentiable]
fn ring(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let n = comm.size();
    let me = comm.rank();
    let mut block = vec![0.0; 1];
    block[0] = x[(me + n - 1) % n];
    for step in 1..n {
        let arrived = send_recv(comm, (me + 1) % n, (me + n - 1) % n, &block)?;
        block[0] = arrived[0] + x[(me + 2 * n - 1 - step) % n];
    }
    match me {
        0 => Ok(block[0] * block[0]),
        r if r % 2 == 1 => Ok(block[0].sin()),
        _ => Ok(block[0].exp() * x[0]),
    }
}

fn a_ring(process: &Process) {
    let comm = process.world();
    let x = Random::new(131, comm.rank()).vector(comm.size());
    let mut dx = vec![0.0; x.len()];
    autodiff!(Reverse, ring, Const(comm), Duplicated(&x, &mut dx)).expect("sent");
    judge("ring", comm, &x, &dx, |x| ring(comm, x));
}
