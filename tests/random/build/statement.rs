//! Statements. What is added to memory is small, and what is assigned is bounded, so that values stay what differences can judge.

use crate::scope::LENGTH;
use crate::writer::Writer;

pub(crate) const ALL: &[(usize, fn(&mut Writer))] = &[
    (12, Writer::number),
    (6, Writer::variable),
    (6, Writer::memory),
    (12, Writer::change_variable),
    (18, Writer::change_entry),
    (4, Writer::change_array),
    (3, Writer::call),
    (3, Writer::each),
    (3, Writer::zipped),
    (2, Writer::halves),
    (2, Writer::stack),
    (2, Writer::exchange),
    (3, Writer::option),
    (3, Writer::slid),
    (3, Writer::chosen),
    (2, Writer::closure),
    (12, Writer::counted),
    (4, Writer::enumerated),
    (3, Writer::while_loop),
    (2, Writer::endless),
    (6, Writer::branch),
    (2, Writer::choice),
    (2, Writer::leave),
    (4, Writer::recurrence),
    (4, Writer::triangle),
    (6, Writer::chain),
    (4, Writer::called),
    (4, Writer::body),
    (3, Writer::labelled),
    (3, Writer::buffers),
    (2, Writer::advanced),
    (2, Writer::boxed),
];

impl Writer {
    fn number(&mut self) {
        let (value, name) = (self.expression(), self.name("t"));
        self.line(format!("let {name} = {value};"));
        self.scope.numbers.push(name);
    }

    fn variable(&mut self) {
        let value = match self.random.chance(50) {
            true => self.expression(),
            false => "0.0".into(),
        };
        let name = self.name("s");
        self.line(format!("let mut {name}: f64 = {value};"));
        self.scope.variables.push(name);
    }

    fn memory(&mut self) {
        let name = self.name("w");
        let text = match self.random.below(5) {
            0 => format!("let mut {name} = x.to_vec();"),
            1 => format!("let mut {name} = vec![{}; {LENGTH}];", self.atom()),
            2 => format!("let mut {name} = [0.0_f64; {LENGTH}];"),
            3 => format!(
                "let mut {name}: Vec<f64> = {}.iter().map(|p| p * 0.5).collect();",
                self.array()
            ),
            _ => format!("let mut {name}: Vec<f64> = vec![0.0; n];"),
        };
        self.line(text);
        self.scope.arrays.push(name);
    }

    fn change_variable(&mut self) {
        if self.scope.variables.is_empty() {
            return self.number();
        }
        let (name, value) = (self.random.of(&self.scope.variables), self.expression());
        let text = match self.random.below(6) {
            0 => format!("{name} = ({value}).sin();"),
            1 => format!("{name} *= ({value}).cos();"),
            2 => format!("{name} -= 0.2 * ({value}).sin();"),
            _ => format!("{name} += {};", self.small(&value)),
        };
        self.line(text);
    }

    fn change_entry(&mut self) {
        let (array, index, value) = (
            self.random.of(&self.scope.arrays),
            self.index(),
            self.expression(),
        );
        let text = match self.random.below(7) {
            0 => format!("{array}[{index}] = ({value}).tanh();"),
            1 => format!(
                "{array}[{index}] = ({value}).sin() + {array}[{}];",
                self.index()
            ),
            2 => format!("{array}[{index}] -= 0.2 * ({value}).sin();"),
            3 => format!("{array}[{index}] *= ({value}).sin();"),
            _ => format!("{array}[{index}] += {};", self.small(&value)),
        };
        self.line(text);
    }

    /// What is added again and again: bounded, or so that memory grows by little.
    fn small(&mut self, value: &str) -> String {
        match self.random.below(3) {
            0 => format!("0.2 * ({value}).tanh()"),
            1 => format!("0.01 * {} * a", self.atom()),
            _ => format!("{} * x[{}] * 0.01", self.atom(), self.index()),
        }
    }

    fn change_array(&mut self) {
        let (array, other) = (self.random.of(&self.scope.arrays), self.array());
        let (i, j) = (self.random.below(LENGTH), self.random.below(LENGTH));
        let text = match self.random.below(5) {
            0 => format!("{array}.fill(0.0);"),
            1 => format!("{{ let v = {}; {array}.fill(v); }}", self.atom()),
            2 => format!("{array}.swap({i}, {j});"),
            3 => format!("{array}.reverse();"),
            _ if array != other => format!("{array}.copy_from_slice(&{other}[..]);"),
            _ => return self.change_entry(),
        };
        self.line(text);
    }

