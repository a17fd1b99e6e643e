//! Operations in Rust: slices in place of pointers, results in place of codes.

use std::ffi::{CStr, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::{MOST_AXES, Message, Name, RawArray, RawOperation, RawShape};

/// An operand, read.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// The lengths of its axes.
    pub shape: &'a [usize],
    /// Its entries in logical order; none while a shape is asked for.
    pub entries: &'a [f64],
}

/// The cotangent of an operand, to be added to; `None` if it is inactive.
pub type Active<'a> = Option<&'a mut [f64]>;

/// A function with derivatives that a plug-in offers.
pub trait Function {
    /// Its name, `crate::operation`.
    const NAME: &'static CStr;
    /// The names of the operands.
    const OPERANDS: &'static [Name];
    /// The number of outputs.
    const OUTPUTS: usize = 1;

    /// The shape of each output: that of the first operand, unless it is said.
    ///
    /// # Errors
    /// If the operands do not fit.
    fn outline(x: &[Array<'_>]) -> Result<Vec<Vec<usize>>, String> {
        let shape = x.first().map_or(&[][..], |x| x.shape);
        Ok(vec![shape.to_vec(); Self::OUTPUTS])
    }

    /// Writes each output to its place in `y`, which holds zeros.
    ///
    /// # Errors
    /// If the function fails.
    fn value(x: &[Array<'_>], y: &mut [&mut [f64]]) -> Result<(), String>;

    /// Writes the tangent of each output to its place in `dy`, which holds zeros; an operand without tangent does not move.
    ///
    /// # Errors
    /// If the function fails.
    fn pushforward(
        x: &[Array<'_>],
        dx: &[Option<&[f64]>],
        dy: &mut [&mut [f64]],
    ) -> Result<(), String>;

    /// Adds to the cotangents of the active operands, from the outputs and their cotangents.
    ///
    /// # Errors
    /// If the function fails.
    fn pullback(
        x: &[Array<'_>],
        y: &[Array<'_>],
        dy: &[Array<'_>],
        dx: &mut [Active<'_>],
    ) -> Result<(), String>;
}

/// The entry of a function in the table.
#[must_use]
pub const fn operation<F: Function>() -> RawOperation {
    RawOperation {
        name: F::NAME.as_ptr(),
        operands: F::OPERANDS.as_ptr(),
        operand_count: F::OPERANDS.len(),
        output_count: F::OUTPUTS,
        context: std::ptr::null(),
        outline: Some(outline::<F>),
        value: Some(value::<F>),
        pushforward: Some(pushforward::<F>),
        pullback: Some(pullback::<F>),
    }
}

fn entries(shape: &[usize]) -> usize {
    shape.iter().product()
}

/// The shape of an array.
///
/// # Safety
/// `array.shape` points to `array.rank` lengths, which stay for `'a`.
unsafe fn shape<'a>(array: &RawArray) -> &'a [usize] {
    if array.rank == 0 {
        return &[];
    }
    // SAFETY: by the contract
    unsafe { std::slice::from_raw_parts(array.shape, array.rank) }
}

/// The arrays of a list, and their entries if they are there.
///
/// # Safety
/// `x` points to `n` arrays as the table describes them, which stay for `'a` and are not written.
unsafe fn arrays<'a>(x: *const RawArray, n: usize) -> Vec<Array<'a>> {
    let array = |i: usize| {
        // SAFETY: by the contract, `i < n`
        let raw = unsafe { &*x.add(i) };
        // SAFETY: by the contract
        let shape = unsafe { shape(raw) };
        let entries = match raw.data.is_null() {
            true => &[][..],
            // SAFETY: by the contract there are as many entries as the shape says
            false => unsafe { std::slice::from_raw_parts(raw.data, entries(shape)) },
        };
        Array { shape, entries }
    };
    (0..n).map(array).collect()
}

/// The entries of an array that is written; none if it is not there.
///
/// # Safety
/// As [`arrays`], but it is written and nobody else looks at it for `'a`.
unsafe fn written<'a>(raw: &RawArray) -> Active<'a> {
    if raw.data.is_null() {
        return None;
    }
    // SAFETY: by the contract
    let n = entries(unsafe { shape(raw) });
    // SAFETY: by the contract
    Some(unsafe { std::slice::from_raw_parts_mut(raw.data, n) })
}

/// The entries of outputs that are written.
///
/// # Safety
/// `y` points to `n` different arrays as [`written`] wants them.
unsafe fn places<'a>(y: *const RawArray, n: usize) -> Result<Vec<&'a mut [f64]>, String> {
    // SAFETY: by the contract, `i < n`
    let place = |i: usize| unsafe { written(&*y.add(i)) };
    let places = (0..n).map(|i| place(i).ok_or_else(|| format!("no place for output {i}")));
    places.collect()
}

/// Runs `f`; an error, and a panic too, is written to the message.
fn said(message: *mut Message, f: impl FnOnce() -> Result<(), String>) -> i32 {
    let text = match catch_unwind(AssertUnwindSafe(f)) {
        Ok(Ok(())) => return 0,
        Ok(Err(text)) => text,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            format!("panic: {}", text.unwrap_or("without a message"))
        }
    };
    // SAFETY: the host gives a message that nobody else looks at, or null
    if let Some(message) = unsafe { message.as_mut() } {
        let bytes = text.bytes().take(message.len() - 1).chain([0]);
        for (place, byte) in message.iter_mut().zip(bytes) {
            *place = byte as std::ffi::c_char;
        }
    }
    1
}

unsafe extern "C" fn outline<F: Function>(
    _: *const c_void,
    x: *const RawArray,
    n: usize,
    y: *mut RawShape,
    message: *mut Message,
) -> i32 {
    said(message, || {
        // SAFETY: the host follows the table
        let x = unsafe { arrays(x, n) };
        let shapes = F::outline(&x)?;
        if shapes.len() != F::OUTPUTS {
            return Err(format!(
                "{} shapes for {} outputs",
                shapes.len(),
                F::OUTPUTS
            ));
        }
        for (i, shape) in shapes.iter().enumerate() {
            let rank = shape.len();
            if rank > MOST_AXES {
                return Err(format!("a value of rank {rank}, at most {MOST_AXES}"));
            }
            // SAFETY: the host follows the table: there are as many places as outputs
            let y = unsafe { &mut *y.add(i) };
            y.rank = rank;
            y.shape[..rank].copy_from_slice(shape);
        }
        Ok(())
    })
}

unsafe extern "C" fn value<F: Function>(
    _: *const c_void,
    x: *const RawArray,
    n: usize,
    y: *const RawArray,
    message: *mut Message,
) -> i32 {
    said(message, || {
        // SAFETY: the host follows the table
        let (x, mut y) = unsafe { (arrays(x, n), places(y, F::OUTPUTS)?) };
        F::value(&x, &mut y)
    })
}

unsafe extern "C" fn pushforward<F: Function>(
    _: *const c_void,
    x: *const RawArray,
    n: usize,
    dx: *const RawArray,
    dy: *const RawArray,
    message: *mut Message,
) -> i32 {
    said(message, || {
        // SAFETY: the host follows the table
        let (x, tangents, mut dy) =
            unsafe { (arrays(x, n), arrays(dx, n), places(dy, F::OUTPUTS)?) };
        let there = |i: usize| {
            // SAFETY: the host follows the table, `i < n`
            let raw = unsafe { &*dx.add(i) };
            (!raw.data.is_null()).then_some(tangents[i].entries)
        };
        let tangents: Vec<Option<&[f64]>> = (0..n).map(there).collect();
        F::pushforward(&x, &tangents, &mut dy)
    })
}

unsafe extern "C" fn pullback<F: Function>(
    _: *const c_void,
    x: *const RawArray,
    n: usize,
    y: *const RawArray,
    dy: *const RawArray,
    dx: *const RawArray,
    message: *mut Message,
) -> i32 {
    said(message, || {
        // SAFETY: the host follows the table
        let (x, y, dy) = unsafe { (arrays(x, n), arrays(y, F::OUTPUTS), arrays(dy, F::OUTPUTS)) };
        // SAFETY: the host follows the table: the cotangents are different arrays, `i < n`
        let mut dx: Vec<Active<'_>> = (0..n).map(|i| unsafe { written(&*dx.add(i)) }).collect();
        F::pullback(&x, &y, &dy, &mut dx)
    })
}
