//! Values that know what they are: each transpose against the definition of its cotangent type.
//!
//! The pairing of a varying value sums over ranks; that of a replicated one counts once (here: on rank 0); that of a partial with a
//! reduced one sums over ranks. A map is right if `⟨ȳ, Jẋ⟩ = ⟨Jᵀȳ, ẋ⟩` in the pairings of its two types.

use coenzyme::prelude::*;
use coenzyme::{AsDuplicated, Inactive, Thunk};
use coenzyme_collective::per_rank;
use coenzyme_collective::typed::*;
use coenzyme_collective::{Along, Comm, CommError, Process};

use super::{Check, Random, assert_close, dot};

pub(crate) const CHECKS: &[Check] = &[
    ("transposes in the pairings of their types", pairings),
    ("a replicated loss counts once", a_replicated_loss),
    ("a tensor-parallel product", a_tensor_parallel_product),
    ("weights that are reduced later", reduced_weights),
    ("a replicated value is equal", replicated_is_equal),
    (
        "losses of one kind are added and subtracted",
        losses_of_one_kind,
    ),
    ("n27: a sum over all shards", a_sum_over_all_shards),
    (
        "n37: parts are summed before a product",
        parts_are_summed_before_a_product,
    ),
];

/// Random numbers that are the same on each rank, or not.
trait Marker: Sized {
    fn make(along: &Along, random: &mut [Random; 2], length: usize) -> Self;
    fn entries(&self) -> Vec<f64>;
    /// Whether ranks other than the first take part in its pairing.
    const SUMS: bool;
}

fn all(process: &Process) -> Along {
    process.axis().expect("one axis")
}

macro_rules! marker {
    ($t:ident, $sums:literal, |$along:ident, $x:ident| $make:expr, $equal:literal) => {
        impl Marker for $t<Vec<f64>> {
            const SUMS: bool = $sums;
            fn make($along: &Along, random: &mut [Random; 2], length: usize) -> Self {
                let $x = random[usize::from(!$equal)].vector(length);
                $make
            }
            fn entries(&self) -> Vec<f64> {
                Tangent::to_flat(self)
            }
        }
    };
}

marker!(Varying, true, |_along, x| Varying::new(x), false);
marker!(
    Partial,
    true,
    |along, x| as_partial(along, &Varying::new(x)).expect("no communication"),
    false
);
marker!(
    Replicated,
    false,
    |along, x| Replicated::new(along, x).expect("equal"),
    true
);
marker!(
    Reduced,
    true,
    |along, x| as_reduced(along, &Replicated::new(along, x).expect("equal"))
        .expect("no communication"),
    true
);

fn pairing<M: Marker>(comm: &Comm, a: &[f64], b: &[f64]) -> f64 {
    let takes_part = M::SUMS || comm.rank() == 0;
    let share = if takes_part { dot(a, b) } else { 0.0 };
    per_rank::all_reduce(comm, &[share]).expect("sent")[0]
}

