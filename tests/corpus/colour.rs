//! Colour spaces, transfer functions, differences.

use coenzyme::{Tangent, differentiable};

#[derive(Debug, Clone, Copy, PartialEq, Tangent)]
pub struct Rgb {
    pub r: f64,
    pub g: f64,
    pub b: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Tangent)]
pub struct Xyz(pub f64, pub f64, pub f64);

#[derive(Debug, Clone, Copy, PartialEq, Tangent)]
pub struct Lab {
    pub l: f64,
    pub a: f64,
    pub b: f64,
}

const D65: [f64; 3] = [0.95047, 1.0, 1.08883];
const M: [[f64; 3]; 3] = [
    [0.4124564, 0.3575761, 0.1804375],
    [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041],
];

#[differentiable]
pub fn srgb_decode(c: f64) -> f64 {
    if c <= 0.04045 {
        c / 12.92
    } else {
        ((c + 0.055) / 1.055).powf(2.4)
    }
}

#[differentiable]
pub fn srgb_encode(c: f64) -> f64 {
    match c {
        c if c <= 0.0031308 => 12.92 * c,
        c => 1.055 * c.powf(1.0 / 2.4) - 0.055,
    }
}

#[differentiable]
pub fn to_linear(c: Rgb) -> Rgb {
    Rgb {
        r: srgb_decode(c.r),
        g: srgb_decode(c.g),
        b: srgb_decode(c.b),
    }
}

#[differentiable]
impl From<Rgb> for Xyz {
    fn from(c: Rgb) -> Xyz {
        let Rgb { r, g, b } = to_linear(c);
        let v = [r, g, b];
        let row = |i: usize| M[i][0] * v[0] + M[i][1] * v[1] + M[i][2] * v[2];
        Xyz(row(0), row(1), row(2))
    }
}

#[differentiable]
pub fn rgb_to_xyz(c: Rgb) -> Xyz {
    Xyz::from(c)
}

#[differentiable]
fn f(t: f64) -> f64 {
    const DELTA: f64 = 6.0 / 29.0;
    if t > DELTA.powi(3) {
        t.cbrt()
    } else {
        t / (3.0 * DELTA * DELTA) + 4.0 / 29.0
    }
}

#[differentiable]
pub fn xyz_to_lab(c: Xyz) -> Lab {
    let (x, y, z) = (f(c.0 / D65[0]), f(c.1 / D65[1]), f(c.2 / D65[2]));
    Lab {
        l: 116.0 * y - 16.0,
        a: 500.0 * (x - y),
        b: 200.0 * (y - z),
    }
}

#[differentiable]
pub fn lab(c: Rgb) -> Lab {
    xyz_to_lab(rgb_to_xyz(c))
}

