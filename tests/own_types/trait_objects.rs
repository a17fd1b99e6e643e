//! Functions that take trait objects, `&dyn Curve`, of a marked trait: their rules are those of `&impl Curve`.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
trait Curve {
    fn at(&self, x: f64) -> f64;
    fn slope(&self, x: f64) -> f64 {
        (self.at(x + 0.5) - self.at(x - 0.5)) * self.at(x)
    }
}
#[derive(Clone, Tangent)]
struct Parabola {
    a: f64,
}
#[differentiable]
impl Curve for Parabola {
    fn at(&self, x: f64) -> f64 {
        self.a * x * x
    }
}

#[differentiable]
fn twice(c: &dyn Curve, x: f64) -> f64 {
    c.at(x) + c.slope(x) * x
}
#[differentiable]
fn of_parabola(a: f64, x: f64) -> f64 {
    let p = Parabola { a };
    twice(&p, x)
}

#[differentiable]
trait Table {
    fn len(&self) -> usize;
    fn entry(&self, i: usize) -> f64;
    fn set_entry(&mut self, i: usize, x: f64);
}
#[derive(Clone, Debug, Tangent)]
struct Row {
    entries: Vec<f64>,
}
#[differentiable]
impl Table for Row {
    fn len(&self) -> usize {
        self.entries.len()
    }
    fn entry(&self, i: usize) -> f64 {
        self.entries[i]
    }
    fn set_entry(&mut self, i: usize, x: f64) {
        self.entries[i] = x;
    }
}
#[differentiable]
fn scale(table: &mut dyn Table, k: f64) -> usize {
    let mut n = 0;
    for i in 0..table.len() {
        let x = table.entry(i);
        table.set_entry(i, x * x * k);
        n += 1;
    }
    n
}
#[differentiable]
fn scaled(a: f64, k: f64) -> f64 {
    let mut row = Row {
        entries: vec![a, a * k],
    };
    let n = scale(&mut row, k);
    row.entries[0] + row.entries[1] * n as f64
}

judge! {
    of_parabola(0.9, 1.1) (0.3, 0.6);
    scaled(0.9, 1.1) (0.3, 0.6);
}
