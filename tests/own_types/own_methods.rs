//! Methods and associated functions of types of one's own.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Tangent)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}
#[differentiable]
impl V3 {
    fn new(x: f64, y: f64, z: f64) -> V3 {
        V3 { x, y, z }
    }
    fn unit(x: f64) -> Self {
        Self {
            x,
            y: 0.0,
            z: x * x,
        }
    }
    fn dot(&self, o: &V3) -> f64 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }
    fn cross(&self, o: &V3) -> V3 {
        V3 {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }
    fn norm(&self) -> f64 {
        self.dot(self).sqrt()
    }
    fn scale(&mut self, k: f64) {
        self.x *= k;
        self.y *= k;
        self.z *= k;
    }
}
#[differentiable]
fn geo(a: &V3, b: &V3, k: f64) -> f64 {
    let c = a.cross(b);
    let mut d = V3::new(k, c.x, 1.0);
    d.scale(k);
    let u = V3::unit(k);
    d.dot(&c) + a.norm() + u.dot(&d)
}
#[differentiable]
fn geo_vec(vs: &[V3]) -> f64 {
    let mut s = 0.0;
    for i in 0..vs.len() {
        for j in 0..i {
            s += vs[i].dot(&vs[j]);
        }
    }
    s
}

#[differentiable]
fn geo_iter(vs: &[V3]) -> f64 {
    vs.iter().map(|v| v.norm()).sum::<f64>() + vs.iter().map(|v| v.x * v.y).sum::<f64>()
}

const A: V3 = V3 {
    x: 0.1,
    y: 0.2,
    z: 0.3,
};
const B: V3 = V3 {
    x: 0.4,
    y: 0.2,
    z: -0.3,
};

/// Methods that take what they change, and give it back.
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Filter {
    gain: f64,
    cutoff: f64,
    order: usize,
}
#[differentiable]
impl Filter {
    fn with_gain(mut self, gain: f64) -> Self {
        self.gain = gain;
        self
    }
    fn with_cutoff(self, cutoff: f64) -> Self {
        Self { cutoff, ..self }
    }
    fn response(&self, f: f64) -> f64 {
        self.gain / (1.0 + (f / self.cutoff).powi(2 * self.order as i32)).sqrt()
    }
}
#[differentiable]
fn built(base: Filter, gain: f64, f: f64) -> f64 {
    let filter = base.with_gain(gain).with_cutoff(base.cutoff * 2.0);
    filter.response(f) * filter.gain
}

/// Methods that are called as those of the standard library are.
#[derive(Clone, Debug, Tangent)]
struct Rng {
    s: f64,
}
#[differentiable]
impl Rng {
    fn next(&mut self) -> f64 {
        self.s = 3.7 * self.s * (1.0 - self.s);
        self.s
    }
}
#[differentiable]
fn monte(seed: f64, k: f64, n: usize) -> f64 {
    let mut rng = Rng { s: seed };
    let mut t = 0.0;
    for _ in 0..n {
        let u = rng.next();
        let v = rng.next() * k;
        if u + v > 0.6 {
            t += u * v;
        }
    }
    t + rng.s
}

#[derive(Clone, Debug, Tangent)]
struct Mean {
    sum: f64,
    n: usize,
}
#[differentiable]
impl Mean {
    fn new() -> Self {
        Self { sum: 0.0, n: 0 }
    }
    fn push(&mut self, v: f64) {
        self.sum += v * v;
        self.n += 1;
    }
    fn last(&self) -> f64 {
        self.sum / self.n as f64
    }
}
#[differentiable]
fn calls_of_own_names(x: &[f64]) -> f64 {
    let mut m: Mean = Mean::new();
    for v in x {
        m.push(*v);
    }
    m.last() * x[0]
}

