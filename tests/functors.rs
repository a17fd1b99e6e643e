//! Rules on functions with data, generic functions, configuration arguments and any number of arguments.

use coenzyme::{
    Active, Activity, AsActive, AsConst, AsDuplicated, Augmented, BatchDuplicated, Const, Dual,
    Duplicated, Forward, ForwardArg, ForwardConfig, ForwardReturn, ForwardRule, Function, Lanes,
    Real, Reverse, ReverseArg, ReverseConfig, ReverseReturn, ReverseRule, ReverseWithPrimal,
    Tangent, autodiff, gradient, hessian, primitive, value_and_gradient,
};

/// `x ↦ slope·x + shift`.
#[derive(Clone, Debug, PartialEq)]
struct Affine {
    slope: f64,
    shift: f64,
}

impl Affine {
    fn at(&self, x: f64) -> f64 {
        self.slope * x + self.shift
    }
}

/// As a function its data is constant: the rules are those of the functor itself, which they reach through `&self`.
impl Function<(f64,)> for Affine {
    type Output = f64;

    fn call(&self, (x,): (f64,)) -> f64 {
        self.at(x)
    }
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for Affine
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> R::Forward {
        let tangent = |lane| self.slope * x.tangent(lane).copied().unwrap_or(0.0);
        R::forward(config, || self.at(*x.primal()), tangent)
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for Affine
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
{
    type Tape = ();

    fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, (), W> {
        R::augmented(config, self.at(*x.primal()), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, _, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx += self.slope * dret;
            }
        });
        (dx,)
    }
}

#[test]
fn a_functor_with_constant_data_has_rules_of_its_own() {
    let f = Affine {
        slope: 3.0,
        shift: 1.0,
    };
    assert_eq!(
        autodiff(Forward, &f, AsDuplicated, (Duplicated(2.0, 0.5),)),
        (1.5,)
    );
    assert_eq!(
        autodiff(ReverseWithPrimal, &f, AsActive, (Active(2.0),)),
        ((3.0,), 7.0)
    );
    assert_eq!(value_and_gradient(&f, (2.0,)), (7.0, (3.0,)));
}

/// Its data as an argument: the tangent space of `(slope, shift)`.
impl Tangent for Affine {
    type Owned = Self;
    type Target = Self;

    fn target(this: &Self) -> &Self {
        this
    }
    fn zero_like(_: &Self) -> Self {
        Affine {
            slope: 0.0,
            shift: 0.0,
        }
    }
    fn zero_out(this: &mut Self) {
        *this = Tangent::zero_like(this);
    }
    fn accumulate(this: &mut Self, other: &Self) {
        this.slope += other.slope;
        this.shift += other.shift;
    }
    fn scale(this: &mut Self, by: f64) {
        this.slope *= by;
        this.shift *= by;
    }
    fn inner(this: &Self, other: &Self) -> f64 {
        this.slope * other.slope + this.shift * other.shift
    }
    fn flatten_into(this: &Self, out: &mut Vec<f64>) {
        out.extend([this.slope, this.shift]);
    }
    fn unflatten_from(this: &mut Self, from: &mut &[f64]) {
        Tangent::unflatten_from(&mut this.slope, from);
        Tangent::unflatten_from(&mut this.shift, from);
    }
    fn congruent(_: &Self, _: &Self) -> Result<(), coenzyme::Incongruent> {
        Ok(())
    }
}

coenzyme::value_type!(Affine);

/// The call of an [`Affine`] as a function of two arguments, the functor first.
#[primitive]
fn apply(f: &Affine, x: f64) -> f64 {
    f.at(x)
}

impl<R, F, X, const W: usize> ForwardRule<R, (F, X), W> for apply
where
    R: ForwardReturn<W, Out = f64>,
    F: ForwardArg<Affine, W>,
    X: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (f, x): (&mut F, &mut X)) -> R::Forward {
        let tangent = |lane| {
            let by_data = f.tangent(lane).map_or(0.0, |df| df.at(*x.primal()));
            let by_argument = x.tangent(lane).map_or(0.0, |dx| f.primal().slope * dx);
            by_data + by_argument
        };
        R::forward(config, || f.primal().at(*x.primal()), tangent)
    }
}

