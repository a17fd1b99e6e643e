//! How a call finds the marker of the function that its path names: see `macros/src/marker.rs`.

use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, ForwardOutcome, ForwardReturn, ForwardRule, Function, ReverseReturn,
    ReverseRule,
};

/// A marker is made from nothing.
pub trait Named: Sized {
    /// The marker.
    fn __rule() -> Self;
}

impl<M> Named for M
where
    M: Default,
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn __rule() -> M {
        M::default()
    }
}

/// A function that its path names, and that has rules.
#[diagnostic::on_unimplemented(
    message = "this function has no rules",
    label = "called with active values here, and not marked",
    note = "mark it `#[differentiable]`, `#[primitive]` (it has rules of its own) or `#[inactive]` (it has no derivative)",
    note = "a generic function that is marked in a file of its own name, a private module, is found in the module around it, or where that is `pub(crate) mod`"
)]
pub trait HasRules<'a> {}

/// A type whose method of some name has rules, although it has none by that name: there is none.
#[diagnostic::on_unimplemented(
    message = "this method of `{Self}` has no rules",
    label = "called with active values here, and not marked",
    note = "mark the `impl` block (and the trait, if only that is known of the type) `#[differentiable]`, `#[primitive]` (it has rules of its own) or `#[inactive]` (it has no derivative)",
    note = "a method of another crate's type is called by a function of your own that is marked"
)]
pub trait HasMethodRules {}

/// A type whose function of some name has rules, although it has none by that name: there is none.
#[diagnostic::on_unimplemented(
    message = "this function of `{Self}` has no rules",
    label = "called with active values here, and not marked",
    note = "mark its `impl` block `#[differentiable]`, `#[primitive]` (it has rules of its own) or `#[inactive]` (it has no derivative)",
    note = "a function of another crate's type, or one that a macro makes, is called by a function of your own that is marked"
)]
pub trait HasFunctionRules {}

/// A type parameter of which a trait says that a function of some name has rules, although none does: there is none.
#[diagnostic::on_unimplemented(
    message = "this function of `{Self}` has no rules",
    label = "called with active values here, and no trait of the type parameter has rules for it",
    note = "mark the trait and its implementations `#[differentiable]`: a function without `self` that takes and gives numbers, and slices or vectors of them, has rules there",
    note = "take another type by `&self`, and give it in a method"
)]
pub trait HasTraitRules<'a> {}

/// What stands in for the marker of a function that has none.
#[derive(Debug)]
pub struct Unmarked;

impl Unmarked {
    /// The error.
    pub fn __rule() -> Self
    where
        for<'a> Self: HasRules<'a>,
    {
        Self
    }
}

/// A file that has a function of its own name, by the hash of its path.
#[derive(Debug)]
pub struct OwnFile<const FILE: u64>;

/// The marker of that function.
#[diagnostic::on_unimplemented(
    message = "this function has no rules",
    label = "called with active values here, and not marked",
    note = "mark it `#[differentiable]`, `#[primitive]` (it has rules of its own) or `#[inactive]` (it has no derivative)"
)]
pub trait RuleOf<M> {}

impl<const FILE: u64> OwnFile<FILE> {
    /// The marker.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub fn __rule<M: Default>() -> M
    where
        Self: RuleOf<M>,
    {
        M::default()
    }
}

/// A function that is called, and that of a file of its name, which has the rules.
#[diagnostic::on_unimplemented(
    message = "this function has no rules",
    label = "called with active values here, and not marked",
    note = "mark it `#[differentiable]`, `#[primitive]` (it has rules of its own) or `#[inactive]` (it has no derivative)",
    note = "another function of this name, in a file of its own, has rules"
)]
pub trait IsThat<F> {}

#[diagnostic::do_not_recommend]
impl<F> IsThat<F> for F {}

/// Asks that two functions are one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn one_function<F: IsThat<G>, G>(_: super::Functions<F, G>) {}

// one mistake is one error: what is called has rules in name

impl<A> Function<A> for Unmarked {
    type Output = f64;

    fn call(&self, _: A) -> f64 {
        f64::NAN
    }
}

impl<R: ForwardReturn<W>, A: Args<W>, const W: usize> ForwardRule<R, A, W> for Unmarked {
    fn forward(&self, _: &ForwardConfig, _: A::Refs<'_>) -> ForwardOutcome<R, W> {
        unreachable!("a program with an unmarked function does not compile")
    }
}

impl<R: ReverseReturn<W>, A: Args<W>, const W: usize> ReverseRule<R, A, W> for Unmarked {
    type Tape = ();

    fn augmented_primal(&self, _: &ReverseConfig, _: A::Refs<'_>) -> AugmentedOutcome<R, (), W> {
        unreachable!("a program with an unmarked function does not compile")
    }

    fn reverse(&self, _: &ReverseConfig, _: R::Cotangent, (): (), _: A::Refs<'_>) -> A::Gradients {
        unreachable!("a program with an unmarked function does not compile")
    }
}
