//! Values that mix numbers and memory.

use super::*;

/// `scale·Σ x`, of a value that mixes a number and memory.
#[primitive]
fn scaled_sum(p: (f64, Vec<f64>)) -> f64 {
    p.0 * p.1.iter().sum::<f64>()
}

impl<R, P, const W: usize> ReverseRule<R, (P,), W> for scaled_sum
where
    R: ReverseReturn<W, Out = f64>,
    P: ReverseArg<(f64, Vec<f64>), W>,
{
    type Tape = ();

    fn augmented_primal(&self, config: &ReverseConfig, (p,): (&mut P,)) -> Augmented<R, (), W> {
        let (scale, x) = p.primal();
        R::augmented(config, scale * x.iter().sum::<f64>(), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (p,): (&mut P,),
    ) -> (P::Gradient,) {
        let dp = p.accumulate(|lane, (scale, x), mut dp| {
            let Some(dret) = dret.lane(lane) else { return };
            dp.accumulate_with(|(dscale, dx)| {
                *dscale += dret * x.iter().sum::<f64>();
                dx.iter_mut().for_each(|dx| *dx += dret * scale);
            });
        });
        (dp,)
    }
}

#[test]
fn a_mixed_value_accumulates_in_a_shadow_elsewhere_or_is_returned() {
    let p = (2.0, vec![1.0, 3.0]);
    let mut dp = (100.0, vec![0.0, 10.0]);
    let args = (MixedDuplicated(p.clone(), &mut dp),);
    assert_eq!(
        autodiff(ReverseWithPrimal, &scaled_sum {}, AsActive, args),
        (((),), 8.0)
    );
    assert_eq!(dp, (104.0, vec![2.0, 12.0]));
    let args = (Active(p.clone()),);
    assert_eq!(
        autodiff(Reverse, &scaled_sum {}, AsActive, args),
        (((4.0, vec![2.0, 2.0]),),)
    );
    assert_eq!(gradient(&scaled_sum {}, (p,)), ((4.0, vec![2.0, 2.0]),));
}
