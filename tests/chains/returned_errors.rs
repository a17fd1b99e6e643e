//! Arms that only return the error of a call which changes what it is lent.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Debug)]
enum Bad {
    Small,
    Big(f64),
}
#[derive(Debug)]
struct Failed(String);
impl From<Bad> for Failed {
    fn from(b: Bad) -> Self {
        Failed(format!("{b:?}"))
    }
}
#[derive(Clone, Tangent)]
struct Sim {
    x: f64,
    v: Vec<f64>,
}
#[differentiable]
fn advance(s: &mut Sim, k: f64) -> Result<f64, Bad> {
    s.x += k * s.v[0];
    if s.x > 3.0 {
        return Err(Bad::Big(s.x));
    }
    s.v[0] *= s.x;
    Ok(s.v[0] * k)
}
#[differentiable]
impl Sim {
    fn step(&mut self, k: f64) -> Result<f64, Bad> {
        self.v[1] += k;
        match advance(self, k) {
            Ok(v) => Ok(v * self.v[1]),
            Err(e) => return Err(e),
        }
    }
    fn kick(&mut self, k: f64) -> Result<(), Failed> {
        if let Err(e) = self.step(k) {
            return Err(e.into());
        }
        self.x *= k;
        Ok(())
    }
}
#[differentiable]
fn run(x: f64, k: f64) -> Result<f64, Failed> {
    let mut s = Sim {
        x,
        v: vec![k, x * k],
    };
    let mut total = 0.0;
    for _ in 0..2 {
        let w = match s.step(k) {
            Ok(w) => w,
            Err(e) => return Err(Failed::from(e)),
        };
        total += w;
        match advance(&mut s, 0.1 * k) {
            Ok(w) => {
                total += w * w;
                s.x *= 0.5;
            }
            Err(e) => {
                return Err(Failed(format!("late: {e:?}")));
            }
        }
        match s.kick(k) {
            Err(e) => return Err(e),
            Ok(()) => total *= s.x,
        }
    }
    Ok(total + s.x * s.v[0])
}
#[differentiable]
fn outer(x: f64, k: f64) -> f64 {
    run(x, k).unwrap_or(x * k)
}
judge! { outer(0.5, 0.4) (0.9, 1.1) (2.0, 2.0); }
