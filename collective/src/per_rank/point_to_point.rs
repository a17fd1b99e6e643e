//! Messages between two ranks.

use coenzyme::{
    Augmented, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, ReverseArg,
    ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, primitive,
};

use super::linear::sent_back;
use crate::transport::{Channel, Route};
use crate::{Comm, CommError};

/// Sends `x` to rank `to`, which receives it with [`recv()`] and the same tag.
///
/// In reverse mode the cotangent comes back: `x̄ += ȳ`, where the other rank's [`recv()`] stood. A message says whether its sender is
/// active; for a sender that is not nothing comes back.
///
/// On threads it returns at once; MPI may wait until the message is received. The reverse pass makes the calls in exactly reversed
/// order: it waits for nothing that the program does not wait for.
///
/// # Errors
/// As [`CommError`] says; [`CommError::Tag`] for a negative tag. Tags up to 32765 are there on every MPI.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_collective::per_rank::{recv, send};
/// use coenzyme_collective::{Comm, CommError, LocalMesh};
///
/// /// Half the square of what the rank before has.
/// #[differentiable]
/// fn energy(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
///     let (n, me) = (comm.size(), comm.rank());
///     send(comm, (me + 1) % n, 0, x)?;
///     let mut y = [0.0];
///     recv(comm, (me + n - 1) % n, 0, &mut y)?;
///     Ok(0.5 * y[0] * y[0])
/// }
///
/// let gradients = LocalMesh::of(3).run(|process| {
///     let x = [10.0 + process.rank() as f64];
///     let mut dx = [0.0];
///     autodiff!(Reverse, energy, Const(process.world()), Duplicated(&x, &mut dx))?;
///     Ok::<_, CommError>(dx)
/// })?;
/// assert_eq!(gradients, [[10.0], [11.0], [12.0]]);
/// # Ok::<(), CommError>(())
/// ```
#[primitive]
pub fn send(comm: &Comm, to: usize, tag: i32, x: &[f64]) -> Result<(), CommError> {
    comm.send(route(Channel::Primal, to, tag), false, x)
}

pub(super) fn route(channel: Channel, peer: usize, tag: i32) -> Route {
    Route { channel, peer, tag }
}

impl<R, C, T, G, X, const W: usize> ForwardRule<R, (C, T, G, X), W> for send
where
    R: ForwardReturn<W, Out = Result<(), CommError>>,
    C: ForwardArg<Comm, W>,
    T: ForwardArg<usize, W>,
    G: ForwardArg<i32, W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, to, tag, x): (&mut C, &mut T, &mut G, &mut X),
    ) -> Result<R::Forward, CommError> {
        let (comm, to, tag) = (c.primal(), *to.primal(), *tag.primal());
        comm.send(route(Channel::Primal, to, tag), x.is_active(), x.primal())?;
        for lane in 0..W {
            if let Some(dx) = x.tangent(lane) {
                comm.send(route(Channel::Tangent, to, tag), true, dx)?;
            }
        }
        Ok(R::forward(config, || (), |_| ()))
    }
}

impl<R, C, T, G, X, const W: usize> ReverseRule<R, (C, T, G, X), W> for send
where
    R: ReverseReturn<W, Out = Result<(), CommError>>,
    C: ReverseArg<Comm, W>,
    T: ReverseArg<usize, W>,
    G: ReverseArg<i32, W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, to, tag, x): (&mut C, &mut T, &mut G, &mut X),
    ) -> Result<Augmented<R, (), W>, CommError> {
        let route = route(Channel::Primal, *to.primal(), *tag.primal());
        c.primal().send(route, x.is_active(), x.primal())?;
        Ok(R::augmented(config, (), ()))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        (): (),
        (c, to, tag, x): (&mut C, &mut T, &mut G, &mut X),
    ) -> (C::Gradient, T::Gradient, G::Gradient, X::Gradient) {
        let route = route(Channel::Adjoint, *to.primal(), *tag.primal());
        let dx = x.accumulate(|_, x, mut dx| {
            let mut dy = vec![0.0; x.len()];
            sent_back(c.primal().recv(route, &mut dy));
            dx.add(&dy);
        });
        (c.no_gradient(), to.no_gradient(), tag.no_gradient(), dx)
    }
}

/// Receives `y` from rank `from`, which sends it with [`send()`] and the same tag.
///
/// In reverse mode the cotangent of `y` goes back, and is zero afterwards.
///
/// # Errors
/// As [`CommError`] says; [`CommError::Lengths`] if what comes is not as long as `y`, which is then as it was.
#[primitive]
pub fn recv(comm: &Comm, from: usize, tag: i32, y: &mut [f64]) -> Result<(), CommError> {
    comm.recv(route(Channel::Primal, from, tag), y).map(|_| ())
}

impl<R, C, F, G, Y, const W: usize> ForwardRule<R, (C, F, G, Y), W> for recv
where
    R: ForwardReturn<W, Out = Result<(), CommError>>,
    C: ForwardArg<Comm, W>,
    F: ForwardArg<usize, W>,
    G: ForwardArg<i32, W>,
    Y: ForwardArgMut<[f64], W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, from, tag, y): (&mut C, &mut F, &mut G, &mut Y),
    ) -> Result<R::Forward, CommError> {
        let (comm, from, tag) = (c.primal(), *from.primal(), *tag.primal());
        let sent = comm.recv(route(Channel::Primal, from, tag), y.primal_mut())?;
        let mut tangents = vec![vec![0.0; y.primal().len()]; W];
        if sent {
            for dy in &mut tangents {
                comm.recv(route(Channel::Tangent, from, tag), dy)?;
            }
        }
        y.assign(|lane, _, dy| dy.copy_from_slice(&tangents[lane]));
        Ok(R::forward(config, || (), |_| ()))
    }
}

impl<R, C, F, G, Y, const W: usize> ReverseRule<R, (C, F, G, Y), W> for recv
where
    R: ReverseReturn<W, Out = Result<(), CommError>>,
    C: ReverseArg<Comm, W>,
    F: ReverseArg<usize, W>,
    G: ReverseArg<i32, W>,
    Y: ReverseArgMut<[f64], W>,
{
    /// Whether the sender waits for a cotangent.
    type Tape = bool;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, from, tag, y): (&mut C, &mut F, &mut G, &mut Y),
    ) -> Result<Augmented<R, bool, W>, CommError> {
        let route = route(Channel::Primal, *from.primal(), *tag.primal());
        let wanted = c.primal().recv(route, y.primal_mut())?;
        Ok(R::augmented(config, (), wanted))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        wanted: bool,
        (c, from, tag, y): (&mut C, &mut F, &mut G, &mut Y),
    ) -> (C::Gradient, F::Gradient, G::Gradient, Y::Gradient) {
        let route = route(Channel::Adjoint, *from.primal(), *tag.primal());
        for lane in 0..if wanted { W } else { 0 } {
            let zero = y
                .cotangent(lane)
                .is_none()
                .then(|| vec![0.0; y.primal().len()]);
            let dy = y.cotangent(lane).or(zero.as_deref());
            sent_back(
                c.primal()
                    .send(route, true, dy.expect("one of the two is there")),
            );
        }
        (
            c.no_gradient(),
            from.no_gradient(),
            tag.no_gradient(),
            y.consume(),
        )
    }
}
