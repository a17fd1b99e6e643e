//! Entries that own memory and are read under names of their own: lent, taken out, thrown away, copied or stood in for.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn last_lent(x: &[f64]) -> f64 {
    let rows = vec![vec![x[0], x[1]], vec![x[1] * x[2], x[3]]];
    let last = rows.last().unwrap();
    let typed: &Vec<f64> = rows.first().expect("a row");
    let second = rows.get(1).unwrap();
    last[0] + last[1] + typed[1] + second[0]
}

#[differentiable]
fn parts_lent(x: &[f64]) -> f64 {
    let pairs = vec![(x[0], vec![x[1]]), (x[2], vec![x[3], 1.0])];
    let (a, v) = pairs.last().unwrap();
    let q = pairs.first().cloned().unwrap();
    a + v[0] + q.1[0]
}

#[differentiable]
fn grows_by_the_last(x: &[f64], steps: &[f64]) -> f64 {
    let mut path: Vec<Vec<f64>> = vec![x.to_vec()];
    for step in steps {
        let last = path.last().unwrap();
        let next = last.iter().map(|v| v + step).collect();
        path.push(next);
    }
    let end = path.last().unwrap();
    end[0] - end[1]
}

#[differentiable]
fn largest(x: &[f64]) -> f64 {
    let mut best = x.first().unwrap();
    for v in x {
        if v > best {
            best = v;
        }
    }
    let last = x.last().unwrap();
    best * best + last
}

#[differentiable]
fn removed(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[1] * x[2], x[3]], vec![x[2], 1.0]];
    let first = rows.remove(0);
    let other = rows.swap_remove(0);
    first[0] + 2.0 * other[1] + rows[0][0] + rows.remove(0)[1]
}

#[differentiable]
fn removed_until_empty(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[1] * x[2], x[3]]];
    let mut sum = 0.0;
    while !rows.is_empty() {
        let row = rows.remove(0);
        sum += row[0] + 2.0 * row[1];
    }
    sum
}

#[differentiable]
fn tuples_taken(x: &[f64]) -> f64 {
    let mut pairs = vec![
        (x[0], vec![x[1]]),
        (x[2], vec![x[3], 1.0]),
        (x[1], vec![x[0]]),
    ];
    let (a, v) = pairs.swap_remove(0);
    let q = v[0];
    let mut rows = Vec::new();
    rows.push(v);
    let mut sum = a + q + rows[0][0];
    while let Some((b, w)) = pairs.pop() {
        sum += b + w[0];
    }
    sum
}

#[differentiable]
fn put_back(x: &[f64]) -> f64 {
    let mut rows = vec![vec![x[0], x[1]], vec![x[2], x[3]]];
    let row = rows.remove(1);
    let a = row[1];
    rows.insert(0, row);
    a + rows[1][0] * rows[0][0]
}

#[differentiable]
fn thrown_away(x: &[f64]) -> f64 {
    let mut rows: Vec<Vec<f64>> = x.iter().map(|v| vec![*v, v * v]).collect();
    rows.remove(1);
    rows.swap_remove(0);
    rows.iter().map(|p| p[0] * p[1]).sum()
}

#[differentiable]
fn stood_in_for(x: &[f64]) -> f64 {
    let rows = vec![vec![x[0], x[1]], vec![x[1] * x[2], x[3]]];
    let last = rows.last().cloned().unwrap_or_default();
    let third = rows.get(2).cloned().unwrap_or_else(|| vec![x[0], 1.0]);
    last[0] + last[1] + third[0] + third[1]
}

#[differentiable]
fn chosen(x: &[f64], c: bool) -> f64 {
    let (a, b) = match c {
        true => (vec![x[0], x[1]], x[2]),
        false => (vec![x[2], x[1]], x[0]),
    };
    let mut sum = 0.0;
    for i in 0..3 {
        let pair = if i == 1 {
            (vec![x[0]], x[2])
        } else {
            (vec![x[2], x[1]], x[0])
        };
        let row = pair.0;
        sum += row[0] + pair.1;
    }
    a[0] + a[1] + b + sum
}

#[differentiable]
fn split(x: &[f64]) -> Vec<f64> {
    let mut h = x.to_vec();
    h.push(x[0] * x[1]);
    h.split_off(2)
}

#[differentiable]
fn split_again(x: &[f64]) -> f64 {
    let v = split(x).split_off(1);
    v.iter().map(|x| x * x).sum::<f64>() + split(x)[0]
}

#[differentiable]
fn either_chosen(x: &[f64]) -> f64 {
    chosen(x, true) * chosen(x, false)
}

judge! {
    last_lent(&any(4)); parts_lent(&any(4)); grows_by_the_last(&any(4), &any(3)); largest(&any(4));
    removed(&any(4)); removed_until_empty(&any(4)); tuples_taken(&any(4)); put_back(&any(4));
    thrown_away(&any(4)); stood_in_for(&any(4)); either_chosen(&any(3)); split_again(&any(4));
}
