//! Parts of enums that an arm changes in place: each is a local of the arm, and the value is assigned with that in it.
//!
//! ```text
//! // match shape { Circle(r) => { *r *= k; } … }
//! let mut r0 = part(&shape, …); let r = &mut r0; *r *= k; *shape = replaced(&shape, &r0);
//! ```

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::visit::{self, Visit};
use syn::visit_mut::VisitMut;
use syn::{Expr, Pat, Stmt};

use super::variant::{fitting, is_name, only};
use crate::differentiable::ir::*;
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::resolve::usage::Usage;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::names::{hidden, simple_name};
use crate::differentiable::syntax::patterns;
use crate::differentiable::tokens::text;

/// A part that is a local meanwhile.
pub(crate) struct Held {
    of: Place,
    pat: Pat,
    name: Ident,
    root: RootId,
}

impl Lower<'_> {
    /// An arm of a `match` on the place `of`: binds what its pattern names, and gives the value of its body. Where the pattern lends,
    /// `lent`, a call that gets a name may change the part.
    pub(crate) fn variant_arm(
        &mut self,
        (of, lent): (&Place, bool),
        pat: &Pat,
        body: &Expr,
        into: Option<RootId>,
    ) -> Option<Atom> {
        let pat = match pat {
            Pat::Guard(guarded) => &*guarded.pat,
            pat => pat,
        };
        self.bind_variant((of, lent), pat, body.to_token_stream());
        if is_name(pat) {
            return self.arm_body(body, into);
        }
        // nothing but a copy is changed behind a shared reference
        let shared = matches!(of.base, Base::Root(root) if self.is_shared(root));
        let mut names = bound_names(pat);
        names.retain(|name| !shared || is_copy(pat, name));
        let mut changes = Changes {
            lower: self,
            names: &names,
            lent: lent || patterns::has_mutable_reference(pat),
            place: of,
            refused: false,
        };
        let changed = changes.of(body);
        if changed.is_empty() {
            return self.arm_body(body, into);
        }
        // what names the whole sees each change
        let at_once = self.names_whole(of, body);
        let body = match at_once {
            true => changes.put_back(body),
            false => body.clone(),
        };
        if let Some(problem) = changes.problem(&changed, &body) {
            self.errors.at(pat, problem);
        }
        let outside = self.held.len();
        for name in changed {
            self.hold(of, pat, format_ident!("{name}", span = self.at));
        }
        let value = self.arm_body(&body, into);
        let held = self.held.split_off(outside);
        if !at_once {
            for part in held {
                self.replace_part(part);
            }
        }
        value
    }

    /// Makes a local of a part that a name is bound to.
    fn hold(&mut self, of: &Place, pat: &Pat, name: Ident) {
        let text = name.to_string();
        let Some(Binding::Def(part)) = self.lookup(&text).cloned() else {
            return;
        };
        let root = self.root(&name, RootKind::Memory, true);
        self.push(Item::Declare {
            root,
            init: Init::Value(Atom::Def(part)),
        });
        if is_copy(pat, &text) {
            return self.bind(&text, Binding::Root(root));
        }
        let (place, exclusive) = (place::whole(Base::Root(root)), true);
        self.bind(&text, Binding::Alias { place, exclusive });
        self.held.push(Held {
            of: of.clone(),
            pat: pat.clone(),
            name,
            root,
        });
    }

    /// Whether a statement stands for the assignment of a part that has changed, which is made then.
    pub(crate) fn is_put_back(&mut self, statement: &Expr) -> bool {
        let Some(name) = simple_name(statement) else {
            return false;
        };
        let is = |part: &&Held| put_back(&part.name.to_string()) == name;
        let Some(part) = self.held.iter().rev().find(is) else {
            return false;
        };
        let (of, pat, name) = (part.of.clone(), part.pat.clone(), part.name.clone());
        let root = part.root;
        self.replace_part(Held {
            of,
            pat,
            name,
            root,
        });
        true
    }

    /// Assigns the value of `of` with the local in place of the part that `pat` calls `name`.
    fn replace_part(&mut self, part: Held) {
        let Held {
            of,
            pat,
            name,
            root,
        } = part;
        let Some(pat) = fitting(&pat) else { return };
        let callee = Callee::Part {
            of: of.clone(),
            pattern: only(&pat, Some(&name)),
            name,
            replaced: true,
        };
        let part = place::whole(Base::Root(root));
        let args = vec![Arg::Shared(of.clone()), Arg::Shared(part)];
        let value = self.finish_call(callee, args, true, Unpack::Plain);
        let mut inside = place::whole(self.atom_base(value));
        inside.suffix = quote!(.0);
        let whole = self.read(inside);
        if let Atom::Def(d) = whole {
            self.constructed.insert(Base::Def(d));
        }
        self.set(of, whole);
    }

    /// Whether an arm names what `of` is a part of, or a part of it.
    fn names_whole(&self, of: &Place, body: &Expr) -> bool {
        let mut find = FindWhole(self, of, false);
        find.visit_expr(body);
        find.2
    }

    /// Whether `name` with these fields may be in the same memory as `of`.
    fn may_meet(&self, of: &Place, name: &str, fields: &[String]) -> bool {
        let place = match self.lookup(name) {
            Some(Binding::Root(root)) => place::whole(Base::Root(*root)),
            Some(Binding::Alias { place, .. }) => place.clone(),
            Some(Binding::View(view)) => view.within().clone(),
            Some(Binding::Part(part)) => part.whole().clone(),
            _ => return false,
        };
        let mut own = members(&place.suffix);
        own.extend_from_slice(fields);
        let meet = own.iter().zip(&members(&of.suffix)).all(|(a, b)| a == b);
        place.base == of.base && meet
    }
}

