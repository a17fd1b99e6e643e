//! The images: see `README.md` for their source and licence.

/// Pixels of an image.
pub(crate) const PIXELS: usize = 64;

/// An image, from 0 (white) to 1 (black), and the digit that was written.
#[derive(Clone, Debug)]
pub(crate) struct Image {
    pub(crate) pixels: [f64; PIXELS],
    pub(crate) digit: usize,
}

/// The 1797 images in the order of their source.
pub(crate) fn images() -> Vec<Image> {
    let image = |line: &str| {
        let mut pixels = [0.0; PIXELS];
        for (pixel, c) in pixels.iter_mut().zip(line.chars()) {
            *pixel = f64::from(c.to_digit(17).expect("digits of base 17")) / 16.0;
        }
        let digit = line[PIXELS..].trim().parse();
        Image {
            pixels,
            digit: digit.expect("a digit"),
        }
    };
    include_str!("digits.txt").lines().map(image).collect()
}
