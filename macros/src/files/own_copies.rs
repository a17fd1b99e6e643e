//! Types of the crate whose copies are values with tangents: `#[derive(Clone, Tangent)]` on the declaration.
//!
//! What is returned by reference is differentiated as a copy; that the type has both is asked of it there.

use std::collections::HashMap;
use std::rc::Rc;

use quote::ToTokens;
use syn::{Attribute, Ident, Item};

use super::answers::Answers;
use super::nearest::Nearest;
use super::source::{self, Read};
use crate::differentiable::words;

/// Of the types of a file, or a crate, by name, whether they derive both; `false` for a name that is declared more than once otherwise.
type Copies = HashMap<String, bool>;

/// Whether a type of this name derives `Clone` and `Tangent`.
pub(crate) fn are_values(ty: &Ident) -> bool {
    thread_local!(static KNOWN: Answers<Nearest<Copies>> = Answers::default());
    let known: Rc<Nearest<Copies>> = source::found_in_crate(ty, &KNOWN, read).unwrap_or_default();
    let name = ty.to_string();
    known.of_type(&name, ty).get(&name) == Some(&true)
}

fn read(files: &[Read]) -> Nearest<Copies> {
    Nearest::read(files, |copies: &mut Copies, file| {
        source::items(&file.items, &mut |item| {
            let (name, attributes) = match item {
                Item::Struct(item) => (&item.ident, &item.attrs),
                Item::Enum(item) => (&item.ident, &item.attrs),
                _ => return,
            };
            let both = derives_both(attributes);
            let known = copies.entry(name.to_string()).or_insert(both);
            *known &= both;
        });
    })
}

fn derives_both(attributes: &[Attribute]) -> bool {
    let derives = attributes.iter().filter(|a| a.path().is_ident("derive"));
    let derived: Vec<String> = derives
        .flat_map(|derive| words(derive.meta.to_token_stream()))
        .collect();
    ["Clone", "Tangent"]
        .iter()
        .all(|name| derived.iter().any(|derived| derived == name))
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn both_derives_make_a_value() {
        let file = "
            #[derive(Clone, Debug, Tangent)] struct Cell { soc: f64 }
            #[derive(Clone)] #[derive(coenzyme::Tangent)] enum Part { A(f64) }
            #[derive(Clone)] struct Config { n: usize }
            #[derive(Tangent)] struct Moved(f64);
        ";
        let file = std::rc::Rc::new(syn::parse_file(file).expect("a file"));
        let known = read(&[("one.rs".into(), file)]);
        let mut values: Vec<_> = known.of_crate().iter().filter(|(_, is)| **is).collect();
        values.sort();
        assert_eq!(
            values,
            [(&"Cell".to_owned(), &true), (&"Part".to_owned(), &true)]
        );
    }
}
