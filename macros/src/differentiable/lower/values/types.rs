//! What tokens tell of types: of parameters, of bindings with an annotation, of literals, casts and lengths.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Expr, Lit, Type};

use crate::differentiable::front::numbers;
use crate::differentiable::ir::*;
use crate::differentiable::lower::array::{Is, of_type};
use crate::differentiable::lower::memory::boxed;
use crate::differentiable::lower::references::reseated::selects_part;
use crate::differentiable::lower::{Binding, Lower};
use crate::differentiable::methods::{paths, table, types};
use crate::differentiable::resolve::varied;
use crate::differentiable::syntax::names::simple_name;
use crate::differentiable::syntax::vec_macro;
use crate::files::own_field;
use crate::signature::{Function, Param, call_of};

/// Whether a parameter can carry a derivative, as far as tokens tell.
pub(crate) fn is_active(param: &Param) -> bool {
    !param.constant && !types::is_inactive_type(&param.ty)
}

/// Whether a name that is called is that of a struct, as far as it tells.
fn is_struct_name(name: &proc_macro2::Ident) -> bool {
    let name = name.to_string();
    name.starts_with(char::is_uppercase) && !["Some", "Ok", "Err"].contains(&name.as_str())
}

/// `Shape` of `Shape::Circle`, as far as a path tells: names of constants have no small letters.
fn names_variant_of(path: &syn::Path) -> Option<Type> {
    let last = path.segments.last()?.ident.to_string();
    let camel = last.starts_with(char::is_uppercase) && last.contains(char::is_lowercase);
    let of = camel.then(|| paths::type_of_function(path))?;
    of.filter(|_| !["Some", "Ok", "Err", "None"].contains(&last.as_str()))
}

/// What an operand is, or is a reference to.
pub(super) fn strip_references(operand: &Expr) -> &Expr {
    match operand {
        Expr::Reference(of) => strip_references(&of.expr),
        Expr::Paren(of) => strip_references(&of.expr),
        operand => operand,
    }
}

fn ends_in(path: &syn::ExprPath, name: &str) -> bool {
    let last = path.path.segments.last();
    last.is_some_and(|segment| segment.ident == name)
}

/// Whether a return type is `Result` or `Option`, as far as tokens tell.
pub(crate) fn is_fallible(output: &Type) -> bool {
    matches!(output, Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == "Result" || s.ident == "Option"))
}

fn is_float(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if ["f32", "f64"].iter().any(|float| path.path.is_ident(float)))
}

/// The float type of a function: the first that its signature names. A type parameter that nothing is asked of is none if a float is returned.
pub(crate) fn scalar_type(function: &Function) -> Type {
    use syn::visit::Visit;
    struct Find<'a> {
        function: &'a Function,
        found: Option<Type>,
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            if let (Some(ident), None) = (path.get_ident(), &self.found) {
                let generics = &self.function.generics;
                let called =
                    |p: &syn::TypeParam| p.bounds.iter().any(|bound| call_of(bound).is_some());
                let is_any =
                    is_float(&self.function.output) && numbers::bounds(generics, ident).is_empty();
                let generic = generics
                    .type_params()
                    .any(|p| p.ident == *ident && !called(p))
                    && !is_any
                    && !numbers::is_object(self.function, ident);
                if generic || ident == "f64" || ident == "f32" {
                    self.found = Some(syn::parse_quote!(#path));
                }
            }
            syn::visit::visit_path(self, path);
        }
    }
    let mut find = Find {
        function,
        found: None,
    };
    let params = function.params.iter().filter(|p| p.callable.is_none());
    params.for_each(|p| find.visit_type(&p.ty));
    find.visit_type(&function.output);
    find.found.unwrap_or_else(|| syn::parse_quote!(f64))
}

/// Whether a call takes out what a constructor made, `Normal::new(m, s).unwrap()`: a constructor gives a value of its type, or a `Result` or
/// `Option` of one.
pub(crate) fn is_of_made(call: &syn::ExprMethodCall) -> bool {
    const TAKES: &[&str] = &[
        "expect",
        "unwrap",
        "unwrap_or",
        "unwrap_or_default",
        "unwrap_or_else",
    ];
    matches!(*call.receiver, Expr::Call(_)) && TAKES.iter().any(|name| call.method == name)
}