impl<R, F, X, const W: usize> ReverseRule<R, (F, X), W> for apply
where
    R: ReverseReturn<W, Out = f64>,
    F: ReverseArg<Affine, W>,
    X: ReverseArg<f64, W>,
{
    type Tape = f64;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (f, x): (&mut F, &mut X),
    ) -> Augmented<R, f64, W> {
        // the slope may be overwritten, and a number is cheaper than to ask
        R::augmented(config, f.primal().at(*x.primal()), f.primal().slope)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        slope: f64,
        (f, x): (&mut F, &mut X),
    ) -> (F::Gradient, X::Gradient) {
        let dret = |lane| dret.lane(lane).copied().unwrap_or(0.0);
        let df = f.accumulate(|lane, _, mut df| {
            df.add(&Affine {
                slope: dret(lane) * x.primal(),
                shift: dret(lane),
            });
        });
        let dx = x.accumulate(|lane, _, mut dx| dx += slope * dret(lane));
        (df, dx)
    }
}

#[test]
fn the_data_of_a_functor_has_a_shadow_when_it_is_duplicated() {
    let f = Affine {
        slope: 3.0,
        shift: 1.0,
    };
    let df = Affine {
        slope: 0.5,
        shift: -1.0,
    };
    let args = (Duplicated(&f, &df), Duplicated(2.0, 1.0));
    assert_eq!(autodiff(Forward, &apply {}, AsDuplicated, args), (3.0,));
    let args = (Duplicated(&f, &df), Const(2.0));
    assert_eq!(autodiff(Forward, &apply {}, AsDuplicated, args), (0.0,));

    let mut lanes = [
        Tangent::zero_like(&f),
        Affine {
            slope: 10.0,
            shift: 10.0,
        },
    ];
    let args = (BatchDuplicated(&f, lanes.each_mut()), Active(2.0));
    assert_eq!(
        autodiff(Reverse, &apply {}, AsActive, args),
        (((), [3.0, 3.0]),)
    );
    let expected = [
        Affine {
            slope: 2.0,
            shift: 1.0,
        },
        Affine {
            slope: 12.0,
            shift: 11.0,
        },
    ];
    assert_eq!(lanes, expected);
}

#[test]
fn the_data_of_a_functor_by_value_is_returned_as_a_struct() {
    let f = Affine {
        slope: 3.0,
        shift: 1.0,
    };
    let args = (Active(f), Const(2.0));
    let df = Affine {
        slope: 2.0,
        shift: 1.0,
    };
    assert_eq!(autodiff(Reverse, &apply {}, AsActive, args), ((df, ()),));
}

/// `Σ xᵢⁿ`, for any number type; `n` is configuration and never active.
#[primitive]
fn power_sum<T: Real>(x: &[T], n: i32) -> T {
    x.iter().map(|x| x.powi(n)).sum()
}

impl<R, X, T, const W: usize> ReverseRule<R, (X, Const<i32>), W> for power_sum
where
    T: Real,
    R: ReverseReturn<W, Out = T>,
    X: ReverseArg<[T], W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x, n): (&mut X, &mut Const<i32>),
    ) -> Augmented<R, (), W> {
        R::augmented(config, power_sum(x.primal(), n.0), ())
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x, n): (&mut X, &mut Const<i32>),
    ) -> (X::Gradient, ()) {
        let factor = T::lit(f64::from(n.0));
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx.add_map(x, |x| factor * x.powi(n.0 - 1) * *dret);
            }
        });
        (dx, ())
    }
}

#[test]
fn a_generic_function_has_one_rule_for_every_number_type() {
    let f = power_sum {};
    assert_eq!(gradient(&f, (&[1.0_f64, 2.0], 3)), ([3.0, 12.0], ()));
    assert_eq!(gradient(&f, (&[1.0_f32, 2.0], 3)), ([3.0, 12.0], ()));
    let x = [Dual::variable(1.0), Dual::variable(2.0)];
    let (dx, ()) = gradient(&f, (&x, 3));
    assert_eq!(
        Tangent::to_flat(&dx),
        [3.0, 6.0, 12.0, 12.0],
        "gradient, and Hessian times (1, 1)"
    );
}

