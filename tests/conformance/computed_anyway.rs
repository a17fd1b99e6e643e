//! Effects of what is computed anyway, and locals that have the names which the compiler writes things out with.

use coenzyme::differentiable;

use crate::subject::judge;

#[differentiable]
fn search_with_state(x: &[f64]) -> f64 {
    let mut c = 0.0;
    let m = x
        .iter()
        .find_map(|v| {
            c += v * v;
            if *v > 1.5 { Some(v * c) } else { None }
        })
        .unwrap_or(0.0);
    m * c
}
#[differentiable]
fn fold_with_state(x: &[f64]) -> f64 {
    let mut c = 0.0;
    let m = x.iter().try_fold(1.0, |a, v| {
        c += v * a;
        if *v > 1.5 { None } else { Some(a * v) }
    });
    m.unwrap_or(c) * c
}
#[differentiable]
fn pops_in_a_combinator(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let a = v
        .pop()
        .and_then(|a| if a > 1.0 { Some(a) } else { v.pop() })
        .unwrap();
    a * v.len() as f64 * v[0]
}
#[differentiable]
fn steps_in_a_combinator(x: &[f64]) -> f64 {
    let mut it = x.iter();
    let a = it.next().and_then(|a| it.next().map(|b| a * b)).unwrap();
    a + it.map(|v| v * v).sum::<f64>()
}
#[differentiable]
fn pops_while_small(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut s = 0.0;
    while let Some(a) = v.pop().and_then(|a| if a < 1.5 { Some(a) } else { None }) {
        s += a * a;
    }
    s * v.len() as f64 * x[0]
}
#[differentiable]
fn taken_twice(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let p = o.take().or(Some(x[1])).map(|v| v * v);
    let q = o.take().or(Some(x[2]));
    p.unwrap() * q.unwrap()
}
#[differentiable]
fn popped_by_map_or(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let a = Some(x[0]);
    let q = a.map_or(v.pop(), |b| Some(b * 2.0));
    q.unwrap() * v.len() as f64 * x[1]
}
#[differentiable]
fn popped_by_unwrap_or(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let a = Some(x[0]);
    let q = a.unwrap_or(v.pop().unwrap());
    q * v.len() as f64 * x[1]
}
#[differentiable]
fn popped_by_then_some(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let q = (x[0] > 5.0).then_some(v.pop().unwrap());
    q.unwrap_or(x[2]) * v.len() as f64 * x[1]
}
#[differentiable]
fn replaced_by_itself(x: &[f64]) -> f64 {
    let mut o = Some(x[0]);
    let p = o.replace(o.unwrap() * x[1]);
    p.unwrap() * o.unwrap() * o.unwrap()
}
#[differentiable]
fn popped_by_get_or_insert(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut o = Some(x[0]);
    let p = *o.get_or_insert(v.pop().unwrap());
    p * v.len() as f64 * x[1]
}
#[differentiable]
fn drained_to_a_computed_end(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let n = v.len();
    let s: f64 = v.drain(n - 3..n - 1).map(|a| a * a).sum();
    s * v[0] * v[1] * v.len() as f64
}
#[differentiable]
fn resized_with_state(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let mut k = 1.0;
    v.resize_with(6, || {
        k *= x[1];
        k
    });
    v.resize_with(5, || {
        k *= 100.0;
        k
    });
    v.iter().sum::<f64>() * k
}
#[differentiable]
fn filled_with_state(x: &[f64]) -> f64 {
    let mut v = vec![0.0; 3];
    let mut k = x[0];
    v.fill_with(|| {
        k = k * k + x[1];
        k
    });
    v[0] * v[1] * v[2] * k
}
#[differentiable]
fn selected_largest(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    v.select_nth_unstable_by(1, |a, b| b.total_cmp(a));
    v[1] * v[0] * v[2..].iter().sum::<f64>()
}
#[differentiable]
fn at_and_n(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let at = 3;
    v.insert(1, x[at] * x[0]);
    let n = 2;
    v.resize(6, x[n]);
    v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
}
#[differentiable]
fn by_before_and_k(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let by = 1;
    v.rotate_left(by);
    let before = 2;
    v.rotate_right(before);
    let k = 1;
    v[k..].rotate_left(k);
    v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
}
#[differentiable]
fn element_and_before(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let element = 0.5;
    v.retain(|a| *a > element);
    let before = x[0];
    v.retain(|a| *a > before);
    v.iter()
        .enumerate()
        .map(|(i, a)| a * a * (i + 1) as f64)
        .sum::<f64>()
        * before
}
#[differentiable]
fn to_and_copy(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let to = 2;
    let copy = 1;
    v.copy_within(copy..to + 1, to - 2);
    let k = 1;
    let mut w = vec![0.0; 4];
    w[k..].swap_with_slice(&mut v[k..]);
    w.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
}
#[differentiable]
fn element_and_entry(x: &[f64]) -> f64 {
    let mut v = x.to_vec();
    let element = [x[1], x[0]];
    v.extend(element.iter().map(|a| a * a));
    let entry = x[2];
    v.resize(8, entry * 2.0);
    v.iter().enumerate().map(|(i, a)| a * a * i as f64).sum()
}
#[differentiable]
fn n_k_and_more(x: &[f64]) -> f64 {
    let n = x[0];
    let k = x[1];
    let mut v = vec![0.0; 2];
    v.fill_with(|| k * n);
    v.resize_with(4, || n + k);
    let more = 1;
    v.extend_from_within(more..2);
    v.iter()
        .enumerate()
        .map(|(i, a)| a * a * (i + 1) as f64)
        .sum()
}
#[differentiable]
fn drained_and_tail(x: &[f64]) -> f64 {
    let drained = x[0];
    let mut v = x.to_vec();
    let tail = 1;
    let s: f64 = v.drain(tail..3).map(|a| a * drained).sum();
    s * v[0]
}
#[differentiable]
fn state_found_and_kept(x: &[f64]) -> f64 {
    let state = x[0];
    let found = x[1];
    let broken = x[2];
    let chosen = 2.0;
    let kept = x[3];
    let a = x
        .iter()
        .scan(0.5, |s, v| {
            *s += v * state;
            Some(*s * found)
        })
        .sum::<f64>();
    let b = x
        .iter()
        .filter_map(|v| if *v > 0.5 { Some(v * kept) } else { None })
        .sum::<f64>();
    let c = if a > b { broken * chosen } else { kept };
    a * b * c
}
#[differentiable]
fn held_taken_and_end(x: &[f64]) -> f64 {
    let held = x[0];
    let taken = x[1];
    let end = x[2];
    let s: f64 = [held, taken].iter().map(|v| v * end).sum();
    match x {
        [a, .., b] => a * b * s * held * taken * end,
        _ => 0.0,
    }
}

