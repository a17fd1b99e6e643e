//! Methods of a type parameter: which rule `k.eval(r)` has where all that is known is `K: Kernel`.
//!
//! A trait has one method and its implementations have a rule each. `#[differentiable]` on an implementation writes down, for its
//! type, which methods it has and the marker of each ([`Methods`]); on the trait, it asks that every implementation did so
//! ([`MethodOf`]). A bound cannot say "rules for all activities", so these are called in one form: by value what is passed
//! by value, memory with shadows or without ([`DynArg`]).

use std::marker::PhantomData;

use crate::activity::{Active, Activity, BatchDuplicated, Const, DynArg};
use crate::config::{ForwardConfig, ReverseConfig};
use crate::rule::{
    Args, AugmentedOutcome, AugmentedReturn, ForwardOutcome, ForwardReturn, ForwardRule, Function, Outcome,
    ReverseReturn, ReverseRule,
};
use crate::tangent::{ByValue, HoldsMut, Tangent};
use crate::tape::Tape;

/// A parameter by value.
#[derive(Debug)]
pub struct By<X>(PhantomData<X>);

/// A parameter by shared reference.
#[derive(Debug)]
pub struct Shared<X: ?Sized>(PhantomData<X>);

/// A parameter by exclusive reference.
#[derive(Debug)]
pub struct Exclusive<X: ?Sized>(PhantomData<X>);

/// `self`: its type has no name here, since `dyn Trait` is no type if a bound of the trait names it.
#[derive(Debug)]
pub struct BySelf;

/// `&self`.
#[derive(Debug)]
pub struct SharedSelf;

/// `&mut self`.
#[derive(Debug)]
pub struct ExclusiveSelf;

/// A parameter of a method of `T`, in the form in which its rules are called.
pub trait Passed<T> {
    /// The argument in forward mode, with references to primals and to shadows.
    type Forward<'p, 's, const W: usize>: Activity<W>
    where
        T: 'p + 's;
    /// The argument in reverse mode.
    type Reverse<'p, 's, const W: usize>: Activity<W>
    where
        T: 'p + 's;
}

macro_rules! passed {
    ($([$($generics:tt)*] $as:ty: $forward:ty, $reverse:ty;)*) => {$(
        impl<$($generics)*> Passed<T> for $as {
            type Forward<'p, 's, const W: usize>
                = $forward
            where
                T: 'p + 's;
            type Reverse<'p, 's, const W: usize>
                = $reverse
            where
                T: 'p + 's;
        }
    )*};
}

