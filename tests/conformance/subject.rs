//! A function under judgement, without its types.

use coenzyme::{
    Active, Args, BatchDuplicated, DynArg, ForwardConfig, ForwardRule, Outcome, ReverseConfig,
    ReverseRule, Tangent,
};

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Value,
    Shared,
    Exclusive,
}

/// What forward mode gave: the value and memory that is written, and their tangents in each lane.
pub(crate) struct ForwardOut {
    pub(crate) value: Vec<f64>,
    pub(crate) tangents: Vec<Vec<f64>>,
}

/// What reverse mode gave.
pub(crate) struct ReverseOut {
    pub(crate) value: Vec<f64>,
    /// All memory before and after the reverse half.
    pub(crate) memory: (Vec<f64>, Vec<f64>),
    pub(crate) shadows: Vec<Vec<f64>>,
}

/// A function at a point; all its floats in one vector.
pub(crate) trait Subject {
    fn name(&self) -> &str;
    /// Whether it computes in single precision.
    fn single(&self) -> bool;
    fn kinds(&self) -> Vec<Kind>;
    /// The number of floats in each argument.
    fn lengths(&self) -> Vec<usize>;
    fn point(&self) -> Vec<f64>;
    /// The returned value, then the memory that may be written.
    fn primal(&self, x: &[f64]) -> Vec<f64>;
    fn forward(&self, w: usize, x: &[f64], mask: &[bool], tangents: &[Vec<f64>]) -> ForwardOut;
    fn reverse(
        &self,
        w: usize,
        x: &[f64],
        mask: &[bool],
        returned: &[Vec<f64>],
        shadows: &[Vec<f64>],
        poisoned: bool,
    ) -> ReverseOut;

    /// Which entries of the input are in memory that may be written.
    fn exclusive(&self) -> Vec<bool> {
        let each = self.kinds().into_iter().zip(self.lengths());
        each.flat_map(|(k, n)| std::iter::repeat_n(k == Kind::Exclusive, n))
            .collect()
    }
    /// How many those are.
    fn written(&self) -> usize {
        self.exclusive().iter().filter(|e| **e).count()
    }
}

/// A tuple of arguments, owned.
pub(crate) trait Arguments: Clone {
    fn lengths(&self) -> Vec<usize>;
    fn flat(&self) -> Vec<f64>;
    /// The floats of the arguments of some kinds.
    fn flat_of(&self, of: &dyn Fn(usize) -> bool) -> Vec<f64>;
    fn with(&self, flat: &[f64]) -> Self;
    /// The arguments with NaN in those of some kinds.
    fn poisoned(&self, of: &dyn Fn(usize) -> bool) -> Self;
}

/// Arguments that a function has rules for, in `W` lanes.
pub(crate) trait Judged<F, R: Outcome, const W: usize>: Arguments {
    #[allow(clippy::type_complexity)]
    fn forward(
        self,
        f: &F,
        mask: &[bool],
        lanes: [Self; W],
    ) -> (R::Value, [R::Value; W], Self, [Self; W]);
    fn reverse(
        self,
        f: &F,
        mask: &[bool],
        lanes: [Self; W],
        returned: [R::Value; W],
        poison: Option<&dyn Fn(usize) -> bool>,
    ) -> (R::Value, [Self; 3], [Self; W]);
}

