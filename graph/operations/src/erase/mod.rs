//! Static rules whose types are erased.
//!
//! A rule that is generic over activities runs on [`DynArg`](coenzyme::DynArg)s. [`operation!`](crate::operation) writes, for one
//! function and one type of number, the three functions of a [`Table`]: they take [`Value`](crate::Value)s apart, run the rule, and
//! make values of what it returns. What does not depend on the function is in [`Erased`], which is compiled once.
//!
//! ```text
//! Value ──[`Operand`]──▶ &ArrayRef<f64, Ix2> ─┐
//! Attr  ──[`Attribute`]──▶ &usize ────────────┼─▶ DynArg, Const ──▶ rule ──[`Returned`]──▶ Value
//! shadow ──[`Operand`]──▶ &mut ArrayRef ──────┘
//! ```

pub(crate) mod attribute;
mod kernel;
mod operand;
mod operation;
mod returned;

pub use attribute::{
    Attribute, Axes, Axis, Flag, Geometry, Lengths, NewAxis, Real, Span, Text, Widths,
};
pub(crate) use attribute::{axis, length};
pub use kernel::{
    AugmentedFn, ForwardFn, ReverseFn, ReverseTable, Table, augmented, forward, reverse,
};
pub use operand::{Given, Operand, Taken};
pub use operation::{BatchFn, Erased, OutlineFn, Second, Traits};
pub use returned::{Returned, Settle};

use ndarray::{ArrayRef, Ix1, Ix2, Ix3, Ix4, IxDyn};

/// An array of any rank.
pub type Any<T> = ArrayRef<T, IxDyn>;
/// An array of rank 1.
pub type Vector<T> = ArrayRef<T, Ix1>;
/// An array of rank 2.
pub type Matrix<T> = ArrayRef<T, Ix2>;
/// An array of rank 3.
pub type Cube<T> = ArrayRef<T, Ix3>;
/// An array of rank 4.
pub type Images<T> = ArrayRef<T, Ix4>;

