//! Functions of any number of arrays, and `split`.

use std::sync::Arc;

use coenzyme::{Const, DynArg};
use coenzyme_rules::array::{concatenate, split, stack};
use ndarray::{ArrayD, ArrayRef, IxDyn};
use smallvec::SmallVec;

use super::outlines::{batch, read};
use crate::call::{Attrs, Call, Operation, Outline, Outputs, Shadows, Signature, Tangents, Tape};
use crate::erase::{
    self, Any, Attribute, Axis, Failure, Given, NewAxis, Operand, ReverseTable, Second, Table,
    Traits,
};
use crate::error::OpError;
use crate::operation;
use crate::value::{Spec, Value};

/// A handle of an array whose activity is known at run time, borrowed from views.
type Handle<'a, T> = DynArg<&'a ArrayRef<T, IxDyn>, &'a mut ArrayRef<T, IxDyn>, 1>;

/// The table of a function of a list of arrays and an axis, for one type of number.
macro_rules! of_list {
    ($f:ident, $Axis:ty, $t:ty) => {{
        type X = Any<$t>;
        type Held<'a> = Vec<<X as Operand>::Held<'a>>;

        fn hold<'a>(x: &[Given<'a>]) -> Result<Held<'a>, Failure> {
            let each = x.iter().enumerate();
            each.map(|(i, x)| X::hold(x).ok_or(Failure::Operand(i)))
                .collect()
        }

        fn forward(
            x: &[Given<'_>],
            dx: &Tangents<'_>,
            call: &Call,
        ) -> Result<(Outputs, Outputs), Failure> {
            let axis = <$Axis>::read(&call.attrs, "axis", x)?;
            let held = hold(x)?;
            let zeros: Vec<_> = held
                .iter()
                .map(|x| ArrayD::<$t>::zeros(x.raw_dim()))
                .collect();
            let tangents = dx.iter().zip(&zeros);
            let tangents = tangents.map(|(dx, zero)| dx.and_then(Value::get).unwrap_or(&**zero));
            let handles = held.iter().zip(tangents);
            let handles: Vec<_> = handles
                .map(|(x, dx)| DynArg::<_, _, 1>::duplicated(X::see(x), [dx]))
                .collect();
            let mut args = (handles, Const(&axis));
            erase::forward::<_, ArrayD<$t>, _>(&$f {}, &mut args, call)
        }

        fn augmented(x: &[Given<'_>], call: &Call) -> Result<(Outputs, Tape), Failure> {
            let axis = <$Axis>::read(&call.attrs, "axis", x)?;
            let held = hold(x)?;
            let handles = held.iter().enumerate();
            let handles: Vec<Handle<'_, $t>> = handles
                .map(|(i, x)| DynArg::promised(X::see(x), call.active.has(i)))
                .collect();
            let mut args = (handles, Const(&axis));
            erase::augmented::<_, ArrayD<$t>, _>(&$f {}, &mut args, call)
        }

        fn reverse(
            x: &[Given<'_>],
            dy: Outputs,
            tape: Tape,
            dx: &mut Shadows,
            call: &Call,
        ) -> Result<(), Failure> {
            let axis = <$Axis>::read(&call.attrs, "axis", x)?;
            let held = hold(x)?;
            let handles = held.iter().zip(dx.iter_mut());
            let handles: Vec<Handle<'_, $t>> = handles
                .map(|(x, dx)| {
                    let dx = dx.as_mut().and_then(Value::get_mut::<$t>);
                    DynArg::new(X::see(x), dx.map(|dx| [dx]))
                })
                .collect();
            let mut args = (handles, Const(&axis));
            erase::reverse::<_, ArrayD<$t>, _>(&$f {}, dy, tape, &mut args, call)
        }

        let reverse = ReverseTable { augmented, reverse };
        Table { forward, reverse }
    }};
}

macro_rules! joining {
    ($name:literal, $f:ident, $Axis:ty, $outline:expr) => {{
        let mut traits = Traits::new($name, $outline);
        traits.operand::<Any<f64>>("x");
        traits.variadic();
        traits.attribute::<$Axis>("axis", None);
        traits.f64 = Some(of_list!($f, $Axis, f64));
        traits.f32 = Some(of_list!($f, $Axis, f32));
        traits.second = Second::Zero;
        traits.batch = Some(batch::axis);
        traits.finish()
    }};
}

/// One length of all operands but along the axis, where they add up.
fn concatenated(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let axis = read::<Axis>(s, x, a, "axis")?;
    let fits = x.iter().all(|y| {
        let mut lengths = y.shape.iter().zip(&x[0].shape).enumerate();
        y.rank() == x[0].rank() && lengths.all(|(i, (n, m))| i == axis || n == m)
    });
    if !fits {
        return Err(s.misfit(x, a, "the shapes differ beside the axis"));
    }
    let mut shape = x[0].shape.clone();
    shape[axis] = x
        .iter()
        .fold(0, |n: usize, y| n.saturating_add(y.shape[axis]));
    let outline = Outline::shaped(x, shape).costing(0.0).linear();
    match outline.outputs[0].is_possible() {
        true => Ok(outline),
        false => Err(s.misfit(x, a, "the value is too large")),
    }
}

fn stacked(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let axis = read::<NewAxis>(s, x, a, "axis")?;
    if x.iter().any(|y| y.shape != x[0].shape) {
        return Err(s.misfit(x, a, "the shapes differ"));
    }
    let mut shape = x[0].shape.clone();
    shape.insert(axis, x.len());
    Ok(Outline::shaped(x, shape).costing(0.0).linear())
}

fn divided(s: &Signature, x: &[Spec], a: &Attrs) -> Result<Outline, OpError> {
    let (axis, parts) = (
        read::<Axis>(s, x, a, "axis")?,
        read::<usize>(s, x, a, "parts")?,
    );
    let mut part = x[0].clone();
    // as many outputs as parts: a number that nobody can have is refused before they are listed
    if parts == 0 || parts > 1 << 16 || !part.shape[axis].is_multiple_of(parts) {
        return Err(s.misfit(
            x,
            a,
            format!("the axis cannot be divided into {parts} parts"),
        ));
    }
    part.shape[axis] /= parts;
    let outputs = SmallVec::from_elem(part, parts);
    Ok(Outline::of(x, outputs, 0.0).linear())
}

pub(super) fn all() -> Vec<Arc<dyn Operation>> {
    vec![
        joining!("core::concatenate", concatenate, Axis, concatenated),
        joining!("core::stack", stack, NewAxis, stacked),
        operation!("core::split" = split[x: Any<T>; axis: Axis, parts: usize] -> Vec<ArrayD<T>>, for [f64 f32 linear], divided,
            batch batch::axis),
    ]
}
