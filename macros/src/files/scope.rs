//! Functions that stand in the module of those who call them, or are imported there by name, as far as the file tells.
//!
//! An import by a bare name is ambiguous (E0659) where an attribute makes the item and a glob import brings another of its name, which the item
//! hides wherever else it is named. `self::name` is not, but means nothing that stands in a block.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Block, Ident, ItemFn, ItemStruct, ItemUse, UseTree};

use super::answers::Answers;
use super::source;

/// Whether `self::name` is what the name alone means: that of a module, and nothing that blocks declare.
pub(crate) fn stands_in_module(function: &Ident) -> bool {
    ask(function, Declared::is_of_module)
        || is_written_by_a_build(function) && ask(function, Declared::is_included)
}

/// Whether a function of this name stands in a module of the file, and nothing else that has the name: a marker that is written by hand may
/// be made otherwise than those of attributes.
pub(crate) fn is_a_function(function: &Ident) -> bool {
    ask(function, Declared::is_a_function)
}

/// Whether modules of the file import this name, by itself.
pub(crate) fn is_imported(name: &Ident) -> bool {
    ask(name, |declared, name| declared.imports.contains(name))
}

/// The last name of the module from which the file imports this name.
pub(crate) fn module_of(name: &Ident) -> Option<String> {
    let declared = of_file(name)?;
    declared.modules.get(&name.unraw().to_string())?.clone()
}

fn ask(name: &Ident, whether: fn(&Declared, &str) -> bool) -> bool {
    let declared = of_file(name);
    declared.is_some_and(|declared| whether(&declared, &name.unraw().to_string()))
}

fn of_file(name: &Ident) -> Option<Rc<Declared>> {
    thread_local!(static KNOWN: Answers<Declared> = Answers::default());
    source::found(name, &KNOWN, Declared::of)
}

/// The names that a file declares.
#[derive(Debug, Default)]
struct Declared {
    /// Functions of modules.
    functions: HashSet<String>,
    /// What modules import by name.
    imports: HashSet<String>,
    /// By what they import, the module that it comes from; `None` if it comes from several.
    modules: HashMap<String, Option<String>>,
    types: HashSet<String>,
    /// What items and imports in blocks are called, or may be.
    in_blocks: HashSet<String>,
    /// Whether the outermost block that is visited imports what has no name in the file.
    imports_all: bool,
    /// Whether a module does.
    module_imports_all: bool,
    /// What macros are told.
    in_macros: HashSet<String>,
    depth: usize,
}

impl Declared {
    fn is_of_module(&self, name: &str) -> bool {
        let is_named = self.functions.contains(name) || self.imports.contains(name);
        is_named && !self.in_blocks.contains(name)
    }

    /// Whether a name can come from nowhere in the file, which is included then in a module that has it.
    fn is_included(&self, name: &str) -> bool {
        let of_prelude = ["drop", "size_of", "size_of_val", "align_of", "align_of_val"];
        let told = [&self.types, &self.in_macros, &self.in_blocks];
        let is_told = told.iter().any(|names| names.contains(name));
        !self.module_imports_all && !is_told && !of_prelude.contains(&name)
    }

    fn is_a_function(&self, name: &str) -> bool {
        self.is_of_module(name) && self.functions.contains(name) && !self.types.contains(name)
    }

    fn of(file: &syn::File) -> Self {
        let mut declared = Declared::default();
        declared.visit_file(file);
        declared
    }

    /// Takes in an import, of `module` so far.
    fn import(&mut self, tree: &UseTree, module: &str) {
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &path.ident.unraw().to_string()),
            UseTree::Group(group) => {
                let each = group.items.iter();
                each.for_each(|tree| self.import(tree, module));
            }
            UseTree::Glob(_) => match self.depth {
                0 => self.module_imports_all = true,
                _ => self.imports_all = true,
            },
            UseTree::Name(name) => {
                self.insert(&name.ident, |file| &mut file.imports);
                let module = Some(module.to_owned());
                let known = self.modules.entry(name.ident.unraw().to_string());
                let known = known.or_insert_with(|| module.clone());
                *known = module.filter(|module| known.as_ref() == Some(module));
            }
            UseTree::Rename(rename) => self.insert(&rename.rename, |file| &mut file.imports),
        }
    }

    /// Takes in a name, of a block or of a module.
    fn insert(&mut self, name: &Ident, of_module: fn(&mut Self) -> &mut HashSet<String>) {
        let names = match self.depth {
            0 => of_module(self),
            _ => &mut self.in_blocks,
        };
        names.insert(name.unraw().to_string());
    }
}

