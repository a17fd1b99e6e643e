//! Types with a lifetime, written and left out.

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Tangent)]
pub(crate) struct Parameters<'a> {
    #[tangent(inactive)]
    names: &'a str,
    pub(crate) k: f64,
}

#[differentiable]
impl Parameters<'_> {
    pub(crate) fn square(&self) -> f64 {
        self.k * self.k * self.names.len() as f64
    }
}

#[derive(Clone, Debug, Tangent)]
pub(crate) struct Ellipse {
    a: f64,
    b: f64,
}

#[differentiable]
#[allow(elided_lifetimes_in_paths)]
impl Ellipse {
    pub(crate) fn read(p: &Parameters, a: f64) -> Result<Self, String> {
        if a > 100.0 {
            return Err("too long".to_owned());
        }
        Ok(Self {
            a,
            b: a * p.square(),
        })
    }
    fn stretched(&mut self, p: &Parameters) -> f64 {
        self.a *= p.k;
        self.a * self.b
    }
}

#[differentiable]
#[allow(elided_lifetimes_in_paths)]
fn area(p: &Parameters, a: f64) -> Result<f64, String> {
    let mut ellipse = Ellipse::read(p, a)?;
    let first = ellipse.stretched(p);
    Ok(first * ellipse.stretched(p) + ellipse.a)
}

#[differentiable]
fn of_left_out(x: &[f64]) -> f64 {
    let p = Parameters {
        names: "ab",
        k: x[0],
    };
    area(&p, x[1]).unwrap() * p.k
}

judge! {
    of_left_out (&[0.7, 1.3]);
}
