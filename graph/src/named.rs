//! An operation as a static rule again.

use std::fmt;
use std::sync::Arc;

use coenzyme::{
    Annotation, Args, AugmentedOutcome, AugmentedReturn, ForwardArg, ForwardConfig, ForwardOutcome,
    ForwardReturn, ForwardRule, Function, Holds, Inactive, Lanes, Memory, ReverseArg,
    ReverseConfig, ReverseReturn, ReverseRule, Tangent, primitive,
};
use coenzyme_operations::{
    Attrs, Call, ErrorKind, Mask, OpError, Operation, Outputs, Shadows, Tangents, Tape, Value,
};
use ndarray::{ArrayD, ArrayRef, Dimension};
use smallvec::SmallVec;

/// An operation with its attributes, as a function of arrays of `f64` with static rules: the tester, Jacobians, `Thunk`, `vmap` and
/// all drivers take it. Operands may have any rank; the value is the first output.
///
/// ```
/// use coenzyme::{Duplicated, Thunk};
/// use coenzyme_graph::{Named, OpError, Session, attrs};
/// use ndarray::{ArrayD, array};
///
/// let softmax = Named::new(&Session::global().registry().get("core::softmax")?, attrs! { axis: 0 });
/// let (x, mut dx) = (array![0.0, 0.0], array![0.0, 0.0]);
/// let thunk = Thunk::<_, Duplicated<Result<ArrayD<f64>, OpError>>>::new(softmax);
/// let mut args = (Duplicated(&*x, &mut *dx),);
/// let augmented = thunk.augmented(&mut args)?;
/// let _ = thunk.reverse([array![1.0, 0.0].into_dyn()], augmented.tape, &mut args);
/// assert_eq!(dx, array![0.25, -0.25]);
/// # Ok::<(), OpError>(())
/// ```
///
/// Inside of `#[differentiable]` it is called by [`apply1()`], [`apply2()`] and [`apply3()`]; where a `Result` cannot stand, it is wrapped
/// in [`Surely`].
#[derive(Clone)]
pub struct Named(Arc<dyn Operation>, Attrs);

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.0.signature().name, self.1)
    }
}

/// Two are equal if they are the same operation with the same attributes.
impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) && self.1 == other.1
    }
}

/// What the reverse pass reads again.
pub struct NamedTape {
    x: SmallVec<[Value; 2]>,
    call: Call,
    tape: Option<Tape>,
}

impl fmt::Debug for NamedTape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NamedTape").field(&self.x).finish()
    }
}

/// The first output, if it is an array of `f64`.
fn first(operation: &Arc<dyn Operation>, y: Outputs) -> Result<ArrayD<f64>, OpError> {
    let y = y.into_iter().next();
    let array = y.as_ref().and_then(Value::get::<f64>);
    array.map(|y| y.to_owned()).ok_or_else(|| {
        let reason = "the first output is no array of f64".to_string();
        operation.signature().error(ErrorKind::Invalid(reason))
    })
}

impl Named {
    /// An operation with its attributes.
    #[must_use]
    pub fn new(operation: &Arc<dyn Operation>, attrs: Attrs) -> Self {
        Self(Arc::clone(operation), attrs)
    }

    /// The attributes with defaults, if the operation can be called on such operands.
    fn checked(&self, x: &[Value]) -> Result<Attrs, OpError> {
        let attrs = self.0.signature().resolve(&self.1)?;
        let specs: SmallVec<[_; 4]> = x.iter().map(Value::spec).collect();
        self.0.outline(&specs, &attrs)?;
        Ok(attrs)
    }

    fn value(&self, x: &[Value]) -> Result<ArrayD<f64>, OpError> {
        let attrs = self.checked(x)?;
        let x: SmallVec<[&Value; 4]> = x.iter().collect();
        first(&self.0, self.0.value(&x, &attrs)?)
    }

    /// Value and tangents; `tangents` has those of each lane.
    fn forward<const W: usize>(
        &self,
        config: &ForwardConfig,
        x: &[Value],
        tangents: [SmallVec<[Option<Value>; 2]>; W],
    ) -> Result<(ArrayD<f64>, Vec<ArrayD<f64>>), OpError> {
        let attrs = self.checked(x)?;
        let active = Mask::of((0..x.len()).map(|i| tangents.iter().any(|lane| lane[i].is_some())));
        let mut call = Call::new(attrs).with_active(active);
        (call.width, call.strong_zero) = (W, config.strong_zero());
        let x: SmallVec<[&Value; 4]> = x.iter().collect();
        let lanes: Vec<Tangents<'_>> = tangents
            .iter()
            .map(|lane| lane.iter().map(Option::as_ref).collect())
            .collect();
        let (y, dy) = self.0.pushforward(&x, &lanes, &call)?;
        let dy = dy
            .into_iter()
            .map(|dy| first(&self.0, dy))
            .collect::<Result<_, _>>()?;
        Ok((first(&self.0, y)?, dy))
    }

