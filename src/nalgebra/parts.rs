//! Sums, norms and parts of matrices, and their entries in another order. What is a view in the primal is a copy here.

use ::nalgebra::{
    Const, DMatrix, Dyn, OMatrix, Quaternion, RealField, SMatrix, SVector, Vector2, Vector3,
    Vector4,
};

use crate::foreign::{inner, markers};
use crate::ops::Single;
use crate::real::Real;
use crate::single_rules;
use crate::tangent::Tangent;

markers! {
    /// `a.norm()`: derivative 0 at the origin.
    norm;
    /// `a.norm_squared()`.
    norm_squared;
    /// `a.normalize()`: NaN at the origin, as in the primal.
    normalize;
    /// `a.sum()`.
    sum;
    /// `a.mean()`.
    mean;
    /// `a.trace()`.
    trace;
    /// `a.transpose()`.
    transpose;
    /// `a.row(i)`.
    row;
    /// `a.column(j)`.
    column;
    /// `a.rows(start, n)`.
    rows;
    /// `a.columns(start, n)`.
    columns;
    /// `a.view((i, j), (m, n))`.
    view;
    /// `a.diagonal()`.
    diagonal;
    /// `a.xy()`.
    xy;
    /// `a.xyz()`.
    xyz;

    /// `a.into_owned()`, `a.clone_owned()`: the same entries.
    same;
}

/// `a.fixed_rows::<N>(start)`.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct fixed_rows<const N: usize> {}

/// `a.fixed_columns::<N>(start)`.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct fixed_columns<const N: usize> {}

/// `a.fixed_view::<M, N>(i, j)`.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct fixed_view<const M: usize, const N: usize> {}

single_rules! {
    norm: ();
    norm_squared: ();
    normalize: ();
    sum: ();
    mean: ();
    trace: ();
    transpose: ();
    row: (i I);
    column: (j J);
    rows: (start S, n N);
    columns: (start S, n N);
    view: (start S, shape N);
    diagonal: ();
    xy: ();
    xyz: ();
    same: ();
    fixed_rows<N> [const N: usize]: (start S);
    fixed_columns<N> [const N: usize]: (start S);
    fixed_view<M, N> [const M: usize, const N: usize]: (i I, j J);
}

/// A linear map of the entries: its value, and what it adds to the cotangent of the operand.
macro_rules! linear {
    ($([$($g:tt)*] $op:ty: $m:ty, $k:ty => $out:ty { |$a:ident, $ka:pat_param| $value:expr; |$da:ident, $kd:pat_param, $d:ident| $pull:expr; })*) => {$(
        impl<$($g)*> Single<$op, $k> for $m {
            type Out = $out;
            type Kept = ();

            const READS: bool = false;

            #[inline]
            fn value(&self, $ka: &$k) -> ($out, ()) {
                let $a = self;
                ($value, ())
            }
            #[inline]
            fn tangent(&self, $ka: &$k, (): &(), $a: &Self) -> $out {
                $value
            }
            #[inline]
            fn pull(_: &Self, $kd: &$k, (): &(), $d: &$out, $da: &mut Self) {
                $pull;
            }
        }
    )*};
}

