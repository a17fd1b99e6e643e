//! Z2, Z3: the same function at sizes, and with integers, that nobody has given.

use std::cell::Cell;

use super::patience::Patience;
use super::points::Drawn;
use super::{Points, Protocol, Trial};
use crate::allocation;
use crate::argument::{Access, Draw, FURTHER};
use crate::case::Mode;
use crate::check::Check;
use crate::environment::Profile;
use crate::judge::{Budgets, Parameter, Signature};
use crate::report::Report;
use crate::subject::{Callable, Mix};
use crate::verdict::Verdict;

use super::confirmed::{confirmed_if_wrong, is_wrong};
use super::judging::Judge;
use super::lengths;

/// Sizes that show a loop that is unrolled, a vector register, a remainder, a block: the primes on both sides of 8, 16, 32 and 64
/// are among them.
const SIZES: [usize; 22] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 17, 31, 32, 37, 61, 64, 67, 256, 1009,
];

/// Arrays of more axes have no more entries than this: their functions take longer.
const ENTRIES: usize = 320;

/// The first of the sizes at which every integer is looked at once more: longer than most of them.
const LONGER: usize = 29;

/// One size at which every mix is looked at: beyond a block of sixteen; and of several extents the first.
const BLOCK: usize = 19;
const SEVERAL: usize = 9;

/// Of two integers so many values each are tried together.
const TOGETHER: usize = 4;

/// The same function with other arguments, and by which check it is judged there.
struct Variation<'t> {
    check: Check,
    subject: Box<dyn Callable + 't>,
    protocol: Protocol,
    /// Whether it is judged only where it looks wrong at a glance.
    glanced: bool,
}

impl Variation<'_> {
    fn trial(&self) -> Trial<'_> {
        Trial {
            subject: &*self.subject,
            protocol: &self.protocol,
        }
    }

    /// A point of it.
    fn point(&self) -> Vec<Vec<f64>> {
        let stream = self.trial().stream(self.protocol.seed);
        let given = self.subject.given();
        self.protocol.signature.draw(&given, &stream)
    }

    /// Whether the function can be called.
    fn takes_its_point(&self) -> bool {
        self.subject.primal(&self.point()).is_ok()
    }

    /// Whether there are so many numbers that the square of them is a long time.
    fn is_long(&self) -> bool {
        self.protocol.signature.length() > ENTRIES
    }

    /// Whether it is to be judged: there is time for it, and where one look decides, that looks wrong.
    fn is_asked(&self, patience: &mut Patience, glance: &dyn Fn() -> Report) -> bool {
        let suspicion = Cell::new(None);
        let look = || {
            // What is looked at is differentiated the first time only.
            let _ = self.subject.primal(&self.point());
            suspicion.set(Some(is_wrong(&glance())));
        };
        let length = self.protocol.signature.length();
        match self.check {
            Check::Z2 => patience.suffices(length, true, &look),
            _ if self.glanced => {
                patience.suffices(length, false, &look)
                    && suspicion.get().unwrap_or_else(|| is_wrong(&glance()))
            }
            _ => true,
        }
    }

    /// Whether a call needs memory for the square of its numbers: then it may take the cube of them in time. What it allocates
    /// is the same in every run and on every machine, which no clock is.
    fn needs_a_square(&self) -> bool {
        let point = self.point();
        let longest = point.iter().map(Vec::len).max().unwrap_or(0);
        let (_, allocations) = allocation::counted(|| self.subject.primal(&point));
        allocations.peak >= (longest * longest * size_of::<f64>() / 2) as u64
    }
}

/// What an extent becomes with `others` in place of `extents`.
fn other_extent(extent: usize, extents: &[usize], others: &[usize]) -> usize {
    let place = extents.iter().position(|known| *known == extent);
    place.map_or(extent, |place| others[place])
}

