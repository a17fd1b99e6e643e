//! Calls that change what they are lent and may give no value, asked by patterns and queries: what they change is differentiated also where they give
//! none.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn doubled(s: &mut f64, k: f64) -> Option<f64> {
    *s *= k;
    if *s < 0.5 {
        return None;
    }
    *s += 1.0;
    Some(*s * k)
}
#[differentiable]
fn twice(s: &mut f64, k: f64) -> Option<f64> {
    let a = doubled(s, k)?;
    *s *= a;
    let b = doubled(s, k * 0.7)?;
    Some(a + b)
}
#[differentiable]
fn in_tail_position(s: &mut f64, k: f64) -> Option<f64> {
    *s += k;
    twice(s, k)
}

#[derive(Debug)]
enum Bad {
    Small(f64),
    Big,
}
#[differentiable]
fn scaled(v: &mut [f64], k: f64) -> Result<f64, Bad> {
    v[0] *= k;
    if v[0] < 0.5 {
        return Err(Bad::Small(v[0]));
    }
    v[1] += v[0];
    if v[1] > 50.0 {
        Err(Bad::Big)
    } else {
        Ok(v[1] * k)
    }
}
#[differentiable]
fn scaled_twice(v: &mut [f64], k: f64) -> Result<f64, String> {
    let a = scaled(v, k).map_err(|e| format!("{e:?}"))?;
    if a > 100.0 {
        return Err(String::from("big"));
    }
    v[0] += a;
    Ok(a * v[0])
}
#[differentiable]
fn shortened(v: &mut Vec<f64>) -> Result<(), String> {
    let k = v.pop().ok_or("empty")?;
    if v.is_empty() {
        v.push(k * k);
        return Err("one".into());
    }
    for a in v.iter_mut() {
        *a += 0.3 * k;
    }
    Ok(())
}
#[differentiable]
fn eliminated(a: &mut [Vec<f64>], order: &mut [usize]) -> Result<f64, String> {
    let n = a.len();
    let mut sign = 1.0;
    for k in 0..n {
        let mut p = k;
        for i in k + 1..n {
            if a[i][k].abs() > a[p][k].abs() {
                p = i;
            }
        }
        if a[p][k].abs() < 1e-12 {
            return Err(format!("singular at {k}"));
        }
        if p != k {
            a.swap(p, k);
            order.swap(p, k);
            sign = -sign;
        }
        for i in k + 1..n {
            a[i][k] /= a[k][k];
            for j in k + 1..n {
                a[i][j] -= a[i][k] * a[k][j];
            }
        }
    }
    Ok((0..n).map(|i| a[i][i]).product::<f64>() * sign)
}

#[derive(Clone, Tangent)]
struct Newton {
    x: f64,
    target: f64,
    left: usize,
}
#[differentiable]
impl Newton {
    fn step(&mut self) -> Option<f64> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let r = self.x * self.x * self.x - self.target;
        let d = r / (3.0 * self.x * self.x);
        self.x -= d;
        if d.abs() < 1e-13 { None } else { Some(d) }
    }
}
#[derive(Clone, Tangent)]
struct Pair {
    a: f64,
    b: Vec<f64>,
}
#[derive(Clone, Tangent)]
struct Queue {
    entries: Vec<f64>,
    at: usize,
}
#[differentiable]
impl Queue {
    fn one(&mut self) -> Option<f64> {
        let x = *self.entries.get(self.at)?;
        self.entries[self.at] *= 0.5;
        self.at += 1;
        Some(x)
    }
    fn two(&mut self) -> Option<(f64, f64)> {
        Some((self.one()?, self.one()?))
    }
    fn last(&mut self) -> Option<Pair> {
        if self.entries.len() == 1 {
            self.entries[0] *= 2.0;
            return None;
        }
        let a = self.entries.pop().unwrap();
        self.entries[0] *= a;
        Some(Pair {
            a,
            b: self.entries.clone(),
        })
    }
    fn sum(&mut self) -> f64 {
        let mut s = 0.0;
        while let Some((a, b)) = self.two() {
            s += a * b + a;
        }
        s
    }
}
mod elsewhere {
    use coenzyme::differentiable;

    #[differentiable]
    pub(crate) fn normalized(v: &mut [f64]) -> Result<(), &'static str> {
        v[0] *= 2.0;
        let n = v.iter().map(|a| a * a).sum::<f64>().sqrt();
        if n < 1.0 {
            return Err("short");
        }
        for a in v.iter_mut() {
            *a /= n;
        }
        Ok(())
    }
}
use elsewhere::normalized;
mod inside {
    use super::doubled;
    use coenzyme::differentiable;

    #[differentiable]
    pub(crate) fn from_inside(x: f64, y: f64) -> f64 {
        let mut s = x;
        while let Some(v) = doubled(&mut s, 0.8) {
            s -= 0.9 * v + 1.0;
        }
        s * y
    }
}
use inside::from_inside;

