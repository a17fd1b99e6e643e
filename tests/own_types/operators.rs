//! Operators of the user's own types.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Rem, Sub, SubAssign};

use coenzyme::ops::{self, Additive, LikeNumbers, Operand};
use coenzyme::{Real, Tangent, differentiable};

use crate::subject::judge;

/// Adds component by component; its operators have hand-written and generated derivatives.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Vector {
    x: f64,
    y: f64,
    z: f64,
}

impl Additive for Vector {}

impl Add for Vector {
    type Output = Vector;
    fn add(self, b: Vector) -> Vector {
        vector(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}

impl Sub for Vector {
    type Output = Vector;
    fn sub(self, b: Vector) -> Vector {
        vector(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}

impl Neg for Vector {
    type Output = Vector;
    fn neg(self) -> Vector {
        vector(-self.x, -self.y, -self.z)
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, b: Vector) {
        *self = *self + b;
    }
}

impl SubAssign for Vector {
    fn sub_assign(&mut self, b: Vector) {
        *self = *self - b;
    }
}

#[differentiable]
impl Mul<f64> for Vector {
    type Output = Vector;
    fn mul(self, k: f64) -> Vector {
        Vector {
            x: self.x * k,
            y: self.y * k,
            z: self.z * k,
        }
    }
}

#[differentiable]
impl Mul<Vector> for f64 {
    type Output = Vector;
    fn mul(self, v: Vector) -> Vector {
        Vector {
            x: self * v.x,
            y: self * v.y,
            z: self * v.z,
        }
    }
}

#[differentiable]
impl Div<f64> for Vector {
    type Output = Vector;
    fn div(self, k: f64) -> Vector {
        Vector {
            x: self.x / k,
            y: self.y / k,
            z: self.z / k,
        }
    }
}

#[differentiable]
impl MulAssign<f64> for Vector {
    fn mul_assign(&mut self, k: f64) {
        *self = *self * k;
    }
}

/// The dot product, with a derivative by hand.
impl Mul for Vector {
    type Output = f64;
    fn mul(self, b: Vector) -> f64 {
        self.x * b.x + self.y * b.y + self.z * b.z
    }
}

impl Operand<ops::mul, (Vector,)> for Vector {
    type Output = f64;
    type Partials = (Vector, Vector);

    fn partials(self, (b,): (Vector,), _: f64) -> (Vector, Vector) {
        (b, self)
    }
    fn pushforward((da, db): &(Vector, Vector), a: Vector, (b,): (Vector,)) -> f64 {
        *da * a + *db * b
    }
    fn pullback((da, db): &(Vector, Vector), y: &f64) -> (Vector, (Vector,)) {
        (*da * *y, (*db * *y,))
    }
}

impl LikeNumbers<ops::mul, (Vector,)> for Vector {}

/// The cross product.
#[differentiable]
impl Rem for Vector {
    type Output = Vector;
    fn rem(self, b: Vector) -> Vector {
        Vector {
            x: self.y * b.z - self.z * b.y,
            y: self.z * b.x - self.x * b.z,
            z: self.x * b.y - self.y * b.x,
        }
    }
}

fn vector(x: f64, y: f64, z: f64) -> Vector {
    Vector { x, y, z }
}

/// A velocity in units of that of light, on a line: its sum is not linear.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Velocity(f64);

#[differentiable]
impl Add for Velocity {
    type Output = Velocity;
    fn add(self, v: Velocity) -> Velocity {
        Velocity((self.0 + v.0) / (1.0 + self.0 * v.0))
    }
}

/// A rotation and scaling of the plane that is applied twice: quadratic in itself.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Rotor {
    a: f64,
    b: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point<T> {
    x: T,
    y: T,
}

#[differentiable]
impl Mul<Point<f64>> for Rotor {
    type Output = Point<f64>;
    fn mul(self, p: Point<f64>) -> Point<f64> {
        let (c, s) = (self.a * self.a - self.b * self.b, 2.0 * self.a * self.b);
        Point {
            x: c * p.x - s * p.y,
            y: s * p.x + c * p.y,
        }
    }
}

#[differentiable]
impl<T: Real> Add for Point<T> {
    type Output = Point<T>;
    fn add(self, q: Point<T>) -> Point<T> {
        Point {
            x: self.x + q.x,
            y: self.y + q.y,
        }
    }
}

#[differentiable]
impl<T: Real> Mul<T> for Point<T> {
    type Output = Point<T>;
    fn mul(self, k: T) -> Point<T> {
        Point {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

#[differentiable]
impl<T: Real> Neg for Point<T> {
    type Output = Point<T>;
    fn neg(self) -> Point<T> {
        Point {
            x: -self.x,
            y: -self.y,
        }
    }
}

#[differentiable]
fn all_of_them(a: Vector, b: Vector, k: f64) -> f64 {
    let c = (a + b * k) - 2.0 * a / k + k * b;
    let d = -(c % b) * 3.0;
    d * a + d.x * c.y
}

#[differentiable]
fn one_factor_active(a: Vector, k: f64, n: usize) -> f64 {
    let (v, s) = (B, n as f64);
    let left = v * k + a * s + s * a + k * v;
    (left % v) * (v % a) + left * v
}

#[differentiable]
fn summed(points: &[Vector], weights: &[f64]) -> f64 {
    let mut sum = Vector {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };
    for (p, w) in points.iter().zip(weights) {
        sum += *p * *w;
        sum -= 0.1 * *p;
    }
    sum * sum
}

#[differentiable]
fn assigned(v: &mut Vector, w: &Vector, k: f64) {
    *v += *w * k;
    *v *= k;
    *v -= *w;
}

#[differentiable]
fn in_memory(forces: &mut [Vector], positions: &[Vector], k: f64) {
    for i in 0..forces.len() {
        for j in 0..i {
            let d = positions[j] - positions[i];
            let f = k * d / (d * d).sqrt();
            forces[i] += f;
            forces[j] -= f;
        }
    }
}

#[differentiable]
fn scaled_in_a_loop(v: Vector, k: f64, n: usize) -> Vector {
    let mut v = v;
    for i in 0..n {
        v = (v + v % Vector {
            x: k,
            y: 0.3,
            z: i as f64,
        }) / 1.5;
        v *= k;
    }
    v
}

#[differentiable]
fn velocities(u: Velocity, v: Velocity) -> f64 {
    let w = u.add(v);
    w.add(u).0 * w.0
}

#[differentiable]
fn accelerated(v: &[Velocity], n: usize) -> f64 {
    let mut sum = Velocity(0.0);
    for i in 0..n {
        sum = sum.add(v[i]);
    }
    sum.0
}

#[differentiable]
fn rotated(r: Rotor, p: Point<f64>) -> f64 {
    let q = r * p;
    q.x * q.y
}

#[differentiable]
fn only_the_rotor_is_active(r: Rotor, rotors: &[Rotor]) -> f64 {
    let p = P;
    let q = r * p;
    let mut sum = q.x * q.y;
    for i in 0..rotors.len() {
        let turned = rotors[i] * p;
        sum += turned.x * turned.x;
    }
    for s in rotors {
        let turned = *s * p;
        sum += turned.y;
    }
    sum
}

#[differentiable]
fn generic_points<T: Real>(p: Point<T>, q: Point<T>, k: T) -> T {
    let r = (p + q * k) * p.x;
    let s = -r + p;
    s.x * r.y
}

const A: Vector = Vector {
    x: 0.7,
    y: -0.4,
    z: 1.1,
};
const B: Vector = Vector {
    x: -0.3,
    y: 0.9,
    z: 0.5,
};
const P: Point<f64> = Point { x: 0.4, y: 1.2 };

judge! {
    all_of_them(A, B, 0.9);
    one_factor_active(A, 0.9, 3);
    summed(&vec![A, B], &vec![0.4, -1.2]);
    assigned(&mut A, &B, 0.8);
    in_memory(&mut vec![A, B, A], &vec![A, B, Vector { x: 0.1, y: 0.2, z: -0.8 }], 0.8);
    scaled_in_a_loop(A, 0.7, 3);
    velocities(Velocity(0.3), Velocity(-0.6));
    accelerated(&vec![Velocity(0.3), Velocity(-0.6), Velocity(0.5)], 3);
    rotated(Rotor { a: 0.8, b: -0.3 }, P);
    only_the_rotor_is_active(Rotor { a: 0.8, b: -0.3 }, &vec![Rotor { a: 0.1, b: 0.5 }]);
    generic_points(Point { x: 0.8, y: -0.3 }, P, 0.7);
}
