//! Calls that may give no value: run once, by their rules, where the condition asks whether there is one.
//!
//! ```text
//! // if let Some(hit) = sphere(o, d) { … }
//! let t3 = is_there(&sphere(o, d)); if t3 { let hit = sphere(o, d).unwrap(); … }        // the program
//! let attempt = call(sphere, o, d); let t3 = came(&attempt); if t3 { let hit = attempt.unwrap(); … }
//! ```
//!
//! Nothing stands between the two, so that what the call leaves on the tape is where it would be.

use std::collections::BTreeMap;

use crate::differentiable::ir::*;
use crate::signature::Passing;

/// The calls that are run where they are asked for, by the condition, and these conditions by the call.
#[derive(Default)]
pub(crate) struct Attempts {
    calls: BTreeMap<DefId, DefId>,
}

impl Attempts {
    /// The call that a condition asks.
    pub(crate) fn call(&self, condition: DefId) -> Option<DefId> {
        self.calls.get(&condition).copied()
    }

    /// Whether a call is run where a condition asks it.
    pub(crate) fn is_attempt(&self, call: DefId) -> bool {
        self.calls.values().any(|c| *c == call)
    }
}

impl Program {
    /// The calls that can be run where a condition asks whether they give a value.
    pub(crate) fn attempts(&self) -> Attempts {
        let mut found = Attempts::default();
        self.find_attempts(&self.body, &mut found.calls);
        found
    }

    fn find_attempts(&self, block: &Block, found: &mut BTreeMap<DefId, DefId>) {
        for (i, item) in block.items.iter().enumerate() {
            match item {
                Item::Loop { body, .. } => self.find_attempts(body, found),
                Item::Branch { arms, selector } => {
                    if let (Some(Item::Def(condition)), Selector::If(Atom::Def(asks))) =
                        (i.checked_sub(1).map(|i| &block.items[i]), selector)
                        && condition == asks
                        && let Some(Item::Def(call)) = arms[0].body.items.first()
                        && self.asked.get(call) == Some(condition)
                        && self.only_reads(*call)
                    {
                        found.insert(*condition, *call);
                    }
                    arms.iter().for_each(|a| self.find_attempts(&a.body, found));
                }
                _ => {}
            }
        }
    }

    /// Whether a call is lent nothing that it might change.
    fn only_reads(&self, call: DefId) -> bool {
        let DefKind::Call(call) = &self.defs[call].kind else {
            return false;
        };
        call.args.iter().all(|arg| match arg {
            Arg::Const(_) | Arg::Value(_) | Arg::Shared(_) => true,
            Arg::Whole { root } => {
                let shared = Passing::Shared;
                matches!(self.roots[*root].kind, RootKind::Param { passing, .. } if passing == shared)
            }
            Arg::Exclusive(_) | Arg::Closure { .. } => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::differentiable::testing::improved;

    fn attempts(text: &str) -> usize {
        improved(text).1.attempts().calls.len()
    }

    #[test]
    fn a_call_is_run_where_it_is_asked_for() {
        for text in [
            "fn f(x: &[f64]) -> f64 { if let Some(v) = g(x[0], x) { v * v } else { 0.0 } }",
            "fn f(x: f64) -> f64 { let Some(v) = g(x) else { return x; }; v * x }",
            "fn f(x: &[f64]) -> f64 { let mut t = 0.0; for i in 0..3 { match g(x[i]) { Some(v) => t += v, None => t += 1.0 } } t }",
            "fn f(x: f64) -> f64 { g(x).unwrap_or(x) }",
        ] {
            assert_eq!(attempts(text), 1, "{text}");
        }
    }

    #[test]
    fn one_whose_arguments_are_computed_by_rules_is_not() {
        for text in [
            // the partial derivatives of an argument may be infinite where the value is not there
            "fn f(x: f64) -> f64 { if let Some(v) = g(x.sqrt()) { v * v } else { 0.0 } }",
            "fn f(x: f64) -> f64 { if let Some(v) = g(h(x)) { v * v } else { 0.0 } }",
        ] {
            assert_eq!(attempts(text), 0, "{text}");
        }
    }
}
