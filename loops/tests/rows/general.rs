//! D15, D16, D27, f.3 and f.6: loops in general, bounded loops, scans.

use std::cell::Cell;

use coenzyme::prelude::*;
use coenzyme::{AsActive, AsConst, AsDuplicated, Dual, Real};
use coenzyme_loops::{
    Bound, Disk, Error, Schedule, iterate, iterate_on_disk, scan, sum_loop, while_loop,
};
use coenzyme_testutils::{Setting, inout, input, test_rule, value};

/// A step that needs its state again.
#[differentiable]
fn swirl<T: Real>(x: &mut [T], p: &[T], t: usize) {
    count();
    let (a, b) = (x[0], x[1]);
    x[0] = a + T::lit(0.2) * (p[0] * b).sin();
    x[1] = b - T::lit(0.1) * p[1] * a * b + T::lit(0.01 * t as f64);
}

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

#[inactive]
fn count() {
    CALLS.set(CALLS.get() + 1);
}

/// A state that counts its rounds, for loops of a length that does not depend on active values.
#[derive(Clone, Debug, PartialEq, Tangent)]
struct Counted {
    x: [f64; 2],
    left: usize,
}

#[differentiable]
fn swirl_counted(s: &mut Counted, p: &[f64], t: usize) {
    swirl(&mut s.x, p, t);
    s.left -= 1;
}

#[inactive]
fn any_left(s: &Counted, _p: &[f64]) -> bool {
    s.left > 0
}

#[differentiable]
fn looped(x: &[f64], p: &[f64], n: usize, #[constant] bound: Bound) -> Result<f64, Error> {
    let mut s = Counted {
        x: [x[0], x[1]],
        left: n,
    };
    while_loop(
        &mut s,
        p,
        Inactive(swirl_counted {}),
        Inactive(any_left {}),
        bound,
    )?;
    Ok(s.x[0] * s.x[1])
}

test_rule! {
    looped;
    // far out thirty rounds are 10⁵⁵ times as wide as one, and sines of that
    x: input([0.7, -0.4]).within(-2.0..2.0), p: input([0.9, 0.6]).within(-2.0..2.0), n: value(case.0) [Const], bound: value(case.1) [Const];
    ret: [Const, Active];
    name = bounded, sizes = case in [(1_usize, Bound::new(1)), (7, Bound::new(100)), (30, Bound::new(100).keeping(3))]
}

#[differentiable]
fn in_a_for_loop(x: &[f64], p: &[f64], n: usize, #[constant] schedule: Schedule) -> f64 {
    let mut s = x.to_vec();
    iterate(&mut s, p, Inactive(swirl {}), n, schedule);
    s[0] * s[1]
}

test_rule! {
    iterate_on_disk;
    x: inout([0.7, -0.4]), p: input([0.9, 0.6]), f: value(Inactive(swirl {})) [Const], n: value(case.0) [Const], disk: value(case.1) [Const];
    ret: [Const];
    name = on_disk, sizes = case in [(0_usize, Disk::new(3, 2)), (3, Disk::new(3, 2)), (7, Disk::new(3, 1))],
    const_buffers = severed("what is read back through a `Const` state is inactive")
}

#[differentiable]
fn in_a_file(x: &[f64], p: &[f64], n: usize, #[constant] disk: Disk) -> Result<f64, Error> {
    let mut s = x.to_vec();
    iterate_on_disk(&mut s[..], p, Inactive(swirl {}), n, disk)?;
    Ok(s[0] * s[1])
}

/// The bits of the gradient of stored states, a state of each block in the file, and the optimum of runs for each block.
#[test]
fn f1_two_levels_with_disk() {
    let (x, p) = ([0.7, -0.4], [0.9, 0.6]);
    for n in [0_usize, 1, 5, 16, 200] {
        let (mut dx, mut dp) = (vec![0.0; 2], vec![0.0; 2]);
        autodiff!(
            Reverse,
            in_a_for_loop,
            Active,
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&p[..], &mut dp[..]),
            Const(n),
            Const(Schedule::every(1))
        );
        for (block, states) in [(1, 1), (4, 2), (50, 3), (1000, 4)] {
            let disk = Disk::new(block, states);
            let advances = disk.advances(n);
            let (mut ex, mut ep) = (vec![0.0; 2], vec![0.0; 2]);
            let args = (
                Duplicated(&x[..], &mut ex[..]),
                Duplicated(&p[..], &mut ep[..]),
                Const(n),
                Const(disk),
            );
            CALLS.set(0);
            autodiff(Reverse, &in_a_file {}, AsActive, args).expect("there is room for a file");
            assert_eq!((&ex, &ep), (&dx, &dp), "{n} steps, {states} states");
            assert_eq!(CALLS.get(), n + advances + n, "{n} steps, {states} states");
        }
    }
    // 16 steps in blocks of 4: none of these runs again with four states
    assert_eq!(Disk::new(4, 2).advances(16), 4 * 4);
    assert_eq!(Disk::new(4, 4).advances(16), 4 * 3);
}

