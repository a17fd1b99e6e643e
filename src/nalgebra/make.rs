//! Constructors: `Vector3::new(x, y, z)`, `Matrix3::from_row_slice(&x)`.
//!
//! A function `Type::name` has the marker `Type_name`, which differentiated code finds by the type. A name that stands for types of many kinds
//! does not tell: the markers of `Unit` and `SMatrix` are in the [prelude](crate::prelude), and stand where the function is called.

use ::nalgebra::{
    DMatrix, DVector, Isometry3, Matrix2, Matrix2x3, Matrix3, Matrix3x2, Matrix4, Point, Point1,
    Point2, Point3, Quaternion, RealField, Rotation2, Rotation3, RowSVector, RowVector2,
    RowVector3, RowVector4, SMatrix, SVector, Translation2, Translation3, Unit, UnitQuaternion,
    UnitVector3, Vector2, Vector3, Vector4, Vector5, Vector6,
};

pub use super::rotation::{
    Rotation2_new, Rotation3_from_axis_angle, Rotation3_from_euler_angles, Rotation3_new,
    UnitQuaternion_from_axis_angle, UnitQuaternion_from_euler_angles,
    UnitQuaternion_from_quaternion, UnitQuaternion_from_scaled_axis, UnitQuaternion_new,
    UnitQuaternion_new_normalize,
};
use crate::constructors::found;
use crate::foreign::entries;
use crate::ops::Single;
use crate::real::Real;
use crate::rule::Function;
use crate::single_rules;
use crate::tangent::Tangent;

entries! { [T: Real,] T;
    /// `Vector2::new(x, y)`.
    Vector2_new(x X 0, y Y 1) -> Vector2<T>: Vector2::new;
    /// `Vector3::new(x, y, z)`.
    Vector3_new(x X 0, y Y 1, z Z 2) -> Vector3<T>: Vector3::new;
    /// `Vector4::new(x, y, z, w)`.
    Vector4_new(x X 0, y Y 1, z Z 2, w V 3) -> Vector4<T>: Vector4::new;
    /// `Vector5::new(…)`.
    Vector5_new(x X 0, y Y 1, z Z 2, w V 3, a A 4) -> Vector5<T>: Vector5::new;
    /// `Vector6::new(…)`.
    Vector6_new(x X 0, y Y 1, z Z 2, w V 3, a A 4, b B 5) -> Vector6<T>: Vector6::new;
    /// `RowVector2::new(x, y)`.
    RowVector2_new(x X 0, y Y 1) -> RowVector2<T>: RowVector2::new;
    /// `RowVector3::new(x, y, z)`.
    RowVector3_new(x X 0, y Y 1, z Z 2) -> RowVector3<T>: RowVector3::new;
    /// `RowVector4::new(x, y, z, w)`.
    RowVector4_new(x X 0, y Y 1, z Z 2, w V 3) -> RowVector4<T>: RowVector4::new;
    /// `Point1::new(x)`.
    Point1_new(x X 0) -> Point1<T>: Point1::new;
    /// `Point2::new(x, y)`.
    Point2_new(x X 0, y Y 1) -> Point2<T>: Point2::new;
    /// `Point3::new(x, y, z)`.
    Point3_new(x X 0, y Y 1, z Z 2) -> Point3<T>: Point3::new;
    /// `Translation2::new(x, y)`.
    Translation2_new(x X 0, y Y 1) -> Translation2<T>: Translation2::new;
    /// `Translation3::new(x, y, z)`.
    Translation3_new(x X 0, y Y 1, z Z 2) -> Translation3<T>: Translation3::new;
    /// `Quaternion::new(w, i, j, k)`.
    Quaternion_new(w V 3, i X 0, j Y 1, k Z 2) -> Quaternion<T>: Quaternion::new;
    /// `Matrix2::new(…)`, row after row.
    Matrix2_new(a A 0, b B 2, c C 1, d D 3) -> Matrix2<T>: Matrix2::new;
    /// `Matrix2x3::new(…)`, row after row.
    Matrix2x3_new(a A 0, b B 2, c C 4, d D 1, e E 3, f F 5) -> Matrix2x3<T>: Matrix2x3::new;
    /// `Matrix3x2::new(…)`, row after row.
    Matrix3x2_new(a A 0, b B 3, c C 1, d D 4, e E 2, f F 5) -> Matrix3x2<T>: Matrix3x2::new;
    /// `Matrix3::new(…)`, row after row.
    Matrix3_new(a A 0, b B 3, c C 6, d D 1, e E 4, f F 7, g G 2, h H 5, i I 8) -> Matrix3<T>: Matrix3::new;
    /// `Matrix4::new(…)`, row after row.
    Matrix4_new(
        a A 0, b B 4, c C 8, d D 12, e E 1, f F 5, g G 9, h H 13,
        i I 2, j J 6, k K 10, l L 14, m M 3, n N 7, o O 11, p P 15
    ) -> Matrix4<T>: Matrix4::new;
}

