//! Attributes on `impl` blocks: every method gets a marker and rules, as a function whose first argument is `self`.
//!
//! ```text
//! #[differentiable]
//! impl Spring { fn energy(&self, x: f64) -> f64 { … } }
//!
//! // expands to the block, and
//! pub struct Spring_energy {}
//! impl ForwardRule<R, (H0, H1), W> for Spring_energy { … }
//! impl ReverseRule<R, (H0, H1), W> for Spring_energy { … }
//! impl Spring { pub fn rule_of_energy(&self) -> Spring_energy { … } }   // found where `spring.energy(x)` is differentiated
//! ```

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    FnArg, GenericParam, ImplItem, ImplItemFn, ItemImpl, Path, PathArguments, ReceiverKind, Type,
};

use crate::differentiable::expand::own_calls;
use crate::differentiable::front::numbers;
use crate::differentiable::words;
use crate::errors::Errors;
use crate::files::own_alias;
use crate::files::own_types::OwnTypes;
use crate::files::source::name_of;
use crate::operator::{self, Operator, behind};
use crate::signature::{Copied, Function};
use crate::{associated, conversion, foreign, several};

/// How a signature is read, which may rewrite it.
pub(crate) type Read = fn(&syn::Visibility, &mut syn::Signature, &mut Errors) -> Function;

