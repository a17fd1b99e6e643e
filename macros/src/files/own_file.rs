//! A function in a file of its own name: `mod lerp; pub use lerp::lerp;`.
//!
//! The import would bring the marker, and with it a second type of the module's name. So there the marker is a type that no import finds by the
//! name of the function. The module itself leads to it:
//!
//! ```text
//! pub struct lerp__marker {}
//! type lerp = lerp__marker;                                    // in the file itself
//! pub(crate) fn __rule() -> lerp__marker { lerp__marker {} }   // where `lerp` is the module and the function
//! pub type __marker_of_lerp = lerp__marker;                    // for `lerp::lerp(x)`
//! impl RuleOf<lerp__marker> for OwnFile<FILE> {}               // where an import brings the function alone
//! ```
//!
//! What an attribute sees does not tell. The files do: that of the function, and that which declares the module.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;
use syn::{Ident, Item, UseTree, Visibility};

use super::answers::Answers;
use super::source;

/// What the file that declares a module does with a function of the module's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exported {
    /// Its name is imported beside the module's.
    ByName,
    /// All of the module is, and nothing else has its name.
    WithAll,
    /// Neither.
    No,
}

/// A module, as the file around it declares it.
#[derive(Clone, Debug)]
struct Declared {
    exported: Exported,
    /// Whether the import is seen further than the module.
    is_public: bool,
    /// The file around it.
    around: PathBuf,
}

/// What is done with a function, by its name and the file that it stands in.
pub(crate) fn exported(function: &Ident) -> Exported {
    let file = function.span().local_file();
    let declared = file.and_then(|file| declared_in(&file, &function.unraw().to_string()));
    declared.map_or(Exported::No, |declared| declared.exported)
}

/// What leads to the marker of a function by its module.
pub(crate) fn ways(function: &Ident, vis: &Visibility, marker: &Ident) -> TokenStream {
    let in_crate = match vis {
        Visibility::Public(_) => quote!(pub(crate)),
        narrower => quote!(#narrower),
    };
    let rule = quote! {
        #[doc(hidden)]
        #[allow(dead_code)]
        #in_crate fn __rule() -> #marker {
            #marker {}
        }
    };
    if function == marker {
        return rule;
    }
    let named = crate::marker::in_module(function);
    let file = function.span().local_file();
    let key = file.and_then(|file| key(&file)).unwrap_or_default();
    quote! {
        #[allow(non_camel_case_types, dead_code)]
        type #function = #marker;
        #[doc(hidden)]
        #[allow(non_camel_case_types, dead_code)]
        #vis type #named = #marker;
        #[doc(hidden)]
        impl ::coenzyme::__private::RuleOf<#marker> for ::coenzyme::__private::OwnFile<#key> {}
        #rule
    }
}

/// What a file is known by.
fn key(file: &Path) -> Option<u64> {
    let file = file.canonicalize().ok()?;
    Some(crate::dispatch::hash(&file.to_string_lossy()))
}

/// Whether the name of a function may mean a module beside it, in the crate that it is written in.
pub(crate) fn may_be_a_module(function: &Ident) -> bool {
    let (file, name) = (function.span().local_file(), function.unraw().to_string());
    file.and_then(|file| files_of_crate(&file))
        .is_some_and(|(_, files)| {
            let declared = |file: &PathBuf| declared_in(file, &name);
            files
                .iter()
                .filter_map(declared)
                .any(|d| d.exported != Exported::No)
        })
}