/// `$in → $out`; the cotangent of `$out` is a `$dual`, entry by entry. The calls of the reverse pass are counted.
macro_rules! law {
    ($process:ident, $f:ident($in:ident, $length:expr $(, $root:expr)*) -> $out:ident, dual $dual:ident, $calls:expr) => {{
        let along = all($process);
        let mut random = [Random::new(31, 0), Random::new(32, 1 + along.rank())];
        let x = <$in<Vec<f64>>>::make(&along, &mut random, $length);
        let dx = <$in<Vec<f64>>>::make(&along, &mut random, $length);
        let args = (Const(&along), $(Const($root),)* Duplicated(&x, &dx));
        let (dy, y) = autodiff(ForwardWithPrimal, &$f {}, AsDuplicated, args).expect("sent");
        let length = y.entries().len();
        let seed = <$dual<Vec<f64>>>::make(&along, &mut random, length).entries();
        let mut ybar = Tangent::zero_like(&y);
        Tangent::unflatten(&mut ybar, &seed);
        let mut xbar = Tangent::zero_like(&x);
        let mut args = (Const(&along), $(Const($root),)* Duplicated(&x, &mut xbar));
        let thunk = Thunk::<_, Duplicated<Result<$out<Vec<f64>>, CommError>>>::new($f {});
        let augmented = thunk.augmented(&mut args).expect("sent");
        let begun = along.traffic().calls;
        thunk.reverse([ybar], augmented.tape, &mut args);
        assert_eq!(along.traffic().calls - begun, $calls, stringify!($f));
        let left = pairing::<$out<Vec<f64>>>(&along, &seed, &dy.entries());
        let right = pairing::<$in<Vec<f64>>>(&along, &xbar.entries(), &dx.entries());
        assert_close(stringify!($f), &[left], &[right], 1e-13);
        // and by differences, of the same pairing
        let h = 1e-5;
        let moved = [h, -h].map(|h| {
            let mut x = x.clone();
            let entries: Vec<f64> = x.entries().iter().zip(dx.entries()).map(|(x, dx)| x + h * dx).collect();
            Tangent::unflatten(&mut x, &entries);
            let y = $f(&along, $($root,)* &x).expect("sent");
            pairing::<$out<Vec<f64>>>(&along, &seed, &y.entries())
        });
        assert_close(stringify!($f), &[(moved[0] - moved[1]) / (2.0 * h)], &[left], 1e-8);
    }};
}

fn pairings(process: &Process) {
    let n = process.mesh().size();
    law!(process, all_reduce(Varying, 3) -> Replicated, dual Replicated, 0);
    law!(process, all_reduce_mean(Varying, 3) -> Replicated, dual Replicated, 0);
    law!(process, total(Partial, 3) -> Replicated, dual Replicated, 0);
    law!(process, vary(Replicated, 3) -> Varying, dual Varying, 1);
    law!(process, as_reduced(Replicated, 3) -> Reduced, dual Partial, 1);
    law!(process, as_partial(Varying, 3) -> Partial, dual Reduced, 0);
    law!(process, as_varying(Reduced, 3) -> Varying, dual Varying, 0);
    law!(process, all_gather(Varying, 3) -> Replicated, dual Replicated, 0);
    law!(process, all_gather_reduced(Varying, 3) -> Reduced, dual Partial, 1);
    law!(process, reduce_scatter(Partial, 2 * n) -> Varying, dual Varying, 1);
    law!(process, broadcast(Varying, 3, n - 1) -> Replicated, dual Replicated, 0);
    // rank r has r + 1 entries
    let r = process.rank();
    let counts: Vec<usize> = (1..=n).collect();
    let (counts, sum): (&[usize], usize) = (&counts, n * (n + 1) / 2);
    law!(process, all_gather_v(Varying, r + 1, counts) -> Replicated, dual Replicated, 0);
    law!(process, all_gather_reduced_v(Varying, r + 1, counts) -> Reduced, dual Partial, 1);
    law!(process, reduce_scatter_v(Partial, sum, counts) -> Varying, dual Varying, 1);
    law!(process, reduce(Partial, 3, n - 1) -> Varying, dual Varying, 1);
    law!(process, all_to_all(Varying, 2 * n) -> Varying, dual Varying, 1);
    // rank s has s + d entries for rank d
    let pairs: Vec<usize> = (0..n * n).map(|i| i / n + i % n).collect();
    let sent = pairs[r * n..][..n].iter().sum();
    law!(process, all_to_all_v(Varying, sent, &pairs[..]) -> Varying, dual Varying, 1);
    let ring: Vec<_> = (0..n).map(|r| (r, (r + 1) % n)).collect();
    let messages = if n > 1 { 2 } else { 0 };
    law!(process, permute(Varying, 2, &ring[..]) -> Varying, dual Varying, messages);
    law!(process, gather(Varying, 2, n - 1) -> Varying, dual Varying, 1);
    law!(process, gather_v(Varying, r + 1, n - 1, counts) -> Varying, dual Varying, 1);
    law!(process, scatter(Varying, 2 * n, n - 1, 2) -> Varying, dual Varying, 1);
    law!(process, scatter_v(Varying, sum, n - 1, counts) -> Varying, dual Varying, 1);
    law!(process, scan(Varying, 3) -> Varying, dual Varying, 1);
    law!(process, exscan(Varying, 3) -> Varying, dual Varying, 1);
    law!(process, all_reduce_max(Varying, 3) -> Replicated, dual Replicated, 0);
    law!(process, all_reduce_min(Varying, 3) -> Replicated, dual Replicated, 0);
    law!(process, all_reduce_prod(Varying, 3) -> Replicated, dual Replicated, 0);
}

