//! Operands and arguments: evaluated once, in order, before what is done with them.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn insert_len(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0];
    v.insert(v.len() - 1, x * x);
    v[0] + 2.0 * v[1] + 3.0 * v[2] + 4.0 * v[3]
}

#[differentiable]
fn insert_value_len(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0];
    v.insert(0, v.len() as f64 * x + v[2]);
    v[0] + 2.0 * v[1] * v[3]
}

#[differentiable]
fn resize_len(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0];
    v.resize(8 - v.len(), x);
    v.len() as f64 * x + v[3] * v[4]
}

#[differentiable]
fn resize_smaller(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0, 4.0, x * x];
    v.resize(v.len() / 2 + 1, x);
    v.len() as f64 * x + v[v.len() - 1]
}

#[differentiable]
fn truncate_len(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0, x * x, x];
    v.truncate(v.len() / 2);
    v.len() as f64 * x + v[v.len() - 1]
}

#[differentiable]
fn remove_len(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0 * x, x * x, x];
    let a = v.remove(v.len() - 2);
    let b = v.swap_remove(v.len() - 3);
    a * b + v[0] * v[1] + v[2]
}

#[differentiable]
fn split_off_len(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0 * x, x * x, x];
    let t = v.split_off(v.len() / 2);
    v[0] * v[1] + t[0] * t[2] * t.len() as f64
}

#[differentiable]
fn push_len(x: f64) -> f64 {
    let mut v = vec![1.0, x];
    v.push(v.len() as f64 * x * v[1]);
    v.push(v[v.len() - 1] * v[0]);
    v[2] * v[3]
}

#[differentiable]
fn pop_twice(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0 * x];
    let y = v.pop().unwrap() - 2.0 * v.pop().unwrap();
    y * v[0]
}

#[differentiable]
fn push_pop(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0 * x];
    let y = v.pop().unwrap();
    v.push(y * y);
    let t = v.pop().unwrap_or(0.0);
    v.push(t + v[0] * x);
    v[2] * v[1]
}

#[differentiable]
fn drain_like(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0 * x];
    let mut s = 0.0;
    while let Some(t) = v.pop() {
        s = s * x + t * v.len() as f64;
    }
    s
}

#[differentiable]
fn get_effect(x: f64) -> f64 {
    let idx = vec![2usize, 0, 1];
    let v = vec![x, 2.0 * x, x * x];
    let mut k = 0;
    let mut s = 0.0;
    while let Some(&j) = idx.get(k) {
        k += 1;
        if let Some(e) = v.get(j) {
            s = s * 0.5 + e * k as f64;
        }
    }
    s
}

#[differentiable]
fn add(a: f64, b: f64) -> f64 {
    a - 2.0 * b
}

#[differentiable]
fn bump(v: &mut [f64]) -> f64 {
    v[0] *= 2.0;
    v[0] * v[1]
}

#[differentiable]
fn args_in_order(x: f64) -> f64 {
    let mut v = [x, 3.0];
    let y = add(v[0], bump(&mut v));
    y * v[0]
}

#[differentiable]
fn bump_args_in_order2(v: &mut f64) -> f64 {
    *v *= 2.0;
    *v
}

#[differentiable]
fn args_in_order2(x: f64) -> f64 {
    let mut v = x;
    let y = add(v * v, bump_args_in_order2(&mut v));
    let z = v + bump_args_in_order2(&mut v) * v;
    y * z
}

#[differentiable]
fn pw(a: f64, #[constant] n: i32, b: f64) -> f64 {
    a.powi(n) * b
}

fn next(n: &mut i32) -> f64 {
    *n += 1;
    *n as f64
}

#[differentiable]
fn args_inactive_order(x: f64) -> f64 {
    let mut n = 1;
    let y = pw(x, n, next(&mut n));
    y + x * n as f64
}

#[differentiable]
fn block_arg(x: f64) -> f64 {
    let mut v = x;
    let y = add(v, {
        v *= 3.0;
        v * v
    });
    y * v
}

#[differentiable]
fn block_in_binary(x: f64) -> f64 {
    let mut v = x;
    let y = v * {
        v *= 3.0;
        v + 1.0
    } - v;
    y * v
}

#[differentiable]
fn assign_block(x: f64) -> f64 {
    let mut v = [x, 2.0];
    let mut i = 0;
    v[i] = {
        i = 1;
        x * x
    };
    v[0] + 3.0 * v[1]
}

