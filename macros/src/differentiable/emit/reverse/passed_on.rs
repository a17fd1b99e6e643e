//! Calls whose value is only passed on to that of the function: the callee is asked for it if the function is.
//!
//! ```text
//! // 2.0 * expensive(x) + 1.0
//! let value = call_passed_on(&expensive {}, &config.with_needs_primal(config.needs_primal()), …); // a blank, if nobody asks
//! ```

use std::collections::BTreeSet;

use quote::ToTokens;

use super::Reverse;
use crate::differentiable::ir::*;
use crate::differentiable::live::Live;
use crate::differentiable::lower::scalar_type;

impl Reverse<'_> {
    /// Those calls, as far as what was generated last asks for values.
    pub(super) fn passed_on(&self) -> BTreeSet<usize> {
        let p = self.program;
        let read = {
            let state = self.state.borrow();
            let scalar = |root: &RootId| p.roots[*root].kind == RootKind::Scalar;
            // where states are kept, the value of a call may be part of one
            if !p.checkpoints.is_empty() || state.taped_roots.iter().any(scalar) {
                return BTreeSet::new();
            }
            let again = state.again.values().flat_map(|round| &round.reads.defs);
            let read = state.taped.iter().chain(&state.required).chain(again);
            read.copied().collect()
        };
        let live = Live::of(p, &read);
        let calls = (0..p.defs.len()).filter_map(|d| match &p.defs[d].kind {
            DefKind::Call(call) if !live.is_live(d) && self.is_number(d) => Some(call.point.order),
            _ => None,
        });
        calls.collect()
    }

    /// Whether all calls that were taken for such are. If not, the others are forgotten.
    pub(super) fn still_passed_on(&self) -> bool {
        let found = self.passed_on();
        let known = &mut self.state.borrow_mut().passed_on;
        let before = known.len();
        known.retain(|call| found.contains(call));
        known.len() == before
    }

    /// Whether a value is surely a number: an operand of an operation, or what a function returns that returns a number.
    pub(super) fn is_number(&self, id: DefId) -> bool {
        let p = self.program;
        if p.is_operand(id) {
            return true;
        }
        let scalar = scalar_type(self.function).to_token_stream().to_string();
        let Some(Atom::Def(result)) = p.result else {
            return false;
        };
        self.function.output.to_token_stream().to_string() == scalar
            && (result == id
                || match p.defs[result].kind {
                    DefKind::Version(root) => p.body.assigns(root, id),
                    _ => false,
                })
    }

    pub(super) fn is_passed_on(&self, call: &Call) -> bool {
        self.state.borrow().passed_on.contains(&call.point.order)
    }
}

impl Block {
    /// Whether all of a local becomes this value somewhere.
    fn assigns(&self, root: RootId, id: DefId) -> bool {
        self.items.iter().any(|item| match item {
            Item::Assign {
                place,
                value: Atom::Def(d),
                op: Assign::Set,
            } => *d == id && place.base == Base::Root(root) && place.suffix.is_empty(),
            Item::Branch { arms, .. } => arms.iter().any(|a| a.body.assigns(root, id)),
            Item::Loop { body, .. } => body.assigns(root, id),
            _ => false,
        })
    }
}
