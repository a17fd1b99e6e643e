//! The entries of a slice, combined by an associative function.

use std::array::from_fn;

use coenzyme::{
    Active, Annotation, AugmentedOutcome, BatchDuplicated, DynArg, ForwardArg, ForwardConfig,
    ForwardOutcome, ForwardReturn, ForwardRule, Function, Inactive, Lanes, Memory, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, Saved, Tangent, primitive,
};

use super::Entry;
use super::tasks::{each, inside, parts, ranges};
use crate::class::Plain;
use crate::lanes::together;

/// `x₀∘x₁∘…∘xₙ₋₁` of the entries of `x` (`(n)`), where `a∘b = f(a, b)` is associative. **Panics** if there are none.
///
/// Each task combines its entries from the left, and the results of the tasks are combined from the left: the brackets depend on
/// `n` alone. For the sum of numbers prefer [`sum`](fn@crate::array::sum).
///
/// ```
/// # use coenzyme::prelude::*;
/// # use coenzyme::Inactive;
/// # use coenzyme_rules::parallel::reduce;
/// #[differentiable]
/// fn times(x: f64, y: f64) -> f64 {
///     x * y
/// }
///
/// assert_eq!(reduce(&[1.0, 2.0, 3.0, 4.0][..], Inactive(times {})), 24.0);
/// ```
#[primitive]
#[track_caller]
pub fn reduce<T, F>(x: &[T], f: Inactive<F>) -> T
where
    T: Entry + Plain,
    F: Function<(T, T), Output = T> + Sync,
{
    check_length(x.len());
    let f = |a, b: &T| f.0.call((a, b.clone()));
    let tasks = each(ranges(x.len()).collect(), |range| {
        fold(&x[range], T::clone, f)
    });
    fold(&tasks, T::clone, f)
}

/// **Panics** if there are no entries.
#[track_caller]
fn check_length(n: usize) {
    assert!(n > 0, "reduce: no entries");
}

/// The entries from the left.
fn fold<T, A>(x: &[T], first: impl Fn(&T) -> A, f: impl Fn(A, &T) -> A) -> A {
    let (head, rest) = x.split_first().expect("a task has entries");
    rest.iter().fold(first(head), f)
}

/// The steps of one fold: what was combined so far, before each step, and the tape of the step.
type Steps<T, Tape> = Vec<(T, Tape)>;

/// What the reverse pass reads again: the entries if they may be overwritten, the results of the tasks, and the steps of all
/// folds, of the tasks and of their results.
pub struct ReduceTape<T: Clone, Tape> {
    x: Saved<[T]>,
    results: Vec<T>,
    tasks: Vec<Steps<T, Tape>>,
    last: Steps<T, Tape>,
}

impl<R, X, G, T, F, const W: usize> ForwardRule<R, (X, G), W> for reduce
where
    T: Entry + Plain,
    R: ForwardReturn<W, Out = T>,
    X: ForwardArg<[T], W> + Annotation<Primal: Memory<Target = [T]>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    F: Function<(T, T), Output = T> + Sync,
    F: ForwardRule<BatchDuplicated<T, T, W>, (DynArg<T, T, W>, DynArg<T, T, W>), W>,
{
    #[track_caller]
    fn forward(&self, config: &ForwardConfig, (x, f): (&mut X, &mut G)) -> ForwardOutcome<R, W> {
        check_length(x.primal().len());
        let f = &f.primal().0;
        let body = config.with_needs_primal(true);
        let dx: Option<[&[T]; W]> = x
            .is_active()
            .then(|| from_fn(|lane| x.tangent(lane).expect("an active argument has tangents")));
        let x = x.primal();
        if !R::ACTIVE {
            let value = || fold(&each_fold(x, f), T::clone, |a, b| f.call((a, b.clone())));
            return <T as Plain>::wrap(R::forward(config, value, |_| {
                unreachable!("no tangent of a Const return")
            }));
        }
        type Both<T, const W: usize> = (T, Option<[T; W]>);
        let combine = |(a, da): Both<T, W>, (b, db): &Both<T, W>| {
            let (mut a, mut b) = (DynArg::new(a, da), DynArg::new(b.clone(), db.clone()));
            let active = dx.is_some();
            let (c, dc) = inside::<T, _>(f.forward(&body, (&mut a, &mut b))).into_parts();
            (c, active.then_some(dc))
        };
        let entry = |i: usize| (x[i].clone(), dx.map(|dx| dx.map(|dx| dx[i].clone())));
        let tasks = each(ranges(x.len()).collect(), |range| {
            let (first, rest) = (range.start, range.start + 1..range.end);
            rest.fold(entry(first), |a, i| combine(a, &entry(i)))
        });
        let (value, tangents) = fold(&tasks, Clone::clone, combine);
        let zero = || Tangent::zero_like(&value);
        let mut lanes = tangents.unwrap_or_else(|| from_fn(|_| zero())).map(Some);
        <T as Plain>::wrap(R::forward(
            config,
            || value,
            |lane| lanes[lane].take().expect("each lane is asked for once"),
        ))
    }
}

