//! What can be asked of `#[differentiable]`, on the function and on its bindings.

use syn::parse::{Parse, ParseStream};
use syn::visit_mut::VisitMut;
use syn::{Ident, Token};

use super::combinations::Combination;

/// `#[differentiable(report, expand, combinations(Reverse(Active, Const)))]`.
#[derive(Clone, Default)]
pub(crate) struct Options {
    /// Whether the marker gets the constants `REPORT` and `GRAPH`.
    pub(crate) report: bool,
    /// Whether the marker gets the constant `EXPANSION`.
    pub(crate) expand: bool,
    /// The word that asks for the function on a device as well.
    pub(crate) device: Option<Ident>,
    /// The combinations of activities that the function has rules for; all, if there is no list.
    pub(crate) combinations: Option<Vec<Combination>>,
    /// The word that asks for the functions of `coenzyme::fast`.
    pub(crate) fast: Option<Ident>,
    /// `order = 2`: the function is differentiated at numbers of any order, where this stands.
    pub(crate) order: Option<syn::LitInt>,
}

impl Parse for Options {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut options = Self::default();
        while !input.is_empty() {
            let word: Ident = input.parse()?;
            if word == "report" {
                options.report = true;
            } else if word == "expand" {
                options.expand = true;
            } else if word == "device" {
                options.device = Some(word);
            } else if word == "order" {
                input.parse::<Token![=]>()?;
                let order: syn::LitInt = input.parse()?;
                match order.base10_parse::<u32>()? {
                    0 => return Err(syn::Error::new_spanned(order, "the first order is 1")),
                    1 => {}
                    _ => options.order = Some(order),
                }
            } else if word == "combinations" {
                let list;
                syn::parenthesized!(list in input);
                let list = list.parse_terminated(Combination::parse, Token![,])?;
                options.combinations = Some(list.into_iter().collect());
            } else if word == "math" {
                input.parse::<Token![=]>()?;
                let which: Ident = input.parse()?;
                if which != "fast" {
                    let message =
                        "the mathematics is that of the standard library, or `math = fast`";
                    return Err(syn::Error::new_spanned(which, message));
                }
                options.fast = Some(word);
            } else {
                let message = "the options are: `device`, `math = fast`, `order = 2`, `report`, `expand`, `combinations(Reverse(Active, Const), …)`";
                return Err(syn::Error::new_spanned(word, message));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(options)
    }
}

/// What an attribute inside a body asks for.
#[allow(clippy::large_enum_variant)] // looked at and dropped
pub(crate) enum Steer {
    /// `#[store]`: the value goes on the tape instead of being computed again.
    Store,
    /// `#[recompute]`: the value is computed again instead of going on the tape.
    Recompute,
    /// `#[checkpoint]`, `#[checkpoint(8)]`: a loop or a call keeps states instead of taping every round; how many.
    Checkpoint(Option<syn::Expr>),
}

/// The attributes that only this macro knows.
const STEERING: &[&str] = &["store", "recompute", "checkpoint"];

fn is_steering(attribute: &syn::Attribute) -> bool {
    STEERING.iter().any(|name| attribute.path().is_ident(name))
}

/// What the attributes of a statement ask for, if anything.
pub(crate) fn steer(attributes: &[syn::Attribute]) -> syn::Result<Option<Steer>> {
    let mut found = attributes.iter().filter(|a| is_steering(a));
    let Some(attribute) = found.next() else {
        return Ok(None);
    };
    if let Some(second) = found.next() {
        let message = "one of `#[store]`, `#[recompute]` and `#[checkpoint]` at a time";
        return Err(syn::Error::new_spanned(second, message));
    }
    let path = attribute.path();
    if path.is_ident("checkpoint") {
        let snapshots = match &attribute.meta {
            syn::Meta::List(list) => Some(list.parse_args()?),
            _ => None,
        };
        return Ok(Some(Steer::Checkpoint(snapshots)));
    }
    attribute.meta.require_path_only()?;
    Ok(Some(match path.is_ident("store") {
        true => Steer::Store,
        false => Steer::Recompute,
    }))
}

/// Takes the attributes that only this macro knows off a function's body.
pub(crate) fn strip(body: &mut syn::Block) {
    struct Strip;
    impl VisitMut for Strip {
        fn visit_attributes_mut(&mut self, attributes: &mut Vec<syn::Attribute>) {
            attributes.retain(|a| !is_steering(a));
        }
    }
    Strip.visit_block_mut(body);
}

/// The attributes of an expression that stands as a statement.
pub(crate) fn attributes(expr: &syn::Expr) -> &[syn::Attribute] {
    match expr {
        syn::Expr::ForLoop(e) => &e.attrs,
        syn::Expr::While(e) => &e.attrs,
        syn::Expr::Loop(e) => &e.attrs,
        syn::Expr::Call(e) => &e.attrs,
        syn::Expr::MethodCall(e) => &e.attrs,
        syn::Expr::Assign(e) => &e.attrs,
        syn::Expr::Binary(e) => &e.attrs,
        syn::Expr::If(e) => &e.attrs,
        syn::Expr::Match(e) => &e.attrs,
        syn::Expr::Block(e) => &e.attrs,
        _ => &[],
    }
}
