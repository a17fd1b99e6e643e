//! `log Σ exp(xᵢ)`, written three times: as in the textbook, safe from overflow, and safe with a rule by hand.
//!
//! | value | shape | forward | reverse |
//! |---|---|---|---|
//! | `x` | `N` | | `x̄ᵢ += wᵢ·ȳ` |
//! | `y = m + log Σ exp(xᵢ − m)`, `m = max xᵢ` | | `ẏ = Σ wᵢ·ẋᵢ` | |
//! | `w = exp(x − y)` | `N` | the tape | the tape |

use coenzyme::prelude::*;
use coenzyme::{Annotation, Augmented, Real};

/// `log Σ exp(xᵢ)`, without overflow. Where all `xᵢ` are −∞, the value is −∞ and the derivative NaN.
#[primitive]
pub(crate) fn logsumexp<T: Real, const N: usize>(x: [T; N]) -> T {
    value_and_weights(&x).0
}

/// The value, and its derivative: the softmax weights `exp(xᵢ − m) / Σ exp(xⱼ − m)`.
///
/// The exponentials of the value are those of the weights, so that both together cost what the value costs.
fn value_and_weights<T: Real, const N: usize>(x: &[T; N]) -> (T, [T; N]) {
    let largest = x.iter().copied().fold(T::neg_infinity(), T::max);
    let shift = if largest.is_finite() {
        largest
    } else {
        T::zero()
    };
    let exponentials = x.map(|x| (x - shift).exp());
    let sum: T = exponentials.iter().copied().sum();
    (shift + sum.ln(), exponentials.map(|e| e / sum))
}

impl<R, X, T, const N: usize, const W: usize> ForwardRule<R, (X,), W> for logsumexp
where
    T: Real,
    R: ForwardReturn<W, Out = T>,
    X: ForwardArg<[T; N], W> + Annotation<Primal = [T; N]>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let (y, weights) = value_and_weights(x.primal());
        R::forward(
            config,
            || y,
            |lane| match x.tangent(lane) {
                Some(dx) => weights.iter().zip(dx).map(|(&w, &dx)| w * dx).sum(),
                None => T::zero(),
            },
        )
    }
}

impl<R, X, T, const N: usize, const W: usize> ReverseRule<R, (X,), W> for logsumexp
where
    T: Real,
    R: ReverseReturn<W, Out = T>,
    X: ReverseArg<[T; N], W> + Annotation<Primal = [T; N]>,
{
    /// The weights: `reverse` calls no exponential.
    type Tape = [T; N];

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, [T; N], W> {
        let (y, weights) = value_and_weights(x.primal());
        R::augmented(config, y, weights)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        weights: [T; N],
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, _, mut dx| {
            let Some(&dy) = dret.lane(lane) else { return };
            dx.accumulate_with(|dx| dx.iter_mut().zip(weights).for_each(|(dx, w)| *dx += w * dy));
        });
        (dx,)
    }
}

/// `log Σ exp(xᵢ)` of the textbook, which overflows; its derivative is generated.
#[differentiable]
pub(crate) fn textbook<T: Real>(x: &[T]) -> T {
    let sum: T = x.iter().map(|x| x.exp()).sum();
    sum.ln()
}

/// `log Σ exp(xᵢ)` without overflow; its derivative is generated, that of the maximum included.
#[differentiable]
pub(crate) fn shifted<T: Real>(x: &[T]) -> T {
    let largest = x.iter().copied().fold(T::neg_infinity(), T::max);
    let sum: T = x.iter().map(|x| (*x - largest).exp()).sum();
    largest + sum.ln()
}
