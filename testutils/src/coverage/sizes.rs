//! The sizes that an author gives: how they are called, and beside which of them others are tried.

use std::collections::BTreeSet;
use std::fmt::Debug;

/// A size in an id: only characters that a shell leaves alone. `()`, of tests without sizes, stays what it is.
pub fn label_of_size(size: &dyn Debug) -> String {
    let text = format!("{size:?}");
    if text == "()" {
        return text;
    }
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '-');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    words.join("_")
}

/// The sizes that were given, and the number of that beside which others are tried.
pub fn all_sizes<S: Debug>(given: impl IntoIterator<Item = S>) -> (Vec<S>, usize) {
    let sizes: Vec<S> = given.into_iter().collect();
    let general = most_general(&sizes);
    (sizes, general)
}

/// Which of some sizes stands for all: that of the most different extents, for an extent that is twice the same is so by accident;
/// of several such that of the largest. Sizes that were not given are tried beside this one.
fn most_general<S: Debug>(sizes: &[S]) -> usize {
    let generality = |size: &S| {
        let label = label_of_size(size);
        let extents = label.split('_').filter_map(|word| word.parse::<u64>().ok());
        let extents: BTreeSet<u64> = extents.filter(|extent| *extent > 0).collect();
        (extents.len(), extents.last().copied())
    };
    let sizes = sizes.iter().enumerate();
    sizes
        .max_by_key(|(number, size)| (generality(size), std::cmp::Reverse(*number)))
        .map_or(0, |(number, _)| number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_called_by_their_numbers() {
        assert_eq!(label_of_size(&5), "5");
        assert_eq!(label_of_size(&([2, 3], [3, -4])), "2_3_3_-4");
        assert_eq!(label_of_size(&()), "()");
    }

    #[test]
    fn different_extents_stand_for_equal_ones_and_large_ones_for_small_ones() {
        assert_eq!(most_general(&[0, 1, 5]), 2);
        assert_eq!(
            most_general(&[([2, 2], [2]), ([3, 4], [4]), ([2, 3], [3])]),
            1
        );
        assert_eq!(most_general(&[()]), 0);
    }
}
