//! Operations by name.

mod audit;

pub use audit::Finding;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, LazyLock, RwLock, RwLockReadGuard};

use coenzyme_operations::Operation;
use coenzyme_operations::{ErrorKind, OpError, suggestion};

/// Operations by name. Names are of the form `crate::operation`.
///
/// Registries are shared: all methods take `&self`. An operation that is removed or replaced stays with those who have got it before.
///
/// ```
/// use coenzyme_graph::{Registry, Rule};
///
/// let registry = Registry::new();
/// registry.register(Rule::builder("user::double", ["x"]).value(|x, _| Ok(vec![(x[0].get::<f64>().unwrap() * 2.0).into()])).build()?)?;
/// assert_eq!(registry.names(), ["user::double"]);
/// let missing = registry.get("user::duoble").err().unwrap();
/// assert_eq!(missing.to_string(), "operation 'user::duoble' is not registered\nhelp: did you mean 'user::double'?");
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
#[derive(Default)]
pub struct Registry(RwLock<BTreeMap<String, Arc<dyn Operation>>>);

impl Registry {
    /// Without operations.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// With the rule library, as `core::*`, if the feature `library` is on, as it is by default.
    #[must_use]
    pub fn with_core() -> Self {
        #[cfg(feature = "library")]
        let operations = coenzyme_operations::core::all();
        #[cfg(not(feature = "library"))]
        let operations: Vec<Arc<dyn Operation>> = Vec::new();
        let named = operations.into_iter();
        let named = named.map(|op| (op.signature().name.clone().into_owned(), op));
        Self(RwLock::new(named.collect()))
    }

    /// The registry of the process, which begins with the rule library.
    #[must_use]
    pub fn global() -> &'static Arc<Registry> {
        static GLOBAL: LazyLock<Arc<Registry>> = LazyLock::new(|| Arc::new(Registry::with_core()));
        &GLOBAL
    }

    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<String, Arc<dyn Operation>>> {
        self.0.read().unwrap_or_else(|e| e.into_inner())
    }

    /// Adds an operation under its name.
    ///
    /// # Errors
    /// If the name is taken, or is not of the form `crate::operation`; the registry is as before.
    pub fn register(&self, operation: Arc<dyn Operation>) -> Result<(), OpError> {
        self.register_all([operation])
    }

    /// Adds operations, all or none.
    ///
    /// # Errors
    /// If one of the names is taken, also by another of them, or is not of the form `crate::operation`; the registry is as before.
    pub fn register_all(
        &self,
        operations: impl IntoIterator<Item = Arc<dyn Operation>>,
    ) -> Result<(), OpError> {
        let mut more = BTreeMap::new();
        let mut all = self.0.write().unwrap_or_else(|e| e.into_inner());
        for operation in operations {
            let name = operation.signature().name.clone().into_owned();
            if !is_name(&name) {
                return Err(OpError::new(&name, ErrorKind::Name));
            }
            if all.contains_key(&name) || more.contains_key(&name) {
                let help = "another version replaces it with `Registry::replace`".to_string();
                return Err(OpError::new(&name, ErrorKind::Taken).with_help(Some(help)));
            }
            more.insert(name, operation);
        }
        all.append(&mut more);
        Ok(())
    }

    /// Puts an operation, a faster version, in the place of the one of its name, and returns that. Graphs that were recorded before
    /// keep the old one.
    ///
    /// # Errors
    /// If there is none, or the operands or attributes have other names or types.
    pub fn replace(&self, operation: Arc<dyn Operation>) -> Result<Arc<dyn Operation>, OpError> {
        let signature = operation.signature();
        let name = signature.name.clone().into_owned();
        let old = self.get(&name)?;
        let (before, after) = (old.signature(), signature);
        let names = |s: &coenzyme_operations::Signature| -> Vec<_> {
            s.operands.iter().map(|x| x.name.clone()).collect()
        };
        if before.attributes != after.attributes || names(before) != names(after) {
            let reason = format!(
                "is {}, the version to replace it {}",
                before.schema(),
                after.schema()
            );
            return Err(before.error(ErrorKind::Invalid(reason)));
        }
        let mut all = self.0.write().unwrap_or_else(|e| e.into_inner());
        all.insert(name, operation);
        Ok(old)
    }

    /// Removes an operation.
    ///
    /// # Errors
    /// If there is none.
    pub fn unregister(&self, name: &str) -> Result<Arc<dyn Operation>, OpError> {
        let removed = self
            .0
            .write()
            .unwrap_or_else(|e| e.into_inner())
            .remove(name);
        removed.ok_or_else(|| self.unknown(name))
    }

    /// An operation.
    ///
    /// # Errors
    /// If there is none; with the nearest name.
    pub fn get(&self, name: &str) -> Result<Arc<dyn Operation>, OpError> {
        let found = self.read().get(name).cloned();
        found.ok_or_else(|| self.unknown(name))
    }

    /// Whether there is an operation of this name.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.read().contains_key(name)
    }

    /// The names, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.read().keys().cloned().collect()
    }

    /// The number of operations.
    #[must_use]
    pub fn len(&self) -> usize {
        self.read().len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn unknown(&self, name: &str) -> OpError {
        let all = self.read();
        let names = || all.keys().map(String::as_str);
        let tail = |name: &str| name.rsplit("::").next().map(str::to_string);
        let help = suggestion(name, names()).or_else(|| {
            // `mul` for `core::mul`
            let same = names().find(|full| tail(full).as_deref() == Some(name));
            same.map(|full| format!("did you mean '{full}'?"))
        });
        OpError::new(name, ErrorKind::Unknown).with_help(help)
    }
}

/// Whether a name is of the form `crate::operation`.
fn is_name(name: &str) -> bool {
    let words: Vec<&str> = name.split("::").collect();
    let is_word = |word: &&str| {
        !word.is_empty()
            && word
                .chars()
                .all(|c| c.is_alphanumeric() || "_-.".contains(c))
    };
    words.len() >= 2 && words.iter().all(is_word)
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}
