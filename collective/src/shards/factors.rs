//! Which dimensions of operands and value are the same.

use std::fmt;
use std::str::FromStr;

use super::layout::{Layout, Misplaced};

/// The dimensions of operands and value as names of factors: `m k, k n -> m n` of a product of matrices.
///
/// Operands are separated by commas, factors by spaces; `1` is a dimension of length 1 of the value. A leading `...` is any number of dimensions; those of several
/// operands are aligned at the last, as in broadcasting.
///
/// ```
/// use coenzyme_collective::shards::{Factors, Layout};
///
/// let product: Factors = "m k, k n -> m n".parse().expect("well formed");
/// let (x, w) = (Layout::new([Some("dp"), Some("tp")]), Layout::new([Some("tp"), None]));
/// let placed = product.infer(&[&x, &w]).expect("they agree");
/// // rows as those of x; each device along tp has a part of the sum
/// assert_eq!(placed.layout, Layout::new([Some("dp"), None]));
/// assert_eq!(placed.partial, ["tp"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factors {
    operands: Vec<Vec<String>>,
    out: Vec<String>,
}

/// Where the operands and the value of a call on shards lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The layouts that the operands must have for the call.
    pub operands: Vec<Layout>,
    /// The layout of the value.
    pub layout: Layout,
    /// The axes along which each device has a part of the value, which is the sum of the parts.
    pub partial: Vec<String>,
}

/// A dimension of length 1 of the value, which is whole on each device.
pub(super) const ONE: &str = "1";
/// Any number of dimensions.
const REST: &str = "...";

impl Factors {
    /// Where operands and value lie in a call on operands that lie so.
    ///
    /// A factor is cut along the axis that the first operand which cuts it cuts it along; the others follow. An axis cuts one factor:
    /// the first that claims it, and a factor that comes too late is whole on each device. The value is partial over the axes of
    /// factors that it does not have. Where an operand must lie otherwise than it does, [`Plan`](super::Plan) says how it gets there.
    ///
    /// # Errors
    /// [`Misplaced`] if the operands are not as many, have too few dimensions, or are cut twice along one axis.
    pub fn infer(&self, operands: &[&Layout]) -> Result<Placed, Misplaced> {
        if operands.len() != self.operands.len() {
            let (expected, found) = (self.operands.len(), operands.len());
            return Err(Misplaced::Operands { expected, found });
        }
        let mut named = Vec::new();
        for (names, layout) in self.operands.iter().zip(operands) {
            layout.once()?;
            named.push(factors_of(names, layout)?);
        }
        let cut = claims(&named, operands);
        let axis_of = |factor: &String| {
            let claim = cut.iter().find(|(known, _)| known == factor);
            claim.map(|(_, axis)| axis.clone())
        };
        let place = |factors: &[String]| Layout(factors.iter().map(axis_of).collect());
        let rest = named.iter().flatten().filter(|name| name.starts_with(REST));
        let rest = rest.filter_map(|name| name[REST.len()..].parse::<usize>().ok());
        let out = expanded(&self.out, rest.max().map_or(0, |last| last + 1));
        let left = cut.iter().filter(|(factor, _)| !out.contains(factor));
        Ok(Placed {
            operands: named.iter().map(|factors| place(factors)).collect(),
            layout: place(&out),
            partial: left.map(|(_, axis)| axis.clone()).collect(),
        })
    }
}

/// The axis of each factor that is cut: first come, first served.
fn claims(named: &[Vec<String>], operands: &[&Layout]) -> Vec<(String, String)> {
    let mut cut: Vec<(String, String)> = Vec::new();
    for (factors, layout) in named.iter().zip(operands) {
        for (factor, axis) in factors.iter().zip(&layout.0) {
            let Some(axis) = axis else { continue };
            let claimed = |(f, a): &(String, String)| f == factor || a == axis;
            if !cut.iter().any(claimed) {
                cut.push((factor.clone(), axis.clone()));
            }
        }
    }
    cut
}

/// The factor of each dimension of an operand.
fn factors_of(names: &[String], layout: &Layout) -> Result<Vec<String>, Misplaced> {
    let named = names.iter().filter(|name| *name != REST).count();
    let dimensions = layout.0.len();
    let has_rest = named < names.len();
    match dimensions.checked_sub(named) {
        Some(rest) if has_rest || rest == 0 => Ok(expanded(names, rest)),
        _ => Err(Misplaced::Operands {
            expected: named,
            found: dimensions,
        }),
    }
}

/// With `...` as `rest` factors, numbered from the last.
fn expanded(names: &[String], rest: usize) -> Vec<String> {
    let expand = |name: &String| match name.as_str() {
        REST => (0..rest).rev().map(|i| format!("{REST}{i}")).collect(),
        _ => vec![name.clone()],
    };
    names.iter().flat_map(expand).collect()
}

/// A text that names no factors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseFactorsError(String);

impl fmt::Display for ParseFactorsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not of the form `m k, k n -> m n`: {:?}", self.0)
    }
}

