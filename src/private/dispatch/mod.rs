//! Methods of a type parameter: which rule `k.eval(r)` has where all that is known is `K: Kernel`.
//!
//! A trait has one method and its implementations have a rule each. `#[differentiable]` on an implementation writes down, for its
//! type, which methods it has and the marker of each ([`Methods`]); on the trait, it asks that every implementation did so
//! ([`MethodOf`]). A bound cannot say "rules for all activities", so these are called in one form: by value what is passed
//! by value, memory with shadows or without ([`DynArg`](crate::DynArg)).

mod form;
mod names;
mod skipped;

use std::marker::PhantomData;

use super::bound::{Bound, OfType};
use super::copies::Copies;
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{AugmentedOutcome, AugmentedReturn, ForwardOutcome, Outcome, ReverseReturn};
use crate::tangent::{ByValue, HoldsMut, Tangent};
use crate::tape::Tape;

pub use form::*;
pub use names::*;
pub use skipped::Skipped;

/// A function whose last argument is given by its type: the rules of a method of a type parameter are those of a function which is
/// told what to call.
pub type Given<F, C> = Bound<F, OfType<C>>;

/// The first half of a call on a tape of its own.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn on_own_tape<R: ReverseReturn<W>, const W: usize>(
    call: impl FnOnce(&mut Tape) -> AugmentedOutcome<R, (), W>,
) -> AugmentedOutcome<R, Tape, W> {
    let mut tape = Tape::new();
    R::Out::map_of(call(&mut tape), |a| {
        AugmentedReturn::new(a.primal, a.shadow, tape)
    })
}

/// The rule of a method with these parameters, of `T`: what the marker of every method of a trait has.
#[diagnostic::on_unimplemented(
    message = "a method of `{T}` has no rule, and that of a `#[differentiable]` trait must: `{Self}` is none for `{A}` and `{O}`",
    label = "an implementation of a `#[differentiable]` trait",
    note = "write the types of the trait in the method's signature"
)]
pub trait MethodRule<T, A, O> {
    /// The name of the method's type, with that of its trait.
    fn method() -> &'static str;

    /// Forward mode.
    fn forward<'p, 's, const W: usize>(
        config: &ForwardConfig,
        args: ForwardRefs<'_, 'p, 's, T, A, W>,
    ) -> ForwardOutcome<O::Forward<W>, W>
    where
        T: 'p + 's,
        A: Parameters<T>,
        O: Returned;

    /// The first half of reverse mode.
    fn augmented<'p, 's, const W: usize>(
        config: &ReverseConfig,
        tape: &mut Tape,
        args: ReverseRefs<'_, 'p, 's, T, A, W>,
    ) -> AugmentedOutcome<O::Reverse<W>, (), W>
    where
        T: 'p + 's,
        A: Parameters<T>,
        O: Returned;

    /// The second half.
    fn reverse<'p, 's, const W: usize>(
        config: &ReverseConfig,
        dret: CotangentOf<O, W>,
        tape: &mut Tape,
        args: ReverseRefs<'_, 'p, 's, T, A, W>,
    ) -> Gradients<'p, 's, T, A, W>
    where
        T: 'p + 's,
        A: Parameters<T>,
        O: Returned;
}

/// A type that implements a trait with `#[differentiable]` on the implementation. `TRAIT` stands for the
/// trait's name, `G` for the types that follow it, `Here` for the crate of the trait, if the type is another crate's.
pub trait Methods<const TRAIT: u64, G, Here> {
    /// The methods that the implementation has: [`Entry`] after [`Entry`], and `()`.
    type Table;
}

/// A method's name, its marker, and the rest of the table.
#[derive(Debug)]
pub struct Entry<Name, Marker, Rest>(PhantomData<(Name, Marker, Rest)>);

/// What stands in a table for a method without rules.
#[derive(Debug)]
pub struct WithoutRules;

/// A type whose implementation of a trait gives rules to a method of the trait. `Default` is the marker of the body in the trait.
#[diagnostic::on_unimplemented(
    message = "the methods of `{Self}` have no rules, and those of a `#[differentiable]` trait must",
    label = "write `#[differentiable]` before this implementation",
    note = "the signatures must say the same types as those in the trait"
)]
pub trait MethodOf<const TRAIT: u64, G, Name, A, O, Default, Here> {
    /// The marker of the method.
    type Rule: MethodRule<Self, A, O>
    where
        Self: Sized;
}

impl<const TRAIT: u64, G, T, Name, A, O, Default, Here>
    MethodOf<TRAIT, G, Name, A, O, Default, Here> for T
where
    T: Methods<TRAIT, G, Here, Table: Find<Name, Default>>,
    MarkerOf<T, TRAIT, G, Name, Default, Here>: MethodRule<T, A, O>,
{
    type Rule = MarkerOf<T, TRAIT, G, Name, Default, Here>;
}

/// The marker of a method of `T`.
pub type MarkerOf<T, const TRAIT: u64, G, Name, Default, Here> =
    <<T as Methods<TRAIT, G, Here>>::Table as Find<Name, Default>>::Marker;

/// Asks that a rule which was found by names is that of the method: two traits may have one name, and a type may implement both.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn is_of<F>(rule: &'static str, _: &F) {
    assert_eq!(
        rule,
        std::any::type_name::<F>(),
        "the type has rules for another trait of this name: write `#[differentiable]` before its implementation of this one, and rename one of the two"
    );
}

/// `T: Valued<'a>` for any `'a` is a value with a tangent of its own type. A bound that names a lifetime may be wrong: then what it stands
/// at does not exist.
pub trait Valued<'a>: Tangent<Owned = Self> + ByValue + HoldsMut<Self> {}
impl<T: Tangent<Owned = T> + ByValue + HoldsMut<T>> Valued<'_> for T {}

/// `T: Returnable<'a>`: as [`Valued`], of what is returned.
pub trait Returnable<'a>: Outcome {}
impl<T: Outcome> Returnable<'_> for T {}

/// `T: Kept<'a>`: as [`Valued`], of what is passed by value to a function without derivative.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be copied, and a derivative reads it again",
    label = "a value of this type is not `Clone`",
    note = "write `#[derive(Clone)]` on the type, the bound `Clone` on a type parameter, or pass a reference"
)]
pub trait Kept<'a>: Copies {}
#[diagnostic::do_not_recommend]
impl<T: Copies> Kept<'_> for T {}

/// `T: Shadowed<'a>`: as [`Valued`], of what a function without derivative may write.
pub trait Shadowed<'a>: Tangent {}
impl<T: Tangent + ?Sized> Shadowed<'_> for T {}
