//! Rotations, quaternions and isometries.
//!
//! The components are differentiated as the program computes with them: a quaternion that is taken for a unit has four
//! components that may move, a rotation's matrix nine.

use ::nalgebra::{
    Isometry, Point, Point3, Quaternion, RealField, Rotation, Rotation2, Rotation3, SMatrix,
    SVector, Translation, Unit, UnitQuaternion, UnitVector3, Vector3,
};

use crate::foreign::{
    Components, Formula, add, append, formulas, linear, markers, pairs, pull, push, sum,
};
use crate::ops::{self, Pair, Single};
use crate::real::Real;
use crate::tangent::Tangent;
use crate::{operators, pair_rules, single_rules};

markers! {
    /// `q.inverse()` of what is a unit or a rotation, `q.conjugate()`.
    inverse;
    /// `q.inverse_transform_vector(&v)` and `…_point(&p)`.
    inverse_transform;
    /// `r.transform_vector(&v)` of an isometry, which leaves the translation out.
    transform_vector;
    /// `q.into_inner()`, `r.into_inner()`.
    into_inner;
}

pair_rules!(inverse_transform, transform_vector);
single_rules! {
    inverse: ();
    into_inner: ();
}

/// The two parts of a quaternion: `(w, (i, j, k))`.
fn parts<T: Real>(q: &Quaternion<T>) -> (T, Vector3<T>) {
    (q.coords.w, q.coords.xyz())
}

fn quaternion<T: Real>(w: T, v: Vector3<T>) -> Quaternion<T> {
    Quaternion::from(v.push(w))
}

fn conjugate<T: Real>(q: &Quaternion<T>) -> Quaternion<T> {
    let (w, v) = parts(q);
    quaternion(w, -v)
}

/// Hamilton's product.
fn hamilton<T: Real>(p: &Quaternion<T>, q: &Quaternion<T>) -> Quaternion<T> {
    let ((a, u), (b, v)) = (parts(p), parts(q));
    quaternion(a * b - u.dot(&v), v * a + u * b + u.cross(&v))
}

/// `v + w·t + u × t` with `t = 2 u × v`: what `nalgebra` computes, whether `q` is a unit or not.
fn rotate<T: Real>(q: &Quaternion<T>, v: &Vector3<T>) -> Vector3<T> {
    let (w, u) = parts(q);
    let t = u.cross(v) * T::lit(2.0);
    v + t * w + u.cross(&t)
}

/// The derivative of [`rotate`] along `dq`.
fn rotate_along<T: Real>(q: &Quaternion<T>, v: &Vector3<T>, dq: &Quaternion<T>) -> Vector3<T> {
    let ((w, u), (dw, du)) = (parts(q), parts(dq));
    let (t, dt) = (u.cross(v) * T::lit(2.0), du.cross(v) * T::lit(2.0));
    t * dw + dt * w + du.cross(&t) + u.cross(&dt)
}

/// The cotangents of [`rotate`]: of the quaternion and of the vector.
fn rotate_back<T: Real>(
    q: &Quaternion<T>,
    v: &Vector3<T>,
    d: &Vector3<T>,
) -> (Quaternion<T>, Vector3<T>) {
    let (w, u) = parts(q);
    let two = T::lit(2.0);
    let t = u.cross(v) * two;
    let of_t = d * w + d.cross(&u);
    let of_u = t.cross(d) + v.cross(&of_t) * two;
    (quaternion(d.dot(&t), of_u), d + of_t.cross(&u) * two)
}

fn unit<T: Real>(q: Quaternion<T>) -> UnitQuaternion<T> {
    Unit::new_unchecked(q)
}

fn rotation<T: Real, const D: usize>(m: SMatrix<T, D, D>) -> Rotation<T, D> {
    Rotation::from_matrix_unchecked(m)
}

