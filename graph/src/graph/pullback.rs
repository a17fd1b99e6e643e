//! The reverse rule of an operation, as an operation.
//!
//! Of `y = f(x)` it is `(x, ȳ) ↦ J(x)ᵀ·ȳ`. It is linear in `ȳ`, with transpose `J(x)`: the pushforward of `f`. Its derivative in `x`, along
//! `ẋ`, is the second derivative of `f`; that is symmetric, so its transpose is itself: the derivative of the pullback along what comes back.

use std::any::Any;
use std::sync::Arc;

use coenzyme_operations::{
    Attrs, Call, Cotangents, ErrorKind, Mask, Modes, OpError, Operand, Operation, Outline, Outputs,
    Shadows, Signature, Spec, Tangents, Tape, Value,
};
use smallvec::SmallVec;

/// The reverse rule of `of`.
pub(crate) struct Pullback {
    pub(crate) of: Arc<dyn Operation>,
    /// How many operands `of` is called with.
    pub(crate) operands: usize,
    /// How many outputs it has.
    pub(crate) outputs: usize,
    /// The operands whose cotangents are returned.
    pub(crate) active: Mask,
    /// The outputs whose cotangents are given.
    pub(crate) seeded: Mask,
    signature: Signature,
}

/// How often derivatives were taken: beyond the second there is none.
fn depth(of: &Arc<dyn Operation>) -> usize {
    let inner = of.as_any().and_then(|any| any.downcast_ref::<Pullback>());
    inner.map_or(0, |inner| 1 + depth(&inner.of))
}

impl Pullback {
    pub(crate) fn new(
        of: &Arc<dyn Operation>,
        operands: usize,
        outputs: usize,
        active: Mask,
        seeded: Mask,
    ) -> Self {
        let inner = of.signature();
        let named = |name: String| Operand {
            name: name.into(),
            dtypes: Vec::new(),
        };
        let x = (0..operands).map(|i| named(inner.operand_name(i)));
        let dy = (0..outputs).filter(|k| seeded.has(*k));
        let dy = dy.map(|k| named(format!("cotangent of output {k}")));
        let signature = Signature {
            name: format!("{}.pullback", inner.name).into(),
            operands: x.chain(dy).collect(),
            variadic: false,
            attributes: inner.attributes.clone(),
        };
        Self {
            of: Arc::clone(of),
            operands,
            outputs,
            active,
            seeded,
            signature,
        }
    }

    fn wanted(&self) -> impl Iterator<Item = usize> {
        let active = self.active;
        (0..self.operands).filter(move |i| active.has(*i))
    }

    /// The cotangents of all outputs, of those that are given.
    fn whole<'a>(&self, given: impl IntoIterator<Item = Option<&'a Value>>) -> Cotangents {
        let mut given = given.into_iter();
        let next = |k: usize| match self.seeded.has(k) {
            true => given.next().flatten().cloned(),
            false => None,
        };
        (0..self.outputs).map(next).collect()
    }

    fn call(&self, attrs: &Attrs) -> Call {
        Call {
            needs_value: false,
            ..Call::new(attrs.clone()).with_active(self.active)
        }
    }

    fn zeros(&self, x: &[&Value]) -> Shadows {
        let x = x.iter().enumerate();
        x.map(|(i, x)| self.active.has(i).then(|| x.zeros_like()))
            .collect()
    }

    /// `J(x)ᵀ·ȳ`
    fn pulled(&self, x: &[&Value], dy: Cotangents, attrs: &Attrs) -> Result<Shadows, OpError> {
        let call = self.call(attrs);
        let mut dx = [self.zeros(x)];
        if dy.iter().any(Option::is_some) {
            let (_, tape) = self.of.augmented(x, &call)?;
            self.of.pullback(x, vec![dy], tape, &mut dx, &call)?;
        }
        let [dx] = dx;
        Ok(dx)
    }

    fn returned(&self, dx: Shadows) -> Outputs {
        dx.into_iter().flatten().collect()
    }
}

impl Operation for Pullback {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn outline(&self, x: &[Spec], attrs: &Attrs) -> Result<Outline, OpError> {
        self.signature.check(x)?;
        let (operands, dy) = x.split_at(self.operands);
        let inner = self.of.outline(operands, attrs)?;
        let outputs = inner.outputs.iter().enumerate();
        let expected = outputs.filter(|(k, _)| self.seeded.has(*k)).map(|(_, y)| y);
        if inner.outputs.len() != self.outputs || !expected.eq(dy) {
            return Err(self.signature.misfit(
                x,
                attrs,
                "the cotangents are not those of the outputs",
            ));
        }
        if let Some(i) = self.wanted().find(|i| !operands[*i].dtype.is_float()) {
            let (operand, dtype) = (self.signature.operand_name(i), operands[i].dtype);
            return Err(self
                .signature
                .error(ErrorKind::ActiveOnNonFloat { operand, dtype }));
        }
        let returned: SmallVec<[Spec; 1]> = self.wanted().map(|i| operands[i].clone()).collect();
        Ok(Outline::of(x, returned, 2.0 * inner.flops))
    }

