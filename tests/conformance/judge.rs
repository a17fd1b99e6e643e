//! The judge: every function in both modes, all mixes of activities, one lane and three, against differences of its primal.
//!
//! Arguments go in as [`DynArg`](coenzyme::DynArg), whose activity is a value: so one instance of the generated code for each
//! width serves all mixes, and the suite compiles in the time of two calls per function. What is judged, at each point:
//!
//! * forward: value and tangents, for random tangents in every lane;
//! * reverse: value, and shadows that start from random numbers and that the sweep adds to; a second time with everything
//!   `overwritten`, memory poisoned with NaN between the halves;
//! * no half changes what it must not: the primal half no shadow, the reverse half no memory.
//!
//! Where memory that the function writes is `Const`, its derivative is severed by definition (what is read from it is inactive)
//! and differences say nothing: then both modes must agree with each other.

use super::subject::{Kind, Subject};

/// A number between −1 and 1 that is not special.
fn noise(seed: usize) -> f64 {
    let x = (seed as f64 * 12.9898 + 4.1414).sin() * 43758.5453;
    2.0 * (x - x.floor()) - 1.0
}

fn random(seed: usize, n: usize) -> Vec<f64> {
    (0..n)
        .map(|i| noise(seed * 131 + i * 17 + seed / 7))
        .collect()
}

/// `n` numbers between 0.3 and 1.7.
pub(crate) fn positive(n: usize) -> Vec<f64> {
    random(3, n).iter().map(|x| 1.0 + 0.7 * x).collect()
}

/// `n` numbers between −1.5 and 1.5.
pub(crate) fn any(n: usize) -> Vec<f64> {
    random(11, n).iter().map(|x| 1.5 * x).collect()
}

/// The derivative of the flat primal: `jacobian[input][output]`, by central differences, extrapolated once.
fn differences(s: &dyn Subject, x: &[f64], step: f64) -> Vec<Vec<f64>> {
    let slope = |i: usize, h: f64| -> Vec<f64> {
        let at = |by: f64| {
            let mut x = x.to_vec();
            x[i] += by;
            s.primal(&x)
        };
        let (up, down) = (at(h), at(-h));
        up.iter()
            .zip(&down)
            .map(|(a, b)| (a - b) / (2.0 * h))
            .collect()
    };
    let column = |i: usize| {
        let (coarse, fine) = (slope(i, step), slope(i, step / 2.0));
        fine.iter()
            .zip(&coarse)
            .map(|(f, c)| (4.0 * f - c) / 3.0)
            .collect()
    };
    (0..x.len()).map(column).collect()
}

/// One point, one mix.
struct Trial<'a> {
    subject: &'a dyn Subject,
    point: &'a [f64],
    mask: &'a [bool],
    /// Which entries of the input are active.
    inputs: Vec<bool>,
    /// Which entries of the output are: the returned value and memory that is active.
    outputs: Vec<bool>,
    tolerance: f64,
}

