//! A struct that a function declares for itself, of numbers and without an attribute, has a tangent space in the generated code, which has a struct of its
//! own of this text.
//!
//! ```text
//! fn adam(x: &[f64]) -> Vec<f64> { struct Moments { m: Vec<f64>, t: i32 } … }   // #[derive(Clone, Tangent)] struct Moments { … }
//! ```

use std::collections::HashSet;

use quote::ToTokens;
use syn::visit_mut::{self, VisitMut};
use syn::{Block, GenericArgument, Item, ItemStruct, PathArguments, Stmt, Type};

use crate::differentiable::front::numbers;
use crate::differentiable::tokens::text::words;
use crate::files::source;

/// Derives the tangent spaces of the structs in a body that derive none.
pub(crate) fn derived(body: &mut Block) {
    LocalTypes::default().visit_block_mut(body);
}

#[derive(Default)]
struct LocalTypes {
    /// Structs that have tangent spaces.
    known: HashSet<String>,
    /// Those for which traits are implemented in the body, one of which may be `Clone`.
    implemented: HashSet<String>,
}

impl VisitMut for LocalTypes {
    fn visit_block_mut(&mut self, block: &mut Block) {
        for stmt in &block.stmts {
            if let Stmt::Item(Item::Impl(of)) = stmt
                && of.trait_.is_some()
            {
                self.implemented.extend(words(of.self_ty.to_token_stream()));
            }
        }
        // a struct may hold another that stands behind it
        loop {
            let before = self.known.len();
            for stmt in &mut block.stmts {
                if let Stmt::Item(Item::Struct(of)) = stmt {
                    self.derive(of);
                }
            }
            if self.known.len() == before {
                break;
            }
        }
        visit_mut::visit_block_mut(self, block);
    }
    fn visit_item_mut(&mut self, _: &mut Item) {}
}

impl LocalTypes {
    fn derive(&mut self, of: &mut ItemStruct) {
        let name = of.ident.to_string();
        let derives = source::derived(&of.attrs);
        if derives.iter().any(|word| word == "Tangent") {
            self.known.insert(name);
            return;
        }
        let plain = of.generics.params.is_empty()
            && !self.implemented.contains(&name)
            && of.fields.iter().all(|field| self.is_of_numbers(&field.ty));
        if plain && self.known.insert(name) {
            of.attrs
                .push(syn::parse_quote!(#[derive(::coenzyme::Tangent)]));
            if !derives.iter().any(|word| word == "Clone") {
                of.attrs
                    .push(syn::parse_quote!(#[derive(::core::clone::Clone)]));
            }
        }
    }

    /// Whether a type is made of numbers and flags.
    fn is_of_numbers(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(array) => self.is_of_numbers(&array.elem),
            Type::Paren(inside) => self.is_of_numbers(&inside.elem),
            Type::Tuple(tuple) => tuple.elems.iter().all(|part| self.is_of_numbers(part)),
            Type::Path(path) => {
                let Some(last) = path.path.segments.last() else {
                    return false;
                };
                let name = last.ident.to_string();
                match &last.arguments {
                    PathArguments::None => {
                        name == "bool"
                            || numbers::is_primitive(&last.ident)
                            || self.known.contains(&name)
                    }
                    PathArguments::AngleBracketed(of) => {
                        ["Option", "Vec"].contains(&name.as_str())
                            && of.args.iter().all(|arg| {
                                matches!(arg, GenericArgument::Type(ty) if self.is_of_numbers(ty))
                            })
                    }
                    PathArguments::Parenthesized(_) => false,
                }
            }
            _ => false,
        }
    }
}
