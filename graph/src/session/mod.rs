//! The one way in which operations are called.
//!
//! ```text
//! validate ─▶ (adapt) ─▶ outline ─▶ cache ─▶ execute ─▶ verify ─▶ record
//!     └──────── hit ─────────────────▲
//! ```
//!
//! A session with an [`Adapter`] has a stage more.
//!
//! Each stage is an event of `tracing` (target `coenzyme_graph`, level `TRACE`) with the fields `stage` and `operation`.

mod adapter;
mod cache;

pub use adapter::{Adapter, Instead};
pub use cache::{Counters, Plan};

use std::sync::{Arc, LazyLock};

use smallvec::SmallVec;

use crate::registry::Registry;
use cache::{Cache, Question};
use coenzyme_operations::{
    Attrs, Call, Cotangents, Mask, Operation, Outputs, Shadows, Tangents, Tape,
};
use coenzyme_operations::{ErrorKind, OpError};
use coenzyme_operations::{Spec, Value};

/// One of the stages of a call.
macro_rules! stage {
    ($stage:literal, $operation:expr $(, $($field:tt)+)?) => {
        tracing::trace!(target: "coenzyme_graph", stage = $stage, operation = %$operation.signature().name $(, $($field)+)?)
    };
}

pub(crate) use stage;

/// What a call is beside its operands and attributes. All of it is in the key of the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// The operands through which derivatives flow.
    pub active: Mask,
    /// The operands that may be overwritten before the reverse pass.
    pub overwritten: Mask,
    /// The number of lanes.
    pub width: usize,
    /// How many axes in front are those of a batch.
    pub batch_dims: usize,
    /// Whether a zero seed gives a zero derivative also where a partial is infinite or NaN.
    pub strong_zero: bool,
}

impl Default for Options {
    /// A value: nothing is active.
    fn default() -> Self {
        Self {
            active: Mask::NONE,
            overwritten: Mask::NONE,
            width: 1,
            batch_dims: 0,
            strong_zero: false,
        }
    }
}

/// Value, and the cotangent of each operand that is active.
pub type WithGradients = (Outputs, Shadows);

/// A registry, and what is known of the calls that were made: a second call with the same types, shapes and attributes is neither
/// checked nor outlined again.
///
/// ```
/// use coenzyme_graph::{Session, Value, attrs};
///
/// let session = Session::default();
/// let x = Value::from(vec![1.0, 2.0]);
/// for _ in 0..3 {
///     session.call("core::exp", &[&x], &attrs! {})?;
/// }
/// let counters = session.counters();
/// assert_eq!((counters.misses, counters.hits), (1, 2));
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
pub struct Session {
    registry: Arc<Registry>,
    cache: Cache,
    verify: bool,
    adapter: Option<Box<dyn Adapter>>,
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session")
            .field("registry", &self.registry)
            .field("cache", &self.cache)
            .field("verify", &self.verify)
            .field("adapts", &self.adapter.is_some())
            .finish()
    }
}

impl Default for Session {
    /// Of the global registry.
    fn default() -> Self {
        Self::new(Arc::clone(Registry::global()))
    }
}

impl Session {
    /// Of a registry, with a cache of 1024 calls; verifies what operations return in builds with debug assertions.
    #[must_use]
    pub fn new(registry: Arc<Registry>) -> Self {
        Self {
            registry,
            cache: Cache::new(1024),
            verify: cfg!(debug_assertions),
            adapter: None,
        }
    }

    /// With something that chooses what runs in place of an operation: [`Autocast`](crate::Autocast), a device of yours. A session has one.
    #[must_use]
    pub fn adapting(mut self, adapter: impl Adapter + 'static) -> Self {
        self.adapter = Some(Box::new(adapter));
        self
    }

    /// With a cache of so many calls, at least one. The call that was not made for longest is forgotten.
    #[must_use]
    pub fn with_capacity(mut self, calls: usize) -> Self {
        self.cache = Cache::new(calls);
        self
    }

    /// Whether types and shapes of what operations return are compared with their outlines.
    #[must_use]
    pub fn verifying(mut self, verify: bool) -> Self {
        self.verify = verify;
        self
    }

