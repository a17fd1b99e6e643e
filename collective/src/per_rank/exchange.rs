//! Sending and receiving at once.

use std::array::from_fn;

use coenzyme::{
    Annotation, Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Holds, Lanes,
    Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Tangent,
};

use super::point_to_point::route;
use crate::comm::Received;
use crate::given::{Given, is};
use crate::rule::{lenient, sent_back};
use crate::transport::Channel;
use crate::{Comm, CommError, Element, Ranked};

/// Sends `x` to rank `to` and returns what comes from rank `from`, as long as `x`; waits for neither before the other.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)` | `x̄ += ` the `ȳ` of rank `to` |
/// | `y` | `(d)` | `ẏ = ` the `ẋ` of rank `from` |
///
/// # Errors
/// As [`CommError`] says; [`CommError::Lengths`] if what comes is not as long as `x`.
pub fn send_recv<T: Element, K: Ranked>(comm: &K, to: usize, from: usize, x: &[T]) -> Received<T> {
    let ends = (Some(to), Some(from));
    Ok(exchanged(comm.comm(), Channel::Primal, ends, false, x)?.0)
}

/// Sends `x` to the rank `by` places on, and returns what comes from the rank `by` places back, zeros where there is none: the halo of
/// a domain that is cut in slices.
///
/// | | shape | |
/// |---|---|---|
/// | `x` | `(d)`, the same on each rank | `x̄ += shift(−by)` of `ȳ` |
/// | `y` | `(d)` | `ẏ = shift(by)` of `ẋ` |
///
/// # Errors
/// As [`CommError`] says; [`CommError::Lengths`] if what comes is not as long as `x`.
///
/// ```
/// use coenzyme_collective::{LocalMesh, per_rank::shift};
///
/// let left = LocalMesh::of(3).run(|p| shift(p.world(), 1, &[p.rank() as f64 + 5.0]))?;
/// assert_eq!(left, [[0.0], [5.0], [6.0]]);
/// # Ok::<(), coenzyme_collective::CommError>(())
/// ```
pub fn shift<T: Element, K: Ranked>(comm: &K, by: isize, x: &[T]) -> Received<T> {
    let ends = shift::ends(comm.comm(), (&by,));
    Ok(exchanged(comm.comm(), Channel::Primal, ends, false, x)?.0)
}

/// Where a message goes, and where one comes from.
type Ends = (Option<usize>, Option<usize>);

/// What tells the ends of an exchange.
trait Exchange {
    /// What stands between `comm` and `x`.
    type Told<'a>;

    fn ends(comm: &Comm, told: Self::Told<'_>) -> Ends;
}

impl Exchange for send_recv {
    type Told<'a> = (&'a usize, &'a usize);

    fn ends(_: &Comm, (to, from): Self::Told<'_>) -> Ends {
        (Some(*to), Some(*from))
    }
}

impl Exchange for shift {
    type Told<'a> = (&'a isize,);

    fn ends(comm: &Comm, (by,): Self::Told<'_>) -> Ends {
        let at = |by: Option<isize>| comm.rank().checked_add_signed(by?);
        let there = |rank: &usize| *rank < comm.size();
        (
            at(Some(*by)).filter(there),
            at(by.checked_neg()).filter(there),
        )
    }
}

/// The tag of exchanges.
const EXCHANGE: i32 = 32766;

/// What comes from the second of two ranks, with its flag, while `x` goes to the first.
fn exchanged<T: Element>(
    comm: &Comm,
    channel: Channel,
    (to, from): Ends,
    flag: bool,
    x: &[T],
) -> Result<(Vec<T>, bool), CommError> {
    let at = |peer| route(channel, peer, EXCHANGE);
    comm.send_recv(to.map(at), flag, x, from.map(at))
}

/// The rules of an [`Exchange`].
macro_rules! exchange_rule {
    ($f:ident $(, $p:ident $P:ident $t:ty)*) => {
        lenient! {
            $f[T: Element, C: Memory<Target = K>, K: Given + ?Sized $(, $P: Holds<$t>)*](
                comm: C, $($p: $P,)* [x: [T]]
            ) -> Received<T>,
            {
                let comm = comm.memory().over();
                let ends = <$f>::ends(comm, ($($p.get(),)*));
                Ok(exchanged(comm, Channel::Primal, ends, false, x)?.0)
            }
        }

        impl<R, C, K, $($P,)* X, M, T, const W: usize> ForwardRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            R: ForwardReturn<W, Out = Received<T>>,
            K: Given + ?Sized,
            C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ForwardArg<$t, W>,)*
            M: Given<Number = T> + ?Sized,
            X: ForwardArg<M, W> + Annotation<Primal: Memory<Target = M>>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<R::Forward, CommError> {
                const { is::<[T], M>() };
                let (comm, active) = (c.primal().over(), x.is_active());
                let (to, from) = Self::ends(comm, ($($p.primal(),)*));
                let (value, sent) = exchanged(comm, Channel::Primal, (to, from), active, x.primal().numbers())?;
                // a rank says whether tangents follow
                let ends = (to.filter(|_| active), from.filter(|_| sent));
                let zeros = vec![T::zero(); x.primal().numbers().len()];
                let mut dy = Vec::with_capacity(W);
                for lane in 0..W {
                    let dx = x.tangent(lane).map_or(&zeros[..], M::numbers);
                    dy.push(exchanged(comm, Channel::Tangent, ends, true, dx)?.0);
                }
                Ok(R::forward(config, || value, |lane| std::mem::take(&mut dy[lane])))
            }
        }

        impl<R, C, K, $($P,)* X, M, T, const W: usize> ReverseRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            R: ReverseReturn<W, Out = Received<T>>,
            K: Given + ?Sized,
            C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ReverseArg<$t, W>,)*
            M: Given<Number = T> + ?Sized,
            X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
        {
            /// Whether the rank that the message came from waits for a cotangent.
            type Tape = bool;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<Augmented<R, bool, W>, CommError> {
                const { is::<[T], M>() };
                let comm = c.primal().over();
                let ends = Self::ends(comm, ($($p.primal(),)*));
                let (value, wanted) =
                    exchanged(comm, Channel::Primal, ends, x.is_active(), x.primal().numbers())?;
                Ok(R::augmented(config, value, wanted))
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                wanted: bool,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> (C::Gradient, $($P::Gradient,)* X::Gradient) {
                let (to, from) = Self::ends(c.primal().over(), ($($p.primal(),)*));
                // the way back: to where a message came from, from where one went
                let ends = (from.filter(|_| wanted), to.filter(|_| x.is_active()));
                let zeros = vec![T::zero(); x.primal().numbers().len()];
                let mut back: [_; W] = from_fn(|lane| {
                    let dy = dret.lane(lane).unwrap_or(&zeros);
                    sent_back(exchanged(c.primal().over(), Channel::Adjoint, ends, true, dy)).0
                });
                let dx = x.accumulate(|lane, _, mut dx| dx.add(Tangent::target(&M::mark(std::mem::take(&mut back[lane])))));
                (c.no_gradient(), $($p.no_gradient(),)* dx)
            }
        }
    };
}

exchange_rule!(send_recv, to P usize, from F usize);
exchange_rule!(shift, by B isize);
