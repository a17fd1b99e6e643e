//! From attributes to what rules take.

use std::ops::Range;

use coenzyme::Inactive;
use coenzyme_rules::signal::Convolution;

use super::{Failure, Given};
use crate::call::{Attr, AttrKind, Attrs, Parameter};

/// The largest length that an attribute may name: far above any array, and so that sums and products of two of them are numbers.
const LARGEST: i64 = 1 << 31;

/// A kind of attribute: its type at run time, and the type behind the reference that a rule takes.
pub trait Attribute {
    /// What the rule takes.
    type Static: ?Sized + 'static;
    /// What holds it during the call.
    type Held;

    /// What stands in the signature.
    fn parameters(name: &'static str, default: Option<Attr>) -> Vec<Parameter>;

    /// Reads it.
    ///
    /// # Errors
    /// If the value is none that the rule can take; shapes are checked by the outline.
    fn read(attrs: &Attrs, name: &'static str, x: &[Given<'_>]) -> Result<Self::Held, Failure>;

    /// As the rule takes it.
    fn see(held: &Self::Held) -> &Self::Static;
}

fn one(name: &'static str, kind: AttrKind, default: Option<Attr>) -> Vec<Parameter> {
    vec![Parameter {
        name: name.into(),
        kind,
        default,
    }]
}

fn wrong(name: &'static str, why: impl Into<String>) -> Failure {
    Failure::Attribute(name, why.into())
}

/// A length or a count.
pub(crate) fn length(n: i64) -> Option<usize> {
    (0..=LARGEST)
        .contains(&n)
        .then(|| usize::try_from(n).expect("not negative"))
}

/// An axis of an array of this rank, counted from the end if it is negative.
pub(crate) fn axis(n: i64, rank: usize) -> Option<usize> {
    let rank = i64::try_from(rank).ok()?;
    let n = if n < 0 { n + rank } else { n };
    (0..rank)
        .contains(&n)
        .then(|| usize::try_from(n).expect("not negative"))
}

/// The rank of the first operand.
fn rank(x: &[Given<'_>]) -> usize {
    x.first().map_or(0, |x| x.value.shape().len())
}

macro_rules! kinds {
    ($($name:ty: $Static:ty, held $Held:ty, $kind:ident($value:pat, $attr:ident, $x:ident) => $read:expr;)+) => {$(
        impl Attribute for $name {
            type Static = $Static;
            type Held = $Held;

            fn parameters(name: &'static str, default: Option<Attr>) -> Vec<Parameter> {
                one(name, AttrKind::$kind, default)
            }
            fn read(attrs: &Attrs, $attr: &'static str, $x: &[Given<'_>]) -> Result<$Held, Failure> {
                match attrs.get($attr) {
                    Some(Attr::$kind($value)) => $read,
                    _ => Err(wrong($attr, concat!("expected ", stringify!($kind)))),
                }
            }
            fn see(held: &$Held) -> &$Static {
                held
            }
        }
    )+};
}

fn found<T>(value: Option<T>, name: &'static str, x: &[Given<'_>]) -> Result<T, Failure> {
    value.ok_or_else(|| {
        let shape = x.first().map_or(&[][..], |x| x.value.shape());
        wrong(name, format!("out of bounds for shape {shape:?}"))
    })
}

macro_rules! markers {
    ($($(#[$doc:meta])* $name:ident)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
    )+};
}

markers! {
    /// An axis of the first operand; from the end, if it is negative.
    Axis
    /// A place for one more axis.
    NewAxis
    /// Axes of the first operand.
    Axes
    /// Lengths: a shape.
    Lengths
    /// From where to where.
    Span
    /// Widths on either side of each axis.
    Widths
    /// A flag.
    Flag
    /// A text.
    Text
    /// A number without derivative.
    Real
}

kinds! {
    Axis: usize, held usize, Int(n, name, x) => found(axis(*n, rank(x)), name, x);
    NewAxis: usize, held usize, Int(n, name, x) => found(axis(*n, rank(x) + 1), name, x);
    Axes: [usize], held Vec<usize>, Ints(n, name, x) => found(n.iter().map(|n| axis(*n, rank(x))).collect(), name, x);
    Lengths: [usize], held Vec<usize>, Ints(n, name, x) => found(n.iter().map(|n| length(*n)).collect(), name, x);
    Span: Range<usize>, held Range<usize>, Ints(n, name, _x) => match n[..] {
        [start, end] => match (length(start), length(end)) {
            (Some(start), Some(end)) if start <= end => Ok(start..end),
            _ => Err(wrong(name, format!("{start}..{end} is not a range"))),
        },
        _ => Err(wrong(name, "expected two integers")),
    };
    Widths: [[usize; 2]], held Vec<[usize; 2]>, Pairs(n, name, x) => found(
        n.iter().map(|[a, b]| Some([length(*a)?, length(*b)?])).collect(), name, x,
    );
    Flag: bool, held bool, Bool(b, _name, _x) => Ok(*b);
    Text: str, held String, Text(t, _name, _x) => Ok(t.clone());
    Real: Inactive<f64>, held Inactive<f64>, Float(x, _name, _x) => Ok(Inactive(*x));
    usize: usize, held usize, Int(n, name, _x) => length(*n).ok_or_else(|| wrong(name, format!("{n} is not a count")));
    isize: isize, held isize, Int(n, name, _x) => isize::try_from(*n).map_err(|e| wrong(name, e.to_string()));
    i32: i32, held i32, Int(n, name, _x) => i32::try_from(*n).map_err(|e| wrong(name, e.to_string()));
    u32: u32, held u32, Int(n, name, _x) => u32::try_from(*n).map_err(|e| wrong(name, e.to_string()));
    [usize; 2]: [usize; 2], held [usize; 2], Ints(n, name, _x) => pair(name, n);
}

fn pair(name: &'static str, n: &[i64]) -> Result<[usize; 2], Failure> {
    match n {
        [a, b] => length(*a).zip(length(*b)).map(<[usize; 2]>::from),
        _ => None,
    }
    .ok_or_else(|| wrong(name, "expected two counts"))
}

/// `stride`, `padding`, `dilation` and `groups` of a convolution.
#[derive(Clone, Copy, Debug)]
pub struct Geometry;

impl Attribute for Geometry {
    type Static = Convolution;
    type Held = Convolution;

    fn parameters(_: &'static str, _: Option<Attr>) -> Vec<Parameter> {
        let how = Convolution::default();
        let pair = |name, pair: [usize; 2]| one(name, AttrKind::Ints, Some(pair.into()));
        [
            pair("stride", how.stride),
            pair("padding", how.padding),
            pair("dilation", how.dilation),
            one("groups", AttrKind::Int, Some(how.groups.into())),
        ]
        .concat()
    }
    fn read(attrs: &Attrs, _: &'static str, _: &[Given<'_>]) -> Result<Convolution, Failure> {
        geometry(attrs)
    }
    fn see(held: &Convolution) -> &Convolution {
        held
    }
}

pub(crate) fn geometry(attrs: &Attrs) -> Result<Convolution, Failure> {
    let two = |name| match attrs.get(name) {
        Some(Attr::Ints(n)) => pair(name, n),
        _ => Err(wrong(name, "expected two counts")),
    };
    let groups = match attrs.get("groups") {
        Some(Attr::Int(n)) => length(*n),
        _ => None,
    };
    Ok(Convolution {
        stride: two("stride")?,
        padding: two("padding")?,
        dilation: two("dilation")?,
        groups: groups.ok_or_else(|| wrong("groups", "expected a count"))?,
    })
}
