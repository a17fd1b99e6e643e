//! Lifetimes in the signature of a function: those that no argument tells, and references in what it returns.

use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    FnArg, GenericArgument, GenericParam, Generics, Ident, Lifetime, PathArguments, PathSegment,
    Signature, Type, TypeImplTrait, TypeReference, WherePredicate,
};

use super::Param;
use crate::differentiable::methods::paths;
use crate::files::crate_names;

/// A reference in what a function returns that ends with one of its arguments: `Option<&Point>`. One that is itself what is returned, and
/// lasts for ever, is such too: it has no tangent space.
pub(crate) fn lent<'a>(output: &'a Type, signature: &Signature) -> Option<&'a TypeReference> {
    struct Find<'a, 'b> {
        unlent: &'b [Ident],
        found: Option<&'a TypeReference>,
    }
    impl<'a> Visit<'a> for Find<'a, '_> {
        fn visit_type_reference(&mut self, reference: &'a TypeReference) {
            let lives = |l: &Lifetime| l.ident == "static" || self.unlent.contains(&l.ident);
            if !reference.lifetime.as_ref().is_some_and(lives) {
                self.found = self.found.or(Some(reference));
            }
            visit::visit_type_reference(self, reference);
        }
        fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}
        fn visit_parenthesized_generic_arguments(
            &mut self,
            _: &'a syn::ParenthesizedGenericArguments,
        ) {
        }
    }
    if let Type::Reference(reference) = output {
        return Some(reference);
    }
    let unlent = unlent(signature);
    let mut find = Find {
        unlent: &unlent,
        found: None,
    };
    find.visit_type(output);
    find.found
}

/// Whether a type has a lifetime that nothing names, so that no head of a rule can have it: `Option<Key<'_>>`, `Iter<f64>`. Those of the crate's own
/// types are written by now ([`crate::files::own_alias`]); one of another's that is taken for the standard library's has no rules, which is an error
/// where the method is called.
pub(crate) fn is_borrowed(output: &Type) -> bool {
    const OF_THE_LIBRARY: &[&str] = &["Chars", "Cow", "Iter", "IterMut", "Ref", "RefMut"];
    struct Find(bool);
    impl<'a> Visit<'a> for Find {
        fn visit_path_segment(&mut self, segment: &'a PathSegment) {
            // views are arrays to the rules
            if paths::is_array_name(&segment.ident.to_string()) {
                return;
            }
            let lifetime = match &segment.arguments {
                PathArguments::AngleBracketed(list) => list.args.first(),
                _ => None,
            };
            self.0 |= match lifetime {
                Some(GenericArgument::Lifetime(lifetime)) => lifetime.ident == "_",
                _ => {
                    OF_THE_LIBRARY.iter().any(|name| segment.ident == name)
                        && !is_own(&segment.ident)
                }
            };
            visit::visit_path_segment(self, segment);
        }
        fn visit_type_impl_trait(&mut self, _: &'a TypeImplTrait) {}
        fn visit_type_fn_ptr(&mut self, _: &'a syn::TypeFnPtr) {}
    }
    fn is_own(name: &Ident) -> bool {
        let file = name.span().local_file();
        file.is_some_and(|file| crate_names::find(&name.to_string(), &file).is_some())
    }
    let mut find = Find(false);
    find.visit_type(output);
    find.0
}

/// The lifetimes of a function that its arguments do not name.
fn unlent(signature: &Signature) -> Vec<Ident> {
    let mut named = Named::default();
    for argument in &signature.inputs {
        match argument {
            FnArg::Typed(argument) => named.visit_type(&argument.ty),
            FnArg::Receiver(receiver) => named.visit_receiver(receiver),
        }
    }
    let lifetimes = signature.generics.lifetimes().map(|l| &l.lifetime.ident);
    lifetimes
        .filter(|l| !named.0.contains(l))
        .cloned()
        .collect()
}

/// The lifetimes that some syntax names.
#[derive(Default)]
struct Named(Vec<Ident>);

impl<'a> Visit<'a> for Named {
    fn visit_lifetime(&mut self, lifetime: &'a Lifetime) {
        self.0.push(lifetime.ident.clone());
    }
}

/// Drops the lifetimes that no parameter of the rules names, since their types are what an implementation is found by: `fn f<'a>(x: &'a P)`,
/// whose memory is held by any handle, and `fn f<'a>(x: f64) -> Result<f64, &'a str>`, which returns what lasts for ever.
pub(super) fn drop_untold(generics: &mut Generics, params: &[Param], output: &mut Type) {
    let mut named = Named::default();
    params.iter().for_each(|p| named.visit_type(&p.ty));
    // a bound on a type says of the lifetime in it what it is
    generics
        .type_params()
        .for_each(|t| named.visit_type_param(t));
    for predicate in generics.where_clause.iter().flat_map(|w| &w.predicates) {
        if let WherePredicate::Type(predicate) = predicate {
            named.visit_predicate_type(predicate);
        }
    }
    let untold: Vec<Ident> = generics
        .lifetimes()
        .map(|l| l.lifetime.ident.clone())
        .filter(|l| !named.0.contains(l))
        .collect();
    if untold.is_empty() {
        return;
    }
    let told = |l: &Lifetime| !untold.contains(&l.ident);
    let params = std::mem::take(&mut generics.params).into_iter();
    let params = params.filter(|p| !matches!(p, GenericParam::Lifetime(l) if !told(&l.lifetime)));
    generics.params = params.collect();
    for param in generics.lifetimes_mut() {
        let bounds = std::mem::take(&mut param.bounds).into_iter();
        param.bounds = bounds.filter(told).collect();
    }
    if let Some(clause) = &mut generics.where_clause {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        let is_told = |p: &WherePredicate| match p {
            WherePredicate::Lifetime(p) => told(&p.lifetime) && p.bounds.iter().all(told),
            _ => true,
        };
        clause.predicates = predicates.filter(is_told).collect();
    }
    Forever(&untold).visit_type_mut(output);
}

/// A type of which all lifetimes are `'static`.
pub(crate) fn forever(ty: &Type) -> Type {
    let (mut named, mut ty) = (Named::default(), ty.clone());
    named.visit_type(&ty);
    Forever(&named.0).visit_type_mut(&mut ty);
    ty
}

/// Makes lifetimes `'static`.
struct Forever<'a>(&'a [Ident]);

impl VisitMut for Forever<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if self.0.contains(&lifetime.ident) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }
        visit_mut::visit_lifetime_mut(self, lifetime);
    }
}
