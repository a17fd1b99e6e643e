//! `move` closures that change what they captured, where they have no name: each changes a copy of its own.

use syn::Expr;
use syn::visit::{self, Visit};

use crate::differentiable::resolve::leads::Leads;
use crate::differentiable::resolve::usage::Usage;
use crate::differentiable::resolve::varied::bound_names;
use crate::errors::Errors;

/// Refuses `move` closures with a state that are passed on as they stand.
pub(crate) fn check(body: &syn::Block, leads: &Leads, errors: &mut Errors) {
    Moving { leads, errors }.visit_block(body);
}

struct Moving<'a> {
    leads: &'a Leads,
    errors: &'a mut Errors,
}

impl Moving<'_> {
    fn check(&mut self, arg: &Expr) {
        let Expr::Closure(closure) = arg else { return };
        if closure.capture.is_none() {
            return;
        }
        let mut usage = Usage::default();
        usage.visit_expr(&closure.body);
        let mut own = Own(closure.inputs.iter().flat_map(bound_names).collect());
        own.visit_expr(&closure.body);
        let changed = usage.whole.iter().chain(&usage.parts);
        let mut changed = changed.filter(|n| !own.0.contains(n) && !self.leads.is_name(n));
        if let Some(name) = changed.next() {
            self.errors.at(
                closure,
                format!("this `move` closure changes a copy of `{name}` that is its own: leave `move` away if `{name}` itself is meant, or bind the closure to a name with `let` and call it in a loop"),
            );
        }
    }
}

impl<'ast> Visit<'ast> for Moving<'_> {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        call.args.iter().for_each(|a| self.check(a));
        visit::visit_expr_call(self, call);
    }
    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        call.args.iter().for_each(|a| self.check(a));
        visit::visit_expr_method_call(self, call);
    }
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The names that patterns bind.
struct Own(Vec<String>);

impl<'ast> Visit<'ast> for Own {
    fn visit_pat(&mut self, pat: &'ast syn::Pat) {
        self.0.extend(bound_names(pat));
    }
}
