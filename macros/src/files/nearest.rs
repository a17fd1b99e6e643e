//! What the files of a crate tell of names, where several may have one: the file in which the name stands comes first.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use syn::{Ident, Item};

use super::source::{self, Read};

/// What each file tells, and what all of them do.
#[derive(Debug, Default)]
pub(crate) struct Nearest<T> {
    of_files: HashMap<PathBuf, T>,
    of_crate: T,
    nothing: T,
    /// How many types the crate declares under a name.
    types: HashMap<String, usize>,
}

impl<T: Default> Nearest<T> {
    /// Notes each file twice: for itself, and for the crate.
    pub(crate) fn read(files: &[Read], mut note: impl FnMut(&mut T, &syn::File)) -> Self {
        let mut found = Self::default();
        for (path, file) in files {
            note(found.of_files.entry(path.clone()).or_default(), file);
            note(&mut found.of_crate, file);
            source::items(&file.items, &mut |item| {
                let name = match item {
                    Item::Struct(item) => &item.ident,
                    Item::Enum(item) => &item.ident,
                    _ => return,
                };
                *found.types.entry(name.to_string()).or_insert(0) += 1;
            });
        }
        found
    }

    /// What the crate tells.
    pub(crate) fn of_crate(&self) -> &T {
        &self.of_crate
    }

    /// The answer of the file in which a name stands, or that of the crate if the file has none.
    pub(crate) fn ask<'t, A>(
        &'t self,
        near: &Ident,
        ask: impl Fn(&'t T) -> Option<A>,
    ) -> Option<A> {
        let here = self.of_file(near).and_then(&ask);
        here.or_else(|| ask(&self.of_crate))
    }

    /// The answer of a module's file, `ode.rs` or `ode/mod.rs`, if one file of this name has any.
    pub(crate) fn ask_module<'t, A>(
        &'t self,
        module: &str,
        ask: impl Fn(&'t T) -> Option<A>,
    ) -> Option<A> {
        let of_module = |path: &Path| match path.file_stem() {
            Some(stem) if stem == "mod" => {
                path.parent().and_then(Path::file_name) == Some(module.as_ref())
            }
            stem => stem == Some(module.as_ref()),
        };
        let files = self.of_files.iter().filter(|(path, _)| of_module(path));
        let mut answers = files.filter_map(|(_, told)| ask(told));
        let first = answers.next()?;
        answers.next().is_none().then_some(first)
    }

    /// What is known of a type: by all files if the crate has one type of this name, else by that in which it is named.
    pub(crate) fn of_type(&self, ty: &str, near: &Ident) -> &T {
        match self.types.get(ty) {
            Some(2..) => self.of_file(near).unwrap_or(&self.nothing),
            _ => &self.of_crate,
        }
    }

    fn of_file(&self, near: &Ident) -> Option<&T> {
        self.of_files.get(&near.span().local_file()?)
    }
}

#[cfg(test)]
mod tests {
    use super::Nearest;

    #[test]
    fn of_a_name_that_two_types_have_a_file_knows_its_own() {
        let files = ["struct A; struct B;", "enum A { X }"];
        let files = files.map(|text| syn::parse_file(text).expect("a file"));
        let [one, other] = files.map(std::rc::Rc::new);
        let files = [("one.rs".into(), one), ("other.rs".into(), other)];
        let count = |n: &mut usize, file: &syn::File| *n += file.items.len();
        let found: Nearest<usize> = Nearest::read(&files, count);
        // a name that stands in no file
        let near = syn::parse_quote!(caller);
        let told = ["A", "B", "C"].map(|ty| *found.of_type(ty, &near));
        assert_eq!(told, [0, 3, 3]);
        assert_eq!(found.ask(&near, |n| (*n > 2).then_some(*n)), Some(3));
    }

    #[test]
    fn a_module_is_a_file_or_a_folder() {
        let file = || std::rc::Rc::new(syn::parse_file("struct A;").expect("a file"));
        let paths = [
            "src/ode.rs",
            "src/grid/mod.rs",
            "src/grid/cell.rs",
            "tests/cell.rs",
        ];
        let found: Nearest<usize> =
            Nearest::read(&paths.map(|path| (path.into(), file())), |n, file| {
                *n += file.items.len()
            });
        let told =
            ["ode", "grid", "cell", "mod"].map(|module| found.ask_module(module, |n| Some(*n)));
        assert_eq!(told, [Some(1), Some(1), None, None]);
    }
}
