//! Values that methods and operators take by value, of memory that changes after the call.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
use std::ops::{Add, AddAssign, Mul, Neg};
#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct V {
    a: f64,
    b: f64,
}
#[differentiable]
impl V {
    fn dot(self, o: Self) -> f64 {
        self.a * o.a + self.b * o.b
    }
    fn cross(self, o: V) -> V {
        V {
            a: self.a * o.b,
            b: o.a * self.b * o.b,
        }
    }
    fn inner(self, o: V, k: f64) -> f64 {
        self.a * o.a * k + self.b * o.b * o.a
    }
    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }
    fn map(self, f: impl Fn(f64) -> f64) -> V {
        V {
            a: f(self.a),
            b: f(self.b),
        }
    }
    fn zip(self, o: V) -> V {
        V {
            a: self.a * o.b * o.b,
            b: self.b * o.a * o.a,
        }
    }
    fn min(self, o: V) -> V {
        V {
            a: self.a * o.b * o.b,
            b: self.b * o.a * o.a,
        }
    }
    fn sum(self) -> f64 {
        self.a * self.a * self.b
    }
    fn powi(self, n: i32) -> V {
        V {
            a: self.a.powi(n),
            b: self.a * self.b,
        }
    }
}
#[differentiable]
impl Add for V {
    type Output = V;
    fn add(self, o: V) -> V {
        V {
            a: self.a + o.a - o.b,
            b: self.b + o.b + o.a,
        }
    }
}
#[differentiable]
impl Mul for V {
    type Output = V;
    fn mul(self, o: V) -> V {
        V {
            a: self.a * o.a - self.b * o.b,
            b: self.b * o.a,
        }
    }
}
#[differentiable]
impl Mul<f64> for V {
    type Output = V;
    fn mul(self, s: f64) -> V {
        V {
            a: self.a * s,
            b: self.b * s + self.a * s,
        }
    }
}
#[differentiable]
impl Mul<V> for f64 {
    type Output = V;
    fn mul(self, v: V) -> V {
        V {
            a: v.a * self,
            b: v.b * self - v.a * self,
        }
    }
}
#[differentiable]
impl Neg for V {
    type Output = V;
    fn neg(self) -> V {
        V {
            a: -self.a - self.b,
            b: -self.b,
        }
    }
}
#[differentiable]
impl AddAssign for V {
    fn add_assign(&mut self, o: V) {
        self.a += o.a;
        self.b += o.b;
    }
}
#[differentiable]
fn free(x: V, y: V, k: f64) -> f64 {
    x.a * y.b * k * y.a + x.b * y.a
}
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Q {
    w: f64,
    v: V,
    u: [V; 2],
    list: Vec<V>,
}
#[differentiable]
fn spoil(q: &mut Q) {
    q.v.a *= 0.6;
    q.v.b = 0.5 * q.v.b + 0.2 * q.v.a * q.w;
    q.w = 0.5 * q.w + 0.1 * q.v.b * q.w;
    for z in q.u.iter_mut() {
        z.a *= 0.7;
        z.b += 0.2;
    }
    for z in &mut q.list {
        z.b *= 0.7;
    }
}
#[differentiable]
fn field(q: &mut Q) -> f64 {
    let mut t = q.v.dot(q.v);
    spoil(q);
    t += q.v.inner(q.v, q.w);
    q.v.a *= t;
    t += q.v.cross(q.v).a;
    q.v.b *= t;
    t += free(q.v, q.v, q.w);
    spoil(q);
    t += q.v.norm();
    spoil(q);
    t += q.v.zip(q.v).a + q.v.min(q.v).b;
    q.v.a += t;
    t += (q.v + q.v).b;
    spoil(q);
    t += (q.v * q.v).a;
    spoil(q);
    t += (q.v * q.w).b + (q.w * q.v).a;
    spoil(q);
    t += (-q.v).a;
    spoil(q);
    t * 0.01
}
#[differentiable]
fn element(q: &mut Q, i: usize) -> f64 {
    let mut t = q.u[i].dot(q.u[1]);
    spoil(q);
    t += q.list[i].inner(q.list[1], q.w);
    spoil(q);
    t += q.u[i].cross(q.list[i]).a;
    spoil(q);
    t += free(q.u[i], q.list[i], q.w);
    spoil(q);
    t += (q.u[i] + q.list[1]).b;
    spoil(q);
    t += (q.u[0] * q.u[i]).a;
    spoil(q);
    t += (q.u[i] * q.w).b + (q.w * q.list[i]).a;
    spoil(q);
    let z = q.u[0];
    q.u[i] += z;
    let z = q.u[1];
    q.list[0] += z;
    spoil(q);
    t += q.u[i].dot(z) + z.dot(q.u[i]);
    spoil(q);
    t * 0.01
}
#[differentiable]
fn locals(x: f64, y: f64, n: usize) -> f64 {
    let mut v = V { a: x, b: y };
    let mut u = V { a: x * y, b: 0.4 };
    let mut t = 0.0;
    for k in 0..n {
        t += v.dot(u);
        v.a *= 0.9 + t;
        u = u + v;
        t += u.inner(v, t);
        v = v * 0.9;
        u.b *= 0.5;
        t += u.cross(v).b + v.cross(v).a;
        v.b += 0.1 * x;
        u += v;
        t += u.norm() + v.zip(u).a + v.powi(2).a;
        u = v.map(|z| z * 0.5 + x);
        v.a = 0.3 * t;
        t += free(u, v, t);
        (u, v) = (v, u);
        u.a += y * 0.1;
    }
    t * 0.1
}
judge! {
    field(&mut Q { w: 0.8, v: V { a: 0.4, b: 0.7 }, u: [V { a: 0.4, b: 0.7 }, V { a: 0.3, b: -0.7 }], list: vec![V { a: 0.1, b: 0.7 }, V { a: -0.4, b: 0.7 }] });
    element(&mut Q { w: 0.8, v: V { a: 0.4, b: 0.7 }, u: [V { a: 0.4, b: 0.7 }, V { a: 0.3, b: -0.7 }], list: vec![V { a: 0.1, b: 0.7 }, V { a: -0.4, b: 0.7 }] }, 0);
    locals(0.4, 0.6, 2);
}
