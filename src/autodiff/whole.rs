//! `jacobian!`, `jvp!` and `vjp!`: first derivatives of functions of any arguments.

use super::NaturalReturn;
use super::jacobian::one_hot;
use super::points::Points;
use super::returning::Tag;
use crate::activity::BatchDuplicatedNoNeed;
use crate::autodiff::Jacobian;
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Annotated, Args, AugmentedReturn, ForwardRule, Function, Outcome, ReverseReturn, ReverseRule,
};
use crate::tangent::{Memory, Tangent};

pub use super::points::Hold;

/// Directions of a pass.
const LANES: usize = 4;

/// What a pass finds: for each lane as many numbers as there are on the other side.
pub type Found<const W: usize> = [Vec<f64>; W];

/// The return activity by which reverse mode returns an `Out`.
pub(super) type Returned<Out, const W: usize> =
    <<<Out as Outcome>::Value as NaturalReturn>::Reverse as Tag<Out, W>>::R;

/// Cotangents of what a function returns.
pub trait Cotangents<T>: Sized {
    /// From the numbers of each lane, of which those of the result are taken.
    fn of(result: &T, numbers: &mut dyn FnMut(usize) -> T) -> Self;
}

impl<T> Cotangents<T> for () {
    fn of(_: &T, _: &mut dyn FnMut(usize) -> T) {}
}

impl<T, const W: usize> Cotangents<T> for [T; W] {
    fn of(_: &T, numbers: &mut dyn FnMut(usize) -> T) -> Self {
        std::array::from_fn(numbers)
    }
}

const PRIMAL: &str = "a rule returns the primal when its configuration asks for it";

/// Calls the function; what it writes stays written.
pub fn value<'a, F, P>(f: &F, points: &'a mut P) -> F::Output
where
    P: Points,
    F: Function<P::Plain<'a>>,
{
    f.call(points.plain())
}

/// Tangents of the result and of what was written, along `seeds`.
pub fn forward<'a, F, P, Out, const W: usize>(
    f: &F,
    points: &'a mut P,
    seeds: &Found<W>,
) -> Out::Of<Found<W>>
where
    P: Points,
    Out: Outcome,
    F: Function<P::Plain<'a>, Output = Out>,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, W>, P::Forward<'a, W>, W>,
{
    let mut handles = along(points, seeds);
    let tangents = f.forward(&ForwardConfig::new(false), handles.refs());
    Out::map_of(tangents, |tangents| columns::<P, _, W>(tangents, &handles))
}

/// The arguments, moving along `seeds`.
pub(super) fn along<'a, P: Points, const W: usize>(
    points: &'a mut P,
    seeds: &Found<W>,
) -> P::Forward<'a, W> {
    points.along(std::array::from_fn(|lane| &seeds[lane][..]))
}

/// The tangents of each lane, one output after the other.
pub(super) fn columns<P: Points, T: Tangent, const W: usize>(
    tangents: [T; W],
    handles: &P::Forward<'_, W>,
) -> Found<W> {
    let mut columns = tangents.map(|tangent| Tangent::to_flat(&tangent));
    P::tangents(handles, &mut columns);
    columns
}

/// What looks on while a reverse pass runs; `()` does not.
pub(super) trait Watch<A: Args<W>, const W: usize> {
    /// The shadows have been given their cotangents; the first numbers of the seeds, `returned` of them, are those of the result.
    fn seeded(&mut self, _: &A, _seeds: &Found<W>, _returned: usize) {}

    /// The pass is over.
    fn done(self, _: &A, _: &A::Gradients);
}

impl<A: Args<W>, const W: usize> Watch<A, W> for () {
    #[inline]
    fn done(self, _: &A, _: &A::Gradients) {}
}

#[allow(clippy::type_complexity)]
/// One reverse pass from cotangents of the result and of what is written; `found` takes the gradients out of the arguments.
pub(super) fn pass<'a, F, P, Out, U, L, const W: usize>(
    f: &F,
    points: &'a mut P,
    last: bool,
    seeds: &Found<W>,
    watch: impl FnOnce(&P::Reverse<'a, W>) -> L,
    found: impl FnOnce(P::Reverse<'a, W>, <P::Reverse<'a, W> as Args<W>>::Gradients) -> U,
) -> Out::Of<U>
where
    P: Points,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, W>>>,
    Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, W>, P::Reverse<'a, W>, W>,
    L: Watch<P::Reverse<'a, W>, W>,
{
    let mut handles = points.against::<W>(last);
    let mut watch = watch(&handles);
    let config = ReverseConfig::new(true);
    let augmented = f.augmented_primal(&config, handles.refs());
    Out::map_of(augmented, |AugmentedReturn { primal, tape, .. }| {
        let primal = primal.expect(PRIMAL);
        let returned = Tangent::to_flat(&primal).len();
        let n = returned + P::written(&handles);
        for m in seeds.iter().map(Vec::len) {
            assert_eq!(n, m, "vjp: the result has {n} numbers, the cotangent {m}");
        }
        let mut rest: [&[f64]; W] = std::array::from_fn(|lane| &seeds[lane][..]);
        let cotangents = Cotangents::of(&primal, &mut |lane| {
            let mut cotangent = Tangent::zero_like(&primal);
            Tangent::unflatten_from(&mut cotangent, &mut rest[lane]);
            cotangent
        });
        P::seed(&mut handles, rest);
        watch.seeded(&handles, seeds, returned);
        let entries = f.reverse(&config, cotangents, tape, handles.refs());
        watch.done(&handles, &entries);
        found(handles, entries)
    })
}

