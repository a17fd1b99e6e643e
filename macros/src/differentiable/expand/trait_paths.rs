//! Methods of traits by their paths: `Shape::area(&p)` is `p.area()`, `<Disc as Shape>::area(&p)` is `Disc::area(&p)`,
//! `<Disc as From<f64>>::from(r)` is `Disc::from(r)`, and `Mul::mul(x, y)` is `x * y`.
//!
//! Only of these, and of a trait of the file, which has the name for itself there: its impl block asserts that a call by the name means its method.

use quote::quote;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprCall, Ident, Path, Type};

use crate::differentiable::front::numbers;
use crate::differentiable::methods::{operations, table};
use crate::differentiable::syntax::names::hidden;
use crate::files::{own_method, own_names};

/// Writes them in a body.
pub(crate) fn written_out(body: &mut syn::Block) {
    TraitPaths.visit_block_mut(body);
}

struct TraitPaths;

impl VisitMut for TraitPaths {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_mut::visit_expr_mut(self, expr);
        if let Expr::MethodCall(call) = expr {
            call.args.iter_mut().for_each(as_closure);
        }
        let Expr::Call(call) = expr else { return };
        // a call without arguments has no derivative, and two traits may have one name
        if let Some(operation) = operation(call) {
            *expr = operation;
        } else if let (false, Some(of_type)) = (call.args.is_empty(), of_type(&call.func)) {
            *call.func = of_type;
        }
        let Expr::Call(call) = expr else { return };
        if let Some(method) = of_trait(&call.func).or_else(|| of_number(&call.func))
            && own_method::is_of_one_trait(&method)
            && !has_a_meaning(&method)
            && let Some(named) = by_name(call, &method)
        {
            *expr = named;
        }
    }

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// `|a, b| a * b` for `Mul::mul`, `|a| a.to_vec()` for `<[f64]>::to_vec`: `fold(1.0, Mul::mul)`, `map(<[f64]>::to_vec)`.
fn as_closure(arg: &mut Expr) {
    let Expr::Path(path) = &*arg else { return };
    let [a, b] = ["a", "b"].map(hidden);
    if let Some(method) = of_entries(path) {
        *arg = syn::parse_quote!(|#a| #a.#method());
        return;
    }
    let made = [quote!(#a), quote!(#a, #b)].into_iter().find_map(|names| {
        let call = syn::parse_quote!(#arg(#names));
        let operation = operation(&call)?;
        Some(syn::parse_quote!(|#names| #operation))
    });
    if let Some(made) = made {
        *arg = made;
    }
}

/// The method that a path names of slices, or of a number: `to_vec` of `<[f64]>::to_vec`, `clone` of `f64::clone`.
fn of_entries(path: &syn::ExprPath) -> Option<&Ident> {
    let (first, last) = (path.path.segments.first()?, path.path.segments.last()?);
    let is_one = match &path.qself {
        Some(own) => own.as_token.is_none() && matches!(*own.ty, Type::Slice(_)),
        None => last.ident == "clone" && numbers::is_primitive(&first.ident),
    };
    is_one.then_some(&last.ident)
}

/// `x * y` of `Mul::mul(x, y)`, `f64::mul(x, y)` and `<f64 as Mul>::mul(x, y)`.
fn operation(call: &ExprCall) -> Option<Expr> {
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let segments = &path.path.segments;
    let [of, method] = [2, 1].map(|i| Some(&segments[segments.len().checked_sub(i)?].ident));
    let (of, method) = (of?, method?.to_string());
    let args: Vec<&Expr> = call.args.iter().collect();
    // `f64::mul` is that of the trait in scope
    let is = |name: &str| {
        let named = of == name || numbers::is_primitive(of);
        named && (is_written_out(&path.path) || own_names::is_of_std(&Ident::new(name, of.span())))
    };
    Some(match (method.as_str(), &args[..]) {
        ("add", [a, b]) if is("Add") => syn::parse_quote!((#a) + (#b)),
        ("sub", [a, b]) if is("Sub") => syn::parse_quote!((#a) - (#b)),
        ("mul", [a, b]) if is("Mul") => syn::parse_quote!((#a) * (#b)),
        ("div", [a, b]) if is("Div") => syn::parse_quote!((#a) / (#b)),
        ("rem", [a, b]) if is("Rem") => syn::parse_quote!((#a) % (#b)),
        ("neg", [a]) if is("Neg") => syn::parse_quote!(-(#a)),
        _ => return None,
    })
}

/// Whether a path says whose operator it is: `std::ops::Mul::mul`.
fn is_written_out(path: &Path) -> bool {
    let mut names = path.segments.iter().map(|s| s.ident.to_string());
    let library = names
        .next()
        .is_some_and(|first| first == "std" || first == "core");
    library && names.next().is_some_and(|second| second == "ops")
}

/// `Disc::area` of `<Disc as Shape>::area`, and `f64::sin` of `<f64>::sin`.
fn of_type(func: &Expr) -> Option<Expr> {
    let Expr::Path(path) = func else { return None };
    let own = path.qself.as_ref()?;
    let Type::Path(ty) = &*own.ty else {
        return None;
    };
    let is_own = ty.qself.is_none()
        && match path.path.segments.len().checked_sub(2) {
            Some(of) => {
                path.path.leading_colon.is_none() && is_known(&path.path.segments[of].ident)
            }
            None => own.as_token.is_none(),
        };
    let mut written = ty.path.clone();
    written.segments.push(path.path.segments.last()?.clone());
    (is_own && has_no_arguments(&ty.path)).then(|| syn::parse_quote!(#written))
}

/// Whether `<Disc as Shape>::area` is what `Disc::area` is.
fn is_known(of: &Ident) -> bool {
    own_names::is_trait(of) || of == "From"
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

/// The name of the function, if a path is one of a type of numbers: `f64::area`.
fn of_number(func: &Expr) -> Option<Ident> {
    let Expr::Path(path) = func else { return None };
    let mut names = path.path.segments.iter();
    let (of, method) = (names.next()?, names.next()?);
    let is_one = path.qself.is_none() && names.next().is_none() && numbers::is_primitive(&of.ident);
    is_one.then(|| method.ident.clone())
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
