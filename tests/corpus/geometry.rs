//! Vectors, triangles, transforms, distances.

use coenzyme::{Tangent, differentiable};
use num_traits::Float;

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct V2<T> {
    pub x: T,
    pub y: T,
}

#[derive(Clone, Copy, Debug, PartialEq, Tangent)]
pub struct P {
    pub x: f64,
    pub y: f64,
}

#[derive(Clone, Debug, Tangent)]
pub enum Shape {
    Circle { radius: f64 },
    Rect { w: f64, h: f64 },
    Triangle(f64, f64, f64),
    Empty,
}

#[differentiable]
impl Shape {
    pub fn area(&self) -> f64 {
        match self {
            Shape::Circle { radius } => std::f64::consts::PI * radius * radius,
            Shape::Rect { w, h } => w * h,
            Shape::Triangle(a, b, c) => {
                let s = (a + b + c) / 2.0;
                (s * (s - a) * (s - b) * (s - c)).sqrt()
            }
            Shape::Empty => 0.0,
        }
    }
}

#[differentiable]
pub fn total_area(shapes: &[Shape]) -> f64 {
    shapes.iter().map(|s| s.area()).sum()
}

#[differentiable]
pub fn total_area_by_name(shapes: &[Shape]) -> f64 {
    shapes.iter().map(Shape::area).sum()
}

#[differentiable]
pub fn signed_area(polygon: &[P]) -> f64 {
    let n = polygon.len();
    (0..n)
        .map(|i| {
            let (a, b) = (polygon[i], polygon[(i + 1) % n]);
            a.x * b.y - b.x * a.y
        })
        .sum::<f64>()
        * 0.5
}

#[differentiable]
pub fn perimeter(polygon: &[P]) -> f64 {
    polygon
        .iter()
        .zip(polygon.iter().cycle().skip(1))
        .map(|(a, b)| (a.x - b.x).hypot(a.y - b.y))
        .sum()
}

#[differentiable]
pub fn polygon_centroid(polygon: &[P]) -> Option<P> {
    let area = signed_area(polygon);
    if area.abs() < f64::EPSILON {
        return None;
    }
    let (mut cx, mut cy) = (0.0, 0.0);
    for (i, a) in polygon.iter().enumerate() {
        let b = &polygon[(i + 1) % polygon.len()];
        let cross = a.x * b.y - b.x * a.y;
        cx += (a.x + b.x) * cross;
        cy += (a.y + b.y) * cross;
    }
    let k = 1.0 / (6.0 * area);
    Some(P {
        x: cx * k,
        y: cy * k,
    })
}

#[differentiable]
pub fn line_intersection(a: P, b: P, c: P, d: P) -> Option<P> {
    let den = (a.x - b.x) * (c.y - d.y) - (a.y - b.y) * (c.x - d.x);
    if den == 0.0 {
        return None;
    }
    let t = ((a.x - c.x) * (c.y - d.y) - (a.y - c.y) * (c.x - d.x)) / den;
    Some(P {
        x: a.x + t * (b.x - a.x),
        y: a.y + t * (b.y - a.y),
    })
}

