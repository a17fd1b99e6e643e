//! What every collective obeys, for random data and any number of ranks.

use coenzyme_collective::per_rank::all_reduce;
use coenzyme_collective::{Comm, Process};

use super::cases::{Case, linear, nonlinear};
use super::{Check, Random, assert_close, dot};

pub(crate) const CHECKS: &[Check] = &[
    ("n36 dot products agree", dot_products_agree),
    ("differences on other ranks", differences_on_other_ranks),
    (
        "the tangent of a linear map is the map",
        tangents_of_linear_maps,
    ),
    ("lanes are independent", lanes_are_independent),
    (
        "nothing is sent for a constant",
        nothing_is_sent_for_a_constant,
    ),
    (
        "the transpose of the transpose is the map",
        transposed_twice,
    ),
];

fn each(process: &Process, cases: Vec<Case>, check: impl Fn(&Comm, &Case, &[f64], &mut Random)) {
    for (at, case) in cases.iter().enumerate() {
        let comm = process.world();
        let mut random = Random::new(at, comm.rank());
        let x = random.vector((case.length)(comm));
        check(comm, case, &x, &mut random);
    }
}

fn total(comm: &Comm, share: f64) -> f64 {
    all_reduce(comm, &[share]).expect("sent")[0]
}

/// `Σᵣ ⟨ȳᵣ, (Jẋ)ᵣ⟩ = Σᵣ ⟨(Jᵀȳ)ᵣ, ẋᵣ⟩`.
fn dot_products_agree(process: &Process) {
    each(
        process,
        [linear(), nonlinear()].into_iter().flatten().collect(),
        |comm, case, x, random| {
            let dx = random.vector(x.len());
            let (y, dy) = (case.forward)(comm, x, &dx);
            assert_eq!(y, (case.primal)(comm, x).expect("sent"), "{}", case.name);
            let ybar = random.vector(y.len());
            let (xbar, _) = (case.reverse)(comm, x, &ybar);
            let (left, right) = (total(comm, dot(&ybar, &dy)), total(comm, dot(&xbar, &dx)));
            assert_close(case.name, &[left], &[right], 1e-13);
        },
    );
}

/// The loss `Σᵣ ⟨ȳᵣ, yᵣ⟩`, moved in each entry of each rank, against that rank's cotangent.
fn differences_on_other_ranks(process: &Process) {
    each(
        process,
        [linear(), nonlinear()].into_iter().flatten().collect(),
        |comm, case, x, random| {
            let length = (case.primal)(comm, x).expect("sent").len();
            let ybar = random.vector(length);
            let (xbar, _) = (case.reverse)(comm, x, &ybar);
            // exact for a linear map, up to rounding; the others are polynomials in each entry near such points
            let h = 1e-4;
            for rank in 0..comm.size() {
                let entries = if rank == comm.rank() { x.len() } else { 0 };
                for entry in 0..total(comm, entries as f64) as usize {
                    let mut losses = [h, -h].map(|h| {
                        let mut x = x.to_vec();
                        if rank == comm.rank() {
                            x[entry] += h;
                        }
                        total(comm, dot(&ybar, &(case.primal)(comm, &x).expect("sent")))
                    });
                    losses[0] = (losses[0] - losses[1]) / (2.0 * h);
                    if rank == comm.rank() {
                        let what = format!("{}: entry {entry} of rank {rank}", case.name);
                        assert_close(&what, &[xbar[entry]], &losses[..1], 1e-9);
                    }
                }
            }
        },
    );
}

fn tangents_of_linear_maps(process: &Process) {
    each(process, linear(), |comm, case, x, random| {
        let dx = random.vector(x.len());
        let (_, dy) = (case.forward)(comm, x, &dx);
        assert_eq!(dy, (case.primal)(comm, &dx).expect("sent"), "{}", case.name);
    });
}

fn lanes_are_independent(process: &Process) {
    each(
        process,
        [linear(), nonlinear()].into_iter().flatten().collect(),
        |comm, case, x, random| {
            let dx = [(); 3].map(|()| random.vector(x.len()));
            let together = (case.forward3)(comm, x, dx.each_ref().map(|dx| &dx[..]));
            let alone = dx.map(|dx| (case.forward)(comm, x, &dx).1);
            assert_eq!(together, alone, "{}", case.name);

            let length = alone[0].len();
            let ybar = [(); 3].map(|()| random.vector(length));
            let together = (case.reverse3)(comm, x, ybar.each_ref().map(|dy| &dy[..]));
            for (together, ybar) in together.iter().zip(&ybar) {
                // the shadow of one lane begins at another value
                assert_close(case.name, together, &(case.reverse)(comm, x, ybar).0, 1e-15);
            }
        },
    );
}

/// Not one call in the reverse pass if the argument, or the result, is `Const`; in the forward pass those of the primal alone.
fn nothing_is_sent_for_a_constant(process: &Process) {
    each(
        process,
        [linear(), nonlinear()].into_iter().flatten().collect(),
        |comm, case, x, random| {
            let length = (case.primal)(comm, x).expect("sent").len();
            let ybar = random.vector(length);
            // measured as what a second primal adds
            let mut silent = (case.silent)(comm, x, &ybar);
            let exchange = ["send_recv", "shift", "begun_and_ended"].contains(&case.name);
            if exchange {
                // whether the result is wanted is known where the message goes
                silent[1] = 0;
            }
            assert_eq!(silent, [0, 0, 0], "{}", case.name);
            let (_, calls) = (case.reverse)(comm, x, &ybar);
            assert!(
                calls > 0 || exchange || case.name == "permute",
                "{}",
                case.name
            );
        },
    );
}

/// The reverse pass of `f` is `g`, and that of `g` is `f`.
fn transposed_twice(process: &Process) {
    const PAIRS: [(&str, &str); 7] = [
        ("all_reduce", "all_reduce"),
        ("all_reduce_mean", "all_reduce_mean"),
        ("all_gather_v", "reduce_scatter_v"),
        ("reduce_scatter", "all_gather"),
        ("all_to_all", "all_to_all"),
        ("broadcast", "reduce"),
        ("gather_v", "scatter_v"),
    ];
    let comm = process.world();
    let cases = linear();
    let named = |name: &str| {
        cases
            .iter()
            .find(|c| c.name == name)
            .expect("there is such a case")
    };
    for (f, g) in PAIRS {
        let (f, g) = (named(f), named(g));
        for (f, g) in [(f, g), (g, f)] {
            let mut random = Random::new(77, comm.rank());
            let x = random.vector((f.length)(comm));
            let y = (f.primal)(comm, &x).expect("sent");
            // what `g` is given where `f` returns nothing
            let dy = if f.name == "reduce" || f.name == "gather_v" {
                let mut dy = random.vector((g.length)(comm));
                dy.resize((g.length)(comm), 0.0);
                dy
            } else {
                random.vector(y.len())
            };
            let (back, _) = (f.reverse)(comm, &x, &dy[..y.len()]);
            let mut whole = (g.primal)(comm, &dy).expect("sent");
            whole.resize(back.len(), 0.0);
            assert_close(f.name, &back, &whole, 1e-15);
        }
    }
}
