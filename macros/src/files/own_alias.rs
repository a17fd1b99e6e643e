//! Names of a crate's own for types of the standard library, `type Real = f64;`, `type Vector3<T> = [T; 3];`, and lifetimes that are not written,
//! `&Parameters` of `struct Parameters<'a>`.
//!
//! An attribute sees the name, and would take the type for one of the user's, with methods of its own; and where the types of a signature stand in
//! bounds of the rules, no lifetime may be left out. The files of the crate say what the name stands for ([`crate_names`]), and it is written out.
//! A wrong guess would be another type than that of the function, which does not compile.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};
use syn::{
    Expr, ExprCall, GenericArgument, GenericParam, Generics, Ident, ImplItem, ItemFn, ItemImpl,
    ItemType, PathArguments, PathSegment, Type,
};

use super::crate_names::{self, Declaration};
use crate::differentiable::front::numbers;

/// As many names may stand for each other in turn.
const DEPTH: usize = 4;

/// A block with its names written out: its type, and the signatures and bodies of its methods.
pub(crate) fn written_block(block: &ItemImpl) -> ItemImpl {
    let mut block = block.clone();
    let methods = block.items.iter().filter_map(|item| match item {
        ImplItem::Fn(method) => Some(&method.sig.generics),
        _ => None,
    });
    let generics: Vec<_> = methods.chain([&block.generics]).collect();
    Written::of(&generics).visit_item_impl_mut(&mut block);
    block
}

/// A function with its names written out.
pub(crate) fn written_function(function: &ItemFn) -> ItemFn {
    let mut function = function.clone();
    Written::of(&[&function.sig.generics]).visit_item_fn_mut(&mut function);
    function
}

/// Writes out the names of an item.
struct Written {
    /// Parameters, of which a name may be one.
    parameters: HashSet<String>,
    /// Parameters, the crate's own traits that they have, and the functions of these.
    functions: Vec<(Ident, syn::Path, Vec<String>)>,
    /// The file in which the names mean what they mean, if it is not that of the attribute.
    file: Option<PathBuf>,
    depth: usize,
}

impl Written {
    fn of(generics: &[&Generics]) -> Self {
        let params = generics.iter().flat_map(|generics| generics.type_params());
        Self {
            parameters: params.map(|param| param.ident.to_string()).collect(),
            functions: generics.iter().flat_map(|of| functions(of)).collect(),
            file: None,
            depth: 0,
        }
    }

    /// What a name means.
    fn declaration(&self, name: &Ident) -> Option<(Declaration, PathBuf)> {
        let text = name.to_string();
        if !text.starts_with(char::is_uppercase) || self.parameters.contains(&text) {
            return None;
        }
        match &self.file {
            Some(file) => crate_names::find(&text, file),
            None => crate_names::find(&text, &name.span().local_file()?),
        }
    }

    /// The type that a name stands for.
    fn alias(&self, name: &PathSegment) -> Option<Type> {
        let (Declaration::Alias(text), file) = self.declaration(&name.ident)? else {
            return None;
        };
        let alias: ItemType = syn::parse_str(&text).ok()?;
        let given = given(&alias.generics, &name.arguments)?;
        let of = match self.target(&alias, &file) {
            Some(of) => of,
            None => result_of(&alias, name)?,
        };
        syn::parse2(replaced(of.into_token_stream(), &given, name.ident.span())).ok()
    }

    /// What an alias stands for, if it is of the standard library's alone.
    fn target(&self, alias: &ItemType, file: &Path) -> Option<Type> {
        if self.depth == DEPTH {
            return None;
        }
        let mut of = (*alias.ty).clone();
        let mut written = Self {
            file: Some(file.to_owned()),
            depth: self.depth + 1,
            ..Self::of(&[&alias.generics])
        };
        written.visit_type_mut(&mut of);
        is_of_library(&of, &alias.generics).then_some(of)
    }
}

impl VisitMut for Written {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        let Type::Path(path) = ty else { return };
        if path.qself.is_some() || path.path.segments.len() != 1 {
            return;
        }
        let name = &mut path.path.segments[0];
        if let Some(of) = self.alias(name) {
            *ty = of;
        } else if let Some((Declaration::Other(lifetimes @ 1..), _)) = self.declaration(&name.ident)
        {
            write_lifetimes(name, lifetimes);
        }
    }

    // `F::zero()` of `F: FloatType` is that of the user's trait, also where the rules ask that `F` is a number
    fn visit_expr_call_mut(&mut self, call: &mut ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        let Expr::Path(path) = &mut *call.func else {
            return;
        };
        let segments: Vec<_> = path.path.segments.iter().collect();
        let (None, [of, name], true) = (&path.qself, &segments[..], are_constants(&call.args))
        else {
            return;
        };
        let declares = |(param, _, names): &&(Ident, syn::Path, Vec<String>)| {
            of.ident == *param && names.iter().any(|n| name.ident == n)
        };
        if let Some((of, of_trait, _)) = self.functions.iter().find(declares) {
            *path = syn::parse_quote_spanned!(name.ident.span()=> <#of as #of_trait>::#name);
        }
    }

    // what is in a macro may be no type
    fn visit_macro_mut(&mut self, _: &mut syn::Macro) {}

    // an item inside has names of its own
    fn visit_item_mut(&mut self, _: &mut syn::Item) {}
}