pairs! {
    [T: Real + RealField] ops::mul: (Quaternion<T>, Quaternion<T>) -> Quaternion<T> {
        |p, q| p * q;
        |p, q, dp, dq| sum(Tangent::zero_like(q), [dp.map(|dp| hamilton(dp, q)), dq.map(|dq| hamilton(p, dq))]);
        left: |p, q, d| hamilton(d, &conjugate(q)); right: |p, q, d| hamilton(&conjugate(p), d);
    }
    [T: Real + RealField] ops::mul: (UnitQuaternion<T>, UnitQuaternion<T>) -> UnitQuaternion<T> {
        |p, q| p * q;
        |p, q, dp, dq| sum(Tangent::zero_like(q), [dp.map(|dp| unit(hamilton(dp, q))), dq.map(|dq| unit(hamilton(p, dq)))]);
        left: |p, q, d| unit(hamilton(d, &conjugate(q))); right: |p, q, d| unit(hamilton(&conjugate(p), d));
    }
    [T: Real + RealField] ops::mul: (UnitQuaternion<T>, Vector3<T>) -> Vector3<T> {
        |q, v| q * v;
        |q, v, dq, dv| sum(Tangent::zero_like(v), [dq.map(|dq| rotate_along(q, v, dq)), dv.map(|dv| rotate(q, dv))]);
        left: |q, v, d| unit(rotate_back(q, v, d).0); right: |q, v, d| rotate_back(q, v, d).1;
    }
    [T: Real + RealField] ops::mul: (UnitQuaternion<T>, Point3<T>) -> Point3<T> {
        |q, p| q * p;
        |q, p, dq, dp| sum(Tangent::zero_like(p), [
            dq.map(|dq| rotate_along(q, &p.coords, dq).into()),
            dp.map(|dp| rotate(q, &dp.coords).into()),
        ]);
        left: |q, p, d| unit(rotate_back(q, &p.coords, &d.coords).0);
        right: |q, p, d| rotate_back(q, &p.coords, &d.coords).1.into();
    }
    [T: Real + RealField] inverse_transform: (UnitQuaternion<T>, Vector3<T>) -> Vector3<T> {
        |q, v| q.inverse_transform_vector(v);
        |q, v, dq, dv| sum(Tangent::zero_like(v), [
            dq.map(|dq| rotate_along(&conjugate(q), v, &conjugate(dq))),
            dv.map(|dv| rotate(&conjugate(q), dv)),
        ]);
        left: |q, v, d| unit(conjugate(&rotate_back(&conjugate(q), v, d).0));
        right: |q, v, d| rotate_back(&conjugate(q), v, d).1;
    }
    [T: Real + RealField] inverse_transform: (UnitQuaternion<T>, Point3<T>) -> Point3<T> {
        |q, p| q.inverse_transform_point(p);
        |q, p, dq, dp| sum(Tangent::zero_like(p), [
            dq.map(|dq| rotate_along(&conjugate(q), &p.coords, &conjugate(dq)).into()),
            dp.map(|dp| rotate(&conjugate(q), &dp.coords).into()),
        ]);
        left: |q, p, d| unit(conjugate(&rotate_back(&conjugate(q), &p.coords, &d.coords).0));
        right: |q, p, d| rotate_back(&conjugate(q), &p.coords, &d.coords).1.into();
    }
    [T: Real + RealField, const D: usize] ops::mul: (Rotation<T, D>, Rotation<T, D>) -> Rotation<T, D> {
        |p, q| p * q;
        |p, q, dp, dq| sum(Tangent::zero_like(q), [
            dp.map(|dp| rotation(dp.matrix() * q.matrix())),
            dq.map(|dq| rotation(p.matrix() * dq.matrix())),
        ]);
        left: |p, q, d| rotation(d.matrix() * q.matrix().transpose());
        right: |p, q, d| rotation(p.matrix().tr_mul(d.matrix()));
    }
    [T: Real + RealField, const D: usize] ops::mul: (Rotation<T, D>, SVector<T, D>) -> SVector<T, D> {
        |r, v| r * v;
        |r, v, dr, dv| sum(Tangent::zero_like(v), [dr.map(|dr| dr.matrix() * v), dv.map(|dv| r.matrix() * dv)]);
        left: |r, v, d| rotation(d * v.transpose()); right: |r, v, d| r.matrix().tr_mul(d);
    }
    [T: Real + RealField, const D: usize] ops::mul: (Rotation<T, D>, Point<T, D>) -> Point<T, D> {
        |r, p| r * p;
        |r, p, dr, dp| sum(Tangent::zero_like(p), [
            dr.map(|dr| (dr.matrix() * p.coords).into()),
            dp.map(|dp| (r.matrix() * dp.coords).into()),
        ]);
        left: |r, p, d| rotation(d.coords * p.coords.transpose());
        right: |r, p, d| r.matrix().tr_mul(&d.coords).into();
    }
    [T: Real + RealField, const D: usize] inverse_transform: (Rotation<T, D>, SVector<T, D>) -> SVector<T, D> {
        |r, v| r.matrix().tr_mul(v);
        |r, v, dr, dv| sum(Tangent::zero_like(v), [dr.map(|dr| dr.matrix().tr_mul(v)), dv.map(|dv| r.matrix().tr_mul(dv))]);
        left: |r, v, d| rotation(v * d.transpose()); right: |r, v, d| r.matrix() * d;
    }
    [T: Real, const D: usize] ops::sub: (Point<T, D>, Point<T, D>) -> SVector<T, D> {
        |a, b| a - b;
        |a, b, da, db| sum(SVector::zeros(), [da.map(|da| da.coords), db.map(|db| -db.coords)]);
        left: |a, b, d| Point::from(*d); right: |a, b, d| Point::from(-d);
    }
    [T: Real, const D: usize] ops::add: (Point<T, D>, SVector<T, D>) -> Point<T, D> {
        |a, b| a + b;
        |a, b, da, db| sum(Tangent::zero_like(a), [da.copied(), db.map(|db| Point::from(*db))]);
        left: |a, b, d| *d; right: |a, b, d| d.coords;
    }
    [T: Real, const D: usize] ops::sub: (Point<T, D>, SVector<T, D>) -> Point<T, D> {
        |a, b| a - b;
        |a, b, da, db| sum(Tangent::zero_like(a), [da.copied(), db.map(|db| Point::from(-db))]);
        left: |a, b, d| *d; right: |a, b, d| -d.coords;
    }
    [T: Real + RealField, const D: usize] ops::mul: (Translation<T, D>, Point<T, D>) -> Point<T, D> {
        |t, p| t * p;
        |t, p, dt, dp| sum(Tangent::zero_like(p), [dt.map(|dt| Point::from(dt.vector)), dp.copied()]);
        left: |t, p, d| Translation::from(d.coords); right: |t, p, d| *d;
    }
    [T: Real + RealField, const D: usize] ops::mul: (SMatrix<T, D, D>, Point<T, D>) -> Point<T, D> {
        |m, p| m * p;
        |m, p, dm, dp| sum(Tangent::zero_like(p), [
            dm.map(|dm| (dm * p.coords).into()),
            dp.map(|dp| (m * dp.coords).into()),
        ]);
        left: |m, p, d| d.coords * p.coords.transpose(); right: |m, p, d| m.tr_mul(&d.coords).into();
    }
}

