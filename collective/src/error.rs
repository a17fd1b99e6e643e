//! What can go wrong between ranks.

use std::fmt;
use std::time::Duration;

/// Why ranks cannot go on together. Ranks are named by their number in the world.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CommError {
    /// A rank has returned an error or panicked, and the others cannot go on without it.
    Failed {
        /// The rank.
        rank: usize,
        /// What it said.
        why: String,
    },
    /// A rank has returned while another waits for it.
    Left {
        /// The rank that has returned.
        rank: usize,
        /// What it is wanted for.
        call: String,
    },
    /// Nothing came within the time-out.
    TimedOut {
        /// The rank that waited.
        rank: usize,
        /// In which call.
        call: String,
        /// The ranks it waited for.
        missing: Vec<usize>,
        /// How long.
        after: Duration,
    },
    /// Two ranks make different calls at the same point of the program.
    Mismatch {
        /// Two ranks.
        ranks: [usize; 2],
        /// Their calls.
        calls: [String; 2],
    },
    /// There is no such rank.
    NoRank {
        /// The rank.
        rank: usize,
        /// How many there are.
        size: usize,
    },
    /// Tags are not negative.
    Tag(i32),
    /// A length that is to be cut in equal parts is no multiple of the number of ranks.
    NotDivisible {
        /// The length.
        length: usize,
        /// The ranks.
        ranks: usize,
    },
    /// A value that is to be equal on all ranks is not.
    NotReplicated,
    /// More entries than the backend can count.
    TooLong(usize),
    /// Other lengths than the call says.
    Lengths {
        /// The call.
        call: &'static str,
        /// What it says.
        expected: usize,
        /// What is there.
        found: usize,
    },
    /// A message of other numbers than are received.
    Numbers {
        /// What is received.
        expected: &'static str,
        /// What was sent.
        found: &'static str,
    },
    /// Two messages of a permutation come from one rank, or go to one.
    NotAPermutation(usize),
    /// The mesh has no such axis.
    NoAxis(String),
    /// A mesh of another size than the world that it is laid on.
    WorldSize {
        /// Ranks of the mesh.
        mesh: usize,
        /// Ranks of the world.
        world: usize,
    },
}

impl CommError {
    /// The same, in the call that a user knows.
    pub(crate) fn in_call(self, name: String) -> Self {
        match self {
            CommError::Left { rank, .. } => CommError::Left { rank, call: name },
            CommError::TimedOut {
                rank,
                missing,
                after,
                ..
            } => CommError::TimedOut {
                rank,
                call: name,
                missing,
                after,
            },
            other => other,
        }
    }
}

impl fmt::Display for CommError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CommError::Failed { rank, why } => write!(f, "rank {rank} failed: {why}"),
            CommError::Left { rank, call } => {
                write!(
                    f,
                    "rank {rank} has returned, and others wait for it in {call}"
                )
            }
            CommError::TimedOut {
                rank,
                call,
                missing,
                after,
            } => write!(
                f,
                "rank {rank} waited {after:?} in {call} for ranks {missing:?}"
            ),
            CommError::Mismatch {
                ranks: [a, b],
                calls: [x, y],
            } => write!(f, "rank {a} calls {x}, rank {b} calls {y}"),
            CommError::NoRank { rank, size } => write!(f, "no rank {rank} among {size}"),
            CommError::Tag(tag) => write!(f, "tag {tag} is negative"),
            CommError::NotDivisible { length, ranks } => {
                write!(f, "length {length} is not divisible among {ranks} ranks")
            }
            CommError::NotReplicated => write!(f, "a replicated value differs between ranks"),
            CommError::TooLong(length) => write!(f, "{length} entries are too many for one call"),
            CommError::Lengths {
                call,
                expected,
                found,
            } => write!(f, "{call}: {expected} entries expected, {found} found"),
            CommError::Numbers { expected, found } => {
                write!(f, "recv: numbers {expected} expected, {found} found")
            }
            CommError::NotAPermutation(rank) => {
                write!(f, "permute: rank {rank} sends or receives twice")
            }
            CommError::NoAxis(axis) => write!(f, "no axis {axis} in the mesh"),
            CommError::WorldSize { mesh, world } => {
                write!(f, "a mesh of {mesh} ranks on a world of {world}")
            }
        }
    }
}

impl std::error::Error for CommError {}
