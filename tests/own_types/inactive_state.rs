//! State without derivative, which calls and methods change through references.

use coenzyme::differentiable;

use crate::subject::judge;

fn bump(n: &mut i32) {
    *n += 1;
}

#[differentiable]
fn inactive_option_call(x: f64) -> f64 {
    let mut t = Some(2);
    if let Some(n) = &mut t {
        bump(n);
    }
    x.powi(t.unwrap_or(0))
}

#[differentiable]
fn inactive_option_call2(x: f64) -> f64 {
    let mut t = Some(2);
    if let Some(n) = t.as_mut() {
        bump(n);
    }
    x.powi(t.unwrap_or(0))
}

#[differentiable]
fn inactive_ref_call(x: f64) -> f64 {
    let mut k = 1;
    let r = &mut k;
    bump(r);
    let y = x.powi(k);
    {
        let q = &mut k;
        bump(q);
        bump(&mut *q);
    }
    y * x.powi(k)
}

#[differentiable]
fn inactive_iter_call(x: f64) -> f64 {
    let mut k = vec![1, 2];
    for e in k.iter_mut() {
        bump(e);
    }
    let y = x.powi(k[0]);
    for e in &mut k {
        bump(e);
    }
    y * x.powi(k[1])
}

fn next(s: &mut u64) -> f64 {
    *s = s
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*s >> 40) as f64 / 16777216.0
}

#[differentiable]
fn inactive_state_in_loop(x: f64) -> f64 {
    let mut s = 7;
    let mut y = 0.0;
    for _ in 0..3 {
        let w = next(&mut s);
        y += w * x * y + x;
    }
    y
}

#[differentiable]
fn inactive_state_in_expr(x: f64) -> f64 {
    let mut s = 7;
    let mut y = x;
    for _ in 0..3 {
        y = next(&mut s) * x * y + next(&mut s);
        if next(&mut s) > 0.5 {
            y *= x;
        }
    }
    y
}

#[differentiable]
fn inactive_state_alias(x: f64) -> f64 {
    let mut s = 7;
    let r = &mut s;
    let mut y = x;
    for _ in 0..3 {
        y = next(r) * x * y + next(r);
    }
    y + x * (*r % 7) as f64
}

struct Rng(u64);

impl Rng {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f64 / 16777216.0
    }
}

#[differentiable]
fn inactive_state_method(x: f64) -> f64 {
    let mut rng = Rng(3);
    let mut y = x;
    for _ in 0..3 {
        y = rng.next() * x * y + rng.next();
    }
    let r = &mut rng;
    y * r.next()
}

fn step(n: &mut i32) -> bool {
    *n += 1;
    *n < 4
}

#[differentiable]
fn inactive_loop_while(x: f64) -> f64 {
    let mut n = 0;
    let mut y = x;
    while step(&mut n) {
        y = y * x + n as f64;
    }
    y * n as f64
}

#[differentiable]
fn inactive_swap(x: f64) -> f64 {
    let mut a = 1;
    let mut b = 2;
    let mut y = x;
    for _ in 0..3 {
        y = y * x + a as f64;
        std::mem::swap(&mut a, &mut b);
    }
    y * a as f64
}

#[differentiable]
fn inactive_choice(x: f64) -> f64 {
    let mut a = 1;
    let mut b = 2;
    let r = if x > 0.5 { &mut a } else { &mut b };
    *r += 1;
    x.powi(a) * x.powi(b) * b as f64
}

#[differentiable]
fn inactive_choice_vec(x: f64) -> f64 {
    let mut a = vec![1];
    let mut b = vec![2];
    for i in 0..4 {
        let r = if i % 2 == 0 { &mut a } else { &mut b };
        r.push(i);
    }
    x.powi(a[1]) * x.powi(b[2]) * b.len() as f64
}

#[differentiable]
fn inactive_closure_ref(x: f64) -> f64 {
    let mut c = 0;
    let bump = |n: &mut i32| {
        *n += 2;
    };
    bump(&mut c);
    let y = x.powi(c);
    bump(&mut c);
    y * c as f64
}

#[differentiable]
fn inactive_mut_pattern(x: f64) -> f64 {
    let mut v = vec![(1, 2.0), (2, 3.0)];
    for (n, w) in v.iter_mut() {
        *n += 1;
        *w *= 2.0;
    }
    let mut s = 0.0;
    for (n, w) in &v {
        s += x.powi(*n) * w;
    }
    s
}

#[differentiable]
fn inactive_take(x: f64) -> f64 {
    let mut v = vec![1, 2];
    let w = std::mem::take(&mut v);
    v.push(5);
    x.powi(v[0]) * w.len() as f64 * v.len() as f64
}

#[differentiable]
fn inactive_stack(x: f64) -> f64 {
    let mut stack = vec![3usize];
    let mut s = 0.0;
    while let Some(k) = stack.pop() {
        s = s * 0.5 + x.powi(k as i32);
        if k > 0 {
            stack.push(k - 1);
            if k == 2 {
                stack.push(0);
            }
        }
    }
    s
}

#[differentiable]
fn inactive_string(x: f64) -> f64 {
    let mut s = String::new();
    for i in 0..5 {
        s.push('a');
        if i == 3 {
            s.push_str("bb");
        }
    }
    x * s.len() as f64
}

judge! {
    inactive_option_call (0.7);
    inactive_option_call2 (0.7);
    inactive_ref_call (0.7);
    inactive_iter_call (0.7);
    inactive_state_in_loop (0.7);
    inactive_state_in_expr (0.7);
    inactive_state_alias (0.7);
    inactive_state_method (0.7);
    inactive_loop_while (0.7);
    inactive_swap (0.7);
    inactive_choice (0.7) (0.2);
    inactive_choice_vec (0.7);
    inactive_closure_ref (0.7);
    inactive_mut_pattern (0.7);
    inactive_take (0.7);
    inactive_stack (0.7);
    inactive_string (0.7);
}
