//! `azip!((a in &mut x, &b in &y) …)` as a `Zip`.

use syn::{Expr, ExprClosure, Pat, Token};

use crate::differentiable::methods::paths;

/// `azip!((a in &mut x, &b in &y) …)` as `Zip::from(&mut x).and(&y).for_each(|a, &b| …)`.
pub(crate) fn written_out(mac: &syn::Macro) -> Option<Expr> {
    if paths::macro_name(&mac.path)? != "azip" {
        return None;
    }
    struct Inside {
        index: Option<Pat>,
        arrays: Vec<(Pat, Expr)>,
        body: Expr,
    }
    impl syn::parse::Parse for Inside {
        fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
            let inner;
            syn::parenthesized!(inner in input);
            let mut index = None;
            let fork = inner.fork();
            if fork.parse::<syn::Ident>().is_ok_and(|i| i == "index") && !fork.peek(Token![in]) {
                inner.parse::<syn::Ident>()?;
                index = Some(Pat::parse_single(&inner)?);
                inner.parse::<Token![,]>()?;
            }
            let mut arrays = Vec::new();
            while !inner.is_empty() {
                let pat = Pat::parse_single(&inner)?;
                inner.parse::<Token![in]>()?;
                arrays.push((pat, inner.parse()?));
                inner.parse::<Option<Token![,]>>()?;
            }
            Ok(Self {
                index,
                arrays,
                body: input.parse()?,
            })
        }
    }
    let Inside {
        index,
        arrays,
        body,
    } = mac.parse_body().ok()?;
    let pats: Vec<Pat> = index
        .iter()
        .cloned()
        .chain(arrays.iter().map(|(p, _)| p.clone()))
        .collect();
    let closure: ExprClosure = syn::parse_quote!(|#(#pats),*| #body);
    let (mut arrays, start) = (arrays.iter().map(|(_, a)| a), index.is_some());
    let first = arrays.next()?;
    let zip: Expr = match start {
        true => syn::parse_quote!(::coenzyme::ndarray::Zip::indexed(#first)),
        false => syn::parse_quote!(::coenzyme::ndarray::Zip::from(#first)),
    };
    let zip = arrays.fold(zip, |zip, array| syn::parse_quote!(#zip.and(#array)));
    Some(syn::parse_quote!(#zip.for_each(#closure)))
}
