//! The lens.

#[path = "../../examples/lens/model.rs"]
mod model;

use coenzyme::prelude::*;
use model::{Mounting, trace};

use super::{assert_close, difference};

/// Two lenses, the second of another glass and hollow on one side.
fn mounting() -> Mounting {
    Mounting {
        index: vec![1.0, 1.52, 1.0, 1.75, 1.0],
        distance: vec![4.0, 6.0, 2.0, 60.0],
    }
}

const CURVATURE: [f64; 4] = [0.02, -0.01, -0.012, 0.004];

fn reverse(height: f64, curvature: &[f64], d: &mut [f64]) -> Option<f64> {
    let mounting = mounting();
    let done = autodiff!(
        Reverse,
        trace,
        Active,
        Active(height),
        Duplicated(curvature, d),
        Const(&mounting)
    );
    done.map(|((dheight, ..),)| dheight)
}

#[test]
fn rays_that_get_through_agree_with_differences() {
    let mounting = mounting();
    for height in [0.0, 1.0, -7.0, 15.0] {
        let (mut d, mut hand) = ([0.0; 4], [0.0; 4]);
        let dheight = reverse(height, &CURVATURE, &mut d).unwrap();
        assert_close(
            dheight,
            model::by_hand(height, &CURVATURE, &mounting, &mut hand).unwrap(),
            1e-12,
        );
        assert_close(
            dheight,
            difference(|h| trace(height + h, &CURVATURE, &mounting).unwrap(), 1e-3),
            1e-8,
        );
        for s in 0..4 {
            let at = |h: f64| {
                let mut curvature = CURVATURE;
                curvature[s] += h;
                trace(height, &curvature, &mounting).unwrap()
            };
            assert_close(d[s], hand[s], 1e-11);
            assert_close(d[s], difference(at, 1e-5), 1e-7);
        }
    }
}

#[test]
fn lost_rays_are_lost_in_both_modes_and_leave_nothing() {
    let mounting = mounting();
    // beside the first sphere; totally reflected at the second, steep one
    for (height, curvature) in [(60.0, CURVATURE), (30.0, [0.02, -0.03, 0.0, 0.0])] {
        assert_eq!(trace(height, &curvature, &mounting), None);
        let mut d = [5.0; 4];
        assert_eq!(reverse(height, &curvature, &mut d), None);
        assert_eq!(d, [5.0; 4]);
        let tangent = autodiff!(
            Forward,
            trace,
            Duplicated(height, 1.0),
            Const(&curvature[..]),
            Const(&mounting)
        );
        assert!(tangent.is_none());
    }
}

/// Near the axis a thin lens has the power `(n − 1)(c₀ − c₁)`.
#[test]
fn rays_near_the_axis_meet_at_the_focus() {
    let (c, n) = ([0.013, -0.007], 1.5);
    let thin = Mounting {
        index: vec![1.0, n, 1.0],
        distance: vec![0.0, 1.0 / ((n - 1.0) * (c[0] - c[1]))],
    };
    let y = trace(1e-3, &c, &thin).unwrap();
    assert!(y.abs() < 1e-11, "{y}");
}
