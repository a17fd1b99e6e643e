//! What can go wrong at run time that types could not stop.

use std::fmt;

/// Two values have different shapes, so that one cannot be the shadow of the other.
///
/// ```
/// use coenzyme::BatchDuplicated;
///
/// let error = BatchDuplicated::try_new(vec![1.0, 2.0], [vec![0.0]]).unwrap_err();
/// assert_eq!(error.to_string(), "the primal has shape [2], its shadow [1]");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incongruent {
    primal: String,
    shadow: String,
}

impl Incongruent {
    /// Shapes that differ.
    #[cold]
    pub fn new(primal: &[usize], shadow: &[usize]) -> Self {
        Self {
            primal: format!("{primal:?}"),
            shadow: format!("{shadow:?}"),
        }
    }

    /// Variants of an enum that differ.
    #[cold]
    pub fn variants(primal: &str, shadow: &str) -> Self {
        Self {
            primal: primal.to_owned(),
            shadow: shadow.to_owned(),
        }
    }

    /// The shape of the primal.
    pub fn primal(&self) -> &str {
        &self.primal
    }

    /// The shape of the would-be shadow.
    pub fn shadow(&self) -> &str {
        &self.shadow
    }
}

impl fmt::Display for Incongruent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the primal has shape {}, its shadow {}",
            self.primal, self.shadow
        )
    }
}

impl std::error::Error for Incongruent {}
