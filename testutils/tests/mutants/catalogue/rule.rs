//! The rule of the catalogue.

use std::any::TypeId;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use coenzyme::{Saved, scaled};

use super::Wrong::{self, *};

/// A base, and which mistake its rules make.
#[derive(Clone, Copy)]
pub(crate) struct Mistaken<B>(pub(crate) B, pub(crate) Wrong);

/// A little more, now more and now less, as an order of summation that depends on chance would give.
pub(super) fn chance() -> f64 {
    thread_local!(static CALLS: Cell<u64> = const { Cell::new(0) });
    let calls = CALLS.replace(CALLS.get() + 1);
    let scrambled = (calls + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61;
    1.0 + scrambled as f64 * f64::EPSILON
}

/// What comes of writing `floats` into memory that all calls of one base `B` share, and reading them a little later.
pub(super) fn through_scratch<B: 'static>(floats: &mut Vec<f64>) {
    static SCRATCH: Mutex<BTreeMap<TypeId, Vec<f64>>> = Mutex::new(BTreeMap::new());
    let scratch = || SCRATCH.lock().expect("nobody panics here");
    scratch().insert(TypeId::of::<B>(), floats.clone());
    // Another thread comes by.
    (0..8).for_each(|_| std::thread::yield_now());
    let shared = scratch()[&TypeId::of::<B>()].clone();
    if shared.len() == floats.len() {
        *floats = shared;
    }
}

thread_local! {
    /// Where `GlobalTape` and `StackOfTapes` keep what was read. One for each thread: what becomes of them does not depend on
    /// which thread comes first.
    static TAPES: RefCell<Vec<Vec<f64>>> = const { RefCell::new(Vec::new()) };
}

/// Keeps what was read where it does not belong.
pub(super) fn keep_globally(wrong: Wrong, read: &[f64]) {
    match wrong {
        GlobalTape => TAPES.set(vec![read.to_vec()]),
        StackOfTapes => TAPES.with_borrow_mut(|tapes| tapes.push(read.to_vec())),
        _ => {}
    }
}

/// What was kept there; `read` if nothing of its length was.
pub(super) fn take_globally(wrong: Wrong, read: Vec<f64>) -> Vec<f64> {
    let kept = match wrong {
        GlobalTape => TAPES.with_borrow(|tapes| tapes.last().cloned()),
        StackOfTapes => TAPES.with_borrow_mut(Vec::pop),
        _ => None,
    };
    kept.filter(|kept| kept.len() == read.len()).unwrap_or(read)
}

/// The numbers, none of them further from zero than any of the lattice.
pub(super) fn near(floats: &[f64]) -> Vec<f64> {
    floats
        .iter()
        .map(|float| float.clamp(-2.75, 2.75))
        .collect()
}

pub(super) fn single(floats: &[f64]) -> Vec<f64> {
    floats
        .iter()
        .map(|float| f64::from(*float as f32))
        .collect()
}

/// Whether strong zeros count, under each mistake about them.
pub(super) fn is_strong(wrong: Wrong, strong: bool, lanes: &[Vec<f64>]) -> bool {
    match wrong {
        WeakZero | WeakZeroBack => false,
        StrongZeroOfAllLanes | StrongZeroOfAllLanesBack => {
            strong && lanes.iter().flatten().all(|seed| *seed == 0.0)
        }
        _ => strong,
    }
}

/// The seed as a mistake sees it.
pub(super) fn seed(wrong: Wrong, seed: f64) -> f64 {
    match wrong {
        SquaresSeed | SquaresSeedBack => seed * seed,
        ClipsSeed | ClipsSeedBack => seed.clamp(-1e6, 1e6),
        IgnoresSeed => 1.0,
        RoundsSeed => f64::from(seed as f32),
        _ => seed,
    }
}

