//! Variants by their names alone, `Circle(r)` after `use Shape::*`: a path does not tell them from structs.
//!
//! What a function returns is of the type that its signature names, and a `match` with several arms tells variants apart: names that
//! are found there and are none of the type itself are taken for variants, and so are those of what a body makes if it, or its file, imports variants.
//! A struct may be taken for one, at no harm: its pattern fits always.

use std::collections::HashSet;

use syn::visit::{self, Visit};
use syn::{Expr, GenericArgument, Pat, Path, PathArguments, Type};

use crate::differentiable::syntax::ends::ends_of;
use crate::files::own_names;

/// The names in `body`, of the function `of`, that are taken for variants.
pub(crate) fn in_body(body: &syn::Block, output: &Type, of: &syn::Ident) -> HashSet<String> {
    let mut find = Find {
        returned: returned(output),
        found: HashSet::new(),
    };
    find.visit_block(body);
    let brings = |stmt: &syn::Stmt| matches!(stmt, syn::Stmt::Item(syn::Item::Use(import)) if own_names::of_enum(&import.tree));
    if body.stmts.iter().any(brings) || own_names::imports_variants(of) {
        Made(&mut find).visit_block(body);
    }
    let whole = Expr::Block(syn::ExprBlock {
        attrs: Vec::new(),
        label: None,
        block: body.clone(),
    });
    find.returns(&whole);
    find.found
}

/// The name of the type that a function returns: `Shape` of `Result<Shape, Error>`.
fn returned(output: &Type) -> Option<String> {
    let Type::Path(path) = output else {
        return None;
    };
    let last = path.path.segments.last()?;
    let wraps = ["Option", "Result", "Box"].iter().any(|w| last.ident == w);
    match &last.arguments {
        PathArguments::AngleBracketed(of) if wraps => match of.args.first()? {
            GenericArgument::Type(inner) => returned(inner),
            _ => None,
        },
        _ => Some(last.ident.to_string()),
    }
}

struct Find {
    returned: Option<String>,
    found: HashSet<String>,
}

impl Find {
    fn returns(&mut self, value: &Expr) {
        let mut each = Vec::new();
        ends_of(value, &mut each);
        for end in each {
            match end {
                Expr::Call(call) => match &*call.func {
                    Expr::Path(made) if wraps(&made.path) => {
                        call.args.iter().for_each(|inner| self.returns(inner));
                    }
                    Expr::Path(made) => self.returned_as(&made.path),
                    _ => {}
                },
                Expr::Struct(made) => self.returned_as(&made.path),
                _ => {}
            }
        }
    }

    fn returned_as(&mut self, path: &Path) {
        let of_the_type = |name: &String| path.is_ident(name);
        if self
            .returned
            .as_ref()
            .is_some_and(|name| !of_the_type(name))
        {
            self.take(path);
        }
    }

    fn take(&mut self, path: &Path) {
        let name = path.get_ident().map(ToString::to_string);
        let name = name.filter(|name| name.starts_with(char::is_uppercase));
        let own = ["Self", "Some", "Ok", "Err", "None"];
        self.found
            .extend(name.filter(|name| !own.contains(&&**name)));
    }
}

/// `Ok`, `Some`.
fn wraps(path: &Path) -> bool {
    ["Ok", "Some"].iter().any(|name| path.is_ident(name))
}

impl<'ast> Visit<'ast> for Find {
    fn visit_expr_return(&mut self, returned: &'ast syn::ExprReturn) {
        if let Some(value) = &returned.expr {
            self.returns(value);
        }
        visit::visit_expr_return(self, returned);
    }

    fn visit_expr_match(&mut self, branch: &'ast syn::ExprMatch) {
        if branch.arms.len() > 1 {
            let mut names = Names(self);
            branch.arms.iter().for_each(|arm| names.visit_pat(&arm.pat));
        }
        visit::visit_expr_match(self, branch);
    }

    fn visit_item(&mut self, _: &'ast syn::Item) {}
}

/// The names of what is made, where variants are imported.
struct Made<'f>(&'f mut Find);

impl<'ast> Visit<'ast> for Made<'_> {
    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        if let Expr::Path(made) = &*call.func {
            self.0.take(&made.path);
        }
        visit::visit_expr_call(self, call);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        self.0.take(&made.path);
        visit::visit_expr_struct(self, made);
    }
}

/// The names of the structures in a pattern.
struct Names<'f>(&'f mut Find);

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_pat(&mut self, pat: &'ast Pat) {
        match pat {
            Pat::TupleStruct(made) => self.0.take(&made.path),
            Pat::Struct(made) => self.0.take(&made.path),
            _ => {}
        }
        visit::visit_pat(self, pat);
    }
}