/// What is made of inner products.
macro_rules! norms {
    ([$($g:tt)*] $m:ty) => {
        impl<$($g)*> Single<norm> for $m {
            type Out = T;
            type Kept = T;

            const READS: bool = true;

            fn value(&self, (): &()) -> (T, T) {
                let norm = self.norm();
                (norm, norm)
            }
            fn tangent(&self, (): &(), norm: &T, da: &Self) -> T {
                match norm.is_zero() {
                    true => T::zero(),
                    false => inner(self, da) / *norm,
                }
            }
            fn pull(a: &Self, (): &(), norm: &T, dout: &T, da: &mut Self) {
                if !norm.is_zero() {
                    Tangent::accumulate(da, &(a.clone() * (*dout / *norm)));
                }
            }
        }

        impl<$($g)*> Single<norm_squared> for $m {
            type Out = T;
            type Kept = ();

            const READS: bool = true;

            fn value(&self, (): &()) -> (T, ()) {
                (self.norm_squared(), ())
            }
            fn tangent(&self, (): &(), (): &(), da: &Self) -> T {
                T::lit(2.0) * inner(self, da)
            }
            fn pull(a: &Self, (): &(), (): &(), dout: &T, da: &mut Self) {
                Tangent::accumulate(da, &(a.clone() * (T::lit(2.0) * *dout)));
            }
        }

        /// `d(a/|a|) = (da − y·⟨y, da⟩)/|a|`, for the result `y`.
        impl<$($g)*> Single<normalize> for $m {
            type Out = $m;
            type Kept = ($m, T);

            const READS: bool = false;

            fn value(&self, (): &()) -> ($m, ($m, T)) {
                let value = self.normalize();
                (value.clone(), (value, self.norm()))
            }
            fn tangent(&self, (): &(), (y, norm): &($m, T), da: &Self) -> $m {
                (da - y * inner(y, da)) / *norm
            }
            fn pull(_: &Self, (): &(), (y, norm): &($m, T), dout: &$m, da: &mut Self) {
                Tangent::accumulate(da, &((dout - y * inner(y, dout)) / *norm));
            }
        }
    };
}

norms! { [T: Real + RealField] Quaternion<T> }

macro_rules! each_storage {
    ($([$($g:tt)*] $m:ty: transposed $t:ty, row $row:ty, column $column:ty, rows $rows:ty, columns $columns:ty;)*) => {$(
        linear! {
            [T: Real $($g)*] sum: $m, () => T { |a, ()| a.sum(); |da, (), d| da.add_scalar_mut(*d); }
            [T: Real + RealField $($g)*] mean: $m, () => T {
                |a, ()| a.mean();
                |da, (), d| da.add_scalar_mut(*d / T::lit(da.len() as f64));
            }
            [T: Real $($g)*] transpose: $m, () => $t { |a, ()| a.transpose(); |da, (), d| Tangent::accumulate(da, &d.transpose()); }
            [T: Real $($g)*] row: $m, usize => $row {
                |a, i| a.row(*i).into_owned();
                |da, i, d| { let mut part = da.row_mut(*i); part += d; };
            }
            [T: Real $($g)*] column: $m, usize => $column {
                |a, j| a.column(*j).into_owned();
                |da, j, d| { let mut part = da.column_mut(*j); part += d; };
            }
            [T: Real $($g)*] rows: $m, (usize, usize) => $rows {
                |a, (start, n)| a.rows(*start, *n).into_owned();
                |da, (start, n), d| { let mut part = da.rows_mut(*start, *n); part += d; };
            }
            [T: Real $($g)*] columns: $m, (usize, usize) => $columns {
                |a, (start, n)| a.columns(*start, *n).into_owned();
                |da, (start, n), d| { let mut part = da.columns_mut(*start, *n); part += d; };
            }
            [T: Real $($g)*] view: $m, ((usize, usize), (usize, usize)) => DMatrix<T> {
                |a, (start, shape)| a.view(*start, *shape).into_owned();
                |da, (start, shape), d| { let mut part = da.view_mut(*start, *shape); part += d; };
            }
            [T: Real, const VR: usize, const VC: usize $($g)*] fixed_view<VR, VC>: $m, (usize, usize) => SMatrix<T, VR, VC> {
                |a, (i, j)| a.fixed_view::<VR, VC>(*i, *j).into_owned();
                |da, (i, j), d| { let mut part = da.fixed_view_mut::<VR, VC>(*i, *j); part += d; };
            }
            [T: Real $($g)*] same: $m, () => $m { |a, ()| a.clone(); |da, (), d| Tangent::accumulate(da, d); }
        }

        norms! { [T: Real + RealField $($g)*] $m }
    )*};
}

