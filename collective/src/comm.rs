//! Communicators.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;

use crate::CommError;
use crate::local::shares;
use crate::point::point;
use crate::transport::{Call, Op, Route, Traffic, Transport};

/// Ranks that communicate with each other. As an argument of a differentiated function it is inactive.
///
/// Before anything is sent, lengths, roots and tags are looked at; on a [`LocalMesh`](crate::LocalMesh), and in debug builds on MPI,
/// the ranks also compare their calls.
#[derive(Clone)]
pub struct Comm {
    transport: Rc<dyn Transport>,
    /// Whether ranks compare what is active.
    compares_activities: bool,
}

/// An axis of a mesh that types know.
///
/// ```
/// use coenzyme_collective::Axis;
///
/// /// Tensor parallelism.
/// struct Tp;
/// impl Axis for Tp {
///     const NAME: &'static str = "tp";
/// }
/// ```
pub trait Axis: 'static {
    /// Its name in the [`Mesh`](crate::Mesh).
    const NAME: &'static str;
}

/// The only axis of a mesh that has one, as [`LocalMesh::of`](crate::LocalMesh::of) makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranks;

impl Axis for Ranks {
    const NAME: &'static str = "ranks";
}

/// The communicator along the axis `A`.
pub struct Along<A = Ranks>(Comm, PhantomData<A>);

impl<A> Along<A> {
    /// The ranks of a communicator as the axis `A`, if the program knows better than the mesh: a rank alone, two axes together.
    #[must_use]
    pub fn over(comm: Comm) -> Self {
        Self(comm, PhantomData)
    }
}

impl<A> Clone for Along<A> {
    fn clone(&self) -> Self {
        Self::over(self.0.clone())
    }
}

impl<A> Deref for Along<A> {
    type Target = Comm;

    fn deref(&self) -> &Comm {
        &self.0
    }
}

impl fmt::Debug for Comm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Comm(rank {} of {})", self.rank(), self.size())
    }
}

point!([] Comm);
point!([A] Along<A>);

/// What communication returns.
pub(crate) type Received = Result<Vec<f64>, CommError>;

/// What differentiated functions may ask, and has no derivative.
#[coenzyme::inactive]
impl Comm {
    /// This rank.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.transport.rank()
    }

    /// The number of ranks.
    #[must_use]
    pub fn size(&self) -> usize {
        self.transport.size()
    }

    /// Waits for all ranks.
    ///
    /// # Errors
    /// As [`CommError`] says.
    pub fn barrier(&self) -> Result<(), CommError> {
        self.transport.barrier(&Call::new("barrier", 0))
    }
}

impl Comm {
    /// Over a transport.
    #[must_use]
    pub fn new(transport: Rc<dyn Transport>) -> Self {
        Self {
            compares_activities: cfg!(debug_assertions),
            transport,
        }
    }

    /// Whether the ranks compare at each call which of them differentiate it, so that no rank waits for a cotangent that another does
    /// not send. They do in debug builds; it costs a meeting a call.
    #[must_use]
    pub fn comparing_activities(self, compares_activities: bool) -> Self {
        Self {
            compares_activities,
            ..self
        }
    }

    /// What this rank has sent for, in all of its communicators.
    #[must_use]
    pub fn traffic(&self) -> Traffic {
        self.transport.traffic()
    }

    /// All ranks differentiate this call, or none does.
    pub(crate) fn agree(&self, name: &'static str, active: bool) -> Result<(), CommError> {
        if !self.compares_activities {
            return Ok(());
        }
        let name = if active { "active" } else { "inactive" }.to_owned() + " " + name;
        self.transport.barrier(&Call::new(name, 0))
    }

    pub(crate) fn all_reduce(&self, op: Op, x: &[f64]) -> Received {
        let mut y = vec![0.0; x.len()];
        self.all_reduce_into(op, x, &mut y)?;
        Ok(y)
    }

