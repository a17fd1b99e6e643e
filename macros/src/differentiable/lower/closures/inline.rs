//! Closures and patterns: a closure is expanded where it is called.

use std::collections::HashMap;

use quote::{ToTokens, quote};
use syn::spanned::Spanned;
use syn::{Expr, ExprCall, ExprClosure, Pat};

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::binding::annotated;
use crate::differentiable::lower::iterators::element::Element;
use crate::differentiable::lower::iterators::optional_closures;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::references::held;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::operations;
use crate::differentiable::syntax::names::{hidden, simple_name};
use crate::differentiable::syntax::options;
use crate::differentiable::syntax::patterns::{
    has_mutable_name, has_mutable_reference, has_reference,
};
use crate::differentiable::tokens::text;
use crate::premises::Site;

/// What is said of `ref mut` where there is no place to refer to.
pub(crate) const REF_MUT: &str = "`ref mut` refers to a part that has no name here: bind the whole to a name, and write `&mut` and the part";

/// What becomes of an `Option` that a closure gives.
#[derive(Clone, Copy)]
pub(crate) enum Ends {
    /// It is a value as any other.
    Value,
    /// A `?` follows.
    Asked,
    /// A flag says whether there is a value.
    Flagged(RootId),
}

impl Lower<'_> {
    /// Calls a closure that is bound to a name.
    pub(crate) fn closure_call(&mut self, call: &ExprCall) -> Option<Atom> {
        self.closure_call_with(call, Ends::Value, |_| true)
    }

    /// As [`closure_call`](Self::closure_call), of the closure as `changed` leaves it, if it can.
    pub(crate) fn closure_call_with(
        &mut self,
        call: &ExprCall,
        ends: Ends,
        changed: impl FnOnce(&mut ExprClosure) -> bool,
    ) -> Option<Atom> {
        let (mut closure, scopes) = match without_parentheses(&call.func) {
            Expr::Closure(closure) => (closure.clone(), self.scopes.clone()),
            func => match self.lookup(&simple_name(func)?)?.clone() {
                Binding::Closure { closure, scopes } => (closure, scopes),
                _ => return None,
            },
        };
        if !changed(&mut closure) {
            return None;
        }
        if closure.inputs.len() != call.args.len() {
            return Some(self.other_arity(&closure, call.args.len()));
        }
        self.program
            .decisions
            .by_rule
            .insert(Site::of(call.func.span()));
        let args: Vec<Element> = call
            .args
            .iter()
            .zip(&closure.inputs)
            .map(|(a, pat)| match self.alias(held::peeled(a)) {
                Some(alias) => Element::Bind(alias),
                None => self.lent_value(pat, a),
            })
            .collect();
        let outside = std::mem::replace(&mut self.scopes, scopes);
        let fallible = self.fallible;
        match ends {
            // the `Some` of a closure is not that of the function
            Ends::Value => self.fallible &= !options::gives_option(&closure),
            Ends::Asked => {}
            Ends::Flagged(kept) => {
                self.scopes.push(HashMap::new());
                self.bind(optional_closures::KEPT, Binding::Root(kept));
            }
        }
        let value = self.apply(&closure, args);
        (self.scopes, self.fallible) = (outside, fallible);
        Some(value)
    }

    /// A value for a parameter of a closure. What a call gives is lent where the parameter is memory behind a reference: `rhs(&axpy(u, k, h))`.
    fn lent_value(&mut self, pat: &Pat, arg: &Expr) -> Element {
        let value = self.value(arg);
        match (value, held::peeled(arg), pat) {
            (Atom::Def(d), Expr::Reference(lent), Pat::Type(typed))
                if lent.mutability.is_none()
                    && matches!(self.program.defs[d].kind, DefKind::Call(_))
                    && matches!(&*typed.ty, syn::Type::Reference(to) if !is_float(&to.elem)) =>
            {
                Element::Bind(Binding::Alias {
                    place: place::whole(Base::Def(d)),
                    exclusive: false,
                })
            }
            (value, ..) => Element::Atom(value),
        }
    }

    /// What a name for a closure stands for: a `move` closure gets what it captures as it is now, in locals of its own.
    /// `again`: it is a copy of a closure, which captured before.
    pub(crate) fn closure_binding(&mut self, closure: &ExprClosure, again: bool) -> Binding {
        self.scopes.push(HashMap::new());
        if closure.capture.is_some() {
            self.capture_values(closure, again);
        }
        let binding = Binding::Closure {
            closure: closure.clone(),
            scopes: self.scopes.clone(),
        };
        self.scopes.pop();
        binding
    }

    /// Binds what a closure captures to copies, under the same names; what nothing else names may as well be the closure's.
    fn capture_values(&mut self, closure: &ExprClosure, again: bool) {
        let words = text::words(closure.body.to_token_stream());
        let mut names = words.clone();
        names.sort();
        names.dedup();
        for name in names {
            let inside = words.iter().filter(|word| **word == name).count();
            let elsewhere = self.mentions.get(&name).is_none_or(|n| *n > inside + 1);
            let copied = match self.lookup(&name) {
                Some(Binding::Root(r)) => {
                    let root = &self.program.roots[*r];
                    let own = !again && !elsewhere && root.loops == self.loops;
                    !own && !matches!(root.kind, RootKind::Param { .. })
                }
                Some(Binding::Optional { .. } | Binding::View(_)) => true,
                _ => false,
            };
            if !copied {
                continue;
            }
            let name = quote::format_ident!("{name}");
            match self.lookup(&name.to_string()) {
                // as it is now
                Some(Binding::View(_)) => {
                    if let Some(alias) = self.alias(&syn::parse_quote!(#name)) {
                        self.bind(&name.to_string(), alias);
                    }
                }
                _ => {
                    drop(self.statements(&[syn::parse_quote!(let mut #name = #name;)]));
                }
            }
        }
    }

    fn other_arity(&mut self, closure: &ExprClosure, arguments: usize) -> Atom {
        let text = format!("this closure takes {arguments} arguments here");
        self.errors.at(closure, text);
        self.nothing()
    }

    /// The value of a closure's body for some arguments.
    pub(crate) fn apply(&mut self, closure: &ExprClosure, args: Vec<Element>) -> Atom {
        if closure.inputs.len() != args.len() {
            return self.other_arity(closure, args.len());
        }
        self.scopes.push(HashMap::new());
        for (pat, arg) in closure.inputs.iter().zip(args) {
            self.bind_element(pat, arg);
        }
        let (target, outside) = (self.target.take(), self.in_closure);
        self.in_closure = true;
        let value = match &*closure.body {
            body @ Expr::Block(block) if self.acts_at_its_end(&block.block) => {
                self.tail_branch(body).unwrap_or_else(|| self.nothing())
            }
            Expr::Block(block) => self
                .statements(&block.block.stmts)
                .unwrap_or_else(|| self.nothing()),
            body if is_statement(body) => {
                self.expression_statement(body);
                self.nothing()
            }
            body => self.value(body),
        };
        (self.target, self.in_closure) = (target, outside);
        self.scopes.pop();
        value
    }

    /// Binds the names of a pattern.
    pub(crate) fn bind_element(&mut self, pat: &Pat, element: Element) {
        if self.bind_copy(pat, &element) {
            return;
        }
        match (pat, element) {
            (Pat::Tuple(tuple), Element::Tuple(parts)) if tuple.elems.len() == parts.len() => {
                for (pat, part) in tuple.elems.iter().zip(parts) {
                    self.bind_element(pat, part);
                }
            }
            (Pat::Type(typed), Element::Atom(Atom::Const(expr)))
                if !matches!(&*typed.ty, syn::Type::Reference(_) | syn::Type::Infer(_)) =>
            {
                let expr = annotated(Some(&typed.ty), expr);
                self.bind_element(&typed.pat, Element::Atom(Atom::Const(expr)));
            }
            // a number whose type nothing but the closure says
            (Pat::Type(typed), Element::Atom(Atom::Def(d)))
                if !self.program.defs[d].varied && is_float(&typed.ty) =>
            {
                let expr = annotated(Some(&typed.ty), self.atom_expr(&Atom::Def(d)));
                self.bind_element(&typed.pat, Element::Atom(Atom::Const(expr)));
            }
            (pat, Element::Listed(element)) => self.bind_listed(pat, &element),
            (pat, Element::Bind(binding)) => self.bind_pattern(pat, binding),
            (pat, Element::Atom(Atom::Def(d))) => self.bind_pattern(pat, Binding::Def(d)),
            (pat, Element::Atom(Atom::Root(r))) => self.bind_local(pat, r),
            (pat, Element::Atom(Atom::Const(expr))) => {
                let d = self.def(DefKind::Pure(expr), false);
                self.bind_pattern(pat, Binding::Def(d));
            }
            (Pat::Ident(ident), Element::Tuple(parts)) => {
                let value = self.element_value(Element::Tuple(parts));
                let base = self.atom_base(value);
                let Base::Def(d) = base else { return };
                self.bind(&ident.ident.to_string(), Binding::Def(d));
            }
            (Pat::Reference(reference), element) => self.bind_element(&reference.pat, element),
            (Pat::Paren(paren), element) => self.bind_element(&paren.pat, element),
            (Pat::Type(typed), element) => self.bind_element(&typed.pat, element),
            (Pat::Wild(_), _) => {}
            (pat, _) => self
                .errors
                .at(pat, "this pattern does not fit: bind names and tuples"),
        }
    }

    /// `for mut v in array`: the array keeps its entries, and what changes is a copy. Whether the pattern is bound.
    pub(crate) fn bind_copy(&mut self, pat: &Pat, element: &Element) -> bool {
        match element {
            Element::Bind(alias @ Binding::Alias { place, .. })
                if self.is_moved(place) && has_mutable_name(pat) =>
            {
                let name = hidden("element");
                self.bind(&name.to_string(), alias.clone());
                self.let_pattern(pat, None, &syn::parse_quote!(#name.clone()));
                true
            }
            _ => false,
        }
    }

    /// Binds the names of a pattern to the parts of what `binding` stands for.
    pub(crate) fn bind_pattern(&mut self, pat: &Pat, binding: Binding) {
        match pat {
            // a copy that changes
            Pat::Ident(ident) if ident.mutability.is_some() && self.changes(&ident.ident.to_string()) => {
                match binding {
                    Binding::Def(d) if !self.callables.contains_key(&d) => {
                        self.declare(&ident.ident, None, Atom::Def(d));
                    }
                    binding => self.bind(&ident.ident.to_string(), binding),
                }
            }
            Pat::Ident(ident)
                if has_mutable_reference(pat)
                    && !matches!(binding, Binding::Root(_) | Binding::Alias { .. } | Binding::View(_)) =>
            {
                self.errors.at(ident, REF_MUT);
            }
            Pat::Ident(ident) => self.bind(&ident.ident.to_string(), binding),
            Pat::Wild(_) => {}
            Pat::Paren(paren) => self.bind_pattern(&paren.pat, binding),
            Pat::Type(typed) => self.bind_pattern(&typed.pat, binding),
            // `&v`: the value behind the reference, read once
            Pat::Reference(reference) => {
                let binding = match binding {
                    alias if has_reference(&reference.pat) => alias,
                    Binding::Alias { place, .. } => match self.read(place) {
                        Atom::Def(d) => Binding::Def(d),
                        _ => return,
                    },
                    Binding::Root(r) if !self.slices.contains(&r) => {
                        match self.read(place::whole(Base::Root(r))) {
                            Atom::Def(d) => Binding::Def(d),
                            _ => return,
                        }
                    }
                    binding => binding,
                };
                self.bind_pattern(&reference.pat, binding);
            }
            Pat::Tuple(tuple) => {
                for (i, pat) in self.before_rest(&tuple.elems).enumerate() {
                    let index = syn::Index::from(i);
                    self.bind_part(pat, &binding, suffix(quote!(.#index)));
                }
            }
            Pat::Slice(slice) => {
                self.bind_entries(slice, &binding);
            }
            Pat::TupleStruct(structure) => {
                for (i, pat) in self.before_rest(&structure.elems).enumerate() {
                    let index = syn::Index::from(i);
                    self.bind_part(pat, &binding, suffix(quote!(.#index)));
                }
            }
            Pat::Struct(structure) => {
                for field in &structure.fields {
                    let member = &field.member;
                    let part = suffix(quote!(.#member));
                    match (&*field.pat, self.inactive_part(&binding, &part)) {
                        (Pat::Ident(_), Some(part)) => self.bind_pattern(&field.pat, part),
                        _ => self.bind_part(&field.pat, &binding, part),
                    }
                }
            }
            _ => self.errors.at(pat, "this pattern is not supported on active values: bind names, tuples, arrays and structs"),
        }
    }

    /// A part of a value without derivative that is computed once, moved out of it: the part is kept for the reverse sweep, and the rest is not.
    fn inactive_part(&mut self, whole: &Binding, part: &ir::Expr) -> Option<Binding> {
        let Binding::Def(whole) = whole else {
            return None;
        };
        let computed = matches!(self.program.defs[*whole].kind, DefKind::Opaque(_));
        if !computed || self.program.defs[*whole].varied {
            return None;
        }
        let ir::Expr { tokens, uses } = self.known(*whole);
        let part = &part.tokens;
        let tokens = quote!(#tokens #part);
        let part = self.def(DefKind::Opaque(ir::Expr { tokens, uses }), false);
        Some(Binding::Def(part))
    }

    /// The patterns before `..`, which must come last.
    fn before_rest<'p>(
        &mut self,
        pats: &'p syn::punctuated::Punctuated<Pat, syn::Token![,]>,
    ) -> impl Iterator<Item = &'p Pat> + use<'p> {
        let is_rest = |p: &&Pat| matches!(p, Pat::Rest(_));
        let n = pats.iter().take_while(|p| !is_rest(p)).count();
        if let (Some(rest), true) = (pats.iter().nth(n), n + 1 < pats.len()) {
            self.errors.at(
                rest,
                "`..` stands last: bind what comes after it by its index",
            );
        }
        pats.iter().take(n)
    }

    pub(crate) fn bind_part(&mut self, pat: &Pat, whole: &Binding, suffix: ir::Expr) {
        // a part that changes apart from the whole
        let copied =
            matches!(pat, Pat::Ident(name) if name.mutability.is_some() && name.by_ref.is_none());
        let part = match whole {
            Binding::Root(r) if copied => {
                let place = part_of(place::whole(Base::Root(*r)), suffix);
                match self.read(place) {
                    Atom::Def(d) => Binding::Def(d),
                    _ => return,
                }
            }
            Binding::Alias { place, .. } if copied => {
                let place = part_of(place.clone(), suffix);
                match self.read(place) {
                    Atom::Def(d) => Binding::Def(d),
                    _ => return,
                }
            }
            Binding::Def(d) => {
                let place = part_of(place::whole(Base::Def(*d)), suffix);
                // what is a struct or a vector stays where it is
                let stays = match pat {
                    Pat::Ident(name) => self.usage.memory.contains(&name.ident.to_string()),
                    Pat::Struct(_) | Pat::TupleStruct(_) => true,
                    _ => false,
                };
                if stays {
                    return self.bind_pattern(
                        pat,
                        Binding::Alias {
                            place,
                            exclusive: false,
                        },
                    );
                }
                match self.read(place) {
                    Atom::Def(d) => Binding::Def(d),
                    _ => return,
                }
            }
            Binding::Root(r) => {
                let place = part_of(place::whole(Base::Root(*r)), suffix);
                Binding::Alias {
                    place,
                    exclusive: true,
                }
            }
            Binding::Alias { place, exclusive } => {
                let place = part_of(place.clone(), suffix);
                Binding::Alias {
                    place,
                    exclusive: *exclusive,
                }
            }
            Binding::Closure { .. }
            | Binding::Chain { .. }
            | Binding::Optional { .. }
            | Binding::Part(_)
            | Binding::View(_) => return,
            Binding::Inactive => Binding::Inactive,
        };
        self.bind_pattern(pat, part);
    }
}

/// What stands behind a place, and reads no value.
pub(crate) fn suffix(tokens: proc_macro2::TokenStream) -> ir::Expr {
    ir::Expr {
        tokens,
        ..Default::default()
    }
}

pub(crate) fn part_of(mut place: Place, suffix: ir::Expr) -> Place {
    place.suffix.extend(suffix.tokens);
    place.uses.extend(&suffix.uses);
    place
}

fn is_float(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("f64") || path.path.is_ident("f32"))
}

fn without_parentheses(expr: &Expr) -> &Expr {
    match expr {
        Expr::Paren(paren) => without_parentheses(&paren.expr),
        expr => expr,
    }
}

fn is_statement(expr: &Expr) -> bool {
    matches!(expr, Expr::Assign(_))
        || matches!(expr, Expr::Binary(b) if operations::compound(&b.op).is_some())
}
