//! The inside of `vec![…]`.

use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Expr, Token};

use crate::differentiable::methods::paths;

/// The inside of `vec![…]`.
pub(crate) enum VecMacro {
    /// `vec![value; n]`.
    Repeat(Box<Expr>, Box<Expr>),
    /// `vec![a, b, …]`.
    List(Vec<Expr>),
}

impl Parse for VecMacro {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Self::List(Vec::new()));
        }
        let first: Expr = input.parse()?;
        if input.parse::<Option<Token![;]>>()?.is_some() {
            return Ok(Self::Repeat(Box::new(first), Box::new(input.parse()?)));
        }
        let mut list = vec![first];
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            list.push(input.parse()?);
        }
        Ok(Self::List(list))
    }
}

/// Changes what stands in a `vec!`: its entries, or the one that is repeated; the number of those is left alone.
pub(crate) fn change_entries(mac: &mut syn::Macro, mut change: impl FnMut(&mut Expr)) {
    if !paths::is_vec(&mac.path) {
        return;
    }
    match mac.parse_body() {
        Ok(VecMacro::Repeat(mut value, n)) => {
            change(&mut value);
            mac.tokens = quote!(#value; #n);
        }
        Ok(VecMacro::List(mut list)) => {
            list.iter_mut().for_each(change);
            mac.tokens = quote!(#(#list),*);
        }
        Err(_) => {}
    }
}

impl VecMacro {
    /// The expressions whose values go into the vector.
    pub(crate) fn parse_any(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
        Ok(match input.parse()? {
            Self::Repeat(value, _) => vec![*value],
            Self::List(list) => list,
        })
    }
}

/// The expressions inside `vec![…]`; none of another macro.
pub(crate) fn elements_of(mac: &syn::Macro) -> Vec<Expr> {
    if !paths::is_vec(&mac.path) {
        return Vec::new();
    }
    match mac.parse_body::<VecMacro>() {
        Ok(VecMacro::Repeat(value, n)) => vec![*value, *n],
        Ok(VecMacro::List(list)) => list,
        Err(_) => Vec::new(),
    }
}
