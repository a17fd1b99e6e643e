//! Memory that is not a slice: rules over buffers on a device which may run out of memory. The protocol and the drivers are
//! the same as for slices.

mod device;

use coenzyme::{
    Active, AsConst, AsDuplicated, Augmented, AugmentedReturn, BatchDuplicated, Const, Duplicated,
    Forward, ForwardArg, ForwardArgMut, ForwardConfig, ForwardReturn, ForwardRule, Lanes, Reverse,
    ReverseArg, ReverseArgMut, ReverseConfig, ReverseReturn, ReverseRule, Thunk, autodiff,
    primitive, value_and_gradient,
};
use device::{Device, DeviceBuffer, OutOfMemory};

/// `y ← y + a·x`.
#[primitive]
fn axpy(y: &mut DeviceBuffer, a: f64, x: &DeviceBuffer) {
    y.update(x, |y, x| y + a * x);
}

/// What [`axpy`] reserves for its reverse pass: a copy of `x` if that may change, and a workspace for `ā` if it is wanted.
struct AxpyTape {
    x: Option<DeviceBuffer>,
    workspace: Option<DeviceBuffer>,
}

impl<R, Y, A, X, const W: usize> ForwardRule<R, (Y, A, X), W> for axpy
where
    R: ForwardReturn<W, Out = ()>,
    Y: ForwardArgMut<DeviceBuffer, W>,
    A: ForwardArg<f64, W>,
    X: ForwardArg<DeviceBuffer, W>,
{
    fn forward(&self, config: &ForwardConfig, (y, a, x): (&mut Y, &mut A, &mut X)) -> R::Forward {
        axpy(y.primal_mut(), *a.primal(), x.primal());
        y.assign(|lane, _, dy| {
            if let Some(da) = a.tangent(lane) {
                axpy(dy, *da, x.primal());
            }
            if let Some(dx) = x.tangent(lane) {
                axpy(dy, *a.primal(), dx);
            }
        });
        R::forward(config, || (), |_| ())
    }
}

/// `y ← y + a·x` where the reverse pass needs memory, so that the function may fail.
///
/// # Errors
/// If the device has no memory left.
#[primitive]
fn try_axpy(y: &mut DeviceBuffer, a: f64, x: &DeviceBuffer) -> Result<(), OutOfMemory> {
    axpy(y, a, x);
    Ok(())
}

impl<R, Y, A, X, const W: usize> ReverseRule<R, (Y, A, X), W> for try_axpy
where
    R: ReverseReturn<W, Out = Result<(), OutOfMemory>>,
    Y: ReverseArgMut<DeviceBuffer, W>,
    A: ReverseArg<f64, W>,
    X: ReverseArg<DeviceBuffer, W>,
{
    type Tape = AxpyTape;

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (y, a, x): (&mut Y, &mut A, &mut X),
    ) -> Result<Augmented<R, AxpyTape, W>, OutOfMemory> {
        let wanted = a.is_active();
        let mut copy = (wanted && config.overwritten(2))
            .then(|| x.primal().alike())
            .transpose()?;
        let workspace = wanted.then(|| x.primal().alike()).transpose()?;
        // everything is reserved: from here on nothing fails
        if let Some(copy) = &mut copy {
            copy.update(x.primal(), |_, x| x);
        }
        axpy(y.primal_mut(), *a.primal(), x.primal());
        Ok(R::augmented(config, (), AxpyTape { x: copy, workspace }))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        _: R::Cotangent,
        mut tape: AxpyTape,
        (y, a, x): (&mut Y, &mut A, &mut X),
    ) -> (Y::Gradient, A::Gradient, X::Gradient) {
        let da = a.accumulate(|lane, _, mut da| {
            if let (Some(dy), Some(workspace)) = (y.cotangent(lane), &mut tape.workspace) {
                da += dy.dot(tape.x.as_ref().unwrap_or(x.primal()), workspace);
            }
        });
        let dx = x.accumulate(|lane, _, mut dx| {
            if let Some(dy) = y.cotangent(lane) {
                dx.accumulate_with(|dx| axpy(dx, *a.primal(), dy));
            }
        });
        // y is read and written: ∂y/∂y is the identity, and its cotangent stays
        (y.no_gradient(), da, dx)
    }
}

/// `x²`, entry by entry, in a new buffer.
///
/// # Errors
/// If the device has no memory left.
#[primitive]
fn squared(x: &DeviceBuffer) -> Result<DeviceBuffer, OutOfMemory> {
    let mut y = x.alike()?;
    y.update(x, |_, x| x * x);
    Ok(y)
}

