//! The types that the files of a crate declare, by their names: what an attribute has to know of a name that it sees.
//!
//! A name is known where one declaration in the crate has it, and nothing says that another is meant.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use syn::{Item, ItemEnum, ItemType, TraitItem};

use super::answers::Answers;
use super::own_file::files_of_crate;
use super::own_text::{self, begins_with_keyword, imports_from_elsewhere};
use super::source;

/// A declaration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Declaration {
    /// `type Vector3<T> = [T; 3];`, as a text: tokens do not outlive the attribute that reads them.
    Alias(String),
    /// `enum Side { Inside, Outside }`: variants without fields.
    Names(Vec<String>),
    /// A type or a trait with so many lifetimes.
    Other(usize),
    /// Several of one name.
    Several,
}

/// A declaration, and its file.
type Found = Option<(Declaration, PathBuf)>;

/// What a name means in a file, and the file of its declaration.
pub(crate) fn find(name: &str, file: &Path) -> Found {
    let here = of_file(file);
    if let Some(found) = here.found.borrow().get(name) {
        return found.clone();
    }
    let found = look_for(name, file, &here);
    let mut known = here.found.borrow_mut();
    known.insert(name.to_owned(), found.clone());
    found
}

fn look_for(name: &str, file: &Path, here: &Declared) -> Found {
    if let Some(declaration) = here.names.get(name) {
        return Some((declaration.clone(), file.to_owned()));
    }
    if imports_from_elsewhere(&here.text, name) {
        return None;
    }
    let (_, files) = files_of_crate(file)?;
    let mut found = files.iter().filter_map(|file| {
        let declared = of_file(file);
        Some((declared.names.get(name)?.clone(), file.clone()))
    });
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The variants of a type that is one of names alone, none of which carries a derivative.
pub(crate) fn variants_of(ty: &syn::Type) -> Option<Vec<String>> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let name = path.path.get_ident()?;
    let text = name.to_string();
    if !text.starts_with(char::is_uppercase) {
        return None;
    }
    match find(&text, &name.span().local_file()?)? {
        (Declaration::Names(variants), _) => Some(variants),
        _ => None,
    }
}

/// The functions without receiver of a trait that a file declares.
pub(crate) fn functions(file: &Path, name: &str) -> Vec<String> {
    thread_local!(static KNOWN: Answers<HashMap<String, Vec<String>>> = Answers::default());
    let read = || source::parsed(file).map_or_else(HashMap::new, |file| functions_of_traits(&file));
    let found = KNOWN.with(|known| known.of(file, read));
    found.get(name).cloned().unwrap_or_default()
}

fn functions_of_traits(file: &syn::File) -> HashMap<String, Vec<String>> {
    let mut found = HashMap::new();
    for item in &file.items {
        let Item::Trait(item) = item else { continue };
        let functions = item.items.iter().filter_map(|item| match item {
            TraitItem::Fn(item) if item.sig.receiver().is_none() => Some(&item.sig.ident),
            _ => None,
        });
        // the first of a name, where `cfg` chooses one
        found
            .entry(item.ident.to_string())
            .or_insert_with(|| functions.map(ToString::to_string).collect());
    }
    found
}

/// Whether the types of a trait that a file declares are made from others: `trait FloatType: From<i16>`.
pub(crate) fn is_from(file: &Path, name: &str) -> bool {
    let header = own_text::supertraits(&of_file(file).text, name).unwrap_or_default();
    let mut words = header.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| word == "From")
}

/// What a file declares.
#[derive(Debug, Default)]
struct Declared {
    names: HashMap<String, Declaration>,
    text: String,
    /// What names that were asked for mean in the file: declared in it, elsewhere in the crate, or nowhere.
    found: RefCell<HashMap<String, Found>>,
}

fn of_file(file: &Path) -> Rc<Declared> {
    thread_local!(static KNOWN: Answers<Declared> = Answers::default());
    let read = || {
        let text = own_text::read(file);
        let names = names(&text);
        Declared {
            names,
            text,
            ..Declared::default()
        }
    };
    KNOWN.with(|known| known.of(file, read))
}

/// The types that lines of a file declare; an alias of a module inside, where no other line has its name.
fn names(text: &str) -> HashMap<String, Declaration> {
    let (mut names, mut inside) = (HashMap::new(), HashMap::new());
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some(declared) = declaration(line, &text[at..]) {
            insert(&mut names, declared);
        } else if let Some(declared) = alias(line.trim_start(), text[at..].trim_start())
            && stands_in_module(line, &text[..at])
        {
            insert(&mut inside, declared);
        }
        at += line.len();
    }
    for (name, declaration) in inside {
        names.entry(name).or_insert(declaration);
    }
    names
}

