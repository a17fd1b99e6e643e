//! Names of parts without derivative in a tuple that is made to be matched on.

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};
#[derive(Clone, Copy, Debug, PartialEq, Eq, Tangent)]
enum Mode {
    Idle,
    Heating,
    Holding,
}
#[differentiable]
fn f(x: f64, y: f64) -> f64 {
    let mut mode = Mode::Idle;
    let mut t = x;
    for k in 0..4 {
        mode = match (mode, t) {
            (Mode::Idle, _) if k > 1 => Mode::Heating,
            (Mode::Heating, t) if t > 1.6 => Mode::Holding,
            (m, _) => m,
        };
        t += match mode {
            Mode::Idle => y,
            Mode::Heating => y * t,
            Mode::Holding => 0.5,
        };
    }
    t
}
judge! { f(0.9, 1.1); }
