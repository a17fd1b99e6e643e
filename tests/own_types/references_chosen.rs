//! References to structs that a branch chooses.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Poly(Vec<f64>);

#[differentiable]
fn longer(p: &Poly, o: &Poly) -> f64 {
    let long = if p.0.len() >= o.0.len() { p } else { o };
    long.0[0] * long.0[1]
}

#[differentiable]
fn ends(p: &Poly, o: &Poly) -> f64 {
    let (long, short) = if p.0.len() >= o.0.len() {
        (p, o)
    } else {
        (o, p)
    };
    long.0[1] + short.0[0]
}

#[differentiable]
fn sum(p: &Poly, o: &Poly) -> Poly {
    let (long, short) = if p.0.len() >= o.0.len() {
        (p, o)
    } else {
        (o, p)
    };
    let mut c = long.0.clone();
    for (a, b) in c.iter_mut().zip(&short.0) {
        *a += b;
    }
    Poly(c)
}

#[differentiable]
fn all(x: &[f64]) -> f64 {
    let (one, more) = (Poly(vec![x[0]]), Poly(x.to_vec()));
    let s = sum(&one, &more);
    let far = if x[0] > 10.0 { &one } else { &more };
    longer(&one, &more) + ends(&more, &one) + s.0[0] * s.0[1] + far.0[2]
}

judge! { all(&any(3)); longer(&Poly(vec![0.3, 0.4]), &Poly(vec![0.2])); ends(&Poly(vec![0.3]), &Poly(vec![0.2, 0.7])); }