/// Which names of a pattern are changed.
struct Changes<'a, 'b> {
    lower: &'a Lower<'b>,
    names: &'a [String],
    lent: bool,
    /// What is matched.
    place: &'a Place,
    /// Whether a change cannot be told from what names the whole.
    refused: bool,
}

impl Changes<'_, '_> {
    /// How an expression changes the names, where `grows` tells which functions change a length.
    fn usage(&self, expr: &Expr, grows: impl Fn(&str) -> bool) -> Usage {
        let names = self.names.iter().map(|name| format_ident!("{name}"));
        let mut block: syn::Block = syn::parse_quote!({ #(let mut #names;)* });
        block
            .stmts
            .push(Stmt::Expr(expr.clone(), Some(Default::default())));
        let changes = |name: &str| self.lent && self.lower.callees.changes_receiver(name);
        Usage::of(&block, [], changes, grows, |_| false)
    }

    /// Why this cannot be written out.
    fn problem(&self, changed: &[String], body: &Expr) -> Option<String> {
        let usage = self.usage(body, |name| self.lower.callees.grows(name));
        let grown = changed.iter().find(|name| usage.grown.contains(*name));
        match grown {
            Some(name) => Some(format!("`{name}` is a vector in an enum, whose length has no place in the derivative to change: assign the whole value")),
            None => self.refused.then(|| {
                let name = &changed[0];
                format!("`{name}` is a part of an enum, and one statement changes it and names the whole: write two statements")
            }),
        }
    }

    /// Those that an expression changes.
    fn of(&self, expr: &Expr) -> Vec<String> {
        let usage = self.usage(expr, |_| self.lent);
        let changes = |name: &&String| {
            let sets = [&usage.parts, &usage.whole, &usage.grown];
            sets.iter().any(|set| set.contains(*name))
        };
        self.names.iter().filter(changes).cloned().collect()
    }

    /// An arm in which a statement behind each change stands for the assignment of the whole.
    fn put_back(&mut self, body: &Expr) -> Expr {
        let mut body = body.clone();
        self.visit_arm(&mut body);
        body
    }

    /// An expression that becomes a block, so that statements have a place in it.
    fn visit_arm(&mut self, body: &mut Expr) {
        if !matches!(body, Expr::Block(block) if block.label.is_none()) {
            let mut block: syn::ExprBlock = syn::parse_quote!({});
            block.block.stmts.push(Stmt::Expr(body.clone(), None));
            *body = Expr::Block(block);
        }
        self.visit_expr_mut(body);
    }

    /// What is changed in one statement without blocks, which does not name the whole as well.
    fn simply(&mut self, whole: Option<&Expr>) -> Vec<Stmt> {
        let Some(expr) = whole else { return Vec::new() };
        let changed = self.of(expr);
        self.refused |= !changed.is_empty() && self.lower.names_whole(self.place, expr);
        let names = changed.iter().map(|name| put_back(name));
        names.map(|name| syn::parse_quote!(#name;)).collect()
    }

    /// A statement, with what follows it.
    fn statement(&mut self, mut stmt: Stmt, into: &mut Vec<Stmt>) {
        let (expr, semi) = match &mut stmt {
            Stmt::Expr(expr, semi) => (expr, semi.is_some()),
            Stmt::Local(syn::Local {
                init: Some(init), ..
            }) => (&mut *init.expr, true),
            _ => return into.push(stmt),
        };
        if let Some(head) = head(expr) {
            let put_back = self.simply(head.cloned().as_ref());
            self.refused |= !put_back.is_empty() && !matches!(expr, Expr::ForLoop(_));
            self.visit_expr_mut(expr);
            into.push(stmt);
            return into.extend(put_back);
        }
        let put_back = self.simply(Some(expr));
        if semi || put_back.is_empty() {
            into.push(stmt);
            return into.extend(put_back);
        }
        if let Expr::Assign(_) | Expr::Binary(_) = expr {
            into.push(Stmt::Expr(expr.clone(), Some(Default::default())));
            return into.extend(put_back);
        }
        let value = hidden("changed_value");
        into.push(syn::parse_quote!(let #value = #expr;));
        into.extend(put_back);
        into.push(Stmt::Expr(syn::parse_quote!(#value), None));
    }
}

impl VisitMut for Changes<'_, '_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        for stmt in std::mem::take(&mut block.stmts) {
            self.statement(stmt, &mut block.stmts);
        }
    }
    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        self.visit_arm(&mut arm.body);
    }
    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}
}

/// The statement that stands for the assignment of the whole with this part.
fn put_back(name: &str) -> Ident {
    hidden(&format!("put_back_{name}"))
}

/// What is computed before the statements inside of an expression, if it has some.
fn head(expr: &Expr) -> Option<Option<&Expr>> {
    Some(match expr {
        Expr::If(branch) => Some(&branch.cond),
        Expr::Match(branch) => Some(&branch.expr),
        Expr::While(over) => Some(&over.cond),
        Expr::ForLoop(over) => Some(&over.expr),
        Expr::Block(_) | Expr::Unsafe(_) | Expr::Loop(_) => None,
        _ => return None,
    })
}

/// Finds names that may lead to a place.
struct FindWhole<'a, 'b>(&'a Lower<'b>, &'a Place, bool);

impl<'ast> Visit<'ast> for FindWhole<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match named(expr) {
            Some((name, fields)) => self.2 |= self.0.may_meet(self.1, &name, &fields),
            None => visit::visit_expr(self, expr),
        }
    }
    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        let words = text::words(mac.tokens.clone());
        self.2 |= words.iter().any(|name| self.0.may_meet(self.1, name, &[]));
    }
}

/// `x.a.b`: the name, and the fields.
fn named(expr: &Expr) -> Option<(String, Vec<String>)> {
    match expr {
        Expr::Path(path) => Some((path.path.get_ident()?.to_string(), Vec::new())),
        Expr::Field(field) => {
            let (name, mut fields) = named(&field.base)?;
            fields.push(field.member.to_token_stream().to_string());
            Some((name, fields))
        }
        _ => None,
    }
}

/// The fields that a place begins with.
fn members(suffix: &TokenStream) -> Vec<String> {
    let trees: Vec<String> = suffix.clone().into_iter().map(|t| t.to_string()).collect();
    let fields = trees.chunks(2).take_while(|pair| pair[0] == ".");
    fields.filter_map(|pair| pair.get(1).cloned()).collect()
}

/// Whether a pattern binds a name as `mut name`.
fn is_copy(pat: &Pat, name: &str) -> bool {
    struct Find<'a>(&'a str, bool);
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            let own = pat.mutability.is_some() && pat.by_ref.is_none();
            self.1 |= own && pat.ident == self.0;
            visit::visit_pat_ident(self, pat);
        }
    }
    let mut find = Find(name, false);
    find.visit_pat(pat);
    find.1
}
