//! Inverses, determinants and the solution of linear systems.
//!
//! Source: Giles 2008, *Collected matrix derivative results for forward and reverse mode algorithmic differentiation*,
//! doi:10.1007/978-3-540-68942-3_4, sections 2.2.3 (inverse, determinant, solve); Murray 2016, *Differentiation of the Cholesky
//! decomposition*, arXiv:1602.07527, equations 8 and 10.

use std::ops::Deref;
use std::sync::Arc;

use ::nalgebra::allocator::Allocator;
use ::nalgebra::{Cholesky, Const, DMatrix, DefaultAllocator, Dim, Dyn, LU, OMatrix, RealField};

use crate::__private::Blank;
use crate::activity::{Annotation, ForwardArg, ReverseArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::error::Incongruent;
use crate::foreign::markers;
use crate::ops::{MemoryOf, Single, skips};
use crate::real::Real;
use crate::rule::{
    AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Lanes, Outcome, ReverseReturn,
    ReverseRule, Saved,
};
use crate::single_rules;
use crate::tangent::{Memory, Tangent};

markers! {
    /// `a.try_inverse()`.
    try_inverse;
    /// `a.determinant()`.
    determinant;
    /// `a.lu()`.
    lu;
    /// `a.cholesky()`.
    cholesky;
    /// `a.lu().solve(&b)`, `a.cholesky()?.solve(&b)`.
    solve;
    /// `c.l()` of a Cholesky decomposition.
    l;
    /// `c.ln_determinant()` of a Cholesky decomposition.
    ln_determinant;
}

single_rules! {
    try_inverse: ();
    determinant: ();
    lu: ();
    cholesky: ();
    l: ();
    ln_determinant: ();
}

/// A matrix, factored: what `a.lu()` and `a.cholesky()` are in differentiated code. Its tangent space is that of the matrix; the
/// factors are shared by copies.
#[derive(Clone, Debug)]
pub struct Factored<M, F> {
    matrix: M,
    factors: Option<Arc<F>>,
}

impl<M, F> Factored<M, F> {
    fn new(matrix: M, factors: F) -> Self {
        let factors = Some(Arc::new(factors));
        Self { matrix, factors }
    }
}

impl<M, F> Deref for Factored<M, F> {
    type Target = F;

    fn deref(&self) -> &F {
        self.factors
            .as_ref()
            .expect("a value, and not a derivative, is solved with")
    }
}

/// Equal matrices have equal factors.
impl<M: PartialEq, F> PartialEq for Factored<M, F> {
    fn eq(&self, other: &Self) -> bool {
        self.matrix == other.matrix
    }
}

impl<M: Tangent<Owned = M>, F> Tangent for Factored<M, F> {
    type Owned = Self;
    type Target = Self;

    const ONE_SHAPE: bool = M::ONE_SHAPE;

    fn target(this: &Self) -> &Self {
        this
    }
    fn zero_like(this: &Self) -> Self {
        Self {
            matrix: Tangent::zero_like(&this.matrix),
            factors: None,
        }
    }
    fn zero_out(this: &mut Self) {
        Tangent::zero_out(&mut this.matrix);
    }
    fn accumulate(this: &mut Self, other: &Self) {
        Tangent::accumulate(&mut this.matrix, &other.matrix);
    }
    fn scale(this: &mut Self, by: f64) {
        Tangent::scale(&mut this.matrix, by);
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        Tangent::inner(&this.matrix, &other.matrix)
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        Tangent::flatten_into(&this.matrix, out);
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        Tangent::unflatten_from(&mut this.matrix, from);
    }
    fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
        Tangent::congruent(&this.matrix, &other.matrix)
    }
}

impl<M: Blank, F> Blank for Factored<M, F> {
    fn blank() -> Self {
        Self {
            matrix: M::blank(),
            factors: None,
        }
    }
}

crate::value_type! { [M: Tangent<Owned = M>, F] Factored<M, F> }

/// Factors of `A` that solve `A·x = b`.
pub trait System<B>: Tangent<Owned = Self> + Clone {
    /// What solving gives: `x`, or an `Option` of it.
    type Out: Outcome<Value = B>;

