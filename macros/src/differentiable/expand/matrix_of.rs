//! `DMatrix::from_fn(m, n, |i, j| …)` and the like of `nalgebra`: the entries, column after column, are those of a loop.

use syn::{Expr, ExprCall, ExprClosure, Pat};

/// Rows and columns of a type of fixed size.
fn size(name: &str) -> Option<(usize, usize)> {
    Some(match name {
        "Vector2" => (2, 1),
        "Vector3" => (3, 1),
        "Vector4" => (4, 1),
        "Vector6" => (6, 1),
        "Matrix2" => (2, 2),
        "Matrix3" => (3, 3),
        "Matrix4" => (4, 4),
        "Matrix2x3" => (2, 3),
        "Matrix3x2" => (3, 2),
        _ => return None,
    })
}

/// What makes the same vector or matrix of a list of its entries.
pub(crate) fn of_entries(call: &ExprCall) -> Option<Expr> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let mut names = path.path.segments.iter().rev().map(|s| &s.ident);
    let (name, ty) = (names.next()?, names.next()?);
    let (Some(Expr::Closure(f)), true) = (call.args.last(), name == "from_fn") else {
        return None;
    };
    let (i, j) = indices(f)?;
    let entry = &f.body;
    let ty_name = ty.to_string();
    let make = |name: &str| {
        let mut make = path.clone();
        make.path.segments.last_mut().expect("a name").ident = syn::Ident::new(name, ty.span());
        make
    };
    match (&*ty_name, call.args.len()) {
        ("DMatrix", 3) => {
            let (rows, columns, make) = (&call.args[0], &call.args[1], make("from_vec"));
            Some(syn::parse_quote!({
                let (__m, __n) = (#rows, #columns);
                let mut __entries = ::std::vec::Vec::with_capacity(__m * __n);
                for #j in 0..__n { for #i in 0..__m { __entries.push(#entry); } }
                #make(__m, __n, __entries)
            }))
        }
        ("DVector", 2) if matches!(j, Pat::Wild(_)) => {
            let (rows, make) = (&call.args[0], make("from_vec"));
            Some(syn::parse_quote!({
                let mut __entries = ::std::vec::Vec::new();
                for #i in 0..#rows { __entries.push(#entry); }
                #make(__entries)
            }))
        }
        (ty, 1) => {
            let ((m, n), make) = (size(ty)?, make("from_column_slice"));
            let [m, n] = [m, n].map(syn::Index::from);
            Some(syn::parse_quote!({
                let mut __entries = ::std::vec::Vec::with_capacity(#m * #n);
                for #j in 0..#n { for #i in 0..#m { __entries.push(#entry); } }
                #make(&__entries)
            }))
        }
        _ => None,
    }
}

/// The names of row and column.
fn indices(f: &ExprClosure) -> Option<(&Pat, &Pat)> {
    let plain = |pat: &&Pat| matches!(pat, Pat::Ident(_) | Pat::Wild(_));
    let mut names = f.inputs.iter().filter(plain);
    let (i, j) = (names.next()?, names.next()?);
    (f.inputs.len() == 2).then_some((i, j))
}
