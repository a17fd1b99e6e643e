//! The marker by which a trait finds the rules of an implementation's method.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;

use super::Dispatched;
use crate::signature::Passing;

impl Dispatched<'_> {
    /// The marker, the call of the method, and its rules for arguments in the form.
    pub(super) fn marker(&self) -> TokenStream {
        let (path, name, vis) = (self.path(), &self.name, &self.function.vis);
        let (marker, itself) = (self.named("dispatched"), self.marker_type());
        let (declared, types) = (self.declared(), self.as_types());
        let callable = self.callable();
        let (output, idents) = (&callable.output, self.idents());
        let of_primal = crate::differentiable::arguments(&callable, None);
        let primal = &of_primal.arguments;
        let generics = self.generics(&of_primal.lifetimes);
        let (generics, _, where_clause) = generics.split_for_impl();
        let (forward, reverse) = (self.forward_rule(), self.reverse_rule());
        quote! {
            #[doc(hidden)]
            #[allow(non_camel_case_types)]
            #vis struct #marker<__K, #(#declared),*>(::core::marker::PhantomData<fn() -> (__K, #(#types),*)>);

            impl<__K, #(#declared),*> ::core::clone::Clone for #itself {
                #[inline]
                fn clone(&self) -> Self {
                    Self(::core::marker::PhantomData)
                }
            }

            impl<__K, #(#declared),*> ::core::default::Default for #itself {
                #[inline]
                fn default() -> Self {
                    Self(::core::marker::PhantomData)
                }
            }

            impl #generics ::coenzyme::Function<(#(#primal,)*)> for #itself #where_clause {
                type Output = #output;

                #[inline]
                fn call(&self, (#(#idents,)*): (#(#primal,)*)) -> #output {
                    <__K as #path>::#name(#(#idents),*)
                }
            }

            #forward
            #reverse
        }
    }

    fn forward_rule(&self) -> TokenStream {
        let (rule, returned, itself) = (self.rule(), &self.form.output, self.marker_type());
        let (idents, asked) = (self.idents(), self.is_of());
        let forward = crate::differentiable::arguments(&self.callable(), Some(true));
        let mut generics = self.generics(&forward.lifetimes);
        generics.params.push(syn::parse_quote!(const __W: usize));
        let (generics, _, where_clause) = generics.split_for_impl();
        let (args, lent) = (&forward.arguments, self.lent("lend"));
        let returns =
            quote!(<#returned as ::coenzyme::__private::dispatch::Returned>::Forward<__W>);
        quote! {
            impl #generics ::coenzyme::ForwardRule<#returns, (#(#args,)*), __W> for #itself #where_clause {
                #[cfg_attr(not(debug_assertions), inline(always))]
                fn forward(
                    &self,
                    config: &::coenzyme::ForwardConfig,
                    (#(#idents,)*): (#(&mut #args,)*),
                ) -> ::coenzyme::ForwardOutcome<#returns, __W> {
                    #asked
                    #lent
                    #rule::forward::<__W>(config, (#(#idents,)*))
                }
            }
        }
    }

    fn reverse_rule(&self) -> TokenStream {
        let (rule, returned, itself) = (self.rule(), &self.form.output, self.marker_type());
        let (idents, asked) = (self.idents(), self.is_of());
        let reverse = crate::differentiable::arguments(&self.callable(), Some(false));
        let mut generics = self.generics(&reverse.lifetimes);
        generics.params.push(syn::parse_quote!(const __W: usize));
        let (generics, _, where_clause) = generics.split_for_impl();
        let (args, lent) = (&reverse.arguments, self.lent("lend_adjoint"));
        let d = quote!(::coenzyme::__private::dispatch);
        let returns = quote!(<#returned as #d::Returned>::Reverse<__W>);
        let this = quote!(::coenzyme::ReverseRule<#returns, (#(#args,)*), __W>);
        quote! {
            impl #generics #this for #itself #where_clause {
                type Tape = ::coenzyme::Tape;

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn augmented_primal(
                    &self,
                    config: &::coenzyme::ReverseConfig,
                    args: (#(&mut #args,)*),
                ) -> ::coenzyme::AugmentedOutcome<#returns, ::coenzyme::Tape, __W> {
                    #d::on_own_tape::<#returns, __W>(|tape| <Self as #this>::augmented_onto(self, config, tape, args))
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn reverse(
                    &self,
                    config: &::coenzyme::ReverseConfig,
                    dret: #d::CotangentOf<#returned, __W>,
                    mut tape: ::coenzyme::Tape,
                    args: (#(&mut #args,)*),
                ) -> <(#(#args,)*) as ::coenzyme::Args<__W>>::Gradients {
                    <Self as #this>::reverse_from(self, config, dret, &mut tape, args)
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn augmented_onto(
                    &self,
                    config: &::coenzyme::ReverseConfig,
                    tape: &mut ::coenzyme::Tape,
                    (#(#idents,)*): (#(&mut #args,)*),
                ) -> ::coenzyme::AugmentedOutcome<#returns, (), __W> {
                    #asked
                    #lent
                    #rule::augmented::<__W>(config, tape, (#(#idents,)*))
                }

                #[cfg_attr(not(debug_assertions), inline(always))]
                fn reverse_from(
                    &self,
                    config: &::coenzyme::ReverseConfig,
                    dret: #d::CotangentOf<#returned, __W>,
                    tape: &mut ::coenzyme::Tape,
                    (#(#idents,)*): (#(&mut #args,)*),
                ) -> <(#(#args,)*) as ::coenzyme::Args<__W>>::Gradients {
                    #lent
                    #rule::reverse::<__W>(config, dret, tape, (#(#idents,)*))
                }
            }
        }
    }

    /// `Kernel_eval__dispatched<__K, T>`.
    fn marker_type(&self) -> TokenStream {
        let (marker, names) = (self.named("dispatched"), self.parameters());
        quote!(#marker<__K, #(#names),*>)
    }

    /// The rule that the trait's bound promises.
    fn rule(&self) -> TokenStream {
        let (bound, parameters, output) = (self.bound(), &self.form.parameters, &self.form.output);
        quote!(<<__K as #bound>::Rule as ::coenzyme::__private::dispatch::MethodRule<__K, #parameters, #output>>)
    }

    /// Asks that the rule is that of this method.
    fn is_of(&self) -> TokenStream {
        let (rule, path, name) = (self.rule(), self.path(), &self.name);
        quote!(::coenzyme::__private::dispatch::is_of(#rule::method(), &<__K as #path>::#name);)
    }

    fn idents(&self) -> Vec<Ident> {
        let numbers = 0..self.function.params.len();
        let idents = numbers.map(|i| format_ident!("a{i}", span = Span::mixed_site()));
        idents.collect()
    }

    /// The arguments that are memory, all for the time of the call.
    fn lent(&self, shared: &str) -> TokenStream {
        let idents = self.idents();
        let params = self.function.params.iter().zip(&idents);
        let lent = params.map(|(param, ident)| {
            let ty = &param.ty;
            let lend = match param.passing {
                Passing::Value => return TokenStream::new(),
                Passing::Shared => format_ident!("{shared}"),
                Passing::Exclusive => format_ident!("lend_mut"),
            };
            quote!(let #ident = &mut ::coenzyme::__private::#lend::<#ty, _, _, __W>(#ident);)
        });
        lent.collect()
    }
}
