//! `#[differentiable]`: the derivative of plain Rust, generated at compile time.
//!
//! Data flows front → resolve → expand → lower → analyse → plan → emit, each a folder, and no folder imports a later one (`rooms.rs`). The macro handles
//! names, control flow and memory; every derivative is an operation or a rule that the compiler finds by type.

pub(crate) mod analyse;
mod emit;
pub(crate) mod expand;
#[cfg(test)]
mod fate;
pub(crate) mod front;
mod ir;
mod lower;
pub(crate) mod methods;
mod plan;
pub(crate) mod resolve;
#[cfg(test)]
mod rooms;
mod second;
pub(crate) mod syntax;
#[cfg(test)]
mod testing;
pub(crate) mod tokens;

use proc_macro2::TokenStream;
use quote::quote;
use syn::ItemFn;

pub(crate) use crate::differentiable::analyse::degree::Polynomial;
use crate::differentiable::emit::math;
pub(crate) use crate::differentiable::front::callable::{arguments, read};
pub(crate) use crate::differentiable::front::options::{Options, strip};
pub(crate) use crate::differentiable::front::views::read_views;
use crate::differentiable::front::{callable, combinations, numbers};
pub(crate) use crate::differentiable::methods::operations::of_libm;
pub(crate) use crate::differentiable::methods::table::is_pure;
pub(crate) use crate::differentiable::methods::types::is_inactive_type;
pub(crate) use crate::differentiable::resolve::varied::bound_names;
use crate::dispatch::{self, Form};
use crate::errors::Errors;
use crate::files::own_alias;
use crate::for_all;
use crate::operator::{Operator, operation_of};
use crate::premises;
use crate::signature::Function;
use crate::tried;
pub(crate) use expand::given_back::lent_back;
use expand::own_calls;
#[cfg(test)]
pub(crate) use fate::{Fate, Role, fate};
pub(crate) use ir::OperandForm;
pub(crate) use methods::operations::{Needs, method as operation};
pub(crate) use resolve::receivers::Receivers;
pub(crate) use syntax::ends::at_ends;
pub(crate) use syntax::exit_kinds::{asks, may_leave};
pub(crate) use syntax::names::{hidden, simple_name};
pub(crate) use syntax::options::{is_failure, is_success};
pub(crate) use syntax::receivers::{Change, change as change_of_receiver, is_given};
pub(crate) use tokens::text::words;

