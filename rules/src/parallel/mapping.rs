//! One function of each entry of a slice, or of each pair of entries.

use std::array::from_fn;

use coenzyme::{
    Active, Annotation, AugmentedOutcome, BatchDuplicated, DynArg, ForwardArg, ForwardConfig,
    ForwardOutcome, ForwardReturn, ForwardRule, Function, Holds, HoldsMut, Inactive, Lanes, Memory,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, primitive,
};

use super::tasks::{each, entry, inside, parts, ranges, shadows, total};
use super::{Entry, Operand};
use crate::class::Plain;
use crate::lanes::together;

/// `yᵢ = f(xᵢ, p)` for each entry of `x` (`(n)`), at once; `n` values, none for none.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme::{Duplicated, Inactive, Thunk};
/// use coenzyme_rules::parallel::map;
///
/// #[differentiable]
/// fn line(x: f64, p: &[f64]) -> f64 {
///     p[0] * x + p[1]
/// }
///
/// let (x, p) = ([1.0, 2.0, 3.0], [2.0, 0.5]);
/// assert_eq!(map(&x[..], &p[..], Inactive(line {})), [2.5, 4.5, 6.5]);
///
/// let (mut dx, mut dp) = ([0.0; 3], [0.0; 2]);
/// let mut args = (Duplicated(&x[..], &mut dx[..]), Duplicated(&p[..], &mut dp[..]), Const(Inactive(line {})));
/// let thunk = Thunk::<_, Duplicated<Vec<f64>>>::new(map {});
/// let augmented = thunk.augmented(&mut args);
/// thunk.reverse([vec![1.0, 1.0, 1.0]], augmented.tape, &mut args);
/// assert_eq!((dx, dp), ([2.0, 2.0, 2.0], [6.0, 3.0]));
/// ```
#[primitive]
pub fn map<T, P, U, F>(x: &[T], p: &P, f: Inactive<F>) -> Vec<U>
where
    T: Entry,
    P: Operand + ?Sized,
    U: Entry + Plain,
    F: for<'a> Function<(T, &'a P), Output = U> + Sync,
{
    let tasks = each(ranges(x.len()).collect(), |range| {
        let calls = x[range].iter().map(|x| f.0.call((x.clone(), p)));
        calls.collect::<Vec<U>>()
    });
    tasks.into_iter().flatten().collect()
}

/// `zᵢ = f(xᵢ, yᵢ, p)` for each pair of entries of `x` and `y` (both `(n)`), at once. **Panics** if the lengths differ.
///
/// ```
/// # use coenzyme::prelude::*;
/// # use coenzyme::Inactive;
/// # use coenzyme_rules::parallel::zip_map;
/// #[differentiable]
/// fn weighted(x: f64, y: f64, w: &f64) -> f64 {
///     x * y * *w
/// }
///
/// assert_eq!(zip_map(&[1.0, 2.0][..], &[3.0, 4.0][..], &10.0, Inactive(weighted {})), [30.0, 80.0]);
/// ```
#[primitive]
#[track_caller]
pub fn zip_map<T, V, P, U, F>(x: &[T], y: &[V], p: &P, f: Inactive<F>) -> Vec<U>
where
    T: Entry,
    V: Entry,
    P: Operand + ?Sized,
    U: Entry + Plain,
    F: for<'a> Function<(T, V, &'a P), Output = U> + Sync,
{
    check_lengths(x.len(), y.len());
    let tasks = each(ranges(x.len()).collect(), |range| {
        let pairs = x[range.clone()].iter().zip(&y[range]);
        let calls = pairs.map(|(x, y)| f.0.call((x.clone(), y.clone(), p)));
        calls.collect::<Vec<U>>()
    });
    tasks.into_iter().flatten().collect()
}

/// **Panics** if the lengths differ.
#[track_caller]
fn check_lengths(x: usize, y: usize) {
    assert!(x == y, "zip_map: slices of lengths {x} and {y}");
}

/// Runs `$run` with the shadows of every lane of each slice in `$dx`, and sets `$of` to the entries of the result.
///
/// `nest!([x dx of] { run })` expands to `let (of, ()) = x.lanes(|_, adjoints| together(adjoints, &mut |dx| run));`
macro_rules! nest {
    ([] $run:block) => { $run };
    ([$x:ident $dx:ident $of:ident $($rest:ident)*] $run:block) => {{
        let (gradient, ()) = $x.lanes(|$x, adjoints| {
            together(adjoints, &mut |$dx| nest!([$($rest)*] [$x $dx] $run))
        });
        $of = Some(gradient);
    }};
    ([] [$x:ident $dx:ident] $run:block) => { $run };
    ([$($rest:ident)+] [$x:ident $dx:ident] $run:block) => {{
        let mut lanes = Some($dx);
        let mut $dx = || lanes.take().expect("called once");
        nest!([$($rest)+] { let $dx = $dx(); $run })
    }};
}

