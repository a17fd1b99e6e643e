//! Reverse mode in two halves.

use std::marker::PhantomData;

use crate::config::ReverseConfig;
use crate::rule::{Args, AugmentedOutcome, ReverseReturn, ReverseRule};

/// Reverse mode of `f` with return activity `R` in `W` lanes, in two halves: the augmented primal now, the reverse half any
/// time later, with the tape in between.
///
/// Both halves take the annotated arguments. Between them the caller may change the memory of those that were declared
/// with [`modified`](Self::modified).
///
/// ```
/// use coenzyme::{Active, AugmentedReturn, Function, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Thunk, Lanes};
///
/// struct Square;
/// impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Square
/// where
///     R: ReverseReturn<W, Out = f64>,
///     X: ReverseArg<f64, W>,
/// {
///     type Tape = ();
///     fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> AugmentedReturn<f64, R::Shadow, ()> {
///         R::augmented(config, x.primal() * x.primal(), ())
///     }
///     fn reverse(&self, _: &ReverseConfig, dret: R::Cotangent, _: (), (x,): (&mut X,)) -> (X::Gradient,) {
///         (x.accumulate(|lane, x, mut dx| dx += dret.lane(lane).map_or(0.0, |d| 2.0 * x * d)),)
///     }
/// }
///
/// let thunk = Thunk::<_, Active<f64>>::new(Square);
/// let augmented = thunk.augmented(&mut (Active(3.0),));
/// assert_eq!(augmented.primal, Some(9.0));
/// assert_eq!(thunk.reverse([1.0], augmented.tape, &mut (Active(3.0),)), ([6.0],));
/// ```
#[derive(Debug)]
pub struct Thunk<F, R, const W: usize = 1> {
    f: F,
    config: ReverseConfig,
    returns: PhantomData<fn() -> R>,
}

impl<F, R: ReverseReturn<W>, const W: usize> Thunk<F, R, W> {
    /// The two halves of `f`, with the primal value, and no argument modified in between.
    pub fn new(f: F) -> Self {
        Self {
            f,
            config: ReverseConfig::new(true),
            returns: PhantomData,
        }
    }

    /// Declares that the memory of argument `index` may change between the halves.
    #[must_use]
    pub fn modified(mut self, index: usize) -> Self {
        self.config = self.config.with_overwritten(index, true);
        self
    }

    /// Replaces the whole configuration.
    #[must_use]
    pub fn with_config(mut self, config: ReverseConfig) -> Self {
        self.config = config;
        self
    }

    /// The configuration that both halves get.
    pub fn config(&self) -> &ReverseConfig {
        &self.config
    }

    /// The first half: runs the primal, and returns its value, the shadow of a returned array, and the tape.
    #[inline]
    pub fn augmented<A: Args<W>>(
        &self,
        args: &mut A,
    ) -> AugmentedOutcome<R, <F as ReverseRule<R, A, W>>::Tape, W>
    where
        F: ReverseRule<R, A, W>,
    {
        self.f.augmented_primal(&self.config, args.refs())
    }

    /// The second half: from the cotangent of the returned value in each lane to those of the arguments.
    #[inline]
    pub fn reverse<A: Args<W>>(
        &self,
        cotangent: R::Cotangent,
        tape: <F as ReverseRule<R, A, W>>::Tape,
        args: &mut A,
    ) -> A::Gradients
    where
        F: ReverseRule<R, A, W>,
    {
        self.f.reverse(&self.config, cotangent, tape, args.refs())
    }
}
