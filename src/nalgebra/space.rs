//! Tangent spaces: every entry of a matrix and every component of a quaternion is a number of its own.
//!
//! A type that promises something of its components (`Unit`, `Rotation`) is differentiated as the program computes with them: the
//! shadow of a `UnitQuaternion` has four components and is no unit.

use ::nalgebra::{
    ArrayStorage, Const, Dyn, Isometry, Matrix, OMatrix, Point, Quaternion, Rotation, SMatrix,
    SVector, Scalar, Translation, Unit, VecStorage, Vector4,
};

use crate::__private::Blank;
use crate::error::Incongruent;
use crate::foreign::{Components, components};
use crate::real::Real;
use crate::tangent::Tangent;

/// A number that a matrix of `nalgebra` and a derivative can be made of: `f32`, `f64`, `Dual`, complex numbers.
pub trait Entry: Tangent<Owned = Self> + Blank + Scalar + Default {}
impl<T: Tangent<Owned = Self> + Blank + Scalar + Default> Entry for T {}

/// What is the same for every storage.
macro_rules! entries {
    () => {
        type Owned = Self;
        type Target = Self;

        #[inline]
        fn target(this: &Self) -> &Self {
            this
        }
        #[inline]
        fn zero_like(this: &Self) -> Self {
            this.map(|x| Tangent::zero_like(&x))
        }
        #[inline]
        fn zero_out(this: &mut Self) {
            this.iter_mut().for_each(T::zero_out);
        }
        fn scale(this: &mut Self, by: f64) {
            this.iter_mut().for_each(|a| Tangent::scale(a, by));
        }
        fn inner(this: &Self, other: &Self) -> f64 {
            let products = this
                .iter()
                .zip(other.iter())
                .map(|(a, b)| Tangent::inner(a, b));
            products.sum()
        }
        fn flatten_into(this: &Self, out: &mut Vec<f64>) {
            this.iter().for_each(|a| Tangent::flatten_into(a, out));
        }
        fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
            this.iter_mut()
                .for_each(|a| Tangent::unflatten_from(a, from));
        }
    };
}

/// Entries in the order of the storage: column after column.
impl<T: Entry, const R: usize, const C: usize> Tangent
    for Matrix<T, Const<R>, Const<C>, ArrayStorage<T, R, C>>
{
    entries!();

    const ONE_SHAPE: bool = T::ONE_SHAPE;
    const WORDS: usize = R * C * T::WORDS;

    #[inline]
    fn write_words(this: &Self, to: &mut [u64]) {
        let parts = to.chunks_exact_mut(T::WORDS);
        this.iter()
            .zip(parts)
            .for_each(|(x, to)| Tangent::write_words(x, to));
    }
    #[inline]
    fn read_words(from: &[u64]) -> Self {
        Self::from_iterator(from.chunks_exact(T::WORDS).map(T::read_words))
    }
    #[inline]
    fn accumulate(this: &mut Self, other: &Self) {
        this.iter_mut()
            .zip(other.iter())
            .for_each(|(a, b)| Tangent::accumulate(a, b));
    }
    #[inline]
    fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
        if T::ONE_SHAPE {
            return Ok(());
        }
        this.iter()
            .zip(other.iter())
            .try_for_each(|(a, b)| Tangent::congruent(a, b))
    }
}

impl<T: Entry, const R: usize, const C: usize> Blank
    for Matrix<T, Const<R>, Const<C>, ArrayStorage<T, R, C>>
{
    #[inline]
    fn blank() -> Self {
        Self::from_element(T::blank())
    }
}

crate::value_type! { [T: Entry, const R: usize, const C: usize] Matrix<T, Const<R>, Const<C>, ArrayStorage<T, R, C>> }

