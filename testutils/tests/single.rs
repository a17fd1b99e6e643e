//! The tester on right rules, one mix at a time.

use coenzyme::{
    Adjoint, AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, Saved, primitive,
    scaled,
};
use coenzyme_testutils::{inout, input, out, test_forward, test_reverse, test_rule, value};

/// y ← x², returns Σ y.
#[primitive]
fn square_sum(y: &mut [f64], x: &[f64]) -> f64 {
    for (y, x) in y.iter_mut().zip(x) {
        *y = x * x;
    }
    y.iter().sum()
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for square_sum
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        let strong = config.strong_zero();
        let tangent = |x: f64, dx: f64| scaled(2.0 * x, dx, strong);
        let sum = square_sum(y.primal_mut(), x.primal());
        y.assign(|lane, _, dy| match x.tangent(lane) {
            Some(dx) => {
                for ((dy, x), dx) in dy.iter_mut().zip(x.primal()).zip(dx) {
                    *dy = tangent(*x, *dx);
                }
            }
            None => dy.fill(0.0),
        });
        R::forward(
            config,
            || sum,
            |lane| match x.tangent(lane) {
                Some(dx) => dx
                    .iter()
                    .zip(x.primal())
                    .map(|(dx, x)| tangent(*x, *dx))
                    .sum(),
                None => 0.0,
            },
        )
    }
}

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for square_sum
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
    ) -> AugmentedReturn<f64, R::Shadow, Self::Tape> {
        let tape = Saved::new(x.primal(), config.overwritten(1));
        let sum = square_sum(y.primal_mut(), x.primal());
        R::augmented(config, sum, tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        let dx = x.accumulate(|lane, x, mut dx| {
            let dret = dret.lane(lane).copied().unwrap_or(0.0);
            for (i, (x, mut dx)) in tape.get(x).iter().zip(dx.iter_mut()).enumerate() {
                let dy = y.cotangent(lane).map_or(0.0, |dy| dy[i]);
                dx += scaled(2.0 * x, dret + dy, config.strong_zero());
            }
        });
        (y.consume(), dx)
    }
}

#[test]
fn in_place_function_passes_in_every_mix() {
    let (y, x) = (out(5), input(5));
    test_forward!(square_sum, Duplicated, (y, Duplicated), (x, Duplicated));
    test_forward!(
        square_sum,
        DuplicatedNoNeed,
        (y, DuplicatedNoNeed),
        (x, Duplicated)
    );
    test_forward!(square_sum, Const, (y, Const), (x, Const));
    test_forward!(square_sum, Const, (y, Duplicated), (x, Duplicated));
    test_reverse!(square_sum, Active, (y, Duplicated), (x, Duplicated));
    test_reverse!(square_sum, Const, (y, Duplicated), (x, Duplicated));
    test_reverse!(square_sum, Active, (y, DuplicatedNoNeed), (x, Duplicated));
    test_reverse!(square_sum, Active, (y, Duplicated), (x, Const));
    test_reverse!(square_sum, Active, (y, Const), (x, Duplicated); const_buffers = severed("as in Enzyme"));
}

/// a·b.
#[primitive]
fn product(a: f64, b: f64) -> f64 {
    a * b
}

impl<R, A, B, const W: usize> ReverseRule<R, (A, B), W> for product
where
    R: ReverseReturn<W, Out = f64>,
    A: ReverseArg<f64, W>,
    B: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (a, b): (&mut A, &mut B),
    ) -> AugmentedReturn<f64, R::Shadow, ()> {
        R::augmented(config, a.primal() * b.primal(), ())
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        (): (),
        (a, b): (&mut A, &mut B),
    ) -> (A::Gradient, B::Gradient) {
        let add = |lane, partial: f64, mut adjoint: Adjoint<'_, f64>| {
            if let Some(d) = dret.lane(lane) {
                adjoint += scaled(partial, *d, config.strong_zero());
            }
        };
        let (va, vb) = (*a.primal(), *b.primal());
        (
            a.accumulate(|lane, _, da| add(lane, vb, da)),
            b.accumulate(|lane, _, db| add(lane, va, db)),
        )
    }
}

#[test]
fn scalar_function_passes() {
    let (a, b) = (value(1.5), value(-0.75));
    test_reverse!(product, Active, (a, Active), (b, Active));
    test_reverse!(product, Active, (a, Const), (b, Active));
    test_reverse!(product, Const, (a, Active), (b, Active));
    test_reverse!(product, Active, (a, Active), (b, Active); widths = [1, 2, 3, 4], seed = 7);
}

#[test]
#[should_panic = "VACUOUS square_sum  forward  every derivative"]
fn degenerate_point_is_vacuous() {
    test_forward!(
        square_sum,
        Duplicated,
        (out(2), Duplicated),
        (input([0.0, 0.0]), Duplicated)
    );
}

#[test]
#[should_panic = "active data goes through y, which is `Const`"]
fn const_buffer_is_classified() {
    let y = inout(3);
    test_reverse!(square_sum, Active, (y, Const), (input(3), Duplicated));
}

#[test]
fn functions_return_reports() {
    use coenzyme::{AsActive, AsDuplicated};
    let arguments = || (out(5).named("y"), input(5).named("x"));
    let forward = test_forward(
        "square_sum",
        arguments(),
        (AsDuplicated, AsDuplicated),
        AsDuplicated,
        square_sum {},
    );
    let reverse = test_reverse(
        "square_sum",
        arguments(),
        (AsDuplicated, AsDuplicated),
        AsActive,
        square_sum {},
    );
    assert!(forward.verdict().is_green() && reverse.verdict().is_green());
    assert!(forward.comparisons() > 300 && reverse.comparisons() > 1000);
}

test_rule! {
    square_sum;
    y: out(n), x: input(n);
    ret: [Const, Active];
    name = square_sum_rule, sizes = n in [0, 1, 2, 5], const_buffers = severed("what is read from `y` is inactive if `y` is")
}

test_rule! {
    product;
    a: value(1.5), b: value(-0.75) [Const, Active];
    ret: [Const, Active];
    name = product_rule, unsupported = [(mode: forward) => "only the reverse rule is written here"]
}
