//! N3 where the domain ends: between a number that the function takes and one that it does not, the last that it takes is found by
//! halving, and the rule is judged a little inside of it.

use std::collections::BTreeSet;

use super::Trial;
use super::points::Drawn;
use crate::check::Check;
use crate::judge::{Change, Place};

/// How far inside, as a part of the way to where the search began.
const INSIDE: [f64; 3] = [1e-2, 1e-3, 1e-4];

/// Halvings of the way between the two.
const HALVINGS: usize = 60;

impl Trial<'_> {
    /// Places a little inside of where the domain of each argument ends, on either side of zero, as far as that was met.
    pub(super) fn ends(&self, seed: u64) -> Vec<Place> {
        let magnitudes = self.protocol.signature.magnitudes(self.protocol.precision);
        let (mut taken, mut refused) = (Vec::new(), Vec::new());
        for change in magnitudes {
            if let Change::Beyond(argument, value) = change {
                match self.is_taken(seed, change) {
                    Some(true) => taken.push((argument, value)),
                    Some(false) => refused.push((argument, value)),
                    None => {}
                }
            }
        }
        // One end on each side will do: the nearest to zero.
        let mut sides = BTreeSet::new();
        refused.retain(|(argument, value)| sides.insert((*argument, *value > 0.0)));
        let place = |(argument, outside): (usize, f64)| {
            let distance = |value: &f64| (value - outside).abs();
            let of_it = taken.iter().filter(|(of, _)| *of == argument);
            let inside = of_it
                .map(|(_, value)| *value)
                .min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
            Some(self.inside(seed, argument, inside, outside))
        };
        refused.into_iter().filter_map(place).flatten().collect()
    }

    /// Places inside of the end between a number that is taken and one that is not.
    fn inside(&self, seed: u64, argument: usize, inside: f64, outside: f64) -> Vec<Place> {
        let (mut last, mut beyond) = (inside, outside);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(last, beyond);
            match self.takes(seed, Change::Beyond(argument, middle)) {
                true => last = middle,
                false => beyond = middle,
            }
        }
        let place = |part: f64| Place {
            check: Check::N3,
            change: Change::Beyond(argument, last + part * (inside - last)),
        };
        INSIDE.map(place).to_vec()
    }

    /// Whether the function has a value at a place that was scanned; `None` if nothing is to be tried there.
    fn is_taken(&self, seed: u64, change: Change) -> Option<bool> {
        let place = Place {
            check: Check::N4,
            change,
        };
        let drawn = Drawn::Scanned(place);
        let shared = self.point(seed, drawn);
        let point = self.measured(&shared, seed, drawn);
        let admitted = self.protocol.signature.admits(&point.primals);
        admitted.then(|| point.has_value())
    }

    /// The same of any other place.
    fn takes(&self, seed: u64, change: Change) -> bool {
        let given = self.subject.given();
        let mut primals = self.protocol.signature.draw(&given, &self.stream(seed));
        self.protocol.signature.change(&mut primals, change);
        let primal = self.subject.primal(&primals);
        primal.is_ok_and(|primal| primal.is_finite())
    }
}