#[differentiable]
fn half_square(y: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..y.len() {
        sum += 0.5 * y[i] * y[i];
    }
    sum
}

/// `½‖A·x‖²`, one column and one entry on each rank.
#[differentiable]
fn product_loss(along: &Along, column: &[f64], x: f64) -> Result<Replicated<f64>, CommError> {
    let part = varying(along, &[column[0] * x, column[1] * x]);
    let y = all_reduce(along, &part)?;
    Ok(map(along, Inactive(half_square {}), &y))
}

/// The same with the loss on each rank: its sum is four times the loss.
#[differentiable]
fn per_rank_loss(comm: &Comm, column: &[f64], x: f64) -> Result<f64, CommError> {
    let y = per_rank::all_reduce(comm, &[column[0] * x, column[1] * x])?;
    Ok(half_square(&y))
}

fn a_replicated_loss(process: &Process) {
    let along = all(process);
    if along.size() != 4 {
        return;
    }
    let r = process.rank();
    let (column, x) = ([1.0 + r as f64, 5.0 + r as f64], [1.0, -1.0, 2.0, 0.5][r]);
    let (((), (), dx), loss) = autodiff!(
        ReverseWithPrimal,
        product_loss,
        Const(&along),
        Const(&column),
        Active(x)
    )
    .expect("sent");
    assert_eq!(loss.into_inner(), 169.0);
    assert_eq!(dx, [92.0, 116.0, 140.0, 164.0][r]);
    let (((), (), dx),) = autodiff!(
        Reverse,
        per_rank_loss,
        Const(process.world()),
        Const(&column),
        Active(x)
    )
    .expect("sent");
    assert_eq!(dx, [368.0, 464.0, 560.0, 656.0][r]);
    // forward mode has no convention: the tangent of the value is the same number
    let ones = Duplicated(x, 1.0);
    let (dy,) =
        autodiff!(Forward, product_loss, Const(&along), Const(&column), ones).expect("sent");
    assert_eq!(dy.into_inner(), 92.0 + 116.0 + 140.0 + 164.0);
}

/// Two layers, the first cut by columns, the second by rows: one replicated input is used on all ranks.
#[differentiable]
fn two_layers(
    along: &Along,
    x: &Replicated<Vec<f64>>,
    w1: &[f64],
    w2: &[f64],
) -> Result<Replicated<f64>, CommError> {
    let input = vary(along, x)?;
    let input = local(&input);
    let m = input.len();
    let mut part = vec![0.0; 2];
    for j in 0..w2.len() / 2 {
        let mut sum = 0.0;
        for i in 0..m {
            sum += w1[j * m + i] * input[i];
        }
        let h = sum.tanh();
        part[0] += w2[2 * j] * h;
        part[1] += w2[2 * j + 1] * h;
    }
    let out = all_reduce(along, &varying(along, &part))?;
    Ok(map(along, Inactive(half_square {}), &out))
}