    /// The session of the process, of the global registry.
    #[must_use]
    pub fn global() -> &'static Session {
        static GLOBAL: LazyLock<Session> = LazyLock::new(Session::default);
        &GLOBAL
    }

    /// The operations.
    #[must_use]
    pub fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    /// Hits and misses of the cache.
    #[must_use]
    pub fn counters(&self) -> Counters {
        self.cache.counters()
    }

    /// What is known of a call: its attributes with defaults, and its outline.
    ///
    /// # Errors
    /// If the operands, the attributes or the active operands are none that the operation takes.
    pub fn plan(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[&Value],
        attrs: &Attrs,
        options: &Options,
    ) -> Result<Arc<Plan>, OpError> {
        stage!("validate", operation);
        let signature = operation.signature();
        signature.check_count(x.len())?;
        let question = Question {
            operation,
            x,
            attrs,
            options,
        };
        let hash = question.hash();
        if let Some(plan) = self.cache.get(hash, &question) {
            stage!("cache", operation, hit = true);
            return Ok(plan);
        }
        let specs: SmallVec<[Spec; 4]> = x.iter().map(|x| x.spec()).collect();
        let plan = Arc::new(self.planned(operation, &specs, attrs, options)?);
        self.cache.put(hash, &question, specs, &plan);
        stage!("cache", operation, hit = false);
        Ok(plan)
    }

    /// The plan of a call whose operands are not there yet. It is not cached.
    pub(crate) fn planned(
        &self,
        operation: &Arc<dyn Operation>,
        specs: &[Spec],
        attrs: &Attrs,
        options: &Options,
    ) -> Result<Plan, OpError> {
        let instead = match &self.adapter {
            Some(adapter) => adapter.instead(operation, specs, attrs)?,
            None => None,
        };
        let (instead, attrs) = match instead {
            Some((instead, attrs)) => {
                stage!("adapt", operation, instead = %instead.signature().name);
                (Some(instead), attrs)
            }
            None => (None, attrs.clone()),
        };
        let operation = instead.as_ref().unwrap_or(operation);
        let signature = operation.signature();
        signature.check(specs)?;
        let attrs = signature.resolve(&attrs)?;
        for (i, spec) in specs.iter().enumerate() {
            if options.active.has(i) && options.active != Mask::ALL && !spec.dtype.is_float() {
                let (operand, dtype) = (signature.operand_name(i), spec.dtype);
                return Err(signature.error(ErrorKind::ActiveOnNonFloat { operand, dtype }));
            }
        }
        let outline = operation.outline(specs, &attrs)?;
        stage!("outline", operation);
        Ok(Plan {
            instead,
            attrs,
            outline,
        })
    }

    /// Calls an operation by name.
    ///
    /// # Errors
    /// If there is none, the call is none that it takes, or it fails.
    pub fn call(&self, name: &str, x: &[&Value], attrs: &Attrs) -> Result<Outputs, OpError> {
        self.run(&self.registry.get(name)?, x, attrs)
    }

    /// Calls an operation.
    ///
    /// # Errors
    /// If the call is none that it takes, or it fails.
    pub fn run(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[&Value],
        attrs: &Attrs,
    ) -> Result<Outputs, OpError> {
        let plan = self.plan(operation, x, attrs, &Options::default())?;
        let operation = plan.runs(operation);
        stage!("execute", operation);
        let y = operation.value(x, &plan.attrs)?;
        self.verified(operation, &plan, y)
    }

    /// Whether an operation has returned what its outline says.
    pub(crate) fn verified(
        &self,
        operation: &Arc<dyn Operation>,
        plan: &Plan,
        y: Outputs,
    ) -> Result<Outputs, OpError> {
        if self.verify {
            stage!("verify", operation);
            let declared = &plan.outline.outputs;
            let same = |(y, spec): (&Value, &Spec)| {
                y.dtype() == spec.dtype && y.shape() == &spec.shape[..]
            };
            if y.len() != declared.len() || !y.iter().zip(declared).all(same) {
                return Err(operation.signature().error(ErrorKind::SpecViolation {
                    declared: declared.to_vec(),
                    actual: y.iter().map(Value::spec).collect(),
                }));
            }
        }
        Ok(y)
    }

    /// The value and its tangents, from the tangent of each operand, `None` for those that are inactive.
    ///
    /// # Errors
    /// As [`run`](Self::run); if a tangent has not the type and shape of its operand, or there is no forward rule.
    pub fn pushforward(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[&Value],
        dx: &[Option<&Value>],
        attrs: &Attrs,
    ) -> Result<(Outputs, Outputs), OpError> {
        let signature = operation.signature();
        if dx.len() != x.len() {
            return Err(signature.error(ErrorKind::Seeds {
                of: "tangents",
                expected: x.len(),
                found: dx.len(),
            }));
        }
        let active = Mask::of(dx.iter().map(Option::is_some));
        let options = Options {
            active,
            ..Options::default()
        };
        let plan = self.plan(operation, x, attrs, &options)?;
        for (i, (x, dx)) in x.iter().zip(dx).enumerate() {
            if let Some(dx) = dx {
                let name = || signature.operand_name(i);
                fits(operation, name, x.dtype(), x.shape(), dx)?;
            }
        }
        let operation = plan.runs(operation);
        if !operation.modes().forward {
            return Err(operation.signature().error(ErrorKind::NoForward));
        }
        let call = Call::new(plan.attrs.clone()).with_active(active);
        let lane: Tangents<'_> = dx.iter().copied().collect();
        stage!("execute", operation);
        let (y, mut dy) = operation.pushforward(x, &[lane], &call)?;
        let y = self.verified(operation, &plan, y)?;
        let dy = dy.pop().unwrap_or_default();
        Ok((y, self.verified(operation, &plan, dy)?))
    }

    /// The first half of the reverse rule: the value, and what the second half needs. The operands that are active are those in
    /// `options`; numbers without derivative are none whatever it says of all.
    ///
    /// # Errors
    /// As [`run`](Self::run); if there is no reverse rule.
    pub fn augmented(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[&Value],
        attrs: &Attrs,
        options: &Options,
    ) -> Result<(Outputs, Pending), OpError> {
        let plan = self.plan(operation, x, attrs, options)?;
        let operation = plan.runs(operation);
        if !operation.modes().reverse {
            return Err(operation.signature().error(ErrorKind::NoReverse));
        }
        let floats = x.iter().enumerate();
        let active = Mask::of(floats.map(|(i, x)| options.active.has(i) && x.dtype().is_float()));
        let call = Call {
            attrs: plan.attrs.clone(),
            active,
            overwritten: options.overwritten,
            width: options.width,
            needs_value: true,
            strong_zero: options.strong_zero,
        };
        stage!("execute", operation);
        let (y, tape) = operation.augmented(x, &call)?;
        let y = self.verified(operation, &plan, y)?;
        let pending = Pending {
            operation: Arc::clone(plan.runs(operation)),
            x: x.iter().map(|x| (*x).clone()).collect(),
            plan,
            call,
            tape,
        };
        Ok((y, pending))
    }

    /// The value, and the cotangents of all operands that have derivatives, from those of the outputs; `None` stands for one at each
    /// entry.
    ///
    /// ```
    /// use coenzyme_graph::{Session, Value, attrs};
    ///
    /// let session = Session::global();
    /// let mul = session.registry().get("core::mul")?;
    /// let (x, y) = (Value::from(vec![1.0, 2.0]), Value::from(vec![3.0, 4.0]));
    /// let (value, gradients) = session.gradients(&mul, &[&x, &y], &attrs! {}, None)?;
    /// assert_eq!((&value[0], &gradients[0]), (&Value::from(vec![3.0, 8.0]), &Some(y.clone())));
    ///
    /// let seed = Value::from(vec![1.0]);
    /// let error = session.gradients(&mul, &[&x, &y], &attrs! {}, Some(&[Some(seed)])).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "operation 'core::mul': the seed of output 0 has the wrong shape: expected f64[2], got f64[1]"
    /// );
    /// # Ok::<(), coenzyme_graph::OpError>(())
    /// ```
    ///
    /// # Errors
    /// As [`run`](Self::run); if a seed has not the type and shape of its output, or there is no reverse rule.
    pub fn gradients(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[&Value],
        attrs: &Attrs,
        dy: Option<&[Option<Value>]>,
    ) -> Result<WithGradients, OpError> {
        let options = Options {
            active: Mask::ALL,
            ..Options::default()
        };
        self.gradients_with(operation, x, attrs, dy, &options)
    }

    /// [`gradients`](Self::gradients) of the operands that are active in `options`.
    ///
    /// # Errors
    /// As [`gradients`](Self::gradients).
    pub fn gradients_with(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[&Value],
        attrs: &Attrs,
        dy: Option<&[Option<Value>]>,
        options: &Options,
    ) -> Result<WithGradients, OpError> {
        let (y, pending) = self.augmented(operation, x, attrs, options)?;
        let dy: Cotangents = match dy {
            Some(dy) => dy.iter().cloned().collect(),
            None => y.iter().map(ones).collect(),
        };
        Ok((y, pending.gradients(dy)?))
    }
}

