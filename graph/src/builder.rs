//! Operations of closures.

use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use smallvec::SmallVec;

use coenzyme_operations::guarded;
use coenzyme_operations::{
    Attr, AttrKind, Attrs, Call, Cotangents, Mask, Modes, Operand, Operation, Outline, Outputs,
    Parameter, Shadows, Signature, Tangents, Tape,
};
use coenzyme_operations::{DType, Spec, Value};
use coenzyme_operations::{ErrorKind, OpError};

/// What the closures return; the text of an error stands behind the name of the operation.
pub type Said<T> = Result<T, String>;

type ValueFn = dyn Fn(&[&Value], &Attrs) -> Said<Vec<Value>> + Send + Sync;
type OutlineFn = dyn Fn(&[Spec], &Attrs) -> Said<Vec<Spec>> + Send + Sync;
type ValidateFn = dyn Fn(&[Spec], &Attrs) -> Said<()> + Send + Sync;
type PushforwardFn = dyn Fn(&[&Value], &[Option<&Value>], &Attrs) -> Said<Vec<Value>> + Send + Sync;
type Kept = Box<dyn Any + Send>;
type AugmentedFn = dyn Fn(&[&Value], &Attrs) -> Said<(Vec<Value>, Kept)> + Send + Sync;
type PullbackFn = dyn Fn(&Pull<'_>) -> Said<Vec<Option<Value>>> + Send + Sync;
type FlopsFn = dyn Fn(&[Spec]) -> f64 + Send + Sync;
type BatchFn = dyn Fn(&[usize], &Attrs) -> Option<Attrs> + Send + Sync;

/// What a pullback closure is given.
pub struct Pull<'a> {
    /// The operands.
    pub x: &'a [&'a Value],
    /// The outputs.
    pub y: &'a [Value],
    /// What the augmented closure kept; `()` without one.
    pub kept: &'a (dyn Any + Send),
    /// The cotangent of each output, `None` for zero.
    pub dy: &'a [Option<Value>],
    /// The operands whose cotangents are wanted.
    pub active: Mask,
    /// The attributes.
    pub attrs: &'a Attrs,
}

/// An operation of closures, made by [`Rule::builder`].
///
/// A closure for the value is all that there must be. Without one for a mode, calls of that mode are errors that say so; the
/// gradient never stops silently. The pullback is given operands, outputs and cotangents, so that it can be right; its value is one
/// cotangent for each operand.
///
/// ```
/// use coenzyme_graph::{Registry, Rule, Session, Value, attrs};
///
/// let swish = |x: f64| x / (1.0 + (-x).exp());
/// let slope = |x: f64| { let s = 1.0 / (1.0 + (-x).exp()); s + x * s * (1.0 - s) };
/// let rule = Rule::builder("user::swish", ["x"])
///     .value(move |x, _| Ok(vec![x[0].get::<f64>().unwrap().mapv(swish).into()]))
///     .pullback(move |pull| {
///         let (x, dy) = (pull.x[0].get::<f64>().unwrap(), pull.dy[0].as_ref().unwrap());
///         Ok(vec![Some((x.mapv(slope) * dy.get::<f64>().unwrap()).into())])
///     })
///     .build()?;
/// let session = Session::new(Registry::new().into());
/// let x = Value::from(vec![1.0, 2.0, -1.0]);
/// let (_, dx) = session.gradients(&rule, &[&x], &attrs! {}, None)?;
/// assert!((dx[0].as_ref().unwrap().entries::<f64>().unwrap()[0] - 0.927670511871).abs() < 1e-12);
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
pub struct Rule {
    signature: Signature,
    value: Box<ValueFn>,
    outline: Option<Box<OutlineFn>>,
    validate: Option<Box<ValidateFn>>,
    pushforward: Option<Box<PushforwardFn>>,
    augmented: Option<Box<AugmentedFn>>,
    pullback: Option<Box<PullbackFn>>,
    flops: Option<Box<FlopsFn>>,
    batched: Option<Box<BatchFn>>,
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.signature).finish()
    }
}

/// Collects the closures of a [`Rule`].
#[derive(Default)]
#[must_use]
pub struct RuleBuilder {
    signature: Signature,
    value: Option<Box<ValueFn>>,
    outline: Option<Box<OutlineFn>>,
    validate: Option<Box<ValidateFn>>,
    pushforward: Option<Box<PushforwardFn>>,
    augmented: Option<Box<AugmentedFn>>,
    pullback: Option<Box<PullbackFn>>,
    flops: Option<Box<FlopsFn>>,
    batched: Option<Box<BatchFn>>,
}

impl fmt::Debug for RuleBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RuleBuilder").field(&self.signature).finish()
    }
}

impl Rule {
    /// An operation of this name with operands of these names.
    pub fn builder<const N: usize>(
        name: impl Into<Cow<'static, str>>,
        operands: [&str; N],
    ) -> RuleBuilder {
        let operands = operands.into_iter().map(|name| Operand {
            name: Cow::Owned(name.into()),
            dtypes: Vec::new(),
        });
        RuleBuilder::named(name, operands.collect())
    }
}

