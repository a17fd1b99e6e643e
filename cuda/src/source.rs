//! The text of kernels, and the key that it is cached by.

use std::hash::{DefaultHasher, Hash, Hasher};

/// What every kernel of this crate begins with: numbers that carry partial derivatives, and how threads share work.
pub const PRELUDE: &str = include_str!("kernels/prelude.hpp");

/// A text in CUDA C++, or PTX, with the names of its kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Whose kernels they are, in messages.
    pub name: String,
    /// The text, without [`PRELUDE`].
    pub text: String,
    /// The names of the kernels, all `extern "C"`.
    pub kernels: Vec<String>,
    /// PTX for a card; the emulation uses the text.
    pub ptx: Option<String>,
}

impl Source {
    /// A text in CUDA C++.
    pub fn new(name: impl Into<String>, text: impl Into<String>, kernels: &[&str]) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            kernels: kernels.iter().map(|k| (*k).to_owned()).collect(),
            ptx: None,
        }
    }

    /// The whole text that a compiler is given: lines are counted from the text's own first line.
    pub fn full(&self) -> String {
        let name = self.name.replace(['"', '\\', '\n'], "_");
        format!("{PRELUDE}\n#line 1 \"{name}\"\n{}", self.text)
    }

    /// The key of the compiled text on a machine.
    pub fn key(&self, target: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        (PRELUDE, &self.text, &self.kernels, &self.ptx, target).hash(&mut hasher);
        hasher.finish()
    }
}
