//! What is wrong with a call, a name or a file.

use std::fmt;

use crate::call::{AttrKind, Attrs};
use crate::value::{DType, Spec};

/// An error of a call: which operation, what is wrong, and what to do about it.
///
/// ```
/// use coenzyme_operations::{Spec, attrs, core};
///
/// let mul = core::all().into_iter().find(|op| op.signature().name == "core::mul").unwrap();
/// let error = mul.outline(&[Spec::f64(&[2]), Spec::f64(&[3])], &attrs! {}).unwrap_err();
/// assert_eq!(error.to_string(), "operation 'core::mul': operands x: f64[2], y: f64[3]: the shapes do not fit");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OpError(Box<Inner>);

#[derive(Clone, Debug, PartialEq)]
struct Inner {
    operation: String,
    kind: ErrorKind,
    help: Option<String>,
    context: Vec<String>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// No such operation is registered.
    Unknown,
    /// Another operation has the name.
    Taken,
    /// A name is empty, or not of the form `crate::operation`.
    Name,
    /// The operation has another number of operands.
    Operands {
        /// Those that it has; at least as many if it takes any number.
        expected: usize,
        /// Those given.
        found: usize,
    },
    /// There is no operand of this name.
    UnknownOperand(String),
    /// An operand has numbers of another type.
    DType {
        /// Its name.
        operand: String,
        /// The types that the operation takes there.
        expected: Vec<DType>,
        /// What was given.
        found: Spec,
    },
    /// The shapes of operands do not fit, to each other or to the attributes.
    Shapes {
        /// The names and specs of all operands.
        operands: Vec<(String, Spec)>,
        /// The attributes.
        attrs: Attrs,
        /// What does not fit.
        reason: String,
    },
    /// A tangent or a cotangent has not the type and the shape of its primal.
    Seed {
        /// What it belongs to.
        of: String,
        /// Type and shape of that.
        expected: Spec,
        /// What was given.
        found: Spec,
    },
    /// As many seeds as operands, outputs or lanes were expected.
    Seeds {
        /// What there is one for.
        of: &'static str,
        /// How many.
        expected: usize,
        /// How many were given.
        found: usize,
    },
    /// The operation has no attribute of this name.
    UnknownAttribute(String),
    /// An attribute is missing.
    MissingAttribute(String, AttrKind),
    /// An attribute is of another type.
    AttributeKind {
        /// Its name.
        name: String,
        /// Its type.
        expected: AttrKind,
        /// The type given.
        found: AttrKind,
    },
    /// An attribute has a value that the operation cannot have.
    AttributeValue {
        /// Its name.
        name: String,
        /// What is wrong with the value.
        reason: String,
    },
    /// An operand is active whose numbers have no derivative.
    ActiveOnNonFloat {
        /// Its name.
        operand: String,
        /// Its type.
        dtype: DType,
    },
    /// The operation has no forward rule.
    NoForward,
    /// The operation has no reverse rule.
    NoReverse,
    /// The reverse rule of the operation has no derivative.
    NoSecond,
    /// A rule returned no cotangent, or one of the wrong shape, for an active operand.
    MissingCotangent(String),
    /// The operation returned something else than its outline says.
    SpecViolation {
        /// What its outline says.
        declared: Vec<Spec>,
        /// What it returned.
        actual: Vec<Spec>,
    },
    /// The tape is that of another operation.
    ForeignTape,
    /// The operation failed: a matrix was singular, an index out of bounds.
    Failed(String),
    /// A description of an operation or of a graph lacks something or contradicts itself.
    Invalid(String),
}

impl OpError {
    /// An error of an operation.
    #[must_use]
    pub fn new(operation: &str, kind: ErrorKind) -> Self {
        Self(Box::new(Inner {
            operation: operation.into(),
            kind,
            help: None,
            context: Vec::new(),
        }))
    }

    /// The operation ran and failed.
    #[must_use]
    pub fn failed(operation: &str, reason: impl fmt::Display) -> Self {
        Self::new(operation, ErrorKind::Failed(reason.to_string()))
    }

    /// The same with what to do about it.
    #[must_use]
    pub fn with_help(mut self, help: Option<String>) -> Self {
        self.0.help = help;
        self
    }

    /// The same with where it happened: the innermost place first.
    #[must_use]
    pub fn within(mut self, place: impl fmt::Display) -> Self {
        self.0.context.push(place.to_string());
        self
    }

    /// The name of the operation.
    #[must_use]
    pub fn operation(&self) -> &str {
        &self.0.operation
    }

    /// What is wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> Option<&str> {
        self.0.help.as_deref()
    }

    /// Where it happened, the innermost place first.
    #[must_use]
    pub fn context(&self) -> &[String] {
        &self.0.context
    }
}

