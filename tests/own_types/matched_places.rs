//! Places without derivative that are matched, `match *mode`, `match c.mode`, of types that are neither `Copy` nor `Clone`.

use coenzyme::{differentiable, inactive};

use crate::subject::judge;

#[derive(Debug)]
enum Mode {
    Plain,
    Scaled(f64),
    Power { n: i32, label: String },
    Pair(usize, bool),
}
struct Config {
    mode: Mode,
    modes: Vec<Mode>,
    depth: Option<usize>,
}
#[inactive]
fn config() -> Config {
    Config {
        mode: Mode::Power {
            n: 3,
            label: "p".into(),
        },
        modes: vec![
            Mode::Plain,
            Mode::Scaled(0.5),
            Mode::Pair(1, true),
            Mode::Power {
                n: 2,
                label: String::new(),
            },
        ],
        depth: Some(2),
    }
}
#[differentiable]
fn of_fields(#[constant] c: &Config, x: f64, y: f64) -> f64 {
    let a = match c.mode {
        Mode::Plain => x,
        Mode::Scaled(k) => k * x,
        Mode::Power { n, .. } => x.powi(n),
        Mode::Pair(..) => y,
    };
    let b = match c.modes[1] {
        Mode::Scaled(k) if k < 1.0 => y * k,
        Mode::Pair(i, _) => y * i as f64,
        _ => 0.0,
    };
    let d = match c.depth {
        Some(n) if n > 1 => x * n as f64,
        _ => y,
    };
    a * b + d
}
#[differentiable]
fn of_entries(#[constant] modes: &[Mode], x: f64, y: f64) -> f64 {
    let mut t = x;
    for (k, mode) in modes.iter().enumerate() {
        t *= match *mode {
            Mode::Plain => x + k as f64,
            Mode::Scaled(k) => k * t,
            Mode::Power { n, ref label } => t.powi(n) * (label.len() + 1) as f64,
            Mode::Pair(i, flag) => {
                if flag {
                    y * i as f64
                } else {
                    y
                }
            }
        };
        if let Mode::Scaled(f) = *mode {
            t += f * y;
        }
    }
    for mode in modes {
        match mode {
            &Mode::Scaled(k) => t += k * x,
            Mode::Pair(n, _) => t *= *n as f64 * y,
            _ => {}
        }
    }
    t
}
#[differentiable]
fn both(x: f64, y: f64) -> f64 {
    let c = config();
    of_fields(&c, x, y) * of_entries(&c.modes, x, y)
}
judge! { both(0.9, 0.4); }
