//! Methods that move the entries of slices and vectors about, or change how many there are: written out as loops over what has a derivative.

use syn::{Expr, ExprMethodCall};

use crate::differentiable::resolve::varied::place_root;
use crate::differentiable::syntax::names::hidden;
use crate::differentiable::tokens::head::head;

/// The statement that does what a method does to its receiver.
pub(crate) fn as_loops(call: &ExprMethodCall) -> Option<Expr> {
    // `{ … }.v` would be a statement and something after it
    place_root(&call.receiver)?;
    let args: Vec<&Expr> = call.args.iter().collect();
    changed_length(call, &args).or_else(|| changed_order(call, &args))
}

/// Methods after which there are more entries, or fewer.
fn changed_length(call: &ExprMethodCall, args: &[&Expr]) -> Option<Expr> {
    let all = &call.receiver;
    Some(match (call.method.to_string().as_str(), args) {
        ("extend" | "extend_from_slice", [more]) => {
            let (element, more) = (hidden("element"), head(more));
            syn::parse_quote! {
                for #element in #more { #all.push(*#element); }
            }
        }
        ("truncate", [length]) => syn::parse_quote! {
            for _ in (#length)..#all.len() { #all.pop(); }
        },
        ("clear", _) => syn::parse_quote! {
            for _ in (0)..#all.len() { #all.pop(); }
        },
        ("append", [more]) => {
            let more = match more {
                Expr::Reference(more) => &*more.expr,
                more => more,
            };
            syn::parse_quote!({
                #all.extend_from_slice(&#more);
                #more.clear();
            })
        }
        ("retain", [keep]) => {
            let (before, element) = (hidden("before"), hidden("element"));
            syn::parse_quote!({
                let #before = #all.to_vec();
                #all.clear();
                for #element in #before.iter() {
                    if ::coenzyme::__private::keeps(&#element, #keep) { #all.push(*#element); }
                }
            })
        }
        ("resize", [to, value]) => {
            let (n, entry) = (hidden("n"), hidden("entry"));
            syn::parse_quote!({
                let #n: usize = #to;
                let #entry = #value;
                for _ in #all.len()..#n { #all.push(#entry); }
                #all.truncate(#n);
            })
        }
        ("extend_from_within", [range]) => {
            let more = hidden("more");
            syn::parse_quote!({
                let #more = #all[#range].to_vec();
                #all.extend_from_slice(&#more);
            })
        }
        ("resize_with", [to, f]) => {
            let (n, value) = (hidden("n"), called(f));
            syn::parse_quote!({
                let #n: usize = #to;
                for _ in #all.len()..#n { #all.push(#value); }
                #all.truncate(#n);
            })
        }
        // how much room there is carries no derivative
        ("reserve" | "reserve_exact" | "shrink_to", [_]) | ("shrink_to_fit", []) => {
            syn::parse_quote!({})
        }
        ("insert", [index, value]) => {
            let (at, k) = (hidden("at"), hidden("k"));
            syn::parse_quote!({
                let #at: usize = #index;
                #all.push(#value);
                for #k in (#at + 1..#all.len()).rev() { #all.swap(#k - 1, #k); }
            })
        }
        _ => return None,
    })
}

/// Methods after which the same entries, or copies of them, stand elsewhere.
fn changed_order(call: &ExprMethodCall, args: &[&Expr]) -> Option<Expr> {
    let all = &call.receiver;
    Some(match (call.method.to_string().as_str(), args) {
        ("reverse", _) => {
            let (n, k) = (hidden("n"), hidden("k"));
            syn::parse_quote!({
                let #n = #all.len();
                for #k in 0..#n / 2 { #all.swap(#k, #n - 1 - #k); }
            })
        }
        ("fill_with", [f]) => {
            let (k, value) = (hidden("k"), called(f));
            syn::parse_quote!(for #k in 0..#all.len() { #all[#k] = #value; })
        }
        ("swap_with_slice", [other]) => {
            let k = hidden("k");
            syn::parse_quote!({
                let __other = #other;
                for #k in 0..#all.len() { ::std::mem::swap(&mut #all[#k], &mut __other[#k]); }
            })
        }
        ("copy_within", [from, start]) => {
            let (copy, to) = (hidden("copy"), hidden("to"));
            syn::parse_quote!({
                let #copy = #all[#from].to_vec();
                let #to: usize = #start;
                #all[#to..#to + #copy.len()].copy_from_slice(&#copy[..]);
            })
        }
        (turn @ ("rotate_left" | "rotate_right"), [places]) => {
            let (before, by, k) = (hidden("before"), hidden("by"), hidden("k"));
            let from: Expr = match turn {
                "rotate_left" => syn::parse_quote!((#k + (#by)) % #before.len()),
                _ => syn::parse_quote!((#k + #before.len() - (#by)) % #before.len()),
            };
            syn::parse_quote!({
                let #by: usize = #places;
                let #before = #all.to_vec();
                for #k in 0..#before.len() { #all[#k] = #before[#from]; }
            })
        }
        _ => return None,
    })
}

/// What a function without arguments gives.
fn called(f: &Expr) -> Expr {
    match f {
        Expr::Closure(f) => (*f.body).clone(),
        f => syn::parse_quote!(#f()),
    }
}
