//! D25–D33 and f.2: a thrown ball with friction, its states stored, found again exactly, or found again approximately.

use coenzyme::prelude::*;
use coenzyme_loops::{Error, Reversal, Schedule, inverse_distance, iterate, reversible};
use coenzyme_testutils::{by_ref, inout, test_rule, value};

const DT: f64 = 0.02;
const MU: f64 = 0.1;
const G: f64 = 9.81;

/// Position and velocity after Euler's step: `p + dt·v`, `v − dt·(μ·‖v‖·v + g·e_y)`.
#[differentiable]
fn step(x: &mut [f64], mu: &f64, _t: usize) {
    let (vx, vy) = (x[2], x[3]);
    let speed = (vx * vx + vy * vy).sqrt();
    x[0] += DT * vx;
    x[1] += DT * vy;
    x[2] = vx - DT * *mu * speed * vx;
    x[3] = vy - DT * (*mu * speed * vy + G);
}

/// The inverse in closed form: `w = v′ + dt·g·e_y`, `c = dt·μ`, `‖v‖ = (1 − √(1 − 4c‖w‖))/(2c)`.
#[inactive]
fn back(x: &mut [f64], mu: &f64, _t: usize) {
    let (wx, wy) = (x[2], x[3] + DT * G);
    let c = DT * mu;
    let w = (wx * wx + wy * wy).sqrt();
    let root = (1.0 - 4.0 * c * w).sqrt();
    // (1 − √(1 − 4cw))/(2c), without cancellation
    let speed = 2.0 * w / (1.0 + root);
    let factor = 1.0 / (1.0 - c * speed);
    (x[2], x[3]) = (wx * factor, wy * factor);
    x[0] -= DT * x[2];
    x[1] -= DT * x[3];
}

/// The seed's inverse: the same step with the time reversed, which is not the inverse.
#[inactive]
fn time_reversed(x: &mut [f64], mu: &f64, _t: usize) {
    let (vx, vy) = (x[2], x[3]);
    let speed = (vx * vx + vy * vy).sqrt();
    x[0] -= DT * vx;
    x[1] -= DT * vy;
    x[2] = vx + DT * mu * speed * vx;
    x[3] = vy + DT * (mu * speed * vy + G);
}

test_rule! {
    reversible;
    x: inout([0.4, -0.7]), g: by_ref(9.81), f: value(Inactive(leapfrog {})) [Const],
    inverse: value(Inactive(leapfrog_back {})) [Const], n: value(n) [Const], how: value(how) [Const];
    ret: [Const];
    name = undone, sizes = (n, how) in [(0_usize, Reversal::exact()), (5, Reversal::exact()), (4, Reversal::checked(1e-12))],
    const_buffers = severed("what is read back through a `Const` state is inactive")
}

/// Positions and velocities of the three balls.
const STARTS: [[f64; 4]; 3] = [
    [1.0, 1.0, 10.0, 5.0],
    [2.0, 2.0, 9.0, 3.0],
    [4.0, 1.0, 4.0, 6.0],
];

/// The square of the distance to `(5, 0)` after `n` steps: the trajectory itself is not an output.
#[differentiable]
fn stored(start: &[f64], n: usize, #[constant] schedule: Schedule) -> f64 {
    let mut x = start.to_vec();
    iterate(&mut x, &MU, Inactive(step {}), n, schedule);
    (x[0] - 5.0) * (x[0] - 5.0) + x[1] * x[1]
}

#[differentiable]
fn reversed(start: &[f64], n: usize) -> Result<f64, Error> {
    let mut x = start.to_vec();
    let (f, g) = (Inactive(step {}), Inactive(back {}));
    reversible(&mut x, &MU, f, g, n, Reversal::exact())?;
    Ok((x[0] - 5.0) * (x[0] - 5.0) + x[1] * x[1])
}

#[differentiable]
fn approximated(start: &[f64], n: usize) -> Result<f64, Error> {
    let mut x = start.to_vec();
    let (f, g) = (Inactive(step {}), Inactive(time_reversed {}));
    reversible(&mut x, &MU, f, g, n, Reversal::approximate())?;
    Ok((x[0] - 5.0) * (x[0] - 5.0) + x[1] * x[1])
}

/// Loss and gradient, by one of the three.
type Pull = fn(&[f64; 4]) -> (f64, [f64; 4]);

fn by_storing(start: &[f64; 4]) -> (f64, [f64; 4]) {
    by_schedule(start, Schedule::every(1))
}