/// Expands an `impl` block; `rules` gives what follows a method's marker, of which `read` reads the signature.
pub(crate) fn expand(
    mut item: ItemImpl,
    read: Read,
    mut rules: impl FnMut(&Function, &syn::Block, &mut Errors) -> TokenStream,
) -> TokenStream {
    let mut out = TokenStream::new();
    let block = own_alias::written_block(&item);
    let written = block.items.iter();
    for (method, written) in item.items.iter_mut().zip(written) {
        let (ImplItem::Fn(method), ImplItem::Fn(written_method)) = (method, written) else {
            continue;
        };
        let before = method.attrs.len();
        method.attrs.retain(|a| !a.path().is_ident("skip"));
        if method.attrs.len() < before {
            continue;
        }
        if !makes_a_borrower(&block, &written_method.sig) {
            let mut written = written_method.clone();
            own_calls::written_out(&written.sig, Some(&block.self_ty), &mut written.block);
            let beside = beside(&block, &mut written, read, &mut rules);
            out.extend(crate::located::at(&method.sig.ident, beside));
            out.extend(crate::lender::indices(&block, written_method));
        }
        strip(method);
    }
    quote!(#item #out)
}

/// Whether a function makes a value of the block's type that borrows what it is lent, and so has no derivative: `fn new(xs: &'a [f64]) -> Self`.
fn makes_a_borrower(block: &ItemImpl, sig: &syn::Signature) -> bool {
    let own = name_of(&block.self_ty);
    let is_lent =
        |arg: &FnArg| matches!(arg, FnArg::Typed(arg) if matches!(*arg.ty, Type::Reference(_)));
    let makes = |own: &str| {
        let names = words(sig.output.to_token_stream());
        sig.receiver().is_none() && names.iter().any(|name| name == "Self" || name == own)
    };
    own.is_some_and(|own| {
        let lent = sig.inputs.iter().any(is_lent);
        lent && makes(&own) && OwnTypes::of(&sig.ident).borrows(&own, &sig.ident)
    })
}

/// Takes off a method what only this macro knows.
fn strip(method: &mut ImplItemFn) {
    Mark::take(method);
    for arg in &mut method.sig.inputs {
        if let FnArg::Typed(arg) = arg {
            arg.attrs.retain(|a| !a.path().is_ident("constant"));
        }
    }
    crate::differentiable::strip(&mut method.block);
}

/// What stands beside the block for one of its methods.
fn beside(
    block: &ItemImpl,
    method: &mut ImplItemFn,
    read: Read,
    rules: &mut impl FnMut(&Function, &syn::Block, &mut Errors) -> TokenStream,
) -> TokenStream {
    let mark = Mark::take(method);
    let read = match mark {
        None => read,
        Some(Mark::Inactive) => crate::inactive::read,
        Some(Mark::Primitive) => crate::differentiable::read_views,
    };
    let copied = match (&mark, &block.trait_) {
        (None, None) => Copied::of(&method.sig, &method.block, &block.generics),
        _ => None,
    };
    let (lends, untold) = (returns_a_reference(method), is_untold(block, method));
    if untold
        && !lends
        && mark.is_none()
        && let Some(told) = expand_untold(block, method, read, rules)
    {
        return told;
    }
    if lends && copied.is_none() || untold {
        let output = std::mem::replace(&mut method.sig.output, syn::ReturnType::Default);
        let function = as_function(block, method, read, &mut Errors::default());
        let stub = function.map(|(function, _)| stub(block, method, &function));
        method.sig.output = output;
        return stub.unwrap_or_default();
    }
    let mut errors = Errors::default();
    let function = match copied {
        None => as_function(block, method, read, &mut errors),
        Some(copied) => as_function_of_copy(block, method, read, copied, &mut errors),
    };
    match function {
        // rules of a signature that is refused would be more errors
        function if !errors.is_empty() => {
            let stub = function.map(|(function, _)| {
                let (stub, conversion) = (
                    stub(block, method, &function),
                    conversion::finder(block, method, &function),
                );
                quote!(#stub #conversion)
            });
            // that a method has no rule is an error where it is called
            let errors = match mark {
                Some(Mark::Inactive) => TokenStream::new(),
                _ => errors.into_tokens(),
            };
            quote!(#errors #stub)
        }
        Some((function, body)) => {
            let rules = match mark {
                None => rules(&function, &body, &mut errors),
                Some(Mark::Inactive) => crate::inactive::rules(&function),
                Some(Mark::Primitive) => TokenStream::new(),
            };
            let (errors, found) = (errors.into_tokens(), found(block, method, &function));
            quote!(#rules #errors #found)
        }
        None => TokenStream::new(),
    }
}

/// A marker without rules, and how it is found: a call of the method is one error.
fn stub(block: &ItemImpl, method: &ImplItemFn, function: &Function) -> TokenStream {
    let (stub, finder) = (function.stub(), finder(block, method, function));
    let associated = associated::finder(block, method, function);
    quote!(#stub #finder #associated)
}

/// The marker of a method that has rules, and how it is found.
fn found(block: &ItemImpl, method: &ImplItemFn, function: &Function) -> TokenStream {
    let marker = match block.trait_.is_some() && function.returns_own_type() {
        true => function.marker_of_private(behind(&block.self_ty), method.sig.receiver().is_some()),
        false => function.marker(),
    };
    let finder = finder(block, method, function);
    let sole = finder
        .as_ref()
        .and_then(|_| crate::sole::assertion(block, method));
    let associated = associated::finder(block, method, function);
    let conversion = conversion::finder(block, method, function);
    quote!(#marker #finder #sole #associated #conversion)
}

/// A function of a generic type that is told the type, if it computes with numbers: see [`crate::told`].
fn expand_untold(
    block: &ItemImpl,
    method: &ImplItemFn,
    read: Read,
    rules: &mut impl FnMut(&Function, &syn::Block, &mut Errors) -> TokenStream,
) -> Option<TokenStream> {
    let (mut method, mut errors) = (method.clone(), Errors::default());
    let (function, body) = as_function(block, &mut method, read, &mut errors)?;
    if !errors.is_empty() || !crate::told::is_of_numbers(block, &function) {
        return None;
    }
    let of = (*block.self_ty).clone();
    let name = format_ident!("{}__of", function.name);
    let (told, item, rule) = crate::dispatch::told(&function, name, &[of]);
    let rules = rules(&told, &body, &mut errors);
    if !errors.is_empty() {
        return None;
    }
    let stub = function.stub();
    let given = crate::told::of_marker(&function.name, &function.vis, &told.name);
    let finder = associated::finder_of(block, &method, &function, &rule);
    Some(quote!(#item #rules #stub #given #finder))
}

/// What a method of a block is that the block is not.
enum Mark {
    Inactive,
    Primitive,
}

impl Mark {
    /// Takes `#[inactive]` or `#[primitive]` off a method.
    fn take(method: &mut ImplItemFn) -> Option<Self> {
        let mut mark = None;
        method.attrs.retain(|attr| {
            let last = attr.path().segments.last();
            let found = match last.map(|s| s.ident.to_string()).as_deref() {
                Some("inactive") => Some(Self::Inactive),
                Some("primitive") => Some(Self::Primitive),
                _ => return true,
            };
            mark = found;
            false
        });
        mark
    }
}

/// Takes `#[inactive]` off a method of a trait.
pub(crate) fn take_inactive(attrs: &mut Vec<syn::Attribute>) -> bool {
    let before = attrs.len();
    attrs.retain(|attr| {
        let last = attr.path().segments.last();
        last.is_none_or(|last| last.ident != "inactive")
    });
    attrs.len() < before
}

/// Whether a method gives a reference, which has no rule: `fn name(&self) -> &str`, `fn with(&mut self, x: f64) -> &mut Self`,
/// `fn iter(&self) -> Iter<f64>`. Its block may have rules for the others, so this is an error where it is called.
fn returns_a_reference(method: &ImplItemFn) -> bool {
    let syn::ReturnType::Type(_, ty) = &method.sig.output else {
        return false;
    };
    crate::signature::lent(ty, &method.sig).is_some() || crate::signature::is_borrowed(ty)
}

/// Whether the arguments of a method leave a parameter of its block open: `fn zero() -> Vector<T>`. It has no rule for the same reason.
fn is_untold(block: &ItemImpl, method: &ImplItemFn) -> bool {
    let of_self = block.self_ty.to_token_stream();
    let arguments = method.sig.inputs.iter().map(|argument| match argument {
        FnArg::Receiver(_) => of_self.clone(),
        FnArg::Typed(argument) => replaced(argument.ty.to_token_stream(), "Self", &of_self),
    });
    let mut generics = block.generics.clone();
    if let Some(clause) = &method.sig.generics.where_clause {
        let predicates = clause.predicates.clone();
        generics.make_where_clause().predicates.extend(predicates);
    }
    !crate::signature::untold(&generics, arguments).is_empty()
}

/// A method that returns a reference, as the function that returns a copy.
fn as_function_of_copy(
    block: &ItemImpl,
    method: &mut ImplItemFn,
    read: Read,
    copied: Copied,
    errors: &mut Errors,
) -> Option<(Function, syn::Block)> {
    let mut copying = method.clone();
    (copying.sig, copying.block) = (copied.signature, copied.body);
    let (mut function, body) = as_function(block, &mut copying, read, errors)?;
    method.sig.inputs = copying.sig.inputs;
    function.copy = Some(copied.copy);
    Some((function, body))
}

/// A method as a function of `self` and the rest, and its body.
pub(crate) fn as_function(
    block: &ItemImpl,
    method: &mut ImplItemFn,
    read: Read,
    errors: &mut Errors,
) -> Option<(Function, syn::Block)> {
    let operator = Operator::of(block);
    let nameless = foreign::name(block);
    let self_type = match (&*block.self_ty, &operator, &nameless) {
        (Type::Path(path), ..) => path,
        (Type::Reference(of), Some(_), _) => match &*of.elem {
            Type::Path(path) => path,
            _ => return refuse_type(block, errors),
        },
        (.., Some(name)) => name,
        _ => return refuse_type(block, errors),
    };
    let mut replace = SelfType {
        path: &self_type.path,
        associated: associated(block),
    };
    let mut signature = method.sig.clone();
    for arg in &mut method.sig.inputs {
        if let FnArg::Typed(arg) = arg {
            arg.attrs.retain(|a| !a.path().is_ident("constant"));
        }
    }
    if let Some(FnArg::Receiver(receiver)) = signature.inputs.first().cloned() {
        let typed: FnArg = match (&receiver.kind, &receiver.mutability) {
            (ReceiverKind::Reference(_, _, Some(_)), _) => syn::parse_quote!(__self: &mut Self),
            (ReceiverKind::Reference(..), _) => syn::parse_quote!(__self: &Self),
            (ReceiverKind::Value, Some(_)) => syn::parse_quote!(mut __self: Self),
            (ReceiverKind::Value, None) => syn::parse_quote!(__self: Self),
            _ => {
                errors.at(&receiver, "take `self`, `&self` or `&mut self`");
                return None;
            }
        };
        signature.inputs[0] = typed;
    }
    let mut body = method.block.clone();
    if nameless.is_some() {
        foreign::write(&block.self_ty, &mut signature, &mut body);
    }
    replace.visit_signature_mut(&mut signature);
    let lent = operator.as_ref().filter(|o| o.is_by_reference(block));
    if let Some(operator) = lent {
        operator.lend(block, &mut signature, &mut body);
    }
    replace.visit_block_mut(&mut body);

    let vis = match block.trait_ {
        // found by types alone, it may be as private as they are
        Some(_) if lent.is_some() => syn::Visibility::Inherited,
        Some(_) => syn::parse_quote!(pub),
        None => crate::own_type::narrowed(&method.vis, &signature),
    };
    let written = signature.clone();
    let mut function = read(&vis, &mut signature, errors);
    let type_name = &self_type.path.segments.last()?.ident;
    let (name, self_type) = (&method.sig.ident, &block.self_ty);
    function.path = Some(match (&block.trait_, lent) {
        (Some(_), Some(operator)) => operator.lent(block),
        (Some((path, _)), None) => quote!(<#self_type as #path>::#name),
        (None, _) => quote!(<#self_type>::#name),
    });
    function.name = marker(block, method, type_name);
    function.written = syn::Signature {
        generics: generics(block, &written.generics),
        ..written
    };
    function.generics = generics(block, &function.generics);
    if function.from_body {
        function.bound_inside();
    }
    Some((function, body))
}

/// The name of a method's marker: `Spring_energy`.
fn marker(block: &ItemImpl, method: &ImplItemFn, type_name: &syn::Ident) -> syn::Ident {
    let called = match Operator::of(block) {
        Some(operator) => operator.marker(block),
        None => method.sig.ident.to_string(),
    };
    // a function without `self` is found by its name where a call says the type's arguments, `Moments::<2>::new(x)`
    let by_name = block.trait_.is_none() && method.sig.receiver().is_none();
    let type_name = match several::of_type(block).filter(|_| !by_name) {
        Some(arguments) => format_ident!("{type_name}_{arguments}"),
        None => type_name.clone(),
    };
    let suffix = operator::suffix(block)
        .or_else(|| conversion::suffix(block))
        .or_else(|| several::suffix(block, method));
    match suffix {
        Some(other) => format_ident!("{type_name}_{called}_{other}"),
        None => format_ident!("{type_name}_{called}"),
    }
}

fn refuse_type<T>(block: &ItemImpl, errors: &mut Errors) -> Option<T> {
    errors.at(
        &block.self_ty,
        "differentiate the methods of a named type, traits on slices, arrays and tuples, and operators on references to a named type",
    );
    None
}

/// The generics of a block and of a method; those of the block come first.
fn generics(block: &ItemImpl, of_method: &syn::Generics) -> syn::Generics {
    let mut generics = block.generics.clone();
    generics.params.extend(of_method.params.clone());
    if let Some(clause) = &of_method.where_clause {
        let predicates = clause.predicates.clone();
        generics.make_where_clause().predicates.extend(predicates);
    }
    numbers::bound(&mut generics);
    generics
}

/// The method by which differentiated code finds the marker of `x.name(…)`, whatever the type of `x`.
fn finder(block: &ItemImpl, method: &ImplItemFn, function: &Function) -> Option<TokenStream> {
    method.sig.receiver()?;
    if several::suffix(block, method).is_some() {
        return None;
    }
    // several operators of a type may have one name
    let is_parameter = |param: &syn::TypeParam| matches!(&*block.self_ty, Type::Path(of) if of.path.is_ident(&param.ident));
    let of_all = block.generics.type_params().any(is_parameter);
    let by_reference = Operator::of(block).is_some_and(|o| o.is_by_reference(block));
    if operator::suffix(block).is_some() || by_reference || of_all {
        return None;
    }
    if foreign::is_foreign(&block.self_ty) {
        return foreign::finder(block, method, function);
    }
    let generics = of_the_type(block);
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let (self_type, marker, vis) = (&block.self_ty, &function.name, &function.vis);
    let name = format_ident!("rule_of_{}", method.sig.ident);
    Some(quote! {
        impl #impl_generics #self_type #where_clause {
            #[doc(hidden)]
            #[inline]
            #[allow(non_snake_case)]
            #vis fn #name(&self) -> #marker {
                #marker {}
            }
        }
    })
}

/// The generics of a block without those that only its trait names: `T` of `impl<T: Close> Next<&T> for Average`.
pub(crate) fn of_the_type(block: &ItemImpl) -> syn::Generics {
    let mut generics = block.generics.clone();
    let named = names(&block.self_ty);
    let params = std::mem::take(&mut generics.params).into_iter();
    let (kept, others): (Vec<_>, Vec<_>) = params.partition(|param| match param {
        GenericParam::Lifetime(param) => named.contains(&param.lifetime.ident),
        GenericParam::Type(param) => named.contains(&param.ident),
        GenericParam::Const(param) => named.contains(&param.ident),
    });
    generics.params = kept.into_iter().collect();
    if let (Some(clause), false) = (&mut generics.where_clause, others.is_empty()) {
        let predicates = std::mem::take(&mut clause.predicates).into_iter();
        let is_kept = |p: &syn::WherePredicate| {
            let syn::WherePredicate::Type(p) = p else {
                return false;
            };
            names(&p.bounded_ty).iter().all(|name| named.contains(name))
        };
        clause.predicates = predicates.filter(is_kept).collect();
    }
    generics
}

/// The names in a type.
fn names(ty: &Type) -> Vec<syn::Ident> {
    #[derive(Default)]
    struct Names(Vec<syn::Ident>);
    impl<'a> Visit<'a> for Names {
        fn visit_ident(&mut self, name: &'a syn::Ident) {
            self.0.push(name.clone());
        }
    }
    let mut names = Names::default();
    names.visit_type(ty);
    names.0
}

/// Replaces `Self` among the arguments of the trait that a block implements: `impl Add<Self> for Moments`.
pub(crate) fn name_self(item: &mut ItemImpl) {
    let Type::Path(of) = &*item.self_ty else {
        return;
    };
    let path = of.path.clone();
    let mut replace = SelfType {
        path: &path,
        associated: Vec::new(),
    };
    if let Some((of, _)) = &mut item.trait_ {
        replace.visit_path_mut(of);
    }
}

/// Replaces `Self` by the type.
struct SelfType<'a> {
    path: &'a Path,
    /// The associated types of the block.
    associated: Vec<(&'a syn::Ident, &'a Type)>,
}

/// `type Output = V;`
fn associated(block: &ItemImpl) -> Vec<(&syn::Ident, &Type)> {
    let types = block.items.iter().filter_map(|item| match item {
        ImplItem::Type(item) => Some((&item.ident, &item.ty)),
        _ => None,
    });
    types.collect()
}

impl SelfType<'_> {
    /// `V` of `Self::Output`, with what follows.
    fn written(&self, path: &Path) -> Option<(Type, Vec<syn::PathSegment>)> {
        let mut segments = path.segments.iter();
        let (first, name) = (segments.next()?, segments.next()?);
        let (_, ty) = self.associated.iter().find(|(n, _)| **n == name.ident)?;
        (first.ident == "Self").then(|| ((*ty).clone(), segments.cloned().collect()))
    }
}

impl VisitMut for SelfType<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        if let Type::Path(path) = &*ty
            && path.qself.is_none()
            && let Some((written, rest)) = self.written(&path.path)
            && rest.is_empty()
        {
            *ty = written;
        }
        visit_mut::visit_type_mut(self, ty);
    }

    fn visit_path_mut(&mut self, path: &mut Path) {
        if let Some((Type::Path(written), rest)) = self.written(path)
            && written.qself.is_none()
        {
            // `Self::Output::new(x)`, `Self::Output { x }`
            *path = in_expressions(written.path);
            path.segments.extend(rest);
        }
        if path.segments.first().is_some_and(|s| s.ident == "Self") {
            // a mistake is one where `Self` stands
            let own = crate::located::path(&path.segments[0].ident, self.path);
            let mut segments = in_expressions(own).segments;
            segments.extend(path.segments.iter().skip(1).cloned());
            path.segments = segments;
        }
        visit_mut::visit_path_mut(self, path);
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let with = self.path.to_token_stream();
        mac.tokens = replaced(mac.tokens.clone(), "Self", &with);
    }
}

/// `Wave::<T>`: as a type's path is written where a value may stand.
fn in_expressions(mut path: Path) -> Path {
    for segment in &mut path.segments {
        if let PathArguments::AngleBracketed(args) = &mut segment.arguments {
            args.colon2_token = Some(Default::default());
        }
    }
    path
}

/// Tokens with others for a name: for `Self` in those of a macro.
pub(crate) fn replaced(tokens: TokenStream, name: &str, with: &TokenStream) -> TokenStream {
    use proc_macro2::{Group, TokenTree};
    tokens
        .into_iter()
        .flat_map(|token| match token {
            TokenTree::Ident(ident) if ident == name => with.clone(),
            TokenTree::Group(group) => {
                let inside = replaced(group.stream(), name, with);
                TokenTree::Group(Group::new(group.delimiter(), inside)).into()
            }
            token => token.into(),
        })
        .collect()
}
