//! What the activities themselves promise.

use coenzyme::{
    Active, Activity, AsConst, Augmented, BatchDuplicated, Const, Duplicated, DuplicatedNoNeed,
    DynArg, Reverse, ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule,
    autodiff, primitive,
};

/// `y ← v²`.
#[primitive]
fn square_into(y: &mut f64, v: f64) {
    *y = v * v;
}

impl<R, Y, V, const W: usize> ReverseRule<R, (Y, V), W> for square_into
where
    R: ReverseReturn<W, Out = ()>,
    Y: ReverseArgMut<f64, W>,
    V: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, v): (&mut Y, &mut V),
    ) -> Augmented<R, (), W> {
        if y.needs_primal() {
            square_into(y.primal_mut(), *v.primal());
        }
        R::augmented(config, (), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        _: (),
        (y, v): (&mut Y, &mut V),
    ) -> (Y::Gradient, V::Gradient) {
        let dv = v.accumulate(|lane, v, mut dv| {
            if let Some(dy) = y.cotangent(lane) {
                dv += 2.0 * v * dy;
            }
        });
        (y.consume(), dv)
    }
}

#[test]
fn an_output_that_nobody_reads_need_not_be_computed() {
    let (mut y, mut dy) = (0.0, 1.0);
    let args = (DuplicatedNoNeed(&mut y, &mut dy), Active(1.0));
    assert_eq!(
        autodiff(Reverse, &square_into {}, AsConst, args),
        (((), 2.0),)
    );
    assert_eq!(
        (y, dy),
        (0.0, 0.0),
        "skipped; its cotangent is consumed all the same"
    );

    let args = (Duplicated(&mut y, &mut dy), Active(3.0));
    autodiff(Reverse, &square_into {}, AsConst, args);
    assert_eq!(y, 9.0);
}

#[test]
fn a_constant_output_is_computed_and_severs() {
    let mut y = 0.0;
    let args = (Const(&mut y), Active(3.0));
    assert_eq!(
        autodiff(Reverse, &square_into {}, AsConst, args),
        (((), 0.0),)
    );
    assert_eq!(y, 9.0);
}

#[test]
fn shadows_are_reached_by_lane_at_every_width() {
    fn check<const W: usize>() {
        let mut arg = BatchDuplicated(1.0, [0.0; W]);
        for lane in 0..W {
            *arg.shadow_mut(lane) = lane as f64;
        }
        let (primal, shadows) = arg.parts_mut();
        *primal += shadows.iter().sum::<f64>();
        assert_eq!(arg.shadow(W - 1), &(W as f64 - 1.0));
        assert_eq!(*arg.primal(), 1.0 + (W * (W - 1) / 2) as f64);
        assert_eq!(arg.into_parts().1.len(), W);
    }
    check::<1>();
    check::<2>();
    check::<7>();
}

#[test]
fn activities_say_whether_derivatives_flow_through_them() {
    assert!(!Activity::<3>::is_active(&Const(1.0)));
    assert!(Activity::<3>::is_active(&Active(1.0)));
    assert!(Duplicated(1.0, 0.0).is_active() && DuplicatedNoNeed(1.0, 0.0).is_active());
    assert!(Duplicated(1.0, 0.0).needs_primal() && !DuplicatedNoNeed(1.0, 0.0).needs_primal());
    assert!(!DynArg::<f64>::constant(1.0).is_active());
}
