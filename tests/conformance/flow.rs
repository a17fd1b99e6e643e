//! Ways in which an active value gets into a local that looks inactive.

use coenzyme::{Tangent, differentiable};

use crate::judge::{any, positive};
use crate::subject::judge;

#[derive(Clone, Copy, Debug, Tangent)]
struct Point {
    x: f64,
    y: f64,
}

#[differentiable]
fn through_a_reference(x: f64) -> f64 {
    let mut s = 0.5;
    let r = &mut s;
    *r += x * x;
    *r *= 2.0;
    s * x
}

#[differentiable]
fn through_a_field(x: f64) -> f64 {
    let mut p = Point { x: 1.0, y: 2.0 };
    p.x = x;
    p.y += p.x * p.x;
    p.x * p.y
}

#[differentiable]
fn through_a_tuple(x: f64) -> f64 {
    let (mut a, b) = (0.5, x);
    a += b * b;
    let mut t = (0.0, 1.0);
    t.0 = a;
    t.1 *= t.0;
    t.0 * t.1
}

#[differentiable]
fn two_rounds_later(x: f64, n: usize) -> f64 {
    let mut a = 1.0;
    let mut b = 2.0;
    let mut c = 3.0;
    for _ in 0..n {
        a = b * 1.5;
        b = c;
        c = x * x;
    }
    a * b + c
}

#[differentiable]
fn in_one_branch(x: f64, flag: bool) -> f64 {
    let mut t = 1.0;
    if flag {
        t = x;
    }
    let u = match flag {
        true => 2.0,
        false => x,
    };
    t * u
}

#[differentiable]
fn through_iter_mut(x: f64) -> f64 {
    let mut v = vec![1.0, 2.0, 3.0];
    for w in v.iter_mut() {
        *w *= x;
    }
    let mut u = [1.0, 2.0];
    for w in &mut u {
        *w += x;
    }
    v[0] * v[2] * u[1]
}

#[differentiable]
fn through_zip(x: &[f64]) -> f64 {
    let mut v = vec![1.0; 3];
    for (w, a) in v.iter_mut().zip(x) {
        *w += a * a;
    }
    let mut u = [1.0; 3];
    u.iter_mut().zip(v.iter()).for_each(|(a, b)| *a *= b);
    u[0] * u[1] * v[2]
}

#[differentiable]
fn through_parts(x: f64) -> f64 {
    let mut v = vec![1.0; 6];
    let (a, b) = v.split_at_mut(2);
    a[0] = x;
    b[1] *= a[0] * 2.0;
    for c in v.chunks_exact_mut(3) {
        c[2] = x * c[0];
    }
    v[0] * v[2] + v[5] * v[3]
}

#[differentiable]
fn through_swaps(x: f64, y: &[f64]) -> f64 {
    let mut a = x;
    let mut v = vec![1.0, 2.0];
    std::mem::swap(&mut a, &mut v[0]);
    let mut w = vec![3.0, 4.0];
    std::mem::swap(&mut v, &mut w);
    let mut z = vec![0.0; 2];
    z.copy_from_slice(y);
    z.swap(0, 1);
    let mut f = vec![0.0; 2];
    f.fill(x);
    a * w[0] * z[0] + f[1] * w[1] * v[0]
}

#[differentiable]
fn store(to: &mut f64, x: f64) {
    *to = x * x;
}

#[differentiable]
fn store_all(to: &mut [f64], x: &[f64]) {
    for i in 0..to.len() {
        to[i] += x[i] * 2.0;
    }
}

#[differentiable]
fn through_calls(x: f64, y: &[f64]) -> f64 {
    let mut t = 1.0;
    store(&mut t, x);
    let mut v = vec![1.0; 2];
    store_all(&mut v, y);
    store(&mut v[1], t);
    t * v[0] + v[1]
}

#[differentiable]
fn through_closures(x: f64) -> f64 {
    let mut total = 1.0;
    let mut add = |v: f64| total += v * total;
    add(x);
    add(2.0);
    let set = |to: &mut f64, v: f64| *to = v * 3.0;
    let mut t = 1.0;
    set(&mut t, x);
    total * t
}

