//! Arrays that are fitted: in groups, with the gradients that have arrived for them.

use coenzyme_operations::{ErrorKind, OpError, Operation, Outputs, Value};

use crate::clipping::{clip_norm, clip_value};
use crate::graph::Graph;

/// Arrays by name, in groups, each with the sum of the gradients that have arrived since it was last cleared.
///
/// The operands of a graph that have the name of a parameter are that parameter; the others are given with each call. Gradients of several calls, of
/// one graph or of many, are summed; a group that is not active has none, and nothing is computed for it.
///
/// ```
/// use coenzyme_graph::{Graph, Parameters, Session, Spec, Value, attrs};
///
/// // (w·x + b − y)²
/// let number = || Spec::f64(&[]);
/// let operands = [("w", number()), ("b", number()), ("x", number()), ("y", number())];
/// let loss = Graph::record(Session::global(), "user::loss", &operands, |g, v| {
///     let line = g.call("core::mul", &[&v[0], &v[2]], &attrs! {})?;
///     let line = g.call("core::add", &[&line, &v[1]], &attrs! {})?;
///     let off = g.call("core::sub", &[&line, &v[3]], &attrs! {})?;
///     Ok(vec![g.call("core::mul", &[&off, &off], &attrs! {})?])
/// })?;
///
/// let mut fit = Parameters::new();
/// fit.insert("slopes", "w", Value::number(0.0));
/// fit.insert("offsets", "b", Value::number(0.0));
/// for _ in 0..200 {
///     for (x, y) in [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)] {
///         fit.accumulate(&loss, &[("x", &Value::number(x)), ("y", &Value::number(y))])?;
///     }
///     let mut all = fit.all();
///     all.clip_norm(10.0);
///     all.descend(0.1);
///     all.clear();
/// }
/// let fitted = |name| fit.value(name).and_then(Value::to_number::<f64>).unwrap();
/// assert!((fitted("w") - 2.0).abs() < 1e-6 && (fitted("b") - 1.0).abs() < 1e-6);
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Parameters(Vec<Parameter>);

#[derive(Clone, Debug)]
struct Parameter {
    group: String,
    name: String,
    value: Value,
    /// What has arrived, if anything has.
    gradient: Option<Value>,
    active: bool,
}

impl Parameters {
    /// None yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an array, active and without gradient, and returns the one that had the name before. An array of numbers without derivative is held too;
    /// no gradient arrives for it.
    pub fn insert(&mut self, group: &str, name: &str, value: Value) -> Option<Value> {
        let parameter = Parameter {
            group: group.into(),
            name: name.into(),
            value,
            gradient: None,
            active: true,
        };
        match self.0.iter_mut().find(|old| old.name == name) {
            Some(old) => Some(std::mem::replace(old, parameter).value),
            None => {
                self.0.push(parameter);
                None
            }
        }
    }

    fn get(&self, name: &str) -> Option<&Parameter> {
        self.0.iter().find(|p| p.name == name)
    }

