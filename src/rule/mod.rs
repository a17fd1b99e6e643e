//! The rule protocol: what the derivative of a function is made of.
//!
//! A rule belongs to a function's *marker*: the type `f {}` that `#[primitive]` puts beside `fn f`, so that one `use`
//! imports both. It is chosen by the types of the return activity and of the arguments, and by the width.

mod args;
mod cut;
mod outcome;
mod returns;
mod saved;

pub use args::{Annotated, Args};
pub use cut::ignore_derivatives;
pub use outcome::Outcome;
pub use returns::{AugmentedReturn, ForwardReturn, Lanes, ReverseReturn};
pub use saved::Saved;

use crate::config::{ForwardConfig, ReverseConfig};

/// What `forward` returns for a return activity `R`: `R::Forward`, inside the `Result` or `Option` of a function that
/// returns one.
pub type ForwardOutcome<R, const W: usize> =
    <<R as ForwardReturn<W>>::Out as Outcome>::Of<<R as ForwardReturn<W>>::Forward>;

/// What `augmented_primal` returns for a return activity `R` and a tape, inside the `Result` or `Option` of a function
/// that returns one.
pub type AugmentedOutcome<R, Tape, const W: usize> =
    <<R as ReverseReturn<W>>::Out as Outcome>::Of<Augmented<R, Tape, W>>;

/// The [`AugmentedReturn`] for a return activity `R` and a tape.
pub type Augmented<R, Tape, const W: usize> = AugmentedReturn<
    <<R as ReverseReturn<W>>::Out as Outcome>::Value,
    <R as ReverseReturn<W>>::Shadow,
    Tape,
>;

/// A function that rules can be given for, by its marker: calls the primal.
///
/// `Args` is the tuple of arguments. Implemented by `#[primitive]`, `#[differentiable]` and `#[inactive]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function of `{Args}`",
    label = "unknown to Coenzyme, or called with other arguments",
    note = "mark the function `#[differentiable]`, `#[primitive]` (it has rules of its own) or `#[inactive]` (it has no derivative)"
)]
pub trait Function<Args>: Sized {
    /// What the function returns.
    type Output;

    /// Calls the function.
    fn call(&self, args: Args) -> Self::Output;
}

/// The derivative of a function in forward mode, for one combination of activities or a family of them.
///
/// `R` is the return activity, `A` the tuple of annotated arguments, `W` the width.
///
/// One call does the primal and its tangents: it performs the primal's mutations, **assigns** the tangents of what the
/// function writes, and returns according to `R`:
///
/// | `R` | returns |
/// |---|---|
/// | `Const<T>` | `Option<T>`: the primal, if `config.needs_primal()` |
/// | `Duplicated<T>`, `BatchDuplicated<T, T, W>` | the same: primal and tangents |
/// | `DuplicatedNoNeed<T>`, `BatchDuplicatedNoNeed<T, T, W>` | `[T; W]`: the tangents |
///
/// A rule that is generic over `R` leaves this to [`ForwardReturn::forward`].
///
/// ```
/// use coenzyme::{
///     AsDuplicated, BatchDuplicated, Const, Duplicated, Forward, ForwardArg, ForwardConfig, ForwardReturn,
///     ForwardRule, autodiff, primitive,
/// };
///
/// /// `a·b`.
/// #[primitive]
/// fn product(a: f64, b: f64) -> f64 {
///     a * b
/// }
///
/// impl<R, A, B, const W: usize> ForwardRule<R, (A, B), W> for product
/// where
///     R: ForwardReturn<W, Out = f64>,
///     A: ForwardArg<f64, W>,
///     B: ForwardArg<f64, W>,
/// {
///     fn forward(&self, config: &ForwardConfig, (a, b): (&mut A, &mut B)) -> R::Forward {
///         let da = |lane| a.tangent(lane).map_or(0.0, |da| da * b.primal());
///         let db = |lane| b.tangent(lane).map_or(0.0, |db| a.primal() * db);
///         R::forward(config, || product(*a.primal(), *b.primal()), |lane| da(lane) + db(lane))
///     }
/// }
///
/// let both = (Duplicated(2.0, 1.0), Duplicated(3.0, 10.0));
/// assert_eq!(autodiff(Forward, &product {}, AsDuplicated, both), (23.0,));
/// let one = (BatchDuplicated(2.0, [1.0, -1.0]), Const(3.0));
/// assert_eq!(autodiff(Forward, &product {}, AsDuplicated, one), ([3.0, -3.0],));
/// ```
#[diagnostic::on_unimplemented(
    message = "no forward rule for `{Self}` with return `{R}` and arguments `{A}`",
    label = "missing forward rule",
    note = "write `impl ForwardRule<{R}, {A}> for {Self}`, or one rule that is generic over the activities, \
            or mark the function `#[differentiable]` or `#[inactive]`"
)]
pub trait ForwardRule<R: ForwardReturn<W>, A: Args<W>, const W: usize = 1> {
    /// Runs the primal and its tangents.
    fn forward(&self, config: &ForwardConfig, args: A::Refs<'_>) -> ForwardOutcome<R, W>;
}

/// The derivative of a function in reverse mode, for one combination of activities or a family of them.
///
/// `R` is the return activity, `A` the tuple of annotated arguments, `W` the width.
///
/// `reverse` does not fail: whatever it needs from the world (device memory, a workspace) is reserved by
/// `augmented_primal`, whose failure is the function's own `Err`.
///
/// ```
/// use coenzyme::{
///     Active, AsActive, Augmented, Const, Lanes, Reverse, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule,
///     autodiff, primitive,
/// };
///
/// /// `a·b`.
/// #[primitive]
/// fn product(a: f64, b: f64) -> f64 {
///     a * b
/// }
///
/// impl<R, A, B, const W: usize> ReverseRule<R, (A, B), W> for product
/// where
///     R: ReverseReturn<W, Out = f64>,
///     A: ReverseArg<f64, W>,
///     B: ReverseArg<f64, W>,
/// {
///     type Tape = ();
///
///     fn augmented_primal(&self, config: &ReverseConfig, (a, b): (&mut A, &mut B)) -> Augmented<R, (), W> {
///         R::augmented(config, product(*a.primal(), *b.primal()), ())
///     }
///
///     fn reverse(
///         &self,
///         _: &ReverseConfig,
///         dret: R::Cotangent,
///         _: (),
///         (a, b): (&mut A, &mut B),
///     ) -> (A::Gradient, B::Gradient) {
///         let dret = |lane| dret.lane(lane).copied().unwrap_or(0.0);
///         let da = a.accumulate(|lane, _, mut da| da += dret(lane) * b.primal());
///         let db = b.accumulate(|lane, _, mut db| db += dret(lane) * a.primal());
///         (da, db)
///     }
/// }
///
/// let both = (Active(2.0), Active(3.0));
/// assert_eq!(autodiff(Reverse, &product {}, AsActive, both), ((3.0, 2.0),));
/// let one = (Active(2.0), Const(3.0));
/// assert_eq!(autodiff(Reverse, &product {}, AsActive, one), ((3.0, ()),));
/// ```
///
/// An argument that is memory, an overwritten output and a tape: see the tests of the tutorial's function,
/// `tests/tutorial_rules.rs`.
#[diagnostic::on_unimplemented(
    message = "no reverse rule for `{Self}` with return `{R}` and arguments `{A}`",
    label = "missing reverse rule",
    note = "write `impl ReverseRule<{R}, {A}> for {Self}`, or one rule that is generic over the activities, \
            or mark the function `#[differentiable]` or `#[inactive]`"
)]
pub trait ReverseRule<R: ReverseReturn<W>, A: Args<W>, const W: usize = 1> {
    /// What the first half leaves for the second. It belongs to one call, is used once, and owns what it holds.
    type Tape: Send + 'static;

