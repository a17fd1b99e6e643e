//! Every form of an operator is a function of its own: on values, on references, mixed, compound. Here no two of them agree.

use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct V {
    x: f64,
    y: f64,
}

fn v(x: f64, y: f64) -> V {
    V { x, y }
}

macro_rules! forms {
    ($($left:ty, $right:ty: $factor:literal;)*) => {$(
        #[differentiable]
        impl Sub<$right> for $left {
            type Output = V;
            fn sub(self, o: $right) -> V {
                V { x: self.x - $factor * o.x, y: $factor * self.y - o.y }
            }
        }
    )*};
}

forms! {
    V, V: 1.0;
    &V, &V: 2.0;
    &V, V: 3.0;
    V, &V: 5.0;
}

#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V {
            x: self.x * k,
            y: self.y * k,
        }
    }
}

#[differentiable]
impl Mul<f64> for &V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V {
            x: self.x * k * 2.0,
            y: self.y * k,
        }
    }
}

#[differentiable]
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, o: V) -> V {
        V {
            x: self * o.x,
            y: self * o.y * 3.0,
        }
    }
}

#[differentiable]
impl Mul<&V> for f64 {
    type Output = V;
    fn mul(self, o: &V) -> V {
        V {
            x: self * o.x * 4.0,
            y: self * o.y,
        }
    }
}

#[differentiable]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V {
            x: -self.x,
            y: -self.y,
        }
    }
}

#[differentiable]
impl Neg for &V {
    type Output = V;
    fn neg(self) -> V {
        V {
            x: -self.x * 2.0,
            y: -self.y,
        }
    }
}

#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V {
            x: self.x + o.x,
            y: self.y + o.y,
        }
    }
}

#[differentiable]
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.x += 2.0 * o.x;
        self.y += o.x * self.x;
    }
}

#[differentiable]
impl AddAssign<&V> for V {
    fn add_assign(&mut self, o: &V) {
        self.x += 3.0 * o.x;
        self.y -= o.y;
    }
}

/// Component by component, which a field may use.
#[differentiable]
impl SubAssign for V {
    fn sub_assign(&mut self, o: V) {
        self.x -= o.x;
        self.y -= o.y;
    }
}

#[differentiable]
impl MulAssign<f64> for V {
    fn mul_assign(&mut self, k: f64) {
        self.x *= k;
        self.y *= k * k;
    }
}

#[differentiable]
fn parameters(a: &V, b: &V, c: V) -> f64 {
    let d = a - b;
    let e = a - c;
    let f = c - b;
    let g = c - c * 2.0;
    d.x * e.y + f.x * g.y + d.y * e.x - f.y * g.x
}

