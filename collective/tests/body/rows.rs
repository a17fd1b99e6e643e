//! Rows of the table of systems that this crate was measured by, for which there is no other test, by their numbers.

use coenzyme::prelude::*;
use coenzyme::{
    Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, primitive,
};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, Process};

use super::{Check, Random, assert_close};

pub(crate) const CHECKS: &[Check] = &[
    ("n11: a map of shards", n11_a_map_of_shards),
    ("n28: the kind of a reduction", n28_the_kind_of_a_reduction),
    ("n33: shapes are looked at", n33_shapes_are_looked_at),
    (
        "m30: a collective of one's own",
        m30_a_collective_of_ones_own,
    ),
];

#[differentiable]
fn relu(x: &[f64]) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for i in 0..x.len() {
        y[i] = if x[i] > 0.0 { x[i] } else { 0.0 };
    }
    y
}

/// Eight values on two ranks: what each makes of its own is a part of what one makes of all.
fn n11_a_map_of_shards(process: &Process) {
    let comm = process.world();
    let whole = [-4.0, 3.0, -2.0, 1.0, 0.5, -1.0, 2.0, -3.0];
    let n = comm.size();
    if 8 % n == 0 {
        let part = &whole[8 / n * comm.rank()..][..8 / n];
        let all = all_gather(comm, &relu(part)).expect("sent");
        assert_eq!(all, relu(&whole));
    }
}

fn n28_the_kind_of_a_reduction(process: &Process) {
    let comm = process.world();
    if comm.size() == 4 {
        let x = [[1.0, 4.0, 4.0, 2.0][comm.rank()]];
        let of = |y: Result<Vec<f64>, CommError>| y.expect("sent")[0];
        assert_eq!(of(all_reduce(comm, &x)), 11.0);
        assert_eq!(of(all_reduce_mean(comm, &x)), 2.75);
        assert_eq!(of(all_reduce_max(comm, Ties::First, &x)), 4.0);
        assert_eq!(of(all_reduce_min(comm, Ties::First, &x)), 1.0);
        assert_eq!(of(all_reduce_prod(comm, &x)), 32.0);
    }
}

fn n33_shapes_are_looked_at(process: &Process) {
    let comm = process.world();
    let n = comm.size();
    let length = |y: Result<Vec<f64>, CommError>| y.map(|y| y.len());
    let (x, many) = ([1.0; 10], vec![1.0; 10 * n]);
    assert_eq!(length(all_reduce(comm, &x)), Ok(10));
    assert_eq!(length(permute(comm, &[], &x)), Ok(10));
    assert_eq!(length(all_gather(comm, &x)), Ok(10 * n));
    assert_eq!(length(reduce_scatter(comm, &many)), Ok(10));
    assert_eq!(length(all_to_all(comm, &many)), Ok(10 * n));
    if n == 4 {
        let not = CommError::NotDivisible {
            length: 10,
            ranks: 4,
        };
        assert_eq!(reduce_scatter(comm, &x), Err(not));
    }
}

/// `√Σ xᵢ²` over all entries of all ranks: by differentiating its sum it would be 0/0 at the origin. The transpose of a value that
/// all ranks use sums their cotangents.
#[primitive]
fn norm_of_all(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let own: f64 = x.iter().map(|x| x * x).sum();
    Ok(all_reduce(comm, &[own])?[0].sqrt())
}

/// `x/y`, and zero at the origin.
fn direction(x: &[f64], y: f64) -> Vec<f64> {
    let scale = if y > 0.0 { 1.0 / y } else { 0.0 };
    x.iter().map(|x| scale * x).collect()
}

impl<R, C, X, const W: usize> ForwardRule<R, (C, X), W> for norm_of_all
where
    R: ForwardReturn<W, Out = Result<f64, CommError>>,
    C: ForwardArg<Comm, W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, x): (&mut C, &mut X),
    ) -> Result<R::Forward, CommError> {
        let y = norm_of_all(c.primal(), x.primal())?;
        let along = direction(x.primal(), y);
        let mut tangents = [0.0; W];
        for (lane, dy) in tangents.iter_mut().enumerate() {
            if let Some(dx) = x.tangent(lane) {
                let own: f64 = along.iter().zip(dx).map(|(a, dx)| a * dx).sum();
                *dy = all_reduce(c.primal(), &[own])?[0];
            }
        }
        Ok(R::forward(config, || y, |lane| tangents[lane]))
    }
}

impl<R, C, X, const W: usize> ReverseRule<R, (C, X), W> for norm_of_all
where
    R: ReverseReturn<W, Out = Result<f64, CommError>>,
    C: ReverseArg<Comm, W>,
    X: ReverseArg<[f64], W>,
{
    /// The direction of this rank's part.
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, x): (&mut C, &mut X),
    ) -> Result<Augmented<R, Vec<f64>, W>, CommError> {
        let y = norm_of_all(c.primal(), x.primal())?;
        let along = direction(x.primal(), y);
        Ok(R::augmented(config, y, along))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        along: Vec<f64>,
        (c, x): (&mut C, &mut X),
    ) -> (C::Gradient, X::Gradient) {
        let dx = x.accumulate(|lane, _, mut dx| {
            if let Some(dy) = dret.lane(lane) {
                let sum = all_reduce(c.primal(), &[*dy]).expect("sent back")[0];
                let back: Vec<f64> = along.iter().map(|a| sum * a).collect();
                dx.add(&back);
            }
        });
        (c.no_gradient(), dx)
    }
}

#[differentiable]
fn weighed(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let norm = norm_of_all(comm, x)?;
    Ok(norm * x[0] * x[0])
}

fn m30_a_collective_of_ones_own(process: &Process) {
    let comm = process.world();
    let mut random = Random::new(97, comm.rank());
    let x = random.vector(2);
    let mut dx = vec![0.0; 2];
    autodiff!(Reverse, weighed, Const(comm), Duplicated(&x, &mut dx)).expect("sent");
    // y·x₀², by hand
    let squares = [x[0] * x[0] + x[1] * x[1], x[0] * x[0]];
    let all = all_reduce(comm, &squares).expect("sent");
    let norm = all[0].sqrt();
    let expected = [
        2.0 * norm * x[0] + all[1] * x[0] / norm,
        all[1] * x[1] / norm,
    ];
    assert_close("weighed", &dx, &expected, 1e-14);
    let (dv,) = autodiff!(Forward, weighed, Const(comm), Duplicated(&x, &dx)).expect("sent");
    let sums = all_reduce(comm, &[dv, dx[0] * dx[0] + dx[1] * dx[1]]).expect("sent");
    assert_close("weighed, forward", &sums[..1], &sums[1..], 1e-13);
}
