//! Other numbers than `f64`: single precision, and dual numbers for second derivatives.

use coenzyme::prelude::*;
use coenzyme::{Dual, Inactive};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::typed::{self, Replicated, varying};
use coenzyme_collective::{Along, Comm, CommError, Element, Process};

use super::{Check, Random, assert_close};

pub(crate) const CHECKS: &[Check] = &[
    ("each collective carries each number", each_number),
    (
        "second derivatives of a program",
        second_derivatives_of_a_program,
    ),
    ("second derivatives of typed losses", typed_second),
    ("single precision", single_precision),
    ("extremes of dual numbers", extremes_of_dual_numbers),
    ("messages of other numbers are refused", other_numbers),
];

/// What all linear collectives and messages make of `x`, one after the other.
fn everything<T: Element>(comm: &Comm, x: &[T]) -> Result<Vec<T>, CommError> {
    let (n, me) = (comm.size(), comm.rank());
    let (next, before) = ((me + 1) % n, (me + n - 1) % n);
    let counts: Vec<usize> = (1..=n).collect();
    let ring: Vec<_> = (0..n).map(|r| (r, (r + 1) % n)).collect();
    let many: Vec<T> = (0..n).flat_map(|_| x.iter().copied()).collect();
    let mut all = all_reduce(comm, x)?;
    all.extend(all_reduce_mean(comm, x)?);
    all.extend(all_gather(comm, x)?);
    all.extend(all_gather_v(comm, &counts, &many[..=me])?);
    all.extend(reduce_scatter(comm, &many)?);
    all.extend(all_to_all(comm, &many)?);
    all.extend(broadcast(comm, n - 1, x)?);
    all.extend(reduce(comm, 0, x)?);
    all.extend(gather(comm, 0, x)?);
    all.extend(scatter(comm, 0, x.len(), &many)?);
    all.extend(scan(comm, x)?);
    all.extend(exscan(comm, x)?);
    all.extend(permute(comm, &ring, x)?);
    all.extend(shift(comm, 1, x)?);
    all.extend(send_recv(comm, next, before, x)?);
    let theirs = irecv_like(comm, before, 4, x)?;
    let mine = isend(comm, next, 4, x)?;
    all.extend(wait(comm, &theirs)?);
    wait(comm, &mine)?;
    Ok(all)
}

/// A linear map of dual numbers is the map of their values, and of their tangents.
fn each_number(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(91, comm.rank());
    let parts = [(); 4].map(|()| random.vector(2));
    let apart = parts
        .each_ref()
        .map(|part| everything(comm, part).expect("sent"));
    let dual = |i: usize| {
        Dual::new(
            Dual::new(parts[0][i], parts[1][i]),
            Dual::new(parts[2][i], parts[3][i]),
        )
    };
    let together = everything(comm, &[dual(0), dual(1)]).expect("sent");
    for (i, y) in together.iter().enumerate() {
        let found = [
            y.value.value,
            y.value.tangent,
            y.tangent.value,
            y.tangent.tangent,
        ];
        let expected = apart.each_ref().map(|part| part[i]);
        // MPI may add the entries of an array in different orders
        assert_close("parts", &found, &expected, 1e-15);
    }
}

/// Halo, sum, maximum, product and messages, of numbers of any kind.
#[differentiable]
fn busy<T: Element>(comm: &Comm, x: &[T]) -> Result<T, CommError> {
    let (n, me) = (comm.size(), comm.rank());
    let (next, before) = ((me + 1) % n, (me + n - 1) % n);
    let left = shift(comm, 1, x)?;
    let sum = all_reduce(comm, x)?;
    let top = all_reduce_max(comm, Ties::First, x)?;
    let product = all_reduce_prod(comm, x)?;
    let theirs = irecv_like(comm, before, 2, x)?;
    let mine = isend(comm, next, 2, x)?;
    let from_before = wait(comm, &theirs)?;
    wait(comm, &mine)?;
    let mut loss = T::zero();
    for i in 0..x.len() {
        loss += x[i] * sum[i] * sum[i] + top[i] * left[i] + product[i].sin() * from_before[i];
    }
    Ok(loss)
}

fn total(comm: &Comm, share: f64) -> f64 {
    all_reduce(comm, &[share]).expect("sent")[0]
}

/// The gradient by dual numbers of the same program: forward over reverse, against differences of the gradient.
fn second_derivatives_of_a_program(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(93, comm.rank());
    let (x, v) = (random.vector(2), random.vector(2));
    let gradient = |x: &[f64]| {
        let mut dx = vec![0.0; x.len()];
        autodiff!(Reverse, busy::<f64>, Const(comm), Duplicated(x, &mut dx)).expect("sent");
        dx
    };
    let dual: Vec<_> = x.iter().zip(&v).map(|(x, v)| Dual::new(*x, *v)).collect();
    let mut found = vec![Dual::constant(0.0); 2];
    let duplicated = Duplicated(&dual, &mut found);
    autodiff!(Reverse, busy::<Dual<f64>>, Const(comm), duplicated).expect("sent");
    let values: Vec<f64> = found.iter().map(|d| d.value).collect();
    assert_close("the gradient", &values, &gradient(&x), 1e-14);
    let h = 1e-5;
    let moved = [h, -h].map(|h| {
        let x: Vec<f64> = x.iter().zip(&v).map(|(x, v)| x + h * v).collect();
        gradient(&x)
    });
    let slope: Vec<f64> = (0..2)
        .map(|i| (moved[0][i] - moved[1][i]) / (2.0 * h))
        .collect();
    let tangents: Vec<f64> = found.iter().map(|d| d.tangent).collect();
    assert_close("its derivative", &tangents, &slope, 1e-7);
    // H is symmetric over all ranks: ⟨w, H·v⟩ = ⟨v, H·w⟩ with w = v shifted
    let w = shift(comm, 1, &v).expect("sent");
    let dual: Vec<_> = x.iter().zip(&w).map(|(x, w)| Dual::new(*x, *w)).collect();
    let mut other = vec![Dual::constant(0.0); 2];
    let duplicated = Duplicated(&dual, &mut other);
    autodiff!(Reverse, busy::<Dual<f64>>, Const(comm), duplicated).expect("sent");
    let dot = |a: &[f64], b: &[Dual<f64>]| -> f64 {
        total(comm, a.iter().zip(b).map(|(a, b)| a * b.tangent).sum())
    };
    assert_close("symmetric", &[dot(&w, &found)], &[dot(&v, &other)], 1e-12);
}

