//! Tables, names and settings that carry no derivative, looked up and matched beside what does.

use std::collections::{BTreeMap, HashMap};

use coenzyme::{differentiable, inactive};

use crate::subject::judge;

#[inactive]
fn table() -> BTreeMap<u32, f64> {
    BTreeMap::from([(1, 0.5), (7, 1.5), (9, 2.5)])
}

#[inactive]
fn lists() -> HashMap<&'static str, Vec<f64>> {
    HashMap::from([("a", vec![0.5, 1.5]), ("b", vec![2.5])])
}

#[differentiable]
fn entries_of_maps(x: f64, y: f64) -> f64 {
    let t = table();
    let mut s = 0.0;
    for k in 0..10u32 {
        if let Some(w) = t.get(&k) {
            s += w * x;
        }
        if let Some(&w) = t.get(&(k + 1)) {
            s += w * y;
        }
        s += t.get(&k).map(|w| w * x * y).unwrap_or(0.0);
        s += t.get(&k).map_or(y, |w| w * w * x);
        if t.contains_key(&k) {
            s += t[&k] * y;
        }
    }
    s
}

#[differentiable]
fn lists_of_maps(x: f64, y: f64) -> f64 {
    let n = lists();
    let mut s = 0.0;
    for key in ["a", "c", "b"] {
        let Some(v) = n.get(key) else { continue };
        s += v.iter().map(|w| w * x).sum::<f64>() * v.len() as f64;
    }
    let keys: Vec<String> = vec!["b".to_string(), "z".to_string()];
    for key in &keys {
        match n.get(key.as_str()) {
            Some(v) => s += v[0] * x * x,
            None => s *= y,
        }
    }
    let first = n.get("a").and_then(|v| v.first()).copied().unwrap_or(0.0);
    let second = n.get("a").and_then(|v| v.get(1)).map(|v| v * x);
    s + first * second.unwrap_or(y)
}

#[differentiable]
fn looked_up(#[constant] t: &BTreeMap<u32, f64>, k: u32, x: f64) -> Option<f64> {
    let w = t.get(&k)?;
    Some(w * x)
}

#[differentiable]
fn asked_twice(x: f64) -> f64 {
    let t = table();
    looked_up(&t, 7, x).unwrap_or(x) + looked_up(&t, 8, x).unwrap_or(x * x)
}

#[differentiable]
fn rate(#[constant] rates: &HashMap<String, f64>, x: f64, y: f64) -> f64 {
    let base = rates.get("usd").map(|r| r * x).unwrap_or(0.0);
    let other = rates.get("eur").copied().unwrap_or(1.0);
    let Some(gbp) = rates.get("gbp") else {
        return x;
    };
    let jpy = match rates.get("jpy") {
        Some(v) => *v,
        None => 0.25,
    };
    base + other * y + gbp * x * y + jpy * y * y
}

#[inactive]
fn rates() -> HashMap<String, f64> {
    HashMap::from([("usd".to_string(), 1.5), ("gbp".to_string(), 0.7)])
}

#[differentiable]
fn exchanged(x: f64, y: f64) -> f64 {
    let rates = rates();
    rate(&rates, x, y)
}

#[inactive]
fn rows() -> Vec<Vec<f64>> {
    vec![vec![0.5, 1.5], vec![2.5]]
}

#[differentiable]
fn rows_that_may_be_missing(x: f64) -> f64 {
    let n = rows();
    let mut s = 0.0;
    for i in [0usize, 5, 1] {
        let Some(v) = n.get(i) else { continue };
        s += v.iter().map(|w| w * x).sum::<f64>() * v.len() as f64;
    }
    s
}

#[inactive]
fn names() -> Vec<String> {
    vec!["a".to_string(), "b".to_string()]
}

#[differentiable]
fn compared_names(x: f64) -> f64 {
    let n = names();
    let target = "b".to_string();
    let mut s = x;
    for i in 0..3 {
        if let Some(name) = n.get(i) {
            if name == &target {
                s *= x;
            }
        }
        if let Some(name) = n.get(i) {
            if name == "a" || *name == target {
                s += x;
            }
        }
        match n.get(i) {
            Some(name) if name.starts_with("a") => s *= 2.0,
            Some(name) => s *= name.len() as f64,
            None => s += 1.0,
        }
        let Some(name) = n.get(i) else { continue };
        match name.as_str() {
            "a" => s += x * x,
            _ => s -= x,
        }
        let copy: &String = name;
        if copy == name {
            s *= x;
        }
    }
    s
}

#[derive(Clone, Debug, PartialEq)]
enum Mode {
    Fast(f64),
    Slow { k: usize, f: f64 },
}

#[inactive]
fn modes() -> Vec<Mode> {
    vec![Mode::Fast(0.5), Mode::Slow { k: 2, f: 0.3 }]
}

#[differentiable]
fn modes_by_number(x: f64) -> f64 {
    let m = modes();
    let mut s = x;
    for i in 0..3 {
        if let Some(Mode::Fast(w)) = m.get(i) {
            s += w * x;
        }
        match m.get(i) {
            Some(Mode::Slow { k, f }) => s *= f * *k as f64 * x,
            Some(other) => {
                if *other == Mode::Fast(0.5) {
                    s += x
                }
            }
            None => {}
        }
        let Some(mode) = m.get(i) else { break };
        s += match mode {
            Mode::Fast(w) => w * x,
            Mode::Slow { k, f } => x.powi(*k as i32) * f,
        };
        if mode == &m[0] {
            s *= x;
        }
        if m.first() == Some(mode) {
            s *= x;
        }
    }
    s
}

#[differentiable]
fn modes_in_loops(x: f64) -> f64 {
    let m = modes();
    let mut s = x;
    for mode in &m {
        s += match mode {
            Mode::Fast(w) => w * x,
            Mode::Slow { k, f } => x.powi(*k as i32) * f,
        };
    }
    for mode in m.iter() {
        if let Mode::Slow { k, f } = mode {
            s *= x.powi(*k as i32) * f;
        }
    }
    s
}

#[differentiable]
fn in_mode(#[constant] m: &Mode, x: f64) -> f64 {
    let a = match m {
        Mode::Fast(w) => w * x,
        Mode::Slow { k, f } if *k > 3 => f * x,
        Mode::Slow { k, f } => x.powi(*k as i32) * f + *f,
    };
    if let Mode::Slow { k, f } = m {
        return a * f * *k as f64;
    }
    a
}

#[differentiable]
fn in_both_modes(x: f64) -> f64 {
    in_mode(&Mode::Fast(0.5), x) * in_mode(&Mode::Slow { k: 2, f: 0.3 }, x)
}

/// Named as the configuration is in generated code.
#[inactive]
fn config() -> usize {
    3
}

#[differentiable]
fn configured(x: f64) -> f64 {
    x.powi(config() as i32)
}

judge! {
    entries_of_maps(0.9, 1.1);
    lists_of_maps(0.9, 1.1);
    asked_twice(0.9);
    exchanged(0.9, 1.1);
    rows_that_may_be_missing(0.9);
    compared_names(0.9);
    modes_by_number(0.9);
    modes_in_loops(0.9);
    in_both_modes(0.9);
    configured(0.9);
}