    fn augmented(
        &self,
        config: &ReverseConfig,
        x: SmallVec<[Value; 2]>,
        active: Mask,
        width: usize,
    ) -> Result<(ArrayD<f64>, NamedTape), OpError> {
        let mut call = Call::new(self.checked(&x)?).with_active(active);
        (call.width, call.strong_zero) = (width, config.strong_zero());
        let operands: SmallVec<[&Value; 4]> = x.iter().collect();
        let (y, tape) = match active.is_empty() {
            true => (self.0.value(&operands, &call.attrs)?, None),
            false => {
                let (y, tape) = self.0.augmented(&operands, &call)?;
                (y, Some(tape))
            }
        };
        drop(operands);
        let y = first(&self.0, y)?;
        Ok((y, NamedTape { x, call, tape }))
    }

    /// The cotangents of the operands in each lane.
    ///
    /// # Panics
    /// If the rule fails: a reverse pass cannot return an error.
    fn reverse(&self, tape: NamedTape, dy: &[Option<Value>]) -> Vec<Shadows> {
        let NamedTape { x, call, tape } = tape;
        let zeros = |_: usize| -> Shadows {
            let x = x.iter().enumerate();
            x.map(|(i, x)| call.active.has(i).then(|| x.zeros_like()))
                .collect()
        };
        let mut dx: Vec<Shadows> = (0..call.width).map(zeros).collect();
        let Some(tape) = tape else { return dx };
        let operands: SmallVec<[&Value; 4]> = x.iter().collect();
        let outputs = self.outputs(&operands, &call.attrs);
        let seeds = dy.iter().map(|dy| {
            let rest = std::iter::repeat_n(None, outputs - 1);
            std::iter::once(dy.clone()).chain(rest).collect()
        });
        let done = self
            .0
            .pullback(&operands, seeds.collect(), tape, &mut dx, &call);
        if let Err(error) = done {
            panic!("{error}");
        }
        dx
    }

    fn outputs(&self, x: &[&Value], attrs: &Attrs) -> usize {
        let specs: SmallVec<[_; 4]> = x.iter().map(|x| x.spec()).collect();
        let outline = self.0.outline(&specs, attrs);
        outline.map_or(1, |outline| outline.outputs.len().max(1))
    }
}

fn value_of<D: Dimension>(x: &ArrayRef<f64, D>) -> Value {
    Value::from(x.to_owned())
}

/// `d += dx`
fn add<D: Dimension>(d: &mut ArrayRef<f64, D>, dx: &Shadows, operand: usize) {
    if let Some(dx) = dx[operand].as_ref().and_then(Value::get::<f64>) {
        d.iter_mut().zip(dx).for_each(|(d, dx)| *d += dx);
    }
}

/// [`Named`] for where a `Result` cannot stand, as the function of a `vmap`: the value is the array itself. **Panics** with the error where
/// `Named` returns it.
///
/// ```
/// use coenzyme::Inactive;
/// use coenzyme_graph::{Named, Session, Surely, attrs};
/// use coenzyme_rules::parallel::vmap;
/// use ndarray::array;
///
/// let mul = Named::new(&Session::global().registry().get("core::mul")?, attrs! {});
/// let y = vmap(&*array![[1.0, 2.0], [3.0, 4.0]], &*array![10.0, 100.0], Inactive(Surely(mul)));
/// assert_eq!(y, array![[10.0, 200.0], [30.0, 400.0]].into_dyn());
/// # Ok::<(), coenzyme_graph::OpError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Surely(pub Named);

