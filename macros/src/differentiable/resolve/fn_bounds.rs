//! What a function says of the closures that it takes: a closure that is handed to it says nothing, and its derivative needs types.
//!
//! ```text
//! fn rk4<F>(rhs: F, y: State) -> State where F: Fn(f64, State) -> State
//! rk4(|t, y| …, y0)                                  // is rk4(|t: f64, y: State| -> State { … }, y0)
//! ```

use crate::differentiable::tokens::tail::tail;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Expr, ExprClosure, FnArg, GenericParam, Generics, Pat, PathArguments, ReturnType, Signature,
    Type, TypeParamBound, WherePredicate,
};

/// `Fn(A, B) -> C`, as text: what is read of a file outlives the expansion that read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FnBound {
    inputs: Vec<String>,
    output: Option<String>,
}

/// The bounds on the parameters of a function, a receiver among them. One that names a type parameter of the function says nothing to its callers.
pub(crate) fn of_parameters(sig: &Signature) -> Vec<Option<FnBound>> {
    let of = |arg: &FnArg| match arg {
        FnArg::Receiver(_) => None,
        FnArg::Typed(arg) => {
            of_type(&arg.ty, &sig.generics).filter(|bound| bound.is_plain(&sig.generics))
        }
    };
    sig.inputs.iter().map(of).collect()
}

fn of_type(ty: &Type, generics: &Generics) -> Option<FnBound> {
    match ty {
        Type::Reference(lent) => of_type(&lent.elem, generics),
        Type::Paren(inner) => of_type(&inner.elem, generics),
        Type::ImplTrait(of) => of_bounds(&of.bounds),
        Type::TraitObject(of) => of_bounds(&of.bounds),
        Type::FnPtr(of) => Some(FnBound {
            inputs: of.inputs.iter().map(|arg| text(&arg.ty)).collect(),
            output: output(&of.output),
        }),
        Type::Path(path) => {
            let name = path.path.get_ident()?;
            let declared = generics.type_params().filter(|param| param.ident == *name);
            let declared = declared.filter_map(|param| of_bounds(&param.bounds));
            let predicates = generics
                .where_clause
                .iter()
                .flat_map(|clause| &clause.predicates);
            let required = predicates.filter_map(|predicate| match predicate {
                WherePredicate::Type(of) if is_named(&of.bounded_ty, name) => of_bounds(&of.bounds),
                _ => None,
            });
            declared.chain(required).next()
        }
        _ => None,
    }
}

fn is_named(ty: &Type, name: &syn::Ident) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident(name))
}

fn of_bounds<'b>(bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Option<FnBound> {
    bounds.into_iter().find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let last = bound.path.segments.last()?;
        let PathArguments::Parenthesized(of) = &last.arguments else {
            return None;
        };
        Some(FnBound {
            inputs: of.inputs.iter().map(|arg| text(&arg.ty)).collect(),
            output: output(&of.output),
        })
    })
}

fn text(ty: &Type) -> String {
    ty.to_token_stream().to_string()
}

fn output(output: &ReturnType) -> Option<String> {
    match output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(text(ty)),
    }
}

impl FnBound {
    /// Whether no type in it is one that the function has for itself.
    fn is_plain(&self, generics: &Generics) -> bool {
        let own = |name: &syn::Ident| {
            *name == "Self"
                || generics.params.iter().any(|param| match param {
                    GenericParam::Type(of) => of.ident == *name,
                    GenericParam::Const(of) => of.ident == *name,
                    GenericParam::Lifetime(of) => of.lifetime.ident == *name,
                })
        };
        let types = self.inputs.iter().chain(&self.output);
        types.into_iter().all(|ty| {
            let tokens: Option<TokenStream> = ty.parse().ok();
            tokens.is_some_and(|tokens| !mentions(tokens, &own))
        })
    }

    /// Gives the inputs of a closure, and what it returns, the types that it leaves out.
    pub(crate) fn annotate(&self, closure: &mut ExprClosure) {
        if closure.inputs.len() != self.inputs.len() {
            return;
        }
        for (pat, ty) in closure.inputs.iter_mut().zip(&self.inputs) {
            if let (false, Ok(ty)) = (matches!(pat, Pat::Type(_)), syn::parse_str::<Type>(ty)) {
                let inner = &*pat;
                *pat = Pat::Type(syn::PatType {
                    attrs: Vec::new(),
                    pat: Box::new(inner.clone()),
                    colon_token: Default::default(),
                    ty: Box::new(ty),
                });
            }
        }
        if let (ReturnType::Default, Some(Ok(ty))) = (
            &closure.output,
            self.output.as_deref().map(syn::parse_str::<Type>),
        ) {
            closure.output = ReturnType::Type(Default::default(), Box::new(ty));
            if !matches!(&*closure.body, Expr::Block(_)) {
                let body = tail(&closure.body);
                *closure.body = syn::parse_quote!({ #body });
            }
        }
    }
}

fn mentions(tokens: TokenStream, own: &impl Fn(&syn::Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => own(&name),
        TokenTree::Group(group) => mentions(group.stream(), own),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sig: &str) -> Vec<Option<(Vec<String>, Option<String>)>> {
        let sig: Signature = syn::parse_str(sig).expect("a signature");
        let bounds = of_parameters(&sig).into_iter();
        bounds
            .map(|bound| bound.map(|b| (b.inputs, b.output)))
            .collect()
    }

    #[test]
    fn bounds_are_found_wherever_they_stand() {
        let state = [Some((vec!["State".to_owned()], Some("State".to_owned())))];
        for sig in [
            "fn step<F: Fn(State) -> State>(f: F)",
            "fn step<F>(f: &F) where F: Copy + FnMut(State) -> State",
            "fn step(f: impl Fn(State) -> State + Copy)",
            "fn step(f: &dyn Fn(State) -> State)",
            "fn step(f: fn(State) -> State)",
        ] {
            assert_eq!(of(sig), state, "{sig}");
        }
    }

    #[test]
    fn what_names_a_parameter_of_the_function_says_nothing() {
        for sig in [
            "fn map<T, F: Fn(T) -> T>(f: F)",
            "fn map<const N: usize>(f: impl Fn([f64; N]))",
            "fn map(x: f64)",
        ] {
            assert_eq!(of(sig), [None], "{sig}");
        }
    }

    #[test]
    fn a_closure_keeps_the_types_that_it_says() {
        let sig: Signature = syn::parse_quote!(fn step(f: impl Fn(f64, &State) -> State));
        let bound = of_parameters(&sig).remove(0).expect("a bound");
        let mut closure: ExprClosure = syn::parse_quote!(|t: f32, y| y);
        bound.annotate(&mut closure);
        let long: ExprClosure = syn::parse_quote!(|t: f32, y: &State| -> State { y });
        assert_eq!(
            closure.to_token_stream().to_string(),
            long.to_token_stream().to_string()
        );
    }
}
