//! The shadows of all lanes at once.

use coenzyme::Adjoint;

/// Gives `f` the shadows of all lanes at once: it must add to them.
pub(crate) fn together<T: ?Sized>(adjoints: &mut [Adjoint<'_, T>], f: &mut dyn FnMut(Vec<&mut T>)) {
    /// `lanes` and those of the adjoints that are left.
    fn next<T: ?Sized>(
        adjoints: &mut [Adjoint<'_, T>],
        lanes: Vec<&mut T>,
        f: &mut dyn FnMut(Vec<&mut T>),
    ) {
        match adjoints.split_first_mut() {
            None => f(lanes),
            Some((first, rest)) => first.accumulate_with(|shadow| {
                let mut lanes: Vec<&mut T> = lanes;
                lanes.push(shadow);
                next(rest, lanes, f);
            }),
        }
    }
    next(adjoints, Vec::new(), f);
}
