//! Names: of an operation, of its operands, of its attributes.

use std::borrow::Cow;

use super::{Attr, AttrKind, Attrs};
use crate::error::{ErrorKind, OpError, suggestion};
use crate::value::{DType, Spec};

/// An operand.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The types of numbers that it may have; none means any.
    pub dtypes: Vec<DType>,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Its type.
    pub kind: AttrKind,
    /// Its value where none is given.
    pub default: Option<Attr>,
}

/// What an operation is called, and what it takes.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Signature {
    /// The name, `crate::operation`.
    pub name: Cow<'static, str>,
    /// The operands in order. If `variadic`, the last stands for one or more.
    pub operands: Vec<Operand>,
    /// Whether the last operand may be repeated.
    pub variadic: bool,
    /// The attributes.
    pub attributes: Vec<Parameter>,
}

impl Signature {
    /// The operand at an index, of a variadic operation also beyond the last.
    #[must_use]
    pub fn operand(&self, index: usize) -> Option<&Operand> {
        let last = self.operands.last().filter(|_| self.variadic);
        self.operands.get(index).or(last)
    }

    /// Its name, or its number if there is no such operand.
    #[must_use]
    pub fn operand_name(&self, index: usize) -> String {
        let repeated = self.variadic && index + 1 >= self.operands.len();
        match self.operand(index) {
            Some(operand) if repeated => {
                format!("{}[{}]", operand.name, index + 1 - self.operands.len())
            }
            Some(operand) => operand.name.clone().into_owned(),
            None => format!("#{index}"),
        }
    }

    /// The index of an operand.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownOperand`], with the nearest name.
    pub fn index_of(&self, name: &str) -> Result<usize, OpError> {
        let names = || self.operands.iter().map(|operand| &*operand.name);
        names().position(|n| n == name).ok_or_else(|| {
            self.error(ErrorKind::UnknownOperand(name.into()))
                .with_help(suggestion(name, names()))
        })
    }

    /// An error of this operation.
    #[must_use]
    pub fn error(&self, kind: ErrorKind) -> OpError {
        OpError::new(&self.name, kind)
    }

    /// An error that names the operands with their specs.
    #[must_use]
    pub fn misfit(&self, x: &[Spec], attrs: &Attrs, reason: impl Into<String>) -> OpError {
        let operands = x.iter().enumerate();
        self.error(ErrorKind::Shapes {
            operands: operands
                .map(|(i, spec)| (self.operand_name(i), spec.clone()))
                .collect(),
            attrs: attrs.clone(),
            reason: reason.into(),
        })
    }

    /// An error that names an attribute.
    #[must_use]
    pub fn bad_attribute(&self, name: &str, reason: impl Into<String>) -> OpError {
        self.error(ErrorKind::AttributeValue {
            name: name.into(),
            reason: reason.into(),
        })
    }

    /// Checks the number of operands.
    ///
    /// # Errors
    /// [`ErrorKind::Operands`].
    pub fn check_count(&self, found: usize) -> Result<(), OpError> {
        let expected = self.operands.len();
        match found == expected || self.variadic && found >= expected {
            true => Ok(()),
            false => Err(self.error(ErrorKind::Operands { expected, found })),
        }
    }

    /// Checks the number of operands, and their types.
    ///
    /// # Errors
    /// [`ErrorKind::Operands`], [`ErrorKind::DType`].
    pub fn check(&self, x: &[Spec]) -> Result<(), OpError> {
        self.check_count(x.len())?;
        for (i, spec) in x.iter().enumerate() {
            let dtypes = self.operand(i).map_or(&[][..], |operand| &operand.dtypes);
            if !(dtypes.is_empty() || dtypes.contains(&spec.dtype)) {
                let (operand, expected) = (self.operand_name(i), dtypes.to_vec());
                let found = spec.clone();
                return Err(self.error(ErrorKind::DType {
                    operand,
                    expected,
                    found,
                }));
            }
        }
        Ok(())
    }

    /// The attributes with the defaults of those that are not given, and integers as floats where floats are taken.
    ///
    /// # Errors
    /// [`ErrorKind::UnknownAttribute`], [`ErrorKind::MissingAttribute`], [`ErrorKind::AttributeKind`]; they tell what the operation
    /// takes.
    pub fn resolve(&self, given: &Attrs) -> Result<Attrs, OpError> {
        for (name, _) in given.iter() {
            if !self.attributes.iter().any(|p| p.name == name) {
                let near = suggestion(name, self.attributes.iter().map(|p| &*p.name));
                return Err(self
                    .error(ErrorKind::UnknownAttribute(name.into()))
                    .with_help(near.or_else(|| Some(self.schema()))));
            }
        }
        let mut all = Attrs::new();
        for Parameter {
            name,
            kind: expected,
            default,
        } in &self.attributes
        {
            let value = match (given.get(name).or(default.as_ref()), expected) {
                (Some(Attr::Int(n)), AttrKind::Float) => Attr::Float(*n as f64),
                (Some(value), _) if value.kind() == *expected => value.clone(),
                (Some(value), _) => {
                    let (name, found) = (name.clone().into_owned(), value.kind());
                    let kind = ErrorKind::AttributeKind {
                        name,
                        expected: *expected,
                        found,
                    };
                    return Err(self.error(kind).with_help(Some(self.schema())));
                }
                (None, _) => {
                    let kind = ErrorKind::MissingAttribute(name.clone().into_owned(), *expected);
                    return Err(self.error(kind).with_help(Some(self.schema())));
                }
            };
            all.set(name, value);
        }
        Ok(all)
    }

    /// What the operation takes, in words.
    #[must_use]
    pub fn schema(&self) -> String {
        let operands = self.operands.iter().map(|x| x.name.clone().into_owned());
        let dots = self.variadic.then(|| "…".to_string());
        let operands: Vec<_> = operands.chain(dots).collect();
        let attributes = self.attributes.iter().map(|p| match &p.default {
            Some(default) => format!("{}: {} = {default}", p.name, p.kind),
            None => format!("{}: {}", p.name, p.kind),
        });
        let attributes: Vec<_> = attributes.collect();
        let semicolon = if attributes.is_empty() { "" } else { "; " };
        format!(
            "{}({}{semicolon}{})",
            self.name,
            operands.join(", "),
            attributes.join(", ")
        )
    }
}