impl RuleBuilder {
    /// An operation with operands whose number is not known at compile time.
    pub fn named(name: impl Into<Cow<'static, str>>, operands: Vec<Operand>) -> Self {
        Self {
            signature: Signature {
                name: name.into(),
                operands,
                ..Signature::default()
            },
            ..Self::default()
        }
    }

    /// With an attribute; `default` is its value where none is given.
    pub fn attribute(mut self, name: &str, kind: AttrKind, default: Option<Attr>) -> Self {
        self.signature.attributes.push(Parameter {
            name: Cow::Owned(name.into()),
            kind,
            default,
        });
        self
    }

    /// The types of numbers that the operands may have; any, unless it is said.
    pub fn dtypes(mut self, dtypes: &[DType]) -> Self {
        for operand in &mut self.signature.operands {
            operand.dtypes = dtypes.to_vec();
        }
        self
    }

    /// The last operand may be repeated.
    pub fn variadic(mut self) -> Self {
        self.signature.variadic = true;
        self
    }

    /// The function.
    pub fn value(
        mut self,
        f: impl Fn(&[&Value], &Attrs) -> Said<Vec<Value>> + Send + Sync + 'static,
    ) -> Self {
        self.value = Some(Box::new(f));
        self
    }

    /// The types and shapes of the outputs: that of the first operand, unless it is said.
    pub fn outline(
        mut self,
        f: impl Fn(&[Spec], &Attrs) -> Said<Vec<Spec>> + Send + Sync + 'static,
    ) -> Self {
        self.outline = Some(Box::new(f));
        self
    }

    /// What operands must be beyond their number and types.
    pub fn validate(
        mut self,
        f: impl Fn(&[Spec], &Attrs) -> Said<()> + Send + Sync + 'static,
    ) -> Self {
        self.validate = Some(Box::new(f));
        self
    }

    /// The tangents of the outputs, from those of the operands, `None` for those that are inactive.
    pub fn pushforward(
        mut self,
        f: impl Fn(&[&Value], &[Option<&Value>], &Attrs) -> Said<Vec<Value>> + Send + Sync + 'static,
    ) -> Self {
        self.pushforward = Some(Box::new(f));
        self
    }

    /// The function, and something that it keeps for the pullback.
    pub fn augmented(
        mut self,
        f: impl Fn(&[&Value], &Attrs) -> Said<(Vec<Value>, Kept)> + Send + Sync + 'static,
    ) -> Self {
        self.augmented = Some(Box::new(f));
        self
    }

    /// The cotangents of the operands, from those of the outputs.
    pub fn pullback(
        mut self,
        f: impl Fn(&Pull<'_>) -> Said<Vec<Option<Value>>> + Send + Sync + 'static,
    ) -> Self {
        self.pullback = Some(Box::new(f));
        self
    }

    /// An estimate of the operations: one for each entry of the outputs, unless it is said.
    pub fn flops(mut self, f: impl Fn(&[Spec]) -> f64 + Send + Sync + 'static) -> Self {
        self.flops = Some(Box::new(f));
        self
    }

    /// The attributes of the call with further axes in front.
    pub fn batched(
        mut self,
        f: impl Fn(&[usize], &Attrs) -> Option<Attrs> + Send + Sync + 'static,
    ) -> Self {
        self.batched = Some(Box::new(f));
        self
    }

    /// The operation.
    ///
    /// # Errors
    /// If there is no function, or a closure keeps something and no pullback reads it.
    pub fn build(self) -> Result<Arc<dyn Operation>, OpError> {
        let invalid =
            |reason: &str| Err(self.signature.error(ErrorKind::Invalid(reason.to_string())));
        if self.augmented.is_some() && self.pullback.is_none() {
            return invalid("an augmented function without a pullback");
        }
        if self.value.is_none() {
            return invalid("primal function is required");
        }
        Ok(Arc::new(Rule {
            signature: self.signature,
            value: self.value.expect("looked at above"),
            outline: self.outline,
            validate: self.validate,
            pushforward: self.pushforward,
            augmented: self.augmented,
            pullback: self.pullback,
            flops: self.flops,
            batched: self.batched,
        }))
    }
}

/// What the tape of a rule of closures holds.
struct Left {
    /// The operands that may be overwritten.
    x: SmallVec<[Option<Value>; 2]>,
    y: Outputs,
    kept: Kept,
}

/// Whether anything flows from a seed: with strong zeros, nothing flows from one that is zero in all its entries.
fn flows(seed: &Value, call: &Call) -> bool {
    !call.strong_zero || seed.inner(seed) != 0.0
}

impl Rule {
    fn run<U>(&self, f: impl FnOnce() -> Said<U>) -> Result<U, OpError> {
        let name = &self.signature.name;
        guarded(name, f)?.map_err(|reason| OpError::failed(name, reason))
    }

