//! Idioms of numerical programs: statements that belong together, each with names of the program around it.

use crate::scope::LENGTH;
use crate::writer::Writer;

impl Writer {
    /// A state that is multiplied by a matrix in each step of time.
    pub(crate) fn recurrence(&mut self) {
        let (u, h, z) = (self.array(), self.name("h"), self.name("z"));
        let (start, steps) = (self.array(), 1 + self.random.below(3));
        let (shift, factor) = (self.random.below(LENGTH), self.atom());
        self.line(format!("let mut {h} = {start}.to_vec();"));
        self.line(format!("for s in 0..{steps} {{"));
        self.last_line(format!("let mut {z} = vec![a; {LENGTH}];"));
        self.last_line(format!("for r in 0..{LENGTH} {{"));
        self.last_line(format!(
            "    for k in 0..{h}.len() {{ {z}[r] += 0.3 * {u}[(r + k + {shift}) % {LENGTH}] * {h}[k]; }}"
        ));
        self.last_line("}");
        self.last_line(format!("let g = {factor};"));
        self.last_line(format!(
            "for k in 0..{LENGTH} {{ {h}[k] = (g * {z}[k]).tanh() + 0.1 * {h}[k]; }}"
        ));
        self.line("}");
        self.scope.arrays.push(h);
    }

    /// A triangle that is added to memory, column by column.
    pub(crate) fn triangle(&mut self) {
        let (x, y) = (self.array(), self.random.of(&self.scope.arrays));
        if x == y {
            return self.recurrence();
        }
        let (first, entry) = match self.random.chance(50) {
            true => ("j + 1", format!("{y}[j]")),
            false => ("j", self.atom()),
        };
        self.line(format!("for j in 0..{LENGTH} {{"));
        self.last_line(format!("for r in {first}..{LENGTH} {{"));
        self.last_line(format!(
            "    {y}[r] += 0.1 * {x}[(j * (j + 1) / 2 + r) % {LENGTH}] * {entry};"
        ));
        self.last_line("}");
        self.line("}");
    }

    /// A number that a chain of iterators makes.
    pub(crate) fn chain(&mut self) {
        let (x, y, atom, t) = (self.array(), self.array(), self.atom(), self.name("t"));
        let text = match self.random.below(8) {
            0 => format!("{x}.iter().zip(&{y}[..]).map(|(p, q)| p * q * 0.1).sum::<f64>()"),
            1 => format!("{{ let c = {atom}; {x}.iter().fold(c, |s, p| (s * 0.5 + p).sin()) }}"),
            2 => format!("{x}.windows(2).map(|w| (w[1] - w[0]).sin()).sum::<f64>()"),
            3 => format!("{x}.chunks_exact(2).map(|c| c[0].sin() * c[1]).sum::<f64>()"),
            4 => format!(
                "{x}.iter().enumerate().filter(|(i, _)| i % 2 == 0).map(|(i, p)| p * {y}[{} - i]).sum::<f64>()",
                LENGTH - 1
            ),
            5 => format!("{x}.iter().copied().fold({atom}, f64::max)"),
            6 => {
                format!("{x}.iter().rev().skip(1).take(3).map(|p| (p * a).cos()).product::<f64>()")
            }
            _ => format!(
                "{x}.iter().scan({atom}, |s, p| {{ *s = (*s + p).sin(); Some(*s) }}).sum::<f64>()"
            ),
        };
        self.line(format!("let {t}: f64 = 0.5 * {text};"));
        self.scope.numbers.push(t);
    }

    /// What functions return, each called with what the one before returned.
    pub(crate) fn called(&mut self) {
        let (x, t, atom) = (self.array(), self.name("t"), self.atom());
        let text = match self.random.below(4) {
            0 => format!("mix(energy(&{x}[..], 0.3), {atom})"),
            1 => format!("energy(&{x}[1..4], mix(0.2, {atom}))"),
            2 => format!("{{ let (p, q) = both(&{x}[..], {atom}); p * q + p }}"),
            _ => format!("apply(|v| (v * {atom}).sin() + a, {})", self.atom()),
        };
        self.line(format!("let {t} = {text};"));
        self.scope.numbers.push(t);
    }

