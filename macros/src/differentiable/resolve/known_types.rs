//! The types of expressions, as far as what is written and what the crate declares tell: no more than a proposal.

use std::collections::HashMap;
use std::rc::Rc;

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::{
    Expr, ExprCall, ExprField, ExprMethodCall, GenericArgument, Generics, Member, Pat, Path,
    PathArguments, Signature, Type, TypeParamBound, WherePredicate,
};

use super::varied::bound_names;
use crate::differentiable::methods::types;
use crate::files::own_lenders::OwnLenders;
use crate::files::own_sums::OwnSums;
use crate::files::own_types::{OwnTypes, is_borrowed};
use crate::files::source::name_of;
use crate::lender;

/// Names, and their types where these are known.
pub(crate) struct KnownTypes {
    declared: Rc<OwnTypes>,
    lenders: Rc<OwnLenders>,
    sums: Rc<OwnSums>,
    /// The function in which the names are.
    caller: Ident,
    /// The type whose methods a block has.
    own: Option<Type>,
    scopes: Vec<HashMap<String, Option<Type>>>,
    /// The traits of type parameters.
    bounds: HashMap<String, Vec<String>>,
}

impl KnownTypes {
    /// Of a function in a block of methods of `own`, or in none.
    pub(crate) fn new(signature: &Signature, own: Option<&Type>) -> Self {
        let caller = &signature.ident;
        Self {
            bounds: bounds(&signature.generics),
            declared: OwnTypes::of(caller),
            lenders: OwnLenders::of(caller),
            sums: OwnSums::of(caller),
            caller: caller.clone(),
            own: own.cloned(),
            scopes: vec![HashMap::new()],
        }
    }

    /// Begins a scope, whose names [`Self::leave`] forgets.
    pub(crate) fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Ends the scope that began last.
    pub(crate) fn leave(&mut self) {
        self.scopes.pop();
    }

    /// Gives the names of a pattern their types, of which a value of the type `ty` is taken apart.
    pub(crate) fn bind(&mut self, pat: &Pat, ty: Option<&Type>) {
        match (pat, ty.map(bare)) {
            (Pat::Type(typed), _) => self.bind(&typed.pat, Some(&typed.ty.clone())),
            (Pat::Ident(name), ty) if name.subpat.is_none() => {
                self.name(name.ident.to_string(), ty.cloned());
            }
            (Pat::Reference(inner), ty) => self.bind(&inner.pat, ty),
            (Pat::Guard(guarded), ty) => self.bind(&guarded.pat, ty),
            (Pat::Paren(inner), ty) => self.bind(&inner.pat, ty),
            (Pat::Tuple(parts), Some(Type::Tuple(types)))
                if parts.elems.len() == types.elems.len()
                    && !parts.elems.iter().any(|p| matches!(p, Pat::Rest(_))) =>
            {
                for (part, ty) in parts.elems.iter().zip(&types.elems) {
                    self.bind(part, Some(ty));
                }
            }
            (Pat::TupleStruct(made), ty) => {
                let variant = made.path.segments.last().map(|s| s.ident.to_string());
                let variant = variant.unwrap_or_default();
                for (i, part) in made.elems.iter().enumerate() {
                    let held = match variant.as_str() {
                        "Some" | "Ok" => ty.and_then(content).cloned(),
                        "Err" => None,
                        of => self.declared.field(of, &i.to_string(), &self.caller),
                    };
                    self.bind(part, held.as_ref());
                }
            }
            (Pat::Struct(made), _) => {
                let of = made.path.segments.last().map(|s| s.ident.to_string());
                for part in &made.fields {
                    let ty = of.as_deref().and_then(|of| self.field(of, &part.member));
                    self.bind(&part.pat, ty.as_ref());
                }
            }
            (pat, _) => {
                for name in bound_names(pat) {
                    self.name(name, None);
                }
            }
        }
    }

    fn name(&mut self, name: String, ty: Option<Type>) {
        let innermost = self.scopes.last_mut().expect("a scope");
        innermost.insert(name, ty);
    }