/// A state of 10⁴ numbers: memory holds as many as are said, whatever the length of the loop.
#[test]
fn f1_memory_with_disk_is_that_of_some_states() {
    #[differentiable]
    fn relax(x: &mut [f64], p: &f64, _t: usize) {
        for i in 0..x.len() {
            x[i] -= 0.1 * *p * x[i] * x[i];
        }
    }
    const SIZE: usize = 10_000;
    let peak = |n: usize, states: usize| {
        allocation_counter::measure(|| {
            let (mut x, mut dx, mut dp) = (vec![0.5; SIZE], vec![1.0; SIZE], 0.0);
            let mut args = (
                Duplicated(&mut x[..], &mut dx[..]),
                Duplicated(&0.3, &mut dp),
                Const(Inactive(relax {})),
                Const(n),
                Const(Disk::new(8, states)),
            );
            let thunk = Thunk::<_, Const<Result<(), Error>>>::new(iterate_on_disk {});
            let tape = thunk
                .augmented(&mut args)
                .expect("there is room for a file")
                .tape;
            assert_eq!(tape.on_disk(), n.div_ceil(8));
            thunk.reverse((), tape, &mut args);
        })
        .bytes_max as usize
            / (SIZE * size_of::<f64>())
    };
    // the state, its shadow, those of one block, the one computed with, a spare one, its shape, the tape of a step
    assert!(peak(16, 3) <= 3 + 7, "{}", peak(16, 3));
    assert_eq!(peak(64, 3), peak(16, 3));
}

#[test]
fn a_file_that_cannot_be_made_is_an_error() {
    let (x, p, mut dx) = ([0.7, -0.4], [0.9, 0.6], [5.0, 6.0]);
    let args = (
        Duplicated(&x[..], &mut dx[..]),
        Const(&p[..]),
        Const(3),
        Const(Disk::new(2, 2).within("no/such/folder")),
    );
    let refused = autodiff(Reverse, &in_a_file {}, AsActive, args).map(|_| ());
    assert_eq!(refused, Err(Error::Disk(std::io::ErrorKind::NotFound)));
    assert_eq!(dx, [5.0, 6.0]);
}

/// Online checkpoints: no more states than said, the bits of the gradient of stored states, and the steps that a loop of unknown length needs.
#[test]
fn f1_online_checkpoints() {
    let (x, p) = ([0.7, -0.4], [0.9, 0.6]);
    for n in [1_usize, 2, 5, 16, 17, 63, 64, 65, 200] {
        let (mut dx, mut dp) = (vec![0.0; 2], vec![0.0; 2]);
        autodiff!(
            Reverse,
            in_a_for_loop,
            Active,
            Duplicated(&x[..], &mut dx[..]),
            Duplicated(&p[..], &mut dp[..]),
            Const(n),
            Const(Schedule::every(1))
        );
        for states in [2, 3, 8, 300] {
            let (mut ex, mut ep) = (vec![0.0; 2], vec![0.0; 2]);
            let bound = Bound::new(200).keeping(states);
            let args = (
                Duplicated(&x[..], &mut ex[..]),
                Duplicated(&p[..], &mut ep[..]),
                Const(n),
                Const(bound),
            );
            CALLS.set(0);
            autodiff(Reverse, &looped {}, AsActive, args).expect("within the bound");
            assert_eq!((&ex, &ep), (&dx, &dp), "{n} steps, {states} states");
            let calls = CALLS.get();
            if states >= n {
                assert_eq!(calls, 2 * n);
            }
            // the loop, and what undoes it with as many states, twice that where they had to be thinned out
            let most = n + 2 * (Schedule::binomial(states).advances(n) + n);
            assert!(
                calls <= most,
                "{n} steps, {states} states: {calls} calls, {most} allowed"
            );
        }
    }
}

