//! Messages that are begun at one place and ended at another, with work in between; what waits for them, and for sums.

use std::fmt;
use std::marker::PhantomData;

use coenzyme::{
    Annotation, Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Holds, Lanes,
    Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Tangent, primitive,
};

use super::begun::Begun;
use super::point_to_point::route;
use crate::comm::Received;
use crate::given::{Given, is};
use crate::point::point;
use crate::rule::{lenient, sent_back};
use crate::transport::Channel;
use crate::{Comm, CommError, Element, Ranked};

/// A message or a sum on its way, until [`wait()`]. Two messages of one sender and one tag are waited for in the order in which they were begun.
#[must_use = "a message is received, and a sum ended, by `wait`"]
pub struct Request<T = f64>(Message, PhantomData<fn() -> T>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Message {
    /// Its data have been copied: nothing is left to be done.
    Sent,
    /// From a rank, with a tag and a length.
    Expected(usize, i32, usize),
    /// The sum of what all ranks have.
    Sum(Begun),
}

impl<T> Request<T> {
    fn new(message: Message) -> Self {
        Self(message, PhantomData)
    }

    pub(super) fn of_sum(begun: Begun) -> Self {
        Self::new(Message::Sum(begun))
    }
}

impl<T> Clone for Request<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Request<T> {}

impl<T> fmt::Debug for Request<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Request").field(&self.0).finish()
    }
}

impl<T> PartialEq for Request<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

point!([T] Request<T>);
coenzyme::__plain_outcome! { [T] Request<T> }

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
pub fn isend<T: Element, K: Ranked>(
    comm: &K,
    to: usize,
    tag: i32,
    x: &[T],
) -> Result<Request<T>, CommError> {
    comm.comm()
        .start(route(Channel::Primal, to, tag), false, x)?;
    Ok(Request::new(Message::Sent))
}

/// Begins to receive `length` numbers `f64` from rank `from`; others by [`irecv_like()`].
///
/// # Errors
/// [`CommError::NoRank`] and [`CommError::Tag`]; others where it is waited for.
#[coenzyme::inactive]
pub fn irecv<K: Ranked>(
    comm: &K,
    from: usize,
    tag: i32,
    length: usize,
) -> Result<Request, CommError> {
    comm.comm()
        .leads_somewhere(route(Channel::Primal, from, tag))?;
    Ok(Request::new(Message::Expected(from, tag, length)))
}

/// Begins to receive as many numbers as `like` has, and of its kind, from rank `from`.
///
/// # Errors
/// As [`irecv()`].
#[coenzyme::inactive]
pub fn irecv_like<T: Element, K: Ranked>(
    comm: &K,
    from: usize,
    tag: i32,
    like: &[T],
) -> Result<Request<T>, CommError> {
    comm.comm()
        .leads_somewhere(route(Channel::Primal, from, tag))?;
    Ok(Request::new(Message::Expected(from, tag, like.len())))
}

/// Waits for a message: what [`irecv()`] was to receive, nothing for [`isend()`]; or for the sum of [`iall_reduce()`](super::iall_reduce()).
///
/// In reverse mode the cotangent is sent here, and waits for nobody.
///
/// # Errors
/// As [`recv`](super::recv()).
#[primitive]
pub fn wait<T: Element, K: Ranked>(comm: &K, request: &Request<T>) -> Received<T> {
    received(comm.comm(), *request).map(|(y, _)| y)
}

/// What was waited for, and whether it is active.
fn received<T: Element>(comm: &Comm, request: Request<T>) -> Result<(Vec<T>, bool), CommError> {
    match request.0 {
        Message::Sent => Ok((Vec::new(), false)),
        Message::Expected(from, tag, length) => {
            comm.recv(route(Channel::Primal, from, tag), length)
        }
        Message::Sum(begun) => Ok((begun.end(comm, Channel::Primal)?, begun.active)),
    }
}

lenient! {
    isend[T: Element, C: Memory<Target = K>, K: Given + ?Sized, P: Holds<usize>, G: Holds<i32>](
        comm: C, to: P, tag: G, [x: [T]]
    ) -> Result<Request<T>, CommError>,
    {
        comm.memory().over().start(route(Channel::Primal, *to.get(), *tag.get()), false, x)?;
        Ok(Request::new(Message::Sent))
    }
}