/// On all ranks, and on one.
fn a_tensor_parallel_product(process: &Process) {
    let along = all(process);
    let alone_comm = process.along(&[]).expect("a rank alone");
    let (n, r) = (along.size(), process.rank());
    let (input, w1, w2) = {
        let mut random = Random::new(41, 0);
        (random.vector(3), random.vector(6 * n), random.vector(4 * n))
    };
    let gradient = |along: &Along, w1: &[f64], w2: &[f64]| {
        let x = Replicated::new(along, input.clone()).expect("equal");
        let (mut dx, mut d1, mut d2) = (
            Tangent::zero_like(&x),
            vec![0.0; w1.len()],
            vec![0.0; w2.len()],
        );
        autodiff!(
            Reverse,
            two_layers,
            Const(along),
            Duplicated(&x, &mut dx),
            Duplicated(w1, &mut d1),
            Duplicated(w2, &mut d2)
        )
        .expect("sent");
        (Tangent::to_flat(&dx), d1, d2)
    };
    let found = gradient(&along, &w1[6 * r..][..6], &w2[4 * r..][..4]);
    let whole = gradient(&Along::over(alone_comm), &w1, &w2);
    assert_close("input", &found.0, &whole.0, 1e-14);
    assert_close("columns", &found.1, &whole.1[6 * r..][..6], 1e-14);
    assert_close("rows", &found.2, &whole.2[4 * r..][..4], 1e-14);
}

/// The loss of a batch that is cut among ranks, with weights that all have: their cotangents stay in parts.
#[differentiable]
fn batch_loss(
    along: &Along,
    w: &Replicated<Vec<f64>>,
    x: f64,
) -> Result<Replicated<f64>, CommError> {
    let w = as_reduced(along, w)?;
    let own = as_varying(along, &w)?;
    let own = local(&own);
    let part = varying(along, &[own[0] * x * x + own[1] * own[1] * x]);
    let sum = total(along, &as_partial(along, &part)?)?;
    Ok(map(along, Inactive(half_square {}), &sum))
}

fn reduced_weights(process: &Process) {
    let along = all(process);
    let w = Replicated::new(&along, vec![2.0, 3.0]).expect("equal");
    let mut dw = Tangent::zero_like(&w);
    let x = 1.0 + process.rank() as f64;
    let before = along.traffic().calls;
    let ((_, _, dx),) = autodiff!(
        Reverse,
        batch_loss,
        Const(&along),
        Duplicated(&w, &mut dw),
        Active(x)
    )
    .expect("sent");
    // one sum of the value, one of the weights' cotangents
    assert_eq!(along.traffic().calls - before, 2);
    let n = along.size() as f64;
    let (squares, sum) = (n * (n + 1.0) * (2.0 * n + 1.0) / 6.0, n * (n + 1.0) / 2.0);
    let y = 2.0 * squares + 9.0 * sum;
    assert_close(
        "w",
        &Tangent::to_flat(&dw),
        &[y * squares, y * 6.0 * sum],
        1e-14,
    );
    assert_close("x", &[dx], &[y * (4.0 * x + 9.0)], 1e-14);
}

fn replicated_is_equal(process: &Process) {
    let along = all(process);
    if along.size() > 1 {
        let error = Replicated::new(&along, vec![process.rank() as f64]).unwrap_err();
        assert_eq!(error, CommError::NotReplicated);
    }
    assert_eq!(
        Tangent::to_flat(&Replicated::new(&along, vec![f64::NAN]).expect("the same bits")).len(),
        1
    );
}

#[differentiable]
fn only(x: &[f64]) -> f64 {
    x[0]
}

/// A reduction of a sharded array: the parts of the ranks, and their sum.
#[differentiable]
fn sum_of_all(along: &Along, x: &[f64]) -> Result<Replicated<f64>, CommError> {
    let mut own = 0.0;
    for i in 0..x.len() {
        own += x[i];
    }
    let part = as_partial(along, &varying(along, &[own]))?;
    let sum = total(along, &part)?;
    Ok(map(along, Inactive(only {}), &sum))
}

