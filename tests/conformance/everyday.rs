//! State, references, closures and early exits in programs of the everyday kind.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn fib_tuple(x: f64) -> f64 {
    let (mut a, mut b) = (x, 1.0);
    for _ in 0..5 {
        (a, b) = (b, a + b * x);
    }
    a * b
}

#[differentiable]
fn shadow_in_loop(x: f64) -> f64 {
    let mut s = 0.0;
    let y = x;
    for i in 0..4 {
        let y = y * 2.0 + i as f64;
        let y = y * y;
        if i % 2 == 0 {
            let s = y;
            let _ = s;
        }
        s += y;
    }
    s * y
}

#[differentiable]
fn shadow_param(x: f64) -> f64 {
    let x = x * x;
    let x = {
        let x = x + 1.0;
        x * 2.0
    };
    x * x
}

#[differentiable]
fn shadow_match(x: f64, n: usize) -> f64 {
    let y = match n {
        n if n > 3 => {
            let n = n as f64;
            x * n
        }
        n => {
            let x = x + 1.0;
            x.powi(n as i32)
        }
    };
    y * n as f64
}

#[differentiable]
fn labelled_value(x: f64) -> f64 {
    let mut k = 0;
    let y = 'o: loop {
        for i in 0..5 {
            k += i;
            if k > 5 {
                break 'o x * k as f64;
            }
            if i == 3 {
                break;
            }
        }
        k += 1;
    };
    y * x
}

#[differentiable]
fn newton(a: f64) -> f64 {
    let mut z = 1.0;
    loop {
        let next = 0.5 * (z + a / z);
        if (next - z).abs() < 1e-13 {
            z = next;
            break;
        }
        z = next;
    }
    z * z * z
}

#[differentiable]
fn bisection_like(x: f64) -> f64 {
    let (mut lo, mut hi) = (0.0, x + 2.0);
    for _ in 0..6 {
        let mid = 0.5 * (lo + hi);
        if mid * mid > 2.0 {
            hi = mid;
        } else {
            lo = mid;
        }
    }
    lo + hi * x
}

#[differentiable]
fn rk4_closure(k: f64) -> f64 {
    let rhs = |y: f64, t: f64| -k * y + t.sin();
    let mut y = 1.0;
    let mut t = 0.0;
    let h = 0.1;
    for _ in 0..5 {
        let k1 = rhs(y, t);
        let k2 = rhs(y + 0.5 * h * k1, t + 0.5 * h);
        let k3 = rhs(y + 0.5 * h * k2, t + 0.5 * h);
        let k4 = rhs(y + h * k3, t + h);
        y += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        t += h;
    }
    y
}

#[differentiable]
fn rhs(y: &[f64], k: f64, out: &mut [f64]) {
    out[0] = y[1];
    out[1] = -k * y[0];
}

#[differentiable]
fn rk4_buffers(k: f64) -> f64 {
    let mut y = vec![1.0, 0.0];
    let mut k1 = vec![0.0; 2];
    let mut k2 = vec![0.0; 2];
    let mut tmp = vec![0.0; 2];
    for _ in 0..4 {
        rhs(&y, k, &mut k1);
        for (t, (y, k)) in tmp.iter_mut().zip(y.iter().zip(&k1)) {
            *t = y + 0.05 * k;
        }
        rhs(&tmp, k, &mut k2);
        for (y, k) in y.iter_mut().zip(&k2) {
            *y += 0.1 * k;
        }
    }
    y[0] * y[1]
}

#[differentiable]
fn buffers_array_of(k: f64) -> f64 {
    let mut y = [1.0, 0.0];
    let mut ks = [[0.0; 2]; 2];
    for _ in 0..4 {
        let [k1, k2] = &mut ks;
        rhs(&y, k, k1);
        let mid = [y[0] + 0.05 * k1[0], y[1] + 0.05 * k1[1]];
        rhs(&mid, k, k2);
        for i in 0..2 {
            y[i] += 0.1 * k2[i];
        }
    }
    y[0] * y[1]
}

#[differentiable]
fn step(a: &[f64], b: &mut [f64], k: f64) {
    let n = a.len();
    for i in 0..n {
        b[i] = a[i] + k * (a[(i + 1) % n] - a[i]);
    }
}

#[differentiable]
fn ping_pong(k: f64) -> f64 {
    let mut u = vec![1.0, 2.0, 0.5];
    let mut v = vec![0.0; 3];
    let (mut a, mut b) = (&mut u, &mut v);
    for _ in 0..3 {
        step(a, b, k);
        std::mem::swap(&mut a, &mut b);
    }
    a[0] * a[1]
}

#[differentiable]
fn ping_pong_if(k: f64) -> f64 {
    let mut u = vec![1.0, 2.0, 0.5];
    let mut v = vec![0.0; 3];
    for i in 0..3 {
        if i % 2 == 0 {
            step(&u, &mut v, k)
        } else {
            step(&v, &mut u, k)
        }
    }
    v[0] * v[1]
}

#[derive(Clone, Copy, Tangent)]
struct S {
    p: f64,
    v: f64,
}

#[differentiable]
impl S {
    fn kick(&mut self, k: f64) {
        self.v -= k * self.p;
    }
    fn drift(&mut self, h: f64) {
        self.p += h * self.v;
    }
    fn energy(&self) -> f64 {
        self.p * self.p + self.v * self.v
    }
}

