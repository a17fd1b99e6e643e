//! Conditions whose calls change what they are lent: what the call does is differentiated wherever the condition asks it.

use coenzyme::{Tangent, differentiable};

use crate::subject::judge;

#[differentiable]
fn grows(x: &mut f64, k: f64) -> bool {
    *x *= k;
    x.abs() > 0.8
}
#[differentiable]
fn grown(x: &mut f64, k: f64) -> f64 {
    *x += k * k;
    *x * k
}
#[differentiable]
fn shifts(x: &mut f64, v: &mut [f64]) -> bool {
    *x *= v[0];
    v[1] += *x;
    x.abs() > 0.1
}

#[derive(Clone, Tangent)]
struct Walk {
    at: f64,
    steps: usize,
    memory: Vec<f64>,
}
#[differentiable]
impl Walk {
    fn advance(&mut self, k: f64) -> bool {
        self.at *= k;
        self.steps += 1;
        self.steps < 4
    }
    fn slope(&mut self, k: f64) -> f64 {
        self.at *= k;
        self.at
    }
    fn run(&mut self, k: f64) {
        while self.advance(k) {
            self.at += 0.1;
        }
        let mut n = 0;
        while shifts(&mut self.at, &mut self.memory) && n < 3 {
            n += 1;
        }
        if shifts(&mut self.at, &mut self.memory[1..]) {
            self.at += 1.0;
        }
    }
}

#[differentiable]
fn in_while(x: f64, y: f64) -> f64 {
    let (mut s, mut n) = (x, 0);
    while grows(&mut s, y) && n < 5 {
        n += 1;
    }
    s * x
}
#[differentiable]
fn in_while_compared(x: f64, y: f64) -> f64 {
    let (mut s, mut n) = (x, 0);
    while grown(&mut s, y) < 40.0 && n < 4 {
        n += 1;
        if n == 2 {
            continue;
        }
        s += 0.1 * x;
    }
    s * x
}
#[differentiable]
fn after_another_condition(x: f64, y: f64) -> f64 {
    let (mut s, mut n) = (x, 0);
    while n < 4 && grows(&mut s, y) {
        n += 1;
    }
    if n < 3 && grows(&mut s, x) || grows(&mut s, 1.3) {
        s += x * y;
    }
    s
}
#[differentiable]
fn twice_in_one_condition(x: f64, y: f64) -> f64 {
    let (mut s, mut t) = (x, y);
    if grows(&mut s, y) && !grows(&mut t, 0.5 * x) || grown(&mut t, 0.5) > 9.0 {
        s += t;
    }
    let both = grows(&mut s, 1.1) && grows(&mut t, 1.2);
    if both { s * t } else { s + t * t }
}
#[differentiable]
fn in_else_if(x: f64, y: f64) -> f64 {
    let mut s = x;
    if y > 100.0 {
        s = 0.0;
    } else if !grows(&mut s, y) {
        s += x;
    } else if grown(&mut s, y) > 0.5 {
        s *= y;
    }
    s
}
#[differentiable]
fn in_labelled_loop(x: f64, y: f64) -> f64 {
    let mut s = x;
    'rows: for i in 0..4 {
        while grows(&mut s, y) {
            s -= 0.3 * x;
            if i == 2 {
                continue 'rows;
            }
            if i == 3 {
                break 'rows;
            }
            s = 0.2 * x;
        }
        s += y;
    }
    s
}
#[differentiable]
fn of_a_method(x: f64, y: f64) -> f64 {
    let mut walk = Walk {
        at: x,
        steps: 0,
        memory: vec![y, x, 0.3],
    };
    while walk.advance(y) {}
    if walk.slope(x) > 0.3 && walk.steps < 9 {
        walk.at += x;
    }
    walk.run(y);
    walk.at + walk.memory[1] * walk.memory[2]
}
#[differentiable]
fn of_what_is_lent(s: &mut f64, k: f64) -> f64 {
    let mut n = 0;
    while grows(s, k) {
        n += 1;
        if n > 3 {
            break;
        }
    }
    if !grows(s, k) {
        *s += 1.0;
    }
    *s * k
}
#[derive(Clone, Tangent)]
struct Level {
    at: f64,
}
#[differentiable]
impl Level {
    // the name of a method that changes another type
    fn advance(&self, k: f64) -> bool {
        self.at * k > 0.5
    }
}
#[differentiable]
fn of_a_method_that_reads(x: f64, y: f64) -> f64 {
    let (mut level, mut n) = (Level { at: x }, 0);
    assert!(level.advance(y) || !level.advance(y));
    while level.advance(y) && n < 3 {
        level.at *= 0.9;
        n += 1;
    }
    level.at * y
}
#[derive(Clone, Tangent)]
struct Named {
    at: f64,
    entries: Vec<f64>,
}
#[differentiable]
impl Named {
    // names of the standard library's, that change nothing
    fn norm(&self) -> f64 {
        self.at * self.entries[0]
    }
    fn len(&self) -> usize {
        self.entries.len()
    }
    fn first(&self) -> f64 {
        self.entries[0]
    }
}
#[differentiable]
fn of_what_macros_ask(x: f64, y: f64) -> f64 {
    let mut s = Named {
        at: x,
        entries: vec![y, x],
    };
    s.at += 1.0;
    s.entries[0] *= 2.0;
    assert!(
        s.entries.iter().all(|a| a.is_finite()) && s.len() == 2,
        "{}",
        s.norm()
    );
    assert_eq!(s.entries.len(), 2, "{:?} {n}", s.first(), n = s.len());
    debug_assert!(matches!(s.len(), 1 | 2));
    s.norm() * s.at
}
fn dice(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1);
    *seed >> 60
}
#[differentiable]
fn of_what_has_no_derivative(x: f64, y: f64) -> f64 {
    let (mut seed, mut s) = (7, x);
    while dice(&mut seed) > 3 {
        s *= y;
    }
    if x > -9.0 && dice(&mut seed) < 8 {
        s += x;
    }
    s
}

judge! {
    in_while(0.9, 1.1) (0.9, 0.3);
    in_while_compared(0.9, 1.1) (0.4, 0.3);
    after_another_condition(0.9, 1.1) (1.4, 0.3);
    twice_in_one_condition(0.9, 1.1) (0.3, 0.6) (1.9, 0.2);
    in_else_if(0.9, 1.1) (0.5, 0.6) (3.0, 0.3);
    in_labelled_loop(0.9, 1.3) (1.7, 2.0);
    of_a_method(0.9, 1.1) (1.6, -0.7);
    of_a_method_that_reads(0.9, 1.1);
    of_what_macros_ask(0.9, 1.1);
    of_what_is_lent(&mut 0.9, 1.1) (&mut 1.6, 0.4);
    of_what_has_no_derivative(0.9, 1.1);
}
