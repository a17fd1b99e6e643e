//! Functions that return a type which may be private, while their markers are public.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::Type;

use super::{Function, Passing, names};

impl Function {
    /// As [`marker`](Self::marker), for a function of a type which may be private while the marker is not: a call of the primal that gives such a type has
    /// to name it among its arguments (E0446). `receiver`: whether it is passed as `self`.
    pub(crate) fn marker_of_private(&self, of: &Type, receiver: bool) -> TokenStream {
        let calls = match self.params.first() {
            Some(param) if receiver => match param.passing {
                Passing::Value => self.primal(),
                Passing::Exclusive => self.primal_of(&syn::parse_quote!(&mut #of)),
                Passing::Shared => {
                    let shared = self.primal_of(&syn::parse_quote!(&#of));
                    let exclusive = self.primal_of(&syn::parse_quote!(&mut #of));
                    quote!(#shared #exclusive)
                }
            },
            _ => TokenStream::new(),
        };
        let (stub, order) = (self.stub(), self.of_any_order());
        quote!(#stub #calls #order)
    }

    /// Whether the function returns a type that is not the language's, `std`'s, or a parameter.
    pub(crate) fn returns_own_type(&self) -> bool {
        const KNOWN: [&str; 8] = [
            "Vec", "Option", "Result", "Box", "String", "Rc", "Arc", "Cow",
        ];
        let mut named = Vec::new();
        names(self.output.to_token_stream(), &mut named);
        let params: Vec<_> = self.generics.type_params().map(|t| &t.ident).collect();
        named.iter().any(|name| {
            let text = name.to_string();
            let is_type = text.starts_with(char::is_uppercase);
            is_type && !KNOWN.contains(&text.as_str()) && !params.contains(&name)
        })
    }
}
