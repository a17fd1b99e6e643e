//! Values that may be absent: the closures of `filter_map`, `map_while` and `scan`, which give `Some(x)` or `None`, and
//! `unwrap_or` of an `Option`.
//!
//! ```text
//! // xs.iter().filter_map(|x| if *x > 0.0 { Some(x.ln()) } else { None })
//! let mut kept;
//! let value = if x > 0.0 { kept = true; x.ln() } else { kept = false; blank };
//! if kept { … }
//! ```

use quote::{ToTokens, quote};
use syn::{Expr, ExprClosure, ExprMethodCall, Pat, Stmt};

use super::element::Element;
use super::{Binding, Lower, place};
use crate::differentiable::ir::{self, *};

/// The name of the flag where a closure's ends are written out.
const KEPT: &str = "__kept";

impl<'l> Lower<'l> {
    /// Runs `some` with what is in the `Some` that `f` gives for `element`, `none` if it gives `None`.
    pub(super) fn if_some(
        &mut self,
        f: &ExprClosure,
        element: Element,
        some: impl FnOnce(&mut Self, Element),
        none: impl FnOnce(&mut Self),
    ) {
        let mut f = f.clone();
        if let Err(end) = flagged(&mut f.body) {
            return self.errors.at(
                end,
                "this is not known to be there or not: end the closure in `Some(…)` or `None`",
            );
        }
        let kept = self.flag("kept");
        self.scopes.push(Default::default());
        self.bind(KEPT, Binding::Root(kept));
        let value = self.apply(&f, vec![element]);
        self.scopes.pop();
        let kept = Atom::Def(self.version(kept));
        self.either(kept, |this| some(this, Element::Atom(value)), none);
    }

    /// What the closure of `scan` gives: it must not end the chain.
    pub(super) fn scanned(&mut self, state: RootId, f: &ExprClosure, element: Element) -> Element {
        let mut f = f.clone();
        if let Err(end) = unwrapped(&mut f.body) {
            self.errors.at(
                end,
                "the closure of `scan` ends in `Some(…)` here: write a loop with `break`",
            );
        }
        let state = Element::Bind(Binding::Root(state));
        Element::Atom(self.apply(&f, vec![state, element]))
    }

    /// The state of `scan`, which begins as `start`.
    pub(super) fn state(&mut self, start: &Expr) -> RootId {
        let value = self.value(start);
        let value = match value {
            Atom::Const(expr) => {
                let float =
                    matches!(start, Expr::Lit(lit) if matches!(lit.lit, syn::Lit::Float(_)));
                let ty = float.then(|| self.scalar.clone());
                let expr = super::binding::annotated(ty.as_ref(), expr);
                Atom::Def(self.def(DefKind::Pure(expr), false))
            }
            value => value,
        };
        let in_parts = matches!(start, Expr::Tuple(_) | Expr::Array(_) | Expr::Struct(_));
        let root = self.variable("state", value, true);
        if in_parts {
            self.program.roots[root].kind = RootKind::Memory;
            self.versions.remove(&root);
        }
        root
    }

