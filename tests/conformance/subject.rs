//! A function under judgement, without its types.

use std::any::Any;

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
    /// The arguments with their activities.
    type Handles<const W: usize>: Args<W>;
    fn lengths(&self) -> Vec<usize>;
    fn flat(&self) -> Vec<f64>;
    /// The floats of the arguments of some kinds.
    fn flat_of(&self, of: &dyn Fn(usize) -> bool) -> Vec<f64>;
    fn with(&self, flat: &[f64]) -> Self;
    /// The arguments with NaN in those of some kinds.
    fn poisoned(&self, of: &dyn Fn(usize) -> bool) -> Self;
    /// What the rules take: arguments of the mask have shadows, a clone of those in each lane.
    fn handles<const W: usize>(self, mask: &[bool], lanes: &[Self]) -> Self::Handles<W>;
    /// The arguments that rules were given; `lanes` get their shadows.
    fn taken<const W: usize>(handles: Self::Handles<W>, lanes: &mut [Self]) -> Self;
}

/// The rules of a function in `W` lanes, without the function's type: what is compiled for each function is the calls alone, and all
/// around them once for its arguments and result.
pub(crate) trait Rules<A: Arguments, R: Outcome, const W: usize> {
    fn forward(&self, handles: &mut A::Handles<W>) -> (R::Value, [R::Value; W]);
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        handles: &mut A::Handles<W>,
    ) -> (R::Value, Box<dyn Any>);
    fn reverse(
        &self,
        config: &ReverseConfig,
        returned: [R::Value; W],
        tape: Box<dyn Any>,
        handles: &mut A::Handles<W>,
    );
}

