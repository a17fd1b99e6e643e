//! What a record of coverage says of the function, whatever its types.

use coenzyme::{Function, Outcome};

use crate::argument::{Access, Passings};
use crate::judge::Signature;
use crate::tester::Tester;

/// The marker of a function, and what may be active in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// The path at which the marker is defined.
    pub rule: String,
    /// Each argument, in order.
    pub arguments: Vec<ArgumentFacts>,
    /// How many floats the function returns; `None` if it never did.
    pub returned: Option<usize>,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentFacts {
    /// Its name.
    pub name: String,
    /// How it is taken.
    pub taken: Taken,
    /// How many floats it holds; one without has no derivative.
    pub floats: usize,
}

/// How an argument is taken, as far as it decides on the activities that it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// `T`.
    Value,
    /// `&T`.
    Read,
    /// `&mut T`, read and written.
    Written,
    /// `&mut T`, overwritten unread.
    Overwritten,
}

impl Facts {
    /// What is known of the function of a tester, once it has been judged.
    pub fn of<F, Ps, Out>(tester: &Tester<F, Ps, Out>) -> Self
    where
        Ps: Passings,
        Out: Outcome<Value: Send + Sync + 'static>,
        F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
    {
        let returned = tester.subject.returned();
        Facts::new(
            std::any::type_name::<F>(),
            &tester.protocol.signature,
            returned,
        )
    }

    fn new(rule: &str, signature: &Signature, returned: Option<usize>) -> Self {
        let arguments = signature.arguments.iter();
        Facts {
            rule: of_type(rule),
            arguments: arguments
                .map(|parameter| ArgumentFacts {
                    name: parameter.name.clone(),
                    taken: Taken::new(parameter.access, parameter.write_only),
                    floats: parameter.shape.iter().product(),
                })
                .collect(),
            returned,
        }
    }
}

impl Facts {
    /// What is known at two sizes together.
    pub(super) fn or(mut self, other: Facts) -> Self {
        self.returned = self.returned.max(other.returned);
        for (argument, other) in self.arguments.iter_mut().zip(other.arguments) {
            argument.floats = argument.floats.max(other.floats);
        }
        self
    }

    /// How many floats all arguments have together.
    pub(super) fn floats(&self) -> usize {
        self.arguments.iter().map(|argument| argument.floats).sum()
    }

    /// Whether an argument is empty here that `other` knows to have floats.
    pub(super) fn is_emptier_than(&self, other: &Facts) -> bool {
        let arguments = self.arguments.iter().zip(&other.arguments);
        let mut arguments = arguments.map(|(here, there)| (here.floats, there.floats));
        arguments.any(|(here, there)| here == 0 && there > 0)
    }
}

impl Taken {
    fn new(access: Access, write_only: bool) -> Self {
        match (access, write_only) {
            (Access::Value, _) => Taken::Value,
            (Access::Shared, _) => Taken::Read,
            (Access::Exclusive, false) => Taken::Written,
            (Access::Exclusive, true) => Taken::Overwritten,
        }
    }
}

/// The path of a type, without references and parameters.
pub(crate) fn of_type(name: &str) -> String {
    let name = name.trim_start_matches(['&', '(']);
    name.split('<').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Setting, input, out, value};
    use coenzyme::primitive;

    /// `y ← a·x`.
    #[primitive]
    fn scale(y: &mut [f64], a: f64, x: &[f64], _times: usize) -> f64 {
        y.iter_mut().zip(x).for_each(|(y, x)| *y = a * x);
        a
    }

    #[test]
    fn facts_are_those_of_the_signature() {
        let arguments = (out(2).named("y"), value(2.0), input(2), value(1_usize));
        let tester = Setting::new(arguments).function("scale", scale {});
        let facts = Facts::of(&tester);
        assert_eq!(
            facts.rule,
            "coenzyme_testutils::coverage::facts::tests::scale"
        );
        let of = facts.arguments.iter();
        let of: Vec<_> = of
            .map(|argument| (argument.taken, argument.floats))
            .collect();
        let expected = [
            (Taken::Overwritten, 2),
            (Taken::Value, 1),
            (Taken::Read, 2),
            (Taken::Value, 0),
        ];
        assert_eq!(of, expected);
        assert_eq!(
            (facts.arguments[0].name.as_str(), facts.returned),
            ("y", None)
        );
    }

    #[test]
    fn parameters_are_no_part_of_a_path() {
        assert_eq!(of_type("a::Polynomial<f64>"), "a::Polynomial");
        assert_eq!(of_type("&a::scale"), "a::scale");
    }
}
