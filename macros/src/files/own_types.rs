//! The types that the crate declares: of their fields, and of what its functions and methods give.
//!
//! A name that means two things means nothing here: see [`super::nearest`] for which files are asked.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Generics, Ident, ImplItem, Item, ItemImpl, ReturnType, Signature, TraitItem, Type};

use super::answers::Answers;
use super::nearest::Nearest;
use super::source::{self, Read, name_of};
use crate::differentiable::resolve::beside::is_of_numbers;
use crate::differentiable::words;

/// Attributes that give rules.
const RULED: &[&str] = &["differentiable", "inactive", "primitive"];

/// By name, of what is declared once, the text of its type; `None` for what is declared more than once.
type Declared<K> = HashMap<K, Option<String>>;

/// What a file, or a crate, declares.
#[derive(Debug, Default)]
struct Types {
    /// Types and fields.
    fields: Declared<(String, String)>,
    /// Types and traits, and methods of theirs with rules, by what they give.
    methods: Declared<(String, String)>,
    functions: Declared<String>,
}

/// What the files of a crate declare.
#[derive(Debug, Default)]
pub(crate) struct OwnTypes(Nearest<Types>);

impl OwnTypes {
    /// What the files of the crate declare that a function stands in.
    pub(crate) fn of(function: &Ident) -> Rc<Self> {
        thread_local!(static KNOWN: Answers<OwnTypes> = Answers::default());
        source::found_in_crate(function, &KNOWN, Self::read).unwrap_or_default()
    }

    fn read(files: &[Read]) -> Self {
        let mut traits = HashMap::new();
        for (_, file) in files {
            source::items(&file.items, &mut |item| {
                if let Item::Trait(of) = item {
                    let methods = of.items.iter().filter_map(|item| match item {
                        TraitItem::Fn(method) if method.default.is_some() => Some(&method.sig),
                        _ => None,
                    });
                    traits.insert(of.ident.to_string(), methods.collect::<Vec<_>>());
                }
            });
        }
        Self(Nearest::read(files, |types: &mut Types, file| {
            types.note(&file.items, &traits);
        }))
    }

    /// The type of a field.
    pub(crate) fn field(&self, of: &str, field: &str, near: &Ident) -> Option<Type> {
        let key = (of.to_owned(), field.to_owned());
        parsed(self.0.of_type(of, near).fields.get(&key)?.as_deref()?)
    }

    /// Whether a type has a field that borrows numbers.
    pub(crate) fn borrows(&self, of: &str, near: &Ident) -> bool {
        let mut fields = self.0.of_type(of, near).fields.iter();
        fields.any(|((owner, _), ty)| {
            let ty = ty
                .as_deref()
                .filter(|ty| owner == of && ty.starts_with('&'));
            ty.and_then(parsed).is_some_and(|ty| is_borrowed(&ty))
        })
    }

    /// Whether a type or a trait has a method with rules, of its own or of a trait of the crate.
    pub(crate) fn has_method(&self, of: &str, method: &str, near: &Ident) -> bool {
        self.method(of, method, near).is_some()
    }

    /// What such a method gives.
    pub(crate) fn given_by(&self, of: &str, method: &str, near: &Ident) -> Option<Type> {
        parsed(self.method(of, method, near)?)
    }

    fn method(&self, of: &str, method: &str, near: &Ident) -> Option<&str> {
        let key = (of.to_owned(), method.to_owned());
        self.0.of_type(of, near).methods.get(&key)?.as_deref()
    }

    /// What a function gives that is no method.
    pub(crate) fn given(&self, function: &str, near: &Ident) -> Option<Type> {
        let given = self.0.ask(near, |types| types.functions.get(function));
        parsed(given?.as_deref()?)
    }
}

impl Types {
    fn note(&mut self, items: &[Item], traits: &HashMap<String, Vec<&Signature>>) {
        source::items(items, &mut |item| match item {
            Item::Struct(item) => {
                let of = item.ident.to_string();
                for (i, field) in item.fields.iter().enumerate() {
                    let name = field.ident.as_ref().map(ToString::to_string);
                    let name = name.unwrap_or_else(|| i.to_string());
                    let ty = text(&field.ty, &of, &item.generics);
                    note(&mut self.fields, (of.clone(), name), ty);
                }
            }
            Item::Fn(item) => {
                let name = item.sig.ident.to_string();
                let given = given(&item.sig, "", &Generics::default());
                note(&mut self.functions, name, given);
            }
            Item::Impl(block) => self.note_block(block, traits),
            // a value of which only the trait is known has its methods
            Item::Trait(item) if source::has_attribute(&item.attrs, RULED) => {
                let methods = item.items.iter().filter_map(|item| match item {
                    TraitItem::Fn(method) => Some(&method.sig),
                    _ => None,
                });
                self.note_methods(&item.ident.to_string(), methods, &item.generics);
            }
            _ => {}
        });
    }

    fn note_block(&mut self, block: &ItemImpl, traits: &HashMap<String, Vec<&Signature>>) {
        let Some(of) = name_of(&block.self_ty) else {
            return;
        };
        let of_trait = block.trait_.as_ref().map(|(path, _)| path);
        let of_trait = of_trait.and_then(|path| Some(path.segments.last()?.ident.to_string()));
        let left_out = of_trait.as_ref().map(|of| traits.get(of));
        // a method of a trait that is not of the crate has the meaning which that gives it
        if left_out == Some(None) {
            return;
        }
        let written = block.items.iter().filter_map(|item| match item {
            ImplItem::Fn(method) => Some(&method.sig),
            _ => None,
        });
        let written: Vec<&Signature> = written.collect();
        let names: HashSet<_> = written.iter().map(|sig| &sig.ident).collect();
        let left_out = left_out.flatten().into_iter().flatten();
        let left_out = left_out.filter(|sig| !names.contains(&sig.ident));
        if source::has_attribute(&block.attrs, RULED) {
            let methods = written.iter().chain(left_out).copied();
            self.note_methods(&of, methods, &block.generics);
        }
    }

