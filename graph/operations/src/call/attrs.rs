//! Attributes: arguments without derivative that are no arrays.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

/// The value of an attribute. Floats are compared and hashed by their bits.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Attr {
    /// A flag.
    Bool(bool),
    /// An integer: a count, an axis. Axes below 0 are counted from the end.
    Int(i64),
    /// A number.
    Float(#[serde(with = "crate::float")] f64),
    /// A text.
    Text(String),
    /// Integers: a shape, axes.
    Ints(Vec<i64>),
    /// Pairs of integers: a padding on either side of each axis.
    Pairs(Vec<[i64; 2]>),
}

impl Attr {
    /// The type.
    #[must_use]
    pub fn kind(&self) -> AttrKind {
        match self {
            Attr::Bool(_) => AttrKind::Bool,
            Attr::Int(_) => AttrKind::Int,
            Attr::Float(_) => AttrKind::Float,
            Attr::Text(_) => AttrKind::Text,
            Attr::Ints(_) => AttrKind::Ints,
            Attr::Pairs(_) => AttrKind::Pairs,
        }
    }
}

impl PartialEq for Attr {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Attr::Bool(x), Attr::Bool(y)) => x == y,
            (Attr::Int(x), Attr::Int(y)) => x == y,
            (Attr::Float(x), Attr::Float(y)) => x.to_bits() == y.to_bits(),
            (Attr::Text(x), Attr::Text(y)) => x == y,
            (Attr::Ints(x), Attr::Ints(y)) => x == y,
            (Attr::Pairs(x), Attr::Pairs(y)) => x == y,
            _ => false,
        }
    }
}

impl Eq for Attr {}

impl Hash for Attr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind().hash(state);
        match self {
            Attr::Bool(x) => x.hash(state),
            Attr::Int(x) => x.hash(state),
            Attr::Float(x) => x.to_bits().hash(state),
            Attr::Text(x) => x.hash(state),
            Attr::Ints(x) => x.hash(state),
            Attr::Pairs(x) => x.hash(state),
        }
    }
}

impl fmt::Display for Attr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Attr::Bool(x) => write!(f, "{x}"),
            Attr::Int(x) => write!(f, "{x}"),
            Attr::Float(x) => write!(f, "{x:?}"),
            Attr::Text(x) => write!(f, "{x:?}"),
            Attr::Ints(x) => write!(f, "{x:?}"),
            Attr::Pairs(x) => write!(f, "{x:?}"),
        }
    }
}

/// The type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AttrKind {
    /// [`Attr::Bool`]
    Bool,
    /// [`Attr::Int`]
    Int,
    /// [`Attr::Float`]; an integer is taken too.
    Float,
    /// [`Attr::Text`]
    Text,
    /// [`Attr::Ints`]
    Ints,
    /// [`Attr::Pairs`]
    Pairs,
}

impl fmt::Display for AttrKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AttrKind::Bool => "bool",
            AttrKind::Int => "int",
            AttrKind::Float => "float",
            AttrKind::Text => "text",
            AttrKind::Ints => "ints",
            AttrKind::Pairs => "pairs",
        })
    }
}

macro_rules! from {
    ($($t:ty, $x:ident => $attr:expr;)+) => {$(
        impl From<$t> for Attr {
            fn from($x: $t) -> Self {
                $attr
            }
        }
    )+};
}

/// Beyond `i64` there is no axis and no length: what does not fit becomes the largest, which the operation refuses.
fn int<T: TryInto<i64>>(x: T) -> i64 {
    x.try_into().unwrap_or(i64::MAX)
}

from! {
    bool, x => Attr::Bool(x);
    i32, x => Attr::Int(x.into());
    i64, x => Attr::Int(x);
    usize, x => Attr::Int(int(x));
    f64, x => Attr::Float(x);
    &str, x => Attr::Text(x.into());
    String, x => Attr::Text(x);
    Vec<i64>, x => Attr::Ints(x);
    &[usize], x => Attr::Ints(x.iter().copied().map(int).collect());
    Vec<[i64; 2]>, x => Attr::Pairs(x);
}

impl<const N: usize> From<[usize; N]> for Attr {
    fn from(x: [usize; N]) -> Self {
        Attr::from(&x[..])
    }
}

impl<const N: usize> From<[[usize; 2]; N]> for Attr {
    fn from(x: [[usize; 2]; N]) -> Self {
        Attr::Pairs(x.iter().map(|pair| pair.map(int)).collect())
    }
}

/// Attributes by name.
///
/// ```
/// use coenzyme_operations::{Attr, attrs};
///
/// let a = attrs! { axis: 1, keepdims: true };
/// assert_eq!(a.get("axis"), Some(&Attr::Int(1)));
/// assert_eq!(a, attrs! { keepdims: true, axis: 1 });
/// assert_eq!(a.to_string(), "axis: 1, keepdims: true");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Attrs(Vec<(String, Attr)>);

impl Attrs {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// These, with another value of one.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Attr>) -> Self {
        self.set(name, value.into());
        self
    }

    /// Sets the value of one.
    pub fn set(&mut self, name: &str, value: Attr) {
        match self.0.binary_search_by(|(n, _)| n.as_str().cmp(name)) {
            Ok(i) => self.0[i].1 = value,
            Err(i) => self.0.insert(i, (name.into(), value)),
        }
    }

    /// The value of one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Attr> {
        let found = self.0.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value)
    }

    /// Names and values, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Attr)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// As they were read from a file: sorted, each name once.
    #[must_use]
    pub fn normalized(self) -> Self {
        let mut all = Self::new();
        for (name, value) in self.0 {
            all.set(&name, value);
        }
        all
    }
}

impl fmt::Display for Attrs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            write!(f, "{comma}{name}: {value}")?;
        }
        Ok(())
    }
}

/// Attributes by name: `attrs! { axis: 1, keepdims: true }`.
#[macro_export]
macro_rules! attrs {
    ($($name:ident: $value:expr),* $(,)?) => {
        $crate::Attrs::new()$(.with(stringify!($name), $value))*
    };
}
