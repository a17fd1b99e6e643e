//! The primal, and the shapes it fixes.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use coenzyme::{Function, Outcome, Tangent};

use super::state::{Fault, caught};
use crate::argument::{Access, AllFiner, AnySlots, Passings};

/// In how many ways a view is repeated: by rows, by columns.
const WAYS: usize = 2;

/// A function under test, with the memory of its arguments.
pub(crate) struct Subject<F, Ps: Passings, Out: Outcome> {
    pub(crate) f: Arc<F>,
    /// The memory of the arguments, in each of its layouts. There is at least one.
    pub(super) layouts: Vec<Ps::Slots>,
    /// The memory with every view that is only read as one row repeated, and as one column, if there is such a view; and then the
    /// same of the tangents of these views.
    pub(super) broadcast: Vec<Ps::Slots>,
    zero: OnceLock<Zero>,
    /// How an error is printed, where it can be.
    pub(crate) errors: Option<Errors<Out>>,
    out: PhantomData<fn() -> Out>,
}

/// What an error says.
pub(crate) type Errors<Out> = fn(<Out as Outcome>::Of<()>) -> String;

/// A value of the shape that a function returns, whatever its type.
pub(crate) type Zero = Arc<dyn Any + Send + Sync>;

/// The memory of a call, to be used again at the same addresses.
pub(crate) type Memory = Box<dyn AnySlots>;

/// A function and its memory, whatever their types.
///
/// All judging is done on this, so that it is compiled once, and not again for every function.
pub(crate) trait Callable: Send + Sync {
    /// Calls the function on memory of its own: the floats of what it returns. An error is described.
    fn call(&self, slots: &mut dyn AnySlots) -> Result<Vec<f64>, String>;

    /// The memory in one layout.
    fn memory(&self, layout: usize) -> Memory;

    /// In how many ways the memory can be laid out.
    fn layouts(&self) -> usize;

    /// In how many ways some view can be one row repeated, or one column. These are the layouts past the last, and as many past
    /// those are for its tangents.
    fn broadcasts(&self) -> usize;

    /// Whether some argument is a view, which knows its shape.
    fn has_views(&self) -> bool;

    /// What the function may do with each argument.
    fn access(&self) -> &'static [Access];

    /// A value of the shape that the function returns, if it has returned one.
    fn zero(&self) -> Option<Zero>;

    /// Takes over what another tester of the same function has seen returned.
    fn adopt(&self, zero: Zero);

    /// The same function with memory of another size.
    fn resized(&self, to: &dyn Fn(usize) -> usize) -> Option<Box<dyn Callable + '_>>;

    /// The same with one argument at another size.
    fn stretched(
        &self,
        argument: usize,
        to: &dyn Fn(usize) -> usize,
    ) -> Option<Box<dyn Callable + '_>>;

    /// The same with other integers: of these arguments those of these numbers; and at another size, if `to` says which.
    fn with_others(
        &self,
        others: &[(usize, usize)],
        to: Option<&dyn Fn(usize) -> usize>,
    ) -> Option<Box<dyn Callable + '_>>;
}

/// What a call of the primal left behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Primal {
    /// The floats of the returned value.
    pub(crate) returned: Vec<f64>,
    /// The floats of every argument afterwards.
    pub(crate) arguments: Vec<Vec<f64>>,
}

impl Primal {
    /// Whether all of it is a number.
    pub(crate) fn is_finite(&self) -> bool {
        let mut floats = self.arguments.iter().flatten().chain(&self.returned);
        floats.all(|float| float.is_finite())
    }

    /// Whether some of it is no number.
    pub(crate) fn has_nan(&self) -> bool {
        let mut floats = self.arguments.iter().flatten().chain(&self.returned);
        floats.any(|float| float.is_nan())
    }

    /// The values, if the numbers are dual.
    pub(crate) fn values(&self) -> Primal {
        self.every_second(0)
    }

    /// The tangents, if the numbers are dual.
    pub(crate) fn tangents(&self) -> Primal {
        self.every_second(1)
    }

    fn every_second(&self, first: usize) -> Primal {
        let half = |floats: &Vec<f64>| floats.iter().skip(first).step_by(2).copied().collect();
        Primal {
            returned: half(&self.returned),
            arguments: self.arguments.iter().map(half).collect(),
        }
    }
}

impl<F, Ps: Passings, Out: Outcome> Subject<F, Ps, Out> {
    pub(crate) fn new(f: F, slots: Ps::Slots) -> Self {
        Subject {
            broadcast: {
                let primals = (0..WAYS).map_while(|way| Ps::broadcast(&slots, way));
                let tangents = (0..WAYS).map_while(|way| Ps::broadcast_tangents(&slots, way));
                primals.chain(tangents).collect()
            },
            layouts: Ps::layouts(&slots),
            ..Subject::plain(Arc::new(f), slots)
        }
    }

    /// A function with its memory in one layout only.
    pub(crate) fn plain(f: Arc<F>, slots: Ps::Slots) -> Self {
        Subject {
            f,
            broadcast: Vec::new(),
            layouts: vec![slots],
            zero: OnceLock::new(),
            errors: None,
            out: PhantomData,
        }
    }

    /// What the error says with which a call has ended; nothing if it cannot be printed.
    pub(super) fn error(&self, outcome: Out::Of<()>) -> String {
        self.errors.map_or(String::new(), |print| print(outcome))
    }

    /// The same function of dual numbers.
    pub(crate) fn finer<Wide: Outcome>(&self) -> Subject<F, Ps::Finer, Wide>
    where
        Ps: AllFiner,
    {
        Subject::plain(Arc::clone(&self.f), Ps::finer(&self.layouts[0]))
    }

