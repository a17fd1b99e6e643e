//! N4: numbers of every magnitude, at which each argument is looked at once, alone and with all others.

use super::change::Change::{self, Beyond, Everything};
use super::signature::{Parameter, Signature};
use crate::ladder::Precision;

/// The leading digits of what is tried of every magnitude, up to this power of ten, …
const DIGITS: [f64; 6] = [1.25, 1.8, 2.6, 3.9, 5.6, 8.0];
const EVERY_POWER_UP_TO: i32 = 3;

/// … and the powers of ten of which one number is tried. Farther out the last place of a number is wider than a step of a glance.
const POWERS: [i32; 5] = [4, 5, 6, 7, 9];
const POWERS_SINGLE: [i32; 1] = [4];

impl Signature {
    /// Every argument alone, and all that is read, at every magnitude.
    pub(crate) fn magnitudes(&self, precision: Precision) -> Vec<Change> {
        let read = |(index, parameter): (usize, &Parameter)| {
            (!parameter.write_only && parameter.length() > 0).then_some(index)
        };
        let alone: Vec<usize> = self.arguments.iter().enumerate().filter_map(read).collect();
        let several = alone.len() > 1;
        let all = |value: f64| {
            let alone = alone.iter().map(move |argument| Beyond(*argument, value));
            alone.chain(several.then_some(Everything(value)))
        };
        magnitudes(precision).into_iter().flat_map(all).collect()
    }
}

/// Numbers of every magnitude and both signs.
fn magnitudes(precision: Precision) -> Vec<f64> {
    let powers: &[i32] = match precision {
        Precision::Double => &POWERS,
        Precision::Single => &POWERS_SINGLE,
    };
    let near =
        (0..=EVERY_POWER_UP_TO).flat_map(|power| DIGITS.map(|digit| digit * 10.0_f64.powi(power)));
    let far = powers.iter().map(|power| DIGITS[0] * 10.0_f64.powi(*power));
    near.chain(far).flat_map(|x| [x, -x]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_up_to_ten_thousand_is_far_from_one_that_is_tried() {
        let tried = magnitudes(Precision::Double);
        for x in (1..100)
            .map(|power| 1.1_f64.powi(power))
            .take_while(|x| *x < 1e4)
        {
            for x in [x, -x] {
                let near = |of: &f64| (x / of).max(of / x);
                let nearest = tried.iter().filter(|of| **of * x > 0.0).map(near);
                assert!(nearest.fold(f64::INFINITY, f64::min) < 1.3, "{x}");
            }
        }
    }
}
