//! Operators and methods of arrays: calls of the rules in `coenzyme::ops::array`, which are found by type.
//!
//! Tokens do not say what is an array. An operand is taken for one if it is written with `&`, as `ndarray`'s operators want
//! it, or if it comes from a parameter, a constructor or a method of an array. The rules also serve numbers, so that taking
//! too much for an array costs time and nothing else.

mod create;
mod iterate;
mod joined;
mod kind;
mod lent;
mod methods;
mod views;
mod zip;

use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall};

use super::Lower;
use super::memory::place;
use crate::differentiable::ir::{self, *};
use crate::premises::Site;
use crate::signature::Passing;
pub(crate) use iterate::ArraySeq;
pub(crate) use kind::{Is, named_in, of_type};
pub(crate) use views::{Part, VIEW_IS_NO_VALUE};
pub(crate) use zip::with_pairs;

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

/// Methods whose value is unwrapped.
const MAY_FAIL: &[&str] = &[
    "broadcast",
    "expect",
    "into_shape_clone",
    "into_shape_with_order",
    "to_shape",
    "unwrap",
];

/// Methods that give an array of the same entries.
const SAME: &[&str] = &["clone", "to_owned", "into_owned", "view", "reborrow"];

impl Lower<'_> {
    /// `&a + &b`, `&a * 2.0`.
    pub(crate) fn array_operator(
        &mut self,
        op: &str,
        binary: &syn::ExprBinary,
        forms: [OperandForm; 2],
    ) -> Option<Atom> {
        let (left, right) = (&*binary.left, &*binary.right);
        let is = self.kind_of_operator(left, right);
        let by_value = forms == [OperandForm::Value; 2];
        let is_own = |operand| self.is_surely_own(operand);
        let no_arrays = by_value && (is_own(left) || is_own(right) || !self.names_arrays);
        if is == Is::No || is == Is::Maybe && no_arrays {
            return None;
        }
        if !is.is_surely() {
            self.note_forms(binary.op.span(), [Some(left), Some(right)]);
        }
        let args = vec![self.operand_argument(left), self.operand_argument(right)];
        let op = quote::format_ident!("{op}");
        if is.is_surely() {
            return Some(self.array_rule(syn::parse_quote!(::coenzyme::ops::#op), args, is));
        }
        Some(self.array_call(Callee::Operator(op, forms), args, is))
    }

    /// `-&a`
    pub(crate) fn array_negative(&mut self, operand: &Expr) -> Option<Atom> {
        let is = self.operand_kind(operand);
        if is == Is::No || is == Is::Maybe && !self.names_arrays {
            return None;
        }
        let scalar = self.scalar.clone();
        let minus_one = Arg::Const(ir::Expr {
            tokens: quote!(-::coenzyme::__private::one::<#scalar>()),
            ..Default::default()
        });
        let args = vec![self.operand_argument(operand), minus_one];
        Some(self.array_rule(syn::parse_quote!(::coenzyme::ops::mul), args, is))
    }

    /// `a += &b`, where `a` or `b` is known to be an array.
    pub(crate) fn array_update(&mut self, op: &str, left: &Expr, right: &Expr) -> bool {
        if !self.is_array(left) && !self.is_operand(right) {
            return false;
        }
        if let Some(part) = self.part_of(left) {
            let right = self.operand_argument(right);
            let op = quote::format_ident!("{op}");
            self.change_part(&part, &quote!(::coenzyme::ops::#op), right);
            return true;
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

    fn kind_of_operator(&self, left: &Expr, right: &Expr) -> Is {
        self.kind(&syn::parse_quote!((#left) + (#right)))
    }

    /// A method of an array that changes it.
    pub(crate) fn array_statement(&mut self, call: &ExprMethodCall) -> bool {
        let name = call.method.to_string();
        let receiver = &call.receiver;
        let part = self.part_of(receiver);
        if part.is_none() && !self.is_array(receiver) {
            return false;
        }
        let args: Vec<&Expr> = call.args.iter().collect();
        match (name.as_str(), &args[..]) {
            ("assign" | "fill", [value]) => {
                let value = self.operand_argument(value);
                if let Some(part) = part {
                    self.change_part(&part, &quote!(::coenzyme::ops::array::Second), value);
                    return true;
                }
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
            ("map_inplace", [f]) => {
                return self.for_each(&syn::parse_quote!(#receiver.iter_mut().for_each(#f)));
            }
            ("zip_mut_with", [other, f]) => return self.zip_mut_with(receiver, other, f),
            _ => return false,
        }
        true
    }

    /// `a.zip_mut_with(&b, f)`, where `b` is broadcast to the shape of `a`.
    fn zip_mut_with(&mut self, array: &Expr, other: &Expr, f: &Expr) -> bool {
        let same =
            self.kind(array).rank().is_some() && self.kind(array).rank() == self.kind(other).rank();
        let zip: Expr = match same {
            true => syn::parse_quote!(#array.iter_mut().zip(#other.iter())),
            false => syn::parse_quote!({
                let mut __other = #array.to_owned();
                __other.assign(#other);
                #array.iter_mut().zip(__other.iter())
            }),
        };
        let Expr::Closure(f) = f else { return false };
        let (a, b, body) = match f.inputs.iter().collect::<Vec<_>>()[..] {
            [a, b] => (a, b, &f.body),
            _ => return false,
        };
        match zip {
            Expr::Block(block) => {
                let [copy, assign, syn::Stmt::Expr(zip, None)] = &block.block.stmts[..] else {
                    return false;
                };
                self.expression_statement(&syn::parse_quote!({
                    #copy #assign
                    #zip.for_each(|(#a, #b)| #body);
                }));
            }
            zip => self.expression_statement(&syn::parse_quote!(#zip.for_each(|(#a, #b)| #body))),
        }
        true
    }

    /// A method of an array that has a value.
    pub(crate) fn array_method(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let name = call.method.to_string();
        if self.refused_move(call) {
            return Some(self.nothing());
        }
        if self.is_entrywise(call) {
            return Some(self.entrywise(call));
        }
        if let ("unwrap" | "expect", Expr::MethodCall(mean)) = (name.as_str(), &*call.receiver)
            && ["mean", "mean_axis"].contains(&mean.method.to_string().as_str())
        {
            return self.array_method(mean);
        }
        if let ("unwrap" | "expect", Expr::Call(made)) = (name.as_str(), &*call.receiver)
            && let Some(made) = self.array_made(made).or_else(|| self.joined_by_call(made))
        {
            return Some(made);
        }
        if let Some(value) = self.short_method(call).or_else(|| self.map_collected(call)) {
            return Some(value);
        }
        if let Some(made) = collected_array(call) {
            return self.array_made(&made);
        }
        let gives_array = self.kind(&Expr::MethodCall(call.clone())) != Is::No;
        let known = RULES.contains(&name.as_str())
            || self.receiver_kind(call).is_surely()
                && gives_array
                && !MAY_FAIL.contains(&name.as_str());
        if !known || !self.is_array(&call.receiver) && name != "dot" {
            return None;
        }
        if SAME.contains(&name.as_str()) && call.args.is_empty() {
            return match self.operand_argument(&call.receiver) {
                Arg::Shared(place) => Some(self.read(place)),
                _ => None,
            };
        }
        let receiver = self.operand_argument(&call.receiver);
        let Arg::Shared(receiver) = receiver else {
            // the other factor may be active: the receiver gets a name
            return self.inactive_receiver(call);
        };
        let mut args = vec![Arg::Shared(receiver.clone())];
        args.extend(call.args.iter().map(|a| self.factor(a)).collect::<Vec<_>>());
        let name = call.method.clone();
        let is = self.kind(&Expr::MethodCall(call.clone()));
        let turbofish = None;
        let callee = Callee::Method {
            receiver,
            name,
            turbofish,
        };
        Some(self.array_call(callee, args, is))
    }

    /// An argument of a method. What stands there without a `&` may be taken by value, `self.v.dot(self.v)`: then it is the callee's own, who is not told that
    /// its memory changes.
    fn factor(&mut self, expr: &Expr) -> Arg {
        let arg = self.operand_argument(expr);
        let Arg::Shared(place) = &arg else { return arg };
        let changes = match place.base {
            Base::Def(_) => false,
            Base::Root(r) => match self.program.roots[r].kind {
                RootKind::Param {
                    passing: Passing::Shared,
                    ..
                } => false,
                // the parameter is itself a reference
                RootKind::Param { .. } => !place.suffix.is_empty(),
                _ => true,
            },
        };
        let by_value = !matches!(expr, Expr::Reference(_)) && !self.is_array(expr);
        match by_value && changes {
            true => match self.read(place.clone()) {
                Atom::Def(d) => Arg::Shared(place::whole(Base::Def(d))),
                _ => arg,
            },
            false => arg,
        }
    }

    /// `a.dot(&b)` of an inactive `a`.
    fn inactive_receiver(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        if call.method != "dot" {
            return None;
        }
        let is = self.kind(&Expr::MethodCall(call.clone()));
        let args = vec![
            self.operand_argument(&call.receiver),
            self.operand_argument(call.args.first()?),
        ];
        Some(self.array_rule(syn::parse_quote!(::coenzyme::ops::array::dot), args, is))
    }

    /// `a.mapv(f)` as a loop over the entries: `shaped(a.iter().map(f).collect(), a.raw_dim())`.
    fn entrywise(&mut self, call: &ExprMethodCall) -> Atom {
        let is = self.kind(&Expr::MethodCall(call.clone()));
        self.of_named(&call.receiver, |this| {
            let chain: Expr = match (call.method.to_string().as_str(), call.args.first()) {
                ("mapv" | "mapv_into" | "map", Some(f)) => {
                    syn::parse_quote!(__array.iter().map(#f).collect::<Vec<_>>())
                }
                _ => {
                    let (method, args) = (&call.method, &call.args);
                    syn::parse_quote!(__array.iter().map(|__entry| __entry.#method(#args)).collect::<Vec<_>>())
                }
            };
            let shape = this.viewed_part(&syn::parse_quote!(__array), false);
            let shape = shape.map(|part| Atom::Def(part.shapes.1));
            match shape.and_then(|shape| this.shaped(&chain, shape, is)) {
                Some(value) => value,
                None => {
                    this.errors
                        .at(&call.args, "map with a closure or a function");
                    this.nothing()
                }
            }
        })
    }

    pub(crate) fn array_rule(&mut self, rule: syn::Path, args: Vec<Arg>, is: Is) -> Atom {
        self.array_call(Callee::Path(rule), args, is)
    }

    fn array_call(&mut self, callee: Callee, args: Vec<Arg>, is: Is) -> Atom {
        if let Callee::Method { name, .. } = &callee {
            let site = Site::of(name.span());
            self.program.decisions.by_rule.insert(site);
        }
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
        if let Some(part) = self.part_of(inner) {
            return self.part_argument(&part);
        }
        if !self.is_varied(inner) {
            let by_reference = referenced || self.is_array(inner);
            // the type of a number is not told by what it is multiplied with
            let atom = match is_literal(inner) {
                true => self.typed_value(Some(&self.scalar.clone()), inner),
                false => self.inactive(inner),
            };
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
            && call.args.is_empty()
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
    /// What is in a part, as an operand.
    pub(crate) fn part_argument(&mut self, part: &Part) -> Arg {
        let whole = match self.place_varied(part.whole()) {
            true => self.part_value(part),
            false => {
                let (tokens, uses) = self.part_tokens(part, false);
                let tokens = quote!(#tokens.to_owned());
                Atom::Def(self.def(DefKind::Pure(ir::Expr { tokens, uses }), false))
            }
        };
        let whole = place::whole(self.atom_base(whole));
        match self.place_varied(&whole) {
            true => Arg::Shared(whole),
            false => {
                let tokens = self.place_tokens(&whole);
                let uses = self.place_uses(&whole);
                Arg::Const(ir::Expr {
                    tokens: quote!(&#tokens),
                    uses,
                })
            }
        }
    }
}

/// `2.0`, `-1.0`
fn is_literal(number: &Expr) -> bool {
    match number {
        Expr::Lit(lit) => matches!(lit.lit, syn::Lit::Float(_)),
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)) && is_literal(&unary.expr),
        Expr::Paren(paren) => is_literal(&paren.expr),
        Expr::Binary(binary) => is_literal(&binary.left) && is_literal(&binary.right),
        _ => false,
    }
}

/// `chain.collect::<Array1<f64>>()` as `Array1::from_iter(chain)`.
fn collected_array(call: &ExprMethodCall) -> Option<syn::ExprCall> {
    let ty = call.turbofish.as_ref()?.args.first()?;
    match ty {
        syn::GenericArgument::Type(ty) => collected_as(ty, &Expr::MethodCall(call.clone())),
        _ => None,
    }
}

/// What is collected into an array of this type, as `Array1::from_iter(chain)`.
pub(crate) fn collected_as(ty: &syn::Type, init: &Expr) -> Option<syn::ExprCall> {
    match init {
        Expr::MethodCall(call) if call.method == "collect" && of_type(ty).is_surely() => {
            let chain = &call.receiver;
            Some(syn::parse_quote!(::coenzyme::ndarray::Array1::from_iter(#chain)))
        }
        _ => None,
    }
}
