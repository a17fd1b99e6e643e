//! Collectives between values of the ranks that stay independent: as in [`per_rank`](crate::per_rank), along an axis.

use super::markers::Varying;
use super::rule::typed;
use crate::comm::Received;
use crate::per_rank;
use crate::per_rank::linear::Linear;
use crate::{Comm, Element};

/// A [`Linear`] map with its transpose.
macro_rules! blocks {
    ($($(#[$doc:meta])* $f:ident($($p:ident: $a:ty = $P:ident $t:ty: $i:literal),*);)*) => {$(
        typed! {
            $(#[$doc])*
            $f(Varying $(, $p: $a = $P $t: $i)*) -> Varying,
            |comm, x| <per_rank::$f as Linear>::apply(comm, ($($p,)*), x),
            |comm, dy, length| <per_rank::$f as Linear>::transpose(comm, ($($p,)*), dy, length)
        }
    )*};
}

blocks! {
    /// `[block rank of x₀, block rank of x₁, …]`. Its own transpose.
    all_to_all();
    /// [`all_to_all()`] of `counts[s·n + d]` entries from rank `s` to rank `d`. The transpose is the same, lengths turned round.
    all_to_all_v(counts: &[usize] = Counts [usize]: 1);
    /// `x` goes from the first to the second rank of each pair; zeros where nothing goes to. The transpose turns the pairs round.
    permute(pairs: &[(usize, usize)] = Pairs [(usize, usize)]: 1);
    /// `[x₀, x₁, …]` on the root; nothing elsewhere. The transpose is [`scatter()`].
    gather(root: usize = Root usize: 1);
    /// [`gather()`] of `counts[r]` entries from rank `r`. The transpose is [`scatter_v()`].
    gather_v(root: usize = Root usize: 1, counts: &[usize] = Counts [usize]: 2);
    /// Block `rank` of the root's `x`, which has `each` entries for each rank. The transpose is [`gather()`].
    scatter(root: usize = Root usize: 1, each: usize = Each usize: 2);
    /// [`scatter()`] of `counts[r]` entries to rank `r`. The transpose is [`gather_v()`].
    scatter_v(root: usize = Root usize: 1, counts: &[usize] = Counts [usize]: 2);
    /// `x₀ + … + x_rank`. The transpose is the scan from the other end.
    scan();
    /// `x₀ + … + x₍rank₋₁₎`, zero on rank 0. The transpose is that from the other end.
    exscan();
}
