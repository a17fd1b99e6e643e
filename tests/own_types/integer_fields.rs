//! Integers in a struct that also holds numbers: generators, counters and masks, with methods and operators that no other number has.

use coenzyme::prelude::*;

use crate::subject::judge;

/// A linear congruential generator.
#[derive(Clone, Tangent)]
struct Lcg {
    state: u64,
    scale: f64,
}

#[differentiable]
impl Lcg {
    fn draw(&mut self) -> f64 {
        self.state = self
            .state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.scale * (self.state >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Marsaglia's xorshift.
    fn shifted(&mut self) -> f64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.scale * (self.state >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[differentiable]
fn random_walk(x: f64, y: f64) -> f64 {
    let mut generator = Lcg {
        state: 42,
        scale: y,
    };
    let mut at = x;
    for _ in 0..6 {
        let u = generator.draw();
        if u < 0.5 * y {
            at += u * x;
        } else {
            at = at * (x + u).cos() + generator.shifted();
        }
    }
    at
}

#[derive(Clone, Tangent)]
struct Machine {
    mask: u32,
    left: usize,
    level: i32,
    value: f64,
}

#[differentiable]
impl Machine {
    fn step(&mut self, k: f64) -> f64 {
        self.left = self.left.saturating_sub(1).max(1);
        self.level = self.level.abs().min(50).rem_euclid(7) * self.level.signum() - 1;
        self.mask |= 1;
        self.mask <<= 1;
        self.mask &= 0xff;
        self.value = self.value * k + f64::from(self.mask.count_ones()) * k;
        self.value + self.level as f64 * k + self.left as f64
    }

    /// The entry that lies `back` before the last.
    fn before(&self, x: &[f64], back: usize) -> f64 {
        match self.left.checked_sub(back) {
            Some(i) => x[i] * self.value,
            None => self.value,
        }
    }

    fn taken(&mut self, x: &[f64]) -> Option<f64> {
        let left = self.left.checked_sub(1)?;
        self.left = left;
        Some(x[left] * self.value)
    }
}

#[differentiable]
fn counted(x: f64, y: f64) -> f64 {
    let mut machine = Machine {
        mask: 5,
        left: 3,
        level: -4,
        value: x,
    };
    let mut sum = 0.0;
    for _ in 0..4 {
        sum += 0.1 * machine.step(y);
    }
    sum * machine.value
}

#[differentiable]
fn looked_back(x: &[f64]) -> f64 {
    let mut machine = Machine {
        mask: 0,
        left: 2,
        level: 1,
        value: x[0],
    };
    let seen = machine.before(x, 1) * machine.before(x, 2) + machine.before(x, 5);
    let taken = machine.taken(x).unwrap() * machine.taken(x).unwrap();
    seen + taken * machine.left as f64 + x[2] * taken
}

/// A hash of the rounds weighs the terms of a series.
#[derive(Clone, Tangent)]
struct Series {
    seed: u32,
    order: u32,
    ratio: f64,
}

#[differentiable]
impl Series {
    fn weight(&mut self) -> f64 {
        self.seed = self.seed.rotate_left(5) ^ 0x9e37;
        let turned = self.seed.rotate_right(3);
        self.ratio * (turned % 7) as f64
    }

    fn term(&self, x: f64) -> f64 {
        let sign = (-1_i32).pow(self.order) as f64;
        sign * x.powi(self.order as i32) * self.ratio / f64::from(self.order.pow(2) + 1)
    }
}

#[differentiable]
fn alternating(x: f64, y: f64) -> f64 {
    let mut series = Series {
        seed: 3,
        order: 0,
        ratio: y,
    };
    let (mut sum, mut kept) = (0.0, [x, y, x * y]);
    for _ in 0..4 {
        sum += series.weight() * series.term(x);
        series.order += 1;
        kept.rotate_left(1);
    }
    sum * kept[0] + if series.order.pow(2) > 15 { y } else { x }
}

/// In which order coordinates stand, and in which units.
#[derive(Clone, Default, Tangent)]
struct Order {
    place: [usize; 3],
    factor: [f64; 3],
    same: bool,
}

#[derive(Clone, Default, Tangent)]
struct Listed {
    factors: Vec<f64>,
    count: usize,
}

/// A flag of what is returned is computed from its numbers and indices.
#[differentiable]
fn combined(from: &Order, to: &Order) -> Order {
    let mut order = Order::default();
    for i in 0..3 {
        order.factor[i] = from.factor[i] / to.factor[i];
        order.place[i] = from.place.iter().position(|&p| p == to.place[i]).unwrap();
    }
    order.same = order.factor == [1.0; 3] && order.place == [0, 1, 2];
    order
}

#[differentiable]
fn listed(order: &Order) -> Listed {
    let mut listed = Listed::default();
    listed.factors = vec![order.factor[0], order.factor[2]];
    let count = listed.factors.len() + order.place[0];
    listed.count = count;
    listed
}

#[differentiable]
fn of_returned(x: f64, y: f64) -> f64 {
    let from = Order {
        place: [2, 0, 1],
        factor: [x, y, x * y],
        same: false,
    };
    let to = Order {
        place: [0, 1, 2],
        factor: [2.0, x, y],
        same: true,
    };
    let order = combined(&from, &to);
    let listed = listed(&order);
    let of_listed = listed.factors[0] * listed.factors[1] * listed.count as f64;
    let sign = if order.same { 1.0 } else { -1.0 };
    sign * order.factor[order.place[0]] * order.factor[1] + of_listed
}

/// A type with methods of integers' names, which carry a derivative.
#[derive(Clone, Copy, Tangent)]
struct Amount {
    value: f64,
}

#[differentiable]
impl Amount {
    fn saturating_pow(&self, by: f64) -> f64 {
        (self.value * by).tanh()
    }
    fn pow(self, by: f64) -> Amount {
        Amount {
            value: (self.value * by).sin(),
        }
    }
    fn checked_neg(&self) -> Option<f64> {
        if self.value == 0.0 {
            None
        } else {
            Some(-1.0 / self.value)
        }
    }
}

#[differentiable]
fn of_the_crate(x: f64, y: f64) -> f64 {
    let amount = Amount { value: x * x + 1.0 };
    let turned = amount.pow(y);
    amount.saturating_pow(y) * turned.value + amount.checked_neg().unwrap_or(0.0)
}

judge! {
    random_walk (0.7, 1.3) (-0.4, 0.6);
    of_returned (0.7, 1.3) (-0.4, 0.6);
    alternating (0.7, 1.3) (-0.4, 0.6);
    counted (0.7, 1.3) (-0.4, 0.6);
    looked_back (&vec![0.7, 1.3, -0.4]);
    of_the_crate (0.7, 1.3) (-0.4, 0.6);
}