/// Functions of one argument whose entries are those of the result: `markers: [generics] Type => Out: value, cotangent;`.
macro_rules! copies {
    ($($(#[$doc:meta])* $name:ident $(, $more:ident)*: $rows:tt)*) => {$(
        copies!(@one [$(#[$doc])*] $name $rows);
        $(copies!(@one [#[doc = "The same."]] $more $rows);)*
    )*};
    (@one [$(#[$doc:meta])*] $name:ident {
        $([$($g:tt)*] $from:ty => $out:ty: |$a:ident| $value:expr, |$da:ident, $d:ident| $pull:expr;)*
    }) => {
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        single_rules! { $name: (); }

        // what a caller that hands a parameter on asks for the type of the result
        $(impl<$($g)*> Function<(&'static $from,)> for $name {
            type Output = $out;

            #[inline]
            fn call(&self, ($a,): (&'static $from,)) -> $out {
                $value
            }
        })*

        $(impl<$($g)*> Single<$name> for $from {
            type Out = $out;
            type Kept = ();

            const READS: bool = false;

            #[inline]
            fn value(&self, (): &()) -> ($out, ()) {
                let $a = self;
                ($value, ())
            }
            #[inline]
            fn tangent(&self, (): &(), (): &(), $a: &Self) -> $out {
                $value
            }
            #[inline]
            fn pull(_: &Self, (): &(), (): &(), $d: &$out, $da: &mut Self) {
                $pull;
            }
        })*
    };
}

/// `Σ` over pairs of entries in the same order.
fn add_slice<T: Real>(to: &mut [T], from: &[T]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += *from);
}

macro_rules! from_slices {
    ($($m:ident, $rows:ident, $columns:ident: $r:literal $c:literal;)*) => {
        copies! {$(
            #[doc = "From the entries row after row."]
            $rows: {
                [T: Real] [T] => SMatrix<T, $r, $c>: |a| SMatrix::from_row_slice(a), |da, d| add_slice(da, d.transpose().as_slice());
            }
            #[doc = "From the entries column after column."]
            $columns: {
                [T: Real] [T] => SMatrix<T, $r, $c>: |a| SMatrix::from_column_slice(a), |da, d| add_slice(da, d.as_slice());
            }
        )*}
    };
}

from_slices! {
    Vector2, Vector2_from_row_slice, Vector2_from_column_slice: 2 1;
    Vector3, Vector3_from_row_slice, Vector3_from_column_slice: 3 1;
    Vector4, Vector4_from_row_slice, Vector4_from_column_slice: 4 1;
    Vector6, Vector6_from_row_slice, Vector6_from_column_slice: 6 1;
    Matrix2, Matrix2_from_row_slice, Matrix2_from_column_slice: 2 2;
    Matrix3, Matrix3_from_row_slice, Matrix3_from_column_slice: 3 3;
    Matrix4, Matrix4_from_row_slice, Matrix4_from_column_slice: 4 4;
    Matrix2x3, Matrix2x3_from_row_slice, Matrix2x3_from_column_slice: 2 3;
    Matrix3x2, Matrix3x2_from_row_slice, Matrix3x2_from_column_slice: 3 2;
}

copies! {
    /// `DVector::from_row_slice(&x)`, `DVector::from_column_slice(&x)`.
    DVector_from_row_slice, DVector_from_column_slice: {
        [T: Real] [T] => DVector<T>: |a| DVector::from_column_slice(a), |da, d| add_slice(da, d.as_slice());
    }
    /// `DVector::from_vec(x)`, `DVector::from(x)`.
    DVector_from_vec, DVector_from: {
        [T: Real] [T] => DVector<T>: |a| DVector::from_column_slice(a), |da, d| add_slice(da, d.as_slice());
    }
    /// `Vector3::from(x)`, `Point3::from(v)` and the like: the same components in another type.
    Vector2_from: { [T: Real] [T] => Vector2<T>: |a| Vector2::from_column_slice(a), |da, d| add_slice(da, d.as_slice()); }
    /// See [`Vector2_from`].
    Vector3_from: { [T: Real] [T] => Vector3<T>: |a| Vector3::from_column_slice(a), |da, d| add_slice(da, d.as_slice()); }
    /// See [`Vector2_from`].
    Vector4_from: { [T: Real] [T] => Vector4<T>: |a| Vector4::from_column_slice(a), |da, d| add_slice(da, d.as_slice()); }
    /// See [`Vector2_from`].
    Point2_from: { [T: Real] SVector<T, 2> => Point2<T>: |a| Point::from(*a), |da, d| *da += d.coords; }
    /// See [`Vector2_from`].
    Point3_from: { [T: Real] SVector<T, 3> => Point3<T>: |a| Point::from(*a), |da, d| *da += d.coords; }
    /// See [`Vector2_from`].
    Translation2_from: { [T: Real] SVector<T, 2> => Translation2<T>: |a| (*a).into(), |da, d| *da += d.vector; }
    /// See [`Vector2_from`].
    Translation3_from: { [T: Real] SVector<T, 3> => Translation3<T>: |a| (*a).into(), |da, d| *da += d.vector; }
    /// `Unit::new_unchecked(v)`.
    Unit_new_unchecked: {
        [T: Real, const D: usize] SVector<T, D> => Unit<SVector<T, D>>: |a| Unit::new_unchecked(*a), |da, d| *da += d.as_ref();
        [T: Real] Quaternion<T> => UnitQuaternion<T>: |a| Unit::new_unchecked(*a), |da, d| crate::foreign::add(da, d.as_ref());
    }
    /// `Matrix3::from_diagonal(&v)`.
    Matrix2_from_diagonal, Matrix3_from_diagonal, Matrix4_from_diagonal, SMatrix_from_diagonal: {
        [T: Real, const D: usize] SVector<T, D> => SMatrix<T, D, D>: |a| SMatrix::from_diagonal(a),
            |da, d| (0..D).for_each(|i| da[i] += d[(i, i)]);
    }
    /// `DMatrix::from_diagonal(&v)`.
    DMatrix_from_diagonal: {
        [T: Real] DVector<T> => DMatrix<T>: |a| DMatrix::from_diagonal(a), |da, d| (0..da.len()).for_each(|i| da[i] += d[(i, i)]);
    }
    /// `Vector3::repeat(x)`, `Vector3::from_element(x)`.
    Vector2_repeat, Vector2_from_element: { [T: Real] T => Vector2<T>: |a| Vector2::repeat(*a), |da, d| *da += d.sum(); }
    /// See [`Vector2_repeat`].
    Vector3_repeat, Vector3_from_element: { [T: Real] T => Vector3<T>: |a| Vector3::repeat(*a), |da, d| *da += d.sum(); }
    /// See [`Vector2_repeat`].
    Vector4_repeat, Vector4_from_element: { [T: Real] T => Vector4<T>: |a| Vector4::repeat(*a), |da, d| *da += d.sum(); }
}

macro_rules! from_parts {
    ($($m:ident, $rows:ident, $columns:ident: $r:literal $c:literal;)*) => {
        copies! {$(
            #[doc = "From its rows: `from_rows(&[a, b])`."]
            $rows: {
                [T: Real] [RowSVector<T, $c>] => SMatrix<T, $r, $c>: |a| SMatrix::from_rows(a),
                    |da, d| da.iter_mut().zip(d.row_iter()).for_each(|(da, d)| *da += d);
            }
            #[doc = "From its columns: `from_columns(&[a, b])`."]
            $columns: {
                [T: Real] [SVector<T, $r>] => SMatrix<T, $r, $c>: |a| SMatrix::from_columns(a),
                    |da, d| da.iter_mut().zip(d.column_iter()).for_each(|(da, d)| *da += d);
            }
        )*}
    };
}

from_parts! {
    Matrix2, Matrix2_from_rows, Matrix2_from_columns: 2 2;
    Matrix3, Matrix3_from_rows, Matrix3_from_columns: 3 3;
    Matrix4, Matrix4_from_rows, Matrix4_from_columns: 4 4;
    Matrix2x3, Matrix2x3_from_rows, Matrix2x3_from_columns: 2 3;
    Matrix3x2, Matrix3x2_from_rows, Matrix3x2_from_columns: 3 2;
}

/// `Unit::new_normalize(v)`: NaN at the origin, as in the primal.
#[allow(non_camel_case_types)]
#[derive(Clone, Copy, Debug, Default)]
pub struct Unit_new_normalize {}

single_rules! { Unit_new_normalize: (); }

impl<T: Real + RealField, const D: usize> Single<Unit_new_normalize> for SVector<T, D> {
    type Out = Unit<SVector<T, D>>;
    type Kept = (SVector<T, D>, T);

    const READS: bool = false;

    fn value(&self, (): &()) -> (Self::Out, Self::Kept) {
        let unit = Unit::new_normalize(*self);
        (unit, (unit.into_inner(), self.norm()))
    }
    fn tangent(&self, (): &(), kept: &Self::Kept, da: &Self) -> Self::Out {
        Unit::new_unchecked(across(kept, da))
    }
    fn pull(_: &Self, (): &(), kept: &Self::Kept, d: &Self::Out, da: &mut Self) {
        *da += across(kept, d);
    }
}

/// `(v − y·⟨y, v⟩)/|a|`, the symmetric derivative of `y = a/|a|` along `v`.
fn across<T: Real + RealField, const D: usize>(
    (y, norm): &(SVector<T, D>, T),
    v: &SVector<T, D>,
) -> SVector<T, D> {
    (v - y * y.dot(v)) / *norm
}

macro_rules! turns {
    ($($name:ident: $out:ident;)*) => {$(
        // what a caller that hands a parameter on asks for the type of the result
        impl<T: Real + RealField> Function<(&'static UnitVector3<T>, T)> for $name {
            type Output = $out<T>;

            fn call(&self, (axis, angle): (&'static UnitVector3<T>, T)) -> $out<T> {
                $out::from_axis_angle(axis, angle)
            }
        }
    )*};
}

turns! {
    UnitQuaternion_from_axis_angle: UnitQuaternion;
    Rotation3_from_axis_angle: Rotation3;
}

/// Matrices of a shape that is given: the attributes come first.
macro_rules! shaped {
    ($($(#[$doc:meta])* $name:ident($($k:ident),*): $from:ty => $out:ty {
        |$a:ident| $value:expr; |$da:ident, $d:ident| $pull:expr;
    })*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl<T: Real, R, X, const W: usize> crate::ForwardRule<R, ($(shaped!(@size $k),)* X), W> for $name
        where
            X: crate::ForwardArg<$from, W>,
            R: crate::ForwardReturn<W, Out = $out>,
        {
            fn forward(
                &self,
                config: &crate::ForwardConfig,
                ($($k,)* x): ($(&mut shaped!(@size $k),)* &mut X),
            ) -> crate::ForwardOutcome<R, W> {
                let of = |$a: &$from| { $(let $k = $k.0;)* $value };
                let zero = || { let mut zero = of(crate::ForwardArg::primal(x)); Tangent::zero_out(&mut zero); zero };
                R::forward(config, || of(crate::ForwardArg::primal(x)), |lane| x.tangent(lane).map_or_else(zero, of))
            }
        }

        impl<T: Real, R, X, const W: usize> crate::ReverseRule<R, ($(shaped!(@size $k),)* X), W> for $name
        where
            X: crate::ReverseArg<$from, W>,
            R: crate::ReverseReturn<W, Out = $out>,
        {
            type Tape = ();

            fn augmented_primal(
                &self,
                config: &crate::ReverseConfig,
                ($($k,)* x): ($(&mut shaped!(@size $k),)* &mut X),
            ) -> crate::AugmentedOutcome<R, (), W> {
                let $a = crate::ReverseArg::primal(x);
                $(let $k = $k.0;)*
                R::augmented(config, $value, ())
            }
            fn reverse(
                &self,
                _: &crate::ReverseConfig,
                dret: R::Cotangent,
                (): (),
                ($($k,)* x): ($(&mut shaped!(@size $k),)* &mut X),
            ) -> <($(shaped!(@size $k),)* X,) as crate::Args<W>>::Gradients {
                use crate::Lanes as _;
                $(let _ = $k;)*
                let gradient = x.accumulate(|lane, _, mut dx| {
                    if let Some($d) = dret.lane(lane) {
                        dx.accumulate_with(|$da| { $pull; });
                    }
                });
                ($(shaped!(@unit $k),)* gradient)
            }
        }
    )*};
    (@size $k:ident) => { crate::Const<usize> };
    (@unit $k:ident) => { () };
}

shaped! {
    /// `DMatrix::from_row_slice(m, n, &x)`.
    DMatrix_from_row_slice(m, n): [T] => DMatrix<T> {
        |a| DMatrix::from_row_slice(m, n, a); |da, d| add_slice(da, d.transpose().as_slice());
    }
    /// `DMatrix::from_column_slice(m, n, &x)`.
    DMatrix_from_column_slice(m, n): [T] => DMatrix<T> {
        |a| DMatrix::from_column_slice(m, n, a); |da, d| add_slice(da, d.as_slice());
    }
    /// `DMatrix::from_vec(m, n, x)`.
    DMatrix_from_vec(m, n): [T] => DMatrix<T> {
        |a| DMatrix::from_column_slice(m, n, a); |da, d| add_slice(da, d.as_slice());
    }
    /// `DMatrix::from_element(m, n, x)`.
    DMatrix_from_element(m, n): T => DMatrix<T> { |a| DMatrix::from_element(m, n, *a); |da, d| *da += d.sum(); }
    /// `DVector::from_element(n, x)`.
    DVector_from_element(n): T => DVector<T> { |a| DVector::from_element(n, *a); |da, d| *da += d.sum(); }
}

/// Isometries from a translation and a rotation.
macro_rules! isometries {
    ($($(#[$doc:meta])* $name:ident($t:ty, $q:ty) -> $out:ty;)*) => {$(
        $(#[$doc])*
        #[allow(non_camel_case_types)]
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name {}

        impl<T: Real + RealField, R, X, Y, const W: usize> crate::ForwardRule<R, (X, Y), W> for $name
        where
            X: crate::ForwardArg<$t, W>,
            Y: crate::ForwardArg<$q, W>,
            R: crate::ForwardReturn<W, Out = $out>,
        {
            fn forward(&self, config: &crate::ForwardConfig, (x, y): (&mut X, &mut Y)) -> crate::ForwardOutcome<R, W> {
                let (t, q) = (crate::ForwardArg::primal(x), crate::ForwardArg::primal(y));
                R::forward(config, || <$out>::from_parts(*t, *q), |lane| {
                    let dt = x.tangent(lane).map_or_else(|| Tangent::zero_like(t), |dt| *dt);
                    <$out>::from_parts(dt, y.tangent(lane).map_or_else(|| Tangent::zero_like(q), |dq| *dq))
                })
            }
        }

        impl<T: Real + RealField, R, X, Y, const W: usize> crate::ReverseRule<R, (X, Y), W> for $name
        where
            X: crate::ReverseArg<$t, W>,
            Y: crate::ReverseArg<$q, W>,
            R: crate::ReverseReturn<W, Out = $out>,
        {
            type Tape = ();

            fn augmented_primal(
                &self,
                config: &crate::ReverseConfig,
                (x, y): (&mut X, &mut Y),
            ) -> crate::AugmentedOutcome<R, (), W> {
                let (t, q) = (crate::ReverseArg::primal(x), crate::ReverseArg::primal(y));
                R::augmented(config, <$out>::from_parts(*t, *q), ())
            }
            fn reverse(
                &self,
                _: &crate::ReverseConfig,
                dret: R::Cotangent,
                (): (),
                (x, y): (&mut X, &mut Y),
            ) -> (X::Gradient, Y::Gradient) {
                use crate::Lanes as _;
                let of_x = x.accumulate(|lane, _, mut dt| {
                    dret.lane(lane).into_iter().for_each(|d| dt.add(&d.translation));
                });
                let of_y = y.accumulate(|lane, _, mut dq| {
                    dret.lane(lane).into_iter().for_each(|d| dq.add(&d.rotation));
                });
                (of_x, of_y)
            }
        }
    )*};
}

isometries! {
    /// `Isometry3::from_parts(translation, rotation)`.
    Isometry3_from_parts(Translation3<T>, UnitQuaternion<T>) -> Isometry3<T>;
}

found! {
    From:
        DVector<f64> => DVector_from, Point2<f64> => Point2_from, Point3<f64> => Point3_from,
        Translation2<f64> => Translation2_from, Translation3<f64> => Translation3_from,
        Vector2<f64> => Vector2_from, Vector3<f64> => Vector3_from, Vector4<f64> => Vector4_from;
    FromAxisAngle:
        Rotation3<f64> => Rotation3_from_axis_angle, UnitQuaternion<f64> => UnitQuaternion_from_axis_angle;
    FromColumnSlice:
        DMatrix<f64> => DMatrix_from_column_slice, DVector<f64> => DVector_from_column_slice,
        Matrix2<f64> => Matrix2_from_column_slice, Matrix2x3<f64> => Matrix2x3_from_column_slice,
        Matrix3<f64> => Matrix3_from_column_slice, Matrix3x2<f64> => Matrix3x2_from_column_slice,
        Matrix4<f64> => Matrix4_from_column_slice, Vector2<f64> => Vector2_from_column_slice,
        Vector3<f64> => Vector3_from_column_slice, Vector4<f64> => Vector4_from_column_slice,
        Vector6<f64> => Vector6_from_column_slice;
    FromColumns:
        Matrix2<f64> => Matrix2_from_columns, Matrix2x3<f64> => Matrix2x3_from_columns,
        Matrix3<f64> => Matrix3_from_columns, Matrix3x2<f64> => Matrix3x2_from_columns,
        Matrix4<f64> => Matrix4_from_columns;
    FromDiagonal:
        DMatrix<f64> => DMatrix_from_diagonal, Matrix2<f64> => Matrix2_from_diagonal,
        Matrix3<f64> => Matrix3_from_diagonal, Matrix4<f64> => Matrix4_from_diagonal;
    FromElement:
        DMatrix<f64> => DMatrix_from_element, DVector<f64> => DVector_from_element,
        Vector2<f64> => Vector2_from_element, Vector3<f64> => Vector3_from_element,
        Vector4<f64> => Vector4_from_element;
    FromEulerAngles:
        Rotation3<f64> => Rotation3_from_euler_angles,
        UnitQuaternion<f64> => UnitQuaternion_from_euler_angles;
    FromParts: Isometry3<f64> => Isometry3_from_parts;
    FromQuaternion: UnitQuaternion<f64> => UnitQuaternion_from_quaternion;
    FromRowSlice:
        DMatrix<f64> => DMatrix_from_row_slice, DVector<f64> => DVector_from_row_slice,
        Matrix2<f64> => Matrix2_from_row_slice, Matrix2x3<f64> => Matrix2x3_from_row_slice,
        Matrix3<f64> => Matrix3_from_row_slice, Matrix3x2<f64> => Matrix3x2_from_row_slice,
        Matrix4<f64> => Matrix4_from_row_slice, Vector2<f64> => Vector2_from_row_slice,
        Vector3<f64> => Vector3_from_row_slice, Vector4<f64> => Vector4_from_row_slice,
        Vector6<f64> => Vector6_from_row_slice;
    FromRows:
        Matrix2<f64> => Matrix2_from_rows, Matrix2x3<f64> => Matrix2x3_from_rows,
        Matrix3<f64> => Matrix3_from_rows, Matrix3x2<f64> => Matrix3x2_from_rows,
        Matrix4<f64> => Matrix4_from_rows;
    FromScaledAxis: UnitQuaternion<f64> => UnitQuaternion_from_scaled_axis;
    FromVec: DMatrix<f64> => DMatrix_from_vec, DVector<f64> => DVector_from_vec;
    New:
        Matrix2<f64> => Matrix2_new, Matrix2x3<f64> => Matrix2x3_new, Matrix3<f64> => Matrix3_new,
        Matrix3x2<f64> => Matrix3x2_new, Matrix4<f64> => Matrix4_new, Point1<f64> => Point1_new,
        Point2<f64> => Point2_new, Point3<f64> => Point3_new, Quaternion<f64> => Quaternion_new,
        Rotation2<f64> => Rotation2_new, Rotation3<f64> => Rotation3_new, RowVector2<f64> => RowVector2_new,
        RowVector3<f64> => RowVector3_new, RowVector4<f64> => RowVector4_new,
        Translation2<f64> => Translation2_new, Translation3<f64> => Translation3_new,
        UnitQuaternion<f64> => UnitQuaternion_new, Vector2<f64> => Vector2_new, Vector3<f64> => Vector3_new,
        Vector4<f64> => Vector4_new, Vector5<f64> => Vector5_new, Vector6<f64> => Vector6_new;
    NewNormalize: UnitQuaternion<f64> => UnitQuaternion_new_normalize;
    Repeat: Vector2<f64> => Vector2_repeat, Vector3<f64> => Vector3_repeat, Vector4<f64> => Vector4_repeat;
}