    /// `o.unwrap_or(d)`, `o.map_or(d, f)` of an active `Option`; `v.first().copied().unwrap_or(d)`.
    pub(super) fn or_default(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let args: Vec<&Expr> = call.args.iter().collect();
        let (option, default): (&Expr, Expr) = match (call.method.to_string().as_str(), &args[..]) {
            ("unwrap_or" | "map_or", [default, ..]) => (&call.receiver, (*default).clone()),
            ("unwrap_or_else" | "map_or_else", [Expr::Closure(default), ..])
                if default.inputs.is_empty() =>
            {
                (&call.receiver, (*default.body).clone())
            }
            ("unwrap_or_default", []) => {
                let scalar = &self.scalar;
                (
                    &call.receiver,
                    syn::parse_quote!(<#scalar as ::coenzyme::__private::Blank>::blank()),
                )
            }
            _ => return None,
        };
        let (pat, value): (Pat, Expr) = match (&args[..], call.method.to_string().as_str()) {
            ([_, Expr::Closure(f)], "map_or" | "map_or_else") => {
                let (pat, body) = (f.inputs.first()?, &f.body);
                (pat.clone(), (**body).clone())
            }
            ([_, f], "map_or" | "map_or_else") => {
                (syn::parse_quote!(__some), syn::parse_quote!(#f(__some)))
            }
            _ => (syn::parse_quote!(__some), syn::parse_quote!(__some)),
        };
        self.varied.insert("__some".to_owned());
        if let Some((test, entry)) = entry_of(option) {
            return Some(self.value(
                &syn::parse_quote!(if #test { let #pat = #entry; #value } else { #default }),
            ));
        }
        self.place(option)?;
        Some(
            self.value(
                &syn::parse_quote!(match #option { Some(#pat) => #value, None => #default }),
            ),
        )
    }

    /// `if let Some(x) = v.get(i)` and the like: whether there is an entry, and the entry.
    pub(super) fn maybe_entry(&mut self, option: &Expr) -> Option<(Expr, Expr)> {
        let (test, entry) = entry_of(option)?;
        self.is_varied(&entry).then_some((test, entry))
    }

    /// Runs one or the other.
    pub(super) fn either(
        &mut self,
        condition: Atom,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let then = self.arm(None, false, |this| {
            then(this);
            None
        });
        let otherwise = self.arm(None, false, |this| {
            otherwise(this);
            None
        });
        self.branch_item(condition, then, otherwise);
    }

    /// A mutable local that only generated code names.
    pub(super) fn variable(&mut self, name: &str, start: Atom, varied: bool) -> RootId {
        let name = self.fresh(name);
        let root = self.root(&name, RootKind::Scalar, varied);
        if let Atom::Def(d) = &start {
            self.versions.insert(root, *d);
        }
        self.push(Item::Declare {
            root,
            init: Init::Value(start),
        });
        root
    }

    /// `a op b` of values without derivative.
    pub(super) fn binary_inactive(&mut self, a: Atom, op: impl ToTokens, b: Atom) -> Atom {
        let (a, b) = (self.atom_expr(&a), self.atom_expr(&b));
        let mut uses = a.uses;
        uses.extend(&b.uses);
        let (a, b) = (a.tokens, b.tokens);
        let tokens = quote!((#a #op #b));
        Atom::Def(self.def(DefKind::Pure(ir::Expr { tokens, uses }), false))
    }

    /// All of a local.
    pub(super) fn whole_of(&self, root: RootId) -> Place {
        place::whole(Base::Root(root))
    }
}

/// Whether there is such an entry, and the entry, of `v.first()`, `v.last()`, `v.get(i)`.
fn entry_of(option: &Expr) -> Option<(Expr, Expr)> {
    let Expr::MethodCall(call) = option else {
        return None;
    };
    let (vector, pop) = (&call.receiver, &call.method);
    Some(
        match (call.method.to_string().as_str(), call.args.first()) {
            ("copied" | "cloned", None) => match entry_of(vector)? {
                (test, Expr::Reference(entry)) => (test, *entry.expr),
                _ => return None,
            },
            ("first", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(&#vector[0]),
            ),
            ("last", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(&#vector[#vector.len() - 1]),
            ),
            ("pop", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(#vector.#pop().unwrap()),
            ),
            ("get", Some(at)) if !matches!(at, Expr::Reference(_) | Expr::Range(_)) => (
                syn::parse_quote!((#at) < #vector.len()),
                syn::parse_quote!(&#vector[#at]),
            ),
            _ => return None,
        },
    )
}

/// `match o { Some(p) => a, _ => b }` as `if let Some(p) = o a else b`.
pub(super) fn as_if_let(branch: &syn::ExprMatch) -> Option<Expr> {
    let [some, none] = &branch.arms[..] else {
        return None;
    };
    let other = match &none.pat {
        Pat::Wild(_) => true,
        Pat::Ident(name) => name.ident == "None",
        Pat::Path(path) => path.path.is_ident("None"),
        _ => false,
    };
    let Pat::TupleStruct(pat) = &some.pat else {
        return None;
    };
    if !other || !pat.path.is_ident("Some") || entry_of(&branch.expr).is_none() {
        return None;
    }
    let block = |body: &Expr| match body {
        Expr::Block(block) if block.label.is_none() => block.block.to_token_stream(),
        body => quote!({ #body }),
    };
    let (then, otherwise, of) = (block(&some.body), block(&none.body), &branch.expr);
    Some(syn::parse_quote!(if let #pat = #of #then else #otherwise))
}

/// Writes `{ kept = true; x }` for `Some(x)` at the ends of an expression, `{ kept = false; blank }` for `None`.
fn flagged(expr: &mut Expr) -> Result<(), Expr> {
    at_ends(expr, &mut |end| {
        let kept = quote::format_ident!("{KEPT}");
        let absent = quote!({ #kept = false; ::coenzyme::__private::Blank::blank() });
        let present = |value: &Expr| quote!({ #kept = true; #value });
        *end = match &*end {
            Expr::Call(call) if is_some(call) => {
                let present = present(&call.args[0]);
                syn::parse_quote!(#present)
            }
            Expr::Path(path) if path.path.is_ident("None") => syn::parse_quote!(#absent),
            // `condition.then_some(x)`, `condition.then(|| x)`
            Expr::MethodCall(call) if call.args.len() == 1 => {
                let value = match (call.method.to_string().as_str(), &call.args[0]) {
                    ("then_some", value) => value,
                    ("then", Expr::Closure(f)) if f.inputs.is_empty() => &*f.body,
                    _ => return Err(end.clone()),
                };
                let (condition, present) = (&call.receiver, present(value));
                syn::parse_quote!(if #condition #present else #absent)
            }
            _ => return Err(end.clone()),
        };
        Ok(())
    })
}

/// Writes `x` for `Some(x)` at the ends of an expression.
fn unwrapped(expr: &mut Expr) -> Result<(), Expr> {
    at_ends(expr, &mut |end| match &*end {
        Expr::Call(call) if is_some(call) => {
            *end = call.args[0].clone();
            Ok(())
        }
        _ => Err(end.clone()),
    })
}

fn is_some(call: &syn::ExprCall) -> bool {
    matches!(&*call.func, Expr::Path(path) if path.path.is_ident("Some")) && call.args.len() == 1
}

/// Applies `f` to the expressions that may be the value of `expr`.
fn at_ends(expr: &mut Expr, f: &mut dyn FnMut(&mut Expr) -> Result<(), Expr>) -> Result<(), Expr> {
    let of_block =
        |block: &mut syn::Block, f: &mut dyn FnMut(&mut Expr) -> Result<(), Expr>| match block
            .stmts
            .last_mut()
        {
            Some(Stmt::Expr(end, None)) => at_ends(end, f),
            _ => Ok(()),
        };
    match expr {
        Expr::Block(block) => of_block(&mut block.block, f),
        Expr::Paren(paren) => at_ends(&mut paren.expr, f),
        Expr::If(branch) => {
            of_block(&mut branch.then_branch, f)?;
            match &mut branch.else_branch {
                Some((_, otherwise)) => at_ends(otherwise, f),
                None => Ok(()),
            }
        }
        Expr::Match(branch) => branch
            .arms
            .iter_mut()
            .try_for_each(|arm| at_ends(&mut arm.body, f)),
        end => f(end),
    }
}
