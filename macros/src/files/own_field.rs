//! Fields that are vectors or arrays, by what the structs of a file say: `struct Matrix { columns: usize, entries: Vec<f64> }`.
//!
//! A loop that runs over such a field gets the part of it that it runs over, and its bounds are checked once. That it is a slice is asked of the
//! type where the part is taken; a name that stands for something else in another struct of the file proposes nothing.

use std::collections::{HashMap, HashSet};

use syn::{GenericArgument, Ident, Item, PathArguments, Type};

use super::answers::Answers;
use super::source;

/// Whether every struct of the file that has a field of this name has a vector or an array there, and one has.
pub(crate) fn is_list(field: &Ident) -> bool {
    thread_local!(static KNOWN: Answers<HashSet<String>> = Answers::default());
    source::found(field, &KNOWN, read).is_some_and(|lists| lists.contains(&field.to_string()))
}

fn read(file: &syn::File) -> HashSet<String> {
    let mut fields: HashMap<String, bool> = HashMap::new();
    source::items(&file.items, &mut |item| {
        let Item::Struct(item) = item else { return };
        for field in &item.fields {
            if let Some(name) = &field.ident {
                *fields.entry(name.to_string()).or_insert(true) &= is_list_type(&field.ty);
            }
        }
    });
    let lists = fields.into_iter().filter(|(_, is_list)| *is_list);
    lists.map(|(name, _)| name).collect()
}

/// `Vec<T>`, `[T; N]`, `Box<[T]>`.
fn is_list_type(ty: &Type) -> bool {
    match ty {
        Type::Array(_) => true,
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let PathArguments::AngleBracketed(of) = &last.arguments else {
                return false;
            };
            let slice = matches!(of.args.first(), Some(GenericArgument::Type(Type::Slice(_))));
            last.ident == "Vec" || last.ident == "Box" && slice
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_field_is_a_list_if_it_is_one_in_every_struct() {
        let file = "
            struct Matrix { columns: usize, entries: Vec<f64>, scale: [f64; 3] }
            mod rows { struct Rows { rows: Box<[f64]>, scale: f64, at: Box<f64> } }
        ";
        let mut lists: Vec<_> = read(&syn::parse_file(file).unwrap()).into_iter().collect();
        lists.sort();
        assert_eq!(lists, ["entries", "rows"]);
    }
}
