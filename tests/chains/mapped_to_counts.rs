//! Chains over what is active whose elements are made into counts and answers.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Debug, Tangent)]
struct Asset {
    name: String,
    weight: f64,
    returns: Vec<f64>,
}
#[differentiable]
fn shortest(assets: &[Asset]) -> f64 {
    let n = assets.iter().map(|a| a.returns.len()).min().unwrap_or(0);
    let all: usize = assets.iter().map(|a| a.returns.len()).sum();
    let longest = assets.iter().map(|a| a.name.len()).max().unwrap();
    (0..n)
        .map(|t| assets.iter().map(|a| a.weight * a.returns[t]).sum::<f64>())
        .sum::<f64>()
        / (all + longest) as f64
}
#[differentiable]
fn rows(m: &[Vec<f64>], k: f64) -> f64 {
    let width = m.iter().map(|r| r.len()).max().unwrap_or(0);
    let total = m.iter().map(Vec::len).sum::<usize>();
    let above = m.iter().map(|r| r[0] > k).filter(|b| *b).count();
    let mut out = vec![0.0; width];
    for r in m {
        for (o, x) in out.iter_mut().zip(r) {
            *o += x * k;
        }
    }
    out.iter().map(|x| x * x).sum::<f64>() * above as f64 / total as f64
}
judge! { shortest(&[Asset { name: "a".to_string(), weight: 0.4, returns: vec![0.3, 0.2] }, Asset { name: "bc".to_string(), weight: 0.7, returns: vec![0.3, 0.5, 0.1] }]); rows(&[vec![0.3, 0.6], vec![0.9]], 0.5); }