/// A matrix whose shape is known at run time, in one dimension or both.
macro_rules! dynamic {
    ($([$($g:tt)*] $r:ty, $c:ty: $empty:expr;)*) => {$(
        impl<T: Entry $($g)*> Tangent for Matrix<T, $r, $c, VecStorage<T, $r, $c>> {
            entries!();

            const LENGTH_IS_SHAPE: bool = T::ONE_SHAPE || T::WORDS > 0;

            /// An empty matrix is the zero of every shape, as an empty vector is.
            ///
            /// # Panics
            /// If neither is empty and the shapes differ.
            #[inline]
            fn accumulate(this: &mut Self, other: &Self) {
                if other.is_empty() {
                    return;
                }
                if this.is_empty() {
                    *this = Tangent::zero_like(other);
                }
                assert_eq!(this.shape(), other.shape(), "accumulate: matrices of different shapes");
                this.iter_mut().zip(other.iter()).for_each(|(a, b)| Tangent::accumulate(a, b));
            }
            #[inline]
            fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
                if this.shape() != other.shape() {
                    let shape = |(rows, columns)| [rows, columns];
                    return Err(Incongruent::new(&shape(this.shape()), &shape(other.shape())));
                }
                if T::ONE_SHAPE {
                    return Ok(());
                }
                this.iter().zip(other.iter()).try_for_each(|(a, b)| Tangent::congruent(a, b))
            }
        }

        impl<T: Entry $($g)*> Blank for Matrix<T, $r, $c, VecStorage<T, $r, $c>> {
            #[inline]
            fn blank() -> Self {
                $empty
            }
        }

        $crate::__holds_itself! { [T: Entry $($g)*] OMatrix<T, $r, $c> }
        $crate::__plain_outcome! { [T: Entry $($g)*] OMatrix<T, $r, $c> }

        impl<T: Entry $($g)*> crate::NaturalReturn for OMatrix<T, $r, $c> {
            type Forward = crate::AsDuplicated;
            type Reverse = crate::AsDuplicated;
        }

        impl<T: Entry $($g)*> crate::GradientArg for OMatrix<T, $r, $c> {
            type Handle = crate::Active<Self>;
            type Gradient = Self;

            #[inline]
            fn annotate(self) -> Self::Handle {
                crate::Active(self)
            }
            #[inline]
            fn gradient(_: Self::Handle, [entry]: [Self; 1]) -> Self {
                entry
            }
        }
    )*};
}

dynamic! {
    [] Dyn, Dyn: Self::from_element(0, 0, T::blank());
    [, const C: usize] Dyn, Const<C>: Self::from_element(0, T::blank());
    [, const R: usize] Const<R>, Dyn: Self::from_element(0, T::blank());
}

/// A type around others: `wraps! { [generics] Type: [fields, to be read], [to be changed], |parts| the type of them }`.
macro_rules! wraps {
    ($([$($g:tt)*] $t:ty { $($part:ident: $p:ty = |$this:ident| $get:expr, |$mut:ident| $get_mut:expr;)+ } => $make:expr;)*) => {$(
        impl<$($g)*> Tangent for $t {
            type Owned = Self;
            type Target = Self;

            const ONE_SHAPE: bool = true $(&& <$p>::ONE_SHAPE)+;
            const WORDS: usize = crate::__private::all_words(&[$(<$p>::WORDS),+]);

            #[inline]
            fn write_words(this: &Self, mut to: &mut [u64]) {
                $({ let $this = this; crate::__private::write_part::<$p>($get, &mut to); })+
            }
            #[inline]
            fn read_words(mut from: &[u64]) -> Self {
                $(let $part = crate::__private::read_part::<$p>(&mut from);)+
                $make
            }
            #[inline]
            fn target(this: &Self) -> &Self {
                this
            }
            #[inline]
            fn zero_like(this: &Self) -> Self {
                $(let $part = { let $this = this; <$p>::zero_like($get) };)+
                $make
            }
            #[inline]
            fn zero_out(this: &mut Self) {
                $({ let $mut = &mut *this; <$p>::zero_out($get_mut); })+
            }
            #[inline]
            fn accumulate(this: &mut Self, other: &Self) {
                $({
                    let part = { let $this = other; $get };
                    let $mut = &mut *this;
                    <$p>::accumulate($get_mut, part);
                })+
            }
            fn scale(this: &mut Self, by: f64) {
                $({ let $mut = &mut *this; <$p>::scale($get_mut, by); })+
            }
            fn inner(this: &Self, other: &Self) -> f64 {
                0.0 $(+ <$p>::inner({ let $this = this; $get }, { let $this = other; $get }))+
            }
            fn flatten_into(this: &Self, out: &mut Vec<f64>) {
                $({ let $this = this; <$p>::flatten_into($get, out); })+
            }
            fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
                $({ let $mut = &mut *this; <$p>::unflatten_from($get_mut, from); })+
            }
            fn congruent(this: &Self, other: &Self) -> Result<(), Incongruent> {
                $(<$p>::congruent({ let $this = this; $get }, { let $this = other; $get })?;)+
                Ok(())
            }
        }

        impl<$($g)*> Blank for $t {
            #[inline]
            fn blank() -> Self {
                $(let $part = <$p>::blank();)+
                $make
            }
        }

        crate::value_type! { [$($g)*] $t }
    )*};
}

