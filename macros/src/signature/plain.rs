//! Whether a method that returns a reference does no more than lead to a place: `&self.cells[i]`, `self.cells.get(i)`.
//!
//! Such a method has rules, which copy; any other has none, as it need not be understood: its block may be marked for the sake of the rest.

use syn::visit::{self, Visit};
use syn::{Block, Expr, ExprMethodCall, Macro};

/// Methods that lead from a place to another, search for one, or ask for a length.
const LEADS: &[&str] = &[
    "as_ref",
    "as_slice",
    "cmp",
    "expect",
    "find",
    "first",
    "get",
    "is_empty",
    "iter",
    "last",
    "len",
    "max",
    "max_by",
    "min",
    "min_by",
    "partial_cmp",
    "position",
    "rev",
    "total_cmp",
    "unwrap",
];

/// Macros that end the program, if anything.
const ENDS: &[&str] = &[
    "assert",
    "assert_eq",
    "debug_assert",
    "debug_assert_eq",
    "panic",
    "unreachable",
];

/// Whether a body is plain.
pub(super) fn is_plain(body: &Block) -> bool {
    let mut find = Plain(true);
    find.visit_block(body);
    find.0
}

struct Plain(bool);

impl<'ast> Visit<'ast> for Plain {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.0 &= match expr {
            Expr::MethodCall(call) => leads(call),
            Expr::Call(call) => matches!(&*call.func, Expr::Path(_)),
            Expr::Try(_) | Expr::Unsafe(_) | Expr::Await(_) => false,
            _ => true,
        };
        visit::visit_expr(self, expr);
    }

    fn visit_macro(&mut self, of: &'ast Macro) {
        let name = of.path.segments.last().map(|last| last.ident.to_string());
        self.0 &= name.is_some_and(|name| ENDS.contains(&name.as_str()));
    }
}

/// Whether a call is one of those, or of a method of the receiver's own: `self.index(i, j)`.
fn leads(call: &ExprMethodCall) -> bool {
    let own = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
    own || LEADS.iter().any(|name| call.method == name)
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn places_are_plain() {
        for (body, plain) in [
            ("{ &self.cells[self.index(i, j)] }", true),
            ("{ assert!(i < self.n, \"{i}\"); self.cells.get(i) }", true),
            (
                "{ if i == 0 { None } else { Some(&self.cells[i - 1]) } }",
                true,
            ),
            ("{ self.cells.as_slice() }", true),
            ("{ self.cells.iter().find(|c| c.id == id) }", true),
            (
                "{ self.cells.split_first().map(|(_, rest)| rest).unwrap_or(&[]) }",
                false,
            ),
            ("{ unsafe { self.cells.get_unchecked(i) } }", false),
            ("{ let i = self.index.get(k)?; self.cells.get(*i) }", false),
            ("{ lookup!(self, i) }", false),
        ] {
            let body = syn::parse_str(body).expect("a body");
            assert_eq!(is_plain(&body), plain);
        }
    }
}
