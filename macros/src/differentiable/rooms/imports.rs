//! What each module of the compiler names of others, in its `use` lines and in paths.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{Attribute, UseTree};

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
pub(super) fn imports() -> BTreeMap<String, BTreeSet<Vec<String>>> {
    let mut found = BTreeMap::new();
    read(
        Path::new(super::FOLDER),
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
