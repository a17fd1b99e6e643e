//! Operators and methods of arrays: calls of the rules in `coenzyme::ops::array`, which are found by type.
//!
//! Tokens do not say what is an array. An operand is taken for one if it is written with `&`, as `ndarray`'s operators want
//! it, or if it comes from a parameter, a constructor or a method of an array. The rules also serve numbers, so that taking
//! too much for an array costs time and nothing else.

use quote::quote;
use syn::{Expr, ExprMethodCall};

use super::{Binding, Lower, place};
use crate::differentiable::ir::{self, *};
use crate::differentiable::table;

/// Methods of arrays that have rules.
const RULES: &[&str] = &[
    "column",
    "dot",
    "mean",
    "mean_axis",
    "row",
    "slice",
    "sum",
    "sum_axis",
    "t",
];

/// Methods that give an array of the same entries.
const SAME: &[&str] = &["clone", "to_owned", "into_owned", "view", "reborrow"];

/// Whether a type is an array of `ndarray`, as far as tokens tell.
pub(super) fn is_array_type(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Path(path) => is_array_path(&path.path, 0),
        syn::Type::Reference(reference) => is_array_type(&reference.elem),
        _ => false,
    }
}

/// Whether the segment before the last `skip` is `Array`, `Array2`, `ArrayView1` and so on.
fn is_array_path(path: &syn::Path, skip: usize) -> bool {
    let segment = path.segments.iter().rev().nth(skip);
    segment.is_some_and(|s| s.ident.to_string().starts_with("Array"))
}

/// Whether something is an array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Is {
    No,
    /// The result of `dot` may be a number, an operand written with `&` a reference to one.
    Maybe,
    Surely,
}

