//! Collectives of device arrays: every mix on one rank by the tester, and several ranks in threads, each on an emulated device of its own,
//! against the collectives of the hosts, whose rules have been judged.

mod on;

use coenzyme::AsDuplicated;
use coenzyme::prelude::*;
use coenzyme_collective::{CommError, LocalMesh, per_rank};
#[cfg(feature = "nccl")]
use coenzyme_cuda::Device;
use coenzyme_cuda::ranks::{
    AllGather, AllReduce, Broadcast, DeviceComm, Exchanged, Reduce, ReduceScatter, all_gather,
    all_reduce, broadcast, reduce, reduce_scatter,
};
use coenzyme_cuda::rules::class::{Unary, unary_rule};
use coenzyme_cuda::{DeviceArray, Error, Result};
use coenzyme_testutils::{by_ref, test_rule};
use ndarray::{Array1, Array2, Ix1, Ix2, array};
use on::{device, emulated, up};

/// A rank alone, with the device under test; by way of the hosts, for NCCL takes a second to start in each thread of the tester.
fn alone() -> DeviceComm {
    let device = device().expect("asked for before");
    DeviceComm::by_hosts(LocalMesh::alone().world(), device)
}

fn vector(n: usize) -> DeviceArray<f64> {
    up(&Array1::from_shape_fn(n, |i| (0.7 * i as f64 + 0.2).sin()))
}

/// A collective of a rank alone as a rule of one vector: the tester moves its arguments between threads, and ranks stay in theirs.
macro_rules! rules {
    ($($name:ident: $f:ident, $Class:ident $(, $root:literal)?;)*) => {$(
        mod $name {
            use super::*;

            type Of = Exchanged<$Class, f64, Ix1>;

            #[primitive]
            fn on_one_rank(x: &DeviceArray<f64>) -> Result<DeviceArray<f64>> {
                $f(&alone(), $($root,)? x)
            }

            struct OnOneRank;

            impl Unary for OnOneRank {
                type X = DeviceArray<f64>;
                type Out = DeviceArray<f64>;
                type Attrs = ();
                type Residual = DeviceArray<f64>;

                const READS_X: bool = Of::READS_X;

                fn value(x: &Self::X, (): &()) -> Result<(Self::Out, Self::Residual)> {
                    Of::value(x, &(alone(), $($root,)?))
                }
                fn pushforward(x: &Self::X, kept: &Self::Residual, dx: &Self::X, (): &()) -> Result<Self::Out> {
                    Of::pushforward(x, kept, dx, &(alone(), $($root,)?))
                }
                fn pullback(
                    x: Option<&Self::X>,
                    kept: &Self::Residual,
                    dy: &Self::Out,
                    dx: &mut Self::X,
                    (): &(),
                ) -> Result<()> {
                    Of::pullback(x, kept, dy, dx, &(alone(), $($root,)?))
                }
            }

            unary_rule!(on_one_rank[](x: DeviceArray<f64>) = OnOneRank);

            test_rule! {
                on_one_rank; x: by_ref(vector(n)); ret: [Const, Duplicated];
                name = rule, widths = [1, 2, 3], sizes = n in [0, 1, 33]
            }
        }
    )*};
}

rules! {
    all_reduce_rule: all_reduce, AllReduce;
    all_gather_rule: all_gather, AllGather;
    reduce_scatter_rule: reduce_scatter, ReduceScatter;
    broadcast_rule: broadcast, Broadcast, 0;
    reduce_rule: reduce, Reduce, 0;
}

type Received = Duplicated<std::result::Result<Vec<f64>, CommError>>;

/// Numbers of a rank that have exact sums.
fn numbers(process: &coenzyme_collective::Process, n: usize, seed: usize) -> Vec<f64> {
    let at = |i: usize| ((7 * i + 5 * process.rank() + 3 * seed) % 11) as f64 - 4.0;
    (0..n).map(at).collect()
}

