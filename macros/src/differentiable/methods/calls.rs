//! What is known of calls of methods: their names, and how many arguments they have and which.

use super::table::{self, Fact, has_std_arity, is_query_of_a_value, is_std_method};

/// Methods whose result carries no derivative, whatever they are called on, and that have no effect.
pub(crate) fn is_query(call: &syn::ExprMethodCall) -> bool {
    let name = call.method.to_string();
    let searches = table::is(&name, Fact::Searches) || name == "contains";
    match searches {
        true => has_std_arity(&name, call.args.len()),
        false => is_query_of_a_value(&name),
    }
}

/// Whether a call is called like a query, but asks with a value where the standard library's takes a closure or nothing:
/// `curve.position(t)`, `curve.dim(t)`.
pub(crate) fn asks_by_value(
    call: &syn::ExprMethodCall,
    is_value: impl Fn(&syn::Expr) -> bool,
) -> bool {
    let name = call.method.to_string();
    let asks = table::is(&name, Fact::AsksNothing);
    let searches = table::is(&name, Fact::Searches) && name != "count";
    let number = |arg: &_| matches!(arg, syn::Expr::Lit(literal) if matches!(literal.lit, syn::Lit::Float(_)));
    let value = |arg: &_| !matches!(arg, syn::Expr::Closure(_)) && (number(arg) || is_value(arg));
    (asks || searches) && call.args.first().is_some_and(value)
}

/// Whether a call gives the position of an extreme entry: `x.iter().enumerate().max_by(order).map(|(i, _)| i)`.
pub(crate) fn is_position(call: &syn::ExprMethodCall) -> bool {
    let (Some(syn::Expr::Closure(map)), syn::Expr::MethodCall(chosen)) =
        (call.args.first(), &*call.receiver)
    else {
        return false;
    };
    let numbered = matches!(&*chosen.receiver, syn::Expr::MethodCall(numbered) if numbered.method == "enumerate");
    let chooses = ["max_by", "min_by", "find"].map(|name| chosen.method == name);
    let first = match (map.inputs.first(), &*map.body) {
        (Some(syn::Pat::Tuple(pair)), syn::Expr::Path(body)) => {
            matches!(pair.elems.first(), Some(syn::Pat::Ident(first)) if body.path.is_ident(&first.ident))
        }
        _ => false,
    };
    call.method == "map" && chooses.contains(&true) && numbered && first
}

/// As [`is_std_method`], of a call: one with another number of arguments than the standard library's is a method of the user's own.
pub(crate) fn is_std_call(call: &syn::ExprMethodCall) -> bool {
    let name = call.method.to_string();
    is_std_method(&name) && has_std_arity(&name, call.args.len())
}

/// Whether a call has the name of a method of the standard library, and another number of arguments.
pub(crate) fn is_stranger(call: &syn::ExprMethodCall) -> bool {
    is_std_method(&call.method.to_string()) && !is_std_call(call)
}

/// What a call gives of which is known that it gives a value: an `unwrap` that asks nothing of the error, told by its empty `::<>`.
pub(crate) fn tested(call: &syn::Expr) -> syn::Expr {
    syn::parse_quote!(#call.unwrap::<>())
}

/// How the value comes out of what `call` is called on.
pub(crate) fn unpacked(call: &syn::ExprMethodCall) -> proc_macro2::TokenStream {
    let (method, args) = (&call.method, &call.args);
    match call.turbofish.is_some() {
        // an error need not be `Debug`
        true => quote::quote!(.into_iter().next().unwrap()),
        false => quote::quote!(.#method(#args)),
    }
}

/// Whether a call gives what an `Option` or a `Result` holds: `o.unwrap()`, `o.expect("a value")`.
pub(crate) fn unwraps(call: &syn::ExprMethodCall) -> bool {
    table::is(&call.method.to_string(), Fact::Unwraps)
}

/// Whether a call marks what has no derivative, as its type must say: `inert(n.count_ones())`.
pub(crate) fn is_inert(call: &syn::ExprCall) -> bool {
    is_ours(call, "inert") || is_borrowed(call)
}

/// Whether a call marks a field that is a reference: `borrowed(&table.xs)`.
pub(crate) fn is_borrowed(call: &syn::ExprCall) -> bool {
    is_ours(call, "borrowed")
}

fn is_ours(call: &syn::ExprCall, name: &str) -> bool {
    matches!(&*call.func, syn::Expr::Path(path) if path.path.leading_colon.is_some()
        && path.path.segments.last().is_some_and(|last| last.ident == name))
}