    /// `y = ⊕ xᵣ`, without a derivative and without an allocation: for buffers that are used again.
    ///
    /// # Errors
    /// As [`CommError`] says.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn all_reduce_into(&self, op: Op, x: &[f64], y: &mut [f64]) -> Result<(), CommError> {
        assert_eq!(
            x.len(),
            y.len(),
            "all_reduce_into: buffers of different lengths"
        );
        let name = match op {
            Op::Sum => "all_reduce",
            Op::Max => "all_reduce_max",
            Op::Min => "all_reduce_min",
            Op::Prod => "all_reduce_prod",
        };
        self.transport
            .all_reduce(&Call::new(name, x.len()), op, x, y)
    }

    pub(crate) fn all_gather(&self, counts: &[usize], x: &[f64]) -> Received {
        self.fits("all_gather", counts[self.rank()], x)?;
        let mut y = vec![0.0; counts.iter().sum()];
        let call = Call::counts("all_gather", counts);
        self.transport.all_gather(&call, x, counts, &mut y)?;
        Ok(y)
    }

    pub(crate) fn reduce_scatter(&self, counts: &[usize], x: &[f64]) -> Received {
        self.fits("reduce_scatter", counts.iter().sum(), x)?;
        let mut y = vec![0.0; counts[self.rank()]];
        let call = Call::counts("reduce_scatter", counts);
        self.transport.reduce_scatter(&call, x, counts, &mut y)?;
        Ok(y)
    }

    pub(crate) fn all_to_all(&self, counts: &[usize], x: &[f64]) -> Received {
        let (n, me) = (self.size(), self.rank());
        self.fits("all_to_all", counts[me * n..][..n].iter().sum(), x)?;
        let mut y = vec![0.0; (0..n).map(|from| counts[from * n + me]).sum()];
        let call = Call::counts("all_to_all", counts);
        self.transport.all_to_all(&call, x, counts, &mut y)?;
        Ok(y)
    }

    pub(crate) fn broadcast(&self, root: usize, x: &[f64]) -> Received {
        self.exists(root)?;
        let mut y = x.to_vec();
        let call = Call::new("broadcast", x.len()).at(root);
        self.transport.broadcast(&call, root, &mut y)?;
        Ok(y)
    }

    pub(crate) fn reduce(&self, root: usize, x: &[f64]) -> Received {
        self.exists(root)?;
        let mut y = vec![0.0; if self.rank() == root { x.len() } else { 0 }];
        let call = Call::new("reduce", x.len()).at(root);
        self.transport.reduce(&call, root, x, &mut y)?;
        Ok(y)
    }

    pub(crate) fn gather(&self, root: usize, counts: &[usize], x: &[f64]) -> Received {
        self.exists(root)?;
        self.fits("gather", counts[self.rank()], x)?;
        let whole = if self.rank() == root {
            counts.iter().sum()
        } else {
            0
        };
        let mut y = vec![0.0; whole];
        let call = Call::counts("gather", counts).at(root);
        self.transport.gather(&call, root, x, counts, &mut y)?;
        Ok(y)
    }

    /// `x` is read on the root alone.
    pub(crate) fn scatter(&self, root: usize, counts: &[usize], x: &[f64]) -> Received {
        self.exists(root)?;
        let at_root = self.rank() == root;
        let x = if at_root { x } else { &[] };
        if at_root {
            self.fits("scatter", counts.iter().sum(), x)?;
        }
        let mut y = vec![0.0; counts[self.rank()]];
        let call = Call::counts("scatter", counts).at(root);
        self.transport.scatter(&call, root, x, counts, &mut y)?;
        Ok(y)
    }

    pub(crate) fn scan(&self, inclusive: bool, backwards: bool, x: &[f64]) -> Received {
        let mut y = vec![0.0; x.len()];
        let name = if inclusive { "scan" } else { "exscan" };
        let call = Call::new(name, x.len());
        self.transport
            .scan(&call, inclusive, backwards, x, &mut y)?;
        Ok(y)
    }

    pub(crate) fn send(&self, route: Route, flag: bool, x: &[f64]) -> Result<(), CommError> {
        self.leads_somewhere(route)?;
        self.transport.send(route, flag, x)
    }

    pub(crate) fn recv(&self, route: Route, x: &mut [f64]) -> Result<bool, CommError> {
        self.leads_somewhere(route)?;
        self.transport.recv(route, x)
    }

    /// Sends a copy, and waits for nobody.
    pub(crate) fn start(&self, route: Route, flag: bool, x: &[f64]) -> Result<(), CommError> {
        self.leads_somewhere(route)?;
        self.transport.start(route, flag, x)
    }

    /// Sends and receives at once, without waiting for the one before the other. A side that is missing does nothing.
    pub(crate) fn send_recv(
        &self,
        to: Option<Route>,
        flag: bool,
        x: &[f64],
        from: Option<Route>,
        y: &mut [f64],
    ) -> Result<bool, CommError> {
        for route in [to, from].into_iter().flatten() {
            self.leads_somewhere(route)?;
        }
        if let Some(to) = to {
            self.transport.start(to, flag, x)?;
        }
        from.map_or(Ok(false), |from| self.transport.recv(from, y))
    }

    /// All ranks make this call.
    pub(crate) fn same_call(
        &self,
        name: &'static str,
        length: usize,
        told: &[usize],
    ) -> Result<(), CommError> {
        if !self.transport.compares_calls() {
            return Ok(());
        }
        let counts = [&[length], told].concat();
        self.transport.barrier(&Call::counts(name, &counts))
    }

    /// `n` equal parts of a length.
    pub(crate) fn equal_parts(&self, length: usize) -> Result<Vec<usize>, CommError> {
        let ranks = self.size();
        if !length.is_multiple_of(ranks) {
            return Err(CommError::NotDivisible { length, ranks });
        }
        Ok(shares(length, ranks))
    }

    /// The lengths that all ranks must know are as many as there are pairs or ranks.
    pub(crate) fn counted<'a>(
        &self,
        call: &'static str,
        expected: usize,
        counts: &'a [usize],
    ) -> Result<&'a [usize], CommError> {
        match counts.len() {
            found if found == expected => Ok(counts),
            found => Err(CommError::Lengths {
                call,
                expected,
                found,
            }),
        }
    }

    fn fits(&self, call: &'static str, expected: usize, x: &[f64]) -> Result<(), CommError> {
        match x.len() {
            found if found == expected => Ok(()),
            found => Err(CommError::Lengths {
                call,
                expected,
                found,
            }),
        }
    }

    pub(crate) fn exists(&self, rank: usize) -> Result<(), CommError> {
        match self.size() {
            size if rank < size => Ok(()),
            size => Err(CommError::NoRank { rank, size }),
        }
    }

    pub(crate) fn leads_somewhere(&self, route: Route) -> Result<(), CommError> {
        self.exists(route.peer)?;
        if route.tag < 0 {
            return Err(CommError::Tag(route.tag));
        }
        Ok(())
    }
}