/// A rotation `Q` of the vectors and points of an isometry.
pub trait Turns<T, const D: usize>:
    Tangent<Owned = Self>
    + Clone
    + ::nalgebra::AbstractRotation<T, D>
    + Pair<ops::mul, SVector<T, D>, Out = SVector<T, D>>
    + Pair<ops::mul, Self, Out = Self>
    + Pair<inverse_transform, SVector<T, D>, Out = SVector<T, D>>
where
    T: Real + RealField,
{
}
impl<T: Real + RealField> Turns<T, 3> for UnitQuaternion<T> {}
impl<T: Real + RealField> Turns<T, 2> for Rotation<T, 2> {}
impl<T: Real + RealField> Turns<T, 3> for Rotation<T, 3> {}

/// `x ↦ r·x + t`.
impl<T: Real + RealField, Q: Turns<T, D>, const D: usize> Pair<ops::mul, Point<T, D>>
    for Isometry<T, Q, D>
{
    type Out = Point<T, D>;

    const READS: bool = true;

    fn value(&self, p: &Point<T, D>) -> Point<T, D> {
        self * p
    }
    fn tangent(&self, p: &Point<T, D>, di: Option<&Self>, dp: Option<&Point<T, D>>) -> Point<T, D> {
        let (dr, dx) = (di.map(|di| &di.rotation), dp.map(|dp| &dp.coords));
        let turned = Pair::<ops::mul, SVector<T, D>>::tangent(&self.rotation, &p.coords, dr, dx);
        Point::from(di.map_or(turned, |di| turned + di.translation.vector))
    }
    fn pull_left(i: &Self, p: &Point<T, D>, dout: &Point<T, D>, di: &mut Self) {
        Pair::<ops::mul, _>::pull_left(&i.rotation, &p.coords, &dout.coords, &mut di.rotation);
        di.translation.vector += dout.coords;
    }
    fn pull_right(i: &Self, p: &Point<T, D>, dout: &Point<T, D>, dp: &mut Point<T, D>) {
        let (x, d) = (&p.coords, &dout.coords);
        <Q as Pair<ops::mul, SVector<T, D>>>::pull_right(&i.rotation, x, d, &mut dp.coords);
    }
}

