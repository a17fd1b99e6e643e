//! Ranks that fail, leave, disagree or wait for ever: all ranks are told, and told by whom.

use std::time::{Duration, Instant};

use coenzyme::prelude::*;
use coenzyme::{BatchDuplicated, DynArg, ReverseConfig, ReverseRule, Thunk};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, LocalMesh, Process};

use crate::body::Random;
use crate::body::cases::{Case, linear, nonlinear};

/// Runs on `n` ranks with a time-out that no test should need.
fn each<T: Send>(
    n: usize,
    program: impl Fn(&Process) -> Result<T, CommError> + Sync,
) -> Vec<Result<T, CommError>> {
    let begun = Instant::now();
    let mesh = LocalMesh::of(n).timeout(Duration::from_secs(20));
    let results = crate::watched("a program with a fault", || mesh.run_each(program));
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "found at once, not by the time-out"
    );
    results
}

fn names(result: &Result<impl Sized, CommError>) -> usize {
    match result {
        Err(CommError::Failed { rank, .. } | CommError::Left { rank, .. }) => *rank,
        Err(other) => panic!("names no rank: {other}"),
        Ok(_) => panic!("should have failed"),
    }
}

#[test]
fn an_error_on_one_rank_is_an_error_on_all_that_names_it() {
    for n in [2, 4, 7] {
        let results = each(n, |process| {
            if process.rank() == 1 {
                return Err(CommError::Tag(-9));
            }
            all_reduce(process.world(), &[1.0])
        });
        assert_eq!(results[1], Err(CommError::Tag(-9)));
        for rank in (0..n).filter(|rank| *rank != 1) {
            let why = results[rank].as_ref().unwrap_err().to_string();
            assert_eq!(why, "rank 1 failed: tag -9 is negative");
        }
    }
}

#[test]
fn a_panic_on_one_rank_is_an_error_on_all_that_names_it() {
    let results = each(4, |process| {
        assert!(process.rank() != 2, "out of range");
        let mut y = [0.0];
        recv(process.world(), 2, 0, &mut y)?;
        Ok(y[0])
    });
    assert_eq!(results.iter().map(names).collect::<Vec<_>>(), [2; 4]);
    assert!(
        results[0]
            .as_ref()
            .unwrap_err()
            .to_string()
            .contains("out of range")
    );
}

#[test]
fn a_rank_that_returns_too_early_is_named() {
    let results = each(3, |process| match process.rank() {
        0 => Ok(()),
        _ => process.world().barrier(),
    });
    assert!(results[0].is_ok());
    assert!(results[1..].iter().all(|r| r.is_err()));
    assert!(
        results[1..]
            .iter()
            .any(|r| matches!(r, Err(CommError::Left { rank: 0, .. })))
    );
}

#[test]
fn a_rank_that_waits_for_ever_gives_up() {
    let mesh = LocalMesh::of(2).timeout(Duration::from_millis(100));
    // both wait for the other
    let results = crate::watched("a deadlock", || {
        mesh.run_each(|p| recv(p.world(), 1 - p.rank(), 0, &mut [0.0]))
    });
    let timed_out = |r: &Result<(), CommError>| matches!(r, Err(CommError::TimedOut { .. }));
    assert!(results.iter().any(timed_out), "{results:?}");
    assert!(results.iter().all(Result::is_err));
}

#[test]
fn calls_that_differ_are_errors_on_every_rank() {
    let said = |results: Vec<Result<Vec<f64>, CommError>>| {
        let said = results.into_iter().map(|r| r.unwrap_err().to_string());
        let said: Vec<_> = said.collect();
        assert!(said.iter().all(|s| *s == said[0]), "{said:?}");
        said[0].clone()
    };
    let lengths = each(3, |p| all_reduce(p.world(), &vec![1.0; 2 + p.rank() / 2]));
    assert_eq!(
        said(lengths),
        "rank 0 calls all_reduce(length 2), rank 2 calls all_reduce(length 3)"
    );
    let roots = each(2, |p| broadcast(p.world(), p.rank(), &[1.0]));
    assert_eq!(
        said(roots),
        "rank 0 calls broadcast(root 0, length 1), rank 1 calls broadcast(root 1, length 1)"
    );
    let functions = each(2, |p| match p.rank() {
        0 => scan(p.world(), &[1.0]),
        _ => exscan(p.world(), &[1.0]),
    });
    assert_eq!(
        said(functions),
        "rank 0 calls scan(length 1), rank 1 calls exscan(length 1)"
    );
    let permutations = each(2, |p| permute(p.world(), &[(0, p.rank())], &[1.0]));
    assert_eq!(
        said(permutations),
        "rank 0 calls permute(counts [1, 0, 0]), rank 1 calls permute(counts [1, 0, 1])"
    );
}

