//! The tutorial, as a program, prints what the book says it prints; its rules are right in every mix of activities.

use std::path::Path;
use std::process::Command;

use coenzyme::prelude::*;
use coenzyme::{Augmented, scaled};
use coenzyme_testutils::{input, out, test_rule};

/// What the program prints, without its headings: the numbers of Enzyme's tutorial.
const PRINTED: &[&str] = &[
    // generated
    "forward of g: (120.0,), dy = [6.0, 0.0]",
    "reverse of g: dx = [120.0, 40.0], dy = [0.0, 0.0]",
    "reverse of h: dx = [120.0, 40.0], dy = [0.0, 0.0], and x is now [9.0, 1.0]",
    // specific
    "Using custom rule!",
    "forward of g: (120.0,), dy = [6.0, 0.0]",
    "Using custom rule with DuplicatedNoNeed output.",
    "forward of f: (6.0,), dy = [6.0, 0.0], y = [9.0, 1.0]",
    // general
    "Using our general custom rule!",
    "y and x Duplicated: (120.0,), dy = [6.0, 0.0]",
    "Using our general custom rule!",
    "y Const: (0.0,)",
    "Using our general custom rule!",
    "y and x Const: (0.0,)",
    "Using our general custom rule!",
    "two lanes: ([120.0, 40.0],), dy = [[6.0, 0.0], [0.0, 2.0]]",
    // reverse
    "In custom augmented primal rule.",
    "In custom reverse rule.",
    "reverse of g: dx = [120.0, 40.0], dy = [0.0, 0.0], copies of x: 0",
    "In custom augmented primal rule.",
    "In custom reverse rule.",
    "reverse of h: dx = [120.0, 40.0], dy = [0.0, 0.0], copies of x: 1",
    // inactive
    "Hi!",
    "derivative of x² at 2: (4.0,)",
    "derivative of 3x with double(x) wrongly inactive: (1.0,)",
];

fn lines(of: &str) -> Vec<&str> {
    of.lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

#[test]
fn the_tutorial_prints_its_numbers() {
    // with the features of the workspace, with which its tests have built it: those of this package alone are others
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the target folder");
    let built = Command::new(env!("CARGO"))
        .args([
            "build",
            "--quiet",
            "--workspace",
            "--example",
            "tutorial",
            "--target-dir",
        ])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(built.expect("cargo runs").success());
    let program = format!("debug/examples/tutorial{}", std::env::consts::EXE_SUFFIX);
    let output = Command::new(target.join(program))
        .output()
        .expect("the example runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(lines(&printed), PRINTED);
}

/// The function of the tutorial, with its general rules, and strong zeros.
///
/// # Panics
/// If the lengths differ.
#[primitive]
fn squares(y: &mut [f64], x: &[f64]) -> f64 {
    assert_eq!(y.len(), x.len(), "squares: y and x differ in length");
    y.iter_mut().zip(x).for_each(|(y, x)| *y = x * x);
    y.iter().sum()
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for squares
where
    R: ForwardReturn<W, Out = f64>,
    Y: ForwardArgMut<[f64], W>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        let sum = squares(y.primal_mut(), x.primal());
        y.assign(|lane, _, dy| match x.tangent(lane) {
            Some(dx) => {
                let entries = dy.iter_mut().zip(x.primal()).zip(dx);
                entries.for_each(|((dy, x), dx)| *dy = scaled(2.0 * x, *dx, config.strong_zero()));
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

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for squares
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
        let read_again = x.is_active() && y.is_active();
        let tape = Saved::new(x.primal(), read_again && config.overwritten(1));
        R::augmented(config, squares(y.primal_mut(), x.primal()), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        // x̄ += 2x·(ȳ + s̄), then ȳ ← 0
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(dy) = y.cotangent(lane) else { return };
            let dsum = dret.lane(lane).copied().unwrap_or(0.0);
            let entries = dx.iter_mut().zip(tape.get(x)).zip(dy);
            entries.for_each(|((mut dx, x), dy)| {
                dx += scaled(2.0 * x, dy + dsum, config.strong_zero())
            });
        });
        (y.consume(), dx)
    }
}

// At points that the tester draws, not at one where every derivative vanishes.
test_rule! {
    squares;
    y: out(n), x: input(n);
    ret: [Const, Active];
    sizes = n in [0, 1, 5], const_buffers = severed("what is read back through a `Const` y is inactive")
}

/// The same function, generated.
mod generated {
    use coenzyme::prelude::*;
    use coenzyme_testutils::{input, out, test_rule};

    #[differentiable]
    fn squares(y: &mut [f64], x: &[f64]) -> f64 {
        for (y, x) in y.iter_mut().zip(x) {
            *y = x * x;
        }
        y.iter().sum()
    }

    test_rule! {
        squares;
        y: out(n), x: input(n);
        ret: [Const, Active];
        sizes = n in [0, 1, 5], const_buffers = severed("what is read back through a `Const` y is inactive")
    }
}
