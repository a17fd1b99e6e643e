//! Points away from where points are drawn: fewer digits are asked of a rule there, and of the differences more.

use super::{PLACES, Point};
use crate::check::Check;
use crate::ladder::Precision;
use crate::probe::Probes;
use crate::subject::{Fault, Primal};

/// Slopes of one are no longer known to three digits.
const MUCH: f64 = 1e-3;

/// A slope may be off by so much more than the values that a wide step sees.
const BLURRED: f64 = 1024.0;

impl Point {
    /// The same point where rules need not be right to more than eight digits, nor at all if an output is not known.
    pub(crate) fn in_eight_digits(mut self, wild: bool) -> Self {
        let eight = |probes: Vec<Probes>| {
            let probes = probes.into_iter();
            probes.map(|probes| probes.in_eight_digits(wild)).collect()
        };
        self.probes = self.probes.and_then(eight);
        self
    }

    /// The same point where rules need not be right to more than five digits, nor at all if an output is not known.
    pub(crate) fn in_five_digits(
        mut self,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        check: Check,
        is_plain: bool,
        noise: &[f64],
    ) -> Self {
        let probes = self.probes.take();
        self.probes = probes.map(|all| all.into_iter().map(Probes::with_zero_slopes).collect());
        // Where one output has a kink, another may have a slope in every direction, and no derivative.
        // Steps beside the end of a domain leave it.
        self.bent = check != Check::N5 && self.is_smooth() && self.is_bent(&call);
        // Far out wide steps take a staircase for a slope.
        let mut probes = self.probes.iter().flatten();
        let jumps = check == Check::N2 && probes.any(|probes| probes.noise() > PLACES);
        let wild = jumps || !self.is_smooth();
        let outputs = self.total(self.primal.clone()).unwrap_or_default();
        let precision = self.precision();
        let floors = self.primals.iter().map(|floats| match check {
            Check::N3 | Check::N5 => rounding_across(precision, floats, &outputs, noise),
            _ => vec![0.0; outputs.len()],
        });
        let five = |probes: Vec<Probes>| {
            let probes = probes.into_iter().zip(floors);
            let five = probes.map(|(probes, floors)| probes.in_five_digits(wild, &floors));
            five.collect()
        };
        self.probes = self.probes.and_then(five);
        if is_plain && !wild {
            let steady = self.steady(call);
            let probes = self.probes.iter_mut().flatten();
            probes
                .zip(steady)
                .for_each(|(probes, steady)| probes.doubt_all_but(&steady));
        }
        self
    }

    /// The same point far out, where rules need not be right to more than five digits, nor at all where the differences know too little of
    /// an output.
    pub(crate) fn far_out(
        mut self,
        call: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
        noise: &[f64],
    ) -> Self {
        let probes = self.probes.take();
        self.probes = probes.map(|all| all.into_iter().map(Probes::with_zero_slopes).collect());
        // What loses digits far out may be turning so fast that no step sees it.
        let mut all = self.probes.iter().flatten();
        if all.any(|probes| probes.noise() > PLACES) || self.is_bent(&call) {
            self.probes = None;
            return self;
        }
        let (steady, precision) = (self.steady(call), self.precision());
        let outputs = self.total(self.primal.clone()).unwrap_or_default();
        let mut probes: Vec<_> = self.probes.take().unwrap_or_default();
        let rows = probes.iter_mut().zip(&self.primals).zip(steady);
        for ((probes, floats), steady) in rows {
            let floors = rounding_across(precision, floats, &outputs, noise);
            probes.widen_to_five_digits(&floors);
            probes.doubt_all_but(&steady);
        }
        self.probes = Some(probes);
        self
    }
}

/// How far a slope at the scale of the smallest of `floats` may be off because outputs are rounded, if that is much. A function
/// that bends there looks like a line, or like a kink, to steps that see more than rounding.
/// What loses digits elsewhere, `noise`, loses them here too.
fn rounding_across(
    precision: Precision,
    floats: &[f64],
    outputs: &[f64],
    noise: &[f64],
) -> Vec<f64> {
    let sizes = floats.iter().map(|x| x.abs()).filter(|x| *x > 0.0);
    let smallest = sizes.fold(f64::INFINITY, f64::min);
    let across = |output: &f64| precision.epsilon() * output.abs() / smallest;
    let much = |across: f64| if across > MUCH { across } else { 0.0 };
    let noise = noise.iter().map(|noise| BLURRED * noise);
    let floors = outputs.iter().zip(noise.chain(std::iter::repeat(0.0)));
    floors
        .map(|(output, noise)| much(across(output)).max(noise))
        .collect()
}
