//! Methods that return their receivers, `fn predict(&mut self, dt: f64) -> &mut Self`, as statements and in chains.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Kalman {
    x: f64,
    p: f64,
    q: f64,
    r: f64,
}
#[differentiable]
impl Kalman {
    fn new(x: f64) -> Self {
        Kalman {
            x,
            p: 1.0,
            q: 0.2 * x,
            r: 0.1,
        }
    }
    fn predict(&mut self, dt: f64) -> &mut Self {
        self.p += self.q * dt;
        self
    }
    fn inflate(&mut self, k: f64) -> &mut Kalman {
        if k < 0.5 {
            return self;
        }
        if k > 1.0 {
            self.p *= k;
            self
        } else {
            self.p += k;
            self
        }
    }
    fn both(&mut self, k: f64) -> f64 {
        self.predict(k).inflate(k).update(0.3) * self.inflate(k).p
    }
    fn update(&mut self, z: f64) -> f64 {
        let k = self.p / (self.p + self.r);
        let innovation = z - self.x;
        self.x += k * innovation;
        self.p *= 1.0 - k;
        innovation
    }
}
#[differentiable]
fn statements(zs: &[f64], q: f64, r: f64) -> f64 {
    let mut k = Kalman {
        x: 0.0,
        p: 1.0,
        q,
        r,
    };
    let mut ll = 0.0;
    for z in zs {
        k.predict(0.5);
        k.inflate(q);
        let e = k.update(*z);
        ll -= 0.5 * (e * e / (k.p + k.r) + (k.p + k.r).ln());
    }
    ll
}
#[differentiable]
fn chained(zs: &[f64], q: f64, r: f64) -> f64 {
    let mut k = Kalman {
        x: 0.0,
        p: 1.0,
        q,
        r,
    };
    let mut ll = 0.0;
    for z in zs {
        let e = k.predict(0.5).inflate(q).update(*z);
        k.inflate(r).predict(*z);
        ll -= 0.5 * (e * e / (k.p + k.r) + k.predict(z * q).p.ln());
    }
    ll
}
#[differentiable]
fn made(x: f64, y: f64) -> f64 {
    let z = Kalman::new(x).predict(y).inflate(x * y).update(0.7);
    let mut ks = vec![Kalman::new(x), Kalman::new(y)];
    for i in 0..2 {
        ks[i].predict(y).inflate(x).predict(0.3);
    }
    z * ks[0].both(y) + ks[1].p
}

judge! {
    statements(&[0.3, 0.5, 0.2, 0.9], 0.1, 0.4) (&[0.3, 0.5, 0.1, 0.2], 0.7, 0.4);
    chained(&[0.3, 0.5, 0.2, 0.9], 0.1, 0.4) (&[0.3, 0.5, 0.1, 0.2], 0.7, 1.4);
    made(0.9, 1.1) (1.2, 0.3);
}
