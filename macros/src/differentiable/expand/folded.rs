//! Folds whose state is a vector, which may get another length in each round, and those that change what they run over.
//!
//! ```text
//! // layers.iter().fold(x.to_vec(), |h, layer| layer.run(&h))
//! { let mut h = x.to_vec(); for layer in layers.iter() { h = layer.run(&h); } h }
//! ```

use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, Ident, Pat, Stmt};

use super::outcome::{asks, leaves};
use crate::differentiable::methods::paths;
use crate::differentiable::syntax::chains::is_chain;
use crate::differentiable::tokens::head::head;
use crate::differentiable::tokens::text::names;

/// The fold as a loop, if its state begins as a vector or is used as one, or if it changes elements.
pub(crate) fn as_loop(call: &ExprMethodCall) -> Option<Expr> {
    let (chain, start) = (&call.receiver, call.args.first()?);
    let Some(Expr::Closure(f)) = call.args.get(1) else {
        return None;
    };
    let (state, element) = (f.inputs.get(0)?, f.inputs.get(1)?);
    let (body, left) = (&f.body, leaves(&f.body) || asks(&f.body));
    if call.method != "fold" || left || !is_chain(chain) {
        return None;
    }
    if !is_of_changed(chain) && !is_vector(start) && !is_used_as_vector(state, body) {
        return None;
    }
    let state = match state {
        Pat::Ident(name) if name.subpat.is_none() && !names(quote!(#chain), &name.ident) => {
            &name.ident
        }
        _ => return None,
    };
    let round = match changed_in_place(state, body) {
        Some(stmts) => quote!(#(#stmts)*),
        None => quote!(#state = #body;),
    };
    let chain = head(chain);
    Some(syn::parse_quote!({
        let mut #state = #start;
        for #element in #chain { #round }
        #state
    }))
}

/// Whether a chain goes through elements that may be changed, or beside such.
fn is_of_changed(chain: &Expr) -> bool {
    match chain {
        Expr::Paren(paren) => is_of_changed(&paren.expr),
        Expr::MethodCall(call) => {
            call.method.to_string().ends_with("_mut")
                || is_of_changed(&call.receiver)
                || call.args.iter().any(is_of_changed)
        }
        _ => false,
    }
}

/// The statements of `{ …; state }`.
fn changed_in_place<'b>(state: &Ident, body: &'b Expr) -> Option<&'b [Stmt]> {
    let Expr::Block(block) = body else {
        return None;
    };
    match block.block.stmts.split_last()? {
        (Stmt::Expr(Expr::Path(end), None), stmts) if end.path.is_ident(state) => Some(stmts),
        _ => None,
    }
}

/// Whether a body goes through the state of a fold, or lends it to a call.
fn is_used_as_vector(state: &Pat, body: &Expr) -> bool {
    struct Find<'a>(&'a Ident, bool);
    impl Find<'_> {
        fn is_state(&self, expr: &Expr) -> bool {
            matches!(expr, Expr::Path(path) if path.path.is_ident(self.0))
        }
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
            let lent = |arg: &Expr| matches!(arg, Expr::Reference(r) if self.is_state(&r.expr));
            self.1 |= call.args.iter().any(lent);
            visit::visit_expr_call(self, call);
        }
        fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
            let goes_through = ["iter", "into_iter", "len", "push", "windows", "chunks"];
            let lent = |arg: &Expr| matches!(arg, Expr::Reference(r) if self.is_state(&r.expr));
            self.1 |= call.args.iter().any(lent);
            self.1 |= self.is_state(&call.receiver)
                && goes_through.iter().any(|name| call.method == name);
            visit::visit_expr_method_call(self, call);
        }
    }
    let Pat::Ident(name) = state else {
        return false;
    };
    let mut find = Find(&name.ident, false);
    find.visit_expr(body);
    find.1
}

/// Whether an expression makes a vector, as far as tokens tell.
fn is_vector(start: &Expr) -> bool {
    let given = |call: &ExprMethodCall| ["collect", "clone"].iter().any(|m| call.method == m);
    paths::makes_vector(start) || matches!(start, Expr::MethodCall(call) if given(call))
}
