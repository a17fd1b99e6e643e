//! The degree of a function as a polynomial of its arguments, as far as a body of operations on numbers shows it.

use std::collections::HashMap;

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Type;

use crate::associated;
use crate::differentiable::ir::*;
use crate::differentiable::methods::paths;
use crate::dispatch::hash;
use crate::signature::{Function, Passing};

/// The degree in each of the first two arguments, and in both together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Degree {
    pub(crate) left: usize,
    pub(crate) right: usize,
    pub(crate) total: usize,
}

/// The degree of a function, if the functions that it calls are linear.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    pub(crate) degree: Degree,
    /// Their paths.
    pub(crate) calls: Vec<syn::Path>,
    /// The type that the function returns, by which a function of that type is found: `Vector<T>` of `Vector::new`.
    output: Option<Type>,
}

impl Polynomial {
    /// `where for<'linear> V_new: Linear`. The lifetime puts off the question whether the bound holds to where the promise is
    /// wanted.
    pub(crate) fn bounds(&self) -> impl Iterator<Item = syn::WherePredicate> {
        self.calls
            .iter()
            .map(|path| match self.output.as_ref().and_then(|of| function_of(path, of)) {
                Some((of, name)) => {
                    let name = hash(&name.to_string());
                    syn::parse_quote!(for<'__linear> #of: ::coenzyme::__private::LinearFunction<#name>)
                }
                None => {
                    let marker = paths::marker_path(path);
                    let marker = match is_plain(path) {
                        true => marker.to_token_stream(),
                        false => crate::marker::alias(&marker).to_token_stream(),
                    };
                    syn::parse_quote!(for<'__linear> #marker: ::coenzyme::__private::Linear)
                }
            })
    }

    /// Implementations with these bounds.
    pub(crate) fn declared(&self, implementations: TokenStream) -> TokenStream {
        let functions = self
            .calls
            .iter()
            .filter(|path| !associated::is_associated(path));
        let mut markers: Vec<syn::Path> = Vec::new();
        for marker in functions.map(paths::marker_path) {
            if !markers.contains(&marker) {
                markers.push(marker);
            }
        }
        crate::marker::declared(&markers, implementations)
    }

    /// With bounds that name what is called beside a method of `own` that returns `output`; `None` if it is a function of a third type, whose marker
    /// need not be imported.
    pub(crate) fn beside(mut self, own: &Type, output: &Type) -> Option<Self> {
        let named = |path| {
            let is_associated = associated::is_associated(path);
            !is_associated && !may_be_a_module(path)
                || is_of(path, own)
                || function_of(path, output).is_some()
        };
        let all_named = self.calls.iter().all(named);
        self.output = (name_of(own) != name_of(output)).then(|| output.clone());
        all_named.then_some(self)
    }

    /// That a function of a type of its own is linear, if it is: for those who do not import its marker.
    pub(crate) fn promise_of(&self, block: &syn::ItemImpl, name: &syn::Ident) -> TokenStream {
        if self.degree.total > 1 || block.trait_.is_some() {
            return TokenStream::new();
        }
        let (mut generics, of, name) = (
            block.generics.clone(),
            &block.self_ty,
            hash(&name.to_string()),
        );
        generics
            .make_where_clause()
            .predicates
            .extend(self.bounds());
        let (impl_generics, _, clause) = generics.split_for_impl();
        self.declared(quote! {
            #[doc(hidden)]
            impl #impl_generics ::coenzyme::__private::LinearFunction<#name> for #of #clause {}
        })
    }

    /// That the marker's function is linear, if it is, and what it calls can be named beside the marker, which has no type parameters.
    pub(crate) fn promise(&self, function: &Function) -> TokenStream {
        let names_parameters = |of: &Type| function.names_generics(of);
        let calls_parameters = || (self.calls.iter()).any(|path| function.names_generics_in(path));
        if self.degree.total > 1
            || self.output.as_ref().is_some_and(names_parameters)
            || calls_parameters()
        {
            return TokenStream::new();
        }
        let marker = &function.name;
        let bounds = self.bounds();
        self.declared(quote! {
            #[doc(hidden)]
            impl ::coenzyme::__private::Linear for #marker where #(#bounds),* {}
        })
    }
}

/// Whether a bound names a marker by its path.
fn is_plain(path: &syn::Path) -> bool {
    associated::is_associated(path) || crate::marker::is_plain(&paths::marker_path(path))
}

/// The last name of a type.
fn name_of(ty: &Type) -> Option<&syn::Ident> {
    match ty {
        Type::Path(ty) => ty.path.segments.last().map(|s| &s.ident),
        _ => None,
    }
}

/// The type whose function a path names, and its name: `(Vector<T>, new)` of `Vector::new` where the type that is returned is written `Vector<T>`.
fn function_of<'a>(path: &'a syn::Path, output: &Type) -> Option<(Type, &'a syn::Ident)> {
    let Type::Path(output) = output else {
        return None;
    };
    let names = |path: &syn::Path| {
        path.segments
            .iter()
            .map(|s| s.ident.clone())
            .collect::<Vec<_>>()
    };
    let (mut of, written) = (names(path), names(&output.path));
    let same = of.pop().is_some() && of == written;
    let same = same && associated::is_associated(path) && output.qself.is_none();
    let same = same && path.leading_colon == output.path.leading_colon;
    same.then(|| {
        (
            Type::Path(output.clone()),
            &path.segments.last().expect("a name").ident,
        )
    })
}

/// Whether a path is that of a function of a type of this name.
fn is_of(path: &syn::Path, ty: &Type) -> bool {
    let of = path.segments.iter().rev().nth(1).map(|s| &s.ident);
    associated::is_associated(path) && of == name_of(ty)
}

impl Degree {
    fn of_param(index: usize) -> Self {
        Self {
            left: usize::from(index == 0),
            right: usize::from(index == 1),
            total: 1,
        }
    }