/// `Σ partial·seed` over the pairs whose partial is not zero by structure.
pub(super) fn product(wrong: Wrong, strong: bool, pairs: &[(f64, f64)]) -> f64 {
    let mut pairs = pairs.to_vec();
    match wrong {
        StrongZeroDropsAll | StrongZeroDropsAllBack if strong => pairs.clear(),
        StrongZeroStopsEarly | StrongZeroStopsEarlyBack if !strong => {}
        StopsAtZero | StopsAtZeroBack | StrongZeroStopsEarly | StrongZeroStopsEarlyBack => {
            let zero = pairs.iter().position(|(_, seed)| *seed == 0.0);
            pairs.truncate(zero.unwrap_or(pairs.len()));
        }
        SumsBackwards => pairs.reverse(),
        _ => {}
    }
    let terms = pairs.iter().filter(|(partial, _)| *partial != 0.0);
    let sum: f64 = terms
        .map(|(partial, of)| scaled(*partial, seed(wrong, *of), strong))
        .sum();
    match wrong {
        FlipsSign => -sum,
        AddsConstant | AddsConstantBack => sum + 1e-3,
        _ => sum,
    }
}

/// What the first half leaves: what was read, as far as it may change, and what mistakes keep beside it.
pub(crate) struct Tape<T: ToOwned + ?Sized> {
    pub(super) read: Saved<T>,
    pub(super) more: Vec<f64>,
    pub(super) shared: Option<Arc<Mutex<Vec<f64>>>>,
}

impl<T: ToOwned<Owned: Clone> + ?Sized> Clone for Tape<T> {
    fn clone(&self) -> Self {
        Tape {
            read: self.read.clone(),
            more: self.more.clone(),
            shared: self.shared.clone(),
        }
    }
}

