//! `match` and `if let` on active values of enums: which arm is a number without derivative, and what a pattern binds is a
//! part of the value, found by the pattern again.
//!
//! ```text
//! // match shape { Circle(r) => k * r, Empty => 0.0 }
//! let which = match shape { Circle(_) => 0, Empty => 1 };
//! match which { 0 => { let r = part(&shape, |e| match e { Circle(r) => r, … })(shape); k * r } _ => 0.0 }
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat};

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::values::substituted;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::{calls, paths};
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::tokens::text;
use crate::signature::Passing;

/// `Planet::Mars`, `Planet::Mars | Planet::Venus`.
fn names_variant(pat: &Pat) -> bool {
    match pat {
        Pat::Path(_) | Pat::TupleStruct(_) | Pat::Struct(_) => true,
        Pat::Or(either) => either.cases.iter().all(names_variant),
        _ => false,
    }
}

/// `&Planet::Mars`, `&Planet::Mars | &Planet::Venus`.
pub(crate) fn is_reference(pat: &Pat) -> bool {
    match pat {
        Pat::Reference(_) => true,
        Pat::Or(either) => either.cases.iter().any(is_reference),
        _ => false,
    }
}

/// Whether a pattern of a tuple binds one of the parts that are active.
fn takes(pat: &Pat, active: &[bool]) -> bool {
    match pat {
        Pat::Tuple(parts) => {
            let mut parts = parts.elems.iter().zip(active);
            parts.any(|(part, active)| *active && !bound_names(part).is_empty())
        }
        Pat::Or(either) => either.cases.iter().any(|pat| takes(pat, active)),
        Pat::Guard(guarded) => takes(&guarded.pat, active),
        _ => false,
    }
}

/// What is said of a call beside something else, of which a pattern takes the error.
const CALL_BESIDE: &str = "what a call returns is matched by itself where a pattern takes its error: `match` on the call, and on the rest inside of the arms";

