//! The program as text, for people and for tests.
//!
//! ```text
//! fn(&x, c)                                fn(&x, c)
//! let t1 = 0.0                             let mut sum = 0.0
//! let mut sum = t1                         for i in 0..x.len() {
//! for i in 0..x.len() {                        sum = add(load sum, mul(read x[i], c))
//!     let t3 = read x[i]                   }
//!     let t4 = mul(t3, c)                  return load sum
//!     let sum_now = load sum
//!     let t6 = add(sum_now, t4)            // `{:#}`: with temporaries where they are used
//!     sum = t6
//! }
//! let sum_now_2 = load sum
//! return sum_now_2
//! ```

use std::collections::HashSet;
use std::fmt::{Display, Formatter, Result};

use super::*;

const STEP: &str = "    ";

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let folded = match f.alternate() {
            true => self.folded(),
            false => HashSet::new(),
        };
        let shown = Shown {
            program: self,
            folded,
        };
        writeln!(f, "fn({})", self.parameters().join(", "))?;
        shown.block(f, &self.body, "")?;
        match &self.result {
            Some(result) => writeln!(f, "return {}", shown.atom(result)),
            None => Ok(()),
        }
    }
}

impl Program {
    /// A value as text: its name if the user gave it, else what it is, with the temporaries in it that are used once.
    pub(crate) fn expression(&self, d: DefId) -> String {
        let folded = self.used_once();
        let shown = Shown {
            program: self,
            folded,
        };
        match self.defs[d].is_temporary() {
            true => shown.value(&self.defs[d].kind),
            false => self.defs[d].name.to_string(),
        }
    }
}

impl Program {
    /// An operand as text, with the temporaries in it that are used once.
    pub(crate) fn operand(&self, atom: &Atom) -> String {
        match atom {
            Atom::Def(d) => self.expression(*d),
            atom => {
                let folded = self.used_once();
                let shown = Shown {
                    program: self,
                    folded,
                };
                shown.atom(atom)
            }
        }
    }
}

pub(crate) struct Shown<'a> {
    pub(crate) program: &'a Program,
    /// The values that are written where they are used.
    pub(crate) folded: HashSet<DefId>,
}

impl Program {
    /// The parameters in order, each as it is passed.
    fn parameters(&self) -> Vec<String> {
        let behind = self.roots.iter().filter_map(|root| match root.kind {
            RootKind::Param { index, passing } => {
                let reference = match passing {
                    Passing::Exclusive => "&mut ",
                    Passing::Shared => "&",
                    Passing::Value => "",
                };
                Some((index, format!("{reference}{}", root.name)))
            }
            RootKind::Memory | RootKind::Scalar => None,
        });
        let values = self.defs.iter().filter_map(|def| match def.kind {
            DefKind::Param(index) => Some((index, def.name.to_string())),
            _ => None,
        });
        let mut all: Vec<_> = behind.chain(values).collect();
        all.sort();
        all.into_iter().map(|(_, name)| name).collect()
    }
}

impl Shown<'_> {
    fn block(&self, f: &mut Formatter<'_>, block: &Block, indent: &str) -> Result {
        let mut items = block.items.iter();
        items.try_for_each(|item| match item {
            // which the head shows, or the use
            Item::Def(d) if self.is_left_out(*d) => Ok(()),
            item => self.item(f, item, indent),
        })
    }

    fn item(&self, f: &mut Formatter<'_>, item: &Item, indent: &str) -> Result {
        write!(f, "{indent}")?;
        match item {
            Item::Branch { arms, selector } => return self.branch(f, arms, selector, indent),
            Item::Loop {
                iterable,
                body,
                flags,
            } => {
                writeln!(f, "{} {{", self.iterable(iterable))?;
                self.block(f, body, &format!("{indent}{STEP}"))?;
                let flags: Vec<_> = flags.iter().map(|r| self.root(*r)).collect();
                return match &flags[..] {
                    [] => writeln!(f, "{indent}}}"),
                    flags => writeln!(f, "{indent}}} until {}", flags.join(" or ")),
                };
            }
            Item::Def(d) => {
                let def = &self.program.defs[*d];
                let store = if def.stored { "#[store] " } else { "" };
                write!(f, "{store}let {} = {}", def.name, self.value(&def.kind))
            }
            Item::Verbatim(tokens) => write!(f, "primal {}", self.text(tokens)),
            Item::Declare { root, init } => {
                write!(f, "let mut {}{}", self.root(*root), self.init(init))
            }
            Item::Assign { place, op, value } => {
                let op = match op {
                    Assign::Set => "=",
                    Assign::Add => "+=",
                    Assign::Sub => "-=",
                };
                write!(f, "{} {op} {}", self.place(place), self.atom(value))
            }
            Item::Reshape { place, shape } => {
                write!(f, "reshape {}", self.place(place))?;
                shape.map_or(Ok(()), |shape| write!(f, ": {}", self.def(shape)))
            }
            Item::Call(call) => write!(f, "{}", self.call(call)),
            Item::Copy { to, from } => write!(f, "copy {} <- {}", self.place(to), self.place(from)),
            Item::Fill { place, value } => {
                write!(f, "fill {} <- {}", self.place(place), self.atom(value))
            }
            Item::Exchange { a, b } => write!(f, "exchange {}, {}", self.place(a), self.place(b)),
            Item::Push { place, value } => {
                write!(f, "push {} <- {}", self.place(place), self.atom(value))
            }
            Item::Pop { place } => write!(f, "pop {}", self.place(place)),
            Item::Swap { place, i, j } => {
                write!(
                    f,
                    "swap {}: {}, {}",
                    self.place(place),
                    self.text(i),
                    self.text(j)
                )
            }
        }?;
        writeln!(f)
    }

    fn branch(
        &self,
        f: &mut Formatter<'_>,
        arms: &[Arm],
        selector: &Selector,
        indent: &str,
    ) -> Result {
        let inside = format!("{indent}{STEP}");
        if let (Selector::If(condition), [then, otherwise]) = (selector, arms) {
            writeln!(f, "if {} {{", self.atom(condition))?;
            self.block(f, &then.body, &inside)?;
            if !otherwise.body.items.is_empty() {
                writeln!(f, "{indent}}} else {{")?;
                self.block(f, &otherwise.body, &inside)?;
            }
            return writeln!(f, "{indent}}}");
        }
        let (Selector::If(value) | Selector::Match(value)) = selector;
        writeln!(f, "match {} {{", self.atom(value))?;
        for arm in arms {
            writeln!(f, "{inside}{} => {{", self.text(&arm.pattern))?;
            self.block(f, &arm.body, &format!("{inside}{STEP}"))?;
            writeln!(f, "{inside}}}")?;
        }
        writeln!(f, "{indent}}}")
    }
}
