//! What a call allocates, if this crate counts it (feature `allocations`).
//!
//! Counted are the allocations of the calling thread.

/// What was allocated during a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Allocations {
    /// How often.
    pub(crate) count: u64,
    /// The bytes allocated less those freed.
    pub(crate) kept: i64,
    /// The most bytes that were allocated at one time.
    pub(crate) peak: u64,
}

/// Whether allocations are counted.
pub(crate) const COUNTED: bool = cfg!(feature = "allocations");

/// What can be run, behind a pointer. The table of a `dyn FnMut` has two functions more, which are never called, and are compiled
/// for every closure.
pub(crate) trait Run {
    /// Runs it.
    fn run(&mut self);
}

impl<F: FnMut()> Run for F {
    fn run(&mut self) {
        self();
    }
}

/// Runs `call`, which must not panic, and counts.
pub(crate) fn counted<T>(call: impl FnOnce() -> T) -> (T, Allocations) {
    let (mut call, mut result) = (Some(call), None);
    let allocations = measured(&mut || result = call.take().map(|call| call()));
    (result.expect("the call has run"), allocations)
}

/// How many bytes `call` frees, which must not panic. Not generic: it is called from every mix of every rule.
pub(crate) fn freed(call: &mut dyn Run) -> usize {
    let allocations = measured(&mut || call.run());
    usize::try_from(-allocations.kept).unwrap_or(0)
}

/// Counts during `call`.
#[cfg(feature = "allocations")]
fn measured(call: &mut dyn FnMut()) -> Allocations {
    let info = allocation_counter::measure(call);
    Allocations {
        count: info.count_total,
        kept: info.bytes_current,
        peak: info.bytes_max,
    }
}

/// Runs `call` where what it gives to `rayon` runs on its own thread, so that [`counted`] counts that too.
#[cfg(feature = "allocations")]
pub(crate) fn undisturbed<T: Send>(call: impl FnOnce() -> T + Send) -> T {
    use rayon_core::{ThreadPool, ThreadPoolBuilder};
    // One for each thread: tests do not wait for each other.
    thread_local!(static ALONE: Option<ThreadPool> = ThreadPoolBuilder::new().num_threads(1).build().ok());
    ALONE.with(|pool| match pool {
        Some(pool) => pool.install(call),
        None => call(),
    })
}

/// Runs `call`.
#[cfg(not(feature = "allocations"))]
pub(crate) fn undisturbed<T>(call: impl FnOnce() -> T) -> T {
    call()
}

/// Runs `call`, and counts nothing.
#[cfg(not(feature = "allocations"))]
fn measured(call: &mut dyn FnMut()) -> Allocations {
    call();
    Allocations::default()
}

#[cfg(all(test, feature = "allocations"))]
mod tests {
    use super::*;

    #[test]
    fn allocations_are_counted_and_frees_subtracted() {
        let (kept, allocations) = counted(|| {
            drop(vec![1_u8; 5]);
            vec![0_u64; 4]
        });
        assert_eq!((allocations.count, allocations.kept), (2, 32));
        assert!(allocations.peak >= 32);
        assert_eq!(counted(|| drop(kept)).1.kept, -32);
    }
}
