//! What the file of an identifier says beside the item that an attribute sees.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread::LocalKey;

use quote::ToTokens;
use syn::{Ident, Item, ItemImpl, Type};

use super::answers::Answers;
use super::own_file::files_of_crate;
use crate::differentiable::words;

/// What is found in the file of an identifier; `None` if it is of no file.
pub(crate) fn found<T: Default>(
    name: &Ident,
    answers: &'static LocalKey<Answers<T>>,
    find: fn(&syn::File) -> T,
) -> Option<Rc<T>> {
    let file = name.span().local_file()?;
    let read = || parsed(&file).map_or_else(T::default, |file| find(&file));
    Some(answers.with(|answers| answers.of(&file, read)))
}

/// A file, and what it holds.
pub(crate) type Read = (PathBuf, Rc<syn::File>);

/// What is found in the files of the crate that an identifier stands in; `None` if it is of no file.
pub(crate) fn found_in_crate<T>(
    name: &Ident,
    answers: &'static LocalKey<Answers<T>>,
    find: fn(&[Read]) -> T,
) -> Option<Rc<T>> {
    Some(of_crate(&name.span().local_file()?, answers, find))
}

/// The same of the crate of this file, or of the file where it is of none.
pub(crate) fn of_crate<T>(
    file: &Path,
    answers: &'static LocalKey<Answers<T>>,
    find: fn(&[Read]) -> T,
) -> Rc<T> {
    let one = || (file.to_owned(), Rc::new(vec![file.to_owned()]));
    let (folder, files) = files_of_crate(file).unwrap_or_else(one);
    let read = || {
        let read = |file: &PathBuf| Some((file.clone(), parsed(file)?));
        find(&files.iter().filter_map(read).collect::<Vec<_>>())
    };
    answers.with(|answers| answers.since(&folder, file, read))
}

/// Whether an attribute has one of these names, by whatever path.
pub(crate) fn has_attribute(attributes: &[syn::Attribute], names: &[&str]) -> bool {
    let mut last = attributes.iter().filter_map(|a| a.path().segments.last());
    last.any(|last| names.iter().any(|name| last.ident == name))
}

/// The names in the `derive`s among attributes.
pub(crate) fn derived(attributes: &[syn::Attribute]) -> Vec<String> {
    let derives = attributes.iter().filter(|a| a.path().is_ident("derive"));
    derives
        .flat_map(|derive| words(derive.meta.to_token_stream()))
        .collect()
}

type Parsed = Option<Rc<syn::File>>;

thread_local!(static PARSED: RefCell<Option<HashMap<PathBuf, Parsed>>> = const { RefCell::new(None) });

/// While this lives, which is while one attribute is expanded, a file is parsed once for all questions. Tokens do not outlive the attribute.
pub(crate) struct ParsedOnce(());

impl ParsedOnce {
    pub(crate) fn begin() -> Self {
        PARSED.set(Some(HashMap::new()));
        Self(())
    }
}

impl Drop for ParsedOnce {
    fn drop(&mut self) {
        PARSED.take();
    }
}

/// What a file holds, if it can be read and parsed.
pub(crate) fn parsed(file: &Path) -> Parsed {
    let known = PARSED.with_borrow(|known| known.as_ref()?.get(file).cloned());
    known.unwrap_or_else(|| {
        let text = std::fs::read_to_string(file).ok();
        let parsed = text
            .and_then(|text| syn::parse_file(&text).ok())
            .map(Rc::new);
        PARSED.with_borrow_mut(|known| {
            if let Some(known) = known {
                known.insert(file.to_owned(), parsed.clone());
            }
        });
        parsed
    })
}

/// The items of a file and of the modules in it.
pub(crate) fn items<'a>(items: &'a [Item], found: &mut dyn FnMut(&'a Item)) {
    for item in items {
        found(item);
        if let Item::Mod(module) = item
            && let Some((_, inside)) = &module.content
        {
            self::items(inside, found);
        }
    }
}

/// The implementations of a trait, by its last name.
pub(crate) fn implementations<'a>(
    file: &'a syn::File,
    of: &'a [&'a str],
    found: &mut dyn FnMut(String, &'a ItemImpl),
) {
    items(&file.items, &mut |item| {
        if let Item::Impl(block) = item
            && let Some((path, _)) = &block.trait_
            && path
                .segments
                .last()
                .is_some_and(|s| of.iter().any(|name| s.ident == name))
            && let Some(name) = name_of(&block.self_ty)
        {
            found(name, block);
        }
    });
}

/// `Moments` of `stats::Moments<T>`.
pub(crate) fn name_of(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(ty) => ty.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}
