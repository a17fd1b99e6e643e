//! Communicators.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::rc::Rc;

use crate::given::Given;
use crate::local::shares;
use crate::point::point;
use crate::transport::{Call, Carries, Op, Route, Traffic, Transport, Wire};
use crate::{CommError, Element};

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

/// What differentiated functions may ask, as of [`Comm`].
#[coenzyme::inactive]
impl<A> Along<A> {
    /// This rank.
    #[must_use]
    pub fn rank(&self) -> usize {
        self.0.rank()
    }

    /// The number of ranks.
    #[must_use]
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// Waits for all ranks.
    ///
    /// # Errors
    /// As [`CommError`] says.
    pub fn barrier(&self) -> Result<(), CommError> {
        self.0.barrier()
    }

    /// `Σ nᵣ`, as [`Comm::count`].
    ///
    /// # Errors
    /// As [`CommError`] says.
    pub fn count(&self, n: usize) -> Result<usize, CommError> {
        self.0.count(n)
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

/// Ranks that communicate: a [`Comm`], or one [`Along`] an axis. No other type is.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no communicator",
    label = "ranks communicate over a `Comm`, or `Along` an axis"
)]
pub trait Ranked: Given + 'static {
    /// The communicator.
    fn comm(&self) -> &Comm {
        self.over()
    }
}

impl Ranked for Comm {}
impl<A: 'static> Ranked for Along<A> {}

/// Ranks along the axis `A`: an [`Along`] of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no communicator along an axis",
    label = "`Along<{A}>` is wanted",
    note = "`let along: Along<Tp> = process.axis()?` is the communicator along the axis `Tp` of a mesh, and `Along` alone that of a mesh with one axis",
    note = "`Along::<Tp>::over(comm)` says that the ranks of `comm` are those along `Tp`"
)]
pub trait OnAxis<A>: Ranked {}

impl<A: 'static> OnAxis<A> for Along<A> {}

