//! Mutable references as parts of a value, or as what an expression gives: no name says where they lead.

use syn::Expr;

use crate::differentiable::ir::RootKind;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::ends;
use crate::differentiable::syntax::names::simple_name;
use crate::signature::Passing;

/// What is said of a mutable reference inside a tuple, a struct, an `Option`.
pub(crate) const HELD: &str = "a mutable reference as a part of something else cannot be followed: bind it to a name of its own, `let r = &mut x;`, or use an index";

/// What is said of a mutable reference that an expression chooses.
const CHOSEN: &str = "a mutable reference that is chosen here cannot be followed: put what is done with it into each branch, or use an index";

impl Lower<'_> {
    /// Whether an expression is a mutable reference, by what its name is bound to.
    pub(crate) fn is_mutable_reference(&self, expr: &Expr) -> bool {
        let bound = match simple_name(expr).and_then(|name| self.lookup(&name)) {
            None | Some(Binding::Part(_)) => true,
            Some(Binding::Alias { exclusive, .. }) => *exclusive,
            Some(Binding::View(view)) => view.is_exclusive(),
            Some(Binding::Root(r)) => matches!(
                self.program.roots[*r].kind,
                RootKind::Param {
                    passing: Passing::Exclusive,
                    ..
                }
            ),
            Some(_) => false,
        };
        bound && self.leads.is_reference(expr)
    }

    /// Refuses mutable references among the parts of a value. Whether there was one.
    pub(crate) fn refused_parts<'e>(&mut self, parts: impl IntoIterator<Item = &'e Expr>) -> bool {
        let held = parts.into_iter().find(|e| self.is_mutable_reference(e));
        if let Some(held) = held {
            self.errors.at(held, HELD);
        }
        held.is_some()
    }

    /// Refuses a branch that gives a mutable reference. Whether it does.
    pub(crate) fn refused_choice(&mut self, branch: &Expr) -> bool {
        let mut ends = Vec::new();
        ends::ends_of(branch, &mut ends);
        let chosen = ends.into_iter().find(|e| self.is_mutable_reference(e));
        if let Some(chosen) = chosen {
            self.errors.at(chosen, CHOSEN);
        }
        chosen.is_some()
    }
}

/// `e` of `(e)` and `{ e }`.
pub(crate) fn peeled(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => peeled(&paren.expr),
        Expr::Group(group) => peeled(&group.expr),
        Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
            [syn::Stmt::Expr(inside, None)] => peeled(inside),
            _ => expr,
        },
        expr => expr,
    }
}
