//! `easy_rule!`: both rules of a function from its partial derivatives.
//!
//! parse (`parse.rs`) → model and checks (`model.rs`) → expand (`forward.rs`, `reverse.rs`).

/// As `quote!`, but the variables cannot be seen by the user's code, which stands between them.
macro_rules! hygienic {
    ($($tokens:tt)*) => { quote::quote_spanned!(proc_macro2::Span::mixed_site()=> $($tokens)*) };
}

mod body;
mod forward;
mod model;
mod names;
mod parse;
mod reverse;

use proc_macro2::TokenStream;
use quote::quote;

use crate::errors::Errors;
use model::Rule;
pub(crate) use parse::Written;

/// Expands to a general rule for each mode:
///
/// ```text
/// impl ForwardRule<R, (A0, A1), W> for f { … }
/// impl ReverseRule<R, (A0, A1), W> for f { … }
/// ```
pub(crate) fn expand(written: Written) -> TokenStream {
    let mut errors = Errors::default();
    let rule = Rule::check(written, &mut errors);
    if !errors.is_empty() {
        return errors.into_tokens();
    }
    let (forward, reverse) = (forward::expand(&rule), reverse::expand(&rule));
    quote!(#forward #reverse)
}
