//! Which dimensions of operands and value are the same.

use std::fmt;
use std::str::FromStr;

use super::mesh::{Layout, Misplaced};

/// The dimensions of operands and value as names of factors: `m k, k n -> m n` of a product of matrices.
///
/// Operands are separated by commas, factors by spaces. A leading `...` is any number of dimensions; those of several
/// operands are aligned at the last, as in broadcasting.
///
/// ```
/// use coenzyme_rules::shards::{Factors, Layout};
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

/// Where the value of a call on shards lies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The layout of the value.
    pub layout: Layout,
    /// The axes along which each device has a part of the value, which is the sum of the parts.
    pub partial: Vec<String>,
}

/// Any number of dimensions.
const REST: &str = "...";

impl Factors {
    /// Where the value lies if the operands lie so.
    ///
    /// A factor is cut along the axis that an operand cuts it along. An axis that two factors of the value are cut along goes to the
    /// first; the second is whole on each device. The value is partial over the axes of factors that it does not have.
    ///
    /// # Errors
    /// [`Misplaced`] if the operands are not as many, have too few dimensions, or disagree on a factor.
    pub fn infer(&self, operands: &[&Layout]) -> Result<Placed, Misplaced> {
        if operands.len() != self.operands.len() {
            let (expected, found) = (self.operands.len(), operands.len());
            return Err(Misplaced::Operands { expected, found });
        }
        let rest = self.operands.iter().zip(operands).map(|(names, layout)| {
            let named = names.iter().filter(|name| *name != REST).count();
            layout.0.len().saturating_sub(named)
        });
        let rest = rest.max().unwrap_or(0);
        let mut cut: Vec<(String, String)> = Vec::new();
        for (names, layout) in self.operands.iter().zip(operands) {
            for (factor, axis) in factors_of(names, layout)?.into_iter().zip(&layout.0) {
                let Some(axis) = axis else { continue };
                match cut.iter().find(|(known, _)| *known == factor) {
                    None => cut.push((factor, axis.clone())),
                    Some((_, other)) if other == axis => {}
                    Some((_, other)) => {
                        let axes = [other.clone(), axis.clone()];
                        return Err(Misplaced::Disagreement { factor, axes });
                    }
                }
            }
        }
        let out = expanded(&self.out, rest);
        let mut layout: Vec<Option<String>> = Vec::new();
        for factor in &out {
            let axis = cut.iter().find(|(known, _)| known == factor);
            let axis = axis.map(|(_, axis)| axis.clone());
            layout.push(axis.filter(|axis| !layout.contains(&Some(axis.clone()))));
        }
        let mut partial: Vec<String> = Vec::new();
        for (factor, axis) in cut {
            if !out.contains(&factor) && !partial.contains(&axis) {
                partial.push(axis);
            }
        }
        let layout = Layout(layout);
        Ok(Placed { layout, partial })
    }
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
            .all(|name| of_operands().any(|of| of == name));
        let ahead = (factors.operands.iter())
            .chain([&factors.out])
            .all(|names| names.iter().skip(1).all(|name| name != REST));
        if known && ahead {
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
            let partial = partial.iter().map(|axis| (*axis).to_owned()).collect();
            let layout = Layout::new(out.iter().copied());
            Ok(Placed { layout, partial })
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
    }

    #[test]
    fn n12_disagreement_is_named() {
        let said = |placed: Result<Placed, Misplaced>| placed.map_err(|why| why.to_string());
        assert_eq!(
            said(infer(PRODUCT, &[&[None, TP], &[DP, None]])),
            Err("k is cut along tp and along dp: gather one of them".into())
        );
        assert_eq!(
            said(infer(PRODUCT, &[&[DP, TP]])),
            Err("1 layouts for 2 operands".into())
        );
        for text in ["m k", "m -> n", "m ... -> m"] {
            assert!(text.parse::<Factors>().is_err(), "{text}");
        }
    }
}
