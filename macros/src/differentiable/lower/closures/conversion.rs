//! Closures that are passed to a function: each becomes a function of its own, with what it captures as its last arguments.
//!
//! ```text
//! // simpson(|t| amplitude * (rate * t).sin(), 0.0, 1.0, 10)
//! #[differentiable]
//! fn closure_1(t: f64, amplitude: &f64, rate: &f64) -> f64 {
//!     let amplitude = *amplitude;
//!     let rate = *rate;
//!     amplitude * (rate * t).sin()
//! }
//! // and `closure_1` with `amplitude` and `rate` given is what the rules of `simpson` call
//! ```
//!
//! A function has types in its signature. They are those of parameters, those that `let` is given, those that the function that is called
//! says, and the number type of the function for an active value of which nothing else is known.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::visit::{self, Visit};
use syn::{Expr, ExprClosure, Pat, ReturnType, Type};

use crate::differentiable::ir::{self, *};
use crate::differentiable::lower::memory::place;
use crate::differentiable::lower::references::aliasing;
use crate::differentiable::lower::values::types::entry_type;
use crate::differentiable::lower::{Binding, Lower, Scopes};
use crate::differentiable::resolve::usage::{self, Usage};
use crate::differentiable::resolve::varied::bound_names;
use crate::differentiable::syntax::closure_output::value_type;
use crate::differentiable::syntax::{closure_inputs, names};
use crate::differentiable::tokens::tail::tail;
use crate::differentiable::tokens::text;

/// A captured name: its parameter, the statement that gives it its value, and the argument.
struct Capture {
    name: Ident,
    of: Option<(Base, String)>,
    parameter: TokenStream,
    value: TokenStream,
    argument: Arg,
}

/// The names of the functions that the closures of a function become.
pub(crate) struct ClosureNames {
    prefix: String,
    given: usize,
}

impl ClosureNames {
    /// Those of a closure inside of another one begin with the name of that.
    pub(crate) fn of(function: &Ident) -> Self {
        let name = function.to_string();
        let prefix = match name.starts_with(PREFIX) {
            true => name,
            false => PREFIX.to_owned(),
        };
        Self { prefix, given: 0 }
    }

    fn next(&mut self) -> Ident {
        self.given += 1;
        format_ident!("{}_{}", self.prefix, self.given, span = Span::call_site())
    }
}

/// How the name of every such function begins.
const PREFIX: &str = "closure";

/// What a binding stands for.
fn identity(binding: &Binding) -> Option<(Base, String)> {
    match binding {
        Binding::Def(d) => Some((Base::Def(*d), String::new())),
        Binding::Root(r) => Some((Base::Root(*r), String::new())),
        Binding::Alias { place, .. } => Some((place.base, place.suffix.to_string())),
        _ => None,
    }
}

