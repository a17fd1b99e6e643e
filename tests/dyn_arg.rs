//! A registry without types: one general rule behind a trait object, run through `DynArg` for every mix of activities, gives
//! the numbers of the statically chosen rule.

use std::any::Any;
use std::marker::PhantomData;

use coenzyme::{
    Active, Activity, Augmented, AugmentedReturn, BatchDuplicated, Const, Duplicated, DynArg,
    ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Lanes, ReverseArg,
    ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, Saved, primitive,
};

/// `y ← a·x²`, returns `a·Σ x`.
#[primitive]
fn weighted(y: &mut [f64], a: f64, x: &[f64]) -> f64 {
    for (y, x) in y.iter_mut().zip(x) {
        *y = a * x * x;
    }
    a * x.iter().sum::<f64>()
}

impl<R, Y, A, X, const W: usize> ForwardRule<R, (Y, A, X), W> for weighted
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    A: ForwardArg<f64, W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, a, x): (&mut Y, &mut A, &mut X)) -> R::Forward {
        let primal = weighted(y.primal_mut(), *a.primal(), x.primal());
        let (av, xv) = (*a.primal(), x.primal());
        let da = |lane| a.tangent(lane).copied().unwrap_or(0.0);
        let dx = |lane, i: usize| x.tangent(lane).map_or(0.0, |dx| dx[i]);
        y.assign(|lane, _, dy| {
            for (i, (dy, x)) in dy.iter_mut().zip(xv).enumerate() {
                *dy = da(lane) * x * x + 2.0 * av * x * dx(lane, i);
            }
        });
        let tangent = |lane| {
            (0..xv.len())
                .map(|i| da(lane) * xv[i] + av * dx(lane, i))
                .sum()
        };
        R::forward(config, || primal, tangent)
    }
}

impl<R, Y, A, X, const W: usize> ReverseRule<R, (Y, A, X), W> for weighted
where
    R: ReverseReturn<W, Out = f64>,
    Y: ReverseArgMut<[f64], W>,
    A: ReverseArg<f64, W>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, a, x): (&mut Y, &mut A, &mut X),
    ) -> Augmented<R, Self::Tape, W> {
        let primal = weighted(y.primal_mut(), *a.primal(), x.primal());
        R::augmented(
            config,
            primal,
            Saved::new(x.primal(), config.overwritten(2)),
        )
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (y, a, x): (&mut Y, &mut A, &mut X),
    ) -> (Y::Gradient, A::Gradient, X::Gradient) {
        let av = *a.primal();
        let dret = |lane| dret.lane(lane).copied().unwrap_or(0.0);
        let dy = |lane, i: usize| y.cotangent(lane).map_or(0.0, |dy| dy[i]);
        let da = a.accumulate(|lane, _, mut da| {
            for (i, x) in tape.get(x.primal()).iter().enumerate() {
                da += dy(lane, i) * x * x + dret(lane) * x;
            }
        });
        let dx = x.accumulate(|lane, x, mut dx| {
            for (i, (mut dx, x)) in dx.iter_mut().zip(tape.get(x)).enumerate() {
                dx += 2.0 * av * x * dy(lane, i) + dret(lane) * av;
            }
        });
        (y.consume(), da, dx)
    }
}

/// An argument of the registry: what it holds is known at run time only.
#[derive(Clone, Debug, PartialEq)]
enum Operand {
    Number(DynArg<f64>),
    Array(DynArg<Vec<f64>>),
}

/// An argument was not what the function takes.
#[derive(Debug, PartialEq)]
struct WrongOperand {
    index: usize,
    expected: &'static str,
}

/// A handle that can be found in an operand.
trait InOperand {
    const NAME: &'static str;
    fn find(operand: &mut Operand) -> Option<&mut Self>;
}

impl InOperand for DynArg<f64> {
    const NAME: &'static str = "a number";

    fn find(operand: &mut Operand) -> Option<&mut Self> {
        match operand {
            Operand::Number(arg) => Some(arg),
            Operand::Array(_) => None,
        }
    }
}

