//! Calls: of rules, of differentiable and inactive functions, of itself.

use coenzyme::{differentiable, inactive};

use crate::judge::{any, positive};
use crate::subject::judge;

#[differentiable]
fn square(x: f64) -> f64 {
    x * x
}

#[differentiable]
fn scaled(y: &mut [f64], k: f64) {
    for v in y.iter_mut() {
        *v *= k;
    }
}

#[differentiable]
fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..x.len() {
        s += x[i] * y[i];
    }
    s
}

#[inactive]
fn rounded(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

#[inactive]
fn count_large(x: &[f64]) -> usize {
    x.iter().filter(|v| **v > 0.5).count()
}

#[differentiable]
fn twice(x: f64) -> f64 {
    square(square(x) + x) * square(x)
}

#[differentiable]
fn slices(x: &[f64], y: &[f64]) -> f64 {
    dot(x, y) * dot(x, x) + dot(&x[1..], &y[..y.len() - 1])
}

#[differentiable]
fn parts_of_one_array(x: &[f64]) -> f64 {
    let (a, b) = x.split_at(2);
    dot(a, b) + dot(&x[..2], &x[1..3])
}

#[differentiable]
fn mutating(y: &mut [f64], k: f64) -> f64 {
    scaled(y, k);
    let a = y[0] * y[1];
    scaled(&mut y[1..], a);
    scaled(y, 2.0);
    y[0] * y[1]
}

#[differentiable]
fn local_memory(x: &[f64], k: f64) -> f64 {
    let mut y = x.to_vec();
    scaled(&mut y, k);
    let s = dot(&y, x);
    scaled(&mut y[..1], s);
    dot(&y, &y)
}

#[differentiable]
fn in_a_loop(x: &[f64], n: usize) -> f64 {
    let mut y = x.to_vec();
    let mut s = 0.5;
    for _ in 0..n {
        scaled(&mut y, s);
        s += 0.1 * dot(&y, x);
    }
    s * y[0]
}

#[differentiable]
fn in_branches(x: f64, y: f64) -> f64 {
    let a = if x > y { square(x) } else { y };
    if a > 0.5 {
        square(a) * y
    } else {
        square(x + a)
    }
}

#[differentiable]
fn with_the_inactive(x: f64, y: &[f64]) -> f64 {
    let k = rounded(x);
    let n = count_large(y);
    x * k + y[0] * n as f64
}

#[differentiable]
fn with_constants(x: f64) -> f64 {
    square(3.0) * x + dot(&[1.0, 2.0], &[x, x * x])
}

#[differentiable]
fn local_arrays(x: f64, y: f64) -> f64 {
    let a = [x, y, x * y];
    let b = [y, 2.0, x.sin()];
    dot(&a, &b) * dot(&a, &a)
}

#[differentiable]
fn power(x: f64, n: u32) -> f64 {
    if n == 0 { 1.0 } else { x * power(x, n - 1) }
}

#[differentiable]
fn tree_sum(x: &[f64]) -> f64 {
    if x.len() == 1 {
        return x[0] * x[0];
    }
    let (a, b) = x.split_at(x.len() / 2);
    tree_sum(a) * tree_sum(b) + tree_sum(a)
}

#[differentiable]
fn recursive_in_place(y: &mut [f64], k: f64) {
    if y.len() > 1 {
        y[1] += y[0] * k;
        recursive_in_place(&mut y[1..], k);
        y[0] *= y[1];
    }
}

#[differentiable]
fn passed_on(y: &mut [f64], x: &[f64], k: f64) -> f64 {
    inner(y, x, k) * inner(y, x, 2.0)
}

#[differentiable]
fn inner(y: &mut [f64], x: &[f64], k: f64) -> f64 {
    for i in 0..x.len() {
        y[i] = y[i] * x[i] + k;
    }
    y[0] * k
}

#[differentiable]
fn nested_function(x: f64) -> f64 {
    #[differentiable]
    fn cube(x: f64) -> f64 {
        x * x * x
    }
    cube(x) + cube(2.0 * x)
}

mod inside {
    #[coenzyme::differentiable]
    pub(super) fn shifted(x: f64, by: f64) -> f64 {
        x.sin() + by
    }
}

#[differentiable]
fn by_module_path(x: f64) -> f64 {
    inside::shifted(x, x * x) * self::square(x)
}

#[differentiable]
fn tuple_result(x: f64, y: f64) -> (f64, f64) {
    (x * y, x.sin())
}

#[differentiable]
fn takes_a_tuple_apart(x: f64) -> f64 {
    let (a, b) = tuple_result(x, 2.0 * x);
    a * b + tuple_result(a, b).0
}

#[differentiable]
fn vector_result(x: &[f64], k: f64) -> Vec<f64> {
    let y: Vec<f64> = x.iter().map(|v| v * k).collect();
    y
}

#[differentiable]
fn uses_a_vector(x: &[f64], k: f64) -> f64 {
    let y = vector_result(x, k);
    let z = vector_result(&y, 0.5);
    dot(&y, &z) * y[0]
}

#[differentiable]
fn result_is_not_used(y: &mut [f64], k: f64) -> f64 {
    mutating(y, k);
    let _ = mutating(y, 0.5);
    y[0]
}

#[differentiable]
fn arguments_are_expressions(x: &[f64]) -> f64 {
    square(x[0] * x[1]) + dot(&[x[0], 1.0], &x[1..]) + square(-x[1])
}

#[differentiable]
fn by_value(a: [f64; 2], v: Vec<f64>) -> f64 {
    a[0] * v[1] + a[1] * a[1] * v[0]
}

#[differentiable]
fn memory_by_value(x: &[f64]) -> f64 {
    let mut a = [x[0], 1.0];
    a[1] *= x[1];
    let mut v = x.to_vec();
    v[0] *= a[1];
    let s = by_value(a, v.clone());
    a[0] = s;
    s * by_value(a, v)
}

#[differentiable]
fn projected(w: &[f64], row: &[f64], state: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for (i, a) in w.iter().enumerate() {
        state[i] = (a * row[i] + state[i]).tanh();
        sum += state[i] * row[i];
    }
    sum
}

#[differentiable]
fn scaled_by_reference(w: &f64, k: &f64) -> f64 {
    w * k + w.sin()
}

/// Rows and entries of memory without derivative go to functions under the names that refer to them.
#[differentiable]
fn inactive_rows(w: &[f64]) -> f64 {
    let rows = [0.3, -0.2, 0.9, 0.4, 0.1, -1.2];
    let mut state = vec![0.0; w.len()];
    let mut sum = 0.0;
    for row in rows.chunks_exact(w.len()) {
        sum += projected(w, row, &mut state);
    }
    let own = vec![1.0, 2.0, 3.0, -1.0, 0.5, 0.2];
    for row in own.windows(w.len()) {
        sum += projected(w, row, &mut state);
    }
    for row in [[0.1, 0.2, 0.3], [1.0, 2.0, 3.0]].iter() {
        sum += projected(w, row, &mut state);
    }
    for (a, k) in w.iter().zip(own.iter()) {
        sum += scaled_by_reference(a, k);
    }
    let rest = &own[2..];
    sum * scaled_by_reference(&w[0], &rest[1]) + projected(w, rest, &mut state)
}

judge! {
    inactive_rows(&any(3));
    by_value([0.7, -0.4], any(2));
    memory_by_value(&any(2));
    square(0.7);
    scaled(&mut any(3), 0.7);
    dot(&any(3), &positive(3));
    twice(0.7);
    slices(&any(3), &positive(3));
    parts_of_one_array(&any(4));
    mutating(&mut positive(3), 0.7);
    local_memory(&positive(3), 0.7);
    in_a_loop(&positive(3), 3);
    in_branches(0.7, 0.3) (0.3, 0.7) (0.2, 0.3);
    with_the_inactive(0.73, &vec![0.7, 0.2, 0.9]);
    with_constants(0.7);
    local_arrays(0.7, -0.4);
    power(0.7, 3) (0.7, 0);
    tree_sum(&positive(3));
    recursive_in_place(&mut positive(4), 0.3);
    passed_on(&mut any(2), &positive(2), 0.7);
    inner(&mut any(2), &positive(2), 0.7);
    nested_function(0.7);
    by_module_path(0.7);
    takes_a_tuple_apart(0.7);
    uses_a_vector(&any(3), 0.7);
    result_is_not_used(&mut positive(3), 0.7);
    arguments_are_expressions(&any(3));
}
