//! The operations of the tangent space.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

use super::model::{Data, Field, Variant, is_point};

/// For `struct Model { scale: f64, #[tangent(inactive)] name: String }`:
///
/// ```text
/// impl Tangent for Model where f64: Tangent<Owned = f64>, String: Clone {
///     type Owned = Self;
///     type Target = Self;
///     fn target(this: &Self) -> &Self { this }
///     fn zero_like(this: &Self) -> Self {
///         match this { Self { scale: a_scale, name: a_name } => Self { scale: Tangent::zero_like(a_scale), name: Clone::clone(a_name) } }
///     }
///     fn accumulate(this: &mut Self, other: &Self) {
///         match (this, other) { (Self { scale: a_scale, .. }, Self { scale: b_scale, .. }) => { Tangent::accumulate(a_scale, b_scale); } }
///     }
///     …
/// }
/// ```
///
/// An operation on two values of an enum has one more arm, for variants that differ. If no variant has a derivative, all are the
/// zero of one space, and may. In a sum the zero of one variant is that of every other: generated code starts from one before it knows
/// the variant.
pub(super) fn expand(data: &Data) -> TokenStream {
    let name = &data.name;
    let generics = data.bounded();
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (_, type_generics, _) = data.generics.split_for_impl();
    let (words, alone, together) = (words(data), of_one(data), of_two(data));
    quote! {
        #[automatically_derived]
        #[allow(unused_variables, unreachable_patterns, trivial_bounds, clippy::match_single_binding)]
        impl #impl_generics ::coenzyme::Tangent for #name #type_generics #where_clause {
            type Owned = Self;
            type Target = Self;
            #words

            #[inline]
            fn target(this: &Self) -> &Self {
                this
            }
            #alone
            #together
        }
    }
}

