//! A plug-in in Rust: `x/(1 + e^(−x))`, an inner product, a function with two outputs, and one that panics.
//!
//! ```text
//! cargo build -p coenzyme-plugin --example swish_plugin
//! ```

#![allow(unsafe_code)]

use std::ffi::CStr;

use coenzyme_plugin::{Active, Array, Function, Name, export};

struct Swish;

/// Value and slope.
fn swish(x: f64) -> (f64, f64) {
    let s = 1.0 / (1.0 + (-x).exp());
    (x * s, s + x * s * (1.0 - s))
}

impl Function for Swish {
    const NAME: &'static CStr = c"plugin::swish";
    const OPERANDS: &'static [Name] = &[Name::new(c"x")];

    fn value(x: &[Array<'_>], y: &mut [&mut [f64]]) -> Result<(), String> {
        y[0].iter_mut()
            .zip(x[0].entries)
            .for_each(|(y, x)| *y = swish(*x).0);
        Ok(())
    }
    fn pushforward(
        x: &[Array<'_>],
        dx: &[Option<&[f64]>],
        dy: &mut [&mut [f64]],
    ) -> Result<(), String> {
        let dx = dx[0].unwrap_or_default();
        let each = dy[0].iter_mut().zip(x[0].entries).zip(dx);
        each.for_each(|((dy, x), dx)| *dy = swish(*x).1 * dx);
        Ok(())
    }
    fn pullback(
        x: &[Array<'_>],
        _: &[Array<'_>],
        dy: &[Array<'_>],
        dx: &mut [Active<'_>],
    ) -> Result<(), String> {
        let dx = dx[0].iter_mut().flat_map(|dx| dx.iter_mut());
        let each = dx.zip(x[0].entries).zip(dy[0].entries);
        each.for_each(|((dx, x), dy)| *dx += swish(*x).1 * dy);
        Ok(())
    }
}

/// The inner product: another shape than the operands', which must have one length.
struct Inner;

impl Function for Inner {
    const NAME: &'static CStr = c"plugin::inner";
    const OPERANDS: &'static [Name] = &[Name::new(c"x"), Name::new(c"y")];

    fn outline(x: &[Array<'_>]) -> Result<Vec<Vec<usize>>, String> {
        match x[0].shape == x[1].shape && x[0].shape.len() == 1 {
            true => Ok(vec![Vec::new()]),
            false => Err("expected two vectors of one length".into()),
        }
    }
    fn value(x: &[Array<'_>], y: &mut [&mut [f64]]) -> Result<(), String> {
        y[0][0] = x[0]
            .entries
            .iter()
            .zip(x[1].entries)
            .map(|(x, y)| x * y)
            .sum();
        Ok(())
    }
    fn pushforward(
        x: &[Array<'_>],
        dx: &[Option<&[f64]>],
        dy: &mut [&mut [f64]],
    ) -> Result<(), String> {
        for (own, other) in [(0, 1), (1, 0)] {
            let terms = dx[own].unwrap_or_default().iter().zip(x[other].entries);
            dy[0][0] += terms.map(|(dx, x)| dx * x).sum::<f64>();
        }
        Ok(())
    }
    fn pullback(
        x: &[Array<'_>],
        _: &[Array<'_>],
        dy: &[Array<'_>],
        dx: &mut [Active<'_>],
    ) -> Result<(), String> {
        for (own, other) in [(0, 1), (1, 0)] {
            let dx = dx[own].iter_mut().flat_map(|dx| dx.iter_mut());
            dx.zip(x[other].entries)
                .for_each(|(dx, x)| *dx += dy[0].entries[0] * x);
        }
        Ok(())
    }
}

/// Two outputs: sine and cosine.
struct SineCosine;

impl Function for SineCosine {
    const NAME: &'static CStr = c"plugin::sine_cosine";
    const OPERANDS: &'static [Name] = &[Name::new(c"x")];
    const OUTPUTS: usize = 2;

    fn value(x: &[Array<'_>], y: &mut [&mut [f64]]) -> Result<(), String> {
        for (i, x) in x[0].entries.iter().enumerate() {
            (y[0][i], y[1][i]) = x.sin_cos();
        }
        Ok(())
    }
    fn pushforward(
        x: &[Array<'_>],
        dx: &[Option<&[f64]>],
        dy: &mut [&mut [f64]],
    ) -> Result<(), String> {
        let pairs = x[0].entries.iter().zip(dx[0].unwrap_or_default());
        for (i, (x, dx)) in pairs.enumerate() {
            (dy[0][i], dy[1][i]) = (x.cos() * dx, -x.sin() * dx);
        }
        Ok(())
    }
    fn pullback(
        _: &[Array<'_>],
        y: &[Array<'_>],
        dy: &[Array<'_>],
        dx: &mut [Active<'_>],
    ) -> Result<(), String> {
        let (sine, cosine) = (y[0].entries, y[1].entries);
        for (i, dx) in dx[0].iter_mut().flat_map(|dx| dx.iter_mut()).enumerate() {
            *dx += cosine[i] * dy[0].entries[i] - sine[i] * dy[1].entries[i];
        }
        Ok(())
    }
}

struct Panics;

impl Function for Panics {
    const NAME: &'static CStr = c"plugin::panics";
    const OPERANDS: &'static [Name] = &[Name::new(c"x")];

    fn value(x: &[Array<'_>], _: &mut [&mut [f64]]) -> Result<(), String> {
        panic!("no value for {:?}", x[0].shape)
    }
    fn pushforward(
        _: &[Array<'_>],
        _: &[Option<&[f64]>],
        _: &mut [&mut [f64]],
    ) -> Result<(), String> {
        Err("no tangent".into())
    }
    fn pullback(
        _: &[Array<'_>],
        _: &[Array<'_>],
        _: &[Array<'_>],
        _: &mut [Active<'_>],
    ) -> Result<(), String> {
        Err("no cotangent".into())
    }
}

export!("swish", "1.2.0", [Swish, Inner, SineCosine, Panics]);
