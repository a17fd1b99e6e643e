//! The arguments of a test, and then its function.

use coenzyme::{Function, Outcome};

use super::{ConstBuffers, Points, Tester};
use crate::argument::{Arguments, Passings, Specs};
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
        let signature = Signature::new(self.specs.0, subject.shapes(), subject.access());
        let precision = subject.precision();
        Tester {
            name: last_segment(name).to_owned(),
            subject,
            signature,
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
            fullest: None,
        }
    }

    #[cfg(test)]
    pub(super) fn specs(&self) -> Vec<crate::argument::Spec> {
        self.specs.0.clone()
    }

    #[cfg(test)]
    pub(super) fn access(&self) -> &'static [crate::argument::Access] {
        Ps::ACCESS
    }
}