#[differentiable]
fn struct_state(k: f64) -> f64 {
    let mut s = S { p: 1.0, v: 0.0 };
    let t = &mut s;
    for _ in 0..5 {
        t.kick(0.1 * k);
        t.drift(0.1);
    }
    s.energy()
}

#[derive(Clone, Copy, Tangent)]
struct SStructStateVec {
    p: f64,
    v: f64,
}

#[differentiable]
impl SStructStateVec {
    fn kick(&mut self, k: f64) {
        self.v -= k * self.p;
    }
    fn drift(&mut self, h: f64) {
        self.p += h * self.v;
    }
}

#[differentiable]
fn struct_state_vec(k: f64) -> f64 {
    let mut ss = vec![SStructStateVec { p: 1.0, v: 0.0 }; 3];
    for (i, s) in ss.iter_mut().enumerate() {
        for _ in 0..=i {
            s.kick(0.1 * k);
            s.drift(0.1);
        }
    }
    let first = &mut ss[0];
    first.kick(k);
    let last = ss.last_mut().unwrap();
    last.drift(k);
    ss.iter().map(|s| s.p * s.v).sum()
}

#[differentiable]
fn swap_elements(x: f64) -> f64 {
    let mut v = vec![x, 2.0, x * x];
    let t = v[0];
    v[0] = v[2];
    v[2] = t;
    let (a, b) = v.split_at_mut(1);
    std::mem::swap(&mut a[0], &mut b[0]);
    v[0] + 2.0 * v[1] + 3.0 * v[2]
}

#[differentiable]
fn bubble(x: f64) -> f64 {
    let mut v = [x, 2.0 * x * x, 0.3, x - 1.0];
    let n = v.len();
    let mut again = true;
    while again {
        again = false;
        for i in 1..n {
            if v[i - 1] > v[i] {
                v.swap(i - 1, i);
                again = true;
            }
        }
    }
    v[0] * v[3] + v[1]
}

#[differentiable]
fn prefix(x: &[f64]) -> f64 {
    let mut acc = 0.0;
    let sums: Vec<f64> = x
        .iter()
        .map(|v| {
            acc += v;
            acc
        })
        .collect();
    let mut best = sums[0];
    for &s in &sums[1..] {
        if s > best {
            best = s;
        }
    }
    best * acc
}

#[differentiable]
fn running_max(x: &[f64]) -> f64 {
    let mut m = f64::NEG_INFINITY;
    let mut s = 0.0;
    for &v in x {
        m = m.max(v);
        s += m * v;
    }
    s
}

#[differentiable]
fn state_machine(x: &[f64]) -> f64 {
    let mut state = 0;
    let mut acc = 1.0;
    for &v in x {
        state = match state {
            0 => {
                acc *= v;
                if v > 0.0 { 1 } else { 0 }
            }
            1 => {
                acc += v;
                2
            }
            _ => {
                acc -= v * acc;
                0
            }
        };
    }
    acc * (state as f64 + 1.0)
}

#[differentiable]
fn horner_rev(c: &[f64], x: f64) -> f64 {
    c.iter().rev().fold(0.0, |acc, &k| acc * x + k)
}

#[differentiable]
fn window_fold(x: &[f64]) -> f64 {
    let d = |a: &[f64]| (a[1] - a[0]).powi(2);
    x.windows(2).map(|w| d(w)).sum::<f64>() + d(&x[1..])
}

#[differentiable]
fn option_take(x: f64) -> f64 {
    let mut prev = None;
    let mut s = 0.0;
    for i in 0..4 {
        let v = x.powi(i);
        if let Some(p) = prev {
            s += p * v;
        }
        prev = Some(v);
        if i == 2 {
            prev = None;
        }
    }
    s
}

#[differentiable]
fn early_return_loop(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for (i, v) in x.iter().enumerate() {
        s *= v + 1.0;
        if s > 2.0 {
            return s * i as f64;
        }
        for w in &x[i..] {
            if *w < -0.5 {
                return s - w;
            }
            s += 0.1 * w;
        }
    }
    s
}

#[differentiable]
fn continue_update(x: f64) -> f64 {
    let mut s = x;
    let mut i = 0;
    while i < 6 {
        i += 1;
        if i % 3 == 0 {
            continue;
        }
        s = s * x + i as f64;
        if i == 5 {
            break;
        }
    }
    s * i as f64
}

judge! {
    fib_tuple (0.7);
    shadow_in_loop (0.7);
    shadow_param (0.7);
    shadow_match (0.7, 2) (0.7, 5);
    labelled_value (0.7);
    newton (0.7);
    bisection_like (0.7);
    rk4_closure (0.7);
    rk4_buffers (0.7);
    buffers_array_of (0.7);
    ping_pong (0.7);
    ping_pong_if (0.7);
    struct_state (0.7);
    struct_state_vec (0.7);
    swap_elements (0.7);
    bubble (0.7);
    prefix (&vec![0.3, -0.4, 0.5]);
    running_max (&vec![0.3, -0.4, 0.5]);
    state_machine (&vec![0.3, -0.4, 0.5, 0.9]);
    horner_rev (&vec![0.3, -0.4, 0.5, 0.9], 0.7);
    window_fold (&vec![0.3, -0.4, 0.5, 0.9]);
    option_take (0.7);
    early_return_loop (&vec![0.3, -0.4, 0.5, 0.9]) (&vec![0.3, -0.6, 0.5, 0.9]);
    continue_update (0.7);
}
