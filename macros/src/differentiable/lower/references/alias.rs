//! Names for references.

use syn::Expr;

use crate::differentiable::ir::*;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::options::unwrapped;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::names::simple_name;
use crate::signature::Passing;

impl Lower<'_> {
    /// The memory that a reference stands for.
    pub(crate) fn alias(&mut self, init: &Expr) -> Option<Binding> {
        let (place, exclusive) = match init {
            Expr::Reference(reference) if self.refused_boxed(reference) => return None,
            Expr::Reference(reference) => match self.part_of(&reference.expr) {
                Some(part) => return Some(Binding::Part(part)),
                None => (self.place(&reference.expr)?, reference.mutability.is_some()),
            },
            Expr::Path(_) => match self.lookup(&simple_name(init)?)? {
                alias @ (Binding::Alias { .. } | Binding::Part(_)) => return Some(alias.clone()),
                // as it is now
                Binding::View(view) => {
                    let (view, exclusive) = (view.clone(), view.is_exclusive());
                    (self.viewed(&view), exclusive)
                }
                Binding::Root(r) => match self.program.roots[*r].kind {
                    // by value, and another later
                    RootKind::Param {
                        passing: Passing::Value,
                        ..
                    } if self.changes(&simple_name(init)?) => return None,
                    RootKind::Param { passing, .. } => {
                        let exclusive = passing == Passing::Exclusive;
                        (place::whole(Base::Root(*r)), exclusive)
                    }
                    _ => return None,
                },
                _ => return None,
            },
            Expr::MethodCall(call)
                if call.args.is_empty()
                    && ["view", "view_mut"].contains(&call.method.to_string().as_str())
                    && self.is_array(&call.receiver)
                    && self.part_of(&call.receiver).is_none() =>
            {
                let exclusive = call.method == "view_mut";
                (self.place(&call.receiver)?, exclusive)
            }
            Expr::MethodCall(call)
                if ["as_slice", "as_mut_slice"]
                    .iter()
                    .any(|m| call.method == m)
                    && !self.is_array(&call.receiver) =>
            {
                (self.place(init)?, call.method == "as_mut_slice")
            }
            Expr::MethodCall(call) if unwrapped::lent_entry(call).is_some() => {
                (self.place(init)?, true)
            }
            Expr::MethodCall(call) => match self.part_of(init) {
                Some(part) => return Some(Binding::Part(part)),
                None => (self.remainder(call)?, call.method == "into_remainder"),
            },
            Expr::Paren(paren) => return self.alias(&paren.expr),
            Expr::Block(_) if !std::ptr::eq(super::held::peeled(init), init) => {
                return self.alias(super::held::peeled(init));
            }
            _ => return None,
        };
        Some(Binding::Alias { place, exclusive })
    }
}