/// Methods that are called like operations and queries of numbers and slices.
#[derive(Clone, Copy, Tangent)]
struct Curve {
    a: f64,
    b: f64,
}
#[differentiable]
impl Curve {
    fn max(&self, t: f64) -> f64 {
        (self.a + t).sin() * self.b
    }
    fn sin(&self) -> f64 {
        0.5 * self.a + self.b
    }
    fn dim(&self, t: f64) -> f64 {
        t * self.b - self.a
    }
    fn len(&self) -> f64 {
        self.a.hypot(self.b)
    }
}
#[differentiable]
fn operations_of_own_names(x: f64, y: f64) -> f64 {
    let c = Curve { a: x, b: y * x };
    c.max(y) * c.sin() + c.max(0.3)
}
#[differentiable]
fn operations_of_a_parameter(c: &Curve, y: f64) -> f64 {
    c.max(y) * c.sin()
}
#[differentiable]
fn queries_with_a_value(c: &Curve, y: f64) -> f64 {
    c.dim(y) + Curve::len(c) * c.dim(0.3)
}
/// The product of two values of a type is not known to be of that type.
#[differentiable]
fn number_from_an_operator(v: &V3, y: f64) -> f64 {
    let t = (v.dot(v) + y).sin();
    t * y
}

/// A block whose methods are not all of one kind.
#[derive(Clone, Tangent)]
struct Beam {
    length: f64,
    load: f64,
}
#[differentiable]
impl Beam {
    fn bending(&self, x: f64) -> f64 {
        self.load * x * (self.length - x) * Beam::safety(self.length) / self.parts(3) as f64
    }
    #[coenzyme::inactive]
    fn safety(length: f64) -> f64 {
        1.5 + length.floor()
    }
    #[inactive]
    fn parts(&self, at_least: usize) -> usize {
        at_least + format!("{:.0}", self.load).len()
    }
}
#[differentiable]
fn of_a_mixed_block(beam: &Beam, x: f64) -> f64 {
    let moment = beam.bending(x);
    moment * moment + beam.bending(0.5 * x)
}

/// A number under another name, with methods that numbers have too.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Tangent)]
struct Meters(f64);

#[differentiable]
impl Meters {
    fn get(self) -> f64 {
        self.0
    }
    fn max(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
    fn sin(self) -> f64 {
        self.0 * self.0
    }
}

#[differentiable]
fn of_a_renamed_number(x: f64, y: f64) -> f64 {
    let (a, b) = (Meters(x), Meters(2.0 * y));
    let longer = a.max(b);
    longer.get() * Meters(x).sin() + a.sin() * y
}

#[derive(Clone, Debug, PartialEq, Tangent)]
struct Stack {
    entries: Vec<f64>,
    n: usize,
    gain: f64,
}

#[differentiable]
impl Stack {
    fn new(gain: f64) -> Self {
        Stack {
            entries: vec![0.0; 8],
            n: 0,
            gain,
        }
    }
    fn push(&mut self, x: f64) {
        self.entries[self.n] = x * self.gain;
        self.n += 1;
    }
    fn pop(&mut self) -> f64 {
        self.n -= 1;
        self.entries[self.n]
    }
    fn get(&self, i: usize) -> f64 {
        3.0 * self.entries[i]
    }
    fn len(&self) -> usize {
        self.n * 2
    }
    fn first(&self) -> f64 {
        self.entries[0] * 5.0
    }
    fn sum(&self) -> f64 {
        self.entries[..self.n].iter().sum::<f64>() * 2.0
    }
    fn powi(&self, n: i32) -> f64 {
        self.gain * n as f64
    }
    fn clear(&mut self) {
        self.entries[0] *= 2.0;
    }
}

#[differentiable]
fn what_a_constructor_gives(x: f64, y: f64) -> f64 {
    let mut s = Stack::new(y);
    s.push(x);
    s.push(x * y);
    s.push(x * x);
    let last = s.pop();
    s.clear();
    last * s.get(1) + s.len() as f64 * s.first() + s.sum() * s.powi(3)
}

judge! {
    what_a_constructor_gives(0.7, 0.4);
    of_a_renamed_number(0.7, 0.2) (0.7, 0.9);
    of_a_mixed_block(&Beam { length: 1.3, load: 0.4 }, 0.7);
    operations_of_own_names(0.7, 0.4);
    operations_of_a_parameter(&Curve { a: 0.3, b: 0.8 }, 0.4);
    queries_with_a_value(&Curve { a: 0.3, b: 0.8 }, 0.4);
    number_from_an_operator(&V3::new(0.3, 0.2, 0.5), 0.4);
    monte(0.3, 0.8, 2);
    calls_of_own_names(&any(3));
    built(Filter { gain: 1.0, cutoff: 0.7, order: 2 }, 1.4, 0.5);
    geo(&A, &B, 0.7);
    geo_vec(&vec![A, B]);
    geo_iter(&vec![A, B]);
}
