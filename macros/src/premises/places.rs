//! Expressions that can be looked at twice.

use std::collections::HashSet;

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, FnArg, Pat, Signature, Type};

/// An expression for the same place as `expr` that moves nothing: `x[clone(&r)].f` of `x[r].f`. `None` for a value.
pub(super) fn again(expr: &Expr) -> Option<Expr> {
    if !is_place(expr) {
        return None;
    }
    let mut again = expr.clone();
    Borrowed.visit_expr_mut(&mut again);
    Some(again)
}

/// The local that a place is in.
pub(super) fn root(expr: &Expr) -> Option<&Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => root(&field.base),
        Expr::Index(index) => root(&index.expr),
        Expr::Paren(paren) => root(&paren.expr),
        Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => root(&unary.expr),
        _ => None,
    }
}

/// The names that are declared `mut`, or are mutable references by their types.
pub(super) fn mutable(signature: &Signature, body: &Block) -> HashSet<Ident> {
    struct Find(HashSet<Ident>);
    impl<'ast> Visit<'ast> for Find {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            if pat.mutability.is_some() {
                self.0.insert(pat.ident.clone());
            }
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut find = Find(HashSet::new());
    for arg in &signature.inputs {
        let FnArg::Typed(arg) = arg else { continue };
        find.visit_pat(&arg.pat);
        let lent = matches!(&*arg.ty, Type::Reference(r) if r.mutability.is_some());
        if let (Pat::Ident(name), true) = (&*arg.pat, lent) {
            find.0.insert(name.ident.clone());
        }
    }
    find.visit_block(body);
    find.0
}

/// Whether an expression is a place in a local: a name, with fields, indices and stars.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(path) => path.path.get_ident().is_some(),
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr),
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Group(group) => is_place(&group.expr),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)) && is_place(&unary.expr),
        _ => false,
    }
}

/// Clones the indices, which may be ranges.
struct Borrowed;

impl VisitMut for Borrowed {
    fn visit_expr_index_mut(&mut self, index: &mut syn::ExprIndex) {
        visit_mut::visit_expr_mut(self, &mut index.expr);
        if let Expr::Path(inside) = &*index.index {
            *index.index = syn::parse_quote!(::core::clone::Clone::clone(&#inside));
        }
    }
}
