//! Whether a method lends a part that integers alone choose, as its text tells.

use std::collections::HashSet;

use syn::visit::Visit;
use syn::{Block, Expr, FnArg, ImplItem, ImplItemFn, ItemImpl, Pat, ReceiverKind, Stmt, Type};

use super::integers::is_integer;

/// Methods that call each other are followed so far.
const DEPTH: usize = 4;

/// A method that lends a part of its receiver.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lender {
    /// The fields that choose the part; that they are integers is asked of their declarations.
    pub(crate) fields: Vec<String>,
}

impl Lender {
    /// Of a method that takes `&mut self` and integers, and gives one of its places.
    pub(crate) fn of(block: &ItemImpl, method: &ImplItemFn) -> Option<Self> {
        Self::within(block, method, DEPTH)
    }

    fn within(block: &ItemImpl, method: &ImplItemFn, depth: usize) -> Option<Self> {
        let sig = &method.sig;
        let changes = matches!(
            &sig.receiver()?.kind,
            ReceiverKind::Reference(_, _, Some(_))
        );
        let lends = super::lent(method).is_some();
        let of_integers = sig.inputs.iter().all(|arg| match arg {
            FnArg::Typed(arg) => is_integer(&arg.ty),
            FnArg::Receiver(_) => true,
        });
        let plain = sig.generics.params.is_empty()
            && sig.generics.where_clause.is_none()
            && block.trait_.is_none()
            && super::lent(method).is_some_and(|of| names_no_lifetime(of, block));
        if !(changes && lends && of_integers && plain && depth > 0) {
            return None;
        }
        let mut reading = Reading {
            block,
            depth,
            lender: Self::default(),
            lent: HashSet::new(),
        };
        let is_lent = reading.block(&method.block, &mut |this, end| this.lent(end));
        is_lent.then_some(reading.lender)
    }

    pub(super) fn reads(&mut self, field: String) {
        if !self.fields.contains(&field) {
            self.fields.push(field);
        }
    }
}

/// Whether a type means the same as an associated one: it has no lifetime of the method's, and none that a trait object leaves out.
fn names_no_lifetime(ty: &Type, block: &ItemImpl) -> bool {
    struct Find<'b>(&'b ItemImpl, bool);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_lifetime(&mut self, lifetime: &'ast syn::Lifetime) {
            let mut own = self.0.generics.lifetimes();
            let known = lifetime.ident == "static" || own.any(|own| own.lifetime == *lifetime);
            self.1 &= known;
        }
        fn visit_type_trait_object(&mut self, _: &'ast syn::TypeTraitObject) {
            self.1 = false;
        }
    }
    let mut find = Find(block, true);
    find.visit_type(ty);
    find.1
}

/// A method of this name in a block.
pub(super) fn method_of<'b>(block: &'b ItemImpl, name: &syn::Ident) -> Option<&'b ImplItemFn> {
    block.items.iter().find_map(|item| match item {
        ImplItem::Fn(method) if method.sig.ident == *name => Some(method),
        _ => None,
    })
}

/// What is read of a body; each question is whether the text is of that kind.
pub(super) struct Reading<'b> {
    pub(super) block: &'b ItemImpl,
    pub(super) depth: usize,
    pub(super) lender: Lender,
    /// Locals that are parts themselves.
    lent: HashSet<String>,
}

impl Reading<'_> {
    /// Statements that compute integers, name parts or assert, before such an end.
    pub(super) fn block(
        &mut self,
        block: &Block,
        end: &mut dyn FnMut(&mut Self, &Expr) -> bool,
    ) -> bool {
        let Some((last, before)) = block.stmts.split_last() else {
            return false;
        };
        let before = before.iter().all(|stmt| match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Macro(stmt) => self.asserts(&stmt.mac),
            _ => false,
        });
        before
            && match last {
                Stmt::Expr(last, None) => end(self, last),
                Stmt::Macro(stmt) => refuses(&stmt.mac),
                _ => false,
            }
    }

    fn local(&mut self, local: &syn::Local) -> bool {
        let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_none()) else {
            return false;
        };
        let pat = match &local.pat {
            Pat::Type(typed) => &*typed.pat,
            pat => pat,
        };
        match pat {
            Pat::Ident(name) if self.lent(&init.expr) => {
                self.lent.insert(name.ident.to_string());
                true
            }
            _ => self.integer(&init.expr),
        }
    }

    /// `&mut self.data[i]`, `self.data.as_mut_slice()`, or one of several.
    fn lent(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Reference(lent) if lent.mutability.is_some() => self.place(&lent.expr),
            Expr::Paren(of) => self.lent(&of.expr),
            Expr::Block(of) if of.label.is_none() => {
                self.block(&of.block, &mut |this, end| this.lent(end))
            }
            Expr::If(branch) => {
                let otherwise = branch.else_branch.as_ref();
                self.integer(&branch.cond)
                    && self.block(&branch.then_branch, &mut |this, end| this.lent(end))
                    && otherwise.is_some_and(|(_, otherwise)| self.lent(otherwise))
            }
            Expr::Match(matched) => {
                let mut arms = matched.arms.iter();
                self.integer(&matched.expr) && arms.all(|arm| self.lent(&arm.body))
            }
            Expr::Macro(of) => refuses(&of.mac),
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "as_mut_slice" => self.place(&call.receiver),
                "unwrap" | "expect" => match &*call.receiver {
                    Expr::MethodCall(maybe) => {
                        let known = ["get_mut", "first_mut", "last_mut"];
                        known.iter().any(|name| maybe.method == name)
                            && self.place(&maybe.receiver)
                            && maybe.args.iter().all(|arg| self.integer(arg))
                    }
                    _ => false,
                },
                _ => self.by_another(call),
            },
            Expr::Path(path) => self.is_lent(path),
            _ => false,
        }
    }

    /// `self`, and what is in it or in a part of it.
    pub(super) fn place(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Path(path) => path.path.is_ident("self") || self.is_lent(path),
            Expr::Field(field) => self.place(&field.base),
            Expr::Index(index) => self.place(&index.expr) && self.integer(&index.index),
            Expr::Paren(of) => self.place(&of.expr),
            Expr::Unary(of) => matches!(of.op, syn::UnOp::Deref(_)) && self.place(&of.expr),
            Expr::MethodCall(call) => self.by_another(call),
            _ => false,
        }
    }

    pub(super) fn is_lent(&self, path: &syn::ExprPath) -> bool {
        let name = path.path.get_ident();
        name.is_some_and(|name| self.lent.contains(&name.to_string()))
    }

    /// What another method of the block lends.
    fn by_another(&mut self, call: &syn::ExprMethodCall) -> bool {
        let of_self = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
        let method = method_of(self.block, &call.method).filter(|_| of_self);
        let lender = method.and_then(|m| Lender::within(self.block, m, self.depth - 1));
        let Some(lender) = lender else { return false };
        for field in lender.fields {
            self.lender.reads(field);
        }
        call.args.iter().all(|arg| self.integer(arg))
    }
}

