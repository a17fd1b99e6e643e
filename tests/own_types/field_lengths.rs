//! Vectors in fields that get another length by an assignment: the shadow has each of the lengths when it is asked for it.

use std::mem;

use coenzyme::{Tangent, differentiable};

use crate::judge::any;
use crate::subject::judge;

#[derive(Clone, Debug, Tangent)]
struct Signal {
    samples: Vec<f64>,
    gain: f64,
}

#[derive(Clone, Debug, Tangent)]
struct Pair {
    left: Signal,
    right: Signal,
}

#[differentiable]
fn assigned_after_it_was_read(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let before = s.samples[0] * s.samples[3];
    s.samples = vec![k; 2];
    before * s.samples[1] * s.gain
}

#[differentiable]
fn begins_without_derivative(x: &[f64]) -> f64 {
    let mut s = Signal {
        samples: vec![0.5; 5],
        gain: 2.0,
    };
    let mut total = 0.0;
    for a in &s.samples {
        total += a * x[0];
    }
    s.samples = x.to_vec();
    total + s.samples[0] * s.samples[2] * s.samples.len() as f64
}

#[differentiable]
fn a_field_of_a_field(x: &[f64], k: f64) -> f64 {
    let one = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let mut p = Pair {
        left: one.clone(),
        right: one,
    };
    p.left.samples = p.right.samples[..2].to_vec();
    let n = p.left.samples.len();
    p.right = Signal {
        samples: vec![k * k],
        gain: p.left.samples[1],
    };
    p.left.samples = vec![p.left.samples[0]; n + 2];
    p.left.samples[3] * p.right.samples[0] * p.right.gain + p.left.samples.iter().sum::<f64>()
}

#[differentiable]
fn in_a_loop(x: &[f64], n: usize) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: 1.0,
    };
    let mut total = 0.0;
    for _ in 0..n {
        let m = s.samples.len();
        total += s.samples[0] * s.samples[m - 1];
        s.samples = (1..m).map(|i| s.samples[i] * s.samples[i - 1]).collect();
        s.gain *= s.samples[0];
    }
    total * s.gain
}

#[differentiable]
fn in_one_of_two_branches(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    for i in 0..3 {
        if s.samples.len() > 2 && i > 0 {
            s.samples = vec![s.samples[1] * k, s.gain];
        } else {
            s.gain += s.samples[0] * s.samples[1];
        }
    }
    s.samples[0] * s.samples[1] + s.gain
}

#[differentiable]
fn begin_again(s: &mut Signal, k: f64) -> f64 {
    let before = s.samples[0] * s.samples[s.samples.len() - 1];
    s.samples = vec![k; 2];
    before
}

#[differentiable]
fn behind_a_reference(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let first = begin_again(&mut s, k);
    let second = begin_again(&mut s, first);
    first * second * s.samples[1]
}

#[differentiable]
impl Signal {
    fn step(&mut self) {
        self.samples = self.samples.windows(2).map(|w| w[0] * w[1]).collect();
    }

    fn energy(&self) -> f64 {
        self.gain * self.samples.iter().map(|a| a * a).sum::<f64>()
    }

    fn total(&self) -> f64 {
        let mut total = 0.0;
        for i in 0..self.samples.len() {
            total += self.samples[i];
        }
        total
    }

    fn flush(&mut self, k: f64) -> Vec<f64> {
        mem::replace(&mut self.samples, vec![k; 2])
    }

    fn restart(&mut self, k: f64) {
        *self = Signal {
            samples: vec![k, k * self.gain, k],
            gain: k,
        };
    }

    fn run(&mut self, n: usize) -> f64 {
        let mut total = 0.0;
        for _ in 0..n {
            total += self.total() * self.energy();
            self.step();
        }
        total + self.total()
    }
}

#[differentiable]
fn steps(x: &[f64]) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: 1.0,
    };
    s.step();
    s.step();
    s.samples[0] * s.samples[1]
}

