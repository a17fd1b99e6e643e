//! Names for the entries of a flat vector.
//!
//! The reference is computed on flat vectors; a message speaks of `x[1, 2]`. A [`Layout`] lists the
//! arguments in the order in which they were flattened.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// One argument inside a flat vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    name: Arc<str>,
    shape: Arc<[usize]>,
    start: usize,
}

impl Block {
    /// An argument that fills a flat vector alone; `&[]` is the shape of a scalar.
    pub fn alone(name: impl Into<Arc<str>>, shape: &[usize]) -> Self {
        Block {
            name: name.into(),
            shape: shape.into(),
            start: 0,
        }
    }

    /// The argument's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The argument's shape; empty for a scalar.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Where the argument's entries lie in the flat vector, in row-major order.
    pub fn range(&self) -> Range<usize> {
        self.start..self.start + self.shape.iter().product::<usize>()
    }

    /// The name of the entry at `offset` from the block's start, in row-major order.
    pub fn place(&self, offset: usize) -> Place {
        let mut rest = offset;
        let mut index: Vec<_> = self
            .shape
            .iter()
            .rev()
            .map(|&extent| {
                let along = rest % extent;
                rest /= extent;
                along
            })
            .collect();
        index.reverse();
        Place {
            argument: self.name.to_string(),
            index,
        }
    }
}

/// The arguments of a flat vector, in order.
///
/// ```
/// use coenzyme_testutils::Layout;
///
/// let layout = Layout::new().with("a", &[2, 3]).with("s", &[]);
/// assert_eq!(layout.len(), 7);
/// assert_eq!(layout.place(5).to_string(), "a[1, 2]");
/// assert_eq!(layout.place(6).to_string(), "s");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    blocks: Vec<Block>,
}

impl Layout {
    /// A layout of no arguments.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an argument of the given shape; `&[]` is a scalar.
    #[must_use]
    pub fn with(mut self, name: impl Into<Arc<str>>, shape: &[usize]) -> Self {
        let (name, shape, start) = (name.into(), shape.into(), self.len());
        self.blocks.push(Block { name, shape, start });
        self
    }

    /// The length of the flat vector.
    pub fn len(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.range().end)
    }

    /// Whether the flat vector has no entries.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The arguments, in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// The argument called `name`.
    pub fn block(&self, name: &str) -> Option<&Block> {
        self.blocks.iter().find(|block| &*block.name == name)
    }

    /// The name of the entry number `flat`.
    ///
    /// **Panics** if the vector has no such entry.
    #[track_caller]
    pub fn place(&self, flat: usize) -> Place {
        self.blocks
            .iter()
            .find(|block| block.range().contains(&flat))
            .map(|block| block.place(flat - block.start))
            .unwrap_or_else(|| panic!("entry {flat} of a vector of length {}", self.len()))
    }
}

/// One entry of an argument, as a person would write it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The argument.
    pub argument: String,
    /// The index in it; empty for a scalar.
    pub index: Vec<usize>,
}

impl Place {
    /// Where it stands in an array of this shape, in row-major order.
    pub(crate) fn offset(&self, shape: &[usize]) -> usize {
        let axes = self.index.iter().zip(shape);
        axes.fold(0, |offset, (index, extent)| offset * extent + index)
    }

    /// The index in brackets, or nothing for a scalar.
    pub fn subscript(&self) -> String {
        match self.index.as_slice() {
            [] => String::new(),
            index => format!("{index:?}"),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.argument, self.subscript())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_arguments_take_no_place() {
        let layout = Layout::new().with("a", &[0, 4]).with("b", &[2]);
        assert_eq!(layout.block("a").unwrap().range(), 0..0);
        assert_eq!(layout.place(0).to_string(), "b[0]");
        assert!(Layout::new().is_empty() && layout.block("c").is_none());
    }

    #[test]
    fn places_count_in_row_major_order() {
        let layout = Layout::new().with("t", &[2, 3, 4]);
        let places: Vec<_> = (0..layout.len()).map(|i| layout.place(i).index).collect();
        assert!(places.is_sorted());
        assert_eq!(places[23], [1, 2, 3]);
        assert!((0..24).all(|i| layout.place(i).offset(&[2, 3, 4]) == i));
    }

    #[test]
    #[should_panic = "entry 2 of a vector of length 2"]
    fn place_past_the_end_is_refused() {
        Layout::new().with("x", &[2]).place(2);
    }
}