impl<F, A, R, const W: usize> Rules<A, R, W> for F
where
    A: Arguments,
    R: Outcome,
    F: ForwardRule<BatchDuplicated<R, R, W>, A::Handles<W>, W>,
    F: ReverseRule<Active<R>, A::Handles<W>, W>,
{
    fn forward(&self, handles: &mut A::Handles<W>) -> (R::Value, [R::Value; W]) {
        let mut returned = None;
        R::map_of(
            ForwardRule::forward(self, &ForwardConfig::new(true), handles.refs()),
            |r| returned = Some(r),
        );
        returned.expect("a value").into_parts()
    }

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        handles: &mut A::Handles<W>,
    ) -> (R::Value, Box<dyn Any>) {
        let mut augmented = None;
        R::map_of(
            ReverseRule::augmented_primal(self, config, handles.refs()),
            |a| augmented = Some((a.primal, a.tape)),
        );
        let (primal, tape) = augmented.expect("a value");
        (primal.expect("the primal was asked for"), Box::new(tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        returned: [R::Value; W],
        tape: Box<dyn Any>,
        handles: &mut A::Handles<W>,
    ) {
        let tape = tape.downcast().expect("the tape of this function");
        let _ = ReverseRule::reverse(self, config, returned, *tape, handles.refs());
    }
}

macro_rules! arguments {
    ($(($($a:ident $i:tt),+))*) => {$(
        impl<$($a: Tangent<Owned = $a> + Clone),+> Arguments for ($($a,)+) {
            type Handles<const W: usize> = ($(DynArg<$a, $a, W>,)+);

            fn lengths(&self) -> Vec<usize> {
                vec![$(Tangent::to_flat(&self.$i).len()),+]
            }
            fn flat(&self) -> Vec<f64> {
                self.flat_of(&|_| true)
            }
            fn flat_of(&self, of: &dyn Fn(usize) -> bool) -> Vec<f64> {
                let mut out = Vec::new();
                $(if of($i) { Tangent::flatten_into(&self.$i, &mut out); })+
                out
            }
            fn with(&self, mut flat: &[f64]) -> Self {
                let mut new = self.clone();
                $(Tangent::unflatten_from(&mut new.$i, &mut flat);)+
                new
            }
            fn poisoned(&self, of: &dyn Fn(usize) -> bool) -> Self {
                let mut new = self.clone();
                $(if of($i) {
                    let n = Tangent::to_flat(&new.$i).len();
                    Tangent::unflatten_from(&mut new.$i, &mut &vec![f64::NAN; n][..]);
                })+
                new
            }
            fn handles<const W: usize>(self, mask: &[bool], lanes: &[Self]) -> Self::Handles<W> {
                ($(DynArg::new(self.$i, mask[$i].then(|| std::array::from_fn(|l| lanes[l].$i.clone()))),)+)
            }
            fn taken<const W: usize>(handles: Self::Handles<W>, lanes: &mut [Self]) -> Self {
                ($({
                    let (primal, shadows) = handles.$i.into_parts();
                    for (lane, shadow) in lanes.iter_mut().zip(shadows.into_iter().flatten()) {
                        lane.$i = shadow;
                    }
                    primal
                },)+)
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
pub(crate) struct Of<'a, A, R> {
    pub(crate) name: &'a str,
    pub(crate) single: bool,
    pub(crate) kinds: &'a [Kind],
    pub(crate) args: A,
    pub(crate) call: fn(&mut A) -> R,
    /// Its rules in one lane and in three.
    pub(crate) rules: (&'a dyn Rules<A, R, 1>, &'a dyn Rules<A, R, 3>),
}

impl<A, R> Of<'_, A, R>
where
    A: Arguments,
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
        Outcome::value(&outcome).expect("a value").clone()
    }

    fn outputs(&self, value: &R::Value, args: &A) -> Vec<f64> {
        let mut out = Tangent::to_flat(value);
        out.extend(args.flat_of(&self.is(Kind::Exclusive)));
        out
    }

    /// The arguments with the floats of each lane.
    fn lanes(&self, flat: &[Vec<f64>]) -> Vec<A> {
        flat.iter().map(|flat| self.args.with(flat)).collect()
    }

    fn forward_in<const W: usize>(
        &self,
        rules: &dyn Rules<A, R, W>,
        x: &[f64],
        mask: &[bool],
        tangents: &[Vec<f64>],
    ) -> ForwardOut {
        let args = self.args.with(x);
        let mut handles = args.handles::<W>(mask, &self.lanes(tangents));
        let (value, dvalue) = rules.forward(&mut handles);
        // the tangent of what is constant
        let mut lanes = self.lanes(&vec![vec![0.0; x.len()]; W]);
        let args = A::taken(handles, &mut lanes);
        let lane = |(v, a): (&R::Value, &A)| self.outputs(v, a);
        ForwardOut {
            value: self.outputs(&value, &args),
            tangents: dvalue.iter().zip(&lanes).map(lane).collect(),
        }
    }

    fn reverse_in<const W: usize>(
        &self,
        rules: &dyn Rules<A, R, W>,
        x: &[f64],
        mask: &[bool],
        returned: &[Vec<f64>],
        shadows: &[Vec<f64>],
        poisoned: bool,
    ) -> ReverseOut {
        let config = ReverseConfig::new(true);
        let config = match poisoned {
            true => config.with_all_overwritten(),
            false => config,
        };
        let mut lanes = self.lanes(shadows);
        let before: Vec<_> = lanes.iter().map(A::flat).collect();
        let mut handles = self.args.with(x).handles::<W>(mask, &lanes);
        let (value, tape) = rules.augmented_primal(&config, &mut handles);
        let after = A::taken(handles, &mut lanes);
        let after_half: Vec<_> = lanes.iter().map(A::flat).collect();
        assert_eq!(after_half, before, "the primal half changed a shadow");
        let by_value = self.is(Kind::Value);
        let between = match poisoned {
            true => after.poisoned(&|i| !by_value(i)),
            false => after.clone(),
        };
        let mut handles = between.clone().handles::<W>(mask, &lanes);
        rules.reverse(&config, self.seeds(returned), tape, &mut handles);
        let end = A::taken(handles, &mut lanes);
        ReverseOut {
            value: self.outputs(&value, &after),
            memory: (between.flat(), end.flat()),
            shadows: lanes.iter().map(A::flat).collect(),
        }
    }

    /// The cotangents of the returned value.
    fn seeds<const W: usize>(&self, returned: &[Vec<f64>]) -> [R::Value; W] {
        let value = self.value(&mut self.args.clone());
        std::array::from_fn(|l| {
            let mut seed = Tangent::zero_like(&value);
            Tangent::unflatten(&mut seed, &returned[l]);
            seed
        })
    }
}

impl<A, R> Subject for Of<'_, A, R>
where
    A: Arguments,
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
            1 => self.forward_in(self.rules.0, x, mask, tangents),
            _ => self.forward_in(self.rules.1, x, mask, tangents),
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
            1 => self.reverse_in(self.rules.0, x, mask, returned, shadows, poisoned),
            _ => self.reverse_in(self.rules.1, x, mask, returned, shadows, poisoned),
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
                kinds: &kinds,
                args,
                call: $crate::subject::judge_points!(@call $f [a b c d e] [] [] $first),
                rules: (&super::$f {}, &super::$f {}),
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