#[test]
fn f1_online_states_stay_within_the_bound() {
    for (rounds, states) in [(1_usize, 2_usize), (50, 2), (50, 7), (1000, 7), (1000, 8)] {
        let (mut s, mut ds) = (
            Counted {
                x: [0.7, -0.4],
                left: rounds,
            },
            Counted {
                x: [1.0, 0.0],
                left: rounds,
            },
        );
        let p = [0.9, 0.6];
        let mut args = (
            Duplicated(&mut s, &mut ds),
            Const(&p[..]),
            Const(Inactive(swirl_counted {})),
            Const(Inactive(any_left {})),
            Const(Bound::new(rounds).keeping(states)),
        );
        let thunk = Thunk::<_, Const<Result<usize, Error>>>::new(while_loop {});
        let augmented = thunk.augmented(&mut args).expect("within the bound");
        assert_eq!(augmented.primal, Some(rounds));
        assert!(augmented.tape.snapshots() <= states);
        assert!(2 * augmented.tape.snapshots() >= states.min(rounds));
    }
}

/// D27: more rounds than allowed are an error, never a shorter loop, and shadows stay.
#[test]
fn d16_d27_a_bound_that_is_exceeded_is_an_error() {
    let (x, p, mut dx) = ([0.7, -0.4], [0.9, 0.6], [5.0, 6.0]);
    let args = (
        Duplicated(&x[..], &mut dx[..]),
        Const(&p[..]),
        Const(4_usize),
        Const(Bound::new(3)),
    );
    let result = autodiff(Reverse, &looped {}, AsActive, args);
    assert_eq!(result.map(|_| ()), Err(Error::BoundExceeded { bound: 3 }));
    assert_eq!(dx, [5.0, 6.0]);
    let message = Error::BoundExceeded { bound: 3 }.to_string();
    assert_eq!(
        message,
        "the loop goes on after 3 rounds, which was its bound"
    );
    // exactly as many are fine
    assert!(looped(&x, &p, 3, Bound::new(3)).is_ok());
}

/// D15: `x ← x²`, five times.
#[test]
fn d15_squares() {
    #[differentiable]
    fn square(x: &mut f64, _p: &(), _t: usize) {
        *x *= *x;
    }
    for schedule in [
        Schedule::every(5),
        Schedule::every(1),
        Schedule::binomial(2),
    ] {
        let (mut x, mut dx) = (1.1, 1.0);
        autodiff!(
            Reverse,
            iterate,
            Const,
            Duplicated(&mut x, &mut dx),
            Const(&()),
            Const(Inactive(square {})),
            Const(5_usize),
            Const(schedule)
        );
        close(x, 21.113_776_745_353);
        close(dx, 614.218_959_864_803);
    }
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-12 * b.abs().max(1.0), "{a} and {b}");
}

/// The strategies for a loop of known length.
const STRATEGIES: [Schedule; 5] = [
    Schedule::every(100),
    Schedule::every(1),
    Schedule::every(2),
    Schedule::binomial(1),
    Schedule::binomial(3),
];

/// Value and derivative of a function of one number and a schedule.
macro_rules! gradient_of {
    ($f:ident, $x:expr, $schedule:expr) => {{
        let (((dx, _),), value) = ({
            let (gradients, value) =
                autodiff!(ReverseWithPrimal, $f, Active, Active($x), Const($schedule));
            ((gradients,), value)
        });
        (value, dx)
    }};
}

#[differentiable]
fn double(y: &mut f64, _x: &f64, _t: usize) {
    *y *= 2.0;
}

#[differentiable]
fn doubled(x: f64, #[constant] schedule: Schedule) -> f64 {
    let mut y = x;
    iterate(&mut y, &x, Inactive(double {}), 3, schedule);
    y
}

#[differentiable]
fn horner(y: &mut f64, x: &f64, _t: usize) {
    *y = (*y + 1.0) * *x;
}

#[differentiable]
fn powers(x: f64, #[constant] schedule: Schedule) -> f64 {
    let mut y = 0.0;
    iterate(&mut y, &x, Inactive(horner {}), 4, schedule);
    y
}

/// `a·b` twice and `b + 1`, twice: `(a, b)`.
#[differentiable]
fn inner(s: &mut (f64, f64), _p: &(), _t: usize) {
    s.0 *= s.1;
}

#[differentiable]
fn outer(s: &mut (f64, f64), p: &(), _t: usize) {
    iterate(s, p, Inactive(inner {}), 2, Schedule::binomial(1));
    s.1 += 1.0;
}