fn a_sum_over_all_shards(process: &Process) {
    let (along, r) = (all(process), process.rank() as f64);
    let (x, mut dx) = ([r + 1.0, 10.0 * (r + 1.0)], [0.0; 2]);
    let (_, sum) = autodiff!(
        ReverseWithPrimal,
        sum_of_all,
        Const(&along),
        Duplicated(&x, &mut dx)
    )
    .expect("sent");
    let n = along.size() as f64;
    assert_eq!(sum.into_inner(), 11.0 * n * (n + 1.0) / 2.0);
    assert_eq!(dx, [1.0, 1.0]);
}

/// `(Σ xᵣ)·(Σ yᵣ)`, which is not `Σ xᵣ·yᵣ`.
#[differentiable]
fn product(along: &Along, x: f64, y: f64) -> Result<Replicated<f64>, CommError> {
    let x = total(along, &as_partial(along, &varying(along, &[x]))?)?;
    let y = total(along, &as_partial(along, &varying(along, &[y]))?)?;
    Ok(map(along, Inactive(only {}), &x) * map(along, Inactive(only {}), &y))
}

fn parts_are_summed_before_a_product(process: &Process) {
    let (along, r) = (all(process), process.rank() as f64);
    if along.size() == 2 {
        let product = product(&along, 1.0 + r, 3.0 + r).expect("sent");
        assert_eq!(product.into_inner(), 21.0);
    }
    let n = along.size() as f64;
    let args = (Active(1.0 + r), Active(3.0 + r));
    let ((_, dx, dy),) = autodiff!(Reverse, product, Const(&along), args.0, args.1).expect("sent");
    let sums = [1.0, 3.0].map(|first| n * first + n * (n - 1.0) / 2.0);
    assert_eq!([dx, dy], [sums[1], sums[0]]);
    let tangents = (Duplicated(1.0 + r, 1.0), Duplicated(3.0 + r, 0.5));
    let (dv,) = autodiff!(Forward, product, Const(&along), tangents.0, tangents.1).expect("sent");
    assert_eq!(dv.into_inner(), n * (sums[1] + 0.5 * sums[0]));
    // parts of one kind stay parts: (x + y)ᵣ = xᵣ + yᵣ
    let parts = [Varying::<f64>::new(1.0 + r) + Varying::new(3.0 + r)];
    assert_eq!(parts[0].into_inner(), 4.0 + 2.0 * r);
}

/// A loss of data that are cut among ranks, and a penalty of weights that all have: each counts once.
#[differentiable]
fn penalized(
    along: &Along,
    w: &Replicated<Vec<f64>>,
    x: f64,
) -> Result<Replicated<f64>, CommError> {
    let weights = vary(along, w)?;
    let weights = local(&weights);
    let data = all_reduce(along, &varying(along, &[weights[0] * x]))?;
    let fit = map(along, Inactive(half_square {}), &data);
    let penalty = map(along, Inactive(half_square {}), w);
    let mut loss = fit + penalty;
    loss += fit;
    Ok(loss - fit)
}

fn losses_of_one_kind(process: &Process) {
    let along = all(process);
    let w = Replicated::new(&along, vec![0.5]).expect("equal");
    let mut dw = Tangent::zero_like(&w);
    let x = 1.0 + process.rank() as f64;
    let ((_, _, dx), loss) = autodiff!(
        ReverseWithPrimal,
        penalized,
        Const(&along),
        Duplicated(&w, &mut dw),
        Active(x)
    )
    .expect("sent");
    let n = along.size() as f64;
    let sum = n * (n + 1.0) / 2.0;
    // ½·(w·Σx)² + ½·w²
    assert_close(
        "loss",
        &[loss.into_inner()],
        &[0.125 * (sum * sum + 1.0)],
        1e-15,
    );
    assert_close("w", &Tangent::to_flat(&dw), &[0.5 * sum * sum + 0.5], 1e-15);
    assert_close("x", &[dx], &[0.25 * sum], 1e-15);
}
