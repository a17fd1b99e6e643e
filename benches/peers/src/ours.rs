//! The rules.

use coenzyme::{Const, Duplicated, Inactive, ReverseConfig, Thunk};
use coenzyme_rules::{array, nn};
use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1, ArrayViewMut2};

use crate::{Problem, SHAPE};

fn matrix(x: &[f64]) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape(SHAPE, x).expect("as many entries")
}

macro_rules! of_one {
    ($($name:ident = $f:expr, ($($attr:expr),*);)+) => {$(
        pub(crate) fn $name(problem: &Problem) -> Vec<f64> {
            let mut dx = vec![0.0; problem.x.len()];
            let shadow = &mut *dx;
            let mut shadow = ArrayViewMut2::from_shape(SHAPE, shadow).expect("as many entries");
            let x = matrix(&problem.x);
            let mut args = (Duplicated(&*x, &mut *shadow), $(Const($attr),)*);
            let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new($f)
                .with_config(ReverseConfig::new(false));
            let augmented = thunk.augmented(&mut args);
            thunk.reverse([matrix(&problem.seed).to_owned()], augmented.tape, &mut args);
            dx
        }
    )+};
}

of_one! {
    softmax = array::softmax {}, (1_usize);
    gelu = array::gelu {}, ();
    gelu_tanh = array::gelu_tanh {}, ();
}

pub(crate) fn layer_norm(problem: &Problem) -> Vec<f64> {
    let n = problem.x.len();
    let mut d = vec![0.0; n + 2 * SHAPE[1]];
    let (dx, rest) = d.split_at_mut(n);
    let (dw, db) = rest.split_at_mut(SHAPE[1]);
    let mut dx = ArrayViewMut2::from_shape(SHAPE, dx).expect("as many entries");
    let (mut dw, mut db) = (ArrayViewMut1::from(dw), ArrayViewMut1::from(db));
    let (x, w, b) = (
        matrix(&problem.x),
        ArrayView1::from(&problem.w),
        ArrayView1::from(&problem.b),
    );
    let mut args = (
        Duplicated(&*x, &mut *dx),
        Duplicated(&*w, &mut *dw),
        Duplicated(&*b, &mut *db),
        Const(Inactive(1e-5)),
    );
    let thunk = Thunk::<_, Duplicated<Array2<f64>>>::new(nn::layer_norm {})
        .with_config(ReverseConfig::new(false));
    let augmented = thunk.augmented(&mut args);
    thunk.reverse(
        [matrix(&problem.seed).to_owned()],
        augmented.tape,
        &mut args,
    );
    d
}