#[differentiable]
fn nested(x: f64, #[constant] schedule: Schedule) -> f64 {
    let mut s = (1.0, x);
    iterate(&mut s, &(), Inactive(outer {}), 2, schedule);
    s.0
}

#[test]
fn f3_loops_under_every_strategy() {
    for schedule in STRATEGIES {
        assert_eq!(gradient_of!(doubled, 1.0, schedule), (8.0, 8.0));
        for (x, y, dy) in [
            (1.1, 5.1051, 12.154),
            (1.3, 8.0431, 17.458),
            (1.7, 17.8551, 32.722),
            (2.1, 35.2191, 55.474),
        ] {
            let (value, derivative) = gradient_of!(powers, x, schedule);
            close(value, y);
            close(derivative, dy);
        }
        // x²(x + 1)² and its derivative: 36 and 60, 14.0625 and 30
        for (x, y, dy) in [(2.0, 36.0, 60.0), (1.5, 14.0625, 30.0)] {
            let (value, derivative) = gradient_of!(nested, x, schedule);
            close(value, y);
            close(derivative, dy);
        }
    }
}

/// Counts of 1 to 4, and a table of factors, lane by lane.
#[test]
fn f3_counts_and_tables() {
    for n in 1..=4_usize {
        let (mut y, mut dy) = (1.0, 1.0);
        autodiff!(
            Reverse,
            iterate,
            Const,
            Duplicated(&mut y, &mut dy),
            Const(&0.0),
            Const(Inactive(double {})),
            Const(n),
            Const(Schedule::binomial(2))
        );
        assert_eq!(dy, f64::from(1 << n));
    }
    #[differentiable]
    fn factor(y: &mut f64, table: &[f64], i: usize) {
        *y *= table[i];
    }
    let (table, mut y, mut dy, mut dtable) = ([2.0, 3.0, 4.0, 5.0], 2.0, 1.0, [0.0; 4]);
    autodiff!(
        Reverse,
        iterate,
        Const,
        Duplicated(&mut y, &mut dy),
        Duplicated(&table[..], &mut dtable[..]),
        Const(Inactive(factor {})),
        Const(3_usize),
        Const(Schedule::binomial(2))
    );
    // of 2·(2·3·4): 48/2, 48/3, 48/4 and 0 for the factor that is not used
    assert_eq!((y, dtable), (48.0, [24.0, 16.0, 12.0, 0.0]));
}

#[test]
fn f3_the_sum_strategy_is_the_general_one() {
    #[differentiable]
    fn sine(i: usize, x: &f64) -> f64 {
        (i as f64 * *x).sin()
    }
    #[differentiable]
    fn add_sine(s: &mut f64, x: &f64, i: usize) {
        *s += (i as f64 * *x).sin();
    }
    #[differentiable]
    fn by_sum(x: f64) -> f64 {
        sum_loop(Inactive(0..5), &x, Inactive(sine {}))
    }
    #[differentiable]
    fn by_loop(x: f64) -> f64 {
        let mut s = 0.0;
        iterate(&mut s, &x, Inactive(add_sine {}), 5, Schedule::binomial(2));
        s
    }
    let (dx,) = gradient!(by_sum, 0.3);
    close(by_sum(0.3), 2.575_528_675_651);
    close(dx, 5.920_268_641_664);
    close(by_loop(0.3), by_sum(0.3));
    close(gradient!(by_loop, 0.3).0, dx);
}

/// What a loop reads and does not change is the parameter, of which no copy is made.
#[test]
fn f3_what_does_not_change_is_not_stored() {
    #[differentiable]
    fn mix(x: &mut [f64], p: &[f64], t: usize) {
        x[0] = x[0] * p[t] + x[1];
        x[1] = (x[0] * p[t + 1]).sin();
    }
    let p = vec![0.3; 100_001];
    let (mut dp, mut x, mut dx) = (vec![0.0; 100_001], [0.5, 0.2], [1.0, 0.0]);
    let memory = allocation_counter::measure(|| {
        autodiff!(
            Reverse,
            iterate,
            Const,
            Duplicated(&mut x[..], &mut dx[..]),
            Duplicated(&p[..], &mut dp[..]),
            Const(Inactive(mix {})),
            Const(50_usize),
            Const(Schedule::binomial(3))
        );
    });
    assert!(memory.bytes_max < 2048, "{} bytes", memory.bytes_max);
}

