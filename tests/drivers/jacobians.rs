//! Jacobians in both modes, in chunks.

use super::*;

/// `xᵢ·Σ x`, in a new vector.
#[primitive]
pub(crate) fn times_sum(x: &[f64]) -> Vec<f64> {
    let sum: f64 = x.iter().sum();
    x.iter().map(|x| x * sum).collect()
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for times_sum
where
    R: ForwardReturn<W, Out = Vec<f64>>,
    X: ForwardArg<[f64], W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let xs = x.primal();
        let sum: f64 = xs.iter().sum();
        let tangent = |lane| {
            let Some(dx) = x.tangent(lane) else {
                return vec![0.0; xs.len()];
            };
            let dsum: f64 = dx.iter().sum();
            xs.iter()
                .zip(dx)
                .map(|(x, dx)| x * dsum + dx * sum)
                .collect()
        };
        R::forward(config, || times_sum(xs), tangent)
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for times_sum
where
    R: ReverseReturn<W, Out = Vec<f64>>,
    X: ReverseArg<[f64], W>,
{
    type Tape = ();

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, (), W> {
        R::augmented(config, times_sum(x.primal()), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(dy) = dret.lane(lane) else { return };
            let (sum, dsum) = (x.iter().sum::<f64>(), Tangent::inner(x, dy));
            dx.add_map(dy, |dy| dy * sum + dsum);
        });
        (dx,)
    }
}

#[test]
fn jacobians_agree_in_both_modes_whatever_the_chunk() {
    let (f, x) = (times_sum {}, [1.0, -2.0, 0.5, 4.0, 3.0]);
    let sum: f64 = x.iter().sum();
    let jacobians = [
        jacobian_forward::<1, _, _>(&f, &x),
        jacobian_forward::<2, _, _>(&f, &x),
        jacobian_forward::<3, _, _>(&f, &x),
        jacobian_forward::<8, _, _>(&f, &x),
        jacobian_reverse::<1, _, _>(&f, &x),
        jacobian_reverse::<2, _, _>(&f, &x),
        jacobian_reverse::<3, _, _>(&f, &x),
        jacobian_reverse::<8, _, _>(&f, &x),
    ];
    for j in &jacobians {
        assert_eq!((j.rows(), j.columns()), (5, 5));
        for i in 0..5 {
            for k in 0..5 {
                assert_eq!(j[(i, k)], x[i] + if i == k { sum } else { 0.0 });
            }
        }
    }
    // of a scalar function: one row
    let x = [1.5, 2.0, 0.5];
    for j in [
        jacobian_forward::<2, _, _>(&rosenbrock {}, &x),
        jacobian_reverse::<2, _, _>(&rosenbrock {}, &x),
    ] {
        assert_eq!((j.rows(), j.columns()), (1, 3));
        assert_close(j.row(0), &closed_gradient(&x));
    }
}

#[test]
fn the_mode_is_chosen_by_shape() {
    let x = [1.0, -2.0, 0.5, 3.0, 0.25];
    let (value, jacobian) = coenzyme::value_and_jacobian(&times_sum {}, &x);
    assert_eq!(value, times_sum(&x));
    assert_eq!(jacobian, jacobian_reverse::<1, _, _>(&times_sum {}, &x));
    // one output, five inputs
    let jacobian = coenzyme::jacobian(&total {}, &x);
    assert_eq!((jacobian.rows(), jacobian.columns()), (1, 5));
    assert_eq!(jacobian.row(0), gradient!(total, &x).0);
    // nothing at all
    let jacobian = coenzyme::jacobian(&times_sum {}, &[]);
    assert_eq!((jacobian.rows(), jacobian.columns()), (0, 0));
}

#[coenzyme::differentiable]
fn total(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

/// No Jacobian where there is no square root.
#[coenzyme::differentiable]
fn roots(x: &[f64]) -> Result<Vec<f64>, usize> {
    let mut roots = vec![0.0; x.len()];
    for i in 0..x.len() {
        if x[i] < 0.0 {
            return Err(i);
        }
        roots[i] = x[i].sqrt();
    }
    Ok(roots)
}

#[test]
fn products_with_a_vector_are_the_rows_and_columns() {
    let x = [1.0, -2.0, 0.5];
    let jacobian = coenzyme::jacobian(&times_sum {}, &x);
    for j in 0..3 {
        let unit: Vec<f64> = (0..3).map(|i| f64::from(i == j)).collect();
        let column: Vec<f64> = (0..3).map(|i| jacobian[(i, j)]).collect();
        assert_eq!(coenzyme::jvp(&times_sum {}, &x, &unit), column);
        assert_eq!(coenzyme::vjp(&times_sum {}, &x, unit), jacobian.row(j));
    }
    assert_eq!(
        coenzyme::jvp(&roots {}, &[4.0, 1.0], &[1.0, -1.0]),
        Ok(vec![0.25, -0.5])
    );
    assert_eq!(
        coenzyme::vjp(&roots {}, &[4.0, -1.0], vec![1.0, 1.0]),
        Err(1)
    );
    let (value, jacobian) = coenzyme::value_and_jacobian(&roots {}, &[4.0, 1.0]).unwrap();
    assert_eq!(
        (value, jacobian.as_slice()),
        (vec![2.0, 1.0], &[0.25, 0.0, 0.0, 0.5][..])
    );
    assert_eq!(
        coenzyme::value_and_jacobian(&roots {}, &[4.0, -1.0]),
        Err(1)
    );
}