impl<R, X, const W: usize> ForwardRule<R, (X,), W> for squared
where
    R: ForwardReturn<W, Out = Result<DeviceBuffer, OutOfMemory>>,
    X: ForwardArg<DeviceBuffer, W>,
{
    fn forward(&self, config: &ForwardConfig, (x,): (&mut X,)) -> Result<R::Forward, OutOfMemory> {
        let x = &*x;
        let value = squared(x.primal())?;
        let tangents = if R::ACTIVE { W } else { 0 };
        let mut tangents = (0..tangents)
            .map(|lane| {
                let mut dy = x.primal().alike()?;
                if let Some(dx) = x.tangent(lane) {
                    dy.update(dx, |_, dx| 2.0 * dx);
                    dy.update(x.primal(), |dy, x| dy * x);
                }
                Ok(dy)
            })
            .collect::<Result<Vec<_>, _>>()?
            .into_iter();
        let next = |_| tangents.next().expect("a tangent for each lane");
        Ok(R::forward(config, || value, next))
    }
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for squared
where
    R: ReverseReturn<W, Out = Result<DeviceBuffer, OutOfMemory>>,
    X: ReverseArg<DeviceBuffer, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Result<Augmented<R, (), W>, OutOfMemory> {
        let value = squared(x.primal())?;
        let shadows = if R::NEEDS_SHADOW { W } else { 0 };
        let shadows = (0..shadows)
            .map(|_| value.alike())
            .collect::<Result<Vec<_>, _>>()?;
        let mut shadows = shadows.into_iter();
        let shadow = R::shadow(|_| shadows.next().expect("a shadow for each lane"));
        Ok(AugmentedReturn::new(
            config.needs_primal().then_some(value),
            shadow,
            (),
        ))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx.accumulate_with(|dx| dx.add_product(2.0, x, dret));
            }
        });
        (dx,)
    }
}

/// `Σ x²`.
///
/// # Errors
/// If the device has no memory left for the reduction.
#[primitive]
fn energy(x: &DeviceBuffer) -> Result<f64, OutOfMemory> {
    Ok(x.dot(x, &mut x.alike()?))
}

impl<R, X, const W: usize> ReverseRule<R, (X,), W> for energy
where
    R: ReverseReturn<W, Out = Result<f64, OutOfMemory>>,
    X: ReverseArg<DeviceBuffer, W>,
{
    type Tape = ();

    fn augmented_primal(
        &self,
        config: &ReverseConfig,
        (x,): (&mut X,),
    ) -> Result<Augmented<R, (), W>, OutOfMemory> {
        Ok(R::augmented(config, energy(x.primal())?, ()))
    }

    fn reverse(
        &self,
        _: &ReverseConfig,
        dret: R::Cotangent,
        _: (),
        (x,): (&mut X,),
    ) -> (X::Gradient,) {
        let dx = x.accumulate(|lane, x, mut dx| {
            if let Some(dret) = dret.lane(lane) {
                dx.accumulate_with(|dx| axpy(dx, 2.0 * dret, x));
            }
        });
        (dx,)
    }
}

#[test]
fn forward_mode_updates_primal_and_tangents_on_the_device() {
    let device = Device::with_room_for(10);
    let up = |host: &[f64]| device.upload(host).unwrap();
    let (mut y, x) = (up(&[1.0, 2.0]), up(&[3.0, 4.0]));
    let (mut dy1, mut dy2) = (up(&[1.0, 0.0]), up(&[0.0, 0.0]));
    let (dx1, dx2) = (up(&[0.0, 0.0]), up(&[1.0, -1.0]));
    let uploaded = device.transfers();

    let y_arg = BatchDuplicated(&mut y, [&mut dy1, &mut dy2]);
    let a_arg = BatchDuplicated(2.0, [1.0, 0.0]);
    let x_arg = BatchDuplicated(&x, [&dx1, &dx2]);
    autodiff(Forward, &axpy {}, AsConst, (y_arg, a_arg, x_arg));
    assert_eq!(device.transfers(), uploaded, "a rule stays on the device");
    assert_eq!(y.download(), [7.0, 10.0]);
    assert_eq!(dy1.download(), [4.0, 4.0]);
    assert_eq!(dy2.download(), [2.0, -2.0]);
}

#[test]
fn reverse_mode_accumulates_on_the_device() {
    let device = Device::with_room_for(5);
    let up = |host: &[f64]| device.upload(host).unwrap();
    let (mut y, mut dy) = (up(&[1.0, 2.0]), up(&[10.0, 20.0]));
    let (x, mut dx) = (up(&[3.0, 4.0]), up(&[100.0, 100.0]));
    let uploaded = device.transfers();

    let args = (
        Duplicated(&mut y, &mut dy),
        Active(2.0),
        Duplicated(&x, &mut dx),
    );
    assert_eq!(
        autodiff(Reverse, &try_axpy {}, AsConst, args),
        Ok((((), 110.0, ()),))
    );
    assert_eq!((device.transfers(), device.free()), (uploaded, 1));
    assert_eq!(y.download(), [7.0, 10.0]);
    assert_eq!(
        dy.download(),
        [10.0, 20.0],
        "y is read and written: its cotangent stays"
    );
    assert_eq!(dx.download(), [120.0, 140.0]);
}

