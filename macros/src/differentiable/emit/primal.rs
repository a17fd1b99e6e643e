//! What both modes say of the primal.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::quote;

use crate::differentiable::ir::*;

impl Program {
    /// Asks whether the functions that are called are those of their markers.
    pub(super) fn ask_callees(&self) -> Option<TokenStream> {
        (self.asks_callees)
            .then(|| code!(<Self as ::coenzyme::__private::callee::Callees>::agree();))
    }

    /// The expression of a definition in the primal; `None` for what is bound elsewhere or is a call.
    pub(super) fn def_value(&self, id: DefId) -> Option<TokenStream> {
        self.def_value_moving(id, &|_| false)
    }

    /// As [`def_value`](Self::def_value), where the values that `moves` says take all of some memory, which is moved.
    pub(super) fn def_value_moving(
        &self,
        id: DefId,
        moves: &dyn Fn(DefId) -> bool,
    ) -> Option<TokenStream> {
        Some(match &self.defs[id].kind {
            DefKind::Pure(expr) | DefKind::Opaque(expr) => expr.tokens.clone(),
            DefKind::Read(place) => match place.base {
                // all of an array: it stays where it is
                Base::Root(r)
                    if self.roots[r].kind == RootKind::Memory && place.suffix.is_empty() =>
                {
                    let name = &self.roots[r].name;
                    match moves(id) {
                        true => code!(#name),
                        false => code!(::coenzyme::__private::copy(&#name)),
                    }
                }
                // a part of what a call returned, which may be an array: the rest is still wanted
                Base::Def(d)
                    if matches!(self.defs[d].kind, DefKind::Call(_))
                        && !place.suffix.is_empty() =>
                {
                    let part = self.place_value(place);
                    code!(::coenzyme::__private::copy(&#part))
                }
                // an entry of a list that is written down, which nothing is moved out of
                Base::Def(d) if !place.suffix.is_empty() && self.is_written_list(d) => {
                    let part = self.place_value(place);
                    code!(::coenzyme::__private::copy(&#part))
                }
                _ if self.moves.parts.contains(&id) => {
                    let part = self.place_value(place);
                    code!(::coenzyme::__private::copy(&#part))
                }
                _ => self.place_value(place),
            },
            DefKind::Op {
                value, args, needs, ..
            } => with_copies(&self.moved_operands(args, *needs), value),
            DefKind::Make { value, parts } => self.made(value, parts, moves),
            DefKind::Version(root) => {
                let name = &self.roots[*root].name;
                match self.moves.locals.contains(root) {
                    true => code!(::coenzyme::__private::copy(&#name)),
                    false => code!(#name),
                }
            }
            DefKind::Call(_) | DefKind::Param(_) | DefKind::LoopVariable => return None,
        })
    }

    /// Whether a definition without derivative is a list by its tokens, `[Op::Add, Op::Mul]`.
    fn is_written_list(&self, d: DefId) -> bool {
        fn is_list(tokens: &TokenStream) -> bool {
            let mut trees = tokens.clone().into_iter();
            match (trees.next(), trees.next()) {
                (Some(TokenTree::Group(group)), None) => match group.delimiter() {
                    Delimiter::Bracket => true,
                    Delimiter::Parenthesis | Delimiter::None => is_list(&group.stream()),
                    Delimiter::Brace => false,
                },
                _ => false,
            }
        }
        match &self.defs[d].kind {
            DefKind::Pure(expr) | DefKind::Opaque(expr) => is_list(&expr.tokens),
            _ => false,
        }
    }

    /// A value that is moved; a copy of one that is wanted again.
    fn moved(&self, atom: &Atom) -> TokenStream {
        let value = self.atom_value(atom);
        match atom {
            Atom::Def(d) if self.moves.values.contains(d) => {
                code!(::coenzyme::__private::copy(&#value))
            }
            _ => value,
        }
    }

    pub(super) fn is_handed_over(&self, atom: &Atom) -> bool {
        atom.def()
            .is_some_and(|d| self.moves.handed_over.contains_key(&d))
    }

    /// An operand as an argument of its operation's derivative: a copy, if it may be a struct.
    pub(super) fn derivative_operand(&self, atom: &Atom, value: TokenStream) -> TokenStream {
        match self
            .moved_operands(std::slice::from_ref(atom), Needs::Nothing)
            .is_empty()
        {
            true => value,
            false => code!(::coenzyme::__private::copy(&#value)),
        }
    }

    /// A tuple, an array or a struct, with copies of the parts that are wanted again.
    fn made(
        &self,
        value: &TokenStream,
        parts: &[(TokenStream, Atom)],
        moves: &dyn Fn(DefId) -> bool,
    ) -> TokenStream {
        let again = parts.iter().filter_map(|(_, atom)| match atom {
            Atom::Def(d) if self.moves.values.contains(d) && !moves(*d) => Some(&self.defs[*d]),
            _ => None,
        });
        with_copies(&again.collect::<Vec<_>>(), value)
    }

    /// `place op value;` in the primal.
    pub(super) fn assign_primal(&self, place: &Place, op: Assign, value: &Atom) -> TokenStream {
        self.assign_primal_moving(place, op, value, false)
    }

    /// As [`assign_primal`](Self::assign_primal), where the value may be memory that is moved.
    pub(super) fn assign_primal_moving(
        &self,
        place: &Place,
        op: Assign,
        value: &Atom,
        moves: bool,
    ) -> TokenStream {
        let is_whole_memory = place.suffix.is_empty()
            && matches!(place.base, Base::Root(r) if self.roots[r].kind == RootKind::Memory);
        let is_memory = matches!(value, Atom::Root(_));
        let is_whole_memory = is_whole_memory && !self.is_handed_over(value);
        let shifts = self.base_varied(place.base) && self.atom_shadow(value).is_none();
        let mut value = self.moved(value);
        let mut place = self
            .in_window(place, true)
            .unwrap_or_else(|| self.place_value(place));
        if op != Assign::Set && shifts {
            let sum = if op == Assign::Add {
                quote!(add)
            } else {
                quote!(sub)
            };
            place = code!(*<_ as ::coenzyme::__private::AddsUp<::coenzyme::ops::#sum>>::shifted(&mut #place));
        }
        if op == Assign::Set && (is_whole_memory || is_memory) && !moves {
            // the value may be read again
            value = code!(::coenzyme::__private::copy(&#value));
        }
        match op {
            Assign::Set => code!(#place = #value;),
            Assign::Add => code!(#place += #value;),
            Assign::Sub => code!(#place -= #value;),
        }
    }

    /// The initial value of a root in the primal.
    pub(super) fn init_primal(&self, init: &Init, kind: RootKind) -> Option<TokenStream> {
        Some(match init {
            Init::Later => return None,
            Init::Value(atom) if kind == RootKind::Memory && !self.is_handed_over(atom) => {
                let value = self.atom_value(atom);
                code!(::coenzyme::__private::copy(&#value))
            }
            Init::Value(atom) => self.moved(atom),
            Init::Inactive { expr, .. } => expr.tokens.clone(),
            Init::Copy { tokens, .. } => tokens.clone(),
        })
    }

    /// What a loop runs over.
    pub(super) fn range(&self, range: &Range) -> TokenStream {
        let step = range.step.as_ref().map(|step| {
            let step = &step.tokens;
            code!(.step_by(#step))
        });
        let reversed = range.reversed.then(|| code!(.rev()));
        let range = self.atom_value(&range.range);
        code!(#range #step #reversed)
    }

    /// `for k in range`, `while condition`, around a body.
    pub(super) fn loop_primal(&self, iterable: &Iterable, body: TokenStream) -> TokenStream {
        match iterable {
            Iterable::Counted { range, variable } => {
                let (range, variable) = (self.range(range), &self.defs[*variable].name);
                code!(for #variable in #range { #body })
            }
            Iterable::While { condition } => code!(while #condition { #body }),
        }
    }

    /// `if left || skipped { break; }` at the end of a loop's body.
    pub(super) fn leave_primal(&self, flags: &[RootId]) -> TokenStream {
        if flags.is_empty() {
            return TokenStream::new();
        }
        let names = flags.iter().map(|f| &self.roots[*f].name);
        code!(if false #(|| #names)* { break; })
    }

    /// The arms of a branch in their `if` or `match`.
    pub(super) fn branch(
        &self,
        selector: &Selector,
        arms: &[Arm],
        bodies: Vec<TokenStream>,
    ) -> TokenStream {
        match selector {
            Selector::If(condition) => {
                let condition = self.atom_value(condition);
                let (then, otherwise) = (&bodies[0], &bodies[1]);
                code!(if #condition { #then } else { #otherwise })
            }
            Selector::Match(scrutinee) => {
                let scrutinee = self.atom_value(scrutinee);
                let patterns = arms.iter().map(|a| &a.pattern);
                code!(match #scrutinee { #(#patterns => { #bodies })* })
            }
        }
    }
}

/// `for lane in 0..W { … }`.
pub(super) fn lanes(body: TokenStream) -> TokenStream {
    code!(for l in 0..__W { #body })
}

/// An expression of copies of values.
fn with_copies(values: &[&Def], expression: &TokenStream) -> TokenStream {
    let names: Vec<_> = values.iter().map(|def| &def.name).collect();
    match names.is_empty() {
        true => expression.clone(),
        false => code!({ #(let #names = ::coenzyme::__private::copy(&#names);)* #expression }),
    }
}
