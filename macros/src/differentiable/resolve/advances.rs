//! Iterators that nothing names but statements, conditions and `match`es that advance them: `while let Some(d) = doses.next() { … }`.

use std::collections::{HashMap, HashSet};

use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::tokens::text::words;

/// How often names stand in a body, and how often as what is advanced there.
#[derive(Default)]
struct Advances {
    named: HashMap<String, usize>,
    advanced: HashMap<String, usize>,
}

/// The names of the iterators that nothing else is done with.
pub(crate) fn alone(body: &Block) -> HashSet<String> {
    let mut found = Advances::default();
    found.visit_block(body);
    let advanced = found.advanced.into_iter();
    let alone = advanced.filter(|(name, times)| found.named.get(name) == Some(times));
    alone.map(|(name, _)| name).collect()
}

impl Advances {
    /// Notes the iterator that `it.next()`, `it.peek()` advance or look at.
    fn note(&mut self, expr: &Expr) {
        if let Expr::MethodCall(call) = expr
            && ["next", "peek", "next_if"].iter().any(|m| call.method == m)
            && let Some(name) = simple_name(&call.receiver)
        {
            *self.advanced.entry(name).or_default() += 1;
        }
    }

    fn name(&mut self, name: String) {
        *self.named.entry(name).or_default() += 1;
    }
}

impl<'ast> Visit<'ast> for Advances {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(name) = path.path.get_ident() {
            self.name(name.to_string());
        }
    }
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        words(mac.tokens.clone())
            .into_iter()
            .for_each(|word| self.name(word));
    }
    fn visit_expr_let(&mut self, condition: &'ast syn::ExprLet) {
        self.note(&condition.expr);
        visit::visit_expr_let(self, condition);
    }
    fn visit_expr_match(&mut self, branch: &'ast syn::ExprMatch) {
        self.note(&branch.expr);
        visit::visit_expr_match(self, branch);
    }
    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = stmt {
            self.note(expr);
        }
        visit::visit_stmt(self, stmt);
    }
}