impl InOperand for DynArg<Vec<f64>> {
    const NAME: &'static str = "an array";

    fn find(operand: &mut Operand) -> Option<&mut Self> {
        match operand {
            Operand::Array(arg) => Some(arg),
            Operand::Number(_) => None,
        }
    }
}

fn find<A: InOperand>(index: usize, operand: &mut Operand) -> Result<&mut A, WrongOperand> {
    let expected = A::NAME;
    A::find(operand).ok_or(WrongOperand { index, expected })
}

type ErasedTape = Box<dyn Any + Send>;

/// Any rule of three arguments that returns a number.
trait ErasedRule: Send + Sync {
    /// The value and its tangent.
    fn forward(&self, args: &mut [Operand; 3]) -> Result<(f64, f64), WrongOperand>;
    fn augmented(
        &self,
        config: &ReverseConfig,
        args: &mut [Operand; 3],
    ) -> Result<(f64, ErasedTape), WrongOperand>;
    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: f64,
        tape: ErasedTape,
        args: &mut [Operand; 3],
    ) -> Result<(), WrongOperand>;
}

/// The rule of `F` for run-time handles `A`.
struct Erase<F, A>(F, PhantomData<fn(A)>);

impl<F, A, B, C, Tape> ErasedRule for Erase<F, (A, B, C)>
where
    A: InOperand + Activity<1>,
    B: InOperand + Activity<1>,
    C: InOperand + Activity<1>,
    F: ForwardRule<Duplicated<f64>, (A, B, C)>
        + ReverseRule<Active<f64>, (A, B, C), Tape = Tape>
        + Send
        + Sync,
    Tape: Any + Send,
{
    fn forward(&self, [a, b, c]: &mut [Operand; 3]) -> Result<(f64, f64), WrongOperand> {
        let args = (find(0, a)?, find(1, b)?, find(2, c)?);
        let config = ForwardConfig::new(true);
        let both = ForwardRule::<Duplicated<f64>, (A, B, C)>::forward(&self.0, &config, args);
        Ok((*both.primal(), *both.shadow(0)))
    }

    fn augmented(
        &self,
        config: &ReverseConfig,
        [a, b, c]: &mut [Operand; 3],
    ) -> Result<(f64, ErasedTape), WrongOperand> {
        let args = (find(0, a)?, find(1, b)?, find(2, c)?);
        let augmented = self.0.augmented_primal(config, args);
        Ok((augmented.primal.expect("wanted"), Box::new(augmented.tape)))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: f64,
        tape: ErasedTape,
        [a, b, c]: &mut [Operand; 3],
    ) -> Result<(), WrongOperand> {
        let args = (find(0, a)?, find(1, b)?, find(2, c)?);
        let tape = tape.downcast::<Tape>().expect("the tape of this rule");
        self.0.reverse(config, [dret], *tape, args);
        Ok(())
    }
}

fn registry() -> Vec<(&'static str, Box<dyn ErasedRule>)> {
    type Arguments = (DynArg<Vec<f64>>, DynArg<f64>, DynArg<Vec<f64>>);
    vec![(
        "weighted",
        Box::new(Erase::<_, Arguments>(weighted {}, PhantomData)),
    )]
}

const Y: [f64; 2] = [0.0; 2];
const DY: [f64; 2] = [0.25, -3.0];
const A: f64 = 1.5;
const DA: f64 = 0.5;
const X: [f64; 2] = [3.0, -1.0];
const DX: [f64; 2] = [2.0, 0.75];
const SEED: f64 = 1.25;

/// What a call leaves: value and tangent, then `y` and the shadows; `None` where there is none.
type Left = (
    f64,
    f64,
    Vec<f64>,
    Option<Vec<f64>>,
    Option<f64>,
    Option<Vec<f64>>,
);

