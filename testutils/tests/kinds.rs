//! Every way to come by a rule: one for each combination, one easy rule, generated code; of structs, of generic functions,
//! of functions that may fail.

#[path = "kinds/beside.rs"]
mod beside;
#[path = "kinds/told.rs"]
mod told;

use coenzyme::prelude::*;
use coenzyme::{AugmentedReturn, Real, Saved};
use coenzyme_testutils::{
    Setting, by_ref, inout, input, out, test_forward, test_reverse, test_rule, value,
};

/// y ← x², returns Σ y, with a rule for single combinations in one lane.
#[primitive]
fn specific(y: &mut [f64], x: &[f64]) -> f64 {
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x * x);
    y.iter().sum()
}

type Output<'a> = Duplicated<&'a mut [f64]>;

impl<'a, 'b> ForwardRule<Duplicated<f64>, (Output<'a>, Duplicated<&'b [f64]>)> for specific {
    fn forward(
        &self,
        config: &ForwardConfig,
        (y, x): (&mut Output<'a>, &mut Duplicated<&'b [f64]>),
    ) -> Duplicated<f64> {
        let sum = specific(y.primal_mut(), x.primal());
        for ((dy, x), dx) in y
            .shadow_mut(0)
            .iter_mut()
            .zip(x.primal().iter())
            .zip(x.shadow(0).iter())
        {
            *dy = coenzyme::scaled(2.0 * x, *dx, config.strong_zero());
        }
        Duplicated(sum, y.shadow(0).iter().sum())
    }
}

impl<'a, 'b> ReverseRule<Active<f64>, (Output<'a>, Duplicated<&'b [f64], &'b mut [f64]>)>
    for specific
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Output<'a>, &mut Duplicated<&'b [f64], &'b mut [f64]>),
    ) -> AugmentedReturn<f64, (), Saved<[f64]>> {
        let sum = specific(y.primal_mut(), x.primal());
        AugmentedReturn::new(
            config.needs_primal().then_some(sum),
            (),
            Saved::new(*x.primal(), config.overwritten(1)),
        )
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        [dret]: [f64; 1],
        tape: Saved<[f64]>,
        (y, x): (&mut Output<'a>, &mut Duplicated<&'b [f64], &'b mut [f64]>),
    ) -> ((), ()) {
        let primal = tape.get(x.primal()).to_vec();
        for ((dx, x), dy) in x
            .shadow_mut(0)
            .iter_mut()
            .zip(primal)
            .zip(y.shadow(0).iter())
        {
            *dx += coenzyme::scaled(2.0 * x, dret + dy, config.strong_zero());
        }
        y.shadow_mut(0).fill(0.0);
        ((), ())
    }
}

#[test]
fn rules_for_single_combinations_are_found() {
    let (y, x) = (out(4), input(4));
    test_forward!(specific, Duplicated, (y, Duplicated), (x, Duplicated); widths = [1]);
    test_reverse!(specific, Active, (y, Duplicated), (x, Duplicated); widths = [1]);
}

test_rule! {
    specific;
    y: out(4) [Duplicated], x: input(4) [Const, Duplicated];
    ret: [Active];
    name = specific_rule, widths = [1], unsupported = [
        (x: Const) => "written for one combination",
        (mode: forward, ret: DuplicatedNoNeed) => "written for one combination"
    ]
}

/// x·eʸ.
#[primitive]
fn easy(x: f64, y: f64) -> f64 {
    x * y.exp()
}

easy_rule! {
    fn easy(x: f64, y: f64) -> z: f64;
    dz/dx = y.exp();
    dz/dy = z;
}

test_rule! { easy; x: value(1.25), y: value(-0.5); ret: [Const, Active]; name = easy_rule }

/// y ← x², returns Σ y.
#[differentiable]
fn generated(y: &mut [f64], x: &[f64]) -> f64 {
    for i in 0..x.len() {
        y[i] = x[i] * x[i];
    }
    let mut sum = 0.0;
    for v in y.iter() {
        sum += *v;
    }
    sum
}

test_rule! {
    generated;
    y: out(n) [Duplicated], x: input(n);
    ret: [Const, Active];
    name = generated_rule, sizes = n in [0, 1, 5]
}

