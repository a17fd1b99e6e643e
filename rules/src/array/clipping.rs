//! Entries held between two numbers.
//!
//! | value | | forward | reverse |
//! |---|---|---|---|
//! | `x` | array | | `x̄ += ȳ` inside and on the bounds |
//! | `lo` | number | | `l̄o += Σ ȳ` over the entries below |
//! | `hi` | number | | `h̄i += Σ ȳ` over the entries above |
//! | `y` | array | `ẋ`, `l̇o` or `ḣi` | |

use coenzyme::ops::{self, Operand};
use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Lanes, Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved,
    primitive,
};
use ndarray::{Array, ArrayRef, Dimension, Zip};

use crate::class::Scalar;

/// Each entry, or the bound that it passes. **Panics** if `lo > hi`, or a bound is NaN.
///
/// The derivative belongs to `x` inside and on the bounds, otherwise to the bound. A NaN entry stays, and counts as inside.
///
/// ```
/// # use ndarray::array;
/// assert_eq!(coenzyme_rules::array::clip(&array![-1.0, 0.5, 3.0], 0.0, 1.0), array![0.0, 0.5, 1.0]);
/// ```
#[primitive]
#[track_caller]
pub fn clip<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>, lo: T, hi: T) -> Array<T, D> {
    assert!(lo <= hi, "clip: bounds {lo} and {hi}");
    x.mapv(|x| {
        if x < lo {
            lo
        } else if x > hi {
            hi
        } else {
            x
        }
    })
}

/// The partials in `x`, `lo` and `hi`.
fn partials<T: Scalar>(x: T, lo: T, hi: T) -> (T, T, T) {
    Operand::<ops::clamp, (T, T)>::partials(x, (lo, hi), x)
}

impl<R, X, L, H, T, D, const W: usize> ForwardRule<R, (X, L, H), W> for clip
where
    T: Scalar,
    D: Dimension,
    R: ForwardReturn<W, Out = Array<T, D>>,
    X: ForwardArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    L: ForwardArg<T, W>,
    H: ForwardArg<T, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, lo, hi): (&mut X, &mut L, &mut H),
    ) -> ForwardOutcome<R, W> {
        let (at_lo, at_hi) = (*lo.primal(), *hi.primal());
        R::forward(
            config,
            || clip(x.primal(), at_lo, at_hi),
            |lane| {
                let zero = T::zero();
                let dlo = lo.tangent(lane).copied().unwrap_or(zero);
                let dhi = hi.tangent(lane).copied().unwrap_or(zero);
                let bound = |x| {
                    let (_, in_lo, in_hi) = partials(x, at_lo, at_hi);
                    in_lo * dlo + in_hi * dhi
                };
                match x.tangent(lane) {
                    None => x.primal().mapv(bound),
                    Some(dx) => Zip::from(x.primal())
                        .and(dx)
                        .map_collect(|&x, &dx| partials(x, at_lo, at_hi).0 * dx + bound(x)),
                }
            },
        )
    }
}

impl<R, X, L, H, T, D, const W: usize> ReverseRule<R, (X, L, H), W> for clip
where
    T: Scalar,
    D: Dimension + 'static,
    R: ReverseReturn<W, Out = Array<T, D>>,
    X: ReverseArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    L: ReverseArg<T, W>,
    H: ReverseArg<T, W>,
{
    type Tape = Saved<ArrayRef<T, D>>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, lo, hi): (&mut X, &mut L, &mut H),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let active = R::ACTIVE && (x.is_active() || lo.is_active() || hi.is_active());
        let tape = Saved::new(x.primal(), active && config.overwritten(0));
        R::augmented(config, clip(x.primal(), *lo.primal(), *hi.primal()), tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x, lo, hi): (&mut X, &mut L, &mut H),
    ) -> (X::Gradient, L::Gradient, H::Gradient) {
        let (at_lo, at_hi) = (*lo.primal(), *hi.primal());
        let of_x = x.accumulate(|lane, x, mut dx| {
            let Some(dy) = dret.lane(lane) else { return };
            dx.accumulate_with(|dx| {
                Zip::from(dx)
                    .and(tape.get(x))
                    .and(dy)
                    .for_each(|dx, &x, &dy| *dx += partials(x, at_lo, at_hi).0 * dy);
            });
        });
        let total = |lane: usize, partial: fn((T, T, T)) -> T| {
            dret.lane(lane).map_or(T::zero(), |dy| {
                Zip::from(tape.get(x.primal()))
                    .and(dy)
                    .fold(T::zero(), |sum, &x, &dy| {
                        sum + partial(partials(x, at_lo, at_hi)) * dy
                    })
            })
        };
        let of_lo = lo.accumulate(|lane, _, mut dlo| dlo += total(lane, |p| p.1));
        let of_hi = hi.accumulate(|lane, _, mut dhi| dhi += total(lane, |p| p.2));
        (of_x, of_lo, of_hi)
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn on_the_bounds_the_derivative_belongs_to_the_entry() {
        assert_eq!(partials(0.0, 0.0, 1.0), (1.0, 0.0, 0.0));
        assert_eq!(partials(1.0, 0.0, 1.0), (1.0, 0.0, 0.0));
        assert!(clip(&array![f64::NAN], 0.0, 1.0)[0].is_nan());
    }

    #[test]
    #[should_panic(expected = "clip: bounds 2 and 1")]
    fn bounds_in_the_wrong_order_are_refused() {
        let _ = clip(&array![0.0], 2.0, 1.0);
    }
}