/// How one call of another trial is looked at.
pub(super) struct Looks<'l> {
    /// As a size that was given.
    pub(super) sized: &'l dyn Fn(Trial<'_>) -> Report,
    /// By one direction, for a suspicion.
    pub(super) glanced: &'l dyn Fn(Trial<'_>) -> Report,
    /// Wherever else numbers may lie, and in memory with new contents.
    pub(super) at_places: &'l dyn Fn(Trial<'_>) -> Option<Report>,
    /// With numbers on both sides of zero.
    pub(super) at_sides: &'l dyn Fn(Trial<'_>) -> Option<Report>,
}

/// What `count` different extents become: one after the other of the sizes, and where there are several, also the first the
/// largest, and all the same.
fn assignments(count: usize) -> Vec<Vec<usize>> {
    let ascending = |turn: usize| -> Vec<usize> {
        let sizes = (turn..turn + count).map(|place| SIZES[place.min(SIZES.len() - 1)]);
        sizes.collect()
    };
    let mut all: Vec<_> = (0..SIZES.len()).map(ascending).collect();
    if count > 1 {
        let descending = [1, 3].map(|turn| ascending(turn).into_iter().rev().collect());
        let same = [1, 2, 3, 8].map(|size| vec![size; count]);
        all.splice(4..4, descending.into_iter().chain(same));
    }
    all
}

impl<'t> Trial<'t> {
    /// Adds to a report what fails at other sizes and with other integers, if nothing fails at those given. A size that is to be
    /// replayed is tried whatever it costs, and no other is.
    pub(super) fn varied(&self, report: Report, mode: Mode, mix: Mix, looks: &Looks<'_>) -> Report {
        let whole = mix.width == 1 && self.is_whole(mix);
        let applies = self.protocol.environment.profile != Profile::Brief
            && self.protocol.varies
            && self.protocol.reference.is_none()
            && !matches!(
                report.verdict(),
                Verdict::Fail(_) | Verdict::Inconclusive(_)
            );
        if !applies {
            return report;
        }
        let replay = self.protocol.environment.replay.as_ref();
        let mut report = report;
        if !whole {
            return match self.at_longer(mode, mix, looks) {
                Some(found) => report.worse(found),
                None => report,
            };
        }
        let (sizes, left_out) = self.sizes(replay.is_some());
        if left_out {
            report.not_judged(
                Check::Z2,
                "a call needs too much memory to be tried with 1009 numbers",
            );
        }
        let others = self.misfits().into_iter().chain(self.integers());
        let suspects = self.every_size(left_out).into_iter();
        let mut patience = Patience::new(replay.is_some() || self.is_thorough());
        for variation in sizes.into_iter().chain(others).chain(suspects) {
            let trial = variation.trial();
            let unasked = match replay {
                Some(replay) => !replay.wants_part(&trial.case(mode, mix, 0)),
                None => !variation.is_asked(&mut patience, &|| (looks.glanced)(trial)),
            };
            if unasked {
                continue;
            }
            let mut found = (looks.sized)(trial);
            if variation.check == Check::Z3 && !is_wrong(&found) {
                found = (looks.at_sides)(trial).unwrap_or(found);
            }
            // The smallest is enough.
            if matches!(found.verdict(), Verdict::Fail(_)) {
                if matches!(
                    found.verdict(),
                    Verdict::Fail(Check::U2 | Check::U4 | Check::R7)
                ) {
                    return report.worse(found);
                }
                let why = "right as given, not at this".to_owned();
                return report.worse(found.only_at_this_size(variation.check, why));
            }
        }
        if let Some(found) = self.at_longer(mode, mix, looks) {
            return report.worse(found);
        }
        if let Some(length) = patience.ended_at() {
            report.advise(format!(
                "sizes of {length} numbers and more were not tried, for they take too long: `longest = {}` says that this is meant, and \
                 TESTUTILS_PROFILE=full tries them",
                length - 1
            ));
        }
        report
    }