    fn note_methods<'a>(
        &mut self,
        of: &str,
        methods: impl Iterator<Item = &'a Signature>,
        generics: &Generics,
    ) {
        for sig in methods.filter(|sig| !lends(sig)) {
            let key = (of.to_owned(), sig.ident.to_string());
            note(&mut self.methods, key, given(sig, of, generics));
        }
    }
}

/// Whether a function returns an iterator, of which there are no rules.
fn lends(sig: &Signature) -> bool {
    let ReturnType::Type(_, ty) = &sig.output else {
        return false;
    };
    let words = words(ty.to_token_stream());
    let iterates = |word: &String| {
        let of_std = ["Iter", "IterMut", "IntoIter"];
        of_std.contains(&word.as_str()) || word.ends_with("Iterator")
    };
    matches!(**ty, Type::ImplTrait(_)) || words.iter().any(iterates)
}

/// Notes a declaration, the second of which takes away the first.
fn note<K: std::hash::Hash + Eq>(known: &mut Declared<K>, key: K, ty: String) {
    let declared = known.entry(key);
    declared
        .and_modify(|known| *known = known.take().filter(|known| *known == ty))
        .or_insert(Some(ty));
}

/// What a function of a type gives, as text.
fn given(sig: &Signature, of: &str, generics: &Generics) -> String {
    match &sig.output {
        ReturnType::Type(_, ty) => {
            let mut all = generics.clone();
            all.params.extend(sig.generics.params.clone());
            text(ty, of, &all)
        }
        ReturnType::Default => "()".to_owned(),
    }
}

/// The text of a type in a block of the type `of`, as it can be written where the parameters are others.
fn text(ty: &Type, of: &str, generics: &Generics) -> String {
    let mut ty = ty.clone();
    let elsewhere = &mut Elsewhere { of, generics };
    elsewhere.visit_type_mut(&mut ty);
    ty.to_token_stream().to_string()
}

/// Writes `Self` and lifetimes out, and leaves parameters to be inferred.
struct Elsewhere<'a> {
    of: &'a str,
    generics: &'a Generics,
}

impl VisitMut for Elsewhere<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        let Type::Path(path) = ty else { return };
        let Some(name) = path.path.get_ident() else {
            return;
        };
        if name == "Self" {
            *ty = parsed(self.of).unwrap_or_else(|| ty.clone());
        } else if self
            .generics
            .type_params()
            .any(|param| param.ident == *name)
        {
            *ty = syn::parse_quote!(_);
        }
    }

    fn visit_lifetime_mut(&mut self, lifetime: &mut syn::Lifetime) {
        lifetime.ident = quote::format_ident!("_");
    }
}

fn parsed(text: &str) -> Option<Type> {
    syn::parse_str(text).ok()
}

/// Whether a type is a reference to a list of numbers that cannot be changed there: `&[f64]`. A field of such a type has no derivative, for a shadow
/// owns its memory.
pub(crate) fn is_borrowed(ty: &Type) -> bool {
    let is_number = |of: &Type| matches!(of, Type::Path(of) if of.path.get_ident().is_some());
    matches!(ty, Type::Reference(to) if to.mutability.is_none() && is_of_numbers(&to.elem) && !is_number(&to.elem))
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::Type;

    use super::OwnTypes;

    fn read(text: &str) -> OwnTypes {
        let file = syn::parse_file(text).expect("a file");
        OwnTypes::read(&[("lib.rs".into(), file.into())])
    }

    fn words(ty: Option<Type>) -> String {
        ty.map_or(String::new(), |ty| ty.to_token_stream().to_string())
    }

    #[test]
    fn what_is_declared_once_is_known() {
        let found = read(
            "struct A { b: Vec<B>, c: f64 } struct P(B, f64); struct G<'a, T> { of: &'a A<T> }
            #[differentiable] impl A { fn len(&self) -> f64 {} fn at(&self) -> Option<Self> {} fn iter(&self) -> Iter<'_, f64> {} fn first(&self) -> &f64 {} fn last(&mut self) -> &mut f64 {} }
            #[differentiable] trait Sized { fn count(&self) -> usize { 2 } fn sum(&self) -> f64; }
            #[differentiable] impl Sized for A { fn sum(&self) -> f64 {} }
            impl Iterator for A { fn next(&mut self) -> Option<f64> {} }
            impl B { fn max(&self) -> f64 {} }
            fn made() -> A {}
            mod other { fn twice() -> A {} } fn twice() -> B {}",
        );
        let near = syn::parse_quote!(caller);
        assert_eq!(words(found.field("A", "b", &near)), "Vec < B >");
        assert_eq!(words(found.field("P", "0", &near)), "B");
        assert_eq!(words(found.field("G", "of", &near)), "& '_ A < _ >");
        assert_eq!(words(found.given_by("A", "at", &near)), "Option < A >");
        assert_eq!(words(found.given("made", &near)), "A");
        assert_eq!(words(found.given("twice", &near)), "");
        let has = |of: &str, method: &str| found.has_method(of, method, &near);
        assert!(
            has("A", "len")
                && has("A", "first")
                && has("A", "count")
                && has("A", "sum")
                && has("Sized", "sum")
        );
        assert!(!has("A", "iter") && !has("A", "next") && !has("B", "max") && !has("A", "b"));
    }
}