/// `split_off` binds a length.
#[differentiable]
fn length_and_w(x: &[f64]) -> f64 {
    let length = x[0];
    let mut v = x.to_vec();
    let w = v.split_off(2);
    w[0] * length + v.len() as f64 * length
}
/// A loop over copies binds an element.
#[differentiable]
fn element_of_copies(x: &[f64]) -> f64 {
    let element = x[3];
    let mut sum = 0.0;
    for mut v in [x[0], x[1]] {
        v *= v;
        sum += v * element;
    }
    sum * element
}

judge! {
    length_and_w(&vec![0.7, 1.3, 2.0, 0.4]);
    element_of_copies(&vec![0.7, 1.3, 2.0, 0.4]);
    search_with_state(&vec![0.7, 1.3, 2.0, 0.4]);
    fold_with_state(&vec![0.7, 1.3, 2.0, 0.4]);
    pops_in_a_combinator(&vec![0.7, 1.3, 2.0, 0.4]);
    steps_in_a_combinator(&vec![0.7, 1.3, 2.0, 0.4]);
    pops_while_small(&vec![0.7, 1.3, 2.0, 0.4]);
    taken_twice(&vec![0.7, 1.3, 2.0, 0.4]);
    popped_by_map_or(&vec![0.7, 1.3, 2.0, 0.4]);
    popped_by_unwrap_or(&vec![0.7, 1.3, 2.0, 0.4]);
    popped_by_then_some(&vec![0.7, 1.3, 2.0, 0.4]);
    replaced_by_itself(&vec![0.7, 1.3, 2.0, 0.4]);
    popped_by_get_or_insert(&vec![0.7, 1.3, 2.0, 0.4]);
    drained_to_a_computed_end(&vec![0.7, 1.3, 2.0, 0.4]);
    resized_with_state(&vec![0.7, 1.3, 2.0, 0.4]);
    filled_with_state(&vec![0.7, 1.3, 2.0, 0.4]);
    selected_largest(&vec![0.7, 1.3, 2.0, 0.4]);
    at_and_n(&vec![0.7, 1.3, 2.0, 0.4]);
    by_before_and_k(&vec![0.7, 1.3, 2.0, 0.4]);
    element_and_before(&vec![0.7, 1.3, 2.0, 0.4]);
    to_and_copy(&vec![0.7, 1.3, 2.0, 0.4]);
    element_and_entry(&vec![0.7, 1.3, 2.0, 0.4]);
    n_k_and_more(&vec![0.7, 1.3, 2.0, 0.4]);
    drained_and_tail(&vec![0.7, 1.3, 2.0, 0.4]);
    state_found_and_kept(&vec![0.7, 1.3, 2.0, 0.4]);
    held_taken_and_end(&vec![0.7, 1.3, 2.0, 0.4]);
}
