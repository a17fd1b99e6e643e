//! What becomes of a derivative that flows through `Const` memory.

/// What a rule does with a derivative that flows through a `Const` buffer.
///
/// A function may write active data to a buffer that is `Const`, and read it back: to Enzyme, what is read from `Const`
/// memory is inactive, so the derivative is severed. Differences of the primal cannot know this.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConstBuffers {
    /// Nothing is known: a mix in which it matters is inconclusive.
    #[default]
    Undeclared,
    /// The rule severs the derivative, for this reason: such a mix is judged by the checks that need no differences.
    Severed(String),
    /// The rule lets the derivative flow, for this reason: such a mix is judged by the differences.
    Flowing(String),
}

/// [`ConstBuffers::Severed`], for this reason.
pub fn severed(reason: &str) -> ConstBuffers {
    ConstBuffers::Severed(reason.to_owned())
}

/// [`ConstBuffers::Flowing`], for this reason.
pub fn flowing(reason: &str) -> ConstBuffers {
    ConstBuffers::Flowing(reason.to_owned())
}
