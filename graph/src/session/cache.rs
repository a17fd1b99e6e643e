//! What is known of calls that were made before.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use lru::LruCache;
use smallvec::SmallVec;

use super::Options;
use coenzyme_operations::{Attrs, Operation, Outline};
use coenzyme_operations::{Spec, Value};

/// What is known of a call before it is made.
#[derive(Clone)]
pub struct Plan {
    /// What runs in place of the operation, if the session has an [`Adapter`](super::Adapter) that says so.
    pub instead: Option<Arc<dyn Operation>>,
    /// The attributes, with the defaults of those that were not given.
    pub attrs: Attrs,
    /// What the call returns, costs and keeps.
    pub outline: Outline,
}

impl Plan {
    /// What runs.
    pub(crate) fn runs<'p>(&'p self, operation: &'p Arc<dyn Operation>) -> &'p Arc<dyn Operation> {
        self.instead.as_ref().unwrap_or(operation)
    }
}

impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instead = self.instead.as_ref().map(|op| &op.signature().name);
        f.debug_struct("Plan")
            .field("instead", &instead)
            .field("attrs", &self.attrs)
            .field("outline", &self.outline)
            .finish()
    }
}

/// How often calls were known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// The call was known.
    pub hits: u64,
    /// It was not.
    pub misses: u64,
    /// Another was forgotten for it.
    pub evictions: u64,
}

/// A call, borrowed from who makes it: nothing is allocated to ask whether it is known.
pub(super) struct Question<'a> {
    pub(super) operation: &'a Arc<dyn Operation>,
    pub(super) x: &'a [&'a Value],
    pub(super) attrs: &'a Attrs,
    pub(super) options: &'a Options,
}

/// The call of an entry. It holds the operation, so that no other can have its address.
struct Key {
    operation: Arc<dyn Operation>,
    specs: SmallVec<[Spec; 4]>,
    attrs: Attrs,
    options: Options,
}

impl Question<'_> {
    pub(super) fn hash(&self) -> u64 {
        let mut state = DefaultHasher::new();
        Arc::as_ptr(self.operation).cast::<()>().hash(&mut state);
        for x in self.x {
            x.dtype().hash(&mut state);
            x.shape().hash(&mut state);
        }
        self.attrs.hash(&mut state);
        self.options.hash(&mut state);
        state.finish()
    }

    fn is(&self, key: &Key) -> bool {
        let same =
            |(x, spec): (&&Value, &Spec)| x.dtype() == spec.dtype && x.shape() == &spec.shape[..];
        Arc::ptr_eq(self.operation, &key.operation)
            && self.x.len() == key.specs.len()
            && self.x.iter().zip(&key.specs).all(same)
            && *self.attrs == key.attrs
            && *self.options == key.options
    }
}

/// Calls by hash, the least recently made forgotten first. Of two calls of one hash the later is kept.
pub(super) struct Cache {
    entries: Mutex<LruCache<u64, (Key, Arc<Plan>)>>,
    hits: AtomicU64,
    misses: AtomicU64,
    evictions: AtomicU64,
}

impl Cache {
    pub(super) fn new(calls: usize) -> Self {
        let calls = NonZeroUsize::new(calls).unwrap_or(NonZeroUsize::MIN);
        Self {
            entries: Mutex::new(LruCache::new(calls)),
            hits: AtomicU64::new(0),
            misses: AtomicU64::new(0),
            evictions: AtomicU64::new(0),
        }
    }

    fn entries(&self) -> MutexGuard<'_, LruCache<u64, (Key, Arc<Plan>)>> {
        self.entries.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(super) fn get(&self, hash: u64, question: &Question<'_>) -> Option<Arc<Plan>> {
        let mut entries = self.entries();
        let known = entries.get(&hash).filter(|(key, _)| question.is(key));
        let known = known.map(|(_, plan)| Arc::clone(plan));
        let counter = if known.is_some() {
            &self.hits
        } else {
            &self.misses
        };
        counter.fetch_add(1, Ordering::Relaxed);
        known
    }

    pub(super) fn put(
        &self,
        hash: u64,
        question: &Question<'_>,
        specs: SmallVec<[Spec; 4]>,
        plan: &Arc<Plan>,
    ) {
        let key = Key {
            operation: Arc::clone(question.operation),
            specs,
            attrs: question.attrs.clone(),
            options: *question.options,
        };
        let forgotten = self.entries().push(hash, (key, Arc::clone(plan)));
        if forgotten.is_some() {
            self.evictions.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn counters(&self) -> Counters {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counters {
            hits: read(&self.hits),
            misses: read(&self.misses),
            evictions: read(&self.evictions),
        }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.counters().fmt(f)
    }
}