macro_rules! arguments {
    ($(($($a:ident $i:tt),+))*) => {$(
        impl<$($a: Tangent<Owned = $a> + Clone),+> Arguments for ($($a,)+) {
            fn lengths(&self) -> Vec<usize> {
                vec![$(self.$i.to_flat().len()),+]
            }
            fn flat(&self) -> Vec<f64> {
                self.flat_of(&|_| true)
            }
            fn flat_of(&self, of: &dyn Fn(usize) -> bool) -> Vec<f64> {
                let mut out = Vec::new();
                $(if of($i) { self.$i.flatten_into(&mut out); })+
                out
            }
            fn with(&self, mut flat: &[f64]) -> Self {
                let mut new = self.clone();
                $(new.$i.unflatten_from(&mut flat);)+
                new
            }
            fn poisoned(&self, of: &dyn Fn(usize) -> bool) -> Self {
                let mut new = self.clone();
                $(if of($i) {
                    let n = new.$i.to_flat().len();
                    new.$i.unflatten_from(&mut &vec![f64::NAN; n][..]);
                })+
                new
            }
        }

        impl<FN, RET, $($a,)+ const W: usize> Judged<FN, RET, W> for ($($a,)+)
        where
            RET: Outcome,
            RET::Value: Clone,
            $($a: Tangent<Owned = $a> + Clone,)+
            FN: ForwardRule<BatchDuplicated<RET, RET, W>, ($(DynArg<$a, $a, W>,)+), W>,
            FN: ReverseRule<Active<RET>, ($(DynArg<$a, $a, W>,)+), W>,
        {
            fn forward(self, f: &FN, mask: &[bool], lanes: [Self; W]) -> (RET::Value, [RET::Value; W], Self, [Self; W]) {
                let mut handles = ($(DynArg::new(self.$i, mask[$i].then(|| lanes.each_ref().map(|l| l.$i.clone()))),)+);
                let mut returned = None;
                RET::map_of(f.forward(&ForwardConfig::new(true), handles.refs()), |r| returned = Some(r));
                let (value, tangents) = returned.expect("a value").into_parts();
                let parts = ($(handles.$i.into_parts(),)+);
                let lane = |l: usize| ($(parts.$i.1.as_ref().map_or_else(|| lanes[l].$i.zero_like(), |s| s[l].clone()),)+);
                let lanes = std::array::from_fn(lane);
                (value, tangents, ($(parts.$i.0,)+), lanes)
            }

            fn reverse(self, f: &FN, mask: &[bool], lanes: [Self; W], returned: [RET::Value; W], poison: Option<&dyn Fn(usize) -> bool>) -> (RET::Value, [Self; 3], [Self; W]) {
                let config = ReverseConfig::new(true);
                let config = if poison.is_some() { config.with_all_overwritten() } else { config };
                let mut handles = ($(DynArg::new(self.$i, mask[$i].then(|| lanes.each_ref().map(|l| l.$i.clone()))),)+);
                let mut augmented = None;
                RET::map_of(f.augmented_primal(&config, handles.refs()), |a| augmented = Some(a));
                let augmented = augmented.expect("a value");
                $(if let Some(shadows) = handles.$i.shadows() {
                    let before = lanes.each_ref().map(|l| l.$i.to_flat());
                    assert!(shadows.each_ref().map(|s| s.to_flat()) == before, "the primal half changed a shadow");
                })+
                let parts = ($(handles.$i.into_parts(),)+);
                let after = ($(parts.$i.0.clone(),)+);
                let between = poison.map_or_else(|| after.clone(), |of| after.poisoned(of));
                let mut handles = ($(DynArg::new(between.$i.clone(), parts.$i.1),)+);
                let _ = f.reverse(&config, returned, augmented.tape, handles.refs());
                let parts = ($(handles.$i.into_parts(),)+);
                let lane = |l: usize| ($(parts.$i.1.as_ref().map_or_else(|| lanes[l].$i.clone(), |s| s[l].clone()),)+);
                let lanes = std::array::from_fn(lane);
                (augmented.primal.expect("the primal was asked for"), [after, between, ($(parts.$i.0,)+)], lanes)
            }
        }
    )*};
}

arguments! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
}

/// A function and a point.
pub(crate) struct Of<'a, F, A, R> {
    pub(crate) name: &'a str,
    pub(crate) single: bool,
    pub(crate) f: F,
    pub(crate) kinds: &'a [Kind],
    pub(crate) args: A,
    pub(crate) call: fn(&mut A) -> R,
}

