//! Where the derivatives that a rule is judged by come from, if not from differences of its own function.

use coenzyme::{Function, Outcome};

use super::Tester;
use crate::argument::{AllFiner, Passings};
use crate::judge::{Point, Signature};
use crate::ladder::{Ladder, Precision};
use crate::subject::{Callable, Fault, Primal};

/// A primal on the floats of its arguments.
pub(super) type Flat = Box<dyn Fn(&[Vec<f64>]) -> Result<Primal, Fault> + Send + Sync>;

/// A function of dual numbers, on their values and tangents by turns.
#[doc(hidden)]
pub struct Finer(pub(super) Flat);

impl Finer {
    /// The function of plain numbers in double precision.
    pub(super) fn values(&self, x: &[Vec<f64>]) -> Result<Primal, Fault> {
        let constant = |floats: &Vec<f64>| floats.iter().flat_map(|x| [*x, 0.0]).collect();
        let x: Vec<Vec<f64>> = x.iter().map(constant).collect();
        (self.0)(&x).map(|primal| primal.values())
    }
}

/// A row for each float that is returned and then for each that is written, a column for each float of the arguments.
type Rows = Box<dyn Fn(&[Vec<f64>]) -> Vec<Vec<f64>> + Send + Sync>;

/// Where the derivatives come from.
pub(super) enum Reference {
    /// Differences of another function.
    Differences(Flat),
    /// The same function of dual numbers.
    Dual(Flat),
    /// A formula.
    Known(Rows),
}

impl Reference {
    /// The primal whose differences are taken, if differences are.
    pub(super) fn differences(&self) -> Option<&Flat> {
        match self {
            Reference::Differences(primal) => Some(primal),
            Reference::Dual(_) | Reference::Known(_) => None,
        }
    }

    /// The point at which `primal` is judged by this reference.
    pub(super) fn point(
        &self,
        signature: &Signature,
        ladder: &Ladder,
        precision: Precision,
        primals: Vec<Vec<f64>>,
        primal: impl Fn(&[Vec<f64>]) -> Result<Primal, Fault>,
    ) -> Point {
        match self {
            Reference::Differences(other) if precision == Precision::Single => {
                Point::in_single(signature, ladder, primals, primal, other)
            }
            Reference::Differences(other) => Point::new(signature, ladder, primals, primal, other),
            Reference::Dual(dual) => {
                Point::known(signature, primals, primal, |point| derivatives(dual, point))
            }
            Reference::Known(rows) => Point::known(signature, primals, primal, |point| {
                Some(rows(&point.primals))
            }),
        }
    }
}

/// All derivatives of a function of dual numbers, one evaluation for each column; `None` where it fails.
fn derivatives(dual: &Flat, point: &Point) -> Option<Vec<Vec<f64>>> {
    let columns = point.columns_by(dual, &point.primals)?;
    let rows = columns.first().map_or(0, Vec::len);
    let row = |row: usize| columns.iter().map(|column| column[row]).collect();
    Some((0..rows).map(row).collect())
}

impl<F, Ps, Out> Tester<F, Ps, Out>
where
    Ps: AllFiner,
    Out: Outcome,
    F: Send + Sync + 'static,
{
    /// The same function of dual numbers.
    #[doc(hidden)]
    pub fn of_dual_numbers<Wide>(&self) -> Finer
    where
        Wide: Outcome<Value: Send + Sync + 'static> + 'static,
        F: for<'a> Function<<Ps::Finer as Passings>::Primals<'a>, Output = Wide>,
    {
        let subject = self.subject.finer::<Wide>();
        Finer(of_floats(Box::new(subject)))
    }
}

