//! Grids of devices, and arrays on them.

use std::fmt;

use crate::class::Misfit;

/// Devices in a grid with named axes.
///
/// ```
/// use coenzyme_rules::shards::Mesh;
///
/// let mesh = Mesh::new([("dp", 2), ("tp", 4)]);
/// assert_eq!((mesh.length("tp"), mesh.devices(["dp", "tp"])), (Some(4), 8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mesh(Vec<(String, usize)>);

impl Mesh {
    /// Axes by name and length. **Panics** if a name is given twice, or a length is 0.
    #[must_use]
    #[track_caller]
    pub fn new<'a>(axes: impl IntoIterator<Item = (&'a str, usize)>) -> Self {
        let mut mesh = Self(Vec::new());
        for (name, length) in axes {
            assert!(length > 0, "mesh: no devices along {name}");
            assert!(mesh.length(name).is_none(), "mesh: two axes {name}");
            mesh.0.push((name.into(), length));
        }
        mesh
    }

    /// The devices along one axis, if there is such an axis.
    #[must_use]
    pub fn length(&self, axis: &str) -> Option<usize> {
        let found = self.0.iter().find(|(name, _)| name == axis);
        found.map(|(_, length)| *length)
    }

    /// The devices that differ in some axes: 1 for none. **Panics** if there is no such axis.
    #[must_use]
    #[track_caller]
    pub fn devices<'a>(&self, axes: impl IntoIterator<Item = &'a str>) -> usize {
        let length = |axis: &str| match self.length(axis) {
            Some(length) => length,
            None => panic!("mesh: no axis {axis}"),
        };
        axes.into_iter().map(length).product()
    }
}

/// Which axis of a mesh each dimension of an array is cut along; `None` for one that is whole on each device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout(pub(super) Vec<Option<String>>);

impl Layout {
    /// One entry for each dimension.
    #[must_use]
    pub fn new<'a>(axes: impl IntoIterator<Item = Option<&'a str>>) -> Self {
        let axes = axes.into_iter();
        Self(axes.map(|axis| axis.map(str::to_owned)).collect())
    }

    /// The shape of each shard of an array.
    ///
    /// # Errors
    /// [`Misplaced`] if the array has another number of dimensions, the mesh lacks an axis, or a length is no multiple of that of the
    /// axis.
    pub fn local(&self, shape: &[usize], mesh: &Mesh) -> Result<Vec<usize>, Misplaced> {
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
    /// A length is no multiple of the devices it is cut for.
    NotDivisible {
        /// The length.
        length: usize,
        /// The devices.
        devices: usize,
    },
    /// Two operands cut one factor along two axes.
    Disagreement {
        /// The factor.
        factor: String,
        /// The axes.
        axes: [String; 2],
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
            Misplaced::NotDivisible { length, devices } => {
                write!(
                    f,
                    "length {length} is not divisible among {devices} devices"
                )
            }
            Misplaced::Disagreement {
                factor,
                axes: [a, b],
            } => {
                write!(
                    f,
                    "{factor} is cut along {a} and along {b}: gather one of them"
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
        let elsewhere = Layout::new([Some("tp")]).local(&[8], &mesh);
        assert_eq!(elsewhere, Err(Misplaced::NoAxis("tp".into())));
    }

    #[test]
    #[should_panic(expected = "mesh: two axes dp")]
    fn axes_have_names_of_their_own() {
        let _ = Mesh::new([("dp", 2), ("dp", 3)]);
    }
}
