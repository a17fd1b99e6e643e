//! Normalization of channels: over the batch, or in groups within each sample.
//!
//! | value | shape | |
//! |---|---|---|
//! | `x` | `(n, c, …)` | samples, channels, places |
//! | `w`, `b` | `(c)` | weights and offsets of the channels |
//! | `x̂` | as `x` | `r·(x − mean)`, with the mean and `r = 1/√(variance + ε)` of the group of the entry |
//! | `y` | as `x` | `x̂∘w + b` |
//!
//! A group is a channel in all samples ([`batch_norm()`]), or some channels of one sample ([`group_norm()`]). As in layer
//! normalization, the map `ẋ ↦ x̂̇` is its own transpose, `N(d) = r·(d − mean(d) − x̂·mean(x̂∘d))`, in each group: forward
//! `ẏ = N(ẋ)∘w + x̂∘ẇ + ḃ`, reverse `x̄ += N(ȳ∘w)`, `w̄ += Σ ȳ∘x̂`, `b̄ += Σ ȳ`. With given statistics `N(d) = r·d`. The tape holds `x̂`, the
//! factors and `w`.
//!

use ndarray::{Array, Array1, Array3, ArrayRef, ArrayRef1, Dimension};

use super::BatchStatistics;
use crate::class::Scalar;

/// Which entries are normalized together.
#[derive(Clone, Copy, Debug)]
pub(super) enum Together {
    /// A channel in all samples.
    Channel,
    /// So many channels beside each other of one sample, of so many groups.
    Group { channels: usize, groups: usize },
}

impl Together {
    /// The number of the group of a sample's channel.
    fn of(self, sample: usize, channel: usize) -> usize {
        match self {
            Together::Channel => channel,
            Together::Group { channels, groups } => sample * groups + channel / channels,
        }
    }

    /// The number of groups.
    fn number(self, samples: usize, channels: usize) -> usize {
        match self {
            Together::Channel => channels,
            Together::Group { groups, .. } => samples * groups,
        }
    }
}

/// What the derivative reads.
#[derive(Debug)]
pub struct Channels<T> {
    /// `x̂`, with all places on one axis.
    x: Array3<T>,
    factor: Vec<T>,
    w: Array1<T>,
    together: Together,
    /// The mean and the variance are those of the entries, and not given.
    own: bool,
}

/// The entries with all places on one axis.
pub(super) fn flat<T: Scalar, D: Dimension>(x: &ArrayRef<T, D>) -> Array3<T> {
    let shape = (
        x.shape()[0],
        x.shape()[1],
        x.shape()[2..].iter().product::<usize>(),
    );
    x.as_standard_layout()
        .into_owned()
        .into_shape_with_order(shape)
        .expect("as many entries")
}

/// The entries in the shape they came from.
fn unflat<T: Scalar, D: Dimension>(x: Array3<T>, shape: D) -> Array<T, D> {
    x.into_shape_with_order(shape).expect("as many entries")
}

/// **Panics** unless there are samples and channels, and a weight and an offset for each channel.
#[track_caller]
pub(super) fn check<T, D: Dimension>(
    name: &str,
    x: &ArrayRef<T, D>,
    w: &ArrayRef1<T>,
    b: &ArrayRef1<T>,
) {
    assert!(
        x.ndim() >= 2 && w.len() == x.shape()[1] && b.len() == x.shape()[1],
        "{name}: {:?} with weights {:?} and offsets {:?}",
        x.shape(),
        w.shape(),
        b.shape()
    );
}

impl<T: Scalar> Channels<T> {
    /// Gives `f` the row of places of each channel of each sample of `x`, with the group and the channel.
    fn each(&self, x: &mut Array3<T>, mut f: impl FnMut(usize, usize, usize, &mut [T])) {
        let places = x.shape()[2];
        let channels = x.shape()[1];
        let entries = x.as_slice_mut().expect("in standard layout");
        if places == 0 {
            return;
        }
        for (i, row) in entries.chunks_exact_mut(places).enumerate() {
            let (sample, channel) = (i / channels, i % channels);
            f(sample, self.together.of(sample, channel), channel, row);
        }
    }