    fn call(&mut self) {
        let (array, other, atom) = (
            self.random.of(&self.scope.arrays),
            self.array(),
            self.atom(),
        );
        if array == other {
            return self.change_entry();
        }
        self.line(format!(
            "{{ let v = {atom}; relax(&{other}[..], &mut {array}[..], v); }}"
        ));
    }

    fn each(&mut self) {
        let (array, atom, name) = (
            self.random.of(&self.scope.arrays),
            self.atom(),
            self.name("c"),
        );
        self.line(format!("let {name} = {atom};"));
        self.line(format!(
            "for p in {array}.iter_mut() {{ *p = ({name} * *p).sin(); }}"
        ));
    }

    fn zipped(&mut self) {
        let (array, other, name) = (
            self.random.of(&self.scope.arrays),
            self.array(),
            self.name("c"),
        );
        if array == other {
            return self.each();
        }
        let atom = self.atom();
        self.line(format!("let {name} = {atom};"));
        let text = match self.random.chance(50) {
            true => format!(
                "for (p, q) in {array}.iter_mut().zip({other}.iter().rev()) {{ *p += (q * {name}).sin(); }}"
            ),
            false => format!(
                "for (p, q) in {array}.iter_mut().zip(&{other}[1..]) {{ *p = *p * 0.5 + (q * {name}).sin(); }}"
            ),
        };
        self.line(text);
    }

    fn halves(&mut self) {
        let (array, at) = (
            self.random.of(&self.scope.arrays),
            1 + self.random.below(LENGTH - 1),
        );
        let (left, right) = (self.name("l"), self.name("r"));
        let (i, j) = (self.random.below(at), self.random.below(LENGTH - at));
        self.line(format!(
            "let ({left}, {right}) = {array}.split_at_mut({at});"
        ));
        self.line(format!("{left}[{i}] += ({right}[{j}] * a).sin();"));
        self.line(format!(
            "{right}[{j}] = ({left}[{i}] - {right}[{j}]).sin();"
        ));
    }

    fn stack(&mut self) {
        let (stack, first, i) = (self.name("q"), self.atom(), self.name("i"));
        self.line(format!("let mut {stack}: Vec<f64> = vec![{first}];"));
        let rounds = 1 + self.random.below(LENGTH);
        self.line(format!("for {i} in 0..{rounds} {{"));
        let array = self.array();
        self.last_line(format!("{stack}.push({stack}[{i}] * 0.5 + {array}[{i}]);"));
        self.line("}");
        self.scope
            .numbers
            .push(format!("{stack}[{stack}.len() - 1]"));
        self.scope.numbers.push(format!("{stack}[0]"));
    }

    /// A local that is there or not.
    fn option(&mut self) {
        let (array, o) = (self.array(), self.name("o"));
        self.line(format!("let mut {o}: Option<f64> = None;"));
        self.line(format!(
            "for (i, v) in {array}.iter().enumerate() {{ if let Some(b) = {o} && i % 3 != 1 {{ {o} = Some((b + v).sin()); }} else {{ {o} = Some(*v * a); }} }}"
        ));
        self.scope.numbers.push(format!("{o}.unwrap_or(a)"));
    }

    /// A reference that is pointed elsewhere.
    fn slid(&mut self) {
        let (array, sum, rest) = (self.array(), self.name("s"), self.name("r"));
        self.line(format!("let mut {sum}: f64 = a;"));
        self.line(format!("let mut {rest} = &{array}[..];"));
        self.line(format!("while {rest}.len() > 1 {{"));
        self.line(format!("{sum} = ({sum} * {rest}[0] + {rest}[1]).sin();"));
        self.last_line(format!("{rest} = &{rest}[2..];"));
        self.line("}");
        self.scope.variables.push(sum);
    }

    /// A part of an array that a branch chooses.
    fn chosen(&mut self) {
        let (array, name, i) = (self.array(), self.name("t"), self.random.below(3));
        let parity = self.random.below(2);
        self.line(format!(
            "let {name} = {{ let r = if n % 2 == {parity} {{ &{array}[..3] }} else {{ &{array}[3..] }}; (r[{i}] * r[2]).sin() }};"
        ));
        self.scope.numbers.push(name);
    }

    fn exchange(&mut self) {
        let vectors: Vec<_> = self.scope.variables.clone();
        if vectors.len() < 2 {
            return self.variable();
        }
        let (a, b) = (vectors[0].clone(), vectors[vectors.len() - 1].clone());
        let text = match self.random.chance(50) {
            true => format!("std::mem::swap(&mut {a}, &mut {b});"),
            false => format!("({a}, {b}) = ({b}, {a} * 0.5);"),
        };
        self.line(text);
    }