macro_rules! turned_vectors {
    ($($op:ty),*) => {$(
        impl<T: Real + RealField, Q: Turns<T, D>, const D: usize> Pair<$op, SVector<T, D>>
            for Isometry<T, Q, D>
        {
            type Out = SVector<T, D>;

            const READS: bool = true;

            fn value(&self, v: &SVector<T, D>) -> SVector<T, D> {
                self.transform_vector(v)
            }
            fn tangent(&self, v: &SVector<T, D>, di: Option<&Self>, dv: Option<&SVector<T, D>>) -> SVector<T, D> {
                Pair::<ops::mul, SVector<T, D>>::tangent(&self.rotation, v, di.map(|di| &di.rotation), dv)
            }
            fn pull_left(i: &Self, v: &SVector<T, D>, dout: &SVector<T, D>, di: &mut Self) {
                Pair::<ops::mul, _>::pull_left(&i.rotation, v, dout, &mut di.rotation);
            }
            fn pull_right(i: &Self, v: &SVector<T, D>, dout: &SVector<T, D>, dv: &mut SVector<T, D>) {
                <Q as Pair<ops::mul, SVector<T, D>>>::pull_right(&i.rotation, v, dout, dv);
            }
        }
    )*};
}

turned_vectors!(ops::mul, transform_vector);

/// `(r, t)·(s, u) = (r·s, r·u + t)`.
impl<T: Real + RealField, Q: Turns<T, D>, const D: usize> Pair<ops::mul, Self> for Isometry<T, Q, D>
where
    Isometry<T, Q, D>: crate::Outcome<Value = Self> + Tangent<Owned = Self>,
{
    type Out = Self;

    const READS: bool = true;

    fn value(&self, other: &Self) -> Self {
        self * other
    }
    fn tangent(&self, other: &Self, da: Option<&Self>, db: Option<&Self>) -> Self {
        let (dr, ds) = (da.map(|d| &d.rotation), db.map(|d| &d.rotation));
        let du = db.map(|d| &d.translation.vector);
        let (r, s, u) = (&self.rotation, &other.rotation, &other.translation.vector);
        let turned = Pair::<ops::mul, SVector<T, D>>::tangent(r, u, dr, du);
        let moved = da.map_or(turned, |da| turned + da.translation.vector);
        Isometry {
            rotation: Pair::<ops::mul, Q>::tangent(r, s, dr, ds),
            translation: Translation::from(moved),
        }
    }
    fn pull_left(a: &Self, b: &Self, dout: &Self, da: &mut Self) {
        let (r, d) = (&a.rotation, &dout.translation.vector);
        Pair::<ops::mul, Q>::pull_left(r, &b.rotation, &dout.rotation, &mut da.rotation);
        Pair::<ops::mul, _>::pull_left(r, &b.translation.vector, d, &mut da.rotation);
        da.translation.vector += d;
    }
    fn pull_right(a: &Self, b: &Self, dout: &Self, db: &mut Self) {
        let (r, u, d) = (&a.rotation, &b.translation.vector, &dout.translation.vector);
        <Q as Pair<ops::mul, Q>>::pull_right(r, &b.rotation, &dout.rotation, &mut db.rotation);
        let du = &mut db.translation.vector;
        <Q as Pair<ops::mul, SVector<T, D>>>::pull_right(r, u, d, du);
    }
}