#[differentiable]
pub fn delta_e76(a: &Lab, b: &Lab) -> f64 {
    let d = [a.l - b.l, a.a - b.a, a.b - b.b];
    d.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[differentiable]
pub fn delta_e94(p: Lab, q: Lab) -> f64 {
    let c1 = p.a.hypot(p.b);
    let c2 = q.a.hypot(q.b);
    let dl = p.l - q.l;
    let dc = c1 - c2;
    let dh2 = (p.a - q.a).powi(2) + (p.b - q.b).powi(2) - dc * dc;
    let (sc, sh) = (1.0 + 0.045 * c1, 1.0 + 0.015 * c1);
    (dl * dl + (dc / sc).powi(2) + dh2.max(0.0) / (sh * sh)).sqrt()
}

#[differentiable]
pub fn hsl(c: Rgb) -> (f64, f64, f64) {
    let max = c.r.max(c.g).max(c.b);
    let min = c.r.min(c.g).min(c.b);
    let l = (max + min) / 2.0;
    if max == min {
        return (0.0, 0.0, l);
    }
    let d = max - min;
    let s = if l > 0.5 {
        d / (2.0 - max - min)
    } else {
        d / (max + min)
    };
    let h = if max == c.r {
        (c.g - c.b) / d + if c.g < c.b { 6.0 } else { 0.0 }
    } else if max == c.g {
        (c.b - c.r) / d + 2.0
    } else {
        (c.r - c.g) / d + 4.0
    };
    (h / 6.0, s, l)
}

#[differentiable]
pub fn hsv_to_rgb(h: f64, s: f64, v: f64) -> [f64; 3] {
    let i = (h * 6.0).floor();
    let f = h * 6.0 - i;
    let p = v * (1.0 - s);
    let q = v * (1.0 - f * s);
    let t = v * (1.0 - (1.0 - f) * s);
    match i as i32 % 6 {
        0 => [v, t, p],
        1 => [q, v, p],
        2 => [p, v, t],
        3 => [p, q, v],
        4 => [t, p, v],
        _ => [v, p, q],
    }
}

#[differentiable]
pub fn luminance(rgb: &[f64; 3]) -> f64 {
    rgb.iter()
        .zip(&[0.2126, 0.7152, 0.0722])
        .map(|(c, w)| srgb_decode(*c) * w)
        .sum()
}

#[differentiable]
pub fn contrast(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    let (la, lb) = (luminance(a), luminance(b));
    let (hi, lo) = if la > lb { (la, lb) } else { (lb, la) };
    (hi + 0.05) / (lo + 0.05)
}

#[differentiable]
pub fn over(top: [f64; 4], bottom: [f64; 4]) -> [f64; 4] {
    let a = top[3] + bottom[3] * (1.0 - top[3]);
    let mut out = [0.0; 4];
    for k in 0..3 {
        out[k] = (top[k] * top[3] + bottom[k] * bottom[3] * (1.0 - top[3])) / a;
    }
    out[3] = a;
    out
}

#[differentiable]
pub fn gamma_image(pixels: &mut [f64], gamma: f64) {
    pixels.iter_mut().for_each(|p| *p = p.powf(gamma));
}

#[differentiable]
pub fn multiply(m: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| m[i].iter().zip(v).map(|(a, b)| a * b).sum())
}

#[differentiable]
pub fn planck(wavelength: f64, temperature: f64) -> f64 {
    let (c1, c2) = (3.7417, 1.4388);
    c1 / (wavelength.powi(5) * ((c2 / (wavelength * temperature)).exp() - 1.0))
}

#[differentiable]
pub fn chromaticity(Xyz(x, y, z): Xyz) -> Option<(f64, f64)> {
    let sum = x + y + z;
    if sum == 0.0 {
        None
    } else {
        Some((x / sum, y / sum))
    }
}

#[differentiable]
pub fn temperature(c: Xyz) -> Option<f64> {
    let (x, y) = chromaticity(c)?;
    let n = (x - 0.3320) / (0.1858 - y);
    Some(437.0 * n.powi(3) + 3601.0 * n.powi(2) + 6861.0 * n + 5517.0)
}

fn teal() -> Rgb {
    Rgb {
        r: 0.2,
        g: 0.6,
        b: 0.7,
    }
}
fn sand() -> Lab {
    Lab {
        l: 80.0,
        a: 5.0,
        b: 30.0,
    }
}

crate::subject::judge! {
    srgb_decode(0.3)(0.01);
    srgb_encode(0.3)(0.001);
    rgb_to_xyz(teal());
    lab(teal());
    delta_e76(&sand(), &Lab { l: 70.0, a: 2.0, b: -9.0 });
    delta_e94(sand(), Lab { l: 70.0, a: 2.0, b: -9.0 });
    hsl(teal());
    hsv_to_rgb(0.4, 0.5, 0.6);
    luminance(&[0.2, 0.5, 0.7]);
    contrast(&[0.2, 0.5, 0.7], &[0.9, 0.8, 0.1]);
    over([0.1, 0.5, 0.6, 0.4], [0.9, 0.2, 0.3, 0.8]);
    gamma_image(&mut [0.2, 0.5, 0.7], 2.2);
    multiply(&[[0.2, 0.5, 0.7], [0.1, 0.3, 0.9], [0.8, 0.2, 0.4]], [0.3, 0.6, 0.1]);
    planck(0.6, 0.5);
    chromaticity(Xyz(0.3, 0.4, 0.2));
    temperature(Xyz(0.3, 0.4, 0.2));
}