    /// `x`.
    fn solved(&self, b: &B) -> Self::Out;
    /// `A⁻ᵀ·b`; `A` is known to be invertible.
    fn solved_transposed(&self, b: &B) -> B;
    /// `self·x`, of a derivative.
    fn times(&self, x: &B) -> B;
    /// `self −= l·xᵀ`, of a derivative.
    fn subtract(&mut self, l: &B, x: &B);
}

const SOLVED: &str = "the system had a solution";

macro_rules! systems {
    ($([$($g:tt)*] $d:ty, $k:ty;)*) => {$(
        impl<T: Real + RealField, $($g)*> System<OMatrix<T, $d, $k>>
            for Factored<OMatrix<T, $d, $d>, LU<T, $d, $d>>
        {
            type Out = Option<OMatrix<T, $d, $k>>;

            fn solved(&self, b: &OMatrix<T, $d, $k>) -> Self::Out {
                self.solve(b)
            }
            /// `P·A = L·U`, so `A⁻ᵀ = Pᵀ·L⁻ᵀ·U⁻ᵀ`.
            fn solved_transposed(&self, b: &OMatrix<T, $d, $k>) -> OMatrix<T, $d, $k> {
                let mut x = b.clone();
                let done = self.u().tr_solve_upper_triangular_mut(&mut x)
                    && self.l().tr_solve_lower_triangular_mut(&mut x);
                assert!(done, "{SOLVED}");
                self.p().inv_permute_rows(&mut x);
                x
            }
            fn times(&self, x: &OMatrix<T, $d, $k>) -> OMatrix<T, $d, $k> {
                &self.matrix * x
            }
            fn subtract(&mut self, l: &OMatrix<T, $d, $k>, x: &OMatrix<T, $d, $k>) {
                Tangent::accumulate(&mut self.matrix, &-(l * x.transpose()));
            }
        }

        impl<T: Real + RealField, $($g)*> System<OMatrix<T, $d, $k>>
            for Factored<OMatrix<T, $d, $d>, Cholesky<T, $d>>
        {
            type Out = OMatrix<T, $d, $k>;

            fn solved(&self, b: &OMatrix<T, $d, $k>) -> Self::Out {
                self.solve(b)
            }
            fn solved_transposed(&self, b: &OMatrix<T, $d, $k>) -> OMatrix<T, $d, $k> {
                self.solve(b)
            }
            fn times(&self, x: &OMatrix<T, $d, $k>) -> OMatrix<T, $d, $k> {
                &self.matrix * x
            }
            fn subtract(&mut self, l: &OMatrix<T, $d, $k>, x: &OMatrix<T, $d, $k>) {
                Tangent::accumulate(&mut self.matrix, &-(l * x.transpose()));
            }
        }
    )*};
}

systems! {
    [const K: usize] Const<1>, Const<K>;
    [const K: usize] Const<2>, Const<K>;
    [const K: usize] Const<3>, Const<K>;
    [const K: usize] Const<4>, Const<K>;
    [const K: usize] Const<5>, Const<K>;
    [const K: usize] Const<6>, Const<K>;
    [const K: usize] Dyn, Const<K>;
    [] Dyn, Dyn;
}

impl<R, X, Y, const W: usize> ForwardRule<R, (X, Y), W> for solve
where
    X: ForwardArg<MemoryOf<X>, W> + Annotation<Primal: Memory>,
    Y: ForwardArg<MemoryOf<Y>, W> + Annotation<Primal: Memory>,
    MemoryOf<X>: System<MemoryOf<Y>>,
    MemoryOf<Y>: Tangent<Owned = MemoryOf<Y>> + Clone,
    R: ForwardReturn<W, Out = <MemoryOf<X> as System<MemoryOf<Y>>>::Out>,
{
    /// `A·ẋ = ḃ − Ȧ·x`
    fn forward(&self, config: &ForwardConfig, (a, b): (&mut X, &mut Y)) -> ForwardOutcome<R, W> {
        let (factors, right) = (a.primal(), b.primal());
        Outcome::map_value(factors.solved(right), |x| {
            let tangents: [_; W] = std::array::from_fn(|lane| {
                let strong = config.strong_zero();
                let da = a.tangent(lane).filter(|da| !skips(strong, *da));
                let db = b.tangent(lane).filter(|db| !skips(strong, *db));
                if da.is_none() && db.is_none() {
                    return Tangent::zero_like(right);
                }
                let mut moved = db.map_or_else(|| Tangent::zero_like(right), Clone::clone);
                if let Some(da) = da {
                    let mut product = da.times(&x);
                    Tangent::scale(&mut product, -1.0);
                    Tangent::accumulate(&mut moved, &product);
                }
                let mut tangent = None;
                let _ = Outcome::map_value(factors.solved(&moved), |dx| tangent = Some(dx));
                tangent.expect(SOLVED)
            });
            R::forward(config, || x, |lane| tangents[lane].clone())
        })
    }
}

