//! The rules of a library, read from its documentation.
//!
//! The page of each type lists its implementations. A re-exported type has a page at each of its paths: pages of one name
//! with the same implementations, written in the same place, are of one type.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{fs, io};

/// A type with rules.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rule {
    /// Its paths: where it is defined, where it is re-exported.
    pub(crate) paths: BTreeSet<String>,
    pub(crate) forward: bool,
    pub(crate) reverse: bool,
}

impl Rule {
    /// The shortest path.
    pub(crate) fn name(&self) -> &str {
        let shortest = self.paths.iter().min_by_key(|path| path.len());
        shortest.map_or("", String::as_str)
    }
}

/// Every type of `library` that the documentation in `docs` gives rules to, by name.
pub(crate) fn rules(docs: &Path, library: &str) -> io::Result<Vec<Rule>> {
    let mut found = BTreeMap::new();
    visit(&docs.join(library), library, &mut found)?;
    let mut rules: Vec<Rule> = found.into_values().collect();
    rules.sort_by(|a, b| a.name().cmp(b.name()));
    Ok(rules)
}

/// What two pages of one type have in common.
type Identity = (String, Vec<String>);

fn visit(folder: &Path, module: &str, found: &mut BTreeMap<Identity, Rule>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            visit(&entry.path(), &format!("{module}::{name}"), found)?;
        } else if let Some(name) = type_of_page(&name) {
            let sections = sections(&fs::read_to_string(entry.path())?, name);
            let of = |rule: &str| sections.iter().any(|section| section.contains(rule));
            let (forward, reverse) = (of("ForwardRule<"), of("ReverseRule<"));
            if forward || reverse {
                let rule = found.entry((name.to_owned(), sections)).or_default();
                rule.paths.insert(format!("{module}::{name}"));
                (rule.forward, rule.reverse) = (forward, reverse);
            }
        }
    }
    Ok(())
}

/// The type that a page is about, from `struct.name.html`.
fn type_of_page(file: &str) -> Option<&str> {
    let kinds = ["struct.", "enum.", "union."];
    let name = kinds.iter().find_map(|kind| file.strip_prefix(kind))?;
    name.strip_suffix(".html")
}

/// The implementations of rules for the type called `name`: their text, and where they are written.
fn sections(page: &str, name: &str) -> Vec<String> {
    let mut sections = Vec::new();
    for section in page.split("<section id=\"impl-").skip(1) {
        let id = section.split('"').next().unwrap_or_default();
        let kind = ["ForwardRule", "ReverseRule"];
        let of_type = id
            .rsplit_once("-for-")
            .is_some_and(|(_, of)| of == name || of.starts_with(&format!("{name}%3C")));
        if of_type && kind.iter().any(|kind| id.starts_with(kind)) {
            let section = section.split("</section>").next().unwrap_or_default();
            sections.push(text(&format!("<{section}")) + &source(section));
        }
    }
    sections.sort();
    sections
}

/// Where an implementation is written: the file and lines of its link `src`, without the way back to the root.
fn source(section: &str) -> String {
    let link = section.split_once("class=\"src").map(|(_, rest)| rest);
    let link = link.and_then(|rest| rest.split_once("href=\""));
    let link = link.and_then(|(_, rest)| rest.split('"').next());
    link.unwrap_or_default()
        .trim_start_matches("../")
        .to_owned()
}

/// What a reader sees.
fn text(html: &str) -> String {
    let outside = html.split('<').filter_map(|part| part.split_once('>'));
    let text: String = outside.map(|(_, text)| text).collect();
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page of a type with one rule, as rustdoc writes it.
    fn page(up: &str, rule: &str, name: &str, line: u32) -> String {
        format!(
            "<section id=\"impl-{rule}%3CR,+(X,),+W%3E-for-{name}\" class=\"impl\">\
             <a class=\"src rightside\" href=\"{up}src/rules/a.rs.html#{line}\">Source</a>\
             <h3 class=\"code-header\">impl&lt;R, X&gt; <a href=\"{up}trait.html\">{rule}</a>&lt;R, (X,)&gt; for {name}</h3>\
             </section><section id=\"impl-{rule}%3CR,+Never%3E-for-F\" class=\"impl\"></section>"
        )
    }

    #[test]
    fn pages_of_one_type_are_one_rule_and_of_two_types_two() {
        let root = std::env::temp_dir().join(format!("coenzyme-rustdoc-{}", std::process::id()));
        let inner = root.join("rules/inner/deep");
        fs::create_dir_all(&inner).unwrap();
        let write = |path: &Path, text: &str| fs::write(path, text).unwrap();
        write(
            &root.join("rules/struct.dot.html"),
            &page("../", "ReverseRule", "dot", 3),
        );
        write(
            &inner.join("struct.dot.html"),
            &page("../../../", "ReverseRule", "dot", 3),
        );
        write(
            &root.join("rules/inner/struct.dot.html"),
            &page("../../", "ForwardRule", "dot", 9),
        );
        write(
            &root.join("rules/struct.Plain.html"),
            "<section id=\"impl-Clone-for-Plain\">",
        );
        write(
            &root.join("rules/fn.dot.html"),
            &page("../", "ReverseRule", "dot", 3),
        );
        let rules = rules(&root, "rules").unwrap();
        fs::remove_dir_all(&root).unwrap();
        let names: Vec<_> = rules
            .iter()
            .map(|rule| (rule.name(), rule.forward, rule.reverse))
            .collect();
        assert_eq!(
            names,
            [
                ("rules::dot", false, true),
                ("rules::inner::dot", true, false)
            ]
        );
        assert!(rules[0].paths.contains("rules::inner::deep::dot"));
    }

    #[test]
    fn generic_types_are_found() {
        let of_generic = page("", "ReverseRule", "Poly%3CT%3E", 1);
        assert_eq!(sections(&of_generic, "Poly").len(), 1);
        assert_eq!(sections(&of_generic, "Pol").len(), 0);
    }
}
