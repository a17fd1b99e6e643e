//! Rows that methods of the crate's own lend, in what a chain of iterators runs over: they get a name first.
//!
//! ```text
//! // x.iter().zip(grid.row(0)).map(f).sum()
//! { let lent0 = grid.row(0); x.iter().zip(lent0).map(f).sum() }
//! ```

use syn::{Expr, ExprMethodCall, Stmt};

use crate::differentiable::syntax::names::hidden;

/// Gives names to the calls, and puts these in their places.
pub(super) struct LentCalls<'a> {
    /// Whether a call lends a part of its receiver.
    pub(super) lends: &'a dyn Fn(&ExprMethodCall) -> bool,
    /// The number of the next name.
    pub(super) next: &'a mut usize,
}

impl LentCalls<'_> {
    /// The statements that bind the names, of a chain from its end.
    pub(super) fn named(&mut self, chain: &mut Expr) -> Vec<Stmt> {
        let mut found = Vec::new();
        self.name(chain, &mut found);
        found
    }

    fn name(&mut self, chain: &mut Expr, found: &mut Vec<Stmt>) {
        let Expr::MethodCall(call) = chain else {
            return;
        };
        self.name(&mut call.receiver, found);
        if !["zip", "chain"].iter().any(|name| call.method == name) {
            return;
        }
        for arg in &mut call.args {
            match arg {
                Expr::MethodCall(lent) if (self.lends)(lent) => {
                    let name = hidden(&format!("lent{}", self.next));
                    *self.next += 1;
                    found.push(syn::parse_quote!(let #name = #arg;));
                    *arg = syn::parse_quote!(#name);
                }
                arg => self.name(arg, found),
            }
        }
    }
}