    /// Z5: what fails at one size beyond a block: at a glance, and, where all is active, at many points.
    fn at_longer(&self, mode: Mode, mix: Mix, looks: &Looks<'_>) -> Option<Report> {
        let longer = self.longer()?;
        let (trial, replay) = (longer.trial(), &self.protocol.environment.replay);
        let case = || trial.case(mode, mix, 0);
        if replay.as_ref().is_some_and(|of| !of.wants_part(&case())) {
            return None;
        }
        let found = match mix.width == 1 && self.is_whole(mix) {
            true => (looks.at_places)(trial),
            false => is_wrong(&(looks.glanced)(trial)).then(|| (looks.sized)(trial)),
        };
        let why = "right as given, not at this".to_owned();
        let found = found.filter(is_wrong)?;
        Some(found.only_at_this_size(longer.check, why))
    }

    /// Whether time does not matter.
    fn is_thorough(&self) -> bool {
        matches!(
            self.protocol.environment.profile,
            Profile::Full | Profile::Soak
        )
    }

    /// The seed of the first point.
    pub(super) fn first_seed(&self, mode: Mode, mix: Mix) -> u64 {
        let seeds = self.seeds(mode, mix);
        seeds.first().copied().unwrap_or(self.protocol.seed)
    }

    /// One call, looked at once.
    pub(super) fn glanced(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: bool,
        judge: &Judge<'_>,
    ) -> Report {
        let seed = self.first_seed(mode, mix);
        self.at(mode, mix, seed, needs_primal, Drawn::Glanced, judge)
    }

    /// One call, judged by one direction for each argument, at the seed of the first point.
    pub(super) fn sized(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: bool,
        judge: &Judge<'_>,
    ) -> Report {
        let seed = self.first_seed(mode, mix);
        let at = |number| self.at(mode, mix, seed, needs_primal, Drawn::Beside(number), judge);
        confirmed_if_wrong(at(0), &|repeat| at(repeat + 1))
    }

    /// The function at other sizes, where they can be chosen; and whether the longest was left out because a call needs the memory
    /// of a square, which it is not if `all` are wanted.
    fn sizes(&self, all: bool) -> (Vec<Variation<'t>>, bool) {
        let Some(extents) = self.extents() else {
            return (vec![], false);
        };
        let mut variations: Vec<Variation<'t>> = Vec::new();
        for others in assignments(extents.len()) {
            if self.axes() > 1 && self.numbers(&extents, &others) > ENTRIES {
                break;
            }
            let Some(variation) = self.with_extents(Check::Z2, &extents, &others) else {
                continue;
            };
            if self.is_too_long(&variation) {
                break;
            }
            let last = variations.last();
            if variation.is_long() && !all && last.is_some_and(Variation::needs_a_square) {
                return (variations, true);
            }
            variations.push(variation);
        }
        (variations, false)
    }

