//! RMS normalization: the size of each row is taken away, its mean stays. The formulas are in `normalization.rs`.

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Inactive, Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule,
    primitive,
};
use ndarray::{Array, ArrayRef, ArrayRef1, Dimension};

use super::normalization::{NormTape, Normalized, begin, check_weights, finish, tangent};
use crate::class::Scalar;

/// RMS normalization along the last axis, with weights `w` and `ε`, which has no derivative. **Panics** if `w` has not the length
/// of a row.
#[primitive]
#[track_caller]
pub fn rms_norm<T: Scalar, D: Dimension>(
    x: &ArrayRef<T, D>,
    w: &ArrayRef1<T>,
    eps: Inactive<f64>,
) -> Array<T, D> {
    check_weights("rms_norm", x, &[w]);
    Normalized::new::<false>(x, eps).scaled(w, None)
}

impl<R, X, K, E, T, D, const W: usize> ForwardRule<R, (X, K, E), W> for rms_norm
where
    T: Scalar,
    D: Dimension,
    R: ForwardReturn<W, Out = Array<T, D>>,
    X: ForwardArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    K: ForwardArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    E: ForwardArg<Inactive<f64>, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, w, eps): (&mut X, &mut K, &mut E),
    ) -> ForwardOutcome<R, W> {
        check_weights("rms_norm", x.primal(), &[w.primal()]);
        let n = Normalized::new::<false>(x.primal(), *eps.primal());
        R::forward(
            config,
            || n.scaled(w.primal(), None),
            |lane| tangent::<false, _, _, _, _, W>(&n, x, w, lane, config.strong_zero()),
        )
    }
}

impl<R, X, K, E, T, D, const W: usize> ReverseRule<R, (X, K, E), W> for rms_norm
where
    T: Scalar,
    D: Dimension<Smaller: 'static> + 'static,
    R: ReverseReturn<W, Out = Array<T, D>>,
    X: ReverseArg<ArrayRef<T, D>, W> + Annotation<Primal: Memory<Target = ArrayRef<T, D>>>,
    K: ReverseArg<ArrayRef1<T>, W> + Annotation<Primal: Memory<Target = ArrayRef1<T>>>,
    E: ReverseArg<Inactive<f64>, W>,
{
    type Tape = NormTape<T, D>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, w, eps): (&mut X, &mut K, &mut E),
    ) -> AugmentedOutcome<R, NormTape<T, D>, W> {
        check_weights("rms_norm", x.primal(), &[w.primal()]);
        let (y, tape) = begin::<false, _, _, _, _, W>(config, R::ACTIVE, x, w, None, *eps.primal());
        R::augmented(config, y, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: NormTape<T, D>,
        (x, w, eps): (&mut X, &mut K, &mut E),
    ) -> (X::Gradient, K::Gradient, E::Gradient) {
        let (of_x, of_w) = finish::<false, _, _, _, _, _, W>(config, &dret, &tape, x, w);
        (of_x, of_w, eps.no_gradient())
    }
}
