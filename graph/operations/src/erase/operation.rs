//! What erased rules have in common.

use std::sync::Arc;

use super::{Attribute, Failure, Given, Operand, ReverseTable, Table};
use crate::call::{
    Attr, Attrs, Call, Cotangents, Modes, Operation, Outline, Outputs, Shadows, Signature,
    Tangents, Tape,
};
use crate::error::{ErrorKind, OpError};
use crate::guard::guarded;
use crate::value::{DType, Spec, Value};

/// What tells the outline of a call.
pub type OutlineFn = fn(&Signature, &[Spec], &Attrs) -> Result<Outline, OpError>;
/// What tells the attributes of a call with further axes in front.
pub type BatchFn = fn(&[usize], &Attrs) -> Attrs;

/// The derivative of a reverse rule.
#[derive(Clone, Copy, Debug)]
pub enum Second {
    /// Not known.
    Missing,
    /// Zero: the function is linear.
    Zero,
    /// The reverse rule on dual numbers.
    Rule(ReverseTable),
}

/// The parts of an [`Erased`] rule, for [`operation!`](crate::operation).
#[derive(Debug)]
pub struct Traits {
    signature: Signature,
    ranks: Vec<Option<usize>>,
    outline: OutlineFn,
    /// The rule for `f64`.
    pub f64: Option<Table>,
    /// The rule for `f32`.
    pub f32: Option<Table>,
    /// The derivative of the reverse rule.
    pub second: Second,
    /// How attributes change with further axes.
    pub batch: Option<BatchFn>,
    /// See [`Operation::is_entrywise`].
    pub entrywise: bool,
}

impl Traits {
    /// Without operands.
    #[must_use]
    pub fn new(name: &'static str, outline: OutlineFn) -> Self {
        let signature = Signature {
            name: name.into(),
            ..Signature::default()
        };
        Self {
            signature,
            ranks: Vec::new(),
            outline,
            f64: None,
            f32: None,
            second: Second::Missing,
            batch: None,
            entrywise: false,
        }
    }

    /// With one more operand.
    pub fn operand<X: Operand + ?Sized>(&mut self, name: &'static str) {
        self.signature.operands.push(crate::call::Operand {
            name: name.into(),
            dtypes: vec![X::DTYPE],
        });
        self.ranks.push(X::RANK);
    }

    /// The last operand may be repeated.
    pub fn variadic(&mut self) {
        self.signature.variadic = true;
    }

    /// With one more attribute.
    pub fn attribute<A: Attribute>(&mut self, name: &'static str, default: Option<Attr>) {
        self.signature
            .attributes
            .extend(A::parameters(name, default));
    }

    /// The operation.
    #[must_use]
    pub fn finish(mut self) -> Arc<dyn Operation> {
        let numbers = [(self.f64, DType::F64), (self.f32, DType::F32)];
        let numbers = numbers
            .iter()
            .filter(|(table, _)| table.is_some())
            .map(|(_, t)| *t);
        let numbers: Vec<_> = numbers.collect();
        for operand in &mut self.signature.operands {
            if operand.dtypes == [DType::F64] {
                operand.dtypes.clone_from(&numbers);
            }
        }
        Arc::new(Erased(self))
    }
}

/// A static rule whose types are erased.
#[derive(Debug)]
pub struct Erased(Traits);

impl Erased {
    fn table(&self, x: &[&Value]) -> Result<&Table, OpError> {
        let single = x.iter().any(|x| x.dtype() == DType::F32);
        let table = if single { &self.0.f32 } else { &self.0.f64 };
        table.as_ref().ok_or_else(|| {
            let operands = &self.0.signature.operands;
            self.signature().error(ErrorKind::DType {
                operand: self.signature().operand_name(0),
                expected: operands.first().map_or(Vec::new(), |x| x.dtypes.clone()),
                found: x.first().map_or(Spec::f64(&[]), |x| x.spec()),
            })
        })
    }