fn operands(y: bool, a: bool, x: bool) -> [Operand; 3] {
    [
        Operand::Array(DynArg::new(Y.to_vec(), y.then(|| [DY.to_vec()]))),
        Operand::Number(DynArg::new(A, a.then_some([DA]))),
        Operand::Array(DynArg::new(X.to_vec(), x.then(|| [DX.to_vec()]))),
    ]
}

fn left(value: f64, tangent: f64, operands: [Operand; 3]) -> Left {
    let [Operand::Array(y), Operand::Number(a), Operand::Array(x)] = operands else {
        unreachable!("as made by `operands`");
    };
    let ((y, dy), (_, da), (_, dx)) = (y.into_parts(), a.into_parts(), x.into_parts());
    (
        value,
        tangent,
        y,
        dy.map(|[d]| d),
        da.map(|[d]| d),
        dx.map(|[d]| d),
    )
}

/// The entry of a static result: what was returned on top of `DA`.
trait Entry {
    fn on_top(self) -> Option<f64>;
}
impl Entry for () {
    fn on_top(self) -> Option<f64> {
        None
    }
}
impl Entry for [f64; 1] {
    fn on_top(self) -> Option<f64> {
        Some(DA + self[0])
    }
}

macro_rules! handle {
    (Const $primal:expr, $shadow:expr) => {{
        let _ = $shadow;
        Const($primal)
    }};
    (Active $primal:expr, $shadow:expr) => {
        Active($primal)
    };
    (Duplicated $primal:expr, $shadow:expr) => {
        Duplicated($primal, $shadow)
    };
}

macro_rules! is_active {
    (Const) => {
        false
    };
    ($other:ident) => {
        true
    };
}

macro_rules! every_mix {
    ($check:ident: [$($y:ident)*] $a:tt $x:tt) => { $(every_mix!(@a $check $y $a $x);)* };
    (@a $check:ident $y:ident [$($a:ident)*] $x:tt) => { $(every_mix!(@x $check $y $a $x);)* };
    (@x $check:ident $y:ident $a:ident [$($x:ident)*]) => { $($check!($y $a $x);)* };
}

#[test]
fn forward_through_the_registry_agrees_with_the_static_rules() {
    macro_rules! check {
        ($y:ident $a:ident $x:ident) => {
            let (mut y, mut dy) = (Y, DY);
            let mut args = (
                handle!($y &mut y[..], &mut dy[..]),
                handle!($a A, DA),
                handle!($x &X[..], &DX[..]),
            );
            let both = call(&ForwardConfig::new(true), &mut args);
            let statically = (
                *both.primal(),
                *both.shadow(0),
                y.to_vec(),
                is_active!($y).then(|| dy.to_vec()),
                is_active!($a).then_some(DA),
                is_active!($x).then(|| DX.to_vec()),
            );
            let mut operands = operands(is_active!($y), is_active!($a), is_active!($x));
            let (_, rule) = &registry()[0];
            let (value, tangent) = rule.forward(&mut operands).unwrap();
            assert_eq!(left(value, tangent, operands), statically);
        };
    }
    fn call<Y, A, X>(config: &ForwardConfig, (y, a, x): &mut (Y, A, X)) -> Duplicated<f64>
    where
        Y: ForwardArgMut<[f64], 1>,
        A: ForwardArg<f64, 1>,
        X: ForwardArg<[f64], 1>,
    {
        ForwardRule::<Duplicated<f64>, (Y, A, X)>::forward(&weighted {}, config, (y, a, x))
    }
    every_mix!(check: [Const Duplicated] [Const Duplicated] [Const Duplicated]);
}