/// Value, tangent and cotangent of one collective on the device and on the host, of rows of two numbers.
macro_rules! as_on_the_hosts {
    ($process:ident, $device:ident, $f:ident, $rows:expr $(, $root:expr)?) => {{
        let comm = DeviceComm::by_hosts($process.world(), &$device);
        let (n, rows) = (2 * $rows, $rows);
        let (x, dx) = (numbers($process, n, 0), numbers($process, n, 1));
        let put = |x: &[f64]| {
            let x = Array2::from_shape_vec((x.len() / 2, 2), x.to_vec()).expect("rows of two");
            $device.array(&x)
        };
        let (px, pdx) = (put(&x)?, put(&dx)?);
        let args = (Const(&comm), $(Const($root),)? Duplicated(&px, &pdx));
        let (dy, y) = autodiff(ForwardWithPrimal, &$f {}, AsDuplicated, args)?;
        let args = (Const($process.world()), $(Const(&$root),)? Duplicated(&x[..], &dx[..]));
        let (expected_dy, expected) =
            autodiff(ForwardWithPrimal, &per_rank::$f {}, AsDuplicated, args)?;
        let flat = |y: &DeviceArray<f64, Ix2>| y.to_host().map(|y| y.into_iter().collect::<Vec<_>>());
        assert_eq!((flat(&y)?, flat(&dy)?), (expected.clone(), expected_dy), stringify!($f));
        assert_eq!(y.shape()[1], 2);

        let seed = numbers($process, expected.len(), 2);
        let (mut bar, mut expected_bar) = (put(&vec![1.0; n])?, vec![1.0; n]);
        let mut args = (Const(&comm), $(Const($root),)? Duplicated(&px, &mut bar));
        let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64, Ix2>>>>::new($f {});
        let augmented = thunk.augmented(&mut args)?;
        let before = $device.counts().allocated;
        thunk.reverse([put(&seed)?], augmented.tape, &mut args);
        assert!($device.counts().allocated <= before, "a pullback reserves nothing");
        let mut args = (Const($process.world()), $(Const(&$root),)? Duplicated(&x[..], &mut expected_bar[..]));
        let thunk = Thunk::<_, Received>::new(per_rank::$f {});
        let augmented = thunk.augmented(&mut args)?;
        thunk.reverse([seed], augmented.tape, &mut args);
        assert_eq!(flat(&bar)?, expected_bar, "cotangent of {} of {rows} rows", stringify!($f));
    }};
}

/// Every rank has an emulated device of its own.
#[test]
fn ranks_with_devices_are_as_ranks_without() {
    if device().is_none() {
        return;
    }
    for ranks in 1..=4 {
        let done = LocalMesh::of(ranks).run(|process| {
            let device = emulated()?;
            let last = ranks - 1;
            for rows in [0, 3] {
                as_on_the_hosts!(process, device, all_reduce, rows);
                as_on_the_hosts!(process, device, all_gather, rows);
                as_on_the_hosts!(process, device, reduce_scatter, rows * ranks);
                as_on_the_hosts!(process, device, broadcast, rows, last);
                as_on_the_hosts!(process, device, reduce, rows, last);
            }
            Ok::<_, Error>(())
        });
        assert_eq!(done.map(|done| done.len()), Ok(ranks));
    }
}

