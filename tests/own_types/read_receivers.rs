//! Methods that take memory by `&self`, while others change it by `&mut self`: what they read is kept where it changes before the reverse sweep, and
//! where it does not, nothing is copied.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[derive(Clone, Tangent)]
struct Diagonal {
    entries: Vec<f64>,
    size: usize,
}
#[differentiable]
impl Diagonal {
    fn product_at(&self, i: usize) -> f64 {
        self.entries[i] * self.entries[0]
    }
    fn place(&mut self, i: usize, v: f64) {
        self.entries[i] = v;
    }
    fn times(&self, other: &Diagonal) -> Option<Diagonal> {
        if self.size != other.size {
            return None;
        }
        let mut product = Diagonal {
            entries: vec![0.0; self.size],
            size: self.size,
        };
        for i in 0..self.size {
            product.place(i, self.product_at(i) * other.product_at(i));
        }
        Some(product)
    }
    fn total(&self) -> f64 {
        self.entries.iter().sum()
    }
}
#[derive(Clone, Tangent)]
struct Body {
    at: [f64; 2],
    mass: f64,
}
#[differentiable]
impl Body {
    fn pull(&self, other: &Body) -> [f64; 2] {
        let d = [other.at[0] - self.at[0], other.at[1] - self.at[1]];
        let r = (d[0] * d[0] + d[1] * d[1] + 0.1).sqrt();
        [other.mass * d[0] / r, other.mass * d[1] / r]
    }
    fn kick(&mut self, a: [f64; 2], dt: f64) {
        self.at[0] += a[0] * dt;
        self.at[1] += a[1] * dt;
    }
}
#[derive(Clone, Tangent)]
struct Normed {
    v: [f64; 3],
    k: f64,
}
#[differentiable]
impl Normed {
    fn length(&self) -> f64 {
        (self.v[0] * self.v[0] + self.v[1] * self.v[1] + self.k).sqrt()
    }
    fn shrink(&mut self) {
        let n = self.length();
        for i in 0..3 {
            self.v[i] /= n;
            let k = self.length();
            self.k += k * n;
        }
        self.v[0] = self.length() * self.k;
    }
}

#[differentiable]
fn read_between_changes(x: f64, y: f64) -> f64 {
    let mut a = Diagonal {
        entries: vec![x, y],
        size: 2,
    };
    a.place(1, x * y);
    let s = a.product_at(1);
    a.place(0, s);
    let t = a.total();
    a.place(1, t * x);
    let u = a.total() * a.product_at(1);
    a.entries[0] = u;
    a.entries[1] * s + a.total()
}
#[differentiable]
fn asked_of_what_changes(x: f64, y: f64) -> f64 {
    let mut a = Diagonal {
        entries: vec![x, y],
        size: 2,
    };
    a.place(1, x * y);
    let Some(b) = a.times(&a) else { return 0.0 };
    a.place(0, b.product_at(1));
    match b.times(&a) {
        Some(c) => c.product_at(1) * x,
        None => 1.0,
    }
}
#[differentiable]
fn pairs_of_one_vector(x: f64, y: f64) -> f64 {
    let mut bodies = vec![
        Body {
            at: [x, y],
            mass: 1.0,
        },
        Body {
            at: [0.3, x * y],
            mass: y,
        },
    ];
    bodies.push(Body {
        at: [y, 0.1],
        mass: x,
    });
    for _ in 0..3 {
        for i in 0..3 {
            let mut a = [0.0; 2];
            for j in 0..3 {
                if i != j {
                    let pull = bodies[i].pull(&bodies[j]);
                    a[0] += pull[0];
                    a[1] += pull[1];
                }
            }
            bodies[i].kick(a, 0.1);
        }
        let own = bodies[1].pull(&bodies[1].clone());
        bodies[0].mass += own[0] + x;
    }
    bodies.iter().map(|b| b.at[0] * b.at[1]).sum()
}
#[differentiable]
fn of_what_is_lent(x: f64, y: f64) -> f64 {
    let mut n = Normed {
        v: [x, y, 1.0],
        k: x * x,
    };
    n.shrink();
    n.shrink();
    n.length() + n.v[2]
}

judge! {
    read_between_changes(0.9, 1.1) (0.3, 0.6);
    asked_of_what_changes(0.9, 1.1) (0.3, 0.6);
    pairs_of_one_vector(0.9, 1.1) (0.3, 0.6);
    of_what_is_lent(0.9, 1.1) (0.3, 0.6);
}