/// Whether arguments are literals and constants.
fn are_constants<'a>(args: impl IntoIterator<Item = &'a Expr>) -> bool {
    args.into_iter().all(|arg| match arg {
        Expr::Lit(_) => true,
        Expr::Unary(of) => are_constants([&*of.expr]),
        Expr::Cast(of) => are_constants([&*of.expr]),
        Expr::Paren(of) => are_constants([&*of.expr]),
        Expr::Path(path) => {
            let last = path.path.segments.last().map(|s| s.ident.to_string());
            last.is_some_and(|name| name.len() > 1 && !name.contains(char::is_lowercase))
        }
        _ => false,
    })
}

/// The functions without receiver that the crate's own traits give to type parameters.
fn functions(generics: &Generics) -> Vec<(Ident, syn::Path, Vec<String>)> {
    let params = generics.type_params().flat_map(|param| {
        let bounds = numbers::trait_bounds(generics, &param.ident);
        let of_bounds = bounds.into_iter().filter_map(|bound| {
            let name = &bound.path.segments.last()?.ident;
            // `F::from(2)`, beside that of `NumCast`
            if name == "From" {
                return Some(vec![(bound.path.clone(), vec!["from".to_owned()])]);
            }
            let (_, file) = crate_names::find(&name.to_string(), &name.span().local_file()?)?;
            let mut found = vec![(
                bound.path.clone(),
                crate_names::functions(&file, &name.to_string()),
            )];
            if crate_names::is_from(&file, &name.to_string()) {
                let from = syn::parse_quote!(::core::convert::From<_>);
                found.push((from, vec!["from".to_owned()]));
            }
            Some(found)
        });
        let of_bounds: Vec<_> = of_bounds.flatten().collect();
        let name = &param.ident;
        of_bounds
            .into_iter()
            .map(|(path, names)| (name.clone(), path, names))
    });
    params.filter(|(.., names)| !names.is_empty()).collect()
}

