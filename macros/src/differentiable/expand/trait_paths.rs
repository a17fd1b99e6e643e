//! Methods of traits by their paths: `Shape::area(&p)` is `p.area()`, `<Disc as Shape>::area(&p)` is `Disc::area(&p)`.
//!
//! Only of a trait of the file, which has the name for itself there: its impl block asserts that a call by the name means its method.

use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, Ident, Path, Type};

use crate::differentiable::methods::{operations, table};
use crate::files::{own_method, own_names};

/// Writes them in a body.
pub(crate) fn written_out(body: &mut syn::Block) {
    TraitPaths.visit_block_mut(body);
}

struct TraitPaths;

impl VisitMut for TraitPaths {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        let Expr::Call(call) = expr else { return };
        // a call without arguments has no derivative, and two traits may have one name
        if let (false, Some(of_type)) = (call.args.is_empty(), of_type(&call.func)) {
            *call.func = of_type;
        } else if let Some(method) = of_trait(&call.func)
            && own_method::is_of_one_trait(&method)
            && !has_a_meaning(&method)
            && let Some(named) = by_name(call, &method)
        {
            *expr = named;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `Disc::area` of `<Disc as Shape>::area`.
fn of_type(func: &Expr) -> Option<Expr> {
    let Expr::Path(path) = func else { return None };
    let own = path.qself.as_ref()?;
    let Type::Path(ty) = &*own.ty else {
        return None;
    };
    let of = path.path.segments.len().checked_sub(2)?;
    let is_own = own.as_token.is_some()
        && ty.qself.is_none()
        && path.path.leading_colon.is_none()
        && own_names::is_trait(&path.path.segments[of].ident);
    let mut written = ty.path.clone();
    written.segments.push(path.path.segments.last()?.clone());
    (is_own && has_no_arguments(&ty.path)).then(|| syn::parse_quote!(#written))
}

fn has_no_arguments(path: &Path) -> bool {
    path.segments.iter().all(|s| s.arguments.is_none())
}

/// The name of the method, if a path is one of a trait of the file that is in scope.
pub(crate) fn of_trait(func: &Expr) -> Option<Ident> {
    let Expr::Path(path) = func else { return None };
    let mut names = path.path.segments.iter();
    let (of, method) = (names.next()?, names.next()?);
    let is_own = path.qself.is_none() && names.next().is_none() && own_names::is_trait(&of.ident);
    is_own.then(|| method.ident.clone())
}

fn has_a_meaning(method: &Ident) -> bool {
    let name = method.to_string();
    table::is_std_method(&name) || operations::is_operation(&name)
}

/// `p.area()` of `Shape::area(&p)`.
fn by_name(call: &ExprCall, method: &Ident) -> Option<Expr> {
    let mut args = call.args.iter();
    let receiver = match args.next()? {
        Expr::Reference(lent) => &lent.expr,
        receiver => receiver,
    };
    Some(syn::parse_quote!((#receiver).#method(#(#args),*)))
}
