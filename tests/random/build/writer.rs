//! A function that is being written.

use crate::random::Random;
use crate::scope::Scope;

/// How deep blocks may be nested.
const DEEPEST: usize = 4;

pub(crate) struct Writer {
    pub(crate) random: Random,
    pub(crate) scope: Scope,
    lines: Vec<String>,
    depth: usize,
    names: usize,
    /// How many statements are still to come.
    budget: usize,
    /// The productions of `class.rs` that are asked for.
    classes: Vec<fn(&mut Writer)>,
}

impl Writer {
    pub(crate) fn new(mut random: Random, classes: Vec<fn(&mut Writer)>) -> Self {
        let budget = 4 + random.below(10);
        let scope = Scope {
            numbers: vec!["a".into()],
            arrays: vec!["y".into()],
            lent: vec!["x".into()],
            ..Scope::default()
        };
        Self {
            random,
            scope,
            lines: Vec::new(),
            depth: 1,
            names: 0,
            budget,
            classes,
        }
    }

    /// `fn name(x: &[f64], y: &mut [f64], a: f64, n: usize) -> f64`, for `x` and `y` of six entries.
    pub(crate) fn function(mut self, name: &str) -> String {
        while self.budget > 0 {
            self.statement();
        }
        let result = self.expression();
        let body = self.lines.join("\n");
        format!(
            "fn {name}(x: &[f64], y: &mut [f64], a: f64, n: usize) -> f64 {{\n{body}\n    {result}\n}}"
        )
    }

    pub(crate) fn line(&mut self, text: impl AsRef<str>) {
        self.lines.push("    ".repeat(self.depth) + text.as_ref());
    }

    pub(crate) fn name(&mut self, first: &str) -> String {
        self.names += 1;
        format!("{first}{}", self.names)
    }

    /// Whether another block may begin here.
    pub(crate) fn may_nest(&self) -> bool {
        self.depth < DEEPEST
    }

    /// One to `most` statements in a block of their own; what `open` adds to the scope ends with it.
    pub(crate) fn block(&mut self, most: usize, open: impl FnOnce(&mut Scope)) {
        let outside = self.scope.clone();
        open(&mut self.scope);
        self.depth += 1;
        for _ in 0..1 + self.random.below(most) {
            self.statement();
        }
        self.depth -= 1;
        self.scope = outside;
    }

    /// A line inside the block that is about to end.
    pub(crate) fn last_line(&mut self, text: impl AsRef<str>) {
        self.depth += 1;
        self.line(text);
        self.depth -= 1;
    }

    fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        let write = match !self.classes.is_empty() && self.random.chance(25) {
            true => self.random.of(&self.classes),
            false => self.random.weighted(crate::statement::ALL),
        };
        write(self);
    }
}
