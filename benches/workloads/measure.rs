//! Interleaved timings, counted allocations, and numbers that look random.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts for each thread.
pub(crate) struct Counting;

// SAFETY: every call goes to the system's allocator as it is; counting allocates nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller's promises are those of `System`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let _ = ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: as above.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// One flat array for each active argument.
pub(crate) type Gradient = Vec<Vec<f64>>;

/// A problem: the primal, and two ways to its gradient.
pub(crate) trait Workload {
    /// The lengths of the active arguments.
    fn lengths(&self) -> Vec<usize>;
    /// The value.
    fn primal(&self) -> f64;
    /// The adjoint written by hand: adds to `d`.
    fn hand(&self, d: &mut Gradient);
    /// The generated adjoint: adds to `d`.
    fn generated(&self, d: &mut Gradient);
    /// Bytes on the tape of the augmented half.
    fn tape_bytes(&self) -> usize;
}

/// What the command line asks for.
pub(crate) struct Bench {
    quick: bool,
    names: Vec<String>,
}

/// Rounds of each measurement.
const ROUNDS: usize = 61;
/// Seconds that one candidate runs in a round.
const SECONDS: f64 = 1e-3;

impl Bench {
    /// Reads `--quick` and names.
    pub(crate) fn from_args(args: impl Iterator<Item = String>) -> Self {
        let (flags, names): (Vec<_>, Vec<_>) = args.partition(|a| a.starts_with('-'));
        Self {
            quick: flags.iter().any(|f| f == "--quick" || f == "--test"),
            names,
        }
    }

    /// Asserts that both gradients agree, then measures.
    pub(crate) fn run(&self, name: &str, workload: &impl Workload) {
        if !self.names.is_empty() && !self.names.iter().any(|n| name.contains(n.as_str())) {
            return;
        }
        let mut d: Gradient = workload.lengths().iter().map(|n| vec![0.0; *n]).collect();
        let mut hand = d.clone();
        workload.hand(&mut hand);
        workload.generated(&mut d);
        agree(name, &d, &hand);
        if self.quick {
            println!("agrees,{name}");
            return;
        }
        clear(&mut d);
        let before = ALLOCATIONS.get();
        workload.generated(&mut d);
        let allocations = ALLOCATIONS.get() - before;

        let primal = |_: &mut Gradient| {
            black_box(workload.primal());
        };
        let by_hand = |d: &mut Gradient| {
            clear(d);
            workload.hand(d);
        };
        let generated = |d: &mut Gradient| {
            clear(d);
            workload.generated(d);
        };
        let calls = [
            calls(primal, &mut d),
            calls(by_hand, &mut d),
            calls(generated, &mut d),
        ];
        let mut times: [Vec<f64>; 3] = Default::default();
        for _ in 0..ROUNDS {
            times[0].push(seconds(primal, &mut d, calls[0]));
            times[1].push(seconds(by_hand, &mut d, calls[1]));
            times[2].push(seconds(generated, &mut d, calls[2]));
        }
        let ratios = |to: usize| -> Vec<f64> {
            let mut ratios: Vec<f64> = times[2]
                .iter()
                .zip(&times[to])
                .map(|(a, b)| a / b)
                .collect();
            ratios.sort_by(f64::total_cmp);
            ratios
        };
        let (to_primal, to_hand) = (ratios(0), ratios(1));
        println!(
            "ratio,{name},{:.2},{:.2},{:.2},{:.2},{},{allocations}",
            to_primal[ROUNDS / 2],
            to_hand[ROUNDS / 2],
            to_hand[0],
            to_hand[ROUNDS - 1],
            workload.tape_bytes(),
        );
    }
}

/// How many calls fill a round.
fn calls(f: impl Fn(&mut Gradient), d: &mut Gradient) -> usize {
    let mut calls = 1;
    loop {
        let time = seconds(&f, d, calls) * calls as f64;
        if time > SECONDS / 4.0 {
            return ((calls as f64 * SECONDS / time) as usize).max(1);
        }
        calls *= 4;
    }
}

/// Seconds for each of some calls.
fn seconds(f: impl Fn(&mut Gradient), d: &mut Gradient, calls: usize) -> f64 {
    let start = Instant::now();
    for _ in 0..calls {
        f(d);
        black_box(&mut *d);
    }
    start.elapsed().as_secs_f64() / calls as f64
}

fn clear(d: &mut Gradient) {
    d.iter_mut().for_each(|d| d.fill(0.0));
}

/// Each argument's gradients to 1e-9 of the largest entry.
fn agree(name: &str, a: &Gradient, b: &Gradient) {
    for (argument, (a, b)) in a.iter().zip(b).enumerate() {
        let scale = b.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
        for (i, (a, b)) in a.iter().zip(b).enumerate() {
            assert!(
                (a - b).abs() <= 1e-9 * scale,
                "{name}: entry {i} of argument {argument} is {a}, by hand {b}"
            );
        }
    }
}

/// `n` numbers between `low` and `high`, the same in every run.
pub(crate) fn numbers(seed: u64, n: usize, low: f64, high: f64) -> Vec<f64> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let number = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        low + (high - low) * (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    std::iter::repeat_with(number).take(n).collect()
}
