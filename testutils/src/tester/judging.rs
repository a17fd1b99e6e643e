//! From a mix to its report: which points, which settings, and what a failure at one point is worth.

use super::Trial;
use super::classify::classify;
use super::confirmed::{confirmed, is_of_differences, is_wrong};
use super::points::{Drawn, Rearranged};
use super::reference::Reference;
use super::shrink::{Simplified, shrink};
use super::tamer::tamed;
use crate::case::{Case, Mode, Replay};
use crate::check::Check;
use crate::comparison::Comparison;
use crate::environment::Profile;
use crate::estimate::Estimate;
use crate::judge::{Bench, Change, Parameter, Place, Point, Projections, Question, question};
use crate::probe::{Probes, culprit};
use crate::report::{Report, replay};
use crate::sample::Stream;
use crate::subject::Mix;
use crate::verdict::Verdict;

/// Up to so many numbers singular places and extremes are looked at.
const SHORT: usize = 32;

/// Numbers of an argument that a message shows.
const SHOWN: usize = 3;

/// The checks of one call, for a setting of `needs_primal`. Not generic, lest everything here be compiled again for each mix.
pub(super) type Judge<'j> = dyn Fn(&mut Bench<'_>, bool) + 'j;

/// What is said of a case that was not asked for.
pub(crate) const NOT_REPLAYED: &str = "not the case to be replayed";

/// Further points at which the last digits are judged.
const FURTHER: u64 = 3;

/// Numbers that no point has, at which the last digits are judged too. Not farther out: where a sigmoid is nearly one, `y·(1 − y)` has lost digits.
const FAR: [f64; 6] = [0.11, -0.11, 0.3, -0.3, 3.3, -3.3];

/// Of so many magnitudes one is looked at where the arguments are longer: of both signs, and of each argument in turn.
const SOME: usize = 7;

