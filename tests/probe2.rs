#![allow(missing_docs)]
use coenzyme::*;

fn fd(f: impl Fn(&[f64]) -> f64, x: &[f64]) -> Vec<f64> {
    (0..x.len())
        .map(|i| {
            let h = 1e-6;
            let mut a = x.to_vec();
            let mut b = x.to_vec();
            a[i] += h;
            b[i] -= h;
            (f(&a) - f(&b)) / (2.0 * h)
        })
        .collect()
}
macro_rules! check {
    ($f:ident, $x:expr) => {{
        let x: Vec<f64> = $x.to_vec();
        let (g,) = gradient(&$f {}, (&x,));
        let e = fd(|x| $f(x), &x);
        for (a, b) in g.iter().zip(&e) {
            assert!(
                (a - b).abs() < 1e-5 * (1.0 + b.abs()),
                "{}: reverse {g:?} differences {e:?}",
                stringify!($f)
            );
        }
        let mut s = vec![0.0; x.len()];
        for i in 0..x.len() {
            s[i] = 1.0;
            let (t,) = autodiff(Forward, &$f {}, Natural, (Duplicated(&x[..], &s[..]),));
            s[i] = 0.0;
            assert!(
                (t - e[i]).abs() < 1e-5 * (1.0 + e[i].abs()),
                "{}: forward {t} differences {}",
                stringify!($f),
                e[i]
            );
        }
    }};
}

#[differentiable]
fn euler(x: &[f64]) -> f64 {
    let h = 0.01;
    let mut p = x[0];
    for _ in 0..10 {
        p = p - h * x[1] * p.sin();
    }
    p * p
}
#[differentiable]
fn branchy(x: &[f64]) -> f64 {
    let a = if x[0] > 1.0 { x[0].exp() } else { x[0] * x[0] };
    let mut s = 0.0;
    for v in x.iter() {
        if *v > 0.5 {
            s += v * a;
        } else {
            s -= v.sin();
        }
    }
    s
}
#[differentiable]
fn early(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..x.len() {
        if s > 3.0 {
            break;
        }
        if x[i] < 0.0 {
            continue;
        }
        s *= x[i] + 1.0;
        if s > 100.0 {
            return s * s;
        }
    }
    s.ln()
}
#[differentiable]
fn whiley(x: &[f64]) -> f64 {
    let mut a = x[0];
    let mut n = 0;
    while a > 0.1 {
        a = a * x[1];
        n += 1;
    }
    a * (n as f64) + a.sqrt()
}
#[differentiable]
fn scratch(x: &[f64]) -> f64 {
    let mut buf = vec![0.0; x.len()];
    let mut t = 0.0;
    for k in 0..3 {
        for i in 0..x.len() {
            buf[i] = x[i] * (k as f64) + t;
        }
        for i in 0..x.len() {
            t += buf[i] * buf[i];
        }
    }
    t
}
#[differentiable]
fn chains(x: &[f64]) -> f64 {
    let m: f64 = x.iter().sum::<f64>() / x.len() as f64;
    let v: f64 = x.iter().map(|a| (a - m) * (a - m)).sum();
    let d: f64 = x
        .iter()
        .zip(x.iter().skip(1))
        .map(|(a, b)| a * b.cos())
        .sum();
    let mx = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let lse = mx + x.iter().map(|a| (a - mx).exp()).sum::<f64>().ln();
    v + d + lse
}
#[differentiable]
fn tuples(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let (c, d) = (a * b, a + b);
    let p = (c.sin(), d.cos());
    let arr = [p.0, p.1, a];
    let f = |u: f64, v: f64| u * v + a;
    arr[0] * arr[1] + f(arr[2], d)
}
#[differentiable]
fn inplace(x: &[f64]) -> f64 {
    let mut y = x.to_vec();
    for i in 1..y.len() {
        y[i] += y[i - 1] * y[i];
    }
    let (lo, hi) = y.split_at_mut(1);
    for h in hi.iter_mut() {
        *h *= lo[0];
    }
    y.swap(0, 1);
    y[0] * y[1] + y.iter().sum::<f64>()
}
#[differentiable]
fn helper(a: f64, v: &[f64]) -> f64 {
    a * v[0] * v[1]
}
#[differentiable]
fn calls(x: &[f64]) -> f64 {
    let mut t = 0.0;
    for i in 0..x.len() - 1 {
        t += helper(t + x[i], &x[i..i + 2]);
    }
    helper(t, x) + t
}
#[differentiable]
fn matches(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for (i, &v) in x.iter().enumerate() {
        s += match i % 3 {
            0 => v * v,
            1 => v.exp(),
            _ => {
                let q = v + 1.0;
                q * q * q
            }
        };
    }
    s
}
#[differentiable]
fn rk(x: &[f64]) -> f64 {
    let (mut u, mut v) = (x[0], x[1]);
    let h = 0.1;
    for _ in 0..5 {
        let (k1u, k1v) = (u * (x[2] - v), v * (u - x[3]));
        let (a, b) = (u + 0.5 * h * k1u, v + 0.5 * h * k1v);
        let (k2u, k2v) = (a * (x[2] - b), b * (a - x[3]));
        u += h * k2u;
        v += h * k2v;
    }
    u * u + v * v
}

#[test]
fn probe() {
    check!(euler, [1.0, 2.0]);
    check!(branchy, [1.5, 0.2, 0.7]);
    check!(branchy, [0.55, 0.2, 0.7]);
    check!(early, [0.3, -0.5, 0.7, 2.0, 0.9]);
    check!(early, [20.0, 30.5, 0.7]);
    check!(whiley, [1.0, 0.7]);
    check!(scratch, [1.0, 0.7, -0.3]);
    check!(chains, [1.0, 0.7, -0.3, 2.0]);
    check!(tuples, [1.0, 0.7]);
    check!(inplace, [1.0, 0.7, 0.4]);
    check!(calls, [1.0, 0.7, 0.4]);
    check!(matches, [1.0, 0.7, 0.4, 0.2]);
    check!(rk, [1.0, 0.7, 0.4, 0.2]);
}
