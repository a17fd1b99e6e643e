//! `#[differentiable(report)]`: what the compiler decided, as text and as a picture.

use std::collections::BTreeMap;
use std::fmt::Write;

use proc_macro2::{Ident, TokenStream};

use crate::differentiable::ir::*;
use crate::differentiable::methods::operations;
use crate::differentiable::plan::{Fate, Plan};
use crate::signature::Function;

impl Fate {
    fn words(self) -> &'static str {
        match self {
            Fate::Again => "computed again",
            Fate::Rerun => "computed again by the call, or on the tape if that costs more",
            Fate::Taped => "on the tape",
            Fate::Round => "on the tape of its round, which runs again",
            Fate::Kept => "kept at checkpoints",
            Fate::Shape => {
                "not read but for its shape, which is on the tape if the type does not tell it"
            }
            Fate::Unread => "not read",
        }
    }

    /// How a node of the picture looks.
    fn style(self) -> &'static str {
        match self {
            Fate::Taped => ", style=filled, fillcolor=lightgrey",
            Fate::Round | Fate::Kept => ", style=\"filled,dashed\", fillcolor=lightgrey",
            Fate::Again | Fate::Rerun | Fate::Shape | Fate::Unread => "",
        }
    }
}

/// Why a value is on the tape.
fn reason(def: &Def) -> &'static str {
    match def.kind {
        _ if def.stored => "by `#[store]`",
        DefKind::Call(_) => "a call runs once",
        DefKind::Version(_) => "the variable changes",
        DefKind::Read(_) => "the memory is written later",
        DefKind::Opaque(_) => "it may have effects",
        DefKind::Pure(_) => "what it reads changes",
        DefKind::Op { ref op, .. } if operations::is_costly(op) => {
            "it costs more to compute it again"
        }
        DefKind::Op { .. } | DefKind::Make { .. } => "what it is computed from is gone",
        DefKind::Param(_) | DefKind::LoopVariable => "",
    }
}

/// The constants `REPORT` and `GRAPH` of a function's marker.
pub(super) fn constants(function: &Function, program: &Program, plan: &Plan) -> TokenStream {
    let (name, vis) = (&function.name, &function.vis);
    let report = text(function, program, plan);
    let graph = dot(function, program, &plan.fates);
    code! {
        impl #name {
            /// What the reverse sweep does with every value: a line for each, with its name, its activity and how it is had; then what is taped
            /// and what is recomputed, and how each loop is reversed.
            #vis const REPORT: &'static str = #report;

            /// The values of the function and what they are computed from, in the DOT language.
            #vis const GRAPH: &'static str = #graph;
        }
    }
}

fn text(function: &Function, program: &Program, plan: &Plan) -> String {
    let mut out = format!("{}\n", function.name);
    let mut line = |name: &Ident, what: &str, varied: bool, why: &str| {
        let activity = if varied { "varied" } else { "constant" };
        let fate = plan.fates.get(&name.to_string());
        let why = match fate {
            Some(Fate::Taped | Fate::Round) if !why.is_empty() => format!(": {why}"),
            _ => String::new(),
        };
        let fate = fate.map_or("", |f| f.words());
        let line = format!("  {name:<16} {what:<12} {activity:<9} {fate}{why}");
        let _ = writeln!(out, "{}", line.trim_end());
    };
    for root in &program.roots {
        let (what, why) = match root.kind {
            RootKind::Param { .. } => ("parameter", ""),
            RootKind::Memory => ("memory", "its contents are read"),
            RootKind::Scalar => ("variable", ""),
        };
        line(&root.name, what, root.varied, why);
    }
    for def in &program.defs {
        line(&def.name, kind(def), def.varied, reason(def));
    }
    let plan = plan.shown(program).to_string();
    for line in plan.lines().filter(|line| !line.starts_with("unused:")) {
        let _ = writeln!(out, "  {line}");
    }
    out
}

fn kind(def: &Def) -> &'static str {
    match &def.kind {
        DefKind::Param(_) => "parameter",
        DefKind::Pure(_) => "expression",
        DefKind::Opaque(_) => "effect",
        DefKind::Read(_) => "read",
        DefKind::Op { .. } => "operation",
        DefKind::Make { .. } => "structure",
        DefKind::Version(_) => "version",
        DefKind::Call(_) => "call",
        DefKind::LoopVariable => "counter",
    }
}

