//! Every common mistake, in every kind of function.
//!
//! A [`Base`] is a function `written ← g(read, value)`, returning `h(read, value)`, and its Jacobian. One rule serves them all,
//! on plain floats, with one branch for each mistake of [`Wrong`]; what refuses a mistake is the same for all bases, and so
//! is the table of [`mutants`].

mod bases;
mod rule;

use coenzyme_testutils::{Check, Report};

use crate::{Family, Mutant};

/// A function whose derivatives are known: it overwrites `written`, reads `read`, takes `value`, and returns something.
pub(crate) trait Base: Copy + Send + Sync + 'static {
    /// The memory that is overwritten.
    type Written: ?Sized;
    /// The memory that is read.
    type Read: ?Sized;
    /// What is taken by value.
    type Value;
    /// What is returned.
    type Out;

    fn call(self, written: &mut Self::Written, read: &Self::Read, value: &Self::Value)
    -> Self::Out;

    /// A row for each float that is returned, then for each that is written; a column for each float that is read, then for
    /// each of the value.
    fn jacobian(self, read: &[f64], value: &[f64]) -> Vec<Vec<f64>>;
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    SumsBackwards,
    AddsInHalves,
    SavesAlways,
    // Forward.
    AddsToStaleShadow,
    LeavesStaleShadow,
    FlipsSign,
    HalvesReturn,
    DropsReturn,
    ForgetsRead,
    ForgetsValue,
    OneEntryOff,
    TangentOfLaneZero,
    TangentOfNextLane,
    DividesByWidth,
    SkipsMutation,
    SpoilsWritten,
    ReturnsPrimalAlways,
    ReturnsPrimalNever,
    ReturnsAnotherPrimal,
    AddsConstant,
    SquaresSeed,
    ClipsSeed,
    WeakZero,
    StrongZeroDropsAll,
    StrongZeroStopsEarly,
    StrongZeroOfAllLanes,
    StopsAtZero,
    PanicsAtInfinity,
    Panics,
    DependsOnChance,
    SharesScratch,
    ReadsSingle,
    LeavesStaleIfReadIsConst,
    ClampsPoint,
    // Reverse.
    AssignsRead,
    ScalesRead,
    SubtractsRead,
    RestoresShadow,
    KeepsCotangent,
    HalvesCotangent,
    ReadsInPlace,
    AsksForTheWrongArgument,
    SavesHalf,
    SavesSingle,
    SavesSingleIfOverwritten,
    DropsCotangentOfReturn,
    DropsCotangentOfWritten,
    ForgetsReadBack,
    ForgetsValueBack,
    OneEntryOffBack,
    SwapsEntries,
    TransposesBack,
    CotangentOfLaneZero,
    LanesAddUp,
    AugmentedClearsRead,
    AugmentedSeedsRead,
    AugmentedConsumes,
    AugmentedSkipsMutation,
    AugmentedReturnsPrimalAlways,
    AugmentedReturnsPrimalNever,
    AugmentedReturnsAnotherPrimal,
    ReverseMutatesAgain,
    ReverseSpoilsWritten,
    GlobalTape,
    StackOfTapes,
    TakesFromTape,
    DependsOnChanceBack,
    SharesScratchBack,
    AddsConstantBack,
    SquaresSeedBack,
    ClipsSeedBack,
    WeakZeroBack,
    StrongZeroDropsAllBack,
    StrongZeroStopsEarlyBack,
    StrongZeroOfAllLanesBack,
    StopsAtZeroBack,
    LosesValueIfReadIsConst,
    LosesReadIfReturnIsConst,
    PanicsInAugmented,
    PanicsInReverse,
    PanicsIfOverwritten,
    PanicsAtInfinityBack,
    ConsumesFirstLane,
    ConsumesIfReturned,
    ConsumesIfReadIsActive,
    SavesUnlessStrong,
    SavesIfNotOverwritten,
    GradientOnlyWithPrimal,
    IgnoresSeed,
    RoundsSeed,
    SkipsMutationIfConst,
    CarriesOldWritten,
    ClampsPointBack,
    Leaks,
    SavesTwice,
}

use Wrong::*;

