//! Rows that methods of the crate's own lend, and fields that borrow, in what a chain of iterators runs over: they get a name first.
//!
//! ```text
//! // x.iter().zip(grid.row(0)).map(f).sum()
//! { let lent0 = grid.row(0); x.iter().zip(lent0).map(f).sum() }
//! ```

use syn::{Expr, Pat, Stmt};

use crate::differentiable::syntax::names::hidden;

/// Gives names to the calls, and puts these in their places.
pub(super) struct LentCalls<'a> {
    /// What stands for an argument that lends: itself, or the mark of a field.
    pub(super) lent: &'a dyn Fn(&Expr) -> Option<Expr>,
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
        let call = match chain {
            Expr::MethodCall(call) => call,
            Expr::Paren(of) => return self.name(&mut of.expr, found),
            _ => return,
        };
        self.name(&mut call.receiver, found);
        if !["zip", "chain"].iter().any(|name| call.method == name) {
            return;
        }
        for arg in &mut call.args {
            match (self.lent)(arg) {
                Some(lent) => {
                    let name = hidden(&format!("lent{}", self.next));
                    *self.next += 1;
                    found.push(syn::parse_quote!(let #name = #lent;));
                    *arg = syn::parse_quote!(#name);
                }
                None => self.name(arg, found),
            }
        }
    }
}

/// The names before a chain that is bound to a name itself: `let lent0 = …; let pairs = x.iter().zip(lent0);`.
pub(super) fn before(stmt: Stmt) -> Vec<Stmt> {
    let Stmt::Local(mut local) = stmt else {
        return vec![stmt];
    };
    let inside = match local.init.as_mut().map(|init| &mut *init.expr) {
        Some(Expr::Block(block)) if block.label.is_none() => &mut block.block.stmts,
        _ => return vec![Stmt::Local(local)],
    };
    let Some((Stmt::Expr(chain, None), names)) = inside.split_last() else {
        return vec![Stmt::Local(local)];
    };
    if names.is_empty() || !names.iter().all(is_name) {
        return vec![Stmt::Local(local)];
    }
    let (mut names, chain) = (names.to_vec(), chain.clone());
    let init = local.init.as_mut().expect("a chain");
    *init.expr = chain;
    names.push(Stmt::Local(local));
    names
}

/// Whether a statement binds a name that is given here.
fn is_name(stmt: &Stmt) -> bool {
    let first = hidden("lent").to_string();
    matches!(stmt, Stmt::Local(local) if matches!(&local.pat, Pat::Ident(name) if name.ident.to_string().starts_with(&first)))
}
