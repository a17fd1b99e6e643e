//! One function of each entry of arrays along their leading axis.

use std::array::from_fn;
use std::mem::take;

use coenzyme::{
    Active, Annotation, AugmentedOutcome, BatchDuplicated, DynArg, ForwardArg, ForwardConfig,
    ForwardOutcome, ForwardReturn, ForwardRule, Function, Holds, HoldsMut, Inactive, Lanes, Memory,
    ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, primitive,
};
use ndarray::{ArrayRef, ArrayViewMut, Axis, RemoveAxis};

use super::stacking::Row;
use super::tasks::{each, inside, ranges, shadows, total};
use super::{Entry, Operand};
use crate::class::Plain;
use crate::lanes::together;

/// An entry along the leading axis.
type Part<T, D> = ArrayRef<T, <D as ndarray::Dimension>::Smaller>;

/// The entries along the leading axis of each array. **Panics** if they differ.
#[track_caller]
fn length<const N: usize>(name: &str, shapes: [&[usize]; N]) -> usize {
    let n = shapes[0][0];
    assert!(
        shapes.iter().all(|shape| shape[0] == n),
        "{name}: as many entries along the leading axis of shapes {shapes:?}?"
    );
    n
}

/// The tangents of all lanes of an argument, if it is active.
fn tangents<T: ?Sized, X: ForwardArg<T, W>, const W: usize>(x: &X) -> Option<[&T; W]> {
    let tangent = |lane| x.tangent(lane).expect("an active argument has tangents");
    x.is_active().then(|| from_fn(tangent))
}

/// Runs a block with the primals and the shadows of all lanes of several arguments, and leaves their gradients in `$of`.
///
/// ```text
/// let (gradient, ()) = x.lanes(|x, adjoints| together(adjoints, &mut |mut dx| { … })); of_x.replace(gradient);
/// ```
macro_rules! with_lanes {
    ($tape:ident [] $body:block) => { $body };
    ($tape:ident [($x:ident $dx:ident $of:ident) $($rest:tt)*] $body:block) => {
        let (gradient, ()) = $x.lanes(|$x, adjoints| {
            let $x = $tape.$x.get($x);
            together(adjoints, &mut |mut $dx| {
                with_lanes!($tape [$($rest)*] $body);
            });
        });
        $of.replace(gradient);
    };
}

