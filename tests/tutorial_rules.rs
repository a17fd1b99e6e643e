//! The rules of Enzyme's tutorial: `f(y, x)` writes `y ← x²` and returns `Σ y`, at `x = (3, 1)`.
//!
//! Once with a rule for each combination of activities, once with one general rule. What is read through `y` is inactive
//! if `y` is `Const`, so that the returned sum then has no derivative.

use coenzyme::{
    Active, Args, AsActive, AsConst, AsDuplicated, Augmented, AugmentedReturn, BatchDuplicated,
    BatchDuplicatedNoNeed, Const, Duplicated, Forward, ForwardArg, ForwardArgMut, ForwardConfig,
    ForwardReturn, ForwardRule, ForwardWithPrimal, Lanes, Natural, Reverse, ReverseArg,
    ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, ReverseWithPrimal, Saved, Thunk,
    autodiff, primitive,
};

fn square_all(y: &mut [f64], x: &[f64]) -> f64 {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    y.iter().sum()
}

/// `y ← x²`, returns `Σ y`: a rule for each combination.
#[primitive]
fn f_specific(y: &mut [f64], x: &[f64]) -> f64 {
    square_all(y, x)
}

/// `y ← x²`, returns `Σ y`: one rule for all combinations.
#[primitive]
fn f_general(y: &mut [f64], x: &[f64]) -> f64 {
    square_all(y, x)
}

type Out<'a, const W: usize> = BatchDuplicated<&'a mut [f64], &'a mut [f64], W>;
type In<'a, const W: usize> = BatchDuplicated<&'a [f64], &'a [f64], W>;
type InReverse<'a, const W: usize> = BatchDuplicated<&'a [f64], &'a mut [f64], W>;

/// `ẏ ← 2x·ẋ`, returns `Σ ẏ`.
fn push<const W: usize>(y: &mut Out<'_, W>, x: &In<'_, W>, lane: usize) -> f64 {
    let tangents = x.primal().iter().zip(x.shadow(lane).iter());
    for (dy, (x, dx)) in y.shadow_mut(lane).iter_mut().zip(tangents) {
        *dy = 2.0 * x * dx;
    }
    y.shadow(lane).iter().sum()
}

impl<'a, const W: usize> ForwardRule<BatchDuplicated<f64, f64, W>, (Out<'a, W>, In<'a, W>), W>
    for f_specific
{
    fn forward(
        &self,
        _: &ForwardConfig,
        (y, x): (&mut Out<'a, W>, &mut In<'a, W>),
    ) -> BatchDuplicated<f64, f64, W> {
        let sum = square_all(y.primal_mut(), x.primal());
        BatchDuplicated(sum, std::array::from_fn(|lane| push(y, x, lane)))
    }
}

impl<'a, const W: usize> ForwardRule<BatchDuplicatedNoNeed<f64, f64, W>, (Out<'a, W>, In<'a, W>), W>
    for f_specific
{
    fn forward(&self, _: &ForwardConfig, (y, x): (&mut Out<'a, W>, &mut In<'a, W>)) -> [f64; W] {
        square_all(y.primal_mut(), x.primal());
        std::array::from_fn(|lane| push(y, x, lane))
    }
}

