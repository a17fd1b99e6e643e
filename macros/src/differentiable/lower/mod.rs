//! From syntax to the program: names become definitions and roots, expressions become operations.

mod array;
mod binding;
pub(crate) mod closures;
pub(crate) mod control;
mod define;
pub(crate) mod iterators;
pub(crate) mod memory;
pub(crate) mod options;
pub(crate) mod references;
mod scopes;
mod statement;
#[cfg(test)]
mod tests;
pub(crate) mod values;

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use proc_macro2::{Ident, Span, TokenStream};
use quote::ToTokens;
use syn::{Expr, Type};

use super::front::numbers;
use super::ir::{checkpoint, *};
use super::resolve::fn_bounds::FnBound;
use super::resolve::leads::Leads;
use super::resolve::usage::Usage;
use super::resolve::varied;
use super::tokens::text;
use crate::differentiable::expand::{
    changing_condition, chosen, constants, conversions, desugar, given_back, grown,
    inner_functions, items, literal_numbers, literal_types, local_types, made_and_changed,
    of_integers, outcome, range_values, ranges, shadowed, swaps, texts_apart, trait_paths, tried,
    tried_arrays,
};
use crate::differentiable::lower::closures::conversion::ClosureNames;
use crate::differentiable::lower::control::exits;
use crate::differentiable::lower::memory::{fixed, place};
use crate::differentiable::lower::references::lent_in_place::CopiedParts;
use crate::differentiable::lower::references::{checks, move_closures};
use crate::differentiable::lower::values::lost;
use crate::differentiable::resolve::{imports, variants};
use crate::differentiable::syntax::patterns::has_mutable_name;
use crate::errors::Errors;
use crate::signature::{Callable, Function, Param, Passing, RECEIVER};
pub(crate) use scopes::{Binding, Scopes};
use values::callees::Callees;
use values::types::{is_active, is_fallible, scalar_type};

/// Lowers the body of a function.
pub(crate) fn lower(function: &Function, body: &syn::Block, errors: &mut Errors) -> Program {
    if inner_functions::unmarked(body).is_empty() {
        return lowered(function, body, errors);
    }
    // functions inside of the body get rules if they are called with active values
    let mut body = body.clone();
    loop {
        let wanted = lowered(function, &body, &mut Errors::default()).wanted;
        let before = inner_functions::unmarked(&body).len();
        body = inner_functions::marked(&body, wanted);
        if inner_functions::unmarked(&body).len() == before {
            return lowered(function, &body, errors);
        }
    }
}

fn lowered(function: &Function, body: &syn::Block, errors: &mut Errors) -> Program {
    let callees = Callees::of(function);
    let (mut body, leads) = written_out(function, body, &callees, errors);
    let mut varied = varied_in(function, &body, &leads);
    let may_be_active = |call: Expr| varied::mentions(&call, &|name| varied.contains(name));
    if of_integers::written_out(
        &mut body,
        |call| {
            !callees.knows(&call.method.to_string())
                && may_be_active(Expr::MethodCall(call.clone()))
        },
        |call| callees.gives_inert(call) && may_be_active(Expr::Call(call.clone())),
    ) {
        varied = varied_in(function, &body, &leads);
    }
    lost::check_numbers(&body, &varied, errors);
    let types = function.params.iter().flat_map(|p| {
        let names = names(p).into_iter();
        names.map(|name| (name, p.ty.clone()))
    });
    lost::check_checkpoints(&body, types, errors);
    let mut lower = Lower::new(function, &body, varied, leads, errors);
    let constants = function.generics.const_params().map(|c| c.ident.clone());
    lower.program.constants = constants.collect();
    lower.function(function, &body);
    let grown = lower.grown.iter();
    let changed = grown.filter_map(|root| match lower.program.roots[*root].kind {
        RootKind::Param {
            index,
            passing: Passing::Exclusive,
        } => Some(index),
        _ => None,
    });
    lower.program.changes_lengths = changed.collect();
    let mut program = lower.program;
    program.decisions.varied = lower.varied;
    program.numbers = lower.callees.numbers;
    program.parameters = lower.parameter_types;
    program.lend_in_place(&lower.copied_parts);
    program.keep_arguments();
    checkpoint::resolve(&mut program, errors);
    program
}

