//! What collectives are made of that take numbers and return numbers, and their rules.

use crate::comm::Received;
use crate::{Comm, CommError, Element};

/// A value, and what derivatives read: nothing for a linear map.
pub(crate) type Weighed<T> = Result<(Vec<T>, Vec<T>), CommError>;

/// What a function does with the values of the ranks, and with their derivatives.
pub(crate) trait Map {
    /// What stands between `comm` and `x`: a root, lengths.
    type Told<'a>: Copy;

    /// The name of the function.
    const NAME: &'static str;

    /// The value, with weights if derivatives are wanted.
    fn weighed<T: Element>(comm: &Comm, told: Self::Told<'_>, x: &[T], wanted: bool) -> Weighed<T>;

    /// The derivative along a tangent.
    fn tangent<T: Element>(
        comm: &Comm,
        told: Self::Told<'_>,
        weights: &[T],
        dx: &[T],
    ) -> Received<T>;

    /// What this rank gets of the transposed derivative, for an `x` of so many entries.
    fn cotangent<T: Element>(
        comm: &Comm,
        told: Self::Told<'_>,
        weights: &[T],
        dy: &[T],
        length: usize,
    ) -> Received<T>;
}

/// What communication in the reverse pass gave.
///
/// **Panics** if it failed: half of the cotangents of the program may have been added by then, and there is no way back.
#[track_caller]
pub(crate) fn sent_back<T>(result: Result<T, CommError>) -> T {
    match result {
        Ok(value) => value,
        Err(why) => panic!("reverse pass: {why}"),
    }
}

/// What `#[primitive]` writes for a function whose last argument holds numbers: its own marker, and the call of its primal. But the call
/// takes whatever is [`Given`](crate::given::Given), as the rules do: a program that hands on something else is told by the function, and
/// by nobody else.
///
/// ```text
/// lenient! { local[T: Element]([x: Varying<Vec<T>>]) -> Vec<T>, x.to_vec() }
///
/// pub struct local {}
/// impl<T: Element, X: Memory<Target = M>, M: Given<Number = T>> Function<(X,)> for local { … }
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

        impl<X, M, $($g)*> coenzyme::Function<($($P,)* X,)> for $f
        where
            X: coenzyme::Memory<Target = M>,
            M: $crate::given::Given<Number = T> + ?Sized,
        {
            type Output = $out;

            fn call(&self, ($($p,)* $x,): ($($P,)* X,)) -> $out {
                const { $crate::given::is::<$in, M>() };
                let $x = $x.memory().numbers();
                $call
            }
        }
    };
}

/// The marker and the rules of a function `f(comm, …, x)` that is a [`Map`] from an `$in` to an `$out`: targets that hold numbers `T`, along
/// the axis of the communicator `K`. What stands between is listed as `name: Parameter Target: index`.
macro_rules! rules {
    ($f:ident($in:ty $(, $p:ident: $P:ident $t:ty: $i:literal)*) -> $out:ty) => {
        $crate::rule::lenient! {
            $f[
                T: $crate::Element,
                C: coenzyme::Memory<Target = K>,
                K: $crate::given::Given + ?Sized
                $(, $P: coenzyme::Holds<$t>)*
            ](comm: C, $($p: $P,)* [x: $in]) -> Result<<$out as coenzyme::Tangent>::Owned, $crate::CommError>,
            {
                let told = ($($p.get(),)*);
                let (value, _) = <$f as $crate::rule::Map>::weighed(comm.memory().over(), told, x, false)?;
                Ok(<$out as $crate::given::Given>::mark(value))
            }
        }

        const _: () = {
            use coenzyme::{
                Annotation, Augmented, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes,
                Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Tangent,
            };
            use $crate::given::{Given, is};
            use $crate::rule::{Map, sent_back};
            use $crate::{CommError, Element};

            impl<R, C, K, $($P,)* X, M, T, const W: usize> ForwardRule<R, (C, $($P,)* X), W> for $f
            where
                T: Element,
                R: ForwardReturn<W, Out = Result<<$out as Tangent>::Owned, CommError>>,
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
                    const { is::<$in, M>() };
                    let (comm, active) = (c.primal().over(), R::ACTIVE && x.is_active());
                    let told = ($($p.primal(),)*);
                    comm.agree(<Self as Map>::NAME, active)?;
                    let (value, weights) = Self::weighed(comm, told, x.primal().numbers(), active)?;
                    let mut tangents = vec![Vec::new(); W];
                    for (lane, dy) in tangents.iter_mut().enumerate() {
                        *dy = match x.tangent(lane) {
                            Some(dx) if active => Self::tangent(comm, told, &weights, dx.numbers())?,
                            _ => vec![T::zero(); value.len()],
                        };
                    }
                    let tangent = |lane: usize| <$out as Given>::mark(std::mem::take(&mut tangents[lane]));
                    Ok(R::forward(config, || <$out as Given>::mark(value), tangent))
                }
            }

            impl<R, C, K, $($P,)* X, M, T, const W: usize> ReverseRule<R, (C, $($P,)* X), W> for $f
            where
                T: Element,
                R: ReverseReturn<W, Out = Result<<$out as Tangent>::Owned, CommError>>,
                K: Given + ?Sized,
                C: ReverseArg<K, W> + Annotation<Primal: Memory<Target = K>>,
                $($P: ReverseArg<$t, W>,)*
                M: Given<Number = T> + ?Sized,
                X: ReverseArg<M, W> + Annotation<Primal: Memory<Target = M>>,
            {
                /// What a function that is not linear reads again, and what it was told.
                type Tape = (Vec<T>, ($(coenzyme::Saved<$t>,)*));

                fn augmented_primal(
                    &self,
                    config: &ReverseConfig,
                    (c, $($p,)* x): (&mut C, $(&mut $P,)* &mut X),
                ) -> Result<Augmented<R, Self::Tape, W>, CommError> {
                    const { is::<$in, M>() };
                    let (comm, active) = (c.primal().over(), R::ACTIVE && x.is_active());
                    comm.agree(<Self as Map>::NAME, active)?;
                    let told = ($($p.primal(),)*);
                    let (value, weights) = Self::weighed(comm, told, x.primal().numbers(), active)?;
                    let saved = ($(coenzyme::Saved::new($p.primal(), active && config.overwritten($i)),)*);
                    Ok(R::augmented(config, <$out as Given>::mark(value), (weights, saved)))
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
                        let told = $crate::rule::rules!(@told saved $(, $p)*);
                        x.accumulate(|lane, x, mut dx| {
                            if let Some(dy) = dret.lane(lane) {
                                let (dy, length) = (Tangent::target(dy).numbers(), x.numbers().len());
                                let back = Self::cotangent(c.primal().over(), told, &weights, dy, length);
                                dx.add(Tangent::target(&M::mark(sent_back(back))));
                            }
                        })
                    };
                    (c.no_gradient(), $($p.no_gradient(),)* dx)
                }
            }
        };
    };
    (@told $saved:ident) => { $saved };
    (@told $saved:ident, $a:ident) => { ($saved.0.get($a.primal()),) };
    (@told $saved:ident, $a:ident, $b:ident) => {
        ($saved.0.get($a.primal()), $saved.1.get($b.primal()))
    };
}

pub(crate) use lenient;
pub(crate) use rules;
