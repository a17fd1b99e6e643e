//! Values that may be absent: `unwrap_or` of an `Option`, `if let Some(x) = v.get(i)`.

use quote::{ToTokens, quote};
use syn::{Expr, ExprMethodCall, Pat};

use crate::differentiable::expand::let_else::lends_an_entry;
use crate::differentiable::ir::*;
use crate::differentiable::lower::iterators::choice;
use crate::differentiable::lower::memory::slice_array;
use crate::differentiable::lower::options::combinator::asks_for_nothing;
use crate::differentiable::lower::values::substituted;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::{calls, table};
use crate::differentiable::resolve::varied;
use crate::differentiable::syntax::options::{self, is_present};
use crate::differentiable::syntax::{chains, names};
use crate::differentiable::tokens::head::head;
use crate::differentiable::tokens::tail::tail;
use crate::signature::Passing;

/// What is said of a default that changes something.
pub(crate) const COMPUTED_ANYWAY: &str = "this is computed whether or not it is needed, and changes a local: bind it to a name with `let` first";

impl Lower<'_> {
    /// `o.unwrap_or(d)`, `o.map_or(d, f)` of an active `Option`; `v.first().copied().unwrap_or(d)`.
    pub(crate) fn or_default(&mut self, call: &ExprMethodCall) -> Option<Atom> {
        let args: Vec<&Expr> = call.args.iter().collect();
        if let Some(matched) = self.with_its_error(call, &args) {
            self.varied.insert("__some".to_owned());
            return Some(self.value(&matched));
        }
        let (option, default): (&Expr, Expr) = match (call.method.to_string().as_str(), &args[..]) {
            ("unwrap_or" | "map_or", [default, ..]) => (&call.receiver, (*default).clone()),
            ("unwrap_or_else" | "map_or_else", [Expr::Closure(default), ..])
                if default.inputs.iter().all(|pat| matches!(pat, Pat::Wild(_))) =>
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
        if self.leads.is_reference(&default) && self.refused_choice(&default) {
            return Some(self.nothing());
        }
        let eager = call.method == "unwrap_or" || call.method == "map_or";
        if eager && self.is_computed_anyway(call) {
            self.errors.at(&call.args[0], COMPUTED_ANYWAY);
            return Some(self.nothing());
        }
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
        // what is behind it: an entry is a value here
        let default = match default {
            Expr::Reference(lent) if !self.is_slice(&lent.expr) => *lent.expr,
            default => default,
        };
        let (value, default) = (tail(&value), tail(&default));
        self.varied.insert("__some".to_owned());
        if let Some((test, entry)) = self.test_and_entry(option) {
            let test = head(&test);
            return Some(self.value(
                &syn::parse_quote!(if #test { let #pat = #entry; #value } else { #default }),
            ));
        }
        // whether it is an `Option` or a `Result`, its type tells
        if self.is_inactive_local(option) {
            return None;
        }
        self.place(option)?;
        Some(
            self.value(
                &syn::parse_quote!(match #option { Some(#pat) => #value, None => #default }),
            ),
        )
    }

    /// `if v.is_empty() { d } else { v[0].clone() }` of `v.first().cloned().unwrap_or(d)`, which is memory.
    pub(crate) fn entry_or_default(&self, init: &Expr) -> Option<Expr> {
        let Expr::MethodCall(call) = init else {
            return None;
        };
        let cloned = matches!(&*call.receiver, Expr::MethodCall(of) if of.method == "cloned");
        if !cloned || !self.is_varied(init) || self.is_computed_anyway(call) {
            return None;
        }
        let default: Expr = match (call.method.to_string().as_str(), call.args.first()) {
            ("unwrap_or", Some(default)) => default.clone(),
            ("unwrap_or_else", Some(Expr::Closure(f))) => (*f.body).clone(),
            ("unwrap_or_else", Some(f)) => syn::parse_quote!(#f()),
            ("unwrap_or_default", None) => syn::parse_quote!(::core::default::Default::default()),
            _ => return None,
        };
        let (test, entry) = self.written_out(&call.receiver)?;
        let (test, default) = (head(&test), tail(&default));
        Some(syn::parse_quote!(if #test { #entry.clone() } else { #default }))
    }

    /// `f(x).unwrap_or_else(|e| d)` and `f(x).map_or_else(|e| d, g)` as a `match`.
    fn with_its_error(&self, call: &ExprMethodCall, args: &[&Expr]) -> Option<Expr> {
        let (Expr::Closure(default), mapped) = (*args.first()?, args.get(1)) else {
            return None;
        };
        let method = call.method.to_string();
        let error = default.inputs.first()?;
        if !["unwrap_or_else", "map_or_else"].contains(&method.as_str())
            || matches!(error, Pat::Wild(_))
            || !self.is_outcome(&call.receiver)
        {
            return None;
        }
        let value: Expr = match mapped {
            Some(f @ Expr::Path(_)) => syn::parse_quote!(#f(__some)),
            Some(f) => syn::parse_quote!((#f)(__some)),
            None => syn::parse_quote!(__some),
        };
        let (of, body) = (head(&call.receiver), tail(&default.body));
        Some(syn::parse_quote!(match #of { Ok(__some) => #value, Err(#error) => #body }))
    }

    /// `if let Some(x) = v.get(i)` and the like: whether there is an entry, and the entry.
    pub(crate) fn maybe_entry(&mut self, option: &Expr) -> Option<(Expr, Expr)> {
        let (test, entry) = self.test_and_entry(option)?;
        let wanted = self.is_varied(&entry) || lends_an_entry(option) || self.advances(option);
        wanted.then_some((test, entry))
    }

    /// Whether there is a value, and the value, of an `Option` that is written out: `v.first()`, `v.get(i)`, a local one,
    /// `Some(x)`, and what `copied`, `map` and `filter` make of these.
    pub(crate) fn test_and_entry(&self, option: &Expr) -> Option<(Expr, Expr)> {
        match option {
            Expr::Paren(paren) => self.test_and_entry(&paren.expr),
            option => self.written_out(option).or_else(|| self.of_call(option)),
        }
    }

    /// As [`test_and_entry`](Self::test_and_entry), but not of what a differentiated call gives.
    pub(crate) fn written_out(&self, option: &Expr) -> Option<(Expr, Expr)> {
        match option {
            Expr::Paren(paren) => self.written_out(&paren.expr),
            Expr::Reference(reference) if self.is_option(&reference.expr) => {
                let (test, entry) = self.test_and_entry(&reference.expr)?;
                let and = (&reference.and_token, &reference.mutability);
                let (and, mutability) = and;
                Some((test, syn::parse_quote!(#and #mutability #entry)))
            }
            Expr::Path(_) => match self.option_names(option) {
                Some((there, some)) => Some((syn::parse_quote!(#there), syn::parse_quote!(#some))),
                None if self.is_of_type_option(option) => Some(presence(option)),
                None => None,
            },
            Expr::Call(call) if options::is_some(call) => {
                Some((syn::parse_quote!(true), call.args[0].clone()))
            }
            // where the function returns a `Result`, what is lost of the error could be asked for
            Expr::Call(call) if !self.fallible && options::is_ok(call) => {
                Some((syn::parse_quote!(true), call.args[0].clone()))
            }
            // whatever its name, the method is the type's own
            Expr::MethodCall(call) if self.is_own_method(call) => None,
            Expr::MethodCall(call) => self
                .of_method(call)
                .or_else(|| self.next_of(call))
                .or_else(|| choice::test_and_choice(call))
                .or_else(|| slice_array::chunk_of(call))
                .or_else(|| self.entry_in(option)),
            _ => None,
        }
    }

    /// As [`entry_of`], where `get` of what is inactive may be that of a map.
    fn entry_in(&self, option: &Expr) -> Option<(Expr, Expr)> {
        let (test, entry) = entry_of(option)?;
        let mut get = option;
        while let Expr::MethodCall(call) = get {
            if call.method == "get" && !self.is_list_by_number(call) {
                return Some((syn::parse_quote!(#get.is_some()), entry));
            }
            get = &call.receiver;
        }
        Some((test, entry))
    }

    /// Whether `get` is asked for a number, as far as tokens tell, or asked of a list.
    fn is_list_by_number(&self, get: &ExprMethodCall) -> bool {
        use syn::Type;
        let numbered = get.args.iter().all(|at| match at {
            Expr::Binary(_) | Expr::Cast(_) => true,
            Expr::Lit(literal) => matches!(literal.lit, syn::Lit::Int(_)),
            _ => false,
        });
        let list = |ty: &Type| match ty {
            Type::Slice(_) | Type::Array(_) => true,
            Type::Path(path) => path.path.segments.last().is_some_and(|s| s.ident == "Vec"),
            _ => false,
        };
        self.is_varied(&get.receiver)
            && (numbered
                || self.type_of(&get.receiver).is_some_and(|ty| match &ty {
                    Type::Reference(lent) => list(&lent.elem),
                    ty => list(ty),
                }))
    }

    /// As [`test_and_entry`](Self::test_and_entry), of a field, or of a reference to what is in it, that is mapped as an `Option` is.
    fn of_field(&self, option: &Expr) -> Option<(Expr, Expr)> {
        match option {
            Expr::Field(_) if self.is_varied(option) => Some(presence(option)),
            Expr::MethodCall(call)
                if ["as_ref", "copied", "cloned"]
                    .iter()
                    .any(|m| call.method == m) =>
            {
                self.of_field(&call.receiver)
            }
            _ => None,
        }
    }

    /// Whether `let name = x.map(f)` binds something else than an `Option`, as far as its uses tell.
    pub(crate) fn maps_entries(&self, name: &str, init: &Expr) -> bool {
        let Expr::MethodCall(call) = init else {
            return false;
        };
        let field = matches!(&*call.receiver, Expr::Field(_));
        let other = match field {
            true => !self.usage.optional.contains(name),
            false => self.usage.memory.contains(name),
        };
        other && call.method == "map" && call.args.len() == 1
    }

    /// Whether a name is of type `Option`, and active.
    fn is_of_type_option(&self, name: &Expr) -> bool {
        let ty = self.is_varied(name).then(|| self.type_of(name)).flatten();
        matches!(ty, Some(syn::Type::Path(path)) if path.path.segments.last().is_some_and(|s| s.ident == "Option"))
    }

    /// As [`test_and_entry`](Self::test_and_entry), of the `Option` or `Result` of a differentiated call that changes nothing: the
    /// function itself says whether there is a value, and is then called by its rules.
    pub(crate) fn of_call(&self, option: &Expr) -> Option<(Expr, Expr)> {
        if !self.is_outcome(option) || self.changes_arguments(option) {
            return None;
        }
        let primal = self.with_references(option);
        let test = syn::parse_quote!(::coenzyme::__private::is_there(&#primal));
        Some((test, calls::tested(option)))
    }

    /// A call with a `&` before names that stand for a part of memory, and copies of what a loop has by value.
    pub(crate) fn with_references(&self, call: &Expr) -> Expr {
        let mut call = call.clone();
        let args = match &mut call {
            Expr::Call(call) => &mut call.args,
            Expr::MethodCall(call) => &mut call.args,
            _ => return call,
        };
        for arg in args {
            let binding = names::simple_name(arg).and_then(|n| self.lookup(&n));
            // what is moved into the call is moved into the one that counts
            let is_moved = match binding {
                Some(Binding::Root(r)) => self.program.roots[*r].kind == RootKind::Memory,
                Some(Binding::Def(d)) => self.program.defs[*d].varied,
                Some(_) => false,
                None => matches!(arg, Expr::Field(_)) && self.is_varied(arg),
            };
            if is_moved {
                *arg = syn::parse_quote!(::core::clone::Clone::clone(&#arg));
                continue;
            }
            match binding {
                Some(Binding::Alias { place, .. }) if self.is_moved(place) => {
                    *arg = syn::parse_quote!(::core::clone::Clone::clone(&#arg));
                }
                Some(Binding::Alias { .. } | Binding::View(_)) => {
                    *arg = syn::parse_quote!(&#arg);
                }
                _ => {}
            }
        }
        call
    }

    /// Whether an expression is a differentiated call, which may return an `Option` or a `Result`.
    pub(crate) fn is_outcome(&self, expr: &Expr) -> bool {
        self.may_be_outcome(expr) && self.is_varied(expr)
    }

    /// As [`is_outcome`](Self::is_outcome), where names that are bound later make it active or not.
    pub(crate) fn may_be_outcome(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Call(call) => {
                matches!(&*call.func, Expr::Path(_))
                    && !substituted::is_tuple_constructor(&call.func)
                    && !self.is_local(&call.func)
            }
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                !calls::is_std_call(call)
                    && !table::is_pure(&name)
                    && !["filter", "then", "then_some"].contains(&name.as_str())
            }
            _ => false,
        }
    }

    /// Whether a call is lent something that it can change.
    pub(crate) fn changes_arguments(&self, call: &Expr) -> bool {
        let exclusive = |e: &Expr| match e {
            Expr::Reference(reference) => reference.mutability.is_some(),
            Expr::MethodCall(call) => call.method.to_string().ends_with("_mut"),
            _ => names::simple_name(e)
                .and_then(|n| self.lookup(&n))
                .is_some_and(|b| match b {
                    Binding::Alias { exclusive, .. } => *exclusive,
                    Binding::View(view) => view.is_exclusive(),
                    Binding::Root(r) => matches!(
                        self.program.roots[*r].kind,
                        RootKind::Param {
                            passing: Passing::Exclusive,
                            ..
                        }
                    ),
                    _ => false,
                }),
        };
        match call {
            Expr::Call(call) => call.args.iter().any(exclusive),
            Expr::MethodCall(call) => {
                let receiver = varied::place_root(&call.receiver)
                    .filter(|_| !self.callees.keeps_receiver(&call.method.to_string()));
                let mutable = receiver.is_some_and(|r| {
                    let name = quote::format_ident!("{r}");
                    self.usage.is_mutable(&r) || exclusive(&syn::parse_quote!(#name))
                });
                mutable || call.args.iter().any(exclusive)
            }
            _ => true,
        }
    }

    fn of_method(&self, call: &ExprMethodCall) -> Option<(Expr, Expr)> {
        let of = &call.receiver;
        if self.is_computed_anyway(call) {
            return None;
        }
        let not_first = |(test, entry): (Expr, Expr)| match entry {
            Expr::Reference(entry) => (test, *entry.expr),
            entry => (test, entry),
        };
        Some(
            match (call.method.to_string().as_str(), call.args.first()) {
                // the value is the same, whatever is said of its absence
                ("ok", None) | ("ok_or" | "ok_or_else" | "map_err", Some(_)) => {
                    self.test_and_entry(of)?
                }
                ("as_mut", None) if self.is_option(of) => {
                    let (there, some) = self.option_names(of)?;
                    (syn::parse_quote!(#there), syn::parse_quote!(&mut #some))
                }
                ("copied" | "cloned" | "as_ref" | "as_deref", None) => {
                    not_first(self.test_and_entry(of)?)
                }
                ("map", Some(f)) => {
                    let (test, entry) = self.test_and_entry(of).or_else(|| self.of_field(of))?;
                    (
                        test,
                        match f {
                            f @ Expr::Path(_) => syn::parse_quote!(#f(#entry)),
                            f => syn::parse_quote!((#f)(#entry)),
                        },
                    )
                }
                ("filter", Some(Expr::Closure(f))) => {
                    let (test, entry) = self.test_and_entry(of)?;
                    let condition: Expr =
                        syn::parse_quote!((#test && ::coenzyme::__private::keeps(&(#entry), #f)));
                    (condition, entry)
                }
                ("zip", Some(other)) => {
                    let ((test, entry), (and, other)) =
                        (self.test_and_entry(of)?, self.test_and_entry(other)?);
                    (
                        syn::parse_quote!((#test && #and)),
                        syn::parse_quote!((#entry, #other)),
                    )
                }
                ("or", Some(other)) => self.first_there(of, other)?,
                ("or_else", Some(Expr::Closure(f))) if asks_for_nothing(f) => {
                    self.first_there(of, &f.body)?
                }
                ("take", None) if self.is_option(of) => {
                    let (there, some) = self.option_names(of)?;
                    (
                        syn::parse_quote!(#there),
                        syn::parse_quote!({ #there = false; #some }),
                    )
                }
                ("then_some", Some(value)) => (syn::parse_quote!(#of), value.clone()),
                ("then", Some(Expr::Closure(f))) if f.inputs.is_empty() => {
                    (syn::parse_quote!(#of), (*f.body).clone())
                }
                _ => return None,
            },
        )
    }

    /// Of two `Option`s the first that has a value.
    fn first_there(&self, a: &Expr, b: &Expr) -> Option<(Expr, Expr)> {
        let ((test, first), (or, second)) = (self.test_and_entry(a)?, self.test_and_entry(b)?);
        let either = syn::parse_quote!((#test || #or));
        let (test, first, second) = (head(&test), tail(&first), tail(&second));
        Some((
            either,
            syn::parse_quote!(if #test { #first } else { #second }),
        ))
    }

    /// `match o { Some(p) => a, None => b }` as `if let Some(p) = o a else b`, where `o` is written out.
    pub(crate) fn as_if_let(&self, branch: &syn::ExprMatch) -> Option<Expr> {
        let [a, b] = &branch.arms[..] else {
            return None;
        };
        let is_none = |pat: &Pat| match pat {
            Pat::Ident(name) => name.ident == "None",
            Pat::Path(path) => path.path.is_ident("None"),
            Pat::TupleStruct(pat) => {
                pat.path.is_ident("Err")
                    && pat
                        .elems
                        .iter()
                        .all(|e| matches!(e, Pat::Wild(_) | Pat::Rest(_)))
            }
            _ => false,
        };
        let (some, none) = match is_none(&a.pat) {
            true => (b, a),
            false => (a, b),
        };
        let Pat::TupleStruct(pat) = &some.pat else {
            return None;
        };
        let other = is_none(&none.pat) || matches!(none.pat, Pat::Wild(_));
        if !other || !is_present(pat) || self.test_and_entry(&branch.expr).is_none() {
            return None;
        }
        let block = |body: &Expr| match body {
            Expr::Block(block) if block.label.is_none() => block.block.to_token_stream(),
            body => {
                let body = tail(body);
                quote!({ #body })
            }
        };
        let (then, otherwise) = (block(&some.body), block(&none.body));
        let of = head(&branch.expr);
        syn::parse2(quote!(if let #pat = #of #then else #otherwise)).ok()
    }
}

/// Whether there is such an entry, and the entry, of `v.first()`, `v.last()`, `v.get(i)`.
fn entry_of(option: &Expr) -> Option<(Expr, Expr)> {
    let Expr::MethodCall(call) = option else {
        return None;
    };
    let (vector, pop) = (&call.receiver, &call.method);
    if chains::is_chain(vector) && call.method != "copied" && call.method != "cloned" {
        return None;
    }
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
            ("split_first", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!((&#vector[0], &#vector[1..])),
            ),
            ("split_last", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!((&#vector[#vector.len() - 1], &#vector[..#vector.len() - 1])),
            ),
            ("split_first_mut", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!((&mut #vector[0], &mut #vector[1..])),
            ),
            ("split_last_mut", None) => {
                let last = quote!(::coenzyme::__private::typed(#vector.len() - 1));
                (
                    syn::parse_quote!(!#vector.is_empty()),
                    syn::parse_quote!((&mut #vector[#last], &mut #vector[..#last])),
                )
            }
            ("first_mut", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(&mut #vector[0]),
            ),
            ("last_mut", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                // a number of its own: the place is borrowed while its index is computed
                syn::parse_quote!(&mut #vector[::coenzyme::__private::typed(#vector.len() - 1)]),
            ),
            ("get", Some(at @ Expr::Range(_))) => (
                syn::parse_quote!(#vector.get(#at).is_some()),
                syn::parse_quote!(&#vector[#at]),
            ),
            ("get_mut", Some(at @ Expr::Range(_))) => (
                syn::parse_quote!(#vector.get(#at).is_some()),
                syn::parse_quote!(&mut #vector[#at]),
            ),
            ("get_mut", Some(at)) if !matches!(at, Expr::Reference(_) | Expr::Range(_)) => (
                syn::parse_quote!((#at) < #vector.len()),
                syn::parse_quote!(&mut #vector[#at]),
            ),
            ("pop", None) => (
                syn::parse_quote!(!#vector.is_empty()),
                syn::parse_quote!(#vector.#pop().unwrap()),
            ),
            // of a map
            ("get", Some(key)) if is_key(key) => (
                syn::parse_quote!(#vector.get(#key).is_some()),
                syn::parse_quote!(&#vector[#key]),
            ),
            ("get", Some(at)) => (
                syn::parse_quote!((#at) < #vector.len()),
                syn::parse_quote!(&#vector[#at]),
            ),
            _ => return None,
        },
    )
}

/// Whether what `get` is asked for is no number: `"name"`, `&name`.
fn is_key(at: &Expr) -> bool {
    match at {
        Expr::Reference(_) => true,
        Expr::Lit(literal) => !matches!(literal.lit, syn::Lit::Int(_)),
        _ => false,
    }
}

/// The place that `v.first_mut().unwrap()`, `v.last_mut().unwrap()`, `v.get_mut(i).unwrap()` lead to.
pub(crate) fn lent_entry(call: &ExprMethodCall) -> Option<Expr> {
    match &*call.receiver {
        Expr::MethodCall(entry)
            if ["first_mut", "last_mut", "get_mut"]
                .iter()
                .any(|m| entry.method == m) =>
        {
            unwrapped_entry(call)
        }
        _ => None,
    }
}

/// The entry that is there by `unwrap` or `expect`.
pub(crate) fn unwrapped_entry(call: &ExprMethodCall) -> Option<Expr> {
    if !calls::unwraps(call) {
        return None;
    }
    match entry_of(&call.receiver)? {
        (_, Expr::Reference(entry)) => Some(*entry.expr),
        _ => None,
    }
}

/// The call that an expression asks whether there is a value, if it does: a differentiated one that changes nothing.
pub(crate) fn asked_call(expr: &Expr) -> Option<Expr> {
    let Expr::Call(call) = expr else { return None };
    let asks = matches!(&*call.func, Expr::Path(path)
        if path.path.leading_colon.is_some() && path.path.segments.last().is_some_and(|s| s.ident == "is_there"));
    match call.args.first() {
        Some(Expr::Reference(asked)) if asks => Some((*asked.expr).clone()),
        _ => None,
    }
}

/// Whether there is a value in an `Option`, and the value.
fn presence(option: &Expr) -> (Expr, Expr) {
    let of = head(option);
    (
        syn::parse_quote!(#option.is_some()),
        // by paths: this `match` is not written out again
        syn::parse_quote!(match #of {
            ::core::option::Option::Some(__value) => __value,
            _ => ::core::unreachable!(),
        }),
    )
}
