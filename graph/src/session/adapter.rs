//! What runs in place of an operation.

use std::sync::Arc;

use coenzyme_operations::{Attrs, OpError, Operation, Spec};

/// An operation, and the attributes that it is called with, resolved by its own signature.
pub type Instead = (Arc<dyn Operation>, Attrs);

/// Chooses, for each call of a session, what runs in place of the operation: its version on a device, in another precision, with a check around it.
///
/// It is asked when a call is not in the cache, before types and shapes are checked, and its answer is cached with the call. What it
/// answers takes the same operands, and is what graphs record; derivatives are its derivatives.
///
/// ```
/// use std::sync::Arc;
/// use coenzyme_graph::{Adapter, Attrs, Instead, OpError, Operation, Registry, Rule, Session, Spec, Value, attrs};
///
/// /// A device that has some operations, and is worth the way from so many entries on.
/// struct Device(Registry);
///
/// impl Adapter for Device {
///     fn instead(&self, operation: &Arc<dyn Operation>, x: &[Spec], attrs: &Attrs) -> Result<Option<Instead>, OpError> {
///         let worth = x.iter().map(Spec::entries).sum::<usize>() >= 4;
///         let own = self.0.get(&operation.signature().name).ok();
///         Ok(own.filter(|_| worth).map(|own| (own, attrs.clone())))
///     }
/// }
///
/// let there = Registry::new();
/// there.register(Rule::builder("core::sin", ["x"]).value(|x, _| Ok(vec![Value::full(&x[0].spec(), 42.0)])).build()?)?;
/// let session = Session::default().adapting(Device(there));
/// let sin = |n: usize| session.call("core::sin", &[&Value::from(vec![0.0; n])], &attrs! {});
/// assert_eq!(sin(1)?[0], Value::from(vec![0.0]));
/// assert_eq!(sin(4)?[0], Value::from(vec![42.0; 4]));
/// # Ok::<(), OpError>(())
/// ```
pub trait Adapter: Send + Sync {
    /// What runs in place of the operation, on operands of these types and shapes; `None` for the operation itself.
    ///
    /// # Errors
    /// If there should be something, and cannot be.
    fn instead(
        &self,
        operation: &Arc<dyn Operation>,
        x: &[Spec],
        attrs: &Attrs,
    ) -> Result<Option<Instead>, OpError>;
}
