//! `f(a, x) = a²·Σ xᵢ²` and four ways to its derivative: a rule for each combination of activities, one general rule,
//! `easy_rule!`, and generated. All agree in value and derivative, in every mix and width.
//!
//! All numbers are small integers, so that agreement is equality.

use coenzyme::prelude::*;
use coenzyme::{Args, Augmented, Real};

fn formula<T: Real>(a: T, x: &[T]) -> T {
    a * a * x.iter().map(|&x| x * x).sum()
}

/// A rule for each combination of activities.
#[primitive]
fn specific(a: f64, x: &[f64]) -> f64 {
    formula(a, x)
}

/// One rule for all.
#[primitive]
fn general(a: f64, x: &[f64]) -> f64 {
    formula(a, x)
}

/// The partial derivatives, as they are written on paper.
#[primitive]
fn easy(a: f64, x: &[f64]) -> f64 {
    formula(a, x)
}

/// No rule at all.
#[differentiable]
fn generated(a: f64, x: &[f64]) -> f64 {
    let mut squares = 0.0;
    for x in x {
        squares += x * x;
    }
    a * a * squares
}

fn squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// `∂f/∂a·ȧ`.
fn by_number(a: f64, x: &[f64], da: f64) -> f64 {
    2.0 * a * squares(x) * da
}

/// `∂f/∂x·ẋ`.
fn by_slice(a: f64, x: &[f64], dx: &[f64]) -> f64 {
    2.0 * a * a * x.iter().zip(dx).map(|(x, dx)| x * dx).sum::<f64>()
}

type Number<const W: usize> = BatchDuplicated<f64, f64, W>;
type Slice<'a, const W: usize> = BatchDuplicated<&'a [f64], &'a [f64], W>;
type SliceReverse<'a, const W: usize> = BatchDuplicated<&'a [f64], &'a mut [f64], W>;

/// The forward rules of `specific`: for each mix its tangent, and a rule for each return activity.
macro_rules! specific_forward {
    ($(($a:ident: $A:ty, $x:ident: $X:ty), $lane:pat => $tangent:expr;)*) => {$(
        specific_forward!(@ $a: $A, $x: $X, $lane, $tangent, Const<f64>);
        specific_forward!(@ $a: $A, $x: $X, $lane, $tangent, BatchDuplicated<f64, f64, W>);
        specific_forward!(@ $a: $A, $x: $X, $lane, $tangent, BatchDuplicatedNoNeed<f64, f64, W>);
    )*};
    (@ $a:ident: $A:ty, $x:ident: $X:ty, $lane:pat, $tangent:expr, $R:ty) => {
        impl<'a, const W: usize> ForwardRule<$R, ($A, $X), W> for specific {
            fn forward(
                &self,
                config: &ForwardConfig,
                ($a, $x): (&mut $A, &mut $X),
            ) -> <$R as ForwardReturn<W>>::Forward {
                let value = || formula(*primal::<_, _, W>($a), primal::<_, _, W>($x));
                <$R as ForwardReturn<W>>::forward(config, value, |$lane| $tangent)
            }
        }
    };
}

/// The primal of an argument of known type.
fn primal<T: ?Sized, A: ForwardArg<T, W>, const W: usize>(a: &A) -> &T {
    a.primal()
}

