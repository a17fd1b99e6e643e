//! Data flows one way through the compiler: no room imports a later one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, UseTree};

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
            "cost", "degree", "hoist", "length", "live", "moves", "order", "parts", "places",
            "scratch", "shifting", "stable", "standing", "summing", "useful",
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

/// What is imported by each module of the compiler: the names of modules, and what `mod.rs` hands on under a name of its own.
#[derive(Default)]
struct Imports {
    /// The module that is being read, and what it is in.
    at: Vec<String>,
    found: BTreeSet<Vec<String>>,
}

impl Imports {
    /// A path from the root of the crate.
    fn add(&mut self, path: &[String]) {
        let mut from = self.at.clone();
        let mut rest = path;
        match path.first().map(String::as_str) {
            Some("crate") => {
                from.clear();
                rest = &path[1..];
            }
            Some("self") => rest = &path[1..],
            Some("super") => {
                while let Some("super") = rest.first().map(String::as_str) {
                    from.pop();
                    rest = &rest[1..];
                }
            }
            _ => return,
        }
        from.extend(rest.iter().cloned());
        self.found.insert(from);
    }

    fn tree(&mut self, tree: &UseTree, before: &mut Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                before.push(path.ident.to_string());
                self.tree(&path.tree, before);
                before.pop();
            }
            UseTree::Name(name) => self.leaf(&name.ident, before),
            UseTree::Rename(name) => self.leaf(&name.ident, before),
            UseTree::Glob(_) => self.add(before),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, before)),
        }
    }

    fn leaf(&mut self, name: &syn::Ident, before: &[String]) {
        let mut path = before.to_vec();
        path.push(name.to_string());
        self.add(&path);
    }
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|a| match &a.meta {
        syn::Meta::List(list) => a.path().is_ident("cfg") && list.tokens.to_string() == "test",
        _ => false,
    })
}

impl<'ast> Visit<'ast> for Imports {
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !is_test(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments: Vec<_> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        self.add(&segments);
        visit::visit_path(self, path);
    }
}

/// The imports of each module of the compiler, with those of the modules inside it.
fn imports() -> BTreeMap<String, BTreeSet<Vec<String>>> {
    let mut found = BTreeMap::new();
    read(
        Path::new(FOLDER),
        &mut vec!["differentiable".to_owned()],
        &mut found,
    );
    found
}

fn read(folder: &Path, at: &mut Vec<String>, found: &mut BTreeMap<String, BTreeSet<Vec<String>>>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if name == "tests" {
            continue;
        }
        let inside = name != "mod";
        if inside {
            at.push(name);
        }
        if path.is_dir() {
            read(&path, at, found);
        } else {
            let text = std::fs::read_to_string(&path).expect("a source");
            let mut imports = Imports {
                at: at.clone(),
                ..Imports::default()
            };
            imports.visit_file(&syn::parse_file(&text).expect("a file"));
            let module = at.get(1).cloned().unwrap_or_default();
            found.entry(module).or_default().extend(imports.found);
        }
        if inside {
            at.pop();
        }
    }
}

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
