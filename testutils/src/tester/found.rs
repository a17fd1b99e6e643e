//! The rules that the compiler has found for one mix, their types forgotten, and what is asked of them.

use super::Trial;
use crate::coverage::Outcomes;
use crate::report::Report;
use crate::subject::{RawForward, RawReverse};

/// A forward rule of one mix in one width.
pub struct FoundForward<'t>(Box<dyn RawForward + 't>);

impl<'t> FoundForward<'t> {
    pub(crate) fn new(rule: impl RawForward + 't) -> Self {
        FoundForward(Box::new(rule))
    }
}

/// A reverse rule of one mix in one width.
pub struct FoundReverse<'t> {
    rule: Box<dyn RawReverse + 't>,
    /// The forward rule of the same activities, if there is one.
    forward: Option<FoundForward<'t>>,
    /// Whether its tape can be copied.
    copies: bool,
}

impl<'t> FoundReverse<'t> {
    pub(crate) fn new(rule: impl RawReverse + 't) -> Self {
        FoundReverse {
            rule: Box::new(rule),
            forward: None,
            copies: false,
        }
    }

    /// The same, beside a forward rule.
    pub(crate) fn beside(self, forward: impl RawForward + 't) -> Self {
        FoundReverse {
            forward: Some(FoundForward::new(forward)),
            ..self
        }
    }

    /// The same, whose rule knows how to copy its tapes.
    pub(crate) fn copied(self) -> Self {
        FoundReverse {
            copies: true,
            ..self
        }
    }

    /// Whether there is a forward rule, and whether tapes can be copied.
    #[cfg(test)]
    pub(crate) fn beside_itself(&self) -> (bool, bool) {
        (self.forward.is_some(), self.copies)
    }
}

/// What judges the rules of a function, whatever their types: for each width first the rule, then what stands beside it.
///
/// `single` is the rule in one lane. Without one there is nothing that a wider one could be compared with.
#[derive(Clone, Copy)]
pub struct Rules<'t>(pub(super) Trial<'t>);

impl Rules<'_> {
    /// Adds what comes of a forward rule in `width` lanes, or that there is none.
    pub fn forward(
        self,
        outcomes: &mut Outcomes,
        width: usize,
        wide: &Option<FoundForward<'_>>,
        single: &Option<FoundForward<'_>>,
    ) {
        outcomes.add(width, self.forward_report(wide, single));
    }

    /// Adds what comes of a forward rule, if there is one.
    pub fn forward_if_any(
        self,
        outcomes: &mut Outcomes,
        wide: &Option<FoundForward<'_>>,
        single: &Option<FoundForward<'_>>,
    ) {
        outcomes.add_if_any(self.forward_report(wide, single));
    }

    /// Adds what comes of the last digits of a forward rule, if its function takes dual numbers too.
    pub fn digits_ahead(self, outcomes: &mut Outcomes, single: &Option<FoundForward<'_>>) {
        if let (Some(FoundForward(rule)), Some(finer)) = (single, &self.0.protocol.finer) {
            outcomes.add_if_any(Some(self.0.digits_ahead(&**rule, &*finer.0)));
        }
    }

    /// Adds what comes of a reverse rule in `width` lanes and of what stands beside it, or that there is none.
    pub fn reverse(
        self,
        outcomes: &mut Outcomes,
        width: usize,
        wide: &Option<FoundReverse<'_>>,
        single: &Option<FoundReverse<'_>>,
    ) {
        outcomes.add(width, self.reverse_report(wide, single));
        self.beside(outcomes, wide);
    }

    /// Adds what comes of a reverse rule, if there is one.
    pub fn reverse_if_any(
        self,
        outcomes: &mut Outcomes,
        wide: &Option<FoundReverse<'_>>,
        single: &Option<FoundReverse<'_>>,
    ) {
        outcomes.add_if_any(self.reverse_report(wide, single));
    }

    /// Adds whether the forward rule agrees, and whether copies of a tape are tapes of their own.
    pub fn beside(self, outcomes: &mut Outcomes, found: &Option<FoundReverse<'_>>) {
        let Some(found) = found else { return };
        if let Some(FoundForward(forward)) = &found.forward {
            outcomes.add_if_any(Some(self.0.pairing(&**forward, &*found.rule)));
        }
        if found.copies {
            outcomes.add_if_any(Some(self.0.reuse(&*found.rule)));
        }
    }

    /// Adds what one lane is enough for: the second half on another thread, for that costs more than all other checks of a call, and
    /// the last digits, if the function takes dual numbers too.
    pub fn once(self, outcomes: &mut Outcomes, single: &Option<FoundReverse<'_>>) {
        let Some(found) = single else { return };
        outcomes.add_if_any(Some(self.0.elsewhere(&*found.rule)));
        if let Some(finer) = &self.0.protocol.finer {
            outcomes.add_if_any(Some(self.0.digits(&*found.rule, &*finer.0)));
        }
    }

    fn forward_report(
        self,
        wide: &Option<FoundForward<'_>>,
        single: &Option<FoundForward<'_>>,
    ) -> Option<Report> {
        let (FoundForward(wide), FoundForward(single)) = (wide.as_ref()?, single.as_ref()?);
        Some(self.0.forward(&**wide, &**single))
    }

    fn reverse_report(
        self,
        wide: &Option<FoundReverse<'_>>,
        single: &Option<FoundReverse<'_>>,
    ) -> Option<Report> {
        let (wide, single) = (wide.as_ref()?, single.as_ref()?);
        Some(self.0.reverse(&*wide.rule, &*single.rule))
    }
}
