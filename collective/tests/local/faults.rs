//! Ranks that fail, leave, disagree or wait for ever: all ranks are told, and told by whom.

use std::time::{Duration, Instant};

use coenzyme::prelude::*;
use coenzyme::{BatchDuplicated, DynArg, ReverseConfig, ReverseRule, Thunk};
use coenzyme_collective::per_rank::*;
use coenzyme_collective::{Comm, CommError, LocalMesh, Process};

/// Runs on `n` ranks with a time-out that no test should need.
fn each<T: Send>(
    n: usize,
    program: impl Fn(&Process) -> Result<T, CommError> + Sync,
) -> Vec<Result<T, CommError>> {
    let begun = Instant::now();
    let results = LocalMesh::of(n)
        .timeout(Duration::from_secs(20))
        .run_each(program);
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
    let results = mesh.run_each(|p| recv(p.world(), 1 - p.rank(), 0, &mut [0.0]));
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

/// A rank that fails after the program has run forward: the reverse pass of the others is an error too.
#[test]
fn a_reverse_pass_that_loses_a_rank_is_an_error_on_all() {
    type Received = Result<Vec<f64>, CommError>;
    let results = each(3, |p| {
        let (x, mut dx) = ([1.0], [0.0]);
        let mut args = (Const(p.world()), Duplicated(&x[..], &mut dx[..]));
        let thunk = Thunk::<_, Duplicated<Received>>::new(all_reduce {});
        let _ = thunk.augmented(&mut args)?;
        if p.rank() == 2 {
            return Err(CommError::Tag(-1));
        }
        thunk.reverse([vec![1.0]], (), &mut args);
        Ok(())
    });
    assert_eq!(results[2], Err(CommError::Tag(-1)));
    assert_eq!([names(&results[0]), names(&results[1])], [2, 2]);
}
