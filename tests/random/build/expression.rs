//! Expressions: numbers, places, conditions. They are smooth, but for jumps at conditions and kinks that a point rarely meets.

use crate::scope::LENGTH;
use crate::writer::Writer;

const ALL: &[(usize, fn(&mut Writer, usize) -> String)] = &[
    (22, |w, _| w.atom()),
    (18, |w, d| format!("{} * {}", w.factor(d), w.factor(d))),
    (12, |w, d| format!("{} + {}", w.at_depth(d), w.at_depth(d))),
    (8, |w, d| format!("{} - {}", w.at_depth(d), w.factor(d))),
    (8, |w, d| format!("({}).sin()", w.at_depth(d))),
    (5, |w, d| format!("({}).tanh()", w.at_depth(d))),
    (5, |w, d| {
        format!("{} / (2.0 + {}.powi(2))", w.factor(d), w.atom())
    }),
    (4, |w, d| {
        format!("(1.0 + ({}).powi(2)).sqrt()", w.at_depth(d))
    }),
    (3, |w, d| format!("-{}", w.factor(d))),
    (2, |w, _| format!("(1.0 + {}.abs()).ln()", w.atom())),
    (2, |w, _| format!("{}.max({})", w.atom(), w.atom())),
    (2, |w, _| format!("mix({}, {})", w.atom(), w.atom())),
    (2, |w, d| {
        format!(
            "(if {} {{ {} }} else {{ {} }})",
            w.condition(),
            w.at_depth(d),
            w.at_depth(d)
        )
    }),
    (2, |w, _| {
        format!(
            "energy(&{}[{}], {})",
            w.array(),
            w.random.of(&["..", "1..4", "..3"]),
            w.atom()
        )
    }),
    (2, |w, _| {
        format!(
            "{}.iter().zip({}.iter()).map(|(p, q)| p * q).sum::<f64>()",
            w.array(),
            w.array()
        )
    }),
    (1, |w, _| {
        format!(
            "{}.iter().skip({}).fold({}, |s, p| s * 0.5 + p)",
            w.array(),
            w.random.below(4),
            w.atom()
        )
    }),
    (1, |w, _| {
        format!(
            "{}.windows(2).map(|p| p[1] - p[0] * p[0]).sum::<f64>()",
            w.array()
        )
    }),
    (1, |w, _| {
        format!(
            "{}.chunks_exact(2).map(|p| p[0] * p[1]).sum::<f64>()",
            w.array()
        )
    }),
];

impl Writer {
    pub(crate) fn expression(&mut self) -> String {
        self.at_depth(0)
    }

    fn at_depth(&mut self, depth: usize) -> String {
        match depth < 3 {
            true => self.random.weighted(ALL)(self, depth + 1),
            false => self.atom(),
        }
    }

    fn factor(&mut self, depth: usize) -> String {
        match self.random.chance(50) {
            true => self.atom(),
            false => format!("({})", self.at_depth(depth)),
        }
    }

    /// A number that has a name, stands in memory, or is written out.
    pub(crate) fn atom(&mut self) -> String {
        let numbers = self.scope.readable_numbers();
        match self.random.below(100) {
            0..45 => self.random.of(&numbers),
            45..88 => format!("{}[{}]", self.array(), self.index()),
            88..94 if !self.scope.indices.is_empty() => {
                let (index, _, _) = self.random.of(&self.scope.indices);
                format!("({index} as f64 * 0.1)")
            }
            _ => self
                .random
                .of(&["0.5_f64", "1.5_f64", "0.7_f64", "0.3_f64"])
                .into(),
        }
    }

    /// An array that can be read.
    pub(crate) fn array(&mut self) -> String {
        let arrays = self.scope.readable_arrays();
        self.random.of(&arrays)
    }

    /// An index in bounds.
    pub(crate) fn index(&mut self) -> String {
        let last = LENGTH - 1;
        if self.scope.indices.is_empty() || self.random.chance(15) {
            return self.random.below(LENGTH).to_string();
        }
        let (i, lowest, highest) = self.random.of(&self.scope.indices);
        let (j, _, _) = self.random.of(&self.scope.indices);
        match self.random.below(8) {
            0 if lowest > 0 => format!("{i} - 1"),
            1 if highest < last => format!("{i} + 1"),
            2 => format!("{last} - {i}"),
            3 => format!("(2 * {i} + 1) % {LENGTH}"),
            4 => format!("({i} + {j}) % {LENGTH}"),
            _ => i,
        }
    }

    pub(crate) fn condition(&mut self) -> String {
        if !self.scope.indices.is_empty() && self.random.chance(50) {
            let (i, _, _) = self.random.of(&self.scope.indices);
            return i + self.random.of(&[" % 2 == 0", " > 2", " != 3"]);
        }
        format!(
            "{} {} {}",
            self.atom(),
            self.random.of(&["<", ">"]),
            self.atom()
        )
    }
}
