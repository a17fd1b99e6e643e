//! Functions that return a reference to numbers, or to values of the crate's own: the rules are those of the function that returns a copy.
//!
//! ```text
//! fn row(&self, i: usize) -> &[f64] { &self.d[i * self.n..] }
//! // as
//! fn row(&self, i: usize) -> Vec<f64> { self.d[i * self.n..].to_vec() }
//! ```
//!
//! A method that ends in its receiver, `fn with(&mut self, k: f64) -> &mut Self { self.k = k; self }`, has the rules of the one that returns nothing.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Block, Expr, GenericArgument, Generics, PathArguments, ReceiverKind, ReturnType, Signature,
    Stmt, Type,
};

use super::plain::is_plain;
use crate::files::own_copies;

/// A function that returns the copy, and how it is made of what the function itself returns.
pub(crate) struct Copied {
    pub(crate) signature: Signature,
    pub(crate) body: Block,
    pub(crate) copy: TokenStream,
}

impl Copied {
    /// `None` if the function returns neither a shared reference to numbers, or to values of the crate's own, nor its receiver.
    pub(crate) fn of(signature: &Signature, body: &Block, outer: &Generics) -> Option<Self> {
        if gives_back(signature, body) {
            return Some(Self::of_nothing(signature, body));
        }
        let ReturnType::Type(_, output) = &signature.output else {
            return None;
        };
        let parameters = outer.type_params().chain(signature.generics.type_params());
        let parameters: Vec<_> = parameters.map(|p| &p.ident).collect();
        let (output, copy) = copied(output, &parameters, || is_plain(body))?;
        let mut signature = signature.clone();
        signature.output = syn::parse_quote!(-> #output);
        let mut body = body.clone();
        Ends(|end: &mut Expr| {
            let of = match &*end {
                // there is nothing to copy
                Expr::Path(path) if path.path.is_ident("None") => return,
                Expr::Reference(reference) => &*reference.expr,
                of => of,
            };
            *end = syn::parse_quote!((#of) #copy);
        })
        .visit(&mut body);
        Some(Self {
            signature,
            body,
            copy,
        })
    }

    fn of_nothing(signature: &Signature, body: &Block) -> Self {
        let (mut signature, mut body) = (signature.clone(), body.clone());
        signature.output = ReturnType::Default;
        Ends(|end: &mut Expr| *end = syn::parse_quote!(())).visit(&mut body);
        Self {
            signature,
            body,
            copy: quote!(;),
        }
    }
}

/// The type of the copy of what a shared reference refers to, and how the copy is made; `None` if that are neither numbers, nor values of the crate's own
/// to which a plain body leads.
fn copied(
    output: &Type,
    parameters: &[&Ident],
    is_plain: impl Fn() -> bool,
) -> Option<(Type, TokenStream)> {
    let is_own_value = |ty: &Type| is_own_value(ty) && is_plain();
    if let Some(Type::Reference(lent)) = in_option(output) {
        let of = &*lent.elem;
        let is_value = lent.mutability.is_none() && is_own_value(of);
        let optional = syn::parse_quote!(::core::option::Option<#of>);
        return is_value.then(|| (optional, quote!(.cloned())));
    }
    let Type::Reference(reference) = output else {
        return None;
    };
    let of = &*reference.elem;
    let entry = match of {
        Type::Slice(slice) => &*slice.elem,
        of => of,
    };
    if reference.mutability.is_some() || !(is_of_numbers(of, parameters) || is_own_value(entry)) {
        return None;
    }
    Some(match of {
        Type::Slice(_) => {
            let owned = syn::parse_quote!(::coenzyme::__private::std::vec::Vec<#entry>);
            (owned, quote!(.to_vec()))
        }
        ty => (ty.clone(), quote!(.clone())),
    })
}

/// `T` of `Option<T>`.
fn in_option(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    match &last.arguments {
        PathArguments::AngleBracketed(of) if last.ident == "Option" => match of.args.first()? {
            GenericArgument::Type(of) => Some(of),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a type is one of the crate's own whose copies have tangents.
fn is_own_value(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.get_ident().is_some_and(own_copies::are_values))
}

/// Whether a method takes its receiver by `&mut`, and returns it wherever it ends.
pub(crate) fn gives_back(signature: &Signature, body: &Block) -> bool {
    let ReturnType::Type(_, output) = &signature.output else {
        return false;
    };
    let lent = matches!(&**output, Type::Reference(of) if of.mutability.is_some());
    let taken = signature
        .receiver()
        .is_some_and(|receiver| matches!(&receiver.kind, ReceiverKind::Reference(_, _, Some(_))));
    let mut all = lent && taken;
    if all {
        let is_receiver =
            |end: &Expr| matches!(end, Expr::Path(path) if path.path.is_ident("self"));
        Ends(|end: &mut Expr| all &= is_receiver(end)).visit(&mut body.clone());
    }
    all
}

/// Whether a type is made of numbers as far as its tokens tell, and owns them.
fn is_of_numbers(ty: &Type, parameters: &[&Ident]) -> bool {
    fn words(tokens: TokenStream, found: &mut Vec<String>) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => words(group.stream(), found),
                tree => found.push(tree.to_string()),
            }
        }
    }
    let mut found = Vec::new();
    words(ty.to_token_stream(), &mut found);
    let number = |w: &String| w == "f64" || w == "f32" || parameters.iter().any(|p| *p == w);
    let borrows = |w: &String| ["&", "'", "dyn", "impl", "fn"].contains(&w.as_str());
    found.iter().any(number) && !found.iter().any(borrows)
}

/// Changes what is returned.
struct Ends<F>(F);

impl<F: FnMut(&mut Expr)> Ends<F> {
    fn visit(&mut self, body: &mut Block) {
        self.visit_block_mut(body);
        self.end_of(body);
    }

    fn end_of(&mut self, block: &mut Block) {
        if let Some(Stmt::Expr(end, None)) = block.stmts.last_mut() {
            self.end(end);
        }
    }

    fn end(&mut self, end: &mut Expr) {
        match end {
            Expr::Block(block) => self.end_of(&mut block.block),
            Expr::If(branch) => {
                self.end_of(&mut branch.then_branch);
                if let Some((_, otherwise)) = &mut branch.else_branch {
                    self.end(otherwise);
                }
            }
            Expr::Match(branch) => branch
                .arms
                .iter_mut()
                .for_each(|arm| self.end(&mut arm.body)),
            Expr::Macro(_) | Expr::Return(_) => {}
            of => (self.0)(of),
        }
    }
}

impl<F: FnMut(&mut Expr)> VisitMut for Ends<F> {
    fn visit_expr_return_mut(&mut self, returned: &mut syn::ExprReturn) {
        visit_mut::visit_expr_return_mut(self, returned);
        if let Some(value) = &mut returned.expr {
            self.end(value);
        }
    }

    fn visit_expr_closure_mut(&mut self, _: &mut syn::ExprClosure) {}

    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}
