//! Literals that hold vectors.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn nested(x: f64) -> f64 {
    let rows = vec![vec![x], vec![0.3]];
    rows[0][0] * rows[1][0] * x
}

#[differentiable]
fn nested_and_changed(x: f64, y: f64) -> f64 {
    let mut rows = vec![vec![x, y], vec![y * y, 0.5]];
    rows[0][1] *= rows[1][0];
    let all: f64 = rows.iter().map(|r| r[0] * r[1]).sum();
    all * rows[0][1]
}

#[differentiable]
fn nested_deep(x: f64) -> f64 {
    let all = vec![
        vec![vec![x, 2.0], vec![x * x, 1.0]],
        vec![vec![0.1, x], vec![x, x]],
    ];
    all[0][0][0] * all[0][1][0] + all[1][0][1] * all[1][1][0]
}

#[differentiable]
fn nested_in_array(x: f64) -> f64 {
    let rows = [vec![x, 0.5], vec![x * x, 1.5]];
    rows[0][0] * rows[1][0] + rows[0][1] * rows[1][1]
}

#[differentiable]
fn nested_of_names(x: f64) -> f64 {
    let a = vec![x, x * x];
    let b = vec![0.5, x];
    let rows = vec![a, b];
    rows[0][0] * rows[1][1] + rows[0][1] * rows[1][0]
}

#[differentiable]
fn nested_clones(x: f64) -> f64 {
    let a = vec![x, x * x];
    let rows = vec![a.clone(), a];
    rows[0][0] * rows[1][1] + rows[0][1] * rows[1][0]
}

#[derive(Clone, Tangent)]
struct M {
    w: Vec<f64>,
}

#[derive(Clone, Tangent)]
struct Layer {
    m: M,
    b: f64,
}

#[differentiable]
fn struct_with_vec(x: f64) -> f64 {
    let m = M { w: vec![x, 2.0] };
    m.w[0] * m.w[1]
}

#[differentiable]
fn struct_with_vec_twice(x: f64) -> f64 {
    let m = M { w: vec![x, 2.0] };
    let l = Layer { m, b: x * x };
    l.m.w[0] * l.m.w[1] * l.b + l.m.w[0].sin()
}

#[differentiable]
fn struct_with_vec_changed(x: f64) -> f64 {
    let mut m = M {
        w: vec![x, 2.0 * x],
    };
    m.w[0] *= m.w[1];
    m.w[0] * m.w[1]
}

#[differentiable]
fn struct_of_name(x: f64) -> f64 {
    let mut w = vec![x; 3];
    w[1] *= x;
    let m = M { w };
    m.w[0] * m.w[1] + m.w.iter().sum::<f64>()
}

#[differentiable]
fn struct_in_loop(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for i in 1..x.len() {
        let m = M {
            w: vec![x[i], x[i - 1] * x[i]],
        };
        sum += m.w[0] * m.w[1];
    }
    sum
}

#[differentiable]
fn struct_in_branch(x: &[f64]) -> f64 {
    let m = if x[0] > 0.0 {
        M {
            w: vec![x[0], x[1]],
        }
    } else {
        M {
            w: vec![x[1], x[0] * x[0]],
        }
    };
    m.w[0] * m.w[1]
}

#[differentiable]
fn struct_returned(x: f64) -> M {
    M { w: vec![x, x * x] }
}

#[differentiable]
fn struct_passed(x: f64) -> f64 {
    let m = M { w: vec![x, x * x] };
    energy(&m) * m.w[0]
}

#[differentiable]
fn energy(m: &M) -> f64 {
    m.w[0] * m.w[1]
}

#[differentiable]
fn tuple_with_vec(x: f64) -> f64 {
    let t = (vec![x, 2.0], x * x);
    t.0[0] * t.0[1] * t.1
}

#[differentiable]
fn tuple_returned(x: &[f64]) -> (Vec<f64>, f64) {
    let w: Vec<f64> = x.iter().map(|v| v * v).collect();
    let s = w[0] * w[1];
    (w, s)
}

#[differentiable]
fn tuple_of_vecs(x: f64) -> f64 {
    let (a, b) = (vec![x, 2.0], vec![x * x]);
    let t = (a, b);
    t.0[0] * t.1[0] + t.0[1]
}

#[differentiable]
fn array_of_structs(x: f64) -> f64 {
    let ms = [M { w: vec![x] }, M { w: vec![x * x] }];
    ms[0].w[0] * ms[1].w[0]
}

#[differentiable]
fn vec_of_structs(x: f64) -> f64 {
    let ms = vec![M { w: vec![x] }, M { w: vec![x * x] }];
    ms.iter().map(|m| m.w[0] * m.w[0]).sum::<f64>()
}

#[differentiable]
fn iterated(x: f64) -> f64 {
    let rows = vec![vec![x], vec![0.3, x]];
    let mut s = 1.0;
    for row in &rows {
        for v in row {
            s = s * v + x;
        }
    }
    s
}

#[differentiable]
fn inactive_first(x: f64) -> f64 {
    let rows = vec![vec![0.3, 1.0], vec![x, 0.5]];
    rows[0][0] * rows[1][0] + rows[0][1] * rows[1][1]
}

#[differentiable]
fn regrown(x: f64) -> f64 {
    let mut rows = vec![vec![x], vec![0.3]];
    let a = rows[1][0] * rows[0][0];
    rows[1] = vec![x * x];
    let b = rows[1][0] * rows[1][0];
    rows[0] = vec![0.5];
    rows[1] = vec![x];
    a * b * rows[0][0] * rows[1][0]
}

#[differentiable]
fn array_with_an_inactive_vec(a: f64) -> f64 {
    let h = [vec![0.5, a], vec![0.3]];
    h[0][1] * h[1][0] * h[0][0] * a
}

#[differentiable]
fn tuple_with_an_inactive_vec(a: f64) -> f64 {
    let scale = vec![0.5; 3];
    let t = (vec![a; 3], scale);
    t.0[0] * t.1[1] * a
}

judge! {
    array_with_an_inactive_vec(0.7);
    tuple_with_an_inactive_vec(0.7);
    regrown(0.7);
    nested(0.7);
    nested_and_changed(0.7, 1.3);
    nested_deep(0.7);
    nested_in_array(0.7);
    nested_of_names(0.7);
    nested_clones(0.7);
    struct_with_vec(0.7);
    struct_with_vec_twice(0.7);
    struct_with_vec_changed(0.7);
    struct_of_name(0.7);
    struct_in_loop(&vec![0.7, -0.4, 1.3]);
    struct_in_branch(&vec![0.7, -0.4, 1.3]);
    struct_returned(0.7);
    struct_passed(0.7);
    tuple_with_vec(0.7);
    tuple_returned(&vec![0.7, -0.4, 1.3]);
    tuple_of_vecs(0.7);
    array_of_structs(0.7);
    vec_of_structs(0.7);
    iterated(0.7);
    inactive_first(0.7);
}
