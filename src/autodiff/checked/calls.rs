//! What the driver macros write with the feature `checked`: calls that `COENZYME_CHECKED=1` compares with differences.
//!
//! Whether arguments can be copied, read and moved is a trait, and a driver that is a function cannot ask whether its arguments happen
//! to implement it. A macro can, where the types are known: of the two methods named `way`, lookup finds that of [`MayBeChecked`] if its
//! bounds hold, and one reference further away that of [`IsNotChecked`]. In a generic function nothing is known of a type parameter that is
//! not in its bounds, and the second is found. So the call says aloud that it is not checked.
//!
//! ```text
//! match gradient(&f {}, (x, y)) {
//!     call => (&call).way().run(call),
//! }
//! ```

use std::collections::BTreeSet;
use std::io::Write;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

use super::asked::asked;
use super::modes::Checkable;
use super::reverse::{Watched, check_gradient};
use super::{CalledBy, ProbedArgs, forward, name_of};
use crate::activity::{Active, BatchDuplicatedNoNeed, Join, Known, Resolve};
use crate::autodiff::points::Points;
use crate::autodiff::second::{Finish, Out};
use crate::autodiff::whole::{self, Cotangents, Found, Returned, Watch};
use crate::autodiff::{
    AsDuplicated, Collapse, GradientArgs, Mode, ModeWidth, NaturalReturn, ScalarOutcome,
    returning::Tag,
};
use crate::config::ForwardConfig;
use crate::rule::{Annotated, Args, ForwardRule, Function, Outcome, ReverseReturn, ReverseRule};
use crate::tangent::{Memory, Tangent};

/// A call of a driver.
pub trait Call: Sized {
    /// The function.
    type Function;
    /// What the driver returns.
    type Output;

    /// Runs the driver.
    fn plain(self) -> Self::Output;
}

/// A call that can be compared with differences.
pub trait CheckedCall: Call {
    /// Runs the driver, and compares.
    fn checked(self) -> Self::Output;
}

/// The way of a call that can be checked.
pub struct Asking;

/// The way of a call that cannot.
pub struct Plainly;

/// Finds the way of what can be checked.
pub trait MayBeChecked {
    /// The way.
    fn way(&self) -> Asking {
        Asking
    }
}

/// Finds the way of the rest.
pub trait IsNotChecked {
    /// The way.
    fn way(&self) -> Plainly {
        Plainly
    }
}

impl<C: CheckedCall> MayBeChecked for C {}
impl<C: Call> IsNotChecked for &C {}

impl Asking {
    /// Runs the call, and checks it if the environment asks for it.
    #[inline]
    pub fn run<C: CheckedCall>(self, call: C) -> C::Output {
        match asked() {
            true => call.checked(),
            false => call.plain(),
        }
    }
}

impl Plainly {
    /// Runs the call, and says that it is not checked if the environment asks for it.
    #[inline]
    #[track_caller]
    pub fn run<C: Call>(self, call: C) -> C::Output {
        if asked() {
            say_unchecked(name_of::<C::Function>(), Location::caller());
        }
        call.plain()
    }
}

/// Once for each function and place; past the test harness, which would keep it to itself.
fn say_unchecked(function: &'static str, place: &'static Location<'static>) {
    static SAID: Mutex<BTreeSet<(&str, &Location<'_>)>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if said.insert((function, place)) {
        let text = format!(
            "coenzyme: the derivative of `{function}` at {place} is not checked: an argument cannot be copied, is not known to be in a generic function, or has no type yet (`let x: f64 = 0.5;`)\n"
        );
        // that nobody reads it is no reason to stop
        let _ = std::io::stderr().write_all(text.as_bytes());
    }
}

/// A call of [`autodiff`](crate::autodiff()).
pub struct Autodiff<'f, M, F, K, A, const W: usize> {
    mode: M,
    f: &'f F,
    returns: K,
    args: A,
}

