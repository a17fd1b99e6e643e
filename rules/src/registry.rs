//! Rules by name, for callers without types: a graph that was read from a file, a foreign language.
//!
//! An [`Operation`] is a function of arrays whose rank, and whose activities, are known at run time. Any rule of arrays of any rank is
//! one: those of the library, and those of other crates.
//!
//! ```
//! use coenzyme_rules::array::mul;
//! use coenzyme_rules::registry::{Registry, binary};
//! use ndarray::arr1;
//!
//! let mut registry = Registry::default();
//! registry.register("core::mul", binary(mul {}))?;
//! let mul = registry.get("core::mul")?;
//!
//! let (x, y) = (arr1(&[1.0, 2.0]).into_dyn(), arr1(&[3.0, 4.0]).into_dyn());
//! let ones = arr1(&[1.0, 1.0]).into_dyn();
//! let (value, gradients) = mul.gradients(&[&x, &y], &[true, false], &ones)?;
//! assert_eq!(value, arr1(&[3.0, 8.0]).into_dyn());
//! assert_eq!(gradients, [Some(y.clone()), None]);
//!
//! let twice = registry.register("core::mul", binary(coenzyme_rules::array::mul {}));
//! assert_eq!(twice.unwrap_err().to_string(), "operation 'core::mul' is already registered");
//! # Ok::<(), coenzyme_rules::registry::RegistryError>(())
//! ```

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use coenzyme::{Args, Duplicated, DynArg, Function, ReverseConfig, ReverseRule, Tangent};
use ndarray::{ArrayD, ArrayRef, IxDyn};

/// What an operation reads.
type Array = ArrayRef<f64, IxDyn>;
/// The cotangent of each operand that is active.
type Gradients = Vec<Option<ArrayD<f64>>>;

/// A function of arrays with its reverse rule, whose types are erased.
pub trait Operation: Send + Sync {
    /// How many operands it has.
    fn operands(&self) -> usize;

    /// Its value.
    ///
    /// # Errors
    /// [`RegistryError::Operands`].
    ///
    /// # Panics
    /// As the function does.
    fn value(&self, x: &[&Array]) -> Result<ArrayD<f64>, RegistryError>;

    /// Its value, and the cotangents of the operands that are `active` from that of the value, `dy`.
    ///
    /// # Errors
    /// [`RegistryError::Operands`].
    ///
    /// # Panics
    /// As the function does.
    fn gradients(
        &self,
        x: &[&Array],
        active: &[bool],
        dy: &ArrayD<f64>,
    ) -> Result<(ArrayD<f64>, Gradients), RegistryError>;
}

/// A rule of `N` operands with tapes of type `T`.
struct Erased<F, T, const N: usize> {
    rule: F,
    tape: PhantomData<fn() -> T>,
}

/// The operation of a rule of one array.
pub fn unary<F, T>(rule: F) -> Arc<dyn Operation>
where
    F: for<'a> Function<(&'a Array,), Output = ArrayD<f64>>,
    F: for<'a> ReverseRule<Duplicated<ArrayD<f64>>, (Handle<'a>,), 1, Tape = T>,
    F: Send + Sync + 'static,
    T: 'static,
{
    let tape = PhantomData;
    Arc::new(Erased::<F, T, 1> { rule, tape })
}

/// The operation of a rule of two arrays.
pub fn binary<F, T>(rule: F) -> Arc<dyn Operation>
where
    F: for<'a> Function<(&'a Array, &'a Array), Output = ArrayD<f64>>,
    F: for<'a> ReverseRule<Duplicated<ArrayD<f64>>, (Handle<'a>, Handle<'a>), 1, Tape = T>,
    F: Send + Sync + 'static,
    T: 'static,
{
    let tape = PhantomData;
    Arc::new(Erased::<F, T, 2> { rule, tape })
}

/// What a rule receives for an array.
type Handle<'a> = DynArg<&'a Array, &'a mut Array>;