#[differentiable]
fn in_patterns(x: f64, y: f64) -> f64 {
    let mut s = x;
    let Some(v) = doubled(&mut s, y) else {
        return s * 3.0;
    };
    let w = match doubled(&mut s, x) {
        Some(w) if w > 3.0 => 2.0 * w,
        Some(w) => w * v,
        None => v,
    };
    if let Some(u) = doubled(&mut s, 0.6)
        && u < 2.0
    {
        s += u;
    } else {
        s *= 0.3;
    }
    while let Some(v) = doubled(&mut s, 0.4)
        && s < 30.0
    {
        s *= v;
    }
    s * w
}
#[differentiable]
fn in_queries(x: f64, y: f64) -> f64 {
    let mut v = [x, y, x * y];
    let mut s = 0.0;
    if scaled(&mut v, y).is_err() {
        s += v[0];
    }
    if let Ok(a) = scaled_twice(&mut v, x) {
        s += a;
    }
    match scaled_twice(&mut v, 0.4) {
        Ok(a) if a > 1.0 => s += a,
        Ok(a) => s += 2.0 * a,
        Err(_) => s += v[1],
    }
    let both = scaled_twice(&mut v, 1.5).is_ok() && x < 5.0;
    if both {
        s *= 2.0;
    }
    s + v[0] * v[1]
}
#[differentiable]
fn whose_value_is_left(x: f64, y: f64) -> f64 {
    let mut v = vec![x, y, x * y];
    let mut n = 0;
    while shortened(&mut v).is_ok() {
        n += 1;
    }
    let _ = shortened(&mut v);
    v.push(x);
    let _ = shortened(&mut v).is_ok();
    let mut s = y;
    let _ = doubled(&mut s, x);
    v.iter().sum::<f64>() * s + n as f64
}
#[differentiable]
fn with_another_value(x: f64, y: f64) -> f64 {
    let mut s = x;
    let r = in_tail_position(&mut s, y).unwrap_or(x * x);
    let t = in_tail_position(&mut s, 0.1).map_or(r, |t| t * r);
    match in_tail_position(&mut s, 0.2) {
        None => s * r + t,
        Some(v) => v * s - t,
    }
}
#[differentiable]
fn of_matrices(x: f64, y: f64) -> f64 {
    let mut a = vec![
        vec![x, 2.0, y],
        vec![1.0, x * y, 3.0],
        vec![y, 0.5, 4.0 + x],
    ];
    let mut order = vec![0, 1, 2];
    let first = match eliminated(&mut a, &mut order) {
        Ok(d) => d + order[0] as f64,
        Err(_) => 0.0,
    };
    // of rank one: given up after the first column has been changed
    let mut b = vec![vec![x, y], vec![2.0 * x, 2.0 * y]];
    let second = match eliminated(&mut b, &mut order) {
        Ok(d) => d,
        Err(_) => b[1][0] + b[0][1] * b[0][0],
    };
    first * second
}
#[differentiable]
fn of_methods(x: f64, y: f64) -> f64 {
    let mut newton = Newton {
        x: 1.0 + y * y,
        target: 2.0 + x * x,
        left: 4,
    };
    let mut moved = 0.0;
    while let Some(d) = newton.step() {
        moved += d * d;
    }
    let mut queue = Queue {
        entries: vec![x, y, x * y, 0.3, y],
        at: 0,
    };
    let mut s = queue.sum();
    while let Some(Pair { a, b }) = queue.last() {
        s += a * b[0];
    }
    newton.x + 0.1 * moved + s * queue.entries[0]
}
#[differentiable]
fn of_an_imported_function(x: f64, y: f64) -> f64 {
    let mut v = [x, y];
    if normalized(&mut v).is_err() {
        return v[0] * y;
    }
    match elsewhere::normalized(&mut v[1..]) {
        Ok(()) => v[0] + v[1],
        Err(_) => v[0] * v[1],
    }
}

#[derive(Clone, Tangent)]
struct Scanner {
    #[tangent(inactive)]
    text: Vec<u8>,
    at: usize,
    scale: f64,
}
#[differentiable]
impl Scanner {
    // what it gives has no tangent space, and needs none
    fn token(&mut self) -> Option<usize> {
        self.at += 1;
        if self.at < 4 { Some(self.at) } else { None }
    }
}
fn byte(text: &mut Vec<u8>) -> Option<u8> {
    text.pop()
}
#[differentiable]
fn of_what_has_no_derivative(x: f64, y: f64) -> f64 {
    let mut scanner = Scanner {
        text: vec![1, 2],
        at: 0,
        scale: y,
    };
    let (mut bytes, mut s) = (vec![3u8, 4, 5], x);
    while let Some(byte) = byte(&mut bytes) {
        s *= byte as f64 + y;
    }
    while let Some(n) = scanner.token() {
        s += n as f64 * scanner.scale;
    }
    s
}
#[differentiable]
fn of_a_local_of_the_name(x: f64, y: f64) -> f64 {
    let mut s = x;
    let doubled = |a: f64, k: f64| if a > 0.2 { Some(3.0 * a * k) } else { None };
    if let Some(v) = doubled(s, y) {
        s += v;
    }
    s * doubled(x, 1.5).unwrap_or(x)
}
#[differentiable]
fn both_in_one_condition(x: f64, y: f64) -> f64 {
    let (mut s, mut t) = (x, y);
    if doubled(&mut s, y).is_some() && doubled(&mut t, x).is_none() {
        s += t;
    }
    if let Some(a) = doubled(&mut s, 0.7)
        && let Some(b) = doubled(&mut t, 2.0)
    {
        s *= a + b;
    }
    s * t
}

judge! {
    of_what_has_no_derivative(0.9, 1.1);
    from_inside(0.9, 1.1) (3.0, 0.6);
    of_a_local_of_the_name(0.9, 1.1) (0.1, 0.6);
    both_in_one_condition(0.9, 1.1) (0.3, 0.6) (1.9, 0.2);
    in_patterns(0.9, 1.1) (0.3, 0.6) (1.9, 0.9);
    in_queries(0.9, 1.1) (0.3, 0.6) (3.0, 2.5);
    whose_value_is_left(0.9, 1.1) (0.2, 0.6);
    with_another_value(0.9, 1.1) (0.3, 0.6) (-2.0, 0.7);
    of_matrices(0.9, 1.1) (2.1, 0.6);
    of_methods(0.9, 1.1) (0.3, 0.6);
    of_an_imported_function(0.9, 1.1) (0.2, 0.3);
}
