//! Grids of ranks.

/// Ranks in a grid with named axes. The last axis is the fastest: on `dp = 2, tp = 4` ranks 0 to 3 differ along `tp`.
///
/// ```
/// use coenzyme_collective::Mesh;
///
/// let mesh = Mesh::new([("dp", 2), ("tp", 4)]);
/// assert_eq!((mesh.length("tp"), mesh.devices(["dp", "tp"])), (Some(4), 8));
/// assert_eq!(mesh.coordinates(6), [1, 2]);
/// assert_eq!(mesh.group(6, &["dp"]), Some(vec![2, 6]));
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

    /// The names of the axes.
    pub fn axes(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    /// How many ranks there are: 1 without axes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.iter().map(|(_, length)| length).product()
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

    /// Where a rank is along each axis. **Panics** if there is no such rank.
    #[must_use]
    #[track_caller]
    pub fn coordinates(&self, rank: usize) -> Vec<usize> {
        assert!(
            rank < self.size(),
            "mesh: no rank {rank} among {}",
            self.size()
        );
        let mut rest = rank;
        let mut of = vec![0; self.0.len()];
        for (at, (_, length)) in of.iter_mut().zip(&self.0).rev() {
            (*at, rest) = (rest % length, rest / length);
        }
        of
    }

    /// The ranks that differ from `rank` along some axes at most, in ascending order; none if there is no such axis.
    #[must_use]
    pub fn group(&self, rank: usize, axes: &[&str]) -> Option<Vec<usize>> {
        if !axes.iter().all(|axis| self.length(axis).is_some()) {
            return None;
        }
        let here = self.coordinates(rank);
        let fixed = |other: &usize| {
            let there = self.coordinates(*other);
            let mut along = self.0.iter().zip(here.iter().zip(&there));
            along.all(|((name, _), (a, b))| a == b || axes.contains(&&**name))
        };
        Some((0..self.size()).filter(fixed).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "mesh: two axes dp")]
    fn axes_have_names_of_their_own() {
        let _ = Mesh::new([("dp", 2), ("dp", 3)]);
    }

    #[test]
    fn groups_along_an_axis_cut_the_mesh_in_lines() {
        let mesh = Mesh::new([("dp", 2), ("pp", 2), ("tp", 3)]);
        assert_eq!(mesh.group(7, &["tp"]), Some(vec![6, 7, 8]));
        assert_eq!(mesh.group(7, &["pp"]), Some(vec![7, 10]));
        assert_eq!(mesh.group(7, &["dp", "tp"]), Some(vec![0, 1, 2, 6, 7, 8]));
        assert_eq!(mesh.group(7, &[]), Some(vec![7]));
        assert_eq!(mesh.group(7, &["xp"]), None);
    }
}
