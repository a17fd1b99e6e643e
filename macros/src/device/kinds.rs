//! Which integers and flags expressions are of, as far as tokens say.
//!
//! All integers are printed as one type of 64 bits. That differs from Rust only where bits are cut off: in casts, shifts and `!`. These are printed for
//! the type of Rust, which a cast names, and the operand of a shift has to show.

use syn::{BinOp, Expr, Lit, Type, UnOp};

use super::Printer;

/// The types, and those of C++ that have as many bits.
const KINDS: &[(&str, &str)] = &[
    ("i8", "signed char"),
    ("i16", "short"),
    ("i32", "int"),
    ("i64", "long long"),
    ("isize", "long long"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
    ("usize", "unsigned long long"),
    ("bool", "bool"),
];

/// The kind of this name.
pub(super) fn named(name: &str) -> Option<&'static str> {
    KINDS
        .iter()
        .map(|(rust, _)| *rust)
        .find(|rust| *rust == name)
}

/// The type of C++ with the bits of a kind.
pub(super) fn cpp(kind: &str) -> Option<&'static str> {
    KINDS
        .iter()
        .find(|(rust, _)| *rust == kind)
        .map(|(_, cpp)| *cpp)
}

/// The kind of a type, or of the entries of an array.
pub(super) fn of_type(ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Path(path) => named(&path.path.get_ident()?.to_string()),
        Type::Array(array) => of_type(&array.elem),
        Type::Reference(reference) => of_type(&reference.elem),
        Type::Paren(inner) => of_type(&inner.elem),
        Type::Group(inner) => of_type(&inner.elem),
        _ => None,
    }
}

impl Printer<'_> {
    /// The kind of an expression, or of the entries of an array; nothing for floating-point numbers, and where only the compiler knows.
    pub(super) fn kind(&self, expr: &Expr) -> Option<&'static str> {
        match expr {
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(int) => named(int.suffix()),
                Lit::Bool(_) => Some("bool"),
                _ => None,
            },
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                self.scope
                    .iter()
                    .rev()
                    .find(|bound| bound.rust == name)?
                    .kind
            }
            Expr::Paren(inner) => self.kind(&inner.expr),
            Expr::Group(inner) => self.kind(&inner.expr),
            Expr::Reference(inner) => self.kind(&inner.expr),
            Expr::Unary(unary)
                if matches!(unary.op, UnOp::Deref(_) | UnOp::Neg(_) | UnOp::Not(_)) =>
            {
                self.kind(&unary.expr)
            }
            Expr::Index(index) => self.kind(&index.expr),
            Expr::Array(array) => array.elems.iter().find_map(|e| self.kind(e)),
            Expr::Repeat(repeat) => self.kind(&repeat.expr),
            Expr::Cast(cast) => of_type(&cast.ty),
            Expr::Binary(binary) => self.kind_of_operator(&binary.op, &binary.left, &binary.right),
            Expr::MethodCall(call) => match &*call.method.to_string() {
                "is_nan" => Some("bool"),
                "abs" | "min" | "max" | "pow" | "clamp" | "signum" | "clone" => {
                    self.kind(&call.receiver)
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn kind_of_operator(&self, op: &BinOp, left: &Expr, right: &Expr) -> Option<&'static str> {
        use BinOp::*;
        match op {
            And(_) | Or(_) | Eq(_) | Ne(_) | Lt(_) | Le(_) | Gt(_) | Ge(_) => Some("bool"),
            Shl(_) | Shr(_) => self.kind(left),
            _ => self.kind(left).or_else(|| self.kind(right)),
        }
    }

    /// A shift, by which bits are lost that the integer does not have.
    pub(super) fn shift(&mut self, of: &Expr, left: &str, name: &str, right: &str) -> String {
        match self.kind(of).and_then(cpp) {
            Some(cpp) => format!("math::{name}<{cpp}>({left}, {right})"),
            None => self.refuse(
                of,
                "a shift of an integer whose type is not written: bind it with its type before, `let n: u32 = …`",
            ),
        }
    }

    /// `!`, of a flag or of the bits of an integer.
    pub(super) fn inverted(&self, of: &Expr, inner: &str) -> String {
        match self.kind(of) {
            Some("bool") => format!("!{inner}"),
            Some(kind) => format!("math::inverted<{}>({inner})", cpp(kind).unwrap_or_default()),
            // C++ knows; of an integer it does not compile
            None => format!("math::no({inner})"),
        }
    }
}
