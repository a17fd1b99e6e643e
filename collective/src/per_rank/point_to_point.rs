//! Messages between two ranks.

use coenzyme::{
    Annotation, Augmented, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Holds, Memory, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, Tangent,
    primitive,
};

use crate::given::{Given, is};
use crate::rule::{lenient, sent_back};
use crate::transport::{Channel, Route};
use crate::{CommError, Element, Ranked};

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
pub fn send<T: Element, K: Ranked>(
    comm: &K,
    to: usize,
    tag: i32,
    x: &[T],
) -> Result<(), CommError> {
    comm.comm().send(route(Channel::Primal, to, tag), false, x)
}

pub(super) fn route(channel: Channel, peer: usize, tag: i32) -> Route {
    Route { channel, peer, tag }
}

lenient! {
    send[T: Element, C: Memory<Target = K>, K: Given + ?Sized, P: Holds<usize>, G: Holds<i32>](
        comm: C, to: P, tag: G, [x: [T]]
    ) -> Result<(), CommError>,
    comm.memory().over().send(route(Channel::Primal, *to.get(), *tag.get()), false, x)
}

impl<R, C, K, P, G, X, M, T, const W: usize> ForwardRule<R, (C, P, G, X), W> for send
where
    T: Element,
    R: ForwardReturn<W, Out = Result<(), CommError>>,
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
        comm.send(
            route(Channel::Primal, to, tag),
            x.is_active(),
            x.primal().numbers(),
        )?;
        for lane in 0..W {
            if let Some(dx) = x.tangent(lane).map(M::numbers) {
                comm.send(route(Channel::Tangent, to, tag), true, dx)?;
            }
        }
        Ok(R::forward(config, || (), |_| ()))
    }
}

impl<R, C, K, P, G, X, M, T, const W: usize> ReverseRule<R, (C, P, G, X), W> for send
where
    T: Element,
    R: ReverseReturn<W, Out = Result<(), CommError>>,
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
            .send(route, x.is_active(), x.primal().numbers())?;
        Ok(R::augmented(config, (), ()))
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

/// Receives `y` from rank `from`, which sends it with [`send()`] and the same tag.
///
/// In reverse mode the cotangent of `y` goes back, and is zero afterwards.
///
/// # Errors
/// As [`CommError`] says; [`CommError::Lengths`] if what comes is not as long as `y`, which is then as it was.
#[primitive]
pub fn recv<T: Element, K: Ranked>(
    comm: &K,
    from: usize,
    tag: i32,
    y: &mut [T],
) -> Result<(), CommError> {
    let (received, _) = comm
        .comm()
        .recv(route(Channel::Primal, from, tag), y.len())?;
    y.copy_from_slice(&received);
    Ok(())
}

impl<R, C, K, F, G, Y, T, const W: usize> ForwardRule<R, (C, F, G, Y), W> for recv
where
    T: Element,
    R: ForwardReturn<W, Out = Result<(), CommError>>,
    K: Given + ?Sized,
    C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    F: ForwardArg<usize, W>,
    G: ForwardArg<i32, W>,
    Y: ForwardArgMut<[T], W> + Annotation<Primal: Memory<Target = [T]>>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (c, from, tag, y): (&mut C, &mut F, &mut G, &mut Y),
    ) -> Result<R::Forward, CommError> {
        let (comm, from, tag) = (c.primal().over(), *from.primal(), *tag.primal());
        let length = y.primal().len();
        let (value, sent) = comm.recv(route(Channel::Primal, from, tag), length)?;
        let mut tangents = vec![vec![T::zero(); length]; W];
        if sent {
            for dy in &mut tangents {
                (*dy, _) = comm.recv(route(Channel::Tangent, from, tag), length)?;
            }
        }
        y.primal_mut().copy_from_slice(&value);
        y.assign(|lane, _, dy| dy.copy_from_slice(&tangents[lane]));
        Ok(R::forward(config, || (), |_| ()))
    }
}

impl<R, C, K, F, G, Y, T, const W: usize> ReverseRule<R, (C, F, G, Y), W> for recv
where
    T: Element,
    R: ReverseReturn<W, Out = Result<(), CommError>>,
    K: Given + ?Sized,
    C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
    F: ReverseArg<usize, W>,
    G: ReverseArg<i32, W>,
    Y: ReverseArgMut<[T], W> + Annotation<Primal: Memory<Target = [T]>>,
{
    /// Whether the sender waits for a cotangent.
    type Tape = bool;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (c, from, tag, y): (&mut C, &mut F, &mut G, &mut Y),
    ) -> Result<Augmented<R, bool, W>, CommError> {
        let route = route(Channel::Primal, *from.primal(), *tag.primal());
        let (value, wanted) = c.primal().over().recv(route, y.primal().len())?;
        y.primal_mut().copy_from_slice(&value);
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
                .then(|| vec![T::zero(); y.primal().len()]);
            let dy = y.cotangent(lane).or(zero.as_deref());
            sent_back(
                c.primal()
                    .over()
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
