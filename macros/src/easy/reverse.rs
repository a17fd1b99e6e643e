//! The reverse rule: `x̄ += (∂z/∂x)ᵀ·z̄` for each active argument.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Ident;

use super::body::{self, Body, local};
use super::model::Rule;
use crate::general::Direction;
use crate::signature::Passing;

/// For `fn f(x: f64, y: &[f64]) -> z: f64`, where the partials read `y` and `z`:
///
/// ```text
/// type Tape = ((), Saved<[f64]>, Option<f64>);
/// ```
///
/// with the methods of [`augmented_primal`] and [`reverse`].
pub(super) fn expand(rule: &Rule) -> TokenStream {
    let body = Body::new(rule, Direction::Reverse);
    let (head, tape) = (body.head(), tape(&body));
    let (augmented_primal, reverse) = (augmented_primal(&body), reverse(&body));
    hygienic! {
        #head {
            type Tape = #tape;

            #augmented_primal
            #reverse
        }
    }
}

/// A slot for each argument, then one for the value.
fn tape(body: &Body<'_>) -> TokenStream {
    let rule = body.rule;
    let saved = (0..rule.function.params.len()).map(|i| match is_saved(rule, i) {
        true => {
            let ty = &rule.function.params[i].ty;
            hygienic!(::coenzyme::Saved<#ty>)
        }
        false => hygienic!(()),
    });
    let output = &rule.function.output;
    let value = match reads_results(rule) {
        true => hygienic!(::core::option::Option<<#output as ::coenzyme::Outcome>::Value>),
        false => hygienic!(()),
    };
    hygienic!((#(#saved,)* #value,))
}

/// ```text
/// fn augmented_primal(&self, config: &ReverseConfig, (a0, a1): (&mut A0, &mut A1)) -> AugmentedOutcome<R, Self::Tape, W> {
///     …                                                                      // the flags of the forward rule
///     let saved1 = Saved::new(a1.primal(), reads_y && config.overwritten(1));
///     let needed = config.needs_primal() || R::NEEDS_SHADOW || reads_z;
///     Outcome::map_if(needed, || f(a0.primal().clone(), a1.primal()), |value| {
///         let kept = reads_z.then(|| value.clone());
///         augmented_if_needed::<R, _, W>(config, value, ((), saved1, kept))
///     })
/// }
/// ```
fn augmented_primal(body: &Body<'_>) -> TokenStream {
    let (rule, general) = (body.rule, &body.general);
    let (receiver, flags, call) = (general.receiver(), body.flags(), body.call());
    let (value, output) = (&body.value, &rule.function.output);
    let saved: Vec<Ident> = saved_variables(rule);
    let copies = rule.function.params.iter().enumerate().map(|(i, param)| {
        if !is_saved(rule, i) {
            return hygienic!(());
        }
        let (primal, reads) = (general.primal(i, param), body.reads(&[&param.name]));
        hygienic!(::coenzyme::Saved::new(#primal, #reads && config.overwritten(#i)))
    });
    let reads = body.reads(&rule.results());
    let kept = match reads_results(rule) {
        true => {
            hygienic!(#reads.then(|| ::core::clone::Clone::clone(::coenzyme::__private::present(&#value))))
        }
        false => hygienic!(()),
    };
    hygienic! {
        #[allow(unused_variables, unused_parens, clippy::all)]
        fn augmented_primal(
            &self,
            config: &::coenzyme::ReverseConfig,
            #receiver,
        ) -> ::coenzyme::AugmentedOutcome<__R, Self::Tape, __W> {
            #flags
            #(let #saved = #copies;)*
            let needed = config.needs_primal() || __R::NEEDS_SHADOW || #reads;
            <#output as ::coenzyme::Outcome>::map_if(needed, || #call, |#value| {
                let kept = #kept;
                ::coenzyme::__private::augmented_if_needed::<__R, _, __W>(config, #value, (#(#saved,)* kept,))
            })
        }
    }
}

/// All arguments are taken apart at once, each into its primal and its adjoints, so that partials may borrow from primals:
///
/// ```text
/// fn reverse(&self, config: &ReverseConfig, dret: R::Cotangent, tape: Self::Tape, (a0, a1): …) -> (A0::Gradient, A1::Gradient) {
///     …                                                                      // the flags of the forward rule
///     let ((), saved1, value) = tape;
///     let (g0, (g1, ())) = a0.lanes(|p0, d0| a1.lanes(|p1, d1| {
///         if any {
///             let (x, y) = (p0.clone(), saved1.get(p1));
///             …                                                              // the statements
///             if active0 {
///                 let z = value.clone();
///                 let partial0 = …;                                          // dz/dx, once for all lanes
///                 for (lane, dx) in d0.iter_mut().enumerate() {
///                     partial0.multiply_reverse(dret.lane(lane), dx.reborrow(), config.strong_zero());
///                 }
///             }
///             …
///         }
///     }));
///     (g0, g1)
/// }
/// ```
fn reverse(body: &Body<'_>) -> TokenStream {
    let (rule, general) = (body.rule, &body.general);
    let (receiver, flags, handles) = (general.receiver(), body.flags(), &general.handles);
    let (any, value) = (&body.any, &body.value);
    let (saved, setup) = (saved_variables(rule), body.setup());
    let names = (0..handles.len()).map(|i| body.bind(i, in_reverse(body, i, &saved[i])));
    let arms = rule.differentiated().map(|j| arm(body, j));
    let work = hygienic! {
        if #any {
            #(#names)*
            #setup
            #(#arms)*
        }
    };

    // From the last argument to the first: `a0.lanes(|p0, d0| …)`, with the pattern of what it returns.
    let (mut taken, mut pattern) = (work, hygienic!(()));
    for (i, param) in rule.function.params.iter().enumerate().rev() {
        let (a, p, d, ty) = (&general.variables[i], per(i, "p"), per(i, "d"), &param.ty);
        let g = per(i, "g");
        if param.constant {
            taken = hygienic!(((), { #taken }));
        } else {
            taken = hygienic!(::coenzyme::ReverseArg::<#ty, __W>::lanes(#a, |#p, #d| { #taken }));
        }
        pattern = hygienic!((#g, #pattern));
    }
    let gradients = (0..handles.len()).map(|i| per(i, "g"));
    hygienic! {
        #[allow(unused_variables, unused_parens, clippy::all)]
        fn reverse(
            &self,
            config: &::coenzyme::ReverseConfig,
            dret: __R::Cotangent,
            tape: Self::Tape,
            #receiver,
        ) -> (#(<#handles as ::coenzyme::Activity<__W>>::Gradient,)*) {
            let strong_zero = config.strong_zero();
            #flags
            let (#(#saved,)* #value,) = tape;
            let #pattern = #taken;
            (#(#gradients,)*)
        }
    }
}

/// What argument `j` receives, if it is active.
fn arm(body: &Body<'_>, j: usize) -> TokenStream {
    let rule = body.rule;
    let (active, results, d) = (&body.active[j], body.results_for(j), per(j, "d"));
    let ty = &rule.function.params[j].ty;
    let column: Vec<_> = rule.column(j).collect();
    let partials = body.per_result("partial");
    let evaluated = column.iter().map(|&(k, expr)| {
        let partial = &partials[k];
        hygienic!(let #partial = #expr;)
    });
    let products = column.iter().map(|&(k, expr)| {
        let (partial, out, component) = (&partials[k], rule.value_type(k), rule.component(k));
        let multiply = body::at(
            expr,
            hygienic!(::coenzyme::Partial::<#ty, #out>::multiply_reverse),
        );
        hygienic!(#multiply(&#partial, &(*cotangent) #component, adjoint.reborrow(), strong_zero);)
    });
    hygienic! {
        if #active {
            #results
            #(#evaluated)*
            for (lane, adjoint) in #d.iter_mut().enumerate() {
                if let ::core::option::Option::Some(cotangent) = ::coenzyme::Lanes::lane(&dret, lane) {
                    #(#products)*
                }
            }
        }
    }
}

/// Argument `i` in the reverse pass: a by-value argument is in its handle, memory is where it was or on the tape.
fn in_reverse(body: &Body<'_>, i: usize, saved: &Ident) -> TokenStream {
    let param = &body.rule.function.params[i];
    let p = per(i, "p");
    let in_place = match param.constant {
        true => body.general.primal(i, param),
        false => p.to_token_stream(),
    };
    match param.passing {
        Passing::Value if param.constant => in_place,
        Passing::Value => hygienic!(::core::clone::Clone::clone(#in_place)),
        _ => hygienic!(#saved.get(#in_place)),
    }
}

/// Whether argument `i` has a place on the tape: memory that the partials read.
fn is_saved(rule: &Rule, i: usize) -> bool {
    let param = &rule.function.params[i];
    param.passing != Passing::Value && rule.mentions(&param.name)
}

fn reads_results(rule: &Rule) -> bool {
    rule.results().iter().any(|n| rule.mentions(n))
}

fn saved_variables(rule: &Rule) -> Vec<Ident> {
    (0..rule.function.params.len())
        .map(|i| per(i, "saved"))
        .collect()
}

/// A variable for argument `i`.
fn per(i: usize, prefix: &str) -> Ident {
    local(&format!("{prefix}{i}"))
}
