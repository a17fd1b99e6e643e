//! `let`.

use quote::quote;
use syn::{Expr, Local, Pat};

use super::iterators::element::Element;
use super::memory::halves::split_end;
use super::memory::{fixed, place};
use super::values::operator::lends_an_element;
use super::{Binding, Lower};
use crate::differentiable::expand::ref_patterns;
use crate::differentiable::front::options::{self, Steer};
use crate::differentiable::ir::*;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::built;
use crate::differentiable::syntax::effects;
use crate::differentiable::syntax::exit_kinds::may_leave;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::patterns::has_mutable_reference;
use crate::differentiable::tokens::text::names;

impl Lower<'_> {
    pub(crate) fn local(&mut self, local: &Local) {
        let (pat, ty) = match &local.pat {
            Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let Some(init) = &local.init else {
            match pat {
                Pat::Ident(pat) => self.declare_later(&pat.ident, ty),
                pat => self.errors.at(pat, "declare names, or give a value"),
            }
            return;
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

    fn declare_later(&mut self, name: &proc_macro2::Ident, ty: Option<&syn::Type>) {
        if self.refused_choice(&syn::parse_quote!(#name)) {
            self.bound_to_nothing(name);
            return;
        }
        let varied = self.varied.contains(&name.to_string());
        let root = self.root(name, RootKind::Scalar, varied);
        self.push(Item::Declare {
            root,
            init: Init::Later,
        });
        self.bind_typed(&name.to_string(), ty, root);
    }

    pub(crate) fn let_pattern(&mut self, pat: &Pat, ty: Option<&syn::Type>, init: &Expr) {
        // what is not written out would refer to a copy
        if has_mutable_reference(pat) {
            return self.bind_inactive(pat);
        }
        if let Some(pair) = self.pair_questioned(init) {
            return self.let_pattern(pat, ty, &pair);
        }
        if let (Pat::Tuple(_), Some(copied)) = (pat, self.copied_tuples(init)) {
            return self.let_pattern(pat, ty, &copied);
        }
        if let Some(entry) = self.lent_to(pat, init) {
            return self.let_pattern(pat, ty, &entry);
        }
        match (pat, init) {
            (Pat::Ident(ident), _) => {
                if ident.by_ref.is_some() || ident.subpat.is_some() {
                    self.errors.at(ident, "bind a plain name");
                }
                self.let_name(&ident.ident, ty, init);
            }
            // a place is not read
            (Pat::Wild(_), place) if ref_patterns::is_place(place) => {}
            (Pat::Wild(_), _) => self.let_nothing(init),
            // `let &last = ids.last().unwrap();`
            (Pat::Reference(lent), Expr::MethodCall(_))
                if ty.is_none() && !self.is_varied(init) =>
            {
                self.let_pattern(&lent.pat, None, &syn::parse_quote!(*#init));
            }
            (Pat::Tuple(tuple), Expr::Tuple(values)) if tuple.elems.len() == values.elems.len() => {
                if !reads_bound(tuple, values) {
                    let pairs = tuple.elems.iter().zip(&values.elems).enumerate();
                    return pairs.for_each(|(i, (p, v))| self.let_pattern(p, part_of(ty, i), v));
                }
                // values first: `let (a, b) = (b, a)`
                let parts = values.elems.iter().enumerate();
                let elements: Vec<Element> = parts
                    .map(|(i, v)| self.element(part_of(ty, i), v))
                    .collect();
                for (i, (pat, element)) in tuple.elems.iter().zip(elements).enumerate() {
                    self.let_element(pat, part_of(ty, i), element);
                }
            }
            (Pat::Tuple(tuple), Expr::MethodCall(call)) if self.let_taken_apart(tuple, call) => {}
            _ => {
                let element = self.element(ty, init);
                self.let_element(pat, ty, element);
            }
        }
    }

    /// `let (a, b) = v.split_at(n);`, `… .unzip();`, `… .partition(f);` and the like. Whether it is one of these.
    fn let_taken_apart(&mut self, tuple: &syn::PatTuple, call: &syn::ExprMethodCall) -> bool {
        let pat = Pat::Tuple(tuple.clone());
        let (name, two) = (call.method.to_string(), tuple.elems.len() == 2);
        let varied = two && self.is_varied(&Expr::MethodCall(call.clone()));
        match name.as_str() {
            "unzip" if varied => self.let_unzipped(tuple, &call.receiver),
            "partition" if varied => self.let_partitioned(tuple, call),
            _ if split_end(call).is_some() => {
                let parts = split_end(call).into_iter().flatten();
                let named = tuple.elems.iter().zip(parts);
                for (pat, part) in named.filter(|(p, _)| !matches!(p, Pat::Wild(_))) {
                    self.let_pattern(pat, None, &part);
                }
            }
            "split_at" if call.args.len() == 2 => match self.split_array(call) {
                Some([before, after]) => {
                    let halves = [before, after].map(|h| Element::Bind(Binding::Part(h)));
                    self.let_element(&pat, None, Element::Tuple(halves.into()));
                }
                None => self.errors.at(call, "split an array that has a name"),
            },
            name if name.starts_with("split_at") => self.let_halves(&pat, call),
            _ => return false,
        }
        true
    }

    /// `let _ = init;`
    fn let_nothing(&mut self, init: &Expr) {
        if self.is_varied(init) || may_leave(init) {
            self.value(init);
        } else {
            let tokens = self.live(init);
            self.push(Item::Verbatim(quote!(let _ = #tokens;)));
        }
    }

    /// What an initializer gives to a pattern.
    fn element(&mut self, ty: Option<&syn::Type>, init: &Expr) -> Element {
        if let Some(alias) = self.alias(init) {
            return Element::Bind(alias);
        }
        if let Expr::MethodCall(call) = init
            && let Some(element) = self.chosen_element(call)
        {
            return element;
        }
        Element::Atom(self.typed_value(ty, init))
    }

    /// Binds a pattern; names that change become locals of their own.
    pub(crate) fn let_element(&mut self, pat: &Pat, ty: Option<&syn::Type>, element: Element) {
        if self.bind_copy(pat, &element) {
            return;
        }
        match (pat, element) {
            (Pat::Ident(ident), Element::Atom(atom)) if self.changes(&ident.ident.to_string()) => {
                self.declare(&ident.ident, ty, atom);
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
                    self.let_element(pat, part_of(ty, i), Element::Atom(value));
                }
            }
            (Pat::Tuple(tuple), Element::Tuple(parts)) => {
                for (i, (pat, part)) in tuple.elems.iter().zip(parts).enumerate() {
                    self.let_element(pat, part_of(ty, i), part);
                }
            }
            (Pat::Ident(ident), Element::Bind(alias @ Binding::Alias { .. }))
                if self.bind_view(&ident.ident, alias.clone()) => {}
            (pat, element) => self.bind_element(pat, element),
        }
    }

    /// `&v[v.len() - 1]` of `let last = v.last().unwrap();`, where the names are pointed nowhere else.
    fn lent_to(&self, pat: &Pat, init: &Expr) -> Option<Expr> {
        let Expr::MethodCall(call) = init else {
            return None;
        };
        if self.pattern_changes(pat) || !self.is_varied(init) {
            return None;
        }
        let entry = self.shared_entry(call)?;
        Some(syn::parse_quote!(&#entry))
    }

    fn pattern_changes(&self, pat: &Pat) -> bool {
        bound_names(pat).iter().any(|n| self.changes(n))
    }

    fn let_name(&mut self, name: &proc_macro2::Ident, ty: Option<&syn::Type>, init: &Expr) {
        let collected = ty.and_then(|ty| super::array::collected_as(ty, init));
        if let Some(array) = collected.filter(|_| self.is_varied(init)) {
            return self.let_name(name, None, &Expr::Call(array));
        }
        let memory = self.usage.memory.contains(&name.to_string());
        if memory && let Some(branch) = self.entry_or_default(init) {
            return self.let_name(name, ty, &branch);
        }
        let noted = self.noted(ty, init);
        let levels = ty
            .map_or(0, fixed::levels_of_type)
            .max(fixed::levels_of(init));
        let levels = levels.max(usize::from(self.is_fixed(init)));
        self.memory_wanted = memory && matches!(init, Expr::If(_) | Expr::Match(_));
        self.let_value(name, ty, init);
        self.memory_wanted = false;
        self.note_type(&name.to_string(), ty, init);
        if levels > 0 {
            self.note_fixed(&name.to_string(), levels);
        }
        if let Some(is) = noted {
            self.note_array(&name.to_string(), is);
        }
    }

    pub(crate) fn let_value(
        &mut self,
        name: &proc_macro2::Ident,
        ty: Option<&syn::Type>,
        init: &Expr,
    ) {
        let text = name.to_string();
        if self.let_outcome(name, ty, init) {
            return;
        }
        if let Expr::Call(call) = init
            && self.varied.contains(&text)
            && self.refused_container(&call.func)
        {
            // one error is enough
            self.complained.insert(text.clone());
            return self.bind(&text, Binding::Inactive);
        }
        if self.let_view(name, init) {
            return;
        }
        if self.let_taken(name, ty, init) {
            return;
        }
        let memory = self.usage.memory.contains(&text) || self.usage.parts.contains(&text);
        // moved out of what is read again: a copy
        if memory && is_part(init) && self.is_varied(init) {
            return self.let_value(name, ty, &syn::parse_quote!(#init.clone()));
        }
        if let Some(closure) = self.closure_value(init) {
            return self.bind(&text, closure);
        }
        if let Some(root) = self.array_of_slice(name, ty, init) {
            return self.bind_array(&text, ty, root);
        }
        if self.is_varied(init)
            && let Some(chain) = self.through_local(init)
        {
            return self.let_value(name, ty, &chain);
        }
        if self.let_stepped(name, init) {
            return;
        }
        if let Some(chain) = self.chain(&text, init) {
            return self.bind(&text, chain);
        }
        if let Some(alias) = self.alias(init) {
            return self.bind(&text, alias);
        }
        // once: an iterator goes on
        if let Expr::MethodCall(call) = init
            && let Some(element) = self.chosen_element(call)
        {
            return match element {
                Element::Bind(alias @ Binding::Alias { .. }) => self.bind(&text, alias),
                element => self.let_element(&syn::parse_quote!(#name), ty, element),
            };
        }
        if let Expr::Call(call) = init
            && self.is_varied(init)
            && let Some(root) = self.array_from_fn(name, ty, call)
        {
            return self.bind(&text, Binding::Root(root));
        }
        if self.usage.parts.contains(&text) {
            return self.let_memory(name, ty, init);
        }
        if let Some(root) = self.memory_of(name, init) {
            return self.bind_typed(&text, ty, root);
        }
        if self.usage.whole.contains(&text) {
            let value = self.typed_value(ty, init);
            return self.declare(name, ty, value);
        }
        self.let_constant(name, ty, init);
    }

    /// Binds a name to an `Option`, or to a `Result` whose error nothing asks for. Whether it is one.
    fn let_outcome(
        &mut self,
        name: &proc_macro2::Ident,
        ty: Option<&syn::Type>,
        init: &Expr,
    ) -> bool {
        let text = name.to_string();
        let is_operand = self.usage.operands.contains(&text);
        if !self.varied.contains(&text) || is_operand || self.maps_entries(&text, init) {
            return false;
        }
        if self.gives_what_is_inside(init) {
            return false;
        }
        let asked = self.usage.outcomes.contains(&text);
        let is_call = asked && self.is_outcome(init) && self.test_and_entry(init).is_some();
        if self.gives_option(init) || is_call {
            self.let_option(name, ty, init);
            return true;
        }
        if self.let_called(name, init) {
            return true;
        }
        let branches = match self.in_branches(init) {
            None if asked => self.chosen_outcome(init),
            branches => branches,
        };
        if let Some(branches) = &branches {
            self.let_option(name, ty, branches);
        }
        branches.is_some()
    }

    /// A name for a value that never changes.
    fn let_constant(&mut self, name: &proc_macro2::Ident, ty: Option<&syn::Type>, init: &Expr) {
        let text = name.to_string();
        let before = self.program.defs.len();
        let atom = self.typed_value(ty, init);
        if let (Atom::Def(d), true) = (&atom, lends_an_element(init)) {
            self.lent_elements.insert(*d);
        }
        // `let first = weights.first().unwrap();`
        if let (Atom::Def(d), Expr::MethodCall(call)) = (&atom, init)
            && !self.is_varied(init)
            && effects::takes_a_part(call)
        {
            self.elements.insert(*d);
        }
        if ty.is_some_and(built::has_object)
            && built::is_built(init)
            && !self.may_act(init)
            && let Atom::Def(d) = &atom
            && let kind = &mut self.program.defs[*d].kind
            && let DefKind::Opaque(expr) = kind
            && expr.uses.roots.is_empty()
        {
            *kind = DefKind::Pure(std::mem::take(expr));
        }
        let atom = match self.moves_a_guard(init) {
            true => Atom::Const(self.atom_expr(&atom)),
            false => atom,
        };
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

    /// A closure that is written here, or has a name already.
    fn closure_value(&mut self, init: &Expr) -> Option<Binding> {
        if let Expr::Closure(closure) = init {
            return Some(self.closure_binding(closure, false));
        }
        let by_value = matches!(init, Expr::Path(_));
        Some(match self.closure_of(init)? {
            // a copy of what it captured
            Binding::Closure { closure, scopes } if by_value && closure.capture.is_some() => {
                let outside = std::mem::replace(&mut self.scopes, scopes);
                let copy = self.closure_binding(&closure, true);
                self.scopes = outside;
                copy
            }
            same => same,
        })
    }

    /// The value of an initializer with a type annotation.
    pub(crate) fn typed_value(&mut self, ty: Option<&syn::Type>, init: &Expr) -> Atom {
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
    pub(crate) fn declare(
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
        let wanted = self.usage.memory.contains(&text);
        let array = matches!(value, Atom::Def(d) if self.arrays.get(&Base::Def(d)).is_some_and(|is| is.is_surely()));
        let kind = if array || wanted || self.usage.parts.contains(&text) {
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
        self.bind_typed(&text, ty, root);
    }

    /// As [`bind_typed`](Self::bind_typed), of an array behind whatever reference the user wrote.
    fn bind_array(&mut self, name: &str, ty: Option<&syn::Type>, root: RootId) {
        let ty = match ty {
            Some(syn::Type::Reference(lent)) => Some(&*lent.elem),
            ty => ty,
        };
        self.bind_typed(name, ty, root);
    }

    /// Binds a name to a root that was just declared, with the type that the user wrote.
    pub(crate) fn bind_typed(&mut self, name: &str, ty: Option<&syn::Type>, root: RootId) {
        self.program.roots[root].ty = ty.cloned();
        self.bind(name, Binding::Root(root));
    }

    /// The closure, or the parameter that is called, which another name stands for.
    fn closure_of(&self, init: &Expr) -> Option<Binding> {
        let name = match init {
            Expr::Reference(reference) => &*reference.expr,
            init => init,
        };
        let binding = self.lookup(&simple_name(name)?)?;
        let called = match binding {
            Binding::Closure { .. } => true,
            Binding::Def(d) => self.callables.contains_key(d),
            _ => false,
        };
        called.then(|| binding.clone())
    }
}

/// Whether a value of a tuple names what a pattern in front of it binds.
fn reads_bound(patterns: &syn::PatTuple, values: &syn::ExprTuple) -> bool {
    let mut bound = Vec::new();
    patterns
        .elems
        .iter()
        .zip(&values.elems)
        .any(|(pat, value)| {
            let reads = bound.iter().any(|name| {
                let name = quote::format_ident!("{name}");
                names(quote!(#value), &name)
            });
            bound.extend(bound_names(pat));
            reads
        })
}

/// The type of a part, where the type of a tuple was written.
fn part_of(ty: Option<&syn::Type>, index: usize) -> Option<&syn::Type> {
    match ty {
        Some(syn::Type::Tuple(tuple)) => tuple.elems.get(index),
        _ => None,
    }
}

/// A field or an entry.
fn is_part(expr: &Expr) -> bool {
    match expr {
        Expr::Field(_) => true,
        Expr::Index(index) => !matches!(&*index.index, Expr::Range(_)),
        _ => false,
    }
}

/// `{ let value: T = expr; value }`.
pub(crate) fn annotated(
    ty: Option<&syn::Type>,
    expr: crate::differentiable::ir::Expr,
) -> crate::differentiable::ir::Expr {
    match ty {
        Some(ty) => {
            let tokens = expr.tokens;
            crate::differentiable::ir::Expr {
                tokens: quote!(::coenzyme::__private::typed::<#ty>(#tokens)),
                uses: expr.uses,
            }
        }
        None => expr,
    }
}
