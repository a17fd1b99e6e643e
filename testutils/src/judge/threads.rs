//! H1: calls on several threads agree with a serial one.

use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use coenzyme::{ForwardConfig, ReverseConfig};

use super::bench::Bench;
use super::pass::{Done, Failure, both};
use super::push::{Run, agree as agree_forward, run};
use super::reverse::agree as agree_reverse;
use super::seeds::Seeds;
use super::tape::{another, nearby};
use crate::check::Check;
use crate::subject::{Forward, Reverse, State};

/// Each thread calls the rule this often, by turns with two sets of seeds, so that shared state would show.
const REPEATS: usize = 50;
const THREADS: usize = 8;

/// In the quick profile a thread that has worked as long has done enough, if it has met as many calls with the other seeds as
/// [`MEETINGS`]: rules that take long need fewer calls to meet. How long a thread works on a busy machine says nothing about that.
const ENOUGH: Duration = Duration::from_micros(300);
const MEETINGS: usize = 4;

pub(super) fn forward(
    bench: &mut Bench<'_>,
    call: &Forward<'_>,
    config: &ForwardConfig,
    start: &State,
    expected: &Run,
) -> Result<(), Failure> {
    let other = start.scaled(-1.5);
    let elsewhere = State {
        primals: nearby(&start.primals),
        ..other.clone()
    };
    let (other, expected_other) = match run(call, config, &elsewhere) {
        Ok(run) => (elsewhere, run),
        // The primal may refuse to be called nearby.
        Err(failure) => {
            bench.failed_alone(&elsewhere.primals, failure);
            (other.clone(), run(call, config, &other)?)
        }
    };
    let runs = on_threads(bench.thorough, |turn| {
        run(call, config, if turn % 2 == 0 { start } else { &other })
    });
    for (turn, done) in runs {
        let expected = if turn % 2 == 0 {
            expected
        } else {
            &expected_other
        };
        agree_forward(bench, Check::H1, &done?, expected, |value| value);
    }
    Ok(())
}

pub(super) fn reverse(
    bench: &mut Bench<'_>,
    call: &Reverse<'_>,
    config: &ReverseConfig,
    seeds: &Seeds,
    expected: &Done,
) -> Result<(), Failure> {
    let (other, expected_other) = another(bench, call, config, seeds)?;
    let runs = on_threads(bench.thorough, |turn| {
        both(
            call,
            config,
            if turn % 2 == 0 { seeds } else { &other },
            None,
        )
    });
    for (turn, done) in runs {
        let expected = if turn % 2 == 0 {
            expected
        } else {
            &expected_other
        };
        agree_reverse(bench, Check::H1, &done?, expected, |value| value);
    }
    Ok(())
}

/// Whether this is the case to try on threads: one width is enough, for threads cost more than all other checks.
pub(super) fn apply(bench: &Bench<'_>) -> bool {
    bench.threads && bench.mix.width == 1
}

/// What `work` gives on each thread, with the turn it was told.
fn on_threads<T: Send>(thorough: bool, work: impl Fn(usize) -> T + Sync) -> Vec<(usize, T)> {
    let together = Barrier::new(THREADS);
    let calls = Calls::default();
    let repeat = |number: usize| {
        together.wait();
        let (started, mut met) = (Instant::now(), 0);
        let mut done = Vec::new();
        for turn in number..number + REPEATS {
            if !thorough && met >= MEETINGS && started.elapsed() >= ENOUGH {
                break;
            }
            let (result, meets) = calls.during(turn % 2, || work(turn));
            met += usize::from(meets);
            done.push((turn, result));
        }
        done
    };
    let repeat = &repeat;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|number| scope.spawn(move || repeat(number)))
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<_>>| {
            thread
                .join()
                .expect("a panic of the rule is caught on its thread")
        };
        threads.into_iter().flat_map(join).collect()
    })
}

/// The calls with each of two sets of seeds: how many have begun, and how many have ended.
#[derive(Default)]
struct Calls {
    begun: [AtomicUsize; 2],
    ended: [AtomicUsize; 2],
}

impl Calls {
    /// What a call with one set of seeds gives, and whether it met another call with the other: one that had not ended when it
    /// began, or that began before it ended.
    fn during<T>(&self, set: usize, call: impl FnOnce() -> T) -> (T, bool) {
        let other = 1 - set;
        // Those that ended come first, lest one that begins and ends meanwhile should seem to go on.
        let ended = self.ended[other].load(Ordering::SeqCst);
        self.begun[set].fetch_add(1, Ordering::SeqCst);
        let result = call();
        let begun = self.begun[other].load(Ordering::SeqCst);
        self.ended[set].fetch_add(1, Ordering::SeqCst);
        (result, begun > ended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_meet_or_take_every_turn() {
        let (count, both) = (AtomicUsize::new(0), Barrier::new(THREADS));
        let done = on_threads(false, |turn| {
            // All threads take their first turn at once, so that each meets others.
            if count.fetch_add(1, Ordering::SeqCst) < THREADS {
                both.wait();
            }
            turn
        });
        assert!(done.iter().all(|(turn, told)| turn == told));
        assert!((THREADS * MEETINGS..=THREADS * REPEATS).contains(&done.len()));
    }

    #[test]
    fn a_call_meets_another_with_the_other_seeds_only() {
        let calls = Calls::default();
        let alone = |set| calls.during(set, || ()).1;
        assert!(!alone(0) && !alone(1));
        let (within, around) = calls.during(0, || alone(1));
        assert!(within && around);
        let (within, around) = calls.during(0, || alone(0));
        assert!(!within && !around);
        assert!(!alone(0) && !alone(1));
    }
}
