//! How kernels meet images.

use coenzyme::Tangent;

use crate::class::Attribute;

/// How kernels meet images. The default is at every place, without padding, dilation or groups.
///
/// ```
/// use coenzyme_rules::signal::Convolution;
///
/// let how = Convolution { stride: [2, 2], groups: 4, ..Convolution::default() };
/// assert_eq!((how.padding, how.dilation), ([0, 0], [1, 1]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Tangent)]
pub struct Convolution {
    /// The distance of the places where the kernel meets the image.
    pub stride: [usize; 2],
    /// The zeros on either side of the image.
    pub padding: [usize; 2],
    /// The distance in the image of neighbours in the kernel.
    pub dilation: [usize; 2],
    /// Into how many groups the channels are divided; a kernel sees the channels of its group.
    pub groups: usize,
}

impl Attribute for Convolution {}

impl Default for Convolution {
    fn default() -> Self {
        Self {
            stride: [1, 1],
            padding: [0, 0],
            dilation: [1, 1],
            groups: 1,
        }
    }
}

impl Convolution {
    /// Of a stride and a padding.
    pub(super) fn of(stride: [usize; 2], padding: [usize; 2]) -> Self {
        Self {
            stride,
            padding,
            ..Self::default()
        }
    }

    /// The entries of an image from the first to the last that a kernel meets, if there are kernels and they are at every
    /// place a positive number of entries away from each other.
    fn extent(&self, w: &[usize], axis: usize) -> Option<usize> {
        let positive = self.stride[axis] > 0 && self.dilation[axis] > 0;
        let taps = w[axis + 2].checked_sub(1).filter(|_| positive)?;
        Some(taps * self.dilation[axis] + 1)
    }

    /// Whether the groups divide the channels of images and the kernels.
    fn divides(&self, channels: usize, w: &[usize]) -> bool {
        self.groups > 0 && w[1] * self.groups == channels && w[0].is_multiple_of(self.groups)
    }

    /// The size along one axis of the convolution of images.
    fn places(&self, x: &[usize], w: &[usize], axis: usize) -> Option<usize> {
        let rest = (x[axis + 2] + 2 * self.padding[axis]).checked_sub(self.extent(w, axis)?)?;
        Some(rest / self.stride[axis] + 1)
    }

    /// The size along one axis of the smallest images whose convolution has the size of `y`.
    fn entries(&self, y: &[usize], w: &[usize], axis: usize) -> Option<usize> {
        let steps = y[axis + 2].checked_sub(1)?;
        let padded = steps * self.stride[axis] + self.extent(w, axis)?;
        padded
            .checked_sub(2 * self.padding[axis])
            .filter(|n| *n > 0)
    }

    /// The shape of the convolution of images.
    #[track_caller]
    pub(super) fn shape(&self, x: &[usize], w: &[usize]) -> [usize; 4] {
        match [0, 1].map(|axis| self.places(x, w, axis)) {
            [Some(h), Some(v)] if self.divides(x[1], w) => [x[0], w[0], h, v],
            _ => self.refuse("convolution", x, w),
        }
    }

    /// The shape of the transposed convolution of images.
    #[track_caller]
    pub(super) fn transposed_shape(&self, y: &[usize], w: &[usize]) -> [usize; 4] {
        let channels = w[1] * self.groups;
        match [0, 1].map(|axis| self.entries(y, w, axis)) {
            [Some(h), Some(v)] if y[1] == w[0] && self.divides(channels, w) => {
                [y[0], channels, h, v]
            }
            _ => self.refuse("transposed convolution", y, w),
        }
    }

    #[track_caller]
    fn refuse(&self, name: &str, x: &[usize], w: &[usize]) -> ! {
        let Self {
            stride,
            padding,
            dilation,
            groups,
        } = self;
        panic!(
            "{name}: images {x:?} with kernels {w:?}, stride {stride:?}, padding {padding:?}, dilation {dilation:?}, groups {groups}"
        )
    }
}
