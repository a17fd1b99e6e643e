//! Values without derivative that the text moves into a call, and that the reverse sweep wants again.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Tangent)]
struct Table {
    grid: Vec<f64>,
    k: f64,
}
#[differentiable]
impl Table {
    fn new(grid: Vec<f64>, k: f64) -> Self {
        Table { grid, k }
    }
    fn at(&self, x: f64) -> f64 {
        self.grid.iter().map(|g| (g - x).powi(2)).sum::<f64>() * self.k
    }
    fn into_first(self, x: f64) -> f64 {
        self.grid[0] * self.k * x
    }
}

#[differentiable]
fn nearness(grid: Vec<f64>, x: f64) -> f64 {
    grid.iter().map(|g| (g - x).powi(2)).sum::<f64>()
}
#[differentiable]
fn collected(x: f64) -> f64 {
    let grid: Vec<f64> = (0..4).map(|i| i as f64 * 0.5).collect();
    nearness(grid, x)
}
#[differentiable]
fn constructor(x: f64) -> f64 {
    let grid: Vec<f64> = (0..4).map(|i| i as f64 * 0.5).collect();
    let t = Table::new(grid, x);
    t.at(x)
}
#[differentiable]
fn copied_before(x: f64) -> f64 {
    let grid = vec![0.5, 1.5];
    let near = nearness(grid.clone(), x);
    near * nearness(grid, x * x)
}
#[differentiable]
fn weights(of: Vec<usize>, x: f64) -> f64 {
    of.iter().map(|i| *i as f64 * x * x).sum()
}
#[differentiable]
fn indices(x: f64) -> f64 {
    let odd: Vec<usize> = (0..4).filter(|i| i % 2 == 1).collect();
    weights(odd, x)
}
#[differentiable]
fn whole_struct(x: f64) -> f64 {
    let t = Table {
        grid: vec![1.0, 2.0],
        k: 3.0,
    };
    let y = t.into_first(x);
    y * x
}
#[differentiable]
fn solved(b: Vec<f64>, k: f64) -> Option<f64> {
    if k == 0.0 { None } else { Some(b[0] / k) }
}
#[differentiable]
fn matched(k: f64) -> f64 {
    let load = vec![0.3, 1.0];
    match solved(load, k) {
        Some(u) => u * u,
        None => 0.0,
    }
}
#[differentiable]
fn in_a_loop(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, &x) in x.iter().enumerate() {
        let grid: Vec<f64> = (0..i + 1).map(|j| j as f64).collect();
        sum += nearness(grid, x) * sum + x;
    }
    sum
}
#[differentiable]
fn in_a_branch(x: f64, first: bool) -> f64 {
    let (a, b) = (vec![0.5, 1.5], vec![-1.0]);
    if first {
        nearness(a, x)
    } else {
        nearness(b, x * x)
    }
}
#[differentiable]
fn handed_on(grid: Vec<f64>, x: f64) -> f64 {
    let y = nearness(grid, x);
    y * y
}
#[differentiable]
fn twice_handed_on(x: f64) -> f64 {
    let grid = vec![0.25, -0.5, 2.0];
    handed_on(grid, x.sin())
}
#[differentiable]
fn boxed_up(label: String, x: f64) -> f64 {
    label.len() as f64 * x * x
}
#[differentiable]
fn text(x: f64) -> f64 {
    let label = String::from("three");
    boxed_up(label, x)
}

#[differentiable]
fn held(table: &Table, x: &[f64]) -> f64 {
    table.grid.iter().zip(x).map(|(g, x)| g * x).sum::<f64>() * table.k
}
#[differentiable]
fn loaded(x: &[f64], load: Vec<f64>) -> Option<f64> {
    if x[0] > 10.0 {
        return None;
    }
    Some(x[0] * load[1] + x[1] * load[2])
}
#[differentiable]
fn into_a_literal(x: &[f64], k: f64) -> f64 {
    let grid = vec![1.0, 2.0, 3.0];
    let mut other = vec![0.0; 3];
    for i in 0..3 {
        other[i] = 0.5 * i as f64;
    }
    let of_other = Table {
        grid: other,
        k: k * k,
    };
    held(&Table { grid, k }, x) + held(&of_other, x)
}
#[differentiable]
fn into_a_literal_in_a_loop(x: &[f64], k: f64) -> f64 {
    let mut s = 0.0;
    for i in 0..3 {
        let mut grid = vec![0.0; 3];
        grid[i] = 0.5;
        s += held(
            &Table {
                grid,
                k: k * i as f64,
            },
            x,
        );
    }
    s
}
#[differentiable]
fn written_before(x: &[f64], k: f64) -> f64 {
    let mut load = vec![0.0; 3];
    load[1] = -1.0;
    load[2] = 0.3;
    match loaded(x, load) {
        Some(u) => u * u + k,
        None => k,
    }
}

judge! {
    collected(0.7);
    constructor(0.7);
    copied_before(0.7);
    indices(0.3);
    whole_struct(0.7);
    matched(0.7);
    in_a_loop(&any(4));
    in_a_branch(0.7, true) (0.4, false);
    twice_handed_on(0.6);
    text(0.9);
    into_a_literal(&any(3), 0.7);
    into_a_literal_in_a_loop(&any(3), 0.7);
    written_before(&any(3), 0.7);
}