    /// A body that moves.
    pub(crate) fn body(&mut self) {
        let (b, atom, x) = (self.name("b"), self.atom(), self.array());
        let rounds = 1 + self.random.below(LENGTH - 1);
        self.line(format!("let mut {b} = Body {{ at: {atom}, speed: a }};"));
        self.line(format!("for i in 0..{rounds} {{"));
        match self.random.below(4) {
            0 => self.last_line(format!("{b} = {b}.moved({x}[i]);")),
            1 => self.last_line(format!("{b}.push({x}[i]);")),
            2 => self.last_line(format!(
                "{b}.speed -= 0.2 * {b}.at * {x}[i]; {b}.at += 0.2 * {b}.speed;"
            )),
            _ => self.last_line(format!(
                "let old = {b}; {b}.at = (old.speed + {x}[i]).sin(); {b}.speed = old.at * 0.5;"
            )),
        }
        self.line("}");
        self.scope.numbers.push(format!("{b}.at"));
        self.scope.numbers.push(format!("{b}.speed"));
    }

    /// Loops that an inner one leaves.
    pub(crate) fn labelled(&mut self) {
        if !self.may_nest() {
            return self.chain();
        }
        let (i, j, label) = (self.name("i"), self.name("j"), self.name("'outer"));
        let way = self.random.of(&["break", "continue"]);
        self.line(format!("{label}: for {i} in 0..{LENGTH} {{"));
        self.last_line(format!("for {j} in 0..3 {{"));
        let condition = self.condition();
        let (y, value) = (self.random.of(&self.scope.arrays), self.atom());
        self.last_line(format!("    {y}[{i}] = ({y}[{i}] + 0.3 * {value}).sin();"));
        self.last_line(format!(
            "    if {condition} && {j} == 1 {{ {way} {label}; }}"
        ));
        self.last_line(format!("    {y}[{j}] *= 0.9;"));
        self.last_line("}");
        let indices = (i, 0, LENGTH - 1);
        self.block(2, |scope| scope.indices.push(indices));
        self.line("}");
    }

    /// Two buffers that change places.
    pub(crate) fn buffers(&mut self) {
        let [p, q, cur, next, t] = ["p", "q", "cur", "next", "t"].map(|n| self.name(n));
        let (start, atom) = (self.array(), self.atom());
        let rounds = 1 + self.random.below(3);
        let often = self.random.of(&["true", "s != 1", "cur[2] < 0.5"]);
        let often = often.replace("cur", &cur);
        self.line(format!("let mut {p} = {start}.to_vec();"));
        self.line(format!("let mut {q} = vec![{atom}; {LENGTH}];"));
        self.line(format!(
            "let (mut {cur}, mut {next}) = (&mut {p}[..], &mut {q}[..]);"
        ));
        self.line(format!("for s in 0..{rounds} {{"));
        self.last_line(format!(
            "for i in 1..{} {{ {next}[i] = {cur}[i] + 0.2 * ({cur}[i - 1] - {cur}[i + 1] * a).sin(); }}",
            LENGTH - 1
        ));
        self.last_line(format!(
            "if {often} {{ std::mem::swap(&mut {cur}, &mut {next}); }}"
        ));
        self.line("}");
        let (i, j) = (self.random.below(LENGTH), self.random.below(LENGTH));
        self.line(format!("let {t} = {cur}[{i}] * {next}[{j}];"));
        self.scope.numbers.push(t);
    }

    /// An iterator that is advanced.
    pub(crate) fn advanced(&mut self) {
        let (x, it, s) = (self.array(), self.name("it"), self.name("s"));
        self.line(format!("let mut {it} = {x}.iter();"));
        self.line(format!("let mut {s}: f64 = *{it}.next().unwrap();"));
        match self.random.below(3) {
            0 => self.line(format!(
                "while let Some(v) = {it}.next() {{ {s} = ({s} * v + a).sin(); }}"
            )),
            1 => self.line(format!("for v in {it} {{ {s} += 0.1 * v * {s}; }}")),
            _ => self.line(format!(
                "while let Some(v) = {it}.next() {{ let w = {it}.next().unwrap_or(&0.5); {s} += (v * w).sin(); }}"
            )),
        }
        self.scope.variables.push(s);
    }

    /// A number in a box.
    pub(crate) fn boxed(&mut self) {
        let (b, x, atom) = (self.name("b"), self.array(), self.atom());
        self.line(format!("let mut {b} = Box::new({atom} * 0.5);"));
        self.line(format!(
            "for v in {x}.iter() {{ *{b} = (*{b} * v).sin() + a; }}"
        ));
        self.scope.numbers.push(format!("(*{b})"));
    }
}
