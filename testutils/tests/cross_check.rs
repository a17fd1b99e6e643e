//! An independent implementation of finite differences, `finitediff`, agrees with the ladder where its
//! fixed step is good: smooth functions of order one. It is a check of the ladder, never the judge.

use coenzyme_testutils::{Ladder, Points, Stream, guarded};
use finitediff::vec::central_jacobian;

/// What `finitediff`'s step of `∛ε` can do.
const TOLERANCE: f64 = 1e-5;

type Primal = fn(&[f64]) -> Vec<f64>;

const SMOOTH: [(&str, usize, Primal); 5] = [
    ("products", 3, |x| {
        vec![x[0] * x[1], x[1] * x[2], x[0] * x[1] * x[2]]
    }),
    ("waves", 2, |x| {
        vec![x[0].sin() * x[1].cos(), (x[0] - x[1]).tanh()]
    }),
    ("softmax", 4, |x| {
        let sum: f64 = x.iter().map(|x| x.exp()).sum();
        x.iter().map(|x| x.exp() / sum).collect()
    }),
    ("norm", 5, |x| {
        vec![x.iter().map(|x| x * x).sum::<f64>().sqrt()]
    }),
    ("polar", 2, |x| vec![x[0].hypot(x[1]), x[1].atan2(x[0])]),
];

#[test]
fn ladder_agrees_with_fixed_steps_on_smooth_functions() {
    for (name, inputs, primal) in SMOOTH {
        let mut stream = Stream::of_case(name, 0);
        for _ in 0..20 {
            let draw = |_| stream.point(Points::FullMantissa, -3.0..3.0);
            let x: Vec<f64> = (0..inputs).map(draw).collect();
            let ours = Ladder::default()
                .jacobian(guarded(primal), &x)
                .expect("total");
            let fallible = |x: &Vec<f64>| Ok(primal(x));
            let theirs = central_jacobian(&fallible)(&x).expect("total");
            for (row, theirs) in theirs.iter().enumerate() {
                for (column, theirs) in theirs.iter().enumerate() {
                    let entry = ours.entry(row, column);
                    assert!(entry.doubt.is_none(), "{name} at {x:?}: {entry:?}");
                    let distance = (entry.value - theirs).abs();
                    assert!(
                        distance <= TOLERANCE,
                        "{name}[{row}, {column}] at {x:?}: {distance}"
                    );
                }
            }
        }
    }
}

#[test]
fn ladder_answers_where_a_fixed_step_cannot() {
    let large = |x: &[f64]| Some(vec![x[0] * x[0]]);
    let slope = Ladder::default().column(large, &[1e12], 0).expect("total")[0];
    assert!((slope.value - 2e12).abs() <= 2e12 * 1e-9);
    let fixed = central_jacobian(&|x: &Vec<f64>| Ok(vec![x[0] * x[0]]))(&vec![1e12]);
    assert!(
        (fixed.expect("total")[0][0] - 2e12).abs() > 1e12,
        "a fixed step got better"
    );

    let edge = |x: &[f64]| Some(vec![x[0].sqrt()]);
    let slope = Ladder::default().column(edge, &[1e-8], 0).expect("total")[0];
    assert!((slope.value - 5e3).abs() <= slope.bar && slope.bar < 1e-4);

    let empty = Ladder::default()
        .jacobian(|_| Some(vec![1.0]), &[])
        .expect("total");
    assert_eq!(
        (empty.rows(), empty.columns(), empty.evaluations()),
        (1, 0, 1)
    );
}