passed! {
    [T, X] By<X>: BatchDuplicated<X, X, W>, Active<X>;
    [T, X: ?Sized + 'static] Shared<X>: DynArg<&'p X, &'s X, W>, DynArg<&'p X, &'s mut X, W>;
    [T, X: ?Sized + 'static] Exclusive<X>: DynArg<&'p mut X, &'s mut X, W>, DynArg<&'p mut X, &'s mut X, W>;
    [T] BySelf: BatchDuplicated<T, T, W>, Active<T>;
    [T] SharedSelf: DynArg<&'p T, &'s T, W>, DynArg<&'p T, &'s mut T, W>;
    [T] ExclusiveSelf: DynArg<&'p mut T, &'s mut T, W>, DynArg<&'p mut T, &'s mut T, W>;
}

/// The parameters of a method of `T`, with its receiver.
pub trait Parameters<T> {
    /// The arguments in forward mode.
    type Forward<'p, 's, const W: usize>: Args<W>
    where
        T: 'p + 's;
    /// The arguments in reverse mode.
    type Reverse<'p, 's, const W: usize>: Args<W>
    where
        T: 'p + 's;
}

macro_rules! parameters {
    ($(($($a:ident)*))*) => {$(
        impl<T, $($a: Passed<T>),*> Parameters<T> for ($($a,)*) {
            type Forward<'p, 's, const W: usize>
                = ($($a::Forward<'p, 's, W>,)*)
            where
                T: 'p + 's;
            type Reverse<'p, 's, const W: usize>
                = ($($a::Reverse<'p, 's, W>,)*)
            where
                T: 'p + 's;
        }
    )*};
}

parameters! {
    (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H)
}

/// What a method returns: a value.
#[derive(Debug)]
pub struct Gives<O>(PhantomData<O>);

/// What a method returns: `()`.
#[derive(Debug)]
pub struct Nothing;

/// What a method returns, in the form in which its rules are called.
pub trait Returned {
    /// The return in forward mode.
    type Forward<const W: usize>: ForwardReturn<W>;
    /// The return in reverse mode.
    type Reverse<const W: usize>: ReverseReturn<W>;
}

impl<O: Outcome> Returned for Gives<O> {
    type Forward<const W: usize> = BatchDuplicated<O, O, W>;
    type Reverse<const W: usize> = Active<O>;
}

impl Returned for Nothing {
    type Forward<const W: usize> = Const<()>;
    type Reverse<const W: usize> = Const<()>;
}

/// The arguments of a forward rule.
pub type ForwardRefs<'a, 'p, 's, T, A, const W: usize> =
    <<A as Parameters<T>>::Forward<'p, 's, W> as Args<W>>::Refs<'a>;
/// The arguments of a reverse rule.
pub type ReverseRefs<'a, 'p, 's, T, A, const W: usize> =
    <<A as Parameters<T>>::Reverse<'p, 's, W> as Args<W>>::Refs<'a>;
/// What a reverse rule gives for the arguments.
pub type Gradients<'p, 's, T, A, const W: usize> =
    <<A as Parameters<T>>::Reverse<'p, 's, W> as Args<W>>::Gradients;
/// The cotangent of what a method returns.
pub type CotangentOf<O, const W: usize> =
    <<O as Returned>::Reverse<W> as ReverseReturn<W>>::Cotangent;

/// The rule of a method with these parameters, of `T`: what the marker of every method of a trait has.
pub trait MethodRule<T, A: Parameters<T>, O: Returned> {
    /// Forward mode.
    fn forward<'p, 's, const W: usize>(
        config: &ForwardConfig,
        args: ForwardRefs<'_, 'p, 's, T, A, W>,
    ) -> ForwardOutcome<O::Forward<W>, W>
    where
        T: 'p + 's;

    /// The first half of reverse mode.
    fn augmented<'p, 's, const W: usize>(
        config: &ReverseConfig,
        tape: &mut Tape,
        args: ReverseRefs<'_, 'p, 's, T, A, W>,
    ) -> AugmentedOutcome<O::Reverse<W>, (), W>
    where
        T: 'p + 's;

    /// The second half.
    fn reverse<'p, 's, const W: usize>(
        config: &ReverseConfig,
        dret: CotangentOf<O, W>,
        tape: &mut Tape,
        args: ReverseRefs<'_, 'p, 's, T, A, W>,
    ) -> Gradients<'p, 's, T, A, W>
    where
        T: 'p + 's;
}

/// A type that implements a trait with `#[differentiable]` on the implementation. `TRAIT` stands for the
/// trait's name and the types that follow it.
pub trait Methods<const TRAIT: u64> {
    /// The methods that the implementation has: [`Entry`] after [`Entry`], and `()`.
    type Table;
}

/// A method's name, its marker, and the rest of the table.
#[derive(Debug)]
pub struct Entry<Name, Marker, Rest>(PhantomData<(Name, Marker, Rest)>);

/// What stands in a table for a method without rules.
#[derive(Debug)]
pub struct WithoutRules;

/// A digit of a name: names are compared as types.
#[derive(Debug)]
pub struct Zero;
/// A digit of a name.
#[derive(Debug)]
pub struct One;

/// Whether two names are the same.
pub trait Same<Name> {
    /// `Yes` if they are, otherwise `No`.
    type Or<Yes, No>;
}

impl Same<()> for () {
    type Or<Yes, No> = Yes;
}

macro_rules! digits {
    ($($a:ident $b:ident: [$($bound:tt)*] $then:ty;)*) => {$(
        impl<A $($bound)*, B> Same<($b, B)> for ($a, A) {
            type Or<Yes, No> = $then;
        }
    )*};
}

digits! {
    Zero Zero: [: Same<B>] A::Or<Yes, No>;
    One One: [: Same<B>] A::Or<Yes, No>;
    Zero One: [] No;
    One Zero: [] No;
}

/// The marker of a method in a table, or `Default` if the table has no such method.
pub trait Find<Name, Default> {
    /// The marker.
    type Marker;
}

impl<Name, Default> Find<Name, Default> for () {
    type Marker = Default;
}

impl<Name, Default, N, M, Rest> Find<Name, Default> for Entry<N, M, Rest>
where
    N: Same<Name>,
    Rest: Find<Name, Default>,
{
    type Marker = N::Or<M, Rest::Marker>;
}

/// A type whose implementation of a trait gives rules to a method of the trait. `Default` is the marker of the body in the trait.
#[diagnostic::on_unimplemented(
    message = "the methods of `{Self}` have no rules, and those of a `#[differentiable]` trait must",
    label = "write `#[differentiable]` before this implementation",
    note = "the signatures must say the same types as those in the trait"
)]
pub trait MethodOf<const TRAIT: u64, Name, A, O, Default> {
    /// The marker of the method.
    type Rule: MethodRule<Self, A, O>
    where
        Self: Sized,
        A: Parameters<Self>,
        O: Returned;
}