/// The body in the long forms, and what its names of references lead to.
fn written_out(
    function: &Function,
    body: &syn::Block,
    callees: &Callees,
    errors: &mut Errors,
) -> (syn::Block, Leads) {
    let leads_of = |body: &syn::Block| {
        let exclusive = |p: &&Param| p.passing == Passing::Exclusive;
        let exclusive = function.params.iter().filter(exclusive);
        Leads::of(body, exclusive.flat_map(names))
    };
    let mut body = body.clone();
    items::apart(function, &mut body, errors);
    local_types::derived(&mut body);
    trait_paths::written_out(&mut body);
    tried_arrays::written_out(&mut body);
    given_back::written_out(&mut body, &|method| callees.gives_back(method));
    made_and_changed::written_out(&mut body, &|method| callees.surely_changes_receiver(method));
    let own = callees.own.as_deref();
    conversions::written_out(&mut body, function, own, &|call| callees.taken(call));
    literal_types::written_out(&mut body);
    literal_numbers::written_out(&mut body, function);
    shadowed::written_out(&mut body);
    texts_apart::written_out(&mut body, function.params.iter().flat_map(names));
    grown::written_out(&mut body, |part| usage_of(part, [], callees));
    let parameters = function.params.iter().flat_map(names);
    tried::written_out(&mut body, &function.written.ident, parameters);
    let (leads, written) = (OnceCell::new(), body.clone());
    let known = changing_condition::Known {
        lends: &|arg| {
            !leads
                .get_or_init(|| leads_of(&written))
                .lent(arg)
                .is_empty()
        },
        takes: &|call| callees.takes_mutably(call),
        changes: &|method| callees.changes_receiver_by_rules(method),
    };
    changing_condition::written_out(&mut body, known);
    if is_fallible(&function.output) {
        outcome::written_out(&mut body);
    }
    ranges::written_out(function, &mut body);
    range_values::written_out(&mut body);
    constants::written_out(function, &mut body);
    let mut body = desugar::desugared(&body);
    swaps::written_out(function, &mut body);
    let leads = leads_of(&body);
    chosen::written_out(&mut body, &leads);
    move_closures::check(&body, &leads, errors);
    (body, leads)
}

/// How the locals of a block are changed, as far as the files of the crate tell.
fn usage_of(
    block: &syn::Block,
    mutable: impl IntoIterator<Item = String>,
    callees: &Callees,
) -> Usage {
    let changes = |name: &str| callees.changes_receiver(name);
    let grows = |name: &str| callees.grows(name);
    Usage::of(block, mutable, changes, grows, |name| callees.refits(name))
}

