//! What a comparison asks of memory is read first, as `let v = x[i]; v < 0.0` does: a loop cuts the part of memory that it runs over, if
//! no text names the memory.

use syn::{BinOp, Expr, ExprBinary, Lit, Type, UnOp};

use crate::differentiable::ir::Atom;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// `x[i] < 0.0`, where tokens tell that numbers are compared, of which one is an entry of memory with a derivative.
    pub(super) fn compared(&mut self, binary: &ExprBinary) -> Option<Atom> {
        let ordered = matches!(
            binary.op,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
        );
        let sides = [&*binary.left, &*binary.right];
        let beside = sides.iter().any(|side| is_number(side));
        let told = |side: &&Expr| {
            is_number(side) || is_place(side) && (beside || self.is_told_number(side))
        };
        let fine = ordered
            && sides.iter().all(told)
            && sides.iter().any(|side| self.is_varied_entry(side));
        fine.then(|| {
            let [left, right] = sides.map(|side| self.value(side));
            self.binary_inactive(left, binary.op, right)
        })
    }

    fn is_told_number(&self, expr: &Expr) -> bool {
        let of_float = |ty: &Type| matches!(ty, Type::Path(path) if path.path.is_ident("f64") || path.path.is_ident("f32"));
        self.type_of(expr).is_some_and(|ty| of_float(&ty))
    }

    /// Whether a place is in memory that has a derivative.
    fn is_varied_entry(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_varied_entry(&paren.expr),
            Expr::Field(field) => self.is_varied_entry(&field.base),
            Expr::Index(_) => self.is_varied(expr),
            Expr::Unary(unary) => {
                let binding = simple_name(&unary.expr).and_then(|name| self.lookup(&name));
                matches!(binding, Some(Binding::Alias { .. })) && self.is_varied(expr)
            }
            _ => false,
        }
    }
}

/// `0.5`, `-1.0`.
fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(paren) => is_number(&paren.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Neg(_)) && is_number(&unary.expr),
        Expr::Lit(lit) => matches!(lit.lit, Lit::Float(_)),
        _ => false,
    }
}

/// A name, an entry, a field, or what a name refers to.
fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => simple_name(expr).is_some(),
        Expr::Paren(paren) => is_place(&paren.expr),
        Expr::Field(field) => is_place(&field.base),
        Expr::Index(index) => !matches!(&*index.index, Expr::Range(_)) && is_place(&index.expr),
        Expr::Unary(unary) => matches!(unary.op, UnOp::Deref(_)) && is_place(&unary.expr),
        _ => false,
    }
}