    /// The mean over each group of `f` of the entries of `x` and `x̂`.
    fn means(&self, x: &Array3<T>, f: impl Fn(T, T) -> T) -> Vec<T> {
        let (samples, channels, _) = x.dim();
        let groups = self.together.number(samples, channels);
        let share = T::lit(groups as f64 / x.len() as f64);
        let mut means = vec![T::zero(); groups];
        for ((sample, channel, place), &d) in x.indexed_iter() {
            means[self.together.of(sample, channel)] += f(d, self.x[(sample, channel, place)]);
        }
        means.iter_mut().for_each(|m| *m *= share);
        means
    }

    /// The entries as they are.
    pub(super) fn plain(x: Array3<T>, w: &ArrayRef1<T>, together: Together) -> Self {
        Self {
            x,
            factor: Vec::new(),
            w: w.to_owned(),
            together,
            own: true,
        }
    }

    /// Of the entries as they are: the mean of each group, the deviations from it, and their mean square.
    pub(super) fn moments(&self) -> (Vec<T>, Array3<T>, Vec<T>) {
        let mean = self.means(&self.x, |x, _| x);
        let mut deviations = self.x.clone();
        self.each(&mut deviations, |_, group, _, row| {
            row.iter_mut().for_each(|x| *x -= mean[group]);
        });
        let variance = self.means(&deviations, |x, _| x * x);
        (mean, deviations, variance)
    }

    /// From the entries' own statistics.
    pub(super) fn new(x: Array3<T>, w: &ArrayRef1<T>, together: Together, eps: f64) -> Self {
        let mut this = Self::plain(x, w, together);
        let (_, mut x, variance) = this.moments();
        let factor = |v: T| (v + T::lit(eps)).sqrt().recip();
        this.factor = variance.into_iter().map(factor).collect();
        this.each(&mut x, |_, group, _, row| {
            row.iter_mut().for_each(|x| *x *= this.factor[group]);
        });
        this.x = x;
        this
    }

    /// From given statistics.
    pub(super) fn given(
        mut x: Array3<T>,
        w: &ArrayRef1<T>,
        statistics: &BatchStatistics,
        eps: f64,
    ) -> Self {
        let factor = |v: &f64| T::lit((v + eps).sqrt().recip());
        let mut this = Self {
            x: Array3::zeros((0, 0, 0)),
            factor: statistics.variance().iter().map(factor).collect(),
            w: w.to_owned(),
            together: Together::Channel,
            own: false,
        };
        this.each(&mut x, |_, _, channel, row| {
            let mean = T::lit(statistics.mean()[channel]);
            row.iter_mut()
                .for_each(|x| *x = (*x - mean) * this.factor[channel]);
        });
        this.x = x;
        this
    }

    /// `x̂∘w + b`, either of which may be missing.
    fn scaled(&self, w: Option<&ArrayRef1<T>>, b: Option<&ArrayRef1<T>>) -> Array3<T> {
        let mut y = self.x.clone();
        self.each(&mut y, |_, _, channel, row| {
            let w = w.map_or(T::zero(), |w| w[channel]);
            let b = b.map_or(T::zero(), |b| b[channel]);
            row.iter_mut().for_each(|y| *y = *y * w + b);
        });
        y
    }

    /// `d ← d∘w`
    fn weigh(&self, d: &mut Array3<T>) {
        self.each(d, |_, _, channel, row| {
            row.iter_mut().for_each(|d| *d *= self.w[channel]);
        });
    }

