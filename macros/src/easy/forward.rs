//! The forward rule: `ż = Σ ∂z/∂x·ẋ` over the active arguments.

use proc_macro2::TokenStream;
use syn::Ident;

use super::body::{self, Body};
use super::model::Rule;
use crate::general::Direction;

/// For `fn f(x: f64, y: &[f64]) -> z: f64`:
///
/// ```text
/// fn forward(&self, config: &ForwardConfig, (a0, a1): (&mut A0, &mut A1)) -> ForwardOutcome<R, W> {
///     let active0 = R::ACTIVE && a0.is_active();
///     let active1 = R::ACTIVE && a1.is_active();
///     let any = active0 || active1;
///     // The value is asked for, or read by a partial, or gives a zero tangent its shape.
///     let needed = R::needs_primal(config) || reads_z || R::ACTIVE && !(active0 || active1);
///     Outcome::map_if(needed, || f(a0.primal().clone(), a1.primal()), |value| {
///         let mut t0 = TangentSum::<f64, W>::new();
///         if any {
///             let (x, y) = (a0.primal().clone(), a1.primal());
///             …                                             // the statements
///             if active0 {
///                 let z = value.clone();
///                 let partial = …;                          // dz/dx, once for all lanes
///                 t0.add(|lane| a0.tangent(lane), |dx| partial.multiply_forward(dx, config.strong_zero()));
///             }
///             …
///         }
///         if R::ACTIVE { t0.or_else(|| Tangent::zero_like(&value)); }
///         R::forward(config, || value, |lane| t0.take(lane))
///     })
/// }
/// ```
pub(super) fn expand(rule: &Rule) -> TokenStream {
    let body = Body::new(rule, Direction::Forward);
    let (head, receiver, flags) = (body.head(), body.general.receiver(), body.flags());
    let (any, value, output, call) = (&body.any, &body.value, &rule.function.output, body.call());
    let reads = body.reads(&rule.results());
    let covered = rule.partials.iter().map(|row| {
        let by = row.iter().zip(&body.active).filter(|(p, _)| p.is_some());
        let by = by.map(|(_, active)| active);
        hygienic!((false #(|| #by)*))
    });
    let names = rule.function.params.iter().enumerate().map(|(i, param)| {
        let primal = body.general.primal(i, param);
        body.bind(i, primal)
    });
    let setup = body.setup();
    let arms = rule.differentiated().map(|j| arm(&body, j));
    let sums: Vec<Ident> = body.per_result("t");
    let zeros = sums.iter().enumerate().map(|(k, sum)| {
        let component = rule.component(k);
        hygienic!(#sum.or_else(|| ::coenzyme::Tangent::zero_like(&(*::coenzyme::__private::present(&#value))#component));)
    });
    let types = (0..sums.len()).map(|k| rule.value_type(k));
    let tangent = if rule.tuple {
        hygienic!((#(#sums.take(lane),)*))
    } else {
        hygienic!(#(#sums.take(lane))*)
    };
    hygienic! {
        #head {
            #[allow(unused_variables, unused_parens, clippy::all)]
            fn forward(
                &self,
                config: &::coenzyme::ForwardConfig,
                #receiver,
            ) -> ::coenzyme::ForwardOutcome<__R, __W> {
                let strong_zero = config.strong_zero();
                #flags
                let needed = __R::needs_primal(config) || #reads || (__R::ACTIVE && !(true #(&& #covered)*));
                <#output as ::coenzyme::Outcome>::map_if(needed, || #call, |#value| {
                    #(let mut #sums = ::coenzyme::__private::TangentSum::<#types, __W>::new();)*
                    if #any {
                        #(#names)*
                        #setup
                        #(#arms)*
                    }
                    if __R::ACTIVE {
                        #(#zeros)*
                    }
                    __R::forward(config, || ::coenzyme::__private::present_owned(#value), |lane| #tangent)
                })
            }
        }
    }
}

/// What argument `j` adds to the tangents of the results, if it is active.
fn arm(body: &Body<'_>, j: usize) -> TokenStream {
    let rule = body.rule;
    let (a, ty) = (&body.general.variables[j], &rule.function.params[j].ty);
    let sums = body.per_result("t");
    let terms = rule.column(j).map(|(k, partial)| {
        let (sum, out) = (&sums[k], rule.value_type(k));
        let multiply = body::at(
            partial,
            hygienic!(::coenzyme::Partial::<#ty, #out>::multiply_forward),
        );
        hygienic! {
            let partial = #partial;
            #sum.add(
                |lane| ::coenzyme::ForwardArg::<#ty, __W>::tangent(&*#a, lane),
                |tangent| #multiply(&partial, tangent, strong_zero),
            );
        }
    });
    let (active, results) = (&body.active[j], body.results_for(j));
    hygienic! {
        if #active {
            #results
            #(#terms)*
        }
    }
}
