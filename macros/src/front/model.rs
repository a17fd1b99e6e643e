//! What an attribute of `std::autodiff` asks for, checked against the function it stands on.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::{LitInt, Token};

use crate::errors::Errors;
use crate::signature::{Function, Passing};

/// Forward or reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Forward,
    Reverse,
}

/// `(name, width, activity, …)` as it was written.
pub(crate) struct Request {
    name: Ident,
    width: Option<LitInt>,
    activities: Vec<Ident>,
}

impl Parse for Request {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        let mut width = None;
        let mut activities = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            if width.is_none() && activities.is_empty() && input.peek(LitInt) {
                width = Some(input.parse()?);
            } else {
                activities.push(input.parse()?);
            }
        }
        Ok(Self {
            name,
            width,
            activities,
        })
    }
}

/// The activity of an argument or of the returned value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    Const,
    /// Forward: `Dual`, and `DualOnly` where `only`.
    Dual {
        only: bool,
    },
    /// Forward: one shadow slice for all lanes.
    Dualv,
    /// Reverse: `Active`, and `ActiveOnly` where `only`.
    Active {
        only: bool,
    },
    /// Reverse: `Duplicated`, and `DuplicatedOnly` where `only`.
    Duplicated {
        only: bool,
    },
}

/// A request that fits its function.
pub(super) struct Front {
    pub(super) name: Ident,
    pub(super) width: usize,
    /// One for each parameter.
    pub(super) args: Vec<Activity>,
    /// `None` for a function that returns nothing.
    pub(super) ret: Option<Activity>,
}

impl Front {
    /// Checks a request; `None` if it does not fit, after saying why.
    pub(super) fn check(
        request: Request,
        mode: Mode,
        function: &Function,
        errors: &mut Errors,
    ) -> Option<Self> {
        let Request {
            name,
            width,
            activities,
        } = request;
        if name == function.name {
            errors.at(&name, "the derivative needs a name of its own");
            return None;
        }
        let lanes = match &width {
            None => 1,
            Some(width) => match width.base10_parse() {
                Ok(lanes @ 1..=64) => lanes,
                _ => {
                    errors.at(width, "the width is a number of lanes from 1 to 64");
                    return None;
                }
            },
        };
        let returns = !matches!(&function.output, syn::Type::Tuple(t) if t.elems.is_empty());
        let expected = function.params.len() + usize::from(returns);
        if activities.len() != expected {
            errors.at(
                &name,
                format!(
                    "{expected} activities are needed, one for each argument{}, not {}",
                    if returns {
                        " and one for the returned value"
                    } else {
                        ""
                    },
                    activities.len()
                ),
            );
            return None;
        }
        let mut checked = Vec::new();
        for (i, word) in activities.iter().enumerate() {
            let passing = function.params.get(i).map(|p| p.passing);
            match activity(word, mode, passing) {
                Ok(activity) => checked.push(activity),
                Err(message) => errors.at(word, message),
            }
        }
        if checked.len() != expected {
            return None;
        }
        let ret = if returns { checked.pop() } else { None };
        Some(Self {
            name,
            width: lanes,
            args: checked,
            ret,
        })
    }
}

/// The activity that `word` means for an argument that is passed so, or for the returned value (`None`).
fn activity(word: &Ident, mode: Mode, passing: Option<Passing>) -> Result<Activity, &'static str> {
    let by_value = passing == Some(Passing::Value);
    Ok(match (mode, word.to_string().as_str(), passing) {
        (_, "Const", _) => Activity::Const,
        (Mode::Forward, "Dual", _) => Activity::Dual { only: false },
        (Mode::Forward, "DualOnly", _) => Activity::Dual { only: true },
        (Mode::Forward, "Dualv", Some(_)) if !by_value => Activity::Dualv,
        (Mode::Forward, _, _) => {
            return Err("forward mode takes `Dual`, `DualOnly`, `Dualv` (for a slice) and `Const`");
        }
        (Mode::Reverse, "Active", None) => Activity::Active { only: false },
        (Mode::Reverse, "ActiveOnly", None) => Activity::Active { only: true },
        (Mode::Reverse, "Active", Some(_)) if by_value => Activity::Active { only: false },
        (Mode::Reverse, "Active", Some(_)) => {
            return Err("a reference is `Duplicated`: its derivative is accumulated in a shadow");
        }
        (Mode::Reverse, "Duplicated" | "DuplicatedOnly", Some(_)) if by_value => {
            return Err("a value is `Active`: its derivative is returned");
        }
        (Mode::Reverse, "Duplicated", Some(_)) => Activity::Duplicated { only: false },
        (Mode::Reverse, "DuplicatedOnly", Some(_)) => Activity::Duplicated { only: true },
        (Mode::Reverse, _, Some(_)) => {
            return Err(
                "an argument in reverse mode is `Active`, `Duplicated`, `DuplicatedOnly` or `Const`",
            );
        }
        (Mode::Reverse, _, None) => {
            return Err("a returned value in reverse mode is `Active`, `ActiveOnly` or `Const`");
        }
    })
}
