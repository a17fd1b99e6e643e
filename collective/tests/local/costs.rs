//! What is sent is what the model says; many ranks; every schedule.

use std::time::Duration;

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::*;
use coenzyme_collective::shards::Collective;
use coenzyme_collective::{Comm, CommError, LocalMesh, Mesh, Process, Traffic};

use crate::body::cases::{Case, linear};
use crate::body::{Random, assert_close};

type Received = Result<Vec<f64>, CommError>;

/// Runs a program on `n` ranks, watched.
fn on<T: Send>(
    n: usize,
    program: impl Fn(&Process) -> Result<T, CommError> + Sync,
) -> Result<Vec<T>, CommError> {
    crate::on(
        Mesh::new([("ranks", n)]),
        "a program that is counted",
        program,
    )
}

/// What all ranks receive in a program.
fn traffic(n: usize, program: impl Fn(&Comm) -> Result<(), CommError> + Sync) -> (usize, usize) {
    let all = on(n, |process| {
        program(process.world())?;
        Ok::<_, CommError>(process.traffic())
    });
    let mut sum = Traffic::default();
    all.expect("sent")
        .into_iter()
        .for_each(|traffic| sum += traffic);
    (sum.messages, sum.bytes)
}

#[test]
fn messages_and_bytes_are_those_of_the_model() {
    for n in [1, 2, 3, 4, 7, 64] {
        // entries of the whole array, of which each rank has a part
        let (whole, part) = (vec![1.0; 2 * n], [1.0; 2]);
        let of = |collective: Collective| (collective.messages(n), collective.bytes(16 * n, n));
        let ring: Vec<_> = (0..n).map(|r| (r, (r + 1) % n)).collect();
        type Program<'a> = Box<dyn Fn(&Comm) -> Received + Sync + 'a>;
        let programs: [(Collective, Program); 11] = [
            (Collective::AllReduce, Box::new(|c| all_reduce(c, &whole))),
            (
                Collective::AllReduce,
                Box::new(|c| all_reduce_max(c, Ties::First, &whole)),
            ),
            (Collective::AllGather, Box::new(|c| all_gather(c, &part))),
            (
                Collective::ReduceScatter,
                Box::new(|c| reduce_scatter(c, &whole)),
            ),
            (Collective::AllToAll, Box::new(|c| all_to_all(c, &whole))),
            (
                Collective::Broadcast,
                Box::new(|c| broadcast(c, n - 1, &whole)),
            ),
            (Collective::Reduce, Box::new(|c| reduce(c, n - 1, &whole))),
            (Collective::Gather, Box::new(|c| gather(c, n - 1, &part))),
            (
                Collective::Scatter,
                Box::new(|c| scatter(c, n - 1, 2, &whole)),
            ),
            (Collective::Scan, Box::new(|c| scan(c, &whole))),
            (Collective::Message, Box::new(|c| permute(c, &ring, &whole))),
        ];
        for (collective, program) in &programs {
            let found = traffic(n, |comm| program(comm).map(drop));
            assert_eq!(found, of(*collective), "{collective:?} on {n}");
        }
    }
}

/// What a linear collective of `cases` and its transpose cost, of how many entries in all on `n` ranks.
fn model(case: &Case, n: usize) -> Option<(Collective, Collective, usize)> {
    use Collective::*;
    Some(match case.name {
        "all_reduce" | "all_reduce_mean" => (AllReduce, AllReduce, 3),
        "all_gather" => (AllGather, ReduceScatter, 3 * n),
        "reduce_scatter" => (ReduceScatter, AllGather, 2 * n),
        "all_to_all" => (AllToAll, AllToAll, 2 * n),
        "broadcast" => (Broadcast, Reduce, 3),
        "reduce" => (Reduce, Broadcast, 3),
        "gather" => (Gather, Scatter, 2 * n),
        "scatter" => (Scatter, Gather, 2 * n),
        "scan" | "exscan" => (Scan, Scan, 3),
        "send_recv" => (Message, Message, 2),
        _ => return None,
    })
}

/// The tangent costs what the value costs, and the cotangent what the transpose costs.
#[test]
fn derivatives_cost_what_the_model_says() {
    let cases = || {
        let mut cases = linear();
        cases.retain(|case| model(case, 1).is_some());
        // the first of a name has the length that the model says
        cases.dedup_by_key(|case| case.name);
        cases
    };
    assert_eq!(cases().len(), 12);
    for n in [2, 3, 4, 7] {
        for (at, case) in cases().iter().enumerate() {
            let (there, back, entries) = model(case, n).expect("filtered");
            let once = |of: Collective| (of.messages(n), of.bytes(8 * entries, n));
            let and = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
            let x = |comm: &Comm| vec![1.0; (cases()[at].length)(comm)];
            let forward = traffic(n, |comm| {
                let x = x(comm);
                (cases()[at].forward)(comm, &x, &x);
                Ok(())
            });
            assert_eq!(
                forward,
                and(once(there), once(there)),
                "{} on {n}, forward",
                case.name
            );
            let reverse = traffic(n, |comm| {
                let (case, x) = (&cases()[at], x(comm));
                let y = (case.primal)(comm, &x)?;
                (case.reverse)(comm, &x, &y);
                Ok(())
            });
            let expected = and(once(there), and(once(there), once(back)));
            assert_eq!(reverse, expected, "{} on {n}, reverse", case.name);
        }
    }
}

