//! Functions without derivative: what they return does not move, or is a position.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::call::{
    Attrs, Call, Cotangents, Modes, Operand, Operation, Outline, Outputs, Parameter, Shadows,
    Signature, Tangents, Tape,
};
use crate::erase::OutlineFn;
use crate::error::OpError;
use crate::guard::guarded;
use crate::value::{Spec, Value};

/// A function without derivative.
pub(super) struct Plain {
    signature: Signature,
    outline: OutlineFn,
    value: fn(&[&Value], &Attrs) -> Result<Outputs, String>,
}

impl Plain {
    pub(super) fn operation(
        name: &'static str,
        operands: &[&'static str],
        attributes: Vec<Parameter>,
        outline: OutlineFn,
        value: fn(&[&Value], &Attrs) -> Result<Outputs, String>,
    ) -> Arc<dyn Operation> {
        let operands = operands.iter().map(|name| Operand {
            name: (*name).into(),
            dtypes: Vec::new(),
        });
        let signature = Signature {
            name: name.into(),
            operands: operands.collect(),
            variadic: false,
            attributes,
        };
        Arc::new(Self {
            signature,
            outline,
            value,
        })
    }
}

impl Operation for Plain {
    fn signature(&self) -> &Signature {
        &self.signature
    }
    fn outline(&self, x: &[Spec], attrs: &Attrs) -> Result<Outline, OpError> {
        self.signature.check(x)?;
        (self.outline)(&self.signature, x, attrs)
    }
    fn value(&self, x: &[&Value], attrs: &Attrs) -> Result<Outputs, OpError> {
        guarded(&self.signature.name, || (self.value)(x, attrs))?
            .map_err(|reason| OpError::failed(&self.signature.name, reason))
    }
    fn modes(&self) -> Modes {
        Modes::ALL
    }
    fn is_inactive(&self) -> bool {
        true
    }
    fn pushforward(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        call: &Call,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        let value = self.value(x, &call.attrs)?;
        let zeros: SmallVec<_> = value.iter().map(Value::zeros_like).collect();
        Ok((value, dx.iter().map(|_| zeros.clone()).collect()))
    }
    fn augmented(&self, x: &[&Value], call: &Call) -> Result<(Outputs, Tape), OpError> {
        Ok((self.value(x, &call.attrs)?, Box::new(())))
    }
    fn pullback(
        &self,
        _: &[&Value],
        _: Vec<Cotangents>,
        _: Tape,
        _: &mut [Shadows],
        _: &Call,
    ) -> Result<(), OpError> {
        Ok(())
    }
    fn pullback_tangent(
        &self,
        _: &[&Value],
        _: &Tangents<'_>,
        _: &Cotangents,
        _: &mut Shadows,
        _: &Call,
    ) -> Result<(), OpError> {
        Ok(())
    }
}