    /// Runs the primal with all its mutations. Touches no shadow of an argument. Returns the primal value if
    /// `config.needs_primal()`, the shadow of a returned array, and the tape.
    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        args: A::Refs<'_>,
    ) -> AugmentedOutcome<R, Self::Tape, W>;

    /// Accumulates the cotangents of the arguments: those of memory into the shadows, those of values into the result.
    /// `dret` is the cotangent of the returned value in each lane. Changes no primal.
    fn reverse(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        args: A::Refs<'_>,
    ) -> A::Gradients;

    /// As [`augmented_primal`](Self::augmented_primal), for generated code: what it leaves goes to the tape of the caller. On an
    /// error nothing does.
    #[doc(hidden)]
    #[inline]
    fn augmented_onto(
        &self,
        config: &ReverseConfig,
        tape: &mut crate::Tape,
        args: A::Refs<'_>,
    ) -> AugmentedOutcome<R, (), W> {
        R::Out::map_of(self.augmented_primal(config, args), |returned| {
            tape.push(returned.tape);
            AugmentedReturn::new(returned.primal, returned.shadow, ())
        })
    }

    /// As [`reverse`](Self::reverse), after [`augmented_onto`](Self::augmented_onto).
    #[doc(hidden)]
    #[inline]
    fn reverse_from(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        tape: &mut crate::Tape,
        args: A::Refs<'_>,
    ) -> A::Gradients {
        let own = tape.pop();
        self.reverse(config, dret, own, args)
    }

    /// Both halves, for a driver that knows the cotangent before the value: the gradients, and the value if the configuration asks for
    /// it, as `VALUE` does. A generated rule has its tape in one place for both, and adds up a sum while it runs backwards.
    #[doc(hidden)]
    #[inline]
    #[allow(clippy::type_complexity)]
    fn both<const VALUE: bool>(
        &self,
        config: &ReverseConfig,
        dret: R::Cotangent,
        args: &mut A,
    ) -> <R::Out as Outcome>::Of<(A::Gradients, Option<<R::Out as Outcome>::Value>)>
    where
        Self: Sized,
    {
        let augmented = self.augmented_primal(config, args.refs());
        R::Out::map_of(augmented, |AugmentedReturn { primal, tape, .. }| {
            (self.reverse(config, dret, tape, args.refs()), primal)
        })
    }

    /// The operations of a call, if it has no effects and may be run again instead of keeping what it returned.
    #[doc(hidden)]
    #[inline]
    fn call_cost(&self) -> u32 {
        u32::MAX
    }
}
