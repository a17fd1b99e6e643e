//! The plate.

#[path = "../../examples/heat/model.rs"]
mod model;

use coenzyme::prelude::*;
use coenzyme_rules::loops::Schedule;
use model::{N, Picture};

use super::{assert_all_close, assert_close, difference};

const STEPS: usize = 12;

fn gradient(log_k: &[f64], pictures: &[Picture], schedule: Schedule) -> Vec<f64> {
    let mut d = vec![0.0; N * N];
    autodiff!(
        Reverse,
        model::misfit,
        Duplicated(log_k, &mut d[..]),
        Const(pictures),
        Const(STEPS),
        Const(schedule)
    );
    d
}

#[test]
fn every_schedule_gives_the_gradient_of_the_loop_as_it_stands() {
    let pictures = &model::experiments(&model::plate(), STEPS)[..2];
    let log_k: Vec<f64> = (0..N * N).map(|c| 0.3 * (c as f64).sin()).collect();
    let mut taped = vec![0.0; N * N];
    autodiff!(
        Reverse,
        model::misfit_taped,
        Duplicated(&log_k, &mut taped),
        Const(pictures),
        Const(STEPS)
    );
    for schedule in [
        Schedule::binomial(1),
        Schedule::binomial(3),
        Schedule::every(4),
        Schedule::binomial(2).taping(3),
    ] {
        assert_eq!(gradient(&log_k, pictures, schedule), taped, "{schedule:?}");
    }
    let mut hand = vec![0.0; N * N];
    model::by_hand(&log_k, pictures, STEPS, &mut hand);
    assert_all_close(&taped, &hand, 1e-12);
}

#[test]
fn the_gradient_agrees_with_differences_in_both_modes() {
    let pictures = &model::experiments(&model::plate(), STEPS)[5..7];
    let log_k = vec![0.1; N * N];
    let schedule = Schedule::binomial(3);
    let d = gradient(&log_k, pictures, schedule);
    for cell in [0, N * 7 + 6, N * 8 + 9, N * 10 + 11] {
        let at = |h: f64| {
            let mut log_k = log_k.clone();
            log_k[cell] += h;
            model::misfit(&log_k, pictures, STEPS, schedule)
        };
        assert_close(d[cell], difference(at, 1e-3), 1e-8);
        let mut direction = vec![0.0; N * N];
        direction[cell] = 1.0;
        let (tangent,) = autodiff!(
            Forward,
            model::misfit,
            Duplicated(&log_k, &direction),
            Const(pictures),
            Const(STEPS),
            Const(schedule)
        );
        assert_close(d[cell], tangent, 1e-11);
    }
}

#[test]
fn no_heat_is_lost() {
    let k: Vec<f64> = model::plate().iter().map(|m| m.exp()).collect();
    let mut u: Vec<f64> = (0..N * N).map(|c| (c as f64).cos()).collect();
    let before: f64 = u.iter().sum();
    for t in 0..50 {
        model::step(&mut u, &k, t);
    }
    assert!((u.iter().sum::<f64>() - before).abs() < 1e-12);
}