impl std::error::Error for ParseFactorsError {}

impl FromStr for Factors {
    type Err = ParseFactorsError;

    fn from_str(text: &str) -> Result<Self, ParseFactorsError> {
        let wrong = || ParseFactorsError(text.into());
        let (operands, out) = text.split_once("->").ok_or_else(wrong)?;
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
        let factors = Factors {
            operands: operands.split(',').map(words).collect(),
            out: words(out),
        };
        let of_operands = || factors.operands.iter().flatten();
        let known = factors
            .out
            .iter()
            .all(|name| name == ONE || of_operands().any(|of| of == name));
        let ones = of_operands().any(|name| name == ONE);
        let ahead = (factors.operands.iter())
            .chain([&factors.out])
            .all(|names| names.iter().skip(1).all(|name| name != REST));
        if known && ahead && !ones {
            Ok(factors)
        } else {
            Err(wrong())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn infer(text: &str, operands: &[&[Option<&str>]]) -> Result<Placed, Misplaced> {
        let layouts: Vec<_> = operands
            .iter()
            .map(|o| Layout::new(o.iter().copied()))
            .collect();
        let factors: Factors = text.parse().expect("well formed");
        factors.infer(&layouts.iter().collect::<Vec<_>>())
    }

    const PRODUCT: &str = "m k, k n -> m n";
    const DP: Option<&str> = Some("dp");
    const TP: Option<&str> = Some("tp");

    #[test]
    fn n12_factors_tell_where_the_value_lies() {
        let placed = |out: &[Option<&str>], partial: &[&str]| {
            let partial: Vec<_> = partial.iter().map(|axis| (*axis).to_owned()).collect();
            Ok((Layout::new(out.iter().copied()), partial))
        };
        let infer = |text, operands: &[&[Option<&str>]]| {
            infer(text, operands).map(|placed| (placed.layout, placed.partial))
        };
        assert_eq!(
            infer(PRODUCT, &[&[DP, TP], &[TP, None]]),
            placed(&[DP, None], &["tp"])
        );
        assert_eq!(
            infer(PRODUCT, &[&[DP, None], &[None, TP]]),
            placed(&[DP, TP], &[])
        );
        // one axis for two factors: the first has it
        assert_eq!(
            infer(PRODUCT, &[&[TP, None], &[None, TP]]),
            placed(&[TP, None], &[])
        );
        // one operand cuts the factor, and the other follows
        assert_eq!(
            infer(PRODUCT, &[&[DP, TP], &[None, None]]),
            placed(&[DP, None], &["tp"])
        );
        assert_eq!(
            infer("... -> ...", &[&[DP, None, TP]]),
            placed(&[DP, None, TP], &[])
        );
        assert_eq!(
            infer("..., ... -> ...", &[&[DP, None], &[TP]]),
            placed(&[DP, TP], &[])
        );
        assert_eq!(infer("... d -> ...", &[&[DP, TP]]), placed(&[DP], &["tp"]));
        assert_eq!(infer("... -> ", &[&[DP, TP]]), placed(&[], &["dp", "tp"]));
        assert_eq!(
            infer("a b -> 1 b", &[&[DP, TP]]),
            placed(&[None, TP], &["dp"])
        );
    }

    /// A layout that is sharded and partial over one axis has no meaning.
    #[test]
    fn n12_an_axis_cuts_one_factor() {
        let placed = infer(PRODUCT, &[&[TP, None], &[TP, None]]).expect("can be placed");
        assert_eq!(placed.layout, Layout::new([TP, None]));
        assert_eq!(placed.partial, [""; 0]);
        // the second operand is cut along tp, and must be whole
        let whole = Layout::new([None, None]);
        assert_eq!(placed.operands, [Layout::new([TP, None]), whole]);
    }

    #[test]
    fn n12_operands_that_are_whole_follow_those_that_are_cut() {
        let placed = infer(PRODUCT, &[&[DP, TP], &[None, None]]).expect("can be placed");
        assert_eq!(
            placed.operands,
            [Layout::new([DP, TP]), Layout::new([TP, None])]
        );
        // two axes for one factor: the first has it
        let placed = infer(PRODUCT, &[&[None, TP], &[DP, None]]).expect("can be placed");
        assert_eq!(
            placed.operands,
            [Layout::new([None, TP]), Layout::new([TP, None])]
        );
        assert_eq!(placed.partial, ["tp"]);
    }

    #[test]
    fn n12_what_does_not_fit_is_named() {
        let said = |placed: Result<Placed, Misplaced>| placed.map_err(|why| why.to_string());
        assert_eq!(
            said(infer(PRODUCT, &[&[DP, TP]])),
            Err("1 layouts for 2 operands".into())
        );
        assert_eq!(
            said(infer(PRODUCT, &[&[DP, DP], &[None, None]])),
            Err("two dimensions are cut along dp".into())
        );
        for text in ["m k", "m -> n", "m ... -> m", "m 1 -> m"] {
            assert!(text.parse::<Factors>().is_err(), "{text}");
        }
    }
}
