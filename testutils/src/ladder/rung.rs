//! What one step shows about one output entry.

/// No change within this fraction of the coordinate's scale, and the entry is locally constant …
const NEARBY: f64 = 1.0 / 131_072.0;

/// … provided that the last change was as many units in the last place: a saturating function comes to
/// rest gently.
const ABRUPT: f64 = 4096.0;

/// A step that is an eighth of one that still shows a change sees no more than this many stairs there.
const FEW: f64 = 32.0;

/// How much two slopes of a staircase differ by what it bends.
const ALIKE: f64 = 0.25;

/// A wide step sees both sides rise, though not alike: where one side is flat, they differ by twice the slope.
const BENT: f64 = 1.5;

/// One step of the ladder, seen by one output entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rung {
    /// Half the distance between the displaced points.
    pub(super) step: f64,
    /// The central difference quotient.
    pub(super) slope: f64,
    /// The difference of the one-sided quotients, `|D⁺ − D⁻|`.
    pub(super) jump: f64,
    /// `|f₊| + |f₋|`, which rounding is relative to.
    pub(super) magnitude: f64,
    /// `f₊ − f₋`.
    pub(super) change: f64,
    /// Whether the step says anything.
    pub(super) alive: bool,
    /// Dead because the function moved by less than its last place.
    pub(super) saturated: bool,
}

impl Rung {
    /// The rung of a step at which the primal fails.
    pub(super) const DEAD: Rung = Rung {
        step: f64::NAN,
        slope: f64::NAN,
        jump: f64::NAN,
        magnitude: f64::NAN,
        change: f64::NAN,
        alive: false,
        saturated: false,
    };

    /// The rung of primal values `minus`, `at` and `plus` at distances `left` and `right`.
    pub(super) fn new(minus: f64, at: f64, plus: f64, left: f64, right: f64) -> Self {
        let change = plus - minus;
        let width = left + right;
        let rung = Rung {
            step: width / 2.0,
            slope: change / width,
            jump: ((plus - at) / right - (at - minus) / left).abs(),
            magnitude: plus.abs() + minus.abs(),
            change,
            alive: true,
            saturated: false,
        };
        let alive =
            left > 0.0 && right > 0.0 && rung.slope.is_finite() && rung.magnitude.is_finite();
        if alive { rung } else { Rung::DEAD }
    }
}

/// Whether the living rungs all show no change at all.
pub(super) fn all_flat(rungs: &[Rung]) -> bool {
    rungs
        .iter()
        .filter(|rung| rung.alive)
        .all(|rung| rung.change == 0.0)
}

/// Whether the living rungs show no more than rounding, up and down: intermediate results may be larger than the value.
pub(super) fn all_jitter(rungs: &[Rung], epsilon: f64) -> bool {
    rungs
        .iter()
        .filter(|rung| rung.alive)
        .all(|rung| rung.change.abs() <= ABRUPT * epsilon * rung.magnitude)
}

/// Kills the rungs that show no change among others that do. Answers whether what is left is a staircase.
///
/// They are saturated: the function moved by less than its last place. But where *every* rung from
/// some wide one down shows no change, the wider ones looked across a branch (`floor`, `max` with a
/// constant), the derivative is zero, and it is they that are killed. Unless they all see one slope, by whole steps.
pub(super) fn kill_saturated(rungs: &mut [Rung], scale: f64, epsilon: f64) -> bool {
    let changed = |rung: &Rung| rung.alive && rung.change != 0.0;
    let Some(last) = rungs.iter().rposition(changed) else {
        return false;
    };
    let constant_from = last + 1;
    let abrupt = rungs[last].change.abs() > ABRUPT * epsilon * rungs[last].magnitude;
    let next = rungs[constant_from..].iter().find(|rung| rung.alive);
    let locally_constant = abrupt && next.is_some_and(|rung| rung.step >= NEARBY * scale);
    let staircase = locally_constant && is_staircase(&rungs[..constant_from]);
    if locally_constant && !staircase {
        rungs[..constant_from].fill(Rung::DEAD);
        return false;
    }
    for rung in rungs.iter_mut().filter(|rung| rung.change == 0.0) {
        *rung = Rung {
            saturated: true,
            ..Rung::DEAD
        };
    }
    staircase
}

/// Whether the narrowest two rungs rise alike on both sides, by a few steps of one height.
fn is_staircase(rungs: &[Rung]) -> bool {
    let mut alive = rungs.iter().rev().filter(|rung| rung.alive);
    let (Some(last), Some(before)) = (alive.next(), alive.next()) else {
        return false;
    };
    let height = lowest_bit(last.change).min(lowest_bit(before.change));
    let step = height / last.step;
    last.change.abs() <= FEW * height
        && last.jump <= 2.0 * step
        && (last.slope - before.slope).abs() <= step + ALIKE * before.slope.abs()
        && before.jump <= 2.0 * height / before.step + BENT * before.slope.abs()
}