impl Lower<'_> {
    /// The place that is matched, if it is active and a pattern binds parts of it.
    pub(crate) fn matched<'p>(
        &mut self,
        scrutinee: &Expr,
        patterns: impl Iterator<Item = &'p Pat>,
    ) -> Option<Place> {
        if let Some(option) = lent_field(scrutinee) {
            return self.matched(&syn::parse_quote!(&#option), patterns);
        }
        let patterns: Vec<&Pat> = patterns.collect();
        if self.refused_slice_pattern(scrutinee, patterns.iter().copied()) {
            return None;
        }
        let calls = match scrutinee {
            Expr::Call(call) => !substituted::is_tuple_constructor(&call.func),
            Expr::MethodCall(call) => !calls::is_std_call(call),
            _ => false,
        };
        if calls && self.is_varied(scrutinee) && patterns.iter().any(|p| is_of_result(p)) {
            return self.refused_result(scrutinee, &patterns);
        }
        if let Some(call) = self.call_beside(scrutinee, &patterns) {
            self.errors.at(call, CALL_BESIDE);
            self.complained
                .extend(patterns.iter().flat_map(|pat| bound_names(pat)));
            return None;
        }
        let binds = |pat: &&Pat| !is_name(pat) && !bound_names(pat).is_empty();
        if !self.is_varied(scrutinee) {
            return None;
        }
        if !patterns.iter().any(binds) {
            // a field may be inactive, and of a type without tangent space; what a reference leads to stays where it is
            let stays = match scrutinee {
                Expr::Field(_) => true,
                Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
                _ => patterns
                    .iter()
                    .any(|pat| is_reference(pat) || names_variant(pat)),
            };
            let told_apart = stays && patterns.iter().all(|pat| bound_names(pat).is_empty());
            let place = told_apart.then(|| self.place(scrutinee)).flatten();
            return place.map(|place| self.settled(place));
        }
        // a tuple that is made to be matched on is matched as it stands, unless an arm takes an active part of it
        if let Expr::Tuple(tuple) = scrutinee
            && !self.takes_a_part(tuple, patterns.iter().copied())
        {
            return None;
        }
        if let Some(place) = self.place(scrutinee) {
            return Some(self.settled(place));
        }
        let value = self.value(scrutinee);
        // a method of the user's that has a name of the standard library's
        if let Atom::Def(d) = value
            && matches!(&self.program.defs[d].kind, DefKind::Call(call) if matches!(call.callee, Callee::Method { .. }))
            && patterns.iter().any(|p| is_of_result(p))
        {
            return self.refused_result(scrutinee, &patterns);
        }
        Some(place::whole(self.atom_base(value)))
    }

    /// Whether an arm takes an active part of a tuple that is made to be matched on.
    pub(crate) fn takes_a_part<'p>(
        &self,
        tuple: &syn::ExprTuple,
        mut patterns: impl Iterator<Item = &'p Pat>,
    ) -> bool {
        let active = tuple.elems.iter().map(|part| self.is_varied(part));
        let active: Vec<bool> = active.collect();
        patterns.any(|pat| takes(pat, &active))
    }

    /// The call in a tuple of whose result a pattern takes the error, or that has no name of its own for another reason.
    fn call_beside<'e>(&self, scrutinee: &'e Expr, patterns: &[&Pat]) -> Option<&'e Expr> {
        let Expr::Tuple(tuple) = scrutinee else {
            return None;
        };
        let looked_into = |place: usize| {
            let part = |pat: &&Pat| match pat {
                Pat::Tuple(parts) => parts.elems.get(place).is_some_and(is_of_result),
                _ => false,
            };
            patterns.iter().any(part)
        };
        let mut parts = tuple.elems.iter().enumerate();
        let found = parts.find(|(place, part)| self.is_outcome(part) && looked_into(*place));
        found.map(|(_, call)| call)
    }

    /// Refuses a pattern for what a call returns, which is there or not.
    fn refused_result(&mut self, call: &Expr, patterns: &[&Pat]) -> Option<Place> {
        self.errors.at(
            call,
            "this call changes what it is lent before it is asked: where its function is marked in this crate, ask it by patterns that bind no error, `Ok(v)` and `Err(_)`; otherwise take what it returns out with `?` or `.unwrap()`",
        );
        let names = patterns.iter().flat_map(|p| bound_names(p));
        self.complained.extend(names);
        None
    }

    /// The number of the arm that is taken, without derivative.
    pub(crate) fn which(&mut self, of: &Place, patterns: &[&Pat], by_reference: bool) -> Atom {
        let mut uses = of.uses.clone();
        match of.base {
            Base::Def(d) => drop(uses.defs.insert(d)),
            Base::Root(r) => drop(uses.roots.insert(r)),
        }
        let arms = patterns.iter().enumerate().map(|(i, pat)| match pat {
            Pat::Guard(guarded) => {
                let names = bound_names(&guarded.pat);
                self.scopes.push(Default::default());
                names.iter().for_each(|n| self.bind(n, Binding::Inactive));
                let guard = self.plain(&guarded.guard).expr;
                self.scopes.pop();
                uses.extend(&guard.uses);
                let (pat, guard) = (&guarded.pat, guard.tokens);
                quote!(#pat if #guard => #i)
            }
            pat => {
                let pat = only(pat, None);
                quote!(#pat => #i)
            }
        });
        let arms: Vec<_> = arms.collect();
        let tokens = self.place_tokens(of);
        let and = by_reference.then(|| quote!(&));
        let tokens = quote!((match #and #tokens { #(#arms,)* }));
        Atom::Def(self.def(DefKind::Pure(ir::Expr { tokens, uses }), false))
    }

    /// Binds the names of a pattern to the parts of `of`. A name in capitals that `body` does not mention may as well be a variant: `North` of `use Mode::*`.
    pub(crate) fn bind_variant(
        &mut self,
        (of, lent): (&Place, bool),
        pat: &Pat,
        body: TokenStream,
    ) {
        let pat = match pat {
            Pat::Guard(guarded) => &*guarded.pat,
            pat => pat,
        };
        if let Pat::Ident(name) = pat
            && is_name(pat)
        {
            let binding = Binding::Alias {
                place: of.clone(),
                exclusive: lent,
            };
            return self.bind(&name.ident.to_string(), binding);
        }
        let mentioned = text::words(body);
        let may_be_variant =
            |name: &String| name.starts_with(char::is_uppercase) && !mentioned.contains(name);
        for name in bound_names(pat) {
            if may_be_variant(&name) {
                continue;
            }
            let ident = quote::format_ident!("{name}", span = self.at);
            let Some(pat) = fitting(pat) else {
                self.errors.at(
                    pat,
                    "of these patterns only the primal can tell which one fits: write an arm for each",
                );
                return;
            };
            let callee = Callee::Part {
                of: of.clone(),
                pattern: only(&pat, Some(&ident)),
                name: ident.clone(),
                replaced: false,
            };
            let value =
                self.finish_call(callee, vec![Arg::Shared(of.clone())], true, Unpack::Plain);
            if let Atom::Def(d) = value {
                self.bind(&name, Binding::Def(d));
            }
        }
    }

    /// Whether a path is taken for a variant of an enum.
    pub(crate) fn is_variant(&self, path: &syn::Path) -> bool {
        let imported = |name: &Ident| self.variants.contains(&name.to_string());
        names_type_and_variant(path) || path.get_ident().is_some_and(imported)
    }

    /// Whether values of a pattern's type may be others, as far as its tokens tell.
    pub(crate) fn may_not_fit(&self, pat: &Pat) -> bool {
        match pat {
            Pat::Lit(_) | Pat::Range(_) => true,
            Pat::Ident(name) => name.ident == "None" || name.subpat.is_some(),
            Pat::Reference(pat) => self.may_not_fit(&pat.pat),
            Pat::Tuple(pat) => pat.elems.iter().any(|pat| self.may_not_fit(pat)),
            Pat::TupleStruct(some) => {
                is_of_result(pat)
                    || self.is_variant(&some.path)
                    || some.elems.iter().any(|pat| self.may_not_fit(pat))
            }
            Pat::Struct(of) => self.is_variant(&of.path),
            Pat::Path(of) => self.is_variant(&of.path),
            _ => false,
        }
    }

    /// Refuses `Some(x)` where it is not looked into: it has no rule.
    pub(crate) fn refused_variant(&mut self, constructor: &Expr) -> bool {
        let named = |name: &&str| paths::is(constructor, &[name], 1);
        let refused = ["Some", "Ok", "Err"].iter().any(named);
        if refused {
            let name = constructor.to_token_stream();
            self.errors.at(
                constructor,
                format!("`{name}` cannot be made from active values here: keep the values in locals or in a struct, or make it in a function marked `#[primitive]` with its rule"),
            );
        }
        refused
    }

    /// `Some(x)` as a part of something else.
    pub(crate) fn some_made(&mut self, expr: &Expr) -> Option<Atom> {
        let Expr::Call(call) = expr else { return None };
        if !self.is_varied(expr) {
            return None;
        }
        let (Expr::Path(some), [part]) = (&*call.func, &call.args.iter().collect::<Vec<_>>()[..])
        else {
            return None;
        };
        if !some.path.is_ident("Some") {
            return None;
        }
        let (part, some) = (self.operand_of(part), some.to_token_stream());
        let with = |names: &[Ident]| quote!((#some(#(#names),*)));
        let made = self.variant_made(
            &syn::parse_quote!(::coenzyme::__private::Present),
            vec![part],
            with,
        );
        let mut inside = place::whole(self.atom_base(made));
        inside.suffix = quote!(.0);
        let some = self.read(inside);
        if let Atom::Def(d) = some {
            self.constructed.insert(Base::Def(d));
        }
        Some(some)
    }

    /// A variant of an enum, made of active values: a rule makes it of the tuple of its parts.
    pub(crate) fn variant_made(
        &mut self,
        constructor: &syn::Path,
        parts: Vec<Atom>,
        with: impl Fn(&[Ident]) -> TokenStream,
    ) -> Atom {
        let names: Vec<Ident> = (0..parts.len())
            .map(|i| quote::format_ident!("part{i}", span = proc_macro2::Span::mixed_site()))
            .collect();
        let variant = with(&names);
        let at = proc_macro2::Span::mixed_site();
        let made = Ident::new("made", at);
        let callee = Callee::Variant {
            make: quote!(|(#(#names,)*)| #constructor #variant),
            parts: quote! {
                |#made| match #made {
                    #constructor #variant => ::core::option::Option::Some((#(#names,)*)),
                    #[allow(unreachable_patterns)]
                    _ => ::core::option::Option::None,
                }
            },
        };
        let parts = parts.into_iter().enumerate().map(|(i, part)| {
            let index = syn::Index::from(i);
            (quote!(.#index), part)
        });
        let tuple = self.make(parts.collect(), |values| quote!((#(#values,)*)));
        self.finish_call(callee, vec![Arg::Value(tuple)], true, Unpack::Plain)
    }

    /// Whether a pattern on `scrutinee` binds references through which it can be changed.
    pub(crate) fn lends_mutably(&self, scrutinee: &Expr) -> bool {
        match scrutinee {
            Expr::Reference(lent) => lent.mutability.is_some(),
            Expr::MethodCall(call) => call.method == "as_mut",
            _ => match simple_name(scrutinee).and_then(|n| self.lookup(&n)) {
                Some(Binding::Root(root)) => {
                    let passing = Passing::Exclusive;
                    matches!(&self.program.roots[*root].kind, RootKind::Param { passing: p, .. } if *p == passing)
                }
                Some(Binding::Alias { exclusive, .. }) => *exclusive,
                _ => false,
            },
        }
    }

    /// Whether a pattern on `scrutinee` binds references: then a guard sees references.
    pub(crate) fn is_reference(&self, scrutinee: &Expr) -> bool {
        match scrutinee {
            Expr::Reference(_) => true,
            _ => simple_name(scrutinee)
                .and_then(|n| self.lookup(&n))
                .is_some_and(|b| match b {
                    Binding::Root(r) => matches!(
                        self.program.roots[*r].kind,
                        RootKind::Param { passing, .. } if passing != Passing::Value
                    ),
                    Binding::Alias { .. } | Binding::View(_) => true,
                    _ => false,
                }),
        }
    }
}

/// `Shape::Circle`: a variant of an enum, as far as a path tells.
fn names_type_and_variant(path: &syn::Path) -> bool {
    let upper = |s: &&syn::PathSegment| s.ident.to_string().starts_with(char::is_uppercase);
    path.segments.len() > 1 && path.segments.iter().rev().take(2).filter(upper).count() == 2
}

/// `Ok(x)`, `Err(e)`, `Some(x)`, `None`.
fn is_of_result(pat: &Pat) -> bool {
    match pat {
        Pat::TupleStruct(pat) => ["Ok", "Err", "Some"].iter().any(|v| pat.path.is_ident(v)),
        Pat::Ident(name) => name.ident == "None",
        _ => false,
    }
}

/// A name, which fits always; constants are written in capitals.
pub(crate) fn is_name(pat: &Pat) -> bool {
    matches!(pat, Pat::Ident(name) if name.subpat.is_none()
        && name.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_'))
}

/// The pattern with no name but `keep` in it.
pub(crate) fn only(pat: &Pat, keep: Option<&Ident>) -> TokenStream {
    struct Only<'a>(Option<&'a Ident>);
    impl VisitMut for Only<'_> {
        fn visit_pat_mut(&mut self, pat: &mut Pat) {
            if let Pat::Ident(name) = pat
                && is_name(&Pat::Ident(name.clone()))
            {
                *pat = match self.0 {
                    Some(keep) if name.ident == *keep => syn::parse_quote!(#keep),
                    _ => syn::parse_quote!(_),
                };
            }
            visit_mut::visit_pat_mut(self, pat);
        }
        fn visit_field_pat_mut(&mut self, field: &mut syn::FieldPat) {
            let kept = matches!(&*field.pat, Pat::Ident(name) if self.0 == Some(&name.ident));
            if !kept {
                field.colon_token = Some(Default::default());
            }
            visit_mut::visit_field_pat_mut(self, field);
        }
    }
    let mut pat = pat.clone();
    Only(keep).visit_pat_mut(&mut pat);
    pat.to_token_stream()
}

/// The pattern of an arm that is taken, to be found in a derivative as well: there numbers are others, and fit always. `None` where numbers
/// tell one of several patterns.
pub(crate) fn fitting(pat: &Pat) -> Option<Pat> {
    if let Pat::Reference(lent) = pat {
        return fitting(&lent.pat);
    }
    #[derive(Default)]
    struct Fitting {
        numbers: bool,
        either: bool,
    }
    impl VisitMut for Fitting {
        fn visit_pat_mut(&mut self, pat: &mut Pat) {
            visit_mut::visit_pat_mut(self, pat);
            self.either |= matches!(pat, Pat::Or(_));
            match pat {
                Pat::Range(_) => *pat = syn::parse_quote!(_),
                Pat::Lit(syn::ExprLit {
                    lit: syn::Lit::Float(_),
                    ..
                }) => *pat = syn::parse_quote!(_),
                Pat::Ident(name) if name.subpat.is_some() => name.subpat = None,
                _ => return,
            }
            self.numbers = true;
        }
    }
    let (mut fits, mut fitting) = (pat.clone(), Fitting::default());
    fitting.visit_pat_mut(&mut fits);
    match (fitting.numbers, fitting.either) {
        (true, true) => None,
        _ => Some(fits),
    }
}

/// `s.field` of `s.field.as_deref()`, `s.field.as_mut()`: patterns bind references to its parts either way.
fn lent_field(option: &Expr) -> Option<&Expr> {
    match option {
        Expr::MethodCall(call) if call.args.is_empty() => {
            let is_field = matches!(&*call.receiver, Expr::Field(_));
            let lends = ["as_deref", "as_ref", "as_mut"].iter();
            (is_field && lends.clone().any(|name| call.method == *name)).then_some(&*call.receiver)
        }
        _ => None,
    }
}
