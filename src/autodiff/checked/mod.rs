//! A net under derivatives: after a differentiated call, one direction is compared with a difference of the function itself.
//!
//! [`Checked`] wraps a mode. The call does what it does without; then the function is run a few times on copies of its
//! arguments, moved along a random direction, and a derivative that disagrees with the difference is a panic. It finds what
//! no type can: a wrong rule, a wrong `#[inactive]`, a wrong premise of generated code.
//!
//! Whether differences can judge is part of the answer: beside a kink, or where the function is noise, nothing is said.

mod argument;
mod asked;
#[doc(hidden)]
pub mod calls;
mod difference;
mod forward;
mod modes;
mod reverse;

pub use argument::{CalledBy, Probed, ProbedArg, ProbedArgs};
pub use asked::CheckedIfAsked;
pub use forward::{CheckedForwardKind, Pushed, PushedArgs, check_tangent};
pub use reverse::{CheckedReverseKind, check_gradient};

use difference::{Difference, Judged};

use super::ModeWidth;

/// A mode that compares what it computes with a difference of the function: see `check_gradient` and the page on testing in the book.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme::Checked;
///
/// /// `Σ xᵢ²`
/// #[differentiable]
/// fn energy(x: &[f64]) -> f64 {
///     let mut sum = 0.0;
///     for x in x {
///         sum += x * x;
///     }
///     sum
/// }
///
/// let (x, mut dx) = ([1.0, -2.0], [0.0; 2]);
/// autodiff!(Checked(Reverse), energy, Active, Duplicated(&x, &mut dx));
/// assert_eq!(dx, [2.0, -4.0]);
/// assert_eq!(autodiff!(Checked(Forward), energy, Duplicated(&x, &[1.0, 0.0])), (2.0,));
/// ```
///
/// A function whose `#[inactive]` is a lie:
///
/// ```should_panic
/// use coenzyme::prelude::*;
/// use coenzyme::Checked;
///
/// #[inactive]
/// fn half(x: f64) -> f64 {
///     x / 2.0
/// }
///
/// #[differentiable]
/// fn f(x: f64) -> f64 {
///     half(x) * x
/// }
///
/// autodiff!(Checked(Reverse), f, Active, Active(3.0)); // panics: x/2 where x is right
/// ```
///
/// Arguments are numbers, arrays of them, vectors, tuples, `ndarray` arrays and views, types of your own that are `Clone` and
/// `#[derive(Tangent)]`, references to all of these, and, without derivative, integers, flags and strings; other types implement
/// [`Probed`]. In reverse mode the direction is drawn; in forward mode it is the caller's tangent, and the weights of the
/// outputs are drawn. `COENZYME_CHECK_SEED` names another seed.
///
/// Costs 17 runs of the function on copies of the arguments.
///
/// # Panics
/// If the derivative is not that of the function: with the function, the argument, both numbers and the seed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checked<M>(pub M);

impl<M: ModeWidth> ModeWidth for Checked<M> {
    type Width = M::Width;
}

/// What the copies of a function's arguments give.
struct Primal<'p> {
    /// The returned floats, and those of every argument afterwards, from those of every argument before.
    #[allow(clippy::type_complexity)]
    evaluate: &'p mut dyn FnMut(&[Vec<f64>]) -> Option<(Vec<f64>, Vec<Vec<f64>>)>,
    /// The floats of every argument.
    at: Vec<Vec<f64>>,
    function: &'static str,
    lane: usize,
}

impl Primal<'_> {
    /// Requires `got` to be the derivative of `Σ weights·outputs` along `direction`. `parts` are what `got` is the sum of, for
    /// each argument.
    #[track_caller]
    fn require(
        &mut self,
        got: f64,
        parts: &[f64],
        direction: &[Vec<f64>],
        returned: &[f64],
        written: &[Option<Vec<f64>>],
    ) {
        let (at, evaluate) = (&self.at, &mut *self.evaluate);
        let mut at_step = |direction: &[Vec<f64>], step: f64| {
            let moved = at.iter().zip(direction).map(|(x, d)| {
                let rows = x.iter().zip(d);
                rows.map(|(x, d)| x + step * d).collect()
            });
            let (out, after) = evaluate(&moved.collect::<Vec<Vec<f64>>>())?;
            let rows = after.iter().zip(written);
            let memory = rows.filter_map(|(after, weights)| Some(dot(after, weights.as_ref()?)));
            Some(dot(&out, returned) + memory.sum::<f64>())
        };
        let Some(difference) = Difference::of(|step| at_step(direction, step)) else {
            return;
        };
        let wrong = difference.judge(got) == Judged::Wrong;
        if !wrong || difference.is_staircase(got, |step| at_step(direction, step)) {
            return;
        }
        let mut lines = Vec::new();
        for (argument, part) in parts.iter().enumerate() {
            let alone = direction
                .iter()
                .enumerate()
                .map(|(index, d)| match index == argument {
                    true => d.clone(),
                    false => vec![0.0; d.len()],
                });
            let alone: Vec<_> = alone.collect();
            if let Some(difference) = Difference::of(|step| at_step(&alone, step))
                && difference.judge(*part) == Judged::Wrong
            {
                lines.push(format!(
                    "\n  argument {argument} alone: {part}, differences {difference}"
                ));
            }
        }
        panic!(
            "the derivative of `{}` is wrong\n  lane {}, along one direction: {got}, differences {difference}{}\n  \
             again with COENZYME_CHECK_SEED={}",
            self.function,
            self.lane,
            lines.concat(),
            seed(),
        );
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The seed of all directions.
fn seed() -> u64 {
    let text = std::env::var("COENZYME_CHECK_SEED").unwrap_or_default();
    text.parse().unwrap_or(0)
}

/// The numbers ±{4 … 12}/8 by chance, the same for the same label and seed.
struct Draw(u64);

impl Draw {
    fn new(label: &str) -> Self {
        let mix = |state: u64, byte: u8| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        Draw(label.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed(), mix))
    }

    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        let magnitude = (4 + (bits >> 8) % 9) as f64 / 8.0;
        if bits & 1 == 0 { magnitude } else { -magnitude }
    }

    /// A direction in which every number moves by a part of itself, and a zero by about one.
    fn direction(&mut self, x: &[f64]) -> Vec<f64> {
        let scale = |x: f64| if x == 0.0 { 1.0 } else { x.abs() };
        x.iter().map(|x| scale(*x) * self.next()).collect()
    }

    fn weights(&mut self, length: usize) -> Vec<f64> {
        (0..length).map(|_| self.next()).collect()
    }
}

/// The last segment of the path of a type.
fn name_of<F>() -> &'static str {
    let path = std::any::type_name::<F>();
    let path = path.split('<').next().unwrap_or(path);
    path.rsplit("::").next().unwrap_or(path)
}
