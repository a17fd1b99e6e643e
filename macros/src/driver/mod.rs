//! `autodiff!` and `gradient!`: calls of the drivers with less to write.

pub(crate) mod first;
pub(crate) mod second;

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, PathArguments, Token, parenthesized, token};

use crate::beside;
use crate::files::{own_file, scope};

/// A function by its path, or a functor in parentheses; as an expression for its marker.
struct Differentiated {
    marker: TokenStream,
    /// The function, if it is named by a path.
    path: Option<syn::Path>,
    /// What the path says of type parameters.
    told: Option<TokenStream>,
}

impl Differentiated {
    /// A reference to the marker of a function that has second derivatives. A functor's rules say so themselves.
    fn of_any_order(&self) -> TokenStream {
        let marker = &self.marker;
        match &self.path {
            Some(path) => quote!(&<#path as ::coenzyme::__private::AnyOrder>::MARKER),
            None => quote!(&#marker),
        }
    }
}

impl ToTokens for Differentiated {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        let marker = &self.marker;
        tokens.extend(match &self.told {
            None => marker.clone(),
            Some(types) => quote!({
                use ::coenzyme::__private::Marker as _;
                (#marker).told::<#types>()
            }),
        });
    }
}

impl Parse for Differentiated {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(token::Paren) {
            let inside;
            parenthesized!(inside in input);
            let marker = inside.parse::<Expr>()?.into_token_stream();
            return Ok(Self {
                marker,
                path: None,
                told: None,
            });
        }
        let mut path: syn::Path = input.call(|i| Ok(i.parse::<syn::ExprPath>()?.path))?;
        let told = crate::told::types_of_call(&path, &[]);
        // the marker has no generics
        for segment in &mut path.segments {
            segment.arguments = PathArguments::None;
        }
        // elsewhere an import would be ambiguous with a function of the name in a block around (E0659)
        let is_beside = path.get_ident().is_some_and(scope::is_a_function);
        let by_file = (path.segments.last()).is_some_and(|s| own_file::may_be_a_module(&s.ident));
        let marker = match is_beside || by_file {
            true => crate::marker::of(&path),
            false => quote!(#path {}),
        };
        Ok(Self {
            marker,
            path: Some(path),
            told,
        })
    }
}

/// Expressions after a comma, if any.
fn arguments(input: ParseStream<'_>) -> syn::Result<Vec<Expr>> {
    if input.is_empty() {
        return Ok(Vec::new());
    }
    input.parse::<Token![,]>()?;
    let arguments = Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
    Ok(arguments.into_iter().collect())
}

/// `autodiff!(mode, function, return activity, arguments…)`.
pub(crate) struct Autodiff {
    mode: Expr,
    function: Differentiated,
    returns: Ident,
    arguments: Vec<Expr>,
}

impl Parse for Autodiff {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mode = input.parse()?;
        input.parse::<Token![,]>()?;
        let function = input.parse()?;
        let mut arguments = arguments(input)?.into_iter().peekable();
        let returns = arguments.peek().and_then(return_activity);
        if returns.is_some() {
            arguments.next();
        }
        Ok(Self {
            mode,
            function,
            returns: returns.unwrap_or_else(|| format_ident!("Natural")),
            arguments: arguments.collect(),
        })
    }
}

/// The return activity that a bare word names.
fn return_activity(word: &Expr) -> Option<Ident> {
    let Expr::Path(path) = word else { return None };
    let name = match path.path.get_ident()?.to_string().as_str() {
        "Const" => "AsConst",
        "Active" => "AsActive",
        "Duplicated" | "BatchDuplicated" => "AsDuplicated",
        "DuplicatedNoNeed" | "BatchDuplicatedNoNeed" => "AsDuplicatedNoNeed",
        _ => return None,
    };
    Some(format_ident!("{name}"))
}

/// `autodiff(mode, &f {}, AsActive, (Duplicated(&x, &mut dx),))`.
pub(crate) fn autodiff(call: Autodiff) -> TokenStream {
    let Autodiff {
        mode,
        function,
        returns,
        arguments,
    } = call;
    let driver = driver("autodiff", quote!(::coenzyme::autodiff));
    run(quote!(#driver(#mode, &#function, ::coenzyme::#returns, (#(#arguments,)*))))
}

/// The path of a driver; in a crate with checks, of what puts its call off.
fn driver(name: &str, plain: TokenStream) -> TokenStream {
    let name = format_ident!("{name}");
    match beside::checks() {
        true => quote!(::coenzyme::autodiff::checked::calls::#name),
        false => plain,
    }
}

/// A call of a driver; in a crate with checks, one that is put off, and checked if the environment asks for it:
///
/// ```text
/// match call {
///     call => (&call).way().run(call),
/// }
/// ```
fn run(call: TokenStream) -> TokenStream {
    if !beside::checks() {
        return call;
    }
    let name = Ident::new("call", proc_macro2::Span::mixed_site());
    quote! {
        match #call {
            #name => {
                #[allow(unused_imports)]
                use ::coenzyme::autodiff::checked::calls::{IsNotChecked as _, MayBeChecked as _};
                (&#name).way().run(#name)
            }
        }
    }
}

/// `gradient!(function, arguments…)`.
pub(crate) struct Gradient {
    function: Differentiated,
    arguments: Vec<Expr>,
}

impl Parse for Gradient {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self {
            function: input.parse()?,
            arguments: arguments(input)?,
        })
    }
}

/// `gradient(&f {}, (x, y))`, see [`told`].
pub(crate) fn gradient(call: Gradient) -> TokenStream {
    let Gradient {
        function,
        arguments,
    } = call;
    let driver = driver("gradient", quote!(::coenzyme::gradient));
    told(&function, &arguments, |arguments| {
        run(quote!(#driver(&#function, (#(#arguments,)*))))
    })
}

/// What `driver` writes for the arguments. With a literal among them, whose type the parameters tell:
///
/// ```text
/// match (x, 20) {
///     (a0, a1) => {
///         parameters_tell(&f {}, (&a0, &a1));
///         gradient(&f {}, (a0, a1))
///     }
/// }
/// ```
fn told(
    function: &Differentiated,
    arguments: &[Expr],
    driver: impl FnOnce(&[TokenStream]) -> TokenStream,
) -> TokenStream {
    if !arguments
        .iter()
        .any(|a| is_untyped(constant(a).unwrap_or(a)))
    {
        let arguments: Vec<_> = arguments.iter().map(Expr::to_token_stream).collect();
        return driver(&arguments);
    }
    let names: Vec<_> = (0..arguments.len())
        .map(|i| Ident::new(&format!("a{i}"), proc_macro2::Span::mixed_site()))
        .collect();
    let plain = arguments.iter().map(|a| constant(a).unwrap_or(a));
    let annotated = arguments.iter().zip(&names).map(|(a, name)| match a {
        Expr::Call(call) if constant(a).is_some() => {
            let activity = &call.func;
            quote!(#activity(#name))
        }
        _ => name.to_token_stream(),
    });
    let driver = driver(&annotated.collect::<Vec<_>>());
    quote! {
        match (#(#plain,)*) {
            (#(#names,)*) => {
                ::coenzyme::__private::parameters_tell(&#function, (#(&#names,)*));
                #driver
            }
        }
    }
}

/// `x` of `Const(x)`.
fn constant(argument: &Expr) -> Option<&Expr> {
    let call = called(argument, "Const")?;
    call.args.first().filter(|_| call.args.len() == 1)
}

/// A call of the activity of this name.
fn called<'a>(argument: &'a Expr, activity: &str) -> Option<&'a syn::ExprCall> {
    let Expr::Call(call) = argument else {
        return None;
    };
    let Expr::Path(path) = &*call.func else {
        return None;
    };
    let last = path.path.segments.last();
    last.is_some_and(|s| s.ident == activity).then_some(call)
}

/// Whether an expression is a number without suffix.
fn is_untyped(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(lit) => match &lit.lit {
            syn::Lit::Int(int) => int.suffix().is_empty(),
            syn::Lit::Float(float) => float.suffix().is_empty(),
            _ => false,
        },
        Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Neg(_)) && is_untyped(&unary.expr),
        Expr::Paren(paren) => is_untyped(&paren.expr),
        Expr::Group(group) => is_untyped(&group.expr),
        _ => false,
    }
}
