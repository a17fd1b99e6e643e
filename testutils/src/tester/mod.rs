//! The tester: one function at one point, judged in any number of mixes.

mod buffers;
mod classify;
mod confirmed;
mod ends;
mod found;
mod in_mix;
mod judging;
mod lengths;
mod patience;
mod plain;
mod points;
mod reference;
mod rules;
mod setting;
mod shrink;
mod tamer;
mod variation;

use std::marker::PhantomData;

use coenzyme::{Function, Outcome, ReverseConfig};

pub use self::buffers::{ConstBuffers, flowing, severed};
pub use self::found::{FoundForward, FoundReverse, Rules};
pub use self::in_mix::InMix;
pub(crate) use self::judging::NOT_REPLAYED;
pub use self::plain::{test_forward, test_reverse};
pub use self::points::Points;
pub use self::reference::Finer;
use self::reference::Reference;
pub use self::setting::Setting;
use crate::argument::Passings;
use crate::environment::Environment;
use crate::judge::{Budgets, Signature};
use crate::ladder::{Ladder, Precision};
use crate::overrides::Overrides;
use crate::subject::{Callable, Subject};

/// One function at one point, judged in any number of mixes and widths by one set of differences.
///
/// The functions [`test_forward`](crate::test_forward()) and [`test_reverse`](crate::test_reverse()), and the macros of the
/// same names, each make one for a single mix; [`test_rule!`](crate::test_rule) makes one for all.
pub struct Tester<F, Ps: Passings, Out: Outcome> {
    pub(crate) subject: Subject<F, Ps, Out>,
    pub(crate) protocol: Protocol,
}

/// How a function is tested: all that a tester knows of it beside its types.
pub(crate) struct Protocol {
    name: String,
    pub(crate) signature: Signature,
    precision: Precision,
    ladder: Ladder,
    reference: Option<Reference>,
    /// The same function of dual numbers, where it takes them.
    finer: Option<Finer>,
    overrides: Overrides,
    buffers: ConstBuffers,
    budgets: Budgets,
    seed: u64,
    environment: Environment,
    own: Points,
    shared: Option<&'static Points>,
    size: Option<String>,
    /// Whether sizes and integers that were not given are tried too.
    varies: bool,
    /// Whether as much as can be is active in the mix to be judged, if somebody has said so.
    fullest: Option<bool>,
    /// The size above which none is tried that was not given.
    longest: Option<usize>,
}

/// A function under test, whatever its types, and how it is tested: what is not compiled again for every function.
#[derive(Clone, Copy)]
struct Trial<'t> {
    subject: &'t dyn Callable,
    protocol: &'t Protocol,
}

impl<F, Ps, Out> Tester<F, Ps, Out>
where
    Ps: Passings,
    Out: Outcome<Value: Send + Sync + 'static>,
    F: for<'a> Function<Ps::Primals<'a>, Output = Out> + Send + Sync,
{
    fn trial(&self) -> Trial<'_> {
        Trial {
            subject: &self.subject,
            protocol: &self.protocol,
        }
    }

    /// What judges the rules of the function, whatever their types.
    #[doc(hidden)]
    pub fn rules(&self) -> Rules<'_> {
        Rules(self.trial())
    }
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
        self.protocol.overrides = overrides;
        self
    }

    /// Declares what the rule does with derivatives that flow through `Const` buffers.
    #[must_use]
    pub fn const_buffers(mut self, buffers: ConstBuffers) -> Self {
        self.protocol.buffers = buffers;
        self
    }

    /// Declares how many bytes a tape may own on the heap, by what is overwritten between the halves (check T1).
    ///
    /// A tape that copies what is overwritten, and nothing else, has the budget of the argument's bytes if it is
    /// overwritten, else 0. Bytes are measured as the tape is dropped: memory that it shares with others is not its own.
    /// Every subset of the arguments in memory is tried.
    ///
    /// ```
    /// use coenzyme::{AsActive, AsDuplicated, differentiable};
    /// use coenzyme_testutils::{Setting, input};
    ///
    /// /// Σ xᵢ².
    /// #[differentiable]
    /// fn energy(x: &[f64]) -> f64 {
    ///     let mut sum = 0.0;
    ///     for x in x.iter() {
    ///         sum += *x * *x;
    ///     }
    ///     sum
    /// }
    ///
    /// let tester = Setting::new((input(4),)).function("energy", energy {});
    /// let tester = tester.tape_budget(|_| 1024);
    /// tester.mix(AsActive, (AsDuplicated,)).reverse::<_, _, 1>().assert();
    /// ```
    #[must_use]
    pub fn tape_budget(
        mut self,
        bytes: impl Fn(&ReverseConfig) -> usize + Send + Sync + 'static,
    ) -> Self {
        self.protocol.budgets.tape = Some(Box::new(bytes));
        self
    }

    /// Declares how often each of `forward`, `augmented_primal` and `reverse` may allocate on the calling thread (check T2).
    /// That nothing is leaked is checked without it.
    #[must_use]
    pub fn allocation_budget(mut self, times: u64) -> Self {
        self.protocol.budgets.allocations = Some(times);
        self
    }

    /// Measures the primal on another ladder.
    #[must_use]
    pub fn ladder(mut self, ladder: Ladder) -> Self {
        self.protocol.ladder = ladder;
        self
    }

    /// Tries no size above this that was not given (check Z2): for a function that takes the cube of the length in time, and no
    /// memory to show it. Sizes up to 1009 are tried without it, unless a call allocates the square of its numbers, or they take more than
    /// a few seconds together: the report says so.
    #[must_use]
    pub fn longest(mut self, numbers: usize) -> Self {
        self.protocol.longest = Some(numbers);
        self
    }

    /// Draws points and seeds by another seed, which is mixed with that of the environment.
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.protocol.seed = seed;
        self
    }

    /// One mix: the return activity `returned`, and a tuple of argument activities.
    pub fn mix<Ret, M>(&self, _returned: Ret, _arguments: M) -> InMix<'_, F, Ps, Out, Ret, M> {
        InMix {
            tester: self,
            mix: PhantomData,
        }
    }

    /// Decides by the same function of dual numbers what the differences cannot.
    #[doc(hidden)]
    #[must_use]
    pub fn finer(mut self, finer: Option<Finer>) -> Self {
        self.protocol.finer = finer;
        self
    }

    /// Says how an error of the function is printed.
    #[doc(hidden)]
    #[must_use]
    pub fn errors(mut self, errors: Option<fn(Out::Of<()>) -> String>) -> Self {
        self.subject.errors = errors;
        self
    }

    /// Shares the differences with other testers of the same function at the same size; `general` says whether sizes that were not
    /// given are tried beside this one.
    #[doc(hidden)]
    #[must_use]
    pub fn sharing(mut self, points: &'static Points, size: &str, general: bool) -> Self {
        self.protocol.shared = Some(points);
        self.protocol.varies = general;
        self.protocol.size = (size != "()").then(|| size.to_owned());
        self
    }

    /// Says whether the mix to be judged is that of its function in which as much as can be is active.
    #[doc(hidden)]
    #[must_use]
    pub fn fullest(mut self, fullest: bool) -> Self {
        self.protocol.fullest = Some(fullest);
        self
    }
}