/// A mistake, the check that is named for it, and what the message must say.
type Row = (Wrong, Check, &'static str);

const FORWARD: &[Row] = &[
    (AddsToStaleShadow, Check::F2, "where   written.shadow"),
    (LeavesStaleShadow, Check::F2, "where   written.shadow"),
    (FlipsSign, Check::F1, "where   ret.tangent"),
    (HalvesReturn, Check::F1, "where   ret.tangent"),
    (DropsReturn, Check::F1, "where   ret.tangent"),
    (ForgetsRead, Check::F1, "the tangent of read"),
    (ForgetsValue, Check::F1, "the tangent of value"),
    (OneEntryOff, Check::F2, "where   written.shadow"),
    (TangentOfLaneZero, Check::B1, "lane 1: B1"),
    (TangentOfNextLane, Check::B1, "B1"),
    (DividesByWidth, Check::B1, "B1"),
    (SkipsMutation, Check::P2, "where   written: P2"),
    (SpoilsWritten, Check::P2, "where   written: P2"),
    (ReturnsPrimalAlways, Check::I1, "but a primal was returned"),
    (ReturnsPrimalNever, Check::I1, "but no primal was returned"),
    (ReturnsAnotherPrimal, Check::P1, "where   ret: P1"),
    (AddsConstant, Check::L1, "L1"),
    (SquaresSeed, Check::L1, "L1"),
    (ClipsSeed, Check::L1, "L1"),
    (WeakZero, Check::N1, "N1"),
    (StrongZeroDropsAll, Check::N1, "N1"),
    (StrongZeroStopsEarly, Check::N1, "N1"),
    (StrongZeroOfAllLanes, Check::N1, "N1"),
    (StopsAtZero, Check::F1, "where   ret.tangent"),
    (PanicsAtInfinity, Check::E1, "`forward` panicked: too large"),
    (Panics, Check::E1, "`forward` panicked: not today"),
    (DependsOnChance, Check::D1, "where   ret.tangent"),
    (SharesScratch, Check::H1, "H1"),
    (ReadsSingle, Check::F1, "F1"),
    (LeavesStaleIfReadIsConst, Check::F2, "read=Const"),
];

const REVERSE: &[Row] = &[
    (AssignsRead, Check::R1, "where   read.shadow"),
    (ScalesRead, Check::R1, "where   read.shadow"),
    (SubtractsRead, Check::R1z, "where   read.shadow"),
    (RestoresShadow, Check::R1, "where   read.shadow"),
    (KeepsCotangent, Check::R4, "where   written.shadow"),
    (HalvesCotangent, Check::R4, "where   written.shadow"),
    (ReadsInPlace, Check::R6, "overwritten"),
    (AsksForTheWrongArgument, Check::R6, "overwritten"),
    (SavesHalf, Check::R6, "overwritten"),
    (SavesSingle, Check::R1z, "R1z"),
    (SavesSingleIfOverwritten, Check::R6, "R6"),
    (DropsCotangentOfReturn, Check::R1z, "the cotangent of ret"),
    (
        DropsCotangentOfWritten,
        Check::R1z,
        "the cotangent of written",
    ),
    (ForgetsReadBack, Check::R1z, "where   read.shadow"),
    (ForgetsValueBack, Check::R1z, "where   value.gradient"),
    (OneEntryOffBack, Check::R1z, "where   read.shadow"),
    (SwapsEntries, Check::R1z, "where   read.shadow"),
    (TransposesBack, Check::R1z, "R1z"),
    (CotangentOfLaneZero, Check::B1, "lane 1: B1"),
    (LanesAddUp, Check::B1, "B1"),
    (AugmentedClearsRead, Check::R10, "where   read.shadow"),
    (AugmentedSeedsRead, Check::R10, "where   read.shadow"),
    (AugmentedConsumes, Check::R10, "where   written.shadow"),
    (AugmentedSkipsMutation, Check::P2, "where   written: P2"),
    (
        AugmentedReturnsPrimalAlways,
        Check::I1,
        "but a primal was returned",
    ),
    (
        AugmentedReturnsPrimalNever,
        Check::I1,
        "but no primal was returned",
    ),
    (AugmentedReturnsAnotherPrimal, Check::P1, "where   ret: P1"),
    (ReverseMutatesAgain, Check::R9, "where   written: R9"),
    (ReverseSpoilsWritten, Check::R9, "where   written: R9"),
    (GlobalTape, Check::D2, "D2"),
    (StackOfTapes, Check::D2, "D2"),
    (TakesFromTape, Check::D3, "D3"),
    (DependsOnChanceBack, Check::D1, "D1"),
    (SharesScratchBack, Check::H1, "H1"),
    (AddsConstantBack, Check::L1, "L1"),
    (SquaresSeedBack, Check::L1, "L1"),
    (ClipsSeedBack, Check::L1, "L1"),
    (WeakZeroBack, Check::N1, "N1"),
    (StrongZeroDropsAllBack, Check::N1, "N1"),
    (StrongZeroStopsEarlyBack, Check::N1, "N1"),
    (StrongZeroOfAllLanesBack, Check::N1, "N1"),
    (StopsAtZeroBack, Check::R1z, "R1z"),
    (
        LosesValueIfReadIsConst,
        Check::R1z,
        "read=Const value=Active",
    ),
    (LosesReadIfReturnIsConst, Check::R1z, "ret=Const"),
    (
        PanicsInAugmented,
        Check::E1,
        "`augmented_primal` panicked: not today",
    ),
    (PanicsInReverse, Check::E1, "`reverse` panicked: not today"),
    (
        PanicsIfOverwritten,
        Check::E1,
        "`reverse` panicked: it is gone",
    ),
    (
        PanicsAtInfinityBack,
        Check::E1,
        "`reverse` panicked: too large",
    ),
    (ConsumesFirstLane, Check::B1, "written.shadow lane 1: B1"),
    (ConsumesIfReturned, Check::R4, "ret=Const"),
    (ConsumesIfReadIsActive, Check::R4, "read=Const"),
    (SavesUnlessStrong, Check::R6, "R6"),
    (SavesIfNotOverwritten, Check::R6, "overwritten"),
    (GradientOnlyWithPrimal, Check::R1z, "needs_primal=false"),
    (IgnoresSeed, Check::L1, "L1"),
    (RoundsSeed, Check::R1z, "R1z"),
    (SkipsMutationIfConst, Check::P2, "written=Const"),
    (CarriesOldWritten, Check::R1z, "NaN"),
    (Leaks, Check::T2, "leaves 24 bytes allocated for ever"),
    (SavesTwice, Check::T1, "the tape owns"),
];

/// Mistakes that show only at points which the tester draws.
const FAR_OUT: [Row; 2] = [
    (ClampsPoint, Check::F1, "F1"),
    (ClampsPointBack, Check::R1z, "R1z"),
];

const RIGHT: &[Wrong] = &[Nothing, SumsBackwards, AddsInHalves, SavesAlways];

/// The rules keep whole Jacobians, which takes the square of the length; none of their mistakes is about long arguments.
pub(crate) const LONGEST: usize = 67;

/// A base with its name and its judge.
struct Judged {
    name: &'static str,
    /// Whether the tester draws what is read.
    drawn: bool,
    forward: fn(Wrong) -> Report,
    reverse: fn(Wrong) -> Report,
}

impl Judged {
    fn mutants(&self) -> Vec<Mutant> {
        let ahead = FORWARD.iter().map(|row| (row, self.forward));
        let back = REVERSE.iter().map(|row| (row, self.reverse));
        let [far_ahead, far_back] = &FAR_OUT;
        let far = [(far_ahead, self.forward), (far_back, self.reverse)];
        let far = far.into_iter().filter(|_| self.drawn);
        let rows = ahead.chain(back).chain(far);
        let judged = rows.map(|((wrong, check, says), judge)| Mutant {
            name: format!("mutants::catalogue::{}::{wrong:?}", self.name),
            check: *check,
            says,
            report: judge(*wrong),
        });
        judged.collect()
    }

    fn variants(&self) -> Vec<(String, Report)> {
        let judged = RIGHT.iter().map(|right| {
            let report = (self.forward)(*right).worse((self.reverse)(*right));
            (format!("{}::{right:?}", self.name), report)
        });
        judged.collect()
    }
}

/// Each base is judged by itself: nothing is shared between two of them.
pub(crate) fn families() -> impl Iterator<Item = Family> {
    bases::ALL.iter().map(|base| Family {
        name: "catalogue",
        mutants: Box::new(|| base.mutants()),
        variants: Box::new(|| base.variants()),
    })
}
