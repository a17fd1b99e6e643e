//! Functions of one matrix that may fail and whose derivative reads what was computed, never the matrix again.

use coenzyme::{
    Activity, AugmentedReturn, ForwardArg, ForwardConfig, ForwardReturn, Lanes, Outcome,
    ReverseArg, ReverseConfig, ReverseReturn, Tangent,
};
use ndarray::ArrayRef2;

use super::Error;
use crate::class::{Plain, Scalar, each_lane, effective};

/// A function of one matrix through a factorization.
pub trait Factorized<T> {
    /// The value.
    type Out: Plain;
    /// What the derivative reads beside the value.
    type Factors;

    /// The value and what the derivative reads beside it.
    ///
    /// # Errors
    /// If the matrix has no such factorization.
    fn factorize(a: &ArrayRef2<T>) -> Result<(Self::Out, Self::Factors), Error>;

    /// The tangent of the value.
    fn pushforward(out: &Self::Out, factors: &Self::Factors, da: &ArrayRef2<T>) -> Self::Out;

    /// Adds the cotangent of the matrix to `da`. That of the value, `dy`, may be used up.
    fn pullback(
        out: &Self::Out,
        factors: &Self::Factors,
        dy: &mut Self::Out,
        da: &mut ArrayRef2<T>,
    );
}

/// The forward rule.
pub(super) fn forward<F, T, A, R, const W: usize>(
    config: &ForwardConfig,
    a: &A,
) -> Result<R::Forward, Error>
where
    T: Scalar,
    F: Factorized<T>,
    A: ForwardArg<ArrayRef2<T>, W>,
    R: ForwardReturn<W, Out: Outcome<Value = F::Out>>,
{
    let (out, factors) = F::factorize(a.primal())?;
    let mut tangents: [Option<F::Out>; W] = each_lane(&mut |lane| {
        R::ACTIVE.then(|| {
            effective(a.tangent(lane), config.strong_zero()).map_or_else(
                || Tangent::zero_like(&out),
                |da| F::pushforward(&out, &factors, da),
            )
        })
    });
    Ok(R::forward(
        config,
        || out,
        |lane| tangents[lane].take().expect("each lane is asked for once"),
    ))
}

/// What the reverse pass reads: nothing, if no derivative flows.
pub(super) type FactorizedTape<F, T> =
    Option<(<F as Factorized<T>>::Out, <F as Factorized<T>>::Factors)>;

/// The first half of the reverse rule.
#[allow(clippy::type_complexity)]
pub(super) fn augmented<F, T, A, R, const W: usize>(
    config: &ReverseConfig,
    a: &A,
) -> Result<AugmentedReturn<F::Out, R::Shadow, FactorizedTape<F, T>>, Error>
where
    F: Factorized<T>,
    A: ReverseArg<ArrayRef2<T>, W>,
    R: ReverseReturn<W, Out: Outcome<Value = F::Out>>,
{
    let (out, factors) = F::factorize(a.primal())?;
    let shadow = R::shadow(|_| Tangent::zero_like(&out));
    if !(R::ACTIVE && a.is_active()) {
        return Ok(AugmentedReturn::new(
            config.needs_primal().then_some(out),
            shadow,
            None,
        ));
    }
    let primal = config.needs_primal().then(|| out.clone());
    Ok(AugmentedReturn::new(primal, shadow, Some((out, factors))))
}

/// The second half.
pub(super) fn reverse<F, T, A, R, const W: usize>(
    config: &ReverseConfig,
    dret: &mut R::Cotangent,
    tape: &FactorizedTape<F, T>,
    a: &mut A,
) -> <A as Activity<W>>::Gradient
where
    F: Factorized<T>,
    A: ReverseArg<ArrayRef2<T>, W>,
    R: ReverseReturn<W, Out: Outcome<Value = F::Out>>,
{
    a.accumulate(|lane, _, mut da| {
        if effective(dret.lane(lane), config.strong_zero()).is_none() {
            return;
        }
        if let (Some(dy), Some((out, factors))) = (dret.lane_mut(lane), tape) {
            da.accumulate_with(|da| F::pullback(out, factors, dy, da));
        }
    })
}

/// Gives a marker the rules of its [`Factorized`].
macro_rules! factorized_rule {
    ($name:ident) => {
        impl<R, A, T, const W: usize> coenzyme::ForwardRule<R, (A,), W> for $name
        where
            T: $crate::class::Scalar,
            R: coenzyme::ForwardReturn<W, Out = Result<<$name as Factorized<T>>::Out, Error>>,
            A: coenzyme::ForwardArg<ArrayRef2<T>, W>
                + coenzyme::Annotation<Primal: coenzyme::Memory<Target = ArrayRef2<T>>>,
        {
            fn forward(
                &self,
                config: &coenzyme::ForwardConfig,
                (a,): (&mut A,),
            ) -> Result<R::Forward, Error> {
                $crate::linalg::factorized::forward::<$name, T, A, R, W>(config, a)
            }
        }

        impl<R, A, T, const W: usize> coenzyme::ReverseRule<R, (A,), W> for $name
        where
            T: $crate::class::Scalar,
            R: coenzyme::ReverseReturn<W, Out = Result<<$name as Factorized<T>>::Out, Error>>,
            A: coenzyme::ReverseArg<ArrayRef2<T>, W>
                + coenzyme::Annotation<Primal: coenzyme::Memory<Target = ArrayRef2<T>>>,
        {
            type Tape = $crate::linalg::factorized::FactorizedTape<$name, T>;

            fn augmented_primal(
                &self,
                config: &coenzyme::ReverseConfig,
                (a,): (&mut A,),
            ) -> coenzyme::AugmentedOutcome<R, Self::Tape, W> {
                $crate::linalg::factorized::augmented::<$name, T, A, R, W>(config, a)
            }

            fn reverse(
                &self,
                config: &coenzyme::ReverseConfig,
                mut dret: R::Cotangent,
                tape: Self::Tape,
                (a,): (&mut A,),
            ) -> (A::Gradient,) {
                ($crate::linalg::factorized::reverse::<$name, T, A, R, W>(
                    config, &mut dret, &tape, a,
                ),)
            }
        }
    };
}

pub(super) use factorized_rule;
