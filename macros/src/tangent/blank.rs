//! The zero of a struct whose shape is in its type: what a local of generated code starts from.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;
use syn::visit::Visit;

use super::model::{Data, Variant};

/// For `struct Point { x: f64, #[tangent(inactive)] tag: u8 }`:
///
/// ```text
/// impl Blank for Point where for<'blank> f64: Blank, for<'blank> u8: BlankInactive {
///     fn blank() -> Self { Self { x: Blank::blank(), tag: BlankInactive::blank_inactive() } }
/// }
/// ```
///
/// The lifetime puts off the question whether the bound holds to where a blank is wanted: a struct with a vector has none.
///
/// That of an enum is its first variant without fields, or else the first that does not hold the enum itself: in a sum, zero is the zero
/// of every variant.
pub(super) fn expand(data: &Data) -> TokenStream {
    let point = data.variants.iter().find(|v| v.fields.is_empty());
    let finite = || data.variants.iter().find(|v| !holds(v, &data.name));
    let only = match &data.variants[..] {
        [only] => Some(only),
        _ => point.or_else(finite),
    };
    let Some(variant) = only else {
        return TokenStream::new();
    };
    let (name, path) = (&data.name, &variant.path);
    let (impl_generics, type_generics, _) = data.generics.split_for_impl();
    let mut generics = data.generics.clone();
    let predicates = &mut generics.make_where_clause().predicates;
    for field in &variant.fields {
        let ty = &field.ty;
        predicates.push(match field.inactive {
            true => syn::parse_quote!(for<'__blank> #ty: ::coenzyme::__private::BlankInactive),
            false => syn::parse_quote!(for<'__blank> #ty: ::coenzyme::__private::Blank),
        });
    }
    let (_, _, where_clause) = generics.split_for_impl();
    let fields = |zero: TokenStream| -> TokenStream {
        let fields = variant.fields.iter().map(|field| {
            let member = &field.member;
            match field.inactive {
                true => quote!(#member: ::coenzyme::__private::BlankInactive::blank_inactive(),),
                false => quote!(#member: ::coenzyme::__private::Blank::#zero(),),
            }
        });
        fields.collect()
    };
    let (blank, empty_sum) = (fields(quote!(blank)), fields(quote!(empty_sum)));
    quote! {
        #[automatically_derived]
        impl #impl_generics ::coenzyme::__private::Blank for #name #type_generics #where_clause {
            #[inline]
            fn blank() -> Self {
                #path { #blank }
            }
            #[inline]
            fn empty_sum() -> Self {
                #path { #empty_sum }
            }
        }
    }
}

/// Whether a type is named among the fields of a variant.
fn holds(variant: &Variant, name: &Ident) -> bool {
    struct Names<'a>(&'a Ident, bool);
    impl<'ast> Visit<'ast> for Names<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.1 |= ident == self.0;
        }
    }
    let mut names = Names(name, false);
    variant.fields.iter().for_each(|f| names.visit_type(&f.ty));
    names.1
}