/// Gradients of the combinations of outputs that `seeds` are.
pub fn reverse<'a, F, P, Out, const W: usize>(
    f: &F,
    points: &'a mut P,
    seeds: &Found<W>,
) -> Out::Of<Found<W>>
where
    P: Points,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, W>>>,
    Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, W>, P::Reverse<'a, W>, W>,
{
    pass(f, points, false, seeds, |_| (), rows::<P, W>)
}

/// The gradients of each lane, one argument after the other.
pub(super) fn rows<'a, P: Points + 'a, const W: usize>(
    handles: P::Reverse<'a, W>,
    entries: <P::Reverse<'a, W> as Args<W>>::Gradients,
) -> Found<W> {
    let mut rows = std::array::from_fn(|_| Vec::new());
    P::cotangents(&handles, &entries, &mut rows);
    rows
}

/// The gradient of the combination of outputs that `seed` is, with an entry for each argument.
pub fn vjp<'a, F, P, Out>(f: &F, points: &'a mut P, seed: impl Memory) -> Out::Of<P::Gradients>
where
    P: Points,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, 1>>>,
    Returned<Out, 1>: ReverseReturn<1, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, 1>, P::Reverse<'a, 1>, 1>,
{
    let seed = [Tangent::to_flat(seed.memory())];
    pass(f, points, true, &seed, |_| (), P::gradients)
}

/// The tangent of the result.
pub fn jvp<F, A, Out>(f: &F, mut args: A) -> Out::Of<Out::Value>
where
    A: Args<1> + Annotated,
    F: Function<A::Primals, Output = Out>,
    Out: Outcome,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, 1>, A, 1>,
{
    let tangents = f.forward(&ForwardConfig::new(false), args.refs());
    Out::map_of(tangents, |[tangent]: [Out::Value; 1]| tangent)
}

/// The Jacobian, by the mode that takes fewer passes. There are passes only where there is a value.
pub fn jacobian<F, P, Out>(
    points: &mut P,
    f: &F,
    value: impl FnOnce(&F, &mut P) -> Out,
    forward: impl Fn(&F, &mut P, &Found<LANES>) -> Out::Of<Found<LANES>>,
    reverse: impl Fn(&F, &mut P, &Found<LANES>) -> Out::Of<Found<LANES>>,
) -> Out::Of<Jacobian>
where
    P: Points,
    Out: Outcome,
{
    Outcome::map_value(value(f, points), |y| {
        let (rows, columns) = (
            Tangent::to_flat(&y).len() + points.outputs(),
            points.inputs(),
        );
        let mut jacobian = Jacobian::zeros(rows, columns);
        match columns <= rows {
            true => {
                let pass = |seeds: &_| forward(f, points, seeds);
                passes::<Out>(columns, pass, |j, column| jacobian.set_column(j, column));
            }
            false => {
                let pass = |seeds: &_| reverse(f, points, seeds);
                passes::<Out>(rows, pass, |i, row| jacobian.set_row(i, row));
            }
        }
        jacobian
    })
}

/// Runs a pass for every [`LANES`] unit vectors of `n`, and hands on what each finds.
fn passes<Out: Outcome>(
    n: usize,
    mut pass: impl FnMut(&Found<LANES>) -> Out::Of<Found<LANES>>,
    mut found: impl FnMut(usize, &[f64]),
) {
    for start in (0..n).step_by(LANES) {
        let seeds = std::array::from_fn(|lane| one_hot(n, start + lane));
        let mut any = false;
        Out::map_of(pass(&seeds), |lanes| {
            any = true;
            (start..n).zip(&lanes).for_each(|(i, lane)| found(i, lane));
        });
        assert!(
            any,
            "a function that has a value at a point has derivatives there"
        );
    }
}
