//! The type of a closure's input, if what the body does with it tells: the closure says nothing, and a function has to.

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, Pat, Stmt, Type, parse_quote};

use crate::differentiable::methods::operations;
use crate::differentiable::tokens::text;

/// The type of an input: `scalar` unless it is looked into like a slice, or says which entry is meant. A type that is not the right one is
/// an error where the closure is passed.
pub(crate) fn type_of(pat: &Pat, body: &Expr, scalar: &Type) -> Type {
    let Pat::Ident(name) = pat else {
        return scalar.clone();
    };
    match Use::of(&name.ident, body, scalar) {
        Use {
            is_slice: true,
            is_written: true,
            ..
        } => parse_quote!(&mut [#scalar]),
        Use { is_slice: true, .. } => parse_quote!(&[#scalar]),
        Use { is_index: true, .. }
        | Use {
            is_integer: true, ..
        } => parse_quote!(usize),
        _ => scalar.clone(),
    }
}

/// Whether a name says which entry is meant, and so is a `usize`.
pub(crate) fn is_index(name: &Ident, body: &Expr) -> bool {
    Use::of(name, body, &parse_quote!(_)).is_index
}

/// How an expression names a value.
pub(crate) struct LookedInto {
    /// Whether it asks for its parts and calls its methods, and does nothing else with it: a reference will do.
    pub(crate) only: bool,
    /// Whether it asks for parts, which no number has.
    pub(crate) has_parts: bool,
}

/// How the expression `of` names the value `name`.
pub(crate) fn looked_into(name: &Ident, of: &Expr) -> LookedInto {
    struct Names<'n> {
        name: &'n Ident,
        found: LookedInto,
    }
    impl Names<'_> {
        fn is(&self, expr: &Expr) -> bool {
            matches!(expr, Expr::Path(path) if path.path.is_ident(self.name))
        }
    }
    impl<'ast> Visit<'ast> for Names<'_> {
        fn visit_expr(&mut self, expr: &'ast Expr) {
            let looks = match expr {
                Expr::Field(field) => Some((&field.base, true)),
                Expr::Index(index) => Some((&index.expr, true)),
                Expr::MethodCall(call) => Some((&call.receiver, false)),
                _ => None,
            };
            match looks {
                Some((of, part)) if self.is(of) => {
                    self.found.has_parts |= part;
                    match expr {
                        Expr::Index(index) => self.visit_expr(&index.index),
                        Expr::MethodCall(call) => {
                            call.args.iter().for_each(|arg| self.visit_expr(arg));
                        }
                        _ => {}
                    }
                }
                _ if self.is(expr) => self.found.only = false,
                _ => visit::visit_expr(self, expr),
            }
        }

        // what a macro does with a name is not known
        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            let name = self.name.to_string();
            self.found.only &= !text::words(mac.tokens.clone()).contains(&name);
        }
    }
    let mut names = Names {
        name,
        found: LookedInto {
            only: true,
            has_parts: false,
        },
    };
    names.visit_expr(of);
    names.found
}

/// Whether a closure may write into what it is lent, as far as its tokens tell.
pub(crate) fn writes_inputs(closure: &ExprClosure) -> bool {
    let scalar = parse_quote!(_);
    let is_written = |pat: &Pat| {
        let ty = match pat {
            Pat::Type(typed) => (*typed.ty).clone(),
            pat => type_of(pat, &closure.body, &scalar),
        };
        matches!(ty, Type::Reference(reference) if reference.mutability.is_some())
    };
    closure.inputs.iter().any(is_written) || !has_value(&closure.body)
}

/// Whether the last expression of a body is a value.
fn has_value(body: &Expr) -> bool {
    match body {
        Expr::Block(block) => match block.block.stmts.last() {
            Some(Stmt::Expr(last, None)) => has_value(last),
            _ => false,
        },
        Expr::Assign(_) => false,
        Expr::Binary(binary) => operations::compound(&binary.op).is_none(),
        _ => true,
    }
}

/// What is done with a name.
struct Use<'a> {
    name: &'a Ident,
    scalar: &'a Type,
    is_slice: bool,
    is_written: bool,
    is_index: bool,
    /// An integer of some type, which is an index more often than not.
    is_integer: bool,
}

