//! Sums that are begun at one place and ended at another, with work in between.
//!
//! Where a sum begins each rank sends every other its block of the terms; where it ends each adds its own block, in the order of ranks, and
//! sends the others the sum of it: as many messages and bytes as a ring, and the same bits as [`all_reduce`](super::all_reduce()) on threads.

use coenzyme::{
    Annotation, Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Memory,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Tangent,
};

use super::requests::Request;
use crate::comm::Received;
use crate::given::{Given, is};
use crate::local::shares;
use crate::rule::{lenient, sent_back};
use crate::transport::{Channel, Route};
use crate::{Comm, CommError, Element, Ranked};

/// A sum on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Begun {
    /// Its number on this communicator.
    number: i32,
    length: usize,
    /// Whether there are tangents and cotangents of it.
    pub(super) active: bool,
}

/// What a message of a sum is.
#[derive(Clone, Copy)]
enum Part {
    Term,
    Sum,
}

impl Begun {
    fn new<T: Element>(comm: &Comm, active: bool, x: &[T]) -> Result<Self, CommError> {
        let (number, length) = (comm.next_sum(), x.len());
        let begun = Self {
            number,
            length,
            active,
        };
        begun.begin(comm, Channel::Primal, x)?;
        Ok(begun)
    }

    /// Sends each rank, this one too, its block of the terms.
    pub(super) fn begin<T: Element>(
        self,
        comm: &Comm,
        pass: Channel,
        x: &[T],
    ) -> Result<(), CommError> {
        let mut rest = x;
        for (rank, count) in shares(self.length, comm.size()).into_iter().enumerate() {
            let (block, after) = rest.split_at(count);
            comm.start(self.route(pass, rank, Part::Term), self.active, block)?;
            rest = after;
        }
        Ok(())
    }

    /// Adds the terms of this rank's block, and exchanges the blocks.
    pub(super) fn end<T: Element>(self, comm: &Comm, pass: Channel) -> Received<T> {
        let counts = shares(self.length, comm.size());
        let (me, mut sum) = (comm.rank(), Vec::new());
        for rank in 0..comm.size() {
            let from = self.route(pass, rank, Part::Term);
            let (term, active) = self.recv(comm, from, counts[me])?;
            if active != self.active {
                let say = |active| if active { "active" } else { "inactive" };
                let calls = [self.active, active].map(|a| say(a).to_owned() + " iall_reduce");
                let ranks = [me, rank].map(|rank| comm.in_world(rank));
                return Err(CommError::Mismatch { ranks, calls });
            }
            match rank {
                0 => sum = term,
                _ => sum
                    .iter_mut()
                    .zip(term)
                    .for_each(|(sum, term)| *sum += term),
            }
        }
        for rank in (0..comm.size()).filter(|rank| *rank != me) {
            comm.start(self.route(pass, rank, Part::Sum), self.active, &sum)?;
        }
        let mut y = Vec::with_capacity(self.length);
        for (rank, count) in counts.into_iter().enumerate() {
            match rank == me {
                true => y.extend_from_slice(&sum),
                false => y.extend(
                    self.recv::<T>(comm, self.route(pass, rank, Part::Sum), count)?
                        .0,
                ),
            }
        }
        Ok(y)
    }

    /// A part, or an error that names the sum.
    fn recv<T: Element>(
        self,
        comm: &Comm,
        from: Route,
        length: usize,
    ) -> Result<(Vec<T>, bool), CommError> {
        let named = format!("iall_reduce(length {})", self.length);
        comm.recv(from, length).map_err(|why| why.in_call(named))
    }

    /// Numbers, passes and parts are told apart by tags: below 30000, as every MPI has them.
    fn route(self, pass: Channel, peer: usize, part: Part) -> Route {
        let pass = match pass {
            Channel::Primal | Channel::Sums => 0,
            Channel::Tangent => 1,
            Channel::Adjoint => 2,
        };
        Route {
            channel: Channel::Sums,
            peer,
            tag: self.number % 5000 * 6 + pass * 2 + part as i32,
        }
    }
}

