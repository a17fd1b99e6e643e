//! Parts of a slice that are collected: a vector of references has no shadow, one of copies has.
//!
//! ```text
//! let rows: Vec<&[f64]> = x.chunks(3).collect();      // let rows: Vec<_> = x.chunks(3).map(|part| part.to_vec()).collect();
//! ```

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMethodCall, Local, Pat, Stmt};

use crate::differentiable::methods::table::{self, Fact};
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::simple_name;

/// What leaves the elements of a chain as they are.
const SAME: &[&str] = &["rev", "skip", "step_by", "take"];

/// Copies the parts that locals of a block collect.
pub(crate) fn copied(stmts: &mut [Stmt]) {
    for at in 0..stmts.len() {
        let (before, after) = stmts.split_at_mut(at + 1);
        let Stmt::Local(local) = &mut before[at] else {
            continue;
        };
        if copies(local) {
            let mut lent = Lent(bound_names(&local.pat));
            after.iter_mut().for_each(|stmt| lent.visit_stmt_mut(stmt));
        }
    }
}

/// Hands copies on by reference: `f(rows[i])` was that of a reference.
struct Lent(Vec<String>);

impl Lent {
    fn lend<'e>(&self, args: impl Iterator<Item = &'e mut Expr>) {
        for arg in args {
            if let Expr::Index(index) = arg
                && simple_name(&index.expr).is_some_and(|name| self.0.contains(&name))
            {
                *arg = syn::parse_quote!(&#arg);
            }
        }
    }
}

impl VisitMut for Lent {
    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        self.lend(call.args.iter_mut());
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut ExprMethodCall) {
        visit_mut::visit_expr_method_call_mut(self, call);
        self.lend(call.args.iter_mut());
    }
}

/// Whether a local collects parts, which are copied then.
fn copies(local: &mut Local) -> bool {
    let Some(init) = &mut local.init else {
        return false;
    };
    let Expr::MethodCall(call) = &mut *init.expr else {
        return false;
    };
    if call.method != "collect" || !gives_parts(&call.receiver) {
        return false;
    }
    let chain = &call.receiver;
    *call.receiver = syn::parse_quote!(#chain.map(|part| part.to_vec()));
    if call.turbofish.is_some() {
        call.turbofish = Some(syn::parse_quote!(::<::std::vec::Vec<_>>));
    }
    if let Pat::Type(typed) = &mut local.pat {
        *typed.ty = syn::parse_quote!(::std::vec::Vec<_>);
    }
    true
}

fn gives_parts(chain: &Expr) -> bool {
    let Expr::MethodCall(ExprMethodCall {
        receiver, method, ..
    }) = chain
    else {
        return false;
    };
    table::is(&method.to_string(), Fact::GivesSlices)
        || SAME.iter().any(|name| method == name) && gives_parts(receiver)
}
