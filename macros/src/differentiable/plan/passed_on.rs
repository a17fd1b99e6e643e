//! Calls whose value is only passed on to that of the function: the callee is asked for it if the function is.
//!
//! ```text
//! // 2.0 * expensive(x) + 1.0
//! let value = call_passed_on(&expensive {}, &config.with_needs_primal(config.needs_primal()), …); // a blank, if nobody asks
//! ```

use std::collections::BTreeSet;

use quote::ToTokens;

use super::{Demand, Plan, Subject};
use crate::differentiable::analyse::live::Live;
use crate::differentiable::ir::*;
use crate::differentiable::lower::values::types::scalar_type;

/// Those calls, by their order, as far as a draft asks for values.
pub(crate) fn calls(subject: Subject<'_>, plan: &Plan, demand: &Demand) -> BTreeSet<usize> {
    let p = subject.program;
    let scalar = |root: &RootId| p.roots[*root].kind == RootKind::Scalar;
    // where states are kept, the value of a call may be part of one
    if !p.checkpoints.is_empty() || demand.taped_roots.iter().any(scalar) {
        return BTreeSet::new();
    }
    let rounds = plan.recomputed.values().flat_map(|round| &round.reads.defs);
    let read = demand.taped.iter().chain(&demand.required).chain(rounds);
    let live = Live::of(p, &read.copied().collect());
    let calls = (0..p.defs.len()).filter_map(|d| match &p.defs[d].kind {
        DefKind::Call(call) if !live.is_live(d) && is_number(subject, d) => Some(call.point.order),
        _ => None,
    });
    calls.collect()
}

/// Whether a value is surely a number: an operand of an operation, or what a function returns that returns a number.
pub(crate) fn is_number(subject: Subject<'_>, id: DefId) -> bool {
    let p = subject.program;
    if p.is_operand(id) {
        return true;
    }
    let scalar = scalar_type(subject.function).to_token_stream().to_string();
    let Some(Atom::Def(result)) = p.result else {
        return false;
    };
    subject.function.output.to_token_stream().to_string() == scalar
        && (result == id
            || match p.defs[result].kind {
                DefKind::Version(root) => p.body.assigns(root, id),
                _ => false,
            })
}

impl Program {
    /// Whether a value is an operand of an operation, and so a number.
    fn is_operand(&self, id: DefId) -> bool {
        let is = |atom: &Atom| matches!(atom, Atom::Def(d) if *d == id);
        self.defs
            .iter()
            .any(|def| matches!(&def.kind, DefKind::Op { args, .. } if args.iter().any(is)))
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