/// The results of the tasks.
fn each_fold<T, F>(x: &[T], f: &F) -> Vec<T>
where
    T: Entry,
    F: Function<(T, T), Output = T> + Sync,
{
    each(ranges(x.len()).collect(), |range| {
        fold(&x[range], T::clone, |a, b| f.call((a, b.clone())))
    })
}

impl<R, X, G, T, F, Tape, const W: usize> ReverseRule<R, (X, G), W> for reduce
where
    T: Entry + Plain,
    R: ReverseReturn<W, Out = T>,
    X: ReverseArg<[T], W> + Annotation<Primal: Memory<Target = [T]>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    Tape: Send + 'static,
    F: Function<(T, T), Output = T> + Sync,
    F: ReverseRule<Active<T>, (DynArg<T, T, W>, DynArg<T, T, W>), W, Tape = Tape>,
{
    type Tape = ReduceTape<T, Tape>;

    #[track_caller]
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, f): (&mut X, &mut G),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        check_length(x.primal().len());
        let f = &f.primal().0;
        let body = config.with_none_overwritten().with_needs_primal(true);
        let active = R::ACTIVE && x.is_active();
        let saved = Saved::new(x.primal(), active && config.overwritten(0));
        let x = x.primal();
        let run = |x: &[T]| {
            fold(
                x,
                |x| (x.clone(), Steps::new()),
                |(a, mut steps), b| {
                    if !active {
                        return (f.call((a, b.clone())), steps);
                    }
                    let mut args = (
                        DynArg::promised(a.clone(), true),
                        DynArg::promised(b.clone(), true),
                    );
                    let augmented =
                        inside::<T, _>(f.augmented_primal(&body, (&mut args.0, &mut args.1)));
                    steps.push((a, augmented.tape));
                    (augmented.primal.expect("asked for"), steps)
                },
            )
        };
        let folds = each(ranges(x.len()).collect(), |range| run(&x[range]));
        let (results, tasks): (Vec<T>, Vec<_>) = folds.into_iter().unzip();
        let (value, last) = run(&results);
        let tape = ReduceTape {
            x: saved,
            results,
            tasks,
            last,
        };
        <T as Plain>::wrap(R::augmented(config, value, tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x, g): (&mut X, &mut G),
    ) -> (X::Gradient, G::Gradient) {
        let f = &g.primal().0;
        let body = config.with_none_overwritten().with_needs_primal(true);
        if !(R::ACTIVE && x.is_active()) {
            return (x.no_gradient(), g.no_gradient());
        }
        // One fold backwards: the cotangents of its entries, first to last.
        let back = |x: &[T], steps: Steps<T, Tape>, dy: [T; W]| {
            let mut da = dy;
            let mut of_entries = Vec::with_capacity(x.len());
            for (b, (a, tape)) in x[1..].iter().zip(steps).rev() {
                let zeros = |x: &T| Some(from_fn(|_| Tangent::zero_like(x)));
                let (za, zb) = (zeros(&a), zeros(b));
                let mut args = (DynArg::new(a, za), DynArg::new(b.clone(), zb));
                f.reverse(&body, da, tape, (&mut args.0, &mut args.1));
                da = args.0.into_parts().1.expect("it has shadows");
                of_entries.push(args.1.into_parts().1.expect("it has shadows"));
            }
            of_entries.push(da);
            of_entries.reverse();
            of_entries
        };
        let dret = from_fn(|lane| dret.lane(lane).expect("the return is active").clone());
        let ReduceTape {
            x: saved,
            results,
            tasks,
            last,
        } = tape;
        let of_results = back(&results, last, dret);
        let mut items = Some((tasks, of_results));
        let (of_x, ()) = x.lanes(|x, adjoints| {
            let x = saved.get(x);
            together(adjoints, &mut |dx| {
                let (tasks, of_results) = items.take().expect("called once");
                let work: Vec<_> = (ranges(x.len()).zip(parts(dx, ranges(x.len()))))
                    .zip(tasks.into_iter().zip(of_results))
                    .collect();
                each(work, |((range, mut lanes), (steps, dy))| {
                    for (k, entry) in back(&x[range], steps, dy).iter().enumerate() {
                        lanes
                            .iter_mut()
                            .zip(entry)
                            .for_each(|(dx, d)| Tangent::accumulate(&mut dx[k], d));
                    }
                });
            });
        });
        (of_x, g.no_gradient())
    }
}