/// `autodiff!`, put off.
#[inline]
pub fn autodiff<M, F, K, A, C, O, const W: usize>(
    mode: M,
    f: &F,
    returns: K,
    args: A,
) -> Autodiff<'_, M, F, K, C, W>
where
    A: Annotated,
    M: ModeWidth,
    A::Width: Join<M::Width>,
    <A::Width as Join<M::Width>>::Joined: Resolve<W>,
    F: Function<A::Primals>,
    F::Output: Known<A::Checked, Known = C>,
    M: Mode<F, K, C, W, Output = O>,
{
    Autodiff {
        mode,
        f,
        returns,
        args: F::Output::known(args.checked()),
    }
}

impl<M: Mode<F, K, A, W>, F, K, A, const W: usize> Call for Autodiff<'_, M, F, K, A, W> {
    type Function = F;
    type Output = M::Output;

    #[inline]
    fn plain(self) -> M::Output {
        self.mode.run(self.f, self.returns, self.args)
    }
}

impl<M, F, K, A, const W: usize> CheckedCall for Autodiff<'_, M, F, K, A, W>
where
    M: Mode<F, K, A, W> + Checkable,
    M::Form: Mode<F, K, A, W, Output = M::Output>,
{
    fn checked(self) -> M::Output {
        self.mode.form().run(self.f, self.returns, self.args)
    }
}

/// A call of [`gradient`](crate::gradient()), or of a driver of second derivatives, with which that begins.
pub struct Gradient<'f, F, X, L> {
    f: &'f F,
    args: X,
    finish: L,
}

impl<F, X, L> Call for Gradient<'_, F, X, L>
where
    X: GradientArgs,
    L: Finish<X::Gradients>,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<Active<Out<F, X>>, X::Handles, 1>,
{
    type Function = F;
    type Output = <Out<F, X> as Outcome>::Of<L::Output>;

    #[inline]
    fn plain(self) -> Self::Output {
        let gradients = crate::gradient(self.f, self.args);
        Out::<F, X>::map_of(gradients, |gradients| self.finish.finish(gradients))
    }
}

impl<F, X, L> CheckedCall for Gradient<'_, F, X, L>
where
    X: GradientArgs,
    L: Finish<X::Gradients>,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<Active<Out<F, X>>, X::Handles, 1>,
    X::Handles: CalledBy<F, Out<F, X>, 1>,
{
    fn checked(self) -> Self::Output {
        let gradients = check_gradient(self.f, self.args);
        Out::<F, X>::map_of(gradients, |gradients| self.finish.finish(gradients))
    }
}

/// Gradients as they are.
pub struct Whole;

impl<G> Finish<G> for Whole {
    type Output = G;

    #[inline]
    fn finish(self, gradients: G) -> G {
        gradients
    }
}

/// `gradient!`, put off.
#[inline]
pub fn gradient<F, X>(f: &F, args: X) -> Gradient<'_, F, X, Whole>
where
    X: GradientArgs,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<Active<Out<F, X>>, X::Handles, 1>,
{
    finished(f, args, Whole)
}

/// `hvp!`, or a row of `hessian!`, put off.
#[inline]
pub fn finished<F, X, L>(f: &F, args: X, finish: L) -> Gradient<'_, F, X, L>
where
    X: GradientArgs,
    L: Finish<X::Gradients>,
    F: Function<<X::Handles as Annotated>::Primals, Output: ScalarOutcome>,
    F: ReverseRule<Active<Out<F, X>>, X::Handles, 1>,
{
    Gradient { f, args, finish }
}

/// A call of `jvp`.
pub struct Jvp<'f, F, A> {
    f: &'f F,
    args: A,
}

/// `jvp!`, put off.
#[inline]
pub fn jvp<F, A, Out>(f: &F, args: A) -> Jvp<'_, F, A>
where
    A: Args<1> + Annotated,
    F: Function<A::Primals, Output = Out>,
    Out: Outcome,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, 1>, A, 1>,
{
    Jvp { f, args }
}

