//! The one form in which the rules of a method are called where only its trait is known.

use std::marker::PhantomData;

use crate::activity::{Active, Activity, BatchDuplicated, Const, DynArg};
use crate::rule::{Args, ForwardReturn, Outcome, ReverseReturn};

/// A parameter by value.
#[derive(Debug)]
pub struct By<X: ?Sized>(PhantomData<X>);

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
pub struct Gives<O: ?Sized>(PhantomData<O>);

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
