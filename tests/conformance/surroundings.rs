//! What stands around functions: operators, associated types, names.
use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct V {
    x: f64,
    y: f64,
}

#[differentiable]
impl V {
    fn new(x: f64, y: f64) -> V {
        V { x, y }
    }
    fn of(x: f64) -> Self {
        Self::new(x, x * x)
    }
}

#[differentiable]
impl std::ops::Mul<f64> for V {
    type Output = V;
    fn mul(self, k: f64) -> V {
        V::new(self.x * k, self.y * k)
    }
}

#[differentiable]
impl std::ops::Add for V {
    type Output = V;
    fn add(self, o: V) -> Self::Output {
        Self::new(self.x + o.x, self.y + o.y)
    }
}

#[differentiable]
impl std::ops::Neg for V {
    type Output = Self;
    fn neg(self) -> Self::Output {
        V::new(-self.x, -self.y)
    }
}

#[differentiable]
impl std::ops::Mul for V {
    type Output = f64;
    fn mul(self, o: V) -> Self::Output {
        let s: Self::Output = self.x * o.x;
        s + self.y * o.y
    }
}

#[differentiable]
fn operators(v: V, k: f64) -> f64 {
    let w = v * k + V::of(k);
    let u = -w;
    u * v + w.x
}

#[differentiable]
fn receiver_name(self_: f64, x: f64) -> f64 {
    let y = self_ * x;
    y * self_
}

#[differentiable]
fn receiver_memory(self_: &mut [f64], x: &[f64]) {
    self_[0] *= x[0] * self_[1];
}

trait Half {
    type Out;
    fn half(&self, k: f64) -> Self::Out;
    fn pair(self, k: f64) -> (Self::Out, Self::Out);
}
#[differentiable]
impl Half for V {
    type Out = V;
    fn half(&self, k: f64) -> Self::Out {
        V::new(self.x * k, 0.5 * self.y)
    }
    fn pair(self, k: f64) -> (Self::Out, Self::Out) {
        let h: Self::Out = V::new(self.x, k);
        (h, V::new(k, self.y))
    }
}
#[differentiable]
fn associated(v: V, k: f64) -> f64 {
    let h = v.half(k);
    let (a, b) = v.pair(k);
    h.x * h.y + a.x * a.y * b.x * b.y
}

#[differentiable]
fn apply(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(x) * f(2.0 * x)
}
#[differentiable]
impl V {
    fn lifted(&self, k: f64) -> f64 {
        apply(|t| t * self.x + self.y * t * t, k)
    }
    fn lifted_name(&self, k: f64) -> f64 {
        let g = |t: f64| (t * self.x).sin() * self.y;
        apply(g, k)
    }
    fn lifted_value(self, k: f64) -> f64 {
        apply(|t| t * self.x + self.y, k)
    }
}
#[differentiable]
fn lifts(v: V, k: f64) -> f64 {
    v.lifted(k) + v.lifted_name(k) * v.lifted_value(k)
}

#[differentiable]
fn counted_words(x: &[f64]) -> f64 {
    let mut counts: std::collections::HashMap<&str, usize> = std::collections::HashMap::new();
    let mut sum = 0.0;
    for (i, word) in ["a", "b", "a", "c", "a"].iter().enumerate() {
        *counts.entry(word).or_insert(0) += 1;
        sum += x[i % x.len()].sin() * counts[word] as f64;
    }
    *counts.entry("b").or_default() = 7;
    sum * x[0].powi(counts["b"] as i32)
}

judge! {
    counted_words(&any(3));
    operators(V { x: 0.4, y: -0.7 }, 1.3);
    receiver_name(0.7, 1.2);
    receiver_memory(&mut any(2), &any(1));
    associated(V { x: 0.4, y: -0.7 }, 1.3);
    lifts(V { x: 0.4, y: -0.7 }, 1.3);
}
