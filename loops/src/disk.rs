//! A loop that keeps its states in a file: checkpoints of two levels.
//!
//! The loop is cut into blocks. The state before each block is in the file, and one block at a time is undone, with a binomial schedule of states in memory: Griewank &
//! Walther 2008, *Evaluating derivatives*, section 12.4.

use std::borrow::{Borrow, BorrowMut};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use coenzyme::schedule::{Replay, Schedule};
use coenzyme::{
    Annotation, AugmentedOutcome, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn,
    ForwardRule, Function, Inactive, Memory, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, Tangent, primitive,
};

use crate::body::{ForwardStep, ReverseStep, lent, tangents, undisturbed};
use crate::{Copied, Error, Operand};

/// How long the blocks of an [`iterate_on_disk()`] are, how many states of one are in memory, and where the file is.
#[derive(Clone, Debug, PartialEq, Tangent)]
pub struct Disk(Inactive<Settings>);

#[derive(Clone, Debug, PartialEq)]
struct Settings {
    block: usize,
    states: usize,
    folder: Option<PathBuf>,
}

impl Disk {
    /// Blocks of `block` steps, of which at most `states` states are in memory at once, and the file in the system's folder for temporary files.
    ///
    /// # Panics
    /// If `block` or `states` is 0.
    #[track_caller]
    pub const fn new(block: usize, states: usize) -> Self {
        assert!(
            block > 0 && states > 0,
            "a loop on disk has blocks of one step at least, and keeps one state in memory at least"
        );
        Self(Inactive(Settings {
            block,
            states,
            folder: None,
        }))
    }

    /// The same with the file in another folder, such as one that is not in memory itself.
    #[must_use]
    pub fn within(self, folder: impl Into<PathBuf>) -> Self {
        let Self(Inactive(settings)) = self;
        let folder = Some(folder.into());
        Self(Inactive(Settings { folder, ..settings }))
    }

    /// The runs of a step without tape that undo a loop of `n` steps, beside the first: those of a binomial schedule for each block.
    pub const fn advances(&self, n: usize) -> usize {
        let Self(Inactive(settings)) = self;
        let schedule = Schedule::binomial(settings.states);
        let whole = schedule.advances(settings.block);
        n / settings.block * whole + schedule.advances(n % settings.block)
    }
}

/// `f(x, p, t)` for each `t` in `0..n`, as [`iterate`](crate::iterate()), with a state of each block in a file: for a state so large, or a loop so long, that memory does not hold as
/// many states as a fast reverse pass wants.
///
/// In memory are the states of one block that [`Disk`] says, and three. The file has `⌈n/block⌉` states of eight bytes a float. It has no name, and is gone with the tape. Cost
/// of a gradient: `n` runs of `f`, [`Disk::advances`] to undo them, `n` with tape; `⌈n/block⌉` states written and read.
///
/// The file holds the floats of a state. What else there is in it (an index, a flag, a length) must not change from step to step.
///
/// # Errors
/// [`Error::Disk`] if the file cannot be made or written. `x` is where the loop was then, and no shadow has been touched. There is no file, and no error, if nothing
/// is active.
///
/// # Panics
/// If the number of floats changes; in the reverse pass, before any shadow is touched or between two blocks, if the file cannot be read.
///
/// ```
/// use coenzyme::prelude::*;
/// use coenzyme_loops::{Disk, Error, iterate_on_disk};
///
/// #[differentiable]
/// fn step(x: &mut f64, r: &f64, _t: usize) {
///     *x += 0.01 * *r * *x * (1.0 - *x);
/// }
///
/// #[differentiable]
/// fn population(start: f64, rate: f64) -> Result<f64, Error> {
///     let mut x = start;
///     iterate_on_disk(&mut x, &rate, Inactive(step {}), 1000, Disk::new(100, 5))?;
///     Ok(x)
/// }
///
/// let (_, drate) = gradient!(population, 0.1, 0.7)?;
/// let difference = population(0.1, 0.70001)? - population(0.1, 0.69999)?;
/// assert!((drate - difference / 2e-5).abs() < 1e-8);
/// # Ok::<(), Error>(())
/// ```
#[primitive]
pub fn iterate_on_disk<S, P, F>(
    x: &mut S,
    p: &P,
    f: Inactive<F>,
    n: usize,
    disk: Disk,
) -> Result<(), Error>
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()>,
{
    let _ = disk;
    (0..n).for_each(|t| f.0.call((x, p, t)));
    Ok(())
}

impl<R, X, Q, G, N, C, S, P, F, const W: usize> ForwardRule<R, (X, Q, G, N, C), W>
    for iterate_on_disk
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ForwardReturn<W, Out = Result<(), Error>>,
    X: ForwardArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ForwardArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ForwardArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    N: ForwardArg<usize, W>,
    C: ForwardArg<Disk, W>,
    F: ForwardStep<S, P, W>,
{
    fn forward(
        &self,
        config: &ForwardConfig,
        (x, p, f, n, _): (&mut X, &mut Q, &mut G, &mut N, &mut C),
    ) -> Result<R::Forward, Error> {
        let (dp, f) = (tangents(p), &f.primal().0);
        let (x, mut dx) = x.split_mut();
        for t in 0..*n.primal() {
            f.push(config, x, lent(&mut dx), p.primal(), dp, t);
        }
        Ok(R::forward(config, || (), |_| ()))
    }
}

