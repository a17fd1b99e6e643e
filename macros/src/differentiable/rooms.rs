//! Data flows one way through the compiler: no room imports a later one.

mod imports;

use std::collections::{BTreeMap, BTreeSet};

use syn::UseTree;

use imports::imports;

/// The rooms, which are folders, in the order in which data flows through them.
const ROOMS: [&str; 12] = [
    "tokens", "methods", "syntax", "front", "resolve", "expand", "ir", "lower", "analyse", "plan",
    "emit", "second",
];

/// The folder of the compiler.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/differentiable");

/// The number of a room.
fn room(module: &str) -> Option<usize> {
    ROOMS.iter().position(|room| *room == module)
}

/// The module that hands something on under its name in `mod.rs`.
fn handed_on(imports: &str) -> BTreeMap<String, String> {
    struct Names(BTreeMap<String, String>);
    impl Names {
        fn add(&mut self, tree: &UseTree, of: &str) {
            match tree {
                UseTree::Path(path) => self.add(&path.tree, of),
                UseTree::Name(name) => drop(self.0.insert(name.ident.to_string(), of.to_owned())),
                UseTree::Rename(name) => {
                    drop(self.0.insert(name.rename.to_string(), of.to_owned()))
                }
                UseTree::Group(group) => group.items.iter().for_each(|tree| self.add(tree, of)),
                UseTree::Glob(_) => {}
            }
        }
    }
    let mut names = Names(BTreeMap::new());
    for item in syn::parse_file(imports).expect("a file").items {
        if let syn::Item::Use(item) = item
            && let UseTree::Path(path) = &item.tree
        {
            names.add(&path.tree, &path.ident.to_string());
        }
    }
    names.0
}

/// The imports from later rooms.
fn backwards() -> BTreeSet<(String, String)> {
    let text = std::fs::read_to_string(format!("{FOLDER}/mod.rs")).expect("a source");
    let handed_on = handed_on(&text);
    let mut found = BTreeSet::new();
    for (module, imports) in imports() {
        let Some(here) = room(&module) else { continue };
        for path in imports {
            let [first, second, ..] = &path[..] else {
                continue;
            };
            let from = handed_on.get(second).unwrap_or(second);
            if first == "differentiable" && room(from).is_some_and(|there| there > here) {
                found.insert((module.clone(), from.clone()));
            }
        }
    }
    found
}

#[test]
fn no_room_imports_a_later_one() {
    let found = backwards();
    assert!(found.is_empty(), "imports against the flow: {found:?}");
}

#[test]
fn every_module_is_in_a_room() {
    let apart = ["", "fate", "rooms", "testing"];
    let mut without = imports().into_keys();
    let without =
        without.find(|module| room(module).is_none() && !apart.contains(&module.as_str()));
    assert_eq!(without, None);
}
