//! `combinations(Reverse(Active, Const), …)`: a list of the activities that a function has rules for.
//!
//! The rules stay one for each mode; they are bound to the list.
//!
//! ```text
//! impl<P0, S0, P1, const W: usize> Combination<InReverse, (BatchDuplicated<P0, S0, W>, Const<P1>)> for f {}
//! impl<…> ReverseRule<R, (H0, H1), W> for f where f: Combination<InReverse, (H0, H1)>, … { … }
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, Token};

use crate::errors::Errors;
use crate::signature::{Function, Passing};

/// `Reverse(Active, Const)`.
#[derive(Clone)]
pub(crate) struct Combination {
    mode: Ident,
    activities: Vec<Ident>,
}

impl Parse for Combination {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mode: Ident = input.parse()?;
        if mode != "Forward" && mode != "Reverse" {
            let message = "a combination is `Forward(…)` or `Reverse(…)`, with an activity for each parameter";
            return Err(syn::Error::new_spanned(mode, message));
        }
        let activities;
        syn::parenthesized!(activities in input);
        let activities = activities.parse_terminated(Ident::parse, Token![,])?;
        Ok(Self {
            mode,
            activities: activities.into_iter().collect(),
        })
    }
}

impl Combination {
    fn is_in(&self, mode: &str) -> bool {
        self.mode == mode
    }

    /// The activities, by one name for each.
    fn names(&self) -> Vec<String> {
        let name = |a: &Ident| a.to_string().trim_start_matches("Batch").to_owned();
        self.activities.iter().map(name).collect()
    }
}

/// Refuses combinations that cannot be.
pub(crate) fn check(list: &[Combination], function: &Function, errors: &mut Errors) {
    for (i, combination) in list.iter().enumerate() {
        let (given, wanted) = (combination.activities.len(), function.params.len());
        if given != wanted {
            errors.at(
                &combination.mode,
                format!("`{}` has {wanted} parameters, and this combination {given} activities: one for each", function.name),
            );
            continue;
        }
        for (activity, param) in combination.activities.iter().zip(&function.params) {
            if let Some(message) = refused(activity, &combination.mode, param.passing) {
                errors.at(activity, message);
            }
        }
        let same = |other: &Combination| {
            other.mode == combination.mode && other.names() == combination.names()
        };
        if list[..i].iter().any(same) {
            errors.at(&combination.mode, "this combination is in the list already");
        }
    }
}

fn refused(activity: &Ident, mode: &Ident, passing: Passing) -> Option<String> {
    let by_value = passing == Passing::Value;
    match activity.to_string().trim_start_matches("Batch") {
        "Const" | "DynArg" => None,
        "Active" if mode == "Forward" => {
            Some("forward mode has no `Active`: write `Duplicated`".into())
        }
        "Active" if !by_value => {
            Some("the derivative of memory is left in a shadow: write `Duplicated`".into())
        }
        "Duplicated" | "DuplicatedNoNeed" if by_value && mode == "Reverse" => {
            Some("the derivative of a value is returned in reverse mode: write `Active`, or `MixedDuplicated` for one that is left in a shadow".into())
        }
        "MixedDuplicated" if !by_value || mode == "Forward" => {
            Some("`MixedDuplicated` is for values in reverse mode: write `Duplicated`".into())
        }
        "Active" | "Duplicated" | "DuplicatedNoNeed" | "MixedDuplicated" => None,
        _ => Some("the activities are: `Const`, `Active`, `Duplicated`, `DuplicatedNoNeed`, `MixedDuplicated`, and `DynArg` for one that is known at run time".into()),
    }
}

/// Whether there are rules in a mode, and the bound that they have.
pub(crate) fn bound(
    list: Option<&[Combination]>,
    function: &Function,
    mode: &str,
    handles: &TokenStream,
) -> Option<Option<syn::WherePredicate>> {
    let Some(list) = list else {
        return Some(None);
    };
    if !list.iter().any(|c| c.is_in(mode)) {
        return None;
    }
    let (name, mode) = (&function.name, format_ident!("In{mode}"));
    Some(Some(syn::parse_quote!(
        #name: ::coenzyme::__private::Combination<::coenzyme::__private::#mode, #handles>
    )))
}

/// The list as implementations.
pub(crate) fn implementations(list: &[Combination], function: &Function) -> TokenStream {
    let each = list.iter().map(|combination| {
        let (name, mode) = (&function.name, format_ident!("In{}", combination.mode));
        let mut generics = Vec::new();
        let handles: Vec<_> = combination
            .names()
            .iter()
            .enumerate()
            .map(|(i, activity)| {
                let (p, s) = (format_ident!("__P{i}"), format_ident!("__S{i}"));
                generics.push(p.to_token_stream());
                match activity.as_str() {
                    "Const" => return quote!(::coenzyme::Const<#p>),
                    "Active" => return quote!(::coenzyme::Active<#p>),
                    _ => generics.push(s.to_token_stream()),
                }
                let handle = match activity.as_str() {
                    "DynArg" => activity.clone(),
                    other => format!("Batch{other}"),
                };
                let handle = format_ident!("{handle}");
                quote!(::coenzyme::#handle<#p, #s, __W>)
            })
            .collect();
        let has_width = |activity: &String| activity != "Const" && activity != "Active";
        let width = combination
            .names()
            .iter()
            .any(has_width)
            .then(|| quote!(const __W: usize));
        quote! {
            impl<#(#generics,)* #width>
                ::coenzyme::__private::Combination<::coenzyme::__private::#mode, (#(#handles,)*)> for #name {}
        }
    });
    each.collect()
}
