//! A style as a workload: the adjoint by hand is that of the text written out.

use crate::measure::{Gradient, Workload};

/// A function of parameters and data, in one style.
pub(crate) struct Style<P, W, G, T> {
    pub(crate) parameters: usize,
    pub(crate) primal: P,
    /// The gradient of the text written out.
    pub(crate) written_out: W,
    pub(crate) gradient: G,
    pub(crate) tape_bytes: T,
}

impl<P, W, G, T> Workload for Style<P, W, G, T>
where
    P: Fn() -> f64,
    W: Fn(&mut Gradient),
    G: Fn(&mut Gradient),
    T: Fn() -> usize,
{
    fn lengths(&self) -> Vec<usize> {
        vec![self.parameters]
    }
    fn primal(&self) -> f64 {
        (self.primal)()
    }
    fn hand(&self, d: &mut Gradient) {
        (self.written_out)(d);
    }
    fn generated(&self, d: &mut Gradient) {
        (self.gradient)(d);
    }
    fn tape_bytes(&self) -> usize {
        (self.tape_bytes)()
    }
}

/// Runs functions `f(x: &[f64], data: &[f64]) -> f64`, the text written out first, at parameters and data.
macro_rules! styles {
    ($bench:ident, $workload:literal, ($x:expr, $data:expr), $written_out:ident: $($style:ident),*) => {{
        use std::hint::black_box;
        let (x, data): (Vec<f64>, Vec<f64>) = ($x, $data);
        $($bench.run(concat!($workload, " ", stringify!($style)), &crate::style::Style {
            parameters: x.len(),
            primal: || $style(black_box(&x[..]), &data[..]),
            written_out: |d: &mut crate::measure::Gradient| {
                autodiff!(Reverse, $written_out, Active, Duplicated(black_box(&x[..]), &mut d[0][..]), Const(&data[..]));
            },
            gradient: |d: &mut crate::measure::Gradient| {
                autodiff!(Reverse, $style, Active, Duplicated(black_box(&x[..]), &mut d[0][..]), Const(&data[..]));
            },
            tape_bytes: || {
                let mut d = x.clone();
                let args = &mut (Duplicated(&x[..], &mut d[..]), Const(&data[..]));
                Thunk::<_, Active<f64>>::new($style {}).augmented(args).tape.bytes()
            },
        });)*
    }};
}
pub(crate) use styles;
