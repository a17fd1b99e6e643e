//! Operations in lower precision than their operands.

use std::collections::BTreeSet;
use std::sync::Arc;

use coenzyme_operations::{Attrs, DType, OpError, Operation, Spec, attrs};

use crate::graph::Graph;
use crate::session::{Adapter, Instead, Session};

/// Mixed precision, as `torch.autocast`: some operations compute in `f32` whatever their operands are, some in `f64`, and all others in the widest
/// type of their operands where these differ, which is an error otherwise.
///
/// What runs is a graph of `core::cast` and the operation: it is recorded, differentiated and written to files like any other. Cotangents
/// are cast back, so that the gradient of an array of `f64` is one of `f64`. Complex numbers, integers and flags stay what they are. Cost: a cast of each
/// operand that is of another type, in both passes.
///
/// ```
/// use coenzyme_graph::{Autocast, DType, Session, Value, attrs};
///
/// let mixed = Session::default().adapting(Autocast::new().single(["core::dot"]).double(["core::exp"]));
/// let x = Value::from(vec![1.0, 0.1]);
/// let y = mixed.call("core::dot", &[&x, &x], &attrs! {})?;
/// assert_eq!((y[0].dtype(), y[0].to_number::<f32>()), (DType::F32, Some(1.01)));
/// assert_eq!(mixed.call("core::exp", &[&y[0]], &attrs! {})?[0].dtype(), DType::F64);
/// // f64 · f32
/// assert_eq!(mixed.call("core::scale", &[&x, &y[0]], &attrs! {})?[0].dtype(), DType::F64);
///
/// let dot = mixed.registry().get("core::dot")?;
/// let (_, dx) = mixed.gradients(&dot, &[&x, &x], &attrs! {}, None)?;
/// assert_eq!(dx[0], Some(Value::from(vec![1.0, f64::from(0.1_f32)])));
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
#[derive(Debug)]
pub struct Autocast {
    single: BTreeSet<String>,
    double: BTreeSet<String>,
    through: Session,
}

impl Default for Autocast {
    fn default() -> Self {
        Self::new()
    }
}

impl Autocast {
    /// Widens where types differ, and nothing else.
    #[must_use]
    pub fn new() -> Self {
        Self {
            single: BTreeSet::new(),
            double: BTreeSet::new(),
            through: Session::default(),
        }
    }

    /// With operations that compute in `f32`: products of matrices, convolutions.
    #[must_use]
    pub fn single<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.single.extend(names.into_iter().map(String::from));
        self
    }

    /// With operations that compute in `f64`: long sums, losses, what cancels.
    #[must_use]
    pub fn double<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> Self {
        self.double.extend(names.into_iter().map(String::from));
        self
    }

    /// With what it chooses called through a session of your own: of a registry with a `core::cast`, and perhaps with an adapter for a device.
    #[must_use]
    pub fn through(mut self, session: Session) -> Self {
        self.through = session;
        self
    }

    /// The type that the real operands are to have.
    fn precision(&self, name: &str, x: &[Spec]) -> DType {
        let has = |dtype| x.iter().any(|x| x.dtype == dtype);
        match (self.single.contains(name), self.double.contains(name)) {
            (true, false) => DType::F32,
            (false, true) => DType::F64,
            _ if has(DType::F64) => DType::F64,
            _ => DType::F32,
        }
    }
}

impl Adapter for Autocast {
    fn instead(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[Spec],
        given: &Attrs,
    ) -> Result<Option<Instead>, OpError> {
        let signature = operation.signature();
        let to = self.precision(&signature.name, x);
        let other = |x: &Spec| matches!(x.dtype, DType::F32 | DType::F64) && x.dtype != to;
        if &*signature.name == "core::cast" || !x.iter().any(other) {
            return Ok(None);
        }
        let names: Vec<_> = (0..x.len()).map(|i| signature.operand_name(i)).collect();
        let operands = names.iter().map(String::as_str).zip(x.iter().cloned());
        let operands: Vec<_> = operands.collect();
        let name = format!("{} in {to}", signature.name);
        let graph = Graph::record(&self.through, &name, &operands, |g, vars| {
            let mut cast = Vec::with_capacity(vars.len());
            for var in vars {
                cast.push(match other(var.spec()) {
                    true => g.call("core::cast", &[var], &attrs! { dtype: to.name() })?,
                    false => var.clone(),
                });
            }
            let cast: Vec<_> = cast.iter().collect();
            g.apply_all(operation, &cast, given)
        })?;
        Ok(Some((Arc::new(graph), Attrs::new())))
    }
}
