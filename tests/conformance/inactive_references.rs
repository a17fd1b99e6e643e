//! References into memory without derivative: they lead to indices, and are taken again where the derivative reads them.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::differentiable;

#[differentiable]
fn ends(x: &[f64], ids: &[usize]) -> f64 {
    let first = ids.first().unwrap();
    let &last = ids.last().expect("some");
    let second = ids.get(1).unwrap();
    let mut s = 0.0;
    for v in x {
        s += v * x[*first] + x[last] * x[*second];
    }
    s
}

#[differentiable]
fn split(x: &[f64], ids: &[usize]) -> f64 {
    let (a, rest) = ids.split_first().unwrap();
    let mut s = x[*a];
    for (i, &r) in rest.iter().enumerate() {
        s += x[r] * s * i as f64;
    }
    if let Some((&l, front)) = ids.split_last() {
        s *= x[l];
        for &q in front {
            s += x[q].sin();
        }
    }
    let (p, q) = ids.split_at(1);
    s * x[p[0]] + x[q[0]]
}

#[differentiable]
fn of_pairs(x: &[f64], path: &[(usize, bool)]) -> f64 {
    let &(i, up) = path.last().unwrap();
    let mut s = if up { x[i] } else { -x[i] };
    if let Some(&(j, true)) = path.first() {
        s *= x[j];
    }
    s
}

#[differentiable]
fn of_texts(x: &[f64], words: &[String]) -> f64 {
    let word = words.first().unwrap();
    x.iter().fold(1.0, |s, v| s * v * word.len() as f64)
}

judge! {
    ends(&any(3), &vec![0_usize, 2, 1]);
    split(&any(3), &vec![0_usize, 2, 1]);
    of_pairs(&any(3), &vec![(0_usize, true), (2, false)]);
    of_texts(&any(3), &vec!["ab".to_string()]);
}