/// The loss of a linear model whose examples are cut among ranks, and its gradient, as one rank alone has them.
#[test]
fn a_fit_on_several_ranks_is_the_fit_on_one() {
    #[differentiable]
    fn share(comm: &DeviceComm, w: &DeviceArray<f64>) -> Result<f64> {
        let total = all_reduce(comm, w)?;
        let squares = coenzyme_cuda::map1(&total, Inactive(square {}))?;
        let share = coenzyme_cuda::rules::sum(&squares)?;
        Ok(share)
    }
    if device().is_none() {
        return;
    }
    // the loss is n·Σⱼ (Σᵣ wᵣⱼ)², and its derivative in each wᵣⱼ is 2n·Σᵣ wᵣⱼ
    let gradients = LocalMesh::of(3).run(|process| {
        let device = emulated()?;
        let comm = DeviceComm::by_hosts(process.world(), &device);
        let w = device.array(&array![1.0 + process.rank() as f64, -2.0])?;
        let (_, dw) = gradient!(share, Const(&comm), &w)?;
        dw.to_host()
    });
    assert_eq!(gradients, Ok(vec![array![36.0, -36.0]; 3]));
}

#[differentiable(device)]
fn square(x: f64) -> f64 {
    x * x
}

#[test]
fn what_does_not_fit_is_an_error() {
    if device().is_none() {
        return;
    }
    let failed = LocalMesh::of(2).run(|process| {
        let comm = DeviceComm::by_hosts(process.world(), &emulated()?);
        reduce_scatter(&comm, &comm.device().array(&array![1.0, 2.0, 3.0])?).map(drop)
    });
    let (length, ranks) = (3, 2);
    let expected: Error = CommError::NotDivisible { length, ranks }.into();
    assert_eq!(failed, Err(expected));
    let failed = broadcast(&alone(), 1, &vector(2)).map(drop);
    assert_eq!(failed, Err(CommError::NoRank { rank: 1, size: 1 }.into()));
    let other = emulated().and_then(|other| other.array(&array![1.0]));
    let failed = all_reduce(&alone(), &other.expect("room"));
    assert!(matches!(failed, Err(Error::MixedDevices { .. })));
}

/// An emulated device has no NCCL, and where one rank cannot join none does.
#[test]
fn nccl_is_for_cards() {
    if device().is_none() {
        return;
    }
    let joined = LocalMesh::of(2).run(|process| {
        let joined = DeviceComm::nccl(process.world(), &emulated()?);
        // the ranks are still in step
        per_rank::all_reduce(process.world(), &[1.0])?;
        Ok::<_, Error>(joined.map(drop))
    });
    for joined in joined.expect("the ranks go on") {
        let said = joined.expect_err("an emulated device has none").to_string();
        assert!(
            said.contains("NCCL") && said.contains("by way of the hosts"),
            "{said}"
        );
    }
}

/// NCCL on a card, where there is one: for a rank alone a collective and its adjoint are the identity, and wait for nobody.
#[test]
#[cfg(feature = "nccl")]
fn nccl_does_not_wait() {
    let device = match Device::cuda(0) {
        Ok(device) => device,
        Err(error) => return println!("skipped: {error}"),
    };
    let comm = match DeviceComm::nccl(LocalMesh::alone().world(), &device) {
        Ok(comm) => comm,
        Err(error) => return println!("skipped: {error}"),
    };
    let x = device.array(&array![1.0, 2.0]).expect("room");
    let seed = device.array(&array![3.0, 4.0]).expect("room");
    macro_rules! each {
        ($($f:ident($($root:literal)?);)*) => {$(
            let mut dx = x.zero_like();
            let mut args = (Const(&comm), $(Const($root),)? Duplicated(&x, &mut dx));
            let thunk = Thunk::<_, Duplicated<Result<DeviceArray<f64>>>>::new($f {});
            let before = device.counts().synchronizations;
            let augmented = thunk.augmented(&mut args).expect("sent");
            thunk.reverse([seed.clone()], augmented.tape, &mut args);
            assert_eq!(device.counts().synchronizations, before);
            let y = augmented.primal.expect("a value").to_host();
            let expected = (Ok(array![1.0, 2.0]), Ok(array![3.0, 4.0]));
            assert_eq!((y, dx.to_host()), expected, stringify!($f));
        )*};
    }
    each! {
        all_reduce();
        all_gather();
        reduce_scatter();
        broadcast(0);
        reduce(0);
    }
}
