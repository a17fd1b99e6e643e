//! What lines of a crate's files say, where nothing more is known of them: declarations and imports.

use std::path::Path;

/// The text of a file, empty if it cannot be read.
pub(crate) fn read(file: &Path) -> String {
    std::fs::read_to_string(file).unwrap_or_default()
}

/// `Shape` of `pub(crate) trait Shape {`, behind attributes: what a line declares by a keyword.
pub(crate) fn begins_with_keyword<'a>(line: &'a str, keyword: &str) -> Option<&'a str> {
    let mut line = line.trim_start();
    while line.starts_with("#[") {
        line = line.split_once(']')?.1.trim_start();
    }
    if let Some(rest) = line.strip_prefix("pub") {
        line = match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(')')?.1,
            None => rest,
        };
        line = line.strip_prefix(char::is_whitespace)?.trim_start();
    }
    let rest = line.strip_prefix(keyword)?;
    let rest = rest.strip_prefix(char::is_whitespace)?.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
    let name = &rest[..end.unwrap_or(rest.len())];
    (!name.is_empty()).then_some(name)
}

/// Whether an import of a file brings a name from another crate.
pub(crate) fn imports_from_elsewhere(text: &str, name: &str) -> bool {
    let imports = text.split(';').filter_map(|part| {
        let at = part.rfind("use ")?;
        Some(&part[at + "use ".len()..])
    });
    let word = |c: char| !c.is_alphanumeric() && c != '_';
    let mut imports = imports.filter(|tree| tree.split(word).any(|w| w == name));
    imports.any(|tree| {
        let first = tree.trim_start().split(word).next().unwrap_or_default();
        !["crate", "self", "super"].contains(&first) && !declares_module(text, first)
    })
}

/// What stands between the name of a trait and its body.
pub(crate) fn supertraits(text: &str, name: &str) -> Option<String> {
    let mut lines = text.lines();
    let first = lines.find(|line| begins_with_keyword(line, "trait") == Some(name))?;
    let mut header = String::new();
    for line in std::iter::once(first).chain(lines) {
        let part = line.split('{').next().unwrap_or_default();
        header.push_str(part.split("//").next().unwrap_or_default());
        header.push(' ');
        if line.contains('{') {
            break;
        }
    }
    header.split_once(name).map(|(_, rest)| rest.to_owned())
}

fn declares_module(text: &str, name: &str) -> bool {
    let mut lines = text.lines();
    lines.any(|line| begins_with_keyword(line, "mod") == Some(name))
}

#[cfg(test)]
mod tests {
    use super::{begins_with_keyword, imports_from_elsewhere, supertraits};

    #[test]
    fn a_line_declares_a_name() {
        for (line, expected) in [
            ("trait Shape {", Some("Shape")),
            ("    pub(crate) trait Shape<T>: Clone {", Some("Shape")),
            ("#[differentiable] pub trait Shape {", Some("Shape")),
            ("traits Shape", None),
            ("// trait Shape", None),
        ] {
            assert_eq!(begins_with_keyword(line, "trait"), expected, "{line}");
        }
    }

    #[test]
    fn imports_are_of_this_crate_or_of_another() {
        let own = "mod shapes;\nuse shapes::Point;\nuse crate::{math::Vector3};\nuse super::*;";
        assert!(!imports_from_elsewhere(own, "Point"));
        assert!(!imports_from_elsewhere(own, "Vector3"));
        assert!(imports_from_elsewhere(
            "use std::fmt;\nuse nalgebra::{Point3, Vector3};",
            "Vector3"
        ));
    }

    #[test]
    fn supertraits_stand_before_the_body() {
        let text = "pub trait Scalar:\n    Real + Copy // Value\n{\n    fn zero() -> Value;\n}";
        assert_eq!(
            supertraits(text, "Scalar").unwrap().trim(),
            ":     Real + Copy"
        );
        assert_eq!(supertraits(text, "Real"), None);
    }
}
