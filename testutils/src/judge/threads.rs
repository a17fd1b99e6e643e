//! H1: calls on several threads agree with a serial one.

use std::sync::Barrier;
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

/// In the quick profile a thread that has worked as long has done enough, if it has taken both turns: rules that take long
/// need fewer calls to meet.
const ENOUGH: Duration = Duration::from_micros(300);

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
    let work = &work;
    let together = Barrier::new(THREADS);
    let together = &together;
    thread::scope(|scope| {
        let spawn = |number| {
            let repeat = move || {
                together.wait();
                let started = Instant::now();
                let turns = (number..number + REPEATS).map(|turn| (turn, work(turn)));
                let goes_on =
                    |turn: usize| thorough || turn < number + 2 || started.elapsed() < ENOUGH;
                turns
                    .take_while(|(turn, _)| goes_on(*turn))
                    .collect::<Vec<_>>()
            };
            scope.spawn(repeat)
        };
        let threads: Vec<_> = (0..THREADS).map(spawn).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<_>>| {
            thread
                .join()
                .expect("a panic of the rule is caught on its thread")
        };
        threads.into_iter().flat_map(join).collect()
    })
}