/// Counts what an alias leads to as given another length where the alias is.
fn resized_behind(usage: &mut Usage, leads: &Leads) {
    for names in [&mut usage.refitted, &mut usage.grown] {
        let aliases = names.iter().map(|name| quote::format_ident!("{name}"));
        let behind: Vec<_> = aliases
            .flat_map(|name| leads.lent(&syn::parse_quote!(#name)))
            .collect();
        names.extend(behind);
    }
}

/// The names that a parameter binds.
fn names(param: &Param) -> Vec<String> {
    match &param.pattern {
        Some(pattern) => varied::bound_names(pattern),
        None if param.name == RECEIVER => ["self", RECEIVER].map(str::to_owned).to_vec(),
        None => vec![param.name.to_string()],
    }
}

/// The names that parameters by value declare `mut`.
fn mutable_names(function: &Function) -> impl Iterator<Item = String> {
    let params = function.params.iter();
    params.filter(|param| is_mutable(param)).flat_map(names)
}

/// Whether a parameter is a value of which names are declared `mut`.
fn is_mutable(param: &Param) -> bool {
    let named = match &param.pattern {
        Some(pattern) => has_mutable_name(pattern),
        None => param.mutable,
    };
    named && param.passing == Passing::Value
}

/// The names whose values may carry a derivative.
fn varied_in(function: &Function, body: &syn::Block, leads: &Leads) -> HashSet<String> {
    let params = &function.params;
    // what is called may be a closure with active values in it
    let active = params
        .iter()
        .filter(|p| is_active(p) || p.callable.is_some());
    let mut active: Vec<String> = active.map(|p| p.name.to_string()).collect();
    for param in params {
        if let (Some(pattern), true) = (&param.pattern, is_active(param)) {
            active.extend(varied::bound_names(pattern));
        }
    }
    if active.iter().any(|name| name == RECEIVER) {
        active.push("self".to_owned());
    }
    let constant = params
        .iter()
        .filter(|p| !is_active(p) && p.callable.is_none());
    let constant = varied::never_bound(body, constant.flat_map(names));
    let varied = varied::varied_names(body, active, &constant, leads);
    // what is taken out of an `Option` that is active
    varied.into_iter().chain(["__value".to_owned()]).collect()
}

/// How often each word occurs in a body.
fn mentions(body: &syn::Block) -> HashMap<String, usize> {
    let mut mentions = HashMap::new();
    for word in text::words(body.to_token_stream()) {
        *mentions.entry(word).or_insert(0) += 1;
    }
    mentions
}

impl<'a> Lower<'a> {
    fn new(
        function: &Function,
        body: &syn::Block,
        varied: HashSet<String>,
        leads: Leads,
        errors: &'a mut Errors,
    ) -> Self {
        let mentions = mentions(body);
        let callees = Callees::of(function);
        let mut usage = usage_of(body, mutable_names(function), &callees);
        resized_behind(&mut usage, &leads);
        Lower {
            program: Program::default(),
            errors,
            scalar: scalar_type(function),
            fallible: is_fallible(&function.output),
            diverged: false,
            varied,
            usage,
            leads,
            scopes: vec![HashMap::new()],
            versions: HashMap::new(),
            reads: HashMap::new(),
            ops: HashMap::new(),
            arrays: HashMap::new(),
            array_places: HashMap::new(),
            fixed: HashMap::new(),
            grown: HashSet::new(),
            copied_parts: CopiedParts::new(),
            own: HashSet::new(),
            late: HashSet::new(),
            types: HashMap::new(),
            guessed: HashSet::new(),
            moved_elements: HashSet::new(),
            to_its_end: false,
            unnumbered: HashSet::new(),
            elements: HashSet::new(),
            constructed: HashSet::new(),
            given: HashSet::new(),
            lent_elements: HashSet::new(),
            lists: HashSet::new(),
            chains: HashSet::new(),
            iterators: HashSet::new(),
            told_closure: None,
            parameter_types: function.params.iter().map(|p| p.ty.clone()).collect(),
            callees,
            generics: function.generics.clone(),
            objects: numbers::objects(function),
            reshaped: HashSet::new(),
            promised: HashSet::new(),
            reseated: HashSet::new(),
            callables: HashMap::new(),
            slices: HashSet::new(),
            blocks: Vec::new(),
            loops: Vec::new(),
            exits: Vec::new(),
            target: None,
            delivered: false,
            held: Vec::new(),
            asking: None,
            may_be_left: false,
            in_closure: false,
            memory_wanted: false,
            checkpoint: None,
            complained: HashSet::new(),
            unmarked: inner_functions::unmarked(body),
            variants: variants::in_body(body, &function.output, &function.name),
            imports: imports::in_body(body),
            declared: HashSet::new(),
            sizes: HashMap::new(),
            names_arrays: array::named_in(function, mentions.keys()),
            mentions,
            in_flux: Vec::new(),
            at: Span::mixed_site(),
            order: 0,
            next_loop: 0,
            next_block: 0,
            closures: ClosureNames::of(&function.name),
            names: HashMap::new(),
        }
    }
}

pub(crate) struct Lower<'a> {
    program: Program,
    errors: &'a mut Errors,
    /// The float type of the function.
    scalar: Type,
    /// Whether the function returns `Result` or `Option`.
    fallible: bool,
    /// Whether what was just lowered has left the function.
    diverged: bool,
    /// Parts of enums that are locals in the arms around.
    held: Vec<control::changed_parts::Held>,
    varied: HashSet<String>,
    usage: Usage,
    /// What mutable references lead to.
    leads: Leads,
    scopes: Scopes,
    /// The definition that holds the current value of a mutable local.
    versions: HashMap<RootId, DefId>,
    /// What was read in this block from memory that has not changed since.
    reads: HashMap<(Base, String), DefId>,
    /// The operations of this block: one on the same operands gives the same value.
    ops: HashMap<String, DefId>,
    /// What is known to be an array of `ndarray`.
    arrays: HashMap<Base, array::Is>,
    /// Whether anything in the function tells that it works with arrays.
    names_arrays: bool,
    /// As [`arrays`](Self::arrays), of parts of memory that have names.
    array_places: HashMap<(Base, String), array::Is>,
    /// What is known to be a fixed array, with the number of its levels that are.
    fixed: HashMap<Base, usize>,
    /// Memory whose length changes.
    grown: HashSet<RootId>,
    /// What calls that only read were lent as copies.
    copied_parts: CopiedParts,
    /// Locals that begin as values of the user's types.
    own: HashSet<RootId>,
    /// Memory that is assigned as a whole, and so may change its length.
    reshaped: HashSet<RootId>,
    /// Locals of which the signature says that they carry no derivative.
    promised: HashSet<RootId>,
    /// Memory whose entries become others as a whole, so that the length of one is not for ever.
    reseated: HashSet<RootId>,
    /// The names that are taken for variants of enums.
    variants: HashSet<String>,
    /// What is imported in the body.
    imports: HashMap<String, syn::Path>,
    /// Memory that has no value before all of it is assigned.
    late: HashSet<RootId>,
    /// The types of bindings, as far as tokens tell.
    types: HashMap<Base, Type>,
    /// Those whose type is told by one operand of an operator alone.
    guessed: HashSet<Base>,
    /// Elements that a loop has by value.
    moved_elements: HashSet<(Base, String)>,
    /// Locals that are maps, sets or texts, as the functions tell that made them.
    unnumbered: HashSet<Base>,
    /// Elements of what was collected: numbers, or references to such.
    elements: HashSet<DefId>,
    /// Whether the chain that is looked at next is run through to its end.
    to_its_end: bool,
    /// Locals that begin as what a function of a type of the user's gave, and what `Some` made.
    constructed: HashSet<Base>,
    /// Locals that begin as what a method of the user's own gave, of the type that it is a method of.
    given: HashSet<Base>,
    /// Copies of elements that the program itself holds by reference.
    lent_elements: HashSet<DefId>,
    /// Values that functions returned, and of which lists were made.
    lists: HashSet<DefId>,
    /// Iterators of the standard library's over ranges, from functions without effects.
    chains: HashSet<DefId>,
    /// What functions returned that return some iterator.
    iterators: HashSet<DefId>,
    /// What the function that is called says of the argument that is looked at.
    told_closure: Option<FnBound>,
    /// Those of the parameters, behind their references.
    parameter_types: Vec<Type>,
    /// What the file tells of functions without derivative.
    callees: Callees,
    generics: syn::Generics,
    /// The type parameters that are objects with methods of the user's.
    objects: HashSet<Ident>,
    /// Parameters that are called.
    callables: HashMap<DefId, Callable>,
    /// Parameters that are slices.
    slices: HashSet<RootId>,
    blocks: Vec<Block>,
    loops: Vec<usize>,
    exits: Vec<exits::Exit>,
    /// Where the value of the block goes that is being lowered.
    target: Option<RootId>,
    /// Whether it has gone there already.
    delivered: bool,
    /// The call of which the condition asks that stands before what is lowered, and the condition.
    asking: Option<(Expr, DefId)>,
    /// Whether the next branch may leave what is around it: it is the value of a `let`, and the rest of the block is guarded.
    may_be_left: bool,
    in_closure: bool,
    /// Whether the value of the next branch is more than a number.
    memory_wanted: bool,
    /// What `#[checkpoint]` asks of the next loop, and where it stands.
    checkpoint: Option<(TokenStream, Span)>,
    /// Locals that the loop changes whose bounds are being computed.
    in_flux: Vec<RootId>,
    /// How often each word occurs in the body.
    mentions: HashMap<String, usize>,
    /// The items of blocks, printed.
    declared: HashSet<String>,
    /// Fields of parameters that are read where the function begins, and the names of their values.
    sizes: HashMap<(RootId, Vec<syn::Member>), Ident>,
    /// Names that an error has been reported for.
    complained: HashSet<String>,
    /// Functions inside of the body that have no rules.
    unmarked: HashSet<Ident>,
    /// The statement that is being lowered, to be pointed at.
    at: Span,
    order: usize,
    next_loop: usize,
    next_block: usize,
    closures: ClosureNames,
    /// The names that are taken, and how often each was asked for.
    names: HashMap<String, usize>,
}

impl Lower<'_> {
    fn function(&mut self, function: &Function, body: &syn::Block) {
        checks::check_parameters(function, self.errors);
        self.blocks.push(Block::default());
        for (index, param) in function.params.iter().enumerate() {
            let active = is_active(param);
            let name = param.name.to_string();
            let binding = match param.passing {
                Passing::Value => self.value_parameter(index, param),
                passing => Binding::Root(self.root(
                    &param.name,
                    RootKind::Param { index, passing },
                    active,
                )),
            };
            if let Binding::Root(root) = &binding
                && !numbers::can_be_kept(function, &param.ty)
            {
                self.program.unkept.insert(*root);
            }
            if let (Type::Slice(slice), Binding::Root(root)) = (&param.ty, &binding) {
                self.slices.insert(*root);
                // whatever a function of the crate does that has a callee's name; but fields of entries may be assigned
                if !self.usage.refitted.contains(&param.name.to_string())
                    || numbers::is_number(&slice.elem, &self.scalar)
                {
                    self.grown.remove(root);
                }
            }
            if fixed::is_fixed_type(&param.ty) {
                let levels = fixed::levels_of_type(&param.ty);
                match binding {
                    Binding::Def(d) => drop(self.fixed.insert(Base::Def(d), levels)),
                    Binding::Root(r) => drop(self.fixed.insert(Base::Root(r), levels)),
                    _ => {}
                }
            }
            let is = array::of_type(&param.ty);
            match binding {
                Binding::Def(d) => self.note_place(&place::whole(Base::Def(d)), is),
                Binding::Root(r) => self.note_place(&place::whole(Base::Root(r)), is),
                _ => {}
            }
            if let (true, Some(pattern)) = (is_mutable(param), &param.pattern) {
                let name = &param.name;
                self.bind(&name.to_string(), binding);
                self.let_pattern(pattern, Some(&param.ty), &syn::parse_quote!(#name));
            } else if let Some(pattern) = &param.pattern {
                self.bind_pattern(pattern, binding);
            } else if name == RECEIVER {
                self.bind("self", binding);
            } else {
                self.bind(&name, binding);
            }
        }
        self.function_body(function, body);
        self.program.body = self.blocks.pop().expect("the function's block");
    }

    /// What a parameter by value is: a local that begins with it, if the body changes it.
    fn value_parameter(&mut self, index: usize, param: &Param) -> Binding {
        let active = is_active(param);
        let def = self.named_def(&param.name, DefKind::Param(index), active);
        if let Some(callable) = &param.callable {
            self.callables.insert(def, callable.clone());
            self.program.called.insert(def);
        }
        let name = param.name.to_string();
        let written = if name == RECEIVER { "self" } else { &name };
        if !param.mutable || !self.changes(written) {
            return Binding::Def(def);
        }
        let array = array::of_type(&param.ty).is_surely();
        let usage = &self.usage;
        let parts = usage.parts.contains(written) || usage.memory.contains(written);
        let kind = if array || parts {
            RootKind::Memory
        } else {
            RootKind::Scalar
        };
        let root = self.root(&param.name, kind, active);
        self.promise(root, &param.ty);
        self.push(Item::Declare {
            root,
            init: Init::Value(Atom::Def(def)),
        });
        self.versions.insert(root, def);
        Binding::Root(root)
    }

    fn changes(&self, name: &str) -> bool {
        self.usage.parts.contains(name) || self.usage.whole.contains(name)
    }

    /// Whether the value of `expr` can carry a derivative: by name, or by what the name is bound to.
    fn is_varied(&self, expr: &Expr) -> bool {
        varied::mentions(expr, &|name| {
            self.varied.contains(name)
                || self.lookup(name).is_some_and(|b| match b {
                    Binding::Def(d) => self.program.defs[*d].varied,
                    Binding::Root(r) => self.program.roots[*r].varied,
                    Binding::Alias { place, .. } => self.place_varied(place),
                    Binding::Optional { .. } => true,
                    Binding::View(view) => self.place_varied(view.within()),
                    Binding::Part(part) => self.place_varied(part.whole()),
                    Binding::Closure { .. } | Binding::Chain { .. } | Binding::Inactive => false,
                })
        })
    }

    /// Notes a local whose type the signature says: if that has no derivative, whatever is assigned to it has none.
    fn promise(&mut self, root: RootId, ty: &Type) {
        if crate::differentiable::is_inactive_type(ty) {
            self.promised.insert(root);
        }
    }

    /// Refuses what would lose a derivative: an active value in memory that was taken for inactive.
    fn check_flow(&mut self, item: &Item) {
        let varied_place = |place: &Place| self.place_varied(place);
        let lost = match item {
            Item::Assign { place, value, .. } | Item::Fill { place, value } => {
                (self.atom_varied(value) && !varied_place(place)).then_some(place.base)
            }
            Item::Copy { to, from } => (varied_place(from) && !varied_place(to)).then_some(to.base),
            Item::Exchange { a, b } if varied_place(a) != varied_place(b) => {
                Some(if varied_place(a) { b.base } else { a.base })
            }
            _ => None,
        };
        if let Some(Base::Root(root)) = lost {
            let promised = self.promised.contains(&root);
            let root = &self.program.roots[root];
            // a parameter that is declared constant or has an inactive type is a promise
            if matches!(root.kind, RootKind::Param { .. }) || promised {
                return;
            }
            let at = Ident::new("here", self.at);
            self.errors.at(
                at,
                "an active value goes where none is expected: store it by a plain assignment to a local that is declared before",
            );
        }
    }
}