impl Lower<'_> {
    /// Whether the value of `expr` may be an array.
    pub(super) fn is_array(&self, expr: &Expr) -> bool {
        self.arrayness(expr) != Is::No
    }

    fn arrayness(&self, expr: &Expr) -> Is {
        match expr {
            Expr::Paren(paren) => self.arrayness(&paren.expr),
            Expr::Group(group) => self.arrayness(&group.expr),
            Expr::Reference(reference) => self.arrayness(&reference.expr),
            Expr::Unary(unary) => match unary.op {
                syn::UnOp::Neg(_) => self.operand_is(&unary.expr),
                syn::UnOp::Deref(_) => self.arrayness(&unary.expr),
                _ => Is::No,
            },
            Expr::Path(_) => super::plain::simple_name(expr)
                .and_then(|n| self.lookup(&n))
                .and_then(|b| match b {
                    Binding::Def(d) => self.arrays.get(&Base::Def(*d)),
                    Binding::Root(r) => self.arrays.get(&Base::Root(*r)),
                    Binding::Alias { place, .. } if place.suffix.is_empty() => {
                        self.arrays.get(&place.base)
                    }
                    _ => None,
                })
                .copied()
                .unwrap_or(Is::No),
            Expr::Binary(binary) if table::operator(&binary.op).is_some() => self
                .operand_is(&binary.left)
                .max(self.operand_is(&binary.right)),
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if is_array_path(&path.path, 1) => Is::Surely,
                _ => Is::No,
            },
            Expr::MethodCall(call) => self.arrayness_of_method(call),
            // a branch is what its ends are
            Expr::Block(block) => self.arrayness_of_block(&block.block),
            Expr::If(branch) => {
                let otherwise = branch.else_branch.as_ref();
                let otherwise = otherwise.map_or(Is::No, |(_, e)| self.arrayness(e));
                self.arrayness_of_block(&branch.then_branch).max(otherwise)
            }
            Expr::Match(branch) => {
                let arms = branch.arms.iter().map(|a| self.arrayness(&a.body));
                arms.max().unwrap_or(Is::No)
            }
            _ => Is::No,
        }
    }

    fn arrayness_of_block(&self, block: &syn::Block) -> Is {
        match block.stmts.last() {
            Some(syn::Stmt::Expr(tail, None)) => self.arrayness(tail),
            _ => Is::No,
        }
    }

    fn arrayness_of_method(&self, call: &ExprMethodCall) -> Is {
        let name = call.method.to_string();
        let receiver = self.arrayness(&call.receiver);
        match name.as_str() {
            "sum" | "mean" => Is::No,
            "dot" => Is::Maybe,
            "unwrap" | "expect" => receiver,
            name if RULES.contains(&name) || SAME.contains(&name) => receiver,
            _ if self.is_entrywise(call) => Is::Surely,
            _ => Is::No,
        }
    }

    /// As `arrayness`, for an operand: one that is written with `&` makes the operation one of arrays.
    fn operand_is(&self, expr: &Expr) -> Is {
        match (expr, self.arrayness(expr)) {
            (Expr::Reference(_), Is::No) => Is::Maybe,
            (_, is) => is,
        }
    }

    fn is_operand(&self, expr: &Expr) -> bool {
        self.operand_is(expr) != Is::No
    }

    /// `a.mapv(f)`, `a.exp()`, `a.powi(2)`.
    fn is_entrywise(&self, call: &ExprMethodCall) -> bool {
        let name = call.method.to_string();
        match self.arrayness(&call.receiver) {
            Is::No => false,
            Is::Maybe => name.starts_with("mapv"),
            Is::Surely => {
                table::method(&name, call.args.len()).is_some()
                    || ["mapv", "mapv_into", "map"].contains(&name.as_str())
            }
        }
    }

    /// Notes that a name is bound to what `expr` was.
    pub(super) fn note_array(&mut self, name: &str, is: Is) {
        match self.lookup(name) {
            Some(Binding::Def(d)) => drop(self.arrays.insert(Base::Def(*d), is)),
            Some(Binding::Root(r)) => drop(self.arrays.insert(Base::Root(*r), is)),
            _ => {}
        }
    }

    /// What a binding to this will be, if it may be an array.
    pub(super) fn noted(&self, init: &Expr) -> Option<Is> {
        Some(self.arrayness(init)).filter(|is| *is != Is::No)
    }

    /// `&a + &b`, `&a * 2.0`.
    pub(super) fn array_operator(&mut self, op: &str, left: &Expr, right: &Expr) -> Option<Atom> {
        if !self.is_operand(left) && !self.is_operand(right) {
            return None;
        }
        let is = self.operand_is(left).max(self.operand_is(right));
        let args = vec![self.operand_argument(left), self.operand_argument(right)];
        let op = quote::format_ident!("{op}");
        Some(self.array_rule(syn::parse_quote!(::coenzyme::ops::#op), args, is))
    }

    /// `-&a`
    pub(super) fn array_negative(&mut self, operand: &Expr) -> Option<Atom> {
        if !self.is_operand(operand) {
            return None;
        }
        let scalar = self.scalar.clone();
        let minus_one = Arg::Const(ir::Expr {
            tokens: quote!(-::coenzyme::__private::one::<#scalar>()),
            ..Default::default()
        });
        let is = self.operand_is(operand);
        let args = vec![self.operand_argument(operand), minus_one];
        Some(self.array_rule(syn::parse_quote!(::coenzyme::ops::mul), args, is))
    }

    /// `a += &b`, where `a` or `b` is known to be an array.
    pub(super) fn array_update(&mut self, op: &str, left: &Expr, right: &Expr) -> bool {
        if !self.is_array(left) && !self.is_operand(right) {
            return false;
        }
        let Some(left) = self.place(left) else {
            return false;
        };
        // a number to which the result of `dot` is added
        if self.is_scalar(&left) && !matches!(right, Expr::Reference(_)) {
            return false;
        }
        let right = self.operand_argument(right);
        let op = quote::format_ident!("{op}_assign");
        let args = vec![Arg::Exclusive(left), right];
        self.array_change(syn::parse_quote!(::coenzyme::ops::array::#op), args);
        true
    }

    /// A method of an array that changes it.
    pub(super) fn array_statement(&mut self, call: &ExprMethodCall) -> bool {
        let name = call.method.to_string();
        if !self.is_array(&call.receiver) {
            return false;
        }
        let receiver = &call.receiver;
        match (
            name.as_str(),
            call.args.iter().collect::<Vec<_>>().as_slice(),
        ) {
            ("assign", [value]) => {
                let value = self.operand_argument(value);
                let Some(place) = self.place(receiver) else {
                    return false;
                };
                let args = vec![Arg::Exclusive(place), value];
                self.array_change(syn::parse_quote!(::coenzyme::ops::array::assign), args);
            }
            ("scaled_add", [by, value]) => {
                return self.array_update("add", receiver, &syn::parse_quote!((#value * #by)));
            }
            ("mapv_inplace", [f]) => {
                return self
                    .array_statement(&syn::parse_quote!(#receiver.assign(&#receiver.mapv(#f))));
            }
            _ => return false,
        }
        true
    }

    /// A method of an array that has a value.
    pub(super) fn array_method(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let name = call.method.to_string();
        if self.is_entrywise(call) {
            return Some(self.entrywise(call));
        }
        if let ("unwrap" | "expect", Expr::MethodCall(mean)) = (name.as_str(), &*call.receiver)
            && ["mean", "mean_axis"].contains(&mean.method.to_string().as_str())
        {
            return self.array_method(mean);
        }
        if !RULES.contains(&name.as_str()) || !self.is_array(&call.receiver) && name != "dot" {
            return None;
        }
        let receiver = self.operand_argument(&call.receiver);
        let Arg::Shared(receiver) = receiver else {
            // the other factor may be active: the receiver gets a name
            return self.inactive_receiver(call);
        };
        let mut args = vec![Arg::Shared(receiver.clone())];
        args.extend(
            call.args
                .iter()
                .map(|a| self.operand_argument(a))
                .collect::<Vec<_>>(),
        );
        let (name, is) = (call.method.clone(), self.arrayness_of_method(call));
        Some(self.array_call(Callee::Method { receiver, name }, args, is))
    }

    /// `a.dot(&b)` of an inactive `a`.
    fn inactive_receiver(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        if call.method != "dot" {
            return None;
        }
        let args = vec![
            self.operand_argument(&call.receiver),
            self.operand_argument(call.args.first()?),
        ];
        Some(self.array_rule(
            syn::parse_quote!(::coenzyme::ops::array::dot),
            args,
            Is::Maybe,
        ))
    }

    /// `a.mapv(f)` as a loop over the entries: `shaped(flatten(a).map(f).collect(), a.raw_dim())`.
    fn entrywise(&mut self, call: &ExprMethodCall) -> Atom {
        let source = self.operand_argument(&call.receiver);
        let (Arg::Shared(source), method) = (source, call.method.to_string()) else {
            return self.nothing();
        };
        let dim = {
            let tokens = self.place_tokens(&source);
            let mut uses = source.uses.clone();
            if let Base::Def(d) = source.base {
                uses.defs.insert(d);
            }
            ir::Expr {
                tokens: quote!((#tokens).raw_dim()),
                uses,
            }
        };
        let dim = Atom::Def(self.def(DefKind::Opaque(dim), false));
        let dim = self.atom_expr(&dim);
        let flatten = syn::parse_quote!(::coenzyme::ops::array::flatten);
        let Atom::Def(entries) = self.array_rule(flatten, vec![Arg::Shared(source)], Is::No) else {
            unreachable!("a call has a value");
        };
        self.scopes.push(Default::default());
        self.bind("__entries", Binding::Def(entries));
        let chain: Expr = match (method.as_str(), call.args.first()) {
            ("mapv" | "mapv_into" | "map", Some(f)) => {
                syn::parse_quote!(__entries.iter().map(#f).collect::<Vec<_>>())
            }
            _ => {
                let (method, args) = (&call.method, &call.args);
                syn::parse_quote!(__entries.iter().map(|__entry| __entry.#method(#args)).collect::<Vec<_>>())
            }
        };
        let values = self.nameless_memory(&chain);
        self.scopes.pop();
        let Some(Atom::Root(values)) = values else {
            self.errors
                .at(&call.args, "map with a closure or a function");
            return self.nothing();
        };
        let args = vec![
            Arg::Shared(place::whole(Base::Root(values))),
            Arg::Const(dim),
        ];
        self.array_rule(
            syn::parse_quote!(::coenzyme::ops::array::shaped),
            args,
            Is::Surely,
        )
    }

    fn array_rule(&mut self, rule: syn::Path, args: Vec<Arg>, is: Is) -> Atom {
        self.array_call(Callee::Path(rule), args, is)
    }

    fn array_call(&mut self, callee: Callee, args: Vec<Arg>, is: Is) -> Atom {
        let value = self.finish_call(callee, args, true, Unpack::Plain);
        if let Atom::Def(d) = value {
            self.arrays.insert(Base::Def(d), is);
        }
        value
    }

    /// The call of a rule that changes its first argument.
    fn array_change(&mut self, rule: syn::Path, args: Vec<Arg>) {
        self.finish_call(Callee::Path(rule), args, false, Unpack::Plain);
    }

    /// An operand: memory and numbers by reference, so that the rule sees what it is by its type.
    fn operand_argument(&mut self, expr: &Expr) -> Arg {
        let (inner, referenced) = match expr {
            Expr::Reference(reference) => (&*reference.expr, true),
            Expr::Paren(paren) => return self.operand_argument(&paren.expr),
            expr => (expr, false),
        };
        if !self.is_varied(inner) {
            let by_reference = referenced || self.is_array(inner);
            let atom = self.inactive(inner);
            let ir::Expr { tokens, uses } = self.atom_expr(&atom);
            let tokens = if by_reference {
                quote!(&#tokens)
            } else {
                tokens
            };
            return Arg::Const(ir::Expr { tokens, uses });
        }
        if let Expr::MethodCall(call) = inner
            && SAME.contains(&call.method.to_string().as_str())
            && self.is_array(&call.receiver)
        {
            return self.operand_argument(&call.receiver);
        }
        if let Some(place) = self.place(inner) {
            return Arg::Shared(self.settled(place));
        }
        match self.value(inner) {
            Atom::Def(d) => Arg::Shared(place::whole(Base::Def(d))),
            Atom::Root(r) => Arg::Shared(place::whole(Base::Root(r))),
            Atom::Const(expr) => Arg::Const(expr),
        }
    }
}
