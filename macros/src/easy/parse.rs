//! The syntax: a signature with a named result, statements, partial derivatives.

use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, Generics, Ident, Stmt, Token, Type};

/// ```text
/// fn f<T: Real>(x: T, y: &[T]) -> z: T where …;   // or: -> (z: T, w: Vec<T>)
/// let s = …;
/// dz/dx = …;
/// dz/dy = constant;
/// ```
pub(crate) struct Written {
    pub(super) name: Ident,
    pub(super) generics: Generics,
    pub(super) inputs: Punctuated<FnArg, Token![,]>,
    pub(super) outputs: Vec<Output>,
    /// The result is a tuple.
    pub(super) tuple: bool,
    pub(super) setup: Vec<Stmt>,
    pub(super) partials: Vec<Partial>,
}

/// A result and its name: `z: T`.
pub(super) struct Output {
    pub(super) name: Ident,
    pub(super) ty: Type,
}

/// `dz/dx = value;`, where no value is `constant`.
pub(super) struct Partial {
    pub(super) above: Ident,
    pub(super) below: Ident,
    pub(super) value: Option<Expr>,
}

impl Parse for Written {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        input.parse::<Token![fn]>()?;
        let name = input.parse()?;
        let mut generics: Generics = input.parse()?;
        let content;
        syn::parenthesized!(content in input);
        let inputs = Punctuated::parse_terminated(&content)?;
        input.parse::<Token![->]>()?;
        let tuple = input.peek(syn::token::Paren);
        let outputs = if tuple {
            let content;
            syn::parenthesized!(content in input);
            let outputs = Punctuated::<Output, Token![,]>::parse_terminated(&content)?;
            outputs.into_iter().collect()
        } else {
            vec![input.parse()?]
        };
        generics.where_clause = input.parse()?;
        input.parse::<Token![;]>()?;

        let mut setup = Vec::new();
        while !input.is_empty() && !Partial::peek(input) {
            setup.push(input.parse()?);
        }
        let mut partials = Vec::new();
        while !input.is_empty() {
            partials.push(input.parse()?);
        }
        Ok(Self {
            name,
            generics,
            inputs,
            outputs,
            tuple,
            setup,
            partials,
        })
    }
}

impl Parse for Output {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !(input.peek(Ident) && input.peek2(Token![:]) && !input.peek2(Token![::])) {
            let ty: Type = input.parse()?;
            return Err(syn::Error::new_spanned(
                ty,
                "name the result, so that its partial derivatives can be written: `-> z: f64`",
            ));
        }
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Self {
            name,
            ty: input.parse()?,
        })
    }
}

impl Partial {
    fn peek(input: ParseStream<'_>) -> bool {
        input.peek(Ident) && input.peek2(Token![/]) && input.peek3(Ident)
    }
}

impl Parse for Partial {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if !Self::peek(input) {
            return Err(input.error("expected a partial derivative such as `dz/dx = …;` (statements stand before the partials)"));
        }
        let above = input.parse()?;
        input.parse::<Token![/]>()?;
        let below = input.parse()?;
        input.parse::<Token![=]>()?;
        let value: Expr = input.parse()?;
        if !input.is_empty() {
            input.parse::<Token![;]>()?;
        }
        let constant = matches!(&value, Expr::Path(path) if path.path.is_ident("constant"));
        Ok(Self {
            above,
            below,
            value: (!constant).then_some(value),
        })
    }
}
