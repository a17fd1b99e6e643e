//! Lists that `mem::replace` takes out of a place: of what is only added to their entries, the shape is still asked.

use crate::judge::any;
use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Debug, Tangent)]
struct Momentum {
    velocity: Vec<f64>,
    previous: Vec<f64>,
    rate: f64,
}
#[differentiable]
impl Momentum {
    fn update(&mut self, params: &mut [f64], slopes: &[f64]) {
        let old = std::mem::replace(&mut self.previous, params.to_vec());
        for i in 0..params.len() {
            self.velocity[i] = 0.9 * self.velocity[i] - self.rate * slopes[i] + 0.01 * old[i];
            params[i] += self.velocity[i];
        }
    }
    fn reset(&mut self) -> Vec<f64> {
        let n = self.velocity.len();
        std::mem::replace(&mut self.velocity, vec![0.0; n])
    }
    fn first(&mut self, params: &[f64]) {
        let old = std::mem::replace(&mut self.previous, params.to_vec());
        self.velocity[1] = old[1];
    }
    fn all(&mut self, params: &[f64]) {
        let old = std::mem::replace(&mut self.previous, params.to_vec());
        for (v, o) in self.velocity.iter_mut().zip(&old) {
            *v += o;
        }
        self.rate += old.iter().sum::<f64>();
    }
}

/// What was taken out is returned, and asked of its caller.
#[differentiable]
impl Momentum {
    fn handed_out(&mut self, params: &[f64]) -> Vec<f64> {
        let old = std::mem::replace(&mut self.previous, params.to_vec());
        self.velocity[1] = old[1];
        old
    }
}

#[differentiable]
fn returned(x: &[f64], rate: f64) -> f64 {
    let mut by = Momentum {
        velocity: vec![0.0; 3],
        previous: x.to_vec(),
        rate,
    };
    let old = by.handed_out(&[rate, 1.0, rate]);
    by.velocity[1] * by.previous[0] + old[0]
}
#[differentiable]
fn trained(x: &[f64], rate: f64) -> f64 {
    let mut params = vec![0.1, 0.2, 0.3];
    let mut by = Momentum {
        velocity: vec![0.0; 3],
        previous: vec![0.5; 3],
        rate,
    };
    for epoch in 0..3 {
        let slopes: Vec<f64> = params.iter().zip(x).map(|(p, x)| 2.0 * (p - x)).collect();
        by.update(&mut params, &slopes);
        if epoch == 1 {
            let old = by.reset();
            params[0] += 0.1 * old[0];
        }
    }
    params.iter().sum::<f64>() + by.previous[1] * by.velocity[2]
}
#[differentiable]
fn of_entries(x: &[f64], rate: f64) -> f64 {
    let mut by = Momentum {
        velocity: vec![0.0; 3],
        previous: x.to_vec(),
        rate,
    };
    by.first(&[rate, 1.0, rate]);
    by.all(&[1.0, rate * rate, 0.3]);
    by.velocity[1] * by.velocity[0] + by.rate * by.previous[1]
}
#[differentiable]
fn of_a_local(x: &[f64], k: f64) -> f64 {
    let mut rows = [x.to_vec(), vec![k; 3]];
    let mut sum = 0.0;
    for _ in 0..2 {
        let next = vec![sum, k, 1.0];
        let old = std::mem::replace(&mut rows[0], next);
        sum += old[1];
        rows[1][0] += old[0] + old[2];
    }
    sum + rows[1][0] * rows[0][1]
}

judge! {
    trained(&any(3), 0.2);
    of_entries(&any(3), 0.4);
    of_a_local(&any(3), 0.4);
    returned(&any(3), 0.4);
}