impl<F, T> Operation for Erased<F, T, 1>
where
    F: for<'a> Function<(&'a Array,), Output = ArrayD<f64>>,
    F: for<'a> ReverseRule<Duplicated<ArrayD<f64>>, (Handle<'a>,), 1, Tape = T>,
    F: Send + Sync,
{
    fn operands(&self) -> usize {
        1
    }
    fn value(&self, x: &[&Array]) -> Result<ArrayD<f64>, RegistryError> {
        let [x] = exactly(x)?;
        Ok(self.rule.call((x,)))
    }
    fn gradients(
        &self,
        x: &[&Array],
        active: &[bool],
        dy: &ArrayD<f64>,
    ) -> Result<(ArrayD<f64>, Gradients), RegistryError> {
        let (x, active): ([_; 1], _) = (exactly(x)?, exactly(active)?);
        let mut shadows = zeros(x, active);
        let [dx] = shadows.each_mut();
        let value = pulled(&self.rule, (handle(x[0], dx),), dy);
        Ok((value, shadows.into()))
    }
}

impl<F, T> Operation for Erased<F, T, 2>
where
    F: for<'a> Function<(&'a Array, &'a Array), Output = ArrayD<f64>>,
    F: for<'a> ReverseRule<Duplicated<ArrayD<f64>>, (Handle<'a>, Handle<'a>), 1, Tape = T>,
    F: Send + Sync,
{
    fn operands(&self) -> usize {
        2
    }
    fn value(&self, x: &[&Array]) -> Result<ArrayD<f64>, RegistryError> {
        let [x, y] = exactly(x)?;
        Ok(self.rule.call((x, y)))
    }
    fn gradients(
        &self,
        x: &[&Array],
        active: &[bool],
        dy: &ArrayD<f64>,
    ) -> Result<(ArrayD<f64>, Gradients), RegistryError> {
        let (x, active): ([_; 2], _) = (exactly(x)?, exactly(active)?);
        let mut shadows = zeros(x, active);
        let [dx, dy_of_y] = shadows.each_mut();
        let args = (handle(x[0], dx), handle(x[1], dy_of_y));
        let value = pulled(&self.rule, args, dy);
        Ok((value, shadows.into()))
    }
}

/// As many as a rule has operands.
fn exactly<X: Copy, const N: usize>(given: &[X]) -> Result<[X; N], RegistryError> {
    given.try_into().map_err(|_| RegistryError::Operands {
        expected: N,
        found: given.len(),
    })
}

fn zeros<const N: usize>(x: [&Array; N], active: [bool; N]) -> [Option<ArrayD<f64>>; N] {
    std::array::from_fn(|i| active[i].then(|| x[i].zero_like()))
}

fn handle<'a>(x: &'a Array, dx: &'a mut Option<ArrayD<f64>>) -> Handle<'a> {
    DynArg::new(x, dx.as_mut().map(|dx| [&mut **dx]))
}

/// The value of a rule; the cotangents are added to the shadows of `args`.
fn pulled<F, A>(rule: &F, mut args: A, dy: &ArrayD<f64>) -> ArrayD<f64>
where
    A: Args<1>,
    F: ReverseRule<Duplicated<ArrayD<f64>>, A, 1>,
{
    let config = ReverseConfig::new(true);
    let augmented = rule.augmented_primal(&config, args.refs());
    rule.reverse(&config, [dy.clone()], augmented.tape, args.refs());
    augmented.primal.expect("asked for")
}

/// Operations by name.
#[derive(Clone, Default)]
pub struct Registry(BTreeMap<String, Arc<dyn Operation>>);

impl Registry {
    /// Adds an operation. Names begin with that of the crate, as in `core::mul`.
    ///
    /// # Errors
    /// [`RegistryError`] if the name is empty or taken; the registry is as before.
    pub fn register(
        &mut self,
        name: &str,
        operation: Arc<dyn Operation>,
    ) -> Result<(), RegistryError> {
        if name.is_empty() {
            return Err(RegistryError::EmptyName);
        }
        match self.0.entry(name.into()) {
            Entry::Occupied(_) => Err(RegistryError::Taken(name.into())),
            Entry::Vacant(place) => {
                place.insert(operation);
                Ok(())
            }
        }
    }

