//! Statements: bindings, assignments, and what methods do to memory.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Local, Pat, Stmt, Token};

use super::control::may_leave;
use super::iter::Element;
use super::{Binding, Lower, VecMacro, place, plain};
use crate::differentiable::ir::*;
use crate::differentiable::options::{self, Steer};
use crate::differentiable::table;
use crate::signature::Function;

impl Lower<'_> {
    /// The body of the function, up to its result.
    pub(super) fn function_body(&mut self, function: &Function, body: &syn::Block) {
        let returns_value = !matches!(&function.output, syn::Type::Tuple(t) if t.elems.is_empty());
        self.open_function(function, body, returns_value);
        self.target = self.result_root();
        let tail = self.statements(&body.stmts);
        self.program.result = self.close_function(tail, returns_value);
    }

    /// Lowers statements; the value of the last expression, if there is one.
    pub(super) fn statements(&mut self, stmts: &[Stmt]) -> Option<Atom> {
        for (i, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[i + 1..];
            if let Stmt::Expr(expr, None) = stmt
                && rest.is_empty()
                && !is_statement_like(expr)
            {
                return Some(self.value(expr));
            }
            if let Some(done) = self.leaving(stmt, rest) {
                return done;
            }
            if rest.is_empty()
                && let Stmt::Expr(expr @ (Expr::If(_) | Expr::Match(_) | Expr::Block(_)), None) =
                    stmt
            {
                if let (Some(root), true) = (self.target, may_leave(expr)) {
                    self.branch_into(expr, root);
                    return None;
                }
                return self.tail_branch(expr);
            }
            self.statement(stmt);
        }
        None
    }

    fn statement(&mut self, stmt: &Stmt) {
        self.at = stmt.span();
        match stmt {
            Stmt::Local(local) => self.local(local),
            Stmt::Item(item) => self.program.items.extend(item.to_token_stream()),
            Stmt::Expr(expr, _) => self.expression_statement(expr),
            Stmt::Macro(stmt) => self.macro_statement(&stmt.mac),
        }
    }

    pub(super) fn expression_statement(&mut self, expr: &Expr) {
        if !matches!(expr, Expr::ForLoop(_)) {
            match options::steer(options::attributes(expr)) {
                Ok(None) => {}
                Ok(Some(_)) => self.errors.at(
                    expr,
                    "`#[checkpoint]` marks a `for` loop or a call, `#[store]` and `#[recompute]` mark a `let`",
                ),
                Err(error) => self.errors.push(error),
            }
        }
        match expr {
            Expr::Assign(assign) => self.assign(&assign.left, &assign.right),
            Expr::Binary(binary) => match table::compound(&binary.op) {
                Some(op) => self.compound(&binary.left, &op, &binary.right),
                None => self.effect(expr),
            },
            Expr::If(_) | Expr::Match(_) => self.branch_statement(expr),
            Expr::Block(block) => {
                self.scopes.push(Default::default());
                self.without_target(|this| drop(this.statements(&block.block.stmts)));
                self.scopes.pop();
            }
            Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_) => self.loop_statement(expr),
            Expr::Call(call) if is_path(&call.func, "swap") && call.args.len() == 2 => self.swap_places(call),
            Expr::Call(call) if self.is_varied(expr) || self.is_closure(&call.func) => self.call_statement(call),
            Expr::Try(question) if self.is_varied(expr) && matches!(&*question.expr, Expr::Call(_)) => {
                if let Expr::Call(call) = &*question.expr {
                    self.fallible_call(call, false);
                }
            }
            Expr::MethodCall(call) => self.method_statement(call),
            Expr::Macro(mac) => self.macro_statement(&mac.mac),
            Expr::Paren(paren) => self.expression_statement(&paren.expr),
            Expr::Unsafe(block) => self.errors.at(
                block.unsafe_token,
                "`unsafe` code cannot be differentiated: put it into a function marked `#[primitive]` and write its rule",
            ),
            _ => self.effect(expr),
        }
    }

    /// An inactive expression that is run for its effect.
    fn effect(&mut self, expr: &Expr) {
        if self.is_varied(expr) {
            self.errors.at(
                expr,
                "this statement does nothing that a derivative is known of",
            );
            return;
        }
        if let Expr::Call(call) = expr {
            self.lent_mutably(call);
        }
        let tokens = self.live(expr);
        self.push(Item::Verbatim(quote!(#tokens;)));
    }

    // ---- bindings ----

    pub(super) fn local(&mut self, local: &Local) {
        let Some(init) = &local.init else {
            match &local.pat {
                Pat::Ident(pat) => self.declare_later(&pat.ident.clone()),
                Pat::Type(typed) => {
                    if let Pat::Ident(pat) = &*typed.pat {
                        self.declare_later(&pat.ident.clone());
                    }
                }
                Pat::Tuple(tuple) if tuple.elems.iter().all(|p| matches!(p, Pat::Ident(_))) => {
                    for pat in &tuple.elems {
                        if let Pat::Ident(pat) = pat {
                            self.declare_later(&pat.ident.clone());
                        }
                    }
                }
                pat => self.errors.at(pat, "declare names, or give a value"),
            }
            return;
        };
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let before = self.program.defs.len();
        self.let_pattern(pat, ty, &init.expr);
        match options::steer(&local.attrs) {
            Ok(None) => {}
            Ok(Some(Steer::Store)) => match self.program.defs[before..].last_mut() {
                Some(def) => def.stored = true,
                None => self.errors.at(
                    &local.pat,
                    "`#[store]` marks the binding of a computed value",
                ),
            },
            Ok(Some(Steer::Recompute)) => self.recompute(before, &local.pat),
            Ok(Some(Steer::Checkpoint(_))) => self.errors.at(
                &local.pat,
                "`#[checkpoint]` marks a loop, a call, or the binding of a name to the value of a call",
            ),
            Err(error) => self.errors.push(error),
        }
    }

    /// The value that was just bound is computed again in the reverse pass.
    fn recompute(&mut self, before: DefId, pat: &Pat) {
        match self.program.defs[before..].last_mut().map(|d| &mut d.kind) {
            Some(DefKind::Call(_)) => self.errors.at(
                pat,
                "the value of a call is had again by `#[checkpoint]`: `#[recompute]` marks the binding of an inactive value or of an expression",
            ),
            Some(kind @ DefKind::Opaque(_)) => {
                let DefKind::Opaque(expr) = kind else { return };
                *kind = DefKind::Pure(std::mem::take(expr));
            }
            Some(_) => {}
            None => self.errors.at(
                pat,
                "`#[recompute]` marks the binding of a computed value",
            ),
        }
    }

    fn declare_later(&mut self, name: &proc_macro2::Ident) {
        let varied = self.varied.contains(&name.to_string());
        let root = self.root(name, RootKind::Scalar, varied);
        self.push(Item::Declare {
            root,
            init: Init::Later,
        });
        self.bind(&name.to_string(), Binding::Root(root));
    }

    fn let_pattern(&mut self, pat: &Pat, ty: Option<&syn::Type>, init: &Expr) {
        match (pat, init) {
            (Pat::Ident(ident), _) => {
                if ident.by_ref.is_some() || ident.subpat.is_some() {
                    self.errors.at(ident, "bind a plain name");
                }
                self.let_name(&ident.ident, ty, init);
            }
            (Pat::Wild(_), _) => {
                if self.is_varied(init) || may_leave(init) {
                    self.value(init);
                } else {
                    let tokens = self.live(init);
                    self.push(Item::Verbatim(quote!(let _ = #tokens;)));
                }
            }
            (Pat::Tuple(tuple), Expr::Tuple(values)) if tuple.elems.len() == values.elems.len() => {
                // values first: `let (a, b) = (b, a)`
                let elements: Vec<Element> = values.elems.iter().map(|v| self.element(v)).collect();
                for (pat, element) in tuple.elems.iter().zip(elements) {
                    self.let_element(pat, element);
                }
            }
            (Pat::Tuple(_), Expr::MethodCall(call))
                if call.method.to_string().starts_with("split_at") =>
            {
                let exclusive = call.method == "split_at_mut";
                match (self.place(&call.receiver), call.args.first()) {
                    (Some(place), Some(at)) => {
                        let at = self.index(at);
                        let tokens = &at.tokens;
                        let half = |range: TokenStream| {
                            let mut half = place.clone();
                            half.suffix.extend(quote!([#range]));
                            half.uses.extend(&at.uses);
                            Element::Bind(Binding::Alias {
                                place: half,
                                exclusive,
                            })
                        };
                        let halves =
                            Element::Tuple(vec![half(quote!(..#tokens)), half(quote!(#tokens..))]);
                        self.let_element(pat, halves);
                    }
                    _ => self.errors.at(call, "split a slice that has a name"),
                }
            }
            _ => {
                let element = self.element(init);
                self.let_element(pat, element);
            }
        }
    }

    /// What an initializer gives to a pattern.
    fn element(&mut self, init: &Expr) -> Element {
        if let Some(alias) = self.alias(init) {
            return Element::Bind(alias);
        }
        Element::Atom(self.value(init))
    }

    /// Binds a pattern; names that change become locals of their own.
    fn let_element(&mut self, pat: &Pat, element: Element) {
        match (pat, element) {
            (Pat::Ident(ident), Element::Atom(atom)) if self.changes(&ident.ident.to_string()) => {
                self.declare(&ident.ident, None, atom);
            }
            (Pat::Tuple(tuple), Element::Atom(atom))
                if tuple.elems.iter().any(|p| self.pattern_changes(p)) =>
            {
                let base = self.atom_base(atom);
                for (i, pat) in tuple.elems.iter().enumerate() {
                    let index = syn::Index::from(i);
                    let mut part = place::whole(base);
                    part.suffix = quote!(.#index);
                    let value = self.read(part);
                    self.let_element(pat, Element::Atom(value));
                }
            }
            (Pat::Tuple(tuple), Element::Tuple(parts)) => {
                for (pat, part) in tuple.elems.iter().zip(parts) {
                    self.let_element(pat, part);
                }
            }
            (pat, element) => self.bind_element(pat, element),
        }
    }

    fn pattern_changes(&self, pat: &Pat) -> bool {
        crate::differentiable::varied::bound_names(pat)
            .iter()
            .any(|n| self.changes(n))
    }

    fn let_name(&mut self, name: &proc_macro2::Ident, ty: Option<&syn::Type>, init: &Expr) {
        let noted = self.noted(init);
        self.let_value(name, ty, init);
        if let Some(is) = noted {
            self.note_array(&name.to_string(), is);
        }
    }

    fn let_value(&mut self, name: &proc_macro2::Ident, ty: Option<&syn::Type>, init: &Expr) {
        let text = name.to_string();
        if let Expr::Closure(closure) = init {
            let binding = Binding::Closure {
                closure: closure.clone(),
                scopes: self.scopes.clone(),
            };
            return self.bind(&text, binding);
        }
        if let Some(alias) = self.alias(init) {
            return self.bind(&text, alias);
        }
        if self.usage.parts.contains(&text) {
            return self.let_memory(name, ty, init);
        }
        if let Some(root) = self.memory_of(name, init) {
            return self.bind(&text, Binding::Root(root));
        }
        if self.usage.whole.contains(&text) {
            let value = self.typed_value(ty, init);
            return self.declare(name, ty, value);
        }
        let before = self.program.defs.len();
        let atom = self.typed_value(ty, init);
        match atom {
            // the definition that was just made carries the user's name
            Atom::Def(d) if d >= before && d + 1 == self.program.defs.len() => {
                self.program.defs[d].name = self.unique(name);
                self.bind(&text, Binding::Def(d));
            }
            Atom::Def(d) => self.bind(&text, Binding::Def(d)),
            Atom::Root(r) => self.bind(&text, Binding::Root(r)),
            Atom::Const(expr) => {
                let d = self.named_def(name, DefKind::Pure(annotated(ty, expr)), false);
                self.bind(&text, Binding::Def(d));
            }
        }
    }

    /// The value of an initializer with a type annotation.
    pub(super) fn typed_value(&mut self, ty: Option<&syn::Type>, init: &Expr) -> Atom {
        let outer = ty
            .filter(|t| !matches!(t, syn::Type::Infer(_)))
            .map(|t| std::mem::replace(&mut self.scalar, t.clone()));
        let before = self.program.defs.len();
        let atom = self.value(init);
        if let Some(outer) = outer {
            self.scalar = outer;
        }
        match atom {
            Atom::Const(expr) => Atom::Const(annotated(ty, expr)),
            Atom::Def(d) => {
                // an inactive value that was just made
                if let (true, DefKind::Pure(expr) | DefKind::Opaque(expr)) =
                    (d >= before, &mut self.program.defs[d].kind)
                {
                    *expr = annotated(ty, std::mem::take(expr));
                }
                atom
            }
            atom => atom,
        }
    }

    /// A mutable local that starts from a value.
    pub(super) fn declare(
        &mut self,
        name: &proc_macro2::Ident,
        ty: Option<&syn::Type>,
        value: Atom,
    ) {
        let text = name.to_string();
        let varied = self.varied.contains(&text) || self.atom_varied(&value);
        let value = match value {
            Atom::Const(expr) => Atom::Def(self.def(DefKind::Pure(annotated(ty, expr)), false)),
            value => value,
        };
        let array = matches!(value, Atom::Def(d) if self.arrays.get(&Base::Def(d)) == Some(&super::array::Is::Surely));
        let kind = if array || self.usage.parts.contains(&text) {
            RootKind::Memory
        } else {
            RootKind::Scalar
        };
        let root = self.root(name, kind, varied);
        if let (Atom::Def(d), RootKind::Scalar) = (&value, kind) {
            self.versions.insert(root, *d);
        }
        self.push(Item::Declare {
            root,
            init: Init::Value(value),
        });
        self.bind(&text, Binding::Root(root));
    }

    /// The memory that a reference stands for.
    pub(super) fn alias(&mut self, init: &Expr) -> Option<Binding> {
        let (place, exclusive) = match init {
            Expr::Reference(reference) => {
                (self.place(&reference.expr)?, reference.mutability.is_some())
            }
            Expr::Path(_) => match self.lookup(&plain::simple_name(init)?)? {
                alias @ Binding::Alias { .. } => return Some(alias.clone()),
                Binding::Root(r) => match self.program.roots[*r].kind {
                    RootKind::Param { passing, .. } => {
                        let exclusive = passing == crate::signature::Passing::Exclusive;
                        (place::whole(Base::Root(*r)), exclusive)
                    }
                    _ => return None,
                },
                _ => return None,
            },
            Expr::Paren(paren) => return self.alias(&paren.expr),
            _ => return None,
        };
        Some(Binding::Alias { place, exclusive })
    }

    // ---- assignments ----

    fn assign(&mut self, left: &Expr, right: &Expr) {
        match left {
            Expr::Tuple(targets) => {
                let value = self.value(right);
                let base = self.atom_base(value);
                let parts: Vec<_> = (0..targets.elems.len())
                    .map(|i| {
                        let index = syn::Index::from(i);
                        let mut part = place::whole(base);
                        part.suffix = quote!(.#index);
                        self.read(part)
                    })
                    .collect();
                for (target, value) in targets.elems.iter().zip(parts) {
                    self.assign_value(target, value);
                }
            }
            Expr::Infer(_) => drop(self.value(right)),
            _ => {
                let value = self.value(right);
                self.assign_value(left, value);
            }
        }
    }

    /// Where the value of an atom can be read in parts.
    pub(super) fn atom_base(&mut self, atom: Atom) -> Base {
        match atom {
            Atom::Def(d) => Base::Def(d),
            Atom::Root(r) => Base::Root(r),
            Atom::Const(expr) => Base::Def(self.def(DefKind::Pure(expr), false)),
        }
    }

    fn assign_value(&mut self, left: &Expr, value: Atom) {
        if matches!(left, Expr::Infer(_)) {
            return;
        }
        let Some(place) = self.place(left) else {
            return self
                .errors
                .at(left, "this is not a place that can be assigned to");
        };
        self.set(place, value);
    }

    /// `place = value`.
    pub(super) fn set(&mut self, place: Place, value: Atom) {
        let value = match value {
            Atom::Const(expr) if self.is_scalar(&place) => {
                Atom::Def(self.def(DefKind::Pure(expr), false))
            }
            value => value,
        };
        self.written(&place);
        if let (Base::Root(root), true, Atom::Def(d)) = (place.base, self.is_scalar(&place), &value)
        {
            self.versions.insert(root, *d);
        }
        self.push(Item::Assign {
            place,
            op: Assign::Set,
            value,
        });
    }

    pub(super) fn is_scalar(&self, place: &Place) -> bool {
        matches!(place.base, Base::Root(r) if self.program.roots[r].kind == RootKind::Scalar)
    }

    fn compound(&mut self, left: &Expr, op: &syn::BinOp, right: &Expr) {
        if let Some((name, _)) = table::operator(op)
            && (self.is_varied(left) || self.is_varied(right))
            && self.array_update(name, left, right)
        {
            return;
        }
        let value = self.value(right);
        let Some(place) = self.place(left) else {
            return self
                .errors
                .at(left, "this is not a place that can be assigned to");
        };
        self.update(place, op, value);
    }

    /// `place op= value`.
    pub(super) fn update(&mut self, place: Place, op: &syn::BinOp, value: Atom) {
        let assign = match op {
            syn::BinOp::Add(_) => Some(Assign::Add),
            syn::BinOp::Sub(_) => Some(Assign::Sub),
            _ => None,
        };
        if let (Some(op), false) = (assign, self.is_scalar(&place)) {
            self.written(&place);
            return self.push(Item::Assign { place, op, value });
        }
        let old = self.read(place.clone());
        let new = if self.atom_varied(&old) || self.atom_varied(&value) {
            let (name, needs) = table::operator(op).expect("an arithmetic operator");
            self.binary(name, op.to_token_stream(), old, value, needs)
        } else {
            let (a, b) = (self.atom_expr(&old), self.atom_expr(&value));
            let mut uses = a.uses;
            uses.extend(&b.uses);
            let (a, b) = (a.tokens, b.tokens);
            Atom::Def(self.def(
                DefKind::Pure(super::super::ir::Expr {
                    tokens: quote!((#a #op #b)),
                    uses,
                }),
                false,
            ))
        };
        self.set(place, new);
    }

    // ---- methods and macros ----

    fn method_statement(&mut self, call: &ExprMethodCall) {
        let name = call.method.to_string();
        let expr = Expr::MethodCall(call.clone());
        match (name.as_str(), self.place(&call.receiver)) {
            ("copy_from_slice" | "clone_from_slice", Some(to)) => {
                match call.args.first().and_then(|a| self.place(a)) {
                    Some(mut from) => {
                        // the other half of a split
                        if from.base == to.base {
                            from = self.copy_apart(&from);
                        }
                        self.written(&to);
                        self.push(Item::Copy { to, from });
                    }
                    None => self
                        .errors
                        .at(&call.args, "copy from a slice that has a name"),
                }
            }
            ("fill", Some(place)) => {
                let value = call
                    .args
                    .first()
                    .map(|a| self.value(a))
                    .unwrap_or_else(|| self.nothing());
                self.written(&place);
                self.push(Item::Fill { place, value });
            }
            ("push", Some(place)) if self.place_varied(&place) && self.is_growing(&place) => {
                let value = match call.args.first() {
                    Some(value) => self.value(value),
                    None => self.nothing(),
                };
                self.written(&place);
                self.push(Item::Push { place, value });
            }
            ("extend" | "extend_from_slice", Some(place))
                if self.place_varied(&place) && self.is_growing(&place) =>
            {
                let (all, more) = (&call.receiver, &call.args);
                let element = syn::Ident::new("element", proc_macro2::Span::mixed_site());
                self.expression_statement(&syn::parse_quote! {
                    for #element in #more { #all.push(*#element); }
                });
            }
            ("reverse", Some(place)) if self.place_varied(&place) => {
                let all = &call.receiver;
                let [n, k] =
                    ["n", "k"].map(|i| syn::Ident::new(i, proc_macro2::Span::mixed_site()));
                self.expression_statement(&syn::parse_quote!({
                    let #n = #all.len();
                    for #k in 0..#n / 2 { #all.swap(#k, #n - 1 - #k); }
                }));
            }
            ("pop", Some(place)) if self.place_varied(&place) && self.is_growing(&place) => {
                self.written(&place);
                self.push(Item::Pop { place });
            }
            ("swap", Some(place)) if call.args.len() == 2 => {
                let (i, j) = (self.index(&call.args[0]), self.index(&call.args[1]));
                let mut place = place;
                place.uses.extend(&i.uses);
                place.uses.extend(&j.uses);
                self.written(&place);
                self.push(Item::Swap {
                    place,
                    i: i.tokens,
                    j: j.tokens,
                });
            }
            _ if self.is_varied(&expr) && self.array_statement(call) => {}
            _ if self.for_each(call) => {}
            (_, place) => {
                let varied_place = place.as_ref().is_some_and(|p| self.place_varied(p));
                let active = varied_place && !table::is_query(&name) || self.is_varied(&expr);
                if active && !table::is_std_method(&name) {
                    self.method_call(call, false, false);
                } else if active {
                    self.errors.at(
                        &call.method,
                        format!("what the method `{name}` does to active memory is not known: write a loop, or a function marked `#[differentiable]` or `#[primitive]`"),
                    );
                } else {
                    if let Some(place) = place {
                        self.written(&place);
                    }
                    let tokens = self.live(&expr);
                    self.push(Item::Verbatim(quote!(#tokens;)));
                }
            }
        }
    }

    /// `std::mem::swap(&mut a, &mut b)`.
    fn swap_places(&mut self, call: &syn::ExprCall) {
        match (self.place(&call.args[0]), self.place(&call.args[1])) {
            (Some(a), Some(b)) => {
                if self.is_scalar(&a) && self.is_scalar(&b)
                    || !a.suffix.is_empty()
                    || !b.suffix.is_empty()
                {
                    let (x, y) = (self.read(a.clone()), self.read(b.clone()));
                    self.set(a, y);
                    self.set(b, x);
                } else {
                    self.written(&a);
                    self.written(&b);
                    self.push(Item::Exchange { a, b });
                }
            }
            _ => self.errors.at(&call.args, "swap places that have names"),
        }
    }

    fn macro_statement(&mut self, mac: &syn::Macro) {
        let name = mac
            .path
            .segments
            .last()
            .map(|s| s.ident.to_string())
            .unwrap_or_default();
        if !table::is_verbatim_macro(&name) && !table::is_diverging_macro(&name) {
            self.errors.at(
                &mac.path,
                format!(
                    "the macro `{name}!` is not known: put it into a function marked `#[inactive]`"
                ),
            );
            return;
        }
        let mut mac = mac.clone();
        if let Some(tokens) = self.macro_arguments(&mac, true) {
            mac.tokens = tokens;
        }
        self.push(Item::Verbatim(quote!(#mac;)));
    }

    /// The arguments of a macro with names replaced; names inside a format string become named arguments.
    pub(super) fn macro_arguments(&mut self, mac: &syn::Macro, live: bool) -> Option<TokenStream> {
        if mac.path.segments.last().is_some_and(|s| s.ident == "s") {
            // `s![a..b;step, i]`
            let parts = mac
                .parse_body_with(Punctuated::<Selection, Token![,]>::parse_terminated)
                .ok()?;
            let parts = parts.iter().map(|part| {
                let range = self.substituted_tokens(&part.range, live);
                let step = part.step.as_ref().map(|s| {
                    let step = self.substituted_tokens(s, live);
                    quote!(; #step)
                });
                quote!(#range #step)
            });
            let parts: Vec<_> = parts.collect();
            return Some(quote!(#(#parts),*));
        }
        if mac.path.is_ident("vec") {
            return match mac.parse_body::<VecMacro>().ok()? {
                VecMacro::Repeat(value, n) => {
                    let (value, n) = (
                        self.substituted_tokens(&value, live),
                        self.substituted_tokens(&n, live),
                    );
                    Some(quote!(#value; #n))
                }
                VecMacro::List(list) => {
                    let list: Vec<_> = list
                        .iter()
                        .map(|e| self.substituted_tokens(e, live))
                        .collect();
                    Some(quote!(#(#list),*))
                }
            };
        }
        let args = mac
            .parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated)
            .ok()?;
        let mut out: Vec<TokenStream> = Vec::new();
        let mut captured = Vec::new();
        for arg in &args {
            if let Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) = arg
            {
                captured.extend(captured_names(&text.value()));
            }
            out.push(match arg {
                Expr::Assign(named) => {
                    let (name, value) = (&named.left, self.substituted_tokens(&named.right, live));
                    quote!(#name = #value)
                }
                arg => self.substituted_tokens(arg, live),
            });
        }
        for name in captured {
            if self.lookup(&name).is_some() {
                let ident = quote::format_ident!("{name}");
                let value = self.substituted_tokens(&syn::parse_quote!(#ident), live);
                out.push(quote!(#ident = #value));
            }
        }
        Some(quote!(#(#out),*))
    }

    fn substituted_tokens(&mut self, expr: &Expr, live: bool) -> TokenStream {
        if live {
            self.live(expr)
        } else {
            self.plain(expr).expr.tokens
        }
    }

    fn is_closure(&self, func: &Expr) -> bool {
        plain::simple_name(func)
            .and_then(|n| self.lookup(&n))
            .is_some_and(|b| matches!(b, Binding::Closure { .. }))
    }
}

/// A part of `s![…]`: an index or a range, and the step.
struct Selection {
    range: Expr,
    step: Option<Expr>,
}

impl syn::parse::Parse for Selection {
    fn parse(input: syn::parse::ParseStream<'_>) -> syn::Result<Self> {
        let range = input.parse()?;
        let step = match input.parse::<Option<Token![;]>>()? {
            Some(_) => Some(input.parse()?),
            None => None,
        };
        Ok(Self { range, step })
    }
}

/// `{ let value: T = expr; value }`.
pub(super) fn annotated(
    ty: Option<&syn::Type>,
    expr: super::super::ir::Expr,
) -> super::super::ir::Expr {
    match ty {
        Some(ty) => {
            let tokens = expr.tokens;
            super::super::ir::Expr {
                tokens: quote!(::coenzyme::__private::typed::<#ty>(#tokens)),
                uses: expr.uses,
            }
        }
        None => expr,
    }
}

fn is_path(func: &Expr, name: &str) -> bool {
    matches!(func, Expr::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == name))
}

/// Expressions that stand as the last in a block without being its value.
fn is_statement_like(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::ForLoop(_)
            | Expr::While(_)
            | Expr::Loop(_)
            | Expr::Assign(_)
            | Expr::Return(_)
            | Expr::Break(_)
            | Expr::Continue(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::Macro(_)
    ) || matches!(expr, Expr::Binary(b) if table::compound(&b.op).is_some())
        || matches!(expr, Expr::MethodCall(c) if ["fill", "copy_from_slice", "for_each", "swap"].contains(&c.method.to_string().as_str()))
}

/// The names in `"{x} {y:.3}"`.
fn captured_names(format: &str) -> Vec<String> {
    let mut names = Vec::new();
    let text = format.replace("{{", "").replace("}}", "");
    for part in text.split('{').skip(1) {
        let name = part.split(['}', ':']).next().unwrap_or_default();
        if !name.is_empty()
            && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            && !name.starts_with(|c: char| c.is_numeric())
        {
            names.push(name.to_owned());
        }
    }
    names.sort();
    names.dedup();
    names
}
