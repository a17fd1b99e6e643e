//! What is mutated: every function and every `impl` block that stands under an attribute in the tests and examples.

use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Item;

/// The folders, from the root of the repository.
const FOLDERS: [&str; 2] = ["tests", "examples"];

/// The functions, in an order that is the same on every machine: those under one of our attributes, and the others.
pub(super) fn read() -> [Vec<TokenStream>; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in FOLDERS {
        sources(&root.join(folder), &mut files);
    }
    files.sort();
    let mut functions = [Vec::new(), Vec::new()];
    for file in files {
        let text = std::fs::read_to_string(file).expect("a source can be read");
        // what is there to be refused may be no file at all
        if let Ok(file) = syn::parse_file(&text) {
            functions_of(file.items, &mut functions);
        }
    }
    functions
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        match path.extension() {
            Some(extension) if extension == "rs" => files.push(path),
            None if !path.ends_with("target") => sources(&path, files),
            _ => {}
        }
    }
}

fn functions_of(items: Vec<Item>, functions: &mut [Vec<TokenStream>; 2]) {
    for item in items {
        match item {
            Item::Fn(mut item) => {
                let other = !item.attrs.iter().any(is_ours);
                item.attrs.clear();
                functions[usize::from(other)].push(item.into_token_stream());
            }
            Item::Impl(mut item) if item.attrs.iter().any(is_ours) => {
                item.attrs.retain(|a| !is_ours(a));
                functions[0].push(item.into_token_stream());
            }
            Item::Mod(item) => {
                let inside = item.content.map(|(_, items)| items);
                functions_of(inside.unwrap_or_default(), functions);
            }
            _ => {}
        }
    }
}

fn is_ours(attribute: &syn::Attribute) -> bool {
    let last = attribute.path().segments.last();
    last.is_some_and(|s| s.ident == "differentiable" || s.ident == "primitive")
}