    fn closure(&mut self) {
        let (name, value) = (self.name("f"), self.name("t"));
        let (inside, argument, again) = (self.atom(), self.atom(), self.atom());
        self.line(format!("let {value} = {{ let {name} = |p: f64| (p * {inside}).sin() + p; {name}({argument}) * {name}({again}) }};"));
        self.scope.numbers.push(value);
    }

    fn counted(&mut self) {
        if !self.may_nest() {
            return self.change_entry();
        }
        let (low, high) = self
            .random
            .of(&[(0, 5), (0, 5), (1, 5), (1, 4), (0, 4), (2, 5)]);
        let (i, end) = (self.name("i"), high + 1);
        let range = match self.random.below(7) {
            0 => format!("({low}..{end}).rev()"),
            1 => format!("({low}..{end}).step_by(2)"),
            2 => format!("{low}..={high}"),
            3 if (low, high) == (0, LENGTH - 1) => "0..n".into(),
            4 if (low, high) == (0, LENGTH - 1) => "0..x.len()".into(),
            _ => format!("{low}..{end}"),
        };
        self.line(format!("for {i} in {range} {{"));
        let (variable, exit) = (i.clone(), self.random.chance(15));
        self.block(4, |scope| scope.indices.push((variable, low, high)));
        if exit {
            let (condition, way) = (self.condition(), self.random.of(&["break", "continue"]));
            self.last_line(format!("if {condition} {{ {way}; }}"));
            self.block(1, |scope| scope.indices.push((i, low, high)));
        }
        self.line("}");
    }

    fn enumerated(&mut self) {
        if !self.may_nest() {
            return self.change_entry();
        }
        let arrays: Vec<_> = self
            .scope
            .readable_arrays()
            .into_iter()
            .filter(|array| array != "y")
            .collect();
        let (array, i, entry) = (self.random.of(&arrays), self.name("i"), self.name("e"));
        self.line(format!(
            "for ({i}, {entry}) in {array}.iter().enumerate() {{"
        ));
        self.block(3, |scope| {
            scope.lend(&array);
            scope.indices.push((i, 0, LENGTH - 1));
            scope.numbers.push(format!("(*{entry})"));
        });
        self.line("}");
    }

    fn while_loop(&mut self) {
        if !self.may_nest() {
            return self.change_entry();
        }
        let (k, rounds) = (self.name("k"), 2 + self.random.below(LENGTH - 2));
        self.line(format!("let mut {k} = 0;"));
        self.line(format!("while {k} < {rounds} {{"));
        let index = (k.clone(), 0, rounds - 1);
        self.block(3, |scope| scope.indices.push(index));
        self.last_line(format!("{k} += 1;"));
        self.line("}");
    }

    fn endless(&mut self) {
        if !self.may_nest() {
            return self.change_entry();
        }
        let (k, v) = (self.name("k"), self.name("v"));
        let (start, condition) = (self.atom(), self.condition());
        self.line(format!("let (mut {k}, mut {v}) = (0, {start});"));
        self.line("loop {");
        self.last_line(format!("{v} = ({v} + 0.3).sin();"));
        self.last_line(format!(
            "if {k} > 3 || {condition} && {v} > 0.6 {{ break; }}"
        ));
        let (index, array) = ((k.clone(), 0, 3), self.random.of(&self.scope.arrays));
        self.last_line(format!("{array}[{k}] += 0.1 * {v};"));
        self.block(2, |scope| scope.indices.push(index));
        self.last_line(format!("{k} += 1;"));
        self.line("}");
        self.scope.numbers.push(v);
    }

    fn branch(&mut self) {
        if !self.may_nest() {
            return self.change_entry();
        }
        let condition = self.condition();
        self.line(format!("if {condition} {{"));
        self.block(3, |_| ());
        if self.random.chance(50) {
            self.line("} else {");
            self.block(3, |_| ());
        }
        self.line("}");
    }

    fn choice(&mut self) {
        let (name, index) = (self.name("t"), self.index());
        let (one, two, three) = (self.expression(), self.expression(), self.expression());
        self.line(format!(
            "let {name} = match {index} {{ 0 | 3 => {one}, 1 => {two}, _ => {three} }};"
        ));
        self.scope.numbers.push(name);
    }

    fn leave(&mut self) {
        let (condition, other, value) = (self.condition(), self.condition(), self.atom());
        self.line(format!("if {condition} && {other} {{ return {value}; }}"));
    }
}
