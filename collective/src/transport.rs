//! What carries the data of ranks: threads of one process, or MPI.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use num_traits::{Float, NumAssign};

use crate::{CommError, Element};

/// How the entries of several ranks become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// `Σ xᵣ`, added in the order of ranks on a [`LocalMesh`](crate::LocalMesh).
    Sum,
    /// `max xᵣ`
    Max,
    /// `min xᵣ`
    Min,
    /// `Π xᵣ`
    Prod,
}

impl Op {
    /// `y ← y ∘ x`, entry by entry.
    pub fn fold<E: Wire>(self, y: &mut [E], x: &[E]) {
        let pairs = y.iter_mut().zip(x);
        match self {
            Op::Sum => pairs.for_each(|(y, x)| *y += *x),
            Op::Max => pairs.for_each(|(y, x)| *y = y.max(*x)),
            Op::Min => pairs.for_each(|(y, x)| *y = y.min(*x)),
            Op::Prod => pairs.for_each(|(y, x)| *y *= *x),
        }
    }
}

/// A number as transports carry it: `f64` or `f32`. What programs send are [`Element`]s, which consist of them.
pub trait Wire: Float + NumAssign + Default + Send + Sync + fmt::Debug + 'static {
    /// Its name.
    const NAME: &'static str;

    /// What carries such numbers.
    fn carried_by(transport: &dyn Transport) -> &dyn Carries<Self>;

    /// Appends the bytes, in the order of this machine.
    fn write(self, bytes: &mut Vec<u8>);

    /// From its bytes. **Panics** if there are more or fewer.
    fn read(bytes: &[u8]) -> Self;
}

macro_rules! wire {
    ($($t:ident)*) => {$(
        impl Wire for $t {
            const NAME: &'static str = stringify!($t);

            fn carried_by(transport: &dyn Transport) -> &dyn Carries<$t> {
                transport
            }
            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend(self.to_ne_bytes());
            }
            fn read(bytes: &[u8]) -> $t {
                $t::from_ne_bytes(bytes.try_into().expect("the bytes of one number"))
            }
        }
    )*};
}

wire!(f64 f32);

/// What a rank says about a collective call before it takes part: the ranks of a communicator must say the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The function.
    pub name: Cow<'static, str>,
    /// Its root, if it has one.
    pub root: Option<usize>,
    /// The lengths that all ranks must know.
    pub counts: Vec<usize>,
    /// The numbers, by name.
    pub of: Cow<'static, str>,
}

impl Call {
    /// A call that is described by one length.
    #[must_use]
    pub fn new(name: impl Into<Cow<'static, str>>, length: usize) -> Self {
        Self::counts(name, &[length])
    }

    /// A call that is described by several lengths.
    #[must_use]
    pub fn counts(name: impl Into<Cow<'static, str>>, counts: &[usize]) -> Self {
        Self {
            name: name.into(),
            root: None,
            counts: counts.to_vec(),
            of: f64::NAME.into(),
        }
    }

    /// The same with other numbers than `f64`.
    #[must_use]
    pub fn of<T: Element>(self) -> Self {
        let of = T::name();
        Self { of, ..self }
    }

    /// The same with a root.
    #[must_use]
    pub fn at(self, root: usize) -> Self {
        let root = Some(root);
        Self { root, ..self }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}(", self.name)?;
        if let Some(root) = self.root {
            write!(f, "root {root}, ")?;
        }
        match &self.counts[..] {
            [length] => write!(f, "length {length}")?,
            counts => write!(f, "counts {counts:?}")?,
        }
        if self.of != f64::NAME {
            write!(f, " of {}", self.of)?;
        }
        write!(f, ")")
    }
}

/// Which pass a message between two ranks belongs to. Messages of different channels never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Channel {
    /// The program's own.
    Primal,
    /// Tangents, in forward mode.
    Tangent,
    /// Cotangents, in reverse mode: against the program's direction.
    Adjoint,
    /// Parts of sums that are begun and ended apart, of any pass.
    Sums,
}

/// The other end of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Route {
    /// Which pass it belongs to.
    pub channel: Channel,
    /// The other rank.
    pub peer: usize,
    /// Tells apart messages between two ranks. Not negative.
    pub tag: i32,
}

