//! The tester: one function at one point, judged in any number of mixes.

mod buffers;
mod classify;
mod in_mix;
mod judging;
mod plain;
mod points;
mod setting;

use std::marker::PhantomData;

use coenzyme::{Function, Outcome};

pub use self::buffers::{ConstBuffers, flowing, severed};
pub use self::in_mix::InMix;
pub use self::plain::{test_forward, test_reverse};
pub use self::points::Points;
pub use self::setting::Setting;
use crate::argument::Passings;
use crate::environment::Environment;
use crate::judge::Signature;
use crate::ladder::Ladder;
use crate::overrides::Overrides;
use crate::subject::Subject;

/// One function at one point, judged in any number of mixes and widths by one set of differences.
///
/// The functions [`test_forward`](crate::test_forward()) and [`test_reverse`](crate::test_reverse()), and the macros of the
/// same names, each make one for a single mix; [`test_rule!`](crate::test_rule) makes one for all.
pub struct Tester<F, Ps: Passings, Out: Outcome> {
    name: String,
    subject: Subject<F, Ps, Out>,
    signature: Signature,
    ladder: Ladder,
    overrides: Overrides,
    buffers: ConstBuffers,
    seed: u64,
    environment: Environment,
    own: Points,
    shared: Option<&'static Points>,
    size: Option<String>,
}

impl<F, Ps, Out> Tester<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out>,
{
    /// Allows what `overrides` allow.
    #[must_use]
    pub fn overrides(mut self, overrides: Overrides) -> Self {
        self.overrides = overrides;
        self
    }

    /// Declares what the rule does with derivatives that flow through `Const` buffers.
    #[must_use]
    pub fn const_buffers(mut self, buffers: ConstBuffers) -> Self {
        self.buffers = buffers;
        self
    }

    /// Measures the primal on another ladder.
    #[must_use]
    pub fn ladder(mut self, ladder: Ladder) -> Self {
        self.ladder = ladder;
        self
    }

    /// Draws points and seeds by another seed, which is mixed with that of the environment.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// One mix: the return activity `returned`, and a tuple of argument activities.
    pub fn mix<Ret, M>(&self, _returned: Ret, _arguments: M) -> InMix<'_, F, Ps, Out, Ret, M> {
        InMix {
            tester: self,
            mix: PhantomData,
        }
    }

    /// Shares the differences with other testers of the same function at the same size.
    #[doc(hidden)]
    #[must_use]
    pub fn sharing(mut self, points: &'static Points, size: &str) -> Self {
        self.shared = Some(points);
        self.size = (size != "()").then(|| size.to_owned());
        self
    }
}
