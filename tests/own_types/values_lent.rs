//! Methods that return references to values of own types: one, a list of them, perhaps one.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Cell {
    charge: f64,
    parts: Vec<f64>,
}

#[differentiable]
impl Cell {
    fn total(&self) -> f64 {
        self.charge * self.parts.iter().sum::<f64>()
    }
}

#[differentiable]
fn squared(cell: &Cell) -> f64 {
    cell.charge * cell.charge
}

#[derive(Clone, Debug, Tangent)]
struct Pack {
    cells: Vec<Cell>,
    spare: Option<Cell>,
}

#[differentiable]
impl Pack {
    fn cell(&self, i: usize) -> &Cell {
        &self.cells[i]
    }

    fn cells(&self) -> &[Cell] {
        &self.cells
    }

    fn weakest(&self) -> Option<&Cell> {
        self.cells
            .iter()
            .min_by(|a, b| a.charge.partial_cmp(&b.charge).unwrap())
    }

    fn get(&self, i: usize) -> Option<&Cell> {
        if i < self.cells.len() {
            Some(&self.cells[i])
        } else {
            None
        }
    }

    fn total(&self) -> f64 {
        self.cells().iter().map(|c| c.total()).sum::<f64>() + squared(self.cell(0))
    }
}

#[differentiable]
fn pack(x: &[f64]) -> Pack {
    let cell = |v: &f64| Cell {
        charge: *v,
        parts: vec![v * v, 1.0],
    };
    Pack {
        cells: x.iter().map(cell).collect(),
        spare: None,
    }
}

#[differentiable]
fn one(x: &[f64]) -> f64 {
    let pack = pack(x);
    let second = pack.cell(1);
    pack.cell(0).charge * second.charge + second.total() * squared(pack.cell(2))
}

#[differentiable]
fn all(x: &[f64]) -> f64 {
    let pack = pack(x);
    let mut sum = pack.total();
    for cell in pack.cells() {
        sum += squared(cell) * x[0];
    }
    sum + pack.cells()[1].charge
}

#[differentiable]
fn perhaps(x: &[f64]) -> f64 {
    let pack = pack(x);
    let weakest = pack.weakest().map(|c| c.charge * c.charge).unwrap_or(0.0);
    let second = match pack.get(1) {
        Some(cell) => cell.charge,
        None => 0.0,
    };
    if let Some(cell) = pack.get(7) {
        return cell.charge;
    }
    weakest * second
}

judge! {
    one(&any(3));
    all(&any(3));
    perhaps(&any(3));
}