impl<'a, const W: usize> ReverseRule<Active<f64>, (Out<'a, W>, InReverse<'a, W>), W>
    for f_specific
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Out<'a, W>, &mut InReverse<'a, W>),
    ) -> AugmentedReturn<f64, (), Saved<[f64]>> {
        let sum = square_all(y.primal_mut(), x.primal());
        let tape = Saved::new(*x.primal(), config.overwritten(1));
        AugmentedReturn::new(config.needs_primal().then_some(sum), (), tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: [f64; W],
        tape: Saved<[f64]>,
        (y, x): (&mut Out<'a, W>, &mut InReverse<'a, W>),
    ) -> ((), ()) {
        let (x, dx) = x.parts_mut();
        let (_, dy) = y.parts_mut();
        for ((dx, dy), dret) in dx.iter_mut().zip(dy).zip(dret) {
            for ((dx, dy), x) in dx.iter_mut().zip(dy.iter_mut()).zip(tape.get(x)) {
                *dx += 2.0 * x * (*dy + dret);
                *dy = 0.0;
            }
        }
        ((), ())
    }
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for f_general
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        let sum = square_all(y.primal_mut(), x.primal());
        y.assign(|lane, _, dy| match x.tangent(lane) {
            Some(dx) => {
                for ((dy, x), dx) in dy.iter_mut().zip(x.primal()).zip(dx) {
                    *dy = 2.0 * x * dx;
                }
            }
            None => dy.fill(0.0),
        });
        R::forward(
            config,
            || sum,
            |lane| y.tangent(lane).map_or(0.0, |dy| dy.iter().sum()),
        )
    }
}

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for f_general
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Y, &mut X),
    ) -> Augmented<R, Self::Tape, W> {
        let sum = square_all(y.primal_mut(), x.primal());
        let read_again = y.is_active() && x.is_active();
        let tape = Saved::new(x.primal(), read_again && config.overwritten(1));
        R::augmented(config, sum, tape)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(dy) = y.cotangent(lane) else { return };
            let dret = dret.lane(lane).copied().unwrap_or(0.0);
            let entries = dx.iter_mut().zip(tape.get(x)).zip(dy);
            entries.for_each(|((mut dx, x), dy)| dx += 2.0 * x * (dy + dret));
        });
        (y.consume(), dx)
    }
}

const X: [f64; 2] = [3.0, 1.0];
/// Directions, one for each lane, and what they give at `X`.
const DX: [[f64; 2]; 3] = [[1.0, 0.0], [0.0, 1.0], [1.0, -2.0]];
const DY: [[f64; 2]; 3] = [[6.0, 0.0], [0.0, 2.0], [6.0, -4.0]];
const TANGENT: [f64; 3] = [6.0, 2.0, 2.0];

/// Forward mode of both functions in `W` lanes, with and without the primal.
fn forward_in_lanes<const W: usize>() {
    fn check<F, const W: usize>(f: F)
    where
        F: for<'a> ForwardRule<BatchDuplicated<f64, f64, W>, (Out<'a, W>, In<'a, W>), W>,
        F: for<'a> ForwardRule<BatchDuplicatedNoNeed<f64, f64, W>, (Out<'a, W>, In<'a, W>), W>,
    {
        let tangents = std::array::from_fn(|lane| TANGENT[lane]);
        for needs_primal in [false, true] {
            let (mut y, mut dy) = ([0.0; 2], [[99.0; 2]; W]);
            let out = dy.each_mut().map(|dy| &mut dy[..]);
            let mut out = BatchDuplicated(&mut y[..], out);
            let dx: [_; W] = std::array::from_fn(|lane| &DX[lane][..]);
            let mut x = BatchDuplicated(&X[..], dx);
            let config = ForwardConfig::new(needs_primal);
            if needs_primal {
                type Both<const W: usize> = BatchDuplicated<f64, f64, W>;
                let args = (&mut out, &mut x);
                let both = ForwardRule::<Both<W>, (Out<W>, In<W>), W>::forward(&f, &config, args);
                assert_eq!(both, BatchDuplicated(10.0, tangents));
            } else {
                type Only<const W: usize> = BatchDuplicatedNoNeed<f64, f64, W>;
                let args = (&mut out, &mut x);
                let only = ForwardRule::<Only<W>, (Out<W>, In<W>), W>::forward(&f, &config, args);
                assert_eq!(only, tangents);
            }
            assert_eq!(y, [9.0, 1.0]);
            assert_eq!(dy[..], DY[..W]);
        }
    }
    check::<_, W>(f_specific {});
    check::<_, W>(f_general {});
}