impl<F, A, Out> Call for Jvp<'_, F, A>
where
    A: Args<1> + Annotated,
    F: Function<A::Primals, Output = Out>,
    Out: Outcome,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, 1>, A, 1>,
{
    type Function = F;
    type Output = Out::Of<Out::Value>;

    #[inline]
    fn plain(self) -> Self::Output {
        whole::jvp(self.f, self.args)
    }
}

impl<F, A, Out> CheckedCall for Jvp<'_, F, A>
where
    A: CalledBy<F, Out, 1> + Annotated,
    F: Function<A::Primals, Output = Out>,
    Out: Outcome,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, 1>, A, 1>,
{
    fn checked(mut self) -> Self::Output {
        let config = ForwardConfig::new(false);
        let tangents =
            forward::checked::<F, AsDuplicated, A, Out, false, 1>(self.f, &config, &mut self.args);
        Out::map_of(tangents, |[tangent]: [Out::Value; 1]| tangent)
    }
}

/// A call of `vjp`.
pub struct Vjp<'a, F, P, S> {
    f: &'a F,
    points: &'a mut P,
    seed: S,
}

/// `vjp!`, put off.
#[inline]
pub fn vjp<'a, F, P, S, Out>(f: &'a F, points: &'a mut P, seed: S) -> Vjp<'a, F, P, S>
where
    P: Points,
    S: Memory,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, 1>>>,
    Returned<Out, 1>: ReverseReturn<1, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, 1>, P::Reverse<'a, 1>, 1>,
{
    Vjp { f, points, seed }
}

impl<'a, F, P, S, Out> Call for Vjp<'a, F, P, S>
where
    P: Points,
    S: Memory,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, 1>>>,
    Returned<Out, 1>: ReverseReturn<1, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, 1>, P::Reverse<'a, 1>, 1>,
{
    type Function = F;
    type Output = Out::Of<P::Gradients>;

    #[inline]
    fn plain(self) -> Self::Output {
        whole::vjp(self.f, self.points, self.seed)
    }
}

impl<'a, F, P, S, Out> CheckedCall for Vjp<'a, F, P, S>
where
    P: Points,
    S: Memory,
    P::Reverse<'a, 1>: CalledBy<F, Out, 1>,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, 1>>>,
    Returned<Out, 1>: ReverseReturn<1, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, 1>, P::Reverse<'a, 1>, 1>,
{
    fn checked(self) -> Self::Output {
        let (f, seed) = (self.f, [self.seed.memory().to_flat()]);
        let watch = |args: &P::Reverse<'a, 1>| Watching::begin(f, args);
        whole::pass(f, self.points, true, &seed, watch, P::gradients)
    }
}

/// A pass of `jacobian!` forwards.
pub struct ForwardPass<'f, 'a, 's, F, P, const W: usize> {
    f: &'f F,
    points: &'a mut P,
    seeds: &'s Found<W>,
}

/// A pass forwards, put off.
pub fn forward<'f, 'a, 's, F, P, Out, const W: usize>(
    f: &'f F,
    points: &'a mut P,
    seeds: &'s Found<W>,
) -> ForwardPass<'f, 'a, 's, F, P, W>
where
    P: Points,
    Out: Outcome,
    F: Function<P::Plain<'a>, Output = Out>,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, W>, P::Forward<'a, W>, W>,
{
    ForwardPass { f, points, seeds }
}

impl<'a, F, P, Out, const W: usize> Call for ForwardPass<'_, 'a, '_, F, P, W>
where
    P: Points,
    Out: Outcome,
    F: Function<P::Plain<'a>, Output = Out>,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, W>, P::Forward<'a, W>, W>,
{
    type Function = F;
    type Output = Out::Of<Found<W>>;

    fn plain(self) -> Self::Output {
        whole::forward(self.f, self.points, self.seeds)
    }
}

