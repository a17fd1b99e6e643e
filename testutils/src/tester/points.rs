//! The points of a function, each differentiated once for all mixes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::Trial;
use super::reference::Finer;
use super::shrink::Simplified;
use super::tamer::Tame;
use crate::check::Check;
use crate::estimate::Doubt;
use crate::judge::{Elsewhere, Place, Point};
use crate::ladder::Precision;
use crate::probe::Probes;
use crate::sample::Stream;
use crate::subject::{Fault, Primal, Zero};
/// Points tried before a kink is accepted as unavoidable.
const ATTEMPTS: u64 = 8;

/// How far a point's neighbours are, in double and in single precision: as far as numbers are apart beside those that are a thousand
/// times as large, and a million times; the last where the function is known to lose its digits.
const NEIGHBOURS: [[f64; 3]; 2] = [[1e-12, 6e-8, 1e-4], [1e-6, 2e-4, 2e-3]];

/// A point with its differences, and the shape of what the function returns there.
type Shared = Arc<OnceLock<(Point, Option<Zero>)>>;

/// A primal on the floats of its arguments.
type Function<'f> = dyn Fn(&[Vec<f64>]) -> Result<Primal, Fault> + 'f;

/// The same point with wider bars, if they are wider.
type Blurred = Arc<OnceLock<Option<Point>>>;

/// The points that several testers of one function share, so that its differences are taken once for all mixes.
#[derive(Default)]
pub struct Points {
    known: Mutex<BTreeMap<String, Shared>>,
    blurred: Mutex<BTreeMap<String, Blurred>>,
}

impl Points {
    /// No points yet.
    pub const fn new() -> Self {
        Points {
            known: Mutex::new(BTreeMap::new()),
            blurred: Mutex::new(BTreeMap::new()),
        }
    }

    /// The point called `label`, which whoever comes first computes while the others wait.
    fn get(&self, label: String) -> Shared {
        at(&self.known, label)
    }
}

/// What is called `label`, which may be empty yet.
fn at<T: Default + Clone>(all: &Mutex<BTreeMap<String, T>>, label: String) -> T {
    // A test that panicked with the lock held left nothing half done.
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    all.entry(label).or_default().clone()
}

/// Which of the points of one seed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Drawn {
    /// The point itself.
    First,
    /// The point on the other side of zero, wherever that is in range.
    Mirrored,
    /// A point nearby, to see a failure twice.
    Repeat(u64, bool),
    /// The point with some arguments made simple, to see a failure simply.
    Simple(Simplified),
    /// The point, or that on the other side of zero, where many small looks are taken of what differences cannot judge.
    Averaged(bool),
    /// A point at which differences may know more.
    Tamed(Tame),
    /// A point whose numbers use the whole mantissa, for a second look: anywhere in their ranges, or near what is given.
    Beside(u64),
    /// The same, where a suspicion is enough.
    Glanced,
    /// The point with the numbers of one argument in another too, for a second look.
    Equal(usize, usize),
    /// The point's own numbers in other places, for a second look: what takes them for the same call is wrong there.
    Rearranged(Rearranged),
    /// The point changed, and another such point for each number, for a second look.
    Near(Place, u64),
    /// The point changed, where a suspicion is enough.
    Scanned(Place),
    /// The point with one argument elsewhere, and another such point for each number, for a second look.
    Elsewhere(Elsewhere, u64),
}

/// The numbers of a point in other places.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rearranged {
    /// The first two of each argument have changed their places: their sum is the same to the last bit.
    Swapped,
    /// All are on the other side of zero, wherever that is in range.
    Mirrored,
}

impl Drawn {
    pub(super) fn is_mirrored(self) -> bool {
        matches!(self, Drawn::Mirrored)
    }

    /// Whether it is a second look, by one direction for each argument.
    pub(super) fn is_second_look(self) -> bool {
        matches!(
            self,
            Drawn::Beside(_)
                | Drawn::Glanced
                | Drawn::Equal(..)
                | Drawn::Rearranged(_)
                | Drawn::Elsewhere(..)
                | Drawn::Near(..)
                | Drawn::Scanned(_)
        )
    }

    /// Whether one direction and two steps are enough, for it is a suspicion only.
    pub(super) fn is_glance(self) -> bool {
        matches!(self, Drawn::Glanced | Drawn::Scanned(_))
    }

    /// The check by which all that is found there counts.
    pub(super) fn check(self) -> Option<Check> {
        match self {
            Drawn::Near(place, _) | Drawn::Scanned(place) => Some(place.check),
            Drawn::Glanced => Some(Check::Z4),
            _ => None,
        }
    }
}

