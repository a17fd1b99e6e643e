//! Bounds checked in front of a loop instead of in every round: where all that a loop does with some memory is to index it by its
//! variable plus what does not change, the loop gets the part of the memory that it runs over.
//!
//! ```ignore
//! // for r in a..b { y[r] += l[c + r]; }
//! let run1 = a..b;
//! let rounds_of1 = rounds(&run1);
//! let (y_part1_first, l_part1_first) = (first(&run1, |r| r), first(&run1, |r| c + r));
//! let y_part1 = window_mut(&mut (*y)[..], y_part1_first, rounds_of1);
//! let l_part1 = window(&(*l)[..], l_part1_first, rounds_of1);
//! for round1 in 0..rounds_of1 { let r = run1.start + round1; y_part1[round1] += l_part1[round1]; }
//! ```

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::Expr as Syntax;

use super::names::local;
use crate::differentiable::ir::*;
use crate::differentiable::mentions::Mention;
use crate::differentiable::scratch::find_inits;
use crate::differentiable::text::names;

impl Window {
    /// The place inside the part.
    fn entry(&self, place: &Place) -> TokenStream {
        let round = &self.round;
        let rest = place.suffix.clone().into_iter();
        let rest: TokenStream = rest
            .skip(self.prefix.clone().into_iter().count() + 1)
            .collect();
        code!([#round] #rest)
    }

    fn first(&self) -> Ident {
        format_ident!("{}_first", self.name, span = self.name.span())
    }

    fn shadow(&self) -> Ident {
        format_ident!("{}_d", self.name, span = self.name.span())
    }
}

impl Program {
    /// Opens the windows of a loop; `types` are those of the parameters. Returns how many were open before.
    pub(super) fn open_windows(
        &self,
        types: &[&syn::Type],
        range: &Range,
        variable: DefId,
        body: &Block,
    ) -> usize {
        let before = self.windows.borrow().len();
        if !is_plain(range) {
            return before;
        }
        let mut indexed = Vec::new();
        if !self.indexed(body, true, &mut indexed) {
            return before;
        }
        let mut roots: Vec<RootId> = indexed.iter().map(|(root, ..)| *root).collect();
        roots.sort_unstable();
        roots.dedup();
        for root in roots {
            let places = indexed.iter().filter(|(r, ..)| *r == root);
            let places: Vec<_> = places.map(|(_, place, top)| (*place, *top)).collect();
            let Some((prefix, index)) = self.part_of(&places, root, variable, body) else {
                continue;
            };
            if !self.is_sliced(root, &prefix, types) {
                continue;
            }
            let name = &self.roots[root].name;
            let name = format_ident!(
                "{name}_part{}",
                body.id,
                span = proc_macro2::Span::mixed_site()
            );
            self.windows.borrow_mut().push(Window {
                root,
                prefix,
                index,
                round: round_of(body),
                variable: self.defs[variable].name.clone(),
                name,
                read: false,
                written: false,
                shadowed: false,
            });
        }
        before
    }

    /// Closes the windows but the first `before`. If the loop uses any, this is the loop with the statements in front of it;
    /// `rises`: its variable does.
    pub(super) fn windowed_loop(
        &self,
        before: usize,
        range: &Range,
        rises: bool,
        body: &Block,
        inside: &TokenStream,
    ) -> Option<TokenStream> {
        let windows = self.windows.borrow_mut().split_off(before);
        let variable = windows.first()?.variable.clone();
        if windows.iter().all(|w| !w.read && !w.written && !w.shadowed) {
            return None;
        }
        let (run, round) = (self.atom_value(&range.range), round_of(body));
        let rounds = local(&format!("rounds_of{}", body.id));
        let all = local(&format!("run{}", body.id));
        let rev = (!rises).then(|| code!(.rev()));
        let firsts = windows
            .iter()
            .filter(|w| w.read || w.written || w.shadowed)
            .map(|window| {
                let (first, index, v) = (window.first(), &window.index, &window.variable);
                code!(let #first = ::coenzyme::__private::first(&#all, |#v| #index);)
            });
        let statements = windows.iter().map(|window| {
            let (name, first, prefix) = (&window.name, window.first(), &window.prefix);
            let base = self.base_tokens(Base::Root(window.root));
            let primal = match (window.read, window.written) {
                (_, true) => Some(code!(let #name = ::coenzyme::__private::window_mut(&mut #base #prefix [..], #first, #rounds);)),
                (true, false) => Some(code!(let #name = ::coenzyme::__private::window(&#base #prefix [..], #first, #rounds);)),
                _ => None,
            };
            let shadow = window.shadowed.then(|| {
                let shadows = self.shadow_name(Base::Root(window.root));
                let name = window.shadow();
                let of = match self.roots[window.root].kind {
                    RootKind::Param { .. } => quote!(shadow_windows),
                    _ => quote!(own_shadow_windows),
                };
                code!(let mut #name = ::coenzyme::__private::#of(&mut #shadows, |m| &mut (*m) #prefix [..], #first, #rounds);)
            });
            code!(#primal #shadow)
        });
        Some(code! {
            let #all = #run;
            let #rounds = ::coenzyme::__private::rounds(&#all);
            #(#firsts)*
            #(#statements)*
            for #round in (0..#rounds)#rev {
                let #variable = #all.start + #round;
                #inside
            }
        })
    }

    /// A place inside an open window, in the primal.
    pub(super) fn in_window(&self, place: &Place, written: bool) -> Option<TokenStream> {
        self.window(place.base, |window| {
            match written {
                true => window.written = true,
                false => window.read = true,
            }
            let (name, entry) = (&window.name, window.entry(place));
            code!(#name #entry)
        })
    }

    /// A place inside an open window, in the shadow of the part.
    pub(super) fn suffix_in_window(&self, place: &Place) -> TokenStream {
        self.window(place.base, |window| window.entry(place))
            .unwrap_or_else(|| place.suffix.clone())
    }

    /// The shadows of an open window.
    pub(super) fn window_shadows(&self, base: Base) -> Option<Ident> {
        self.window(base, |window| {
            window.shadowed = true;
            window.shadow()
        })
    }

    fn window<T>(&self, base: Base, found: impl FnOnce(&mut Window) -> T) -> Option<T> {
        let mut windows = self.windows.borrow_mut();
        let window = windows.iter_mut().find(|w| Base::Root(w.root) == base)?;
        Some(found(window))
    }

    /// All places that a block reads and assigns, and whether each does so in every round; `false` if the block does something
    /// that cannot be looked into.
    fn indexed<'a>(
        &'a self,
        block: &'a Block,
        top: bool,
        found: &mut Vec<(RootId, &'a Place, bool)>,
    ) -> bool {
        let add = |place: &'a Place, found: &mut Vec<_>| {
            if let Base::Root(root) = place.base {
                found.push((root, place, top));
            }
        };
        block.items.iter().all(|item| match item {
            Item::Verbatim(_) => false,
            Item::Def(d) => match &self.defs[*d].kind {
                DefKind::Read(place) => {
                    add(place, found);
                    true
                }
                DefKind::Opaque(_) => false,
                _ => true,
            },
            Item::Assign { place, .. } => {
                add(place, found);
                true
            }
            Item::Branch { arms, .. } => arms.iter().all(|a| self.indexed(&a.body, false, found)),
            Item::Loop { iterable, body, .. } => {
                matches!(iterable, Iterable::Counted { .. }) && self.indexed(body, false, found)
            }
            _ => true,
        })
    }

    /// The part of memory that a loop runs over, if these are all that it does with it.
    fn part_of(
        &self,
        places: &[(&Place, bool)],
        root: RootId,
        variable: DefId,
        body: &Block,
    ) -> Option<(TokenStream, TokenStream)> {
        let round = &self.defs[variable].point.loops;
        let (first, _) = places.iter().find(|(_, top)| *top)?;
        let (prefix, index) = split(&first.suffix, &self.defs[variable].name)?;
        let key = |place: &Place| {
            let split = split(&place.suffix, &self.defs[variable].name);
            split.map(|(prefix, index)| (prefix.to_string(), index.to_string()))
        };
        let wanted = key(first);
        let same = places.iter().all(|(place, _)| {
            key(place) == wanted
                && place.uses.roots.is_empty()
                && place.uses.defs == first.uses.defs
        });
        let fixed = |d: &DefId| *d == variable || !self.defs[*d].point.loops.starts_with(round);
        // `x.len()` while the loop changes a part of `x`
        let assigned = self.roots[root]
            .writes
            .iter()
            .any(|w| w.loops.starts_with(round));
        if assigned && self.text_names(body, &self.roots[root].name) {
            return None;
        }
        let mut mentions = 0;
        self.mentions(body, &mut |mention| match mention {
            Mention::Root(r) if r == root => mentions = usize::MAX,
            Mention::Place(place) if place.base == Base::Root(root) => {
                mentions = mentions.saturating_add(1);
            }
            _ => {}
        });
        let nested = body.items.iter().any(|item| {
            let mut named = false;
            if matches!(item, Item::Loop { .. } | Item::Branch { .. }) {
                self.item_mentions(item, &mut |mention| {
                    named |= matches!(mention, Mention::Place(p) if p.base == Base::Root(root));
                });
            }
            named && !matches!(item, Item::Branch { arms, .. } if arms.iter().all(|a| !has_loop(&a.body)))
        });
        let fine = same
            && !nested
            && mentions == places.len()
            && first.uses.defs.iter().all(fixed)
            && !self.roots[root].loops.starts_with(round)
            && slope(&syn::parse2(index.clone()).ok()?, &self.defs[variable].name) == Some(1);
        fine.then_some((prefix, index))
    }

    /// Whether memory is certainly a slice, an array or a vector.
    fn is_sliced(&self, root: RootId, prefix: &TokenStream, types: &[&syn::Type]) -> bool {
        match self.roots[root].kind {
            RootKind::Param { index, .. } => is_slice(types[index], prefix.clone()),
            RootKind::Memory => self.is_vector(root) && prefix.clone().into_iter().all(is_range),
            RootKind::Scalar => false,
        }
    }
}

impl Program {
    /// Whether a local is made by `vec![…]` or `[…]`.
    fn is_vector(&self, root: RootId) -> bool {
        let mut inits = Vec::new();
        find_inits(&self.body, Block::EMPTY.id, &mut inits);
        let Some((_, init)) = inits.iter().find(|(r, _)| *r == root) else {
            return false;
        };
        let trees: Vec<_> = init.tokens.clone().into_iter().collect();
        match &trees[..] {
            [TokenTree::Group(group)] => group.delimiter() == Delimiter::Bracket,
            [
                TokenTree::Ident(ident),
                TokenTree::Punct(_),
                TokenTree::Group(_),
            ] => ident == "vec",
            _ => false,
        }
    }
}

fn has_loop(block: &Block) -> bool {
    block.items.iter().any(|item| match item {
        Item::Loop { .. } => true,
        Item::Branch { arms, .. } => arms.iter().any(|a| has_loop(&a.body)),
        _ => false,
    })
}

/// The number of a round.
fn round_of(body: &Block) -> Ident {
    local(&format!("round{}", body.id))
}

/// Whether a range is `a..b`.
fn is_plain(range: &Range) -> bool {
    let Atom::Const(expr) = &range.range else {
        return false;
    };
    let Ok(mut parsed) = syn::parse2::<Syntax>(expr.tokens.clone()) else {
        return false;
    };
    while let Syntax::Paren(inside) = parsed {
        parsed = *inside.expr;
    }
    let plain = matches!(
        parsed,
        Syntax::Range(syn::ExprRange {
            start: Some(_),
            limits: syn::RangeLimits::HalfOpen(_),
            end: Some(_),
            ..
        })
    );
    plain && range.step.is_none()
}

/// What stands in front of the first index that names the variable, and that index.
fn split(suffix: &TokenStream, variable: &Ident) -> Option<(TokenStream, TokenStream)> {
    let mut prefix = TokenStream::new();
    for tree in suffix.clone() {
        match &tree {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                if names(group.stream(), variable) {
                    return Some((prefix, group.stream()));
                }
            }
            // a field: its type is not known
            _ => return None,
        }
        prefix.extend([tree]);
    }
    None
}

/// By how much an index grows with the variable, if that is the same everywhere.
fn slope(index: &Syntax, variable: &Ident) -> Option<i32> {
    match index {
        Syntax::Paren(inside) => slope(&inside.expr, variable),
        Syntax::Path(path) if path.path.is_ident(variable) => Some(1),
        Syntax::Binary(binary) => {
            let (left, right) = (
                slope(&binary.left, variable)?,
                slope(&binary.right, variable)?,
            );
            match binary.op {
                syn::BinOp::Add(_) => Some(left + right),
                syn::BinOp::Sub(_) => Some(left - right),
                _ => (left == 0 && right == 0).then_some(0),
            }
        }
        other => (!names(other.to_token_stream(), variable)).then_some(0),
    }
}

/// Whether a part of a place is `[a..b]`.
fn is_range(tree: TokenTree) -> bool {
    match tree {
        TokenTree::Group(group) => {
            matches!(syn::parse2::<Syntax>(group.stream()), Ok(Syntax::Range(_)))
        }
        _ => false,
    }
}

/// Whether a place in a value of this type is a slice, an array or a vector.
fn is_slice(ty: &syn::Type, prefix: TokenStream) -> bool {
    let element = |ty: &syn::Type| -> Option<syn::Type> {
        match ty {
            syn::Type::Slice(slice) => Some((*slice.elem).clone()),
            syn::Type::Array(array) => Some((*array.elem).clone()),
            syn::Type::Path(path) => {
                let last = path.path.segments.last()?;
                match &last.arguments {
                    syn::PathArguments::AngleBracketed(args) if last.ident == "Vec" => {
                        match args.args.first()? {
                            syn::GenericArgument::Type(ty) => Some(ty.clone()),
                            _ => None,
                        }
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    };
    let mut ty = ty.clone();
    for tree in prefix {
        let Some(inside) = element(&ty) else {
            return false;
        };
        if !is_range(tree) {
            ty = inside;
        }
    }
    element(&ty).is_some()
}
