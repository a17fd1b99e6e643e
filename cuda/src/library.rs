//! The kernels of the rules, one text for each kind of number.

use crate::element::Element;
use crate::source::Source;

const TEXT: &str = include_str!("kernels/library.hpp");

/// The kernels for numbers `T`.
pub fn source<T: Element>() -> Source {
    Source {
        name: format!("library {}", T::NAME),
        text: format!("typedef {} T;\n{TEXT}", T::NAME),
        kernels: kernels(),
        ptx: None,
    }
}

/// The names after `KERNEL`, and the three of each `TEAM`.
fn kernels() -> Vec<String> {
    let after = |word: &'static str| {
        let lines = TEXT.lines();
        lines.filter_map(move |line| {
            Some(
                line.strip_prefix(word)?
                    .split(['(', ','])
                    .next()?
                    .to_owned(),
            )
        })
    };
    let teams = after("TEAM(")
        .flat_map(|name| ["rows", "columns", "short"].map(|of| format!("{name}_{of}")));
    after("KERNEL ").chain(teams).collect()
}
