//! Methods of generic types that call others of their own, where a trait is all that is known of a parameter.

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[differentiable]
trait Kernel {
    fn eval(&self, r: f64) -> f64;
}

#[derive(Clone, Debug, Tangent)]
struct Gauss {
    width: f64,
}

#[differentiable]
impl Kernel for Gauss {
    fn eval(&self, r: f64) -> f64 {
        (-r * r / self.width).exp()
    }
}

#[derive(Clone, Debug, Tangent)]
struct Process<K> {
    kernel: K,
    x: Vec<f64>,
    noise: f64,
}

#[differentiable]
fn doubled<K: Kernel>(process: &Process<K>, x: f64) -> f64 {
    2.0 * process.at(x)
}

#[differentiable]
impl<K: Kernel> Process<K> {
    fn at(&self, x: f64) -> f64 {
        self.kernel.eval(x) + self.noise
    }

    fn gram(&self) -> Vec<f64> {
        self.x.iter().map(|x| self.kernel.eval(*x)).collect()
    }

    fn total(&self) -> f64 {
        let gram = self.gram();
        gram.iter().sum::<f64>() * self.at(self.noise) + doubled(self, self.x[0])
    }

    fn drift(&mut self, dt: f64) {
        self.noise += dt * self.kernel.eval(self.noise);
    }

    fn run(&mut self, end: f64) {
        let mut t = 0.0;
        while t < end {
            self.drift(0.1);
            t += 0.1;
        }
        self.noise *= self.total();
    }
}

#[differentiable]
fn processed(width: f64, x: &[f64]) -> f64 {
    let mut process = Process {
        kernel: Gauss { width },
        x: x.to_vec(),
        noise: 0.1 * width,
    };
    process.run(0.25);
    process.total() * process.noise
}

judge! {
    processed(0.7, &any(3));
}