impl<'a> Use<'a> {
    fn of(name: &'a Ident, body: &Expr, scalar: &'a Type) -> Self {
        let mut found = Use {
            name,
            scalar,
            is_slice: false,
            is_written: false,
            is_index: false,
            is_integer: false,
        };
        found.visit_expr(body);
        found
    }

    fn is_name(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.is_ident(self.name),
            Expr::Paren(inside) => self.is_name(&inside.expr),
            _ => false,
        }
    }

    /// `name[…]`
    fn is_entry(&self, place: &Expr) -> bool {
        matches!(place, Expr::Index(entry) if self.is_name(&entry.expr) || self.is_entry(&entry.expr))
    }

    /// The name itself, in sums and products of indices.
    fn counts(&self, index: &Expr) -> bool {
        match index {
            Expr::Binary(both) => self.counts(&both.left) || self.counts(&both.right),
            Expr::Paren(inside) => self.counts(&inside.expr),
            index => self.is_name(index),
        }
    }
}

/// `0` of `i == 0`, which is no float.
fn is_whole(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(&literal.lit, syn::Lit::Int(n) if !n.suffix().starts_with('f')))
}

impl<'ast> Visit<'ast> for Use<'_> {
    fn visit_expr_index(&mut self, entry: &'ast syn::ExprIndex) {
        self.is_slice |= self.is_name(&entry.expr);
        self.is_index |= self.counts(&entry.index);
        visit::visit_expr_index(self, entry);
    }

    fn visit_expr_assign(&mut self, assign: &'ast syn::ExprAssign) {
        self.is_written |= self.is_entry(&assign.left);
        visit::visit_expr_assign(self, assign);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        use syn::BinOp::{AddAssign, DivAssign, MulAssign, SubAssign};
        let assigns = matches!(
            binary.op,
            AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_)
        );
        self.is_written |= assigns && self.is_entry(&binary.left);
        let beside = |a: &Expr, b: &Expr| self.is_name(a) && is_whole(b);
        self.is_integer |=
            beside(&binary.left, &binary.right) || beside(&binary.right, &binary.left);
        visit::visit_expr_binary(self, binary);
    }

    // `i as f64`, which nobody writes of a float of this type
    fn visit_expr_cast(&mut self, cast: &'ast syn::ExprCast) {
        self.is_integer |= self.is_name(&cast.expr) && *cast.ty == *self.scalar;
        visit::visit_expr_cast(self, cast);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let elements = super::vec_macro::elements_of(mac);
        elements.iter().for_each(|e| Visit::visit_expr(self, e));
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let method = call.method.to_string();
        if self.is_name(&call.receiver) {
            self.is_slice |= SLICE.contains(&method.as_str()) || WRITES.contains(&method.as_str());
            self.is_written |= WRITES.contains(&method.as_str());
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// Methods of slices that numbers have not.
const SLICE: &[&str] = &[
    "iter", "len", "first", "last", "get", "windows", "chunks", "to_vec",
];
/// Those that write.
const WRITES: &[&str] = &["iter_mut", "fill", "copy_from_slice", "swap"];

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::{ExprClosure, Type, parse_quote};

    #[test]
    fn what_is_done_with_an_input_tells_its_type() {
        let scalar: Type = parse_quote!(f64);
        for (closure, expected) in [
            ("|t| t * t", "f64"),
            ("|t| table[t as usize] * t", "f64"),
            ("|v| v[0] + v[1]", "& [f64]"),
            ("|i| x[i] * 2.0", "usize"),
            ("|i| 2.0 * i as f64 + a", "usize"),
            ("|i| if i == 0 { a } else { b }", "usize"),
            ("|i| if 0 == i % 2 { a } else { b }", "usize"),
            ("|t| if t == 0.0 { a } else { b }", "f64"),
        ] {
            let f: ExprClosure = syn::parse_str(closure).unwrap();
            let ty = super::type_of(&f.inputs[0], &f.body, &scalar);
            assert_eq!(ty.to_token_stream().to_string(), expected, "{closure}");
        }
    }
}
