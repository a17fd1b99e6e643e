//! The one trait of this crate.

use std::any::Any;

use smallvec::SmallVec;

use super::{Attrs, Outline, Signature};
use crate::error::{ErrorKind, OpError};
use crate::value::{Spec, Value};

/// What an operation returns.
pub type Outputs = SmallVec<[Value; 1]>;
/// The tangent of each operand in one lane, `None` for those that are inactive.
pub type Tangents<'a> = SmallVec<[Option<&'a Value>; 2]>;
/// The cotangent of each output in one lane, `None` for zero.
pub type Cotangents = SmallVec<[Option<Value>; 1]>;
/// What the cotangent of each operand is added to in one lane, `None` for those that are inactive.
pub type Shadows = SmallVec<[Option<Value>; 2]>;
/// What the first half of the reverse rule leaves for the second. It belongs to one call.
pub type Tape = Box<dyn Any + Send>;

/// Which operands. From the 64th on, all or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mask(u64);

impl Mask {
    /// None of them.
    pub const NONE: Self = Self(0);
    /// All of them.
    pub const ALL: Self = Self(!0);

    /// Those for which `is` is true.
    #[must_use]
    pub fn of(is: impl IntoIterator<Item = bool>) -> Self {
        let mut mask = Self::NONE;
        for (i, is) in is.into_iter().enumerate() {
            if is {
                mask = mask.with(i);
            }
        }
        mask
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, index: usize) -> Self {
        Self(self.0 | 1 << index.min(63))
    }

    /// Whether an operand is among them.
    #[must_use]
    #[inline]
    pub fn has(self, index: usize) -> bool {
        self.0 >> index.min(63) & 1 == 1
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// These and those.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// What an operation is told about a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The attributes, resolved.
    pub attrs: Attrs,
    /// The operands through which derivatives flow.
    pub active: Mask,
    /// The operands whose memory may change between the halves of the reverse rule. Values that are shared never change: a caller
    /// that keeps the operands sets nothing here.
    pub overwritten: Mask,
    /// The number of lanes.
    pub width: usize,
    /// Whether the value itself is wanted.
    pub needs_value: bool,
    /// Whether a zero seed must give a zero derivative also where a partial is infinite or NaN.
    pub strong_zero: bool,
}

impl Call {
    /// One lane, all operands active, nothing overwritten.
    #[must_use]
    pub fn new(attrs: Attrs) -> Self {
        Self {
            attrs,
            active: Mask::ALL,
            overwritten: Mask::NONE,
            width: 1,
            needs_value: true,
            strong_zero: false,
        }
    }

    /// With these active operands.
    #[must_use]
    pub fn with_active(mut self, active: Mask) -> Self {
        self.active = active;
        self
    }
}

/// Which rules an operation has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Modes {
    /// [`Operation::pushforward`].
    pub forward: bool,
    /// [`Operation::augmented`] and [`Operation::pullback`].
    pub reverse: bool,
    /// [`Operation::pullback_tangent`].
    pub second: bool,
}

impl Modes {
    /// All of them.
    pub const ALL: Self = Self {
        forward: true,
        reverse: true,
        second: true,
    };
}

/// A function of arrays with its derivatives, whose types are known at run time. It computes no derivative of its own: it is a static
/// rule whose types are erased ([`operation!`](crate::operation)), closures, a recorded graph, a
/// function of a plug-in, or yours.
///
/// A session checks calls before it makes them: an operation may rely on the number of operands, their types, the
/// resolved attributes and the shapes that its [`outline`](Self::outline) accepts, and need not check them again. All methods
/// run without state; what belongs to a call is in [`Call`] and on the tape.
pub trait Operation: Send + Sync {
    /// Names and attributes.
    fn signature(&self) -> &Signature;

    /// What a call with such operands will return, cost and keep.
    ///
    /// # Errors
    /// If the operands do not fit, with the names and shapes of all.
    fn outline(&self, x: &[Spec], attrs: &Attrs) -> Result<Outline, OpError>;

    /// The value.
    ///
    /// # Errors
    /// If the function fails.
    fn value(&self, x: &[&Value], attrs: &Attrs) -> Result<Outputs, OpError>;

    /// Which rules there are.
    fn modes(&self) -> Modes;

    /// The value, and its tangents in each lane.
    ///
    /// # Errors
    /// If the function fails, or there is no forward rule.
    fn pushforward(
        &self,
        _x: &[&Value],
        _dx: &[Tangents<'_>],
        _call: &Call,
    ) -> Result<(Outputs, Vec<Outputs>), OpError> {
        Err(self.signature().error(ErrorKind::NoForward))
    }

    /// The value (empty if it is not wanted), and what the reverse pass needs.
    ///
    /// # Errors
    /// If the function fails, or there is no reverse rule.
    fn augmented(&self, _x: &[&Value], _call: &Call) -> Result<(Outputs, Tape), OpError> {
        Err(self.signature().error(ErrorKind::NoReverse))
    }

    /// Adds to the shadows of the active operands, in each lane.
    ///
    /// # Errors
    /// If there is no reverse rule, or the tape is not that of the call.
    fn pullback(
        &self,
        _x: &[&Value],
        _dy: Vec<Cotangents>,
        _tape: Tape,
        _dx: &mut [Shadows],
        _call: &Call,
    ) -> Result<(), OpError> {
        Err(self.signature().error(ErrorKind::NoReverse))
    }

    /// Adds to the shadows the tangents of the cotangents of the operands, in one lane, where the operands move by `tx` and the
    /// cotangents `dy` of the outputs stay: the second derivative, forward over reverse.
    ///
    /// # Errors
    /// If the reverse rule has no derivative.
    fn pullback_tangent(
        &self,
        _x: &[&Value],
        _tx: &Tangents<'_>,
        _dy: &Cotangents,
        _dx: &mut Shadows,
        _call: &Call,
    ) -> Result<(), OpError> {
        Err(self.signature().error(ErrorKind::NoSecond))
    }

    /// The attributes of the same call on operands that all have further axes of lengths `batch` in front; `None` if the operation
    /// has to be called on each entry of the batch.
    fn batched(&self, _batch: &[usize], _attrs: &Attrs) -> Option<Attrs> {
        None
    }

    /// Whether nothing that it returns has a derivative: it makes constants, positions, or is declared so.
    fn is_inactive(&self) -> bool {
        false
    }

    /// Whether each entry of its only output is a function of the entries of the operands at that place, where these are broadcast: the call on
    /// parts of its operands gives the parts of its value.
    fn is_entrywise(&self) -> bool {
        false
    }

    /// The operation as its own type, if others are to know it: files are written of graphs and of pullbacks.
    fn as_any(&self) -> Option<&dyn Any> {
        None
    }
}