impl std::error::Error for OpError {}

impl fmt::Display for OpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            operation,
            kind,
            help,
            context,
        } = &*self.0;
        match kind {
            ErrorKind::Unknown => write!(f, "operation '{operation}' is not registered")?,
            ErrorKind::Taken => write!(f, "operation '{operation}' is already registered")?,
            ErrorKind::Name if operation.is_empty() => {
                f.write_str("the name of an operation is empty")?;
            }
            ErrorKind::Name => write!(
                f,
                "'{operation}' is not a name of the form 'crate::operation'"
            )?,
            ErrorKind::Operands { expected, found } => {
                let s = if *expected == 1 { "" } else { "s" };
                write!(
                    f,
                    "operation '{operation}' expects {expected} input{s}, got {found}"
                )?;
            }
            ErrorKind::NoForward => write!(f, "operation '{operation}' has no forward rule")?,
            ErrorKind::NoReverse => write!(f, "operation '{operation}' has no reverse rule")?,
            ErrorKind::NoSecond => {
                write!(
                    f,
                    "the reverse rule of operation '{operation}' has no derivative"
                )?;
            }
            other => write!(f, "operation '{operation}': {}", Detail(other))?,
        }
        for place in context {
            write!(f, ", {place}")?;
        }
        help.iter().try_for_each(|help| write!(f, "\nhelp: {help}"))
    }
}

/// The part of a message that does not begin with the operation.
struct Detail<'a>(&'a ErrorKind);

impl fmt::Display for Detail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ErrorKind::UnknownOperand(name) => write!(f, "there is no operand '{name}'"),
            ErrorKind::DType {
                operand,
                expected,
                found,
            } => {
                let expected: Vec<_> = expected.iter().map(|t| t.name()).collect();
                let expected = expected.join(" or ");
                write!(f, "operand '{operand}' is {found}, expected {expected}")
            }
            ErrorKind::Shapes {
                operands,
                attrs,
                reason,
            } => {
                f.write_str("operands ")?;
                for (i, (name, spec)) in operands.iter().enumerate() {
                    let comma = if i == 0 { "" } else { ", " };
                    write!(f, "{comma}{name}: {spec}")?;
                }
                if !attrs.is_empty() {
                    write!(f, " with {attrs}")?;
                }
                write!(f, ": {reason}")
            }
            ErrorKind::Seed {
                of,
                expected,
                found,
            } => write!(
                f,
                "the seed of {of} has the wrong shape: expected {expected}, got {found}"
            ),
            ErrorKind::Seeds {
                of,
                expected,
                found,
            } => write!(f, "expected {expected} {of}, got {found}"),
            ErrorKind::UnknownAttribute(name) => write!(f, "there is no attribute '{name}'"),
            ErrorKind::MissingAttribute(name, kind) => {
                write!(f, "attribute '{name}' ({kind}) is missing")
            }
            ErrorKind::AttributeKind {
                name,
                expected,
                found,
            } => write!(f, "attribute '{name}' is {expected}, got {found}"),
            ErrorKind::AttributeValue { name, reason } => write!(f, "attribute '{name}': {reason}"),
            ErrorKind::ActiveOnNonFloat { operand, dtype } => {
                write!(
                    f,
                    "operand '{operand}' is active, but {dtype} has no derivative"
                )
            }
            ErrorKind::MissingCotangent(operand) => {
                write!(
                    f,
                    "the rule returned no cotangent for active operand '{operand}'"
                )
            }
            ErrorKind::SpecViolation { declared, actual } => {
                write!(f, "declared ")?;
                list(f, declared)?;
                f.write_str(", returned ")?;
                list(f, actual)
            }
            ErrorKind::ForeignTape => f.write_str("the tape is that of another operation"),
            ErrorKind::Failed(reason) | ErrorKind::Invalid(reason) => f.write_str(reason),
            ErrorKind::Unknown
            | ErrorKind::Taken
            | ErrorKind::Name
            | ErrorKind::Operands { .. }
            | ErrorKind::NoForward
            | ErrorKind::NoReverse
            | ErrorKind::NoSecond => unreachable!("said with the operation"),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, specs: &[Spec]) -> fmt::Result {
    for (i, spec) in specs.iter().enumerate() {
        write!(f, "{}{spec}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}

/// "did you mean …?", if one of the names is near.
#[doc(hidden)]
pub fn suggestion<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let scored = names
        .into_iter()
        .map(|name| (strsim::jaro_winkler(given, name), name));
    let best = scored.filter(|(score, _)| *score > 0.8);
    let best = best.max_by(|x, y| x.0.total_cmp(&y.0).then_with(|| y.1.cmp(x.1)));
    best.map(|(_, name)| format!("did you mean '{name}'?"))
}
