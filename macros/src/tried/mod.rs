//! Functions that may give no value and change what they are lent before they say so: a second function returns their `Option` as a value.
//!
//! The rules of a function that returns an `Option` or a `Result` fail as it does, and leave no tape: where a caller goes on, what the callee
//! changed before would have no derivative. So where the crate asks such a call by a pattern or a query, there is a function beside it which always
//! returns, and the caller calls that:
//!
//! ```text
//! fn step(s: &mut f64) -> Option<f64> { *s *= 2.0; if *s > 9.0 { return None; } Some(*s) }
//! fn __tried_step(s: &mut f64) -> Present<f64> { *s *= 2.0; if *s > 9.0 { return Present(None); } Present(Some(*s)) }
//! // while let Some(v) = step(&mut s) { … }
//! loop { let tried = __tried_step(&mut s); match tried.0 { Some(v) => { … } _ => break } }
//! ```
//!
//! | module | what it does |
//! |---|---|
//! | `body` | writes the body of the second function |
//! | `returned` | makes a `?` of an arm that only returns the error |
//! | `asked` | reads in the files of the crate whom it asks |
//! | `values` | reads there which types have a tangent space |
//!
//! Errors carry no derivative and need not be `Clone`: the second function drops them, and a caller whose pattern binds one is refused, unless the
//! arm only returns it.

pub(crate) mod asked;
pub(crate) mod body;
pub(crate) mod returned;
mod values;

use syn::ext::IdentExt;
use syn::{Block, Ident, ImplItem, ItemFn, ItemImpl, Signature};

use crate::files::own_file::{Exported, exported};
use asked::Asked;
use body::Second;

/// What the name of a second function begins with.
pub(crate) const TRIED: &str = "__tried_";

/// The name of the second function of one of this name.
pub(crate) fn named(function: &Ident) -> Ident {
    quote::format_ident!("{TRIED}{}", function.unraw(), span = function.span())
}

/// The name of the function that files have, of which this is the name or that of its second one.
pub(crate) fn first(name: &str) -> &str {
    name.strip_prefix(TRIED).unwrap_or(name)
}

/// The second function of a function that the crate asks.
pub(crate) fn of_function(item: &ItemFn) -> Option<ItemFn> {
    if exported(&item.sig.ident) != Exported::No {
        return None;
    }
    let (
        vis,
        Second {
            signature, body, ..
        },
    ) = (&item.vis, second(&item.sig, &item.block)?);
    Some(syn::parse_quote!(#[doc(hidden)] #[allow(unused, non_snake_case)] #vis #signature #body))
}

/// Writes the second functions of methods that the crate asks beside them.
pub(crate) fn add_methods(block: &mut ItemImpl) {
    if block.trait_.is_some() {
        return;
    }
    let methods = block.items.iter().filter_map(|item| {
        let ImplItem::Fn(method) = item else {
            return None;
        };
        let (
            vis,
            Second {
                signature, body, ..
            },
        ) = (&method.vis, second(&method.sig, &method.block)?);
        Some(syn::parse_quote!(#[doc(hidden)] #[allow(unused)] #vis #signature #body))
    });
    let methods: Vec<ImplItem> = methods.collect();
    block.items.extend(methods);
}

/// The second function of one with this signature, under its name, if the crate asks for it.
fn second(signature: &Signature, body: &Block) -> Option<Second> {
    let name = &signature.ident;
    if !Asked::of(name)?.has(signature) {
        return None;
    }
    let mut second = body::tried(signature, body)?;
    second.signature.ident = named(name);
    Some(second)
}

/// Methods that ask an `Option` or a `Result` whether there is a value, or say what stands for one.
pub(crate) fn is_query(method: &Ident) -> bool {
    const QUERIES: [&str; 9] = [
        "is_some",
        "is_none",
        "is_ok",
        "is_err",
        "ok",
        "unwrap_or",
        "unwrap_or_default",
        "unwrap_or_else",
        "map_or",
    ];
    QUERIES.iter().any(|query| method == query)
}