#[test]
fn a_message_of_another_length_leaves_the_buffer_as_it_was() {
    let results = each(2, |p| match p.rank() {
        0 => send(p.world(), 1, 0, &[1.0, 2.0]).map(|()| vec![]),
        _ => {
            let mut y = vec![7.0];
            let error = recv(p.world(), 0, 0, &mut y).unwrap_err();
            let lengths = CommError::Lengths {
                call: "recv",
                expected: 1,
                found: 2,
            };
            assert_eq!(error, lengths);
            Ok(y)
        }
    });
    assert_eq!(results[1], Ok(vec![7.0]));
}

/// Rank 1 takes part with a constant, where the others wait for its cotangent.
#[test]
fn activities_that_differ_are_found_before_the_reverse_pass() {
    type Received = Result<Vec<f64>, CommError>;
    let results = each(3, |p| {
        let (x, mut dx) = ([1.0], [0.0]);
        let shadow = (p.rank() != 1).then_some([&mut dx[..]]);
        let mut x = DynArg::new(&x[..], shadow);
        let comm = p.world().clone().comparing_activities(true);
        let config = ReverseConfig::new(true);
        let rule = ReverseRule::<
            BatchDuplicated<Received, Received, 1>,
            (Const<&Comm>, DynArg<_, _>),
        >::augmented_primal;
        rule(&all_reduce {}, &config, (&mut Const(&comm), &mut x)).map(|_| ())
    });
    for result in results {
        let said = result.unwrap_err().to_string();
        assert_eq!(
            said,
            "rank 0 calls active all_reduce(length 0), rank 1 calls inactive all_reduce(length 0)"
        );
    }
}

/// The same of sums that are begun and ended apart: nobody waits where they begin.
#[test]
fn activities_that_differ_are_found_where_a_sum_is_waited_for() {
    type Begun = Result<Request, CommError>;
    let results = each(3, |p| {
        let (x, mut dx) = ([1.0], [0.0]);
        let shadow = (p.rank() != 1).then_some([&mut dx[..]]);
        let mut x = DynArg::new(&x[..], shadow);
        let config = ReverseConfig::new(true);
        let rule = ReverseRule::<BatchDuplicated<Begun, Begun, 1>, (Const<&Comm>, DynArg<_, _>)>::augmented_primal;
        let begun = rule(&iall_reduce {}, &config, (&mut Const(p.world()), &mut x))?;
        wait(p.world(), &begun.primal.expect("asked for"))
    });
    for result in &results {
        assert!(result.is_err());
    }
    let said = results
        .into_iter()
        .map(|result| result.unwrap_err().to_string());
    let named = "rank 0 calls active iall_reduce, rank 1 calls inactive iall_reduce";
    assert!(said.into_iter().any(|said| said.contains(named)));
}

/// Lengths that differ are found where the sum is waited for, on all ranks; so is a rank that never begins.
#[test]
fn sums_that_are_begun_differently_are_errors_on_every_rank() {
    let lengths = each(3, |p| {
        let begun = iall_reduce(p.world(), &vec![1.0; 3 + p.rank() / 2])?;
        wait(p.world(), &begun)
    });
    assert!(lengths.iter().all(Result::is_err), "{lengths:?}");
    let missing = each(3, |p| match p.rank() {
        2 => Ok(Vec::new()),
        _ => wait(p.world(), &iall_reduce(p.world(), &[1.0])?),
    });
    for result in &missing[..2] {
        let said = result.as_ref().unwrap_err().to_string();
        let named = "rank 2 has returned, and others wait for it in iall_reduce(length 1)";
        assert!(said.contains(named), "{said}");
    }
}

/// A rank that fails after the program has run forward: the reverse pass of the others is an error too.
#[test]
fn a_reverse_pass_that_loses_a_rank_is_an_error_on_all() {
    type Received = Result<Vec<f64>, CommError>;
    let results = each(3, |p| {
        let (x, mut dx) = ([1.0], [0.0]);
        let mut args = (Const(p.world()), Duplicated(&x[..], &mut dx[..]));
        let thunk = Thunk::<_, Duplicated<Received>>::new(all_reduce {});
        let augmented = thunk.augmented(&mut args)?;
        if p.rank() == 2 {
            return Err(CommError::Tag(-1));
        }
        thunk.reverse([vec![1.0]], augmented.tape, &mut args);
        Ok(())
    });
    assert_eq!(results[2], Err(CommError::Tag(-1)));
    assert_eq!([names(&results[0]), names(&results[1])], [2, 2]);
}

