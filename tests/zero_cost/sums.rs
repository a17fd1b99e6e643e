//! A sum of nothing is −0: what is added to it stays as it is, bit by bit, so that the optimizer leaves the addition out.

use std::ops::Mul;

use coenzyme::ops::{Operand, mul};
use coenzyme::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
struct Pair {
    x: f64,
    y: f64,
}

/// A product that reads one part of each factor.
#[differentiable]
impl Mul for Pair {
    type Output = Pair;
    fn mul(self, other: Pair) -> Pair {
        let product = self.x * other.x;
        Pair {
            x: product,
            y: product,
        }
    }
}

#[test]
fn an_own_operator_adds_nothing_to_parts_that_it_does_not_read() {
    let [a, b, cotangent] = [(2.0, 3.0), (5.0, 7.0), (1.0, 0.5)].map(|(x, y)| Pair { x, y });
    let partials = Operand::<mul, (Pair,)>::partials(a, (b,), a * b);
    let (da, (db,)) = <Pair as Operand<mul, (Pair,)>>::pullback(&partials, &cotangent);
    assert_eq!((da, db), (Pair { x: 7.5, y: 0.0 }, Pair { x: 3.0, y: 0.0 }));
    assert!(da.y.is_sign_negative() && db.y.is_sign_negative());
}

#[differentiable]
fn first(a: Pair, b: Pair) -> f64 {
    (a * b).x
}

#[test]
fn a_user_sees_no_such_zero() {
    let [a, b] = [(2.0, 3.0), (5.0, 7.0)].map(|(x, y)| Pair { x, y });
    let ((da, db),) = autodiff!(Reverse, first, Active, Active(a), Active(b));
    assert_eq!((da, db), (Pair { x: 5.0, y: 0.0 }, Pair { x: 2.0, y: 0.0 }));
    assert!(da.y.is_sign_positive() && db.y.is_sign_positive());
}