impl Trial<'_> {
    /// Judges one mix at every point of the profile, under each setting of `needs_primal`; the worst report counts.
    pub(super) fn each_config(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: &[bool],
        judge: &Judge<'_>,
        beside: Option<&Judge<'_>>,
    ) -> Report {
        let seeds = self.seeds(mode, mix);
        if seeds.is_empty() {
            let mut report = Report::new(self.case(mode, mix, 0), self.protocol.overrides.clone());
            report.pronounce(Verdict::Unsupported(NOT_REPLAYED.into()));
            return report;
        }
        let settings = seeds
            .iter()
            .flat_map(|seed| needs_primal.iter().map(move |needs| (*seed, *needs)));
        let simpler = self.protocol.environment.replay.as_ref();
        let simpler = simpler.map_or(0, Replay::simpler);
        let simple = Drawn::Simple(Simplified::from_bits(simpler));
        let sides: &[Drawn] = match self.protocol.signature.is_one_sided() {
            _ if simpler > 0 => &[simple],
            true => &[Drawn::First, Drawn::Mirrored],
            false => &[Drawn::First],
        };
        let settings = settings.flat_map(|setting| sides.iter().map(move |side| (setting, *side)));
        let judged = settings.map(|((seed, needs), side)| {
            let at = |drawn| self.at(mode, mix, seed, needs, drawn, judge);
            let report = at(side);
            let report = match is_of_differences(&report) {
                true => confirmed(report, |repeat| {
                    at(Drawn::Repeat(repeat, side.is_mirrored()))
                }),
                false if simpler > 0 => report,
                false => {
                    let (signature, rough) = (&self.protocol.signature, self.is_rough(seed));
                    tamed(report, signature, side.is_mirrored(), rough, &at)
                }
            };
            (report, seed, needs)
        });
        let mut reports: Vec<_> = judged.collect();
        let failed = reports.iter_mut().find(|(report, _, _)| is_wrong(report));
        let long = self.protocol.signature.length() > Probes::JACOBIAN_UP_TO;
        if let Some((report, seed, needs)) = failed.filter(|_| !long) {
            self.shrunk(report, &|drawn| {
                self.at(mode, mix, *seed, *needs, drawn, judge)
            });
        }
        // A function that has a reference has it because its own differences do not do.
        let plain = self.protocol.reference.is_none() && simpler == 0;
        // What the differences have refuted need not be refuted twice.
        let refuted = reports.iter().any(|(report, ..)| {
            let failures = report.failures().iter();
            failures
                .filter_map(|check| check.comparison())
                .any(|of| matches!(of, Comparison::Differences(_)))
        });
        let wrong = reports.iter().any(|(report, ..)| is_wrong(report));
        let short = self.protocol.signature.length() <= SHORT;
        let brief = self.protocol.environment.profile == Profile::Brief;
        let beside = beside.filter(|_| plain && !refuted && !brief && mix.width <= 3);
        let again = beside.into_iter().flat_map(|judge| {
            let judge = move |seed: &u64| {
                if self.is_rough(*seed) {
                    return vec![];
                }
                let at = |drawn| self.at(mode, mix, *seed, needs_primal[0], drawn, judge);
                let mut found = self.second_look(*seed, &at, mix.width == 1);
                if mix.width == 1 && !wrong && short && self.is_whole(mix) && found.is_empty() {
                    found.extend(self.nearby(*seed, &at));
                }
                found
            };
            seeds.iter().flat_map(judge)
        });
        let reports = reports.into_iter().map(|(report, _, _)| report);
        Report::worst(reports.chain(again))
    }

    /// Whether the function has lost nearly half of its digits at the point: then differences decide far from it only, and know
    /// nothing where it hardly moves.
    fn is_rough(&self, seed: u64) -> bool {
        let first = self.point(seed, Drawn::First);
        let first = self.measured(&first, seed, Drawn::First);
        first.is_rough(self.protocol.precision)
    }

    /// Adds to a report what fails at numbers with all their digits, where nothing is singular.
    pub(super) fn at_further_points(
        &self,
        report: Report,
        mode: Mode,
        mix: Mix,
        judge: &Judge<'_>,
    ) -> Report {
        if is_wrong(&report) || self.protocol.environment.profile == Profile::Brief {
            return report;
        }
        let Some(seed) = self.seeds(mode, mix).first().copied() else {
            return report;
        };
        let further = (0..FURTHER).map(|number| {
            let drawn = Drawn::Beside(number);
            self.at(mode, mix, seed, false, drawn, judge)
        });
        let elsewhere = self.elsewhere_with_all_digits();
        let elsewhere = elsewhere.into_iter().filter_map(|place| {
            let drawn = Drawn::Near(place, 0);
            let judged = self.is_admitted(seed, drawn) && {
                let shared = self.point(seed, drawn);
                self.measured(&shared, seed, drawn).has_value()
            };
            judged.then(|| self.at(mode, mix, seed, false, drawn, judge))
        });
        let further = further.chain(elsewhere).filter(is_wrong).take(1);
        Report::worst([report].into_iter().chain(further))
    }

    /// Where else the last digits of a function of a few numbers are judged.
    fn elsewhere_with_all_digits(&self) -> Vec<Place> {
        let signature = &self.protocol.signature;
        if signature.length() > SHORT / 2 {
            return vec![];
        }
        let read = signature.arguments.iter().enumerate();
        let read = read.filter(|(_, parameter)| !parameter.write_only && parameter.length() > 0);
        let alone = read.map(|(argument, _)| argument);
        let alone = alone.flat_map(|argument| FAR.map(|value| Change::Beyond(argument, value)));
        let all = alone.chain(FAR.map(Change::Everything));
        let place = |change| Place {
            check: Check::N3,
            change,
        };
        all.map(place).collect()
    }

    /// What fails beside the point: at numbers with all their digits, near zero, far out, and where two arguments are equal.
    fn second_look(
        &self,
        seed: u64,
        at: &dyn Fn(Drawn) -> Report,
        rearranges: bool,
    ) -> Vec<Report> {
        // What the function makes of its own is no number: a rule may say so too.
        let has_value = |drawn: &Drawn| {
            let shared = self.point(seed, *drawn);
            let point = self.measured(&shared, seed, *drawn);
            point.primal.is_err() || point.has_value()
        };
        let twice = |drawn: &dyn Fn(u64) -> Drawn| {
            let first = Some(drawn(0)).filter(has_value);
            let wrong = first.map(at).filter(is_wrong);
            wrong.map(|report| confirmed(report, |repeat| at(drawn(repeat + 1))))
        };
        let beside = twice(&Drawn::Beside);
        let places = self.protocol.signature.elsewhere(self.protocol.precision);
        let places = places.into_iter();
        let elsewhere = places.filter_map(|to| twice(&|number| Drawn::Elsewhere(to, number)));
        let given = self.subject.given();
        let pairs = self.protocol.signature.pairs().into_iter();
        let pairs = pairs.filter(|(one, other)| given[*one].len() == given[*other].len());
        let equal = pairs.map(|(one, other)| Drawn::Equal(one, other));
        let equal = equal.filter(has_value).map(at);
        let rearranged = [Rearranged::Swapped, Rearranged::Mirrored];
        let rearranged = rearranged.into_iter().filter(|_| rearranges);
        let rearranged = rearranged.map(|how| at(Drawn::Rearranged(how)));
        let all = beside.into_iter().chain(elsewhere).chain(equal);
        all.chain(rearranged).filter(is_wrong).collect()
    }

    /// N2 to N5: what fails beside zeros and ties, at the extremes, where the domain ends, and at any magnitude; one place will do.
    fn nearby(&self, seed: u64, at: &dyn Fn(Drawn) -> Report) -> Option<Report> {
        let failing = |place: Place| self.failing(seed, place, at);
        for hood in self
            .protocol
            .signature
            .neighbourhoods(self.protocol.precision)
        {
            let centre = Place {
                check: Check::N3,
                change: hood.centre,
            };
            let (smooth, report) = match hood.at_centre {
                true => failing(centre),
                false => {
                    let drawn = Drawn::Near(centre, 0);
                    let shared = self.point(seed, drawn);
                    let point = self.measured(&shared, seed, drawn);
                    (Some(point.is_smooth()), None)
                }
            };
            if report.is_some() {
                return report;
            }
            if smooth == Some(true) {
                let found = hood.around.iter().find_map(|place| failing(*place).1);
                if found.is_some() {
                    return found;
                }
            }
        }
        let found = self.ends(seed).into_iter().find_map(|end| failing(end).1);
        if found.is_some() {
            return found;
        }
        self.scanned(seed, self.magnitudes(), at)
    }

    /// N4: numbers of every magnitude.
    fn magnitudes(&self) -> impl Iterator<Item = Place> {
        let magnitudes = self.protocol.signature.magnitudes(self.protocol.precision);
        magnitudes.into_iter().map(|change| Place {
            check: Check::N4,
            change,
        })
    }

    /// What fails at the first of the places that look wrong at a glance, and are.
    fn scanned(
        &self,
        seed: u64,
        mut places: impl Iterator<Item = Place>,
        at: &dyn Fn(Drawn) -> Report,
    ) -> Option<Report> {
        places.find_map(|place| {
            let suspected = self.is_suspected(seed, place, at);
            suspected.then(|| self.failing(seed, place, at).1).flatten()
        })
    }

    /// Z5: what fails at a size beyond a block beside ties, on other sides of zero, and at other magnitudes, where it looks wrong at a
    /// glance; and in memory with new contents, by `again`.
    pub(super) fn at_places(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: bool,
        judge: &Judge<'_>,
        again: &Judge<'_>,
    ) -> Option<Report> {
        let (seed, signature) = (self.first_seed(mode, mix), &self.protocol.signature);
        let by = |judge, drawn| self.at(mode, mix, seed, needs_primal, drawn, judge);
        let again = by(again, Drawn::Glanced);
        if is_wrong(&again) {
            return Some(again);
        }
        let centres = signature.neighbourhoods(self.protocol.precision);
        let centres = centres.into_iter().filter(|of| of.at_centre);
        let centres = centres.map(|of| Place {
            check: Check::N3,
            change: of.centre,
        });
        let magnitudes = self.magnitudes().step_by(SOME);
        let places = centres.chain(signature.sides()).chain(magnitudes);
        self.scanned(seed, places, &|drawn| by(judge, drawn))
    }

    /// Whether the function is smooth at a place, if it may be there, and what fails there.
    fn failing(
        &self,
        seed: u64,
        place: Place,
        at: &dyn Fn(Drawn) -> Report,
    ) -> (Option<bool>, Option<Report>) {
        let drawn = |number| Drawn::Near(place, number);
        let admitted = self.is_admitted(seed, drawn(0)).then(|| {
            let shared = self.point(seed, drawn(0));
            self.measured(&shared, seed, drawn(0)).is_smooth()
        });
        // At a kink any number may be right, and at an extreme any number is. What is known far out is said output by output.
        let judged = admitted.is_some_and(|smooth| smooth || place.check != Check::N2);
        let report = judged.then(|| at(drawn(0))).filter(is_wrong);
        let report = report.map(|report| confirmed(report, |repeat| at(drawn(repeat + 1))));
        (admitted, report.filter(is_wrong))
    }

    /// Z3: what fails on the other side of zero, at zero, or beyond one.
    pub(super) fn at_sides(
        &self,
        mode: Mode,
        mix: Mix,
        needs_primal: bool,
        judge: &Judge<'_>,
    ) -> Option<Report> {
        let signature = &self.protocol.signature;
        if signature.length() > SHORT {
            return None;
        }
        let seed = self.first_seed(mode, mix);
        let at = |drawn| self.at(mode, mix, seed, needs_primal, drawn, judge);
        let mut sides = signature.sides().into_iter();
        sides.find_map(|place| self.failing(seed, place, &at).1)
    }

    /// Whether the rule looks wrong at a place, at a glance. Where a glance knows too little, the function is lost in its own
    /// rounding at steps in which it may turn, and wider ones see what is not there.
    fn is_suspected(&self, seed: u64, place: Place, at: &dyn Fn(Drawn) -> Report) -> bool {
        let drawn = Drawn::Scanned(place);
        let judged = self.is_admitted(seed, drawn) && {
            let shared = self.point(seed, drawn);
            self.measured(&shared, seed, drawn).has_value()
        };
        judged && is_wrong(&at(drawn))
    }

    /// Whether this is the only mix to be judged, or the one in which all that has a derivative is active: what is wrong in a
    /// formula shows there.
    pub(super) fn is_whole(&self, mix: Mix) -> bool {
        if let Some(fullest) = self.protocol.fullest {
            return fullest;
        }
        let rows = self.protocol.signature.arguments.iter().zip(mix.arguments);
        let mut of_floats = rows.filter(|(parameter, _)| parameter.length() > 0);
        self.protocol.shared.is_none() || of_floats.all(|(_, activity)| activity.is_active())
    }

    /// Adds to a failed report where else the rule fails: at the simplest point.
    fn shrunk(&self, report: &mut Report, at: &dyn Fn(Drawn) -> Report) {
        let Verdict::Fail(check) = report.verdict() else {
            return;
        };
        let simplest = shrink(&self.protocol.signature, check, |simplified| {
            at(Drawn::Simple(simplified))
        });
        let Some((simplified, simplest)) = simplest else {
            return;
        };
        if let Some(point) = simplest.noted("point").map(str::to_owned) {
            report.note("shrunk", format!("fails at {point} too:"));
            let replay = replay(report.case(), &format!("~{simplified:x}"));
            report.note("", replay);
        }
    }

    /// The report at one point. Where the function has lost so many digits that its derivatives are others at the point's
    /// neighbours, differences are no surer than that.
    pub(super) fn at(
        &self,
        mode: Mode,
        mix: Mix,
        seed: u64,
        needs_primal: bool,
        drawn: Drawn,
        judge: &Judge<'_>,
    ) -> Report {
        let shared = self.point(seed, drawn);
        let point = self.measured(&shared, seed, drawn);
        let by = |point: &Point| self.at_point(point, mode, mix, seed, needs_primal, drawn, judge);
        let report = by(point);
        if drawn.is_glance() || !is_of_differences(&report) {
            return report;
        }
        let blurred = self.blurred(point, seed, drawn);
        let again = blurred
            .map(|point| by(&point))
            .filter(|again| !is_wrong(again));
        again.unwrap_or(report)
    }

    /// The report at a point.
    #[allow(clippy::too_many_arguments, reason = "what is asked of one point")]
    fn at_point(
        &self,
        point: &Point,
        mode: Mode,
        mix: Mix,
        seed: u64,
        needs_primal: bool,
        drawn: Drawn,
        judge: &Judge<'_>,
    ) -> Report {
        let words = format!("needs_primal={needs_primal}");
        let case = self
            .case(mode, mix, seed)
            .fact(words, format!("np{}", u8::from(needs_primal)));
        let mut bench = Bench {
            signature: &self.protocol.signature,
            point,
            mix,
            stream: self.stream(seed).fork("seeds"),
            report: Report::new(case, self.protocol.overrides.clone())
                .precision(self.protocol.precision),
            precision: self.protocol.precision,
            jacobian: point.jacobian.as_ref(),
            projections: Projections::default(),
            probes: point.probes.as_deref(),
            blame: &|argument, dy, gradient| match drawn.is_glance() {
                true => None,
                false => self.culprit(point, argument, dy, gradient),
            },
            layouts: self.subject.layouts(),
            views: self.subject.has_views(),
            primal: &|primals| self.subject.primal(primals),
            left: &|primals| self.subject.left(primals),
            whole: self.is_whole(mix),
            brief: self.protocol.environment.profile == Profile::Brief,
            thorough: matches!(
                self.protocol.environment.profile,
                Profile::Full | Profile::Soak
            ),
            threads: !matches!(drawn, Drawn::Repeat(..)),
            budgets: &self.protocol.budgets,
            near: drawn.check(),
            broadcasts: self.subject.broadcasts(),
            aliases: self.subject.aliases(),
            adjacent: self.subject.adjacent(),
        };
        // That all derivatives are zero does not make those of the rule so.
        let always = !drawn.is_second_look() || drawn.check().is_some();
        // At another size the function may fail, and the rule with it.
        let fails = self.protocol.size.is_some()
            && matches!(drawn, Drawn::Beside(_))
            && point.primal.is_err();
        let judged = fails || classify(&mut bench, &self.protocol.buffers) || always;
        if judged || matches!(bench.report.verdict(), Verdict::Vacuous(_)) {
            judge(&mut bench, needs_primal);
        }
        if self.protocol.environment.picture
            && let Some(question) = question(&bench)
        {
            let picture = self.picture(point, &question);
            bench.report.note("picture", picture);
        }
        if !bench.report.verdict().is_green() {
            bench.report.note("point", self.described(&point.primals));
        }
        bench.report
    }

    /// The differences that a failed comparison is about, against the step.
    fn picture(&self, point: &Point, question: &Question) -> String {
        let primal = |x: &[f64]| {
            let outputs = point.total(self.subject.primal(&point.split(x)))?;
            let weighed = question.weights.iter().zip(outputs);
            let terms = weighed.filter(|(weight, _)| **weight != 0.0);
            Some(terms.map(|(weight, output)| weight * output).sum())
        };
        let (x, direction) = (point.primals.concat(), &question.direction);
        let (got, expected) = (question.got, question.expected);
        self.protocol
            .ladder
            .picture(primal, &x, direction, got, expected)
    }

    /// The entry of an argument whose derivative is wrong, and what it should be.
    fn culprit(
        &self,
        point: &Point,
        argument: usize,
        dy: &[f64],
        gradient: &[f64],
    ) -> Option<(usize, Estimate)> {
        let primal = |part: &[f64]| {
            let mut primals = point.primals.clone();
            primals[argument] = part.to_vec();
            let other = self
                .protocol
                .reference
                .as_ref()
                .and_then(Reference::differences);
            point.total(match other {
                Some(other) => other(&primals),
                None => self.subject.primal(&primals),
            })
        };
        let (x, judge) = (&point.primals[argument], Check::R1z.comparison()?);
        let index = culprit(&self.protocol.ladder, primal, x, dy, gradient, judge)?;
        let column = self.protocol.ladder.column(primal, x, index)?;
        Some((index, Estimate::combine(dy.iter().copied().zip(&column))))
    }

    /// A point for a message: the numbers of each argument.
    fn described(&self, primals: &[Vec<f64>]) -> String {
        let describe = |(parameter, floats): (&Parameter, &Vec<f64>)| match floats.len() {
            0..=SHOWN => format!("{}={floats:?}", parameter.name),
            length => format!(
                "{}={:?} and {} more",
                parameter.name,
                &floats[..SHOWN],
                length - SHOWN
            ),
        };
        let described: Vec<_> = self
            .protocol
            .signature
            .arguments
            .iter()
            .zip(primals)
            .map(describe)
            .collect();
        described.join(" ")
    }

    /// The seed of each point of the profile; only one if a case is replayed, and none if it is another case.
    pub(super) fn seeds(&self, mode: Mode, mix: Mix) -> Vec<u64> {
        let base = self.protocol.seed ^ self.protocol.environment.seed;
        match &self.protocol.environment.replay {
            Some(replay) if replay.wants_part(&self.case(mode, mix, 0)) => vec![replay.seed()],
            Some(_) => vec![],
            None => (0..self.protocol.environment.profile.points() as u64)
                .map(|point| base.wrapping_add(point))
                .collect(),
        }
    }

    pub(super) fn case(&self, mode: Mode, mix: Mix, seed: u64) -> Case {
        let arguments = self.protocol.signature.arguments.iter().zip(mix.arguments);
        let mut words = format!("ret={}", mix.returned);
        let mut key = mix.returned.key().to_owned();
        for (parameter, activity) in arguments {
            words += &format!(" {}={activity}", parameter.name);
            key += &format!(",{}", activity.key());
        }
        let case = Case::new(&self.protocol.name, mode)
            .fact(words, key)
            .fact(format!("width {}", mix.width), format!("w{}", mix.width));
        let case = match &self.protocol.size {
            Some(size) => case.fact(format!("size {size}"), format!("n{size}")),
            None => case,
        };
        case.seed(seed)
    }

    /// The random numbers of one point.
    pub(super) fn stream(&self, seed: u64) -> Stream {
        Stream::of_case(&self.protocol.name, seed)
    }
}