impl Lower<'_> {
    /// The closure that an argument is, and the scopes in which one with a name was written.
    pub(crate) fn closure<'e>(
        &'e self,
        arg: &'e Expr,
    ) -> Option<(&'e ExprClosure, Option<&'e Scopes>)> {
        match arg {
            Expr::Closure(closure) => Some((closure, None)),
            Expr::Paren(paren) => self.closure(&paren.expr),
            Expr::Reference(reference) => self.closure(&reference.expr),
            Expr::Path(_) => match self.lookup(&names::simple_name(arg)?)? {
                Binding::Closure { closure, scopes } => Some((closure, Some(scopes))),
                _ => None,
            },
            _ => None,
        }
    }

    /// The closure that an argument is, as a function with arguments.
    pub(crate) fn lifted(&mut self, arg: &Expr) -> Option<Arg> {
        let (closure, scopes) = self.closure(arg)?;
        let (mut closure, scopes) = (closure.clone(), scopes.cloned());
        if let Some(told) = self.told_closure.take() {
            told.annotate(&mut closure);
        }
        let mut captures = Vec::new();
        let mut inner = TokenStream::new();
        self.captures(&closure, scopes, &mut captures, &mut inner);
        let function = self.closures.next();
        self.define(&function, &closure, &captures, inner);
        let captured = captures.into_iter().map(|c| c.argument).collect();
        let point = self.point();
        Some(Arg::Closure {
            function,
            captured,
            point,
        })
    }

    /// The function `function(inputs, captures)`.
    fn define(
        &mut self,
        function: &Ident,
        closure: &ExprClosure,
        captures: &[Capture],
        inner: TokenStream,
    ) {
        let scalar = &self.scalar;
        let inputs = closure.inputs.iter().map(|pat| match pat {
            Pat::Type(typed) => typed.to_token_stream(),
            pat => {
                let ty = closure_inputs::type_of(pat, &closure.body, scalar);
                quote!(#pat: #ty)
            }
        });
        let inputs: Vec<TokenStream> = inputs.collect();
        let output = match &closure.output {
            ReturnType::Type(_, ty) => ty.to_token_stream(),
            ReturnType::Default => value_type(closure, scalar).to_token_stream(),
        };
        let parameters = captures.iter().map(|c| &c.parameter);
        let signature = quote!((#(#inputs,)* #(#parameters,)*) -> #output);
        let generics = self.generics_in(&signature);
        let where_clause = match generics.params.is_empty() {
            true => None,
            false => generics.where_clause.clone(),
        };
        let values = captures.iter().map(|c| &c.value);
        let body = tail(&closure.body);
        self.program.inner.insert(function.clone());
        self.program.items.extend(without_self(quote! {
            #[::coenzyme::differentiable]
            fn #function #generics #signature #where_clause {
                #(#values)*
                #inner
                #body
            }
        }));
    }

    /// The generic parameters that a signature names.
    fn generics_in(&self, signature: &TokenStream) -> syn::Generics {
        let mut generics = self.generics.clone();
        let named = |ident: &Ident| text::names(signature.clone(), ident);
        generics.params = generics
            .params
            .into_iter()
            .filter(|p| match p {
                syn::GenericParam::Type(t) => named(&t.ident),
                syn::GenericParam::Const(c) => named(&c.ident),
                syn::GenericParam::Lifetime(_) => false,
            })
            .collect();
        generics
    }

    /// What a closure captures; closures among it are written out in `inner`.
    fn captures(
        &mut self,
        closure: &ExprClosure,
        scopes: Option<Scopes>,
        captures: &mut Vec<Capture>,
        inner: &mut TokenStream,
    ) {
        // the names of a closure mean what they meant where it was written
        let outside = scopes.map(|scopes| std::mem::replace(&mut self.scopes, scopes));
        let own: Vec<String> = closure.inputs.iter().flat_map(bound_names).collect();
        let mut changed = Usage::default();
        changed.visit_expr(&closure.body);
        for name in names_in(&closure.body) {
            let text = name.to_string();
            if own.contains(&text) {
                continue;
            }
            let Some(binding) = self.lookup(&text).cloned() else {
                continue;
            };
            if let Some(known) = captures.iter().find(|c| c.name == name) {
                if known.of != identity(&binding) {
                    self.errors.at(
                        &name,
                        format!("this closure and one that it calls capture two values named `{name}`: give one of them another name"),
                    );
                }
                continue;
            }
            if let Binding::Closure { closure, scopes } = &binding {
                self.captures(closure, Some(scopes.clone()), captures, inner);
                inner.extend(quote!(let #name = #closure;));
                continue;
            }
            if changed.whole.contains(&text) || changed.parts.contains(&text) {
                self.errors.at(
                    closure,
                    format!("this closure changes `{text}`, and a function that it is passed to has no shadow of that: write the loop here, or return the value"),
                );
                continue;
            }
            captures.extend(self.capture(&name, binding, &closure.body));
        }
        if let Some(outside) = outside {
            self.scopes = outside;
        }
    }

    /// A parameter that is called.
    fn capture_callable(
        &self,
        name: &Ident,
        of: Option<(Base, String)>,
        callable: DefId,
    ) -> Option<Capture> {
        let callable = &self.callables[&callable];
        let (inputs, output) = (&callable.inputs, &callable.output);
        Some(Capture {
            name: name.clone(),
            of,
            parameter: quote!(#name: impl Fn(#(#inputs),*) -> #output),
            value: TokenStream::new(),
            argument: self.passed_function(&syn::parse_quote!(#name))?,
        })
    }

    fn capture(&mut self, name: &Ident, binding: Binding, body: &Expr) -> Option<Capture> {
        let of = identity(&binding);
        if let Binding::Def(d) = &binding
            && self.callables.contains_key(d)
        {
            return self.capture_callable(name, of, *d);
        }
        let declared = match &binding {
            Binding::Root(root) => self.type_of_base(Base::Root(*root)),
            _ => None,
        };
        let place = match binding {
            Binding::Def(d) => place::whole(Base::Def(d)),
            Binding::Root(r) => self.settled(place::whole(Base::Root(r))),
            Binding::Alias { place, .. } => return self.capture_part(name, of, place),
            _ => {
                self.errors.at(
                    name,
                    format!("`{name}` cannot be captured by a closure that is passed on: bind what is needed of it with `let` first"),
                );
                return None;
            }
        };
        let of_parameter = match place.base {
            Base::Root(r) => matches!(self.program.roots[r].kind, RootKind::Param { .. }),
            Base::Def(_) => false,
        };
        let known = self.type_of_base(place.base).or(declared);
        if !self.place_varied(&place) {
            let capture = self.capture_inactive(name, of_parameter, place, known, body)?;
            return Some(Capture { of, ..capture });
        }
        let scalar = &self.scalar;
        let looked_into = closure_inputs::looked_into(name, body);
        // what is computed with is a number, which may be replaced elsewhere
        let number = known.is_none()
            && !looked_into.has_parts
            && usage::operands_of(body).contains(&name.to_string());
        let memory = matches!(place.base, Base::Root(_)) && !number;
        if known.is_none() && !memory && looked_into.has_parts {
            return self.type_is_not_known(name);
        }
        // which may be no `Copy`
        let stays_lent = looked_into.only && known.as_ref().is_some_and(|ty| !is_number(ty));
        let value = match of_parameter || memory || stays_lent {
            true => TokenStream::new(),
            false => quote!(let #name = *#name;),
        };
        let ty = match known {
            Some(ty) => ty,
            None if memory => syn::parse_quote!([#scalar]),
            None => scalar.clone(),
        };
        Some(Capture {
            name: name.clone(),
            of,
            parameter: quote!(#name: &#ty),
            value,
            argument: Arg::Shared(place),
        })
    }

    /// A value without derivative: a copy of it, but for a parameter, which is lent.
    fn capture_inactive(
        &mut self,
        name: &Ident,
        of_parameter: bool,
        place: Place,
        known: Option<Type>,
        body: &Expr,
    ) -> Option<Capture> {
        let index = || closure_inputs::is_index(name, body).then(|| syn::parse_quote!(usize));
        let Some(ty) = known.or_else(index) else {
            return self.type_is_not_known(name);
        };
        let (tokens, mut uses) = (self.place_tokens(&place), place.uses.clone());
        match place.base {
            Base::Def(d) => drop(uses.defs.insert(d)),
            Base::Root(r) => drop(uses.roots.insert(r)),
        }
        let (parameter, tokens) = match of_parameter {
            true => (quote!(#name: &#ty), quote!(&#tokens)),
            false => (
                quote!(#[constant] #name: #ty),
                quote!(::core::clone::Clone::clone(&#tokens)),
            ),
        };
        Some(Capture {
            name: name.clone(),
            of: None,
            parameter,
            value: TokenStream::new(),
            argument: Arg::Const(ir::Expr { tokens, uses }),
        })
    }

    fn type_is_not_known<T>(&mut self, name: &Ident) -> Option<T> {
        self.errors.at(
            name,
            format!("the type of `{name}` is not known here, and the closure that captures it becomes a function: write `let {name}: … = …`"),
        );
        None
    }

    /// A reference to a part of memory.
    fn capture_part(
        &mut self,
        name: &Ident,
        of: Option<(Base, String)>,
        part: Place,
    ) -> Option<Capture> {
        let scalar = &self.scalar;
        let whole = self.type_of_base(part.base);
        let ty = whole.and_then(|ty| entry_type(ty, part.suffix.clone()));
        let ty = ty.unwrap_or_else(|| match aliasing::is_slice(&part.suffix) {
            true => syn::parse_quote!([#scalar]),
            false => scalar.clone(),
        });
        Some(Capture {
            name: name.clone(),
            of,
            parameter: quote!(#name: &#ty),
            value: TokenStream::new(),
            argument: Arg::Shared(part),
        })
    }
}

/// Whether a type is that of a number, as far as its name tells: a type parameter may be one.
fn is_number(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    let Some(name) = path.path.get_ident().map(ToString::to_string) else {
        return false;
    };
    name.len() == 1 || !name.starts_with(char::is_uppercase)
}

/// A receiver under another name, for a function has none.
fn without_self(tokens: TokenStream) -> TokenStream {
    let renamed = tokens.into_iter().map(|tree| match tree {
        TokenTree::Ident(name) if name == "self" => Ident::new("__this", name.span()).into(),
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), without_self(group.stream()));
            inside.set_span(group.span());
            inside.into()
        }
        tree => tree,
    });
    renamed.collect()
}

/// The names in an expression, each once.
fn names_in(expr: &Expr) -> Vec<Ident> {
    struct Names(Vec<Ident>);
    impl Names {
        fn add(&mut self, name: &Ident) {
            if !self.0.contains(name) {
                self.0.push(name.clone());
            }
        }

        /// `vec![a, b]`
        fn tokens(&mut self, tokens: TokenStream) {
            for tree in tokens {
                match tree {
                    TokenTree::Ident(name) => self.add(&name),
                    TokenTree::Group(group) => self.tokens(group.stream()),
                    _ => {}
                }
            }
        }
    }
    impl<'ast> Visit<'ast> for Names {
        fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
            path.path.get_ident().into_iter().for_each(|n| self.add(n));
            visit::visit_expr_path(self, path);
        }

        fn visit_macro(&mut self, called: &'ast syn::Macro) {
            self.tokens(called.tokens.clone());
        }
    }
    let mut names = Names(Vec::new());
    names.visit_expr(expr);
    names.0
}

impl Lower<'_> {
    /// The type of all of a value or of memory, if tokens tell.
    pub(crate) fn type_of_base(&self, base: Base) -> Option<Type> {
        match base {
            Base::Def(d) => match self.program.defs[d].kind {
                DefKind::Param(index) => Some(self.parameter_types[index].clone()),
                DefKind::LoopVariable => Some(syn::parse_quote!(usize)),
                _ => self.types.get(&base).cloned(),
            },
            Base::Root(r) => match self.program.roots[r].kind {
                RootKind::Param { index, .. } => Some(self.parameter_types[index].clone()),
                _ => self.types.get(&base).cloned(),
            },
        }
    }
}