impl<F, Ps, Out> Tester<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
{
    /// Takes the differences of another function, given with arguments of the same lengths: a solver with a tighter tolerance,
    /// a formula without cancellation, and for a function that is generic over the scalar and tested in single precision,
    /// itself in double precision. Differences of single precision are coarse, and often inconclusive.
    ///
    /// ```
    /// use coenzyme::{Real, primitive};
    /// use coenzyme_testutils::{Setting, value};
    ///
    /// #[primitive]
    /// fn cube<T: Real>(x: T) -> T {
    ///     x * x * x
    /// }
    ///
    /// let double = Setting::new((value(1.5_f64),)).function("cube", cube {});
    /// let single = Setting::new((value(1.5_f32),)).function("cube", cube {}).reference(double);
    /// ```
    #[must_use]
    pub fn reference<G, Qs, Wide>(mut self, other: Tester<G, Qs, Wide>) -> Self
    where
        Qs: Passings,
        Wide: Outcome<Value: Send + Sync + 'static> + 'static,
        G: for<'a> Function<Qs::Primals<'a>, Output = Wide> + Send + Sync + 'static,
    {
        self.protocol.ladder = self.protocol.ladder.precision(other.protocol.precision);
        self.protocol.reference = Some(Reference::Differences(flat(other)));
        self
    }

    /// Evaluates the same function on dual numbers in place of differences: no steps, no error bars. For functions that are
    /// generic over the scalar. `dual` is given with arguments of as many dual numbers; their values do not matter.
    ///
    /// ```
    /// use coenzyme::{AsActive, Dual, differentiable, Real};
    /// use coenzyme_testutils::{Setting, value};
    ///
    /// #[differentiable]
    /// fn cube<T: Real>(x: T) -> T {
    ///     x * x * x
    /// }
    ///
    /// let dual = Setting::new((value(Dual::constant(0.0)),)).function("cube", cube {});
    /// let tester = Setting::new((value(1.5),)).function("cube", cube {}).dual(dual);
    /// tester.mix(AsActive, (AsActive,)).reverse::<_, _, 1>().assert();
    /// ```
    #[must_use]
    pub fn dual<G, Qs, Wide>(mut self, dual: Tester<G, Qs, Wide>) -> Self
    where
        Qs: Passings,
        Wide: Outcome<Value: Send + Sync + 'static> + 'static,
        G: for<'a> Function<Qs::Primals<'a>, Output = Wide> + Send + Sync + 'static,
    {
        self.protocol.reference = Some(Reference::Dual(flat(dual)));
        self
    }

    /// Judges by known derivatives in place of differences: `rows` answers a row for each float that the function returns and
    /// then for each of its mutable arguments, with a column for each float of all arguments.
    ///
    /// ```
    /// use coenzyme::{AsActive, differentiable};
    /// use coenzyme_testutils::{Setting, value};
    ///
    /// #[differentiable]
    /// fn product(x: f64, y: f64) -> f64 {
    ///     x * y
    /// }
    ///
    /// let tester = Setting::new((value(1.5), value(-0.75))).function("product", product {});
    /// let tester = tester.derivatives(|x| vec![vec![x[1][0], x[0][0]]]);
    /// tester.mix(AsActive, (AsActive, AsActive)).reverse::<_, _, 1>().assert();
    /// ```
    ///
    /// **Panics** in the test if the rows have another shape.
    #[must_use]
    pub fn derivatives(
        mut self,
        rows: impl Fn(&[Vec<f64>]) -> Vec<Vec<f64>> + Send + Sync + 'static,
    ) -> Self {
        self.protocol.reference = Some(Reference::Known(Box::new(rows)));
        self
    }
}

fn flat<G, Qs, Wide>(other: Tester<G, Qs, Wide>) -> Flat
where
    Qs: Passings,
    Wide: Outcome<Value: Send + Sync + 'static> + 'static,
    G: for<'a> Function<Qs::Primals<'a>, Output = Wide> + Send + Sync + 'static,
{
    of_floats(Box::new(other.subject))
}

/// A function on the floats of its arguments.
fn of_floats(subject: Box<dyn Callable>) -> Flat {
    Box::new(move |x| subject.primal(x))
}
