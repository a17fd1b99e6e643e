//! The cache forgets the call that was not made for longest, and never mistakes one for another.

use coenzyme_graph::{Counters, Value, attrs};
use ndarray::Array1;

use super::{session, v};

#[test]
fn the_least_recent_call_is_forgotten() {
    let session = session().with_capacity(2);
    let call = |n: usize| {
        session
            .call("core::exp", &[&v(Array1::zeros(n))], &attrs! {})
            .expect("runs");
    };
    [1, 2, 1, 3].into_iter().for_each(call);
    // 2 was forgotten for 3, and 1 was not
    assert_eq!(
        session.counters(),
        Counters {
            hits: 1,
            misses: 3,
            evictions: 1
        }
    );
    call(1);
    assert_eq!(session.counters().hits, 2);
    call(2);
    assert_eq!(
        session.counters(),
        Counters {
            hits: 2,
            misses: 4,
            evictions: 2
        }
    );
}

#[test]
fn threads_share_a_session() {
    let session = session();
    let x = v(Array1::linspace(0.0, 1.0, 8));
    let want = session.call("core::tanh", &[&x], &attrs! {}).expect("runs");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..100 {
                    let y = session.call("core::tanh", &[&x], &attrs! {}).expect("runs");
                    assert!(y[0].same_bits(&want[0]));
                }
            });
        }
    });
    let counters = session.counters();
    assert_eq!((counters.hits, counters.misses), (800, 1));
}

#[test]
fn floats_are_told_apart_by_their_bits() {
    let session = session();
    let x = Value::from(vec![1.0, 2.0]);
    let norm = |p: f64| {
        session
            .call("core::norm_p", &[&x], &attrs! { p: p })
            .expect("runs");
        session.counters().misses
    };
    assert_eq!(
        [norm(2.0), norm(2.0), norm(2.0 + f64::EPSILON * 2.0)],
        [1, 1, 2]
    );
}
