//! The variable `COENZYME_CHECKED`, and the mode that asks it.

use std::sync::LazyLock;

use super::Checked;
use crate::autodiff::{Mode, ModeWidth};

/// A mode that is [`Checked`] if `COENZYME_CHECKED=1` is in the environment, and costs nothing if it is not.
///
/// With the feature `checked` the driver macros ask the variable themselves. This mode is for what they cannot reach: a call of
/// [`autodiff`](crate::autodiff()) as a function, and a driver in a generic function, where the bounds that it needs have to
/// be written.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme::CheckedIfAsked;
///
/// const MODE: CheckedIfAsked<Reverse> = CheckedIfAsked(Reverse);
///
/// #[differentiable]
/// fn square(x: f64) -> f64 {
///     x * x
/// }
///
/// assert_eq!(autodiff!(MODE, square, Active, Active(3.0)), ((6.0,),));
/// ```
///
/// # Panics
/// If the derivative is checked, and is not that of the function; and if the variable is something else than 0 or 1.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckedIfAsked<M>(pub M);

impl<M: ModeWidth> ModeWidth for CheckedIfAsked<M> {
    type Width = M::Width;
}

impl<M, F, K, A, const W: usize> Mode<F, K, A, W> for CheckedIfAsked<M>
where
    M: Mode<F, K, A, W>,
    Checked<M>: Mode<F, K, A, W, Output = M::Output>,
{
    type Output = M::Output;

    fn run_with(self, f: &F, returns: K, args: A, strong_zero: bool) -> M::Output {
        match asked() {
            true => Checked(self.0).run_with(f, returns, args, strong_zero),
            false => self.0.run_with(f, returns, args, strong_zero),
        }
    }
}

/// Whether the environment asks for checks.
pub(super) fn asked() -> bool {
    static ASKED: LazyLock<bool> = LazyLock::new(|| match std::env::var("COENZYME_CHECKED") {
        Ok(text) => match text.as_str() {
            "1" => true,
            "0" | "" => false,
            _ => panic!("COENZYME_CHECKED is neither 0 nor 1: {text:?}"),
        },
        Err(_) => false,
    });
    *ASKED
}
