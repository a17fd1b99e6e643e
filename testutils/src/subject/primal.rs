//! The primal, and the shapes it fixes.

use std::any::Any;
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

use coenzyme::{Function, Outcome, Tangent};

use super::state::{Fault, caught};
use crate::argument::{Access, AllFiner, Passings};
use crate::ladder::Precision;

/// A function under test, with the memory of its arguments.
pub(crate) struct Subject<F, Ps: Passings, Out: Outcome> {
    pub(crate) f: Arc<F>,
    /// The memory of the arguments, in each of its layouts. There is at least one.
    pub(super) layouts: Vec<Ps::Slots>,
    /// The memory with every view that is only read as one row repeated, if there is such a view.
    pub(super) broadcast: Option<Ps::Slots>,
    zero: OnceLock<Zero>,
    out: PhantomData<fn() -> Out>,
}

/// A value of the shape that a function returns, whatever its type.
pub(crate) type Zero = Arc<dyn Any + Send + Sync>;

/// The memory of a call, to be used again at the same addresses.
pub(crate) type Memory = Box<dyn Any>;

/// What a call of the primal left behind.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Primal {
    /// The floats of the returned value.
    pub(crate) returned: Vec<f64>,
    /// The floats of every argument afterwards.
    pub(crate) arguments: Vec<Vec<f64>>,
}

impl Primal {
    /// The tangents, if the numbers are dual.
    pub(crate) fn tangents(&self) -> Primal {
        let odd = |floats: &Vec<f64>| floats.iter().skip(1).step_by(2).copied().collect();
        Primal {
            returned: odd(&self.returned),
            arguments: self.arguments.iter().map(odd).collect(),
        }
    }
}

impl<F, Ps: Passings, Out: Outcome> Subject<F, Ps, Out> {
    pub(crate) fn new(f: F, slots: Ps::Slots) -> Self {
        Subject {
            broadcast: Ps::broadcast(&slots),
            layouts: Ps::layouts(&slots),
            ..Subject::plain(Arc::new(f), slots)
        }
    }

    /// A function with its memory in one layout only.
    pub(crate) fn plain(f: Arc<F>, slots: Ps::Slots) -> Self {
        Subject {
            f,
            broadcast: None,
            layouts: vec![slots],
            zero: OnceLock::new(),
            out: PhantomData,
        }
    }

    /// The same function of dual numbers.
    pub(crate) fn finer<Wide: Outcome>(&self) -> Subject<F, Ps::Finer, Wide>
    where
        Ps: AllFiner,
    {
        Subject::plain(Arc::clone(&self.f), Ps::finer(&self.layouts[0]))
    }

    /// The memory at another size.
    pub(crate) fn resized(&self, to: &dyn Fn(usize) -> usize) -> Option<Ps::Slots> {
        Ps::resized(&self.layouts[0], to)
    }

    /// The memory with another integer.
    pub(crate) fn with_another(&self, argument: usize, number: usize) -> Option<Ps::Slots> {
        Ps::another(&self.layouts[0], argument, number)
    }

    /// Whether some argument is a view, which knows its shape.
    pub(crate) fn has_views(&self) -> bool {
        Ps::VIEWS
    }

    /// The floats of each argument as the author gave them.
    pub(crate) fn given(&self) -> Vec<Vec<f64>> {
        let slots = Ps::flat(&self.layouts[0]);
        slots.iter().map(|slot| slot.primal()).collect()
    }

    /// The shape of each argument.
    pub(crate) fn shapes(&self) -> Vec<Vec<usize>> {
        let slots = Ps::flat(&self.layouts[0]);
        slots.iter().map(|slot| slot.shape()).collect()
    }

    /// The precision of the arguments: single if one of them cannot hold a tenth exactly enough.
    pub(crate) fn precision(&self) -> Precision {
        let mut slots = self.layouts[0].clone();
        let mut double = true;
        for slot in Ps::flat_mut(&mut slots) {
            let tenths = vec![0.1; slot.primal().len()];
            slot.set_primal(&tenths);
            double &= slot.primal() == tenths;
        }
        if double {
            Precision::Double
        } else {
            Precision::Single
        }
    }

    /// In how many ways the memory can be laid out.
    pub(crate) fn layouts(&self) -> usize {
        self.layouts.len()
    }

    /// Whether some view can be one row repeated. That is the layout past the last.
    pub(crate) fn has_broadcast(&self) -> bool {
        self.broadcast.is_some()
    }

    /// The memory in one layout.
    pub(super) fn memory(&self, layout: usize) -> Ps::Slots {
        let slots = self.layouts.get(layout).or(self.broadcast.as_ref());
        slots.expect("a layout of this subject").clone()
    }

    /// The memory that an earlier call has left, or else that in one layout.
    pub(super) fn memory_or(&self, left: Option<Memory>, layout: usize) -> Box<Ps::Slots> {
        let left = left.and_then(|left| left.downcast().ok());
        left.unwrap_or_else(|| Box::new(self.memory(layout)))
    }

    /// The pairs of arguments that can be one memory: read-only, of one type and shape.
    pub(crate) fn aliases(&self) -> Vec<(usize, usize)> {
        let mut slots = self.layouts[0].clone();
        let mut slots = Ps::flat_mut(&mut slots);
        let mut pairs = Vec::new();
        for one in 0..slots.len() {
            for other in one + 1..slots.len() {
                let (store, shape) = (slots[one].lend(), slots[one].shape());
                let lendable = Ps::ACCESS[one] == Access::Shared && shape == slots[other].shape();
                if lendable && slots[other].borrow(&*store) {
                    pairs.push((one, other));
                }
            }
        }
        pairs
    }

    /// What the function may do with each argument.
    pub(crate) fn access(&self) -> &'static [Access] {
        Ps::ACCESS
    }

    /// A value of the shape that the function returns, if it has returned one.
    pub(crate) fn zero(&self) -> Option<Zero> {
        self.zero.get().cloned()
    }

    /// Takes over what another tester of the same function has seen returned.
    pub(crate) fn adopt(&self, zero: Zero) {
        self.zero.get_or_init(|| zero);
    }

    /// Calls the function at `primals`.
    pub(crate) fn primal(&self, primals: &[Vec<f64>]) -> Result<Primal, Fault>
    where
        F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
        Out: Outcome<Value: Send + Sync + 'static>,
    {
        let (returned, arguments) = self.called(primals);
        Ok(Primal {
            returned: returned?,
            arguments,
        })
    }

    /// The floats of every argument after a call at `primals`, however it ended.
    pub(crate) fn left(&self, primals: &[Vec<f64>]) -> Vec<Vec<f64>>
    where
        F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
        Out: Outcome<Value: Send + Sync + 'static>,
    {
        self.called(primals).1
    }

    /// Calls the function: what it returned, and the floats of every argument afterwards.
    fn called(&self, primals: &[Vec<f64>]) -> (Result<Vec<f64>, Fault>, Vec<Vec<f64>>)
    where
        F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
        Out: Outcome<Value: Send + Sync + 'static>,
    {
        let mut slots = self.layouts[0].clone();
        for (slot, flat) in Ps::flat_mut(&mut slots).into_iter().zip(primals) {
            slot.set_primal(flat);
        }
        let returned = caught(|| {
            let out = self.f.call(Ps::primals(&mut slots));
            let value = out.value()?;
            self.zero.get_or_init(|| Arc::new(value.zero_like()));
            Some(value.to_flat())
        });
        let slots = Ps::flat(&slots);
        (returned, slots.iter().map(|slot| slot.primal()).collect())
    }
}