/// `c ← tanh(w·c + x)`, `y = c`.
#[differentiable]
fn cell<T: Real>(c: &mut T, x: &T, w: &T) -> T {
    count();
    *c = (*w * *c + *x).tanh();
    *c
}

/// The same with more to differentiate: a value that is not the carry, and a carry that it reads.
#[differentiable]
fn rich<T: Real>(c: &mut [T], x: &T, p: &[T]) -> T {
    let y = (c[0] * p[0]).sin() + *x * c[1];
    c[0] = c[0] * T::lit(0.9) + p[1] * *x;
    c[1] = (c[1] + *x).cos() * c[0];
    y * c[1]
}

test_rule! {
    scan;
    c: inout([0.3, -0.2]), xs: input(case.0), p: input([0.9, 0.6]), f: value(Inactive(rich {})) [Const], schedule: value(case.1) [Const];
    ret: [Const, Duplicated];
    name = scanned, sizes = case in [(0_usize, Schedule::every(1)), (1, Schedule::every(1)), (5, Schedule::binomial(2))],
    const_buffers = severed("what is read back through a `Const` carry is inactive")
}

#[test]
fn second_order_of_a_scan() {
    let (f, schedule) = (value(Inactive(rich {})), value(Schedule::binomial(2)));
    let duals = || [Dual::constant(0.0); 2];
    let dual = (
        inout(duals()),
        input([Dual::constant(0.0); 4]),
        input(duals()),
        f.clone(),
        schedule.clone(),
    );
    let dual = Setting::new(dual).function("scan", scan {});
    let plain = (inout([0.3, -0.2]), input(4), input([0.9, 0.6]), f, schedule);
    let plain = Setting::new(plain).function("scan", scan {});
    let all = (AsDuplicated, AsDuplicated, AsDuplicated, AsConst, AsConst);
    plain.mix(AsDuplicated, all).second_order(&dual).assert();
}

#[test]
fn f6_scan() {
    let (xs, w) = ([1.0, -1.0, 0.5], 0.5);
    for (schedule, calls) in [(Schedule::every(1), 5), (Schedule::binomial(1), 6)] {
        let (mut c, mut dc, mut dxs, mut dw) = (0.0, 0.0, [0.0; 3], 0.0);
        let mut args = (
            Duplicated(&mut c, &mut dc),
            Duplicated(&xs[..], &mut dxs[..]),
            Duplicated(&w, &mut dw),
            Const(Inactive(cell {})),
            Const(schedule),
        );
        let thunk = Thunk::<_, Duplicated<Vec<f64>>>::new(scan {});
        CALLS.set(0);
        let augmented = thunk.augmented(&mut args);
        let ys = augmented.primal.clone().expect("asked for");
        thunk.reverse([vec![1.0; 3]], augmented.tape, &mut args);
        assert_eq!(CALLS.get(), calls);
        for (y, expected) in
            ys.iter()
                .zip([0.761_594_155_956, -0.550_572_812_918, 0.221_006_067_835])
        {
            close(*y, expected);
        }
        close(ys.iter().sum(), 0.432_027_410_873);
        for (dx, expected) in
            dxs.iter()
                .zip([0.635_901_110_522, 1.028_285_528_483, 0.951_156_317_980])
        {
            close(*dx, expected);
        }
        close(dw, 0.259_455_439_631);
        close(dc, 0.317_950_555_261);
    }
}

/// As many operands as there are: the cotangent of each is that of the sum.
#[test]
fn d14_operands_of_any_number() {
    #[differentiable]
    fn sum_all(terms: &[f64]) -> f64 {
        terms.iter().sum()
    }
    #[differentiable]
    fn doubled(a: f64, b: f64, c: f64) -> f64 {
        2.0 * sum_all(&[a, b, c])
    }
    assert_eq!(gradient!(doubled, 1.0, 2.0, 3.0), (2.0, 2.0, 2.0));
}

/// An active variable that a function captures is an operand of it.
#[test]
fn d24_captured_variables() {
    #[differentiable]
    fn output(theta: f64) -> f64 {
        let param = 3.0 * theta;
        let scaled = |x: f64| x * param;
        scaled(123.0)
    }
    assert_eq!(
        autodiff!(ForwardWithPrimal, output, Duplicated(2.0, 1.0)),
        (369.0, 738.0)
    );
    assert_eq!(gradient!(output, 2.0), (369.0,));
}
