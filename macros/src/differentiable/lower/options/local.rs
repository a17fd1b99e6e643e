//! Locals that are an `Option` of an active value, as two locals.
//!
//! ```text
//! // let mut best = None; … best = Some(x); … if let Some(b) = best { … }
//! let (mut there, mut some) = (false, blank); … some = x; there = true; … if there { let b = some; … }
//! ```

use proc_macro2::Ident;
use quote::quote;
use syn::visit::Visit;
use syn::{Expr, ExprMethodCall, Type};

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::{Binding, Lower, binding};
use crate::differentiable::methods::calls;
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::ends::{at_ends, ends_of};
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::options::is_none;
use crate::differentiable::tokens::head::head;

/// The names of what is inside of variants that patterns take apart.
#[derive(Default)]
struct Inside(Vec<String>);

impl<'ast> Visit<'ast> for Inside {
    fn visit_pat_tuple_struct(&mut self, variant: &'ast syn::PatTupleStruct) {
        self.0.extend(variant.elems.iter().flat_map(bound_names));
    }
}

impl Lower<'_> {
    /// Whether an expression is a local `Option`.
    pub(crate) fn is_option(&self, expr: &Expr) -> bool {
        self.option_names(expr).is_some()
    }

    /// The names of the two locals that an `Option` is.
    pub(crate) fn option_names(&self, expr: &Expr) -> Option<(Ident, Ident)> {
        match self.lookup(&simple_name(expr)?)? {
            Binding::Optional { there, some } => Some((there.clone(), some.clone())),
            _ => None,
        }
    }

    pub(crate) fn root_of(&self, name: &Ident) -> Option<RootId> {
        match self.lookup(&name.to_string())? {
            Binding::Root(root) => Some(*root),
            _ => None,
        }
    }

    /// Whether an arm gives what is in an `Option` under a name that is one's outside of it: `match limit { Some(limit) => limit, … }`.
    pub(crate) fn gives_what_is_inside(&self, expr: &Expr) -> bool {
        let (mut inside, mut ends) = (Inside::default(), Vec::new());
        inside.visit_expr(expr);
        ends_of(expr, &mut ends);
        let is_inside = |end: &Expr| simple_name(end).is_some_and(|name| inside.0.contains(&name));
        let mut ends = ends.into_iter();
        ends.any(|end| is_inside(end) && self.written_out(end).is_some())
    }

    /// Whether all that an expression may give is an `Option` that is written out.
    pub(crate) fn gives_option(&self, expr: &Expr) -> bool {
        let mut ends = Vec::new();
        ends_of(expr, &mut ends);
        let is_written_out = |end: &Expr| {
            let error = self.fallible && matches!(end, Expr::Call(_));
            is_none(end) && !error || self.written_out(end).is_some()
        };
        !ends.is_empty() && ends.into_iter().all(is_written_out)
    }

    /// `let mut best = None;`
    pub(crate) fn let_option(&mut self, name: &Ident, ty: Option<&Type>, init: &Expr) {
        let [there, some] = ["there", "some"].map(|part| self.unbound(name, part));
        let blank = ir::Expr {
            tokens: quote!(::coenzyme::__private::Blank::blank()),
            ..Default::default()
        };
        let blank = binding::annotated(inner(ty), blank);
        let blank = Atom::Def(self.def(DefKind::Pure(blank), false));
        let flag = self.flag(&there.to_string());
        let kind = match self.usage.parts.contains(&name.to_string()) {
            true => RootKind::Memory,
            false => RootKind::Scalar,
        };
        let value = self.variable_of(kind, &some.to_string(), blank, true);
        self.bind(&there.to_string(), Binding::Root(flag));
        self.bind(&some.to_string(), Binding::Root(value));
        let text = name.to_string();
        self.set_option(&there, &some, init);
        self.bind(&text, Binding::Optional { there, some });
    }

    /// `best = Some(x);`
    pub(crate) fn assign_option(&mut self, left: &Expr, right: &Expr) {
        if let Some((there, some)) = self.option_names(left) {
            if let Some(branches) = self.in_branches(right) {
                return self.set_option(&there, &some, &branches);
            }
            match self.gives_option(right) {
                true => self.set_option(&there, &some, right),
                false => self.errors.at(
                    right,
                    "this is not known to be there or not: assign `Some(…)`, `None` or another local `Option`",
                ),
            }
        }
    }

    fn set_option(&mut self, there: &Ident, some: &Ident, to: &Expr) {
        let mut ends = Vec::new();
        ends_of(to, &mut ends);
        let entries = ends.into_iter().filter_map(|end| self.test_and_entry(end));
        let entries: Vec<Expr> = entries.map(|(_, entry)| entry).collect();
        if self.refused_parts(&entries) {
            return;
        }
        let slice = entries.into_iter().find(|entry| self.is_slice(entry));
        if let Some(slice) = slice {
            return self.errors.at(
                slice,
                "an `Option` of a slice cannot be followed: keep where it begins and ends, or a copy by `to_vec`",
            );
        }
        let mut to = to.clone();
        let done = at_ends(&mut to, &mut |end| {
            *end = match self.test_and_entry(end) {
                None => syn::parse_quote!({ #there = false; }),
                Some((Expr::Lit(_), entry)) => {
                    syn::parse_quote!({ #some = #entry; #there = true; })
                }
                Some((test, entry)) => {
                    let test = head(&test);
                    syn::parse_quote!(if #test { #some = #entry; #there = true; } else { #there = false; })
                }
            };
            Ok(())
        });
        if done.is_ok() {
            self.expression_statement(&to);
        }
    }

    /// `best.unwrap()`
    pub(crate) fn unwrapped_option(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        if !calls::unwraps(call) {
            return None;
        }
        let mut inner = &*call.receiver;
        while let Expr::MethodCall(method) = inner
            && ["copied", "cloned", "as_ref", "map", "filter"]
                .iter()
                .any(|m| method.method == m)
        {
            inner = &method.receiver;
        }
        let mapped = !std::ptr::eq(inner, &*call.receiver) && !self.is_outcome(inner);
        let written_out = mapped && self.written_out(&call.receiver).is_some();
        if !self.is_option(inner) && !written_out {
            return self.unwrapped_place(inner);
        }
        let (test, entry) = self.written_out(&call.receiver)?;
        self.macro_statement(
            &syn::parse_quote!(assert!(#test, "called `Option::unwrap()` on a `None` value")),
            true,
        );
        Some(self.copied_entry(&entry))
    }

    /// `s.best.unwrap()`, of a field or an entry that is an active `Option`.
    fn unwrapped_place(&mut self, option: &Expr) -> Option<Atom> {
        let part = matches!(option, Expr::Field(_) | Expr::Index(_) | Expr::Path(_));
        if !part || !self.is_varied(option) || self.place(option).is_none() {
            return None;
        }
        self.varied.insert("__some".to_owned());
        Some(self.value(&syn::parse_quote!(match #option {
            Some(__some) => __some,
            None => ::core::panic!("called `Option::unwrap()` on a `None` value"),
        })))
    }
}

/// `T` of `Option<T>`.
fn inner(ty: Option<&Type>) -> Option<&Type> {
    let Some(Type::Path(path)) = ty else {
        return None;
    };
    match &path.path.segments.last()?.arguments {
        syn::PathArguments::AngleBracketed(args) => match args.args.first()? {
            syn::GenericArgument::Type(Type::Infer(_)) => None,
            // what is read behind the reference
            syn::GenericArgument::Type(Type::Reference(reference)) => Some(&reference.elem),
            syn::GenericArgument::Type(ty) => Some(ty),
            _ => None,
        },
        _ => None,
    }
}
