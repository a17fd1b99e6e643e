//! What binds references, what swaps them, and what else is done with them.

use std::collections::HashSet;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident};
use syn::visit::{self, Visit};
use syn::{Expr, Local, Pat, Stmt};

use crate::differentiable::methods::paths;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::tokens::text;

/// The names that a `let` binds to references, as far as tokens tell; `known` are names of references.
pub(crate) fn references(local: &Local, known: &HashSet<String>) -> Vec<String> {
    let (pat, written) = match &local.pat {
        Pat::Type(typed) => (&*typed.pat, matches!(&*typed.ty, syn::Type::Reference(_))),
        pat => (pat, false),
    };
    let Some(init) = &local.init else {
        return Vec::new();
    };
    match (pat, &*init.expr) {
        (Pat::Ident(name), init) if written || is_reference(init, known) => {
            vec![name.ident.to_string()]
        }
        (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
            let pairs = pats.elems.iter().zip(&values.elems);
            let lent = pairs.filter(|(_, value)| is_reference(value, known));
            lent.flat_map(|(pat, _)| bound_names(pat)).collect()
        }
        (Pat::Tuple(_), Expr::MethodCall(call))
            if call.method == "split_at" || call.method == "split_at_mut" =>
        {
            bound_names(pat)
        }
        _ => Vec::new(),
    }
}

fn is_reference(init: &Expr, known: &HashSet<String>) -> bool {
    match init {
        Expr::Reference(_) => true,
        Expr::MethodCall(call) => ["as_slice", "as_mut_slice"]
            .iter()
            .any(|m| call.method == m),
        init => simple_name(init).is_some_and(|name| known.contains(&name)),
    }
}

/// The two names that a statement swaps.
pub(crate) fn swap_of(stmt: &Stmt) -> Option<(String, String)> {
    let lent = |arg: &Expr| match arg {
        Expr::Reference(lent) if lent.mutability.is_some() => simple_name(&lent.expr),
        _ => None,
    };
    match stmt {
        Stmt::Expr(Expr::Call(call), _) => {
            let swaps = paths::is(&call.func, &["mem", "swap"], 1) && call.args.len() == 2;
            match swaps {
                true => Some((lent(&call.args[0])?, lent(&call.args[1])?)),
                false => None,
            }
        }
        // `(a, b) = (b, a);`
        Stmt::Expr(Expr::Assign(assign), _) => match (&*assign.left, &*assign.right) {
            (Expr::Tuple(left), Expr::Tuple(right))
                if left.elems.len() == 2 && right.elems.len() == 2 =>
            {
                let pair = |of: &syn::ExprTuple, i: usize| simple_name(&of.elems[i]);
                let (a, b) = (pair(left, 0)?, pair(left, 1)?);
                (pair(right, 0)? == b && pair(right, 1)? == a).then_some((a, b))
            }
            _ => None,
        },
        _ => None,
    }
}

/// All pairs that are swapped in some statements, not in closures.
pub(crate) fn swaps_in(stmts: &[Stmt]) -> Vec<(String, String)> {
    struct Swaps(Vec<(String, String)>);
    impl<'ast> Visit<'ast> for Swaps {
        fn visit_stmt(&mut self, stmt: &'ast Stmt) {
            self.0.extend(swap_of(stmt));
            visit::visit_stmt(self, stmt);
        }
        fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
        fn visit_item(&mut self, _: &'ast syn::Item) {}
    }
    let mut swaps = Swaps(Vec::new());
    stmts.iter().for_each(|stmt| swaps.visit_stmt(stmt));
    swaps.0
}

pub(crate) fn mentions(stmts: &[Stmt], names: &[String]) -> bool {
    let mut tokens = TokenStream::new();
    stmts.iter().for_each(|stmt| stmt.to_tokens(&mut tokens));
    names.iter().any(|name| {
        let name = format_ident!("{name}");
        text::names(tokens.clone(), &name)
    })
}

/// Finds what is not followed: a name that is bound again or assigned otherwise, swapped in a closure, or named in the text that
/// a macro prints.
pub(crate) struct Unfollowed<'n> {
    names: &'n [String],
    found: bool,
}

impl<'n> Unfollowed<'n> {
    pub(crate) fn any(names: &'n [String], stmts: &[Stmt]) -> bool {
        let mut this = Self {
            names,
            found: false,
        };
        stmts.iter().for_each(|stmt| this.visit_stmt(stmt));
        this.found
    }

    fn is(&self, expr: &Expr) -> bool {
        simple_name(expr).is_some_and(|name| self.names.contains(&name))
    }
}

impl<'ast> Visit<'ast> for Unfollowed<'_> {
    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if swap_of(stmt).is_none() {
            visit::visit_stmt(self, stmt);
        }
    }
    fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
        self.found |= self.names.iter().any(|name| pat.ident == name);
        visit::visit_pat_ident(self, pat);
    }
    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.found |= self.is(&assign.left);
        visit::visit_expr_assign(self, assign);
    }
    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        let body: &Expr = &closure.body;
        let in_closure = [Stmt::Expr(body.clone(), None)];
        self.found |= swaps_in(&in_closure)
            .iter()
            .any(|(a, _)| self.names.contains(a));
        visit::visit_expr_closure(self, closure);
    }
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let text = mac.tokens.to_string();
        self.found |= self
            .names
            .iter()
            .any(|name| text.contains(&format!("{{{name}")));
    }
}
