//! Handles, tapes, configurations and rules cross threads wherever what they hold does.

#![cfg(feature = "ndarray")]

use coenzyme::{
    Active, Adjoint, Augmented, AugmentedReturn, BatchDuplicated, BatchMixedDuplicated, Const,
    Dual, Duplicated, DuplicatedNoNeed, DynArg, ForwardConfig, Inactive, Incongruent, Jacobian,
    Lanes, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, Saved, Tape, Thunk, gradient,
    ndarray::ArrayRef2, primitive,
};

const fn crosses_threads<T: Send + Sync>() {}

/// Checked when the test is compiled.
const _: () = {
    crosses_threads::<Const<&[f64]>>();
    crosses_threads::<Active<f64>>();
    crosses_threads::<Duplicated<&[f64], &mut [f64]>>();
    crosses_threads::<DuplicatedNoNeed<&mut [f64]>>();
    crosses_threads::<BatchDuplicated<&mut [f64], Vec<f64>, 3>>();
    crosses_threads::<BatchMixedDuplicated<(f64, Vec<f64>), &mut (f64, Vec<f64>), 2>>();
    crosses_threads::<DynArg<Vec<f64>>>();
    crosses_threads::<Vec<Active<f64>>>();
    crosses_threads::<Adjoint<'_, [f64]>>();
    crosses_threads::<Dual<Dual<f64>>>();
    crosses_threads::<Inactive<String>>();
    crosses_threads::<Saved<[f64]>>();
    crosses_threads::<Saved<ArrayRef2<f64>>>();
    crosses_threads::<AugmentedReturn<f64, (), Saved<[f64]>>>();
    crosses_threads::<ForwardConfig>();
    crosses_threads::<ReverseConfig>();
    crosses_threads::<Thunk<sum_of_squares, Active<f64>, 4>>();
    crosses_threads::<sum_of_squares>();
    crosses_threads::<Jacobian>();
    crosses_threads::<Incongruent>();
};

/// The tape of generated code moves between threads; nobody shares it.
const fn moves_between_threads<T: Send>() {}
const _: () = moves_between_threads::<Tape>();

/// `Σ x²`.
#[primitive]
fn sum_of_squares(x: &[f64]) -> f64 {
    x.iter().map(|x| x * x).sum()
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for sum_of_squares
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<[f64], W>,
{
    type Tape = Saved<[f64]>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Augmented<R, Self::Tape, W> {
        R::augmented(
            config,
            sum_of_squares(x.primal()),
            Saved::new(x.primal(), config.overwritten(0)),
        )
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        tape: Self::Tape,
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx.add_map(tape.get(x), |x| 2.0 * x * dret);
            }
        });
        (dx,)
    }
}

#[test]
fn a_rule_runs_on_many_threads_at_once() {
    std::thread::scope(|scope| {
        let run = |i: i32| move || (i, gradient(&sum_of_squares {}, (&[f64::from(i), 1.0],)));
        let threads: Vec<_> = (0..4).map(|i| scope.spawn(run(i))).collect();
        for thread in threads {
            let (i, dx) = thread.join().unwrap();
            assert_eq!(dx, ([2.0 * f64::from(i), 2.0],));
        }
    });
}

#[test]
fn the_halves_of_a_thunk_run_on_different_threads() {
    let thunk = Thunk::<_, Active<f64>>::new(sum_of_squares {}).modified(0);
    let (mut x, mut dx) = ([3.0, 1.0], [0.0; 2]);
    let mut args = (Duplicated(&x[..], &mut dx[..]),);
    let augmented = thunk.augmented(&mut args);
    x.fill(f64::NAN);
    let mut args = (Duplicated(&x[..], &mut dx[..]),);
    let reverse = || thunk.reverse([1.0], augmented.tape, &mut args);
    std::thread::scope(|scope| scope.spawn(reverse).join().unwrap());
    assert_eq!(dx, [6.0, 2.0]);
}