wraps! {
    [T: Entry, const D: usize] Point<T, D> {
        coords: SVector<T, D> = |p| &p.coords, |p| &mut p.coords;
    } => Self::from(coords);
    [T: Entry] Quaternion<T> {
        coords: Vector4<T> = |q| &q.coords, |q| &mut q.coords;
    } => Self::from(coords);
    [Q: Tangent<Owned = Q> + Blank] Unit<Q> {
        value: Q = |u| u.as_ref(), |u| u.as_mut_unchecked();
    } => Self::new_unchecked(value);
    [T: Entry, const D: usize] Rotation<T, D> {
        matrix: SMatrix<T, D, D> = |r| r.matrix(), |r| r.matrix_mut_unchecked();
    } => Self::from_matrix_unchecked(matrix);
    [T: Entry, const D: usize] Translation<T, D> {
        vector: SVector<T, D> = |t| &t.vector, |t| &mut t.vector;
    } => Self::from(vector);
    [T: Real, Q: Tangent<Owned = Q> + Blank, const D: usize] Isometry<T, Q, D> {
        rotation: Q = |i| &i.rotation, |i| &mut i.rotation;
        translation: Translation<T, D> = |i| &i.translation, |i| &mut i.translation;
    } => Self { rotation, translation };
}

/// What stands in the place of a value that is not kept, or of a derivative that is zero, and has no shape.
pub(super) trait Shapeless {
    /// Whether this does.
    fn is_shapeless(&self) -> bool;
}

impl<T: Real> Shapeless for T {
    fn is_shapeless(&self) -> bool {
        false
    }
}

impl<T, R: ::nalgebra::Dim, C: ::nalgebra::Dim, S: ::nalgebra::RawStorage<T, R, C>> Shapeless
    for Matrix<T, R, C, S>
{
    fn is_shapeless(&self) -> bool {
        self.is_empty()
    }
}

components! {
    [T: Real, const R: usize, const C: usize] SMatrix<T, R, C>: |m| m.as_slice(), m.as_mut_slice();
    [T: Real] OMatrix<T, Dyn, Dyn>: |m| m.as_slice(), m.as_mut_slice();
    [T: Real, const C: usize] OMatrix<T, Dyn, Const<C>>: |m| m.as_slice(), m.as_mut_slice();
    [T: Real, const R: usize] OMatrix<T, Const<R>, Dyn>: |m| m.as_slice(), m.as_mut_slice();
    [T: Real, const D: usize] Point<T, D>: |p| p.coords.as_slice(), p.coords.as_mut_slice();
    [T: Real, const D: usize] Translation<T, D>: |t| t.vector.as_slice(), t.vector.as_mut_slice();
    [T: Real] Quaternion<T>: |q| q.coords.as_slice(), q.coords.as_mut_slice();
    [T: Real, const D: usize] Rotation<T, D>: |r| r.matrix().as_slice(), r.matrix_mut_unchecked().as_mut_slice();
}

impl<T: Real, Q: Components<T>> Components<T> for Unit<Q> {
    fn components(&self) -> &[T] {
        self.as_ref().components()
    }
    fn add_at(&mut self, i: usize, x: T) {
        self.as_mut_unchecked().add_at(i, x);
    }
}