/// Nodes are values, grey if they are on the tape, grey and dashed if a round runs again to have them; solid edges carry
/// derivatives, dashed ones do not.
fn dot(function: &Function, program: &Program, fates: &BTreeMap<String, Fate>) -> String {
    let style = |name: &Ident| fates.get(&name.to_string()).map_or("", |f| f.style());
    let mut out = format!("digraph \"{}\" {{\n  rankdir=LR;\n", function.name);
    for (i, root) in program.roots.iter().enumerate() {
        let (name, style) = (&root.name, style(&root.name));
        let _ = writeln!(out, "  r{i} [label=\"{name}\", shape=box{style}];");
    }
    let edge = |out: &mut String, from: String, to: String, varied: bool| {
        let style = if varied {
            "label=\"active\""
        } else {
            "label=\"const\", style=dashed"
        };
        let _ = writeln!(out, "  {from} -> {to} [{style}];");
    };
    for (i, def) in program.defs.iter().enumerate() {
        let to = format!("d{i}");
        let _ = writeln!(
            out,
            "  {to} [label=\"{}\"{}];",
            label(def),
            style(&def.name)
        );
        for (from, varied) in sources(program, &def.kind) {
            edge(&mut out, from, to.clone(), varied);
        }
    }
    writes(program, &program.body, &mut |from, to, varied| {
        edge(&mut out, from, to, varied)
    });
    out.push_str("}\n");
    out
}

/// The name of a value, with the operation or the function that makes it.
fn label(def: &Def) -> String {
    match &def.kind {
        DefKind::Op { op, .. } => {
            let op = op.to_string();
            format!(
                "{} = {}",
                def.name,
                op.rsplit("::").next().unwrap_or_default().trim()
            )
        }
        DefKind::Call(Call {
            callee: Callee::Path(path) | Callee::Conversion(path),
            ..
        }) => {
            let name = path
                .segments
                .last()
                .map(|s| s.ident.to_string())
                .unwrap_or_default();
            format!("{} = {name}(…)", def.name)
        }
        DefKind::Call(Call {
            callee: Callee::Operator(name, _),
            ..
        }) => format!("{} = {name}", def.name),
        DefKind::Call(Call {
            callee: Callee::Method { name, .. },
            ..
        }) => format!("{} = .{name}(…)", def.name),
        DefKind::Call(Call {
            callee: Callee::Value(_),
            ..
        }) => format!("{} = a call", def.name),
        DefKind::Call(Call {
            callee: Callee::Part { name, .. },
            ..
        }) => name.to_string(),
        _ => def.name.to_string(),
    }
}

fn base(base: Base) -> String {
    match base {
        Base::Root(r) => format!("r{r}"),
        Base::Def(d) => format!("d{d}"),
    }
}

fn atom(program: &Program, atom: &Atom) -> Option<(String, bool)> {
    match atom {
        Atom::Def(d) => Some((format!("d{d}"), program.defs[*d].varied)),
        Atom::Root(r) => Some((format!("r{r}"), program.roots[*r].varied)),
        Atom::Const(_) => None,
    }
}

fn sources(program: &Program, kind: &DefKind) -> Vec<(String, bool)> {
    match kind {
        DefKind::Read(place) => vec![(base(place.base), program.base_varied(place.base))],
        DefKind::Op { args, .. } => args.iter().filter_map(|a| atom(program, a)).collect(),
        DefKind::Make { parts, .. } => parts.iter().filter_map(|(_, a)| atom(program, a)).collect(),
        DefKind::Version(r) => vec![(format!("r{r}"), program.roots[*r].varied)],
        DefKind::Call(call) => arguments(program, call),
        DefKind::Pure(expr) | DefKind::Opaque(expr) => expr
            .uses
            .defs
            .iter()
            .map(|d| (format!("d{d}"), false))
            .collect(),
        DefKind::Param(_) | DefKind::LoopVariable => Vec::new(),
    }
}

fn arguments(program: &Program, call: &Call) -> Vec<(String, bool)> {
    let of = |arg: &Arg| match arg {
        Arg::Const(_) | Arg::Closure { .. } => None,
        Arg::Value(value) => atom(program, value),
        Arg::Whole { root } => Some((format!("r{root}"), program.roots[*root].varied)),
        Arg::Shared(place) | Arg::Exclusive(place) => {
            Some((base(place.base), program.base_varied(place.base)))
        }
    };
    call.args
        .iter()
        .flat_map(Arg::each)
        .filter_map(of)
        .collect()
}

/// Assignments: from values to the memory they are written to.
fn writes(program: &Program, block: &Block, edge: &mut dyn FnMut(String, String, bool)) {
    for item in &block.items {
        match item {
            Item::Assign { place, value, .. }
            | Item::Fill { place, value }
            | Item::Push { place, value } => {
                if let Some((from, varied)) = atom(program, value) {
                    edge(from, base(place.base), varied);
                }
            }
            Item::Copy { to, from } => edge(
                base(from.base),
                base(to.base),
                program.base_varied(from.base),
            ),
            Item::Declare {
                root,
                init: Init::Value(value),
            } => {
                if let Some((from, varied)) = atom(program, value) {
                    edge(from, format!("r{root}"), varied);
                }
            }
            Item::Branch { arms, .. } => arms.iter().for_each(|a| writes(program, &a.body, edge)),
            Item::Loop { body, .. } => writes(program, body, edge),
            _ => {}
        }
    }
}
