//! Attention that does not see every key: the future, or what a mask hides.
//!
//! The formulas are those of [`attention()`](super::attention()), with `Pᵢⱼ = 0` where query `i` does not see key `j`. `P` is on no tape:
//! it is computed again, some rows at a time, from the logarithms of the sums that its rows were divided by; one pass over
//! the rows gives all three cotangents. The tape holds the operands and these `n` numbers.
//!
//! Source: Dao et al. 2022, *FlashAttention*, arXiv:2205.14135, appendix B.4.

use std::ops::Range;

use coenzyme::primitive;
use ndarray::{Array1, Array2, ArrayRef2, s};

use super::transformer::{add_product, blocks, product, scale, through_softmax};
use crate::class::{Scalar, several_rule};

/// Which keys a query sees.
#[derive(Clone, Debug)]
enum Sight {
    /// Those that do not come after it.
    Past,
    /// Those where the mask is true.
    Mask(Array2<bool>),
}

impl Sight {
    fn sees(&self, query: usize, key: usize) -> bool {
        match self {
            Sight::Past => key <= query,
            Sight::Mask(mask) => mask[(query, key)],
        }
    }
}

/// What the derivative reads.
#[derive(Debug)]
pub struct Masked<T> {
    q: Array2<T>,
    k: Array2<T>,
    v: Array2<T>,
    sight: Sight,
    log_sums: Array1<T>,
}

impl<T: Scalar> Masked<T> {
    #[track_caller]
    fn new(name: &str, [q, k, v]: [&ArrayRef2<T>; 3], sight: Sight) -> (Array2<T>, Self) {
        assert!(
            q.ncols() == k.ncols() && k.nrows() == v.nrows(),
            "{name}: queries {:?}, keys {:?}, values {:?}",
            q.shape(),
            k.shape(),
            v.shape()
        );
        let mut out = Array2::zeros((q.nrows(), v.ncols()));
        let mut kept = Self {
            q: q.to_owned(),
            k: k.to_owned(),
            v: v.to_owned(),
            sight,
            log_sums: Array1::zeros(q.nrows()),
        };
        for rows in blocks(q.nrows()) {
            let scores = kept.scores(&rows);
            for (i, row) in rows.clone().zip(scores.rows()) {
                let seen = || (row.iter().enumerate()).filter(|(j, _)| kept.sight.sees(i, *j));
                let top = seen().fold(T::neg_infinity(), |top, (_, &s)| top.max(s));
                let sum: T = seen().map(|(_, &s)| (s - top).exp()).sum();
                kept.log_sums[i] = top + sum.ln();
            }
            add_product(
                &kept.softmax(&rows, scores),
                v,
                T::one(),
                &mut out.slice_mut(s![rows, ..]),
            );
        }
        (out, kept)
    }

    /// Some rows of `Q·Kᵀ/√d`.
    fn scores(&self, rows: &Range<usize>) -> Array2<T> {
        product(
            &self.q.slice(s![rows.clone(), ..]),
            &self.k.t(),
            scale(&self.k),
        )
    }

    /// These rows of `P`; zeros for a query that sees nothing.
    fn softmax(&self, rows: &Range<usize>, mut scores: Array2<T>) -> Array2<T> {
        for (i, mut row) in rows.clone().zip(scores.rows_mut()) {
            for (j, s) in row.iter_mut().enumerate() {
                *s = if self.sight.sees(i, j) {
                    (*s - self.log_sums[i]).exp()
                } else {
                    T::zero()
                };
            }
        }
        scores
    }

    fn pushforward(
        out: &Array2<T>,
        kept: &Self,
        dq: Option<&ArrayRef2<T>>,
        dk: Option<&ArrayRef2<T>>,
        dv: Option<&ArrayRef2<T>>,
    ) -> Array2<T> {
        let (mut d, by) = (Array2::zeros(out.raw_dim()), scale(&kept.k));
        for rows in blocks(out.nrows()) {
            let p = kept.softmax(&rows, kept.scores(&rows));
            let mut d = d.slice_mut(s![rows.clone(), ..]);
            let mut ds = Array2::zeros(p.raw_dim());
            if let Some(dq) = dq {
                add_product(&dq.slice(s![rows.clone(), ..]), &kept.k.t(), by, &mut ds);
            }
            if let Some(dk) = dk {
                add_product(&kept.q.slice(s![rows, ..]), &dk.t(), by, &mut ds);
            }
            if let Some(dv) = dv {
                add_product(&p, dv, T::one(), &mut d);
            }
            if dq.is_some() || dk.is_some() {
                add_product(&through_softmax(&p, ds), &kept.v, T::one(), &mut d);
            }
        }
        d
    }

