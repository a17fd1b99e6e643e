//! What patterns bind.

use syn::visit::{self, Visit};
use syn::{Expr, Pat};

pub(crate) fn contains_let(expr: &Expr) -> bool {
    struct Find(bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
    }
    let mut find = Find(false);
    find.visit_expr(expr);
    find.0
}

/// Whether a pattern binds a part by reference.
pub(crate) fn has_reference(pat: &Pat) -> bool {
    finds(pat, |name| name.by_ref.is_some())
}

/// Whether a pattern binds a part by mutable reference.
pub(crate) fn has_mutable_reference(pat: &Pat) -> bool {
    finds(pat, |name| {
        name.by_ref.is_some() && name.mutability.is_some()
    })
}

/// Whether a pattern has a mutable name, of a value.
pub(crate) fn has_mutable_name(pat: &Pat) -> bool {
    finds(pat, |name| {
        name.by_ref.is_none() && name.mutability.is_some()
    })
}

/// The names that a pattern binds by reference where what it is matched with is a reference: not those behind its own `&`.
pub(crate) fn lent_names(pat: &Pat) -> Vec<syn::Ident> {
    struct Names(Vec<syn::Ident>);
    impl<'ast> Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.0.push(pat.ident.clone());
            visit::visit_pat_ident(self, pat);
        }
        fn visit_pat_reference(&mut self, _: &'ast syn::PatReference) {}
    }
    let mut names = Names(Vec::new());
    names.visit_pat(pat);
    names.0
}

fn finds(pat: &Pat, is: fn(&syn::PatIdent) -> bool) -> bool {
    struct Find(fn(&syn::PatIdent) -> bool, bool);
    impl<'ast> Visit<'ast> for Find {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.1 |= self.0(pat);
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut find = Find(is, false);
    find.visit_pat(pat);
    find.1
}
