//! Drivers of many passes, over functions that may fail.

use crate::rule::Outcome;

/// Runs `pass` at `0`, `by`, `2·by`, … below `end`, until one fails. Returns what the last one did; `None` if none ran.
pub(super) fn chunks<Out: Outcome>(
    end: usize,
    by: usize,
    mut pass: impl FnMut(usize) -> Out::Of<()>,
) -> Option<Out::Of<()>> {
    let mut last = None;
    for start in (0..end).step_by(by) {
        let mut succeeded = false;
        last = Some(Out::map_of(pass(start), |()| succeeded = true));
        if !succeeded {
            break;
        }
    }
    last
}
