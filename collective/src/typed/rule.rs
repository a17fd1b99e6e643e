//! What collectives between markers are made of, and their rules.

use crate::comm::Received;
use crate::{Comm, CommError, Element};

/// A value, and what derivatives read: nothing for a linear map.
pub(super) type Weighed<T> = Result<(Vec<T>, Vec<T>), CommError>;

/// What a function does with the values of the ranks, and with their derivatives.
pub(super) trait Map {
    /// What stands between `along` and `x`: a root, lengths.
    type Told<'a>: Copy;

    const NAME: &'static str;

    /// The value, with weights if derivatives are wanted.
    fn apply<T: Element>(comm: &Comm, told: Self::Told<'_>, x: &[T], wanted: bool) -> Weighed<T>;

    fn tangent<T: Element>(
        comm: &Comm,
        told: Self::Told<'_>,
        weights: &[T],
        dx: &[T],
    ) -> Received<T>;

    /// For an `x` of so many entries.
    fn transpose<T: Element>(
        comm: &Comm,
        told: Self::Told<'_>,
        weights: &[T],
        dy: &[T],
        length: usize,
    ) -> Received<T>;
}

/// What `#[primitive]` writes for a function whose last argument has a marker: its own marker, and the call of its primal. But the call
/// takes any [`Marker`](super::markers::Marker) of numbers, as the rules do: a program that hands on a parameter with another one is told
/// by the function, and by nobody else.
///
/// ```text
/// lenient! { local[T: Element](x: Varying<Vec<T>>) -> Vec<T>, x.numbers().to_vec() }
///
/// pub struct local {}
/// impl<T: Element, X: Memory<Target = M>, M: Marker<Number = T>> Function<(X,)> for local { … }
/// ```
macro_rules! lenient {
    ($f:ident[$($g:tt)*]($($p:ident: $P:ty,)* [$x:ident: $in:ty]) -> $out:ty, $call:expr) => {
        #[doc = concat!("The marker of the function [`", stringify!($f), "`](fn@", stringify!($f), "): its rules are implemented for this type.")]
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $f {}

        impl coenzyme::__private::Marker for $f {}

        impl coenzyme::__private::AnyOrder for $f {
            type Marker = Self;
            const MARKER: Self = Self {};
        }

        impl<X, M, $($g)*> Function<($($P,)* X,)> for $f
        where
            X: Memory<Target = M>,
            M: Marker<Number = T> + ?Sized,
        {
            type Output = $out;

            fn call(&self, ($($p,)* $x,): ($($P,)* X,)) -> $out {
                const { is::<$in, M>() };
                let $x = $x.memory();
                $call
            }
        }
    };
}

/// A linear function from one marker to another: what it does, and its transpose. What it is told is listed as
/// `name: Type = Parameter Target: index`.
macro_rules! typed {
    (
        $(#[$doc:meta])*
        $f:ident($in:ident $(, $p:ident: $a:ty = $P:ident $t:ty: $i:literal)*) -> $out:ident,
        |$c:ident, $x:ident| $apply:expr,
        |$d:ident, $dy:ident, $length:ident| $transpose:expr
    ) => {
        typed!(@function $(#[$doc])* $f($in $(, $p: $a = $P $t)*) -> $out);

        impl Map for $f {
            type Told<'a> = ($(&'a $t,)*);
            const NAME: &'static str = stringify!($f);

            fn apply<T: Element>($c: &Comm, ($($p,)*): Self::Told<'_>, $x: &[T], _: bool) -> Weighed<T> {
                let value: Received<T> = $apply;
                Ok((value?, Vec::new()))
            }
            fn tangent<T: Element>($c: &Comm, ($($p,)*): Self::Told<'_>, _: &[T], $x: &[T]) -> Received<T> {
                $apply
            }
            #[allow(unused_variables)]
            fn transpose<T: Element>(
                $d: &Comm,
                ($($p,)*): Self::Told<'_>,
                _: &[T],
                $dy: &[T],
                $length: usize,
            ) -> Received<T> {
                $transpose
            }
        }

        typed!(@rules $f $in $out [$($p $P $t: $i),*]);
    };
    (@function $(#[$doc:meta])* $f:ident($in:ident $(, $p:ident: $a:ty = $P:ident $t:ty)*) -> $out:ident) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// As [`CommError`] says.
        pub fn $f<T: Element, A>(along: &Along<A>, $($p: $a,)* x: &$in<Vec<T>, A>) -> Result<$out<Vec<T>, A>, CommError> {
            let told = ($(std::borrow::Borrow::<$t>::borrow(&$p),)*);
            let (value, _) = <$f as Map>::apply(along, told, x.get(), false)?;
            Ok($out::of(value))
        }

        lenient! {
            $f[T: Element, A, C: Holds<Along<A>> + Memory<Target = Along<A>> $(, $P: Holds<$t>)*](
                along: C, $($p: $P,)* [x: $in<Vec<T>, A>]
            ) -> Result<$out<Vec<T>, A>, CommError>,
            {
                let (value, _) = <$f as Map>::apply(along.get(), ($($p.get(),)*), x.numbers(), false)?;
                Ok($out::of(value))
            }
        }
    };
    (@rules $f:ident $in:ident $out:ident [$($p:ident $P:ident $t:ty: $i:literal),*]) => {
        impl<R, C, $($P,)* X, M, T, A, const W: usize> ForwardRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            R: ForwardReturn<W, Out = Result<$out<Vec<T>, A>, CommError>>,
            C: ForwardArg<Along<A>, W>,
            $($P: ForwardArg<$t, W>,)*
            M: Marker<Number = T> + ?Sized,
            X: ForwardArg<M, W> + Annotation<Primal: Memory<Target = M>>,
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<R::Forward, CommError> {
                const { is::<$in<Vec<T>, A>, M>() };
                let (comm, active): (&Comm, _) = (c.primal(), R::ACTIVE && x.is_active());
                let told = ($($p.primal(),)*);
                comm.agree(Self::NAME, active)?;
                let (value, weights) = Self::apply(comm, told, x.primal().numbers(), active)?;
                let mut tangents = Vec::new();
                if active {
                    for lane in 0..W {
                        let dx = x.tangent(lane).expect("an active argument has tangents");
                        tangents.push(Self::tangent(comm, told, &weights, dx.numbers())?);
                    }
                } else {
                    tangents.resize(W, vec![T::zero(); value.len()]);
                }
                let tangent = |lane: usize| $out::of(std::mem::take(&mut tangents[lane]));
                Ok(R::forward(config, || $out::of(value), tangent))
            }
        }

        impl<R, C, $($P,)* X, M, T, A, const W: usize> ReverseRule<R, (C, $($P,)* X), W> for $f
        where
            T: Element,
            R: ReverseReturn<W, Out = Result<$out<Vec<T>, A>, CommError>>,
            C: ReverseArg<Along<A>, W>,
            $($P: ReverseArg<$t, W>,)*
            M: Marker<Number = T> + ?Sized,
            X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
        {
            /// What a function that is not linear reads again, and what it was told.
            type Tape = (Vec<T>, ($(Saved<$t>,)*));

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> Result<Augmented<R, Self::Tape, W>, CommError> {
                const { is::<$in<Vec<T>, A>, M>() };
                let (comm, active): (&Comm, _) = (c.primal(), R::ACTIVE && x.is_active());
                comm.agree(Self::NAME, active)?;
                let told = ($($p.primal(),)*);
                let (value, weights) = Self::apply(comm, told, x.primal().numbers(), active)?;
                let saved = ($(Saved::new($p.primal(), active && config.overwritten($i)),)*);
                Ok(R::augmented(config, $out::of(value), (weights, saved)))
            }

            #[allow(clippy::unused_unit)]
            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                (weights, saved): Self::Tape,
                (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
            ) -> (C::Gradient, $($P::Gradient,)* X::Gradient) {
                let dx = {
                    let told = typed!(@told saved $(, $p)*);
                    x.accumulate(|lane, x, mut dx| {
                        if let Some(dy) = dret.lane(lane) {
                            let length = x.numbers().len();
                            let back = Self::transpose(c.primal(), told, &weights, dy.get(), length);
                            dx.add(M::mark(sent_back(back)).target());
                        }
                    })
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

pub(super) use lenient;
pub(super) use typed;
