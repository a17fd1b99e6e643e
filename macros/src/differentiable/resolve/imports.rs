//! Functions that a `use` inside of the body brings. It brings no marker if they have none, and then the name would mean the marker of another
//! function outside: so their markers are named by the whole path.

use std::collections::HashMap;

use syn::{Block, Item, Path, Stmt, UseTree};

/// What the names mean that are imported at the top of a body.
pub(crate) fn in_body(body: &Block) -> HashMap<String, Path> {
    let mut imports = HashMap::new();
    for stmt in &body.stmts {
        if let Stmt::Item(Item::Use(import)) = stmt {
            let begin = Path {
                leading_colon: import.leading_colon,
                segments: Default::default(),
            };
            collect(&import.tree, &begin, &mut imports);
        }
    }
    imports
}

fn collect(tree: &UseTree, before: &Path, imports: &mut HashMap<String, Path>) {
    let with = |name: &syn::Ident| {
        let mut path = before.clone();
        path.segments.push(name.clone().into());
        path
    };
    match tree {
        UseTree::Path(path) => collect(&path.tree, &with(&path.ident), imports),
        UseTree::Name(name) if name.ident != "self" => {
            imports.insert(name.ident.to_string(), with(&name.ident));
        }
        UseTree::Rename(renamed) if renamed.ident != "self" => {
            imports.insert(renamed.rename.to_string(), with(&renamed.ident));
        }
        UseTree::Group(group) => group
            .items
            .iter()
            .for_each(|tree| collect(tree, before, imports)),
        UseTree::Name(_) | UseTree::Rename(_) | UseTree::Glob(_) => {}
    }
}
