//! The degree of a function as a polynomial of its arguments, as far as a body of operations on numbers shows it.

use proc_macro2::{TokenStream, TokenTree};

use super::ir::*;

/// The degree in each of the first two arguments, and in both together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Degree {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) total: usize,
}

impl Degree {
    fn with(self, other: Self, join: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            left: join(self.left, other.left),
            right: join(self.right, other.right),
            total: join(self.total, other.total),
        }
    }
}

impl Program {
    /// The degree of the result; `None` if it is no polynomial, or nothing that is known to be one.
    pub(crate) fn degree(&self) -> Option<Degree> {
        let mut degrees = vec![None; self.defs.len()];
        for item in &self.body.items {
            let Item::Def(d) = item else { return None };
            degrees[*d] = self.degree_of(&self.defs[*d], &degrees);
        }
        match self.result.as_ref()? {
            Atom::Def(d) => degrees[*d],
            Atom::Const(expr) => of_inactive(&expr.uses, &degrees),
            Atom::Root(_) => None,
        }
    }

    fn degree_of(&self, def: &Def, degrees: &[Option<Degree>]) -> Option<Degree> {
        let of = |atom: &Atom| match atom {
            Atom::Def(d) => degrees[*d],
            Atom::Const(expr) => of_inactive(&expr.uses, degrees),
            Atom::Root(_) => None,
        };
        match &def.kind {
            DefKind::Param(index) => Some(Degree {
                left: usize::from(*index == 0),
                right: usize::from(*index == 1),
                total: 1,
            }),
            DefKind::Pure(expr) => of_inactive(&expr.uses, degrees),
            DefKind::Read(place) => match place.base {
                Base::Def(d) => of_inactive(&place.uses, degrees).and(degrees[d]),
                Base::Root(_) => None,
            },
            DefKind::Make { parts, .. } => {
                parts.iter().try_fold(Degree::default(), |all, (_, part)| {
                    Some(all.with(of(part)?, usize::max))
                })
            }
            DefKind::Op { op, args, .. } => {
                let args = args.iter().map(of).collect::<Option<Vec<_>>>()?;
                match (name(op).as_str(), &args[..]) {
                    ("add" | "sub", [a, b]) => Some(a.with(*b, usize::max)),
                    ("neg" | "cast", [a]) => Some(*a),
                    ("mul", [a, b]) => Some(a.with(*b, |a, b| a + b)),
                    ("div", [a, b]) if b.total == 0 => Some(*a),
                    (_, args) => args.iter().all(|a| a.total == 0).then(Degree::default),
                }
            }
            _ => None,
        }
    }
}

/// What carries no derivative is a constant if it is computed from constants.
fn of_inactive(uses: &Uses, degrees: &[Option<Degree>]) -> Option<Degree> {
    let constant = |d: &DefId| degrees[*d] == Some(Degree::default());
    (uses.roots.is_empty() && uses.defs.iter().all(constant)).then(Degree::default)
}

/// `mul` of `::coenzyme::ops::mul`, `cast` of `::coenzyme::ops::cast<f64>`.
fn name(op: &TokenStream) -> String {
    let mut idents = op
        .clone()
        .into_iter()
        .take_while(|t| !matches!(t, TokenTree::Punct(p) if p.as_char() == '<'));
    let mut last = String::new();
    for token in &mut idents {
        if let TokenTree::Ident(ident) = token {
            last = ident.to_string();
        }
    }
    last
}