#[differentiable]
fn quartic<T: Element>(y: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..y.len() {
        sum += y[i] * y[i] * y[i] * y[i];
    }
    sum
}

/// `(Σ xᵣ²)⁴`.
#[differentiable]
fn once<T: Element>(along: &Along, x: &[T]) -> Result<Replicated<T>, CommError> {
    let y = typed::all_reduce(along, &varying(along, &[x[0] * x[0]]))?;
    Ok(typed::map(along, Inactive(quartic {}), &y))
}

fn typed_second(process: &Process) {
    let along: Along = process.axis().expect("one axis");
    let r = 1.0 + process.rank() as f64;
    let (x, mut dx) = ([Dual::new(r, 1.0)], [Dual::constant(0.0)]);
    autodiff!(
        Reverse,
        once::<Dual<f64>>,
        Const(&along),
        Duplicated(&x, &mut dx)
    )
    .expect("sent");
    let n = along.size() as f64;
    let (sum, first) = (n * (n + 1.0) * (2.0 * n + 1.0) / 6.0, n * (n + 1.0) / 2.0);
    // s = Σ x², along (1, …, 1): ṡ = 2·Σ x
    let gradient = 4.0 * sum.powi(3) * 2.0 * r;
    let second = 12.0 * sum.powi(2) * 2.0 * first * 2.0 * r + 4.0 * sum.powi(3) * 2.0;
    assert_close("once", &[dx[0].value], &[gradient], 1e-14);
    assert_close("once, twice", &[dx[0].tangent], &[second], 1e-14);
}

/// Half the bytes, and the gradient of the same program to single precision.
fn single_precision(process: &Process) {
    let comm = process.world();
    let x = Random::new(95, comm.rank()).vector(2);
    let narrow: Vec<f32> = x.iter().map(|x| *x as f32).collect();
    let wide: Vec<f64> = narrow.iter().map(|x| f64::from(*x)).collect();
    let begun = comm.traffic();
    let (mut d32, mut d64) = ([0.0_f32; 2], [0.0_f64; 2]);
    let duplicated = Duplicated(&narrow, &mut d32);
    autodiff!(Reverse, busy::<f32>, Const(comm), duplicated).expect("sent");
    let between = comm.traffic();
    let duplicated = Duplicated(&wide, &mut d64);
    autodiff!(Reverse, busy::<f64>, Const(comm), duplicated).expect("sent");
    let (single, double) = (between - begun, comm.traffic() - between);
    assert_eq!(
        (single.calls, single.messages),
        (double.calls, double.messages)
    );
    assert_eq!(2 * single.bytes, double.bytes);
    let found = d32.map(f64::from);
    assert_close("busy in f32", &found, &d64, 1e-4);
}

/// The tangent is that of who wins, and half of each where two do.
fn extremes_of_dual_numbers(process: &Process) {
    let (comm, r) = (process.world(), process.rank());
    let n = comm.size();
    // ranks 0 and n − 1 are largest
    let at_end = r == 0 || r == n - 1;
    let x = [Dual::new(if at_end { 3.0 } else { 1.0 }, r as f64 + 1.0)];
    let of = |ties| all_reduce_max(comm, ties, &x).expect("sent")[0];
    assert_eq!((of(Ties::First).value, of(Ties::First).tangent), (3.0, 1.0));
    let mean = if n > 1 { 0.5 * (1.0 + n as f64) } else { 1.0 };
    assert_eq!(
        (of(Ties::Split).value, of(Ties::Split).tangent),
        (3.0, mean)
    );
    let low = all_reduce_min(comm, Ties::First, &[-x[0]]).expect("sent")[0];
    assert_eq!((low.value, low.tangent), (-3.0, -1.0));
    // a zero that moves: the product does too
    let x = [Dual::new(if r == 0 { 0.0 } else { 2.0 }, 1.0)];
    let y = all_reduce_prod(comm, &x).expect("sent")[0];
    assert_eq!((y.value, y.tangent), (0.0, 2.0_f64.powi(n as i32 - 1)));
}

fn other_numbers(process: &Process) {
    let comm = process.world();
    let (n, me) = (comm.size(), comm.rank());
    send_recv(comm, me, me, &[1.0]).expect("to oneself");
    let mine = isend(comm, (me + 1) % n, 6, &[1.0_f32]).expect("sent");
    let wrong = recv(comm, (me + n - 1) % n, 6, &mut [0.0_f64]);
    let numbers = CommError::Numbers {
        expected: "f64",
        found: "f32",
    };
    assert_eq!(wrong, Err(numbers));
    wait(comm, &mine).expect("sent");
}