impl Trial<'_> {
    fn say(&self, what: &str) -> String {
        let activities: Vec<&str> = self
            .mask
            .iter()
            .map(|m| if *m { "active" } else { "const" })
            .collect();
        format!(
            "{} ({}): {what}",
            self.subject.name(),
            activities.join(", ")
        )
    }

    fn compare(&self, what: &str, got: &[f64], expected: &[f64], weight: &[f64]) {
        assert_eq!(got.len(), expected.len(), "{}", self.say(what));
        for (i, (g, e)) in got.iter().zip(expected).enumerate() {
            let bar = self.tolerance * (1.0 + weight.get(i).copied().unwrap_or(0.0) + e.abs());
            assert!(
                (g - e).abs() <= bar,
                "{}, entry {i}: got {g}, expected {e}\n got      {got:?}\n expected {expected:?}",
                self.say(what)
            );
        }
    }

    fn same(&self, what: &str, got: &[f64], expected: &[f64]) {
        let same = got.len() == expected.len()
            && got
                .iter()
                .zip(expected)
                .all(|(a, b)| a.to_bits() == b.to_bits());
        assert!(
            same,
            "{}: got {got:?}, expected {expected:?}",
            self.say(what)
        );
    }

    /// Forward mode in `w` lanes, against `jacobian`.
    fn forward(&self, w: usize, jacobian: &[Vec<f64>]) {
        let lanes: Vec<Vec<f64>> = (0..w)
            .map(|l| random(w * 10 + l, self.point.len()))
            .collect();
        let out = self.subject.forward(w, self.point, self.mask, &lanes);
        self.compare(
            "forward, the value",
            &out.value,
            &self.subject.primal(self.point),
            &[],
        );
        for (lane, (got, seed)) in out.tangents.iter().zip(&lanes).enumerate() {
            let mut expected = vec![0.0; got.len()];
            let mut weight = expected.clone();
            for (i, column) in jacobian.iter().enumerate().filter(|(i, _)| self.inputs[*i]) {
                for (o, c) in column.iter().enumerate().filter(|(o, _)| self.outputs[*o]) {
                    expected[o] += c * seed[i];
                    weight[o] += (c * seed[i]).abs();
                }
            }
            self.compare(
                &format!("forward, lane {lane} of {w}"),
                got,
                &expected,
                &weight,
            );
        }
    }

    /// Reverse mode in `w` lanes, against `jacobian`.
    fn reverse(&self, w: usize, jacobian: &[Vec<f64>], poisoned: bool) {
        let n = self.outputs.len() - self.subject.written();
        let returned: Vec<Vec<f64>> = (0..w).map(|l| random(w * 20 + l, n)).collect();
        let shadows: Vec<Vec<f64>> = (0..w)
            .map(|l| random(w * 30 + l, self.point.len()))
            .collect();
        let out = self
            .subject
            .reverse(w, self.point, self.mask, &returned, &shadows, poisoned);
        let half = if poisoned {
            "reverse, overwritten"
        } else {
            "reverse"
        };
        self.compare(
            &format!("{half}, the value"),
            &out.value,
            &self.subject.primal(self.point),
            &[],
        );
        self.same(
            &format!("{half}, memory after the reverse half"),
            &out.memory.1,
            &out.memory.0,
        );
        for (lane, (got, start)) in out.shadows.iter().zip(&shadows).enumerate() {
            // the cotangent of the output: the seed, then the shadows of written memory
            let mut seed = returned[lane].clone();
            let exclusive = self.subject.exclusive();
            seed.extend(
                start
                    .iter()
                    .zip(&exclusive)
                    .filter(|(_, e)| **e)
                    .map(|(s, _)| *s),
            );
            let mut expected = start.clone();
            let mut weight = vec![0.0; expected.len()];
            for (i, e) in expected
                .iter_mut()
                .enumerate()
                .filter(|(i, _)| self.inputs[*i])
            {
                if exclusive[i] {
                    *e = 0.0;
                }
                for (o, c) in jacobian[i]
                    .iter()
                    .enumerate()
                    .filter(|(o, _)| self.outputs[*o])
                {
                    *e += c * seed[o];
                    weight[i] += (c * seed[o]).abs();
                }
            }
            self.compare(
                &format!("{half}, lane {lane} of {w}"),
                got,
                &expected,
                &weight,
            );
        }
    }

    /// The derivative that forward mode claims.
    fn claimed(&self) -> Vec<Vec<f64>> {
        let unit = |i: usize| {
            let mut seed = vec![0.0; self.point.len()];
            seed[i] = 1.0;
            self.subject
                .forward(1, self.point, self.mask, &[seed])
                .tangents
                .remove(0)
        };
        (0..self.point.len()).map(unit).collect()
    }
}

/// Judges a function at one point.
pub(crate) fn judge(subject: &dyn Subject) {
    let x = subject.point();
    let (step, tolerance) = if subject.single() {
        (0.06, 2e-3)
    } else {
        (5e-4, 1e-8)
    };
    let jacobian = differences(subject, &x, step);
    let (kinds, lens) = (subject.kinds(), subject.lengths());
    let value = subject.primal(&x).len() - subject.written();
    for mix in 0..1_usize << kinds.len() {
        let mask: Vec<bool> = (0..kinds.len()).map(|i| mix >> i & 1 == 1).collect();
        // an argument without floats has one activity
        if mask.iter().zip(&lens).any(|(m, n)| *m && *n == 0) {
            continue;
        }
        let entries = |of: &dyn Fn(usize) -> bool| -> Vec<bool> {
            let per = lens.iter().enumerate().filter(|(i, _)| of(*i));
            per.flat_map(|(i, n)| std::iter::repeat_n(mask[i], *n))
                .collect()
        };
        let mut outputs = vec![true; value];
        outputs.extend(entries(&|i| kinds[i] == Kind::Exclusive));
        let trial = Trial {
            subject,
            point: &x,
            mask: &mask,
            inputs: entries(&|_| true),
            outputs,
            tolerance,
        };
        let severed = kinds
            .iter()
            .zip(&mask)
            .any(|(k, m)| *k == Kind::Exclusive && !m);
        let reference = if severed {
            trial.claimed()
        } else {
            jacobian.clone()
        };
        // one lane and several: a rule is generic over their number, and each costs a compilation
        for w in [1, 3] {
            trial.forward(w, &reference);
            trial.reverse(w, &reference, false);
            trial.reverse(w, &reference, true);
        }
    }
}
