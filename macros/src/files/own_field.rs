//! Fields that are vectors, `Option`s or numbers, by what the structs of a file say: `struct Matrix { columns: usize, entries: Vec<f64> }`.
//!
//! A loop that runs over such a field gets the part of it that it runs over, and its bounds are checked once; what is taken out of one is a copy and
//! an assignment. That it is a slice, or a vector or an `Option`, is asked of the type there; a name that stands for something else in another
//! struct of the file proposes nothing.

use std::collections::HashMap;

use syn::{GenericArgument, Ident, Item, PathArguments, Type};

use super::answers::Answers;
use super::{own_names, source};

/// What a field is in every struct that has one of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Vector,
    /// `[T; N]`, `Box<[T]>`.
    Slice,
    Option,
    Number,
    /// A map, a set or a text: what has entries, and no numbers for them.
    Unnumbered,
}

/// Whether every struct of the file that has a field of this name has a vector or an array there, and one has.
pub(crate) fn is_list(field: &Ident) -> bool {
    matches!(kind(field), Some(Kind::Vector | Kind::Slice))
}

/// What every struct of the file that has a field of this name has there, if it is the same.
pub(crate) fn kind(field: &Ident) -> Option<Kind> {
    thread_local!(static KNOWN: Answers<HashMap<String, Kind>> = Answers::default());
    source::found(field, &KNOWN, read)?
        .get(&field.to_string())
        .copied()
}

fn read(file: &syn::File) -> HashMap<String, Kind> {
    let mut fields: HashMap<String, Option<Kind>> = HashMap::new();
    source::items(&file.items, &mut |item| {
        let Item::Struct(item) = item else { return };
        for field in &item.fields {
            if let Some(name) = &field.ident {
                let kind = kind_of(&field.ty);
                let known = fields.entry(name.to_string()).or_insert(kind);
                *known = known.filter(|known| Some(*known) == kind);
            }
        }
    });
    let known = fields.into_iter();
    known
        .filter_map(|(name, kind)| Some((name, kind?)))
        .collect()
}

/// Whether this is a type of the standard library that has entries, and no numbers for them.
pub(crate) fn is_unnumbered(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let own = path.path.get_ident().is_some_and(own_names::is_item);
    let last = path.path.segments.last();
    !own && last.is_some_and(|last| names_unnumbered(&last.ident.to_string()))
}

fn names_unnumbered(name: &str) -> bool {
    const TYPES: &[&str] = &[
        "BTreeMap",
        "BTreeSet",
        "BinaryHeap",
        "HashMap",
        "HashSet",
        "LinkedList",
        "String",
        "str",
    ];
    TYPES.contains(&name)
}

fn kind_of(ty: &Type) -> Option<Kind> {
    let last = match ty {
        Type::Array(_) => return Some(Kind::Slice),
        Type::Path(path) => path.path.segments.last()?,
        _ => return None,
    };
    match last.ident.to_string().as_str() {
        "Vec" => Some(Kind::Vector),
        "Option" => Some(Kind::Option),
        "f64" | "f32" => Some(Kind::Number),
        _ if is_unnumbered(ty) => Some(Kind::Unnumbered),
        "Box" => match &last.arguments {
            PathArguments::AngleBracketed(of) => match of.args.first() {
                Some(GenericArgument::Type(Type::Slice(_))) => Some(Kind::Slice),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, read};

    #[test]
    fn a_field_is_what_it_is_in_every_struct() {
        let file = "
            struct Matrix { columns: usize, entries: Vec<f64>, scale: [f64; 3], last: Option<f64> }
            mod rows { struct Rows { rows: Box<[f64]>, scale: f64, at: Box<f64>, gain: f64, rates: BTreeMap<u32, f64> } }
        ";
        let kinds = read(&syn::parse_file(file).unwrap());
        let mut kinds: Vec<_> = kinds.into_iter().collect();
        kinds.sort_by(|a, b| a.0.cmp(&b.0));
        let kinds: Vec<_> = kinds
            .iter()
            .map(|(name, kind)| (&name[..], *kind))
            .collect();
        let expected = [
            ("entries", Kind::Vector),
            ("gain", Kind::Number),
            ("last", Kind::Option),
            ("rates", Kind::Unnumbered),
            ("rows", Kind::Slice),
        ];
        assert_eq!(kinds, expected);
    }
}
