//! How the reverse sweep has a value.

use std::collections::{BTreeMap, BTreeSet};

use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;

/// How the reverse sweep gets at a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    /// It travels on the tape.
    Taped,
    /// It travels on the tape of a round that runs again.
    Round,
    /// It is kept at some rounds of a loop.
    Kept,
    /// It is computed again.
    Again,
    /// It is the result of a call, computed again if the callee is cheap.
    Rerun,
    /// Only its shape is read.
    Shape,
    /// It is not read.
    Unread,
}

/// Whether a value is kept although it could be computed again. Outside of loops the optimizer sees both computations, and keeps it
/// itself, unless the function is called in a loop.
pub(crate) fn is_costly(def: &Def) -> bool {
    matches!(&def.kind, DefKind::Op { op, .. } if operations::is_costly(op))
}

/// How every value is had: with the loops that keep states.
pub(crate) fn with_checkpoints(
    program: &Program,
    mut fates: BTreeMap<String, Fate>,
    checkpointed: &BTreeSet<usize>,
) -> BTreeMap<String, Fate> {
    for (body, checkpoint) in &program.checkpoints {
        if !checkpointed.contains(body) {
            continue;
        }
        let inside = program
            .defs
            .iter()
            .filter(|d| d.point.loops.contains(&checkpoint.number));
        for def in inside {
            if let Some(fate @ Fate::Taped) = fates.get_mut(&def.name.to_string()) {
                *fate = Fate::Round;
            }
        }
        for root in &checkpoint.state {
            fates.insert(program.roots[*root].name.to_string(), Fate::Kept);
        }
    }
    fates
}
