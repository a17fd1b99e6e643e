//! Whether the rule of a method exists for every type that its block is for.
//!
//! In `impl<S: Float> Shape for Disc<S>` the rules are those of numbers that derivatives are known of, and have the bound `S: Real`. The trait asks for
//! rules of all implementations, with the bounds that these have, so it is told of none: `disc.area()` has its rule, and a call through the trait
//! is an error where it is instantiated. A trait of the user's that says so, `trait Scalar: Real`, is bound enough.

use std::path::Path;

use proc_macro2::Ident;
use quote::ToTokens;
use syn::{Generics, Type, TypeParamBound, WherePredicate};

use crate::differentiable::front::numbers;
use crate::files::own_file::files_of_crate;
use crate::files::own_text::{self, supertraits};

/// Traits that say what the rules ask.
const ENOUGH: &[&str] = &["Inside", "Liftable", "Number", "Real", "Tangent", "Value"];

/// Whether all that the generics of a rule ask is said by those of its block.
pub(crate) fn exists(block: &Generics, rule: &Generics) -> bool {
    let said = predicates(block);
    let asked = rule
        .where_clause
        .iter()
        .flat_map(|clause| &clause.predicates);
    let asked = asked.filter(|p| !said.contains(&p.to_token_stream().to_string()));
    asked.into_iter().all(|predicate| match predicate {
        WherePredicate::Type(of) if !of.bounds.iter().all(is_sized) => {
            name_of(&of.bounded_ty).is_some_and(|name| is_enough(block, name))
        }
        _ => true,
    })
}

fn is_sized(bound: &TypeParamBound) -> bool {
    matches!(bound, TypeParamBound::Trait(bound) if bound.path.is_ident("Sized"))
}

fn predicates(generics: &Generics) -> Vec<String> {
    let clause = generics.where_clause.iter();
    let predicates = clause.flat_map(|clause| &clause.predicates);
    predicates
        .map(|p| p.to_token_stream().to_string())
        .collect()
}

/// The parameter that a type is.
fn name_of(ty: &Type) -> Option<&Ident> {
    match ty {
        Type::Path(path) => path.path.get_ident(),
        _ => None,
    }
}

fn is_enough(block: &Generics, name: &Ident) -> bool {
    let bounds = numbers::bounds(block, name);
    bounds
        .iter()
        .any(|bound| ENOUGH.iter().any(|enough| bound == enough) || declared_with_enough(bound))
}

/// Whether a trait of the crate has a supertrait that is enough.
fn declared_with_enough(bound: &Ident) -> bool {
    let Some(file) = bound.span().local_file() else {
        return false;
    };
    let says = |file: &Path| {
        let text = own_text::read(file);
        supertraits(&text, &bound.to_string()).is_some_and(|header| {
            let mut words = header.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.any(|word| ENOUGH.contains(&word))
        })
    };
    says(&file)
        || files_of_crate(&file).is_some_and(|(_, files)| files.iter().any(|file| says(file)))
}

#[cfg(test)]
mod tests {
    use super::exists;

    #[test]
    fn a_rule_may_ask_more_than_its_block() {
        let block: syn::ItemImpl = syn::parse_quote!(
            impl<S: Float, T: Real, U> Shape for Disc<S, T, U> where U: Copy {}
        );
        let rule = |more: syn::WherePredicate| {
            let mut generics = block.generics.clone();
            generics.make_where_clause().predicates.push(more);
            generics
        };
        assert!(exists(&block.generics, &block.generics));
        assert!(exists(
            &block.generics,
            &rule(syn::parse_quote!(T: ::coenzyme::Real))
        ));
        assert!(!exists(
            &block.generics,
            &rule(syn::parse_quote!(S: ::coenzyme::Real))
        ));
        assert!(!exists(
            &block.generics,
            &rule(syn::parse_quote!(U: ::coenzyme::Value))
        ));
    }
}