    fn explain(&self, x: &[&Value], call: &Call, failure: Failure) -> OpError {
        let specs: Vec<_> = x.iter().map(|x| x.spec()).collect();
        match failure {
            Failure::Operand(i) if i < x.len() => self.signature().misfit(
                &specs,
                &call.attrs,
                format!(
                    "{} has the wrong type or rank",
                    self.signature().operand_name(i)
                ),
            ),
            Failure::Operand(_) => self.signature().error(ErrorKind::Operands {
                expected: self.signature().operands.len(),
                found: x.len(),
            }),
            Failure::Attribute(name, reason) => self.signature().bad_attribute(name, reason),
            Failure::Tape => self.signature().error(ErrorKind::ForeignTape),
            Failure::Failed(reason) => OpError::failed(&self.signature().name, reason),
        }
    }

    /// Runs one of the functions of the table; what it says, and also that it panics, becomes an error of this operation.
    fn run<U>(
        &self,
        x: &[&Value],
        call: &Call,
        f: impl FnOnce(&Table) -> Result<U, Failure>,
    ) -> Result<U, OpError> {
        let table = self.table(x)?;
        guarded(&self.signature().name, || f(table))?
            .map_err(|failure| self.explain(x, call, failure))
    }
}

/// Operands that do not move.
fn still<'a>(x: &[&'a Value]) -> smallvec::SmallVec<[Given<'a>; 4]> {
    let given = |value: &&'a Value| Given {
        value,
        tangent: None,
    };
    x.iter().map(given).collect()
}

impl Operation for Erased {
    fn signature(&self) -> &Signature {
        &self.0.signature
    }

    fn outline(&self, x: &[Spec], attrs: &Attrs) -> Result<Outline, OpError> {
        let signature = self.signature();
        signature.check(x)?;
        let floats = x.iter().enumerate().filter(|(_, x)| x.dtype.is_float());
        let mut real = floats.filter(|(_, x)| x.dtype != DType::Complex);
        if let Some((_, first)) = real.next()
            && let Some((i, other)) = real.find(|(_, x)| x.dtype != first.dtype)
        {
            let kind = ErrorKind::DType {
                operand: signature.operand_name(i),
                expected: vec![first.dtype],
                found: other.clone(),
            };
            let help = "all numbers of a call have one type: convert with 'core::cast'";
            return Err(signature.error(kind).with_help(Some(help.into())));
        }
        for (i, (spec, rank)) in x.iter().zip(&self.0.ranks).enumerate() {
            if let Some(rank) = rank.filter(|rank| *rank != spec.rank()) {
                let name = signature.operand_name(i);
                let reason = format!("{name} has rank {}, expected {rank}", spec.rank());
                return Err(signature.misfit(x, attrs, reason));
            }
        }
        (self.0.outline)(signature, x, attrs)
    }

    fn value(&self, x: &[&Value], attrs: &Attrs) -> Result<Outputs, OpError> {
        let call = Call::new(attrs.clone()).with_active(crate::call::Mask::NONE);
        let given = still(x);
        let (outputs, _) = self.run(x, &call, |table| (table.reverse.augmented)(&given, &call))?;
        Ok(outputs)
    }

    fn is_entrywise(&self) -> bool {
        self.0.entrywise
    }

    fn modes(&self) -> Modes {
        Modes {
            second: !matches!(self.0.second, Second::Missing),
            ..Modes::ALL
        }
    }

    fn pushforward(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        call: &Call,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        let given = still(x);
        let mut value = Outputs::new();
        let mut tangents = Vec::with_capacity(dx.len());
        for lane in dx {
            let (y, dy) = self.run(x, call, |table| (table.forward)(&given, lane, call))?;
            value = y;
            tangents.push(dy);
        }
        Ok((value, tangents))
    }

