//! A receiver that is taken by value is what it was before the arguments of its call, whatever they change. What is lent is lent in place.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Tangent)]
struct Pair {
    a: f64,
    b: f64,
}

#[differentiable]
impl Pair {
    fn moved(self, k: f64) -> Pair {
        Pair {
            a: self.a * k + self.b,
            b: self.b - k * self.a * 0.5,
        }
    }
    fn norm(self, k: f64) -> f64 {
        self.a * self.a * k + self.b
    }
    fn eat(&mut self) -> f64 {
        self.a = self.a * 0.7 + self.b * self.b;
        self.b *= 0.9;
        self.a * self.b
    }
    fn add_to(&mut self, k: f64) {
        self.a += k * self.b;
    }
}

#[derive(Clone, Copy, Tangent)]
struct Two {
    p: Pair,
    q: Pair,
}

#[differentiable]
fn eat(p: &mut Pair) -> f64 {
    p.a = (p.a * p.b).sin();
    p.a + p.b
}
#[differentiable]
fn with(p: Pair, k: f64) -> f64 {
    p.a * k + p.b * k * k
}

#[differentiable]
fn receiver_by_value(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = p.eat() + p.moved(eat(&mut p)).a;
    z * p.a
}
#[differentiable]
fn receiver_of_an_argument(p: &mut Pair) -> f64 {
    let z = p.norm({
        p.a *= p.b;
        p.a
    });
    z * p.a
}
#[differentiable]
fn receiver_in_a_loop(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let mut sum = 0.0;
    for _ in 0..3 {
        sum += p.norm(eat(&mut p));
        p = p.moved(eat(&mut p) * 0.1);
    }
    sum * p.b
}
#[differentiable]
fn receiver_lent_to_a_function(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    p.norm(eat(&mut p)) * p.a
}
#[differentiable]
fn receiver_in_a_block(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = p.norm({
        p.a *= x;
        p.b = p.a * y;
        p.b
    });
    z + p.a * p.b
}
#[differentiable]
fn receiver_is_an_entry(x: &[f64]) -> f64 {
    let mut w = [Pair { a: x[0], b: x[1] }, Pair { a: x[1], b: x[2] }];
    let z = w[0].norm(eat(&mut w[0])) * w[1].norm(eat(&mut w[0]));
    z + w[0].a
}
#[differentiable]
fn receiver_is_a_field(x: &[f64]) -> f64 {
    let mut s = Two {
        p: Pair { a: x[0], b: x[1] },
        q: Pair { a: x[1], b: x[2] },
    };
    let z = s.p.norm(eat(&mut s.p)) + s.q.norm(eat(&mut s.q));
    z * s.p.a + s.q.a
}
#[differentiable]
fn other_field_changes(x: &[f64]) -> f64 {
    let mut s = Two {
        p: Pair { a: x[0], b: x[1] },
        q: Pair { a: x[1], b: x[2] },
    };
    s.p.add_to(s.q.eat());
    s.q.add_to(eat(&mut s.p));
    s.p.a * s.q.a + s.q.b
}
#[differentiable]
fn receiver_and_whole_struct(x: &[f64]) -> f64 {
    let mut s = Two {
        p: Pair { a: x[0], b: x[1] },
        q: Pair { a: x[1], b: x[2] },
    };
    let z = s.p.norm({
        s = Two {
            p: s.q.moved(x[0]),
            q: s.p,
        };
        s.p.a
    });
    z * s.q.a + s.p.b
}
#[differentiable]
fn receiver_under_a_reference(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let r = &mut p;
    let z = r.norm({
        r.a *= x;
        r.a
    }) * r.moved(eat(&mut *r)).b;
    z + p.a
}
#[differentiable]
fn receiver_under_two_names(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let r = &mut p;
    let z = r.norm({
        p.a *= x;
        p.a
    });
    let r = &mut p;
    let w = r.moved(p.eat()).a;
    z * w + p.a
}
#[differentiable]
fn a_part_of_a_receiver_under_two_names(x: f64, y: f64) -> f64 {
    let mut t = Two {
        p: Pair { a: x, b: y },
        q: Pair { a: y, b: x },
    };
    let r = &mut t.p;
    let z = r.norm({
        t.p.b = x * y;
        t.q.a
    });
    let r = &mut t.p;
    // a field beside it: the method changes its receiver in place
    r.add_to({
        t.q.a *= x;
        t.q.a
    });
    z + t.p.a * t.q.a
}
#[differentiable]
fn receiver_of_two_arguments(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = p.moved(eat(&mut p) * p.norm(eat(&mut p))).norm(p.eat());
    z + p.a
}
#[differentiable]
fn receiver_then_a_branch(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = p.norm(if x > 0.1 { eat(&mut p) } else { x });
    z * p.a
}
#[differentiable]
fn receiver_in_parentheses(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = (p).norm(eat(&mut p)) * 2.0f64.powf((&mut p).eat());
    z * p.a
}
#[differentiable]
fn argument_by_value(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = with(p, p.eat()) * Pair::norm(p, p.eat());
    z * p.a
}
#[differentiable]
fn parts_of_a_literal(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let t = Two {
        p,
        q: p.moved(eat(&mut p)),
    };
    let (u, v) = (p, p.eat());
    let w = [p.a, p.eat(), p.a];
    t.p.a * t.q.b + u.a * v + w[0] * w[1] * w[2]
}
#[differentiable]
fn left_of_an_operator(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = p.a * p.eat() + p.a * eat(&mut p);
    z * p.a
}
#[differentiable]
fn receiver_changed_by_its_method(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    p.add_to(p.norm(0.3));
    p.add_to(with(p, x) * p.norm(y));
    p.a * p.b
}
#[differentiable]
fn moved_and_made_again(x: f64, y: f64) -> f64 {
    let mut p = Pair { a: x, b: y };
    let z = p.norm({
        p = Pair { a: y, b: x * y };
        p.a
    });
    z * p.b
}