/// Whether a macro ends the program.
fn refuses(mac: &syn::Macro) -> bool {
    let name = mac.path.segments.last().map(|s| s.ident.to_string());
    let name = name.as_deref();
    matches!(
        name,
        Some("panic" | "unreachable" | "todo" | "unimplemented")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields that choose the part which `m` lends, if all of them can be integers: `v` is a vector.
    fn fields(methods: &str) -> Option<Vec<String>> {
        let block: ItemImpl = syn::parse_str(&format!("impl G {{ {methods} }}")).expect("a block");
        let m = method_of(&block, &syn::parse_quote!(m)).expect("a method m");
        let fields = Lender::of(&block, m).map(|lender| lender.fields);
        fields.filter(|fields| !fields.iter().any(|field| field == "v"))
    }

    #[test]
    fn integers_choose() {
        for (text, expected) in [
            (
                "fn m(&mut self, i: usize) -> &mut [f64] { let at = i * self.w; &mut self.v[at..at + self.w] }",
                &["w"][..],
            ),
            (
                "fn m(&mut self, i: usize) -> &mut f64 { assert!(i < self.v.len(), \"{i}\"); &mut self.v[i] }",
                &[],
            ),
            (
                "fn m(&mut self) -> &mut [f64] { self.v.as_mut_slice() }",
                &[],
            ),
            (
                "fn m(&mut self, i: usize) -> &mut f64 { match i { 0 => &mut self.x, 1 => &mut self.y, _ => panic!(\"{i}\") } }",
                &[],
            ),
            (
                "fn m(&mut self, k: (usize, usize)) -> &mut f64 { &mut self.v[self.at(k.0, k.1)] } fn at(&self, i: usize, j: usize) -> usize { i * self.w + j }",
                &["w"],
            ),
            (
                "fn m(&mut self, i: usize, j: usize) -> &mut f64 { &mut self.row(i)[j] } fn row(&mut self, i: usize) -> &mut [f64] { &mut self.v[self.head + i..] }",
                &["head"],
            ),
            (
                "fn m(&mut self, i: usize) -> &mut f64 { let row = &mut self.rows[i / self.w]; &mut row[i % self.w] }",
                &["w"],
            ),
            (
                "fn m(&mut self, i: usize) -> &mut f64 { self.v.get_mut(i.min(self.n - 1)).expect(\"one\") }",
                &["n"],
            ),
        ] {
            assert_eq!(
                fields(text).as_deref(),
                Some(expected)
                    .map(|e| e.iter().map(ToString::to_string).collect::<Vec<_>>())
                    .as_deref(),
                "{text}"
            );
        }
    }

    #[test]
    fn what_else_chooses_is_not_known() {
        for text in [
            // by a number
            "fn m(&mut self, x: f64) -> &mut f64 { &mut self.v[x as usize] }",
            "fn m(&mut self) -> &mut f64 { &mut self.v[self.pick()] } fn pick(&self) -> usize { self.v.iter().position(|v| *v > 0.0).unwrap() }",
            // by a length, which the shadow may not have
            "fn m(&mut self, i: usize) -> &mut f64 { let n = self.v.len(); &mut self.v[i % n] }",
            // what changes the memory
            "fn m(&mut self, i: usize) -> &mut f64 { self.v[i] = 0.0; &mut self.v[i] }",
            "fn m(&mut self, i: usize) -> &mut f64 { self.v.push(0.0); &mut self.v[i] }",
            // what may be absent
            "fn m(&mut self, i: usize) -> Option<&mut f64> { self.v.get_mut(i) }",
            // what is read
            "fn m(&self, i: usize) -> &f64 { &self.v[i] }",
            "fn m<T>(&mut self, i: usize) -> &mut f64 { &mut self.v[i] }",
            "fn m(&mut self, i: usize) -> &mut f64 { self.m(i) }",
            // what is no associated type
            "fn m(&mut self, i: usize) -> &mut Slot<'_> { &mut self.v[i] }",
            "fn m(&mut self, i: usize) -> &mut dyn Layer { &mut *self.v[i] }",
        ] {
            assert_eq!(fields(text), None, "{text}");
        }
    }
}