specific_forward! {
    (a: Const<f64>, x: Const<&'a [f64]>), _ => 0.0;
    (a: Number<W>, x: Const<&'a [f64]>), lane => by_number(*a.primal(), x.0, *a.shadow(lane));
    (a: Const<f64>, x: Slice<'a, W>), lane => by_slice(a.0, x.primal(), x.shadow(lane));
    (a: Number<W>, x: Slice<'a, W>), lane => {
        let (a, da, x, dx) = (*a.primal(), *a.shadow(lane), x.primal(), x.shadow(lane));
        by_number(a, x, da) + by_slice(a, x, dx)
    };
}

/// The reverse rules of `specific`: for each mix what the two arguments get, from the seed of each lane and `x` as it was.
macro_rules! specific_reverse {
    ($(($a:ident: $A:ty, $x:ident: $X:ty), $seed:ident, $was:ident => $gradients:expr;)*) => {$(
        specific_reverse!(@ $a: $A, $x: $X, $seed, $was, $gradients, Const<f64>);
        specific_reverse!(@ $a: $A, $x: $X, $seed, $was, $gradients, Active<f64>);
    )*};
    (@ $a:ident: $A:ty, $x:ident: $X:ty, $seed:ident, $was:ident, $gradients:expr, $R:ty) => {
        impl<'a, const W: usize> ReverseRule<$R, ($A, $X), W> for specific {
            type Tape = Saved<[f64]>;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                ($a, $x): (&mut $A, &mut $X),
            ) -> Augmented<$R, Self::Tape, W> {
                let a = ReverseArg::<f64, W>::primal($a);
                let x = ReverseArg::<[f64], W>::primal($x);
                let tape = Saved::new(x, config.overwritten(1));
                <$R as ReverseReturn<W>>::augmented(config, formula(*a, x), tape)
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: <$R as ReverseReturn<W>>::Cotangent,
                tape: Self::Tape,
                ($a, $x): (&mut $A, &mut $X),
            ) -> <($A, $X) as Args<W>>::Gradients {
                let _ = &$a;
                let $seed = |lane| Lanes::lane(&dret, lane).copied().unwrap_or(0.0);
                let in_place = ReverseArg::<[f64], W>::primal($x).to_vec();
                let $was = tape.get(&in_place);
                $gradients
            }
        }
    };
}

specific_reverse! {
    (a: Const<f64>, x: Const<&'a [f64]>), _seed, _was => ((), ());
    (a: Active<f64>, x: Const<&'a [f64]>), seed, was => {
        (std::array::from_fn(|lane| by_number(a.0, was, seed(lane))), ())
    };
    (a: Const<f64>, x: SliceReverse<'a, W>), seed, was => {
        add_to_slices(a.0, x, seed, was);
        ((), ())
    };
    (a: Active<f64>, x: SliceReverse<'a, W>), seed, was => {
        add_to_slices(a.0, x, seed, was);
        (std::array::from_fn(|lane| by_number(a.0, was, seed(lane))), ())
    };
}

/// `x̄ += ∂f/∂x·ȳ` in each lane.
fn add_to_slices<const W: usize>(
    a: f64,
    x: &mut SliceReverse<'_, W>,
    seed: impl Fn(usize) -> f64,
    was: &[f64],
) {
    for lane in 0..W {
        for (dx, x) in x.shadow_mut(lane).iter_mut().zip(was) {
            *dx += 2.0 * a * a * x * seed(lane);
        }
    }
}

impl<R, A, X, const W: usize> ForwardRule<R, (A, X), W> for general
where
    R: ForwardReturn<W, Out = f64>,
    A: ForwardArg<f64, W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (a, x): (&mut A, &mut X)) -> R::Forward {
        let (a0, x0) = (*a.primal(), x.primal());
        R::forward(
            config,
            || formula(a0, x0),
            |lane| {
                a.tangent(lane).map_or(0.0, |da| by_number(a0, x0, *da))
                    + x.tangent(lane).map_or(0.0, |dx| by_slice(a0, x0, dx))
            },
        )
    }
}

impl<R, A, X, const W: usize> ReverseRule<R, (A, X), W> for general
where
    R: ReverseReturn<W, Out = f64>,
    A: ReverseArg<f64, W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, x): (&mut A, &mut X),
    ) -> Augmented<R, Self::Tape, W> {
        let read_again = R::ACTIVE && (a.is_active() || x.is_active());
        let tape = Saved::new(x.primal(), read_again && config.overwritten(1));
        R::augmented(config, formula(*a.primal(), x.primal()), tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (a, x): (&mut A, &mut X),
    ) -> (A::Gradient, X::Gradient) {
        let da = a.accumulate(|lane, a, mut da| {
            let Some(dret) = dret.lane(lane) else { return };
            da += by_number(*a, tape.get(x.primal()), *dret);
        });
        let a = *a.primal();
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(dret) = dret.lane(lane) else { return };
            dx.add_map(tape.get(x), |x| 2.0 * a * a * x * dret);
        });
        (da, dx)
    }
}