impl<'ast> Visit<'ast> for Declared {
    fn visit_block(&mut self, block: &'ast Block) {
        self.depth += 1;
        visit::visit_block(self, block);
        self.depth -= 1;
        if self.depth == 0 && std::mem::take(&mut self.imports_all) {
            names(block.to_token_stream(), &mut self.in_blocks);
        }
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.import(&item.tree, "");
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        self.insert(&item.sig.ident, |file| &mut file.functions);
        visit::visit_item_fn(self, item);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        names(mac.tokens.clone(), &mut self.in_macros);
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        self.insert(&item.ident, |file| &mut file.types);
    }
}

/// Every name in a text.
fn names(text: TokenStream, found: &mut HashSet<String>) {
    for token in text {
        match token {
            TokenTree::Ident(name) => {
                found.insert(name.unraw().to_string());
            }
            TokenTree::Group(group) => names(group.stream(), found),
            _ => {}
        }
    }
}

/// Whether a build script wrote the file of a name, which is included then: what it calls stands in the module around.
fn is_written_by_a_build(name: &Ident) -> bool {
    let (folder, file) = (std::env::var_os("OUT_DIR"), name.span().local_file());
    folder
        .zip(file)
        .is_some_and(|(folder, file)| file.starts_with(folder))
}

#[cfg(test)]
mod tests {
    use super::Declared;

    fn of(text: &str) -> Declared {
        Declared::of(&syn::parse_file(text).expect("a file"))
    }

    fn is_of_module(text: &str) -> bool {
        of(text).is_of_module("lerp")
    }

    #[test]
    fn an_import_tells_the_module() {
        let file = of(
            "use super::ode::{rk4, grid::Grid}; use a::b as c; use x::twice; mod m { use y::twice; }",
        );
        let module = |name: &str| file.modules.get(name).and_then(Option::as_deref);
        let told = ["rk4", "Grid", "c", "b", "twice"].map(module);
        assert_eq!(told, [Some("ode"), Some("grid"), None, None, None]);
    }

    #[test]
    fn a_function_of_a_module_is_named_by_it() {
        assert!(is_of_module("fn lerp() {} fn f() { lerp() }"));
        assert!(is_of_module(
            "fn lerp() {} fn f() { lerp() } fn main() { use prelude::*; f() }"
        ));
        assert!(is_of_module("use a::*; mod b { fn lerp() {} } fn f() {}"));
    }

    #[test]
    fn a_marker_that_is_written_by_hand_is_a_type() {
        let is_a_function = |text| of(text).is_a_function("lerp");
        assert!(is_a_function("fn lerp() {}"));
        assert!(!is_a_function("fn lerp() {} struct lerp {}"));
        assert!(!is_a_function("use a::lerp;"));
    }

    #[test]
    fn what_blocks_declare_is_not() {
        assert!(!is_of_module("fn f() { fn lerp() {} lerp() }"));
        assert!(!is_of_module("fn lerp() {} fn f() { fn lerp() {} lerp() }"));
        assert!(!is_of_module(
            "fn lerp() {} fn f() { use a::mix as lerp; lerp() }"
        ));
        assert!(!is_of_module("fn lerp() {} fn f() { use a::*; lerp() }"));
    }

    #[test]
    fn a_name_from_nowhere_is_of_the_module_around_an_included_file() {
        let is_included = |text| of(text).is_included("lerp");
        assert!(is_included("fn f() { lerp() }"));
        assert!(!is_included("m! { fn lerp() {} } fn f() { lerp() }"));
        assert!(!is_included("fn f() { fn lerp() {} lerp() }"));
        assert!(!is_included("use a::*; fn f() { lerp() }"));
    }

    #[test]
    fn an_import_by_name_is_of_its_module() {
        assert!(is_of_module("use a::lerp; fn f() { lerp() }"));
        assert!(is_of_module(
            "use a::{b::mix as lerp, mix}; fn f() { lerp() }"
        ));
        assert!(!is_of_module("use a::*; fn f() { lerp() }"));
        assert!(!is_of_module("use a::lerp as mix; fn f() { lerp() }"));
    }
}
