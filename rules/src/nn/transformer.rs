//! Scaled dot-product attention, `O = softmax(Q·Kᵀ/√d)·V`.
//!
//! | value | shape | forward | reverse |
//! |---|---|---|---|
//! | `Q`, `K` | `(n, d)`, `(m, d)` | | `Q̄ += G·K/√d`, `K̄ += Gᵀ·Q/√d` |
//! | `V` | `(m, e)` | | `V̄ += Pᵀ·Ō` |
//! | `O` | `(n, e)` | `Ȯ = (P∘(Ṡ − rows of ⟨P, Ṡ⟩))·V + P·V̇`, `Ṡ = (Q̇·Kᵀ + Q·K̇ᵀ)/√d` | |
//!
//! with `P = softmax(Q·Kᵀ/√d)` and `G = P∘(Ō·Vᵀ − rows of ⟨P, Ō·Vᵀ⟩)`. `P` is on no tape: it is computed again, [`ROWS`] rows at a
//! time, from the logarithms of the sums that its rows were divided by (`n` numbers).
//!
//! Source: Dao et al. 2022, *FlashAttention*, arXiv:2205.14135, appendix B.2.

use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardConfig, ForwardOutcome, ForwardReturn,
    ForwardRule, Lanes, Memory, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved,
    primitive,
};
use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayRef1, ArrayRef2, Axis, s};

use crate::class::{Scalar, effective};

/// The rows of `P` that exist at once.
const ROWS: usize = 64;

/// `softmax(Q·Kᵀ/√d)·V` for queries `(n, d)`, keys `(m, d)` and values `(m, e)`. **Panics** if the shapes do not fit. NaN for no
/// keys. `2nm(d + e)` flops.
///
/// ```
/// # use ndarray::array;
/// let (q, k) = (array![[0.0, 0.0]], array![[1.0, 2.0], [3.0, 4.0]]);
/// let y = coenzyme_rules::nn::attention(&q, &k, &array![[1.0], [3.0]]);
/// assert_eq!(y, array![[2.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn attention<T: Scalar>(q: &ArrayRef2<T>, k: &ArrayRef2<T>, v: &ArrayRef2<T>) -> Array2<T> {
    value(q, k, v).0
}

/// The value, and the logarithm of the sum of each row.
#[track_caller]
fn value<T: Scalar>(
    q: &ArrayRef2<T>,
    k: &ArrayRef2<T>,
    v: &ArrayRef2<T>,
) -> (Array2<T>, Array1<T>) {
    assert!(
        q.ncols() == k.ncols() && k.nrows() == v.nrows(),
        "attention: queries {:?}, keys {:?}, values {:?}",
        q.shape(),
        k.shape(),
        v.shape()
    );
    let mut out = Array2::zeros((q.nrows(), v.ncols()));
    let mut log_sums = Array1::zeros(q.nrows());
    for rows in blocks(q.nrows()) {
        let scores = product(&q.slice(s![rows.clone(), ..]), &k.t(), scale(k));
        for (row, sum) in (scores.rows().into_iter()).zip(log_sums.slice_mut(s![rows.clone()])) {
            let top = row.iter().fold(T::neg_infinity(), |a, &b| a.max(b));
            *sum = top + row.iter().map(|&s| (s - top).exp()).sum::<T>().ln();
        }
        let p = exponentials(scores, &log_sums.slice(s![rows.clone()]));
        add_product(&p, v, T::one(), &mut out.slice_mut(s![rows, ..]));
    }
    (out, log_sums)
}

pub(super) fn blocks(n: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..n)
        .step_by(ROWS)
        .map(move |start| start..n.min(start + ROWS))
}

/// `1/√d`
pub(super) fn scale<T: Scalar>(k: &ArrayRef2<T>) -> T {
    T::lit(k.ncols() as f64).sqrt().recip()
}

/// `c += by·a·b`
pub(super) fn add_product<T: Scalar>(
    a: &ArrayRef2<T>,
    b: &ArrayRef2<T>,
    by: T,
    c: &mut ArrayRef2<T>,
) {
    general_mat_mul(by, a, b, T::one(), c);
}

/// `by·a·b`
pub(super) fn product<T: Scalar>(a: &ArrayRef2<T>, b: &ArrayRef2<T>, by: T) -> Array2<T> {
    let mut c = Array2::zeros((a.nrows(), b.ncols()));
    add_product(a, b, by, &mut c);
    c
}

/// `P`, from scores.
fn exponentials<T: Scalar>(mut scores: Array2<T>, log_sums: &ArrayRef1<T>) -> Array2<T> {
    for (mut row, &sum) in scores.rows_mut().into_iter().zip(log_sums) {
        row.mapv_inplace(|s| (s - sum).exp());
    }
    scores
}

/// `P∘(D − rows of ⟨P, D⟩)`: the derivative of the softmax, its own transpose.
pub(super) fn through_softmax<T: Scalar>(p: &Array2<T>, mut d: Array2<T>) -> Array2<T> {
    for (mut d, p) in d.axis_iter_mut(Axis(0)).zip(p.rows()) {
        let along = d.dot(&p);
        d.zip_mut_with(&p, |d, &p| *d = p * (*d - along));
    }
    d
}

/// What the reverse pass of [`attention()`] reads again.
#[derive(Debug)]
pub struct AttentionTape<T: Scalar> {
    q: Saved<ArrayRef2<T>>,
    k: Saved<ArrayRef2<T>>,
    v: Saved<ArrayRef2<T>>,
    log_sums: Array1<T>,
}