/// `Parameters<'_>` of `Parameters`.
fn write_lifetimes(name: &mut PathSegment, lifetimes: usize) {
    let lifetime = syn::Lifetime::new("'_", name.ident.span());
    let mut args: Vec<GenericArgument> = vec![GenericArgument::Lifetime(lifetime); lifetimes];
    match &name.arguments {
        PathArguments::None => {}
        PathArguments::AngleBracketed(list) => {
            let is_lifetime = |arg: &GenericArgument| matches!(arg, GenericArgument::Lifetime(_));
            if list.args.iter().any(is_lifetime) {
                return;
            }
            args.extend(list.args.iter().cloned());
        }
        PathArguments::Parenthesized(_) => return,
    }
    name.arguments = PathArguments::AngleBracketed(syn::parse_quote!(<#(#args),*>));
}

/// The parameters of a declaration with the arguments of a use.
fn given(generics: &Generics, arguments: &PathArguments) -> Option<HashMap<String, TokenStream>> {
    let arguments: Vec<TokenStream> = match arguments {
        PathArguments::None => Vec::new(),
        PathArguments::AngleBracketed(list) => {
            let tokens = list.args.iter().map(|arg| match arg {
                GenericArgument::Type(_) | GenericArgument::Const(_) => Some(arg.to_token_stream()),
                _ => None,
            });
            tokens.collect::<Option<_>>()?
        }
        PathArguments::Parenthesized(_) => return None,
    };
    let names = generics.params.iter().map(|param| match param {
        GenericParam::Type(param) => Some(param.ident.to_string()),
        GenericParam::Const(param) => Some(param.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    });
    let names = names.collect::<Option<Vec<_>>>()?;
    (names.len() == arguments.len()).then(|| names.into_iter().zip(arguments).collect())
}

/// A type with arguments for its parameters, at the place of its name.
fn replaced(tokens: TokenStream, given: &HashMap<String, TokenStream>, at: Span) -> TokenStream {
    let tokens = tokens.into_iter().flat_map(|mut tree| match &mut tree {
        TokenTree::Ident(name) if given.contains_key(&name.to_string()) => {
            given[&name.to_string()].clone()
        }
        TokenTree::Group(group) => {
            let mut inside = Group::new(group.delimiter(), replaced(group.stream(), given, at));
            inside.set_span(at);
            TokenTree::Group(inside).into()
        }
        _ => {
            tree.set_span(at);
            tree.into()
        }
    });
    tokens.collect()
}

/// A `Result` of an error of the crate's own, whose name may mean something else where the alias is used: `type Fallible<T> = Result<T, Error>;`.
fn result_of(alias: &ItemType, name: &PathSegment) -> Option<Type> {
    let Type::Path(path) = &*alias.ty else {
        return None;
    };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(list) = &last.arguments else {
        return None;
    };
    let mut args = list.args.iter();
    let (Some(GenericArgument::Type(value)), Some(_)) = (args.next(), args.next()) else {
        return None;
    };
    // one of that name is read as it stands
    if last.ident != "Result" || name.ident == "Result" || !is_of_library(value, &alias.generics) {
        return None;
    }
    Some(syn::parse_quote! {
        ::core::result::Result<#value, <#name as ::coenzyme::__private::Fallible>::Error>
    })
}

/// Whether a type is made of the standard library's alone, and of parameters.
fn is_of_library(ty: &Type, generics: &Generics) -> bool {
    const NAMES: &[&str] = &[
        "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "bool", "Vec", "Option", "Box",
    ];
    struct Names<'a>(&'a Generics, bool);
    impl Visit<'_> for Names<'_> {
        fn visit_path(&mut self, path: &syn::Path) {
            let is_param = |param: &GenericParam| match param {
                GenericParam::Type(param) => path.is_ident(&param.ident),
                GenericParam::Const(param) => path.is_ident(&param.ident),
                GenericParam::Lifetime(_) => false,
            };
            let name = &path.segments[0].ident;
            let known = NAMES.iter().any(|n| name == n) || self.0.params.iter().any(is_param);
            self.1 &= path.segments.len() == 1 && known;
            visit::visit_path(self, path);
        }
        fn visit_type(&mut self, ty: &Type) {
            let known = matches!(
                ty,
                Type::Array(_) | Type::Paren(_) | Type::Path(_) | Type::Tuple(_)
            );
            self.1 &= known;
            visit::visit_type(self, ty);
        }
    }
    let mut names = Names(generics, generics.where_clause.is_none());
    names.visit_type(ty);
    names.1
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::PathArguments;

    use super::{given, is_of_library, replaced, write_lifetimes};

    fn alias(text: &str) -> syn::ItemType {
        syn::parse_str(text).unwrap()
    }

    #[test]
    fn types_of_the_library_are_written_out() {
        for (text, known) in [
            ("type Real = f64;", true),
            ("type Vector3<T> = [T; 3];", true),
            ("type Points<const N: usize> = Vec<[f64; N]>;", true),
            ("type Result<T> = core::result::Result<T, Error>;", false),
            ("type Shape = Box<dyn Fn(f64) -> f64>;", false),
            ("type Row<'a> = &'a [f64];", false),
            ("type Scaled = Own<f64>;", false),
        ] {
            let alias = alias(text);
            assert_eq!(is_of_library(&alias.ty, &alias.generics), known, "{text}");
        }
    }

    #[test]
    fn results_of_another_name_are_written_out() {
        let name: syn::PathSegment = syn::parse_quote!(Fallible<f64>);
        for (text, written) in [
            ("type Fallible<T> = core::result::Result<T, Error>;", true),
            ("type Fallible<T> = Result<Own<T>, Error>;", false),
            ("type Fallible<T> = Result<T>;", false),
            ("type Fallible<T> = Outcome<T, Error>;", false),
        ] {
            assert_eq!(
                super::result_of(&alias(text), &name).is_some(),
                written,
                "{text}"
            );
        }
        let name: syn::PathSegment = syn::parse_quote!(Result<f64>);
        let own = alias("type Result<T> = core::result::Result<T, Error>;");
        assert!(super::result_of(&own, &name).is_none());
    }

    #[test]
    fn arguments_stand_for_parameters() {
        let alias = alias("type Pair<T, const N: usize> = (T, [T; N]);");
        let name: syn::PathSegment = syn::parse_quote!(Pair<Vec<f64>, 3>);
        let given = given(&alias.generics, &name.arguments).unwrap();
        let of = replaced(alias.ty.to_token_stream(), &given, name.ident.span());
        assert_eq!(of.to_string(), "(Vec < f64 > , [Vec < f64 > ; 3])");
        assert!(super::given(&alias.generics, &PathArguments::None).is_none());
    }

    #[test]
    fn lifetimes_are_written() {
        let mut name: syn::PathSegment = syn::parse_quote!(Rows<f64>);
        write_lifetimes(&mut name, 1);
        assert_eq!(name.to_token_stream().to_string(), "Rows < '_ , f64 >");
        let mut name: syn::PathSegment = syn::parse_quote!(Rows<'a, f64>);
        write_lifetimes(&mut name, 1);
        assert_eq!(name.to_token_stream().to_string(), "Rows < 'a , f64 >");
    }
}
