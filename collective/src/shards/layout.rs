//! Arrays on a grid of ranks.

use std::fmt;

use coenzyme_rules::class::Misfit;

use crate::Mesh;

/// Which axis of a mesh each dimension of an array is cut along; `None` for one that is whole on each device. No two dimensions are cut
/// along one axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout(pub(super) Vec<Option<String>>);

impl Layout {
    /// One entry for each dimension.
    #[must_use]
    pub fn new<'a>(axes: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let axes = axes.into_iter();
        Self(axes.map(|axis| axis.map(str::to_owned)).collect())
    }

    /// The axis that each dimension is cut along.
    pub fn axes(&self) -> impl Iterator<Item = Option<&str>> {
        self.0.iter().map(Option::as_deref)
    }

    /// The shape of each shard of an array.
    ///
    /// # Errors
    /// [`Misplaced`] if the array has another number of dimensions, the mesh lacks an axis, or a length is no multiple of that of the
    /// axis.
    pub fn local(&self, shape: &[usize], mesh: &Mesh) -> Result<Vec<usize>, Misplaced> {
        self.once()?;
        if shape.len() != self.0.len() {
            return Err(Misplaced::Rank(shape.to_vec(), self.0.len()));
        }
        let dimensions = shape.iter().zip(&self.0);
        let local = dimensions.map(|(&length, axis)| {
            let Some(axis) = axis else { return Ok(length) };
            let devices = mesh.length(axis).ok_or(Misplaced::NoAxis(axis.clone()))?;
            match length % devices {
                0 => Ok(length / devices),
                _ => Err(Misplaced::NotDivisible { length, devices }),
            }
        });
        local.collect()
    }

    /// A dimension of length 1 is whole on each device, and repeated there.
    pub(super) fn whole_where_one(&mut self, shape: &[usize]) {
        let dims = self.0.iter_mut().zip(shape);
        dims.filter(|(_, length)| **length == 1)
            .for_each(|(axis, _)| *axis = None);
    }

    /// No axis is named twice.
    pub(super) fn once(&self) -> Result<(), Misplaced> {
        for (at, axis) in self.0.iter().enumerate() {
            if axis.is_some() && self.0[..at].contains(axis) {
                return Err(Misplaced::Twice(axis.clone().expect("looked at")));
            }
        }
        Ok(())
    }
}

/// Why arrays cannot be cut so.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Misplaced {
    /// The whole arrays do not fit each other.
    Misfit(Misfit),
    /// A shape, and the number of dimensions of its layout.
    Rank(Vec<usize>, usize),
    /// The mesh has no such axis.
    NoAxis(String),
    /// Two dimensions are cut along one axis.
    Twice(String),
    /// A length is no multiple of the devices it is cut for.
    NotDivisible {
        /// The length.
        length: usize,
        /// The devices.
        devices: usize,
    },
    /// A rule for so many operands was given others.
    Operands {
        /// Those of the rule.
        expected: usize,
        /// Those given.
        found: usize,
    },
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misplaced::Misfit(misfit) => misfit.fmt(f),
            Misplaced::Rank(shape, n) => {
                write!(f, "a layout of {n} dimensions for shape {shape:?}")
            }
            Misplaced::NoAxis(axis) => write!(f, "no axis {axis} in the mesh"),
            Misplaced::Twice(axis) => write!(f, "two dimensions are cut along {axis}"),
            Misplaced::NotDivisible { length, devices } => {
                write!(
                    f,
                    "length {length} is not divisible among {devices} devices"
                )
            }
            Misplaced::Operands { expected, found } => {
                write!(f, "{found} layouts for {expected} operands")
            }
        }
    }
}

impl std::error::Error for Misplaced {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n31_shards_are_parts_of_equal_length() {
        let mesh = Mesh::new([("dp", 2)]);
        let layout = Layout::new([Some("dp"), None]);
        assert_eq!(layout.local(&[8, 4], &mesh), Ok(vec![4, 4]));
        let of = |shape: &[usize]| layout.local(shape, &mesh).map_err(|why| why.to_string());
        assert_eq!(
            of(&[3, 4]),
            Err("length 3 is not divisible among 2 devices".into())
        );
        assert_eq!(
            of(&[8]),
            Err("a layout of 2 dimensions for shape [8]".into())
        );
        let twice = Layout::new([Some("dp"), Some("dp")]).local(&[8, 4], &mesh);
        assert_eq!(twice, Err(Misplaced::Twice("dp".into())));
        let elsewhere = Layout::new([Some("tp")]).local(&[8], &mesh);
        assert_eq!(elsewhere, Err(Misplaced::NoAxis("tp".into())));
    }
}