/// Begins to sum `x` over all ranks, and waits for nobody: [`wait()`](super::wait()) gives `Σ xᵣ`, as [`all_reduce()`](super::all_reduce())
/// does, with work in between.
///
/// All ranks begin their sums in one order, and wait for them in one order, which may be another. In reverse mode the sum of the cotangents
/// begins where the program waits, and is waited for here. Ranks of which some differentiate the call and some do not get an error where
/// they wait.
///
/// # Errors
/// As [`CommError`] says; also where it is waited for.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_collective::per_rank::{iall_reduce, wait};
/// use coenzyme_collective::{Comm, CommError, LocalMesh};
///
/// /// The share of a rank in `½·(Σ xᵣ)² + Σ xᵣ³`.
/// #[differentiable]
/// fn share(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
///     let begun = iall_reduce(comm, x)?;
///     let cube = x[0] * x[0] * x[0]; // while the terms are on their way
///     let total = wait(comm, &begun)?;
///     Ok(0.5 * x[0] * total[0] + cube)
/// }
///
/// let gradients = LocalMesh::of(4).run(|process| {
///     let x = [process.rank() as f64];
///     let mut dx = [0.0];
///     autodiff!(Reverse, share, Const(process.world()), Duplicated(&x, &mut dx))?;
///     Ok::<_, CommError>(dx)
/// })?;
/// // Σ xᵣ = 6, and 3·x²
/// assert_eq!(gradients, [[6.0], [9.0], [18.0], [33.0]]);
/// # Ok::<(), CommError>(())
/// ```
pub fn iall_reduce<T: Element, K: Ranked>(comm: &K, x: &[T]) -> Result<Request<T>, CommError> {
    Begun::new(comm.comm(), false, x).map(Request::of_sum)
}

lenient! {
    iall_reduce[T: Element, C: Memory<Target = K>, K: Given + ?Sized](comm: C, [x: [T]]) -> Result<Request<T>, CommError>,
    Begun::new(comm.memory().over(), false, x).map(Request::of_sum)
}

impl<R, C, K, X, M, T, const W: usize> ForwardRule<R, (C, X), W> for iall_reduce
where
    T: Element,
    R: ForwardReturn<W, Out = Result<Request<T>, CommError>>,
    K: Given + ?Sized,
    C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    M: Given<Number = T> + ?Sized,
    X: ForwardArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, x): (&mut C, &mut X),
    ) -> Result<R::Forward, CommError> {
        const { is::<[T], M>() };
        let begun = Begun::new(c.primal().over(), x.is_active(), x.primal().numbers())?;
        for lane in 0..W {
            if let Some(dx) = x.tangent(lane).map(M::numbers) {
                begun.begin(c.primal().over(), Channel::Tangent, dx)?;
            }
        }
        let request = || Request::of_sum(begun);
        Ok(R::forward(config, request, |_| request()))
    }
}

impl<R, C, K, X, M, T, const W: usize> ReverseRule<R, (C, X), W> for iall_reduce
where
    T: Element,
    R: ReverseReturn<W, Out = Result<Request<T>, CommError>>,
    K: Given + ?Sized,
    C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    M: Given<Number = T> + ?Sized,
    X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    /// Which sum.
    type Tape = i32;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, x): (&mut C, &mut X),
    ) -> Result<Augmented<R, i32, W>, CommError> {
        const { is::<[T], M>() };
        let begun = Begun::new(c.primal().over(), x.is_active(), x.primal().numbers())?;
        Ok(R::augmented(config, Request::of_sum(begun), begun.number))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        number: i32,
        (c, x): (&mut C, &mut X),
    ) -> (C::Gradient, X::Gradient) {
        let dx = x.accumulate(|_, x, mut dx| {
            let begun = Begun {
                number,
                length: x.numbers().len(),
                active: true,
            };
            let dy = sent_back(begun.end::<T>(c.primal().over(), Channel::Adjoint));
            dx.add(Tangent::target(&M::mark(dy)));
        });
        (c.no_gradient(), dx)
    }
}