fn by_schedule(start: &[f64; 4], schedule: Schedule) -> (f64, [f64; 4]) {
    let mut dx = [0.0; 4];
    let (_, loss) = autodiff!(
        ReverseWithPrimal,
        stored,
        Active,
        Duplicated(&start[..], &mut dx[..]),
        Const(100_usize),
        Const(schedule)
    );
    (loss, dx)
}

fn by_reversing(start: &[f64; 4]) -> (f64, [f64; 4]) {
    let mut dx = [0.0; 4];
    let args = (Duplicated(&start[..], &mut dx[..]), Const(100_usize));
    let (_, loss) = autodiff(ReverseWithPrimal, &reversed {}, coenzyme::AsActive, args)
        .expect("an exact inverse");
    (loss, dx)
}

fn by_approximating(start: &[f64; 4]) -> (f64, [f64; 4]) {
    let mut dx = [0.0; 4];
    let args = (Duplicated(&start[..], &mut dx[..]), Const(100_usize));
    let (_, loss) = autodiff(
        ReverseWithPrimal,
        &approximated {},
        coenzyme::AsActive,
        args,
    )
    .expect("nothing is checked");
    (loss, dx)
}

#[track_caller]
fn close(a: &[f64], b: &[f64], tolerance: f64) {
    assert_eq!(a.len(), b.len());
    for (a_i, b_i) in a.iter().zip(b) {
        let allowed = tolerance * b_i.abs().max(1.0);
        assert!((a_i - b_i).abs() <= allowed, "{a:?} and {b:?}");
    }
}

fn end(start: &[f64; 4], n: usize) -> [f64; 4] {
    let mut x = *start;
    (0..n).for_each(|t| step(&mut x, &MU, t));
    x
}

const ENDS: [[f64; 4]; 3] = [
    [
        11.183_798_043_377,
        -6.630_882_978_346,
        2.111_039_078_745,
        -8.804_861_992_768,
    ],
    [
        11.399_286_292_748,
        -7.472_433_654_236,
        1.893_011_786_112,
        -9.032_397_475_226,
    ],
    [
        9.130_821_427_545,
        -5.438_506_607_690,
        1.252_643_990_632,
        -8.816_207_515_603,
    ],
];
const LOSSES: [f64; 3] = [82.207_967_313_781, 96.788_129_773_523, 46.641_039_788_156];
const OF_V: [[f64; 2]; 3] = [
    [8.523_691_725_146, -11.749_218_265_683],
    [8.612_061_518_661, -12.864_814_156_029],
    [9.338_064_861_797, -11.680_046_322_047],
];

#[test]
fn d28_one_step() {
    let x = end(&STARTS[0], 1);
    close(&x, &[1.2, 1.1, 9.776_393_202_25, 4.691_996_601_125], 1e-12);
}

#[test]
fn d29_stored_states() {
    for i in 0..3 {
        close(&end(&STARTS[i], 100), &ENDS[i], 1e-12);
        let (loss, d) = by_storing(&STARTS[i]);
        close(&[loss], &[LOSSES[i]], 1e-12);
        close(&d[2..], &OF_V[i], 1e-12);
        let (px, py) = (ENDS[i][0], ENDS[i][1]);
        close(&d[..2], &[2.0 * (px - 5.0), 2.0 * py], 1e-12);
    }
}

#[test]
fn d29_tangent() {
    let (mut x, mut dx) = (STARTS[0], [0.0, 0.0, 1.0, -1.0]);
    autodiff!(
        Forward,
        iterate,
        Duplicated(&mut x[..], &mut dx[..]),
        Const(&MU),
        Const(Inactive(step {})),
        Const(100_usize),
        Const(Schedule::every(1))
    );
    close(&dx[..2], &[0.642_047_812_763, -0.929_915_519_130], 1e-12);
}

#[test]
fn f1_gradients_are_the_same_bits_whatever_is_stored() {
    for start in &STARTS {
        let all = by_schedule(start, Schedule::every(100));
        for schedule in [
            Schedule::every(1),
            Schedule::every(10),
            Schedule::binomial(5),
            Schedule::binomial(1),
            Schedule::binomial(3).taping(7),
        ] {
            assert_eq!(by_schedule(start, schedule), all, "{schedule:?}");
        }
    }
}

#[test]
fn d33_nested_reverse_mode_of_the_step_is_the_rule_of_the_loop() {
    let states: Vec<[f64; 4]> = (0..=100).map(|n| end(&STARTS[0], n)).collect();
    let [px, py, ..] = states[100];
    let mut dx = [2.0 * (px - 5.0), 2.0 * py, 0.0, 0.0];
    for x in states[..100].iter().rev() {
        let mut x = *x;
        autodiff!(
            Reverse,
            step,
            Const,
            Duplicated(&mut x[..], &mut dx[..]),
            Const(&MU),
            Const(0_usize)
        );
    }
    let (_, of_loop) = by_storing(&STARTS[0]);
    close(&dx, &of_loop, 4e-16);
}

