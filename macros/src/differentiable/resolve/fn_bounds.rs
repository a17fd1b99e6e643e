//! What a function says of the closures that it takes: a closure that is handed to it says nothing, and its derivative needs types.
//!
//! ```text
//! fn rk4<F>(rhs: F, y: State) -> State where F: Fn(f64, State) -> State
//! rk4(|t, y| …, y0)                                  // is rk4(|t: f64, y: State| -> State { … }, y0)
//! ```

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprClosure, FnArg, Generics, Ident, Pat, Path, PathArguments, ReturnType, Signature,
    Type, TypeParamBound, WherePredicate,
};

use super::meanings::{self, Meanings};
use crate::differentiable::tokens::tail::tail;

/// `Fn(A, B) -> C`, as text: what is read of a file outlives the expansion that read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FnBound {
    inputs: Vec<String>,
    output: Option<String>,
}

/// What a function says of its parameters, a receiver among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    /// The names of its generic parameters.
    pub(crate) generics: Vec<String>,
    /// The types, and the bounds of those that are closures.
    pub(crate) parameters: Vec<(Option<String>, Option<FnBound>)>,
}

impl Told {
    /// As another file may write it, where `name` gives the names of types that it can: what names others says nothing.
    pub(crate) fn elsewhere(&self, name: &dyn Fn(&Ident) -> Option<Path>) -> Self {
        let name = |ident: &Ident| match self.generics.iter().any(|generic| ident == generic) {
            true => Some(ident.clone().into()),
            false => name(ident),
        };
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(ty, bound)| {
            let bound = bound.as_ref();
            (ty.clone(), bound.and_then(|bound| bound.elsewhere(&name)))
        });
        Self {
            generics: self.generics.clone(),
            parameters: parameters.collect(),
        }
    }
}