/// Blocks of unequal lengths: each goes where it goes once.
#[test]
fn unequal_blocks_cost_their_lengths() {
    let counts = [3, 0, 2, 5];
    let (whole, others) = (80, 8 * 5);
    let x = |comm: &Comm| vec![1.0; counts[comm.rank()]];
    let gathered = traffic(4, |comm| all_gather_v(comm, &counts, &x(comm)).map(drop));
    assert_eq!(gathered, (12, 3 * whole));
    let scattered = traffic(4, |comm| {
        reduce_scatter_v(comm, &counts, &[1.0; 10]).map(drop)
    });
    assert_eq!(scattered, (12, 3 * whole));
    let to_the_root = traffic(4, |comm| gather_v(comm, 3, &counts, &x(comm)).map(drop));
    let from_the_root = traffic(4, |comm| scatter_v(comm, 3, &counts, &[1.0; 10]).map(drop));
    assert_eq!([to_the_root, from_the_root], [(3, others); 2]);
}

/// `½·(Σ xᵣ)²·wᵣ`, this rank's share.
#[differentiable]
fn share(comm: &Comm, x: &[f64], w: f64) -> Result<f64, CommError> {
    let sum = all_reduce(comm, x)?;
    let mut square = 0.0;
    for i in 0..x.len() {
        square += 0.5 * w * sum[i] * sum[i];
    }
    Ok(square)
}

#[test]
fn sixty_four_ranks() {
    let gradients = on(64, |process| {
        let r = process.rank() as f64;
        let (x, mut dx) = ([r, 1.0], [0.0; 2]);
        let ((_, _, dw),) = autodiff!(
            Reverse,
            share,
            Const(process.world()),
            Duplicated(&x, &mut dx),
            Active(r)
        )?;
        Ok::<_, CommError>([dx[0], dx[1], dw])
    });
    let sum = 2016.0; // 0 + 1 + … + 63
    for gradient in gradients.expect("sent") {
        let expected = [sum * sum, sum * 64.0, 0.5 * (sum * sum + 64.0 * 64.0)];
        assert_close("64 ranks", &gradient, &expected, 1e-15);
    }
}

/// Ranks that come in another order each time: the same bits.
#[test]
fn the_bits_do_not_depend_on_the_schedule() {
    for n in [2, 3, 7] {
        let run = |seed: usize| {
            let results = on(n, |process| {
                let comm = process.world();
                let mut random = Random::new(1, comm.rank());
                let mut nap = Random::new(100 + seed, comm.rank());
                let mut bits = Vec::new();
                for _ in 0..5 {
                    let naps = (1.0 + nap.next()) * 150.0 * f64::from(u8::from(seed > 0));
                    std::thread::sleep(Duration::from_micros(naps as u64));
                    let x = random.vector(2 * n);
                    let sums = [
                        all_reduce(comm, &x)?,
                        reduce_scatter(comm, &x)?,
                        scan(comm, &x)?,
                    ];
                    bits.extend(sums.concat().iter().map(|x| x.to_bits()));
                }
                Ok::<_, CommError>(bits)
            });
            results.expect("sent")
        };
        let first = run(0);
        (1..6).for_each(|seed| assert_eq!(run(seed), first, "{n} ranks"));
    }
}

/// Long arrays go in chunks: each entry is still what the terms give in the order of ranks, whoever makes it.
#[test]
fn long_sums_are_those_of_short_ones() {
    for (n, length) in [(2, 50_001), (3, 70_000), (4, 32_768), (7, 60_001)] {
        let terms: Vec<_> = (0..n).map(|r| Random::new(7, r).vector(length)).collect();
        let by = |fold: fn(f64, f64) -> f64| -> Vec<f64> {
            let entry = |i| (1..n).fold(terms[0][i], |y, r: usize| fold(y, terms[r][i]));
            (0..length).map(entry).collect()
        };
        let (sum, max) = (by(|a, b| a + b), by(f64::max));
        let model = Collective::AllReduce;
        let found = traffic(n, |comm| {
            assert!(all_reduce(comm, &terms[comm.rank()])? == sum);
            assert!(all_reduce_max(comm, Ties::First, &terms[comm.rank()])? == max);
            Ok(())
        });
        let once = (model.messages(n), model.bytes(8 * length, n));
        assert_eq!(found, (2 * once.0, 2 * once.1), "{n} ranks");
    }
}

/// Calls are compared before the first chunk is sent.
#[test]
fn long_sums_of_different_lengths_are_errors_on_every_rank() {
    let mesh = LocalMesh::of(3);
    let results = mesh.run_each(|p| all_reduce(p.world(), &vec![1.0; 40_000 + p.rank() / 2]));
    for result in results {
        let said = result.unwrap_err().to_string();
        assert_eq!(
            said,
            "rank 0 calls all_reduce(length 40000), rank 2 calls all_reduce(length 40001)"
        );
    }
}