#[differentiable]
fn one_name_for_two(x: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n {
        let x = i as f64;
        s = s * 0.5 + x;
    }
    {
        let n = s * x;
        s += n;
    }
    s * n as f64
}

#[differentiable]
fn inactive_tables(x: f64) -> f64 {
    let table = [0.5, 1.5, 2.5];
    let names = ["a", "bc"];
    let i = if x > 1.0 { 0 } else { 1 };
    let k = x as usize;
    let k = k + 1;
    table[i] * x + table[k] * x * x * names[i].len() as f64
}

#[differentiable]
fn while_it_is_small(x: f64) -> f64 {
    let mut t = 0.1;
    let mut rounds = 0;
    while t < 2.0 {
        t += x * 0.4;
        rounds += 1;
    }
    t * t * rounds as f64
}

#[differentiable]
fn found_by_search(x: &[f64], y: f64) -> f64 {
    let mut best = 0;
    for i in 1..x.len() {
        if x[i] > x[best] {
            best = i;
        }
    }
    let mut low = f64::INFINITY;
    let mut at = 0;
    for (i, v) in x.iter().enumerate() {
        let d = (v - y).abs();
        if d < low {
            low = d;
            at = i;
        }
    }
    x[best] * x[best] + x[at] * low
}

#[differentiable]
fn array_of_arrays(x: f64, n: usize) -> f64 {
    let mut m = vec![vec![0.0; n]; n];
    for i in 0..n {
        m[i][i] = x;
        m[i][(i + 1) % n] += x * x * i as f64;
    }
    let row = m[1].clone();
    row[1] * m[0][0] + row[0]
}

#[differentiable]
fn value_of_a_copy(x: f64) -> f64 {
    let mut p = Point { x, y: 1.0 };
    let q = p;
    p.x *= 2.0;
    let mut r = p;
    r.y += q.x;
    p.x * q.x + r.y * r.x
}

/// A machine with states, which ends in the middle of an assignment.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Phase {
    Accelerate,
    Cruise,
    Brake,
}
#[differentiable]
fn drive(power: f64, drag: f64, limit: f64) -> f64 {
    let (mut phase, mut v, mut s) = (Phase::Accelerate, 0.0, 0.0);
    for step in 0..30 {
        let a = match phase {
            Phase::Accelerate => power - drag * v * v,
            Phase::Cruise => 0.0,
            Phase::Brake => -3.0 * power,
        };
        v += 0.1 * a;
        s += 0.1 * v;
        phase = match phase {
            Phase::Accelerate if v > limit => Phase::Cruise,
            Phase::Cruise if step > 20 => Phase::Brake,
            Phase::Brake if v < 0.0 => break,
            same => same,
        };
    }
    s
}

/// A round ends in a branch of which some arms are expressions.
#[derive(Clone, Debug, Tangent)]
enum Op {
    Scale(f64),
    Shift(f64),
    Square,
}
#[differentiable]
fn interpret(ops: &[Op], x: f64) -> f64 {
    let mut stack = vec![x];
    for op in ops {
        let top = stack.pop().unwrap();
        match op {
            Op::Scale(k) => {
                stack.push(top);
                stack.push(top * k);
            }
            Op::Shift(d) => stack.push(top + d),
            Op::Square => stack.push(top * top),
        }
    }
    stack.iter().sum()
}

judge! {
    drive(1.1, 0.2, 0.9);
    interpret(&vec![Op::Scale(0.7), Op::Square, Op::Shift(0.3), Op::Scale(1.3)], 0.8);
    through_a_reference(0.7);
    through_a_field(0.7);
    through_a_tuple(0.7);
    two_rounds_later(0.7, 1) (0.7, 2) (0.7, 3) (0.7, 4);
    in_one_branch(0.7, true) (0.7, false);
    through_iter_mut(0.7);
    through_zip(&positive(3));
    through_parts(0.7);
    through_swaps(0.7, &any(2));
    store(&mut 0.3, 0.7);
    store_all(&mut any(2), &positive(2));
    through_calls(0.7, &any(2));
    through_closures(0.7);
    one_name_for_two(0.7, 3);
    inactive_tables(0.7) (1.2);
    while_it_is_small(0.7);
    found_by_search(&any(4), 0.3);
    array_of_arrays(0.7, 3);
    value_of_a_copy(0.7);
}