impl<R, X, Y, const W: usize> ReverseRule<R, (X, Y), W> for solve
where
    X: ReverseArg<MemoryOf<X>, W> + Annotation<Primal: Memory>,
    Y: ReverseArg<MemoryOf<Y>, W> + Annotation<Primal: Memory>,
    MemoryOf<X>: System<MemoryOf<Y>> + Send + 'static,
    MemoryOf<Y>: Tangent<Owned = MemoryOf<Y>> + Clone + Send + 'static,
    R: ReverseReturn<W, Out = <MemoryOf<X> as System<MemoryOf<Y>>>::Out>,
{
    /// The factors, if they may be overwritten, and the solution.
    type Tape = (Saved<MemoryOf<X>>, MemoryOf<Y>);

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, b): (&mut X, &mut Y),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let saved = Saved::new(a.primal(), config.overwritten(0));
        let solved = a.primal().solved(b.primal());
        Outcome::map_value(solved, |x| R::augmented(config, x.clone(), (saved, x)))
    }

    /// `b̄ += A⁻ᵀ·x̄`, `Ā −= (A⁻ᵀ·x̄)·xᵀ`
    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (saved, x): Self::Tape,
        (a, b): (&mut X, &mut Y),
    ) -> (X::Gradient, Y::Gradient) {
        let multipliers: [_; W] = {
            let factors = saved.get(a.primal());
            std::array::from_fn(|lane| {
                let cotangent = dret.lane(lane).filter(|d| !skips(config.strong_zero(), *d));
                cotangent.map(|d| factors.solved_transposed(d))
            })
        };
        let of_b = b.accumulate(|lane, _, mut db| {
            multipliers[lane].iter().for_each(|l| db.add(l));
        });
        let of_a = a.accumulate(|lane, _, mut da| {
            let multiplier = multipliers[lane].iter();
            multiplier.for_each(|l| da.accumulate_with(|da| da.subtract(l, &x)));
        });
        (of_a, of_b)
    }
}

/// The symmetric matrix with this lower half, which is what a Cholesky decomposition reads.
fn symmetric<T: Real, D: Dim>(lower: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let mut full = lower.clone();
    full.fill_upper_triangle_with_lower_triangle();
    full
}

/// The transpose of [`symmetric`].
fn folded<T: Real, D: Dim>(full: &OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    let mut lower = full + full.transpose();
    for i in 0..lower.nrows() {
        lower[(i, i)] = full[(i, i)];
    }
    lower.fill_upper_triangle(T::zero(), 1);
    lower
}

/// The lower half, with half of the diagonal.
fn half<T: Real, D: Dim>(mut m: OMatrix<T, D, D>) -> OMatrix<T, D, D>
where
    DefaultAllocator: Allocator<D, D>,
{
    m.fill_upper_triangle(T::zero(), 1);
    for i in 0..m.nrows() {
        m[(i, i)] *= T::lit(0.5);
    }
    m
}

/// The matrix of the determinants of what is left without row `i` and column `j`, with signs: the derivative of the determinant.
fn cofactors<T: Real + RealField>(a: DMatrix<T>, determinant: T) -> DMatrix<T> {
    let n = a.nrows();
    if let Some(inverse) = a.clone().try_inverse() {
        return inverse.transpose() * determinant;
    }
    DMatrix::from_fn(n, n, |i, j| {
        let sign = if (i + j) % 2 == 0 {
            T::one()
        } else {
            -T::one()
        };
        sign * a.clone().remove_row(i).remove_column(j).determinant()
    })
}

