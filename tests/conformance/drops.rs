//! Values with a `Drop` that acts: they are dropped where the program drops them, at the end of their block.

use std::cell::Cell;

use coenzyme::differentiable;

use crate::subject::judge;

/// Counts in base three what is dropped.
struct Trace<'a>(&'a Cell<usize>, usize);

impl Drop for Trace<'_> {
    fn drop(&mut self) {
        self.0.set((self.0.get() * 3 + self.1) % 1000);
    }
}

impl<'a> Trace<'a> {
    fn of(cell: &'a Cell<usize>) -> Self {
        Trace(cell, 2)
    }
}

/// A block that is a statement.
#[differentiable]
fn statement(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    {
        let _first = Trace(&dropped, 1);
        let _second = Trace(&dropped, 2);
    }
    x * y * dropped.get() as f64
}

/// A block that gives a value, with active code in it.
#[differentiable]
fn value(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let z = {
        let _guard = Trace::of(&dropped);
        let z = x * y;
        z * z + dropped.get() as f64
    };
    z * dropped.get() as f64
}

/// A block that changes a local around it.
#[differentiable]
fn around(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let mut s = x;
    {
        let _guard = Trace(&dropped, 1);
        s *= y;
        s += x * dropped.get() as f64;
    }
    s * dropped.get() as f64
}

/// The body of a closure, run twice.
#[differentiable]
fn closure(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let scaled = |t: f64| {
        let _guard = Trace(&dropped, 1);
        t * dropped.get() as f64
    };
    let a = scaled(x);
    a * scaled(y) * dropped.get() as f64
}

/// Blocks in blocks.
#[differentiable]
fn nested(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let s = {
        let _outer = Trace(&dropped, 1);
        let inner = {
            let _inner = Trace(&dropped, 2);
            x * y
        };
        inner * dropped.get() as f64
    };
    s * dropped.get() as f64
}

/// In a loop, in the middle of its body.
#[differentiable]
fn rounds(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(0);
    let mut s = x;
    for i in 0..3 {
        {
            let _guard = Trace(&dropped, i);
            s = s * y + 0.1;
        }
        s += x * dropped.get() as f64;
    }
    s
}

/// A block that is left early.
#[differentiable]
fn left(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let mut s = x;
    for i in 0..4 {
        {
            let _guard = Trace(&dropped, 1);
            if i == 2 {
                break;
            }
            s *= y;
        }
        s += dropped.get() as f64;
    }
    s * dropped.get() as f64
}

/// `drop` in a block, and what is dropped at once.
#[differentiable]
fn at_once(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let s = {
        let guard = Trace(&dropped, 2);
        let a = x * dropped.get() as f64;
        drop(guard);
        let _ = Trace(&dropped, 1);
        a * dropped.get() as f64
    };
    s * y
}

/// A guard among others in a tuple, or in an `Option`.
#[differentiable]
fn held(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let mut s = x;
    {
        let _pair = (Trace(&dropped, 1), 3);
        let _some = Some(Trace(&dropped, 2));
        s *= y;
    }
    s * dropped.get() as f64
}

/// Which entry is read depends on what was dropped.
#[differentiable]
fn place(x: f64, y: f64) -> f64 {
    let entries = [x, y, x * y];
    let dropped = Cell::new(0);
    {
        let _guard = Trace(&dropped, 1);
    }
    let a = entries[dropped.get() % 3];
    {
        let _guard = Trace::of(&dropped);
    }
    a * entries[dropped.get() % 3]
}

/// A guard whose type is written, and one that is there or not.
#[differentiable]
fn annotated(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let mut s = x;
    {
        let _typed: Trace = Trace(&dropped, 2);
        s += x;
    }
    s *= dropped.get() as f64;
    {
        let _there = if dropped.get() > 3 {
            Some(Trace(&dropped, 0))
        } else {
            None
        };
        s -= y;
    }
    s * dropped.get() as f64
}

/// A guard that is handed to another name.
#[differentiable]
fn moved(x: f64, y: f64) -> f64 {
    let dropped = Cell::new(1);
    let outer = Trace(&dropped, 2);
    let mut s = x * dropped.get() as f64;
    {
        let _inner = outer;
        s += y * dropped.get() as f64;
    }
    s *= dropped.get() as f64;
    let first = Trace::of(&dropped);
    let z = {
        let _second = first;
        s * y
    };
    z * dropped.get() as f64
}

struct Noted<'a> {
    log: &'a mut Vec<u32>,
}

impl Drop for Noted<'_> {
    fn drop(&mut self) {
        self.log.push(1);
    }
}

#[differentiable]
fn lent_in_a_struct(x: f64, y: f64) -> f64 {
    let mut log = Vec::new();
    {
        let _noted = Noted { log: &mut log };
    }
    let n = log.len();
    {
        let (_k, _noted) = (n, Noted { log: &mut log });
    }
    x * y * n as f64 + y * log.len() as f64
}

judge! {
    lent_in_a_struct(0.83, 1.1) (1.37, -0.6);
    moved(0.83, 1.1) (1.37, -0.6);
    statement(0.83, 1.1) (1.37, -0.6);
    value(0.83, 1.1) (1.37, -0.6);
    around(0.83, 1.1) (1.37, -0.6);
    closure(0.83, 1.1) (1.37, -0.6);
    nested(0.83, 1.1) (1.37, -0.6);
    rounds(0.83, 1.1) (1.37, -0.6);
    left(0.83, 1.1) (1.37, -0.6);
    at_once(0.83, 1.1) (1.37, -0.6);
    held(0.83, 1.1) (1.37, -0.6);
    annotated(0.83, 1.1) (1.37, -0.6);
    place(0.83, 1.1) (1.37, -0.6);
}