/// The only function of this name in a file of its own in the crate: what the file is known by, and a path of the function. An import of the
/// function alone brings no type; nor does one from where the module is private.
pub(crate) fn elsewhere(function: &Ident) -> Option<(u64, TokenStream)> {
    let (caller, name) = (function.span().local_file()?, function.unraw().to_string());
    let (root, files) = files_of_crate(&caller)?;
    // a program beside a library is another crate
    if caller.file_name().is_some_and(|file| file == "main.rs") && root.join("lib.rs").exists() {
        return None;
    }
    let by_name = |file: &PathBuf| {
        let declared = declared_in(file, &name)?;
        (declared.exported == Exported::ByName).then_some((file.clone(), declared))
    };
    let found: Vec<_> = files.iter().filter_map(by_name).collect();
    let [(file, declared)] = &found[..] else {
        return None;
    };
    // the parameters of a function are not told where it is not called
    if !is_of_types(file, &name) {
        return None;
    }
    let idents = module_path(&root, &declared.around)?;
    let path = match declared.is_public {
        true => quote!(crate #(:: #idents)* :: #function),
        false => quote!(crate #(:: #idents)* :: #function :: #function),
    };
    Some((key(file)?, path))
}

/// The names of the modules around what stands in a file, from the root of the crate in this folder.
pub(crate) fn module_path(root: &Path, file: &Path) -> Option<Vec<Ident>> {
    let file = file.strip_prefix(root).ok()?.with_extension("");
    let names = file.iter().map(|name| name.to_string_lossy().into_owned());
    let names = names.filter(|name| !["mod", "lib", "main"].contains(&name.as_str()));
    names.map(|name| syn::parse_str(&name).ok()).collect()
}

/// Whether a file has a function of this name without parameters but lifetimes.
fn is_of_types(file: &Path, name: &str) -> bool {
    let of_types = |item: &Item| match item {
        Item::Fn(item) if item.sig.ident == name => {
            let hidden = |arg: &syn::FnArg| matches!(arg, syn::FnArg::Typed(arg) if matches!(&*arg.ty, syn::Type::ImplTrait(_)));
            let lifetimes = item.sig.generics.lifetimes().count();
            item.sig.generics.params.len() == lifetimes && !item.sig.inputs.iter().any(hidden)
        }
        _ => false,
    };
    source::parsed(file).is_some_and(|file| file.items.iter().any(of_types))
}

/// The files of the crate that a file belongs to: those below the nearest folder with a root in it, and that folder.
pub(crate) fn files_of_crate(file: &Path) -> Option<(PathBuf, Rc<Vec<PathBuf>>)> {
    thread_local!(static KNOWN: Answers<Vec<PathBuf>> = Answers::default());
    let is_root = |folder: &&Path| {
        ["lib.rs", "main.rs"]
            .iter()
            .any(|root| folder.join(root).exists())
    };
    let folder = file.ancestors().skip(1).find(is_root)?;
    let read = || {
        let mut files = Vec::new();
        collect(folder, &mut files);
        files
    };
    let files = KNOWN.with(|known| known.of(folder, read));
    Some((folder.to_owned(), files))
}

/// The files of Rust in a folder and those inside.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.is_ok_and(|kind| kind.is_dir()) {
            // of a package whose root lies beside its manifest
            if entry.file_name() != "target" {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}

/// What the file around a module does, if this is the module's file.
fn declared_in(file: &Path, module: &str) -> Option<Declared> {
    thread_local!(static KNOWN: Answers<Option<Declared>> = Answers::default());
    let stem = file.file_stem()?.to_str()?;
    let own = match stem {
        "mod" => file.parent()?,
        _ => file,
    };
    if own.file_stem()?.to_str()? != module {
        return None;
    }
    let read = || declared_around(own.parent()?, module);
    let found = KNOWN.with(|known| known.of(file, read));
    Option::clone(&found)
}

/// The same, in a folder and the file beside it.
fn declared_around(folder: &Path, module: &str) -> Option<Declared> {
    let names = ["mod.rs", "lib.rs", "main.rs"];
    let mut files: Vec<PathBuf> = names.iter().map(|name| folder.join(name)).collect();
    files.push(folder.with_extension("rs"));
    files.into_iter().find_map(|around| {
        let file = source::parsed(&around)?;
        let (exported, is_public) = of_items(&file.items, module)?;
        Some(Declared {
            exported,
            is_public,
            around,
        })
    })
}

/// The same of the items of that file; `None` if they do not declare the module.
fn of_items(items: &[Item], module: &str) -> Option<(Exported, bool)> {
    let declares =
        |item: &Item| matches!(item, Item::Mod(m) if m.content.is_none() && m.ident == module);
    if !items.iter().any(declares) {
        return None;
    }
    let mut found = Imports::default();
    for item in items {
        match item {
            Item::Use(item) => {
                let before = found.by_name;
                found.visit(&item.tree, None, module);
                found.is_public |=
                    found.by_name && !before && !matches!(item.vis, Visibility::Inherited);
            }
            Item::Fn(item) => found.other |= item.sig.ident == module,
            Item::Const(item) => found.other |= item.ident == module,
            Item::Static(item) => found.other |= item.ident == module,
            _ => {}
        }
    }
    let exported = match found {
        Imports { by_name: true, .. } => Exported::ByName,
        Imports {
            all: true,
            other: false,
            ..
        } => Exported::WithAll,
        _ => Exported::No,
    };
    Some((exported, found.is_public))
}

/// What a file imports.
#[derive(Default)]
struct Imports {
    by_name: bool,
    is_public: bool,
    all: bool,
    /// Something else of the name.
    other: bool,
}

impl Imports {
    fn visit(&mut self, tree: &UseTree, inside: Option<&Ident>, module: &str) {
        let of_it = inside.is_some_and(|name| name == module);
        match tree {
            UseTree::Path(path) => self.visit(&path.tree, Some(&path.ident), module),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.visit(tree, inside, module);
                }
            }
            UseTree::Glob(_) => self.all |= of_it,
            UseTree::Name(name) if name.ident == module => {
                self.by_name |= of_it;
                self.other |= !of_it;
            }
            UseTree::Rename(rename) if rename.rename == module => self.other = true,
            UseTree::Name(_) | UseTree::Rename(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Exported, of_items};

    fn of(text: &str) -> Option<Exported> {
        let found = of_items(&syn::parse_file(text).unwrap().items, "lerp");
        found.map(|(exported, _)| exported)
    }

    #[test]
    fn a_function_is_imported_beside_its_module() {
        for text in [
            "mod lerp; pub use lerp::lerp;",
            "pub use self::lerp::{Lerp, lerp}; mod lerp;",
            "mod lerp; mod other; pub use { other::other, crate::math::lerp::{lerp} };",
        ] {
            assert_eq!(of(text), Some(Exported::ByName), "{text}");
        }
    }

    #[test]
    fn all_of_a_module_is_imported() {
        assert_eq!(of("mod lerp; pub use lerp::*;"), Some(Exported::WithAll));
        let hidden = "mod lerp; pub use lerp::*; fn lerp() {}";
        assert_eq!(of(hidden), Some(Exported::No));
        let renamed = "mod lerp; pub use lerp::*; use other::mix as lerp;";
        assert_eq!(of(renamed), Some(Exported::No));
    }

    #[test]
    fn a_module_is_only_declared() {
        for text in [
            "pub mod lerp;",
            "mod lerp; use lerp::other;",
            "mod lerp; use lerp::lerp as mix;",
        ] {
            assert_eq!(of(text), Some(Exported::No), "{text}");
        }
        assert_eq!(of("mod other; use other::lerp;"), None);
    }
}
