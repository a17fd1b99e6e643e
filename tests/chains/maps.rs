//! Maps, sets, texts and iterators of one's own that are gone through: their entries are collected first, and kept by value.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use coenzyme::{Tangent, differentiable, inactive};

use crate::subject::judge;

struct Countdown(usize);
impl Iterator for Countdown {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            None
        } else {
            self.0 -= 1;
            Some(self.0)
        }
    }
}
#[inactive]
fn rates() -> BTreeMap<String, f64> {
    BTreeMap::from([
        ("a".to_string(), 0.5),
        ("bb".to_string(), 1.5),
        ("c".to_string(), 0.25),
    ])
}
#[differentiable]
fn of_values(m: &BTreeMap<String, f64>, x: f64) -> f64 {
    m.values().map(|v| v * x).sum::<f64>()
        + m.iter()
            .filter(|(k, _)| k.len() > 1)
            .map(|(_, v)| (v * x).sin())
            .sum::<f64>()
}
#[differentiable]
fn looped(m: &BTreeMap<String, f64>, x: f64, n: usize) -> f64 {
    let mut s = x;
    for (name, v) in m {
        if *v > 0.3 {
            s += v * x * name.len() as f64;
        } else {
            s *= *v;
        }
    }
    for i in 0..n {
        for (name, &v) in m.iter() {
            s += (v * s * 0.1).sin() * (i + name.len()) as f64;
        }
        for (k, v) in m.values().enumerate() {
            s += v * x * k as f64;
        }
    }
    s
}
#[differentiable]
fn from_values(x: f64, y: f64) -> f64 {
    let m: BTreeMap<String, f64> = rates();
    let mut s = x;
    for v in m.values() {
        s = s * v + y;
    }
    for k in m.keys().filter(|k| k.len() == 1) {
        s += x * k.len() as f64;
    }
    let all: Vec<f64> = m.values().map(|v| v * y).collect();
    s * all[1] + of_values(&m, x) + looped(&m, y, 2)
}
#[differentiable]
fn in_loops(x: f64, n: usize) -> f64 {
    let mut s = 1.0;
    for i in 1..n {
        for k in Countdown(i) {
            s += x * k as f64 * s;
        }
        let t: f64 = Countdown(i + 1).map(|k| x.powi(k as i32)).sum();
        s *= t;
        let w = Countdown(3)
            .filter(|k| k % 2 == 0)
            .fold(x, |a, k| a * (k as f64 + s));
        s += w * 0.01;
    }
    Countdown(3).for_each(|k| s += x * k as f64);
    let v: Vec<f64> = Countdown(3)
        .enumerate()
        .map(|(a, b)| x * (a * b) as f64)
        .collect();
    s + v[1]
}
#[differentiable]
fn sets(x: f64, set: &BTreeSet<usize>, h: &BTreeMap<usize, f64>) -> f64 {
    let mut s = 0.0;
    for i in set {
        s += x.powi(*i as i32);
    }
    let mut t = 1.0;
    for (k, w) in h {
        t *= w * x + *k as f64;
    }
    s * t
        + set.iter().map(|&i| x * i as f64).product::<f64>()
        + h.values().copied().map(|w| w * x).fold(0.0, |a, b| a + b)
}
#[differentiable]
fn made(x: f64) -> f64 {
    let set: BTreeSet<usize> = [1, 3, 4].into_iter().collect();
    let h = BTreeMap::from([(1usize, 0.4), (2, 0.7)]);
    sets(x, &set, &h)
}
#[differentiable]
fn words(text: &str, x: f64) -> f64 {
    let mut s = x;
    for (i, line) in text.lines().enumerate() {
        for w in line.split(' ') {
            s = s * x + (w.len() + i) as f64;
        }
    }
    s + text
        .chars()
        .filter(|c| c.is_alphabetic())
        .map(|c| x * (c as u32 % 5) as f64)
        .sum::<f64>()
}
#[differentiable]
fn with_text(x: f64) -> f64 {
    words("one two\nthree", x)
}
#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let v: Vec<f64> = x
        .chunks(2)
        .flat_map(|c| {
            let m = c[0] * c[c.len() - 1];
            c.iter().map(move |v| v * m)
        })
        .collect();
    v.iter()
        .enumerate()
        .map(|(i, v)| v * (i as f64 + 1.0))
        .sum()
}