/// How rank 1 is lost, and what the others are told.
const LOSSES: [(&str, &str); 3] = [
    ("error", "rank 1 failed: tag -9 is negative"),
    ("panic", "rank 1 failed: panicked: on purpose"),
    ("return", "rank 1 has returned"),
];

fn lose(how: &str) -> Result<(), CommError> {
    match how {
        "error" => Err(CommError::Tag(-9)),
        "panic" => panic!("on purpose"),
        _ => Ok(()),
    }
}

/// Runs a program on rank 1, which is lost then, and another on two others: they are told, at once.
fn lost_after(
    what: &str,
    of_rank_1: impl Fn(&Comm) -> Result<(), CommError> + Sync,
    of_others: impl Fn(&Comm) -> Result<(), CommError> + Sync,
) {
    for (how, says) in LOSSES {
        let results = each(3, |process| {
            let comm = process.world().clone().comparing_activities(false);
            if comm.rank() == 1 {
                of_rank_1(&comm)?;
                return lose(how);
            }
            of_others(&comm)?;
            // who waits for nobody in the program does here
            comm.barrier()
        });
        for rank in [0, 2] {
            let told = results[rank].as_ref().expect_err(what).to_string();
            // an augmented pass that panics prints the error as it is
            let printed = told.replace("Left { rank: 1", "rank 1 has returned");
            assert!(
                printed.contains(says),
                "{what}, {how}: rank {rank} is told {told:?}"
            );
        }
    }
}

/// The panics of ranks that are lost, and of reverse passes that lose one, are many, and expected.
fn without_their_panics(tests: impl FnOnce()) {
    let print: std::sync::Arc<dyn Fn(&std::panic::PanicHookInfo<'_>) + Send + Sync> =
        std::panic::take_hook().into();
    let others = std::sync::Arc::clone(&print);
    std::panic::set_hook(Box::new(move |panic| {
        let said = panic.to_string();
        if !said.contains("on purpose") && !said.contains("rank 1 ") {
            others(panic);
        }
    }));
    tests();
    std::panic::set_hook(Box::new(move |panic| print(panic)));
}

/// In each collective, and in its reverse pass.
#[test]
fn a_rank_that_is_lost_in_any_collective_is_named_on_all() {
    let cases = || -> Vec<Case> {
        let cases = linear().into_iter().chain(nonlinear());
        // of a sum in two halves the values say whether the sender is active, and here it is not: see below
        cases
            .filter(|case| case.name != "begun_and_ended")
            .collect()
    };
    let with = |at: usize, comm: &Comm, run: fn(&Case, &Comm, &[f64]) -> Result<(), CommError>| {
        let (case, mut random) = (&cases()[at], Random::new(at, comm.rank()));
        run(case, comm, &random.vector((case.length)(comm)))
    };
    without_their_panics(|| {
        for (at, Case { name, .. }) in cases().iter().enumerate() {
            let primal =
                |comm: &Comm| with(at, comm, |case, comm, x| (case.primal)(comm, x).map(drop));
            lost_after(name, |_| Ok(()), primal);
            // the value, and the augmented pass; the reverse pass is one too many for rank 1
            let twice = |comm: &Comm| primal(comm).and_then(|()| primal(comm));
            let reverse = |comm: &Comm| {
                with(at, comm, |case, comm, x| {
                    let y = (case.primal)(comm, x)?;
                    (case.reverse)(comm, x, &y);
                    Ok(())
                })
            };
            lost_after(&format!("{name}, reverse"), twice, reverse);
        }
    });
}

/// And in messages.
#[test]
fn a_rank_that_is_lost_before_it_sends_is_named_on_all() {
    without_their_panics(|| {
        lost_after("recv", |_| Ok(()), |comm| recv(comm, 1, 7, &mut [0.0]));
        let wait_for_it = |comm: &Comm| wait(comm, &irecv(comm, 1, 7, 1)?).map(drop);
        lost_after("irecv", |_| Ok(()), wait_for_it);
        lost_after("barrier", |_| Ok(()), Comm::barrier);
        let sum = |comm: &Comm| wait(comm, &iall_reduce(comm, &[1.0])?).map(drop);
        lost_after("iall_reduce", |_| Ok(()), sum);
        // it sends its terms, and not their sum
        let begin = |comm: &Comm| iall_reduce(comm, &[1.0; 3]).map(drop);
        let end = |comm: &Comm| wait(comm, &iall_reduce(comm, &[1.0; 3])?).map(drop);
        lost_after("wait for a sum", begin, end);
    });
}