operators! {
    [T: Real + RealField] (Quaternion<T>) mul (Quaternion<T>);
    [T: Real + RealField] (UnitQuaternion<T>) mul (UnitQuaternion<T>);
    [T: Real + RealField] (UnitQuaternion<T>) mul (Vector3<T>);
    [T: Real + RealField] (UnitQuaternion<T>) mul (Point3<T>);
    [T: Real + RealField, const D: usize] (Rotation<T, D>) mul (Rotation<T, D>);
    [T: Real + RealField, const D: usize] (Rotation<T, D>) mul (SVector<T, D>);
    [T: Real + RealField, const D: usize] (Rotation<T, D>) mul (Point<T, D>);
    [T: Real + RealField, const D: usize] (SMatrix<T, D, D>) mul (Point<T, D>);
    [T: Real, const D: usize] (Point<T, D>) sub (Point<T, D>);
    [T: Real, const D: usize] (Point<T, D>) add (SVector<T, D>);
    [T: Real, const D: usize] (Point<T, D>) sub (SVector<T, D>);
    [T: Real + RealField, const D: usize] (Translation<T, D>) mul (Point<T, D>);
    [T: Real + RealField, Q: Turns<T, D>, const D: usize] (Isometry<T, Q, D>) mul (Point<T, D>);
    [T: Real + RealField, Q: Turns<T, D>, const D: usize] (Isometry<T, Q, D>) mul (SVector<T, D>);
    [T: Real + RealField, Q: Turns<T, D>, const D: usize] (Isometry<T, Q, D>) mul (Isometry<T, Q, D>);
}

linear! {
    [T: Real + RealField] inverse: UnitQuaternion<T> => UnitQuaternion<T> {
        |q| q.inverse(); |dq| unit(conjugate(dq)); |d| unit(conjugate(d));
    }
    [T: Real + RealField, const D: usize] inverse: Rotation<T, D> => Rotation<T, D> {
        |r| r.inverse(); |dr| rotation(dr.matrix().transpose()); |d| rotation(d.matrix().transpose());
    }
    [T: Real + RealField] into_inner: UnitQuaternion<T> => Quaternion<T> {
        |q| q.into_inner(); |dq| dq.into_inner(); |d| unit(*d);
    }
    [T: Real + RealField, const D: usize] into_inner: Rotation<T, D> => SMatrix<T, D, D> {
        |r| r.into_inner(); |dr| dr.into_inner(); |d| rotation(*d);
    }
    [T: Real + RealField, const D: usize] into_inner: Unit<SVector<T, D>> => SVector<T, D> {
        |u| u.into_inner(); |du| du.into_inner(); |d| Unit::new_unchecked(*d);
    }
}

/// `(r, t)⁻¹ = (r⁻¹, −r⁻¹·t)`.
impl<T: Real + RealField> Single<inverse> for Isometry<T, UnitQuaternion<T>, 3> {
    type Out = Self;
    type Kept = ();

    const READS: bool = true;

