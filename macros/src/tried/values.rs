//! Which types are values with a tangent space, as the files of a crate tell: a second function returns no other, lest it be an error where the first
//! is none.

use std::collections::{HashMap, HashSet};

use syn::visit::{self, Visit};
use syn::{GenericArgument, PathArguments, Type};

use crate::files::source;

/// Types of the standard library and of numerical crates that hold nothing but numbers, or what their arguments are.
const KNOWN: &[&str] = &[
    "Array", "Array1", "Array2", "Array3", "ArrayD", "Complex", "DMatrix", "DVector", "Matrix2",
    "Matrix3", "Matrix4", "Option", "Vec", "Vector2", "Vector3", "Vector4", "bool", "f32", "f64",
    "i32", "i64", "u32", "u64", "usize",
];

/// The types of a crate.
#[derive(Debug, Default)]
pub(super) struct Values {
    /// Types without parameters that derive their tangent space.
    derived: HashSet<String>,
    /// Aliases, and what they stand for.
    aliases: HashMap<String, Type>,
}

impl Values {
    /// Whether a type has a tangent space; `of` is what `Self` means.
    pub(super) fn has(&self, ty: &Type, of: Option<&str>) -> bool {
        self.made_of(ty, &|name| {
            let name = of.filter(|_| name == "Self").unwrap_or(name);
            // an alias of an alias is looked at no further
            let alias = || {
                let ty = self.aliases.get(name);
                ty.is_some_and(|ty| self.made_of(ty, &|name| self.is_known(name)))
            };
            self.is_known(name) || alias()
        })
    }

    /// Whether all names of types in a type are known, and nothing in it is a reference.
    fn made_of(&self, ty: &Type, known: &dyn Fn(&str) -> bool) -> bool {
        match ty {
            Type::Tuple(tuple) => tuple.elems.iter().all(|part| self.made_of(part, known)),
            Type::Array(array) => self.made_of(&array.elem, known),
            Type::Paren(inside) => self.made_of(&inside.elem, known),
            Type::Path(path) if path.qself.is_none() => {
                let Some(last) = path.path.segments.last() else {
                    return false;
                };
                let name = last.ident.to_string();
                match &last.arguments {
                    PathArguments::None => known(&name),
                    PathArguments::AngleBracketed(inside) => {
                        let all = |arg: &GenericArgument| match arg {
                            GenericArgument::Type(part) => self.made_of(part, known),
                            _ => false,
                        };
                        KNOWN.contains(&&name[..]) && inside.args.iter().all(all)
                    }
                    PathArguments::Parenthesized(_) => false,
                }
            }
            _ => false,
        }
    }

    fn is_known(&self, name: &str) -> bool {
        KNOWN.contains(&name) || self.derived.contains(name)
    }

    fn derives(
        &mut self,
        attributes: &[syn::Attribute],
        name: &syn::Ident,
        generics: &syn::Generics,
    ) {
        let derived = source::derived(attributes);
        let derives = |name: &str| derived.iter().any(|word| word == name);
        if generics.params.is_empty() && derives("Tangent") && derives("Clone") {
            self.derived.insert(name.to_string());
        }
    }
}

impl<'ast> Visit<'ast> for Values {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.derives(&item.attrs, &item.ident, &item.generics);
    }
    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.derives(&item.attrs, &item.ident, &item.generics);
    }
    fn visit_item_type(&mut self, alias: &'ast syn::ItemType) {
        if alias.generics.params.is_empty() {
            self.aliases
                .insert(alias.ident.to_string(), (*alias.ty).clone());
        }
        visit::visit_item_type(self, alias);
    }
}

#[cfg(test)]
mod tests {
    use syn::visit::Visit;

    use super::Values;

    #[test]
    fn types_that_derive_it_have_a_tangent_space() {
        let text = "
            #[derive(Clone, coenzyme::Tangent)] struct Pair { a: f64 }
            #[derive(Tangent)] struct Moved { a: f64 }
            #[derive(Clone)] struct Token;
            type Vector = [f64; 3];
            type Name = String;
        ";
        let mut values = Values::default();
        values.visit_file(&syn::parse_file(text).expect("a file"));
        let has = |ty: &str| values.has(&syn::parse_str(ty).expect("a type"), Some("Pair"));
        for ty in [
            "f64",
            "()",
            "(f64, Vec<[f64; 2]>)",
            "Pair",
            "Self",
            "Option<m::Pair>",
            "Vector",
        ] {
            assert!(has(ty), "{ty}");
        }
        for ty in [
            "Moved",
            "Token",
            "Name",
            "Vec<Token>",
            "&f64",
            "T",
            "Box<dyn Fn()>",
            "Pair<f64>",
        ] {
            assert!(!has(ty), "{ty}");
        }
    }
}