/// The largest power of two of which a number is a multiple.
fn lowest_bit(x: f64) -> f64 {
    let (exponent, mantissa) = ((x.to_bits() >> 52) & 0x7ff, x.to_bits() << 12 >> 12);
    let zeros = (mantissa | 1 << 52).trailing_zeros();
    f64::from(exponent as i32 - 1075 + zeros as i32).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rung_without_width_on_one_side_is_dead() {
        for (left, right) in [(0.0, 1.0), (1.0, 0.0)] {
            assert!(!Rung::new(1.0, 2.0, 4.0, left, right).alive);
        }
        assert!(Rung::new(1.0, 2.0, 4.0, 1.0, 1.0).alive);
    }

    fn rungs(f: impl Fn(f64) -> f64, x: f64) -> Vec<Rung> {
        let at = |k: i32| {
            let h = 0.25 * 8_f64.powi(-k);
            Rung::new(f(x - h), f(x), f(x + h), h, h)
        };
        (0..16).map(at).collect()
    }

    fn alive(rungs: &[Rung]) -> Vec<bool> {
        rungs.iter().map(|rung| rung.alive).collect()
    }

    #[test]
    fn steps_out_of_the_domain_are_dead() {
        let alive = alive(&rungs(f64::ln, 0.01));
        assert_eq!(alive[..3], [false, false, true]);
    }

    #[test]
    fn changes_above_rounding_are_no_jitter() {
        let of = |change: f64| {
            let mut rungs = rungs(|_| 1.0, 1.0);
            rungs[3].change = change;
            all_jitter(&rungs, f64::EPSILON)
        };
        assert!(of(0.0) && of(f64::EPSILON) && of(-f64::EPSILON));
        assert!(!of(1.0) && !of(-1.0) && !of(1e-9));
    }

    #[test]
    fn saturated_steps_are_dead() {
        let mut rungs = rungs(|x| 1e12 + x, 1.0);
        kill_saturated(&mut rungs, 1.0, f64::EPSILON);
        let alive = alive(&rungs);
        assert!(alive[3] && !alive[8] && rungs[15].saturated);
    }

    /// What is left alive of a rung that changes by `change` above two that do not.
    fn survivors(change: f64, scale: f64) -> Vec<bool> {
        let rung = |step, change| Rung {
            step,
            slope: change,
            jump: 0.0,
            magnitude: 1.0,
            change,
            alive: true,
            saturated: false,
        };
        let mut rungs = [
            rung(1.0, change),
            rung(NEARBY, 0.0),
            rung(NEARBY / 8.0, 0.0),
        ];
        // So that an abrupt change is one of more than 1.
        kill_saturated(&mut rungs, scale, 1.0 / ABRUPT);
        alive(&rungs)
    }

    #[test]
    fn functions_that_stop_abruptly_and_not_too_near_are_constant() {
        assert_eq!(survivors(1.5, 1.0), [false, true, true]);
        assert_eq!(survivors(1.0, 1.0), [true, false, false], "gently");
        assert_eq!(survivors(1.5, 2.0), [true, false, false], "too near");
        assert_eq!(survivors(1.5, 0.5), [false, true, true]);
    }

    #[test]
    fn what_loses_its_digits_is_a_staircase_and_a_branch_is_none() {
        let is_staircase = |f: fn(f64) -> f64, x: f64| {
            let mut rungs = rungs(f, x);
            kill_saturated(&mut rungs, 1.0, f64::EPSILON)
        };
        assert!(is_staircase(|x| (x + 1e6) * (x - 1e6) + 1e12, 1.25));
        assert!(is_staircase(|x| (x + 3e6) * (x - 3e6) + 9e12, 0.7));
        assert!(is_staircase(|x| (x + 1e7) * (x - 1e7) + 1e14, 0.65));
        assert!(!is_staircase(|x| x.max(2.0), 1.9));
        assert!(!is_staircase(|x| x.max(2.0), 1.875));
        assert!(!is_staircase(f64::floor, 2.375));
        assert!(!is_staircase(f64::sin, 2.375));
    }

    #[test]
    fn constant_branch_is_told_from_saturation() {
        let mut rungs = rungs(|x| x.max(2.0), 1.9);
        kill_saturated(&mut rungs, 2.0, f64::EPSILON);
        assert!(all_flat(&rungs) && !rungs[0].alive && rungs[1].alive);
    }
}