    /// `N(d)`
    fn derivative(&self, mut d: Array3<T>) -> Array3<T> {
        if !self.own {
            self.each(&mut d, |_, group, _, row| {
                row.iter_mut().for_each(|d| *d *= self.factor[group]);
            });
            return d;
        }
        let (center, along) = (self.means(&d, |d, _| d), self.means(&d, |d, x| d * x));
        self.each(&mut d, |sample, group, channel, row| {
            let x = self.x.slice(ndarray::s![sample, channel, ..]);
            for (d, &x) in row.iter_mut().zip(x) {
                *d = self.factor[group] * (*d - center[group] - x * along[group]);
            }
        });
        d
    }

    pub(super) fn value<D: Dimension>(self, b: &ArrayRef1<T>, shape: D) -> (Array<T, D>, Self) {
        (unflat(self.scaled(Some(&self.w), Some(b)), shape), self)
    }

    pub(super) fn pushforward<D: Dimension>(
        y: &Array<T, D>,
        kept: &Self,
        dx: Option<&ArrayRef<T, D>>,
        dw: Option<&ArrayRef1<T>>,
        db: Option<&ArrayRef1<T>>,
    ) -> Array<T, D> {
        let mut dy = kept.scaled(dw, db);
        if let Some(dx) = dx {
            let mut d = kept.derivative(flat(dx));
            kept.weigh(&mut d);
            dy += &d;
        }
        unflat(dy, y.raw_dim())
    }

    pub(super) fn pull_x<D: Dimension>(kept: &Self, dy: &Array3<T>, dx: &mut ArrayRef<T, D>) {
        let mut d = dy.clone();
        kept.weigh(&mut d);
        *dx += &unflat(kept.derivative(d), dx.raw_dim());
    }

    pub(super) fn pull_w(kept: &Self, dy: &Array3<T>, dw: &mut ArrayRef1<T>) {
        for ((sample, channel, place), &dy) in dy.indexed_iter() {
            dw[channel] += dy * kept.x[(sample, channel, place)];
        }
    }

    pub(super) fn pull_b(dy: &Array3<T>, db: &mut ArrayRef1<T>) {
        for ((_, channel, _), &dy) in dy.indexed_iter() {
            db[channel] += dy;
        }
    }
}

/// The derivatives of each, which are those of [`Channels`], and its rules.
macro_rules! channel_rules {
    ($($name:ident($($attr:ident: $A:ty),+);)+) => {$(
        impl $name {
            fn pushforward<T: Scalar, D: Dimension>(
                y: &Array<T, D>,
                kept: &Channels<T>,
                dx: Option<&ArrayRef<T, D>>,
                dw: Option<&ArrayRef1<T>>,
                db: Option<&ArrayRef1<T>>,
            ) -> Array<T, D> {
                Channels::pushforward(y, kept, dx, dw, db)
            }
            fn pull<T: Scalar, D: Dimension>(_: &Array<T, D>, _: &Channels<T>, dy: &Array<T, D>) -> Array3<T> {
                flat(dy)
            }
            fn pull_x<T: Scalar, D: Dimension>(
                _: &Array<T, D>,
                kept: &Channels<T>,
                dy: &Array3<T>,
                dx: &mut ArrayRef<T, D>,
            ) {
                Channels::pull_x(kept, dy, dx);
            }
            fn pull_w<T: Scalar, D: Dimension>(
                _: &Array<T, D>,
                kept: &Channels<T>,
                dy: &Array3<T>,
                dw: &mut ArrayRef1<T>,
            ) {
                Channels::pull_w(kept, dy, dw);
            }
            fn pull_b<T: Scalar, D: Dimension>(
                _: &Array<T, D>,
                _: &Channels<T>,
                dy: &Array3<T>,
                db: &mut ArrayRef1<T>,
            ) {
                Channels::pull_b(dy, db);
            }
        }

        $crate::class::several_rule!(
            $name[T: Scalar, D: Dimension + 'static](
                x: ArrayRef<T, D> => pull_x, w: ArrayRef1<T> => pull_w, b: ArrayRef1<T> => pull_b; $($attr: $A),+
            ) -> Array<T, D>, keeps Channels<T>, pulls Array3<T>
        );
    )+};
}

pub(super) use channel_rules;