easy_rule! {
    fn easy(a: f64, x: &[f64]) -> y: f64;
    dy/da = 2.0 * a * squares(x);
    dy/dx = x.iter().map(|x| 2.0 * a * a * x).collect::<Vec<_>>();
}

const A: f64 = 3.0;
const X: [f64; 3] = [2.0, -1.0, 4.0];
/// Directions, one for each lane.
const DA: [f64; 3] = [1.0, -2.0, 5.0];
const DX: [[f64; 3]; 3] = [[1.0, 0.0, -3.0], [2.0, 2.0, 1.0], [0.0, -1.0, 0.0]];
/// `a²·Σx²`, `2a·Σx²` and `2a²·x`.
const VALUE: f64 = 189.0;
const BY_A: f64 = 126.0;
const BY_X: [f64; 3] = [36.0, -18.0, 72.0];
/// Seeds, one for each lane.
const SEEDS: [f64; 3] = [1.0, -2.0, 0.5];

/// Runs a statement with `$f` as each of the four, and its name.
macro_rules! four_ways {
    (|$f:ident, $name:ident| $run:expr) => {
        for run in [0, 1, 2, 3] {
            match run {
                0 => {
                    let ($f, $name) = (specific {}, "specific");
                    $run
                }
                1 => {
                    let ($f, $name) = (general {}, "general");
                    $run
                }
                2 => {
                    let ($f, $name) = (easy {}, "easy");
                    $run
                }
                _ => {
                    let ($f, $name) = (generated {}, "generated");
                    $run
                }
            }
        }
    };
}

/// Forward mode of one function, with each return activity.
fn push<F, A, X, const W: usize>(f: F, name: &str, a: A, x: X, tangents: [f64; W])
where
    A: Activity<W> + Clone,
    X: Activity<W> + Clone,
    F: ForwardRule<Number<W>, (A, X), W>,
    F: ForwardRule<BatchDuplicatedNoNeed<f64, f64, W>, (A, X), W>,
    F: ForwardRule<Const<f64>, (A, X), W>,
{
    for needs_primal in [false, true] {
        let config = ForwardConfig::new(needs_primal);
        let (mut a, mut x) = (a.clone(), x.clone());
        let args = (&mut a, &mut x);
        let both = ForwardRule::<Number<W>, (A, X), W>::forward(&f, &config, args);
        assert_eq!(both, BatchDuplicated(VALUE, tangents), "{name}");
        let args = (&mut a, &mut x);
        let only =
            ForwardRule::<BatchDuplicatedNoNeed<_, _, W>, (A, X), W>::forward(&f, &config, args);
        assert_eq!(only, tangents, "{name}");
        let args = (&mut a, &mut x);
        let value = ForwardRule::<Const<f64>, (A, X), W>::forward(&f, &config, args);
        assert_eq!(value, needs_primal.then_some(VALUE), "{name}");
    }
}

fn forward_in_lanes<const W: usize>() {
    let da: [f64; W] = std::array::from_fn(|lane| DA[lane]);
    let dx: [&[f64]; W] = std::array::from_fn(|lane| &DX[lane][..]);
    let by_a = da.map(|da| BY_A * da);
    let by_x = dx.map(|dx| BY_X.iter().zip(dx).map(|(d, dx)| d * dx).sum::<f64>());
    let by_both = std::array::from_fn(|lane| by_a[lane] + by_x[lane]);
    let x = || BatchDuplicated(&X[..], dx);
    four_ways!(|f, name| {
        push(f, name, Const(A), Const(&X[..]), [0.0; W]);
        push(f, name, BatchDuplicated(A, da), Const(&X[..]), by_a);
        push(f, name, Const(A), x(), by_x);
        push(f, name, BatchDuplicated(A, da), x(), by_both);
    });
}

#[test]
fn all_agree_in_forward_mode() {
    forward_in_lanes::<1>();
    forward_in_lanes::<2>();
    forward_in_lanes::<3>();
}