    fn with(self, other: Self, join: impl Fn(usize, usize) -> usize) -> Self {
        Self {
            left: join(self.left, other.left),
            right: join(self.right, other.right),
            total: join(self.total, other.total),
        }
    }
}

impl Program {
    /// The degree of the result; `None` if it is no polynomial, or nothing that is known to be one.
    pub(crate) fn degree(&self) -> Option<Polynomial> {
        let mut walk = Walk {
            program: self,
            degrees: vec![None; self.defs.len()],
            locals: HashMap::new(),
            calls: Vec::new(),
        };
        walk.block(&self.body)?;
        let degree = match self.result.as_ref()? {
            Atom::Root(root) => walk.locals.get(root).copied(),
            atom => of_atom(atom, &walk.degrees),
        };
        // the functions of the body have no names outside
        let named = walk.calls.is_empty() || self.items.is_empty();
        named.then_some(Polynomial {
            degree: degree?,
            calls: walk.calls,
            output: None,
        })
    }
}

/// What a body does, from the top.
struct Walk<'a> {
    program: &'a Program,
    degrees: Vec<Option<Degree>>,
    /// Of a local, the largest degree that any part of it had.
    locals: HashMap<RootId, Degree>,
    calls: Vec<syn::Path>,
}

impl Walk<'_> {
    fn block(&mut self, block: &Block) -> Option<()> {
        block.items.iter().try_for_each(|item| self.item(item))
    }

    fn item(&mut self, item: &Item) -> Option<()> {
        match item {
            Item::Def(d) => {
                self.degrees[*d] = match &self.program.defs[*d].kind {
                    DefKind::Call(call) => of_call(call, &self.degrees, &mut self.calls),
                    _ => self.of_def(&self.program.defs[*d]),
                }
            }
            Item::Declare { root, init } => {
                let degree = match init {
                    Init::Value(value) => of_atom(value, &self.degrees)?,
                    // an operand that an operator takes by value
                    Init::Copy { from, .. } => self.of_place(from)?,
                    Init::Inactive { expr, .. } => self.of_shape(expr, "array_like")?,
                    Init::Later => return None,
                };
                self.locals.insert(*root, degree);
            }
            // a part of a local: `S { x, ..rest }`
            Item::Assign { place, value, .. } => {
                let value = match value {
                    Atom::Root(made) => self.locals.get(made).copied(),
                    value => of_atom(value, &self.degrees),
                };
                self.written(place, value?)?;
            }
            Item::Copy { to, from } => {
                let value = self.of_place(from)?;
                self.written(to, value)?;
            }
            Item::Loop {
                iterable: Iterable::Counted { range, variable },
                body,
                flags,
            } if flags.is_empty() && range.step.is_none() => {
                let Atom::Const(numbers) = &range.range else {
                    return None;
                };
                self.degrees[*variable] = Some(self.of_shape(numbers, "array_len")?);
                self.rounds(body)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// A part of a local gets a value of this degree.
    fn written(&mut self, place: &Place, value: Degree) -> Option<()> {
        let Base::Root(root) = place.base else {
            return None;
        };
        let before = self.of_place(place)?;
        *self.locals.get_mut(&root)? = before.with(value, usize::max);
        Some(())
    }

    /// A loop, whose rounds find the locals as other rounds left them.
    fn rounds(&mut self, body: &Block) -> Option<()> {
        const MOST: usize = 3;
        for _ in 0..MOST {
            let before = self.locals.clone();
            self.block(body)?;
            if before
                .iter()
                .all(|(root, degree)| self.locals[root] == *degree)
            {
                return Some(());
            }
        }
        None
    }

    /// The degree of a constant, or of a fixed array's length or shape, which are in its type.
    fn of_shape(&self, expr: &Expr, of_array: &str) -> Option<Degree> {
        let Uses {
            defs,
            roots,
            lengths,
        } = &expr.uses;
        let named = roots.len() + lengths.len();
        let in_type = operation(&expr.tokens) == of_array && named == 1;
        let constant = |d: &DefId| self.degrees[*d] == Some(Degree::default());
        let known = (named == 0 || in_type) && defs.iter().all(constant);
        known.then(Degree::default)
    }

    /// The degree of what is at a place.
    fn of_place(&self, place: &Place) -> Option<Degree> {
        let of = match place.base {
            Base::Def(d) => self.degrees[d],
            Base::Root(r) => match self.program.roots[r].kind {
                RootKind::Param {
                    index,
                    passing: Passing::Shared,
                } => Some(Degree::of_param(index)),
                _ => self.locals.get(&r).copied(),
            },
        };
        of_inactive(&place.uses, &self.degrees).and(of)
    }

    fn of_def(&self, def: &Def) -> Option<Degree> {
        let of = |atom: &Atom| of_atom(atom, &self.degrees);
        match &def.kind {
            DefKind::Param(index) => Some(Degree::of_param(*index)),
            DefKind::Pure(expr) => of_inactive(&expr.uses, &self.degrees),
            DefKind::Version(root) => self.locals.get(root).copied(),
            DefKind::Read(place) => self.of_place(place),
            DefKind::Make { parts, .. } => {
                parts.iter().try_fold(Degree::default(), |all, (_, part)| {
                    Some(all.with(of(part)?, usize::max))
                })
            }
            DefKind::Op { op, args, .. } => {
                let args = args.iter().map(of).collect::<Option<Vec<_>>>()?;
                match (operation(op).as_str(), &args[..]) {
                    ("add" | "sub", [a, b]) => Some(a.with(*b, usize::max)),
                    ("neg" | "cast", [a]) => Some(*a),
                    ("mul", [a, b]) => Some(a.with(*b, |a, b| a + b)),
                    ("div", [a, b]) if b.total == 0 => Some(*a),
                    (_, args) => args.iter().all(|a| a.total == 0).then(Degree::default),
                }
            }
            _ => None,
        }
    }
}

/// The degree of what a call gives, if the function is linear.
fn of_call(call: &Call, degrees: &[Option<Degree>], calls: &mut Vec<syn::Path>) -> Option<Degree> {
    let (Callee::Path(path), Unpack::Plain) = (&call.callee, &call.unpack) else {
        return None;
    };
    let of = |arg: &Arg| match arg {
        Arg::Const(expr) | Arg::Value(Atom::Const(expr)) => of_inactive(&expr.uses, degrees),
        Arg::Value(Atom::Def(d)) => degrees[*d],
        _ => None,
    };
    let degree = call.args.iter().try_fold(Degree::default(), |all, arg| {
        Some(all.with(of(arg)?, usize::max))
    })?;
    calls.push(path.clone());
    Some(degree)
}

fn of_atom(atom: &Atom, degrees: &[Option<Degree>]) -> Option<Degree> {
    match atom {
        Atom::Def(d) => degrees[*d],
        Atom::Const(expr) => of_inactive(&expr.uses, degrees),
        Atom::Root(_) => None,
    }
}

/// What carries no derivative is a constant if it is computed from constants.
fn of_inactive(uses: &Uses, degrees: &[Option<Degree>]) -> Option<Degree> {
    let constant = |d: &DefId| degrees[*d] == Some(Degree::default());
    (uses.roots.is_empty() && uses.defs.iter().all(constant)).then(Degree::default)
}

/// `mul` of `::coenzyme::ops::mul`, `cast` of `::coenzyme::ops::cast<f64>`.
pub(crate) fn operation(op: &TokenStream) -> String {
    let mut idents = op
        .clone()
        .into_iter()
        .take_while(|t| !matches!(t, TokenTree::Punct(p) if p.as_char() == '<'));
    let mut last = String::new();
    for token in &mut idents {
        if let TokenTree::Ident(ident) = token {
            last = ident.to_string();
        }
    }
    last
}

#[cfg(test)]
mod tests;
