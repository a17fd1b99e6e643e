//! N5: where the domain ends. Between a number that the function takes and one that it refuses, the last that it takes is found by
//! halving, and the rule is judged a little inside of it.

use super::Trial;
use crate::check::Check;
use crate::judge::{Change, Place};
use crate::subject::{Fault, Primal};

/// Numbers of either sign at which a domain may have ended.
const OUTSIDE: [f64; 4] = [1.25, -1.25, 30.0, -30.0];

/// How far inside, as a part of the way to the point.
const INSIDE: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-6];

/// Halvings of the way between the two.
const HALVINGS: usize = 60;

/// A domain that ends nearer to zero ends at zero, beside which rules are judged anyway; and there numbers that underflow look like an
/// end.
const AT_ZERO: f64 = 1e-3;

impl Trial<'_> {
    /// Places a little inside of where the domain of each argument ends, on either side of the point.
    pub(super) fn ends(&self, seed: u64) -> Vec<Place> {
        let given = self.subject.given();
        let signature = &self.protocol.signature;
        let point = signature.draw(&given, &self.stream(seed));
        let read = signature.arguments.iter().zip(&point).enumerate();
        let read =
            read.filter(|(_, (parameter, floats))| !parameter.write_only && !floats.is_empty());
        let sides = read.flat_map(|(argument, (_, floats))| {
            OUTSIDE.map(|outside| (argument, floats[0], outside))
        });
        let ends = sides.filter(|(argument, inside, outside)| {
            self.takes(&point, *argument, *inside) && self.refuses(&point, *argument, *outside)
        });
        let places = ends.filter_map(|(argument, inside, outside)| {
            let (mut last, mut beyond) = (inside, outside);
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(last, beyond);
                match self.takes(&point, argument, middle) {
                    true => last = middle,
                    false => beyond = middle,
                }
            }
            let place = |part: f64| Place {
                check: Check::N5,
                change: Change::Beyond(argument, last + part * (inside - last)),
            };
            (last.abs() > AT_ZERO).then_some(INSIDE.map(place))
        });
        places.flatten().collect()
    }

    /// The function at a point, with all of an argument near a number, if it may be there.
    fn at_number(
        &self,
        point: &[Vec<f64>],
        argument: usize,
        number: f64,
    ) -> Option<Result<Primal, Fault>> {
        let mut primals = point.to_vec();
        let signature = &self.protocol.signature;
        signature.change(&mut primals, Change::Beyond(argument, number));
        let admitted = signature.admits(&primals);
        admitted.then(|| self.subject.primal(&primals))
    }

    fn takes(&self, point: &[Vec<f64>], argument: usize, number: f64) -> bool {
        let there = self.at_number(point, argument, number);
        there.is_some_and(|primal| primal.is_ok_and(|primal| primal.is_finite()))
    }

    /// Whether the function says that it takes no such number: what is infinite there may have overflowed.
    fn refuses(&self, point: &[Vec<f64>], argument: usize, number: f64) -> bool {
        match self.at_number(point, argument, number) {
            Some(Ok(primal)) => primal.has_nan(),
            Some(Err(_)) => true,
            None => false,
        }
    }
}