#[test]
fn forward_agrees_in_both_styles_at_every_width() {
    forward_in_lanes::<1>();
    forward_in_lanes::<2>();
    forward_in_lanes::<3>();
}

/// Reverse mode of both functions in `W` lanes. Lane `k` has the seed `k + 1` and the incoming cotangent `(0, k)` of `y`.
fn reverse_in_lanes<const W: usize>(overwritten: bool) {
    fn check<F, const W: usize>(f: F, overwritten: bool)
    where
        F: for<'a> ReverseRule<Active<f64>, (Out<'a, W>, InReverse<'a, W>), W, Tape = Saved<[f64]>>,
    {
        let seeds = std::array::from_fn(|lane| lane as f64 + 1.0);
        let config = ReverseConfig::new(true).with_overwritten(1, overwritten);
        let (mut x, mut y) = (X, [0.0; 2]);
        let mut dx = [[100.0, 100.0]; W];
        let mut dy: [[f64; 2]; W] = std::array::from_fn(|lane| [0.0, lane as f64]);

        let mut args = (
            BatchDuplicated(&mut y[..], dy.each_mut().map(|dy| &mut dy[..])),
            BatchDuplicated(&x[..], dx.each_mut().map(|dx| &mut dx[..])),
        );
        let AugmentedReturn { primal, tape, .. } = f.augmented_primal(&config, args.refs());
        assert_eq!(primal, Some(10.0));
        assert_eq!(tape.is_copied(), overwritten);
        assert_eq!(y, [9.0, 1.0]);

        if overwritten {
            x = [f64::NAN; 2];
        }
        let mut args = (
            BatchDuplicated(&mut y[..], dy.each_mut().map(|dy| &mut dy[..])),
            BatchDuplicated(&x[..], dx.each_mut().map(|dx| &mut dx[..])),
        );
        f.reverse(&config, seeds, tape, args.refs());
        // 2x·(dy + seed) on top of what was there
        let expected = std::array::from_fn(|lane| {
            let lane = lane as f64;
            [106.0 + 6.0 * lane, 102.0 + 4.0 * lane]
        });
        assert_eq!(dx, expected);
        assert_eq!(
            dy, [[0.0; 2]; W],
            "the cotangent of an overwritten output is consumed"
        );
    }
    check::<_, W>(f_specific {}, overwritten);
    check::<_, W>(f_general {}, overwritten);
}

#[test]
fn reverse_agrees_in_both_styles_at_every_width() {
    for overwritten in [false, true] {
        reverse_in_lanes::<1>(overwritten);
        reverse_in_lanes::<2>(overwritten);
        reverse_in_lanes::<3>(overwritten);
    }
}

#[test]
fn a_constant_input_gives_a_zero_tangent() {
    let (mut y, mut dy) = ([0.0; 2], [99.0; 2]);
    let args = (Duplicated(&mut y[..], &mut dy[..]), Const(&X[..]));
    assert_eq!(autodiff(Forward, &f_general {}, AsDuplicated, args), (0.0,));
    assert_eq!((y, dy), ([9.0, 1.0], [0.0, 0.0]));
}

#[test]
fn a_constant_output_severs_the_derivative_but_is_written() {
    let mut y = [0.0; 2];
    let args = (Const(&mut y[..]), Duplicated(&X[..], &DX[0][..]));
    assert_eq!(autodiff(Forward, &f_general {}, AsDuplicated, args), (0.0,));
    assert_eq!(y, [9.0, 1.0]);

    let (mut y, mut dx) = ([0.0; 2], [100.0; 2]);
    let args = (Const(&mut y[..]), Duplicated(&X[..], &mut dx[..]));
    assert_eq!(
        autodiff(Reverse, &f_general {}, AsActive, args),
        (((), ()),)
    );
    assert_eq!((y, dx), ([9.0, 1.0], [100.0, 100.0]));
}