    /// What a pullback returned, added to the shadows.
    fn add(
        &self,
        x: &[&Value],
        cotangents: Vec<Option<Value>>,
        dx: &mut Shadows,
    ) -> Result<(), OpError> {
        let mut cotangents = cotangents.into_iter();
        for (i, (x, dx)) in x.iter().zip(dx.iter_mut()).enumerate() {
            let given = cotangents.next().flatten();
            let Some(dx) = dx else { continue };
            let name = self.signature.operand_name(i);
            let given = given.ok_or_else(|| {
                self.signature
                    .error(ErrorKind::MissingCotangent(name.clone()))
            })?;
            if given.spec() != x.spec() {
                return Err(self.signature.error(ErrorKind::Seed {
                    of: name,
                    expected: x.spec(),
                    found: given.spec(),
                }));
            }
            dx.accumulate(&given);
        }
        Ok(())
    }
}

impl Operation for Rule {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn outline(&self, x: &[Spec], attrs: &Attrs) -> Result<Outline, OpError> {
        self.signature.check(x)?;
        let misfit = |reason: String| self.signature.misfit(x, attrs, reason);
        if let Some(validate) = &self.validate {
            self.run(|| Ok(validate(x, attrs)))?.map_err(misfit)?;
        }
        let outputs = match &self.outline {
            Some(outline) => self.run(|| Ok(outline(x, attrs)))?.map_err(misfit)?,
            None => x.first().cloned().into_iter().collect(),
        };
        let flops = match &self.flops {
            Some(flops) => flops(x),
            None => outputs.iter().map(|y| y.entries() as f64).sum(),
        };
        Ok(Outline::of(x, outputs.into(), flops))
    }

    fn value(&self, x: &[&Value], attrs: &Attrs) -> Result<Outputs, OpError> {
        Ok(self.run(|| (self.value)(x, attrs))?.into())
    }

    fn modes(&self) -> Modes {
        Modes {
            forward: self.pushforward.is_some(),
            reverse: self.pullback.is_some(),
            second: false,
        }
    }

    fn pushforward(
        &self,
        x: &[&Value],
        dx: &[Tangents<'_>],
        call: &Call,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        let Some(pushforward) = &self.pushforward else {
            return Err(self.signature.error(ErrorKind::NoForward));
        };
        let y = self.value(x, &call.attrs)?;
        let tangents = dx.iter().map(|dx| {
            let dx: Tangents<'_> = dx
                .iter()
                .map(|dx| dx.filter(|dx| flows(dx, call)))
                .collect();
            if dx.iter().all(Option::is_none) {
                return Ok(y.iter().map(Value::zeros_like).collect());
            }
            let dy = self.run(|| pushforward(x, &dx, &call.attrs))?;
            Ok(Outputs::from(dy))
        });
        let tangents = tangents.collect::<Result<_, OpError>>()?;
        Ok((y, tangents))
    }

    fn augmented(&self, x: &[&Value], call: &Call) -> Result<(Outputs, Tape), OpError> {
        if self.pullback.is_none() {
            return Err(self.signature.error(ErrorKind::NoReverse));
        }
        let (y, kept) = match &self.augmented {
            Some(augmented) => self.run(|| augmented(x, &call.attrs))?,
            None => (
                self.run(|| (self.value)(x, &call.attrs))?,
                Box::new(()) as Kept,
            ),
        };
        let y = Outputs::from(y);
        let copied = |(i, x): (usize, &&Value)| call.overwritten.has(i).then(|| (*x).clone());
        let x = x.iter().enumerate().map(copied).collect();
        let left = Left {
            x,
            y: y.clone(),
            kept,
        };
        Ok((y, Box::new(left)))
    }

    fn pullback(
        &self,
        x: &[&Value],
        dy: Vec<Cotangents>,
        tape: Tape,
        dx: &mut [Shadows],
        call: &Call,
    ) -> Result<(), OpError> {
        let Some(pullback) = &self.pullback else {
            return Err(self.signature.error(ErrorKind::NoReverse));
        };
        let left = tape
            .downcast::<Left>()
            .map_err(|_| self.signature.error(ErrorKind::ForeignTape))?;
        let x: SmallVec<[&Value; 4]> = x
            .iter()
            .zip(&left.x)
            .map(|(x, copy)| copy.as_ref().unwrap_or(x))
            .collect();
        for (dy, dx) in dy.iter().zip(dx) {
            if !dy.iter().flatten().any(|dy| flows(dy, call)) {
                continue;
            }
            let pull = Pull {
                x: &x,
                y: &left.y,
                kept: &*left.kept,
                dy,
                active: call.active,
                attrs: &call.attrs,
            };
            let cotangents = self.run(|| pullback(&pull))?;
            self.add(&x, cotangents, dx)?;
        }
        Ok(())
    }

    fn batched(&self, batch: &[usize], attrs: &Attrs) -> Option<Attrs> {
        self.batched.as_ref()?(batch, attrs)
    }
}