    /// An array by name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.get(name).map(|p| &p.value)
    }

    /// The sum of the gradients that have arrived for it; `None` also if none has.
    #[must_use]
    pub fn gradient(&self, name: &str) -> Option<&Value> {
        self.get(name)?.gradient.as_ref()
    }

    /// The names of group and array, in the order in which they came.
    pub fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|p| (&*p.group, &*p.name))
    }

    /// All of them, as one group.
    pub fn all(&mut self) -> Group<'_> {
        Group(self.0.iter_mut().collect())
    }

    /// Those of a group; `None` if there are none.
    pub fn group(&mut self, name: &str) -> Option<Group<'_>> {
        let members: Vec<_> = self.0.iter_mut().filter(|p| p.group == name).collect();
        (!members.is_empty()).then_some(Group(members))
    }

    /// The outputs of a graph, whose gradient (with one at each entry of each output) is added to those that have arrived. A parameter that is several operands gets the
    /// sum.
    ///
    /// # Errors
    /// Those of [`Graph::gradients`]; if an operand is neither a parameter nor among `data`, or both, or `data` names something else. Nothing has
    /// arrived then.
    pub fn accumulate(
        &mut self,
        graph: &Graph,
        data: &[(&str, &Value)],
    ) -> Result<Outputs, OpError> {
        let signature = graph.signature();
        for (name, _) in data {
            signature.index_of(name)?;
        }
        let mut owners = Vec::with_capacity(signature.operands.len());
        let mut x = Vec::with_capacity(signature.operands.len());
        for operand in &signature.operands {
            let owner = self.0.iter().position(|p| p.name == operand.name);
            let given = data.iter().find(|(name, _)| *name == operand.name);
            let wrong = |what: &str| {
                let reason = format!("operand '{}' is {what}", operand.name);
                Err(signature.error(ErrorKind::Invalid(reason)))
            };
            x.push(match (owner, given) {
                (Some(owner), None) => &self.0[owner].value,
                (None, Some((_, value))) => *value,
                (None, None) => return wrong("neither a parameter nor given"),
                (Some(_), Some(_)) => return wrong("a parameter, and given too"),
            });
            owners.push(owner);
        }
        let active = |owner: &Option<usize>| owner.is_some_and(|owner| self.0[owner].active);
        let wanted: Vec<bool> = owners.iter().map(active).collect();
        let (y, dx) = graph.gradients(&x, &wanted, None)?;
        for (owner, dx) in owners.into_iter().zip(dx) {
            if let (Some(owner), Some(dx)) = (owner, dx) {
                match &mut self.0[owner].gradient {
                    Some(sum) => sum.accumulate(&dx),
                    none => *none = Some(dx),
                }
            }
        }
        Ok(y)
    }
}

/// Parameters that are treated alike. What changes arrays and gradients passes over those that are not active.
#[derive(Debug)]
pub struct Group<'p>(Vec<&'p mut Parameter>);

impl Group<'_> {
    /// Whether derivatives flow to them from now on. What has arrived for them stays.
    pub fn set_active(&mut self, active: bool) {
        self.0.iter_mut().for_each(|p| p.active = active);
    }

    fn active(&mut self) -> impl Iterator<Item = &mut Parameter> {
        self.0.iter_mut().map(|p| &mut **p).filter(|p| p.active)
    }

    /// Forgets what has arrived, for those too that are not active.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|p| p.gradient = None);
    }

    /// [`clip_norm`] of what has arrived: the norm that it had.
    pub fn clip_norm(&mut self, largest: f64) -> f64 {
        self.on_gradients(|dx| clip_norm(dx, largest))
    }

    /// [`clip_value`] of what has arrived.
    pub fn clip_value(&mut self, largest: f64) {
        self.on_gradients(|dx| clip_value(dx, largest));
    }

    fn on_gradients<U>(&mut self, f: impl FnOnce(&mut [Option<Value>]) -> U) -> U {
        let mut dx: Vec<_> = self.active().map(|p| p.gradient.take()).collect();
        let result = f(&mut dx);
        self.active().zip(dx).for_each(|(p, dx)| p.gradient = dx);
        result
    }

    /// `x ← x − rate·x̄` where something has arrived.
    pub fn descend(&mut self, rate: f64) {
        for p in self.active() {
            if let Some(dx) = &p.gradient {
                let mut step = dx.clone();
                step.scale(-rate);
                p.value.accumulate(&step);
            }
        }
    }

    /// A step of your own: `f` gets name, array and gradient, where something has arrived.
    ///
    /// # Errors
    /// If the array has another type or shape afterwards; all are as before then.
    pub fn update(&mut self, mut f: impl FnMut(&str, &mut Value, &Value)) -> Result<(), OpError> {
        let mut moved = Vec::new();
        for p in self.active() {
            let mut value = p.value.clone();
            if let Some(dx) = &p.gradient {
                f(&p.name, &mut value, dx);
            }
            if value.spec() != p.value.spec() {
                let (found, expected) = (value.spec(), p.value.spec());
                let reason = format!("'{}' has become {found}, expected {expected}", p.name);
                return Err(OpError::new(
                    "parameters::update",
                    ErrorKind::Invalid(reason),
                ));
            }
            moved.push(value);
        }
        self.active()
            .zip(moved)
            .for_each(|(p, value)| p.value = value);
        Ok(())
    }
}
