//! Loops over copies of fields, in which the fields change.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Walk {
    steps: Vec<f64>,
    sum: f64,
}

#[differentiable]
impl Walk {
    fn add(&mut self, c: f64) {
        self.sum += c * c * self.sum;
        self.steps.push(c * self.sum);
    }

    fn run(&mut self) {
        for c in self.steps.clone().iter() {
            self.add(*c);
        }
        for c in self.steps.clone() {
            self.add(c);
        }
        for (i, c) in self.steps.clone().iter().enumerate() {
            self.steps[i] = 0.5 * c;
            self.add(*c);
        }
    }
}

#[differentiable]
fn walked(x: &[f64]) -> f64 {
    let mut walk = Walk {
        steps: x.to_vec(),
        sum: 1.0,
    };
    walk.run();
    walk.sum * walk.steps.iter().sum::<f64>()
}

judge! {
    walked(&any(2));
}