/// The rules of one base, whose types stand in the first line, and its judges.
macro_rules! rules {
    ($name:ident: $base:ty = $base_value:expr, ($written:ty, $read:ty, $value:ty) -> $out:ty, $ret:ident, $arguments:expr) => {
        pub(crate) mod $name {
            use coenzyme::{
                AsActive, AsConst, AsDuplicated, AsDuplicatedNoNeed, AugmentedReturn, ForwardArg,
                ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Function, Holds,
                HoldsMut, Lanes, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
                ReverseRule, Saved, Tangent,
            };
            use coenzyme_testutils::{__activity, Report, Setting, severed};

            use super::super::Base as _;
            use super::super::Wrong::{self, *};
            use super::super::rule::*;
            use super::*;

            type Rule = Mistaken<$base>;

            impl<D: HoldsMut<$written>, X: Holds<$read>> Function<(D, X, $value)> for Rule {
                type Output = $out;

                fn call(&self, (mut written, read, value): (D, X, $value)) -> $out {
                    self.0.call(written.get_mut(), read.get(), &value)
                }
            }

            impl<R, D, X, A, const W: usize> ForwardRule<R, (D, X, A), W> for Rule
            where
                R: ForwardReturn<W, Out = $out>,
                D: ForwardArgMut<$written, W>,
                X: ForwardArg<$read, W>,
                A: ForwardArg<$value, W>,
            {
                fn forward(
                    &self,
                    config: &ForwardConfig,
                    (d, x, a): (&mut D, &mut X, &mut A),
                ) -> R::Forward {
                    let Mistaken(base, wrong) = *self;
                    assert!(wrong != Panics, "not today");
                    let (read, value) =
                        (Tangent::to_flat(x.primal()), Tangent::to_flat(a.primal()));
                    let finite = read.iter().all(|float| float.is_finite());
                    assert!(wrong != PanicsAtInfinity || finite, "too large");
                    let zeros = d.primal().to_owned();
                    let mut out = base.call(d.primal_mut(), x.primal(), a.primal());
                    match wrong {
                        SkipsMutation if !R::needs_primal(config) => {
                            d.primal_mut().clone_from_slice(&zeros)
                        }
                        SpoilsWritten => Tangent::scale(d.primal_mut(), 1.5),
                        ReturnsAnotherPrimal => Tangent::scale(&mut out, 1.0 + 1e-13),
                        _ => {}
                    }
                    let jacobian = match wrong {
                        ReadsSingle => base.jacobian(&single(&read), &value),
                        ClampsPoint => base.jacobian(&near(&read), &value),
                        _ => base.jacobian(&read, &value),
                    };
                    let seeds: Vec<Vec<f64>> = (0..W)
                        .map(|lane| {
                            let of = match wrong {
                                TangentOfLaneZero => 0,
                                TangentOfNextLane => (lane + 1) % W,
                                _ => lane,
                            };
                            let mut dx = x
                                .tangent(of)
                                .map_or(vec![0.0; read.len()], Tangent::to_flat);
                            let mut da = a
                                .tangent(of)
                                .map_or(vec![0.0; value.len()], Tangent::to_flat);
                            match wrong {
                                ForgetsRead => dx.fill(0.0),
                                ForgetsValue => da.fill(0.0),
                                _ => {}
                            }
                            dx.extend(da);
                            dx
                        })
                        .collect();
                    let strong = is_strong(wrong, config.strong_zero(), &seeds);
                    let rows = Tangent::to_flat(&out).len();
                    let tangents: Vec<Vec<f64>> = seeds
                        .iter()
                        .map(|seeds| {
                            let of = |row: &Vec<f64>| {
                                let pairs: Vec<_> =
                                    row.iter().copied().zip(seeds.iter().copied()).collect();
                                product(wrong, strong, &pairs)
                            };
                            let mut tangent: Vec<f64> = jacobian.iter().map(of).collect();
                            let last = tangent.len() - 1;
                            match wrong {
                                DividesByWidth => {
                                    tangent.iter_mut().for_each(|entry| *entry /= W as f64)
                                }
                                OneEntryOff => tangent[last] *= 1.0 + 1e-5,
                                HalvesReturn => {
                                    tangent[..rows].iter_mut().for_each(|entry| *entry /= 2.0)
                                }
                                DropsReturn => tangent[..rows].fill(0.0),
                                DependsOnChance => {
                                    tangent.iter_mut().for_each(|entry| *entry *= chance())
                                }
                                SharesScratch => through_scratch::<Self>(&mut tangent),
                                _ => {}
                            }
                            tangent
                        })
                        .collect();
                    d.assign(|lane, _, dd| {
                        let tangent = &tangents[lane][rows..];
                        match wrong {
                            AddsToStaleShadow => {
                                let sum = Tangent::to_flat(dd)
                                    .iter()
                                    .zip(tangent)
                                    .map(|(a, b)| a + b)
                                    .collect::<Vec<_>>();
                                Tangent::unflatten(dd, &sum);
                            }
                            LeavesStaleShadow => {}
                            LeavesStaleIfReadIsConst if x.tangent(0).is_none() => {}
                            _ => Tangent::unflatten(dd, tangent),
                        }
                    });
                    let config = match wrong {
                        ReturnsPrimalAlways => config.with_needs_primal(true),
                        ReturnsPrimalNever => config.with_needs_primal(false),
                        _ => *config,
                    };
                    let zero = Tangent::zero_like(&out);
                    R::forward(
                        &config,
                        || out,
                        |lane| {
                            let mut tangent = zero.clone();
                            Tangent::unflatten(&mut tangent, &tangents[lane][..rows]);
                            tangent
                        },
                    )
                }
            }

            impl<R, D, X, A, const W: usize> ReverseRule<R, (D, X, A), W> for Rule
            where
                R: ReverseReturn<W, Out = $out>,
                D: ReverseArgMut<$written, W>,
                X: ReverseArg<$read, W>,
                A: ReverseArg<$value, W>,
            {
                type Tape = Tape<$read>;

                fn augmented_primal(
                    &self,
                    config: &ReverseConfig,
                    (d, x, a): (&mut D, &mut X, &mut A),
                ) -> AugmentedReturn<$out, R::Shadow, Self::Tape> {
                    let Mistaken(base, wrong) = *self;
                    assert!(wrong != PanicsInAugmented, "not today");
                    let old = d.primal().to_owned();
                    let mut out = base.call(d.primal_mut(), x.primal(), a.primal());
                    match wrong {
                        AugmentedSkipsMutation if !config.needs_primal() => {
                            d.primal_mut().clone_from_slice(&old)
                        }
                        SkipsMutationIfConst if !d.is_active() => {
                            d.primal_mut().clone_from_slice(&old)
                        }
                        AugmentedReturnsAnotherPrimal => Tangent::scale(&mut out, 1.0 + 1e-13),
                        AugmentedConsumes => drop(d.transform(|_, _, dd| Tangent::zero_out(dd))),
                        AugmentedClearsRead => {
                            drop(x.accumulate(|_, _, mut dx| dx.accumulate_with(Tangent::zero_out)))
                        }
                        AugmentedSeedsRead => {
                            drop(x.accumulate(|_, _, mut dx| {
                                dx.accumulate_with(|dx| Tangent::scale(dx, 1.5))
                            }));
                        }
                        Leaks => std::mem::forget(vec![1.0; 3]),
                        _ => {}
                    }
                    let read = Tangent::to_flat(x.primal());
                    keep_globally(wrong, &read);
                    let mut kept = x.primal().to_owned();
                    let overwritten = config.overwritten(1);
                    match wrong {
                        SavesHalf => {
                            let mut half = read.clone();
                            let middle = half.len() / 2;
                            half[middle..].fill(0.0);
                            <$read as Tangent>::unflatten(
                                std::borrow::BorrowMut::borrow_mut(&mut kept),
                                &half,
                            );
                        }
                        SavesSingle | SavesSingleIfOverwritten => {
                            <$read as Tangent>::unflatten(
                                std::borrow::BorrowMut::borrow_mut(&mut kept),
                                &single(&read),
                            );
                        }
                        _ => {}
                    }
                    let saves = match wrong {
                        ReadsInPlace => false,
                        AsksForTheWrongArgument => config.overwritten(0),
                        SavesAlways | SavesSingle => true,
                        SavesUnlessStrong => overwritten && !config.strong_zero(),
                        SavesIfNotOverwritten => !overwritten,
                        _ => overwritten,
                    };
                    let mut shadows = vec![];
                    if wrong == RestoresShadow {
                        x.accumulate(|_, _, mut dx| {
                            dx.accumulate_with(|dx| shadows.extend(Tangent::to_flat(dx)))
                        });
                    }
                    let tape = Tape {
                        read: Saved::new(std::borrow::Borrow::borrow(&kept), saves),
                        more: match wrong {
                            SavesTwice => read.clone(),
                            CarriesOldWritten => Tangent::to_flat(&old[..]),
                            _ => shadows,
                        },
                        shared: (wrong == TakesFromTape)
                            .then(|| std::sync::Arc::new(std::sync::Mutex::new(read))),
                    };
                    let config = match wrong {
                        AugmentedReturnsPrimalAlways => config.with_needs_primal(true),
                        AugmentedReturnsPrimalNever => config.with_needs_primal(false),
                        _ => *config,
                    };
                    R::augmented(&config, out, tape)
                }

                fn reverse(
                    &self,
                    config: &ReverseConfig,
                    dret: R::Cotangent,
                    tape: Self::Tape,
                    (d, x, a): (&mut D, &mut X, &mut A),
                ) -> (D::Gradient, X::Gradient, A::Gradient) {
                    let Mistaken(base, wrong) = *self;
                    assert!(wrong != PanicsInReverse, "not today");
                    assert!(
                        wrong != PanicsIfOverwritten || !config.overwritten(1),
                        "it is gone"
                    );
                    let kept = tape.read.get(x.primal()).to_owned();
                    let mut read = Tangent::to_flat(&kept);
                    let finite = read.iter().all(|float| float.is_finite());
                    assert!(wrong != PanicsAtInfinityBack || finite, "too large");
                    if let Some(shared) = &tape.shared {
                        read = std::mem::take(&mut *shared.lock().expect("nobody panics here"));
                        read.resize(Tangent::to_flat(&kept).len(), 1.0);
                    }
                    let read = take_globally(wrong, read);
                    let value = Tangent::to_flat(a.primal());
                    let jacobian = match wrong {
                        ClampsPointBack => base.jacobian(&near(&read), &value),
                        _ => base.jacobian(&read, &value),
                    };
                    let columns = read.len();
                    let (x_const, returns) = (!x.is_active(), R::ACTIVE);
                    let seeds: Vec<Vec<f64>> = (0..W)
                        .map(|lane| {
                            let of = if wrong == CotangentOfLaneZero {
                                0
                            } else {
                                lane
                            };
                            let written = Tangent::to_flat(d.primal()).len();
                            let mut dret = dret
                                .lane(of)
                                .map_or(vec![0.0; jacobian.len() - written], Tangent::to_flat);
                            let mut dd =
                                d.cotangent(of).map_or(vec![0.0; written], Tangent::to_flat);
                            match wrong {
                                DropsCotangentOfReturn => dret.fill(0.0),
                                DropsCotangentOfWritten => dd.fill(0.0),
                                _ => {}
                            }
                            dret.extend(dd);
                            dret
                        })
                        .collect();
                    let strong = is_strong(wrong, config.strong_zero(), &seeds);
                    let mut adjoints: Vec<Vec<f64>> = seeds
                        .iter()
                        .map(|seeds| {
                            let of = |column: usize| {
                                let at = match wrong {
                                    SwapsEntries if column < 2 => 1 - column,
                                    TransposesBack => (column + 1) % (columns + value.len()),
                                    _ => column,
                                };
                                let partials = jacobian.iter().map(|row| row[at]);
                                let pairs: Vec<_> = partials.zip(seeds.iter().copied()).collect();
                                product(wrong, strong, &pairs)
                            };
                            let mut adjoint: Vec<f64> =
                                (0..columns + value.len()).map(of).collect();
                            match wrong {
                                OneEntryOffBack => adjoint[columns - 1] *= 1.0 + 1e-5,
                                ForgetsReadBack => adjoint[..columns].fill(0.0),
                                GradientOnlyWithPrimal if !config.needs_primal() => {
                                    adjoint.fill(0.0)
                                }
                                CarriesOldWritten => adjoint[0] += 0.0 * tape.more[0],
                                LosesReadIfReturnIsConst if !returns => {
                                    adjoint[..columns].fill(0.0)
                                }
                                ForgetsValueBack => adjoint[columns..].fill(0.0),
                                LosesValueIfReadIsConst if x_const => adjoint[columns..].fill(0.0),
                                DependsOnChanceBack => {
                                    adjoint.iter_mut().for_each(|entry| *entry *= chance())
                                }
                                SharesScratchBack => through_scratch::<Self>(&mut adjoint),
                                _ => {}
                            }
                            adjoint
                        })
                        .collect();
                    if wrong == LanesAddUp && W > 1 {
                        let first = adjoints[0].clone();
                        adjoints[1]
                            .iter_mut()
                            .zip(first)
                            .for_each(|(entry, first)| *entry += first);
                    }
                    match wrong {
                        ReverseMutatesAgain => drop(base.call(d.primal_mut(), &kept, a.primal())),
                        ReverseSpoilsWritten => Tangent::scale(d.primal_mut(), 0.0),
                        _ => {}
                    }
                    let dx = x.accumulate(|lane, _, mut dx| {
                        let adjoint = &adjoints[lane][..columns];
                        dx.accumulate_with(|dx| {
                            let mut sum = Tangent::to_flat(dx);
                            for (i, (sum, add)) in sum.iter_mut().zip(adjoint).enumerate() {
                                match wrong {
                                    AssignsRead => *sum = *add,
                                    ScalesRead => *sum = 2.0 * *sum + add,
                                    SubtractsRead => *sum -= add,
                                    RestoresShadow => *sum = tape.more[lane * columns + i] + add,
                                    AddsInHalves => *sum = (*sum + add / 2.0) + add / 2.0,
                                    _ => *sum += add,
                                }
                            }
                            Tangent::unflatten(dx, &sum);
                        });
                    });
                    let da = a.accumulate(|lane, _, mut da| {
                        da.accumulate_with(|da| {
                            let sum: Vec<f64> = Tangent::to_flat(da)
                                .iter()
                                .zip(&adjoints[lane][columns..])
                                .map(|(a, b)| a + b)
                                .collect();
                            Tangent::unflatten(da, &sum);
                        });
                    });
                    let dd = d.transform(|lane, _, dd| match wrong {
                        ConsumesFirstLane if lane > 0 => {}
                        ConsumesIfReturned if !returns => {}
                        ConsumesIfReadIsActive if x_const => {}
                        KeepsCotangent => {}
                        HalvesCotangent => Tangent::scale(dd, 0.5),
                        _ => Tangent::zero_out(dd),
                    });
                    (dd, dx, da)
                }
            }

            /// Forward rules alone, or beside the reverse rules if the two are compared.
            pub(crate) fn forward(wrong: Wrong) -> Report {
                let (written, read, value) = $arguments;
                let arguments = (
                    written.named("written"),
                    read.named("read"),
                    value.named("value"),
                );
                let tester = crate::shared!(
                    Setting::new(arguments)
                        .function(stringify!($name), Mistaken($base_value, wrong))
                )
                .longest(crate::catalogue::LONGEST);
                let both = tester.mix(__activity!($ret), (AsDuplicated, AsDuplicated, AsActive));
                let ahead = tester.mix(AsDuplicated, (AsDuplicated, AsDuplicated, AsDuplicated));
                let alone = tester.mix(AsDuplicatedNoNeed, (AsDuplicated, AsDuplicated, AsConst));
                let inactive = tester.mix(AsConst, (AsDuplicated, AsConst, AsDuplicated));
                Report::worst([
                    ahead.forward::<1>(),
                    ahead.forward::<2>(),
                    ahead.forward::<3>(),
                    alone.forward::<1>(),
                    alone.forward::<2>(),
                    inactive.forward::<1>(),
                    both.pairing::<_, 2>(),
                ])
            }

            pub(crate) fn reverse(wrong: Wrong) -> Report {
                let (written, read, value) = $arguments;
                let arguments = (
                    written.named("written"),
                    read.named("read"),
                    value.named("value"),
                );
                let tester = crate::shared!(
                    Setting::new(arguments)
                        .function(stringify!($name), Mistaken($base_value, wrong))
                )
                .longest(crate::catalogue::LONGEST);
                let tester = tester.const_buffers(severed("as Enzyme does"));
                let tester = match wrong {
                    SavesTwice => {
                        tester.tape_budget(|config| if config.overwritten(1) { 1 << 20 } else { 0 })
                    }
                    _ => tester,
                };
                let both = tester.mix(__activity!($ret), (AsDuplicated, AsDuplicated, AsActive));
                let inactive = tester.mix(AsConst, (AsDuplicated, AsDuplicated, AsActive));
                let cut = tester.mix(__activity!($ret), (AsConst, AsDuplicated, AsActive));
                let first = tester.mix(__activity!($ret), (AsDuplicated, AsDuplicated, AsConst));
                let second = tester.mix(__activity!($ret), (AsDuplicated, AsConst, AsActive));
                Report::worst([
                    both.reverse::<_, _, 1>(),
                    both.reverse::<_, _, 2>(),
                    both.reverse::<_, _, 3>(),
                    inactive.reverse::<_, _, 1>(),
                    first.reverse::<_, _, 2>(),
                    cut.reverse::<_, _, 1>(),
                    second.reverse::<_, _, 1>(),
                    both.pairing::<_, 2>(),
                    both.reuse::<_, 1>(),
                ])
            }
        }
    };
}
pub(super) use rules;
