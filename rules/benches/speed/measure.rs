//! Interleaved timings of one call beside another.

use std::hint::black_box;
use std::time::Instant;

use ndarray::Array2;

/// Rounds of each measurement.
const ROUNDS: usize = 61;

/// The shadows of the active arguments.
pub(crate) type Shadows = [Array2<f64>];

/// What the command line asks for.
pub(crate) struct Bench {
    quick: bool,
    names: Vec<String>,
}

/// A rule beside what it is measured by. Either adds to the shadows, from a seed of its own.
pub(crate) struct Race<'a, S> {
    /// The shapes of the shadows.
    pub(crate) shapes: &'a [(usize, usize)],
    /// The cotangent of the value.
    pub(crate) seed: S,
    /// What the ratio should be at most.
    pub(crate) limit: f64,
}

impl Bench {
    /// Reads `--quick` and names.
    pub(crate) fn from_args(args: impl Iterator<Item = String>) -> Self {
        let (flags, names): (Vec<_>, Vec<_>) = args.partition(|a| a.starts_with('-'));
        Self {
            quick: flags.iter().any(|f| f == "--quick" || f == "--test"),
            names,
        }
    }

    /// Asserts that the rule and the adjoint by hand agree, then prints how long the rule takes over it.
    pub(crate) fn against_hand<S: Clone>(
        &self,
        name: &str,
        race: &Race<'_, S>,
        ours: impl Fn(&mut Shadows, S),
        hand: impl Fn(&mut Shadows, S),
    ) {
        if !self.names.is_empty() && !self.names.iter().any(|n| name.contains(n.as_str())) {
            return;
        }
        let (mut a, mut b) = (race.zeros(), race.zeros());
        ours(&mut a, race.seed.clone());
        hand(&mut b, race.seed.clone());
        for (a, b) in a.iter().zip(&b) {
            let size = b.iter().fold(0.0, |m: f64, b| m.max(b.abs()));
            for (a, b) in a.iter().zip(b) {
                assert!((a - b).abs() <= 1e-11 * size, "{name}: {a}, by hand {b}");
            }
        }
        self.against(name, race, ours, hand);
    }

    /// Prints how long `ours` takes over `bar`.
    pub(crate) fn against<S: Clone>(
        &self,
        name: &str,
        race: &Race<'_, S>,
        ours: impl Fn(&mut Shadows, S),
        bar: impl Fn(&mut Shadows, S),
    ) {
        if !self.names.is_empty() && !self.names.iter().any(|n| name.contains(n.as_str())) {
            return;
        }
        if self.quick {
            println!("runs,{name}");
            return;
        }
        let (mut a, mut b) = (race.zeros(), race.zeros());
        let mut rounds: Vec<[f64; 2]> = (0..=ROUNDS)
            .map(|_| {
                [
                    seconds(&ours, &mut a, race.seed.clone()),
                    seconds(&bar, &mut b, race.seed.clone()),
                ]
            })
            .collect();
        // the first warms up
        rounds.remove(0);
        let mut ratios: Vec<f64> = rounds.iter().map(|[a, b]| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        let best = |i: usize| {
            let times = rounds.iter().map(|times| times[i]);
            times.fold(f64::INFINITY, f64::min)
        };
        println!(
            "ratio,{name},{:.3},{:.3},{},{:.1},{:.1}",
            ratios[ROUNDS / 2],
            best(0) / best(1),
            race.limit,
            best(0) * 1e6,
            best(1) * 1e6,
        );
    }
}

impl<S> Race<'_, S> {
    fn zeros(&self) -> Vec<Array2<f64>> {
        // written, so that the first call does not pay for the memory's pages
        self.shapes
            .iter()
            .map(|shape| Array2::from_elem(*shape, 1.0) * 0.0)
            .collect()
    }
}

fn seconds<S>(call: &impl Fn(&mut Shadows, S), shadows: &mut Shadows, seed: S) -> f64 {
    let seed = black_box(seed);
    let start = Instant::now();
    call(shadows, seed);
    let time = start.elapsed().as_secs_f64();
    black_box(shadows);
    time
}

/// Numbers between −1 and 1, other ones for each seed: multiples of the golden ratio.
pub(crate) fn samples(seed: u32, shape: (usize, usize)) -> Array2<f64> {
    let mut at = (f64::from(seed) * 0.317).fract();
    Array2::from_shape_simple_fn(shape, || {
        at = (at + 0.618_033_988_749_894_9).fract();
        2.0 * at - 1.0
    })
}
