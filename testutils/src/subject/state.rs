//! The memory of a call in plain floats, and how a call may end.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind, set_hook, take_hook};
use std::sync::Once;

use crate::allocation::{self, Run};
use crate::argument::Flat;
use crate::mix::Activity;

/// Every float that a call can see: the primal of each argument, and the shadow of each argument in each lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct State {
    pub(crate) primals: Vec<Vec<f64>>,
    /// By argument, then by lane; no lanes for an inactive argument.
    pub(crate) shadows: Vec<Vec<Vec<f64>>>,
    /// How the memory is laid out: a number below that of the subject's layouts.
    pub(crate) layout: usize,
    /// What is one memory.
    pub(crate) alias: Option<Alias>,
    /// What lies side by side.
    pub(crate) adjacent: Option<Adjacent>,
    /// By argument: what lies between the entries of its primal and shadows. Only read, after a call.
    pub(crate) gaps: Vec<Vec<f64>>,
}

/// Things that are only read, hold the same numbers, and are one memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Alias {
    /// The primals of two arguments.
    Primals(usize, usize),
    /// The tangent of an argument, in its first lane, and its primal.
    Tangent(usize),
    /// The tangents of two arguments, in their first lanes.
    Tangents(usize, usize),
    /// The tangents of an argument in all its lanes.
    Lanes(usize),
}

/// Things that are only read, and lie in one allocation: the second begins where the first ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Adjacent {
    /// The primals of two arguments.
    Primals(usize, usize),
    /// The tangents of two arguments, in their first lanes.
    Tangents(usize, usize),
}

impl State {
    /// Writes the state into the memory of a call.
    pub(super) fn store(&self, mut slots: Vec<&mut dyn Flat>) {
        for ((slot, primal), shadows) in slots.iter_mut().zip(&self.primals).zip(&self.shadows) {
            slot.set_primal(primal);
            slot.set_shadows(shadows);
        }
        match self.alias {
            Some(Alias::Primals(one, other)) => {
                let store = slots[one].lend();
                slots[other].borrow(&*store);
            }
            Some(Alias::Tangent(argument)) => slots[argument].share_with_tangent(),
            Some(Alias::Tangents(one, other)) => {
                if let Some(store) = slots[one].lend_tangent() {
                    slots[other].borrow_tangent(&*store);
                }
            }
            Some(Alias::Lanes(argument)) => slots[argument].share_lanes(),
            None => {}
        }
        match self.adjacent {
            Some(Adjacent::Primals(one, other)) => {
                let store = slots[other].lend();
                if let Some(behind) = slots[one].adjoin(&*store) {
                    slots[other].borrow(&*behind);
                }
            }
            Some(Adjacent::Tangents(one, other)) => {
                let store = slots[other].lend_tangent();
                let behind = store.and_then(|store| slots[one].adjoin_tangent(&*store));
                if let Some(behind) = behind {
                    slots[other].borrow_tangent(&*behind);
                }
            }
            None => {}
        }
    }

    /// Reads the state back.
    pub(super) fn load(&mut self, slots: Vec<&dyn Flat>) {
        self.primals = slots.iter().map(|slot| slot.primal()).collect();
        self.shadows = slots.iter().map(|slot| slot.shadows()).collect();
        self.gaps = slots.iter().map(|slot| slot.gaps()).collect();
    }
}

/// The activities of a call, and its width.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mix {
    pub(crate) returned: Activity,
    pub(crate) arguments: &'static [Activity],
    pub(crate) width: usize,
}

impl Mix {
    /// A number that other mixes of the same function hardly have.
    pub(crate) fn number(self) -> usize {
        let digits = self.arguments.iter().map(|activity| *activity as usize);
        digits.fold(self.width + self.returned as usize, |number, digit| {
            3 * number + digit
        })
    }
}

/// Why a call gave no result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Fault {
    /// It returned `Err` or `None`: the error, where it can be printed.
    Refused(String),
    /// It panicked, with this message.
    Panicked(String),
}

thread_local!(static ALLOCATED: Cell<u64> = const { Cell::new(0) });

/// How often the last call of a rule on this thread has allocated.
pub(crate) fn allocated() -> u64 {
    ALLOCATED.get()
}

/// Calls a rule, and counts how often it allocates; passes a panic on. Not generic: it is called from every mix of every rule.
pub(super) fn observed(call: &mut dyn Run) {
    let (ended, allocations) =
        allocation::counted(|| catch_unwind(AssertUnwindSafe(|| call.run())));
    ALLOCATED.set(allocations.count);
    ended.unwrap_or_else(|payload| resume_unwind(payload));
}

/// Runs `call`; a panic becomes a fault, and so does an error, which `call` describes.
pub(crate) fn caught<T>(call: impl FnOnce() -> Result<T, String>) -> Result<T, Fault> {
    let (mut call, mut result) = (Some(call), None);
    unwound(&mut || result = call.take().map(|call| call()))?;
    let result = result.expect("the call has not panicked");
    result.map_err(Fault::Refused)
}

/// Runs `call`, and says how and where it panicked.
fn unwound(call: &mut dyn FnMut()) -> Result<(), Fault> {
    hush();
    let outer = PLACE.replace(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(call));
    let place = PLACE.replace(outer).unwrap_or_default();
    result.map_err(|payload| {
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
        let text = text.unwrap_or_else(|| "no message".into());
        Fault::Panicked(format!("{text}{place}"))
    })
}

thread_local! {
    /// Within [`unwound`]: where the last panic came from.
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps panics that are caught here from being printed: points out of a function's domain panic by the hundred. Where they
/// came from is told in the report.
fn hush() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = take_hook();
        set_hook(Box::new(move |panic| {
            let here = panic
                .location()
                .map_or(String::new(), |location| format!(" ({location})"));
            let caught =
                PLACE.try_with(|place| place.borrow_mut().as_mut().map(|place| *place = here));
            if !matches!(caught, Ok(Some(()))) {
                print(panic);
            }
        }));
    });
}