    /// A rule is erased for one lane: the first half runs once for each.
    fn augmented(&self, x: &[&Value], call: &Call) -> Result<(Outputs, Tape), OpError> {
        let given = still(x);
        let once = || self.run(x, call, |table| (table.reverse.augmented)(&given, call));
        let (outputs, tape) = once()?;
        if call.width == 1 {
            return Ok((outputs, tape));
        }
        let rest = (1..call.width).map(|_| once().map(|(_, tape)| tape));
        let tapes: Vec<Tape> = std::iter::once(Ok(tape))
            .chain(rest)
            .collect::<Result<_, _>>()?;
        Ok((outputs, Box::new(tapes)))
    }

    fn pullback(
        &self,
        x: &[&Value],
        dy: Vec<Cotangents>,
        tape: Tape,
        dx: &mut [Shadows],
        call: &Call,
    ) -> Result<(), OpError> {
        let given = still(x);
        if call.width == 1 {
            let (dy, dx) = (dy.into_iter().next(), dx.first_mut());
            return match dy.zip(dx) {
                Some((dy, dx)) => self.pull_lane(x, &given, dy, tape, dx, call),
                None => Ok(()),
            };
        }
        let tapes = tape
            .downcast::<Vec<Tape>>()
            .map_err(|_| self.signature().error(ErrorKind::ForeignTape))?;
        for ((dy, tape), dx) in dy.into_iter().zip(*tapes).zip(dx) {
            self.pull_lane(x, &given, dy, tape, dx, call)?;
        }
        Ok(())
    }

    fn pullback_tangent(
        &self,
        x: &[&Value],
        tx: &Tangents<'_>,
        dy: &Cotangents,
        dx: &mut Shadows,
        call: &Call,
    ) -> Result<(), OpError> {
        let table = match &self.0.second {
            Second::Missing => return Err(self.signature().error(ErrorKind::NoSecond)),
            Second::Zero => return Ok(()),
            Second::Rule(table) => table,
        };
        if let Some(single) = x.iter().find(|x| x.dtype() == DType::F32) {
            let help = format!(
                "the derivative of a reverse rule is computed in f64, not {}",
                single.spec()
            );
            return Err(self
                .signature()
                .error(ErrorKind::NoSecond)
                .with_help(Some(help)));
        }
        let Some(dy) = self.whole(x, dy.clone(), call)? else {
            return Ok(());
        };
        let given = x.iter().zip(tx);
        let given: Vec<_> = given
            .map(|(value, tangent)| Given {
                value,
                tangent: *tangent,
            })
            .collect();
        let call = &Call {
            needs_value: false,
            ..call.clone()
        };
        self.run(x, call, |_| {
            let (_, tape) = (table.augmented)(&given, call)?;
            (table.reverse)(&given, dy, tape, dx, call)
        })
    }

    fn batched(&self, batch: &[usize], attrs: &Attrs) -> Option<Attrs> {
        self.0.batch.map(|f| f(batch, attrs))
    }
}

impl Erased {
    fn pull_lane(
        &self,
        x: &[&Value],
        given: &[Given<'_>],
        dy: Cotangents,
        tape: Tape,
        dx: &mut Shadows,
        call: &Call,
    ) -> Result<(), OpError> {
        match self.whole(x, dy, call)? {
            Some(dy) => self.run(x, call, |table| {
                (table.reverse.reverse)(given, dy, tape, dx, call)
            }),
            None => Ok(()),
        }
    }

    /// The cotangents, with zeros for those that are none; `None` if all are zero.
    fn whole(&self, x: &[&Value], dy: Cotangents, call: &Call) -> Result<Option<Outputs>, OpError> {
        if dy.iter().all(Option::is_none) {
            return Ok(None);
        }
        if dy.iter().all(Option::is_some) {
            return Ok(Some(dy.into_iter().flatten().collect()));
        }
        let specs: Vec<_> = x.iter().map(|x| x.spec()).collect();
        let outline = self.outline(&specs, &call.attrs)?;
        let whole = dy.into_iter().zip(&outline.outputs);
        Ok(Some(
            whole
                .map(|(dy, spec)| dy.unwrap_or_else(|| Value::zeros(spec)))
                .collect(),
        ))
    }
}
