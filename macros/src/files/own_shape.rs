//! Fields whose values all have one shape, by what the structs of the crate say: numbers, arrays of them, and structs of those.
//!
//! What is assigned to such a field changes no length. That a field of a name that differs, or of a type that is not known, may have
//! any shape is what is believed of all others: then a length is kept that need not be.

use std::collections::{HashMap, HashSet};

use syn::{GenericArgument, Ident, Item, ItemStruct, PathArguments, Type};

use super::answers::Answers;
use super::source::{self, Read};
use crate::differentiable::front::numbers;

/// The structs in one another that are looked through.
const DEPTH: usize = 8;

/// Whether every struct of the crate that has a field of this name has a value of one shape there, and one has.
pub(crate) fn is_one(field: &Ident) -> bool {
    thread_local!(static KNOWN: Answers<HashSet<String>> = Answers::default());
    source::found_in_crate(field, &KNOWN, read)
        .is_some_and(|known| known.contains(&field.to_string()))
}

fn read(files: &[Read]) -> HashSet<String> {
    let mut types = Types::default();
    for (_, file) in files {
        source::items(&file.items, &mut |item| match item {
            Item::Struct(item) => {
                let name = item.ident.to_string();
                types.structs.entry(name).or_default().push(item);
            }
            // which variant it is, is no length
            Item::Enum(item) => drop(types.enums.insert(item.ident.to_string())),
            _ => {}
        });
    }
    types.fields_of_one_shape()
}

/// The types that a crate declares.
#[derive(Default)]
struct Types<'f> {
    structs: HashMap<String, Vec<&'f ItemStruct>>,
    enums: HashSet<String>,
}

impl Types<'_> {
    fn fields_of_one_shape(&self) -> HashSet<String> {
        let mut fields: HashMap<String, bool> = HashMap::new();
        for item in self.structs.values().flatten() {
            for field in &item.fields {
                if let Some(name) = &field.ident {
                    let one = self.is_one(&field.ty, item, DEPTH);
                    *fields.entry(name.to_string()).or_insert(true) &= one;
                }
            }
        }
        let known = fields.into_iter();
        known
            .filter_map(|(name, one)| one.then_some(name))
            .collect()
    }

    /// Whether a type in a struct has one shape.
    fn is_one(&self, ty: &Type, of: &ItemStruct, depth: usize) -> bool {
        match ty {
            Type::Array(array) => self.is_one(&array.elem, of, depth),
            Type::Tuple(tuple) => tuple.elems.iter().all(|ty| self.is_one(ty, of, depth)),
            Type::Paren(paren) => self.is_one(&paren.elem, of, depth),
            // which has no derivative
            Type::Reference(_) => true,
            Type::Path(path) => {
                let Some(last) = path.path.segments.last() else {
                    return false;
                };
                let arguments = match &last.arguments {
                    PathArguments::AngleBracketed(of) => of.args.iter().collect(),
                    _ => Vec::new(),
                };
                let all_one = arguments.iter().all(|argument| match argument {
                    GenericArgument::Type(ty) => self.is_one(ty, of, depth),
                    _ => true,
                });
                all_one && self.is_named_one(&last.ident, of, depth)
            }
            _ => false,
        }
    }

    /// The same of a name, whose arguments have one shape.
    fn is_named_one(&self, name: &Ident, of: &ItemStruct, depth: usize) -> bool {
        const OF_ONE_SHAPE: &[&str] = &["Box", "Option", "PhantomData", "String", "bool", "char"];
        // lists of std, also where the crate has a struct of that name: which of them is meant, a name does not tell
        const OF_ANY_SHAPE: &[&str] = &[
            "BTreeMap",
            "BTreeSet",
            "BinaryHeap",
            "Cow",
            "HashMap",
            "HashSet",
            "LinkedList",
            "Vec",
            "VecDeque",
        ];
        let text = name.to_string();
        if OF_ANY_SHAPE.contains(&text.as_str()) {
            return false;
        }
        // a parameter stands for a number more often than for a vector
        if of.generics.type_params().any(|param| param.ident == *name) {
            return true;
        }
        match (self.structs.get(&text), depth.checked_sub(1)) {
            (Some(items), Some(depth)) => items.iter().all(|item| {
                let mut fields = item.fields.iter();
                fields.all(|field| self.is_one(&field.ty, item, depth))
            }),
            (Some(_), None) => false,
            _ => {
                self.enums.contains(&text)
                    || numbers::is_primitive(name)
                    || OF_ONE_SHAPE.contains(&text.as_str())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::rc::Rc;

    #[test]
    fn numbers_and_what_is_made_of_them_have_one_shape() {
        let file = "
            struct State<T> { at: Point, x: T, n: usize, rows: Vec<f64>, m: [[f64; 3]; 3], mode: Mode, slice: Box<[f64]>, last: Option<f64> }
            struct Point { x: f64, y: f64 }
            mod more { struct Held { held: super::State<f64>, size: f64, trace: Option<Vec<f64>> } struct Other { size: Vec<f64> } }
            enum Mode { Fast, Slow }
            mod own { struct Vec { x: f64 } }
        ";
        let file = Rc::new(syn::parse_file(file).unwrap());
        let mut fields: Vec<_> = super::read(&[(PathBuf::new(), file)]).into_iter().collect();
        fields.sort();
        assert_eq!(fields, ["at", "last", "m", "mode", "n", "x", "y"]);
    }
}