/// A spring: its stiffness, and where it rests.
#[derive(Clone, Debug, Tangent)]
struct Spring {
    stiffness: f64,
    rest: Vec<f64>,
    turns: u32,
}

/// The energy of a spring stretched to `x`.
#[differentiable]
fn energy(spring: &Spring, x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (i, x) in x.iter().enumerate() {
        let stretch = *x - spring.rest[i];
        sum += stretch * stretch;
    }
    0.5 * spring.stiffness * sum
}

fn spring() -> Spring {
    Spring {
        stiffness: 2.5,
        rest: vec![0.5, -1.0, 0.75],
        turns: 7,
    }
}

test_rule! {
    energy;
    spring: by_ref(spring()), x: input(3);
    ret: [Const, Active];
    name = energy_rule
}

/// Σ xᵢ·yᵢ, of any real numbers.
#[differentiable]
fn dot<T: Real>(x: &[T], y: &[T]) -> T {
    let mut sum = T::zero();
    for i in 0..x.len() {
        sum += x[i] * y[i];
    }
    sum
}

test_rule! { dot; x: input(4), y: input(4); ret: [Const, Active]; name = dot_rule }

/// √x, refused for negative numbers.
#[differentiable]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err(format!("no root of {x}"));
    }
    Ok(x.sqrt())
}

test_rule! { root; x: value(2.25); ret: [Const, Active]; name = root_rule }
test_rule! { root; x: value(-2.25); ret: [Const, Active]; name = refused_root_rule }

/// Moves `x` until nothing changes any more, and leaves its last iterate if that takes too long.
#[differentiable]
fn settle(x: &mut [f64], p: f64) -> Result<f64, String> {
    for _ in 0..8 {
        x[0] = 0.5 * x[0] + 0.25 * p;
    }
    if x[0] > 50.0 {
        return Err("too far".to_owned());
    }
    Ok(x[0] * p)
}

test_rule! {
    settle;
    x: inout([1.5]), p: value(0.75);
    ret: [Const, Active];
    name = settle_rule, const_buffers = severed("a state that is `Const` is inactive")
}

/// The middle one of three: where they are equal, every direction has a slope, and there is no derivative.
#[differentiable]
fn middle(x: &[f64]) -> f64 {
    let (a, b, c) = (x[0], x[1], x[2]);
    if (a <= b && b <= c) || (c <= b && b <= a) {
        b
    } else if (b <= a && a <= c) || (c <= a && a <= b) {
        a
    } else {
        c
    }
}

test_rule! { middle; x: input(3); ret: [Const, Active]; name = middle_rule }

/// Σ |xᵢ|^{3/2}, whose slope grows beside a zero as a root does.
#[differentiable]
fn blunt(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for x in x {
        sum += x.abs().powf(1.5);
    }
    sum
}

test_rule! { blunt; x: input(3); ret: [Const, Active]; name = blunt_rule }

#[test]
fn single_precision_is_judged_by_itself_or_by_double() {
    use coenzyme::{AsActive, AsDuplicated};
    let coordinates = [1.25, -0.5, 0.75];
    let narrow = coordinates.map(|x| x as f32);
    let double = || Setting::new((input(coordinates), input(coordinates))).function("dot", dot {});
    let single = || Setting::new((input(narrow), input(narrow))).function("dot", dot {});
    for tester in [single(), single().reference(double())] {
        let forward = tester.mix(AsDuplicated, (AsDuplicated, AsDuplicated));
        let reverse = tester.mix(AsActive, (AsDuplicated, AsDuplicated));
        forward.forward::<2>().assert();
        reverse.reverse::<_, _, 2>().assert();
        reverse.pairing::<_, 1>().assert();
    }
}

/// Said to be inactive, and is not.
#[inactive]
fn double(x: f64) -> f64 {
    2.0 * x
}

#[test]
#[should_panic = "is the function marked `#[inactive]`?"]
fn inactive_lie_is_told_in_forward_mode() {
    test_forward!(double, Duplicated, (value(1.5), Duplicated));
}

#[test]
#[should_panic = "is the function marked `#[inactive]`?"]
fn inactive_lie_is_told_in_reverse_mode() {
    test_reverse!(double, Active, (value(1.5), Active));
}