/// What a rank has sent for and received; what it sends itself is not received. Collectives are counted as the ring, the tree or the chain that
/// [`Collective`](crate::shards::Collective) describes; what ranks say to each other to find mistakes is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Calls of communicating functions, in any pass.
    pub calls: usize,
    /// Messages that this rank has received.
    pub messages: usize,
    /// Their bytes.
    pub bytes: usize,
}

impl std::ops::AddAssign for Traffic {
    fn add_assign(&mut self, other: Self) {
        self.calls += other.calls;
        self.messages += other.messages;
        self.bytes += other.bytes;
    }
}

impl std::ops::Sub for Traffic {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            calls: self.calls - other.calls,
            messages: self.messages - other.messages,
            bytes: self.bytes - other.bytes,
        }
    }
}

/// The connection of one rank with the others of its communicator.
///
/// Arguments have been looked at before: roots exist, lengths are those that counts say. Each rank gives the same [`Call`] to a
/// collective; a transport that finds that they differ says so on every rank before it changes a buffer.
#[allow(clippy::missing_errors_doc)] // all fail as `CommError` says
pub trait Transport: Carries<f64> + Carries<f32> {
    /// This rank.
    fn rank(&self) -> usize;
    /// The number of ranks.
    fn size(&self) -> usize;
    /// The number of a rank in the world.
    fn in_world(&self, rank: usize) -> usize;
    /// How long a rank waits.
    fn timeout(&self) -> Duration;
    /// Whether calls are compared between ranks.
    fn compares_calls(&self) -> bool;
    /// What this rank has sent for, in all of its communicators.
    fn traffic(&self) -> Traffic;
    /// How many sums were begun on this communicator before this one: the same on all ranks, which begin them in one order.
    fn next_sum(&self) -> i32;

    /// Waits for all ranks, and compares their calls.
    fn barrier(&self, call: &Call) -> Result<(), CommError>;
}

/// The ways of numbers of one kind between ranks. As a [`Transport`], it looks at calls before it changes a buffer.
///
/// `x` and `y` have as many entries as the lengths say; a [`Call`] that counts dual numbers has fewer.
#[allow(clippy::missing_errors_doc)] // all fail as `CommError` says
pub trait Carries<E> {
    /// `y = ⊕ xᵣ` on each rank.
    fn all_reduce(&self, call: &Call, op: Op, x: &[E], y: &mut [E]) -> Result<(), CommError>;
    /// `y = [x₀, x₁, …]` on each rank, where `xᵣ` has `counts[r]` entries.
    fn all_gather(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError>;
    /// `y` is block `rank` of `Σ xᵣ`, whose blocks have `counts` entries.
    fn reduce_scatter(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError>;
    /// `y = [block rank of x₀, block rank of x₁, …]`, where rank `s` has `counts[s·n + d]` entries for rank `d`.
    fn all_to_all(
        &self,
        call: &Call,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError>;
    /// `x` becomes that of the root.
    fn broadcast(&self, call: &Call, root: usize, x: &mut [E]) -> Result<(), CommError>;
    /// `y = Σ xᵣ` on the root; `y` is empty elsewhere.
    fn reduce(&self, call: &Call, root: usize, x: &[E], y: &mut [E]) -> Result<(), CommError>;
    /// `y = [x₀, x₁, …]` on the root; `y` is empty elsewhere.
    fn gather(
        &self,
        call: &Call,
        root: usize,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError>;
    /// `y` is block `rank` of the root's `x`, which is empty elsewhere.
    fn scatter(
        &self,
        call: &Call,
        root: usize,
        x: &[E],
        counts: &[usize],
        y: &mut [E],
    ) -> Result<(), CommError>;
    /// `y = Σ xₛ` over the ranks `s` before this one (after it, if `backwards`), and this one if `inclusive`.
    fn scan(
        &self,
        call: &Call,
        inclusive: bool,
        backwards: bool,
        x: &[E],
        y: &mut [E],
    ) -> Result<(), CommError>;

    /// Sends `x` with a flag; may wait until it is received.
    fn send(&self, route: Route, flag: bool, x: &[E]) -> Result<(), CommError>;
    /// Receives `x` and its flag.
    fn recv(&self, route: Route, x: &mut [E]) -> Result<bool, CommError>;
    /// Sends a copy of `x` with a flag, and waits for nobody.
    fn start(&self, route: Route, flag: bool, x: &[E]) -> Result<(), CommError>;
}
