//! Messages that are begun at one place and ended at another, with work in between.

use coenzyme::{
    Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, primitive,
};

use super::linear::sent_back;
use super::point_to_point::route;
use crate::comm::Received;
use crate::point::point;
use crate::transport::Channel;
use crate::{Comm, CommError};

/// A message on its way, until [`wait()`]. Two of one sender and one tag are waited for in the order in which they were begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a message is received by `wait`"]
pub struct Request(Message);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    /// Its data have been copied: nothing is left to be done.
    Sent,
    /// From a rank, with a tag and a length.
    Expected(usize, i32, usize),
}

point!([] Request);
coenzyme::__plain_outcome! { [] Request }

/// Begins to send a copy of `x` to rank `to`, and waits for nobody.
///
/// In reverse mode the cotangent is received here, after it was sent where the other rank waits.
///
/// # Errors
/// As [`send`](super::send()).
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_collective::per_rank::{irecv, isend, wait};
/// use coenzyme_collective::{Comm, CommError, LocalMesh};
///
/// #[differentiable]
/// fn energy(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
///     let (n, me) = (comm.size(), comm.rank());
///     let theirs = irecv(comm, (me + n - 1) % n, 0, x.len())?;
///     let mine = isend(comm, (me + 1) % n, 0, x)?;
///     let inside = x[0] * x[0]; // while the messages are on their way
///     let y = wait(comm, &theirs)?;
///     wait(comm, &mine)?;
///     Ok(inside + y[0] * x[0])
/// }
///
/// let gradients = LocalMesh::of(3).run(|process| {
///     let x = [10.0 + process.rank() as f64];
///     let mut dx = [0.0];
///     autodiff!(Reverse, energy, Const(process.world()), Duplicated(&x, &mut dx))?;
///     Ok::<_, CommError>(dx)
/// })?;
/// // 2·x, and both neighbours
/// assert_eq!(gradients, [[20.0 + 23.0], [22.0 + 22.0], [24.0 + 21.0]]);
/// # Ok::<(), CommError>(())
/// ```
#[primitive]
pub fn isend(comm: &Comm, to: usize, tag: i32, x: &[f64]) -> Result<Request, CommError> {
    comm.start(route(Channel::Primal, to, tag), false, x)?;
    Ok(Request(Message::Sent))
}

/// Begins to receive `length` entries from rank `from`.
///
/// # Errors
/// [`CommError::NoRank`] and [`CommError::Tag`]; others where it is waited for.
#[coenzyme::inactive]
pub fn irecv(comm: &Comm, from: usize, tag: i32, length: usize) -> Result<Request, CommError> {
    comm.leads_somewhere(route(Channel::Primal, from, tag))?;
    Ok(Request(Message::Expected(from, tag, length)))
}

/// Waits for a message: what [`irecv()`] was to receive, nothing for [`isend()`].
///
/// In reverse mode the cotangent is sent here, and waits for nobody.
///
/// # Errors
/// As [`recv`](super::recv()).
#[primitive]
pub fn wait(comm: &Comm, request: &Request) -> Received {
    received(comm, *request).map(|(y, _)| y)
}

/// What was waited for, and whether its sender is active.
fn received(comm: &Comm, request: Request) -> Result<(Vec<f64>, bool), CommError> {
    let Message::Expected(from, tag, length) = request.0 else {
        return Ok((Vec::new(), false));
    };
    let mut y = vec![0.0; length];
    let flag = comm.recv(route(Channel::Primal, from, tag), &mut y)?;
    Ok((y, flag))
}

impl<R, C, T, G, X, const W: usize> ForwardRule<R, (C, T, G, X), W> for isend
where
    R: ForwardReturn<W, Out = Result<Request, CommError>>,
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
        comm.start(route(Channel::Primal, to, tag), x.is_active(), x.primal())?;
        for lane in 0..W {
            if let Some(dx) = x.tangent(lane) {
                comm.start(route(Channel::Tangent, to, tag), true, dx)?;
            }
        }
        let sent = || Request(Message::Sent);
        Ok(R::forward(config, sent, |_| sent()))
    }
}

impl<R, C, T, G, X, const W: usize> ReverseRule<R, (C, T, G, X), W> for isend
where
    R: ReverseReturn<W, Out = Result<Request, CommError>>,
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
        c.primal().start(route, x.is_active(), x.primal())?;
        Ok(R::augmented(config, Request(Message::Sent), ()))
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

impl<R, C, Q, const W: usize> ForwardRule<R, (C, Q), W> for wait
where
    R: ForwardReturn<W, Out = Received>,
    C: ForwardArg<Comm, W>,
    Q: ForwardArg<Request, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, request): (&mut C, &mut Q),
    ) -> Result<R::Forward, CommError> {
        let (comm, request) = (c.primal(), *request.primal());
        let (y, sent) = received(comm, request)?;
        let mut tangents = vec![vec![0.0; y.len()]; W];
        if let (true, Message::Expected(from, tag, _)) = (sent, request.0) {
            for dy in &mut tangents {
                comm.recv(route(Channel::Tangent, from, tag), dy)?;
            }
        }
        let tangent = |lane: usize| std::mem::take(&mut tangents[lane]);
        Ok(R::forward(config, || y, tangent))
    }
}

impl<R, C, Q, const W: usize> ReverseRule<R, (C, Q), W> for wait
where
    R: ReverseReturn<W, Out = Received>,
    C: ReverseArg<Comm, W>,
    Q: ReverseArg<Request, W>,
{
    /// Whether the sender waits for a cotangent.
    type Tape = bool;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, request): (&mut C, &mut Q),
    ) -> Result<Augmented<R, bool, W>, CommError> {
        let (y, wanted) = received(c.primal(), *request.primal())?;
        Ok(R::augmented(config, y, wanted))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        wanted: bool,
        (c, request): (&mut C, &mut Q),
    ) -> (C::Gradient, Q::Gradient) {
        if let (true, Message::Expected(from, tag, length)) = (wanted, request.primal().0) {
            let zeros = vec![0.0; length];
            for lane in 0..W {
                let dy = dret.lane(lane).unwrap_or(&zeros);
                sent_back(
                    c.primal()
                        .start(route(Channel::Adjoint, from, tag), true, dy),
                );
            }
        }
        (c.no_gradient(), request.no_gradient())
    }
}
