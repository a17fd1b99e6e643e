//! Names: of the user's, and those that only the compiler writes.

use proc_macro2::{Ident, Span};
use syn::Expr;

/// The name of a local that syntax is written out with. Names are looked up by their texts, so that it must be none that people write.
pub(crate) fn hidden(name: &str) -> Ident {
    Ident::new(&format!("__{name}"), Span::mixed_site())
}

/// The name of a local, if that is all there is.
pub(crate) fn simple_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Path(path) => path.path.get_ident().map(ToString::to_string),
        Expr::Paren(paren) => simple_name(&paren.expr),
        Expr::Group(group) => simple_name(&group.expr),
        _ => None,
    }
}

/// A name as it is declared, where a call may have it as a raw identifier.
pub(crate) fn plain(name: &str) -> &str {
    name.trim_start_matches("r#")
}

/// The type `()`.
pub(crate) fn is_unit(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Tuple(unit) if unit.elems.is_empty())
}