impl<F, A, R> Of<'_, F, A, R>
where
    A: Judged<F, R, 1> + Judged<F, R, 3>,
    R: Outcome,
    R::Value: Clone,
{
    fn is(&self, kind: Kind) -> impl Fn(usize) -> bool {
        let kinds = self.kinds.to_vec();
        move |i| kinds[i] == kind
    }

    /// The value that the function returns; a function that is judged has one at its point.
    fn value(&self, args: &mut A) -> R::Value {
        let outcome = (self.call)(args);
        outcome.value().expect("a value").clone()
    }

    fn outputs(&self, value: &R::Value, args: &A) -> Vec<f64> {
        let mut out = value.to_flat();
        out.extend(args.flat_of(&self.is(Kind::Exclusive)));
        out
    }

    fn forward_in<const W: usize>(
        &self,
        x: &[f64],
        mask: &[bool],
        tangents: &[Vec<f64>],
    ) -> ForwardOut
    where
        A: Judged<F, R, W>,
    {
        let lanes: [A; W] = std::array::from_fn(|l| self.args.with(&tangents[l]));
        let (value, dvalue, args, lanes) =
            <A as Judged<F, R, W>>::forward(self.args.with(x), &self.f, mask, lanes);
        let lane = |(v, a): (&R::Value, &A)| self.outputs(v, a);
        ForwardOut {
            value: self.outputs(&value, &args),
            tangents: dvalue.iter().zip(&lanes).map(lane).collect(),
        }
    }

    fn reverse_in<const W: usize>(
        &self,
        x: &[f64],
        mask: &[bool],
        returned: &[Vec<f64>],
        shadows: &[Vec<f64>],
        poisoned: bool,
    ) -> ReverseOut
    where
        A: Judged<F, R, W>,
    {
        let value = self.value(&mut self.args.clone());
        let seeds: [R::Value; W] = std::array::from_fn(|l| {
            let mut seed = value.zero_like();
            seed.unflatten(&returned[l]);
            seed
        });
        let lanes: [A; W] = std::array::from_fn(|l| self.args.with(&shadows[l]));
        let by_value = self.is(Kind::Value);
        let memory = |i: usize| !by_value(i);
        let poison = poisoned.then_some(&memory as &dyn Fn(usize) -> bool);
        let args = self.args.with(x);
        let (value, [after, between, end], lanes) =
            <A as Judged<F, R, W>>::reverse(args, &self.f, mask, lanes, seeds, poison);
        ReverseOut {
            value: self.outputs(&value, &after),
            memory: (between.flat(), end.flat()),
            shadows: lanes.iter().map(A::flat).collect(),
        }
    }
}

impl<F, A, R> Subject for Of<'_, F, A, R>
where
    A: Judged<F, R, 1> + Judged<F, R, 3>,
    R: Outcome,
    R::Value: Clone,
{
    fn name(&self) -> &str {
        self.name
    }
    fn single(&self) -> bool {
        self.single
    }
    fn kinds(&self) -> Vec<Kind> {
        self.kinds.to_vec()
    }
    fn lengths(&self) -> Vec<usize> {
        self.args.lengths()
    }
    fn point(&self) -> Vec<f64> {
        self.args.flat()
    }
    fn primal(&self, x: &[f64]) -> Vec<f64> {
        let mut args = self.args.with(x);
        let value = self.value(&mut args);
        self.outputs(&value, &args)
    }
    fn forward(&self, w: usize, x: &[f64], mask: &[bool], tangents: &[Vec<f64>]) -> ForwardOut {
        match w {
            1 => self.forward_in::<1>(x, mask, tangents),
            _ => self.forward_in::<3>(x, mask, tangents),
        }
    }
    fn reverse(
        &self,
        w: usize,
        x: &[f64],
        mask: &[bool],
        returned: &[Vec<f64>],
        shadows: &[Vec<f64>],
        poisoned: bool,
    ) -> ReverseOut {
        match w {
            1 => self.reverse_in::<1>(x, mask, returned, shadows, poisoned),
            _ => self.reverse_in::<3>(x, mask, returned, shadows, poisoned),
        }
    }
}

