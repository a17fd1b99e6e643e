//! `#[cfg(…)]` inside what an attribute stands on: the macro sees what `cfg` is about to remove, and does not know what it will.
//!
//! So each alternative is expanded for itself, under the conditions that it takes:
//!
//! ```text
//! fn f(x: f64) -> f64 {
//!     #[cfg(feature = "twice")]
//!     let x = 2.0 * x;
//!     x
//! }
//! // expands to
//! #[cfg(all(feature = "twice"))] fn f(x: f64) -> f64 { let x = 2.0 * x; x }       // and its marker and rules
//! #[cfg(all(not(feature = "twice")))] fn f(x: f64) -> f64 { x }                   // and its marker and rules
//! ```

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Expr, FnArg, ImplItem, Meta, Stmt, Token, TraitItem};

use crate::Marked;

/// More conditions than these have too many combinations.
const MOST: usize = 4;

/// Expands what an attribute stands on, once for each combination of the conditions in it.
pub(crate) fn each(mut marked: Marked, expand: impl Fn(Marked) -> TokenStream) -> TokenStream {
    // of all of it: that of what is generated too
    let own = match &mut marked {
        Marked::Function(item) => &mut item.attrs,
        Marked::Methods(item) => &mut item.attrs,
        Marked::Trait(item) => &mut item.attrs,
    };
    let whole: Vec<Attribute> = own.iter().filter(|a| is_cfg(a)).cloned().collect();
    own.retain(|a| !is_cfg(a));
    let mut found = Conditions::default();
    match &marked {
        Marked::Function(item) => found.visit_item_fn(item),
        Marked::Methods(item) => found.visit_item_impl(item),
        Marked::Trait(item) => found.visit_item_trait(item),
    }
    if let Some(error) = found.error.take() {
        let (item, error) = (marked.into_tokens(), error.to_compile_error());
        return quote!(#(#whole)* #item #(#whole)* #error);
    }
    if !found.seen && whole.is_empty() {
        return expand(marked);
    }
    (0..1_usize << found.conditions.len())
        .map(|combination| {
            let holds = |i: usize| combination >> i & 1 == 1;
            let tokens = expand(found.decided(&marked, &holds));
            let all = found
                .conditions
                .iter()
                .enumerate()
                .map(|(i, c)| match holds(i) {
                    true => quote!(#c),
                    false => quote!(not(#c)),
                });
            let under = quote!(#(#whole)* #[cfg(all(#(#all),*))]);
            on_each_item(tokens, &under)
        })
        .collect()
}

impl Marked {
    fn into_tokens(self) -> TokenStream {
        match self {
            Self::Function(item) => item.into_token_stream(),
            Self::Methods(item) => item.into_token_stream(),
            Self::Trait(item) => item.into_token_stream(),
        }
    }
}

fn is_cfg(attribute: &Attribute) -> bool {
    attribute.path().is_ident("cfg")
}

/// Items, each with these attributes.
fn on_each_item(tokens: TokenStream, attributes: &TokenStream) -> TokenStream {
    match syn::parse2::<syn::File>(tokens.clone()) {
        Ok(file) => file
            .items
            .iter()
            .map(|item| quote!(#attributes #item))
            .collect(),
        Err(_) => tokens,
    }
}

/// What stands between the parentheses of `cfg`.
enum Predicate {
    /// `feature = "fast"`, `test`, as one token stream.
    Condition(TokenStream),
    Known(bool),
    Not(Box<Predicate>),
    All(Vec<Predicate>),
    Any(Vec<Predicate>),
}

impl Parse for Predicate {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if let Ok(known) = input.parse::<syn::LitBool>() {
            return Ok(Self::Known(known.value));
        }
        let meta: Meta = input.parse()?;
        let name = meta.path().get_ident().map(ToString::to_string);
        let (Meta::List(list), Some(name)) = (&meta, name) else {
            return Ok(Self::Condition(meta.into_token_stream()));
        };
        let each = || -> syn::Result<Vec<Self>> {
            let each = list.parse_args_with(Punctuated::<Self, Token![,]>::parse_terminated)?;
            Ok(each.into_iter().collect())
        };
        Ok(match name.as_str() {
            "all" => Self::All(each()?),
            "any" => Self::Any(each()?),
            "not" => Self::Not(Box::new(list.parse_args()?)),
            _ => Self::Condition(meta.into_token_stream()),
        })
    }
}

impl Predicate {
    fn conditions(&self, found: &mut Vec<TokenStream>) {
        match self {
            Self::Condition(condition) => {
                let text = condition.to_string();
                if found.iter().all(|c| c.to_string() != text) {
                    found.push(condition.clone());
                }
            }
            Self::Known(_) => {}
            Self::Not(of) => of.conditions(found),
            Self::All(each) | Self::Any(each) => each.iter().for_each(|p| p.conditions(found)),
        }
    }

    fn holds(&self, condition: &dyn Fn(&TokenStream) -> bool) -> bool {
        match self {
            Self::Condition(tokens) => condition(tokens),
            Self::Known(known) => *known,
            Self::Not(of) => !of.holds(condition),
            Self::All(each) => each.iter().all(|p| p.holds(condition)),
            Self::Any(each) => each.iter().any(|p| p.holds(condition)),
        }
    }
}

/// `cfg_attr(predicate, attributes)`
struct Conditional {
    predicate: Predicate,
    attributes: Vec<Meta>,
}

impl Parse for Conditional {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let predicate = input.parse()?;
        input.parse::<Token![,]>()?;
        let attributes = Punctuated::<Meta, Token![,]>::parse_terminated(input)?;
        Ok(Self {
            predicate,
            attributes: attributes.into_iter().collect(),
        })
    }
}

/// The conditions in a function or a block, each once.
#[derive(Default)]
struct Conditions {
    conditions: Vec<TokenStream>,
    /// Whether there is any `cfg`, be it one without a condition: `any()`.
    seen: bool,
    error: Option<syn::Error>,
}

impl Conditions {
    fn add(&mut self, predicate: syn::Result<Predicate>, at: &dyn ToTokens) {
        self.seen = true;
        match predicate {
            Ok(predicate) => predicate.conditions(&mut self.conditions),
            Err(error) => self.error = Some(error),
        }
        if self.conditions.len() > MOST {
            let message = format!(
                "a differentiated function has at most {MOST} different conditions in `#[cfg(…)]`, for each combination is differentiated: move parts into functions of their own"
            );
            self.error
                .get_or_insert_with(|| syn::Error::new_spanned(at.to_token_stream(), message));
        }
    }

    /// The function without what is removed under these conditions.
    fn decided(&self, marked: &Marked, holds: &dyn Fn(usize) -> bool) -> Marked {
        let mut decide = Decide {
            condition: &|tokens| {
                let text = tokens.to_string();
                let found = self.conditions.iter().position(|c| c.to_string() == text);
                found.is_some_and(holds)
            },
        };
        match marked {
            Marked::Function(item) => {
                let mut item = item.clone();
                decide.visit_item_fn_mut(&mut item);
                Marked::Function(item)
            }
            Marked::Methods(item) => {
                let mut item = item.clone();
                decide.visit_item_impl_mut(&mut item);
                Marked::Methods(item)
            }
            Marked::Trait(item) => {
                let mut item = item.clone();
                decide.visit_item_trait_mut(&mut item);
                Marked::Trait(item)
            }
        }
    }
}

impl<'ast> Visit<'ast> for Conditions {
    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        if is_cfg(attribute) {
            self.add(attribute.parse_args(), attribute);
        } else if attribute.path().is_ident("cfg_attr") {
            let conditional = attribute.parse_args::<Conditional>();
            self.add(conditional.map(|c| c.predicate), attribute);
        }
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        if names_cfg(mac.tokens.clone()) {
            let message = "`#[cfg(…)]` inside a macro is not seen here: write it on the statement";
            self.error
                .get_or_insert_with(|| syn::Error::new_spanned(mac, message));
        }
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        // what is inside of an item is the compiler's
        for attribute in attributes_of(item) {
            self.visit_attribute(attribute);
        }
    }
}

/// Whether `#[cfg` stands among some tokens.
fn names_cfg(tokens: TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let after_hash = trees.windows(2).any(|pair| match pair {
        [TokenTree::Punct(hash), TokenTree::Group(group)] if hash.as_char() == '#' => {
            let first = group.stream().into_iter().next();
            matches!(first, Some(TokenTree::Ident(name)) if name == "cfg" || name == "cfg_attr")
        }
        _ => false,
    });
    after_hash
        || trees.iter().any(|tree| match tree {
            TokenTree::Group(group) => names_cfg(group.stream()),
            _ => false,
        })
}

/// Removes what conditions remove.
struct Decide<'c> {
    condition: &'c dyn Fn(&TokenStream) -> bool,
}

impl Decide<'_> {
    /// Whether what has these attributes stays.
    fn stays(&self, attributes: &[Attribute]) -> bool {
        attributes.iter().filter(|a| is_cfg(a)).all(|a| {
            let predicate = a.parse_args::<Predicate>();
            predicate.is_ok_and(|p| p.holds(self.condition))
        })
    }

    fn retain<T, P: Default>(
        &self,
        list: &mut Punctuated<T, P>,
        attributes: impl Fn(&T) -> &[Attribute],
    ) {
        let (trails, all) = (list.trailing_punct(), std::mem::take(list));
        list.extend(all.into_iter().filter(|one| self.stays(attributes(one))));
        // that before the dots of `S { a, .. }`
        if trails && !list.is_empty() {
            list.push_punct(P::default());
        }
    }

    fn retain_expressions(&self, list: &mut Punctuated<Expr, Token![,]>) {
        self.retain(list, expression_attributes);
    }
}

impl VisitMut for Decide<'_> {
    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain(|stmt| {
            self.stays(match stmt {
                Stmt::Local(local) => &local.attrs,
                Stmt::Item(item) => attributes_of(item),
                Stmt::Expr(expr, _) => expression_attributes(expr),
                Stmt::Macro(stmt) => &stmt.attrs,
            })
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_attributes_mut(&mut self, attributes: &mut Vec<Attribute>) {
        let all = std::mem::take(attributes);
        attributes.extend(
            all.into_iter()
                .filter(|a| !is_cfg(a))
                .flat_map(|attribute| {
                    if !attribute.path().is_ident("cfg_attr") {
                        return vec![attribute];
                    }
                    let conditional = attribute.parse_args::<Conditional>();
                    match conditional {
                        Ok(c) if c.predicate.holds(self.condition) => {
                            let each = c.attributes.into_iter();
                            each.map(|meta| syn::parse_quote!(#[#meta])).collect()
                        }
                        _ => Vec::new(),
                    }
                }),
        );
    }

    fn visit_signature_mut(&mut self, signature: &mut syn::Signature) {
        self.retain(&mut signature.inputs, |arg| match arg {
            FnArg::Receiver(receiver) => &receiver.attrs,
            FnArg::Typed(typed) => &typed.attrs,
        });
        visit_mut::visit_signature_mut(self, signature);
    }

    fn visit_generics_mut(&mut self, generics: &mut syn::Generics) {
        self.retain(&mut generics.params, |param| match param {
            syn::GenericParam::Lifetime(p) => &p.attrs,
            syn::GenericParam::Type(p) => &p.attrs,
            syn::GenericParam::Const(p) => &p.attrs,
        });
        visit_mut::visit_generics_mut(self, generics);
    }

    fn visit_item_impl_mut(&mut self, block: &mut syn::ItemImpl) {
        block.items.retain(|item| {
            self.stays(match item {
                ImplItem::Const(item) => &item.attrs,
                ImplItem::Fn(item) => &item.attrs,
                ImplItem::Type(item) => &item.attrs,
                ImplItem::Macro(item) => &item.attrs,
                _ => &[],
            })
        });
        visit_mut::visit_item_impl_mut(self, block);
    }

    fn visit_item_trait_mut(&mut self, item: &mut syn::ItemTrait) {
        item.items.retain(|item| {
            self.stays(match item {
                TraitItem::Const(item) => &item.attrs,
                TraitItem::Fn(item) => &item.attrs,
                TraitItem::Type(item) => &item.attrs,
                TraitItem::Macro(item) => &item.attrs,
                _ => &[],
            })
        });
        visit_mut::visit_item_trait_mut(self, item);
    }

    fn visit_expr_match_mut(&mut self, branch: &mut syn::ExprMatch) {
        branch.arms.retain(|arm| self.stays(&arm.attrs));
        visit_mut::visit_expr_match_mut(self, branch);
    }

    fn visit_expr_struct_mut(&mut self, structure: &mut syn::ExprStruct) {
        self.retain(&mut structure.fields, |field| &field.attrs);
        visit_mut::visit_expr_struct_mut(self, structure);
    }

    fn visit_pat_struct_mut(&mut self, pat: &mut syn::PatStruct) {
        self.retain(&mut pat.fields, |field| &field.attrs);
        visit_mut::visit_pat_struct_mut(self, pat);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        self.retain_expressions(&mut call.args);
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        self.retain_expressions(&mut call.args);
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_expr_array_mut(&mut self, array: &mut syn::ExprArray) {
        self.retain_expressions(&mut array.elems);
        visit_mut::visit_expr_array_mut(self, array);
    }

    fn visit_expr_tuple_mut(&mut self, tuple: &mut syn::ExprTuple) {
        self.retain_expressions(&mut tuple.elems);
        visit_mut::visit_expr_tuple_mut(self, tuple);
    }

    fn visit_item_mut(&mut self, item: &mut syn::Item) {
        // what is inside of an item is the compiler's
        if let Some(attributes) = attributes_of_mut(item) {
            self.visit_attributes_mut(attributes);
        }
    }
}

macro_rules! attributes {
    ($of:expr, $kind:ident, $none:expr, $some:expr, $($variant:ident)*) => {
        match $of {
            $($kind::$variant(e) => $some(&e.attrs),)*
            _ => $none,
        }
    };
}

fn expression_attributes(expr: &Expr) -> &[Attribute] {
    attributes!(expr, Expr, &[], |a| a, Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range Reference Repeat Return Struct Try Tuple Unary Unsafe While)
}

fn attributes_of(item: &syn::Item) -> &[Attribute] {
    use syn::Item;
    attributes!(item, Item, &[], |a| a, Const Enum ExternCrate Fn ForeignMod Impl Macro Mod Static Struct Trait TraitAlias Type Union Use)
}

fn attributes_of_mut(item: &mut syn::Item) -> Option<&mut Vec<Attribute>> {
    use syn::Item;
    match item {
        Item::Const(i) => Some(&mut i.attrs),
        Item::Enum(i) => Some(&mut i.attrs),
        Item::ExternCrate(i) => Some(&mut i.attrs),
        Item::Fn(i) => Some(&mut i.attrs),
        Item::ForeignMod(i) => Some(&mut i.attrs),
        Item::Impl(i) => Some(&mut i.attrs),
        Item::Macro(i) => Some(&mut i.attrs),
        Item::Mod(i) => Some(&mut i.attrs),
        Item::Static(i) => Some(&mut i.attrs),
        Item::Struct(i) => Some(&mut i.attrs),
        Item::Trait(i) => Some(&mut i.attrs),
        Item::TraitAlias(i) => Some(&mut i.attrs),
        Item::Type(i) => Some(&mut i.attrs),
        Item::Union(i) => Some(&mut i.attrs),
        Item::Use(i) => Some(&mut i.attrs),
        _ => None,
    }
}
