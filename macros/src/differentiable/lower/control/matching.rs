//! `if let` and `match`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Expr, ExprIf, ExprLet, ExprMatch, Pat, Stmt};

use crate::differentiable::expand::let_else::lends_an_entry;
use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::closures::inline;
use crate::differentiable::lower::control::tuple_parts::is_text;
use crate::differentiable::lower::values::substituted::{Plain, has_code};
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::resolve::{usage, varied};
use crate::differentiable::syntax::exit_kinds::{block_may_leave, is_leaving, may_leave};
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::options::is_present;
use crate::differentiable::syntax::patterns;
use crate::differentiable::tokens::head::head;
use crate::signature::Passing;

impl Lower<'_> {
    pub(crate) fn if_let(&mut self, branch: &ExprIf, condition: &ExprLet, into: Option<RootId>) {
        let otherwise = branch.else_branch.as_ref().map(|(_, e)| &**e);
        // an entry that may not be there
        if let Pat::TupleStruct(some) = &*condition.pat
            && is_present(some)
            && let Some(pat) = some.elems.first()
            && let Some((test, entry)) = self.maybe_entry(&condition.expr)
        {
            let test = head(&test);
            let (pat, entry) = match pat {
                Pat::Ident(name) if name.by_ref.is_some() => {
                    let (name, mutability) = (&name.ident, &name.mutability);
                    (
                        syn::parse_quote!(#name),
                        syn::parse_quote!(&#mutability #entry),
                    )
                }
                pat => (pat.clone(), entry),
            };
            let then = &branch.then_branch.stmts;
            let otherwise = otherwise.map(|e| quote!(else #e));
            if self.may_not_fit(&pat) {
                return self.branch(
                    &syn::parse_quote!(if #test && let #pat = #entry { #(#then)* } #otherwise),
                    into,
                );
            }
            let (before, entry) = after_steps(entry);
            let written_out: Expr =
                syn::parse_quote!(if #test { #(#before)* let #pat = #entry; #(#then)* } #otherwise);
            return self.branch(&written_out, into);
        }
        let pat = &*condition.pat;
        let matched = self.matched(&condition.expr, std::iter::once(pat));
        let selector = match &matched {
            Some(of) => {
                let otherwise: Pat = syn::parse_quote!(_);
                self.which(of, &[pat, &otherwise], super::variant::is_reference(pat))
            }
            None => self.inactive_scrutinee(&condition.expr),
        };
        let lent = self.lends_mutably(&condition.expr);
        let then = self.arm(into, block_may_leave(&branch.then_branch), |this| {
            match &matched {
                Some(of) => {
                    let then = &branch.then_branch;
                    return this.variant_arm((of, lent), pat, &syn::parse_quote!(#then), into);
                }
                None => {
                    this.bind_inactive(pat);
                    let then = &branch.then_branch;
                    this.copy_operands((&condition.expr, pat), &syn::parse_quote!(#then));
                }
            }
            this.statements(&branch.then_branch.stmts)
        });
        let (otherwise, changed) = self.arm_of(into, otherwise);
        let arms = vec![
            Arm {
                pattern: match matched {
                    Some(_) => quote!(0),
                    None => pat.to_token_stream(),
                },
                body: then.0,
            },
            Arm {
                pattern: quote!(_),
                body: otherwise,
            },
        ];
        self.join(then.1.into_iter().chain(changed));
        self.push(Item::Branch {
            arms,
            selector: Selector::Match(selector),
        });
    }

    pub(crate) fn matching(&mut self, branch: &ExprMatch, into: Option<RootId>) {
        let patterns: Vec<&Pat> = branch.arms.iter().map(|a| &a.pat).collect();
        let unguarded = patterns.iter().map(|p| match p {
            Pat::Guard(guarded) => &*guarded.pat,
            pat => pat,
        });
        // a text has no derivative, whatever it is a part of
        let text = unguarded.clone().any(is_text);
        let matched = match text {
            true => None,
            false => self.matched(&branch.expr, unguarded),
        };
        let scrutinee = match (&matched, !text && self.is_varied(&branch.expr)) {
            (Some(of), _) => {
                let by_reference = self.is_reference(&branch.expr) || references(&patterns);
                self.which(of, &patterns, by_reference)
            }
            (None, true) => self.value(&branch.expr),
            (None, false) => self.inactive_scrutinee(&branch.expr),
        };
        let mut arms = Vec::new();
        let mut changed = Vec::new();
        let lent = self.lends_mutably(&branch.expr);
        // guards are asked before any arm
        let mut selector = scrutinee.clone();
        let once = matched.is_none() && self.asked_once(branch, &mut selector);
        for (i, arm) in branch.arms.iter().enumerate() {
            let (pat, guard) = match &arm.pat {
                pat if matched.is_some() => (pat, None),
                Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                pat => (pat, None),
            };
            let mut pattern = match &matched {
                // the numbers of the arms; the last one fits always
                Some(_) if i + 1 == branch.arms.len() => quote!(_),
                Some(_) => quote!(#i),
                None if once && i + 1 == branch.arms.len() => last(pat),
                None if once => quote!((#i, #pat)),
                None => pat.to_token_stream(),
            };
            // an error carries no derivative
            let mut inactive = match pat {
                Pat::TupleStruct(error) if error.path.is_ident("Err") && matched.is_none() => {
                    varied::bound_names(pat)
                }
                _ => Vec::new(),
            };
            inactive.retain(|name| self.varied.remove(name));
            if let Some(guard) = guard.filter(|_| !once) {
                let guard = self.guard(guard, pat, &scrutinee).expr;
                if !guard.uses.defs.is_empty() || !guard.uses.roots.is_empty() {
                    let mut asked = self.atom_expr(&selector);
                    asked.uses.extend(&guard.uses);
                    selector = Atom::Const(asked);
                }
                let guard = guard.tokens;
                pattern.extend(quote!(if #guard));
            }
            let (body, roots) = self.arm(into, may_leave(&arm.body), |this| {
                if let Some(of) = &matched {
                    return this.variant_arm((of, lent), pat, &arm.body, into);
                }
                this.bind_matched(pat, &scrutinee);
                this.copy_operands((&branch.expr, pat), &arm.body);
                this.arm_body(&arm.body, into)
            });
            self.varied.extend(inactive);
            arms.push(Arm { pattern, body });
            changed.extend(roots);
        }
        self.join(changed);
        self.push(Item::Branch {
            arms,
            selector: Selector::Match(selector),
        });
    }

    /// What stands behind `=>`, and its value, if one goes anywhere and is not there already.
    pub(crate) fn arm_body(&mut self, body: &Expr, into: Option<RootId>) -> Option<Atom> {
        match body {
            Expr::Block(block) => self.statements(&block.block.stmts),
            Expr::If(_) | Expr::Match(_) if into.is_some() => {
                self.branch(body, into);
                self.delivered = true;
                None
            }
            body if into.is_some() && !is_leaving(body) => Some(self.value(body)),
            body => {
                let statement = Stmt::Expr(body.clone(), Some(Default::default()));
                self.statements(std::slice::from_ref(&statement));
                None
            }
        }
    }

    /// The guard of an arm, which knows the names of its pattern.
    fn guard(&mut self, guard: &Expr, pat: &Pat, scrutinee: &Atom) -> Plain {
        self.scopes.push(Default::default());
        self.bind_matched(pat, scrutinee);
        let guard = self.plain(guard);
        self.scopes.pop();
        guard
    }

    /// Where guards may have effects, they are asked once: makes the number of the arm the selector, beside what is matched.
    fn asked_once(&mut self, branch: &ExprMatch, selector: &mut Atom) -> bool {
        let of = self.atom_expr(selector);
        let (mut pure, mut arms, mut asked) = (true, Vec::new(), of.uses.clone());
        for (i, arm) in branch.arms.iter().enumerate() {
            let Pat::Guard(guarded) = &arm.pat else {
                let pat = &arm.pat;
                arms.push(quote!(#pat => #i));
                continue;
            };
            let guard = self.guard(&guarded.guard, &guarded.pat, selector);
            pure &= guard.pure || guard.loops;
            asked.extend(&guard.expr.uses);
            let (pat, guard) = (&guarded.pat, guard.expr.tokens);
            arms.push(quote!(#pat if #guard => #i));
        }
        let takes_all = branch.arms.last().is_some_and(|arm| takes_all(&arm.pat));
        if pure || !takes_all {
            self.refuse_effects(branch, pure);
            return false;
        }
        let matched = &of.tokens;
        let tokens = quote!((match #matched { #(#arms,)* }));
        let number = ir::Expr {
            tokens,
            uses: asked,
        };
        let number = Atom::Def(self.def(DefKind::Opaque(number), false));
        let mut both = self.atom_expr(&number);
        both.uses.extend(&of.uses);
        let number = &both.tokens;
        both.tokens = quote!((#number, #matched));
        *selector = Atom::Const(both);
        true
    }

    /// Refuses guards with calls where no arm takes what is left.
    fn refuse_effects(&mut self, branch: &ExprMatch, pure: bool) {
        for arm in &branch.arms {
            if let Pat::Guard(guarded) = &arm.pat
                && !pure
                && has_code(&guarded.guard)
            {
                self.errors.at(
                    &guarded.guard,
                    "what is called in a guard is asked once: end the `match` with an arm `_ => …`, or write `if` and `else` in this arm",
                );
            }
        }
    }

    fn bind_matched(&mut self, pat: &Pat, scrutinee: &Atom) {
        match (scrutinee, pat) {
            // a variant, though it looks like a name: another `None` in the arm may be of another type
            (_, Pat::Ident(name)) if name.ident == "None" => {}
            (Atom::Def(d), Pat::Ident(name)) => {
                self.bind(&name.ident.to_string(), Binding::Def(*d));
            }
            _ => self.bind_inactive(pat),
        }
    }

    /// What carries no derivative and is matched: by reference, as the name of a part of memory is in the user's text.
    fn inactive_scrutinee(&mut self, scrutinee: &Expr) -> Atom {
        let behind = match scrutinee {
            Expr::Unary(deref) if matches!(deref.op, syn::UnOp::Deref(_)) => &*deref.expr,
            scrutinee => scrutinee,
        };
        let name = simple_name(behind).and_then(|n| self.lookup(&n));
        let lent = match name {
            Some(Binding::Alias { place, .. }) => !self.is_moved(place),
            _ => self.is_part_of_shared(scrutinee),
        };
        let value = match lent {
            true => self.inactive(&syn::parse_quote!(&#scrutinee)),
            false => self.inactive(scrutinee),
        };
        // a reference goes to no tape: it is had again
        if let Atom::Def(d) = &value
            && (lent || matches!(scrutinee, Expr::Reference(_)) || lends_an_entry(scrutinee))
            && let kind = &mut self.program.defs[*d].kind
            && let DefKind::Opaque(reference) = kind
        {
            *kind = DefKind::Pure(std::mem::take(reference));
        }
        if lent && simple_name(scrutinee).is_none() {
            // the place, of which the patterns bind what they did
            let of = self.atom_expr(&value);
            let tokens = of.tokens;
            return Atom::Const(ir::Expr {
                tokens: quote!((*#tokens)),
                uses: of.uses,
            });
        }
        value
    }

    /// `c.mode`, of a parameter that is lent for reading.
    fn is_part_of_shared(&self, place: &Expr) -> bool {
        let root = varied::place_root(place).and_then(|name| self.lookup(&name));
        let Some(Binding::Root(root)) = root else {
            return false;
        };
        let passing = match self.program.roots[*root].kind {
            RootKind::Param { passing, .. } => passing,
            _ => return false,
        };
        passing == Passing::Shared && matches!(place, Expr::Field(_) | Expr::Index(_))
    }

    /// Copies the numbers that an arm computes with, where its pattern binds references to them: a rule takes values.
    fn copy_operands(&mut self, (scrutinee, pat): (&Expr, &Pat), body: &Expr) {
        let lends = self.is_reference(scrutinee) || lends_an_entry(scrutinee);
        if self.is_varied(scrutinee) || !lends || super::variant::is_name(pat) {
            return;
        }
        let operands = usage::operands_of(body);
        for name in patterns::lent_names(pat) {
            if operands.contains(&name.to_string()) {
                let copy = ir::Expr {
                    tokens: quote!(::coenzyme::__private::copy(#name)),
                    ..Default::default()
                };
                let copy = self.def(DefKind::Pure(copy), false);
                self.bind(&name.to_string(), Binding::Def(copy));
            }
        }
    }

    pub(crate) fn bind_inactive(&mut self, pat: &Pat) {
        if patterns::has_mutable_reference(pat) {
            self.errors.at(pat, inline::REF_MUT);
        }
        for name in varied::bound_names(pat) {
            self.bind(&name, Binding::Inactive);
        }
    }
}

/// Whether the last arm fits whatever is left.
fn takes_all(pat: &Pat) -> bool {
    match pat {
        Pat::Ident(name) => name.subpat.is_none(),
        pat => varied::bound_names(pat).is_empty(),
    }
}

/// The last arm's pattern beside its number.
fn last(pat: &Pat) -> TokenStream {
    match pat {
        Pat::Ident(_) => quote!((_, #pat)),
        _ => quote!(_),
    }
}

/// Whether patterns begin with `&`.
fn references(patterns: &[&Pat]) -> bool {
    patterns.iter().any(|pat| super::variant::is_reference(pat))
}

/// What is done before an entry is read, and the entry, which may be a slice: `{ at += 1; &x[at - 1] }`.
pub(crate) fn after_steps(entry: Expr) -> (Vec<Stmt>, Expr) {
    match entry {
        Expr::Block(block) if block.label.is_none() && is_step(&block.block) => {
            let mut stmts = block.block.stmts;
            match stmts.pop() {
                Some(Stmt::Expr(entry, None)) => (stmts, entry),
                _ => unreachable!("a step ends in an entry"),
            }
        }
        entry => (Vec::new(), entry),
    }
}

/// Whether a block is `{ at += 1; entry }`, which binds no names.
fn is_step(block: &syn::Block) -> bool {
    matches!(
        &block.stmts[..],
        [Stmt::Expr(Expr::Binary(_), Some(_)), Stmt::Expr(_, None)]
    )
}
