//! The arguments of a test, and then its function.

use coenzyme::{Function, Outcome};

use super::{ConstBuffers, Points, Protocol, Tester};
use crate::argument::{Access, AnySlots, Arguments, Passings, Spec, Specs};
use crate::environment::Environment;
use crate::judge::{Budgets, Signature};
use crate::ladder::Ladder;
use crate::overrides::Overrides;
use crate::subject::Subject;

/// The arguments of a test, before the function is known.
///
/// They come first because the compiler must know them before it can look for a rule.
pub struct Setting<Ps: Passings> {
    slots: Ps::Slots,
    specs: Specs,
}

/// The name of a function that was given by its path.
fn last_segment(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path).trim()
}

impl Protocol {
    /// What is done unless somebody says otherwise.
    fn new(name: &str, specs: Vec<Spec>, access: &[Access], given: &dyn AnySlots) -> Self {
        let precision = given.precision();
        Protocol {
            name: last_segment(name).to_owned(),
            signature: Signature::new(specs, given.shapes(), access),
            precision,
            ladder: Ladder::default().precision(precision),
            reference: None,
            finer: None,
            overrides: Overrides::none(),
            budgets: Budgets::default(),
            buffers: ConstBuffers::default(),
            seed: 0,
            environment: Environment::from_env(),
            own: Points::new(),
            shared: None,
            size: None,
            varies: true,
            fullest: None,
            longest: None,
        }
    }
}

impl<Ps: Passings> Setting<Ps> {
    /// A tuple of [`input`](crate::input), [`out`](crate::out), [`value`](crate::value) and their kin.
    pub fn new<A: Arguments<Passings = Ps>>(arguments: A) -> Self {
        let (slots, specs) = arguments.split();
        Setting { slots, specs }
    }

    /// A tester of `f` with these arguments, called `name` in messages.
    pub fn function<F, Out>(self, name: &str, f: F) -> Tester<F, Ps, Out>
    where
        Out: Outcome,
        F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
    {
        let subject = Subject::new(f, self.slots);
        let protocol = Protocol::new(name, self.specs.0, Ps::ACCESS, subject.given());
        Tester { subject, protocol }
    }

    #[cfg(test)]
    pub(super) fn specs(&self) -> Vec<Spec> {
        self.specs.0.clone()
    }

    #[cfg(test)]
    pub(super) fn access(&self) -> &'static [Access] {
        Ps::ACCESS
    }
}
