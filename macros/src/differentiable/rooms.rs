//! Data flows one way through the compiler: no room imports a later one.

mod imports;

use std::collections::{BTreeMap, BTreeSet};

use syn::UseTree;

use imports::imports;

/// The rooms in the order in which data flows through them, and their modules.
const ROOMS: [(&str, &[&str]); 7] = [
    // what is known of names and tokens, whatever the function
    ("facts", &["index", "paths", "spacing", "table", "text"]),
    (
        "front",
        &[
            "callable",
            "combinations",
            "constant",
            "numbers",
            "options",
            "view",
        ],
    ),
    // of the user's syntax, by names
    ("names", &["leads", "usage", "varied"]),
    (
        "lower",
        &["checkpoint", "ir", "lower", "mentions", "nested"],
    ),
    (
        "analyse",
        &[
            "cost", "degree", "early", "hoist", "length", "live", "moves", "order", "parts",
            "places", "scratch", "shifting", "stable", "standing", "summing", "useful",
        ],
    ),
    ("plan", &["plan"]),
    ("emit", &["emit", "expansion", "math", "second"]),
];

/// The imports against the flow that there are, to become fewer: a module, and what it imports.
const EXCEPTIONS: &[(&str, &str)] = &[
    // small questions about syntax, which have no room of their own yet
    ("callable", "lower"),
    ("leads", "lower"),
    ("usage", "lower"),
    ("varied", "lower"),
];

/// The folder of the compiler.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/differentiable");

/// The number of the room of a module.
fn room(module: &str) -> Option<usize> {
    ROOMS
        .iter()
        .position(|(_, modules)| modules.contains(&module))
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
    let known = EXCEPTIONS
        .iter()
        .map(|(a, b)| ((*a).to_owned(), (*b).to_owned()));
    let known: BTreeSet<_> = known.collect();
    let found = backwards();
    let new: Vec<_> = found.difference(&known).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(new.is_empty(), "imports against the flow: {new:?}");
    assert!(gone.is_empty(), "no longer exceptions: {gone:?}");
}

#[test]
fn every_module_has_a_room() {
    let apart = ["", "fate", "rooms", "testing"];
    let without = imports()
        .into_keys()
        .filter(|module| room(module).is_none());
    let without: Vec<_> = without
        .filter(|module| !apart.contains(&module.as_str()))
        .collect();
    assert!(without.is_empty(), "{without:?}");
}
