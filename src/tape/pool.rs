//! The storage of tapes that are done, for the next ones: a gradient that runs again does not allocate.

use std::cell::RefCell;

use super::Stacks;

thread_local! {
    static POOL: RefCell<Vec<Storage>> = const { RefCell::new(Vec::new()) };
}

/// What a tape allocates: words of any value, and empty stacks.
pub(super) type Storage = (Vec<u64>, Stacks);

/// How many tapes' storage a thread keeps.
const POOLED: usize = 8;

/// Storage of an earlier tape of this thread.
pub(super) fn take() -> Option<Storage> {
    POOL.try_with(|pool| pool.borrow_mut().pop()).ok().flatten()
}

/// Storage for a later tape. At the end of a thread there is no pool, and the storage is freed.
pub(super) fn give(storage: Storage) {
    let _ = POOL.try_with(|pool| {
        let mut pool = pool.borrow_mut();
        if pool.len() < POOLED {
            pool.push(storage);
        }
    });
}
