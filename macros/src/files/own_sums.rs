//! How values of the crate's own types add and multiply: a sum or a product that goes through entries by iterators, or of types with vectors, depends on the lengths of its operands.
//!
//! Such an operation is no polynomial of what its operands hold, as one of numbers is: its derivative asks for the operands.

use std::collections::HashSet;
use std::rc::Rc;

use quote::ToTokens;
use syn::{GenericArgument, Ident, Item, ItemImpl, PathArguments, Type};

use super::answers::Answers;
use super::nearest::Nearest;
use super::source::{self, Read, name_of};
use crate::differentiable::resolve::beside::type_name;
use crate::differentiable::words;
use crate::operator::is_number;

/// What a file, or a crate, tells.
#[derive(Debug, Default)]
struct Sums {
    /// Types whose sums depend on lengths, as far as is known.
    by_lengths: HashSet<String>,
    /// Types whose products do.
    multiplied: HashSet<String>,
    /// Types that say of themselves that they add component by component.
    additive: HashSet<String>,
    /// Types that have rules for `+=` or `-=` of two of their values, and its method.
    assigned: HashSet<(String, &'static str)>,
}

/// What the files of a crate tell.
#[derive(Debug, Default)]
pub(crate) struct OwnSums(Nearest<Sums>);

impl OwnSums {
    /// What the files of the crate tell that a function stands in.
    pub(crate) fn of(function: &Ident) -> Rc<Self> {
        thread_local!(static KNOWN: Answers<OwnSums> = Answers::default());
        source::found_in_crate(function, &KNOWN, Self::read).unwrap_or_default()
    }

    fn read(files: &[Read]) -> Self {
        Self(Nearest::read(files, |sums: &mut Sums, file| {
            source::items(&file.items, &mut |item| sums.note(item));
        }))
    }

    /// Whether the sum of two values of a type depends on the lengths of their parts, and the type says nothing of how they add.
    pub(crate) fn by_lengths(&self, of: &str, near: &Ident) -> bool {
        self.0.of_type(of, near).is_by_lengths(of)
    }

    /// Whether products of a type depend on the lengths of their parts.
    pub(crate) fn multiplies_by_lengths(&self, of: &str, near: &Ident) -> bool {
        self.0.of_type(of, near).multiplied.contains(of)
    }

    /// Whether a type has rules for `+=` or `-=`, which depend on the lengths of the parts.
    pub(crate) fn assigns_by_lengths(&self, of: &str, method: &'static str, near: &Ident) -> bool {
        let sums = self.0.of_type(of, near);
        sums.assigned.contains(&(of.to_owned(), method)) && sums.is_by_lengths(of)
    }
}

impl Sums {
    fn is_by_lengths(&self, of: &str) -> bool {
        self.by_lengths.contains(of) && !self.additive.contains(of)
    }

    fn note(&mut self, item: &Item) {
        match item {
            Item::Struct(item) if item.fields.iter().any(|field| is_vec(&field.ty)) => {
                self.by_lengths.insert(item.ident.to_string());
                self.multiplied.insert(item.ident.to_string());
            }
            Item::Impl(block) => self.note_block(block),
            _ => {}
        }
    }

    fn note_block(&mut self, block: &ItemImpl) {
        let path = block.trait_.as_ref().map(|(path, _)| path);
        let of_trait = path.and_then(|path| path.segments.last());
        let Some(of_trait) = of_trait else { return };
        let Some(of) = operand(block, &of_trait.arguments).and_then(type_name) else {
            return;
        };
        let method = match of_trait.ident.to_string().as_str() {
            "Additive" => {
                self.additive.insert(of);
                return;
            }
            "Mul" | "Div" => {
                if goes_by_iterators(block) {
                    self.multiplied.insert(of);
                }
                return;
            }
            "Add" | "Sub" => None,
            "AddAssign" => Some("add_assign"),
            "SubAssign" => Some("sub_assign"),
            _ => return,
        };
        if goes_by_iterators(block) {
            self.by_lengths.insert(of.clone());
        }
        let ruled = source::has_attribute(&block.attrs, &["differentiable", "primitive"]);
        if let (true, PathArguments::None, Some(method)) = (ruled, &of_trait.arguments, method) {
            self.assigned.insert((of, method));
        }
    }
}

/// The type that an operation is of: of the block, or the argument of the trait beside a number.
fn operand<'b>(block: &'b ItemImpl, arguments: &'b PathArguments) -> Option<&'b Type> {
    if !is_number(&block.self_ty) {
        return Some(&block.self_ty);
    }
    match arguments {
        PathArguments::AngleBracketed(list) => match list.args.first()? {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a block goes through entries by iterators.
fn goes_by_iterators(block: &ItemImpl) -> bool {
    let words = words(block.to_token_stream());
    let mut words = words.iter().map(String::as_str);
    words.any(|word| matches!(word, "iter" | "iter_mut" | "into_iter" | "zip"))
}

/// Whether a type is that of a vector.
fn is_vec(ty: &Type) -> bool {
    name_of(ty).is_some_and(|name| name == "Vec")
}

#[cfg(test)]
mod tests {
    use super::OwnSums;

    #[test]
    fn sums_of_vectors_and_by_iterators_depend_on_lengths() {
        let text = "
            struct V { x: Vec<f64> } struct P { x: f64 } struct M([f64; 4]); struct W { x: Vec<f64> }
            #[differentiable] impl Add for P { fn add(self, r: P) -> P { P { x: self.x + r.x } } }
            #[differentiable] impl AddAssign for P { fn add_assign(&mut self, r: P) { self.x += r.x; } }
            #[differentiable] impl AddAssign for M { fn add_assign(&mut self, r: M) { for (a, b) in self.0.iter_mut().zip(&r.0) { *a += b; } } }
            #[differentiable] impl SubAssign<&M> for M { fn sub_assign(&mut self, r: &M) { self.0[0] -= r.0[0]; } }
            impl Additive for W {}
            #[differentiable] impl Mul<f64> for P { fn mul(self, k: f64) -> P { P { x: self.x * k } } }
            #[differentiable] impl Mul<&M> for f64 { fn mul(self, m: &M) -> M { M(m.0.iter().map(|x| x * self).collect()) } }
        ";
        let file = syn::parse_file(text).expect("a file");
        let found = OwnSums::read(&[("lib.rs".into(), file.into())]);
        let near = syn::parse_quote!(caller);
        let by_lengths = ["V", "P", "M", "W"].map(|of| found.by_lengths(of, &near));
        assert_eq!(by_lengths, [true, false, true, false]);
        let multiplied = ["V", "P", "M", "f64"].map(|of| found.multiplies_by_lengths(of, &near));
        assert_eq!(multiplied, [true, false, true, false]);
        assert!(found.assigns_by_lengths("M", "add_assign", &near));
        assert!(!found.assigns_by_lengths("M", "sub_assign", &near));
        assert!(!found.assigns_by_lengths("P", "add_assign", &near));
    }
}