#[test]
fn d30_reversed_time_is_approximate_and_says_so() {
    assert!(Reversal::approximate().is_approximate() && !Reversal::exact().is_approximate());
    let rows = [
        ([8.402_442_125_490, -11.668_514_426_184], 1.003e-2),
        ([8.454_814_258_722, -12.652_942_908_539], 1.704e-2),
        ([9.206_916_714_826, -11.736_399_129_527], 9.545e-3),
    ];
    for (i, (of_v, error)) in rows.into_iter().enumerate() {
        let (loss, d) = by_approximating(&STARTS[i]);
        close(&[loss], &[LOSSES[i]], 1e-12);
        close(&d[2..], &of_v, 1e-12);
        let norm = |v: [f64; 2]| v[0].hypot(v[1]);
        let off = norm([d[2] - OF_V[i][0], d[3] - OF_V[i][1]]) / norm(OF_V[i]);
        assert!((off / error - 1.0).abs() < 1e-3, "{off} and {error}");
    }
    let mut x = end(&STARTS[0], 100);
    (0..100).for_each(|t| time_reversed(&mut x, &MU, t));
    close(&x[..2], &[1.220_644_533_635, 1.686_016_637_591], 1e-12);
}

#[test]
fn d31_exact_reversal_is_the_gradient_of_stored_states() {
    for start in &STARTS {
        let (loss, d) = by_reversing(start);
        let (same, all) = by_storing(start);
        assert_eq!(loss, same);
        close(&d, &all, 5e-15 * 10.0);
        let mut x = end(start, 100);
        (0..100).for_each(|t| back(&mut x, &MU, t));
        close(&x, start, 1e-12);
    }
}

#[test]
fn d26_d31_memory_is_that_of_two_states() {
    let sizes: &[usize] = if cfg!(debug_assertions) {
        &[1_000, 100_000]
    } else {
        &[1_000, 100_000, 10_000_000]
    };
    // without gravity and friction: no speed is lost, and the inverse exists for ever
    let bytes: Vec<u64> = sizes
        .iter()
        .map(|&n| {
            let (mut x, mut dx) = (vec![0.5, 0.0], vec![1.0, 0.0]);
            let memory = allocation_counter::measure(|| {
                autodiff!(
                    Reverse,
                    reversible,
                    Const,
                    Duplicated(&mut x[..], &mut dx[..]),
                    Const(&9.81),
                    Const(Inactive(leapfrog {})),
                    Const(Inactive(leapfrog_back {})),
                    Const(n),
                    Const(Reversal::exact())
                )
                .expect("nothing is checked");
            });
            memory.bytes_max
        })
        .collect();
    assert!(
        bytes.iter().all(|b| *b == bytes[0] && *b < 1024),
        "{bytes:?}"
    );
}

#[differentiable]
fn leapfrog(x: &mut [f64], g: &f64, _t: usize) {
    x[1] -= 0.001 * *g * x[0].sin();
    x[0] += 0.001 * x[1];
}

#[inactive]
fn leapfrog_back(x: &mut [f64], g: &f64, _t: usize) {
    x[0] -= 0.001 * x[1];
    x[1] += 0.001 * g * x[0].sin();
}

#[test]
fn d32_trajectory_optimization() {
    let optimize = |pull: Pull| {
        let mut starts = STARTS;
        let mut losses = Vec::new();
        for _ in 0..15 {
            let mut all = [0.0; 3];
            for (start, of) in starts.iter_mut().zip(&mut all) {
                let (loss, d) = pull(start);
                *of = loss;
                start[2] -= 0.2 * d[2];
                start[3] -= 0.2 * d[3];
            }
            losses.push(all);
        }
        losses.push(starts.map(|start| pull(&start).0));
        (losses, starts.map(|start| [start[2], start[3]]))
    };
    for pull in [by_storing as Pull, by_reversing] {
        let (losses, v) = optimize(pull);
        close(&losses[0], &LOSSES, 1e-11);
        close(
            &losses[1],
            &[43.708_099_772_182, 52.070_692_356_948, 12.011_880_226_278],
            1e-11,
        );
        close(
            &losses[5],
            &[0.648_165_547_674, 0.437_313_469_276, 0.273_699_323_816],
            1e-11,
        );
        close(
            &losses[14],
            &[3.801_787_32e-4, 2.378_617_27e-4, 6.179_873_25e-4],
            1e-11,
        );
        close(
            &losses[15],
            &[2.111_296_91e-4, 1.150_943_13e-4, 3.193_415_93e-4],
            1e-11,
        );
        let expected = [
            [3.347_862_499_805, 11.663_141_235_234],
            [2.376_686_575_925, 10.406_110_183_319],
            [0.790_423_078_047, 11.464_166_896_586],
        ];
        close(v.as_flattened(), expected.as_flattened(), 1e-11);
    }
    let (losses, _) = optimize(by_approximating);
    close(
        &losses[15],
        &[1.320_359_80e-4, 7.671_024_9e-5, 2.027_115_86e-4],
        1e-11,
    );
}