/// Expands to the function, its marker, and its rules in both modes.
pub(crate) fn expand(options: Options, item: ItemFn) -> TokenStream {
    if let (Some(word), Some(_)) = (&options.fast, &options.device) {
        let message = "the mathematics of a device is its own: leave out `math = fast`";
        let error = syn::Error::new_spanned(word, message).to_compile_error();
        return quote!(#item #error);
    }
    let plain = options.device.is_none() && options.order.is_none();
    let second = plain.then(|| tried::of_function(&item)).flatten();
    let second = second.map(|item| expand_function(options.clone(), item));
    let second = second.map(|expansion| with_mathematics(&options, expansion));
    let expansion = with_mathematics(&options, expand_function(options.clone(), item));
    quote!(#expansion #second)
}

/// The expansion, with the functions that the options ask for.
fn with_mathematics(options: &Options, expansion: TokenStream) -> TokenStream {
    match options.fast {
        Some(_) => math::fast(expansion),
        None => expansion,
    }
}

fn expand_function(options: Options, mut item: ItemFn) -> TokenStream {
    let mut errors = Errors::default();
    let plain = options.device.is_none() && options.order.is_none();
    if let (true, Some(told)) = (
        plain,
        crate::told::written(&own_alias::written_function(&item)),
    ) {
        return expand_told(&options, item, told);
    }
    let mut written = own_alias::written_function(&item);
    own_calls::written_out(&written.sig, None, &mut written.block);
    let (function, body) = callable::parse_item(&mut written, &mut errors);
    let _ = Function::parse(&item.vis, &mut item.sig, &mut Errors::default());
    if !errors.is_empty() {
        strip(&mut item.block);
        return errors.into_tokens_with(&item, &function);
    }
    if let Some(list) = &options.combinations {
        combinations::check(list, &function, &mut errors);
    }
    if options.order.is_some() && function.copy.is_some() {
        errors.at(
            &item.sig.output,
            "a function with derivatives of second order returns a value, not a reference",
        );
    }
    if options.order.is_some() {
        let lifted = second::expand(&item, &function, &options, &mut errors);
        strip(&mut item.block);
        let rules = lifted.unwrap_or_else(|| {
            let (marker, rules) = (function.marker(), emit::refused::rules(&function));
            quote!(#marker #rules)
        });
        let errors = errors.into_tokens();
        // the rules call the lifted primal, and drivers the rules
        return quote!(#[allow(dead_code)] #item #rules #errors);
    }
    let mut program = lower::lower(&function, &body, &mut errors);
    let degree = program.degree();
    program.find_sequences(&function);
    program.improve();
    strip(&mut item.block);
    let device = options
        .device
        .is_some()
        .then(|| crate::device::expand(&item, &mut errors));
    let marker = function.marker();
    let rules = match errors.is_empty() {
        true => {
            let witness = program.witnessed(&function, &body);
            let rules = emit::rules(&function, &program, &options);
            // a bound that names a function without marker would be a second error
            let linear = degree.filter(|d| d.calls.is_empty());
            let linear = linear.map(|d| d.promise(&function));
            quote!(#rules #linear #witness)
        }
        false => {
            let (rules, errors) = (emit::refused::rules(&function), errors.into_tokens());
            quote!(#rules #errors)
        }
    };
    quote! {
        #item
        #marker
        #rules
        #device
    }
}

impl ir::Program {
    /// The witness of what was decided by names.
    fn witnessed(&mut self, function: &Function, body: &syn::Block) -> TokenStream {
        let witness = premises::witness(&function.name, &function.written, body, &self.decisions);
        self.asks_callees = witness.has_callees;
        witness.tokens
    }

    /// What is of no use, what is read, what does not change in a loop, what is wanted again, and loops that search.
    fn improve(&mut self) {
        self.drop_useless();
        self.settle_reads();
        self.read_early();
        self.hoist();
        self.settle_moves();
        self.settle_searches();
    }
}

/// Expands to the function, and to one that is told the types which the arguments do not tell: see [`crate::told`].
fn expand_told(options: &Options, mut item: ItemFn, told: ItemFn) -> TokenStream {
    let mut errors = Errors::default();
    let mut signature = crate::told::signature(&item, &told);
    let function = callable::parse(&item.vis, &mut signature, &mut errors);
    let rules = match errors.is_empty() {
        true => rules_of(&function, &item.block, options, &mut errors).0,
        false => TokenStream::new(),
    };
    let _ = Function::parse(&item.vis, &mut item.sig, &mut Errors::default());
    strip(&mut item.block);
    let mut itself = function.clone();
    itself.name = item.sig.ident.clone();
    let stub = itself.stub();
    if !errors.is_empty() {
        let errors = errors.into_tokens();
        return quote!(#item #stub #errors);
    }
    let given = crate::told::of_marker(&itself.name, &item.vis, &function.name);
    let marker = function.marker();
    quote!(#item #stub #given #told #marker #rules)
}

/// An option that methods do not have, as an error.
fn refused_of_methods(options: &Options) -> Option<TokenStream> {
    let error = match (&options.device, &options.order) {
        (Some(device), _) => {
            let message = "methods do not run on a device: write a function of numbers";
            syn::Error::new_spanned(device, message)
        }
        (_, Some(order)) => {
            let message = "methods have no second derivative: write a function, and `#[differentiable(order = 2)]` before it";
            syn::Error::new_spanned(order, message)
        }
        (None, None) => return None,
    };
    Some(error.to_compile_error())
}

/// Expands to the block, and for every method its marker and its rules in both modes.
pub(crate) fn expand_impl(options: Options, mut item: syn::ItemImpl) -> TokenStream {
    tried::add_methods(&mut item);
    crate::methods::name_self(&mut item);
    if let Some(error) = refused_of_methods(&options) {
        return quote!(#item #error);
    }
    if let Some(promise) = crate::operator::promise_of_sum(&item) {
        return quote!(#item #promise);
    }
    let block = own_alias::written_block(&item);
    let operator = Operator::of(&block);
    let has_table = dispatch::has_table(&block);
    let mut bounded = block.clone();
    numbers::bound(&mut bounded.generics);
    let generics = bounded.generics.clone();
    let mut dispatched = Vec::new();
    let expanded = crate::methods::expand(item, read, |function, body, errors| {
        if let Some(list) = &options.combinations {
            combinations::check(list, function, errors);
        }
        let (rules, degree) = rules_of(function, body, &options, errors);
        let own = crate::operator::behind(&block.self_ty);
        let degree = degree.and_then(|degree| degree.beside(own, &function.output));
        let inside = || {
            let mut bounded = bounded.clone();
            function.bound_inside_of(&mut bounded.generics);
            bounded
        };
        let derivative = operator.as_ref().map(|operator| {
            let like_numbers = match errors.is_empty() {
                true => operator.like_numbers(degree.as_ref()),
                // of its errors this would be another
                false => Some(Vec::new()),
            };
            let derivative = operator.derivative(&inside(), &function.name, like_numbers);
            match &degree {
                Some(degree) => degree.declared(derivative),
                None => derivative,
            }
        });
        let linear = degree.filter(|_| errors.is_empty()).map(|d| {
            let of_marker = d.promise(function);
            let of_type = d.promise_of(&block, &function.written.ident);
            quote!(#of_marker #of_type)
        });
        let form = has_table && errors.is_empty() && options.combinations.is_none();
        let form = form.then(|| Form::of(function, &block.generics)).flatten();
        let rule = form.and_then(|form| {
            let mut generics = generics.clone();
            function.bound_inside_of(&mut generics);
            let of_all = |generics| for_all::exists(&block.generics, generics);
            if !of_all(&generics) || !of_all(&function.generics) {
                return None;
            }
            let marker = &function.name;
            dispatched.push((function.written.ident.clone(), marker.clone()));
            let of = (&generics, &*block.self_ty);
            if !numbers::are_of_own_traits(&block.generics) {
                let rule = syn::parse_quote!(#marker);
                return Some(form.rule(of, &quote!(#marker), (&rule, &function.path)));
            }
            let name = quote::format_ident!("{marker}__of");
            let (told, item, rule) = dispatch::told(function, name, &dispatch::tells(&block));
            let rules = rules_of(&told, body, &options, errors).0;
            let rule = form.rule(of, &quote!(#marker), (&rule, &function.path));
            Some(quote!(#item #rules #rule))
        });
        let operation = errors.is_empty().then(|| operation_of(&inside(), function));
        let operation = operation.flatten();
        quote!(#rules #derivative #operation #linear #rule)
    });
    let inactive = has_table.then(|| dispatch::inactive(&block, &mut dispatched));
    let table = has_table.then(|| dispatch::table(&block, &dispatched));
    let table = table.flatten();
    let assigned = expand_compound(&options, &block);
    with_mathematics(&options, quote!(#expanded #inactive #table #assigned))
}

/// The rules of a compound operator as a function of values; its errors are those of the method.
fn expand_compound(options: &Options, block: &syn::ItemImpl) -> Option<TokenStream> {
    let compound = crate::operator::Compound::of(block)?;
    let mut errors = Errors::default();
    let mut method = compound.method.clone();
    let (mut function, body) =
        crate::methods::as_function(&compound.block, &mut method, read, &mut errors)?;
    compound.name(&mut function);
    let (rules, _) = rules_of(&function, &body, options, &mut errors);
    if !errors.is_empty() {
        return None;
    }
    let (marker, derivative) = (function.marker(), compound.derivative(&function.name));
    Some(quote!(#marker #rules #derivative))
}

/// Expands to the trait, and for every method the rules by which those of an implementation are found.
pub(crate) fn expand_trait(options: &Options, item: syn::ItemTrait) -> TokenStream {
    let (device, order) = (options.device.is_some(), options.order.is_some());
    if device || order || options.combinations.is_some() || options.expand {
        let message = "a trait takes no options but `math = fast`: its methods have rules for all activities, of first order";
        let error = syn::Error::new_spanned(&item.ident, message).to_compile_error();
        return quote!(#item #error);
    }
    let expanded = crate::traits::expand(item, |function, body, errors| {
        rules_of(function, body, options, errors).0
    });
    with_mathematics(options, expanded)
}

/// The rules of a method in both modes, and what its body is as a polynomial.
fn rules_of(
    function: &Function,
    body: &syn::Block,
    options: &Options,
    errors: &mut Errors,
) -> (TokenStream, Option<Polynomial>) {
    let mut program = lower::lower(function, body, errors);
    let degree = program.degree();
    program.find_sequences(function);
    program.improve();
    let rules = match errors.is_empty() {
        true => {
            let witness = program.witnessed(function, body);
            let rules = emit::rules(function, &program, options);
            quote!(#rules #witness)
        }
        false => emit::refused::rules(function),
    };
    (rules, degree)
}
