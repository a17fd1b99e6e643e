//! What lets the type stand as an argument, as a returned value, and as an argument of `gradient`.

use proc_macro2::TokenStream;
use quote::quote;

use super::model::Data;

/// For `struct Model`: it holds itself, is passed by value (`Active` in reverse mode), is a value when returned, also in a box, and
/// has a gradient of its own type, also behind a reference; a check can copy and move it.
pub(super) fn expand(data: &Data) -> TokenStream {
    let (_, type_generics, _) = data.generics.split_for_impl();
    let name = &data.name;
    let ty = quote!(#name #type_generics);
    let (argument, probed, returned, in_a_box, gradient) = (
        argument(data, &ty),
        probed(data, &ty),
        returned(data, &ty),
        returned(data, &quote!(::std::boxed::Box<#ty>)),
        gradient(data, &ty),
    );
    quote!(#argument #probed #returned #in_a_box #gradient)
}

/// `Holds`, `HoldsMut`, `ByValue`, `Memory`.
fn argument(data: &Data, ty: &TokenStream) -> TokenStream {
    let (free, _, free_where) = data.generics.split_for_impl();
    let bounded = data.bounded();
    let (_, _, bounded_where) = bounded.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #free ::coenzyme::Holds<#ty> for #ty #free_where {
            #[inline]
            fn get(&self) -> &Self {
                self
            }
        }

        #[automatically_derived]
        impl #free ::coenzyme::HoldsMut<#ty> for #ty #free_where {
            #[inline]
            fn get_mut(&mut self) -> &mut Self {
                self
            }
        }

        #[automatically_derived]
        impl #free ::coenzyme::ByValue for #ty #free_where {}

        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #free ::coenzyme::Memory for #ty #bounded_where {
            type Target = Self;
            type Whole = Self;

            #[inline]
            fn memory(&self) -> &Self {
                self
            }
        }
    }
}

/// `Probed`, if the crate is compiled with checks.
fn probed(data: &Data, ty: &TokenStream) -> TokenStream {
    let (free, ..) = data.generics.split_for_impl();
    let predicates = data.generics.where_clause.as_ref().map(|w| &w.predicates);
    quote!(::coenzyme::__probed! { (#free) (#ty) (#predicates) })
}

/// `Outcome`, `NaturalReturn`.
fn returned(data: &Data, ty: &TokenStream) -> TokenStream {
    let (free, _, free_where) = data.generics.split_for_impl();
    let bounded = data.bounded();
    let (_, _, bounded_where) = bounded.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #free ::coenzyme::Outcome for #ty #bounded_where {
            type Value = Self;
            type Of<Inside> = Inside;
            const ALWAYS: bool = true;

            #[inline]
            fn map_value<Inside>(this: Self, f: impl ::core::ops::FnOnce(Self) -> Inside) -> Inside {
                f(this)
            }
            #[inline]
            fn wrap<Inside>(inside: Inside) -> Inside {
                inside
            }
            #[inline]
            fn map_of<Inside, Other>(of: Inside, f: impl ::core::ops::FnOnce(Inside) -> Other) -> Other {
                f(of)
            }
            #[inline]
            fn map_if<Inside>(
                needed: bool,
                call: impl ::core::ops::FnOnce() -> Self,
                f: impl ::core::ops::FnOnce(::core::option::Option<Self>) -> Inside,
            ) -> Inside {
                f(needed.then(call))
            }
            #[inline]
            fn value(this: &Self) -> ::core::option::Option<&Self> {
                ::core::option::Option::Some(this)
            }
        }

        #[automatically_derived]
        impl #free ::coenzyme::NaturalReturn for #ty #free_where {
            type Forward = ::coenzyme::AsDuplicated;
            type Reverse = ::coenzyme::AsActive;
        }
    }
}

/// `GradientArg` for the type by value.
fn gradient(data: &Data, ty: &TokenStream) -> TokenStream {
    let bounded = data.bounded();
    let (generics, _, where_clause) = bounded.split_for_impl();
    quote! {
        #[automatically_derived]
        #[allow(trivial_bounds)]
        impl #generics ::coenzyme::GradientArg for #ty #where_clause {
            type Handle = ::coenzyme::Active<Self>;
            type Gradient = Self;

            #[inline]
            fn annotate(self) -> Self::Handle {
                ::coenzyme::Active(self)
            }
            #[inline]
            fn gradient(_: Self::Handle, [entry]: [Self; 1]) -> Self {
                entry
            }
        }
    }
}