#[differentiable]
fn compound_block(x: f64) -> f64 {
    let mut v = [x, 2.0];
    let mut i = 0;
    v[i] += {
        i = 1;
        x * x
    };
    v[0] + 3.0 * v[1]
}

#[differentiable]
fn compound_self(x: f64) -> f64 {
    let mut v = x;
    v += {
        v *= 3.0;
        v * v
    };
    v
}

#[derive(Clone, Copy, Tangent)]
struct P {
    a: f64,
    b: f64,
}

#[differentiable]
fn struct_order(x: f64) -> f64 {
    let mut v = x;
    let p = P {
        b: {
            v *= 2.0;
            v
        },
        a: v * v,
    };
    p.a - p.b * v
}

#[differentiable]
fn tuple_order(x: f64) -> f64 {
    let mut v = x;
    let (p, q) = (v, {
        v = v * v;
        v
    });
    p - 3.0 * q * v
}

#[differentiable]
fn vec_order(x: f64) -> f64 {
    let mut v = x;
    let p = vec![
        v,
        {
            v = v * v;
            v
        },
        v,
    ];
    p[0] - 3.0 * p[1] * p[2]
}

#[differentiable]
fn array_order(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    let p = [v[0], v.pop().unwrap(), v[0] * v.len() as f64];
    p[0] - 3.0 * p[1] * p[2]
}

#[differentiable]
fn range_bounds(x: f64) -> f64 {
    let mut n = 3;
    let mut s = 0.0;
    for i in 0..n {
        n += 1;
        s += x.powi(i as i32) * n as f64;
    }
    s
}

#[differentiable]
fn range_len_push(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    for i in 0..v.len() {
        let t = v[i] * v[v.len() - 1];
        v.push(t);
    }
    v[2] + v[3] * v.len() as f64
}

#[differentiable]
fn extend_self(x: f64) -> f64 {
    let mut v = vec![x, 2.0];
    v.extend_from_slice(&[x * x, v[0]]);
    let w = v.clone();
    v.extend(w.iter().map(|e| e * 2.0));
    v[2] * v[7] + v[4]
}

#[differentiable]
fn retain_state(x: f64) -> f64 {
    let mut v = vec![x, 2.0, x * x, 0.1];
    v.retain(|e| *e > 0.3);
    v[0] * v[1] + v.len() as f64 * x
}

#[differentiable]
fn dedup_sort(x: f64) -> f64 {
    let mut v = vec![x, 2.0, x * x, 0.1];
    v.sort_by(|a, b| b.partial_cmp(a).unwrap());
    v[0] * v[1] + v[2] * v[3] * 7.0
}

#[differentiable]
fn mem_replace_order(x: f64) -> f64 {
    let mut a = x;
    let old = std::mem::replace(&mut a, x * x);
    let y = old - std::mem::replace(&mut a, 3.0) * a;
    y + a * old
}

#[differentiable]
fn rotated_by_what_is_in_it(x: f64) -> f64 {
    let mut v = [2.0, x, 3.0 * x, x * x, x];
    let by = v[0] as usize;
    v.rotate_left(by);
    v[0] * v[1] + v[2] * v[4]
}

#[differentiable]
fn copied_within_by_a_count(x: f64) -> f64 {
    let mut v = vec![1.0, x, 3.0 * x, x * x, x];
    let to = v.len() - 3;
    v.copy_within(1..3, to);
    v[0] * v[1] + v[3] * v[4]
}

judge! {
    insert_len (0.7);
    insert_value_len (0.7);
    resize_len (0.7);
    resize_smaller (0.7);
    truncate_len (0.7);
    remove_len (0.7);
    split_off_len (0.7);
    push_len (0.7);
    pop_twice (0.7);
    push_pop (0.7);
    drain_like (0.7);
    get_effect (0.7);
    args_in_order (0.7);
    args_in_order2 (0.7);
    args_inactive_order (0.7);
    block_arg (0.7);
    block_in_binary (0.7);
    assign_block (0.7);
    compound_block (0.7);
    compound_self (0.7);
    struct_order (0.7);
    tuple_order (0.7);
    vec_order (0.7);
    array_order (0.7);
    range_bounds (0.7);
    range_len_push (0.7);
    extend_self (0.7);
    retain_state (0.7);
    dedup_sort (0.7);
    mem_replace_order (0.7);
    rotated_by_what_is_in_it (0.7);
    copied_within_by_a_count (0.7);
}