#[test]
fn rules_run_also_when_everything_is_constant() {
    let mut y = [0.0; 2];
    let args = (Const(&mut y[..]), Const(&X[..]));
    assert_eq!(autodiff(Forward, &f_general {}, AsDuplicated, args), (0.0,));
    assert_eq!(std::mem::take(&mut y), [9.0, 1.0]);

    let args = (Const(&mut y[..]), Const(&X[..]));
    assert_eq!(
        autodiff(ForwardWithPrimal, &f_general {}, AsConst, args),
        (10.0,)
    );
    assert_eq!(std::mem::take(&mut y), [9.0, 1.0]);

    let args = (Const(&mut y[..]), Const(&X[..]));
    assert_eq!(
        autodiff(ReverseWithPrimal, &f_general {}, AsConst, args),
        (((), ()), 10.0)
    );
    assert_eq!(y, [9.0, 1.0]);
}

#[test]
fn drivers_choose_the_return_activity() {
    let (mut y, mut dy) = ([0.0; 2], [0.0; 2]);
    let args = (
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&X[..], &DX[0][..]),
    );
    assert_eq!(autodiff(Forward, &f_specific {}, Natural, args), (6.0,));
    let args = (
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&X[..], &DX[0][..]),
    );
    assert_eq!(
        autodiff(ForwardWithPrimal, &f_specific {}, Natural, args),
        (6.0, 10.0)
    );
    let args = (
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&X[..], &DX[0][..]),
    );
    assert_eq!(autodiff(Forward, &f_general {}, AsConst, args), ());
    assert_eq!(
        dy,
        [6.0, 0.0],
        "tangents of memory are assigned whatever the return activity"
    );

    let mut dx = [0.0; 2];
    dy = [0.0; 2];
    let args = (
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&X[..], &mut dx[..]),
    );
    assert_eq!(
        autodiff(ReverseWithPrimal, &f_specific {}, Natural, args),
        (((), ()), 10.0)
    );
    assert_eq!(dx, [6.0, 2.0]);
}

#[test]
fn a_constant_return_still_passes_the_cotangent_of_the_output() {
    let (mut y, mut dy, mut dx) = ([0.0; 2], [1.0, 10.0], [0.0; 2]);
    let args = (
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&X[..], &mut dx[..]),
    );
    autodiff(Reverse, &f_general {}, AsConst, args);
    assert_eq!((dx, dy), ([6.0, 20.0], [0.0, 0.0]));
}

#[test]
fn the_tape_has_no_copy_that_reverse_would_not_read() {
    let thunk = Thunk::<_, Active<f64>>::new(f_general {}).modified(1);
    let (mut y, mut dx) = ([0.0; 2], [0.0; 2]);
    let mut args = (Const(&mut y[..]), Duplicated(&X[..], &mut dx[..]));
    assert!(!thunk.augmented(&mut args).tape.is_copied());
}

/// `h(y, x)`: `s ← f(y, x)`, then `x` is overwritten. Its rule is written by hand, as a macro would: it knows that `x` changes
/// between the halves of `f`, and tells `f` so.
#[test]
fn an_overwritten_argument_is_read_from_the_tape() {
    let (mut x, mut y, mut dx, mut dy) = (X, [0.0; 2], [0.0; 2], [0.0; 2]);
    let thunk = Thunk::<_, Active<f64>>::new(f_general {}).modified(1);
    let mut args = (
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&x[..], &mut dx[..]),
    );
    let AugmentedReturn { primal, tape, .. } = thunk.augmented(&mut args);
    x.fill(0.0);
    let seed = 2.0 * primal.unwrap(); // of s²
    let mut args = (
        Duplicated(&mut y[..], &mut dy[..]),
        Duplicated(&x[..], &mut dx[..]),
    );
    thunk.reverse([seed], tape, &mut args);
    assert_eq!((dx, dy), ([120.0, 40.0], [0.0, 0.0]));
}