each_storage! {
    [, const R: usize, const C: usize] SMatrix<T, R, C>:
        transposed SMatrix<T, C, R>, row SMatrix<T, 1, C>, column SVector<T, R>,
        rows OMatrix<T, Dyn, Const<C>>, columns OMatrix<T, Const<R>, Dyn>;
    [] DMatrix<T>:
        transposed DMatrix<T>, row OMatrix<T, Const<1>, Dyn>, column OMatrix<T, Dyn, Const<1>>,
        rows DMatrix<T>, columns DMatrix<T>;
    [, const C: usize] OMatrix<T, Dyn, Const<C>>:
        transposed OMatrix<T, Const<C>, Dyn>, row SMatrix<T, 1, C>, column OMatrix<T, Dyn, Const<1>>,
        rows OMatrix<T, Dyn, Const<C>>, columns DMatrix<T>;
    [, const R: usize] OMatrix<T, Const<R>, Dyn>:
        transposed OMatrix<T, Dyn, Const<R>>, row OMatrix<T, Const<1>, Dyn>, column SVector<T, R>,
        rows DMatrix<T>, columns OMatrix<T, Const<R>, Dyn>;
}

linear! {
    [T: Real, const R: usize, const C: usize, const N: usize] fixed_rows<N>: SMatrix<T, R, C>, usize => SMatrix<T, N, C> {
        |a, i| a.fixed_rows::<N>(*i).into_owned();
        |da, i, d| { let mut part = da.fixed_rows_mut::<N>(*i); part += d; };
    }
    [T: Real, const R: usize, const C: usize, const N: usize] fixed_columns<N>: SMatrix<T, R, C>, usize => SMatrix<T, R, N> {
        |a, j| a.fixed_columns::<N>(*j).into_owned();
        |da, j, d| { let mut part = da.fixed_columns_mut::<N>(*j); part += d; };
    }
    [T: Real, const N: usize] fixed_rows<N>: DMatrix<T>, usize => OMatrix<T, Const<N>, Dyn> {
        |a, i| a.fixed_rows::<N>(*i).into_owned();
        |da, i, d| { let mut part = da.fixed_rows_mut::<N>(*i); part += d; };
    }
    [T: Real, const N: usize] fixed_columns<N>: DMatrix<T>, usize => OMatrix<T, Dyn, Const<N>> {
        |a, j| a.fixed_columns::<N>(*j).into_owned();
        |da, j, d| { let mut part = da.fixed_columns_mut::<N>(*j); part += d; };
    }
    [T: Real, const C: usize, const N: usize] fixed_rows<N>: OMatrix<T, Dyn, Const<C>>, usize => SMatrix<T, N, C> {
        |a, i| a.fixed_rows::<N>(*i).into_owned();
        |da, i, d| { let mut part = da.fixed_rows_mut::<N>(*i); part += d; };
    }
    [T: Real, const D: usize] trace: SMatrix<T, D, D>, () => T {
        |a, ()| a.trace();
        |da, (), d| (0..D).for_each(|i| da[(i, i)] += *d);
    }
    [T: Real] trace: DMatrix<T>, () => T {
        |a, ()| a.trace();
        |da, (), d| (0..da.nrows()).for_each(|i| da[(i, i)] += *d);
    }
    [T: Real, const D: usize] diagonal: SMatrix<T, D, D>, () => SVector<T, D> {
        |a, ()| SVector::from_fn(|i, _| a[(i, i)]);
        |da, (), d| (0..D).for_each(|i| da[(i, i)] += d[i]);
    }
    [T: Real] diagonal: DMatrix<T>, () => OMatrix<T, Dyn, Const<1>> {
        |a, ()| a.diagonal();
        |da, (), d| (0..d.len()).for_each(|i| da[(i, i)] += d[i]);
    }
    [T: Real] xy: Vector3<T>, () => Vector2<T> { |a, ()| a.xy(); |da, (), d| { da.x += d.x; da.y += d.y; }; }
    [T: Real] xy: Vector4<T>, () => Vector2<T> { |a, ()| a.xy(); |da, (), d| { da.x += d.x; da.y += d.y; }; }
    [T: Real] xyz: Vector4<T>, () => Vector3<T> {
        |a, ()| a.xyz();
        |da, (), d| { da.x += d.x; da.y += d.y; da.z += d.z; };
    }
}