    fn field(&self, of: &str, member: &Member) -> Option<Type> {
        let field = match member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => index.index.to_string(),
        };
        self.declared.field(of, &field, &self.caller)
    }

    /// Whether a type has a method with rules, of its own or of a trait of the crate.
    pub(crate) fn has_method(&self, ty: &Type, method: &Ident) -> bool {
        self.owner(ty, &method.to_string()).is_some()
    }

    /// The type, or the trait of a value of which no more is known, that has such a method.
    fn owner(&self, ty: &Type, method: &str) -> Option<String> {
        let ty = bare(ty);
        let traits = match ty {
            Type::ImplTrait(of) => traits(&of.bounds),
            Type::TraitObject(of) => traits(&of.bounds),
            ty => name_of(ty).map_or_else(Vec::new, |name| match self.bounds.get(&name) {
                Some(traits) => traits.clone(),
                None => vec![name],
            }),
        };
        let mut traits = traits.into_iter();
        traits.find(|of| self.declared.has_method(of, method, &self.caller))
    }

    /// Whether a method of the crate's own lends a part of its receiver, to be read.
    pub(crate) fn lends(&self, call: &ExprMethodCall) -> bool {
        let method = call.method.unraw().to_string();
        let owner = self
            .of(&call.receiver)
            .and_then(|of| self.owner(&of, &method));
        let given = owner.and_then(|of| self.declared.given_by(&of, &method, &self.caller));
        matches!(given, Some(Type::Reference(lent)) if lent.mutability.is_none())
    }

    /// Whether a method of the crate's own lends a part of its receiver by integers, to be changed.
    pub(crate) fn lends_a_place(&self, call: &ExprMethodCall) -> bool {
        let of = self.of(&call.receiver).as_ref().and_then(name_of);
        let method = call.method.unraw().to_string();
        of.is_some_and(|of| self.lenders.lends(&of, &method, &self.caller).is_some())
    }

    /// Whether a field of a type of the crate's own is a reference to numbers.
    pub(crate) fn borrows(&self, field: &ExprField) -> bool {
        let of = self.of(&field.base).as_ref().and_then(name_of);
        of.is_some_and(|of| self.borrows_in(&of, &field.member))
    }

    /// The same of a field of what a pattern of this path matches.
    pub(crate) fn borrows_as(&self, path: &Path, member: &Member) -> bool {
        let of = path.segments.last().map(|last| last.ident.to_string());
        let of = match path.is_ident("Self") {
            true => self.own.as_ref().and_then(name_of),
            false => of,
        };
        of.is_some_and(|of| self.borrows_in(&of, member))
    }

    fn borrows_in(&self, of: &str, member: &Member) -> bool {
        let ty = self.field(of, member);
        ty.is_some_and(|ty| is_borrowed(&ty))
    }

    /// Whether `+=` or `-=` of a type has rules, and depends on the lengths of the parts.
    pub(crate) fn assigns_by_lengths(&self, ty: &Type, method: &'static str) -> bool {
        let of = name_of(bare(ty));
        of.is_some_and(|of| self.sums.assigns_by_lengths(&of, method, &self.caller))
    }

    /// The type of an expression, without references.
    pub(crate) fn of(&self, expr: &Expr) -> Option<Type> {
        let ty = match expr {
            Expr::Paren(inner) => self.of(&inner.expr)?,
            Expr::Group(inner) => self.of(&inner.expr)?,
            Expr::Reference(lent) => self.of(&lent.expr)?,
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.of(&unary.expr)?,
            Expr::Path(path) => {
                let name = path.path.get_ident()?;
                if name == "self" {
                    return self.own.clone();
                }
                self.local(&name.to_string())?.clone()?
            }
            Expr::Struct(made) => {
                let path = &made.path;
                match path.is_ident("Self") {
                    true => self.own.clone()?,
                    false => syn::parse_quote!(#path),
                }
            }
            Expr::Field(field) => {
                let of = self.of(&field.base)?;
                match (&of, &field.member) {
                    (Type::Tuple(types), Member::Unnamed(index)) => {
                        types.elems.get(index.index as usize)?.clone()
                    }
                    (of, member) => self.field(&name_of(of)?, member)?,
                }
            }
            Expr::Index(index) => self.of_index(index)?,
            Expr::Try(tried) => content(&self.of(&tried.expr)?)?.clone(),
            Expr::Call(call) => self.of_call(call)?,
            Expr::MethodCall(call) => self.of_method(call)?,
            Expr::Array(array) => {
                let entry = self.of(array.elems.first()?)?;
                syn::parse_quote!([#entry])
            }
            Expr::Tuple(tuple) => {
                let types = tuple.elems.iter().map(|part| self.of(part));
                let types = types.map(|ty| ty.unwrap_or_else(|| syn::parse_quote!(_)));
                syn::parse_quote!((#(#types,)*))
            }
            _ => return None,
        };
        let ty = bare(&ty).clone();
        (!matches!(ty, Type::Infer(_))).then_some(ty)
    }

    fn of_index(&self, index: &syn::ExprIndex) -> Option<Type> {
        let of = self.of(&index.expr)?;
        match (lender::method_of(&index.index), &*index.index) {
            (Some(method), _) => self.lenders.lent(&name_of(&of)?, method, &self.caller),
            (None, Expr::Range(_)) => Some(of),
            (None, _) => entry(&of).cloned(),
        }
    }

    fn of_call(&self, call: &ExprCall) -> Option<Type> {
        let Expr::Path(path) = &*call.func else {
            return None;
        };
        let mut names = path.path.segments.iter().rev();
        let (last, of) = (names.next()?.ident.to_string(), names.next());
        let of = of.map(|of| of.ident.to_string());
        let of = of.filter(|of| of.starts_with(char::is_uppercase));
        match of {
            Some(of) if of == "Self" => {
                let own = name_of(self.own.as_ref()?)?;
                self.declared.given_by(&own, &last, &self.caller)
            }
            Some(of) => self.declared.given_by(&of, &last, &self.caller),
            // a struct of one name, `Celsius(t)`
            None if last.starts_with(char::is_uppercase) => {
                let path = &path.path;
                let is_wrapped = ["Some", "Ok", "Err", "Box"]
                    .iter()
                    .any(|name| last == *name);
                (!is_wrapped).then(|| syn::parse_quote!(#path))
            }
            None => match self.local(&last) {
                Some(local) => given_by(local.as_ref()?),
                None => self.declared.given(&last, &self.caller),
            },
        }
    }

    /// The type of a local, if there is one of this name.
    fn local(&self, name: &str) -> Option<&Option<Type>> {
        let scopes = self.scopes.iter().rev();
        scopes.filter_map(|scope| scope.get(name)).next()
    }

    fn of_method(&self, call: &ExprMethodCall) -> Option<Type> {
        let of = self.of(&call.receiver)?;
        let method = call.method.unraw().to_string();
        if let Some(owner) = self.owner(&of, &method) {
            return self.declared.given_by(&owner, &method, &self.caller);
        }
        Some(match method.as_str() {
            "clone" | "to_vec" | "to_owned" | "as_slice" | "as_mut_slice" | "as_ref" | "as_mut"
            | "iter" | "iter_mut" | "into_iter" | "rev" | "skip" | "take" | "step_by"
            | "copied" | "cloned" | "chain" | "filter" | "skip_while" | "take_while"
            | "peekable" | "collect" | "borrow" | "borrow_mut" => of,
            "enumerate" => {
                let entry = entry(&of)?;
                syn::parse_quote!([(usize, #entry)])
            }
            "zip" => {
                let (a, b) = (entry(&of)?, self.of(call.args.first()?));
                let b = b.as_ref().and_then(entry).cloned();
                let b = b.unwrap_or_else(|| syn::parse_quote!(_));
                syn::parse_quote!([(#a, #b)])
            }
            "windows" | "chunks" | "chunks_exact" | "rchunks" => {
                let entry = entry(&of)?;
                syn::parse_quote!([[#entry]])
            }
            "first" | "last" | "get" | "get_mut" | "first_mut" | "last_mut" | "next" | "pop"
            | "max_by" | "min_by" | "find" | "nth" | "reduce" => {
                let entry = entry(&of)?;
                syn::parse_quote!(Option<#entry>)
            }
            "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" => {
                content(&of)?.clone()
            }
            _ => return None,
        })
    }

    /// The types of what a method gives to the closure that it is called with, by its parameters.
    pub(crate) fn given_to_closure(&self, call: &ExprMethodCall) -> Vec<Option<Type>> {
        let Some(of) = self.of(&call.receiver) else {
            return Vec::new();
        };
        let inside = entry(&of).or_else(|| content(&of)).cloned();
        match call.method.to_string().as_str() {
            "map" | "for_each" | "filter" | "flat_map" | "any" | "all" | "position" | "find"
            | "filter_map" | "find_map" | "take_while" | "skip_while" | "inspect"
            | "max_by_key" | "min_by_key" | "sort_by_key" | "and_then" | "is_some_and"
            | "map_or" | "map_or_else" | "partition" | "map_while" => vec![inside],
            "fold" | "try_fold" => vec![call.args.first().and_then(|init| self.of(init)), inside],
            "sort_by" | "max_by" | "min_by" | "reduce" => vec![inside.clone(), inside],
            _ => Vec::new(),
        }
    }

    /// The type of what a loop over an expression takes from it.
    pub(crate) fn of_entry(&self, expr: &Expr) -> Option<Type> {
        entry(&self.of(expr)?).cloned()
    }

    /// Whether a list, or an iterator over one, has options as entries, of what is no integer or the like.
    pub(crate) fn has_optional_numbers(&self, list: &Expr) -> bool {
        let entry = self.of_entry(list);
        let held = entry
            .as_ref()
            .and_then(|entry| argument(entry, &["Option"]));
        held.is_some_and(|held| !types::is_inactive_type(held))
    }
}

/// The last names of the traits among some bounds.
fn traits<'b>(bounds: impl IntoIterator<Item = &'b TypeParamBound>) -> Vec<String> {
    let names = bounds.into_iter().filter_map(|bound| match bound {
        TypeParamBound::Trait(bound) => bound.path.segments.last(),
        _ => None,
    });
    names.map(|name| name.ident.to_string()).collect()
}

/// The traits of type parameters, as they are bound where these are declared and behind `where`.
fn bounds(generics: &Generics) -> HashMap<String, Vec<String>> {
    let params = generics.type_params();
    let mut found: HashMap<_, _> = params
        .map(|param| (param.ident.to_string(), traits(&param.bounds)))
        .collect();
    let clauses = generics.where_clause.iter();
    for predicate in clauses.flat_map(|clause| &clause.predicates) {
        if let WherePredicate::Type(predicate) = predicate
            && let Some(known) = name_of(&predicate.bounded_ty).and_then(|n| found.get_mut(&n))
        {
            known.extend(traits(&predicate.bounds));
        }
    }
    found
}

/// A type without references and boxes.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Reference(of) => bare(&of.elem),
        Type::Paren(of) => bare(&of.elem),
        Type::Group(of) => bare(&of.elem),
        ty => match argument(ty, &["Box", "Rc", "Arc"]) {
            Some(of) => bare(of),
            None => ty,
        },
    }
}

/// The type of what a function gives: `T` of `fn() -> T` and of `impl Fn() -> T`.
fn given_by(function: &Type) -> Option<Type> {
    let output = match function {
        Type::FnPtr(of) => &of.output,
        Type::ImplTrait(of) => {
            let bound = of.bounds.iter().find_map(|bound| match bound {
                TypeParamBound::Trait(bound) => bound.path.segments.last(),
                _ => None,
            });
            match &bound?.arguments {
                PathArguments::Parenthesized(of) => &of.output,
                _ => return None,
            }
        }
        _ => return None,
    };
    match output {
        syn::ReturnType::Type(_, ty) => Some(bare(ty).clone()),
        syn::ReturnType::Default => None,
    }
}

/// The type of the entries of a list.
pub(crate) fn entry(ty: &Type) -> Option<&Type> {
    match ty {
        Type::Array(of) => Some(bare(&of.elem)),
        Type::Slice(of) => Some(bare(&of.elem)),
        ty => argument(ty, &["Vec", "VecDeque"]).map(bare),
    }
}

/// The type of what an `Option` or a `Result` holds.
fn content(ty: &Type) -> Option<&Type> {
    argument(ty, &["Option", "Result"]).map(bare)
}

/// The first argument of one of some generic types.
fn argument<'t>(ty: &'t Type, names: &[&str]) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    match arguments.args.first()? {
        GenericArgument::Type(of) if names.iter().any(|name| last.ident == name) => Some(of),
        _ => None,
    }
}