/// Why a rule did not run; the operation's name is added by [`Erased`].
#[derive(Debug)]
pub enum Failure {
    /// An operand is not of the type or rank of the static rule.
    Operand(usize),
    /// An attribute does not have the value that the static rule takes.
    Attribute(&'static str, String),
    /// The tape is that of another rule.
    Tape,
    /// The function failed.
    Failed(String),
}

/// Operations of static rules.
///
/// `operation!("name" = function[x: X, …; attr: A, …] -> Out, for [numbers], outline)`: `X` are the types behind the
/// references that the function takes, written with `T` for the number; `A` are [`Attribute`]s; `Out` is what it returns; the numbers are
/// `f64`, `f32`, and `second` for the derivative of the reverse rule, or `linear` where that is zero; the outline is
/// `fn(&Signature, &[Spec], &Attrs) -> Result<Outline, OpError>`. The value is an `Arc<dyn Operation>`. Two things may follow: `batch f`, with a
/// [`BatchFn`](crate::erase::BatchFn), and `entrywise true`, for [`is_entrywise`](crate::Operation::is_entrywise).
///
/// ```
/// use coenzyme_operations::erase::Any;
/// use coenzyme_operations::{Operation, Outline, attrs, operation};
/// use coenzyme_rules::array::swish;
/// use ndarray::{ArrayD, arr1};
///
/// let swish = operation!("mine::swish" = swish[x: Any<T>] -> ArrayD<T>, for [f64 f32 second],
///     |_, x, _| Ok(Outline::new(x, x[0].clone())));
/// let y = swish.value(&[&arr1(&[0.0, 1.0]).into()], &attrs! {})?;
/// assert_eq!(y[0], arr1(&[0.0, 0.7310585786300049]).into());
/// # Ok::<(), coenzyme_operations::OpError>(())
/// ```
#[macro_export]
macro_rules! operation {
    ($name:literal = $f:ident[$($x:ident: $X:ty),+ $(; $($a:ident: $A:ty $(= $default:expr)?),+)?] -> $Out:ty,
        for [$($number:ident)+], $outline:expr $(, batch $batch:expr)? $(, entrywise $entrywise:literal)?) => {{
        #[allow(unused_mut)]
        let mut traits = $crate::erase::Traits::new($name, $outline);
        {
            #[allow(dead_code)]
            type T = f64;
            $(traits.operand::<$X>(stringify!($x));)+
        }
        $($(traits.attribute::<$A>(stringify!($a), $crate::operation!(@default $($default)?));)+)?
        $crate::operation!(@numbers [$($number)+] traits [$f] ($($x: $X),+ $(; $($a: $A),+)?) -> $Out);
        $(traits.batch = Some($batch);)?
        $(traits.entrywise = $entrywise;)?
        traits.finish()
    }};
    (@default) => { None };
    (@default $default:expr) => { Some($crate::Attr::from($default)) };
    (@numbers [] $($rule:tt)+) => {};
    (@numbers [$number:ident $($more:ident)*] $($rule:tt)+) => {
        $crate::operation!(@number $number $($rule)+);
        $crate::operation!(@numbers [$($more)*] $($rule)+);
    };
    (@number f64 $traits:ident $($rule:tt)+) => {
        $traits.f64 = Some($crate::operation!(@table f64, $($rule)+));
    };
    (@number f32 $traits:ident $($rule:tt)+) => {
        $traits.f32 = Some($crate::operation!(@table f32, $($rule)+));
    };
    (@number second $traits:ident $($rule:tt)+) => {
        $traits.second = $crate::erase::Second::Rule($crate::operation!(@reverse ::coenzyme::Dual<f64>, $($rule)+));
    };
    (@number linear $traits:ident $($rule:tt)+) => {
        $traits.second = $crate::erase::Second::Zero;
    };
    // One function and one type of number. The `T` of the operands is the number.
    (@table $number:ty, [$f:ident] ($($x:ident: $X:ty),+ $(; $($a:ident: $A:ty),+)?) -> $Out:ty) => {{
        use $crate::erase::{Failure, Given, Taken};
        use $crate::{Call, Outputs, Tangents};
        #[allow(dead_code)]
        type T = $number;

        fn forward(x: &[Given<'_>], dx: &Tangents<'_>, call: &Call) -> Result<(Outputs, Outputs), Failure> {
            let (mut given, mut tangents) = (x.iter().enumerate(), dx.iter());
            $(let $x = Taken::<$X>::forward(given.next(), tangents.next())?;)+
            $($(let $a = <$A as $crate::erase::Attribute>::read(&call.attrs, stringify!($a), x)?;)+)?
            let mut args = ($($x.tangent(),)+ $($(::coenzyme::Const(<$A as $crate::erase::Attribute>::see(&$a)),)+)?);
            $crate::erase::forward::<_, $Out, _>(&$f {}, &mut args, call)
        }

        let reverse = $crate::operation!(@reverse $number, [$f] ($($x: $X),+ $(; $($a: $A),+)?) -> $Out);
        $crate::erase::Table { forward, reverse }
    }};
    (@reverse $number:ty, [$f:ident] ($($x:ident: $X:ty),+ $(; $($a:ident: $A:ty),+)?) -> $Out:ty) => {{
        use $crate::erase::{Failure, Given, Taken};
        use $crate::{Call, Outputs, Shadows, Tape};
        #[allow(dead_code)]
        type T = $number;

        fn augmented(x: &[Given<'_>], call: &Call) -> Result<(Outputs, Tape), Failure> {
            let mut given = x.iter().enumerate();
            $(let mut $x = Taken::<$X>::promised(given.next(), call)?;)+
            $($(let $a = <$A as $crate::erase::Attribute>::read(&call.attrs, stringify!($a), x)?;)+)?
            let mut args = ($($x.cotangent(),)+ $($(::coenzyme::Const(<$A as $crate::erase::Attribute>::see(&$a)),)+)?);
            $crate::erase::augmented::<_, $Out, _>(&$f {}, &mut args, call)
        }

        fn reverse(
            x: &[Given<'_>], dy: Outputs, tape: Tape, dx: &mut Shadows, call: &Call,
        ) -> Result<(), Failure> {
            let (mut given, mut shadows) = (x.iter().enumerate(), dx.iter_mut());
            $(let mut $x = Taken::<$X>::reverse(given.next(), shadows.next())?;)+
            $($(let $a = <$A as $crate::erase::Attribute>::read(&call.attrs, stringify!($a), x)?;)+)?
            {
                let mut args = ($($x.cotangent(),)+ $($(::coenzyme::Const(<$A as $crate::erase::Attribute>::see(&$a)),)+)?);
                $crate::erase::reverse::<_, $Out, _>(&$f {}, dy, tape, &mut args, call)?;
            }
            $($x.finish();)+
            Ok(())
        }

        $crate::erase::ReverseTable { augmented, reverse }
    }};
}
