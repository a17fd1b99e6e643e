//! Names that are declared first and get their value in a loop, or in a branch beside one that leaves: in generated code exits are flags, and
//! nothing tells that such a name has its value where it is read. So it begins blank.
//!
//! ```text
//! let y; loop { y = f(x); if y < 1.0 { break; } }     // let mut y = blank; loop { … }
//! let (a, [b, c]): Quaternion;                        // let a; let b; let c;
//! ```

use proc_macro2::TokenStream;
use quote::quote;
use syn::visit::{self, Visit};
use syn::{Expr, Ident, Pat, Stmt, Type};

/// The statements of a block, in which such names have a value from the beginning.
pub(crate) fn begun(stmts: &mut Vec<Stmt>) {
    let mut begun = Vec::new();
    for (i, stmt) in stmts.iter().enumerate() {
        match later(stmt) {
            Some(declared) => begun.extend(declared.into_iter().map(|(name, ty)| {
                match is_hidden(&name, &stmts[i + 1..]) {
                    true => {
                        syn::parse_quote!(let mut #name #ty = ::coenzyme::__private::Blank::blank();)
                    }
                    false => syn::parse_quote!(let #name #ty;),
                }
            })),
            None => begun.push(stmt.clone()),
        }
    }
    *stmts = begun;
}

/// The names that a statement declares without a value, each with what stands behind it.
fn later(stmt: &Stmt) -> Option<Vec<(Ident, TokenStream)>> {
    let Stmt::Local(local) = stmt else {
        return None;
    };
    if local.init.is_some() || !local.attrs.is_empty() {
        return None;
    }
    let (pat, ty) = match &local.pat {
        Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
        pat => (pat, None),
    };
    let mut found = Vec::new();
    parts(pat, ty, &mut found).then_some(found)
}

/// The names of a pattern, each with its type where that is written out. Whether it has names alone.
fn parts(pat: &Pat, ty: Option<&Type>, found: &mut Vec<(Ident, TokenStream)>) -> bool {
    match pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            let ty = ty.map(|ty| quote!(: #ty)).unwrap_or_default();
            found.push((pat.ident.clone(), ty));
            true
        }
        Pat::Tuple(tuple) => {
            let of = |i: usize| match ty {
                Some(Type::Tuple(types)) => types.elems.get(i),
                _ => None,
            };
            let mut elems = tuple.elems.iter().enumerate();
            elems.all(|(i, pat)| parts(pat, of(i), found))
        }
        Pat::Slice(slice) => {
            let of = match ty {
                Some(Type::Array(array)) => Some(&*array.elem),
                _ => None,
            };
            slice.elems.iter().all(|pat| parts(pat, of, found))
        }
        Pat::Wild(_) => true,
        _ => false,
    }
}

/// Whether a name gets a value where only the flow of control tells that it has one.
fn is_hidden(name: &Ident, stmts: &[Stmt]) -> bool {
    stmts.iter().any(|stmt| {
        let mut found = Assigned {
            name,
            loops: 0,
            in_loop: false,
            anywhere: false,
            lent: false,
            leaves: false,
        };
        found.visit_stmt(stmt);
        !found.lent && (found.in_loop || found.anywhere && found.leaves)
    })
}

struct Assigned<'a> {
    name: &'a Ident,
    loops: usize,
    in_loop: bool,
    anywhere: bool,
    /// A reference has no blank.
    lent: bool,
    leaves: bool,
}

impl<'ast> Visit<'ast> for Assigned<'_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Assign(assign) if names(&assign.left, self.name) => {
                self.anywhere = true;
                self.in_loop |= self.loops > 0;
                self.lent |= matches!(&*assign.right, Expr::Reference(_));
            }
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) | Expr::Try(_) => {
                self.leaves = true;
            }
            _ => {}
        }
        let is_loop = matches!(expr, Expr::Loop(_) | Expr::While(_) | Expr::ForLoop(_));
        self.loops += usize::from(is_loop);
        visit::visit_expr(self, expr);
        self.loops -= usize::from(is_loop);
    }

    fn visit_expr_closure(&mut self, _: &'ast syn::ExprClosure) {}
    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// `y` of `y = f(x)` and of `(y, z) = f(x)`.
fn names(left: &Expr, name: &Ident) -> bool {
    match left {
        Expr::Path(path) => path.path.is_ident(name),
        Expr::Tuple(tuple) => tuple.elems.iter().any(|left| names(left, name)),
        Expr::Array(array) => array.elems.iter().any(|left| names(left, name)),
        _ => false,
    }
}