/// The rules of operations for one number of operands, on [`Named`], on [`Surely`], and on the marker of the function that applies one.
/// `fallible` and `certain` say whether the value is a `Result`.
macro_rules! rules {
    ($apply:ident: $($x:ident $D:ident $i:tt),+) => {
        rules!(@function Named fallible; $($x $D),+);
        rules!(@function Surely certain; $($x $D),+);
        rules!(@impls Named fallible []; $($x $D $i),+);
        rules!(@impls Surely certain []; $($x $D $i),+);
        rules!(@impls $apply fallible [Operation_ operation]; $($x $D $i),+);

        /// Calls an operation.
        ///
        /// # Errors
        /// If the operands are none that it takes, it fails, or its first output is no array of `f64`.
        #[primitive]
        pub fn $apply<$($D: Dimension),+>(
            operation: Inactive<Named>,
            $($x: &ArrayRef<f64, $D>,)+
        ) -> Result<ArrayD<f64>, OpError> {
            operation.0.value(&[$(value_of($x)),+])
        }
    };
    (@out fallible) => { Result<ArrayD<f64>, OpError> };
    (@out certain) => { ArrayD<f64> };
    (@get fallible $result:expr) => { $result? };
    (@get certain $result:expr) => { $result.unwrap_or_else(|error| panic!("{error}")) };
    (@wrap fallible $inside:expr) => { Ok($inside) };
    (@wrap certain $inside:expr) => { $inside };
    (@named Named $this:ident []) => { $this };
    (@named Surely $this:ident []) => { &$this.0 };
    (@named $apply:ident $this:ident [$F:ident $f:ident]) => { &$f.primal().0 };
    (@function $marker:ident $kind:ident; $($x:ident $D:ident),+) => {
        #[allow(non_camel_case_types)]
        impl<$($x, $D,)+> Function<($($x,)+)> for $marker
        where
            $($x: Holds<ArrayRef<f64, $D>> + Memory<Target = ArrayRef<f64, $D>>, $D: Dimension,)+
        {
            type Output = rules!(@out $kind);

            fn call(&self, ($($x,)+): ($($x,)+)) -> Self::Output {
                let named: &Named = rules!(@named $marker self []);
                rules!(@wrap $kind rules!(@get $kind named.value(&[$(value_of($x.get())),+])))
            }
        }
    };
    (@impls $marker:ident $kind:ident [$($F:ident $f:ident)?]; $($x:ident $D:ident $i:tt),+) => {
        #[allow(non_camel_case_types)]
        impl<R, $($F,)? $($x,)+ $($D,)+ const W: usize> ForwardRule<R, ($($F,)? $($x,)+), W> for $marker
        where
            R: ForwardReturn<W, Out = rules!(@out $kind)>,
            $($F: ForwardArg<Inactive<Named>, W>,)?
            $($x: ForwardArg<ArrayRef<f64, $D>, W> + Annotation<Primal: Memory<Target = ArrayRef<f64, $D>>>,)+
            $($D: Dimension,)+
        {
            fn forward(
                &self,
                config: &ForwardConfig,
                ($($f,)? $($x,)+): ($(&mut $F,)? $(&mut $x,)+),
            ) -> ForwardOutcome<R, W> {
                let named: &Named = rules!(@named $marker self [$($F $f)?]);
                let operands = [$(value_of($x.primal())),+];
                let tangents = std::array::from_fn(|lane| {
                    [$($x.tangent(lane).map(value_of)),+].into_iter().collect()
                });
                let (y, dy) = rules!(@get $kind named.forward::<W>(config, &operands, tangents));
                let mut dy = dy.into_iter();
                rules!(@wrap $kind R::forward(config, || y, |_| dy.next().expect("one tangent for each lane")))
            }
        }

        #[allow(non_camel_case_types)]
        impl<R, $($F,)? $($x,)+ $($D,)+ const W: usize> ReverseRule<R, ($($F,)? $($x,)+), W> for $marker
        where
            R: ReverseReturn<W, Out = rules!(@out $kind)>,
            $($F: ReverseArg<Inactive<Named>, W>,)?
            $($x: ReverseArg<ArrayRef<f64, $D>, W> + Annotation<Primal: Memory<Target = ArrayRef<f64, $D>>>,)+
            $($D: Dimension,)+
        {
            type Tape = NamedTape;

            fn augmented_primal(
                &self,
                config: &ReverseConfig,
                ($($f,)? $($x,)+): ($(&mut $F,)? $(&mut $x,)+),
            ) -> AugmentedOutcome<R, NamedTape, W> {
                let named: &Named = rules!(@named $marker self [$($F $f)?]);
                let operands = [$(value_of($x.primal())),+].into_iter().collect();
                let active = match R::ACTIVE {
                    true => Mask::of([$($x.is_active()),+]),
                    false => Mask::NONE,
                };
                let (y, tape) = rules!(@get $kind named.augmented(config, operands, active, W));
                let shadow = R::shadow(|_| Tangent::zero_like(&y));
                rules!(@wrap $kind AugmentedReturn::new(config.needs_primal().then_some(y), shadow, tape))
            }

            fn reverse(
                &self,
                _: &ReverseConfig,
                dret: R::Cotangent,
                tape: NamedTape,
                ($($f,)? $($x,)+): ($(&mut $F,)? $(&mut $x,)+),
            ) -> <($($F,)? $($x,)+) as Args<W>>::Gradients {
                let named: &Named = rules!(@named $marker self [$($F $f)?]);
                let seeds: [Option<Value>; W] = std::array::from_fn(|lane| dret.lane(lane).map(|dy| value_of(dy)));
                let dx = named.reverse(tape, &seeds);
                ($($f.no_gradient(),)? $($x.accumulate(|lane, _, mut d| d.accumulate_with(|d| add(d, &dx[lane], $i))),)+)
            }
        }
    };
}

rules!(apply1: x D 0);
rules!(apply2: x D 0, y E 1);
rules!(apply3: x D 0, y E 1, z G 2);
