//! Types of the crate that are copied, and those whose copies are values with tangents: `#[derive(Clone, Tangent)]` on the declaration.
//!
//! What is returned by reference is differentiated as a copy; that the type has both is asked of it there. A loop over variants that are written down
//! has copies of them.

use std::collections::HashMap;
use std::rc::Rc;

use syn::{Attribute, Ident, Item};

use super::answers::Answers;
use super::nearest::Nearest;
use super::source::{self, Read};

/// Of the types of a file, or a crate, by name, what they derive: what all of a name do.
type Copies = HashMap<String, Derived>;

/// What a type derives.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Derived {
    clone: bool,
    copy: bool,
    tangent: bool,
}

/// Whether a type of this name derives `Clone` and `Tangent`.
pub(crate) fn are_values(ty: &Ident) -> bool {
    derived(ty).is_some_and(|derived| derived.clone && derived.tangent)
}

/// Whether a type of this name derives `Clone`.
pub(crate) fn are_copied(ty: &Ident) -> bool {
    derived(ty).is_some_and(|derived| derived.clone)
}

/// Whether a type of this name derives `Clone`, and not `Copy`.
pub(crate) fn are_cloned_alone(ty: &Ident) -> bool {
    derived(ty).is_some_and(|derived| derived.clone && !derived.copy)
}

fn derived(ty: &Ident) -> Option<Derived> {
    thread_local!(static KNOWN: Answers<Nearest<Copies>> = Answers::default());
    let known: Rc<Nearest<Copies>> = source::found_in_crate(ty, &KNOWN, read).unwrap_or_default();
    let name = ty.to_string();
    known.of_type(&name, ty).get(&name).copied()
}

fn read(files: &[Read]) -> Nearest<Copies> {
    Nearest::read(files, |copies: &mut Copies, file| {
        source::items(&file.items, &mut |item| {
            let (name, attributes) = match item {
                Item::Struct(item) => (&item.ident, &item.attrs),
                Item::Enum(item) => (&item.ident, &item.attrs),
                _ => return,
            };
            let derived = Derived::of(attributes);
            let known = copies.entry(name.to_string()).or_insert(derived);
            known.clone &= derived.clone;
            known.copy |= derived.copy;
            known.tangent &= derived.tangent;
        });
    })
}

impl Derived {
    fn of(attributes: &[Attribute]) -> Self {
        let derived = source::derived(attributes);
        let derives = |name: &str| derived.iter().any(|derived| derived == name);
        Self {
            clone: derives("Clone"),
            copy: derives("Copy"),
            tangent: derives("Tangent"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Derived, read};

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
        let are = |is: fn(&Derived) -> bool| {
            let known = known.of_crate().iter().filter(|(_, derived)| is(derived));
            let mut names: Vec<&str> = known.map(|(name, _)| &name[..]).collect();
            names.sort_unstable();
            names.join(" ")
        };
        assert_eq!(are(|d| d.clone), "Cell Config Part");
        assert_eq!(are(|d| d.clone && d.tangent), "Cell Part");
    }
}