/// The operations on one value.
fn of_one(data: &Data) -> TokenStream {
    let [zero_like, empty_sum] =
        [quote!(zero_like), quote!(empty_sum)].map(|zero| one(data, |v| zeros(v, &zero)));
    let [zero_out, scale, flatten, unflatten] = [
        (quote!(zero_out), quote!()),
        (quote!(scale), quote!(by)),
        (quote!(flatten_into), quote!(out)),
        (quote!(unflatten_from), quote!(from)),
    ]
    .map(|(operation, argument)| {
        one(data, |v| {
            each(
                v,
                |a, _| quote!(::coenzyme::Tangent::#operation(#a, #argument);),
            )
        })
    });
    let see_integers = one(data, |v| {
        let seen = v.fields.iter().filter(|f| match is_point(&f.ty) {
            true => !f.guarded,
            false => !f.inactive,
        });
        let seen = seen.map(|f| f.variable('a'));
        quote!(#(::coenzyme::Tangent::see_integers(#seen, see);)*)
    });
    quote! {
        fn see_integers(this: &mut Self, see: &mut dyn FnMut(&mut dyn ::core::any::Any)) {
            #see_integers
        }
        #[inline]
        fn zero_like(this: &Self) -> Self {
            #zero_like
        }
        #[inline]
        fn empty_sum(this: &Self) -> Self {
            #empty_sum
        }
        #[inline]
        fn zero_out(this: &mut Self) {
            #zero_out
        }
        #[inline]
        fn scale(this: &mut Self, by: f64) {
            #scale
        }
        fn flatten_into(this: &Self, out: &mut ::std::vec::Vec<f64>) {
            #flatten
        }
        fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
            #unflatten
        }
    }
}

/// The operations on two values, which are of one variant.
fn of_two(data: &Data) -> TokenStream {
    let sum = match data.is_a_point() {
        true => quote!({}),
        false => quote!(::coenzyme::__private::sum_of_variants(a, b, names)),
    };
    let accumulate = two(data, sum, |v| {
        each(v, |a, b| quote!(::coenzyme::Tangent::accumulate(#a, #b);))
    });
    let copy_inactive = copy_inactive(data);
    // what is moved has one variant
    let absorb = matches!(&data.variants[..], [_]).then(|| {
        let absorb = two(data, TokenStream::new(), |v| {
            each(v, |a, b| quote!(::coenzyme::Tangent::absorb(#a, #b);))
        });
        quote! {
            #[inline]
            #[track_caller]
            fn absorb(this: &mut Self, other: &mut Self) {
                #absorb
            }
        }
    });
    let product = match data.is_a_point() {
        true => quote!(0.0),
        false => quote!(::coenzyme::__private::different_variants("inner", names)),
    };
    let inner = two(data, product, |v| {
        let terms = each(v, |a, b| quote!(+ ::coenzyme::Tangent::inner(&*#a, #b)));
        quote!(0.0 #terms)
    });
    let different = quote!(::core::result::Result::Err(
        ::coenzyme::Incongruent::variants(names[0], names[1])
    ));
    let congruent = two(data, different, |v| {
        let checks = each(v, |a, b| quote!(::coenzyme::Tangent::congruent(&*#a, #b)?;));
        quote!(#checks ::core::result::Result::Ok(()))
    });
    quote! {
        #[inline]
        #[track_caller]
        fn accumulate(this: &mut Self, other: &Self) {
            #accumulate
        }
        #absorb
        #copy_inactive
        #[inline]
        #[track_caller]
        fn inner(this: &Self, other: &Self) -> f64 {
            #inner
        }
        fn congruent(this: &Self, other: &Self) -> ::core::result::Result<(), ::coenzyme::Incongruent> {
            #congruent
        }
    }
}

/// The parts without derivative of another value; variants that differ keep theirs.
fn copy_inactive(data: &Data) -> TokenStream {
    let copied = two(data, TokenStream::new(), |v| {
        let fields = v.fields.iter().map(|f| {
            let (a, b) = (f.variable('a'), f.variable('b'));
            match f.inactive {
                true => quote!(::core::clone::Clone::clone_from(#a, #b);),
                false => quote!(::coenzyme::Tangent::copy_inactive(#a, #b);),
            }
        });
        fields.collect()
    });
    quote! {
        #[inline]
        fn copy_inactive(this: &mut Self, other: &Self) {
            #copied
        }
    }
}

/// A struct whose fields are words is the words of its fields, and goes to the tape as what they hold.
fn words(data: &Data) -> Option<TokenStream> {
    let [variant] = &data.variants[..] else {
        return None;
    };
    if !variant.path.is_ident("Self") || variant.fields.iter().any(|f| f.inactive) {
        return None;
    }
    let members: Vec<_> = variant.fields.iter().map(|f| &f.member).collect();
    let types: Vec<_> = variant.fields.iter().map(|f| &f.ty).collect();
    let backwards = members.iter().rev();
    Some(quote! {
        const WORDS: usize =
            ::coenzyme::__private::all_words(&[#(<#types as ::coenzyme::Tangent>::WORDS),*]);

        #[inline]
        fn write_words(this: &Self, mut to: &mut [u64]) {
            #(::coenzyme::__private::write_part(&this.#members, &mut to);)*
        }
        #[inline]
        fn read_words(mut from: &[u64]) -> Self {
            Self { #(#members: ::coenzyme::__private::read_part::<#types>(&mut from)),* }
        }

        const HOLDS_WORDS: bool = true #(&& <#types as ::coenzyme::Tangent>::HOLDS_WORDS)*;

        #[inline]
        fn keep_words(this: &Self, tape: &mut ::coenzyme::Tape) {
            if !::coenzyme::__private::keep_as_one(this, tape) {
                #(::coenzyme::Tangent::keep_words(&this.#members, tape);)*
            }
        }
        #[inline]
        fn restore_words(this: &mut Self, tape: &mut ::coenzyme::Tape) {
            if !::coenzyme::__private::restore_as_one(this, tape) {
                #(::coenzyme::Tangent::restore_words(&mut this.#backwards, tape);)*
            }
        }
    })
}

/// `match this { Self::A { 0: a0, .. } => …, … }`
fn one(data: &Data, body: impl Fn(&Variant) -> TokenStream) -> TokenStream {
    if data.variants.is_empty() {
        return quote!(match *this {});
    }
    let arms = data.variants.iter().map(|v| {
        let (pattern, body) = (pattern(v, 'a'), body(v));
        quote!(#pattern => { #body })
    });
    quote!(match this { #(#arms)* })
}

/// `match (this, other) { (Self::A { 0: a0, .. }, Self::A { 0: b0, .. }) => …, …, (a, b) => different }`, where `different`
/// knows the variants' `names`.
fn two(data: &Data, different: TokenStream, body: impl Fn(&Variant) -> TokenStream) -> TokenStream {
    if data.variants.is_empty() {
        return quote!(match *this {});
    }
    let arms = data.variants.iter().map(|v| {
        let (a, b, body) = (pattern(v, 'a'), pattern(v, 'b'), body(v));
        quote!((#a, #b) => { #body })
    });
    let different = (data.variants.len() > 1).then(|| {
        let names = data.variants.iter().map(|v| {
            let (path, name) = (&v.path, &v.name);
            quote!(#path { .. } => #name,)
        });
        quote! {
            (a, b) => {
                let name = |x: &Self| match x { #(#names)* };
                let names = [name(a), name(b)];
                #different
            }
        }
    });
    quote!(match (this, other) { #(#arms)* #different })
}

/// `Self::A { 0: a0, 1: a1 }`
fn pattern(variant: &Variant, prefix: char) -> TokenStream {
    let path = &variant.path;
    let fields = variant.fields.iter().map(|field| {
        let (member, variable) = (&field.member, field.variable(prefix));
        quote!(#member: #variable)
    });
    quote!(#path { #(#fields),* })
}

/// Code for each field with a derivative, from the variables of the first and the second value.
fn each(variant: &Variant, code: impl Fn(&Ident, &Ident) -> TokenStream) -> TokenStream {
    let active = variant.fields.iter().filter(|f: &&Field| !f.inactive);
    active
        .map(|f| code(&f.variable('a'), &f.variable('b')))
        .collect()
}

/// `Self::A { 0: Tangent::zero_like(a0), 1: Clone::clone(a1) }`
fn zeros(variant: &Variant, zero: &TokenStream) -> TokenStream {
    let path = &variant.path;
    let fields = variant.fields.iter().map(|field| {
        let (member, a) = (&field.member, field.variable('a'));
        if field.inactive {
            quote!(#member: ::core::clone::Clone::clone(#a))
        } else {
            quote!(#member: ::coenzyme::Tangent::#zero(#a))
        }
    });
    quote!(#path { #(#fields),* })
}