impl<R, X, Y, Z, T, const W: usize> ForwardRule<R, (X, Y, Z), W> for attention
where
    T: Scalar,
    R: ForwardReturn<W, Out = Array2<T>>,
    X: ForwardArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    Y: ForwardArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    Z: ForwardArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
{
    #[track_caller]
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, y, z): (&mut X, &mut Y, &mut Z),
    ) -> ForwardOutcome<R, W> {
        let (q, k, v) = (x.primal(), y.primal(), z.primal());
        let (out, log_sums) = value(q, k, v);
        let by = scale(k);
        let tangent = |lane| {
            let mut d = Array2::zeros(out.raw_dim());
            for rows in blocks(q.nrows()) {
                let q = q.slice(s![rows.clone(), ..]);
                let p = exponentials(product(&q, &k.t(), by), &log_sums.slice(s![rows.clone()]));
                let mut d = d.slice_mut(s![rows.clone(), ..]);
                let mut ds = Array2::zeros(p.raw_dim());
                let dq = effective(x.tangent(lane), config.strong_zero());
                let dk = effective(y.tangent(lane), config.strong_zero());
                if let Some(dq) = dq {
                    add_product(&dq.slice(s![rows, ..]), &k.t(), by, &mut ds);
                }
                if let Some(dk) = dk {
                    add_product(&q, &dk.t(), by, &mut ds);
                }
                if let Some(dv) = effective(z.tangent(lane), config.strong_zero()) {
                    add_product(&p, dv, T::one(), &mut d);
                }
                if dq.is_some() || dk.is_some() {
                    add_product(&through_softmax(&p, ds), v, T::one(), &mut d);
                }
            }
            d
        };
        R::forward(config, || out.clone(), tangent)
    }
}

impl<R, X, Y, Z, T, const W: usize> ReverseRule<R, (X, Y, Z), W> for attention
where
    T: Scalar,
    R: ReverseReturn<W, Out = Array2<T>>,
    X: ReverseArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    Y: ReverseArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
    Z: ReverseArg<ArrayRef2<T>, W> + Annotation<Primal: Memory<Target = ArrayRef2<T>>>,
{
    type Tape = AttentionTape<T>;

    #[track_caller]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, y, z): (&mut X, &mut Y, &mut Z),
    ) -> AugmentedOutcome<R, AttentionTape<T>, W> {
        let (out, log_sums) = value(x.primal(), y.primal(), z.primal());
        let scores = R::ACTIVE && (x.is_active() || y.is_active());
        let any = scores || (R::ACTIVE && z.is_active());
        let tape = AttentionTape {
            q: Saved::new(x.primal(), any && config.overwritten(0)),
            k: Saved::new(y.primal(), any && config.overwritten(1)),
            v: Saved::new(z.primal(), scores && config.overwritten(2)),
            log_sums,
        };
        R::augmented(config, out, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: AttentionTape<T>,
        (x, y, z): (&mut X, &mut Y, &mut Z),
    ) -> (X::Gradient, Y::Gradient, Z::Gradient) {
        let (tape, dret) = (&tape, &dret);
        let p = |q: &ArrayRef2<T>, k: &ArrayRef2<T>, rows: std::ops::Range<usize>| {
            let scores = product(&q.slice(s![rows.clone(), ..]), &k.t(), scale(k));
            exponentials(scores, &tape.log_sums.slice(s![rows]))
        };
        let g = |q: &ArrayRef2<T>,
                 k: &ArrayRef2<T>,
                 v: &ArrayRef2<T>,
                 out: &Array2<T>,
                 rows: std::ops::Range<usize>| {
            let d = product(&out.slice(s![rows.clone(), ..]), &v.t(), T::one());
            through_softmax(&p(q, k, rows), d)
        };
        let of_q = x.accumulate(|lane, q, mut dq| {
            let (q, k, v) = (
                tape.q.get(q),
                tape.k.get(y.primal()),
                tape.v.get(z.primal()),
            );
            if let Some(out) = effective(dret.lane(lane), config.strong_zero()) {
                dq.accumulate_with(|dq| {
                    for rows in blocks(q.nrows()) {
                        let g = g(q, k, v, out, rows.clone());
                        add_product(&g, k, scale(k), &mut dq.slice_mut(s![rows, ..]));
                    }
                });
            }
        });
        let of_k = y.accumulate(|lane, k, mut dk| {
            let (q, k, v) = (
                tape.q.get(x.primal()),
                tape.k.get(k),
                tape.v.get(z.primal()),
            );
            if let Some(out) = effective(dret.lane(lane), config.strong_zero()) {
                dk.accumulate_with(|dk| {
                    for rows in blocks(q.nrows()) {
                        let g = g(q, k, v, out, rows.clone());
                        add_product(&g.t(), &q.slice(s![rows, ..]), scale(k), dk);
                    }
                });
            }
        });
        let of_v = z.accumulate(|lane, _, mut dv| {
            let (q, k) = (tape.q.get(x.primal()), tape.k.get(y.primal()));
            if let Some(out) = effective(dret.lane(lane), config.strong_zero()) {
                dv.accumulate_with(|dv| {
                    for rows in blocks(q.nrows()) {
                        let p = p(q, k, rows.clone());
                        add_product(&p.t(), &out.slice(s![rows, ..]), T::one(), dv);
                    }
                });
            }
        });
        (of_q, of_k, of_v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "attention: queries [1, 2], keys [3, 2], values [2, 2]")]
    fn shapes_that_do_not_fit_are_named() {
        let a = |n| Array2::<f64>::zeros((n, 2));
        let _ = attention(&a(1), &a(3), &a(2));
    }
}
