//! Whether a name of the standard library is given to something else in the file where it is written: `fn swap(a: &mut f64, b: &mut f64) { … }`.
//!
//! A name only proposes what it means, and `premises` asserts it. Where the file declares an item of the name, or imports one from elsewhere, it
//! proposes that item; where the file also imports the standard library's, nothing is said, as of a file that is not known.

use std::collections::HashSet;
use std::rc::Rc;

use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Ident, Item, UseTree};

use super::answers::Answers;
use super::source;

/// What names of a file mean.
#[derive(Debug, Default)]
struct Names {
    items: HashSet<String>,
    macros: HashSet<String>,
    /// Those without and with rules.
    traits: [HashSet<String>; 2],
    /// What the file imports from the standard library.
    std: HashSet<String>,
    /// Whether it imports all that a module has.
    globs: bool,
    /// Whether it imports variants of an enum.
    variants: bool,
}

/// Whether an item that is no macro has this name in the file of the identifier.
pub(crate) fn is_item(name: &Ident) -> bool {
    of_file(name).is_some_and(|names| {
        let name = name.unraw().to_string();
        names.items.contains(&name) && !names.std.contains(&name)
    })
}

/// Whether a name is the standard library's in the file of the identifier, which imports it and no other.
pub(crate) fn is_of_std(name: &Ident) -> bool {
    of_file(name).is_some_and(|names| {
        let name = name.unraw().to_string();
        names.std.contains(&name) && !names.items.contains(&name)
    })
}

/// Whether a trait of the file has this name.
pub(crate) fn is_trait(name: &Ident) -> bool {
    of_file(name).is_some_and(|names| {
        let name = name.to_string();
        names.traits.iter().any(|traits| traits.contains(&name))
    })
}

/// Whether a trait of the file has this name, and none with an attribute of ours.
pub(crate) fn is_unmarked_trait(name: &Ident) -> bool {
    of_file(name).is_some_and(|names| {
        let [unmarked, marked] = &names.traits;
        let name = name.to_string();
        unmarked.contains(&name) && !marked.contains(&name)
    })
}

/// Whether a trait of the crate has this name and an attribute of ours, and none has the name alone.
pub(crate) fn is_marked_trait(name: &Ident) -> bool {
    thread_local!(static KNOWN: Answers<[HashSet<String>; 2]> = Answers::default());
    let read = |files: &[source::Read]| {
        let mut names = Names::default();
        files.iter().for_each(|(_, file)| names.visit_file(file));
        names.traits
    };
    source::found_in_crate(name, &KNOWN, read).is_some_and(|traits| {
        let name = name.to_string();
        traits[1].contains(&name) && !traits[0].contains(&name)
    })
}

/// Whether a macro of the file has this name.
pub(crate) fn is_macro(name: &Ident) -> bool {
    of_file(name).is_some_and(|names| names.macros.contains(&name.to_string()))
}

/// Whether the file of a name may import it among all that a module has.
pub(crate) fn may_come_by_glob(name: &Ident) -> bool {
    of_file(name).is_none_or(|names| names.globs)
}

/// Whether the file of a name imports variants of an enum, `use Shape::*;`.
pub(crate) fn imports_variants(name: &Ident) -> bool {
    of_file(name).is_some_and(|names| names.variants)
}

fn of_file(name: &Ident) -> Option<Rc<Names>> {
    thread_local!(static KNOWN: Answers<Names> = Answers::default());
    source::found(name, &KNOWN, |file| {
        let mut names = Names::default();
        names.visit_file(file);
        names
    })
}

impl<'ast> Visit<'ast> for Names {
    fn visit_item(&mut self, item: &'ast Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Mod(item) => Some(&item.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            // another name for what a type is, which may be the standard library's
            _ => None,
        };
        self.items.extend(name.map(|name| name.unraw().to_string()));
        match item {
            Item::Trait(item) => {
                let mut last = item.attrs.iter().filter_map(|a| a.path().segments.last());
                let marked = last.any(|last| last.ident == "differentiable");
                self.traits[usize::from(marked)].insert(item.ident.to_string());
            }
            Item::Macro(item) => self
                .macros
                .extend(item.ident.as_ref().map(ToString::to_string)),
            Item::Use(item) => {
                let of_std = item.leading_colon.is_some() || begins_with_std(&item.tree);
                self.import(&item.tree, of_std);
                // of our prelude it is known what it has
                let is_ours = matches!(&item.tree, UseTree::Path(path) if path.ident == "coenzyme");
                self.globs |= !is_ours && has_glob(&item.tree);
                self.variants |= of_enum(&item.tree);
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }
}

impl Names {
    fn import(&mut self, tree: &UseTree, of_std: bool) {
        match tree {
            UseTree::Path(path) => self.import(&path.tree, of_std),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, of_std || begins_with_std(tree));
                }
            }
            UseTree::Name(name) if of_std => {
                self.std.insert(name.ident.to_string());
            }
            UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {}
        }
    }
}

/// `use Shape::*;`, `use crate::Shape::{self, Circle};`: only enums have a name in capitals and names inside of it.
pub(crate) fn of_enum(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => {
            path.ident.to_string().starts_with(char::is_uppercase) || of_enum(&path.tree)
        }
        UseTree::Group(group) => group.items.iter().any(of_enum),
        _ => false,
    }
}

fn has_glob(tree: &UseTree) -> bool {
    match tree {
        UseTree::Path(path) => has_glob(&path.tree),
        UseTree::Group(group) => group.items.iter().any(has_glob),
        UseTree::Glob(_) => true,
        UseTree::Name(_) | UseTree::Rename(_) => false,
    }
}

fn begins_with_std(tree: &UseTree) -> bool {
    matches!(tree, UseTree::Path(path) if ["alloc", "core", "std"].iter().any(|name| path.ident == name))
}

#[cfg(test)]
mod tests {
    use super::Names;
    use syn::visit::Visit;

    fn names(file: &str) -> Names {
        let mut names = Names::default();
        names.visit_file(&syn::parse_file(file).unwrap());
        names
    }

    #[test]
    fn a_glob_may_bring_any_name_but_ours() {
        assert!(names("use crate::{a::b, c::*};").globs);
        assert!(!names("use coenzyme::prelude::*; use crate::a;").globs);
    }

    #[test]
    fn items_of_all_modules_have_names() {
        let of = names(
            "fn swap() {} mod mem { pub struct Range; impl Range { fn replace() {} } } macro_rules! vec { () => {} } type Box = f64;",
        );
        let mut items: Vec<_> = of.items.iter().map(String::as_str).collect();
        items.sort_unstable();
        assert_eq!(items, ["Range", "mem", "swap"]);
        assert!(of.macros.contains("vec"));
    }

    #[test]
    fn imports_of_the_standard_library_are_told_from_others() {
        let of = names(
            "use std::mem::{swap, self}; use {core::ops::Range, lib::take}; use lib::replace;",
        );
        for name in ["swap", "Range"] {
            assert!(of.std.contains(name), "{name}");
        }
        assert!(!of.std.contains("take") && !of.std.contains("replace"));
    }
}
