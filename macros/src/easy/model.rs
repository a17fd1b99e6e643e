//! What an easy rule says, checked: a table of partial derivatives, one row per result, one column per argument.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Ident, Stmt, Type};

use super::names::mentions;
use super::parse::{Output, Partial, Written};
use crate::errors::Errors;
use crate::signature::{Function, Passing};

/// A checked rule.
pub(super) struct Rule {
    pub(super) function: Function,
    pub(super) outputs: Vec<Output>,
    pub(super) tuple: bool,
    pub(super) setup: Vec<Stmt>,
    /// `partials[k][j]`: of result `k` by argument `j`; none if constant.
    pub(super) partials: Vec<Vec<Option<Expr>>>,
}

impl Rule {
    pub(super) fn check(written: Written, errors: &mut Errors) -> Self {
        let function = function(&written, errors);
        check_params(&function, errors);
        let partials = table(&function, &written, errors);
        Self {
            function,
            outputs: written.outputs,
            tuple: written.tuple,
            setup: written.setup,
            partials,
        }
    }

    /// The partials by argument `j`, each with the index of its result.
    pub(super) fn column(&self, j: usize) -> impl Iterator<Item = (usize, &Expr)> {
        let rows = self.partials.iter().enumerate();
        rows.filter_map(move |(k, row)| row[j].as_ref().map(|e| (k, e)))
    }

    /// The arguments that some result has a partial by.
    pub(super) fn differentiated(&self) -> impl Iterator<Item = usize> {
        (0..self.function.params.len()).filter(|&j| self.column(j).next().is_some())
    }

    /// Whether `name` occurs in the statements or in any partial.
    pub(super) fn mentions(&self, name: &Ident) -> bool {
        self.setup.iter().any(|s| mentions(s, name))
            || self
                .partials
                .iter()
                .flatten()
                .flatten()
                .any(|e| mentions(e, name))
    }

    /// The names of the results.
    pub(super) fn results(&self) -> Vec<&Ident> {
        self.outputs.iter().map(|o| &o.name).collect()
    }

    /// The type of the value of result `k`.
    pub(super) fn value_type(&self, k: usize) -> TokenStream {
        let ty = &self.outputs[k].ty;
        if self.tuple {
            ty.to_token_stream()
        } else {
            quote!(<#ty as ::coenzyme::Outcome>::Value)
        }
    }

    /// Result `k` inside the returned value: `.k` of a tuple.
    pub(super) fn component(&self, k: usize) -> TokenStream {
        let index = syn::Index::from(k);
        if self.tuple {
            quote!(.#index)
        } else {
            quote!()
        }
    }
}

/// The signature, as the other macros know it.
fn function(written: &Written, errors: &mut Errors) -> Function {
    let Written {
        name,
        generics,
        inputs,
        outputs,
        ..
    } = written;
    let types = outputs.iter().map(|o| &o.ty);
    let output: Type = if written.tuple {
        syn::parse_quote!((#(#types,)*))
    } else {
        syn::parse_quote!(#(#types)*)
    };
    let where_clause = &generics.where_clause;
    let mut signature: syn::Signature =
        syn::parse_quote!(fn #name #generics (#inputs) -> #output #where_clause);
    let mut function = Function::parse(&syn::Visibility::Inherited, &mut signature, errors);
    if function.returns_parameter() {
        let bound = syn::parse_quote!(#output: ::coenzyme::Outcome<Value = #output>);
        function.generics.make_where_clause().predicates.push(bound);
    }
    function
}

/// Arguments have names, and are not written.
fn check_params(function: &Function, errors: &mut Errors) {
    for param in &function.params {
        if let Some(pattern) = &param.pattern {
            errors.at(
                pattern,
                "name the argument: its partial derivative is written by the name",
            );
        }
        if param.passing == Passing::Exclusive {
            errors.at(
                &param.name,
                "an easy rule is for a function that writes none of its arguments: return the value, or implement \
                 `ForwardRule` and `ReverseRule`",
            );
        }
    }
}

/// The table of partials: every entry is there once.
fn table(function: &Function, written: &Written, errors: &mut Errors) -> Vec<Vec<Option<Expr>>> {
    let (params, outputs) = (&function.params, &written.outputs);
    let mut table: Vec<Vec<Option<&Partial>>> = vec![vec![None; params.len()]; outputs.len()];
    for partial in &written.partials {
        let row = outputs.iter().position(|o| is_d(&partial.above, &o.name));
        let column = params.iter().position(|p| is_d(&partial.below, &p.name));
        if row.is_none() {
            let names: Vec<_> = outputs.iter().map(|o| format!("`d{}`", o.name)).collect();
            errors.at(
                &partial.above,
                format!("not a result of the function: write {}", names.join(" or ")),
            );
        }
        if column.is_none() {
            let names: Vec<_> = params.iter().map(|p| format!("`d{}`", p.name)).collect();
            errors.at(
                &partial.below,
                format!(
                    "not an argument of the function: write {}",
                    names.join(" or ")
                ),
            );
        }
        let (Some(row), Some(column)) = (row, column) else {
            continue;
        };
        if params[column].constant && partial.value.is_some() {
            errors.at(
                &partial.below,
                "the argument is declared `#[constant]`, and has no partial derivative",
            );
        }
        if table[row][column].replace(partial).is_some() {
            errors.at(&partial.above, "this partial derivative is already given");
        }
    }
    for (row, output) in table.iter().zip(outputs) {
        for (entry, param) in row.iter().zip(params) {
            if entry.is_none() && !param.constant {
                let d = format!("d{}/d{}", output.name, param.name);
                errors.at(
                    &param.name,
                    format!("no partial derivative by this argument: add `{d} = …;`, or `{d} = constant;` if there is none"),
                );
            }
        }
    }
    let value = |entry: Option<&Partial>| entry.and_then(|p| p.value.clone());
    let row = |row: Vec<Option<&Partial>>| row.into_iter().map(value).collect();
    table.into_iter().map(row).collect()
}

/// Whether `d` is `name` after a `d`.
fn is_d(d: &Ident, name: &Ident) -> bool {
    *d == format_ident!("d{}", name)
}
