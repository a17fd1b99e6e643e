//! Sums and products whose operands are of a type of the crate, which may depend on the lengths of their parts: fields are known by the crate's files.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{Expr, Type};

use super::types::{entry_type, strip_references};
use crate::differentiable::ir::*;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::resolve::beside::type_name;
use crate::differentiable::syntax::names::simple_name;

impl Lower<'_> {
    /// Whether an expression is of a type of the user's whose sums may depend on the lengths of their operands' parts.
    pub(super) fn adds_by_lengths(&self, expr: &Expr) -> bool {
        let of = self.declared_name(expr);
        of.is_some_and(|of| self.callees.adds_by_lengths(&of))
    }

    /// The same of products.
    pub(super) fn multiplies_by_lengths(&self, expr: &Expr) -> bool {
        let of = self.declared_name(expr);
        of.is_some_and(|of| self.callees.multiplies_by_lengths(&of))
    }

    /// The name of the type of an operand.
    fn declared_name(&self, operand: &Expr) -> Option<String> {
        type_name(&self.declared_type(strip_references(operand))?)
    }

    /// The type of an expression, if its tokens or the declarations of the crate tell.
    fn declared_type(&self, expr: &Expr) -> Option<Type> {
        match expr {
            Expr::Paren(inner) => self.declared_type(&inner.expr),
            Expr::Field(field) => {
                let whole = self.declared_type(&field.base)?;
                self.type_of_part(whole, field.member.to_token_stream())
            }
            Expr::Index(index) => {
                let whole = self.declared_type(&index.expr)?;
                let inside = index.index.to_token_stream();
                entry_type(whole, quote!([#inside]))
            }
            Expr::Binary(binary) => {
                let of = |operand: &Expr| self.declared_type(strip_references(operand));
                self.type_of_operation(of(&binary.left), of(&binary.right))
            }
            Expr::MethodCall(call) if call.method == "clone" => self.declared_type(&call.receiver),
            // before what tokens tell, which do not know a field: `filter.state * 0.5` looks like a number
            expr => {
                let local = simple_name(expr).and_then(|name| self.type_of_local(&name));
                local.or_else(|| self.type_of(expr))
            }
        }
    }

    /// The type of a local that is a copy of a part, another name of it, or a sum or a product.
    fn type_of_local(&self, name: &str) -> Option<Type> {
        match self.lookup(name)? {
            Binding::Def(d) => self.type_of_def(*d),
            Binding::Alias { place, .. } => self.declared_type_of_place(place),
            _ => None,
        }
    }

    fn type_of_def(&self, def: DefId) -> Option<Type> {
        match &self.program.defs[def].kind {
            DefKind::Read(place) => self.declared_type_of_place(place),
            DefKind::Op { args, .. } => {
                let mut types = args.iter().map(|arg| self.type_of_def(arg.def()?));
                let (left, right) = (types.next()?, types.next().flatten());
                self.type_of_operation(left, right)
            }
            DefKind::Version(root) => self.type_of_base(Base::Root(*root)),
            _ => self.type_of_base(Base::Def(def)),
        }
    }

    fn declared_type_of_place(&self, place: &Place) -> Option<Type> {
        let whole = self.type_of_base(place.base)?;
        self.type_of_part(whole, place.suffix.clone())
    }

    /// The type of `x.a[i].b`, where `x` is a `ty`.
    fn type_of_part(&self, mut ty: Type, suffix: TokenStream) -> Option<Type> {
        for tree in suffix {
            ty = match &tree {
                TokenTree::Punct(dot) if dot.as_char() == '.' => continue,
                TokenTree::Group(_) => entry_type(ty, tree.into())?,
                field => self.callees.field(&type_name(&ty)?, &field.to_string())?,
            };
        }
        Some(ty)
    }
}