    fn value(&self, x: &[&Value], attrs: &Attrs) -> Result<Outputs, OpError> {
        let (x, dy) = x.split_at(self.operands);
        let dy = self.whole(dy.iter().map(|dy| Some(*dy)));
        Ok(self.returned(self.pulled(x, dy, attrs)?))
    }

    fn modes(&self) -> Modes {
        let inner = self.of.modes();
        let differentiable = inner.second && inner.forward;
        Modes {
            forward: inner.second,
            reverse: differentiable,
            second: false,
        }
    }

    /// `J(x)ᵀ·ȳ'` and the derivative of `J(x)ᵀ·ȳ` along `ẋ`.
    fn pushforward(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        call: &Call,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        if depth(&self.of) > 0 {
            return Err(self.signature.error(ErrorKind::NoForward));
        }
        let value = self.value(x, &call.attrs)?;
        let (x, dy) = x.split_at(self.operands);
        let dy = self.whole(dy.iter().map(|dy| Some(*dy)));
        let tangent = |lane: &Tangents<'_>| {
            let (tx, tdy) = lane.split_at(self.operands);
            let tdy = self.whole(tdy.iter().copied());
            let mut sum = self.pulled(x, tdy, &call.attrs)?;
            if tx.iter().any(Option::is_some) {
                let tx = tx.iter().copied().collect();
                let told = self.call(&call.attrs);
                self.of.pullback_tangent(x, &tx, &dy, &mut sum, &told)?;
            }
            Ok(self.returned(sum))
        };
        let tangents = dx.iter().map(tangent).collect::<Result<_, OpError>>()?;
        Ok((value, tangents))
    }

    fn augmented(&self, x: &[&Value], call: &Call) -> Result<(Outputs, Tape), OpError> {
        if depth(&self.of) > 0 || !self.modes().reverse {
            return Err(self.signature.error(ErrorKind::NoReverse));
        }
        Ok((self.value(x, &call.attrs)?, Box::new(())))
    }

    fn pullback(
        &self,
        x: &[&Value],
        back: Vec<Cotangents>,
        _: Tape,
        dx: &mut [Shadows],
        call: &Call,
    ) -> Result<(), OpError> {
        let (x, dy) = x.split_at(self.operands);
        let dy = self.whole(dy.iter().map(|dy| Some(*dy)));
        for (back, dx) in back.into_iter().zip(dx) {
            // what comes back for the cotangent of each active operand is a direction of that operand
            let mut back = back.into_iter();
            let direction = |i: usize| match self.active.has(i) {
                true => back.next().flatten(),
                false => None,
            };
            let directions: Vec<Option<Value>> = (0..self.operands).map(direction).collect();
            let tx: Tangents<'_> = directions.iter().map(Option::as_ref).collect();
            if tx.iter().all(Option::is_none) {
                continue;
            }
            let (in_x, in_dy) = dx.split_at_mut(self.operands);
            if in_dy.iter().any(Option::is_some) {
                let moving = Mask::of(tx.iter().map(Option::is_some));
                let told = Call::new(call.attrs.clone()).with_active(moving);
                let (_, mut pushed) = self.of.pushforward(x, std::slice::from_ref(&tx), &told)?;
                let pushed = pushed.pop().unwrap_or_default().into_iter().enumerate();
                let pushed = pushed.filter(|(k, _)| self.seeded.has(*k));
                for (dy, (_, more)) in in_dy.iter_mut().zip(pushed) {
                    if let Some(dy) = dy {
                        dy.accumulate(&more);
                    }
                }
            }
            if in_x.iter().any(Option::is_some) {
                let mut second: Shadows = in_x.iter_mut().map(Option::take).collect();
                let asked = Mask::of(second.iter().map(Option::is_some));
                let told = Call {
                    needs_value: false,
                    ..Call::new(call.attrs.clone()).with_active(asked)
                };
                let done = self.of.pullback_tangent(x, &tx, &dy, &mut second, &told);
                for (place, sum) in in_x.iter_mut().zip(second) {
                    *place = sum;
                }
                done?;
            }
        }
        Ok(())
    }

    fn batched(&self, _: &[usize], _: &Attrs) -> Option<Attrs> {
        None
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