#[differentiable]
pub fn segment_distance(p: P, a: P, b: P) -> f64 {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    let len2 = dx * dx + dy * dy;
    let t = if len2 > 0.0 {
        (((p.x - a.x) * dx + (p.y - a.y) * dy) / len2).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let q = P {
        x: a.x + t * dx,
        y: a.y + t * dy,
    };
    ((p.x - q.x).powi(2) + (p.y - q.y).powi(2)).sqrt()
}

#[differentiable]
pub fn nearest_distance(p: P, others: &[P]) -> Option<f64> {
    others
        .iter()
        .map(|q| ((p.x - q.x).powi(2) + (p.y - q.y).powi(2)).sqrt())
        .min_by(|a, b| a.partial_cmp(b).unwrap())
}

#[differentiable]
pub fn ray_sphere(origin: [f64; 3], dir: [f64; 3], center: [f64; 3], radius: f64) -> Option<f64> {
    let oc = [
        origin[0] - center[0],
        origin[1] - center[1],
        origin[2] - center[2],
    ];
    let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let b = dot(&oc, &dir);
    let c = dot(&oc, &oc) - radius * radius;
    let disc = b * b - c;
    if disc < 0.0 {
        return None;
    }
    let t = -b - disc.sqrt();
    if t > 0.0 { Some(t) } else { None }
}

#[differentiable]
pub fn cross(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[differentiable]
pub fn normalize<const N: usize>(mut v: [f64; N]) -> Option<[f64; N]> {
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm == 0.0 {
        return None;
    }
    for x in v.iter_mut() {
        *x /= norm;
    }
    Some(v)
}

#[differentiable]
pub fn triangle_normal(a: &[f64; 3], b: &[f64; 3], c: &[f64; 3]) -> Option<[f64; 3]> {
    let u: [f64; 3] = std::array::from_fn(|i| b[i] - a[i]);
    let v: [f64; 3] = std::array::from_fn(|i| c[i] - a[i]);
    normalize(cross(&u, &v))
}

#[differentiable]
pub fn rotation_matrix(axis: &[f64; 3], angle: f64) -> Option<[[f64; 3]; 3]> {
    let [x, y, z] = normalize(*axis)?;
    let (s, c) = angle.sin_cos();
    let k = 1.0 - c;
    Some([
        [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
        [y * x * k + z * s, c + y * y * k, y * z * k - x * s],
        [z * x * k - y * s, z * y * k + x * s, c + z * z * k],
    ])
}

#[differentiable]
pub fn quaternion_multiply(p: [f64; 4], q: [f64; 4]) -> [f64; 4] {
    let [a, b, c, d] = p;
    let [e, f, g, h] = q;
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
}

#[differentiable]
pub fn circumradius(a: P, b: P, c: P) -> Result<f64, &'static str> {
    let side = |p: P, q: P| (p.x - q.x).hypot(p.y - q.y);
    let (la, lb, lc) = (side(b, c), side(a, c), side(a, b));
    let area = Shape::Triangle(la, lb, lc).area();
    if area <= 0.0 {
        return Err("collinear points");
    }
    Ok(la * lb * lc / (4.0 * area))
}

#[differentiable]
pub fn smooth_union(d1: f64, d2: f64, k: f64) -> f64 {
    let h = (0.5 + 0.5 * (d2 - d1) / k).clamp(0.0, 1.0);
    d2 + (d1 - d2) * h - k * h * (1.0 - h)
}

#[differentiable]
pub fn scene_distance(p: [f64; 3]) -> f64 {
    let sphere = (p[0].powi(2) + p[1].powi(2) + p[2].powi(2)).sqrt() - 1.0;
    let q: Vec<f64> = p.iter().map(|c| (c - 0.8).abs() - 0.5).collect();
    let outside = q.iter().map(|d| d.max(0.0).powi(2)).sum::<f64>().sqrt();
    let inside = q.iter().cloned().fold(f64::NEG_INFINITY, f64::max).min(0.0);
    smooth_union(sphere, outside + inside, 0.3)
}

#[differentiable]
pub fn dot<T: Float>(a: &V2<T>, b: &V2<T>) -> T {
    a.x * b.x + a.y * b.y
}

#[differentiable]
pub fn angle_between<T: Float>(a: &V2<T>, b: &V2<T>) -> T {
    (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).acos()
}

#[differentiable]
pub fn bounding_box(points: &[P]) -> Option<(f64, f64, f64, f64)> {
    let first = points.first()?;
    let mut b = (first.x, first.y, first.x, first.y);
    for p in &points[1..] {
        b.0 = b.0.min(p.x);
        b.1 = b.1.min(p.y);
        b.2 = b.2.max(p.x);
        b.3 = b.3.max(p.y);
    }
    Some(b)
}

fn poly() -> Vec<P> {
    vec![
        P { x: 0.1, y: 0.0 },
        P { x: 1.2, y: 0.3 },
        P { x: 1.5, y: 1.4 },
        P { x: 0.2, y: 1.1 },
    ]
}
fn q(x: f64, y: f64) -> P {
    P { x, y }
}

crate::subject::judge! {
    total_area(&vec![Shape::Circle { radius: 0.7 }, Shape::Rect { w: 1.2, h: 0.7 }, Shape::Triangle(1.0, 1.2, 1.4)]);
    total_area_by_name(&vec![Shape::Circle { radius: 0.7 }, Shape::Rect { w: 1.2, h: 0.7 }]);
    signed_area(&poly());
    perimeter(&poly());
    polygon_centroid(&poly());
    line_intersection(q(0.0, 0.1), q(1.0, 0.9), q(0.2, 1.0), q(0.9, -0.2));
    segment_distance(q(0.3, 0.9), q(0.0, 0.1), q(1.0, 0.2));
    nearest_distance(q(0.3, 0.9), &poly());
    ray_sphere([0.1, 0.2, -3.0], [0.02, 0.01, 0.99], [0.0, 0.0, 0.0], 1.0);
    cross(&[0.3, 0.4, 0.8], &[0.9, -0.2, 0.1]);
    normalize([0.3, 0.4, 0.8]);
    triangle_normal(&[0.3, 0.4, 0.8], &[0.9, -0.2, 0.1], &[0.1, 0.7, -0.4]);
    rotation_matrix(&[0.3, 0.4, 0.8], 0.7);
    quaternion_multiply([0.3, 0.4, 0.8, 0.1], [0.9, -0.2, 0.1, 0.5]);
    circumradius(q(0.0, 0.1), q(1.0, 0.9), q(0.2, 1.0));
    smooth_union(0.3, 0.4, 0.2);
    scene_distance([1.9, 1.6, 0.7]);
    angle_between(&V2 { x: 0.3, y: 0.8 }, &V2 { x: 0.9, y: -0.2 });
    bounding_box(&poly());
}