#[test]
fn an_inverse_that_is_not_one_is_an_error_and_shadows_stay() {
    let (mut x, mut dx) = (STARTS[0], [1.0, 2.0, 3.0, 4.0]);
    let result = autodiff!(
        Reverse,
        reversible,
        Const,
        Duplicated(&mut x[..], &mut dx[..]),
        Const(&MU),
        Const(Inactive(step {})),
        Const(Inactive(time_reversed {})),
        Const(100_usize),
        Const(Reversal::checked(1e-9))
    );
    let Err(Error::NotInverse {
        step: 0,
        distance,
        tolerance,
    }) = result
    else {
        panic!("{result:?}");
    };
    assert!(distance > 1e-4 && tolerance == 1e-9);
    assert_eq!(dx, [1.0, 2.0, 3.0, 4.0]);
    assert!(inverse_distance(&step {}, &back {}, &STARTS[0][..], &MU, 0) < 1e-15);
}

/// f.2: the leapfrog of integers is undone bit by bit.
#[test]
fn f2_integer_leapfrog() {
    #[differentiable]
    fn ahead(x: &mut (i64, i64), _p: &(), _t: usize) {
        *x = (x.1, 2 * x.1 - x.0 - (x.1 >> 4));
    }
    #[inactive]
    fn behind(x: &mut (i64, i64), _p: &(), _t: usize) {
        *x = (2 * x.0 - (x.0 >> 4) - x.1, x.0);
    }
    let start = (1_i64 << 20, (1_i64 << 20) - 1000);
    let mut x = start;
    (0..1000).for_each(|t| ahead(&mut x, &(), t));
    assert_eq!(x, (741_045, 904_623));
    (0..1000).for_each(|t| behind(&mut x, &(), t));
    assert_eq!(x, start);
}

/// f.2: RevNet's additive coupling.
#[test]
fn f2_additive_coupling() {
    #[differentiable]
    fn couple(x: &mut [f64], _p: &(), _t: usize) {
        x[0] += x[1].tanh();
        x[1] += x[0].sin();
    }
    #[inactive]
    fn uncouple(x: &mut [f64], _p: &(), _t: usize) {
        x[1] -= x[0].sin();
        x[0] -= x[1].tanh();
    }
    let (mut x, mut dx) = ([0.3, -0.7], [1.0, 1.0]);
    autodiff!(
        Reverse,
        reversible,
        Const,
        Duplicated(&mut x[..], &mut dx[..]),
        Const(&()),
        Const(Inactive(couple {})),
        Const(Inactive(uncouple {})),
        Const(1_usize),
        Const(Reversal::checked(1e-15))
    )
    .expect("an inverse");
    close(&x, &[-0.304_367_777_117, -0.999_690_071_365], 1e-12);
    close(&dx, &[1.954_036_614_143, 2.240_304_399_272], 1e-12);
}

/// f.2: Fibonacci's numbers.
#[test]
fn f2_fibonacci() {
    #[differentiable]
    fn ahead(x: &mut [f64], _p: &(), _t: usize) {
        (x[0], x[1]) = (x[1], x[0] + x[1]);
    }
    #[inactive]
    fn behind(x: &mut [f64], _p: &(), _t: usize) {
        (x[0], x[1]) = (x[1] - x[0], x[0]);
    }
    let (mut x, mut dx) = ([0.0, 1.0], [1.0, 1.0]);
    autodiff!(
        Reverse,
        reversible,
        Const,
        Duplicated(&mut x[..], &mut dx[..]),
        Const(&()),
        Const(Inactive(ahead {})),
        Const(Inactive(behind {})),
        Const(3_usize),
        Const(Reversal::checked(0.0))
    )
    .expect("an inverse");
    assert_eq!(dx, [3.0, 5.0]);
}
