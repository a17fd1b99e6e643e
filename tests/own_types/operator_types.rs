//! Types with operators as people write them: units in fields, vectors over a number type, matrices that own their entries.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, MulAssign, Sub};

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Tangent)]
struct Meters(f64);

#[differentiable]
impl Add for Meters {
    type Output = Meters;
    fn add(self, o: Meters) -> Meters {
        Meters(self.0 + o.0)
    }
}

#[differentiable]
impl AddAssign for Meters {
    fn add_assign(&mut self, o: Meters) {
        self.0 += o.0;
    }
}

#[differentiable]
impl Mul<f64> for Meters {
    type Output = Meters;
    fn mul(self, k: f64) -> Meters {
        Meters(self.0 * k)
    }
}

#[differentiable]
impl MulAssign<f64> for Meters {
    fn mul_assign(&mut self, k: f64) {
        *self = *self * k;
    }
}

#[differentiable]
impl Sum for Meters {
    fn sum<I: Iterator<Item = Meters>>(iter: I) -> Meters {
        iter.fold(Meters(0.0), |a, b| a + b)
    }
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Car {
    position: Meters,
    speed: Meters,
    passed: Vec<Meters>,
}

#[differentiable]
impl Car {
    fn step(&mut self, dt: f64) {
        self.position += self.speed * dt;
        self.speed *= 0.9;
        for passed in self.passed.iter_mut() {
            *passed += self.position;
            *passed *= 0.5;
        }
        self.passed[0] += self.speed;
    }
}

#[differentiable]
fn driven(position: f64, speed: f64) -> f64 {
    let passed = vec![Meters(1.0), Meters(position)];
    let mut car = Car {
        position: Meters(position),
        speed: Meters(speed),
        passed,
    };
    for _ in 0..3 {
        car.step(0.1);
    }
    let total = car.passed.iter().copied().sum::<Meters>();
    car.position.0 * car.speed.0 + total.0 * car.passed[0].0
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Pair<T> {
    x: T,
    y: T,
}

#[differentiable]
impl<T: coenzyme::Real> AddAssign for Pair<T> {
    fn add_assign(&mut self, o: Pair<T>) {
        self.x += o.x;
        self.y += o.y;
    }
}

#[differentiable]
impl<T: coenzyme::Real> MulAssign<T> for Pair<T> {
    fn mul_assign(&mut self, k: T) {
        self.x *= k;
        self.y *= k;
    }
}

#[differentiable]
impl<T: coenzyme::Real> Mul<T> for Pair<T> {
    type Output = Pair<T>;
    fn mul(self, k: T) -> Pair<T> {
        Pair {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

#[differentiable]
impl<'a, T: coenzyme::Real> Sub<&'a Pair<T>> for &'a Pair<T> {
    type Output = Pair<T>;
    fn sub(self, o: &Pair<T>) -> Pair<T> {
        Pair {
            x: self.x - o.x,
            y: self.y - o.y,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Body<T> {
    at: Pair<T>,
    velocity: Pair<T>,
}

#[differentiable]
fn pushed<T: coenzyme::Real>(body: &mut Body<T>, k: T) -> T {
    body.at += body.velocity * k;
    body.velocity *= k;
    let mut q = body.at;
    q *= k;
    q += body.velocity;
    let d = &q - &body.velocity;
    d.x * d.y
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Floats<T> {
    x: T,
    y: T,
}

#[differentiable]
impl<T: num_traits::Float> Add for Floats<T> {
    type Output = Floats<T>;
    fn add(self, o: Floats<T>) -> Floats<T> {
        Floats {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}

#[differentiable]
impl<T: num_traits::Float + AddAssign> AddAssign for Floats<T> {
    fn add_assign(&mut self, o: Floats<T>) {
        self.x += o.x;
        self.y += o.y;
    }
}

#[differentiable]
fn over_floats<T: num_traits::Float + AddAssign>(points: &[Floats<T>], k: T) -> T {
    let mut sum = Floats { x: k, y: k };
    for p in points {
        sum += *p;
    }
    let total = points.iter().fold(sum, |all, p| all + *p);
    let mut best = None;
    for p in points {
        let n = p.x * p.x;
        best = match best {
            Some(b) if b > n => Some(b),
            _ => Some(n),
        };
    }
    total.x * total.y * best.unwrap()
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Matrix {
    entries: Vec<f64>,
    n: usize,
}

#[differentiable]
impl Matrix {
    fn new(n: usize) -> Matrix {
        Matrix {
            entries: vec![0.0; n * n],
            n,
        }
    }

    fn get(&self, i: usize, j: usize) -> f64 {
        self.entries[i * self.n + j]
    }

    fn trace(&self) -> f64 {
        let mut trace = 0.0;
        for i in 0..self.n {
            trace += self.get(i, i);
        }
        trace
    }
}

#[differentiable]
impl Mul<&Matrix> for &Matrix {
    type Output = Matrix;
    fn mul(self, o: &Matrix) -> Matrix {
        let n = self.n;
        let mut product = Matrix::new(n);
        for i in 0..n {
            for j in 0..n {
                for k in 0..n {
                    product.entries[i * n + j] += self.get(i, k) * o.get(k, j);
                }
            }
        }
        product
    }
}

#[differentiable]
impl Mul for Matrix {
    type Output = Matrix;
    fn mul(self, o: Matrix) -> Matrix {
        &self * &o
    }
}

#[differentiable]
impl Mul<&Matrix> for Matrix {
    type Output = Matrix;
    fn mul(self, o: &Matrix) -> Matrix {
        &self * o
    }
}

#[differentiable]
impl AddAssign<&Matrix> for Matrix {
    fn add_assign(&mut self, o: &Matrix) {
        for (a, b) in self.entries.iter_mut().zip(&o.entries) {
            *a += b;
        }
    }
}

#[differentiable]
fn powers(x: f64, y: f64) -> f64 {
    let a = Matrix {
        entries: vec![x, y, 1.0, x * y],
        n: 2,
    };
    let mut p = a.clone();
    for _ in 0..3 {
        p = p * &a;
    }
    let q = &p * &a;
    let mut sum = Matrix::new(2);
    sum += &q;
    sum += &a;
    let r = sum.clone() * p;
    r.trace() + sum.get(0, 1)
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
impl Sub for Point {
    type Output = Point;
    fn sub(self, o: Point) -> Point {
        Point {
            x: self.x - o.x,
            y: self.y - o.y,
        }
    }
}

/// Elements that a loop has by value are values.
#[differentiable]
fn taken(points: Vec<Point>, pair: [Point; 2]) -> f64 {
    let q = points[0];
    let mut sum = 0.0;
    for p in points.clone() {
        let d = p - q;
        sum += d.x * d.y;
    }
    for p in points.iter().copied() {
        let d = p - q;
        sum += d.x;
    }
    for p in points {
        let d = p - q;
        sum += d.x + d.y * d.y;
    }
    for p in pair {
        let d = p - q;
        sum += d.x * d.y;
    }
    sum += pair
        .into_iter()
        .map(|p| {
            let d = p - q;
            d.x
        })
        .sum::<f64>();
    let t = pair.iter().map(|&p| p - q).fold(q, |a, b| a - b);
    let shifted = pair.iter().copied().map(|p| p - q).collect::<Vec<_>>();
    sum + t.x * t.y + shifted[1].y
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Shape {
    sides: [f64; 3],
    corner: Point,
}

#[differentiable]
fn perimeter(shape: &Shape) -> f64 {
    let mut sum = 0.0;
    for side in shape.sides {
        sum = sum * shape.corner.x + side;
    }
    sum
}

#[differentiable]
fn perhaps(x: f64, y: f64) -> f64 {
    let mut best: Option<Point> = None;
    let q = Point { x: y, y: 1.0 };
    for k in [x, y] {
        let p = if k > 0.0 {
            Some(Point { x: k * x, y: k })
        } else {
            None
        };
        if let Some(p) = p {
            best = Some(p - q);
        }
    }
    match best {
        Some(b) => {
            let d = b - q;
            d.x * d.y
        }
        None => 0.0,
    }
}

judge! {
    driven(0.7, -0.4);
    pushed(&mut Body { at: Pair { x: 0.7, y: -0.4 }, velocity: Pair { x: -0.3, y: 0.9 } }, 1.3);
    over_floats(&vec![Floats { x: 0.7, y: -0.4 }, Floats { x: -0.3, y: 0.9 }], 1.3);
    powers(0.7, -0.4);
    taken(vec![Point { x: 0.7, y: -0.4 }, Point { x: -0.3, y: 0.9 }], [Point { x: 0.2, y: 1.1 }, Point { x: 0.5, y: -0.6 }]);
    perimeter(&Shape { sides: [0.7, -0.4, 1.2], corner: Point { x: 0.3, y: 0.1 } });
    perhaps(0.7, -0.4);
}