impl<const TRAIT: u64, T, Name, A, O, Default> MethodOf<TRAIT, Name, A, O, Default> for T
where
    T: Methods<TRAIT, Table: Find<Name, Default>>,
    A: Parameters<T>,
    O: Returned,
    MarkerOf<T, TRAIT, Name, Default>: MethodRule<T, A, O>,
{
    type Rule = MarkerOf<T, TRAIT, Name, Default>;
}

/// The marker of a method of `T`.
pub type MarkerOf<T, const TRAIT: u64, Name, Default> =
    <<T as Methods<TRAIT>>::Table as Find<Name, Default>>::Marker;

/// `T: Valued<'a>` for any `'a` is a value with a tangent of its own type. A bound that names a lifetime may be wrong: then what it stands
/// at does not exist.
pub trait Valued<'a>: Tangent<Owned = Self> + ByValue + HoldsMut<Self> {}
impl<T: Tangent<Owned = T> + ByValue + HoldsMut<T>> Valued<'_> for T {}

/// `T: Returnable<'a>`: as [`Valued`], of what is returned.
pub trait Returnable<'a>: Outcome {}
impl<T: Outcome> Returnable<'_> for T {}

/// A function whose last argument is given by its type: the rules of a method of a type parameter are those of a function which is
/// told what to call.
#[derive(Debug)]
pub struct Given<F, C>(PhantomData<fn() -> (F, C)>);

impl<F, C> Default for Given<F, C> {
    #[inline(always)]
    fn default() -> Self {
        Self(PhantomData)
    }
}

/// The first half of a call on a tape of its own.
#[inline(always)]
pub fn on_own_tape<R: ReverseReturn<W>, const W: usize>(
    call: impl FnOnce(&mut Tape) -> AugmentedOutcome<R, (), W>,
) -> AugmentedOutcome<R, Tape, W> {
    let mut tape = Tape::new();
    R::Out::map_of(call(&mut tape), |a| {
        AugmentedReturn::new(a.primal, a.shadow, tape)
    })
}

macro_rules! given {
    ($(($($a:ident $x:ident)*))*) => {$(
        impl<F: Default, C: Default, $($a,)*> Function<($($a,)*)> for Given<F, C>
        where
            F: Function<($($a,)* C,)>,
        {
            type Output = F::Output;

            #[inline]
            fn call(&self, ($($x,)*): ($($a,)*)) -> F::Output {
                F::default().call(($($x,)* C::default(),))
            }
        }

        impl<R, F: Default, C: Default, $($a,)* const W: usize> ForwardRule<R, ($($a,)*), W> for Given<F, C>
        where
            R: ForwardReturn<W>,
            $($a: Activity<W>,)*
            F: ForwardRule<R, ($($a,)* Const<C>,), W>,
        {
            #[inline]
            fn forward(&self, config: &ForwardConfig, ($($x,)*): ($(&mut $a,)*)) -> ForwardOutcome<R, W> {
                F::default().forward(config, ($($x,)* &mut Const(C::default()),))
            }
        }

        impl<R, F: Default, C: Default, $($a,)* const W: usize> ReverseRule<R, ($($a,)*), W> for Given<F, C>
        where
            R: ReverseReturn<W>,
            $($a: Activity<W>,)*
            F: ReverseRule<R, ($($a,)* Const<C>,), W>,
        {
            type Tape = F::Tape;

            #[inline]
            fn augmented_primal(&self, config: &ReverseConfig, ($($x,)*): ($(&mut $a,)*)) -> AugmentedOutcome<R, F::Tape, W> {
                F::default().augmented_primal(config, ($($x,)* &mut Const(C::default()),))
            }

            #[inline]
            fn reverse(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: F::Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> <($($a,)*) as Args<W>>::Gradients {
                let ($($x,)* _) = F::default().reverse(config, dret, tape, ($($x,)* &mut Const(C::default()),));
                ($($x,)*)
            }

            #[inline]
            fn augmented_onto(
                &self,
                config: &ReverseConfig,
                tape: &mut Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> AugmentedOutcome<R, (), W> {
                F::default().augmented_onto(config, tape, ($($x,)* &mut Const(C::default()),))
            }

            #[inline]
            fn reverse_from(
                &self,
                config: &ReverseConfig,
                dret: R::Cotangent,
                tape: &mut Tape,
                ($($x,)*): ($(&mut $a,)*),
            ) -> <($($a,)*) as Args<W>>::Gradients {
                let ($($x,)* _) = F::default().reverse_from(config, dret, tape, ($($x,)* &mut Const(C::default()),));
                ($($x,)*)
            }
        }
    )*};
}

given! {
    (A0 x0)
    (A0 x0 A1 x1)
    (A0 x0 A1 x1 A2 x2)
    (A0 x0 A1 x1 A2 x2 A3 x3)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6)
    (A0 x0 A1 x1 A2 x2 A3 x3 A4 x4 A5 x5 A6 x6 A7 x7)
}
