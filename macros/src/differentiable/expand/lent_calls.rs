//! Rows that methods of the crate's own lend, and fields that borrow, in what a chain of iterators runs over: they get a name first.
//!
//! ```text
//! // x.iter().zip(grid.row(0)).map(f).sum()
//! { let lent0 = grid.row(0); x.iter().zip(lent0).map(f).sum() }
//! ```

use syn::{Expr, Stmt};

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

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;

    /// The statements and the chain, where methods called `row` lend.
    fn named(text: &str) -> String {
        let mut chain = syn::parse_str(text).expect("a chain");
        let lends = |arg: &Expr| matches!(arg, Expr::MethodCall(call) if call.method == "row");
        let stmts = LentCalls {
            lent: &|arg| lends(arg).then(|| arg.clone()),
            next: &mut 0,
        }
        .named(&mut chain);
        let stmts = stmts.iter().map(|stmt| stmt.to_token_stream().to_string());
        let written: Vec<_> = stmts.chain([chain.to_token_stream().to_string()]).collect();
        written.join(" ").replace(' ', "")
    }

    #[test]
    fn what_is_lent_to_a_chain_gets_a_name() {
        let name = |i| hidden(&format!("lent{i}"));
        let (first, second) = (name(0), name(1));
        assert_eq!(
            named("x.iter().zip(g.row(0)).zip(y.iter().chain(g.row(1))).sum()"),
            format!(
                "let{first}=g.row(0);let{second}=g.row(1);x.iter().zip({first}).zip(y.iter().chain({second})).sum()"
            )
        );
    }

    #[test]
    fn what_a_chain_begins_with_stays() {
        for text in [
            "g.row(0).iter().sum()",
            "f(g.row(0))",
            "x.iter().map(|i|g.row(i))",
        ] {
            assert_eq!(named(text), text);
        }
    }
}
