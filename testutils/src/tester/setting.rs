//! The arguments of a test, and then its function.

use coenzyme::{Function, Outcome};

use super::{ConstBuffers, Points, Protocol, Tester};
use crate::argument::{Access, AnySlots, Arguments, Passings, Spec, Specs};
use crate::environment::Environment;
use crate::judge::{Budgets, Signature};
use crate::ladder::Ladder;
use crate::overrides::Overrides;
use crate::subject::Subject;

/// The arguments of a test, before the function is known.
///
/// They come first because the compiler must know them before it can look for a rule.
pub struct Setting<Ps: Passings> {
    slots: Ps::Slots,
    specs: Specs,
}

/// The name of a function that was given by a path, or by an expression, which may go on for lines: the last segment of the path
/// with which it begins.
fn short_name(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| !c.is_alphabetic() && c != '_');
    let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
    let path = text.split(ends).next().unwrap_or_default();
    match path.rsplit("::").find(|segment| !segment.is_empty()) {
        Some(name) => name,
        None => "function",
    }
}

impl Protocol {
    /// What is done unless somebody says otherwise.
    fn new(name: &str, specs: Vec<Spec>, access: &[Access], given: &dyn AnySlots) -> Self {
        let precision = given.precision();
        Protocol {
            name: short_name(name).to_owned(),
            signature: Signature::new(specs, given.shapes(), access),
            precision,
            ladder: Ladder::default().precision(precision),
            reference: None,
            finer: None,
            overrides: Overrides::none(),
            budgets: Budgets::default(),
            buffers: ConstBuffers::default(),
            seed: 0,
            environment: Environment::from_env(),
            own: Points::new(),
            shared: None,
            size: None,
            fullest: None,
            longest: None,
        }
    }
}

impl<Ps: Passings> Setting<Ps> {
    /// A tuple of [`input`](crate::input), [`out`](crate::out), [`value`](crate::value) and their kin.
    pub fn new<A: Arguments<Passings = Ps>>(arguments: A) -> Self {
        let (slots, specs) = arguments.split();
        Setting { slots, specs }
    }

    /// A tester of `f` with these arguments, called `name` in messages.
    pub fn function<F, Out>(self, name: &str, f: F) -> Tester<F, Ps, Out>
    where
        Out: Outcome,
        F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
    {
        let subject = Subject::new(f, self.slots);
        let protocol = Protocol::new(name, self.specs.0, Ps::ACCESS, subject.given());
        Tester { subject, protocol }
    }

    #[cfg(test)]
    pub(super) fn specs(&self) -> Vec<Spec> {
        self.specs.0.clone()
    }

    #[cfg(test)]
    pub(super) fn access(&self) -> &'static [Access] {
        Ps::ACCESS
    }
}

#[cfg(test)]
mod tests {
    use super::short_name;

    #[test]
    fn names_are_one_word() {
        assert_eq!(short_name("::library::nn::gelu"), "gelu");
        assert_eq!(short_name("(scale)"), "scale");
        assert_eq!(
            short_name("(Scale\n{\n    by : std::f64::consts::PI,\n})"),
            "Scale"
        );
        assert_eq!(short_name("rules::Scale(3.0, f64::max)"), "Scale");
        assert_eq!(short_name("|x| 2.0 * x"), "x");
        assert_eq!(short_name("()"), "function");
    }
}
