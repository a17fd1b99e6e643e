//! The complex Schur form of a real matrix.
//!
//! Source: Golub & Van Loan 2013, *Matrix Computations*, sections 7.4 and 7.5: reduction to Hessenberg form by reflections,
//! then QR steps with one complex shift, explicitly.

use ndarray::{Array1, Array2, ArrayRef2, s};
use num_complex::Complex;

use super::Error;
use crate::class::Scalar;

/// `A = U·T·Uᴴ` with a unitary `U` and an upper triangular `T`.
#[derive(Clone, Debug)]
pub(super) struct Schur<T> {
    pub(super) u: Array2<Complex<T>>,
    pub(super) t: Array2<Complex<T>>,
}

/// QR steps for one eigenvalue, after which the iteration gives up.
const MOST_STEPS: usize = 60;

impl<T: Scalar> Schur<T> {
    /// About `25n³` complex flops.
    pub(super) fn new(a: &ArrayRef2<T>) -> Result<Self, Error> {
        let (u, h) = hessenberg(a);
        let complex = |x: Array2<T>| x.mapv(|x| Complex::new(x, T::zero()));
        let mut schur = Self {
            u: complex(u),
            t: complex(h),
        };
        let (mut end, mut steps) = (a.nrows(), 0);
        while end > 1 {
            let start = schur.deflate(end);
            if start + 1 == end {
                (end, steps) = (start, 0);
            } else if steps == MOST_STEPS {
                return Err(Error::NoConvergence);
            } else {
                steps += 1;
                schur.step(start, end, schur.shift(end, steps));
            }
        }
        Ok(schur)
    }

    /// The first row of the last block that cannot be divided; the entries before it that are negligible are zeroed.
    fn deflate(&mut self, end: usize) -> usize {
        for i in (1..end).rev() {
            let beside = size(self.t[(i, i)]) + size(self.t[(i - 1, i - 1)]);
            if size(self.t[(i, i - 1)]) <= T::epsilon() * beside {
                self.t[(i, i - 1)] = Complex::new(T::zero(), T::zero());
                return i;
            }
        }
        0
    }

    /// The eigenvalue of the last two rows and columns that is nearest to the last entry; now and then another number, in case
    /// that the steps go in a circle.
    fn shift(&self, end: usize, step: usize) -> Complex<T> {
        let t = |i: usize, j: usize| self.t[(end - i, end - j)];
        if step.is_multiple_of(10) {
            return Complex::new(size(t(1, 2)) + size(t(1, 1)), T::zero());
        }
        let half = T::lit(0.5);
        let mean = (t(1, 1) + t(2, 2)) * half;
        let difference = (t(2, 2) - t(1, 1)) * half;
        let root = (difference * difference + t(1, 2) * t(2, 1)).sqrt();
        let (p, q) = (mean + root, mean - root);
        if size(p - t(1, 1)) < size(q - t(1, 1)) {
            p
        } else {
            q
        }
    }

    /// `T − σ = Q·R`, `T ← R·Q + σ` in rows and columns `start..end`, by rotations, and `U ← U·Q`.
    fn step(&mut self, start: usize, end: usize, shift: Complex<T>) {
        let n = self.t.nrows();
        for i in start..end {
            self.t[(i, i)] -= shift;
        }
        let mut rotations = Vec::with_capacity(end - start);
        for k in start..end - 1 {
            let (a, b) = (self.t[(k, k)], self.t[(k + 1, k)]);
            let length = a.norm().hypot(b.norm());
            let rotation = if length.is_zero() {
                (Complex::new(T::one(), T::zero()), b)
            } else {
                (a / length, b / length)
            };
            let (c, s) = rotation;
            for j in k..n {
                let (x, y) = (self.t[(k, j)], self.t[(k + 1, j)]);
                self.t[(k, j)] = c.conj() * x + s.conj() * y;
                self.t[(k + 1, j)] = c * y - s * x;
            }
            rotations.push(rotation);
        }
        for (k, (c, s)) in (start..).zip(rotations) {
            let turn = |m: &mut Array2<Complex<T>>, rows: usize| {
                for i in 0..rows {
                    let (x, y) = (m[(i, k)], m[(i, k + 1)]);
                    m[(i, k)] = c * x + s * y;
                    m[(i, k + 1)] = c.conj() * y - s.conj() * x;
                }
            };
            turn(&mut self.t, k + 2);
            turn(&mut self.u, n);
        }
        for i in start..end {
            self.t[(i, i)] += shift;
        }
    }
}

/// `|Re z| + |Im z|`
fn size<T: Scalar>(z: Complex<T>) -> T {
    z.re.abs() + z.im.abs()
}

/// `(Q, H)` with `A = Q·H·Qᵀ`, where `H` is zero below the diagonal that is next to the main one.
fn hessenberg<T: Scalar>(a: &ArrayRef2<T>) -> (Array2<T>, Array2<T>) {
    let n = a.nrows();
    let (mut q, mut h) = (Array2::eye(n), a.to_owned());
    for k in 1..n.saturating_sub(1) {
        let mut v: Array1<T> = h.slice(s![k.., k - 1]).to_owned();
        let length = v.iter().fold(T::zero(), |length, &x| length.hypot(x));
        if v.iter().skip(1).all(|x| x.is_zero()) {
            continue;
        }
        let away = if v[0] < T::zero() { -length } else { length };
        v[0] += away;
        let scale = T::lit(2.0) / v.dot(&v);
        let along = h.slice(s![k.., ..]).t().dot(&v);
        for (mut row, &v) in h.slice_mut(s![k.., ..]).rows_mut().into_iter().zip(&v) {
            row.scaled_add(-scale * v, &along);
        }
        for m in [&mut h, &mut q] {
            let mut part = m.slice_mut(s![.., k..]);
            let along = part.dot(&v);
            for (mut row, &along) in part.rows_mut().into_iter().zip(&along) {
                row.scaled_add(-scale * along, &v);
            }
        }
        h.slice_mut(s![k + 1.., k - 1]).fill(T::zero());
    }
    (q, h)
}