macro_rules! square {
    ($([$($g:tt)*] $d:ty;)*) => {$(
        /// `d(A⁻¹) = −A⁻¹·dA·A⁻¹`
        impl<T: Real + RealField $($g)*> Single<try_inverse> for OMatrix<T, $d, $d> {
            type Out = Option<Self>;
            type Kept = Self;

            const READS: bool = false;

            fn value(&self, (): &()) -> Option<(Self, Self)> {
                self.clone().try_inverse().map(|inverse| (inverse.clone(), inverse))
            }
            fn tangent(&self, (): &(), inverse: &Self, da: &Self) -> Self {
                -(inverse * da * inverse)
            }
            fn pull(_: &Self, (): &(), inverse: &Self, dout: &Self, da: &mut Self) {
                Tangent::accumulate(da, &-(inverse.tr_mul(dout) * inverse.transpose()));
            }
        }

        impl<T: Real + RealField $($g)*> Single<cholesky> for OMatrix<T, $d, $d> {
            type Out = Option<Factored<Self, Cholesky<T, $d>>>;
            type Kept = ();

            const READS: bool = false;

            fn value(&self, (): &()) -> Option<(Factored<Self, Cholesky<T, $d>>, ())> {
                let factors = self.clone().cholesky()?;
                Some((Factored::new(self.clone(), factors), ()))
            }
            fn tangent(&self, (): &(), (): &(), da: &Self) -> Factored<Self, Cholesky<T, $d>> {
                Factored { matrix: symmetric(da), factors: None }
            }
            fn pull(_: &Self, (): &(), (): &(), dout: &Factored<Self, Cholesky<T, $d>>, da: &mut Self) {
                if !dout.matrix.is_empty() {
                    Tangent::accumulate(da, &folded(&dout.matrix));
                }
            }
        }

        /// `L̇ = L·Φ(L⁻¹·Ȧ·L⁻ᵀ)`, where `Φ` takes the lower half, and half of the diagonal.
        impl<T: Real + RealField $($g)*> Single<l> for Factored<OMatrix<T, $d, $d>, Cholesky<T, $d>> {
            type Out = OMatrix<T, $d, $d>;
            type Kept = OMatrix<T, $d, $d>;

            const READS: bool = false;

            fn value(&self, (): &()) -> (Self::Out, Self::Kept) {
                (self.l(), self.l())
            }
            fn tangent(&self, (): &(), l: &Self::Kept, da: &Self) -> Self::Out {
                let mut inner = da.matrix.clone();
                let done = l.solve_lower_triangular_mut(&mut inner);
                inner.transpose_mut();
                assert!(done && l.solve_lower_triangular_mut(&mut inner), "{SOLVED}");
                l * half(inner)
            }
            fn pull(_: &Self, (): &(), l: &Self::Kept, dout: &Self::Out, da: &mut Self) {
                let mut inner = half(l.tr_mul(dout));
                let done = l.tr_solve_lower_triangular_mut(&mut inner);
                inner.transpose_mut();
                assert!(done && l.tr_solve_lower_triangular_mut(&mut inner), "{SOLVED}");
                Tangent::accumulate(&mut da.matrix, &inner);
            }
        }

        impl<T: Real + RealField $($g)*> Single<super::rotation::inverse> for Factored<OMatrix<T, $d, $d>, Cholesky<T, $d>> {
            type Out = OMatrix<T, $d, $d>;
            type Kept = OMatrix<T, $d, $d>;

            const READS: bool = false;

            fn value(&self, (): &()) -> (Self::Out, Self::Kept) {
                let inverse = self.inverse();
                (inverse.clone(), inverse)
            }
            fn tangent(&self, (): &(), inverse: &Self::Kept, da: &Self) -> Self::Out {
                -(inverse * &da.matrix * inverse)
            }
            fn pull(_: &Self, (): &(), inverse: &Self::Kept, dout: &Self::Out, da: &mut Self) {
                Tangent::accumulate(&mut da.matrix, &-(inverse * dout * inverse));
            }
        }

        impl<T: Real + RealField $($g)*> Single<ln_determinant> for Factored<OMatrix<T, $d, $d>, Cholesky<T, $d>> {
            type Out = T;
            type Kept = OMatrix<T, $d, $d>;

            const READS: bool = false;

            fn value(&self, (): &()) -> (T, Self::Kept) {
                (self.ln_determinant(), self.inverse())
            }
            fn tangent(&self, (): &(), inverse: &Self::Kept, da: &Self) -> T {
                inverse.dot(&da.matrix)
            }
            fn pull(_: &Self, (): &(), inverse: &Self::Kept, dout: &T, da: &mut Self) {
                Tangent::accumulate(&mut da.matrix, &(inverse * *dout));
            }
        }

        impl<T: Real + RealField $($g)*> Single<determinant> for Factored<OMatrix<T, $d, $d>, Cholesky<T, $d>> {
            type Out = T;
            type Kept = OMatrix<T, $d, $d>;

            const READS: bool = false;

            fn value(&self, (): &()) -> (T, Self::Kept) {
                let determinant = Cholesky::determinant(self);
                (determinant, self.inverse() * determinant)
            }
            fn tangent(&self, (): &(), adjugate: &Self::Kept, da: &Self) -> T {
                adjugate.dot(&da.matrix)
            }
            fn pull(_: &Self, (): &(), adjugate: &Self::Kept, dout: &T, da: &mut Self) {
                Tangent::accumulate(&mut da.matrix, &(adjugate * *dout));
            }
        }
    )*};
}