    /// The function at every size up to some hundred and at a few beyond, and not as far where a call needs the memory of squares.
    fn every_size(&self, squares: bool) -> Vec<Variation<'t>> {
        let Some(extents) = self.extents() else {
            return vec![];
        };
        let judged = assignments(extents.len());
        let most = match (self.axes() > 1, squares) {
            (true, _) => lengths::FEW,
            (false, true) => lengths::SQUARES,
            (false, false) => usize::MAX,
        };
        let all = lengths::assignments(extents.len()).into_iter();
        let all = all.filter(|others| !judged.contains(others));
        let short = all.filter(|others| self.numbers(&extents, others) <= most);
        let short = short.filter_map(|others| self.with_extents(Check::Z4, &extents, &others));
        short
            .filter(|variation| !self.is_too_long(variation))
            .collect()
    }

    /// The function at one size beyond a block, where it is looked at in every mix, and, where all is active, at many points.
    fn longer(&self) -> Option<Variation<'t>> {
        let extents = self.extents()?;
        let first = if extents.len() > 1 { SEVERAL } else { BLOCK };
        let others: Vec<_> = (0..extents.len()).map(|place| first + place).collect();
        if self.numbers(&extents, &others) > ENTRIES {
            return None;
        }
        let longer = self.with_extents(Check::Z5, &extents, &others)?;
        (!self.is_too_long(&longer) && longer.takes_its_point()).then_some(longer)
    }

    /// How many numbers the arguments have with `others` in place of their `extents`: known before memory is made, which of several long
    /// axes would be most of what a test does.
    fn numbers(&self, extents: &[usize], others: &[usize]) -> usize {
        let arguments = self.protocol.signature.arguments.iter();
        let numbers = arguments.map(|parameter| match parameter.access {
            Access::Value => parameter.length(),
            _ => {
                let shape = parameter.shape.iter();
                shape.map(|&of| other_extent(of, extents, others)).product()
            }
        });
        numbers.sum()
    }

    /// How many axes an argument has at most.
    fn axes(&self) -> usize {
        let arguments = self.protocol.signature.arguments.iter();
        arguments.map(|of| of.shape.len()).max().unwrap_or(0)
    }

    /// Whether somebody has said that nothing so long is to be tried.
    fn is_too_long(&self, variation: &Variation<'_>) -> bool {
        let arguments = variation.protocol.signature.arguments.iter();
        let longest = arguments.map(Parameter::length).max();
        self.protocol.longest.is_some() && longest > self.protocol.longest
    }

    /// Whether the lengths of slices may depend on each other in a way that nobody has said.
    fn may_not_fit(&self, extents: &[usize]) -> bool {
        extents.len() > 1 && self.axes() == 1 && !self.subject.has_views()
    }

    /// The different extents of the memory, where all is drawn at random.
    fn extents(&self) -> Option<Vec<usize>> {
        let memory = self.protocol.signature.arguments.iter();
        let memory =
            memory.filter(|parameter| parameter.access != Access::Value && parameter.shape != [0]);
        let (mut extents, mut given) = (Vec::new(), false);
        for parameter in memory {
            given |= parameter.draw == Draw::Given;
            extents.extend(&parameter.shape);
        }
        extents.sort_unstable();
        extents.dedup();
        // What a value holds keeps its length, and slices may have to fit it.
        let mut values = self.protocol.signature.arguments.iter();
        let holds = values.any(|of| of.access == Access::Value && of.length() > 1);
        let bound = given || extents.is_empty() || holds && self.may_not_fit(&extents);
        (!bound).then_some(extents)
    }

    /// The function with `others` in place of its `extents`; `None` if that is what it has, or if its memory cannot be chosen.
    fn with_extents(
        &self,
        check: Check,
        extents: &[usize],
        others: &[usize],
    ) -> Option<Variation<'t>> {
        if extents == others {
            return None;
        }
        let to = |extent| other_extent(extent, extents, others);
        let subject = self.subject.resized(&to)?;
        let label: Vec<_> = others.iter().map(usize::to_string).collect();
        let variation = self.variation(check, subject, label.join("_"));
        let fits = !self.may_not_fit(extents) || variation.takes_its_point();
        fits.then_some(variation)
    }

    /// The function with one argument longer than it was, where it fails because there are others to fit.
    fn misfits(&self) -> Vec<Variation<'t>> {
        let arguments = self.protocol.signature.arguments.iter().enumerate();
        let memory = arguments
            .filter(|(_, parameter)| parameter.access != Access::Value && parameter.length() > 0);
        let memory: Vec<_> = memory.collect();
        if memory.len() < 2
            || memory
                .iter()
                .any(|(_, parameter)| parameter.draw == Draw::Given)
        {
            return vec![];
        }
        let misfit = |(argument, parameter): (usize, &Parameter)| {
            let subject = self.subject.stretched(argument, &|extent| extent + 1)?;
            let label = format!("{}+1", parameter.name);
            let variation = self.variation(Check::E2, subject, label);
            // Where the function takes them, it is nobody's intention.
            let fails = variation.subject.primal(&variation.point()).is_err();
            fails.then_some(variation)
        };
        memory.into_iter().filter_map(misfit).collect()
    }

    /// The function with other integers and flags: each alone, and the first few of each two together.
    fn integers(&self) -> Vec<Variation<'t>> {
        let arguments = 0..self.protocol.signature.arguments.len();
        let counts: Vec<usize> = arguments
            .clone()
            .map(|argument| {
                (0..)
                    .map_while(|number| self.subject.with_others(&[(argument, number)], None))
                    .count()
            })
            .collect();
        let alone = arguments
            .clone()
            .flat_map(|one| (0..counts[one]).map(move |number| vec![(one, number)]));
        let mut all: Vec<Vec<(usize, usize)>> = alone.collect();
        for one in arguments.clone() {
            for other in arguments.clone().skip(one + 1) {
                let few = |of: usize| 0..counts[of].min(TOGETHER);
                let pairs =
                    few(one).flat_map(|a| few(other).map(move |b| vec![(one, a), (other, b)]));
                all.extend(pairs);
            }
        }
        let extents = self.extents().map(|extents| {
            let longer: Vec<_> = (LONGER..).take(extents.len()).collect();
            (extents, longer)
        });
        let extents = extents.filter(|(known, longer)| self.numbers(known, longer) <= ENTRIES);
        let longer = extents.iter().flat_map(|(known, longer)| {
            let to = |extent| other_extent(extent, known, longer);
            let alone = all.iter().take_while(|others| others.len() == 1);
            let longer = alone.filter_map(move |others| {
                let subject = self.subject.with_others(others, Some(&to))?;
                let label = format!("{}_{LONGER}", self.label_of(others));
                let variation = self.variation(Check::Z3, subject, label);
                Some(Variation {
                    glanced: true,
                    ..variation
                })
            });
            longer.filter(Variation::takes_its_point)
        });
        let given = all.iter().filter_map(|others| {
            let subject = self.subject.with_others(others, None)?;
            Some(self.variation(Check::Z3, subject, self.label_of(others)))
        });
        let further = arguments.flat_map(|argument| {
            let further = FURTHER..;
            further.map_while(move |number| {
                let others = [(argument, number)];
                let subject = self.subject.with_others(&others, None)?;
                let variation = self.variation(Check::Z3, subject, self.label_of(&others));
                Some(Variation {
                    glanced: true,
                    ..variation
                })
            })
        });
        given.chain(longer).chain(further).collect()
    }

    /// What is said of a function with these integers.
    fn label_of(&self, others: &[(usize, usize)]) -> String {
        let name = |argument: usize| &self.protocol.signature.arguments[argument].name;
        let label = others
            .iter()
            .map(|(argument, number)| format!("{}.{number}", name(*argument)));
        label.collect::<Vec<_>>().join("_")
    }

    /// The same trial of the function with other arguments, called `label`, which is judged by `check`.
    fn variation(
        &self,
        check: Check,
        subject: Box<dyn Callable + 't>,
        label: String,
    ) -> Variation<'t> {
        let protocol = self.protocol.at_size(subject.shapes(), label);
        Variation {
            glanced: check == Check::Z4,
            check,
            subject,
            protocol,
        }
    }
}

impl Protocol {
    /// The same for arguments of other shapes, called `label`.
    fn at_size(&self, shapes: Vec<Vec<usize>>, label: String) -> Self {
        Protocol {
            name: self.name.clone(),
            signature: Signature::reshaped(&self.signature, shapes),
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
            size: Some(match &self.size {
                Some(given) => format!("{given}.{label}"),
                None => label,
            }),
            varies: false,
            fullest: self.fullest,
            longest: self.longest,
        }
    }
}