/// One test for each function, at one point or several: `f(&positive(3), 0.7) (&any(3), -0.7);`.
macro_rules! judge {
    ($($f:ident $(($($point:tt)*))+;)*) => {
        mod judged {
            #[allow(unused_imports)]
            use super::*;

            $(
                #[test]
                fn $f() {
                    $crate::subject::judge_points!(@test false $f $(($($point)*))+);
                }
            )*
        }
    };
}

/// As [`judge!`], for functions of single precision.
#[allow(unused_macros)] // of three programs, not all are in single precision
macro_rules! judge_single {
    ($($f:ident $(($($point:tt)*))+;)*) => {
        mod judged_single {
            #[allow(unused_imports)]
            use super::*;

            $(
                #[test]
                fn $f() {
                    $crate::subject::judge_points!(@test true $f $(($($point)*))+);
                }
            )*
        }
    };
}

/// The points of one function: argument expressions become owned values, `&` and `&mut` become kinds.
macro_rules! judge_points {
    (@test $single:tt $f:ident $first:tt $($more:tt)*) => {{
        let points = [
            $crate::subject::judge_points!(@own [] $first),
            $($crate::subject::judge_points!(@own [] $more)),*
        ];
        let kinds = $crate::subject::judge_points!(@kinds [] $first);
        for args in points {
            let subject = $crate::subject::Of {
                name: stringify!($f),
                single: $single,
                f: super::$f {},
                kinds: &kinds,
                args,
                call: $crate::subject::judge_points!(@call $f [a b c d e] [] [] $first),
            };
            $crate::judge::judge(&subject);
        }
    }};

    (@own [$($done:tt)*] (& mut $e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@own [$($done)* $e,] ($($($rest)*)?))
    };
    (@own [$($done:tt)*] (& $e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@own [$($done)* $e,] ($($($rest)*)?))
    };
    (@own [$($done:tt)*] ($e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@own [$($done)* $e,] ($($($rest)*)?))
    };
    (@own [$($done:tt)*] ()) => { ($($done)*) };

    (@kinds [$($done:tt)*] (& mut $e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@kinds [$($done)* Exclusive] ($($($rest)*)?))
    };
    (@kinds [$($done:tt)*] (& $e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@kinds [$($done)* Shared] ($($($rest)*)?))
    };
    (@kinds [$($done:tt)*] ($e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@kinds [$($done)* Value] ($($($rest)*)?))
    };
    (@kinds [$($done:tt)*] ()) => { [$($crate::subject::Kind::$done),*] };

    (@call $f:ident [$a:ident $($free:ident)*] [$($bound:tt)*] [$($arg:tt)*] (& mut $e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@call $f [$($free)*] [$($bound)* $a,] [$($arg)* &mut *$a,] ($($($rest)*)?))
    };
    (@call $f:ident [$a:ident $($free:ident)*] [$($bound:tt)*] [$($arg:tt)*] (& $e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@call $f [$($free)*] [$($bound)* $a,] [$($arg)* &*$a,] ($($($rest)*)?))
    };
    (@call $f:ident [$a:ident $($free:ident)*] [$($bound:tt)*] [$($arg:tt)*] ($e:expr $(, $($rest:tt)*)?)) => {
        $crate::subject::judge_points!(@call $f [$($free)*] [$($bound)* $a,] [$($arg)* Clone::clone(&*$a),] ($($($rest)*)?))
    };
    (@call $f:ident [$($free:ident)*] [$($bound:tt)*] [$($arg:tt)*] ()) => {
        |($($bound)*)| super::$f($($arg)*)
    };
}
#[allow(unused_imports)]
pub(crate) use judge_single;
pub(crate) use {judge, judge_points};
