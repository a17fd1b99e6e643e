//! What stands for a name, a call, an operator in an expression that is a plain value.

use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprClosure};

use super::substituted::{Replace, without_stars};
use crate::differentiable::front::callable;
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Scopes};
use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::resolve::varied::place_root;
use crate::differentiable::syntax::effects;
use crate::differentiable::syntax::names::simple_name;

impl Replace<'_, '_> {
    /// What a name stands for.
    pub(crate) fn name(&mut self, expr: &mut Expr) {
        let Expr::Path(path) = expr else { return };
        let Some(name) = path.path.get_ident().map(ToString::to_string) else {
            return;
        };
        if self.own.contains(&name) {
            return;
        }
        match self.lower.lookup(&name).cloned() {
            Some(Binding::Def(d)) => {
                self.uses.defs.insert(d);
                let name = &self.lower.program.defs[d].name;
                *expr = syn::parse_quote!(#name);
            }
            Some(Binding::Root(r)) => match self.lower.program.roots[r].kind {
                RootKind::Scalar if !self.live => {
                    let d = self.lower.version(r);
                    self.uses.defs.insert(d);
                    let name = &self.lower.program.defs[d].name;
                    *expr = syn::parse_quote!(#name);
                }
                RootKind::Scalar | RootKind::Memory => {
                    self.uses.roots.insert(r);
                    let name = &self.lower.program.roots[r].name;
                    *expr = syn::parse_quote!(#name);
                }
                RootKind::Param { .. } => {
                    self.uses.roots.insert(r);
                    let name = &self.lower.program.roots[r].name;
                    *expr = syn::parse_quote!(#name);
                }
            },
            Some(Binding::Alias { place, .. }) => *expr = self.place(&place),
            Some(Binding::View(view)) => {
                let place = self.lower.viewed_at(&view, self.live);
                *expr = self.place(&place);
            }
            Some(Binding::Part(part)) => {
                let (tokens, uses) = self.lower.part_tokens(&part, self.live);
                self.uses.extend(&uses);
                *expr = syn::parse_quote!((#tokens));
            }
            Some(Binding::Optional { there, some }) => {
                *expr = syn::parse_quote!((#there).then(|| ::core::clone::Clone::clone(&#some)));
                self.visit_expr_mut(expr);
            }
            Some(Binding::Chain { .. }) => {
                if let Some(chain) = self.lower.chain_of(expr) {
                    *expr = chain;
                    self.pure = false;
                    self.visit_expr_mut(expr);
                }
            }
            // handed on to what is called as it is: the closure itself
            Some(Binding::Closure { closure, scopes }) => {
                let closure = self.closure_in(closure, scopes);
                *expr = syn::parse_quote!((#closure));
            }
            Some(Binding::Inactive) | None => {}
        }
    }

    /// An operator, whose operands may be names of references.
    pub(crate) fn operator(&mut self, binary: &mut syn::ExprBinary) {
        let lent = [&*binary.left, &*binary.right].map(|operand| {
            let is_own = simple_name(operand).is_some_and(|name| self.own.contains(&name));
            let is_lent = !is_own && self.lower.form(operand) == OperandForm::Reference;
            is_lent.then_some(operand)
        });
        self.lower.note_forms(binary.op.span(), lent);
        self.plain_operand(&mut binary.left);
        self.plain_operand(&mut binary.right);
    }

    /// An operand, which stays a reference if it is the name of one.
    fn plain_operand(&mut self, operand: &mut Expr) {
        let name = simple_name(operand).filter(|name| !self.own.contains(name));
        let binding = name.and_then(|name| self.lower.lookup(&name));
        let is_alias = matches!(binding, Some(Binding::Alias { .. } | Binding::View(_)));
        let is_lent = is_alias && self.lower.form(operand) == OperandForm::Reference;
        self.visit_expr_mut(operand);
        if is_lent {
            *operand = syn::parse_quote!((&#operand));
        }
    }

    pub(crate) fn method(&mut self, call: &mut syn::ExprMethodCall) {
        self.lower.refused_step(call);
        let name = call.method.to_string();
        let root = place_root(&call.receiver);
        if let Some(receiver) = &root {
            self.note_change(call, receiver);
        }
        let only_reads = root.is_some_and(|root| self.must_only_read(call, &root));
        self.note_lent(&call.args);
        // `get` of a cell is none
        let is_pure = table::is_pure(&name) || effects::takes_a_part(call);
        if !is_pure || name == "get" && call.args.is_empty() {
            self.runs(&Expr::MethodCall(call.clone()));
        }
        // a length does not read contents, but for a type of the user's it may
        let receiver = call.receiver.clone();
        let before = self.uses.roots.clone();
        self.visit_expr_mut(&mut call.receiver);
        if only_reads {
            let lent = &call.receiver;
            *call.receiver = syn::parse_quote!((&#lent));
        }
        let own = self.lower.is_of_own_type(&receiver);
        if !own && table::is(&name, Fact::AsksLength) {
            // but changes with what is pushed, and with the entry that it is of
            let entry = self.lower.is_changing_entry(&receiver);
            let after = std::mem::replace(&mut self.uses.roots, before);
            let bound = simple_name(&receiver).and_then(|name| self.lower.lookup(&name));
            let named = matches!(bound, Some(Binding::Root(_)));
            for root in after {
                let in_type = named && self.lower.has_length_in_type(root, 0);
                match !in_type && (entry || self.lower.changes_length(root)) {
                    true => self.uses.roots.insert(root),
                    false => self.uses.lengths.insert(root),
                };
            }
        }
        call.args.iter_mut().for_each(|a| self.lend(a));
        call.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
    }

    /// A call of a closure that was bound to a name.
    pub(crate) fn call_of_closure(&mut self, call: &mut syn::ExprCall) {
        let (closure, scopes) = self.closure(&call.func).expect("a closure");
        call.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
        let func = self.closure_in(closure, scopes);
        *call.func = syn::parse_quote!((#func));
    }

    /// A closure where its name stands, with the names of where it was written.
    fn closure_in(&mut self, closure: ExprClosure, scopes: Scopes) -> Expr {
        let mut closure = Expr::Closure(closure);
        let outside = std::mem::replace(&mut self.lower.scopes, scopes);
        let own = std::mem::take(&mut self.own);
        let pure = self.pure;
        visit_mut::visit_expr_mut(self, &mut closure);
        self.pure &= pure;
        self.own = own;
        self.lower.scopes = outside;
        closure
    }

    /// A call of a parameter.
    pub(crate) fn call_of_parameter(&mut self, call: &mut syn::ExprCall) -> Expr {
        let called = self.lower.callable(&call.func).expect("a parameter");
        let inputs = self.lower.callables[&called].inputs.clone();
        self.pure = false;
        self.visit_expr_mut(&mut call.func);
        call.args.iter_mut().for_each(|a| self.visit_expr_mut(a));
        let (f, args) = (&call.func, callable::lent(&inputs, call.args.iter()));
        syn::parse_quote!(::coenzyme::Function::call(&#f, (#(#args,)*)))
    }

    /// `*x`
    pub(crate) fn star(&mut self, expr: &mut Expr) {
        let Expr::Unary(unary) = expr else { return };
        if simple_name(without_stars(unary)).is_some_and(|name| self.own.contains(&name)) {
            return self.visit_expr_mut(&mut unary.expr);
        }
        let is_box = self.lower.boxed(&Expr::Unary(unary.clone())).is_some();
        let binding =
            simple_name(without_stars(unary)).and_then(|n| self.lower.lookup(&n).cloned());
        match binding {
            Some(Binding::Alias { .. } | Binding::View(_) | Binding::Def(_)) if is_box => {
                let mut of = without_stars(unary).clone();
                self.visit_expr_mut(&mut of);
                *expr = syn::parse_quote!((*#of));
                return;
            }
            // an alias is a place already, a value has no reference around it
            Some(Binding::Alias { .. } | Binding::View(_) | Binding::Part(_)) => {
                *expr = without_stars(unary).clone();
            }
            Some(Binding::Def(d)) => match self.lower.program.defs[d].kind {
                DefKind::Pure(_) | DefKind::Opaque(_) => {
                    self.visit_expr_mut(&mut unary.expr);
                    let value = &unary.expr;
                    *expr = syn::parse_quote!(::coenzyme::__private::Star::star(#value));
                    return;
                }
                _ => *expr = without_stars(unary).clone(),
            },
            // the state of `scan` has a name without its reference
            Some(Binding::Root(r))
                if self.lower.program.roots[r].kind == RootKind::Scalar
                    && self.lower.program.roots[r].varied =>
            {
                self.visit_expr_mut(&mut unary.expr);
                let value = &unary.expr;
                *expr = syn::parse_quote!(::coenzyme::__private::Star::star(#value));
                return;
            }
            _ => return self.visit_expr_mut(&mut unary.expr),
        }
        self.visit_expr_mut(expr);
    }
}