/// What communication returns.
pub(crate) type Received<T> = Result<Vec<T>, CommError>;

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

    /// `Σ nᵣ`: how many there are in all of what each rank has so many. Exact to 2⁵³.
    ///
    /// ```
    /// use coenzyme::prelude::*;
    /// use coenzyme_collective::{Comm, CommError, LocalMesh};
    ///
    /// /// This rank's share of the mean of the squares of all ranks' numbers.
    /// #[differentiable]
    /// fn share(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    ///     let n = comm.count(x.len())?;
    ///     let mut sum = 0.0;
    ///     for i in 0..x.len() {
    ///         sum += x[i] * x[i];
    ///     }
    ///     Ok(sum / n as f64)
    /// }
    ///
    /// let gradients = LocalMesh::of(2).run(|process| {
    ///     let x = vec![2.0; 1 + 2 * process.rank()];
    ///     let mut dx = vec![0.0; x.len()];
    ///     autodiff!(Reverse, share, Const(process.world()), Duplicated(&x, &mut dx))?;
    ///     Ok::<_, CommError>(dx)
    /// })?;
    /// assert_eq!(gradients, [vec![1.0], vec![1.0; 3]]);
    /// # Ok::<(), CommError>(())
    /// ```
    ///
    /// # Errors
    /// As [`CommError`] says.
    pub fn count(&self, n: usize) -> Result<usize, CommError> {
        let mut sum = [0.0];
        let call = Call::new("count", 1);
        f64::carried_by(&*self.transport).all_reduce(&call, Op::Sum, &[n as f64], &mut sum)?;
        Ok(sum[0] as usize)
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

    /// The number of a sum that begins.
    pub(crate) fn next_sum(&self) -> i32 {
        self.transport.next_sum()
    }

    /// The number of a rank in the world.
    pub(crate) fn in_world(&self, rank: usize) -> usize {
        self.transport.in_world(rank)
    }

    /// All ranks differentiate this call, or none does.
    pub(crate) fn agree(&self, name: &'static str, active: bool) -> Result<(), CommError> {
        if !self.compares_activities {
            return Ok(());
        }
        let name = if active { "active" } else { "inactive" }.to_owned() + " " + name;
        self.transport.barrier(&Call::new(name, 0))
    }

    /// What carries the parts of these numbers.
    fn carries<T: Element>(&self) -> &dyn Carries<T::Wire> {
        T::Wire::carried_by(&*self.transport)
    }

    /// `⊕ xᵣ`, part by part: of dual numbers only sums are.
    pub(crate) fn all_reduce<T: Element>(&self, op: Op, x: &[T]) -> Received<T> {
        let mut y = buffer::<T>(x.len());
        let call = Call::new(name(op), x.len()).of::<T>();
        self.carries::<T>()
            .all_reduce(&call, op, &T::parts(x), &mut y)?;
        Ok(T::whole(y))
    }

    /// The largest or smallest of the values alone, for a call on these numbers.
    pub(crate) fn extreme<T: Element>(&self, op: Op, x: &[T::Wire]) -> Received<T::Wire> {
        let mut y = vec![T::Wire::default(); x.len()];
        let call = Call::new(name(op), x.len()).of::<T>();
        self.carries::<T>().all_reduce(&call, op, x, &mut y)?;
        Ok(y)
    }

    /// `y = ⊕ xᵣ`, without a derivative and without an allocation: for buffers that are used again.
    ///
    /// # Errors
    /// As [`CommError`] says.
    ///
    /// # Panics
    /// If the lengths differ.
    pub fn all_reduce_into<E: Wire + Element>(
        &self,
        op: Op,
        x: &[E],
        y: &mut [E],
    ) -> Result<(), CommError> {
        assert_eq!(
            x.len(),
            y.len(),
            "all_reduce_into: buffers of different lengths"
        );
        let call = Call::new(name(op), x.len()).of::<E>();
        E::carried_by(&*self.transport).all_reduce(&call, op, x, y)
    }

    pub(crate) fn all_gather<T: Element>(&self, counts: &[usize], x: &[T]) -> Received<T> {
        self.fits("all_gather", counts[self.rank()], x.len())?;
        let mut y = buffer::<T>(counts.iter().sum());
        let call = Call::counts("all_gather", counts).of::<T>();
        self.carries::<T>()
            .all_gather(&call, &T::parts(x), &parts::<T>(counts), &mut y)?;
        Ok(T::whole(y))
    }

    pub(crate) fn reduce_scatter<T: Element>(&self, counts: &[usize], x: &[T]) -> Received<T> {
        self.fits("reduce_scatter", counts.iter().sum(), x.len())?;
        let mut y = buffer::<T>(counts[self.rank()]);
        let call = Call::counts("reduce_scatter", counts).of::<T>();
        self.carries::<T>()
            .reduce_scatter(&call, &T::parts(x), &parts::<T>(counts), &mut y)?;
        Ok(T::whole(y))
    }

    pub(crate) fn all_to_all<T: Element>(&self, counts: &[usize], x: &[T]) -> Received<T> {
        let (n, me) = (self.size(), self.rank());
        let sent = counts[me * n..][..n].iter().sum();
        self.fits("all_to_all", sent, x.len())?;
        let mut y = buffer::<T>((0..n).map(|from| counts[from * n + me]).sum());
        let call = Call::counts("all_to_all", counts).of::<T>();
        self.carries::<T>()
            .all_to_all(&call, &T::parts(x), &parts::<T>(counts), &mut y)?;
        Ok(T::whole(y))
    }

    pub(crate) fn broadcast<T: Element>(&self, root: usize, x: &[T]) -> Received<T> {
        self.exists(root)?;
        let mut y = T::parts(x).into_owned();
        let call = Call::new("broadcast", x.len()).at(root).of::<T>();
        self.carries::<T>().broadcast(&call, root, &mut y)?;
        Ok(T::whole(y))
    }

    pub(crate) fn reduce<T: Element>(&self, root: usize, x: &[T]) -> Received<T> {
        self.exists(root)?;
        let mut y = buffer::<T>(if self.rank() == root { x.len() } else { 0 });
        let call = Call::new("reduce", x.len()).at(root).of::<T>();
        self.carries::<T>()
            .reduce(&call, root, &T::parts(x), &mut y)?;
        Ok(T::whole(y))
    }

    pub(crate) fn gather<T: Element>(&self, root: usize, counts: &[usize], x: &[T]) -> Received<T> {
        self.exists(root)?;
        self.fits("gather", counts[self.rank()], x.len())?;
        let whole = if self.rank() == root {
            counts.iter().sum()
        } else {
            0
        };
        let mut y = buffer::<T>(whole);
        let call = Call::counts("gather", counts).at(root).of::<T>();
        self.carries::<T>()
            .gather(&call, root, &T::parts(x), &parts::<T>(counts), &mut y)?;
        Ok(T::whole(y))
    }

    /// `x` is read on the root alone.
    pub(crate) fn scatter<T: Element>(
        &self,
        root: usize,
        counts: &[usize],
        x: &[T],
    ) -> Received<T> {
        self.exists(root)?;
        let at_root = self.rank() == root;
        let x = if at_root { x } else { &[] };
        if at_root {
            self.fits("scatter", counts.iter().sum(), x.len())?;
        }
        let mut y = buffer::<T>(counts[self.rank()]);
        let call = Call::counts("scatter", counts).at(root).of::<T>();
        self.carries::<T>()
            .scatter(&call, root, &T::parts(x), &parts::<T>(counts), &mut y)?;
        Ok(T::whole(y))
    }

    pub(crate) fn scan<T: Element>(
        &self,
        inclusive: bool,
        backwards: bool,
        x: &[T],
    ) -> Received<T> {
        let mut y = buffer::<T>(x.len());
        let name = if inclusive { "scan" } else { "exscan" };
        let call = Call::new(name, x.len()).of::<T>();
        self.carries::<T>()
            .scan(&call, inclusive, backwards, &T::parts(x), &mut y)?;
        Ok(T::whole(y))
    }

    pub(crate) fn send<T: Element>(
        &self,
        route: Route,
        flag: bool,
        x: &[T],
    ) -> Result<(), CommError> {
        self.leads_somewhere(route)?;
        self.carries::<T>().send(route, flag, &T::parts(x))
    }

    /// `length` numbers, and the flag that came with them.
    pub(crate) fn recv<T: Element>(
        &self,
        route: Route,
        length: usize,
    ) -> Result<(Vec<T>, bool), CommError> {
        self.leads_somewhere(route)?;
        let mut y = buffer::<T>(length);
        let flag = self.carries::<T>().recv(route, &mut y)?;
        Ok((T::whole(y), flag))
    }

    /// Sends a copy, and waits for nobody.
    pub(crate) fn start<T: Element>(
        &self,
        route: Route,
        flag: bool,
        x: &[T],
    ) -> Result<(), CommError> {
        self.leads_somewhere(route)?;
        self.carries::<T>().start(route, flag, &T::parts(x))
    }

    /// Sends and receives at once, as many numbers, without waiting for the one before the other. A side that is missing sends nothing, or
    /// receives zeros.
    pub(crate) fn send_recv<T: Element>(
        &self,
        to: Option<Route>,
        flag: bool,
        x: &[T],
        from: Option<Route>,
    ) -> Result<(Vec<T>, bool), CommError> {
        for route in [to, from].into_iter().flatten() {
            self.leads_somewhere(route)?;
        }
        if let Some(to) = to {
            self.start(to, flag, x)?;
        }
        let nothing = || Ok((vec![T::zero(); x.len()], false));
        from.map_or_else(nothing, |from| self.recv(from, x.len()))
    }

    /// All ranks make this call.
    pub(crate) fn same_call<T: Element>(
        &self,
        name: &'static str,
        length: usize,
        told: &[usize],
    ) -> Result<(), CommError> {
        if !self.transport.compares_calls() {
            return Ok(());
        }
        let counts = [&[length], told].concat();
        self.transport
            .barrier(&Call::counts(name, &counts).of::<T>())
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

    fn fits(&self, call: &'static str, expected: usize, found: usize) -> Result<(), CommError> {
        match found == expected {
            true => Ok(()),
            false => Err(CommError::Lengths {
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

/// Room for the parts of so many numbers.
fn buffer<T: Element>(length: usize) -> Vec<T::Wire> {
    vec![T::Wire::default(); T::PARTS * length]
}

/// How many parts so many numbers have.
fn parts<T: Element>(counts: &[usize]) -> Cow<'_, [usize]> {
    match T::PARTS {
        1 => counts.into(),
        parts => counts.iter().map(|count| parts * count).collect(),
    }
}

fn name(op: Op) -> &'static str {
    match op {
        Op::Sum => "all_reduce",
        Op::Max => "all_reduce_max",
        Op::Min => "all_reduce_min",
        Op::Prod => "all_reduce_prod",
    }
}