    /// The memory as the author gave it.
    pub(crate) fn given(&self) -> &dyn AnySlots {
        &self.layouts[0]
    }

    /// What `slots` are, which are memory of this function.
    pub(super) fn slots(slots: &mut dyn AnySlots) -> &mut Ps::Slots {
        let slots: &mut dyn Any = slots;
        slots.downcast_mut().expect("memory of this function")
    }

    /// What `zero` is, which this function has returned.
    pub(super) fn value(zero: &Zero) -> &Out::Value
    where
        Out::Value: 'static,
    {
        let zero = zero.downcast_ref();
        zero.expect("the value returned has one type")
    }

    /// How many floats the function returns, if it has returned some.
    pub(crate) fn returned(&self) -> Option<usize>
    where
        Out::Value: 'static,
    {
        let zero = self.zero.get()?;
        Some(Tangent::to_flat(Self::value(zero)).len())
    }

    /// The same function with other memory.
    fn with(&self, slots: Ps::Slots) -> Self {
        Subject {
            errors: self.errors,
            ..Subject::plain(Arc::clone(&self.f), slots)
        }
    }
}

impl<F, Ps, Out> Callable for Subject<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out> + Send + Sync,
{
    fn call(&self, slots: &mut dyn AnySlots) -> Result<Vec<f64>, String> {
        let out = self.f.call(Ps::primals(Self::slots(slots)));
        let Some(value) = Outcome::value(&out) else {
            return Err(self.error(Outcome::map_value(out, |_| ())));
        };
        // set, and not initialized by a closure, which would be compiled again for every function
        if self.zero.get().is_none() {
            let _ = self.zero.set(Arc::new(Tangent::zero_like(value)));
        }
        Ok(Tangent::to_flat(value))
    }

    fn memory(&self, layout: usize) -> Memory {
        let slots = self.layouts.iter().chain(&self.broadcast).nth(layout);
        slots.expect("a layout of this subject").twin()
    }

    fn layouts(&self) -> usize {
        self.layouts.len()
    }

    fn broadcasts(&self) -> usize {
        self.broadcast.len() / 2
    }

    fn has_views(&self) -> bool {
        Ps::VIEWS
    }

    fn access(&self) -> &'static [Access] {
        Ps::ACCESS
    }

    fn zero(&self) -> Option<Zero> {
        self.zero.get().cloned()
    }

    fn adopt(&self, zero: Zero) {
        let _ = self.zero.set(zero);
    }

    fn resized(&self, to: &dyn Fn(usize) -> usize) -> Option<Box<dyn Callable + '_>> {
        let slots = Ps::resized(&self.layouts[0], to)?;
        Some(Box::new(self.with(slots)))
    }

    fn stretched(
        &self,
        argument: usize,
        to: &dyn Fn(usize) -> usize,
    ) -> Option<Box<dyn Callable + '_>> {
        let slots = Ps::stretched(&self.layouts[0], argument, to)?;
        Some(Box::new(self.with(slots)))
    }

    fn with_others(
        &self,
        others: &[(usize, usize)],
        to: Option<&dyn Fn(usize) -> usize>,
    ) -> Option<Box<dyn Callable + '_>> {
        let mut slots = self.layouts[0].clone();
        for (argument, number) in others {
            slots = Ps::another(&slots, *argument, *number)?;
        }
        if let Some(to) = to {
            slots = Ps::resized(&slots, to)?;
        }
        Some(Box::new(self.with(slots)))
    }
}

impl dyn Callable + '_ {
    /// The floats of each argument as the author gave them.
    pub(crate) fn given(&self) -> Vec<Vec<f64>> {
        self.memory(0).primals()
    }

    /// The shape of each argument.
    pub(crate) fn shapes(&self) -> Vec<Vec<usize>> {
        self.memory(0).shapes()
    }

    /// The pairs of arguments that can be one memory: read-only, of one type and shape.
    pub(crate) fn aliases(&self) -> Vec<(usize, usize)> {
        let mut slots = self.memory(0);
        let mut slots = slots.flat_mut();
        let mut pairs = Vec::new();
        for one in 0..slots.len() {
            for other in one + 1..slots.len() {
                let (store, shape) = (slots[one].lend(), slots[one].shape());
                let lendable =
                    self.access()[one] == Access::Shared && shape == slots[other].shape();
                if lendable && slots[other].borrow(&*store) {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }

    /// The pairs of arguments of which the second can begin where the first ends, in this order.
    pub(crate) fn adjacent(&self) -> Vec<(usize, usize)> {
        let mut slots = self.memory(0);
        let mut slots = slots.flat_mut();
        let (count, mut pairs) = (slots.len(), Vec::new());
        for one in 0..count {
            for other in (0..count).filter(|other| *other != one) {
                let store = slots[other].lend();
                if slots[one].adjoin(&*store).is_some() {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }

    /// Calls the function at `primals`.
    pub(crate) fn primal(&self, primals: &[Vec<f64>]) -> Result<Primal, Fault> {
        let (returned, arguments) = self.called(primals);
        Ok(Primal {
            returned: returned?,
            arguments,
        })
    }

    /// The floats of every argument after a call at `primals`, however it ended.
    pub(crate) fn left(&self, primals: &[Vec<f64>]) -> Vec<Vec<f64>> {
        self.called(primals).1
    }

    /// Calls the function: what it returned, and the floats of every argument afterwards.
    fn called(&self, primals: &[Vec<f64>]) -> (Result<Vec<f64>, Fault>, Vec<Vec<f64>>) {
        let mut slots = self.memory(0);
        slots.set_primals(primals);
        let returned = caught(|| self.call(&mut *slots));
        (returned, slots.primals())
    }
}
