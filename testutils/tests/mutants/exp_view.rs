//! y ← exp(x) over views of matrices: a function that must respect strides.

use coenzyme::ndarray::{ArrayRef2, Zip, array};
use coenzyme::{
    AugmentedReturn, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule,
    Function, Holds, HoldsMut, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn,
    ReverseRule, scaled,
};
use coenzyme_testutils::{Report, Setting, input, out, severed};

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Wrong {
    Nothing,
    BySaving,
    // Forward.
    AssumesContiguousTangent,
    // Reverse.
    AssumesContiguousShadow,
    TransposesIfStrided,
    SharesScratch,
}

use Wrong::*;

pub(crate) struct ExpView(Wrong);

fn exp(y: &mut ArrayRef2<f64>, x: &ArrayRef2<f64>) {
    Zip::from(y).and(x).for_each(|y, x| *y = x.exp());
}

impl<Y: HoldsMut<ArrayRef2<f64>>, X: Holds<ArrayRef2<f64>>> Function<(Y, X)> for ExpView {
    type Output = ();

    fn call(&self, (mut y, x): (Y, X)) {
        exp(y.get_mut(), x.get());
    }
}

impl<R, Y, X, const W: usize> ForwardRule<R, (Y, X), W> for ExpView
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<ArrayRef2<f64>, W>,
    X: ForwardArg<ArrayRef2<f64>, W>,
{
    fn forward(&self, config: &ForwardConfig, (y, x): (&mut Y, &mut X)) -> R::Forward {
        exp(y.primal_mut(), x.primal());
        let strong = config.strong_zero();
        y.assign(|lane, y, dy| match x.tangent(lane) {
            None => dy.fill(0.0),
            Some(dx) if self.0 == AssumesContiguousTangent => {
                let order = dx.as_slice_memory_order().map(<[f64]>::to_vec);
                let flat = order.unwrap_or_else(|| dx.iter().copied().collect());
                for ((dy, y), dx) in dy.iter_mut().zip(y).zip(flat) {
                    *dy = scaled(*y, dx, strong);
                }
            }
            Some(dx) => Zip::from(dy)
                .and(y)
                .and(dx)
                .for_each(|dy, y, dx| *dy = scaled(*y, *dx, strong)),
        });
        R::forward(config, || (), |_| ())
    }
}

/// What `SharesScratch` computes in, for all threads.
static SCRATCH: std::sync::Mutex<Vec<f64>> = std::sync::Mutex::new(Vec::new());

impl<R, Y, X, const W: usize> ReverseRule<R, (Y, X), W> for ExpView
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<ArrayRef2<f64>, W>,
    X: ReverseArg<ArrayRef2<f64>, W>,
{
    /// The exponentials, in logical order.
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, x): (&mut Y, &mut X),
    ) -> AugmentedReturn<(), R::Shadow, Vec<f64>> {
        exp(y.primal_mut(), x.primal());
        let tape = match self.0 {
            BySaving => x.primal().iter().map(|x| x.exp()).collect(),
            _ if config.needs_primal() => y.primal().iter().copied().collect(),
            _ => x.primal().iter().map(|x| x.exp()).collect(),
        };
        R::augmented(config, (), tape)
    }

    fn reverse(
        &self,
        config: &ReverseConfig,
        _: R::Cotangent,
        tape: Vec<f64>,
        (y, x): (&mut Y, &mut X),
    ) -> (Y::Gradient, X::Gradient) {
        let strong = config.strong_zero();
        let dx = x.accumulate(|lane, _, mut dx| {
            let Some(dy) = y.cotangent(lane) else { return };
            let mut gradient: Vec<f64> = dy
                .iter()
                .zip(&tape)
                .map(|(dy, exp)| scaled(*exp, *dy, strong))
                .collect();
            match self.0 {
                TransposesIfStrided if !dy.is_standard_layout() => gradient.reverse(),
                SharesScratch => {
                    SCRATCH
                        .lock()
                        .expect("nobody panics here")
                        .clone_from(&gradient);
                    // Another thread comes by.
                    (0..8).for_each(|_| std::thread::yield_now());
                    gradient.clone_from(&SCRATCH.lock().expect("nobody panics here"));
                }
                _ => {}
            }
            dx.accumulate_with(|dx| match (self.0, dx.as_slice_memory_order_mut()) {
                (AssumesContiguousShadow, Some(dx)) => {
                    dx.iter_mut()
                        .zip(gradient)
                        .for_each(|(dx, gradient)| *dx += gradient);
                }
                (_, _) => dx
                    .iter_mut()
                    .zip(gradient)
                    .for_each(|(dx, gradient)| *dx += gradient),
            });
        });
        (y.consume(), dx)
    }
}

fn judge(wrong: Wrong) -> Report {
    let (y, x) = (
        array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]],
        array![[0.5, -1.0], [1.5, 0.25], [-0.5, 0.75]],
    );
    let tester =
        Setting::new((out(y).named("y"), input(x).named("x"))).function("exp_view", ExpView(wrong));
    let tester = tester.const_buffers(severed("as Enzyme does"));
    crate::in_mixes!(tester;
        forward [Const; Duplicated, Duplicated]
        forward [Const; DuplicatedNoNeed, Duplicated]
        reverse [Const; Duplicated, Duplicated]
        reverse [Const; Duplicated, Const]
        reverse [Const; Const, Duplicated]
    )
}

crate::variants!(judge: Nothing, BySaving);

crate::mutants! {
    judge {
        AssumesContiguousTangent => S1, "where   y.shadow";
        AssumesContiguousShadow => S1, "where   x.shadow";
        TransposesIfStrided => S1, "[1, 1]";
        SharesScratch => H1, "where   x.shadow";
    }
}