/// A function of arrays along their leading axis, and of a shared argument, with its rules. Each array has a name, those of its
/// shadows and of its gradient, its types, and its place among the arguments.
macro_rules! along_rows {
    ($(#[$doc:meta])* $name:ident, $Tape:ident, shared $s:literal:
        $($x:ident $dx:ident $of:ident ($X:ident $T:ident $D:ident) $i:literal),+) => {
        $(#[$doc])*
        #[primitive]
        #[track_caller]
        pub fn $name<$($T, $D,)+ P, U, F>($($x: &ArrayRef<$T, $D>,)+ p: &P, f: Inactive<F>) -> U::Stacked
        where
            $($T: Entry, $D: RemoveAxis,)+
            P: Operand + ?Sized,
            U: Entry + Row,
            F: for<'a> Function<($(&'a Part<$T, $D>,)+ &'a P), Output = U> + Sync,
        {
            U::stack($name::values($($x,)+ p, &f.0))
        }

        impl $name {
            #[track_caller]
            fn values<$($T, $D,)+ P, U, F>($($x: &ArrayRef<$T, $D>,)+ p: &P, f: &F) -> Vec<U>
            where
                $($T: Entry, $D: RemoveAxis,)+
                P: Operand + ?Sized,
                U: Entry,
                F: for<'a> Function<($(&'a Part<$T, $D>,)+ &'a P), Output = U> + Sync,
            {
                let n = length(stringify!($name), [$($x.shape()),+]);
                let tasks = each(ranges(n).collect(), |range| {
                    let calls = range.map(|i| f.call(($(&*$x.index_axis(Axis(0), i),)+ p)));
                    calls.collect::<Vec<U>>()
                });
                tasks.into_iter().flatten().collect()
            }
        }

        /// What the reverse pass reads again: the arrays and the shared argument if they may be overwritten, and the tapes of
        /// all calls, task by task.
        pub struct $Tape<$($X: ToOwned + ?Sized,)+ P: ToOwned + ?Sized, Tape> {
            $($x: Saved<$X>,)+
            p: Saved<P>,
            tasks: Vec<Vec<Tape>>,
        }

        impl<R, $($X, $T, $D,)+ S, G, P, U, F, const W: usize> ForwardRule<R, ($($X,)+ S, G), W> for $name
        where
            $($T: Entry, $D: RemoveAxis,)+
            P: Operand + ?Sized,
            U: Entry + Row,
            R: ForwardReturn<W, Out = U::Stacked>,
            $($X: ForwardArg<ArrayRef<$T, $D>, W> + Annotation<Primal: Memory<Target = ArrayRef<$T, $D>>>,)+
            S: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
            G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
            F: for<'a> Function<($(&'a Part<$T, $D>,)+ &'a P), Output = U> + Sync,
            F: for<'a> ForwardRule<
                BatchDuplicated<U, U, W>,
                ($(DynArg<&'a Part<$T, $D>, &'a Part<$T, $D>, W>,)+ DynArg<&'a P, &'a P, W>),
                W,
            >,
        {
            #[track_caller]
            fn forward(
                &self,
                config: &ForwardConfig,
                ($($x,)+ p, f): ($(&mut $X,)+ &mut S, &mut G),
            ) -> ForwardOutcome<R, W> {
                let f = &f.primal().0;
                if !R::ACTIVE {
                    let value = || U::stack(Self::values($($x.primal(),)+ p.primal(), f));
                    let none = |_| unreachable!("no tangent of a Const return");
                    return <U::Stacked as Plain>::wrap(R::forward(config, value, none));
                }
                let body = config.with_needs_primal(true);
                $(let $dx: Option<[&ArrayRef<$T, $D>; W]> = tangents(&*$x);)+
                let dp: Option<[&P; W]> = tangents(&*p);
                $(let $x = $x.primal();)+
                let p = p.primal();
                let n = length(stringify!($name), [$($x.shape()),+]);
                let results = each(ranges(n).collect(), |range| {
                    let calls = range.map(|i| {
                        $(
                            let $x = $x.index_axis(Axis(0), i);
                            let $dx = $dx.map(|lanes| lanes.map(|dx| dx.index_axis(Axis(0), i)));
                            let $dx: Option<[&Part<$T, $D>; W]> =
                                $dx.as_ref().map(|lanes| lanes.each_ref().map(|dx| &**dx));
                            let mut $x = DynArg::new(&*$x, $dx);
                        )+
                        let mut p = DynArg::new(p, dp);
                        inside::<U, _>(f.forward(&body, ($(&mut $x,)+ &mut p))).into_parts()
                    });
                    calls.collect::<Vec<(U, [U; W])>>()
                });
                let (values, tangents): (Vec<U>, Vec<[U; W]>) = results.into_iter().flatten().unzip();
                <U::Stacked as Plain>::wrap(R::forward(
                    config,
                    || U::stack(values),
                    |lane| U::stack(tangents.iter().map(|lanes| lanes[lane].clone()).collect()),
                ))
            }
        }

        impl<R, $($X, $T, $D,)+ S, G, P, U, F, Tape, const W: usize> ReverseRule<R, ($($X,)+ S, G), W> for $name
        where
            $($T: Entry, $D: RemoveAxis + 'static,)+
            P: Operand + ?Sized,
            U: Entry + Row,
            R: ReverseReturn<W, Out = U::Stacked>,
            $($X: ReverseArg<ArrayRef<$T, $D>, W> + Annotation<Primal: Memory<Target = ArrayRef<$T, $D>>>,)+
            S: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
            G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
            Tape: Send + 'static,
            F: for<'a> Function<($(&'a Part<$T, $D>,)+ &'a P), Output = U> + Sync,
            F: for<'a> ReverseRule<
                Active<U>,
                ($(DynArg<&'a Part<$T, $D>, &'a mut Part<$T, $D>, W>,)+ DynArg<&'a P, &'a mut P, W>),
                W,
                Tape = Tape,
            >,
        {
            type Tape = $Tape<$(ArrayRef<$T, $D>,)+ P, Tape>;

            #[track_caller]
            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                ($($x,)+ p, f): ($(&mut $X,)+ &mut S, &mut G),
            ) -> AugmentedOutcome<R, Self::Tape, W> {
                let body = config.with_none_overwritten().with_needs_primal(true);
                let f = &f.primal().0;
                $(let $dx = R::ACTIVE && $x.is_active();)+
                let dp = R::ACTIVE && p.is_active();
                let active = $($dx ||)+ dp;
                $(let $x = $x.primal();)+
                let p = p.primal();
                let n = length(stringify!($name), [$($x.shape()),+]);
                let (values, tasks) = if active {
                    let results = each(ranges(n).collect(), |range| {
                        let calls = range.map(|i| {
                            $(
                                let $x = $x.index_axis(Axis(0), i);
                                let mut $x = DynArg::promised(&*$x, $dx);
                            )+
                            let mut p = DynArg::promised(p, dp);
                            let augmented = inside::<U, _>(f.augmented_primal(&body, ($(&mut $x,)+ &mut p)));
                            (augmented.primal.expect("asked for"), augmented.tape)
                        });
                        calls.unzip::<U, Tape, Vec<U>, Vec<Tape>>()
                    });
                    let (values, tasks): (Vec<Vec<U>>, _) = results.into_iter().unzip();
                    (values.into_iter().flatten().collect(), tasks)
                } else {
                    (Self::values($($x,)+ p, f), Vec::new())
                };
                let tape = $Tape {
                    $($x: Saved::new($x, active && config.overwritten($i)),)+
                    p: Saved::new(p, active && config.overwritten($s)),
                    tasks,
                };
                <U::Stacked as Plain>::wrap(R::augmented(config, U::stack(values), tape))
            }

            fn reverse(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: Self::Tape,
                ($($x,)+ p, g): ($(&mut $X,)+ &mut S, &mut G),
            ) -> ($($X::Gradient,)+ S::Gradient, G::Gradient) {
                let active = R::ACTIVE && p.is_active();
                if !(active $(|| R::ACTIVE && $x.is_active())+) {
                    return ($($x.no_gradient(),)+ p.no_gradient(), g.no_gradient());
                }
                let body = config.with_none_overwritten().with_needs_primal(true);
                let dret: [&U::Stacked; W] =
                    from_fn(|lane| dret.lane(lane).expect("an active return has cotangents"));
                let (f, shared, mut tapes) = (&g.primal().0, tape.p.get(p.primal()), tape.tasks);
                let mut sum = None;
                $(let mut $of = None;)+
                with_lanes!(tape [$(($x $dx $of))+] {
                    let n = length(stringify!($name), [$($x.shape()),+]);
                    $(let mut $dx = parts::<$T, $D, W>(take(&mut $dx), n);)+
                    let items = take(&mut tapes).into_iter().zip(ranges(n));
                    let items = items.map(|(tapes, range)| {
                        (tapes, range, $($dx.next().expect("a part for each task")),+)
                    });
                    let tasks = each(items.collect(), |(tapes, range, $(mut $dx),+)| {
                        let mut dp = shadows::<P, W>(shared, active);
                        for (k, (i, tape)) in range.zip(tapes).enumerate() {
                            let of_value: [U; W] = from_fn(|lane| U::part(dret[lane], i));
                            $(
                                let mut $dx = ($dx.as_mut())
                                    .map(|lanes| lanes.each_mut().map(|dx| dx.index_axis_mut(Axis(0), k)));
                                let $dx = $dx.as_mut().map(|dx| dx.each_mut().map(|dx| &mut **dx));
                                let $x = $x.index_axis(Axis(0), i);
                                let mut $x = DynArg::new(&*$x, $dx);
                            )+
                            let dp = dp.as_mut().map(|dp| dp.each_mut().map(HoldsMut::get_mut));
                            let mut p = DynArg::new(shared, dp);
                            f.reverse(&body, of_value, tape, ($(&mut $x,)+ &mut p));
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
                ($($of.expect("the lanes were visited"),)+ of_p, g.no_gradient())
            }
        }
    };
}

along_rows! {
    /// `yᵢ = f(xᵢ, p)` for each entry `xᵢ` of `x` (`(n, …)`) along the leading axis, at once; the `yᵢ` are stacked along a leading axis. A
    /// number `yᵢ` gives a vector. **Panics** if the `yᵢ` are arrays that differ in shape, or of which there are none, for then
    /// their shape is not known.
    ///
    /// `p` is shared: in reverse its cotangents are summed over the calls. See the [module](crate::parallel) for the order of
    /// the sum, and for what is on the tape.
    ///
    /// ```
    /// use coenzyme::Inactive;
    /// use coenzyme::prelude::*;
    /// use coenzyme_rules::parallel::vmap;
    /// use ndarray::{Array1, ArrayRef1, array};
    ///
    /// #[differentiable]
    /// fn times(x: &ArrayRef1<f64>, y: &ArrayRef1<f64>) -> Array1<f64> {
    ///     x * y
    /// }
    ///
    /// let (x, y) = (array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], array![10.0, 20.0, 30.0]);
    /// let (mut dx, mut dy) = (&x * 0.0, &y * 0.0);
    /// let mut args = (Duplicated(&*x, &mut *dx), Duplicated(&*y, &mut *dy), Const(Inactive(times {})));
    /// let thunk = Thunk::<_, Duplicated<ndarray::Array2<f64>>>::new(vmap {});
    /// let augmented = thunk.augmented(&mut args);
    /// assert_eq!(augmented.primal, Some(array![[10.0, 40.0, 90.0], [40.0, 100.0, 180.0]]));
    /// thunk.reverse([ndarray::Array2::ones((2, 3))], augmented.tape, &mut args);
    /// assert_eq!((dx, dy), (array![[10.0, 20.0, 30.0], [10.0, 20.0, 30.0]], array![5.0, 7.0, 9.0]));
    /// ```
    vmap, VmapTape, shared 1: x dx of_x (X T D) 0
}

along_rows! {
    /// `zᵢ = f(xᵢ, yᵢ, p)` for each pair of entries of `x` (`(n, …)`) and `y` (`(n, …)`) along their leading axes, at once; the `zᵢ` are
    /// stacked along a leading axis. As [`vmap()`], for two arrays. **Panics** if they have not as many entries.
    ///
    /// ```
    /// use coenzyme::Inactive;
    /// use coenzyme::prelude::*;
    /// use coenzyme_rules::linalg::dot;
    /// use coenzyme_rules::parallel::zip_vmap;
    /// use ndarray::{ArrayRef1, array};
    ///
    /// #[differentiable]
    /// fn inner(x: &ArrayRef1<f64>, y: &ArrayRef1<f64>, _p: &()) -> f64 {
    ///     dot(x, y)
    /// }
    ///
    /// let (x, y) = (array![[1.0, 2.0], [3.0, 4.0]], array![[1.0, 1.0], [10.0, 0.5]]);
    /// assert_eq!(zip_vmap(&*x, &*y, &(), Inactive(inner {})), array![3.0, 32.0]);
    /// ```
    zip_vmap, ZipVmapTape, shared 2: x dx of_x (X T D) 0, y dy of_y (Y V E) 1
}

along_rows! {
    /// `rᵢ = f(xᵢ, yᵢ, zᵢ, p)` for the entries of three arrays along their leading axes, at once. As [`zip_vmap()`].
    ///
    /// ```
    /// use coenzyme::Inactive;
    /// use coenzyme::prelude::*;
    /// use coenzyme_rules::array::add;
    /// use coenzyme_rules::parallel::zip_vmap3;
    /// use ndarray::{Array1, ArrayRef1, array};
    ///
    /// #[differentiable]
    /// fn affine(x: &ArrayRef1<f64>, y: &ArrayRef1<f64>, z: &ArrayRef1<f64>, _p: &()) -> Array1<f64> {
    ///     let product = x * y;
    ///     add(&product, z)
    /// }
    ///
    /// let (x, y, z) = (array![[2.0], [3.0]], array![[4.0], [7.0]], array![[0.5], [0.25]]);
    /// assert_eq!(zip_vmap3(&*x, &*y, &*z, &(), Inactive(affine {})), array![[8.5], [21.25]]);
    /// ```
    zip_vmap3, ZipVmap3Tape, shared 3: x dx of_x (X T D) 0, y dy of_y (Y V E) 1, z dz of_z (Z A H) 2
}

/// For each task, its part of each lane; `None` if there are no lanes.
fn parts<'a, T, D: RemoveAxis, const W: usize>(
    lanes: Vec<&'a mut ArrayRef<T, D>>,
    n: usize,
) -> impl Iterator<Item = Option<[ArrayViewMut<'a, T, D>; W]>> {
    let length = ranges(n).next().map_or(1, |first| first.len());
    let chunks = (lanes.into_iter()).map(|lane| lane.axis_chunks_iter_mut(Axis(0), length));
    let mut chunks: Option<[_; W]> = chunks.collect::<Vec<_>>().try_into().ok();
    std::iter::from_fn(move || {
        Some(chunks.as_mut().map(|chunks| {
            (chunks.each_mut()).map(|chunks| chunks.next().expect("a part for each task"))
        }))
    })
}
