//! What the types of a signature imply of lifetimes, which an `impl` must say: `&'a [&'b T]` is a type only if `'b: 'a` and `T: 'a`.

use syn::visit::{self, Visit};
use syn::{
    GenericArgument, Generics, Ident, Lifetime, PathArguments, PathSegment, Type, TypeReference,
    WherePredicate,
};

use super::Param;

/// Adds the bounds.
pub(super) fn write(generics: &mut Generics, params: &[Param]) {
    let mut implied = Implied {
        types: generics.type_params().map(|t| t.ident.clone()).collect(),
        predicates: Vec::new(),
    };
    params
        .iter()
        .for_each(|param| implied.visit_type(&param.ty));
    if !implied.predicates.is_empty() {
        let clause = generics.make_where_clause();
        clause.predicates.extend(implied.predicates);
    }
}

struct Implied {
    /// The type parameters.
    types: Vec<Ident>,
    predicates: Vec<WherePredicate>,
}

impl Implied {
    /// What is in a type lives as long as a reference to it.
    fn outlives(&mut self, inside: &Type, lifetime: &Lifetime) {
        let mut found = Found {
            types: &self.types,
            predicates: &mut self.predicates,
            lifetime,
        };
        found.visit_type(inside);
    }
}

impl<'a> Visit<'a> for Implied {
    fn visit_type_reference(&mut self, reference: &'a TypeReference) {
        if let Some(lifetime) = &reference.lifetime {
            self.outlives(&reference.elem, lifetime);
        }
        visit::visit_type_reference(self, reference);
    }

    // a type of the user's, which holds references of this lifetime: most often to the other arguments
    fn visit_path_segment(&mut self, segment: &'a PathSegment) {
        if let PathArguments::AngleBracketed(list) = &segment.arguments
            && let Some(GenericArgument::Lifetime(lifetime)) = list.args.first()
        {
            for argument in &list.args {
                if let GenericArgument::Type(inside) = argument {
                    self.outlives(inside, lifetime);
                }
            }
        }
        visit::visit_path_segment(self, segment);
    }

    // these have binders of their own
    fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments(&mut self, _: &'a syn::ParenthesizedGenericArguments) {
    }
}

/// The lifetimes and the type parameters in a type.
struct Found<'a> {
    types: &'a [Ident],
    predicates: &'a mut Vec<WherePredicate>,
    lifetime: &'a Lifetime,
}

impl<'a> Visit<'a> for Found<'_> {
    fn visit_lifetime(&mut self, inside: &'a Lifetime) {
        let lifetime = self.lifetime;
        if inside != lifetime && inside.ident != "static" {
            self.predicates.push(syn::parse_quote!(#inside: #lifetime));
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let lifetime = self.lifetime;
        let first = path.segments.first().map(|segment| &segment.ident);
        if let Some(ty) = first.filter(|ty| self.types.contains(ty)) {
            self.predicates.push(syn::parse_quote!(#ty: #lifetime));
        }
        visit::visit_path(self, path);
    }

    fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}
    fn visit_parenthesized_generic_arguments(&mut self, _: &'a syn::ParenthesizedGenericArguments) {
    }
}
