//! Constants and functions that the lifted text names: each is lifted once.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Path, Stmt};

use super::number;
use crate::differentiable::methods::paths::marker_path;

/// What a body names outside of itself.
#[derive(Default)]
pub(super) struct Named {
    constants: Vec<(String, Ident, Path)>,
    callees: Vec<(String, Ident, Path)>,
}

impl Named {
    /// The local that holds a constant.
    pub(super) fn constant(&mut self, path: &Path) -> Ident {
        name(&mut self.constants, path, "lifted")
    }

    /// The alias of a function's marker.
    pub(super) fn callee(&mut self, path: &Path) -> Ident {
        name(&mut self.callees, path, "of_any_order")
    }

    /// Whether this is the alias of a marker.
    pub(super) fn is_callee(&self, alias: &Ident) -> bool {
        self.callees.iter().any(|(_, known, _)| known == alias)
    }

    /// The aliases of markers.
    pub(super) fn callees(&self) -> std::collections::HashSet<Ident> {
        let aliases = self.callees.iter().map(|(_, alias, _)| alias.clone());
        aliases.collect()
    }

    /// `let pi_lifted = outside::<T, _>(&PI).lifted();`
    pub(super) fn locals(&self) -> Vec<Stmt> {
        let locals = self.constants.iter().map(|(_, local, path)| -> Stmt {
            let lifted = lifted(quote!(#path));
            syn::parse_quote!(let #local = #lifted;)
        });
        locals.collect()
    }

    /// ```text
    /// type g_of_any_order = <g as AnyOrder>::Marker;
    /// const g_of_any_order: <g as AnyOrder>::Marker = <g as AnyOrder>::MARKER;
    /// ```
    pub(super) fn aliases(&self) -> TokenStream {
        let aliases = self.callees.iter().map(|(_, alias, path)| {
            let marker = marker_path(path);
            let span = path.span();
            quote_spanned! {span=>
                #[allow(non_camel_case_types, dead_code)]
                type #alias = <#marker as ::coenzyme::__private::AnyOrder>::Marker;
                #[allow(non_upper_case_globals, dead_code)]
                const #alias: <#marker as ::coenzyme::__private::AnyOrder>::Marker =
                    <#marker as ::coenzyme::__private::AnyOrder>::MARKER;
            }
        });
        aliases.collect()
    }
}

/// A value from outside in the numbers of the text.
pub(super) fn lifted(value: TokenStream) -> TokenStream {
    let number = number();
    quote!(::coenzyme::__private::outside::<#number, _>(&#value).lifted())
}

fn name(known: &mut Vec<(String, Ident, Path)>, path: &Path, suffix: &str) -> Ident {
    let written = path.to_token_stream().to_string();
    if let Some((_, name, _)) = known.iter().find(|(text, ..)| *text == written) {
        return Ident::new(&name.to_string(), path.span());
    }
    let last = path
        .segments
        .last()
        .expect("a path has segments")
        .ident
        .to_string()
        .to_lowercase();
    let name = match known
        .iter()
        .any(|(_, name, _)| *name == format!("{last}_{suffix}"))
    {
        false => format_ident!("{last}_{suffix}", span = path.span()),
        true => format_ident!("{last}_{suffix}_{}", known.len(), span = path.span()),
    };
    known.push((written, name.clone(), path.clone()));
    name
}