square! {
    [, const D: usize] Const<D>;
    [] Dyn;
}

macro_rules! sized {
    ($($d:ty)*) => {$(
        impl<T: Real + RealField> Single<lu> for OMatrix<T, $d, $d> {
            type Out = Factored<Self, LU<T, $d, $d>>;
            type Kept = ();

            const READS: bool = false;

            fn value(&self, (): &()) -> (Self::Out, ()) {
                (Factored::new(self.clone(), self.clone().lu()), ())
            }
            fn tangent(&self, (): &(), (): &(), da: &Self) -> Self::Out {
                Factored { matrix: da.clone(), factors: None }
            }
            fn pull(_: &Self, (): &(), (): &(), dout: &Self::Out, da: &mut Self) {
                Tangent::accumulate(da, &dout.matrix);
            }
        }

        impl<T: Real + RealField> Single<determinant> for OMatrix<T, $d, $d> {
            type Out = T;
            type Kept = DMatrix<T>;

            const READS: bool = false;

            fn value(&self, (): &()) -> (T, DMatrix<T>) {
                let determinant = self.determinant();
                let (m, n) = self.shape();
                (determinant, cofactors(DMatrix::from_column_slice(m, n, self.as_slice()), determinant))
            }
            fn tangent(&self, (): &(), cofactors: &DMatrix<T>, da: &Self) -> T {
                let products = cofactors.iter().zip(da.iter());
                products.fold(T::zero(), |sum, (a, b)| sum + *a * *b)
            }
            fn pull(_: &Self, (): &(), cofactors: &DMatrix<T>, dout: &T, da: &mut Self) {
                da.iter_mut().zip(cofactors.iter()).for_each(|(da, c)| *da += *c * *dout);
            }
        }

        impl<T: Real + RealField> Single<determinant> for Factored<OMatrix<T, $d, $d>, LU<T, $d, $d>> {
            type Out = T;
            type Kept = DMatrix<T>;

            const READS: bool = false;

            fn value(&self, (): &()) -> (T, DMatrix<T>) {
                Single::<determinant>::value(&self.matrix, &())
            }
            fn tangent(&self, (): &(), cofactors: &DMatrix<T>, da: &Self) -> T {
                Single::<determinant>::tangent(&self.matrix, &(), cofactors, &da.matrix)
            }
            fn pull(a: &Self, (): &(), cofactors: &DMatrix<T>, dout: &T, da: &mut Self) {
                Single::<determinant>::pull(&a.matrix, &(), cofactors, dout, &mut da.matrix);
            }
        }

        impl<T: Real + RealField> Single<try_inverse> for Factored<OMatrix<T, $d, $d>, LU<T, $d, $d>> {
            type Out = Option<OMatrix<T, $d, $d>>;
            type Kept = OMatrix<T, $d, $d>;

            const READS: bool = false;

            fn value(&self, (): &()) -> Option<(Self::Kept, Self::Kept)> {
                LU::try_inverse(self).map(|inverse| (inverse.clone(), inverse))
            }
            fn tangent(&self, (): &(), inverse: &Self::Kept, da: &Self) -> Self::Kept {
                Single::<try_inverse>::tangent(&self.matrix, &(), inverse, &da.matrix)
            }
            fn pull(a: &Self, (): &(), inverse: &Self::Kept, dout: &Self::Kept, da: &mut Self) {
                Single::<try_inverse>::pull(&a.matrix, &(), inverse, dout, &mut da.matrix);
            }
        }
    )*};
}

sized!(Const<1> Const<2> Const<3> Const<4> Const<5> Const<6> Dyn);