#[test]
fn reverse_through_the_registry_agrees_with_the_static_rules() {
    macro_rules! check {
        ($y:ident $a:ident $x:ident) => {
            let config = ReverseConfig::new(true).with_all_overwritten();
            let (mut y, mut dy, mut dx) = (Y, DY, DX);
            let mut args = (
                handle!($y &mut y[..], &mut dy[..]),
                handle!($a A, DA),
                handle!($x &X[..], &mut dx[..]),
            );
            let augmented: AugmentedReturn<f64, (), _> = first(&config, &mut args);
            let ((), da, ()) = second(&config, augmented.tape, &mut args);
            let statically = (
                augmented.primal.unwrap(),
                SEED,
                y.to_vec(),
                is_active!($y).then(|| dy.to_vec()),
                Entry::on_top(da),
                is_active!($x).then(|| dx.to_vec()),
            );
            let mut operands = operands(is_active!($y), is_active!($a), is_active!($x));
            let (_, rule) = &registry()[0];
            let (value, tape) = rule.augmented(&config, &mut operands).unwrap();
            rule.reverse(&config, SEED, tape, &mut operands).unwrap();
            assert_eq!(left(value, SEED, operands), statically);
        };
    }
    fn first<Y, A, X>(
        config: &ReverseConfig,
        (y, a, x): &mut (Y, A, X),
    ) -> AugmentedReturn<f64, (), Saved<[f64]>>
    where
        Y: ReverseArgMut<[f64], 1>,
        A: ReverseArg<f64, 1>,
        X: ReverseArg<[f64], 1>,
    {
        ReverseRule::<Active<f64>, (Y, A, X)>::augmented_primal(&weighted {}, config, (y, a, x))
    }
    fn second<Y, A, X>(
        config: &ReverseConfig,
        tape: Saved<[f64]>,
        (y, a, x): &mut (Y, A, X),
    ) -> (Y::Gradient, A::Gradient, X::Gradient)
    where
        Y: ReverseArgMut<[f64], 1>,
        A: ReverseArg<f64, 1>,
        X: ReverseArg<[f64], 1>,
    {
        ReverseRule::<Active<f64>, (Y, A, X)>::reverse(
            &weighted {},
            config,
            [SEED],
            tape,
            (y, a, x),
        )
    }
    every_mix!(check: [Const Duplicated] [Const Active] [Const Duplicated]);
}

#[test]
fn a_wrong_operand_is_an_error_and_nothing_runs() {
    let (_, rule) = &registry()[0];
    let mut args = operands(true, true, true);
    args.swap(1, 2);
    let before = args.clone();
    let expected = "a number";
    assert_eq!(
        rule.forward(&mut args),
        Err(WrongOperand { index: 1, expected })
    );
    assert_eq!(args, before);
}

#[test]
fn run_time_handles_carry_several_lanes() {
    let config = ReverseConfig::new(false);
    let y: DynArg<Vec<f64>, Vec<f64>, 3> = DynArg::constant(Y.to_vec());
    let mut dynamic = (
        y,
        DynArg::new(A, Some([0.0, 1.0, 2.0])),
        DynArg::new(X.to_vec(), Some([vec![0.0; 2], vec![1.0; 2], vec![2.0; 2]])),
    );
    let rule = weighted {};
    let (y, a, x) = &mut dynamic;
    let augmented =
        ReverseRule::<Active<f64>, (_, _, _), 3>::augmented_primal(&rule, &config, (y, a, x));
    let (y, a, x) = &mut dynamic;
    let seeds = [1.0, 10.0, 100.0];
    ReverseRule::<Active<f64>, (_, _, _), 3>::reverse(
        &rule,
        &config,
        seeds,
        augmented.tape,
        (y, a, x),
    );
    assert_eq!(dynamic.1.shadows(), Some(&[2.0, 21.0, 202.0]));
    let dx = [vec![1.5; 2], vec![16.0; 2], vec![152.0; 2]];
    assert_eq!(dynamic.2.shadows(), Some(&dx));

    // and so do static ones
    let mut y = Y;
    let mut da = BatchDuplicated(A, [1.0, 0.0]);
    let args = (&mut Const(&mut y[..]), &mut da, &mut Const(&X[..]));
    type Return = BatchDuplicated<f64, f64, 2>;
    let both = ForwardRule::<Return, (_, _, _), 2>::forward(&rule, &ForwardConfig::new(true), args);
    assert_eq!(both, BatchDuplicated(3.0, [2.0, 0.0]));
}