/// One at each entry; none for numbers without derivative.
pub(crate) fn ones(y: &Value) -> Option<Value> {
    y.dtype().is_float().then(|| Value::full(&y.spec(), 1.0))
}

/// Whether a seed has the type and shape of what it belongs to.
pub(crate) fn fits(
    operation: &Arc<dyn Operation>,
    of: impl FnOnce() -> String,
    dtype: coenzyme_operations::DType,
    shape: &[usize],
    seed: &Value,
) -> Result<(), OpError> {
    match seed.dtype() == dtype && seed.shape() == shape {
        true => Ok(()),
        false => Err(operation.signature().error(ErrorKind::Seed {
            of: of(),
            expected: Spec::new(dtype, shape),
            found: seed.spec(),
        })),
    }
}

/// A call between the halves of its reverse rule.
pub struct Pending {
    operation: Arc<dyn Operation>,
    x: SmallVec<[Value; 2]>,
    plan: Arc<Plan>,
    call: Call,
    tape: Tape,
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Pending")
            .field(&self.operation.signature().name)
            .finish()
    }
}

impl Pending {
    /// Zeros for the operands that are active.
    #[must_use]
    pub fn zeros(&self) -> Shadows {
        let x = self.x.iter().enumerate();
        x.map(|(i, x)| self.call.active.has(i).then(|| x.zeros_like()))
            .collect()
    }

