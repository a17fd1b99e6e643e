//! What the generic parameters of a function stand for in a call, as far as the types of its arguments tell.
//!
//! ```text
//! fn step<const N: usize>(y: [f64; N], f: impl Fn(&[f64; N]) -> [f64; N]) -> [f64; N]
//! step([a, b], |y| …)                                // N is 2
//! ```

use std::collections::HashMap;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, GenericArgument, GenericParam, Generics, Path, PathArguments, Type};

/// The types and the constants that a function has parameters for, by name; `None` for what is not known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meanings(HashMap<String, Option<TokenStream>>);

impl Meanings {
    /// Of the parameters with these names, of which none is known.
    pub(crate) fn of(names: &[String]) -> Self {
        Self(names.iter().map(|name| (name.clone(), None)).collect())
    }

    /// Takes over what a call says itself, `step::<2>(…)`.
    pub(crate) fn written(&mut self, names: &[String], path: &Path) {
        let Some(PathArguments::AngleBracketed(written)) =
            path.segments.last().map(|s| &s.arguments)
        else {
            return;
        };
        let written = written.args.iter();
        let written = written.filter(|arg| !matches!(arg, GenericArgument::Lifetime(_)));
        for (name, arg) in names.iter().zip(written) {
            if !matches!(arg, GenericArgument::Type(Type::Infer(_))) {
                self.know(name, arg.to_token_stream());
            }
        }
    }

    fn know(&mut self, name: &str, meaning: TokenStream) {
        if let Some(unknown @ None) = self.0.get_mut(name) {
            *unknown = Some(meaning);
        }
    }

    /// Compares the type of a parameter with that of its argument. What is known of an argument may leave its references out.
    pub(crate) fn compare(&mut self, declared: &Type, given: &Type) {
        match (declared, given) {
            (_, Type::Infer(_)) => {}
            (Type::Reference(declared), Type::Reference(given)) => {
                self.compare(&declared.elem, &given.elem)
            }
            (Type::Reference(declared), given) => self.compare(&declared.elem, given),
            (Type::Path(path), given) if path.path.get_ident().is_some() => {
                let name = path.path.require_ident().expect("a name").to_string();
                self.know(&name, given.to_token_stream());
            }
            (Type::Array(declared), Type::Array(given)) => {
                if let Expr::Path(n) = &declared.len
                    && let Some(n) = n.path.get_ident()
                {
                    self.know(&n.to_string(), given.len.to_token_stream());
                }
                self.compare(&declared.elem, &given.elem);
            }
            (Type::Slice(declared), Type::Slice(given)) => {
                self.compare(&declared.elem, &given.elem)
            }
            (Type::Slice(declared), Type::Array(given)) => {
                self.compare(&declared.elem, &given.elem)
            }
            (Type::Slice(declared), Type::Path(given)) => {
                if let [GenericArgument::Type(of)] = &arguments(&given.path)[..] {
                    self.compare(&declared.elem, of);
                }
            }
            (Type::Tuple(declared), Type::Tuple(given)) => {
                for (declared, given) in declared.elems.iter().zip(&given.elems) {
                    self.compare(declared, given);
                }
            }
            (Type::Path(declared), Type::Path(given)) => {
                self.compare_paths(&declared.path, &given.path)
            }
            _ => {}
        }
    }

    fn compare_paths(&mut self, declared: &Path, given: &Path) {
        let last = |path: &Path| path.segments.last().map(|last| last.ident.clone());
        if last(declared) != last(given) {
            return;
        }
        for (declared, given) in arguments(declared).iter().zip(&arguments(given)) {
            match (declared, given) {
                (GenericArgument::Type(Type::Path(of)), given) if of.path.get_ident().is_some() => {
                    let name = of.path.require_ident().expect("a name").to_string();
                    self.know(&name, given.to_token_stream());
                }
                (GenericArgument::Type(declared), GenericArgument::Type(given)) => {
                    self.compare(declared, given);
                }
                _ => {}
            }
        }
    }

    /// A type in terms of what the parameters stand for; `None` if it names one that is not known.
    pub(crate) fn put_in(&self, ty: &str) -> Option<String> {
        let tokens: TokenStream = ty.parse().ok()?;
        Some(self.replaced(tokens)?.to_string())
    }

    fn replaced(&self, tokens: TokenStream) -> Option<TokenStream> {
        let tree = |tree| match tree {
            TokenTree::Ident(name) => match self.0.get(&name.to_string()) {
                Some(meaning) => meaning.clone(),
                None => Some(TokenTree::Ident(name).into()),
            },
            TokenTree::Group(group) => {
                let inside = self.replaced(group.stream())?;
                Some(TokenTree::Group(Group::new(group.delimiter(), inside)).into())
            }
            tree => Some(tree.into()),
        };
        tokens.into_iter().map(tree).collect()
    }
}

/// The names of the parameters that are no lifetimes, as a call writes them; `Self` is one that it never writes.
pub(crate) fn names(generics: &Generics) -> Vec<String> {
    let names = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(of) => Some(of.ident.to_string()),
        GenericParam::Const(of) => Some(of.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    });
    names.chain(["Self".to_owned()]).collect()
}

/// The generic arguments of a type that are no lifetimes.
fn arguments(path: &Path) -> Vec<GenericArgument> {
    match path.segments.last().map(|last| &last.arguments) {
        Some(PathArguments::AngleBracketed(of)) => {
            let of = of
                .args
                .iter()
                .filter(|arg| !matches!(arg, GenericArgument::Lifetime(_)));
            of.cloned().collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put_in(declared: &str, given: &str, ty: &str) -> Option<String> {
        let mut meanings = Meanings::of(&["T".to_owned(), "N".to_owned()]);
        let parsed = |ty| syn::parse_str::<Type>(ty).expect("a type");
        meanings.compare(&parsed(declared), &parsed(given));
        meanings.put_in(ty).map(|ty| ty.replace(' ', ""))
    }

    #[test]
    fn arguments_tell() {
        for (declared, given, ty, means) in [
            ("&[f64; N]", "&[f64; 2]", "&[f64; N]", "&[f64;2]"),
            ("&T", "State", "T", "State"),
            ("T", "&State", "T", "&State"),
            ("&[T]", "Vec<Point>", "T", "Point"),
            ("&[[T; N]]", "[[f32; K]; 4]", "(T, [T; N])", "(f32,[f32;K])"),
            ("Matrix<T, N>", "m::Matrix<f64, 3>", "[T; N]", "[f64;3]"),
            ("(usize, T)", "(usize, State)", "Option<T>", "Option<State>"),
            ("T", "f64", "f64", "f64"),
        ] {
            assert_eq!(
                put_in(declared, given, ty).as_deref(),
                Some(means),
                "{declared}"
            );
        }
    }

    #[test]
    fn what_they_do_not_tell_is_not_known() {
        assert_eq!(put_in("T", "_", "T"), None);
        assert_eq!(put_in("[f64; N]", "Vec<f64>", "[f64; N]"), None);
        assert_eq!(put_in("Pair<T>", "Triple<f64>", "T"), None);
    }

    #[test]
    fn a_call_tells_first() {
        let names = ["T".to_owned(), "N".to_owned()];
        let mut meanings = Meanings::of(&names);
        meanings.written(&names, &syn::parse_quote!(step::<_, 4>));
        meanings.compare(&syn::parse_quote!([T; N]), &syn::parse_quote!([f64; 2]));
        assert_eq!(meanings.put_in("[T; N]").as_deref(), Some("[f64 ; 4]"));
    }
}