#[differentiable]
fn read_between_steps(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let mut total = s.total();
    for _ in 0..2 {
        s.step();
        total += s.total() * s.energy();
    }
    total + s.samples.len() as f64 * s.samples[0]
}

#[differentiable]
fn steps_of_its_own(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let ran = s.run(2);
    ran * s.energy()
}

#[differentiable]
fn of_one_of_several(x: &[f64], k: f64) -> f64 {
    let one = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let mut p = Pair {
        left: one.clone(),
        right: one,
    };
    p.left.step();
    let total = p.left.total() * p.right.total();
    p.left.step();
    total * p.left.energy() + p.right.energy()
}

#[differentiable]
fn replaced(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let old = mem::replace(&mut s.samples, vec![k; 2]);
    let older = s.flush(old[1]);
    old[0] * old[3] * older[1] * s.samples[1]
}

#[differentiable]
fn taken(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let old = mem::take(&mut s.samples);
    s.samples = vec![k; 2];
    old[0] * old[3] * s.samples[1]
}

#[differentiable]
fn assigned_as_a_whole(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    s.step();
    let before = s.energy();
    s.restart(before);
    before * s.total() + s.samples[1]
}

#[differentiable]
fn assigned_and_pushed(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: Vec::new(),
        gain: k,
    };
    for a in x {
        s.samples.push(a * k);
    }
    let mean = s.total() / s.samples.len() as f64;
    s.samples = vec![mean];
    s.samples.push(s.samples[0] * k);
    s.energy()
}

#[differentiable]
fn by_another_name(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let first = s.energy();
    let t = &mut s;
    t.samples = vec![first, k];
    s.samples[0] * s.samples[1] * s.samples.len() as f64
}

#[differentiable]
fn of_entries(list: &mut [Signal], k: f64) -> f64 {
    let mut t = 0.0;
    for i in 0..list.len() {
        t += list[i].total();
        list[i].samples = vec![t * k; 2 + i];
        t += list[i].total() * list[i].samples.len() as f64;
    }
    t
}

#[differentiable]
fn in_entries(x: &[f64], k: f64) -> f64 {
    let one = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let mut list = vec![one.clone(), one];
    let first = of_entries(&mut list, k);
    for s in list.iter_mut() {
        s.samples = vec![s.samples[1], k, first];
    }
    first * of_entries(&mut list[..], first) + list[1].samples[2]
}

#[differentiable]
fn given_back(x: &[f64], k: f64) -> f64 {
    let mut s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let old = mem::replace(&mut s.samples, vec![k, k * k]);
    let product = old[2] * s.samples[1];
    s.samples = old;
    product * s.samples[2]
}

#[differentiable]
fn with_samples(mut s: Signal, samples: Vec<f64>) -> Signal {
    s.gain *= s.samples[2];
    s.samples = samples;
    s
}

#[differentiable]
fn by_value(x: &[f64], k: f64) -> f64 {
    let s = Signal {
        samples: x.to_vec(),
        gain: k,
    };
    let s = with_samples(s, vec![k]);
    s.samples[0] * s.gain
}

judge! {
    assigned_after_it_was_read(&any(4), 0.4);
    begins_without_derivative(&any(3));
    a_field_of_a_field(&any(4), 0.4);
    in_a_loop(&any(5), 3);
    in_one_of_two_branches(&any(4), 0.4);
    behind_a_reference(&any(4), 0.4);
    steps(&any(4));
    read_between_steps(&any(4), 0.4);
    steps_of_its_own(&any(4), 0.4);
    of_one_of_several(&any(4), 0.4);
    replaced(&any(4), 0.4);
    taken(&any(4), 0.4);
    assigned_as_a_whole(&any(4), 0.4);
    assigned_and_pushed(&any(4), 0.4);
    by_another_name(&any(4), 0.4);
    in_entries(&any(3), 0.4);
    given_back(&any(4), 0.4);
    by_value(&any(3), 0.4);
}