/// What a function says of the closures that it takes, if it takes any.
pub(crate) fn told(sig: &Signature) -> Option<Told> {
    let of = |arg: &FnArg| match arg {
        FnArg::Receiver(_) => (None, None),
        FnArg::Typed(arg) => {
            let bound = of_type(&arg.ty, &sig.generics);
            let bound = bound.filter(|bound| !bound.names_lifetimes());
            (Some(text(&arg.ty)), bound)
        }
    };
    let told = Told {
        generics: meanings::names(&sig.generics),
        parameters: sig.inputs.iter().map(of).collect(),
    };
    let any = told.parameters.iter().any(|(_, bound)| bound.is_some());
    any.then_some(told)
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

fn is_named(ty: &Type, name: &Ident) -> bool {
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
    /// Whether it names lifetimes that only the function, or a `for<'a>`, declares.
    fn names_lifetimes(&self) -> bool {
        let mut types = self.inputs.iter().chain(&self.output);
        types.any(|ty| {
            let after_quotes = ty.split('\'').skip(1);
            let mut named = after_quotes.map(|rest| rest.split_whitespace().next());
            named.any(|name| !matches!(name, Some("static" | "_")))
        })
    }

    /// In terms of what the generic parameters of the function stand for; `None` if that is not known.
    pub(crate) fn put_in(&self, meanings: &Meanings) -> Option<Self> {
        let put_in = |ty: &String| meanings.put_in(ty);
        Some(Self {
            inputs: self.inputs.iter().map(put_in).collect::<Option<_>>()?,
            output: match &self.output {
                Some(output) => Some(put_in(output)?),
                None => None,
            },
        })
    }

    fn elsewhere(&self, name: &dyn Fn(&Ident) -> Option<Path>) -> Option<Self> {
        let renamed = |ty: &String| {
            let mut ty: Type = syn::parse_str(ty).ok()?;
            let mut renamed = Renamed { name, all: true };
            renamed.visit_type_mut(&mut ty);
            renamed.all.then(|| text(&ty))
        };
        Some(Self {
            inputs: self.inputs.iter().map(renamed).collect::<Option<_>>()?,
            output: match &self.output {
                Some(output) => Some(renamed(output)?),
                None => None,
            },
        })
    }

    /// What it says that a closure returns.
    pub(crate) fn output(&self) -> Option<Type> {
        syn::parse_str(self.output.as_deref()?).ok()
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

/// Writes names of types as another file can.
struct Renamed<'n> {
    name: &'n dyn Fn(&Ident) -> Option<Path>,
    /// Whether it can write all.
    all: bool,
}

impl VisitMut for Renamed<'_> {
    fn visit_path_mut(&mut self, path: &mut Path) {
        let first = &path.segments[0].ident;
        let anywhere = path.leading_colon.is_some()
            || ["crate", "std", "core"].iter().any(|root| first == root);
        match (path.segments.len(), anywhere) {
            (_, true) => {}
            (1, _) => match (self.name)(first) {
                Some(mut renamed) => {
                    let last = renamed.segments.last_mut().expect("a path has a name");
                    last.arguments = std::mem::take(&mut path.segments[0].arguments);
                    *path = renamed;
                }
                None => self.all = false,
            },
            _ => self.all = false,
        }
        visit_mut::visit_path_mut(self, path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sig: &str) -> Vec<Option<(Vec<String>, Option<String>)>> {
        let sig: Signature = syn::parse_str(sig).expect("a signature");
        let told = told(&sig).unwrap_or_default();
        let unknown = Meanings::of(&told.generics);
        let bounds = told.parameters.into_iter();
        bounds
            .map(|(_, bound)| bound?.put_in(&unknown).map(|b| (b.inputs, b.output)))
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
    fn what_names_a_parameter_of_the_function_says_nothing_by_itself() {
        for sig in [
            "fn map<T, F: Fn(T) -> T>(f: F)",
            "fn map<const N: usize>(f: impl Fn([f64; N]))",
            "fn of<'a>(f: impl Fn(&'a [f64]) -> f64, g: fn(&'static str))",
        ] {
            assert_eq!(of(sig)[0], None, "{sig}");
        }
        assert_eq!(of("fn map(x: f64)"), []);
    }

    #[test]
    fn another_file_has_other_names() {
        let sig: Signature = syn::parse_quote! {
            fn step<const N: usize>(f: impl Fn(&State, [f64; N]) -> Vec<State>, g: fn(grid::Cell), h: fn(crate::Mesh))
        };
        let told = told(&sig).expect("closures");
        let inputs = |name: &dyn Fn(&Ident) -> Option<Path>| {
            let bounds = told.elsewhere(name).parameters.into_iter();
            let inputs = bounds.map(|(_, bound)| Some(bound?.inputs.join(", ").replace(' ', "")));
            inputs.collect::<Vec<_>>()
        };
        let in_a_module = |name: &Ident| match name == "State" {
            true => Some(syn::parse_quote!(ode::State)),
            false => Some(name.clone().into()),
        };
        let mesh = Some("crate::Mesh".to_owned());
        let written = Some("&ode::State,[f64;N]".to_owned());
        assert_eq!(inputs(&in_a_module), [written, None, mesh.clone()]);
        assert_eq!(inputs(&|_| None), [None, None, mesh]);
    }

    #[test]
    fn a_closure_keeps_the_types_that_it_says() {
        let sig: Signature = syn::parse_quote!(fn step(f: impl Fn(f64, &State) -> State));
        let told = told(&sig).expect("a closure");
        let bound = told.parameters[0].1.clone().expect("a bound");
        let mut closure: ExprClosure = syn::parse_quote!(|t: f32, y| y);
        bound.annotate(&mut closure);
        let long: ExprClosure = syn::parse_quote!(|t: f32, y: &State| -> State { y });
        assert_eq!(
            closure.to_token_stream().to_string(),
            long.to_token_stream().to_string()
        );
    }
}
