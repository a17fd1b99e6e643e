//! Whether the `Clone` of a type computes: `fn clone(&self) -> W { W { a: 2.0 * self.a } }`.
//!
//! Generated code copies values, and takes `w.clone()` for a copy. A derive does not see how the type is cloned; the file has it.

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Ident, Lit, UnOp};

use super::answers::Answers;
use super::source;

/// Whether a type of this name has a `Clone` in its file that computes numbers.
pub(crate) fn computes(ty: &Ident) -> bool {
    thread_local!(static KNOWN: Answers<HashSet<String>> = Answers::default());
    source::found(ty, &KNOWN, read).is_some_and(|types| types.contains(&ty.to_string()))
}

fn read(file: &syn::File) -> HashSet<String> {
    let mut types = HashSet::new();
    source::implementations(file, &["Clone"], &mut |name, block| {
        let mut find = Computes(false);
        find.visit_item_impl(block);
        if find.0 {
            types.insert(name);
        }
    });
    types
}

/// Arithmetic, and numbers that are written.
struct Computes(bool);

impl<'ast> Visit<'ast> for Computes {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        self.0 |= match expr {
            Expr::Binary(binary) => matches!(
                binary.op,
                BinOp::Add(_)
                    | BinOp::Sub(_)
                    | BinOp::Mul(_)
                    | BinOp::Div(_)
                    | BinOp::AddAssign(_)
                    | BinOp::SubAssign(_)
                    | BinOp::MulAssign(_)
                    | BinOp::DivAssign(_)
            ),
            Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)),
            Expr::Lit(literal) => matches!(literal.lit, Lit::Float(_)),
            _ => false,
        };
        visit::visit_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_clone_that_computes_is_told_from_a_copy() {
        let file = "
            impl Clone for Doubled { fn clone(&self) -> Self { Self { a: 2.0 * self.a } } }
            mod inside { impl Clone for Reset { fn clone(&self) -> Self { Reset { a: 0.0 } } } }
            impl<T> Clone for Copied<T> { fn clone(&self) -> Self { *self } }
            impl Clone for Fields { fn clone(&self) -> Self { Self { a: self.a, v: self.v.clone() } } }
        ";
        let mut types: Vec<_> = read(&syn::parse_file(file).unwrap()).into_iter().collect();
        types.sort();
        assert_eq!(types, ["Doubled", "Reset"]);
    }
}