/// Both halves of one function, with a handle of `x` for each: the value, and what `a` gets.
fn pull<F, R, A, X, const W: usize>(
    f: &F,
    config: ReverseConfig,
    dret: R::Cotangent,
    a: A,
    [x, x_later]: [X; 2],
) -> (Option<f64>, A::Gradient)
where
    R: ReverseReturn<W, Out = f64>,
    A: Activity<W> + Clone,
    X: Activity<W, Gradient = ()>,
    F: ReverseRule<R, (A, X), W>,
{
    let (mut a_later, mut a, mut x, mut x_later) = (a.clone(), a, x, x_later);
    let AugmentedReturn { primal, tape, .. } = f.augmented_primal(&config, (&mut a, &mut x));
    let (da, ()) = f.reverse(&config, dret, tape, (&mut a_later, &mut x_later));
    (primal, da)
}

/// The handles of `x` in the first half and, over `later`, in the second; what the shadows of the second have become.
fn with_slices<U, const W: usize>(
    later: &[f64; 3],
    run: impl FnOnce([SliceReverse<'_, W>; 2]) -> U,
) -> (U, [[f64; 3]; W]) {
    let (mut untouched, mut dx) = ([[99.0; 3]; W], [[100.0; 3]; W]);
    let first = BatchDuplicated(&X[..], untouched.each_mut().map(|dx| &mut dx[..]));
    let second = BatchDuplicated(&later[..], dx.each_mut().map(|dx| &mut dx[..]));
    let result = run([first, second]);
    assert_eq!(
        untouched, [[99.0; 3]; W],
        "the first half touches no shadow"
    );
    (result, dx)
}

/// All mixes in reverse mode with return activity `R`, where lane `k` has the seed `seeds[k]`.
fn reverse_in_lanes<R, const W: usize>(dret: R::Cotangent, seeds: [f64; W], overwritten: bool)
where
    R: ReverseReturn<W, Out = f64, Cotangent: Clone>,
    // the other three have a rule for every `R`
    specific: for<'a> ReverseRule<R, (Const<f64>, Const<&'a [f64]>), W>,
    specific: for<'a> ReverseRule<R, (Active<f64>, Const<&'a [f64]>), W>,
    specific: for<'a> ReverseRule<R, (Const<f64>, SliceReverse<'a, W>), W>,
    specific: for<'a> ReverseRule<R, (Active<f64>, SliceReverse<'a, W>), W>,
{
    let config = ReverseConfig::new(true).with_overwritten(1, overwritten);
    let later = if overwritten { [f64::NAN; 3] } else { X };
    let by_a = seeds.map(|seed| BY_A * seed);
    let by_x = seeds.map(|seed| BY_X.map(|d| 100.0 + d * seed));
    four_ways!(|f, name| {
        let constant = || [Const(&X[..]), Const(&later[..])];
        let got = pull::<_, R, _, _, W>(&f, config, dret.clone(), Const(A), constant());
        assert_eq!(got, (Some(VALUE), ()), "{name}");
        let got = pull::<_, R, _, _, W>(&f, config, dret.clone(), Active(A), constant());
        assert_eq!(got, (Some(VALUE), by_a), "{name}");
        let (got, dx) = with_slices(&later, |x| {
            pull::<_, R, _, _, W>(&f, config, dret.clone(), Const(A), x)
        });
        assert_eq!((got, dx), ((Some(VALUE), ()), by_x), "{name}");
        let (got, dx) = with_slices(&later, |x| {
            pull::<_, R, _, _, W>(&f, config, dret.clone(), Active(A), x)
        });
        assert_eq!((got, dx), ((Some(VALUE), by_a), by_x), "{name}");
    });
}

#[test]
fn all_agree_in_reverse_mode() {
    fn at_width<const W: usize>() {
        let seeds: [f64; W] = std::array::from_fn(|lane| SEEDS[lane]);
        for overwritten in [false, true] {
            reverse_in_lanes::<Active<f64>, W>(seeds, seeds, overwritten);
            reverse_in_lanes::<Const<f64>, W>((), [0.0; W], overwritten);
        }
    }
    at_width::<1>();
    at_width::<2>();
    at_width::<3>();
}