    /// The cotangents of `Q`, `K` and `V`.
    fn pull(_: &Array2<T>, kept: &Self, dout: &Array2<T>) -> [Array2<T>; 3] {
        let by = scale(&kept.k);
        let [mut dq, mut dk, mut dv] =
            [&kept.q, &kept.k, &kept.v].map(|x| Array2::zeros(x.raw_dim()));
        for rows in blocks(dout.nrows()) {
            let p = kept.softmax(&rows, kept.scores(&rows));
            let (q, d) = (
                kept.q.slice(s![rows.clone(), ..]),
                dout.slice(s![rows.clone(), ..]),
            );
            add_product(&p.t(), &d, T::one(), &mut dv);
            let g = through_softmax(&p, product(&d, &kept.v.t(), T::one()));
            add_product(&g, &kept.k, by, &mut dq.slice_mut(s![rows, ..]));
            add_product(&g.t(), &q, by, &mut dk);
        }
        [dq, dk, dv]
    }
}

/// [`attention()`](super::attention()) where query `i` sees keys `0..=i`: of a sequence, what came before. **Panics** if the shapes do
/// not fit.
///
/// ```
/// # use ndarray::array;
/// let (q, v) = (array![[0.0], [0.0]], array![[1.0], [3.0]]);
/// assert_eq!(coenzyme_rules::nn::attention_causal(&q, &q, &v), array![[1.0], [2.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn attention_causal<T: Scalar>(
    q: &ArrayRef2<T>,
    k: &ArrayRef2<T>,
    v: &ArrayRef2<T>,
) -> Array2<T> {
    attention_causal::evaluate(q, k, v).0
}

/// [`attention()`](super::attention()) where query `i` sees key `j` if `mask[(i, j)]`, of shape `(n, m)`. A query that sees nothing
/// gives zeros, with derivative 0. **Panics** if the shapes do not fit.
///
/// ```
/// # use ndarray::array;
/// let (q, v) = (array![[0.0], [0.0]], array![[1.0], [3.0]]);
/// let mask = array![[true, true], [false, false]];
/// assert_eq!(coenzyme_rules::nn::attention_masked(&q, &q, &v, &mask), array![[2.0], [0.0]]);
/// ```
#[primitive]
#[track_caller]
pub fn attention_masked<T: Scalar>(
    q: &ArrayRef2<T>,
    k: &ArrayRef2<T>,
    v: &ArrayRef2<T>,
    mask: &ArrayRef2<bool>,
) -> Array2<T> {
    attention_masked::evaluate(q, k, v, mask).0
}

impl attention_causal {
    #[track_caller]
    fn evaluate<T: Scalar>(
        q: &ArrayRef2<T>,
        k: &ArrayRef2<T>,
        v: &ArrayRef2<T>,
    ) -> (Array2<T>, Masked<T>) {
        Masked::new("attention_causal", [q, k, v], Sight::Past)
    }
}

impl attention_masked {
    #[track_caller]
    fn evaluate<T: Scalar>(
        q: &ArrayRef2<T>,
        k: &ArrayRef2<T>,
        v: &ArrayRef2<T>,
        mask: &ArrayRef2<bool>,
    ) -> (Array2<T>, Masked<T>) {
        assert!(
            mask.dim() == (q.nrows(), k.nrows()),
            "attention_masked: queries {:?}, keys {:?}, mask {:?}",
            q.shape(),
            k.shape(),
            mask.shape()
        );
        Masked::new("attention_masked", [q, k, v], Sight::Mask(mask.to_owned()))
    }
}

/// The derivatives of either, which are those of [`Masked`], and its rules.
macro_rules! masked_rules {
    ($($name:ident($($attr:ident: $A:ty)?);)+) => {$(
        impl $name {
            fn pushforward<T: Scalar>(
                out: &Array2<T>,
                kept: &Masked<T>,
                dq: Option<&ArrayRef2<T>>,
                dk: Option<&ArrayRef2<T>>,
                dv: Option<&ArrayRef2<T>>,
            ) -> Array2<T> {
                Masked::pushforward(out, kept, dq, dk, dv)
            }
            fn pull<T: Scalar>(out: &Array2<T>, kept: &Masked<T>, dout: &Array2<T>) -> [Array2<T>; 3] {
                Masked::pull(out, kept, dout)
            }
            fn pull_q<T: Scalar>(_: &Array2<T>, _: &Masked<T>, d: &[Array2<T>; 3], dq: &mut ArrayRef2<T>) {
                *dq += &d[0];
            }
            fn pull_k<T: Scalar>(_: &Array2<T>, _: &Masked<T>, d: &[Array2<T>; 3], dk: &mut ArrayRef2<T>) {
                *dk += &d[1];
            }
            fn pull_v<T: Scalar>(_: &Array2<T>, _: &Masked<T>, d: &[Array2<T>; 3], dv: &mut ArrayRef2<T>) {
                *dv += &d[2];
            }
        }

        several_rule!(
            $name[T: Scalar](
                q: ArrayRef2<T> => pull_q, k: ArrayRef2<T> => pull_k, v: ArrayRef2<T> => pull_v $(; $attr: $A)?
            ) -> Array2<T>, keeps Masked<T>, pulls [Array2<T>; 3]
        );
    )+};
}

masked_rules! {
    attention_causal();
    attention_masked(mask: ArrayRef2<bool>);
}