impl<R, C, K, P, G, X, M, T, const W: usize> ForwardRule<R, (C, P, G, X), W> for isend
where
    T: Element,
    R: ForwardReturn<W, Out = Result<Request<T>, CommError>>,
    K: Given + ?Sized,
    C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    P: ForwardArg<usize, W>,
    G: ForwardArg<i32, W>,
    M: Given<Number = T> + ?Sized,
    X: ForwardArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, to, tag, x): (&mut C, &mut P, &mut G, &mut X),
    ) -> Result<R::Forward, CommError> {
        const { is::<[T], M>() };
        let (comm, to, tag) = (c.primal().over(), *to.primal(), *tag.primal());
        comm.start(
            route(Channel::Primal, to, tag),
            x.is_active(),
            x.primal().numbers(),
        )?;
        for lane in 0..W {
            if let Some(dx) = x.tangent(lane).map(M::numbers) {
                comm.start(route(Channel::Tangent, to, tag), true, dx)?;
            }
        }
        let sent = || Request::new(Message::Sent);
        Ok(R::forward(config, sent, |_| sent()))
    }
}

impl<R, C, K, P, G, X, M, T, const W: usize> ReverseRule<R, (C, P, G, X), W> for isend
where
    T: Element,
    R: ReverseReturn<W, Out = Result<Request<T>, CommError>>,
    K: Given + ?Sized,
    C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    P: ReverseArg<usize, W>,
    G: ReverseArg<i32, W>,
    M: Given<Number = T> + ?Sized,
    X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, to, tag, x): (&mut C, &mut P, &mut G, &mut X),
    ) -> Result<Augmented<R, (), W>, CommError> {
        const { is::<[T], M>() };
        let route = route(Channel::Primal, *to.primal(), *tag.primal());
        c.primal()
            .over()
            .start(route, x.is_active(), x.primal().numbers())?;
        Ok(R::augmented(config, Request::new(Message::Sent), ()))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        (): (),
        (c, to, tag, x): (&mut C, &mut P, &mut G, &mut X),
    ) -> (C::Gradient, P::Gradient, G::Gradient, X::Gradient) {
        let route = route(Channel::Adjoint, *to.primal(), *tag.primal());
        let dx = x.accumulate(|_, x, mut dx| {
            let (dy, _) = sent_back(c.primal().over().recv(route, x.numbers().len()));
            dx.add(Tangent::target(&M::mark(dy)));
        });
        (c.no_gradient(), to.no_gradient(), tag.no_gradient(), dx)
    }
}

impl<R, C, K, Q, T, const W: usize> ForwardRule<R, (C, Q), W> for wait
where
    T: Element,
    R: ForwardReturn<W, Out = Received<T>>,
    K: Given + ?Sized,
    C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    Q: ForwardArg<Request<T>, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, request): (&mut C, &mut Q),
    ) -> Result<R::Forward, CommError> {
        let (comm, request) = (c.primal().over(), *request.primal());
        let (y, sent) = received(comm, request)?;
        let mut tangents = vec![vec![T::zero(); y.len()]; W];
        for dy in tangents.iter_mut().filter(|_| sent) {
            match request.0 {
                Message::Sent => {}
                Message::Expected(from, tag, _) => {
                    (*dy, _) = comm.recv(route(Channel::Tangent, from, tag), y.len())?;
                }
                Message::Sum(begun) => *dy = begun.end(comm, Channel::Tangent)?,
            }
        }
        let tangent = |lane: usize| std::mem::take(&mut tangents[lane]);
        Ok(R::forward(config, || y, tangent))
    }
}

impl<R, C, K, Q, T, const W: usize> ReverseRule<R, (C, Q), W> for wait
where
    T: Element,
    R: ReverseReturn<W, Out = Received<T>>,
    K: Given + ?Sized,
    C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    Q: ReverseArg<Request<T>, W>,
{
    /// The length of what somebody wants a cotangent of.
    type Tape = Option<usize>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, request): (&mut C, &mut Q),
    ) -> Result<Augmented<R, Option<usize>, W>, CommError> {
        let (y, wanted) = received(c.primal().over(), *request.primal())?;
        let wanted = wanted.then_some(y.len());
        Ok(R::augmented(config, y, wanted))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        wanted: Option<usize>,
        (c, request): (&mut C, &mut Q),
    ) -> (C::Gradient, Q::Gradient) {
        let (comm, zeros) = (c.primal().over(), vec![T::zero(); wanted.unwrap_or(0)]);
        for lane in 0..if wanted.is_some() { W } else { 0 } {
            let dy = dret.lane(lane).unwrap_or(&zeros);
            sent_back(match request.primal().0 {
                Message::Sent => Ok(()),
                Message::Expected(from, tag, _) => {
                    comm.start(route(Channel::Adjoint, from, tag), true, dy)
                }
                Message::Sum(begun) => begun.begin(comm, Channel::Adjoint, dy),
            });
        }
        (c.no_gradient(), request.no_gradient())
    }
}
