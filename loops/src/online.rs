//! States kept of a loop whose length is not known.

use crate::{Copied, Operand};

/// Every `stride`-th state, of which every second one is given up where there is no room.
pub(crate) struct Online<S: ToOwned + ?Sized> {
    /// The states, by the step that they begin.
    pub(crate) kept: Vec<(usize, Copied<S>)>,
    stride: usize,
    slots: usize,
}

impl<S: Operand + ?Sized> Online<S> {
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            kept: Vec::new(),
            stride: 1,
            slots,
        }
    }

    /// Looks at the state before step `t`.
    pub(crate) fn offer(&mut self, t: usize, state: &S) {
        if !t.is_multiple_of(self.stride) {
            return;
        }
        if self.kept.len() == self.slots {
            self.stride *= 2;
            self.kept.retain(|(t, _)| t.is_multiple_of(self.stride));
        }
        if t.is_multiple_of(self.stride) {
            self.kept.push((t, state.to_owned()));
        }
    }
}
