//! Z2, Z3: the same function at sizes, and with integers, that nobody has given.

use std::sync::Arc;
use std::time::{Duration, Instant};

use coenzyme::{Function, Outcome};

use super::points::Drawn;
use super::{Points, Tester};
use crate::argument::{Access, Draw, Passings};
use crate::case::Mode;
use crate::check::Check;
use crate::environment::Profile;
use crate::judge::{Budgets, Signature};
use crate::report::Report;
use crate::subject::{Mix, Subject};
use crate::verdict::Verdict;

use super::judging::Judge;

/// Sizes that show a loop that is unrolled, a vector register, a remainder, a block.
const SIZES: [usize; 10] = [0, 1, 2, 3, 5, 7, 17, 31, 67, 1009];

/// Arrays of more axes have no more entries than this: their functions take longer.
const ENTRIES: usize = 320;

/// A function that takes longer than this with some dozens of numbers is not called with a thousand: if its cost grows with
/// the cube of their number, each call would take seconds. What grows with the square takes a tenth of it, so that no machine
/// is in doubt about either; and what was left out is said.
const PATIENCE: Duration = Duration::from_millis(1);

/// The same function with other arguments, and by which check it is judged there.
pub(crate) struct Variation<F, Ps: Passings, Out: Outcome> {
    pub(super) check: Check,
    pub(super) tester: Tester<F, Ps, Out>,
}

impl<F, Ps, Out> Variation<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
{
    /// Whether a call of the function takes its time.
    fn is_slow(&self) -> bool {
        let tester = &self.tester;
        let given = tester.subject.given();
        let point = tester.signature.draw(&given, &tester.stream(tester.seed));
        let call = |_| {
            let start = Instant::now();
            let _ = tester.subject.primal(&point);
            start.elapsed()
        };
        // another process may interrupt one of them
        (0..3).map(call).min() > Some(PATIENCE)
    }
}

impl<F, Ps, Out> Tester<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
{
    /// Adds to a report what fails at other sizes and with other integers, if nothing fails at those given. `judge` judges
    /// one call of another tester. A size that is to be replayed is tried whatever it costs, and no other is.
    pub(super) fn varied(
        &self,
        report: Report,
        mode: Mode,
        mix: Mix,
        judge: &dyn Fn(&Tester<F, Ps, Out>) -> Report,
    ) -> Report {
        let applies = mix.width == 1
            && self.is_whole(mix)
            && self.environment.profile != Profile::Brief
            && self.size.is_none()
            && self.reference.is_none()
            && !matches!(
                report.verdict(),
                Verdict::Fail(_) | Verdict::Inconclusive(_)
            );
        if !applies {
            return report;
        }
        let replay = self.environment.replay.as_ref();
        let mut report = report;
        let (sizes, left_out) = self.sizes(replay.is_some());
        if left_out {
            report.not_judged(
                Check::Z2,
                "a call takes too long to be tried with 1009 numbers",
            );
        }
        for Variation { check, tester } in sizes.into_iter().chain(self.integers()) {
            let case = tester.case(mode, mix, 0);
            if replay.is_some_and(|replay| !replay.wants_part(&case)) {
                continue;
            }
            let found = judge(&tester);
            // The smallest is enough.
            if matches!(found.verdict(), Verdict::Fail(_)) {
                let why = "right as given, not at this".to_owned();
                return report.worse(found.only_at_this_size(check, why));
            }
        }
        report
    }

    /// Whether there are so many numbers that the square of them is a long time.
    fn is_long(&self) -> bool {
        self.signature.length() > ENTRIES
    }

    /// One call, judged by one direction for each argument, at the seed of the first point.
    pub(super) fn sized(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: bool,
        judge: &Judge<'_>,
    ) -> Report {
        let seed = self.seeds(mode, mix).first().copied();
        let seed = seed.unwrap_or(self.seed);
        let at = |number| self.at(mode, mix, seed, needs_primal, Drawn::Beside(number), judge);
        super::judging::confirmed_if_wrong(at(0), &|repeat| at(repeat + 1))
    }

    /// The function at other sizes: where all memory is drawn at random and of one length, or of known shapes. And whether the
    /// longest was left out because a call takes too long, which it is not if `all` are wanted.
    fn sizes(&self, all: bool) -> (Vec<Variation<F, Ps, Out>>, bool) {
        let memory = self.signature.arguments.iter();
        let memory =
            memory.filter(|parameter| parameter.access != Access::Value && parameter.shape != [0]);
        let (mut extents, mut axes, mut given) = (Vec::new(), 1, false);
        for parameter in memory {
            given |= parameter.draw == Draw::Given;
            axes = axes.max(parameter.shape.len());
            extents.extend(&parameter.shape);
        }
        extents.sort_unstable();
        extents.dedup();
        let known = axes > 1 || self.subject.has_views();
        if given || extents.is_empty() || extents.len() > 1 && !known {
            return (vec![], false);
        }
        let mut variations = Vec::new();
        for turn in 0..SIZES.len() {
            let to = |extent: usize| match extents.iter().position(|known| *known == extent) {
                Some(place) => SIZES[(turn + place).min(SIZES.len() - 1)],
                None => extent,
            };
            if extents.iter().all(|extent| to(*extent) == *extent) {
                continue;
            }
            let Some(slots) = self.subject.resized(&to) else {
                return (vec![], false);
            };
            let label = extents.iter().map(|extent| to(*extent).to_string());
            let label = label.collect::<Vec<_>>().join("_");
            let tester = self.variant(slots, label);
            if tester.is_long() && axes > 1 {
                break;
            }
            if tester.is_long() && !all && variations.last().is_some_and(Variation::is_slow) {
                return (variations, true);
            }
            variations.push(Variation {
                check: Check::Z2,
                tester,
            });
        }
        (variations, false)
    }

    /// The function with other integers and flags, one at a time.
    fn integers(&self) -> Vec<Variation<F, Ps, Out>> {
        let mut variations = Vec::new();
        for argument in 0..self.signature.arguments.len() {
            for number in 0.. {
                let Some(slots) = self.subject.with_another(argument, number) else {
                    break;
                };
                let name = &self.signature.arguments[argument].name;
                let tester = self.variant(slots, format!("{name}.{number}"));
                variations.push(Variation {
                    check: Check::Z3,
                    tester,
                });
            }
        }
        variations
    }

    /// The same function with other arguments.
    fn variant(&self, slots: Ps::Slots, label: String) -> Self {
        let subject = Subject::plain(Arc::clone(&self.subject.f), slots);
        Tester {
            name: self.name.clone(),
            signature: Signature::reshaped(&self.signature, subject.shapes()),
            subject,
            precision: self.precision,
            ladder: self.ladder.clone(),
            reference: None,
            finer: None,
            overrides: self.overrides.clone(),
            buffers: self.buffers.clone(),
            budgets: Budgets::default(),
            seed: self.seed,
            environment: self.environment.clone(),
            own: Points::new(),
            shared: self.shared,
            size: Some(label),
            fullest: self.fullest,
        }
    }
}
