//! Vectors of vectors, used linearly: the reverse sweep reads no value of them, and needs the shape that they had in the end.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn summed_by_iterators(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    rows.iter().map(|row| row.iter().sum::<f64>()).sum()
}
#[differentiable]
fn summed_by_loops(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = x.chunks(2).map(|c| c.to_vec()).collect();
    let mut sum = 0.0;
    for row in &rows {
        for v in row {
            sum += v;
        }
    }
    sum
}
#[differentiable]
fn summed_by_indices(x: &[f64]) -> f64 {
    let rows: Vec<Vec<f64>> = x
        .chunks_exact(2)
        .map(|r| r.iter().map(|v| v * v).collect())
        .collect();
    let mut sum = 0.0;
    for k in 0..2 {
        sum += (0..2).map(|i| rows[i][k]).sum::<f64>();
    }
    sum
}
#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![vec![]; 2];
    for i in 0..2 {
        rows[i] = x[2 * i..][..2].to_vec();
    }
    let mut sum = 0.0;
    for i in 0..2 {
        for k in 0..2 {
            sum += rows[i][k];
        }
    }
    sum + rows[1][1]
}
#[differentiable]
fn longer(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![vec![0.0; 1]; 2];
    rows[1] = x.to_vec();
    rows[1][3] + rows[0][0] + rows[1][0]
}

#[derive(Clone, Tangent)]
struct Layer {
    weights: Vec<f64>,
    bias: f64,
}

#[differentiable]
fn structs(x: &[f64]) -> f64 {
    let layers: Vec<Layer> = (0..2)
        .map(|i| Layer {
            weights: x[i..].to_vec(),
            bias: x[i],
        })
        .collect();
    let mut sum = 0.0;
    for layer in &layers {
        sum += layer.bias;
        for w in &layer.weights {
            sum += w;
        }
    }
    sum + layers[1].weights[2]
}
#[differentiable]
fn multiples(x: &[f64], by: usize) -> Vec<f64> {
    x.iter().map(|v| v * by as f64).collect()
}
#[differentiable]
fn pairs(x: &[f64]) -> f64 {
    let rows: Vec<(Vec<f64>, f64)> = (1..3).map(|i| (multiples(x, i), x[i])).collect();
    let mut sum = 0.0;
    for (row, b) in &rows {
        sum += row[1] + b;
    }
    sum
}
#[differentiable]
fn of_an_array(x: &[f64]) -> f64 {
    let rows: [Vec<f64>; 2] = std::array::from_fn(|i| x[i * 2..].to_vec());
    let mut sum = 0.0;
    for row in &rows {
        sum += row[1];
    }
    sum + rows[0][3]
}
#[differentiable]
fn deep(x: &[f64]) -> f64 {
    let mut blocks: Vec<Vec<Vec<f64>>> = vec![vec![]; 2];
    for i in 0..2 {
        blocks[i] = (1..3).map(|k| x[i..i + k].to_vec()).collect();
    }
    let mut sum = 0.0;
    for block in &blocks {
        for row in block {
            sum += row[0];
        }
    }
    sum + blocks[1][1][1]
}
/// Anew in each round, of other lengths.
#[differentiable]
fn in_rounds(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 1..4 {
        let mut halves = vec![vec![]; 2];
        halves[0] = x[..k].to_vec();
        halves[1] = x[k..].to_vec();
        for half in &halves {
            for v in half {
                sum += v;
            }
        }
        sum += halves[0][k - 1] + halves[1][0];
    }
    sum
}
#[differentiable]
fn swapped(rows: &mut [Vec<f64>]) {
    rows.swap(0, 1);
}
#[differentiable]
fn swapped_by_a_call(x: &[f64]) -> f64 {
    let mut rows = vec![x[..1].to_vec(), x.to_vec()];
    swapped(&mut rows);
    rows[0][3] + rows[1][0]
}

/// Rows that change places: their lengths are asked for in each round.
#[differentiable]
fn lengths_in_rounds(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = vec![vec![], x.to_vec()];
    let mut sum = 0.0;
    for k in 0..2 {
        rows.swap(0, 1);
        for i in 0..rows[0].len() {
            sum += x[i] * (k + 1) as f64;
        }
        sum += x[0] * rows[0].len() as f64;
        if rows[1].is_empty() {
            sum += x[1];
        }
    }
    sum
}
/// Of rows without derivative, and of rows that are only counted.
#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let mut weights: Vec<Vec<f64>> = vec![vec![]; 2];
    weights[0] = vec![1.0, 2.0];
    weights[1] = vec![3.0];
    let mut sum = 0.0;
    for (row, v) in weights.iter().zip(x) {
        for _ in row {
            sum += v;
        }
    }
    let parts: Vec<Vec<f64>> = (1..4).map(|k| x[..k].to_vec()).collect();
    for k in 0..3 {
        sum += x[k] * parts[k].len() as f64;
        for i in 0..parts[k].len() {
            sum += x[i];
        }
    }
    sum
}
#[derive(Clone, Tangent)]
struct Window {
    entries: Vec<f64>,
    begin: usize,
}
/// A field that becomes another vector of the same length, and one that is asked how long it is.
#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut window = Window {
        entries: x[..2].to_vec(),
        begin: 0,
    };
    let mut sum = 0.0;
    for k in 1..3 {
        for i in 0..window.entries.len() {
            sum += x[i + window.begin] * window.entries[i];
        }
        window.entries = x[k..k + 2].to_vec();
        window.begin = k;
    }
    sum + window.entries[1]
}

judge! {
    summed_by_iterators(&vec![0.7, 1.3, 0.4, 0.6])(&vec![0.7, 1.3, 0.4]);
    summed_by_loops(&vec![0.7, 1.3, 0.4, 0.6])(&vec![0.7, 1.3, 0.4]);
    summed_by_indices(&vec![0.7, 1.3, 0.4, 0.6]);
    assigned(&vec![0.7, 1.3, 0.4, 0.6]);
    longer(&vec![0.7, 1.3, 0.4, 0.6]);
    structs(&vec![0.7, 1.3, 0.4, 0.6]);
    pairs(&vec![0.7, 1.3, 0.4, 0.6]);
    of_an_array(&vec![0.7, 1.3, 0.4, 0.6]);
    deep(&vec![0.7, 1.3, 0.4, 0.6]);
    in_rounds(&vec![0.7, 1.3, 0.4, 0.6]);
    swapped_by_a_call(&vec![0.7, 1.3, 0.4, 0.6]);
    lengths_in_rounds(&vec![0.7, 1.3, 0.4, 0.6]);
    counted(&vec![0.7, 1.3, 0.4, 0.6]);
    fields(&vec![0.7, 1.3, 0.4, 0.6]);
}
