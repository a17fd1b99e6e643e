//! A function of parameters and data with an adjoint by hand.

use crate::measure::{Gradient, Workload};

pub(crate) struct Hand<P, H, G, T> {
    pub(crate) parameters: usize,
    pub(crate) primal: P,
    pub(crate) by_hand: H,
    pub(crate) gradient: G,
    pub(crate) tape_bytes: T,
}

impl<P, H, G, T> Workload for Hand<P, H, G, T>
where
    P: Fn() -> f64,
    H: Fn(&mut Gradient),
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
        (self.by_hand)(d);
    }
    fn generated(&self, d: &mut Gradient) {
        (self.gradient)(d);
    }
    fn tape_bytes(&self) -> usize {
        (self.tape_bytes)()
    }
}

/// Asserts that a gradient is that of differences, in some directions.
pub(crate) fn differ(name: &str, f: impl Fn(&[f64]) -> f64, x: &[f64], d: &[f64]) {
    for seed in 0..4 {
        let direction = crate::measure::numbers(100 + seed, x.len(), -1.0, 1.0);
        let along = |h: f64| -> f64 {
            let x: Vec<f64> = x.iter().zip(&direction).map(|(x, v)| x + h * v).collect();
            f(&x)
        };
        let slope = |h: f64| (along(h) - along(-h)) / (2.0 * h);
        let h = 1e-5;
        let expected = (4.0 * slope(h) - slope(2.0 * h)) / 3.0;
        let found: f64 = d.iter().zip(&direction).map(|(d, v)| d * v).sum();
        let scale = d
            .iter()
            .zip(&direction)
            .map(|(d, v)| (d * v).abs())
            .sum::<f64>();
        assert!(
            (found - expected).abs() <= 1e-6 * scale,
            "{name}: {found} along direction {seed}, by differences {expected}"
        );
    }
}

/// Runs `f(x: &[f64], data: &[f64])`, whose value is a number, possibly in a container, and its adjoint by hand.
macro_rules! against_hand {
    ($bench:ident, $name:literal, ($x:expr, $data:expr), $f:ident, $by_hand:path, |$value:ident| $number:expr) => {{
        use std::hint::black_box;
        let (x, data): (Vec<f64>, Vec<f64>) = ($x, $data);
        let value = |x: &[f64]| -> f64 {
            let $value = $f(x, &data[..]);
            $number
        };
        let mut d = vec![0.0; x.len()];
        $by_hand(&x, &data, &mut d);
        crate::hand::differ($name, value, &x, &d);
        $bench.run(
            $name,
            &crate::hand::Hand {
                parameters: x.len(),
                primal: || value(black_box(&x[..])),
                by_hand: |d: &mut crate::measure::Gradient| {
                    $by_hand(black_box(&x[..]), &data[..], &mut d[0][..])
                },
                gradient: |d: &mut crate::measure::Gradient| {
                    let _ = autodiff!(
                        Reverse,
                        $f,
                        Active,
                        Duplicated(black_box(&x[..]), &mut d[0][..]),
                        Const(&data[..])
                    );
                },
                tape_bytes: || {
                    let mut d = x.clone();
                    let args = &mut (Duplicated(&x[..], &mut d[..]), Const(&data[..]));
                    let $value = Thunk::<_, Active<_>>::new($f {}).augmented(args);
                    ($number).tape.bytes()
                },
            },
        );
    }};
}
pub(crate) use against_hand;