impl Lower<'_> {
    /// Notes the type of what a name is bound to.
    pub(crate) fn note_type(&mut self, name: &str, ty: Option<&Type>, init: &Expr) {
        let written = ty.filter(|ty| !matches!(ty, Type::Infer(_)));
        let guessed = written.is_none() && self.is_guessed(init);
        let ty = match written {
            None => self.type_of_written(init),
            Some(ty) => Some(ty.clone()),
        };
        if let (Expr::Struct(_), Some(Binding::Root(r))) = (init, self.lookup(name)) {
            self.own.insert(*r);
        }
        let base = match self.lookup(name) {
            Some(Binding::Def(d)) => Base::Def(*d),
            Some(Binding::Root(r)) => Base::Root(*r),
            _ => return,
        };
        if maker(init).as_ref().is_some_and(own_field::is_unnumbered) {
            self.unnumbered.insert(base);
        }
        if self.is_made_by_own(init) {
            self.constructed.insert(base);
        }
        if self.is_given(init) {
            self.given.insert(base);
        }
        let Some(ty) = ty else { return };
        if guessed {
            self.guessed.insert(base);
        }
        self.types.insert(base, ty);
    }

    /// Notes the type of what begins as a value, as far as its text tells.
    pub(crate) fn note_type_of(&mut self, base: Base, init: &Expr) {
        let ty = self.type_of_written(init);
        self.types.extend(ty.map(|ty| (base, ty)));
    }

    /// The type of an expression as far as its text tells, which may be an array or a tuple.
    fn type_of_written(&self, expr: &Expr) -> Option<Type> {
        if let Expr::Tuple(tuple) = expr {
            let parts = tuple.elems.iter().map(|e| self.type_of_written(e));
            let parts: Vec<_> = parts.collect::<Option<_>>()?;
            return Some(syn::parse_quote!((#(#parts,)*)));
        }
        self.type_of(expr).or_else(|| self.type_of_array(expr))
    }

    /// The type of an array that is written out, of numbers if nothing else is known; that of a vector if its first element tells.
    pub(crate) fn type_of_array(&self, array: &Expr) -> Option<Type> {
        if let Expr::Macro(made) = array
            && paths::is_vec(&made.mac.path)
        {
            let first = vec_macro::elements_of(&made.mac);
            let first = self.type_of(first.first()?)?;
            return Some(syn::parse_quote!(::std::vec::Vec<#first>));
        }
        let (entry, n) = match array {
            Expr::Array(array) => {
                let n = array.elems.len();
                (array.elems.first()?, syn::parse_quote!(#n))
            }
            Expr::Repeat(array) => (&*array.expr, (*array.len).clone()),
            _ => return None,
        };
        let ty = match entry {
            Expr::Lit(_) => self.type_of(entry)?,
            entry => {
                let ty = self.type_of(entry).or_else(|| self.type_of_array(entry));
                ty.unwrap_or_else(|| self.scalar.clone())
            }
        };
        let n: Expr = n;
        Some(syn::parse_quote!([#ty; #n]))
    }

    /// Whether an expression is a name of a type that is none of the library's, as far as tokens tell.
    pub(crate) fn is_of_own_type(&self, expr: &Expr) -> bool {
        let index = match simple_name(expr).and_then(|n| self.lookup(&n)) {
            Some(Binding::Def(d)) => match self.program.defs[*d].kind {
                DefKind::Param(index) => index,
                _ => return false,
            },
            Some(Binding::Root(r)) => match self.program.roots[*r].kind {
                RootKind::Param { index, .. } => index,
                _ => return self.own.contains(r),
            },
            _ => return false,
        };
        match &self.parameter_types[index] {
            Type::Path(path) => !paths::is_library_type(&path.path),
            _ => false,
        }
    }

    /// Whether an expression is a local that begins as a value of a type of the user's.
    pub(crate) fn is_own_local(&self, expr: &Expr) -> bool {
        let binding = simple_name(expr).and_then(|n| self.lookup(&n));
        matches!(binding, Some(Binding::Root(r)) if self.own.contains(r))
    }

    /// What the partials of an operation read, where an operand may be of a type of the user's: then a product need not be
    /// linear in each factor, and a partial may read the result. A sum is asked to be linear by its type, unless it may depend on
    /// the lengths of its operands' parts.
    pub(crate) fn needs_of(&self, needs: Needs, operands: &[&Expr]) -> Needs {
        let is_own = |e: &&Expr| match needs {
            Needs::Nothing => self.adds_by_lengths(e),
            _ => self.is_own(e) || self.is_made_of_constructed(e) || self.multiplies_by_lengths(e),
        };
        if operands.iter().any(is_own) {
            return Needs::Everything;
        }
        needs
    }

    /// Whether an expression is of a type of the user's, as far as tokens tell.
    pub(crate) fn is_own(&self, expr: &Expr) -> bool {
        self.type_of(expr).is_some_and(|ty| self.is_own_type(&ty))
    }

    /// As [`Self::is_own`], where the type is written and not guessed from an operator.
    pub(crate) fn is_surely_own(&self, expr: &Expr) -> bool {
        let binding = simple_name(expr).and_then(|n| self.lookup(&n));
        let made = |d: &DefId| matches!(self.program.defs[*d].kind, DefKind::Make { .. });
        let literal = match expr {
            Expr::Struct(_) | Expr::Call(_) => true,
            _ => matches!(binding, Some(Binding::Def(d)) if made(d)),
        };
        let begun = self.is_own_local(expr) || self.is_constructed(expr);
        (literal || begun || self.is_of_own_type(expr)) && self.is_own(expr)
    }

    /// Whether a call is surely of a method of the user's, whatever the name says.
    pub(crate) fn is_own_method(&self, call: &syn::ExprMethodCall) -> bool {
        self.is_surely_own(&call.receiver) || self.is_ruled_of_given(call)
    }

    /// Whether the file has rules for methods of this name, and the receiver is what a constructor or a method of the user's own gave.
    pub(crate) fn is_ruled_of_given(&self, call: &syn::ExprMethodCall) -> bool {
        self.is_given(&call.receiver) && self.callees.has_rules(&call.method.to_string())
    }

    /// Whether a type is called like one of the user's.
    pub(crate) fn is_own_type(&self, ty: &Type) -> bool {
        let Type::Path(path) = ty else { return false };
        let generic = |name: &proc_macro2::Ident| {
            self.generics.type_params().any(|t| t.ident == *name) && !self.objects.contains(name)
        };
        path.path.segments.last().is_some_and(|s| {
            let name = s.ident.to_string();
            name.trim_start_matches('_').starts_with(char::is_uppercase)
                && !generic(&s.ident)
                && !paths::is_library_type(&path.path)
        })
    }

    /// Whether an expression is known to be of a type of the standard library.
    pub(crate) fn is_of_library(&self, expr: &Expr) -> bool {
        self.type_of(expr).is_some_and(|ty| match &ty {
            Type::Path(path) => paths::is_library_type(&path.path),
            Type::Reference(of) => !self.is_own_type(&of.elem),
            _ => true,
        })
    }

    /// The type of an expression, if its tokens tell.
    pub(crate) fn type_of(&self, expr: &Expr) -> Option<Type> {
        Some(match expr {
            Expr::Paren(paren) => return self.type_of(&paren.expr),
            Expr::Unary(unary) => {
                return match self.boxed(expr) {
                    Some(of) => boxed::content(&self.type_of(of)?).cloned(),
                    None => self.type_of(&unary.expr),
                };
            }
            Expr::Struct(made) => {
                let path = &made.path;
                let variant = names_variant_of(path);
                variant.unwrap_or_else(|| syn::parse_quote!(#path))
            }
            Expr::Call(call) if boxed::is_new_box(call) => {
                let inside = self.type_of(&call.args[0]);
                let inside = inside.unwrap_or_else(|| syn::parse_quote!(_));
                syn::parse_quote!(::std::boxed::Box<#inside>)
            }
            Expr::Call(call) => match &*call.func {
                // a struct of one name, `Celsius(t)`
                Expr::Path(made) if made.path.get_ident().is_some_and(is_struct_name) => {
                    syn::parse_quote!(#made)
                }
                // what a constructor gives; what any other function gives is not known
                Expr::Path(made) if ["new", "default"].iter().any(|name| ends_in(made, name)) => {
                    let of = paths::type_of_function(&made.path)?;
                    return self.is_own_type(&of).then_some(of);
                }
                Expr::Path(made) => return names_variant_of(&made.path),
                _ => return None,
            },
            Expr::Path(made) if made.path.segments.len() > 1 => {
                return names_variant_of(&made.path);
            }
            Expr::Lit(lit) => return self.type_of_literal(&lit.lit),
            Expr::Cast(cast) => (*cast.ty).clone(),
            Expr::MethodCall(call) if call.method == "len" => syn::parse_quote!(usize),
            Expr::MethodCall(call) if call.method == "clone" || is_of_made(call) => {
                return self.type_of(&call.receiver);
            }
            Expr::Try(made) if matches!(*made.expr, Expr::Call(_)) => {
                return self.type_of(&made.expr);
            }
            Expr::Binary(binary) => {
                if varied::is_comparison(&binary.op) {
                    return Some(syn::parse_quote!(bool));
                }
                let of = |operand: &Expr| self.type_of(strip_references(operand));
                return self.type_of_operation(of(&binary.left), of(&binary.right));
            }
            Expr::Path(_) => return self.type_of_name(&simple_name(expr)?),
            Expr::Index(index) => {
                let whole = self.type_of(&index.expr)?;
                let inside = index.index.to_token_stream();
                return entry_type(whole, quote::quote!([#inside]));
            }
            _ => return None,
        })
    }

    /// The type of a sum or a product of values of these types.
    pub(super) fn type_of_operation(
        &self,
        left: Option<Type>,
        right: Option<Type>,
    ) -> Option<Type> {
        match (left, right) {
            // a multiple of a value of the user's type is taken for another; what else they give is not known
            (Some(a), Some(b)) if self.is_own_type(&b) => {
                (a == b || !self.is_own_type(&a)).then_some(b)
            }
            (left, right) => left.or(right),
        }
    }

    /// The type of what has a name.
    fn type_of_name(&self, name: &str) -> Option<Type> {
        Some(match self.lookup(name)? {
            Binding::Def(d) => match &self.program.defs[*d].kind {
                DefKind::Param(index) => self.parameter_types[*index].clone(),
                kind => match (self.types.get(&Base::Def(*d)), kind) {
                    (Some(ty), _) => ty.clone(),
                    // a copy
                    (None, DefKind::Read(place)) => self.type_of_place(place)?,
                    _ => return None,
                },
            },
            Binding::Root(r) => match self.program.roots[*r].kind {
                RootKind::Param { index, .. } => self.parameter_types[index].clone(),
                _ => self.types.get(&Base::Root(*r))?.clone(),
            },
            Binding::Alias { place, .. } => self.type_of_place(place)?,
            _ => return None,
        })
    }

    /// The type of a literal.
    fn type_of_literal(&self, lit: &Lit) -> Option<Type> {
        let suffixed = |suffix: &str| {
            let ty = quote::format_ident!("{suffix}");
            syn::parse_quote!(#ty)
        };
        Some(match lit {
            Lit::Float(number) if !number.suffix().is_empty() => suffixed(number.suffix()),
            Lit::Float(_) => self.scalar.clone(),
            Lit::Int(number) if !number.suffix().is_empty() => suffixed(number.suffix()),
            Lit::Bool(_) => syn::parse_quote!(bool),
            Lit::Str(_) => syn::parse_quote!(&'static str),
            _ => return None,
        })
    }

    /// Whether the type of an expression is that of one operand of an operator, whose other operand is of an unknown type.
    fn is_guessed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_guessed(&paren.expr),
            Expr::Unary(unary) => self.is_guessed(&unary.expr),
            Expr::Index(index) => self.is_guessed(&index.expr),
            Expr::Array(array) => array.elems.iter().any(|e| self.is_guessed(e)),
            Expr::Repeat(array) => self.is_guessed(&array.expr),
            Expr::Binary(binary) => {
                let one = |e: &Expr| self.type_of(e).is_none() || self.is_guessed(e);
                one(&binary.left) || one(&binary.right)
            }
            Expr::Path(_) => match simple_name(expr).and_then(|n| self.lookup(&n)) {
                Some(Binding::Def(d)) => self.guessed.contains(&Base::Def(*d)),
                Some(Binding::Root(r)) => self.guessed.contains(&Base::Root(*r)),
                Some(Binding::Alias { place, .. }) => self.guessed.contains(&place.base),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression is a local that begins as what a function of a type of the user's gave: `Matrix::new(n)`.
    pub(crate) fn is_constructed(&self, expr: &Expr) -> bool {
        if let Expr::MethodCall(call) = expr {
            return call.method == "clone" && self.is_constructed(&call.receiver);
        }
        match simple_name(expr).and_then(|n| self.lookup(&n)) {
            Some(Binding::Def(d)) => self.constructed.contains(&Base::Def(*d)),
            Some(Binding::Root(r)) => self.constructed.contains(&Base::Root(*r)),
            _ => false,
        }
    }

    /// Whether an expression is what a constructor or a method of the user's own gave, of the type that it is of, as far as files tell: `a.scaled(k)`.
    pub(crate) fn is_given(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_given(&paren.expr),
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let given = self.is_given(&call.receiver);
                let is_own = given || !table::is_std_method(&name);
                is_own && (name == "clone" && given || self.callees.gives_own_type(&name))
            }
            _ if self.is_constructed(expr) => true,
            _ => match simple_name(expr).and_then(|n| self.lookup(&n)) {
                Some(Binding::Def(d)) => self.given.contains(&Base::Def(*d)),
                Some(Binding::Root(r)) => self.given.contains(&Base::Root(*r)),
                _ => false,
            },
        }
    }

    /// Whether an expression is a call of a function of a type of the user's.
    fn is_made_by_own(&self, expr: &Expr) -> bool {
        maker(expr).is_some_and(|of| self.is_own_type(&of) && of_type(&of) == Is::No)
    }

    /// As [`Self::is_given`], also of what functions of the user's types give, and what operators make of either.
    fn is_made_of_constructed(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(paren) => self.is_made_of_constructed(&paren.expr),
            Expr::Unary(unary) => self.is_made_of_constructed(&unary.expr),
            Expr::Binary(binary) => {
                self.is_made_of_constructed(&binary.left)
                    || self.is_made_of_constructed(&binary.right)
            }
            expr => self.is_made_by_own(expr) || self.is_given(expr),
        }
    }

    /// Whether tokens tell that an expression is of a type of arrays, or of matrices with any number of rows.
    pub(crate) fn is_of_arrays(&self, expr: &Expr) -> bool {
        self.type_of(expr).is_some_and(|ty| of_type(&ty) != Is::No)
    }

    /// Whether tokens tell that a number is at a place.
    pub(crate) fn is_number_at(&self, place: &Place) -> bool {
        let Some(Type::Path(path)) = self.type_of_place(place) else {
            return false;
        };
        let Some(name) = path.path.get_ident() else {
            return false;
        };
        let is_scalar = matches!(&self.scalar, Type::Path(scalar) if scalar.path.is_ident(name));
        !self.guessed.contains(&place.base) && (is_scalar || numbers::is_primitive(name))
    }

    pub(crate) fn type_of_place(&self, place: &Place) -> Option<Type> {
        entry_type(self.type_of_base(place.base)?, place.suffix.clone())
    }
}

/// The type of whose functions a call is one.
fn maker(expr: &Expr) -> Option<Type> {
    let Expr::Call(call) = expr else { return None };
    match &*call.func {
        Expr::Path(path) => paths::type_of_function(&path.path),
        _ => None,
    }
}

/// The type of `x[i][j]` where `x` is a `ty`, and of `x[a..b]`.
pub(crate) fn entry_type(mut ty: Type, suffix: TokenStream) -> Option<Type> {
    for tree in suffix {
        let TokenTree::Group(index) = tree else {
            return None;
        };
        if index.delimiter() != Delimiter::Bracket {
            return None;
        }
        let entry = match boxed::content(&ty).unwrap_or(&ty) {
            Type::Slice(slice) => (*slice.elem).clone(),
            Type::Array(array) => (*array.elem).clone(),
            Type::Path(path) => {
                let last = path.path.segments.last()?;
                let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
                    return None;
                };
                match (last.ident == "Vec", args.args.first()) {
                    (true, Some(syn::GenericArgument::Type(entry))) => entry.clone(),
                    _ => return None,
                }
            }
            _ => return None,
        };
        let range = selects_part(&index.stream());
        ty = match range {
            true => syn::parse_quote!([#entry]),
            false => entry,
        };
    }
    Some(ty)
}