impl Trial<'_> {
    /// The place of a point, which may be empty yet.
    pub(super) fn point(&self, seed: u64, drawn: Drawn) -> Shared {
        self.points().get(self.label(seed, drawn))
    }

    fn points(&self) -> &Points {
        self.protocol.shared.unwrap_or(&self.protocol.own)
    }

    fn label(&self, seed: u64, drawn: Drawn) -> String {
        let size = self.protocol.size.as_deref().unwrap_or_default();
        format!("{size} {seed:x} {drawn:?}")
    }

    /// The point in its place, differentiated now if nobody did before.
    pub(super) fn measured<'p>(&self, shared: &'p Shared, seed: u64, drawn: Drawn) -> &'p Point {
        let (point, zero) = shared.get_or_init(|| (self.draw(seed, drawn), self.subject.zero()));
        if let Some(zero) = zero {
            self.subject.adopt(zero.clone());
        }
        point
    }

    /// Draws points until one has no kink, and differentiates.
    fn draw(&self, seed: u64, drawn: Drawn) -> Point {
        let stream = self.stream(seed);
        let primal = |x: &[Vec<f64>]| self.subject.primal(x);
        if let Drawn::Averaged(mirrored) = drawn {
            let same = if mirrored {
                Drawn::Mirrored
            } else {
                Drawn::First
            };
            let shared = self.point(seed, same);
            let point = self.measured(&shared, seed, same).clone();
            return match &self.protocol.reference {
                Some(_) => point,
                None => point.averaged(&self.protocol.ladder, self.protocol.precision, primal),
            };
        }
        let measure = |primals| self.differentiated(seed, drawn, primals);
        let mut point = measure(self.place(&stream, drawn));
        let elsewhere = drawn.is_second_look() || matches!(drawn, Drawn::Tamed(_));
        if self.protocol.signature.is_drawn() && !elsewhere {
            for attempt in 1..ATTEMPTS {
                if !has_kink(&point)
                    && (point.is_judged(self.protocol.precision) || self.protocol.finer.is_some())
                {
                    break;
                }
                let stream = stream.fork(&format!("attempt {attempt}"));
                let other = measure(self.place(&stream, drawn));
                // A point at which differences are too coarse is better than one at a kink.
                if has_kink(&point) || !has_kink(&other) && other.is_judged(self.protocol.precision)
                {
                    point = other;
                }
            }
        }
        let single = self.protocol.precision == Precision::Single;
        let known = self.protocol.reference.is_some() || self.protocol.finer.is_some();
        if single && !known && !elsewhere && self.protocol.signature.is_short() {
            return point.averaged(&self.protocol.ladder, Precision::Single, primal);
        }
        match &self.protocol.finer {
            Some(finer) if !drawn.is_second_look() && !point.is_judged(self.protocol.precision) => {
                point.decided(&finer.0, self.protocol.precision)
            }
            _ => point,
        }
    }

    /// Where a point lies that is drawn so.
    fn place(&self, stream: &Stream, drawn: Drawn) -> Vec<Vec<f64>> {
        let signature = &self.protocol.signature;
        let mut primals = signature.draw(&self.subject.given(), stream);
        match drawn {
            Drawn::First | Drawn::Averaged(_) => {}
            Drawn::Mirrored => signature.mirror(&mut primals),
            Drawn::Repeat(repeat, mirrored) => {
                if mirrored {
                    signature.mirror(&mut primals);
                }
                move_all(&mut primals, &stream.fork(&format!("repeat {repeat}")))
            }
            Drawn::Simple(simplified) => simplified.apply(signature, &mut primals),
            Drawn::Tamed(tame) => tame.apply(signature, &mut primals),
            Drawn::Beside(_) | Drawn::Glanced => {
                let number = match drawn {
                    Drawn::Beside(number) => number,
                    _ => 0,
                };
                let beside = stream.fork(&format!("beside {number}"));
                signature.scatter(&mut primals, &stream.fork("beside"));
                signature.displace(&mut primals, &beside);
            }
            Drawn::Equal(one, other) => primals[other] = primals[one].clone(),
            Drawn::Rearranged(Rearranged::Swapped) => {
                let several = primals.iter_mut().filter(|floats| floats.len() > 1);
                several.for_each(|floats| floats.swap(0, 1));
            }
            Drawn::Rearranged(Rearranged::Mirrored) => {
                signature.mirror(&mut primals);
            }
            Drawn::Near(place, number) => {
                let near = stream.fork(&format!("near {number}"));
                signature.displace(&mut primals, &near);
                signature.change(&mut primals, place.change);
            }
            Drawn::Scanned(place) => {
                signature.change(&mut primals, place.change);
            }
            Drawn::Elsewhere(to, number) => {
                let beside = stream.fork(&format!("elsewhere {number}"));
                signature.displace(&mut primals, &beside);
                signature.take(&mut primals, to);
            }
        }
        primals
    }

    /// Whether a point that is drawn so lies where numbers may be: there alone the function is asked for a value.
    pub(super) fn is_admitted(&self, seed: u64, drawn: Drawn) -> bool {
        let place = self.place(&self.stream(seed), drawn);
        self.protocol.signature.admits(&place)
    }

    /// The point at `primals`, differentiated as one that is drawn so.
    fn differentiated(&self, seed: u64, drawn: Drawn, primals: Vec<Vec<f64>>) -> Point {
        let primal = |x: &[Vec<f64>]| self.subject.primal(x);
        // Where differences know little, steps that are nearer to each other may know more.
        let ladder = match drawn {
            Drawn::Tamed(tame) => self.protocol.ladder.clone().stride(tame.stride()),
            _ => self.protocol.ladder.clone(),
        };
        let signature = &self.protocol.signature;
        if drawn.is_second_look() {
            // What takes any real numbers is measured in double precision, where single precision has numbers for it.
            return match self.in_double(drawn, &primals) {
                Some(finer) => {
                    let ladder = ladder.precision(Precision::Double);
                    let round = |x: f64| self.protocol.precision.round(x);
                    let primals = primals.into_iter();
                    let primals = primals.map(|floats| floats.into_iter().map(round).collect());
                    let primals = primals.collect();
                    let double = |x: &[Vec<f64>]| finer.values(x);
                    let point = Point::beside(
                        signature,
                        &ladder,
                        primals,
                        primal,
                        double,
                        drawn.is_glance(),
                    );
                    self.looked_at_again(point.judged_in_single(), seed, drawn, &double)
                }
                None => {
                    let point = Point::beside(
                        signature,
                        &ladder,
                        primals,
                        primal,
                        primal,
                        drawn.is_glance(),
                    );
                    // Of a function that can be had in no other precision a ladder knows little, far out least of all.
                    let point = match self.protocol.precision {
                        Precision::Single if signature.is_short() && !drawn.is_glance() => {
                            point.averaged(&ladder, Precision::Single, primal)
                        }
                        _ => point,
                    };
                    self.looked_at_again(point, seed, drawn, &primal)
                }
            };
        }
        let ladder = &ladder;
        match &self.protocol.reference {
            Some(reference) => {
                reference.point(signature, ladder, self.protocol.precision, primals, primal)
            }
            None => Point::new(signature, ladder, primals, primal, primal),
        }
    }

    /// The same function in double precision, by which a point of single precision is judged.
    fn in_double(&self, drawn: Drawn, primals: &[Vec<f64>]) -> Option<&Finer> {
        let single = self.protocol.precision == Precision::Single && drawn.is_second_look();
        let has_number = || (self.subject.primal(primals)).is_ok_and(|value| value.is_finite());
        let finer = self.protocol.finer.as_ref();
        finer.filter(|_| single && has_number())
    }

    /// The point of a second look, in as many digits as are asked of a rule there.
    fn looked_at_again(
        &self,
        point: Point,
        seed: u64,
        drawn: Drawn,
        function: &Function<'_>,
    ) -> Point {
        match drawn {
            _ if drawn.is_glance() => point,
            Drawn::Elsewhere(to, _) => point.in_eight_digits(to.is_far()),
            Drawn::Near(place, _) => {
                let first = self.point(seed, Drawn::First);
                let noise = self.measured(&first, seed, Drawn::First).noise();
                match place.check {
                    Check::N4 => point.far_out(function, &noise),
                    check => point.in_five_digits(function, check, place.is_plain(), &noise),
                }
            }
            _ => point,
        }
    }

    /// The point in its place, with bars that reach to the derivatives at its neighbours; `None` if those are no others.
    pub(super) fn blurred(&self, point: &Point, seed: u64, drawn: Drawn) -> Option<Point> {
        let long = self.protocol.signature.length() > Probes::JACOBIAN_UP_TO;
        if self.protocol.reference.is_some() || long {
            return None;
        }
        let known = at(&self.points().blurred, self.label(seed, drawn));
        let blurred = known.get_or_init(|| self.between_neighbours(point, seed, drawn));
        blurred.clone()
    }

    /// The point with bars that reach to the derivatives at its neighbours, if those are others.
    fn between_neighbours(&self, point: &Point, seed: u64, drawn: Drawn) -> Option<Point> {
        let mut blurred = point.clone();
        let single = self.protocol.precision == Precision::Single;
        let [near @ .., far] = NEIGHBOURS[usize::from(single)];
        let noisy = point.is_noisy().then_some(far);
        let both = |part| {
            let neighbours = point.neighbours(part);
            neighbours.map(|primals| self.differentiated(seed, drawn, primals))
        };
        // A rule in single precision cannot know its arguments, nor what it subtracts, better than to their last place.
        if self.in_double(drawn, &point.primals).is_some() {
            blurred = blurred.unsure_to(both(2.0 * Precision::Single.epsilon()));
        }
        for part in near.into_iter().chain(noisy) {
            blurred = blurred.unsure_by(both(part), both(2.0 * part));
        }
        blurred.is_blurred(point).then_some(blurred)
    }
}

fn has_kink(point: &Point) -> bool {
    let Some(jacobian) = &point.jacobian else {
        return point.probes.is_none();
    };
    let entries = (0..jacobian.rows())
        .flat_map(|row| (0..jacobian.columns()).map(move |column| (row, column)));
    entries
        .into_iter()
        .any(|(row, column)| jacobian.entry(row, column).doubt == Some(Doubt::Kink))
}

/// Moves every number by up to 2 %.
fn move_all(primals: &mut [Vec<f64>], stream: &Stream) {
    let mut stream = stream.clone();
    primals
        .iter_mut()
        .flatten()
        .for_each(|x| *x *= 1.0 + stream.seed() / 64.0);
}
