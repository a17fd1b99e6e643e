//! Z2, Z3: the same function at sizes, and with integers, that nobody has given.

use std::sync::Arc;

use coenzyme::{Function, Outcome};

use super::points::Drawn;
use super::{Points, Tester};
use crate::argument::{Access, Draw, Passings};
use crate::case::Mode;
use crate::check::Check;
use crate::judge::{Budgets, Signature};
use crate::report::Report;
use crate::subject::{Mix, Subject};
use crate::verdict::Verdict;

use super::judging::Judge;

/// Sizes that show a loop that is unrolled, a vector register, a remainder, a block.
const SIZES: [usize; 10] = [0, 1, 2, 3, 5, 7, 17, 31, 67, 1009];

/// Arrays of more axes have no more entries than this: their functions take longer.
const ENTRIES: usize = 320;

/// The same function with other arguments, and by which check it is judged there.
pub(crate) struct Variation<F, Ps: Passings, Out: Outcome> {
    pub(super) check: Check,
    pub(super) tester: Tester<F, Ps, Out>,
}

impl<F, Ps, Out> Tester<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
{
    /// Adds to a report what fails at other sizes and with other integers, if nothing fails at those given. `judge` judges
    /// one call of another tester.
    pub(super) fn varied(
        &self,
        report: Report,
        width: usize,
        judge: &dyn Fn(&Tester<F, Ps, Out>) -> Report,
    ) -> Report {
        let applies = width == 1
            && self.size.is_none()
            && self.reference.is_none()
            && self.environment.replay.is_none()
            && !matches!(
                report.verdict(),
                Verdict::Fail(_) | Verdict::Inconclusive(_)
            );
        if !applies {
            return report;
        }
        let variations = self.sizes().into_iter().chain(self.integers());
        let failing = variations.filter_map(|Variation { check, tester }| {
            let found = judge(&tester);
            let why = "right as given, not at this".to_owned();
            matches!(found.verdict(), Verdict::Fail(_)).then(|| found.only_at_this_size(check, why))
        });
        // The smallest is enough.
        match failing.into_iter().next() {
            Some(failing) => report.worse(failing),
            None => report,
        }
    }

    /// One call, judged by one direction for each argument.
    pub(super) fn sized(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: bool,
        judge: &Judge<'_>,
    ) -> Report {
        let at = |number| {
            self.at(
                mode,
                mix,
                self.seed,
                needs_primal,
                Drawn::Beside(number),
                judge,
            )
        };
        super::judging::confirmed_if_wrong(at(0), &|repeat| at(repeat + 1))
    }

    /// The function at other sizes: where all memory is drawn at random and of one length, or of known shapes.
    fn sizes(&self) -> Vec<Variation<F, Ps, Out>> {
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
            return vec![];
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
                return vec![];
            };
            let label = extents.iter().map(|extent| to(*extent).to_string());
            let label = label.collect::<Vec<_>>().join("_");
            let tester = self.variant(slots, label);
            if axes > 1 && tester.signature.length() > ENTRIES {
                break;
            }
            variations.push(Variation {
                check: Check::Z2,
                tester,
            });
        }
        variations
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
        }
    }
}
