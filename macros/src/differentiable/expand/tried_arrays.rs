//! Fixed arrays of slices that may have another length: the length is tested first.
//!
//! ```text
//! let a: [f64; 3] = x.try_into().map_err(|_| E)?;       // if x.len() != 3 { return Err(E.into()) } let a: [f64; 3] = x.try_into().unwrap();
//! let a: [f64; 3] = x[..3].try_into().ok()?;            // if x[..3].len() != 3 { return None } …
//! let Ok(a) = <[f64; 3]>::try_from(x) else { return 0.0 };
//! ```

use syn::visit_mut::{self, VisitMut};
use syn::{Block, Expr, ExprMethodCall, Local, Pat, PatType, Stmt, Type, TypeArray};

/// Writes them in a body.
pub(crate) fn written_out(body: &mut Block) {
    TriedArrays.visit_block_mut(body);
}

struct TriedArrays;

impl VisitMut for TriedArrays {
    fn visit_block_mut(&mut self, block: &mut Block) {
        visit_mut::visit_block_mut(self, block);
        let stmts = std::mem::take(&mut block.stmts).into_iter();
        block.stmts = stmts
            .flat_map(|stmt| match &stmt {
                Stmt::Local(local) => tested(local).unwrap_or_else(|| vec![stmt]),
                _ => vec![stmt],
            })
            .collect();
    }

    // what a closure returns is not what the function does
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// The test, and the local behind it.
fn tested(local: &Local) -> Option<Vec<Stmt>> {
    let init = local.init.as_ref()?;
    let (pat, ty, of, otherwise): (Pat, TypeArray, Expr, Expr) = match &init.diverge {
        Some((_, otherwise)) => {
            let (pat, ty, of) = present(&local.pat, &init.expr)?;
            (pat, ty, of, (**otherwise).clone())
        }
        None => {
            let Pat::Type(PatType { pat, ty, .. }) = &local.pat else {
                return None;
            };
            let Type::Array(ty) = &**ty else { return None };
            let (of, otherwise) = questioned(&init.expr)?;
            ((**pat).clone(), ty.clone(), of, otherwise)
        }
    };
    let n = &ty.len;
    is_place(&of).then(|| {
        vec![
            syn::parse_quote!(if (#of).len() != (#n) { #otherwise }),
            syn::parse_quote!(let #pat: #ty = #of.try_into().unwrap();),
        ]
    })
}

/// Of `let Ok(a) = <[f64; 3]>::try_from(x) else { … }`: what `a` is, its type, and `x`.
fn present(pat: &Pat, tried: &Expr) -> Option<(Pat, TypeArray, Expr)> {
    let (Pat::TupleStruct(ok), Expr::Call(call)) = (pat, tried) else {
        return None;
    };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let Type::Array(ty) = &*path.qself.as_ref()?.ty else {
        return None;
    };
    let is_it = ok.path.is_ident("Ok") && path.path.segments.last()?.ident == "try_from";
    let (inside, of) = (ok.elems.first()?, call.args.first()?);
    let of = match of {
        Expr::Reference(lent) => &lent.expr,
        of => of,
    };
    is_it.then(|| (inside.clone(), ty.clone(), of.clone()))
}

/// Of `x.try_into().map_err(|_| E)?`: `x`, and what is returned if it has another length.
fn questioned(init: &Expr) -> Option<(Expr, Expr)> {
    let Expr::Try(tried) = init else { return None };
    let Expr::MethodCall(then) = &*tried.expr else {
        return None;
    };
    let Expr::MethodCall(call) = &*then.receiver else {
        return None;
    };
    if call.method != "try_into" || !call.args.is_empty() {
        return None;
    }
    let otherwise = match then.method.to_string().as_str() {
        "ok" if then.args.is_empty() => syn::parse_quote!(return None),
        "map_err" => {
            let error = error_of(then)?;
            syn::parse_quote!(return Err(::core::convert::From::from(#error)))
        }
        _ => return None,
    };
    Some(((*call.receiver).clone(), otherwise))
}

/// `E` of `map_err(|_| E)`: what does not look at the library's own error.
fn error_of(map: &ExprMethodCall) -> Option<Expr> {
    let Some(Expr::Closure(f)) = map.args.first() else {
        return None;
    };
    let ignores = match f.inputs.first()? {
        Pat::Wild(_) => true,
        Pat::Type(typed) => matches!(*typed.pat, Pat::Wild(_)),
        Pat::Ident(name) => name.ident.to_string().starts_with('_'),
        _ => false,
    };
    ignores.then(|| (*f.body).clone())
}

/// Whether an expression may stand twice.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Paren(of) => is_place(&of.expr),
        Expr::Reference(of) => is_place(&of.expr),
        Expr::Field(of) => is_place(&of.base),
        Expr::Index(of) => is_place(&of.expr) && is_plain(&of.index),
        _ => false,
    }
}

/// Whether an index has no effects.
fn is_plain(index: &Expr) -> bool {
    match index {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(of) => is_plain(&of.expr),
        Expr::Binary(of) => is_plain(&of.left) && is_plain(&of.right),
        Expr::Range(of) => [&of.start, &of.end]
            .into_iter()
            .all(|end| end.as_deref().is_none_or(is_plain)),
        _ => false,
    }
}
