//! What compilers that believe names, or look at less than a whole program, get wrong: one production for each class.
//!
//! `RANDOM_CLASSES=names,moved` switches some of them on, `RANDOM_CLASSES=none` none; without it all are.

use crate::writer::Writer;

type Production = (&'static str, fn(&mut Writer));

const ALL: &[Production] = &[
    ("referred", Writer::referred),
    ("elements", Writer::elements),
    ("names", Writer::named_like_queries),
    ("functions", Writer::functions_of_one_name),
    ("types", Writer::types_of_one_name),
    ("moved", Writer::moved_closure),
    ("selected", Writer::selected),
    ("late", Writer::late_arguments),
    ("exchanged", Writer::own_exchange),
    ("items", Writer::items_in_blocks),
    ("ref_mut", Writer::ref_mut),
    ("traits", Writer::own_trait),
    ("fields", Writer::fields_like_methods),
    ("unused", Writer::unused),
    ("cfg", Writer::conditional),
    ("held", Writer::held),
    ("coerced", Writer::coerced),
    ("operators", Writer::own_operators),
    ("lifted", Writer::lifted_closures),
];

/// The classes that `RANDOM_CLASSES` asks for.
pub(crate) fn asked_for() -> Vec<fn(&mut Writer)> {
    let all = || ALL.iter().map(|(_, write)| *write).collect();
    let Ok(list) = std::env::var("RANDOM_CLASSES") else {
        return all();
    };
    let names = list.split(',').filter(|name| !["", "none"].contains(name));
    let find = |name: &str| {
        let found = ALL.iter().find(|(known, _)| *known == name);
        found
            .unwrap_or_else(|| panic!("RANDOM_CLASSES: no class is called `{name}`"))
            .1
    };
    names.map(find).collect()
}

impl Writer {
    /// An array that can be changed, one of its indices, and a number that has been read before.
    fn changed(&mut self) -> (String, String, String) {
        let (value, atom) = (self.name("v"), self.atom());
        self.line(format!("let {value} = {atom};"));
        let (array, index) = (self.random.of(&self.scope.arrays), self.index());
        (array, index, value)
    }

    /// Mutable references under other names, passed to a call.
    fn referred(&mut self) {
        let (array, index, value) = self.changed();
        let [r, q, s] = ["r", "q", "s"].map(|n| self.name(n));
        self.line(format!("let mut {s} = {value} * 0.5;"));
        let text = match self.random.below(5) {
            0 => format!("{{ let {r} = &mut {s}; let {q} = {r}; put({q}, {value}); }}"),
            1 => format!("{{ let {r} = &mut {array}[{index}]; put({r}, {value}); }}"),
            2 => format!("put((&mut {s}), {value});"),
            3 => format!("{{ let {q} = |{r}: &mut f64| put({r}, {value}); {q}(&mut {s}); }}"),
            _ => format!(
                "{{ let {r} = &mut {array}[..]; let {q} = &mut {r}[{index}]; put({q}, {value}); }}"
            ),
        };
        self.line(text);
        self.scope.variables.push(s);
    }

    /// The same, by iterators.
    fn elements(&mut self) {
        let (array, _, value) = self.changed();
        let other = self.array();
        let [r, q] = ["r", "q"].map(|n| self.name(n));
        let text = match self.random.below(6) {
            0 => format!("for {r} in {array}.iter_mut() {{ put({r}, {value}); }}"),
            1 => format!("for {r} in {array}.chunks_mut(2) {{ put(&mut {r}[1], {value}); }}"),
            2 if array != other => format!(
                "for ({r}, {q}) in {array}.iter_mut().zip({other}.iter()) {{ put({r}, *{q}); }}"
            ),
            3 => format!(
                "for {r} in {array}.chunks_mut(3) {{ for {q} in {r} {{ put({q}, {value}); }} }}"
            ),
            4 => format!(
                "for {r} in {array}[1..4].iter_mut().rev() {{ let {q} = {r}; put({q}, {value}); }}"
            ),
            _ => format!("{array}.iter_mut().for_each(|{r}| put({r}, {value}));"),
        };
        self.line(text);
    }

    /// Methods of an own type that are called like those of slices and numbers: by their paths where nothing but a type tells them from
    /// queries.
    fn named_like_queries(&mut self) {
        let [c, t] = ["c", "t"].map(|n| self.name(n));
        let (first, second, at) = (self.atom(), self.atom(), self.atom());
        self.line(format!("let {c} = Curve {{ a: {first}, b: {second} }};"));
        let calls = [
            format!("{c}.position({at})"),
            format!("Curve::len(&{c})"),
            format!("Curve::capacity(&{c})"),
            format!("{c}.count({at})"),
            format!("{c}.max({at})"),
            format!("Curve::contains(&{c}, {at})"),
            format!("{c}.is_empty({at})"),
            format!("Curve::shape(&{c})"),
            format!("{c}.sin()"),
            format!("Curve::first(&{c})"),
            format!("Curve::dim(&{c})"),
        ];
        let (p, q) = (self.random.of(&calls), self.random.of(&calls));
        self.line(format!("let {t} = 0.3 * {p} * ({q}).sin();"));
        self.scope.numbers.push(t);
    }

    /// Functions that are called alike in several modules, with glob imports.
    fn functions_of_one_name(&mut self) {
        let (t, x, y) = (self.name("t"), self.atom(), self.atom());
        let text = match self.random.below(5) {
            0 => format!("stretched({x}, {y})"),
            1 => format!("shifted({x}, {y})"),
            2 => format!("library::shifted({x}, {y}) * shifted({y}, {x})"),
            3 => format!("stretched(shifted({x}, {y}), {y})"),
            _ => format!("library::inner::shifted({x}, {y})"),
        };
        self.line(format!("let {t} = ({text}).sin();"));
        self.scope.numbers.push(t);
    }

    /// Types of a module, as parameters.
    fn types_of_one_name(&mut self) {
        let [r, t] = ["r", "t"].map(|n| self.name(n));
        let (lo, hi) = (self.atom(), self.atom());
        let (ty, by) = (
            self.random.of(&["own::Interval", "own::Extent"]),
            self.random.of(&["width(&", "width_of(*&"]),
        );
        self.line(format!("let {r} = {ty} {{ lo: {lo}, hi: {hi} }};"));
        let module = ty.rsplit("::").next().unwrap_or(ty).to_lowercase();
        self.line(format!("let {t} = 0.5 * own::{module}_{by}{r});"));
        self.scope.numbers.push(t);
    }

    /// Closures that capture a value before it changes, and closures with a state.
    fn moved_closure(&mut self) {
        let [a, k, t] = ["a", "k", "t"].map(|n| self.name(n));
        let (before, after, argument) = (self.atom(), self.atom(), self.atom());
        self.line(format!("let mut {a} = {before};"));
        match self.random.below(3) {
            0 => {
                self.line(format!("let {k} = move |p: f64| ({a} * p).sin();"));
                self.line(format!("{a} = {after};"));
                self.line(format!("let {t} = {k}({argument}) + 0.5 * {a};"));
            }
            1 => {
                self.line(format!(
                    "let mut {k} = move |p: f64| {{ {a} = ({a} + p).sin(); {a} }};"
                ));
                self.line(format!("let {t} = {k}({argument}) * {k}({after}) + {a};"));
            }
            _ => {
                self.line(format!(
                    "let {k} = move |p: f64| {{ let b = {a} * p; b.sin() }};"
                ));
                self.line(format!("{a} *= 0.5;"));
                self.line(format!("let {t} = {k}({a}) * {k}({argument});"));
            }
        }
        self.scope.numbers.push(t);
        self.scope.variables.push(a);
    }

    /// A reference that a branch chooses, and that is written through.
    fn selected(&mut self) {
        let (array, _, value) = self.changed();
        let [p, q, r] = ["p", "q", "r"].map(|n| self.name(n));
        let condition = self.condition();
        self.line(format!(
            "let (mut {p}, mut {q}) = ({value} * 0.5, {value} + 0.1);"
        ));
        let text = match self.random.below(3) {
            0 => format!(
                "{{ let {r} = if {condition} {{ &mut {p} }} else {{ &mut {q} }}; *{r} = (*{r} * {value}).sin(); }}"
            ),
            1 => format!(
                "{{ let {r} = match n % 2 {{ 0 => &mut {p}, _ => &mut {q} }}; *{r} += 0.3 * {value}; }}"
            ),
            _ => format!(
                "{{ let {r} = if n > 2 {{ &mut {array}[..3] }} else {{ &mut {array}[3..] }}; {r}[1] = ({r}[0] * {value}).sin(); }}"
            ),
        };
        self.line(text);
        self.scope.variables.push(p);
        self.scope.variables.push(q);
    }

    /// Arguments that read what the call changes.
    fn late_arguments(&mut self) {
        let [v, t] = ["v", "t"].map(|n| self.name(n));
        let (array, atom) = (self.array(), self.atom());
        self.line(format!("let mut {v} = {array}.to_vec();"));
        let text = match self.random.below(5) {
            0 => format!("{v}.insert({v}.len() - 1, {atom});"),
            1 => format!("{v}.resize(15 - {v}.len(), {atom});"),
            2 => format!("{v}[..].rotate_right({array}.len() - 2);"),
            3 => format!("{v}.push(0.5 * {v}[{v}.len() - 1]);"),
            _ => format!("{v}.truncate({v}.len() / 2 + 1);"),
        };
        self.line(text);
        self.line(format!(
            "let {t} = {v}[{v}.len() - 1] * {v}[1] + {v}[{v}.len() - 2].sin();"
        ));
        self.scope.numbers.push(t);
    }

    /// `swap`, `replace` and `take` of one's own.
    fn own_exchange(&mut self) {
        let [p, q] = ["p", "q"].map(|n| self.name(n));
        let (first, second) = (self.atom(), self.atom());
        self.line(format!("let (mut {p}, mut {q}) = ({first}, {second});"));
        let text = match self.random.below(4) {
            0 => format!("own::swap(&mut {p}, &mut {q});"),
            1 => format!("{p} = own::replace(&mut {q}, {p});"),
            2 => format!("{q} += own::take(&mut {p});"),
            _ => format!("std::mem::swap(&mut {p}, &mut {q}); {p} *= 0.5;"),
        };
        self.line(text);
        self.scope.variables.push(p);
        self.scope.variables.push(q);
    }

    /// Items of a block, that hide others outside.
    fn items_in_blocks(&mut self) {
        let (t, x, y) = (self.name("t"), self.atom(), self.atom());
        let text = match self.random.below(4) {
            0 => format!("{{ const FACTOR: f64 = 0.7; FACTOR * {x} }} + FACTOR * {y}"),
            1 => format!(
                "{{ #[differentiable] fn mix(x: f64, y: f64) -> f64 {{ (x - 2.0 * y).sin() }} mix({x}, {y}) }} * mix({y}, {x})"
            ),
            2 => format!("{{ use own::other_mix as mix; mix({x}, {y}) }} + mix({x}, {y})"),
            _ => format!("{{ static FACTOR: f64 = -0.4; FACTOR * {x} }} * {{ FACTOR * {y} }}"),
        };
        self.line(format!("let {t} = {text};"));
        self.scope.numbers.push(t);
    }

    /// References in patterns.
    fn ref_mut(&mut self) {
        let [pair, p, q, t] = ["pair", "p", "q", "t"].map(|n| self.name(n));
        let (first, second) = (self.atom(), self.atom());
        self.line(format!("let mut {pair} = ({first}, {second});"));
        let text = match self.random.below(3) {
            0 => format!("{{ let (ref mut {p}, _) = {pair}; *{p} *= 0.5 + {second}; }}"),
            1 => format!("{{ let (ref mut {p}, ref {q}) = {pair}; *{p} += {q}.sin(); }}"),
            _ => format!("{{ let (ref {p}, ref mut {q}) = {pair}; *{q} = ({p} * *{q}).sin(); }}"),
        };
        self.line(text);
        self.line(format!("let {t} = {pair}.0 * {pair}.1 + {pair}.0;"));
        self.scope.numbers.push(t);
    }

    /// Methods of an own trait that are called like those of iterators and operators.
    fn own_trait(&mut self) {
        let [c, d, t] = ["c", "d", "t"].map(|n| self.name(n));
        let (first, second) = (self.atom(), self.atom());
        self.line(format!("let {c} = Curve {{ a: {first}, b: {second} }};"));
        self.line(format!("let {d} = Curve {{ a: {second}, b: 0.5 }};"));
        let text = match self.random.below(5) {
            0 => format!("{c}.sum() * {d}.product()"),
            1 => format!("{c}.add(&{d})"),
            2 => format!("Curve::mul(&Curve::view(&{c}), &{d})"),
            3 => format!("Curve::sum(&Curve::copied(&{d}, 0.5))"),
            _ => format!("{c}.product() + {c}.mul(&{c})"),
        };
        self.line(format!("let {t} = ({text}).sin();"));
        self.scope.numbers.push(t);
    }

    /// Fields and locals whose names contain those of methods.
    fn fields_like_methods(&mut self) {
        let [t, p] = ["t", "population"].map(|n| self.name(n));
        let (chunk, pushed, atom) = (self.atom(), self.atom(), self.atom());
        self.line(format!(
            "let mut {p} = Pack {{ chunk: {chunk}, pop: {pushed}, iter: 0.5 }};"
        ));
        self.line(format!("{p}.pop *= {p}.chunk + {atom};"));
        self.line(format!("{p}.iter += {p}.pop.sin();"));
        self.line(format!("let {t} = {p}.iter * {p}.chunk;"));
        self.scope.numbers.push(t);
    }

    /// A value that nobody reads, and that has no derivative.
    fn unused(&mut self) {
        let (u, atom) = (self.name("_u"), self.atom());
        let text = self.random.of(&[".sqrt()", ".ln()", ".powf(0.5)"]);
        self.line(format!("let {u} = (-1.0 - {atom} * {atom}){text};"));
    }

    /// What `cfg` removes, and what it leaves.
    fn conditional(&mut self) {
        let (array, index, value) = self.changed();
        let (t, other) = (self.name("t"), self.atom());
        let gone = self
            .random
            .of(&["any()", "not(test)", "all(test, not(test))"]);
        match self.random.below(4) {
            0 => {
                self.line(format!("#[cfg({gone})] let {t} = 100.0 * {other};"));
                self.line(format!("#[cfg(not({gone}))] let {t} = 0.5 * {other};"));
                self.scope.numbers.push(t);
            }
            1 => {
                self.line(format!("#[cfg({gone})] {{ {array}[{index}] = 0.0; }}"));
                self.line(format!(
                    "#[cfg(not({gone}))] {{ {array}[{index}] += 0.3 * {value}; }}"
                ));
            }
            2 => {
                self.line(format!(
                    "let {t} = match n {{ #[cfg({gone})] 6 => 0.0, 6 => {value}.sin(), _ => {other} }};"
                ));
                self.scope.numbers.push(t);
            }
            _ => {
                self.line(format!("#[cfg({gone})] return {other};"));
            }
        }
    }

    /// Literals that hold vectors.
    fn held(&mut self) {
        let [h, t] = ["h", "t"].map(|n| self.name(n));
        let (first, second) = (self.atom(), self.atom());
        let (literal, value) = match self.random.below(5) {
            0 => (
                format!("vec![vec![{first}], vec![0.3, {second}]]"),
                format!("{h}[0][0] * {h}[1][1] + {h}[1][0]"),
            ),
            1 => (
                format!("Held {{ w: vec![{first}, {second}], by: 0.5 }}"),
                format!("{h}.w[0] * {h}.w[1] * {h}.by"),
            ),
            2 => (
                format!("(vec![{first}, 2.0], {second})"),
                format!("{h}.0[0] * {h}.1"),
            ),
            3 => (
                format!("[vec![0.5, {first}], vec![{second}]]"),
                format!("{h}[0][1] * {h}[1][0] * {h}[0][0]"),
            ),
            _ => (
                format!(
                    "vec![Held {{ w: vec![{first}], by: {second} }}, Held {{ w: vec![0.4], by: 1.0 }}]"
                ),
                format!("{h}[0].w[0] * {h}[0].by + {h}[1].w[0]"),
            ),
        };
        self.line(format!("let {h} = {literal};"));
        self.line(format!("let {t} = {value};"));
        self.scope.numbers.push(t);
    }

    /// Arrays and vectors where a slice is wanted.
    fn coerced(&mut self) {
        let (array, _, value) = self.changed();
        let row = self.name("row");
        match self.random.below(4) {
            0 => {
                self.line(format!("let {row} = halves({value}, 0.3);"));
                self.line(format!("{array}[1..3].copy_from_slice(&{row});"));
            }
            1 => {
                self.line(format!(
                    "let {row} = [[{value}, 0.2], [0.5 * {value}, {value}.sin()]];"
                ));
                self.line(format!("{array}[2..4].copy_from_slice(&{row}[1]);"));
            }
            2 => self.line(format!("{array}[..2].copy_from_slice(&[{value}, 0.1]);")),
            _ => {
                self.line(format!("let {row}: Vec<f64> = vec![{value}.cos(); 3];"));
                self.line(format!("{array}[3..].copy_from_slice(&{row});"));
            }
        }
    }

    /// Operators of an own type.
    fn own_operators(&mut self) {
        let [c, t] = ["c", "t"].map(|n| self.name(n));
        let (first, second, k) = (self.atom(), self.atom(), self.atom());
        self.line(format!("let {c} = Point {{ x: {first}, y: {second} }};"));
        let text = match self.random.below(4) {
            0 => format!("({c} * {k}).x"),
            1 => format!("({c} + {c} * 0.5).y"),
            2 => format!("(-{c}).x * ({c} - Point {{ x: 0.1, y: {k} }}).y"),
            _ => format!("({c} * {c} + {k})"),
        };
        self.line(format!("let {t} = ({text}).sin();"));
        self.scope.numbers.push(t);
    }

    /// Closures that are passed on, and capture others.
    fn lifted_closures(&mut self) {
        let [f, g, s, t] = ["f", "g", "s", "t"].map(|n| self.name(n));
        let (inside, argument) = (self.atom(), self.atom());
        self.line(format!("let {s}: f64 = {inside};"));
        self.line(format!("let {f} = |p: f64| (p * {s}).sin();"));
        let passed = match self.random.chance(50) {
            true => f.clone(),
            false => {
                self.line(format!("let {g} = |p: f64| {f}(p) + 0.5 * p;"));
                g
            }
        };
        self.line(format!("let {t} = apply({passed}, {argument});"));
        self.scope.numbers.push(t);
    }
}
