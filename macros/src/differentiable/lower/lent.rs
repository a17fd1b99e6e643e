//! References where none can be followed: inside the type of a parameter, as the value of a branch, in patterns of slices.

use syn::visit::{self, Visit};
use syn::{Expr, Pat, Stmt};

use super::{Binding, Lower, is_active, plain};
use crate::differentiable::ir::*;
use crate::differentiable::varied::bound_names;
use crate::errors::Errors;
use crate::signature::Function;

/// Refuses references inside the types of active parameters: what they lead to has no shadow.
pub(super) fn check_parameters(function: &Function, errors: &mut Errors) {
    struct Inner<'e>(&'e mut Errors);
    impl<'ast> Visit<'ast> for Inner<'_> {
        fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
            self.0.at(
                &reference.elem,
                "a reference inside the type of a parameter leads to no shadow: make it a parameter of its own, or mark this one `#[constant]`",
            );
        }
    }
    for param in function.params.iter().filter(|p| is_active(p)) {
        if let Some(number) = boxed_number(function, &param.ty) {
            errors.at(
                &param.ty,
                format!("a box of one number is not followed: take the number itself, `{number}` or `&{number}`"),
            );
        }
        Inner(errors).visit_type(&param.ty);
    }
}

/// `f64` of `Box<f64>`.
fn boxed_number(function: &Function, ty: &syn::Type) -> Option<String> {
    let syn::Type::Path(path) = ty else {
        return None;
    };
    let last = path.path.segments.last().filter(|s| s.ident == "Box")?;
    let syn::PathArguments::AngleBracketed(args) = &last.arguments else {
        return None;
    };
    let Some(syn::GenericArgument::Type(syn::Type::Path(inner))) = args.args.first() else {
        return None;
    };
    let name = inner.path.get_ident()?;
    let generic = function.generics.type_params().any(|t| t.ident == *name);
    (generic || name == "f64" || name == "f32").then(|| name.to_string())
}

impl Lower<'_> {
    /// Whether the value of a branch is a reference to a slice; an error if so.
    pub(super) fn refused_slice(&mut self, branch: &Expr) -> bool {
        let mut tails = Vec::new();
        ends(branch, &mut tails);
        let Some(slice) = tails.into_iter().find(|e| self.is_slice(e)) else {
            return false;
        };
        self.errors.at(
            slice,
            "a reference to a slice that a branch chooses is not supported: put what is done with it into each branch, or copy with `to_vec`",
        );
        true
    }

    fn is_slice(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Reference(reference) => match &*reference.expr {
                Expr::Index(index) => matches!(&*index.index, Expr::Range(_)),
                inner => self.is_slice(inner),
            },
            Expr::Path(_) => match plain::simple_name(expr).and_then(|n| self.lookup(&n)) {
                Some(Binding::Root(root)) => self.slices.contains(root),
                Some(Binding::Alias { place, .. }) => {
                    let suffix = place.suffix.to_string();
                    suffix.trim_end().ends_with(']') && suffix.contains("..")
                        || place.suffix.is_empty()
                            && matches!(place.base, Base::Root(r) if self.slices.contains(&r))
                }
                _ => false,
            },
            Expr::Paren(paren) => self.is_slice(&paren.expr),
            Expr::Unary(unary) => self.is_slice(&unary.expr),
            _ => false,
        }
    }

    /// Whether a pattern takes a slice apart, whose length is not known; an error if so.
    pub(super) fn refused_slice_pattern<'p>(
        &mut self,
        scrutinee: &Expr,
        patterns: impl Iterator<Item = &'p Pat>,
    ) -> bool {
        struct Slices<'p>(Vec<&'p syn::PatSlice>);
        impl<'p> Visit<'p> for Slices<'p> {
            fn visit_pat_slice(&mut self, pat: &'p syn::PatSlice) {
                self.0.push(pat);
                visit::visit_pat_slice(self, pat);
            }
        }
        let mut found = Slices(Vec::new());
        let mut names = Vec::new();
        for pat in patterns {
            found.visit_pat(pat);
            names.extend(bound_names(pat));
        }
        let Some(first) = found.0.first() else {
            return false;
        };
        let refused = self.is_slice(scrutinee);
        if refused {
            self.errors.at(
                first,
                "a pattern of a slice is not supported on active memory: match on its length, and take the entries by their indices",
            );
            // one error is enough for the names that it binds
            self.complained.extend(names);
        }
        refused
    }
}

/// The expressions that may be the value of a branch.
pub(super) fn ends<'e>(expr: &'e Expr, found: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Block(b) => end_of_block(&b.block, found),
        Expr::If(branch) => {
            end_of_block(&branch.then_branch, found);
            if let Some((_, otherwise)) = &branch.else_branch {
                ends(otherwise, found);
            }
        }
        Expr::Match(branch) => branch.arms.iter().for_each(|a| ends(&a.body, found)),
        expr => found.push(expr),
    }
}

fn end_of_block<'e>(block: &'e syn::Block, found: &mut Vec<&'e Expr>) {
    if let Some(Stmt::Expr(expr, None)) = block.stmts.last() {
        ends(expr, found);
    }
}