    fn value(&self, (): &()) -> (Self, ()) {
        (self.inverse(), ())
    }
    fn tangent(&self, (): &(), (): &(), da: &Self) -> Self {
        let (r, t) = (&self.rotation, &self.translation.vector);
        let (dr, dt) = (Some(&da.rotation), Some(&da.translation.vector));
        let moved = Pair::<inverse_transform, Vector3<T>>::tangent(r, t, dr, dt);
        Isometry {
            rotation: unit(conjugate(&da.rotation)),
            translation: Translation::from(-moved),
        }
    }
    fn pull(a: &Self, (): &(), (): &(), dout: &Self, da: &mut Self) {
        let (r, t, d) = (&a.rotation, &a.translation.vector, -dout.translation.vector);
        add(&mut da.rotation, &unit(conjugate(&dout.rotation)));
        Pair::<inverse_transform, _>::pull_left(r, t, &d, &mut da.rotation);
        let dt = &mut da.translation.vector;
        <UnitQuaternion<T> as Pair<inverse_transform, Vector3<T>>>::pull_right(r, t, &d, dt);
    }
}

/// `(cos θ/2, sin θ/2 · axis)`, in the order `i, j, k, w`.
fn about<T: Real>([x, y, z]: [T; 3], angle: T) -> [T; 4] {
    let (sin, cos) = (angle * T::lit(0.5)).sin_cos();
    [x * sin, y * sin, z * sin, cos]
}

/// `exp(v/2)` as a quaternion: `sin(|v|/2)/|v|·v` has a series at the origin.
fn exponential<T: Real>([x, y, z]: [T; 3]) -> [T; 4] {
    let square = (x * x + y * y + z * z) * T::lit(0.25);
    let (sinc, cos) = if square.to_plain() < 1e-6 {
        let series = |a: f64, b: f64, c: f64| {
            T::one() + square * (T::lit(a) + square * (T::lit(b) + square * T::lit(c)))
        };
        let sinc = series(-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5040.0);
        (sinc, series(-1.0 / 2.0, 1.0 / 24.0, -1.0 / 720.0))
    } else {
        let angle = square.sqrt();
        (angle.sin() / angle, angle.cos())
    };
    let half = sinc * T::lit(0.5);
    [x * half, y * half, z * half, cos]
}

/// Roll, pitch and yaw, applied in this order about fixed axes: `i, j, k, w`.
fn euler<T: Real>([roll, pitch, yaw]: [T; 3]) -> [T; 4] {
    let half = |angle: T| (angle * T::lit(0.5)).sin_cos();
    let ((sr, cr), (sp, cp), (sy, cy)) = (half(roll), half(pitch), half(yaw));
    [
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    ]
}

/// The matrix of a quaternion that is taken for a unit, column after column.
fn matrix<T: Real>([i, j, k, w]: [T; 4]) -> [T; 9] {
    let two = T::lit(2.0);
    let (ww, ii, jj, kk) = (w * w, i * i, j * j, k * k);
    let (ij, wk, wj) = (i * j * two, w * k * two, w * j * two);
    let (ik, jk, wi) = (i * k * two, j * k * two, w * i * two);
    [
        ww + ii - jj - kk,
        wk + ij,
        ik - wj,
        ij - wk,
        ww - ii + jj - kk,
        wi + jk,
        wj + ik,
        jk - wi,
        ww - ii - jj + kk,
    ]
}