fn insert(names: &mut HashMap<String, Declaration>, (name, of): (String, Declaration)) {
    let entry = names.entry(name);
    entry
        .and_modify(|known| *known = Declaration::Several)
        .or_insert(of);
}

/// Whether a line is indented below that of a module: an associated type is below its trait or implementation.
fn stands_in_module(line: &str, before: &str) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let outer = before
        .lines()
        .rev()
        .find(|other| !other.trim().is_empty() && indent(other) < indent(line));
    outer.is_some_and(|outer| begins_with_keyword(outer, "mod").is_some())
}

/// What a line declares; `rest` begins with it.
fn declaration(line: &str, rest: &str) -> Option<(String, Declaration)> {
    for keyword in ["struct", "enum", "trait", "union"] {
        if let Some(name) = begins_with_keyword(line, keyword) {
            if let Some(variants) = variants(rest).filter(|_| keyword == "enum") {
                return Some((name.to_owned(), Declaration::Names(variants)));
            }
            let behind = &rest[rest.find(name)? + name.len()..];
            return Some((name.to_owned(), Declaration::Other(lifetimes(behind))));
        }
    }
    // an associated type, or one of a module inside
    if line.starts_with(char::is_whitespace) {
        return None;
    }
    alias(line, rest)
}

fn alias(line: &str, rest: &str) -> Option<(String, Declaration)> {
    let name = begins_with_keyword(line, "type")?;
    let mut ends = rest.match_indices(';').take(8);
    let is_item = |text: &&str| syn::parse_str::<ItemType>(text).is_ok();
    let text = ends.find_map(|(end, _)| Some(&rest[..=end]).filter(is_item));
    let declaration = text.map_or(Declaration::Several, |text| {
        Declaration::Alias(text.to_owned())
    });
    Some((name.to_owned(), declaration))
}

/// The variants of an enum that a text begins with, if none has fields, and all are always there.
fn variants(text: &str) -> Option<Vec<String>> {
    // one of a module inside
    if text.starts_with(char::is_whitespace) {
        return None;
    }
    let mut ends = text.match_indices('}').take(3);
    let item: ItemEnum = ends.find_map(|(end, _)| syn::parse_str(&text[..=end]).ok())?;
    let is_name = |variant: &syn::Variant| {
        let always = !variant.attrs.iter().any(|a| a.path().is_ident("cfg"));
        matches!(variant.fields, syn::Fields::Unit) && always
    };
    let plain = item.generics.params.is_empty() && item.variants.iter().all(is_name);
    let names = item.variants.iter().map(|v| v.ident.to_string());
    (plain && !item.variants.is_empty()).then(|| names.collect())
}

/// How many lifetimes a list of parameters begins with.
fn lifetimes(text: &str) -> usize {
    let Some(list) = text.strip_prefix('<') else {
        return 0;
    };
    let params = list.split(',').map(str::trim_start);
    params.take_while(|param| param.starts_with('\'')).count()
}

#[cfg(test)]
mod tests {
    use super::{Declaration, names};

    #[test]
    fn lines_declare_names() {
        let names = names(
            "
pub(crate) type Quaternion<T> =
    (T, [T; 3]);
pub struct Rows<'a, T> { rows: &'a [T] }
impl Shape for Rows<'_, f64> {
    type Output = f64;
}
#[cfg(single)]
type Real = f32;
#[cfg(not(single))]
type Real = f64;
mod inside {
    use super::Rows;

    pub type Pair = (f64, f64);
    type Quaternion<T> = (T, T);
}
",
        );
        let quaternion = "pub(crate) type Quaternion<T> =\n    (T, [T; 3]);".to_owned();
        assert_eq!(names["Quaternion"], Declaration::Alias(quaternion));
        assert_eq!(names["Rows"], Declaration::Other(1));
        assert_eq!(names["Real"], Declaration::Several);
        let pair = "pub type Pair = (f64, f64);".to_owned();
        assert_eq!(names["Pair"], Declaration::Alias(pair));
        assert_eq!(names.len(), 4);
    }

    #[test]
    fn enums_may_be_names_alone() {
        let names = names(
            "
#[derive(Clone)] pub enum Side {
    /// Inside {}.
    Inside,
    #[default]
    Outside = 3,
}
enum Shape { Disc(f64), None }
enum Of<T> { One }
",
        );
        let side = ["Inside", "Outside"].map(str::to_owned);
        assert_eq!(names["Side"], Declaration::Names(side.into()));
        assert_eq!(names["Shape"], Declaration::Other(0));
        assert_eq!(names["Of"], Declaration::Other(0));
    }
}
