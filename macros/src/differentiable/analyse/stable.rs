//! Whether memory that was read at one point can have changed by the end of its life.

use crate::differentiable::ir::*;

impl Program {
    /// Whether `root` keeps, from `point` until it dies, what it holds there: then the reverse pass reads it in place. It lives
    /// inside the outermost `outside` loops around it.
    pub(crate) fn stable(&self, root: RootId, point: &Point, outside: usize) -> bool {
        let writes = &self.roots[root].writes;
        !writes.iter().any(|w| may_follow(w, point, outside))
    }

    /// Whether an argument of a call is changed by something after the call.
    pub(crate) fn changed_after(&self, root: RootId, call: &Point, outside: usize) -> bool {
        let writes = &self.roots[root].writes;
        writes.iter().any(|w| {
            w.order != call.order && may_follow(w, call, outside) || repeated(w, call, outside)
        })
    }
}

/// Whether `write` can happen after `read`: it is later in the text, or a loop around both comes back to it.
fn may_follow(write: &Point, read: &Point, outside: usize) -> bool {
    write.order > read.order || repeated(write, read, outside)
}

/// Whether both are in a loop that begins after the memory does.
fn repeated(a: &Point, b: &Point, outside: usize) -> bool {
    let shared = a
        .loops
        .iter()
        .zip(&b.loops)
        .take_while(|(a, b)| a == b)
        .count();
    shared > outside
}

#[cfg(test)]
mod tests;