impl<'a, F, P, Out, const W: usize> CheckedCall for ForwardPass<'_, 'a, '_, F, P, W>
where
    P: Points,
    Out: Outcome,
    P::Forward<'a, W>: CalledBy<F, Out, W>,
    [Out::Value; W]: Collapse,
    F: Function<P::Plain<'a>, Output = Out>,
    F: ForwardRule<BatchDuplicatedNoNeed<Out, Out, W>, P::Forward<'a, W>, W>,
{
    fn checked(self) -> Self::Output {
        let mut handles = whole::along(self.points, self.seeds);
        let tangents = forward::checked::<F, AsDuplicated, P::Forward<'a, W>, Out, false, W>(
            self.f,
            &ForwardConfig::new(false),
            &mut handles,
        );
        Out::map_of(tangents, |tangents| {
            whole::columns::<P, _, W>(tangents, &handles)
        })
    }
}

/// A pass of `jacobian!` backwards.
pub struct ReversePass<'f, 'a, 's, F, P, const W: usize> {
    f: &'f F,
    points: &'a mut P,
    seeds: &'s Found<W>,
}

/// A pass backwards, put off.
pub fn reverse<'f, 'a, 's, F, P, Out, const W: usize>(
    f: &'f F,
    points: &'a mut P,
    seeds: &'s Found<W>,
) -> ReversePass<'f, 'a, 's, F, P, W>
where
    P: Points,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, W>>>,
    Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, W>, P::Reverse<'a, W>, W>,
{
    ReversePass { f, points, seeds }
}

impl<'a, F, P, Out, const W: usize> Call for ReversePass<'_, 'a, '_, F, P, W>
where
    P: Points,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, W>>>,
    Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, W>, P::Reverse<'a, W>, W>,
{
    type Function = F;
    type Output = Out::Of<Found<W>>;

    fn plain(self) -> Self::Output {
        whole::reverse(self.f, self.points, self.seeds)
    }
}

impl<'a, F, P, Out, const W: usize> CheckedCall for ReversePass<'_, 'a, '_, F, P, W>
where
    P: Points,
    P::Reverse<'a, W>: CalledBy<F, Out, W>,
    F: Function<P::Plain<'a>, Output = Out>,
    Out: Outcome<Value: NaturalReturn<Reverse: Tag<Out, W>>>,
    Returned<Out, W>: ReverseReturn<W, Out = Out, Cotangent: Cotangents<Out::Value>>,
    F: ReverseRule<Returned<Out, W>, P::Reverse<'a, W>, W>,
{
    fn checked(self) -> Self::Output {
        let watch = |args: &P::Reverse<'a, W>| Watching::begin(self.f, args);
        whole::pass(
            self.f,
            self.points,
            false,
            self.seeds,
            watch,
            whole::rows::<P, W>,
        )
    }
}

/// The check of a reverse pass, while it runs.
struct Watching<'f, F, A: ProbedArgs<W>, Out, const W: usize> {
    f: &'f F,
    watched: Watched<A, W>,
    returns: PhantomData<fn() -> Out>,
}

impl<'f, F, A: ProbedArgs<W>, Out, const W: usize> Watching<'f, F, A, Out, W> {
    fn begin(f: &'f F, args: &A) -> Self {
        Watching {
            f,
            watched: Watched::begin(args),
            returns: PhantomData,
        }
    }
}

impl<F, A, Out, const W: usize> Watch<A, W> for Watching<'_, F, A, Out, W>
where
    A: CalledBy<F, Out, W>,
    Out: Outcome,
{
    fn seeded(&mut self, args: &A, seeds: &Found<W>, returned: usize) {
        let seeds = seeds.each_ref().map(|seed| seed[..returned].to_vec());
        self.watched.seeded(args, seeds);
    }

    fn done(self, args: &A, gradients: &A::Gradients) {
        self.watched.require(self.f, args, gradients);
    }
}