#[test]
fn memory_is_reserved_by_the_augmented_pass_and_only_when_it_is_needed() {
    let device = Device::with_room_for(6);
    let up = |host: &[f64]| device.upload(host).unwrap();
    let (mut y, mut dy) = (up(&[1.0, 2.0]), up(&[10.0, 20.0]));
    let (x, mut dx) = (up(&[3.0, 4.0]), up(&[0.0, 0.0]));
    let thunk = Thunk::<_, Const<Result<(), OutOfMemory>>>::new(try_axpy {}).modified(2);

    let mut constant = (
        Duplicated(&mut y, &mut dy),
        Const(2.0),
        Duplicated(&x, &mut dx),
    );
    let augmented = thunk.augmented(&mut constant).unwrap();
    assert_eq!(
        device.free(),
        2,
        "ā is not wanted: neither copy nor workspace"
    );
    thunk.reverse((), augmented.tape, &mut constant);

    let mut active = (
        Duplicated(&mut y, &mut dy),
        Active(2.0),
        Duplicated(&x, &mut dx),
    );
    let augmented = thunk.augmented(&mut active).unwrap();
    assert_eq!(device.free(), 0);
    let refused = thunk.augmented(&mut active);
    assert_eq!(refused.map(|a| a.primal), Err(OutOfMemory));
    let ((), [da], ()) = thunk.reverse((), augmented.tape, &mut active);
    assert_eq!(
        (da, device.free()),
        (110.0, 2),
        "the tape frees what it reserved"
    );
}

#[test]
fn a_function_that_runs_out_of_memory_has_changed_nothing() {
    let device = Device::with_room_for(4);
    let up = |host: &[f64]| device.upload(host).unwrap();
    let (mut y, mut dy) = (up(&[1.0, 2.0]), up(&[10.0, 20.0]));
    let (x, mut dx) = (up(&[3.0, 4.0]), up(&[100.0, 100.0]));
    let args = (
        Duplicated(&mut y, &mut dy),
        Active(2.0),
        Duplicated(&x, &mut dx),
    );
    assert_eq!(
        autodiff(Reverse, &try_axpy {}, AsConst, args),
        Err(OutOfMemory)
    );
    let now = [&y, &dy, &dx].map(DeviceBuffer::download);
    assert_eq!(now, [[1.0, 2.0], [10.0, 20.0], [100.0, 100.0]]);
    assert_eq!(device.free(), 0);
}

#[test]
fn a_returned_buffer_has_a_shadow_on_the_device() {
    let device = Device::with_room_for(6);
    let up = |host: &[f64]| device.upload(host).unwrap();
    let (x, mut dx1, mut dx2) = (up(&[3.0, -1.0]), up(&[0.0, 0.0]), up(&[0.0, 1.0]));

    let tangents = autodiff(Forward, &squared {}, AsDuplicated, (Duplicated(&x, &dx2),));
    assert_eq!(tangents.map(|(dy,)| dy.download()), Ok(vec![0.0, -2.0]));

    type Returned =
        BatchDuplicated<Result<DeviceBuffer, OutOfMemory>, Result<DeviceBuffer, OutOfMemory>, 2>;
    let thunk = Thunk::<_, Returned, 2>::new(squared {});
    let mut args = (BatchDuplicated(&x, [&mut dx1, &mut dx2]),);
    let AugmentedReturn {
        primal,
        mut shadow,
        tape: (),
    } = thunk.augmented(&mut args).unwrap();
    assert_eq!(primal.unwrap().download(), [9.0, 1.0]);
    shadow[0].update(&x, |_, _| 1.0);
    shadow[1].update(&x, |_, x| x);
    thunk.reverse(shadow, (), &mut args);
    assert_eq!(
        [dx1, dx2].map(|dx| dx.download()),
        [[6.0, -2.0], [18.0, 3.0]]
    );

    let _rest = [
        device.upload(&[]),
        device.upload(&[]),
        device.upload(&[]),
        device.upload(&[]),
    ];
    let failed = autodiff(Forward, &squared {}, AsDuplicated, (Duplicated(&x, &x),));
    assert_eq!(failed.map(|_| ()), Err(OutOfMemory));
}

#[test]
fn a_gradient_is_taken_with_respect_to_a_buffer() {
    let device = Device::with_room_for(3);
    let x = device.upload(&[3.0, -1.0]).unwrap();
    let (value, (dx,)) = value_and_gradient(&energy {}, (&x,)).unwrap();
    assert_eq!((value, dx.download()), (10.0, vec![6.0, -2.0]));
    let failed = value_and_gradient(&energy {}, (&x,)).map(|_| ());
    assert_eq!(
        failed,
        Err(OutOfMemory),
        "one buffer is left, for the shadow, and none for the reduction"
    );
}

#[test]
#[should_panic(expected = "the primal has shape [2], its shadow [3]")]
fn a_shadow_of_another_length_is_refused() {
    let device = Device::with_room_for(2);
    let (x, dx) = (
        device.upload(&[0.0; 2]).unwrap(),
        device.upload(&[0.0; 3]).unwrap(),
    );
    let _ = Duplicated(&x, &dx);
}