// names of std's methods on types of one's own
#[derive(Clone, Tangent)]
struct Bank {
    a: f64,
    b: f64,
}
#[differentiable]
impl Bank {
    fn values(&self) -> Vec<f64> {
        vec![self.a, self.b * self.a]
    }
    fn keys(&mut self) -> &mut f64 {
        &mut self.a
    }
    fn chars(&self) -> [f64; 2] {
        [self.a, self.b]
    }
}
#[differentiable]
fn own_names(x: f64, y: f64) -> f64 {
    let mut b = Bank { a: x, b: y };
    let mut s = 0.0;
    for v in b.values() {
        s += v * v;
    }
    s += b.values().iter().map(|v| v * x).sum::<f64>();
    for v in b.chars() {
        s *= v;
    }
    let t: f64 = b.chars().iter().map(|v| v * y).sum();
    b.a += y;
    s + t * b.a
}
// closures of filter see references
#[differentiable]
fn filtered(m: &BTreeMap<u32, f64>, x: f64) -> f64 {
    let a: f64 = m.values().filter(|v| **v > 0.6).map(|v| v * x).sum();
    let b: f64 = m
        .iter()
        .filter(|(k, v)| **k > 1 && **v < 2.0)
        .map(|(&k, &v)| v * x.powi(k as i32))
        .sum();
    let c: f64 = m
        .values()
        .copied()
        .filter(|v| *v > 0.6)
        .map(|v| v * x * x)
        .sum();
    let d: f64 = m
        .values()
        .take_while(|v| **v < 2.0)
        .map(|v| (v * x).sin())
        .sum();
    let e: f64 = m
        .values()
        .zip(m.keys())
        .map(|(v, k)| v * x * *k as f64)
        .sum();
    let f = m.values().rev().map(|v| v * x).fold(1.0, |a, b| a * b);
    let g = m.values().map(|v| v * x).fold(f64::MIN, f64::max);
    let h: Vec<f64> = m.iter().skip(1).map(|(_, w)| *w * x).collect();
    let i = m
        .values()
        .enumerate()
        .filter(|(i, _)| i % 2 == 0)
        .map(|(i, v)| v * x + i as f64)
        .product::<f64>();
    a + b * c + d * e + f - g + h[0] * h[1] + i
}
#[inactive]
fn table() -> BTreeMap<u32, f64> {
    BTreeMap::from([(1, 0.5), (2, 0.7), (4, 1.5), (5, 2.5)])
}
#[differentiable]
fn go_filtered(x: f64) -> f64 {
    filtered(&table(), x)
}
#[differentiable]
fn broken(m: &BTreeMap<u32, f64>, x: f64) -> f64 {
    let mut s = x;
    for (k, v) in m {
        if *k == 2 {
            continue;
        }
        if *v > 2.0 {
            break;
        }
        s += v * s;
        if s > 100.0 {
            return s;
        }
    }
    for v in m.values() {
        if let Some(w) = m.get(&(*v as u32)) {
            s += w * x;
        }
    }
    s
}
#[differentiable]
fn go_broken(x: f64) -> f64 {
    broken(&table(), x)
}

#[differentiable]
fn changed(x: f64, n: usize) -> f64 {
    let mut m = BTreeMap::new();
    let mut s = x;
    for i in 0..n {
        m.insert(i, 0.5 + i as f64);
        for v in m.values() {
            s = (s * v * 0.3).sin() + x;
        }
    }
    m.remove(&0);
    for v in m.values() {
        s += v * x;
    }
    s
}
#[differentiable]
fn counted(x: &[f64]) -> f64 {
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for v in x {
        *counts.entry(v.floor() as i64).or_insert(0) += 1;
    }
    counts.values().map(|&c| (c as f64) * x[0]).sum::<f64>()
        + counts
            .iter()
            .map(|(k, c)| (*k as f64 + x[1]) * *c as f64)
            .product::<f64>()
}
#[differentiable]
fn weighted(x: &[f64], n: usize) -> f64 {
    let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
    weights.insert(n, 2.0);
    let mut sum = 0.0;
    for (i, w) in &weights {
        sum += w * x[*i];
    }
    sum
}
/// Sums and products, which no order of the entries changes; what the rounds leave on the tape has the order of this map.
#[differentiable]
fn hashed_sets(x: f64, set: &BTreeSet<usize>, h: &HashMap<usize, f64>) -> f64 {
    let mut s = 0.0;
    for i in set {
        s += x.powi(*i as i32);
    }
    let mut t = 1.0;
    for (k, w) in h {
        t *= w * x + *k as f64;
    }
    let u = h
        .iter()
        .filter(|(k, _)| **k != 2)
        .map(|(_, w)| w * t)
        .fold(x, |a, b| a * b);
    s * t
        + set.iter().map(|&i| x * i as f64).product::<f64>()
        + h.values().copied().map(|w| w * x).fold(0.0, |a, b| a + b)
        + u * t
}
#[differentiable]
fn hashed(x: f64) -> f64 {
    let set: BTreeSet<usize> = [1, 3, 4].into_iter().collect();
    let h = HashMap::from([(1usize, 0.4), (2, 0.7), (5, 0.9), (8, 0.3)]);
    let mut s = hashed_sets(x, &set, &h);
    for (k, v) in &h {
        s *= v * x * *k as f64;
    }
    s + hashed_sets(x, &set, &h)
}
#[inactive]
fn names() -> Vec<String> {
    vec!["ab c".to_string(), "d e f".to_string()]
}
#[differentiable]
fn texts(x: f64) -> f64 {
    let mut s = x;
    for n in names().iter() {
        for w in n.split(' ') {
            s = s * x + w.len() as f64;
        }
    }
    let t = String::from("one two");
    for (i, c) in t.chars().enumerate() {
        if c.is_alphabetic() {
            s += x * i as f64;
        }
    }
    let u = format!("{}-{}", 1, 22);
    for p in u.split('-') {
        s *= x + p.len() as f64;
    }
    s
}

struct Grid {
    n: usize,
}

#[inactive]
impl Grid {
    fn keys(&self) -> Vec<usize> {
        (0..self.n).collect()
    }
    fn bytes(&self) -> [u8; 2] {
        [1, 2]
    }
}

#[differentiable]
fn own_keys(x: f64, n: usize) -> f64 {
    let g = Grid { n };
    let mut s = x;
    for k in g.keys() {
        s += x * k as f64 * s;
    }
    for b in g.bytes() {
        s *= x + b as f64;
    }
    s + g.keys().iter().map(|k| x * *k as f64).sum::<f64>()
}

judge! {
    own_keys(0.7, 3);
    from_values(0.7, 1.2);
    in_loops(0.7, 4);
    made(0.8);
    with_text(0.7);
    nested(&[0.9, 1.1, 0.7]);
    own_names(0.7, 1.2);
    go_filtered(0.8);
    go_broken(0.9);
    changed(0.7, 3);
    counted(&[0.7, 1.3, 1.6, 2.2]);
    weighted(&[0.4, 0.2], 1);
    hashed(0.8);
    texts(0.6);
}