/// Methods that the standard library has as well, where they change nothing.
#[derive(Clone, Tangent)]
struct Queue {
    entries: Vec<f64>,
    asked: usize,
}

#[differentiable]
impl Queue {
    fn last(&mut self) -> f64 {
        self.asked += 1;
        let k = self.entries.len() - 1;
        self.entries[k] *= 2.0;
        self.entries[k]
    }
    fn max(&mut self, k: f64) -> f64 {
        self.entries[0] += k;
        self.entries[0]
    }
}

#[differentiable]
fn names_of_what_changes_nothing(x: f64, y: f64) -> f64 {
    let mut queue = Queue {
        entries: vec![x, y],
        asked: 0,
    };
    let a = queue.last();
    let b = queue.max(x);
    a * b + queue.last() * queue.asked as f64
}

#[derive(Clone, Debug, Tangent)]
struct Walk {
    at: f64,
    steps: usize,
}

#[differentiable]
impl Walk {
    fn advance(&mut self, k: f64) -> usize {
        self.at *= k;
        self.steps += 1;
        self.steps
    }
}

#[differentiable]
fn changed_in_an_index(v: &[f64], k: f64) -> f64 {
    let mut walk = Walk { at: v[0], steps: 0 };
    let first = v[walk.advance(k)] * walk.at;
    v[walk.advance(k)] * walk.at + first
}

judge! {
    names_of_what_changes_nothing(0.83, 1.1) (1.37, -0.6);
    receiver_by_value(0.83, 1.1);
    receiver_of_an_argument(&mut Pair { a: 0.83, b: 1.1 });
    receiver_in_a_loop(0.83, 0.7);
    receiver_lent_to_a_function(0.83, 1.1);
    receiver_in_a_block(0.83, 1.1);
    receiver_is_an_entry(&vec![0.8, 1.1, 0.4]);
    receiver_is_a_field(&vec![0.8, 1.1, 0.4]);
    other_field_changes(&vec![0.8, 1.1, 0.4]);
    receiver_and_whole_struct(&vec![0.8, 1.1, 0.4]);
    receiver_under_a_reference(0.83, 1.1);
    receiver_under_two_names(0.83, 1.1);
    a_part_of_a_receiver_under_two_names(0.83, 1.1);
    receiver_of_two_arguments(0.83, 1.1);
    receiver_then_a_branch(0.83, 1.1);
    receiver_in_parentheses(0.83, 1.1);
    argument_by_value(0.83, 1.1);
    parts_of_a_literal(0.83, 1.1);
    left_of_an_operator(0.83, 1.1);
    receiver_changed_by_its_method(0.83, 1.1);
    moved_and_made_again(0.83, 1.1);
    changed_in_an_index(&vec![0.8, 1.1, 0.4], 0.7);
}
