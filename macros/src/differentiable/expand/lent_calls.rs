//! Rows that methods of the crate's own lend, fields that borrow, and lists that calls make, in what a chain of iterators runs over: they get a name first.
//!
//! ```text
//! // x.iter().zip(grid.row(0)).map(f).sum()
//! { let lent0 = grid.row(0); x.iter().zip(lent0).map(f).sum() }
//! // x.iter().zip(&solve(x)).sum()
//! { let lent0 = solve(x); x.iter().zip(&lent0).sum() }
//! // log.extend(solve(x))
//! { let lent0 = solve(x); log.extend(lent0) }
//! ```

use syn::visit::{self, Visit};
use syn::{Expr, ExprMethodCall, Stmt};

use super::desugar::is_called;
use crate::differentiable::syntax::names::hidden;

/// Gives names to the calls, and puts these in their places.
pub(super) struct LentCalls<'a> {
    /// What stands for an argument that lends: itself, or the mark of a field.
    pub(super) lent: &'a dyn Fn(&Expr) -> Option<Expr>,
    /// Whether an argument is a call that makes a list.
    pub(super) makes: &'a dyn Fn(&Expr) -> bool,
    /// The number of the next name.
    pub(super) next: &'a mut usize,
}

impl LentCalls<'_> {
    /// The statements that bind the names, of a chain from its end.
    pub(super) fn named(&mut self, chain: &mut Expr) -> Vec<Stmt> {
        let mut found = Vec::new();
        if let Expr::MethodCall(call) = chain
            && is_extended(call)
        {
            call.args
                .iter_mut()
                .for_each(|arg| self.name_made(arg, &mut found));
            return found;
        }
        let makes = self.is_in_order(chain) && self.makes_after(chain);
        let makes = makes && self.name_first(chain, &mut found);
        self.name(chain, makes, &mut found);
        found
    }

    /// Names the list that a chain begins with, where it is made by a call. Whether nothing else is.
    fn name_first(&mut self, chain: &mut Expr, found: &mut Vec<Stmt>) -> bool {
        if (self.makes)(chain) {
            self.name_made(chain, found);
            return true;
        }
        match chain {
            Expr::MethodCall(call) if is_called(&call.receiver) && is_gone_through(call) => {
                let list = (*call.receiver).clone();
                self.give_name(&mut call.receiver, list, found);
                true
            }
            chain if is_called(chain) => false,
            Expr::MethodCall(call) => self.name_first(&mut call.receiver, found),
            _ => true,
        }
    }

    /// Whether a list is made in an argument of a chain.
    fn makes_after(&self, chain: &Expr) -> bool {
        let Expr::MethodCall(call) = chain else {
            return false;
        };
        let is_made = |arg: &Expr| self.is_made(arg);
        is_joined(call) && call.args.iter().any(is_made) || self.makes_after(&call.receiver)
    }

    /// Whether an argument is a list that is made there, or a reference to one.
    fn is_made(&self, arg: &Expr) -> bool {
        match arg {
            // what can be gone through by reference is a list
            Expr::Reference(lent) => lent.mutability.is_none() && is_called(&lent.expr),
            arg => (self.makes)(arg),
        }
    }

    /// Whether what a chain evaluates before it runs may be evaluated in front of it, one after the other: what gets no name has no calls in it.
    fn is_in_order(&self, chain: &Expr) -> bool {
        let Expr::MethodCall(call) = chain else {
            return true;
        };
        let named = |arg: &Expr| self.is_made(arg) || (self.lent)(arg).is_some();
        let plain = |arg: &Expr| match is_joined(call) {
            true => named(arg) || !has(arg, &is_called),
            false => !has(arg, &|_| true),
        };
        call.args.iter().all(plain) && self.is_in_order(&call.receiver)
    }

    /// Gives a list a name that is made here, or a reference to it.
    fn name_made(&mut self, arg: &mut Expr, found: &mut Vec<Stmt>) {
        if !self.is_made(arg) {
            return;
        }
        let made = match arg {
            Expr::Reference(lent) => &mut *lent.expr,
            arg => arg,
        };
        let list = made.clone();
        self.give_name(made, list, found);
    }

    fn give_name(&mut self, arg: &mut Expr, lent: Expr, found: &mut Vec<Stmt>) {
        let name = hidden(&format!("lent{}", self.next));
        *self.next += 1;
        found.push(syn::parse_quote!(let #name = #lent;));
        *arg = syn::parse_quote!(#name);
    }

    /// Names what is lent to a chain, and the lists that are made in it if `makes` says so.
    fn name(&mut self, chain: &mut Expr, makes: bool, found: &mut Vec<Stmt>) {
        let call = match chain {
            Expr::MethodCall(call) => call,
            Expr::Paren(of) => return self.name(&mut of.expr, makes, found),
            _ => return,
        };
        self.name(&mut call.receiver, makes, found);
        if !is_joined(call) {
            return;
        }
        for arg in &mut call.args {
            match (self.lent)(arg) {
                Some(lent) => self.give_name(arg, lent, found),
                None => {
                    if makes {
                        self.name_made(arg, found);
                    }
                    self.name(arg, makes, found);
                }
            }
        }
    }
}

/// Whether a method joins another iterator to a chain.
fn is_joined(call: &ExprMethodCall) -> bool {
    ["zip", "chain"].iter().any(|name| call.method == name)
}

/// Whether a method goes through a list from its beginning.
fn is_gone_through(call: &ExprMethodCall) -> bool {
    call.method == "iter" && call.args.is_empty()
}

/// Whether a call puts a list at the end of another.
fn is_extended(call: &ExprMethodCall) -> bool {
    let extends = call.method == "extend" || call.method == "extend_from_slice";
    extends && call.args.len() == 1
}

/// Whether such a call stands in an expression, or a macro, outside of closures.
fn has(expr: &Expr, call: &dyn Fn(&Expr) -> bool) -> bool {
    struct Find<'a>(&'a dyn Fn(&Expr) -> bool, bool);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            self.1 |= match expr {
                Expr::Call(_) | Expr::MethodCall(_) => (self.0)(expr),
                expr => matches!(expr, Expr::Macro(_)),
            };
            visit::visit_expr(self, expr);
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    }
    let mut find = Find(call, false);
    find.visit_expr(expr);
    find.1
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
            makes: &|arg| matches!(arg, Expr::Call(call) if matches!(&*call.func, Expr::Path(of) if of.path.is_ident("solve"))),
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
    fn lists_are_made_in_their_order() {
        let name = |i| hidden(&format!("lent{i}"));
        let (first, second) = (name(0), name(1));
        assert_eq!(
            named("solve(x).iter().zip(&solve(y)).map(|(a,b)|a*b).sum()"),
            format!(
                "let{first}=solve(x);let{second}=solve(y);{first}.iter().zip(&{second}).map(|(a,b)|a*b).sum()"
            )
        );
        assert_eq!(
            named("log.extend(solve(x))"),
            format!("let{first}=solve(x);log.extend({first})")
        );
        for text in [
            "solve(x).iter().sum()",
            "x.iter().skip(count(y)).zip(solve(x))",
        ] {
            assert_eq!(named(text), text);
        }
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