formulas! { [T: Real + RealField,] T;
    /// `UnitQuaternion::from_axis_angle(&axis, angle)`.
    UnitQuaternion_from_axis_angle(axis A: UnitVector3<T>, angle B: T) -> UnitQuaternion<T> [4, 4] {
        UnitQuaternion::from_axis_angle(&axis, angle); |[x, y, z, angle]| about([x, y, z], angle)
    }
    /// `UnitQuaternion::from_scaled_axis(v)`.
    UnitQuaternion_from_scaled_axis(v A: Vector3<T>) -> UnitQuaternion<T> [3, 4] {
        UnitQuaternion::from_scaled_axis(v); |v| exponential(v)
    }
    /// `UnitQuaternion::new(v)`: the same.
    UnitQuaternion_new(v A: Vector3<T>) -> UnitQuaternion<T> [3, 4] {
        UnitQuaternion::new(v); |v| exponential(v)
    }
    /// `UnitQuaternion::from_euler_angles(roll, pitch, yaw)`.
    UnitQuaternion_from_euler_angles(roll A: T, pitch B: T, yaw C: T) -> UnitQuaternion<T> [3, 4] {
        UnitQuaternion::from_euler_angles(roll, pitch, yaw); |angles| euler(angles)
    }
    /// `UnitQuaternion::new_normalize(q)`.
    UnitQuaternion_new_normalize(q A: Quaternion<T>) -> UnitQuaternion<T> [4, 4] {
        UnitQuaternion::new_normalize(q); |q| {
            let norm = q.iter().fold(T::zero(), |sum, x| sum + *x * *x).sqrt();
            q.map(|x| x / norm)
        }
    }
    /// `UnitQuaternion::from_quaternion(q)`: the same.
    UnitQuaternion_from_quaternion(q A: Quaternion<T>) -> UnitQuaternion<T> [4, 4] {
        UnitQuaternion::from_quaternion(q); |q| UnitQuaternion_new_normalize::formula(q)
    }
    /// `Rotation3::from_euler_angles(roll, pitch, yaw)`.
    Rotation3_from_euler_angles(roll A: T, pitch B: T, yaw C: T) -> Rotation3<T> [3, 9] {
        Rotation3::from_euler_angles(roll, pitch, yaw); |[roll, pitch, yaw]| {
            let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
            [
                cy * cp, sy * cp, -sp,
                cy * sp * sr - sy * cr, sy * sp * sr + cy * cr, cp * sr,
                cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr,
            ]
        }
    }
    /// `Rotation3::from_axis_angle(&axis, angle)`.
    Rotation3_from_axis_angle(axis A: UnitVector3<T>, angle B: T) -> Rotation3<T> [4, 9] {
        Rotation3::from_axis_angle(&axis, angle); |[x, y, z, angle]| {
            let (sin, cos) = angle.sin_cos();
            let rest = T::one() - cos;
            [
                x * x + (T::one() - x * x) * cos, x * y * rest + z * sin, x * z * rest - y * sin,
                x * y * rest - z * sin, y * y + (T::one() - y * y) * cos, y * z * rest + x * sin,
                x * z * rest + y * sin, y * z * rest - x * sin, z * z + (T::one() - z * z) * cos,
            ]
        }
    }
    /// `Rotation3::new(v)`.
    Rotation3_new(v A: Vector3<T>) -> Rotation3<T> [3, 9] {
        Rotation3::new(v); |v| matrix(exponential(v))
    }
    /// `Rotation2::new(angle)`.
    Rotation2_new(angle A: T) -> Rotation2<T> [1, 4] {
        Rotation2::new(angle); |[angle]| {
            let (sin, cos) = angle.sin_cos();
            [cos, sin, -sin, cos]
        }
    }
    /// `q.to_rotation_matrix()`.
    to_rotation_matrix(q A: UnitQuaternion<T>) -> Rotation3<T> [4, 9] {
        q.to_rotation_matrix(); |q| matrix(q)
    }
    /// `q.angle()`.
    angle(q A: UnitQuaternion<T>) -> T [4, 1] {
        q.angle(); |[i, j, k, w]| {
            let sin = (i * i + j * j + k * k).sqrt();
            [sin.atan2(w.abs()) * T::lit(2.0)]
        }
    }
    /// `q.scaled_axis()`: the rotation vector.
    scaled_axis(q A: UnitQuaternion<T>) -> Vector3<T> [4, 3] {
        q.scaled_axis(); |[i, j, k, w]| {
            let sin = (i * i + j * j + k * k).sqrt();
            let sign = if w.to_plain() < 0.0 { -T::one() } else { T::one() };
            let by = match sin.to_plain() < 1e-8 {
                true => T::lit(2.0) * sign / w.abs(),
                false => sin.atan2(w.abs()) * T::lit(2.0) * sign / sin,
            };
            [i * by, j * by, k * by]
        }
    }
}
