//! A ray through spherical surfaces, in the plane of the axis, as long as it gets through.
//!
//! The formulas are those of Welford, *Aberrations of Optical Systems*, section 4.4.

use coenzyme::prelude::*;

/// What is fixed in a design.
#[derive(Clone, Debug, Tangent)]
pub(crate) struct Mounting {
    /// Refractive index before the first surface and behind each.
    pub(crate) index: Vec<f64>,
    /// From each surface to the next, and from the last to the screen.
    pub(crate) distance: Vec<f64>,
}

/// The height at which a ray parallel to the axis, at height `height` before the lens, meets the screen, for the curvatures (`1/radius`) of the
/// surfaces; `None` if it misses a surface or is totally reflected.
#[differentiable]
pub(crate) fn trace(height: f64, curvature: &[f64], mounting: &Mounting) -> Option<f64> {
    // height at the surface's vertex plane, and the direction's cosines along and across the axis
    let (mut y, mut along, mut across) = (height, 1.0, 0.0);
    for s in 0..curvature.len() {
        let c = curvature[s];
        let f = c * y * y;
        let g = along - c * y * across;
        let square = g * g - c * f;
        if square < 0.0 {
            return None; // the ray misses the sphere
        }
        let cos = square.sqrt();
        let path = f / (g + cos);
        let z = along * path;
        y += across * path;
        let (n, behind) = (mounting.index[s], mounting.index[s + 1]);
        let square = behind * behind - n * n * (1.0 - cos * cos);
        if square < 0.0 {
            return None; // total internal reflection
        }
        let bend = square.sqrt() - n * cos;
        across = (n * across - c * bend * y) / behind;
        along = (n * along - c * bend * z + bend) / behind;
        y += across / along * (mounting.distance[s] - z);
    }
    Some(y)
}

/// `Σ y²` on the screen over rays at some heights, for a lens of two surfaces given by power and shape: `c₀ = p(1 + s)/2`,
/// `c₁ = −p(1 − s)/2`. `None` if a ray does not get through.
#[differentiable]
pub(crate) fn spot(power: f64, shape: f64, heights: &[f64], mounting: &Mounting) -> Option<f64> {
    let mut curvature = [0.0; 2];
    curvature[0] = 0.5 * power * (shape + 1.0);
    curvature[1] = 0.5 * power * (shape - 1.0);
    let mut sum = 0.0;
    for h in heights {
        let y = trace(*h, &curvature, mounting)?;
        sum += y * y;
    }
    Some(sum)
}

/// The adjoint of [`trace`] by hand, for a cotangent of one: that of the height is returned, those of the curvatures are added.
pub(crate) fn by_hand(
    height: f64,
    curvature: &[f64],
    mounting: &Mounting,
    dcurvature: &mut [f64],
) -> Option<f64> {
    let mut before = Vec::new();
    let (mut y, mut along, mut across) = (height, 1.0, 0.0);
    for s in 0..curvature.len() {
        before.push((y, along, across));
        let at = Surface::at(curvature[s], (y, along, across), mounting, s)?;
        (y, along, across) = at.behind(mounting, s);
    }
    let (mut dy, mut dalong, mut dacross) = (1.0, 0.0, 0.0);
    for (s, ray) in before.into_iter().enumerate().rev() {
        let c = curvature[s];
        let at = Surface::at(c, ray, mounting, s)?;
        let (n, behind) = (mounting.index[s], mounting.index[s + 1]);
        let (_, along, across) = at.behind(mounting, s);
        let rest = mounting.distance[s] - at.z;
        // y ← y + across/along·rest
        dacross += dy * rest / along;
        dalong -= dy * across / (along * along) * rest;
        let mut dz = -dy * across / along;
        // refraction
        let (da, dl) = (dacross / behind, dalong / behind);
        let dbend = -da * c * at.y + dl * (1.0 - c * at.z);
        let mut dc = -at.bend * (da * at.y + dl * at.z);
        dy -= da * c * at.bend;
        dz -= dl * c * at.bend;
        let mut dcos = dbend * (n * n * at.cos / at.cos_behind - n);
        // intersection
        let (y0, along0, across0) = ray;
        let dpath = dy * across0 + dz * along0;
        dacross = n * da + dy * at.path;
        dalong = n * dl + dz * at.path;
        let below = at.g + at.cos;
        let mut df = dpath / below;
        dcos -= dpath * at.path / below;
        let dsquare = dcos / (2.0 * at.cos);
        let dg = 2.0 * at.g * dsquare - dpath * at.path / below;
        df -= c * dsquare;
        dc -= at.f * dsquare;
        dalong += dg;
        dacross -= dg * c * y0;
        dy += df * 2.0 * c * y0 - dg * c * across0;
        dc += df * y0 * y0 - dg * y0 * across0;
        dcurvature[s] += dc;
    }
    Some(dy)
}

/// A ray at a surface, in the names of [`trace`].
struct Surface {
    f: f64,
    g: f64,
    cos: f64,
    path: f64,
    y: f64,
    z: f64,
    cos_behind: f64,
    bend: f64,
    ray: (f64, f64, f64),
    c: f64,
}

impl Surface {
    fn at(c: f64, ray: (f64, f64, f64), mounting: &Mounting, s: usize) -> Option<Self> {
        let (y, along, across) = ray;
        let (f, g) = (c * y * y, along - c * y * across);
        let square = g * g - c * f;
        if square < 0.0 {
            return None;
        }
        let cos = square.sqrt();
        let path = f / (g + cos);
        let (n, behind) = (mounting.index[s], mounting.index[s + 1]);
        let square = behind * behind - n * n * (1.0 - cos * cos);
        if square < 0.0 {
            return None;
        }
        let (y, z, cos_behind) = (y + across * path, along * path, square.sqrt());
        let bend = cos_behind - n * cos;
        Some(Self {
            f,
            g,
            cos,
            path,
            y,
            z,
            cos_behind,
            bend,
            ray,
            c,
        })
    }

    /// Height at the next vertex plane, and the cosines.
    fn behind(&self, mounting: &Mounting, s: usize) -> (f64, f64, f64) {
        let (n, behind) = (mounting.index[s], mounting.index[s + 1]);
        let across = (n * self.ray.2 - self.c * self.bend * self.y) / behind;
        let along = (n * self.ray.1 - self.c * self.bend * self.z + self.bend) / behind;
        (
            self.y + across / along * (mounting.distance[s] - self.z),
            along,
            across,
        )
    }
}
