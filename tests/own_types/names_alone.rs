//! Enums whose variants have no fields: what is asked of one has no derivative.

use coenzyme::prelude::*;

use crate::subject::judge;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub(crate) enum Frame {
    /// Of 1984.
    World,
    Geodetic = 4,
}

impl Frame {
    fn axes(&self) -> (f64, f64) {
        match self {
            Frame::World => (1.5, 0.3),
            Frame::Geodetic => (2.5, 0.7),
        }
    }
}

/// Without a tangent space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Ease {
    Linear,
    Square,
}

#[differentiable]
impl Ease {
    pub(crate) fn at(self, t: f64) -> f64 {
        match self {
            Ease::Linear => t,
            Ease::Square => t * t,
        }
    }
}

#[differentiable]
fn height(x: f64, y: f64, frame: Frame, ease: &Ease) -> f64 {
    let (a, b) = frame.axes();
    let u = match ease {
        Ease::Linear => a * x,
        Ease::Square => a * x * x,
    };
    if frame == Frame::Geodetic {
        u * y
    } else {
        u * b * ease.at(y)
    }
}

#[differentiable]
fn all(x: f64, frames: &[Frame], last: Option<Ease>) -> f64 {
    let mut sum = 0.0;
    for frame in frames {
        sum += x * frame.axes().0 * x;
    }
    if last == Some(Ease::Square) {
        sum * sum
    } else {
        sum
    }
}

#[differentiable]
fn of_frames(x: &[f64]) -> f64 {
    let frames = [Frame::World, Frame::Geodetic];
    let heights = height(x[0], x[1], Frame::World, &Ease::Square)
        + height(x[1], x[0], Frame::Geodetic, &Ease::Linear);
    heights * all(x[0], &frames, Some(Ease::Square)) + all(x[1], &frames, None)
}

judge! {
    of_frames (&[0.7, 1.3]);
}