#[test]
fn a_configuration_argument_is_bound_by_a_functor() {
    /// `power_sum` with its exponent.
    struct PowerSum(i32);

    impl<T: Real> Function<(&[T],)> for PowerSum {
        type Output = T;
        fn call(&self, (x,): (&[T],)) -> T {
            power_sum(x, self.0)
        }
    }

    impl<R, X, T, const W: usize> ReverseRule<R, (X,), W> for PowerSum
    where
        T: Real,
        R: ReverseReturn<W, Out = T>,
        X: ReverseArg<[T], W>,
    {
        type Tape = ();

        fn augmented_primal(&self, config: &ReverseConfig, (x,): (&mut X,)) -> Augmented<R, (), W> {
            let args = (x, &mut Const(self.0));
            ReverseRule::<R, (X, Const<i32>), W>::augmented_primal(&power_sum {}, config, args)
        }
        fn reverse(
            &self,
            config: &ReverseConfig,
            dret: R::Cotangent,
            tape: (),
            (x,): (&mut X,),
        ) -> (X::Gradient,) {
            let args = (x, &mut Const(self.0));
            let (dx, ()) = ReverseRule::<R, (X, Const<i32>), W>::reverse(
                &power_sum {},
                config,
                dret,
                tape,
                args,
            );
            (dx,)
        }
    }

    assert_eq!(
        hessian(&PowerSum(3), &[1.0, 2.0]),
        [[6.0, 0.0], [0.0, 12.0]]
    );
}

/// The product of any number of numbers.
#[primitive]
fn product(x: Vec<f64>) -> f64 {
    x.iter().product()
}

/// The product of all but one.
fn others<X>(x: &[X], skip: usize, value: impl Fn(&X) -> f64) -> f64 {
    x.iter()
        .enumerate()
        .filter(|(i, _)| *i != skip)
        .map(|(_, x)| value(x))
        .product()
}

impl<R, X, const W: usize> ForwardRule<R, (Vec<X>,), W> for product
where
    R: ForwardReturn<W, Out = f64>,
    X: ForwardArg<f64, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut Vec<X>,)) -> R::Forward {
        let value = |x: &X| *x.primal();
        let tangent = |lane| {
            let terms = x
                .iter()
                .enumerate()
                .filter_map(|(i, xi)| Some((i, xi.tangent(lane)?)));
            terms.map(|(i, dx)| others(x, i, value) * dx).sum()
        };
        R::forward(config, || x.iter().map(value).product(), tangent)
    }
}

impl<R, X, const W: usize> ReverseRule<R, (Vec<X>,), W> for product
where
    R: ReverseReturn<W, Out = f64>,
    X: ReverseArg<f64, W>,
{
    type Tape = Vec<f64>;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut Vec<X>,),
    ) -> Augmented<R, Vec<f64>, W> {
        let values: Vec<f64> = x.iter().map(|x| *x.primal()).collect();
        R::augmented(config, values.iter().product(), values)
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        values: Vec<f64>,
        (x,): (&mut Vec<X>,),
    ) -> (Vec<X::Gradient>,) {
        let entry = |(i, x): (usize, &mut X)| {
            x.accumulate(|lane, _, mut dx| {
                if let Some(dret) = dret.lane(lane) {
                    dx += others(&values, i, |x| *x) * dret;
                }
            })
        };
        (x.iter_mut().enumerate().map(entry).collect(),)
    }
}

#[test]
fn a_list_of_handles_stands_for_any_number_of_arguments() {
    let list = vec![Active(2.0), Active(3.0), Active(5.0)];
    assert_eq!(
        autodiff(ReverseWithPrimal, &product {}, AsActive, (list,)),
        ((vec![15.0, 10.0, 6.0],), 30.0)
    );
    let list = vec![
        Duplicated(2.0, 1.0),
        Duplicated(3.0, 0.0),
        Duplicated(5.0, 0.0),
    ];
    assert_eq!(
        autodiff(Forward, &product {}, AsDuplicated, (list,)),
        (15.0,)
    );
    let list = vec![Const(2.0), Const(3.0)];
    assert_eq!(
        autodiff(ReverseWithPrimal, &product {}, AsConst, (list,)),
        ((vec![(), ()],), 6.0)
    );
    let list: Vec<Active<f64>> = Vec::new();
    assert!(!Activity::<1>::is_active(&list));
    assert_eq!(
        autodiff(ReverseWithPrimal, &product {}, AsActive, (list,)),
        ((vec![],), 1.0)
    );
}

#[test]
fn a_list_of_handles_carries_lanes() {
    let list = vec![
        BatchDuplicated(2.0, [1.0, 0.0]),
        BatchDuplicated(3.0, [0.0, 1.0]),
    ];
    assert_eq!(
        autodiff(Forward, &product {}, AsDuplicated, (list,)),
        ([3.0, 2.0],)
    );
}