/// What the reverse pass of [`iterate_on_disk()`] starts from: the file, and the parameter if it may be overwritten.
pub struct DiskTape<S: ToOwned + ?Sized, P: ToOwned + ?Sized> {
    states: Option<States<S>>,
    p: Saved<P>,
}

impl<S: ToOwned + ?Sized, P: ToOwned + ?Sized> DiskTape<S, P> {
    /// The number of states in the file.
    pub fn on_disk(&self) -> usize {
        self.states.as_ref().map_or(0, |states| states.written)
    }
}

/// A stack of states in a file.
struct States<S: ToOwned + ?Sized> {
    file: File,
    written: usize,
    /// The number of floats in each.
    length: usize,
    /// A state for what is not a float.
    shape: Copied<S>,
}

/// The bytes of a float in the file.
const BYTES: usize = size_of::<f64>();

impl<S: Operand + ?Sized> States<S> {
    fn new(folder: Option<&PathBuf>, x: &S) -> std::io::Result<Self> {
        let file = match folder {
            None => tempfile::tempfile(),
            Some(folder) => tempfile::tempfile_in(folder),
        };
        Ok(Self {
            file: file?,
            written: 0,
            length: Tangent::to_flat(x).len(),
            shape: x.to_owned(),
        })
    }

    fn push(&mut self, x: &S) -> std::io::Result<()> {
        let floats = Tangent::to_flat(x);
        assert!(
            floats.len() == self.length,
            "iterate_on_disk: a state of {} floats after one of {}",
            floats.len(),
            self.length
        );
        let bytes: Vec<u8> = floats.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.file.write_all(&bytes)?;
        self.written += 1;
        Ok(())
    }

    fn pop(&mut self) -> std::io::Result<Copied<S>> {
        self.written -= 1;
        let mut bytes = vec![0; self.length * BYTES];
        let start = self.written as u64 * bytes.len() as u64;
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut bytes)?;
        let floats = bytes.as_chunks::<BYTES>().0.iter();
        let floats: Vec<f64> = floats.map(|bytes| f64::from_le_bytes(*bytes)).collect();
        let shape: &S = self.shape.borrow();
        let mut state = shape.to_owned();
        Tangent::unflatten(state.borrow_mut(), &floats);
        Ok(state)
    }
}

impl<R, X, Q, G, N, C, S, P, F, const W: usize> ReverseRule<R, (X, Q, G, N, C), W>
    for iterate_on_disk
where
    S: Operand + ?Sized,
    P: Operand + ?Sized,
    R: ReverseReturn<W, Out = Result<(), Error>>,
    X: ReverseArgMut<S, W> + Annotation<Primal: Memory<Target = S>>,
    Q: ReverseArg<P, W> + Annotation<Primal: Memory<Target = P>>,
    G: ReverseArg<Inactive<F>, W> + Annotation<Primal = Inactive<F>>,
    N: ReverseArg<usize, W>,
    C: ReverseArg<Disk, W>,
    F: for<'a> Function<(&'a mut S, &'a P, usize), Output = ()> + ReverseStep<S, P, W>,
{
    type Tape = DiskTape<S, P>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, p, f, n, disk): (&mut X, &mut Q, &mut G, &mut N, &mut C),
    ) -> AugmentedOutcome<R, Self::Tape, W> {
        let active = x.is_active();
        let failed = |error: std::io::Error| Error::Disk(error.kind());
        let Settings { block, folder, .. } = &disk.primal().0.0;
        let saved = Saved::new(p.primal(), active && config.overwritten(1));
        let (x, p) = (x.primal_mut(), p.primal());
        let states = active.then(|| States::new(folder.as_ref(), x));
        let mut states = states.transpose().map_err(failed)?;
        for t in 0..*n.primal() {
            if let (Some(states), true) = (&mut states, t.is_multiple_of(*block)) {
                states.push(x).map_err(failed)?;
            }
            f.primal().0.call((x, p, t));
        }
        let tape = DiskTape { states, p: saved };
        Ok(R::augmented(config, (), tape))
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (x, p, f, n, disk): (&mut X, &mut Q, &mut G, &mut N, &mut C),
    ) -> (
        X::Gradient,
        Q::Gradient,
        G::Gradient,
        N::Gradient,
        C::Gradient,
    ) {
        let mut of_p = p.no_gradient();
        if let Some(mut states) = tape.states {
            let active = (true, p.is_active());
            let body = undisturbed(config);
            let (f, n) = (&f.primal().0, *n.primal());
            let settings = &disk.primal().0.0;
            let (p, mut dp) = p.split(&mut of_p);
            let p = tape.p.get(p);
            let (_, mut dx) = x.split_mut();
            while states.written > 0 {
                let state = states.pop().unwrap_or_else(|error| {
                    panic!("iterate_on_disk, reverse pass: {error}");
                });
                let first = states.written * settings.block;
                let length = settings.block.min(n - first);
                let mut replay = Replay::<S>::resume(length, settings.states, vec![(0, state)]);
                let mut run = |x: &mut S, i: usize| f.call((x, p, first + i));
                while let Some((i, x)) = replay.before(&mut run) {
                    let t = first + i;
                    let tape = f.tape(&body, x, p, active, t);
                    f.pull(&body, x, lent(&mut dx), p, lent(&mut dp), t, tape);
                }
            }
        }
        (
            x.no_gradient(),
            of_p,
            f.no_gradient(),
            n.no_gradient(),
            disk.no_gradient(),
        )
    }
}