/// The rules of a map over one or more slices; nothing is decided here by their number.
macro_rules! map_rules {
    ($name:ident $tape:ident: $first:ident; $($x:ident $dx:ident $of:ident $X:ident $T:ident $i:tt),+; $s:tt) => {
        /// What the reverse pass reads again: the entries and the shared argument if they may be overwritten, and the tapes of
        /// all calls, task by task.
        pub struct $tape<$($T: Clone,)+ P: ToOwned + ?Sized, Tape> {
            slices: ($(Saved<[$T]>,)+),
            p: Saved<P>,
            tasks: Vec<Vec<Tape>>,
        }

        impl<R, $($X, $T,)+ S, G, P, U, F, const W: usize> ForwardRule<R, ($($X,)+ S, G), W> for $name
        where
            $($T: Entry,)+
            P: Operand + ?Sized,
            U: Entry + Plain,
            R: ForwardReturn<W, Out = Vec<U>>,
            $($X: ForwardArg<[$T], W> + Annotation<Primal: Memory<Target = [$T]>>,)+
            S: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
            G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
            F: for<'a> Function<($($T,)+ &'a P), Output = U> + Sync,
            F: for<'a> ForwardRule<
                    BatchDuplicated<U, U, W>,
                    ($(DynArg<$T, &'a $T, W>,)+ DynArg<&'a P, &'a P, W>),
                    W,
                >,
        {
            #[track_caller]
            fn forward(
                &self,
                config: &ForwardConfig,
                ($($x,)+ p, f): ($(&mut $X,)+ &mut S, &mut G),
            ) -> ForwardOutcome<R, W> {
                $(check_lengths($first.primal().len(), $x.primal().len());)+
                let n = $first.primal().len();
                let body = config.with_needs_primal(true);
                let f = &f.primal().0;
                $(let $dx: Option<[&[$T]; W]> = $x.is_active().then(|| {
                    from_fn(|lane| $x.tangent(lane).expect("an active argument has tangents"))
                });)+
                $(let $x = $x.primal();)+
                let dp: Option<[&P; W]> = p.is_active().then(|| {
                    from_fn(|lane| p.tangent(lane).expect("an active argument has tangents"))
                });
                let p = p.primal();
                if !R::ACTIVE {
                    let value = || {
                        let tasks = each(ranges(n).collect(), |range| {
                            range.map(|i| f.call(($($x[i].clone(),)+ p))).collect::<Vec<U>>()
                        });
                        tasks.into_iter().flatten().collect()
                    };
                    return R::forward(config, value, |_| unreachable!("no tangent of a Const return"));
                }
                let results = each(ranges(n).collect(), |range| {
                    let calls = range.map(|i| {
                        $(let mut $x = DynArg::new($x[i].clone(), $dx.map(|lanes| lanes.map(|dx| &dx[i])));)+
                        let mut p = DynArg::new(p, dp);
                        inside::<U, _>(f.forward(&body, ($(&mut $x,)+ &mut p))).into_parts()
                    });
                    calls.collect::<Vec<(U, [U; W])>>()
                });
                let (values, tangents): (Vec<U>, Vec<[U; W]>) = results.into_iter().flatten().unzip();
                R::forward(
                    config,
                    || values,
                    |lane| tangents.iter().map(|lanes| lanes[lane].clone()).collect(),
                )
            }
        }

        impl<R, $($X, $T,)+ S, G, P, U, F, Tape, const W: usize> ReverseRule<R, ($($X,)+ S, G), W> for $name
        where
            $($T: Entry,)+
            P: Operand + ?Sized,
            U: Entry + Plain,
            R: ReverseReturn<W, Out = Vec<U>>,
            $($X: ReverseArg<[$T], W> + Annotation<Primal: Memory<Target = [$T]>>,)+
            S: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
            G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
            Tape: Send + 'static,
            F: for<'a> Function<($($T,)+ &'a P), Output = U> + Sync,
            F: for<'a> ReverseRule<
                    Active<U>,
                    ($(DynArg<$T, &'a mut $T, W>,)+ DynArg<&'a P, &'a mut P, W>),
                    W,
                    Tape = Tape,
                >,
        {
            type Tape = $tape<$($T,)+ P, Tape>;

            #[track_caller]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                ($($x,)+ p, f): ($(&mut $X,)+ &mut S, &mut G),
            ) -> AugmentedOutcome<R, Self::Tape, W> {
                $(check_lengths($first.primal().len(), $x.primal().len());)+
                let n = $first.primal().len();
                let body = config.with_none_overwritten().with_needs_primal(true);
                let f = &f.primal().0;
                $(let $dx = R::ACTIVE && $x.is_active();)+
                let dp = R::ACTIVE && p.is_active();
                let active = dp $(|| $dx)+;
                let slices = ($(Saved::new($x.primal(), active && config.overwritten($i)),)+);
                let saved = Saved::new(p.primal(), active && config.overwritten($s));
                $(let $x = $x.primal();)+
                let p = p.primal();
                let results = each(ranges(n).collect(), |range| {
                    let calls = range.map(|i| {
                        if !active {
                            return (f.call(($($x[i].clone(),)+ p)), None);
                        }
                        $(let mut $x = DynArg::promised($x[i].clone(), $dx);)+
                        let mut p = DynArg::promised(p, dp);
                        let augmented =
                            inside::<U, _>(f.augmented_primal(&body, ($(&mut $x,)+ &mut p)));
                        (augmented.primal.expect("asked for"), Some(augmented.tape))
                    });
                    calls.unzip::<U, Option<Tape>, Vec<U>, Vec<Option<Tape>>>()
                });
                let (values, tasks): (Vec<_>, Vec<_>) = results.into_iter().unzip();
                let tasks = tasks.into_iter().map(|tapes| tapes.into_iter().flatten().collect());
                let tape = $tape { slices, p: saved, tasks: tasks.collect() };
                R::augmented(config, values.into_iter().flatten().collect(), tape)
            }

            fn reverse(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: Self::Tape,
                ($($x,)+ p, g): ($(&mut $X,)+ &mut S, &mut G),
            ) -> ($($X::Gradient,)+ S::Gradient, G::Gradient) {
                let n = $first.primal().len();
                let body = config.with_none_overwritten().with_needs_primal(true);
                let f = &g.primal().0;
                let (active, $($dx),+) = (R::ACTIVE && p.is_active(), $(R::ACTIVE && $x.is_active()),+);
                let dret: Option<[&Vec<U>; W]> = (active $(|| $dx)+).then(|| {
                    from_fn(|lane| dret.lane(lane).expect("an active return has cotangents"))
                });
                let Some(dret) = dret else {
                    return ($($x.no_gradient(),)+ p.no_gradient(), g.no_gradient());
                };
                let $tape { slices, p: saved, mut tasks } = tape;
                let mut sum = None;
                #[allow(unused_assignments, reason = "the outermost is set once")]
                let ($(mut $of,)+) = ($(map_rules!(@none $of),)+);
                let shared = saved.get(p.primal());
                nest!([$($x $dx $of)+] {
                    $(let $x = slices.$i.get($x);)+
                    let mut items: Vec<_> = std::mem::take(&mut tasks)
                        .into_iter()
                        .zip(ranges(n))
                        .map(|(tapes, range)| (tapes, range, ($(map_rules!(@empty $T),)+)))
                        .collect();
                    $(for (item, part) in items.iter_mut().zip(parts($dx, ranges(n))) {
                        item.2.$i = part;
                    })+
                    let tasks = each(items, |(tapes, range, mut lanes)| {
                        let mut dp = shadows::<P, W>(shared, active);
                        for (k, (i, tape)) in range.zip(tapes).enumerate() {
                            let dy: [U; W] = from_fn(|lane| dret[lane][i].clone());
                            $(let mut $x = DynArg::new($x[i].clone(), entry(&mut lanes.$i, k));)+
                            let dp = dp.as_mut().map(|dp| dp.each_mut().map(HoldsMut::get_mut));
                            let mut p = DynArg::new(shared, dp);
                            f.reverse(&body, dy, tape, ($(&mut $x,)+ &mut p));
                        }
                        dp
                    });
                    sum = total::<P, W>(tasks);
                });
                let of_p = p.accumulate(|lane, _, mut dp| {
                    if let Some(sum) = &sum {
                        dp.add(sum[lane].get());
                    }
                });
                ($($of.expect("set above"),)+ of_p, g.no_gradient())
            }
        }
    };
    (@none $of:ident) => { None };
    (@empty $T:ident) => { Vec::<&mut [$T]>::new() };
}

map_rules!(map MapTape: x; x dx of_x X T 0; 1);
map_rules!(zip_map ZipMapTape: x; x dx of_x X T 0, y dy of_y Y V 1; 2);
