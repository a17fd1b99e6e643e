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

/// How many lists are in one another in what every struct of the file has in a field of this name: 2 for `rows: Vec<Vec<f64>>`, 0 if it is no list, or
/// differs.
pub(crate) fn levels(field: &Ident) -> usize {
    thread_local!(static KNOWN: Answers<HashMap<String, usize>> = Answers::default());
    let known = source::found(field, &KNOWN, |file| read_as(file, levels_of));
    known
        .and_then(|known| known.get(&field.to_string()).copied())
        .unwrap_or(0)
}

fn read(file: &syn::File) -> HashMap<String, Kind> {
    read_as(file, kind_of)
}

/// What the type of a field says, of the fields for which it says the same in every struct.
fn read_as<T: Copy + PartialEq>(
    file: &syn::File,
    says: impl Fn(&Type) -> Option<T>,
) -> HashMap<String, T> {
    let mut fields: HashMap<String, Option<T>> = HashMap::new();
    source::items(&file.items, &mut |item| {
        let Item::Struct(item) = item else { return };
        for field in &item.fields {
            if let Some(name) = &field.ident {
                let said = says(&field.ty);
                let known = fields.entry(name.to_string()).or_insert(said);
                *known = known.filter(|known| Some(*known) == said);
            }
        }
    });
    let known = fields.into_iter();
    known
        .filter_map(|(name, said)| Some((name, said?)))
        .collect()
}

fn levels_of(ty: &Type) -> Option<usize> {
    let inside = match ty {
        Type::Array(array) => &*array.elem,
        Type::Slice(slice) => &*slice.elem,
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let PathArguments::AngleBracketed(of) = &last.arguments else {
                return None;
            };
            let Some(GenericArgument::Type(of)) = of.args.first() else {
                return None;
            };
            match (last.ident.to_string().as_str(), of) {
                ("Vec", of) => of,
                ("Box", Type::Slice(slice)) => &*slice.elem,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(1 + levels_of(inside).unwrap_or(0))
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
    use super::{Kind, levels_of, read, read_as};

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

    #[test]
    fn lists_in_lists_have_levels() {
        let file = "struct A { w: Vec<Vec<f64>>, b: Vec<f64>, m: [[f64; 3]; 3], r: Vec<Row>, x: f64, o: Option<Vec<f64>> } struct B { b: Vec<[f64; 2]> }";
        let levels = read_as(&syn::parse_file(file).unwrap(), levels_of);
        let of = |name: &str| levels.get(name).copied();
        let all = ["w", "b", "m", "r", "x", "o"].map(of);
        assert_eq!(all, [Some(2), None, Some(2), Some(1), None, None]);
    }
}
