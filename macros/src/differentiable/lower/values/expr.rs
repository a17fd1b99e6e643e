//! Expressions with a derivative: each operation becomes a definition.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::spanned::Spanned;
use syn::{Expr, Index, UnOp};

use crate::differentiable::expand::outcome;
use crate::differentiable::ir::*;
use crate::differentiable::lower::iterators::named;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::options::{combined, unwrapped};
use crate::differentiable::lower::values::made::tuple_part;
use crate::differentiable::lower::values::types::is_of_made;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::{calls, operations, table, types};
use crate::differentiable::resolve::varied::is_comparison;
use crate::differentiable::syntax::names;
use crate::differentiable::syntax::options::{is_failure, is_success};
use crate::files::own_field;

/// What is said of an `Option` or a `Result` of all that a chain gives.
const ALL_AT_ONCE: &str = "what may be missing is taken out where it is collected: write a function that returns the `Option` or the `Result`, end the chain there in `.collect::<Option<Vec<_>>>()?`, and call it";

impl Lower<'_> {
    /// The value of an expression.
    pub(crate) fn value(&mut self, expr: &Expr) -> Atom {
        if let Some(atom) = self.success(expr) {
            return atom;
        }
        match expr {
            Expr::Paren(paren) => return self.value(&paren.expr),
            Expr::Group(group) => return self.value(&group.expr),
            // control flow and calls are looked into even where nothing is varied
            Expr::If(_) | Expr::Match(_) | Expr::Block(_) => return self.branch_value(expr),
            Expr::Loop(l) => return self.loop_value(l),
            _ => {}
        }
        if !self.is_varied(expr) {
            return self.inactive_value(expr);
        }
        if let Expr::MethodCall(call) = expr
            && outcome::ends_in_outcome(call)
        {
            self.errors.at(&call.method, ALL_AT_ONCE);
            return self.nothing();
        }
        if let Some(memory) = self.nameless_memory(expr) {
            return memory;
        }
        match expr {
            Expr::Path(_) | Expr::Index(_) | Expr::Field(_) => self.place_value(expr),
            Expr::Reference(reference) => {
                if matches!(&*reference.expr, Expr::Index(i) if matches!(&*i.index, Expr::Range(_)))
                {
                    self.errors.at(
                        expr,
                        "a slice is not a value that can be chosen or stored: bind it to a name with `let`, or pass it to a function",
                    );
                    return self.nothing();
                }
                self.value(&reference.expr)
            }
            Expr::Unary(unary) => match unary.op {
                UnOp::Neg(_) => self.negative(unary),
                UnOp::Deref(_) if combined::inserts(&unary.expr) => self.value(&unary.expr),
                UnOp::Deref(_) => match self.boxed(expr).cloned() {
                    Some(of) => self.content(&of),
                    None => self.place_value(expr),
                },
                _ => self.inactive(expr),
            },
            Expr::Binary(binary) if is_comparison(&binary.op) => self.inactive(expr),
            Expr::Binary(binary) => self.operator(binary),
            Expr::MethodCall(call) => self.method(call),
            Expr::Call(call) => self.call_value(call),
            Expr::Cast(cast) => {
                if types::is_inactive_type(&cast.ty) {
                    return self.inactive(expr);
                }
                self.cast(&cast.expr, &cast.ty)
            }
            Expr::Tuple(tuple) => {
                self.made_of_parts(&tuple.elems, tuple_part, |values| quote!((#(#values,)*)))
            }
            Expr::Array(array) => self.made_of_parts(
                &array.elems,
                |i| quote!([#i]),
                |values| quote!([#(#values),*]),
            ),
            Expr::Struct(structure) => self.structure(structure),
            Expr::Macro(mac) => {
                if let Some(array) = self.array_macro(&mac.mac) {
                    return array;
                }
                self.errors.at(&mac.mac.path, unknown_macro(&mac.mac.path));
                self.nothing()
            }
            Expr::Try(question) => self.questioned(&question.expr, true),
            _ => self.refused_value(expr),
        }
    }

    /// An expression that has no value here.
    fn refused_value(&mut self, expr: &Expr) -> Atom {
        let (at, message) = match expr {
            Expr::Closure(_) => (
                expr.to_token_stream(),
                "bind the closure to a name and call it by that name",
            ),
            Expr::Unsafe(block) => (
                block.unsafe_token.to_token_stream(),
                "`unsafe` code cannot be differentiated: put it into a function marked `#[primitive]` and write its rule",
            ),
            Expr::Await(expr) => (
                expr.await_token.to_token_stream(),
                "`.await` cannot be differentiated: compute in a plain function",
            ),
            Expr::Return(_) | Expr::Break(_) | Expr::Continue(_) => (
                expr.to_token_stream(),
                "leave a function or a loop in a statement of its own, not inside an expression",
            ),
            _ => (
                expr.to_token_stream(),
                "this expression is not supported on active values: compute it in a function marked `#[differentiable]` or `#[primitive]`",
            ),
        };
        self.errors.at(at, message);
        self.nothing()
    }

    /// `Ok(x)` and `Some(x)` where the function returns such: the value inside. `Err(e)` and `None` leave the function, and
    /// leave nothing to run backwards.
    fn success(&mut self, expr: &Expr) -> Option<Atom> {
        if !self.fallible {
            return None;
        }
        if is_failure(expr) {
            let tokens = self.live(expr);
            self.push(Item::Verbatim(quote!(return #tokens;)));
            self.diverged = true;
            return Some(self.nothing());
        }
        match expr {
            Expr::Path(_) if self.is_option(expr) => Some(self.questioned(expr, true)),
            Expr::Call(call) if is_success(expr) => {
                let inside = &call.args[0];
                // `Ok(Some(x))`: an `Option` that is a value
                let is_value = is_success(inside) || is_failure(inside);
                let fallible = std::mem::replace(&mut self.fallible, !is_value);
                let value = self.value(inside);
                self.fallible = fallible;
                Some(value)
            }
            _ => None,
        }
    }

    /// The value of an expression that no derivative flows into; calls in it may still change memory.
    fn inactive_value(&mut self, expr: &Expr) -> Atom {
        if let Expr::Call(call) = expr {
            self.lent_mutably(call);
        }
        self.inactive(expr)
    }

    /// A value that carries no derivative, as its type must say: `n << (order - 1)`.
    pub(crate) fn surely_inert(&mut self, expr: &Expr) -> Atom {
        let span = expr.span();
        self.inactive(&syn::parse_quote_spanned!(span=> ::coenzyme::__private::inert(#expr)))
    }

    /// A stand-in after an error.
    pub(crate) fn nothing(&self) -> Atom {
        Atom::Const(crate::differentiable::ir::Expr {
            tokens: quote!(()),
            uses: Uses::default(),
        })
    }

    fn place_value(&mut self, expr: &Expr) -> Atom {
        if let Some(name) = names::simple_name(expr) {
            match self.lookup(&name).cloned() {
                Some(Binding::Inactive) => {
                    if self.complained.insert(name.clone()) {
                        self.errors.at(
                            expr,
                            format!("`{name}` was bound by a pattern that may not fit, which carries no derivative: bind the whole value and compare in a guard, or write a function marked `#[primitive]` with its rule"),
                        );
                    }
                    return self.nothing();
                }
                None => return self.inactive(expr),
                Some(Binding::Root(r)) if self.program.roots[r].kind == RootKind::Memory => {
                    return Atom::Root(r);
                }
                Some(Binding::Closure { .. }) => {
                    self.errors.at(expr, "a closure can only be called here");
                    return self.nothing();
                }
                Some(Binding::Part(part)) => return self.viewed_value(&part, expr),
                Some(Binding::Chain { .. }) => {
                    self.errors.at(expr, named::RUN_THROUGH);
                    return self.nothing();
                }
                Some(Binding::Optional { there, some }) => return self.option_again(&there, &some),
                _ => {}
            }
        }
        match self.place(expr) {
            Some(place) => self.read(place),
            None => self.projection(expr),
        }
    }

    /// A field or an entry of a value that is not a place: `f(x).0`.
    fn projection(&mut self, expr: &Expr) -> Atom {
        let (base, suffix, uses) = match expr {
            Expr::Field(field) => {
                let member = &field.member;
                (&field.base, quote!(.#member), Uses::default())
            }
            Expr::Index(index) => {
                let inside = self.index(&index.index);
                let tokens = inside.tokens;
                (&index.expr, quote!([#tokens]), inside.uses)
            }
            Expr::Unary(unary) => return self.value(&unary.expr),
            _ => {
                self.errors.at(
                    expr,
                    "this is not a place that a derivative can be read from",
                );
                return self.nothing();
            }
        };
        let base = match self.value(base) {
            Atom::Def(d) => Base::Def(d),
            Atom::Root(r) => Base::Root(r),
            // a constant
            Atom::Const(mut of) => {
                let tokens = of.tokens;
                of.tokens = quote!(#tokens #suffix);
                of.uses.extend(&uses);
                return Atom::Def(self.def(DefKind::Pure(of), false));
            }
        };
        self.read(Place { base, suffix, uses })
    }

    /// An operation from [`ops`](coenzyme::ops).
    pub(crate) fn op(
        &mut self,
        name: &str,
        value: TokenStream,
        args: Vec<Atom>,
        needs: Needs,
    ) -> Atom {
        let name = format_ident!("{name}");
        self.op_path(quote!(::coenzyme::ops::#name), value, args, needs)
    }

    /// An operation by its path. `value` names the operands: what it read from memory would be read again by whoever computes it again,
    /// when the memory may have changed.
    pub(crate) fn op_path(
        &mut self,
        op: TokenStream,
        value: TokenStream,
        args: Vec<Atom>,
        needs: Needs,
    ) -> Atom {
        assert!(
            !args.iter().any(|a| matches!(a, Atom::Root(_))),
            "an operation has operands, not memory"
        );
        let varied = args.iter().any(|a| self.atom_varied(a));
        // definitions never change; what else an expression names may. Numbers, because names alone may be equal by hygiene
        let operands: Option<Vec<String>> = args
            .iter()
            .map(|a| match a {
                Atom::Def(d) => Some(format!("#{d}")),
                Atom::Const(expr) => syn::parse2::<syn::Lit>(expr.tokens.clone())
                    .is_ok()
                    .then(|| expr.tokens.to_string()),
                Atom::Root(_) => None,
            })
            .collect();
        let key = operands.map(|o| format!("{op} {value} {}", o.join(" ")));
        if let Some(def) = key.as_ref().and_then(|k| self.ops.get(k)) {
            return Atom::Def(*def);
        }
        let def = self.def(
            DefKind::Op {
                op,
                value,
                args,
                needs,
            },
            varied,
        );
        self.ops.extend(key.map(|k| (k, def)));
        Atom::Def(def)
    }

    /// `value as ty` of a number.
    pub(crate) fn cast(&mut self, value: &Expr, ty: &syn::Type) -> Atom {
        let a = self.operand_of(value);
        let tokens = self.atom_tokens(&a);
        self.op_path(
            quote!(::coenzyme::ops::cast<#ty>),
            quote!((#tokens as #ty)),
            vec![a],
            Needs::Nothing,
        )
    }

    /// `n.to_f64().unwrap()`: a cast of whatever number this is. Beside a method of this name of another trait in scope, which it could be, it is ambiguous.
    fn number_of(&mut self, call: &syn::ExprMethodCall) -> Option<Atom> {
        let Expr::MethodCall(inner) = &*call.receiver else {
            return None;
        };
        let ty = match inner.method.to_string().as_str() {
            "to_f32" => quote!(f32),
            "to_f64" => quote!(f64),
            _ => return None,
        };
        let taken = call.method == "unwrap" || call.method == "expect";
        if !taken || !inner.args.is_empty() || self.is_own(&inner.receiver) {
            return None;
        }
        let a = self.operand_of(&inner.receiver);
        let (tokens, to, take, args) = (
            self.atom_tokens(&a),
            &inner.method,
            &call.method,
            &call.args,
        );
        Some(self.op_path(
            quote!(::coenzyme::ops::cast<#ty>),
            quote!({
                use ::coenzyme::__private::ToPrimitive as _;
                (#tokens).#to().#take(#args)
            }),
            vec![a],
            Needs::Nothing,
        ))
    }

    /// The value of an operand, read before the next operand is computed, which may change it.
    pub(crate) fn operand_of(&mut self, expr: &Expr) -> Atom {
        // `None` of a part or an argument is no end of the function
        if matches!(expr, Expr::Path(_)) && is_failure(expr) {
            return self.inactive(expr);
        }
        if let Some(option) = self.local_option(expr) {
            return option;
        }
        let value = self.value(expr);
        self.operand(value)
    }

    /// The value of a local `Option` as a part or an argument, where it is no end of the function.
    pub(crate) fn local_option(&mut self, expr: &Expr) -> Option<Atom> {
        match expr {
            Expr::Paren(of) => self.local_option(&of.expr),
            Expr::Reference(of) if of.mutability.is_none() => self.local_option(&of.expr),
            _ => {
                let (there, some) = self.option_names(expr)?;
                Some(self.option_again(&there, &some))
            }
        }
    }

    /// An `Option` of the two locals that it is.
    fn option_again(&mut self, there: &Ident, some: &Ident) -> Atom {
        let fallible = std::mem::replace(&mut self.fallible, false);
        let value = self.value(&syn::parse_quote!(if #there { Some(#some) } else { None }));
        self.fallible = fallible;
        value
    }

    /// A local that is used as a number is read.
    pub(crate) fn operand(&mut self, atom: Atom) -> Atom {
        match atom {
            Atom::Root(r) => self.read(place::whole(Base::Root(r))),
            Atom::Def(d) if self.elements.contains(&d) => Atom::Def(self.number_behind(d)),
            atom => atom,
        }
    }

    pub(crate) fn binary(
        &mut self,
        name: &str,
        op: TokenStream,
        a: Atom,
        b: Atom,
        needs: Needs,
    ) -> Atom {
        let (a, b) = (self.operand(a), self.operand(b));
        let (x, y) = (self.atom_tokens(&a), self.atom_tokens(&b));
        self.op(name, quote!((#x #op #y)), vec![a, b], needs)
    }

    /// `let oldest = self.window.push(x);`: the method of vectors of this name gives nothing, so that this is one of the user's.
    fn gives_what_others_do_not(&mut self, call: &syn::ExprMethodCall) -> bool {
        let name = call.method.to_string();
        if !table::resizes(&name) || !table::returns_nothing(&name) {
            return false;
        }
        let place = self.place(&call.receiver);
        place.is_some_and(|place| !self.is_growing(&place) || self.may_be_own(&call.receiver))
    }

    /// `self.window`, which is no vector as far as the file tells.
    pub(crate) fn may_be_own(&self, of: &Expr) -> bool {
        match of {
            Expr::Field(field) => match &field.member {
                syn::Member::Named(name) => !own_field::is_list(name),
                syn::Member::Unnamed(_) => false,
            },
            _ => false,
        }
    }

    fn method(&mut self, call: &syn::ExprMethodCall) -> Atom {
        let name = call.method.to_string();
        if calls::asks_by_value(call, |arg| self.is_varied(arg)) {
            return self.method_call(call, true, Unpack::Plain);
        }
        if calls::is_query(call) {
            return self.inactive(&Expr::MethodCall(call.clone()));
        }
        if let Some(written) = operator_of(call)
            && (!self.callees.knows(&name) || self.is_made_of_numbers(&call.receiver))
        {
            return self.value(&written);
        }
        if calls::is_stranger(call) || self.gives_what_others_do_not(call) {
            return self.method_call(call, true, Unpack::Plain);
        }
        if let Some(number) = self.number_of(call) {
            return number;
        }
        let operation = || operations::method(&name, call.args.len()).is_some();
        if self.is_own(&call.receiver)
            && !is_of_made(call)
            && (table::is_std_method(&name) || table::resizes(&name))
            || self.is_surely_own(&call.receiver) && operation()
            || self.is_ruled_of_given(call)
        {
            return self.method_call(call, true, Unpack::Plain);
        }
        let known = self
            .array_method(call)
            .or_else(|| self.of_combined(call))
            .or_else(|| self.unwrapped_option(call))
            .or_else(|| self.entry(call));
        if let Some(atom) = known {
            return atom;
        }
        if ["remove", "swap_remove"].contains(&name.as_str())
            && let Some(place) = self.place(&call.receiver)
            && self.is_growing(&place)
        {
            return self.removed(call);
        }
        if let Some(atom) = self.split_value(call).or_else(|| self.of_a_count(call)) {
            return atom;
        }
        if let Some(atom) = self.unwrapped_call(call, true) {
            return atom;
        }
        if let Some(atom) = self.or_default(call) {
            return atom;
        }
        if let Some(atom) = self.iterator_value(call) {
            return atom;
        }
        if let Some(element) = self.chosen_element(call) {
            return self.element_value(element);
        }
        if let Some((op, needs)) = operations::method(&name, call.args.len()) {
            return self.operation_of_method(call, op, needs);
        }
        self.method_by_name(call, &name)
    }

    /// A method that no room of its own knows.
    fn method_by_name(&mut self, call: &syn::ExprMethodCall, name: &str) -> Atom {
        match name {
            "clone" | "to_owned" | "copied" | "cloned" | "into" | "view" | "into_owned"
                if call.args.is_empty() =>
            {
                self.value(&call.receiver)
            }
            "sin_cos" => self.sin_cos(call),
            "then_some" if call.args.len() == 1 && !self.is_varied(&call.receiver) => {
                let (there, value) = (&call.receiver, &call.args[0]);
                self.value(&syn::parse_quote!(if #there { Some(#value) } else { None }))
            }
            "and" | "ok_or" | "or" | "then_some" | "xor" | "zip"
                if self.is_computed_anyway(call) =>
            {
                self.errors.at(&call.args, unwrapped::COMPUTED_ANYWAY);
                self.nothing()
            }
            // no value that is known here has such a method
            _ if self.callees.has_rules(name) => self.method_call(call, true, Unpack::Plain),
            "sum" | "product" | "fold" | "collect" | "for_each" => {
                let message = self.unknown_iterator(&call.receiver);
                self.errors.at(&call.receiver, message);
                self.nothing()
            }
            // gives an option, and a number is wanted: `self.noise.get(point) + …`
            "first" | "get" | "last" | "next" | "peek" if !self.is_of_library(&call.receiver) => {
                self.method_call(call, true, Unpack::Plain)
            }
            _ if table::is_std_method(name) => {
                self.errors.at(
                    &call.method,
                    format!("the method `{name}` is not known on active values: write a loop, or a function marked `#[differentiable]` or `#[primitive]`, and call that"),
                );
                self.nothing()
            }
            _ => self.method_call(call, true, Unpack::Plain),
        }
    }

    /// A method of numbers that is an operation.
    fn operation_of_method(&mut self, call: &syn::ExprMethodCall, op: &str, needs: Needs) -> Atom {
        // it may be a method of the user's own, whose partials read what they will
        let needs = match self.callees.has_rules(&call.method.to_string()) {
            true if needs != Needs::Nothing => Needs::Everything,
            _ => self.needs_of(needs, &[&call.receiver]),
        };
        let receiver = match self.is_box(&call.receiver) {
            true => self.content(&call.receiver),
            false => self.operand_of(&call.receiver),
        };
        let mut args = vec![self.operand(receiver)];
        args.extend(call.args.iter().map(|a| self.operand_of(a)));
        let values: Vec<_> = args.iter().map(|a| self.atom_tokens(a)).collect();
        let (receiver, rest) = values.split_first().expect("a receiver");
        let method = &call.method;
        self.op(op, quote!((#receiver).#method(#(#rest),*)), args, needs)
    }

    /// `x.sin_cos()`, each computed where it is wanted.
    fn sin_cos(&mut self, call: &syn::ExprMethodCall) -> Atom {
        let receiver = self.operand_of(&call.receiver);
        let x = self.atom_tokens(&receiver);
        let parts = ["sin", "cos"].into_iter().enumerate().map(|(i, op)| {
            let (index, method) = (Index::from(i), format_ident!("{op}", span = call.span()));
            let value = quote!((#x).#method());
            let part = self.op(op, value, vec![receiver.clone()], Needs::Everything);
            (quote!(.#index), part)
        });
        let parts: Vec<_> = parts.collect();
        self.make(parts, |values| quote!((#(#values,)*)))
    }

    /// A fresh name for a generated local.
    pub(crate) fn fresh(&self, name: &str) -> Ident {
        Ident::new(name, Span::mixed_site())
    }
}

/// What to write instead of a macro. `#[inactive]` is no advice for a derivative: the outer one would be zero without a word.
fn unknown_macro(path: &syn::Path) -> &'static str {
    let name = path.segments.last().map(|last| last.ident.to_string());
    match name.as_deref() {
        Some(
            "gradient" | "value_and_gradient" | "autodiff" | "jacobian" | "jvp" | "vjp" | "hvp"
            | "hessian",
        ) => {
            "a derivative within a differentiated function is differentiated itself: move it into a function marked `#[primitive]`, and write its rule by `hvp!` of a function marked `#[differentiable(order = 2)]`"
        }
        _ => {
            "this macro is not known: on active values use plain expressions, or a function marked `#[differentiable]` or `#[primitive]`"
        }
    }
}

/// `-x` for `x.neg()`, `x + y` for `x.add(y)`: the methods of operators.
fn operator_of(call: &syn::ExprMethodCall) -> Option<Expr> {
    let x = &call.receiver;
    let args: Vec<&Expr> = call.args.iter().collect();
    Some(match (call.method.to_string().as_str(), &args[..]) {
        ("neg", []) => syn::parse_quote!((-(#x))),
        ("add", [y]) => syn::parse_quote!(((#x) + (#y))),
        ("sub", [y]) => syn::parse_quote!(((#x) - (#y))),
        ("mul", [y]) => syn::parse_quote!(((#x) * (#y))),
        ("div", [y]) => syn::parse_quote!(((#x) / (#y))),
        _ => return None,
    })
}
