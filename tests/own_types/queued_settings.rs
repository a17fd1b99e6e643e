//! What is copied out of containers without derivative.

use std::collections::VecDeque;

use crate::subject::judge;
use coenzyme::{Tangent, differentiable};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Lockdown { day: usize, percent: u32 },
    Vaccinate { day: usize },
}
impl Event {
    fn day(&self) -> usize {
        match self {
            Event::Lockdown { day, .. } | Event::Vaccinate { day } => *day,
        }
    }
}
fn events() -> VecDeque<Event> {
    let lockdown = Event::Lockdown {
        day: 1,
        percent: 60,
    };
    VecDeque::from(vec![lockdown, Event::Vaccinate { day: 2 }])
}

#[derive(Clone, Copy, Debug, Tangent)]
struct Sir {
    s: f64,
    i: f64,
}

#[differentiable]
fn peak(beta: f64, gamma: f64, rate: Option<f64>) -> f64 {
    let mut events = events();
    let mut x = Sir { s: 0.9, i: 0.1 };
    let (mut damp, mut worst) = (1.0, 0.0f64);
    for day in 0..5 {
        while let Some(event) = events.front().copied() {
            if event.day() > day {
                break;
            }
            events.pop_front();
            match event {
                Event::Lockdown { percent, .. } => damp = f64::from(percent) / 100.0,
                Event::Vaccinate { .. } => {
                    if let Some(rate) = rate {
                        x.s -= rate * x.s;
                    }
                }
            }
        }
        let new = beta * damp * x.s * x.i;
        x.s -= new;
        x.i += new - gamma * x.i;
        worst = worst.max(x.i);
    }
    worst + 0.1 * x.s
}
#[differentiable]
fn in_a_pattern(x: f64) -> f64 {
    let mut damp = x;
    if let Some(Event::Lockdown { percent, .. }) = events().front().cloned() {
        damp *= f64::from(percent) / 100.0;
    }
    if let Some(event) = events().back().copied() {
        damp += event.day() as f64 * x * x;
    }
    damp
}
#[differentiable]
fn as_a_value(x: f64) -> f64 {
    let events = events();
    let day = events.front().copied().map_or(0, |event| event.day());
    let last = events.back().cloned().filter(|event| event.day() > 1);
    match last {
        Some(event) => x.powi(event.day() as i32) + day as f64 * x,
        None => x,
    }
}

judge! {
    peak(0.9, 0.3, Some(0.2)) (0.9, 0.3, None);
    in_a_pattern(0.7);
    as_a_value(0.7);
}
