//! Linear maps of what all ranks hold, and their rule: the tangent is the same map, the cotangent its transpose.

use coenzyme::{ForwardArg, Lanes, ReverseArg};

use crate::comm::Received;
use crate::{Comm, CommError, Element};

/// A linear map from the values of all ranks to values of all ranks, with what it is told.
pub(crate) trait Linear {
    /// What stands between `comm` and `x`: a root, lengths.
    type Told<'a>: Copy;

    /// The name of the function.
    const NAME: &'static str;

    /// What this rank gets.
    fn apply<T: Element>(comm: &Comm, told: Self::Told<'_>, x: &[T]) -> Received<T>;

    /// What this rank gets of the transposed map, for an `x` of so many entries.
    fn transpose<T: Element>(
        comm: &Comm,
        told: Self::Told<'_>,
        dy: &[T],
        length: usize,
    ) -> Received<T>;
}

/// The map of each tangent; nothing is sent for an argument without.
pub(crate) fn tangents<T: Element, X: ForwardArg<[T], W>, const W: usize>(
    x: &X,
    wanted: bool,
    length: usize,
    map: impl Fn(&[T]) -> Received<T>,
) -> Result<Vec<Vec<T>>, CommError> {
    let lanes = 0..if wanted { W } else { 0 };
    let of_lane = |lane| {
        x.tangent(lane)
            .map_or_else(|| Ok(vec![T::zero(); length]), &map)
    };
    lanes.map(of_lane).collect()
}

/// Adds the transposed map of each cotangent; nothing is sent for an argument that is inactive, or a result that is.
///
/// **Panics** if communication fails: half of the cotangents of the program may have been added by then, and there is no way back.
#[track_caller]
pub(crate) fn cotangents<T: Element, X: ReverseArg<[T], W>, L: Lanes<Vec<T>>, const W: usize>(
    x: &mut X,
    dret: &L,
    transpose: impl Fn(&[T], usize) -> Received<T>,
) -> X::Gradient {
    x.accumulate(|lane, x, mut dx| {
        if let Some(dy) = dret.lane(lane) {
            dx.add(&sent_back(transpose(dy, x.len())));
        }
    })
}

/// What communication in the reverse pass gave. **Panics** if it failed.
#[track_caller]
pub(crate) fn sent_back<T>(result: Result<T, CommError>) -> T {
    match result {
        Ok(value) => value,
        Err(why) => panic!("reverse pass: {why}"),
    }
}

/// The rules of a function `f(comm, …, x)` that is a [`Linear`] map of `x`. What stands between is listed as
/// `name Parameter Type index`.
macro_rules! linear_rule {
    ($f:ident $(, $p:ident $P:ident $t:ty: $i:literal)*) => {
        impl<R, C, K, $($P,)* X, T, const W: usize> ForwardRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            R: ForwardReturn<W, Out = Received<T>>,
            K: Ranked,
            C: ForwardArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ForwardArg<$t, W>,)*
            X: ForwardArg<[T], W>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<R::Forward, CommError> {
                let (comm, told) = (c.primal().comm(), ($($p.primal(),)*));
                comm.agree(Self::NAME, R::ACTIVE && x.is_active())?;
                let value = Self::apply(comm, told, x.primal())?;
                let map = |dx: &[T]| Self::apply(comm, told, dx);
                let mut dy = tangents::<_, _, W>(x, R::ACTIVE, value.len(), map)?;
                Ok(R::forward(config, || value, |lane| std::mem::take(&mut dy[lane])))
            }
        }

        impl<R, C, K, $($P,)* X, T, const W: usize> ReverseRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            R: ReverseReturn<W, Out = Received<T>>,
            K: Ranked,
            C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
            $($P: ReverseArg<$t, W>,)*
            X: ReverseArg<[T], W>,
        {
            type Tape = ($(Saved<$t>,)*);

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<Augmented<R, Self::Tape, W>, CommError> {
                let active = R::ACTIVE && x.is_active();
                c.primal().comm().agree(Self::NAME, active)?;
                let value = Self::apply(c.primal().comm(), ($($p.primal(),)*), x.primal())?;
                let saved = ($(Saved::new($p.primal(), active && config.overwritten($i)),)*);
                Ok(R::augmented(config, value, saved))
            }

            #[allow(clippy::unused_unit)]
            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                ($($p,)*): Self::Tape,
                args: (&mut C, $(&mut $P,)* &mut X),
            ) -> (C::Gradient, $($P::Gradient,)* X::Gradient) {
                let saved = ($($p,)*);
                let (c, $($p,)* x) = args;
                let dx = {
                    let ($($p,)*) = linear_rule!(@told saved $(, $p)*);
                    let told = ($($p,)*);
                    cotangents(x, &dret, |dy, n| Self::transpose(c.primal().comm(), told, dy, n))
                };
                (c.no_gradient(), $($p.no_gradient(),)* dx)
            }
        }
    };
    (@told $saved:ident) => { $saved };
    (@told $saved:ident, $a:ident) => { ($saved.0.get($a.primal()),) };
    (@told $saved:ident, $a:ident, $b:ident) => {
        ($saved.0.get($a.primal()), $saved.1.get($b.primal()))
    };
}

pub(crate) use linear_rule;
