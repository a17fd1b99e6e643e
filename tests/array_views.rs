//! Rules over `ndarray`'s reference types serve owned arrays and views of any strides, in the primal and in the shadow.

#![cfg(feature = "ndarray")]

use coenzyme::ndarray::{Array1, Array2, ArrayRef1, ArrayRef2, Axis, array, s};
use coenzyme::{
    AsConst, Augmented, Const, Duplicated, Forward, ForwardArg, ForwardArgMut, ForwardConfig,
    ForwardReturn, ForwardRule, Lanes, Reverse, ReverseArg, ReverseArgMut, ReverseConfig,
    ReverseReturn, ReverseRule, Saved, Thunk, autodiff, gradient, primitive,
};

/// `yᵢ ← Σⱼ xᵢⱼ²`: `y` has as many entries as `x` has rows.
#[primitive]
fn row_energies(y: &mut ArrayRef1<f64>, x: &ArrayRef2<f64>) {
    for (y, row) in y.iter_mut().zip(x.rows()) {
        *y = row.dot(&row);
    }
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for row_energies
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<ArrayRef1<f64>, W>,
    X: ForwardArg<ArrayRef2<f64>, W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        row_energies(y.primal_mut(), x.primal());
        y.assign(|lane, _, dy| match x.tangent(lane) {
            Some(dx) => {
                let rows = x.primal().rows().into_iter().zip(dx.rows());
                for (dy, (row, drow)) in dy.iter_mut().zip(rows) {
                    *dy = 2.0 * row.dot(&drow);
                }
            }
            None => dy.fill(0.0),
        });
        R::forward(config, || (), |_| ())
    }
}

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for row_energies
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<ArrayRef1<f64>, W>,
    X: ReverseArg<ArrayRef2<f64>, W>,
{
    type Tape = Saved<ArrayRef2<f64>>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Y, &mut X),
    ) -> Augmented<R, Self::Tape, W> {
        row_energies(y.primal_mut(), x.primal());
        R::augmented(config, (), Saved::new(x.primal(), config.overwritten(1)))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        tape: Self::Tape,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        let dx = x.accumulate(|lane, x, mut dx| {
            let Some(dy) = y.cotangent(lane) else { return };
            dx.accumulate_with(|dx| {
                for ((mut drow, row), dy) in
                    dx.rows_mut().into_iter().zip(tape.get(x).rows()).zip(dy)
                {
                    drow.scaled_add(2.0 * dy, &row);
                }
            });
        });
        (y.consume(), dx)
    }
}

#[test]
fn views_with_strides_are_differentiated_in_both_modes() {
    let whole = array![[1.0, 9.0, 2.0], [9.0, 9.0, 9.0], [3.0, 9.0, -1.0]];
    let x = whole.slice(s![..;2, ..;2]);
    let direction = array![[1.0, 3.0], [0.5, -1.0]];
    let dx = direction.t(); // other strides than the primal

    let (mut y, mut dys) = (Array1::zeros(2), Array2::from_elem((2, 3), 9.0));
    let dy = dys.index_axis_mut(Axis(1), 1);
    autodiff(
        Forward,
        &row_energies {},
        AsConst,
        (Duplicated(&mut y, dy), Duplicated(x, dx)),
    );
    assert_eq!(y, array![5.0, 10.0]);
    assert_eq!(
        dys,
        array![[9.0, 4.0, 9.0], [9.0, 20.0, 9.0]],
        "only the column that is the shadow"
    );

    let mut shadows = Array2::from_elem((2, 4), 100.0);
    let shadow = shadows.slice_mut(s![.., 1..3]).reversed_axes();
    let mut dy = array![1.0, 0.5];
    autodiff(
        Reverse,
        &row_energies {},
        AsConst,
        (Duplicated(&mut y, &mut dy), Duplicated(x, shadow)),
    );
    assert_eq!(dy, array![0.0, 0.0]);
    assert_eq!(
        shadows,
        array![[100.0, 102.0, 103.0, 100.0], [100.0, 104.0, 99.0, 100.0]]
    );
}

#[test]
fn an_overwritten_view_is_read_from_the_tape() {
    let mut x = array![[1.0, 2.0], [3.0, -1.0]];
    let (mut y, mut dy, mut dx) = (Array1::zeros(2), array![1.0, 0.5], Array2::zeros((2, 2)));
    let thunk = Thunk::<_, Const<()>>::new(row_energies {}).modified(1);
    let tape = {
        let mut args = (
            Duplicated(&mut y, &mut dy),
            Duplicated(x.t(), dx.view_mut()),
        );
        thunk.augmented(&mut args).tape
    };
    x.fill(f64::NAN);
    let mut args = (
        Duplicated(&mut y, &mut dy),
        Duplicated(x.t(), dx.view_mut()),
    );
    thunk.reverse((), tape, &mut args);
    assert_eq!(dx, array![[2.0, 6.0], [2.0, -1.0]]);
}

/// `Σ xᵢⱼ²`.
#[primitive]
fn energy(x: &ArrayRef2<f64>) -> f64 {
    x.iter().map(|x| x * x).sum()
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for energy
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<ArrayRef2<f64>, W>,
{
    type Tape = ();

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, (), W> {
        R::augmented(config, energy(x.primal()), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx.add_map(x, |x| 2.0 * dret * x);
            }
        });
        (dx,)
    }
}

#[test]
fn gradients_of_arrays_and_views_are_owned_arrays() {
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(gradient(&energy {}, (&x,)), (&x * 2.0,));
    assert_eq!(
        gradient(&energy {}, (x.t(),)),
        (array![[2.0, 6.0], [4.0, 8.0]],)
    );
    assert_eq!(
        gradient(&energy {}, (x.slice(s![..0, ..]),)),
        (Array2::zeros((0, 2)),)
    );
}
