//! Fields of structs by value that change, returned by value: the struct is read again for its shape.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Bag {
    values: Vec<f64>,
    scale: f64,
}

#[derive(Clone, Debug, Tangent)]
struct Outer {
    bag: Bag,
    shift: f64,
}

#[differentiable]
impl Bag {
    fn build(mut self) -> Vec<f64> {
        self.values[0] *= 2.0;
        self.values
    }
    fn doubled(mut self) -> Vec<f64> {
        for a in &mut self.values {
            *a *= 2.0;
        }
        self.values
    }
    fn replaced(mut self) -> Vec<f64> {
        self.values = vec![self.values[0] * self.values[2], self.scale];
        self.values
    }
    fn taken(&mut self, k: f64) -> Vec<f64> {
        std::mem::replace(&mut self.values, vec![k; 2])
    }
    fn either(mut self, k: f64) -> Vec<f64> {
        self.values[1] *= k;
        if k > 0.0 { self.values } else { vec![k; 3] }
    }
    fn first(mut self) -> f64 {
        self.values[0] *= self.scale;
        self.values[0]
    }
    fn with_scale(mut self) -> (Vec<f64>, f64) {
        self.values[0] *= self.scale;
        (self.values, self.scale)
    }
}

#[differentiable]
fn in_a_loop(x: &[f64], k: f64) -> Vec<f64> {
    let mut b = Bag {
        values: x.to_vec(),
        scale: k,
    };
    for _ in 0..3 {
        b.values[0] *= b.scale;
    }
    b.values
}
#[differentiable]
fn finish(mut b: Bag) -> Vec<f64> {
    b.values.push(1.5);
    b.values
}
#[differentiable]
fn named(mut b: Bag) -> Vec<f64> {
    b.values[0] *= b.scale;
    let values = b.values;
    values
}
#[differentiable]
fn inner(x: &[f64], k: f64) -> Bag {
    let mut o = Outer {
        bag: Bag {
            values: x.to_vec(),
            scale: k,
        },
        shift: k,
    };
    o.bag.values[1] *= o.shift;
    o.bag
}
#[differentiable]
fn early(x: &[f64], k: f64) -> Vec<f64> {
    let mut b = Bag {
        values: x.to_vec(),
        scale: k,
    };
    for i in 0..3 {
        b.values[i] *= b.scale;
        if b.values[i] > 100.0 {
            return b.values;
        }
    }
    b.values
}
#[differentiable]
fn of_built(x: &[f64], k: f64) -> f64 {
    let v = Bag {
        values: x.to_vec(),
        scale: k,
    }
    .build();
    v[0] * v[1]
}
#[differentiable]
fn of_doubled(x: &[f64], k: f64) -> f64 {
    let v = Bag {
        values: x.to_vec(),
        scale: k,
    }
    .doubled();
    v[0] * v[1]
}
#[differentiable]
fn of_replaced(x: &[f64], k: f64) -> f64 {
    let v = Bag {
        values: x.to_vec(),
        scale: k,
    }
    .replaced();
    v[0] * v[1]
}
#[differentiable]
fn of_taken(x: &[f64], k: f64) -> f64 {
    let mut b = Bag {
        values: x.to_vec(),
        scale: k,
    };
    let v = b.taken(k);
    v[0] * v[2] * b.values[1]
}
#[differentiable]
fn of_either(x: &[f64], k: f64) -> f64 {
    let v = Bag {
        values: x.to_vec(),
        scale: k,
    }
    .either(k);
    v[0] * v[1]
}
#[differentiable]
fn of_first(x: &[f64], k: f64) -> f64 {
    Bag {
        values: x.to_vec(),
        scale: k,
    }
    .first()
}
#[differentiable]
fn of_with_scale(x: &[f64], k: f64) -> f64 {
    let (v, s) = Bag {
        values: x.to_vec(),
        scale: k,
    }
    .with_scale();
    v[0] * s
}
#[differentiable]
fn of_finish(x: &[f64], k: f64) -> f64 {
    let v = finish(Bag {
        values: x.to_vec(),
        scale: k,
    });
    v[0] * v[3] * v[2]
}
#[differentiable]
fn of_named(x: &[f64], k: f64) -> f64 {
    let v = named(Bag {
        values: x.to_vec(),
        scale: k,
    });
    v[0] * v[1]
}
judge! {
    in_a_loop(&any(3), 0.4);
    inner(&any(3), 0.4);
    early(&any(3), 0.4);
    of_built(&any(3), 0.4);
    of_doubled(&any(3), 0.4);
    of_replaced(&any(3), 0.4);
    of_taken(&any(3), 0.4);
    of_either(&any(3), 0.4);
    of_first(&any(3), 0.4);
    of_with_scale(&any(3), 0.4);
    of_finish(&any(3), 0.4);
    of_named(&any(3), 0.4);
}
