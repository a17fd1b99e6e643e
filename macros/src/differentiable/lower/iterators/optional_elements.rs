//! Elements that are options themselves: readings of which some are missing.

use quote::quote;
use syn::{Expr, Type};

use super::chain;
use crate::differentiable::lower::Lower;
use crate::differentiable::lower::memory::assign::LENT;
use crate::differentiable::lower::values::types::entry_type;

/// Methods of sequences that leave each element what it is, but for a reference.
const KEEP: &[&str] = &[
    "cloned",
    "copied",
    "into_iter",
    "iter",
    "rev",
    "skip",
    "step_by",
    "take",
];

/// What is said of `readings.iter().flatten()`.
const FLATTENED: &str = "elements that are there or not are asked by a pattern: `for x in xs.iter() { if let Some(x) = x { … } }`, or `filter_map(|x| if let Some(x) = x { Some(…) } else { None })`";

impl Lower<'_> {
    /// What is said of an iterator that is not known.
    pub(crate) fn unknown_iterator(&self, mut iterator: &Expr) -> &'static str {
        while let Expr::MethodCall(call) = iterator {
            if call.method == "flatten" && self.has_options(&call.receiver) {
                return FLATTENED;
            }
            if self.callees.lends_a_part(&call.method.to_string()) {
                return LENT;
            }
            iterator = &call.receiver;
        }
        chain::UNKNOWN
    }

    /// Whether the elements of a sequence are options, as far as the type of what it goes through tells.
    pub(super) fn has_options(&self, seq: &Expr) -> bool {
        let mut of = seq;
        while let Expr::MethodCall(call) = of {
            if !KEEP.iter().any(|name| call.method == name) {
                return false;
            }
            of = &call.receiver;
        }
        let entry = self.type_of(of).and_then(|ty| {
            let ty = match ty {
                Type::Reference(lent) => *lent.elem,
                ty => ty,
            };
            entry_type(ty, quote!([0]))
        });
        let last = match &entry {
            Some(Type::Path(path)) => path.path.segments.last(),
            _ => None,
        };
        last.is_some_and(|last| last.ident == "Option")
    }
}
