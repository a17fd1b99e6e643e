//! The judge refuses wrong rules.

use coenzyme::{
    ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Lanes, ReverseArg, ReverseConfig,
    ReverseReturn, ReverseRule, primitive,
};

use crate::subject::judge_points;

/// `x·x₁`, with rules that go wrong by `forward`, by `reverse`, or by reading memory in the second half.
macro_rules! product {
    ($name:ident, forward: $forward:expr, reverse: $reverse:expr) => {
        #[primitive]
        fn $name(x: &[f64]) -> f64 {
            x[0] * x[1]
        }

        impl<R: ForwardReturn<W, Out = f64>, X: ForwardArg<[f64], W>, const W: usize>
            ForwardRule<R, (X,), W> for $name
        {
            fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
                let p = x.primal();
                let tangent = |l| {
                    x.tangent(l)
                        .map_or(0.0, |d| d[0] * p[1] + d[1] * p[0] * $forward)
                };
                R::forward(config, || p[0] * p[1], tangent)
            }
        }

        impl<R: ReverseReturn<W, Out = f64>, X: ReverseArg<[f64], W>, const W: usize>
            ReverseRule<R, (X,), W> for $name
        {
            type Tape = Vec<f64>;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                (x,): (&mut X,),
            ) -> coenzyme::Augmented<R, Vec<f64>, W> {
                let x = x.primal();
                R::augmented(config, x[0] * x[1], x.to_vec())
            }
            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                tape: Vec<f64>,
                (x,): (&mut X,),
            ) -> (X::Gradient,) {
                (x.accumulate(|l, x, mut dx| {
                    let seed = dret.lane(l).copied().unwrap_or(0.0);
                    let factors: [f64; 2] = $reverse(x, &tape);
                    dx.add_part(0, seed * factors[1]);
                    dx.add_part(1, seed * factors[0]);
                }),)
            }
        }
    };
}

trait AddPart {
    fn add_part(&mut self, i: usize, by: f64);
}

impl AddPart for coenzyme::Adjoint<'_, [f64]> {
    fn add_part(&mut self, i: usize, by: f64) {
        if let Some(mut entry) = self.iter_mut().nth(i) {
            entry += by;
        }
    }
}

product!(right, forward: 1.0, reverse: |_: &[f64], t: &[f64]| [t[0], t[1]]);
product!(wrong_forward, forward: 1.00001, reverse: |_: &[f64], t: &[f64]| [t[0], t[1]]);
product!(wrong_reverse, forward: 1.0, reverse: |_: &[f64], t: &[f64]| [t[0] * 1.00001, t[1]]);
product!(reads_overwritten, forward: 1.0, reverse: |x: &[f64], t: &[f64]| [x[0], t[1]]);

mod judged {
    use super::*;

    #[test]
    fn a_right_rule_passes() {
        judge_points!(@test false right (&vec![0.7, -1.2]));
    }

    #[test]
    #[should_panic = "forward, lane 0"]
    fn a_wrong_forward_rule_is_refused() {
        judge_points!(@test false wrong_forward (&vec![0.7, -1.2]));
    }

    #[test]
    #[should_panic = "reverse, lane 0"]
    fn a_wrong_reverse_rule_is_refused() {
        judge_points!(@test false wrong_reverse (&vec![0.7, -1.2]));
    }

    #[test]
    #[should_panic = "reverse, overwritten, lane 0"]
    fn reading_overwritten_memory_is_refused() {
        judge_points!(@test false reads_overwritten (&vec![0.7, -1.2]));
    }
}
