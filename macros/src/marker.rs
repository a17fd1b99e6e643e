//! An expression for the marker of the function that a path names.
//!
//! A marker has the name of its function, in the namespace of types. So an import of the function is one of the marker, and where nothing
//! of the name is imported as a type, the name means what it means in the block around (or the file of the function, see [`own_file`]):
//!
//! ```text
//! {
//!     type __marker_of_lerp = Unmarked;                  // whose rule is an error that says what to write
//!     {
//!         use crate::math::lerp as __marker_of_lerp;     // a marker; the module of a function in a file of its own name; no type at all
//!         __marker_of_lerp::__rule()
//!     }
//! }
//! ```

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Path, PathArguments};

use crate::files::{edition, own_file, own_names, scope};

/// The marker of the function that a path names.
pub(crate) fn of(path: &Path) -> TokenStream {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = PathArguments::None;
    }
    let names: Vec<Ident> = path.segments.iter().map(|s| s.ident.clone()).collect();
    let Some(last) = names.last() else {
        return TokenStream::new();
    };
    if is_plain(&path) {
        return quote!(#path {});
    }
    let (marker, called) = (in_module(last), path.clone());
    let import = match &names[..] {
        // what is imported of the module would have its name, and be another meaning of it (E0659)
        [module, name]
            if module == name
                && path.leading_colon.is_none()
                && (own_names::is_item(module) || scope::stands_in_module(module)) =>
        {
            syn::parse_quote!(self::#path)
        }
        _ => imported(path.clone()),
    };
    let module = (names.len() > 1 && names[names.len() - 2] == *last).then(|| {
        let mut module = import.clone();
        module.segments.pop();
        module.segments.pop_punct();
        quote!(#[allow(unused_imports)] use #module::*;)
    });
    let by_name = quote_spanned!(Span::mixed_site()=> use ::coenzyme::__private::Named as _;);
    let rule = quote_spanned!(last.span()=> #marker::__rule());
    let (otherwise, same) = match own_file::elsewhere(last) {
        None => (quote!(::coenzyme::__private::Unmarked), None),
        Some((file, function)) => {
            let one = quote_spanned! {last.span()=>
                ::coenzyme::__private::one_function(::coenzyme::__private::Functions(#called, #function));
            };
            (quote!(::coenzyme::__private::OwnFile<#file>), Some(one))
        }
    };
    quote! {{
        #same
        #[allow(non_camel_case_types, dead_code)]
        type #marker = #otherwise;
        {
            #module
            #[allow(unused_imports)]
            use #import as #marker;
            #[allow(unused_imports)]
            #by_name
            #rule
        }
    }}
}

/// Whether a marker is named by its path, without an import: one of a name that may be a crate's is ambiguous (E0659), and the name of a module
/// where all of another is imported. A module is no marker.
pub(crate) fn is_plain(path: &Path) -> bool {
    let (first, last) = (path.segments.first(), path.segments.last());
    let is_ambiguous = |name: &Ident| {
        edition::may_be_a_crate(name)
            && (path.segments.len() == 1 || own_names::may_come_by_glob(name))
    };
    first.is_some_and(|s| is_ambiguous(&s.ident))
        && !last.is_some_and(|s| own_file::may_be_a_module(&s.ident))
}

/// What stands in a bound for the marker of the function that a path names, see [`declared`].
pub(crate) fn alias(path: &Path) -> Ident {
    let names = path.segments.iter().map(|s| s.ident.to_string());
    let names: Vec<String> = names.map(|name| name.replace("r#", "")).collect();
    format_ident!("__marker_of_{}", names.join("_"), span = path.span())
}

/// Rules whose bounds name markers.
pub(crate) fn declared(markers: &[Path], rules: TokenStream) -> TokenStream {
    if markers.is_empty() {
        return rules;
    }
    let names: Vec<Ident> = markers.iter().map(alias).collect();
    let imports = markers.iter().map(|path| imported(path.clone()));
    quote! {
        const _: () = {
            #(
                #[allow(non_camel_case_types, dead_code)]
                type #names = ::coenzyme::__private::Unmarked;
            )*
            const _: () = {
                #(
                    #[allow(unused_imports)]
                    use #imports as #names;
                )*
                #rules
            };
        };
    }
}

/// The name of a marker where that of its function means the module.
pub(crate) fn in_module(function: &Ident) -> Ident {
    format_ident!("__marker_of_{}", function, span = function.span())
}

/// What a path may begin with that is no name.
const KEYWORDS: &[&str] = &["crate", "self", "super"];

/// Names that are keywords in our edition.
const NEWER: &[&str] = &["async", "await", "dyn", "gen", "try"];

/// A path in a `use`, which means in each edition, and beside glob imports, what it means elsewhere.
pub(crate) fn imported(mut path: Path) -> Path {
    if let Some(name) = path.get_ident()
        && scope::stands_in_module(name)
    {
        return syn::parse_quote!(self::#name);
    }
    if let (None, Some(first)) = (path.leading_colon, path.segments.first_mut())
        && ![KEYWORDS, NEWER]
            .concat()
            .iter()
            .any(|word| first.ident == word)
    {
        let span = first.ident.span().resolved_at(Span::mixed_site());
        first.ident.set_span(span);
    }
    path
}
