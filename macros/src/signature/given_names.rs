//! Names for what a signature leaves out: bounds need them.

use proc_macro2::Span;
use quote::format_ident;
use syn::visit_mut::{self, VisitMut};
use syn::{Generics, Lifetime, Type};

use super::{Param, call_of};

/// Gives names to the lifetimes that a signature leaves out: `[&str]` becomes `[&'l0 str]`.
pub(super) struct NameLifetimes<'a>(pub(super) &'a mut Generics);

impl NameLifetimes<'_> {
    pub(super) fn visit(&mut self, params: &mut [Param]) {
        for param in params {
            self.visit_type_mut(&mut param.ty);
        }
    }

    /// A new lifetime parameter.
    fn fresh(&mut self) -> Lifetime {
        let n = self.0.lifetimes().count();
        let lifetime = Lifetime::new(&format!("'l{n}"), Span::mixed_site());
        self.0.params.insert(0, syn::parse_quote!(#lifetime));
        lifetime
    }
}

impl VisitMut for NameLifetimes<'_> {
    fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
        if reference.lifetime.is_none() {
            reference.lifetime = Some(self.fresh());
        }
        visit_mut::visit_type_reference_mut(self, reference);
    }
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "_" {
            *lifetime = self.fresh();
        }
    }
    // `fn(&T)` and `Fn(&T)` have binders of their own.
    fn visit_type_fn_ptr_mut(&mut self, _: &mut syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments_mut(
        &mut self,
        _: &mut syn::ParenthesizedGenericArguments,
    ) {
    }
}

/// Gives names to the types of which a signature says a trait: `&impl Kernel` becomes `&__I0`.
#[derive(Default)]
pub(super) struct NameTypes(pub(super) Vec<syn::TypeParam>);

impl VisitMut for NameTypes {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::ImplTrait(implied) = ty
            && implied.bounds.iter().all(|bound| call_of(bound).is_none())
        {
            let (name, bounds) = (format_ident!("__I{}", self.0.len()), &implied.bounds);
            self.0.push(syn::parse_quote!(#name: #bounds));
            *ty = syn::parse_quote!(#name);
        }
        visit_mut::visit_type_mut(self, ty);
    }
}