#[differentiable]
fn elements(points: &[V], k: f64) -> f64 {
    let mut sum = 0.0;
    for (a, b) in points.iter().zip(points.iter().skip(1)) {
        let d = a - b;
        let e = *a - b;
        let f = a - *b;
        let g = *a - *b;
        sum += d.x * e.y + f.x * g.y + d.y * f.y;
    }
    for p in points {
        let q = p * k;
        let r = k * p;
        let s = -p;
        sum += q.x * r.x * s.x + q.y * r.y;
    }
    sum
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Cloud {
    points: Vec<V>,
    center: V,
}

/// Types that no token tells.
#[differentiable]
impl Cloud {
    fn spread(&self) -> f64 {
        let mut sum = 0.0;
        for p in self.points.iter() {
            let d = p - &self.center;
            let e = p - self.center;
            let f = *p * 2.0;
            sum += d.x * e.y + e.x * f.y + d.y;
        }
        for w in self.points.windows(2) {
            let d = &w[1] - &w[0];
            let e = w[1] - w[0];
            sum += d.x * e.y;
        }
        sum
    }

    fn moved(&mut self, by: V) -> f64 {
        for p in self.points.iter_mut() {
            *p -= by;
        }
        self.center -= by * 0.5;
        self.center.x * self.points[0].y
    }
}

#[differentiable]
fn cloud(points: &[V], center: V) -> f64 {
    let mut cloud = Cloud {
        points: points.to_vec(),
        center,
    };
    let before = cloud.spread();
    let by = cloud.moved(center);
    before + by * cloud.spread()
}

#[differentiable]
fn held(points: &[V]) -> f64 {
    let (first, last) = (&points[0], points.last().unwrap());
    let d = last - first;
    let e = points.first().unwrap() - points.last().unwrap();
    let mut sum = d.x * e.y;
    if let Some(p) = points.get(1) {
        let f = p - first;
        sum += f.x * f.y;
    }
    if let [a, .., b] = points {
        let g = a - b;
        sum += g.x * d.y;
    }
    sum
}

#[differentiable]
fn closures(points: &[V], origin: &V) -> f64 {
    let shifted: Vec<V> = points.iter().map(|p| p - origin).collect();
    let lengths: f64 = points
        .iter()
        .map(|p| {
            let d = p - origin;
            let n = -&d;
            d.x * n.y
        })
        .sum();
    let total = shifted.iter().fold(V { x: 0.0, y: 0.0 }, |sum, p| sum + *p);
    lengths * total.x + total.y
}

#[differentiable]
fn results(a: &V, b: &V, k: f64) -> f64 {
    let d = a - b;
    let e = d * k;
    let f = &d * k;
    let g = -d;
    let h = -&(a - &e);
    e.x * f.x + g.x * h.y + (f - g).x * h.x
}

#[differentiable]
fn compound(a: V, b: &V, k: f64) -> f64 {
    let mut sum = a;
    sum += a * k;
    sum += b;
    sum *= k;
    sum -= *b;
    sum += &a;
    sum.x * sum.y
}

#[differentiable]
fn repeated(points: &[V], k: f64) -> f64 {
    let mut sum = V { x: 0.3, y: 0.2 };
    for p in points {
        sum += *p;
        sum *= k;
    }
    sum.x * sum.y
}

#[differentiable]
fn boxed(a: V, k: f64) -> f64 {
    let mut b = Box::new(a);
    *b *= k;
    *b += a;
    let mut c = Box::new(k * 2.0);
    *c *= k;
    *c -= b.x;
    b.x * b.y * *c
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Capped(f64);

#[differentiable]
impl MulAssign<f64> for Capped {
    fn mul_assign(&mut self, k: f64) {
        if k > 1.0 {
            self.0 *= 2.0;
            return;
        }
        self.0 *= k;
    }
}

#[differentiable]
fn early(x: f64, k: f64) -> f64 {
    let mut capped = Capped(x);
    capped *= k;
    capped *= k + 3.0;
    capped.0
}

/// Among what has no derivative the forms differ too.
#[differentiable]
fn inactive(k: f64, m: f64) -> f64 {
    let fixed = vec![V { x: 1.0, y: 2.0 }, V { x: 3.0, y: 1.5 }];
    let mut sum = 0.0;
    for (a, b) in fixed.iter().zip(fixed.iter().skip(1)) {
        let d = a - b;
        let e = *a - b;
        sum += d.x * k + e.y * m;
    }
    for (i, a) in fixed.iter().enumerate() {
        let mut d = a - &fixed[0];
        d *= 3.0;
        sum += d.y * k * i as f64;
    }
    sum * k
}

judge! {
    parameters(&v(0.7, -0.4), &v(-0.3, 0.9), v(0.2, 1.1));
    elements(&vec![v(0.7, -0.4), v(-0.3, 0.9), v(0.2, 1.1)], 1.3);
    cloud(&vec![v(0.7, -0.4), v(-0.3, 0.9), v(0.2, 1.1)], v(0.1, 0.6));
    held(&vec![v(0.7, -0.4), v(-0.3, 0.9), v(0.2, 1.1)]);
    closures(&vec![v(0.7, -0.4), v(-0.3, 0.9)], &v(0.2, 1.1));
    results(&v(0.7, -0.4), &v(-0.3, 0.9), 1.3);
    compound(v(0.7, -0.4), &v(-0.3, 0.9), 1.3);
    repeated(&vec![v(0.7, -0.4), v(-0.3, 0.9)], 1.3);
    inactive(0.7, 1.3);
    boxed(v(0.7, -0.4), 1.3);
    early(0.7, 0.6);
}
