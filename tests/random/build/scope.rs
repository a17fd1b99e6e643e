//! Which names there are, and what may be done with them.

/// How many entries every array has.
pub(crate) const LENGTH: usize = 6;

/// The names of a block.
#[derive(Clone, Default)]
pub(crate) struct Scope {
    /// Numbers, as expressions.
    pub(crate) numbers: Vec<String>,
    /// Numbers that can be changed.
    pub(crate) variables: Vec<String>,
    /// Arrays that can be changed.
    pub(crate) arrays: Vec<String>,
    /// Arrays that are lent, and can be read.
    pub(crate) lent: Vec<String>,
    /// Variables of loops, with the smallest and the largest value.
    pub(crate) indices: Vec<(String, usize, usize)>,
}

impl Scope {
    /// Everything that has a value.
    pub(crate) fn readable_numbers(&self) -> Vec<String> {
        [&self.numbers[..], &self.variables].concat()
    }

    pub(crate) fn readable_arrays(&self) -> Vec<String> {
        [&self.arrays[..], &self.lent].concat()
    }

    /// Takes an array out of reach of writes.
    pub(crate) fn lend(&mut self, array: &str) {
        self.arrays.retain(|name| name != array);
        self.lent.push(array.into());
    }
}