    /// Removes an operation. Who has got it before keeps it.
    ///
    /// # Errors
    /// [`RegistryError::Unknown`].
    pub fn unregister(&mut self, name: &str) -> Result<Arc<dyn Operation>, RegistryError> {
        let removed = self.0.remove(name);
        removed.ok_or_else(|| RegistryError::Unknown(name.into()))
    }

    /// An operation.
    ///
    /// # Errors
    /// [`RegistryError::Unknown`].
    pub fn get(&self, name: &str) -> Result<Arc<dyn Operation>, RegistryError> {
        let found = self.0.get(name).cloned();
        found.ok_or_else(|| RegistryError::Unknown(name.into()))
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// What is wrong with a name or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegistryError {
    /// A name is empty.
    EmptyName,
    /// The name is that of another operation.
    Taken(String),
    /// There is no such operation.
    Unknown(String),
    /// The operation has another number of operands.
    Operands {
        /// Those that it has.
        expected: usize,
        /// Those given, or the activities given.
        found: usize,
    },
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegistryError::EmptyName => f.write_str("the name of an operation is empty"),
            RegistryError::Taken(name) => write!(f, "operation '{name}' is already registered"),
            RegistryError::Unknown(name) => write!(f, "operation '{name}' is not registered"),
            RegistryError::Operands { expected, found } => {
                write!(
                    f,
                    "the operation has {expected} operands, given are {found}"
                )
            }
        }
    }
}

impl std::error::Error for RegistryError {}

#[cfg(test)]
mod tests {
    use ndarray::arr1;

    use super::*;
    use crate::array::{exp, mul};

    fn said<T>(result: Result<T, RegistryError>) -> String {
        result
            .err()
            .map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn e11_a_name_is_that_of_one_operation() {
        let mut registry = Registry::default();
        assert_eq!(registry.register("core::mul", binary(mul {})), Ok(()));
        assert_eq!(registry.register("core::exp", unary(exp {})), Ok(()));
        assert_eq!(
            said(registry.register("core::mul", unary(exp {}))),
            "operation 'core::mul' is already registered"
        );
        assert_eq!(registry.get("core::mul").map(|f| f.operands()), Ok(2));
        assert_eq!(
            said(registry.register("", unary(exp {}))),
            "the name of an operation is empty"
        );
        assert_eq!(
            said(registry.get("swish")),
            "operation 'swish' is not registered"
        );
        assert_eq!(
            registry.names().collect::<Vec<_>>(),
            ["core::exp", "core::mul"]
        );
    }

    #[test]
    fn an_operation_outlives_its_registration() {
        let mut registry = Registry::default();
        registry
            .register("core::exp", unary(exp {}))
            .expect("a name");
        let exp = registry.get("core::exp").expect("registered");
        assert!(registry.unregister("core::exp").is_ok());
        assert_eq!(
            said(registry.unregister("core::exp")),
            "operation 'core::exp' is not registered"
        );

        let (x, ones) = (arr1(&[0.0, 1.0]).into_dyn(), arr1(&[1.0, 2.0]).into_dyn());
        let value = x.mapv(f64::exp);
        assert_eq!(exp.value(&[&x]), Ok(value.clone()));
        let gradients = exp.gradients(&[&x], &[true], &ones);
        assert_eq!(gradients, Ok((value.clone(), vec![Some(&value * &ones)])));
        assert_eq!(
            exp.gradients(&[&x], &[false], &ones),
            Ok((value, vec![None]))
        );
        let too_many = "the operation has 1 operands, given are 2";
        assert_eq!(said(exp.value(&[&x, &x])), too_many);
        assert_eq!(said(exp.gradients(&[&x], &[true, true], &ones)), too_many);
    }
}