    /// Adds to the shadows, which may hold what earlier calls added.
    ///
    /// # Errors
    /// If a seed or a shadow has not the type and the shape of its primal, or the rule fails; the shadows are as before.
    pub fn pullback(self, dy: Cotangents, dx: &mut Shadows) -> Result<(), OpError> {
        self.as_many("shadows", self.x.len(), dx.len())?;
        self.check_seeds(&dy)?;
        let signature = self.operation.signature();
        for (i, (x, dx)) in self.x.iter().zip(&*dx).enumerate() {
            if let Some(dx) = dx {
                let name = || signature.operand_name(i);
                fits(&self.operation, name, x.dtype(), x.shape(), dx)?;
            }
        }
        // a rule that fails half way has added to these, and not to the caller's
        let mut lanes = [dx.clone()];
        self.add(dy, &mut lanes)?;
        [*dx] = lanes;
        Ok(())
    }

    /// The cotangents of the active operands.
    fn gradients(self, dy: Cotangents) -> Result<Shadows, OpError> {
        self.check_seeds(&dy)?;
        let mut lanes = [self.zeros()];
        self.add(dy, &mut lanes)?;
        let [dx] = lanes;
        Ok(dx)
    }

    fn add(self, dy: Cotangents, lanes: &mut [Shadows; 1]) -> Result<(), OpError> {
        let x: SmallVec<[&Value; 4]> = self.x.iter().collect();
        self.operation
            .pullback(&x, vec![dy], self.tape, lanes, &self.call)
    }

    /// Whether there is a cotangent for each output, of its type and shape, and the call has one lane.
    fn check_seeds(&self, dy: &Cotangents) -> Result<(), OpError> {
        let outputs = &self.plan.outline.outputs;
        self.as_many("cotangents", outputs.len(), dy.len())?;
        self.as_many("lanes", self.call.width, 1)?;
        for (i, (spec, dy)) in outputs.iter().zip(dy).enumerate() {
            if let Some(dy) = dy {
                let name = || format!("output {i}");
                fits(&self.operation, name, spec.dtype, &spec.shape, dy)?;
            }
        }
        Ok(())
    }

    fn as_many(&self, of: &'static str, expected: usize, found: usize) -> Result<(), OpError> {
        match expected == found {
            true => Ok(()),
            false => Err(self.operation.signature().error(ErrorKind::Seeds {
                of,
                expected,
                found,
            })),
        }
    }
}

/// Calls an operation of the global registry.
///
/// ```
/// use coenzyme_graph::{Value, attrs, call};
///
/// let y = call("core::softmax", &[&Value::from(vec![0.0, 0.0])], &attrs! { axis: -1 })?;
/// assert_eq!(y[0], Value::from(vec![0.5, 0.5]));
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
///
/// # Errors
/// As [`Session::call`].
pub fn call(name: &str, x: &[&Value], attrs: &Attrs) -> Result<Outputs, OpError> {
    Session::global().call(name, x, attrs)
}
