//! Gradients that are bounded before they are used. A gradient is clipped where it is used, and never inside of a rule: a rule whose
//! pullback clips is not the derivative of its function, and the tester says so.

use coenzyme_operations::Value;

/// Scales all gradients by one factor, so that the norm of all of them together is at most `largest`; returns the norm that it was.
/// Gradients with NaN stay as they are.
///
/// ```
/// use coenzyme_graph::{Value, clip_norm};
///
/// let mut dx = [Some(Value::from(vec![3.0])), Some(Value::from(vec![4.0]))];
/// assert_eq!(clip_norm(&mut dx, 1.0), 5.0);
/// assert!((dx[1].as_ref().unwrap().to_number::<f64>().unwrap() - 0.8).abs() < 1e-15);
/// ```
pub fn clip_norm(gradients: &mut [Option<Value>], largest: f64) -> f64 {
    let squares = gradients.iter().flatten().map(|dx| dx.inner(dx));
    let norm = squares.sum::<f64>().sqrt();
    if norm > largest {
        for dx in gradients.iter_mut().flatten() {
            dx.scale(largest / norm);
        }
    }
    norm
}

/// Brings each entry between `-largest` and `largest`.
///
/// ```
/// use coenzyme_graph::{Value, clip_value};
///
/// let mut dx = [Some(Value::from(vec![10.0, -0.5]))];
/// clip_value(&mut dx, 1.0);
/// assert_eq!(dx[0], Some(Value::from(vec![1.0, -0.5])));
/// ```
pub fn clip_value(gradients: &mut [Option<Value>], largest: f64) {
    for dx in gradients.iter_mut().flatten() {
        if let Some(dx) = dx.get_mut::<f64>() {
            dx.mapv_inplace(|x| x.clamp(-largest, largest));
        } else if let Some(dx) = dx.get_mut::<f32>() {
            let largest = largest as f32;
            dx.mapv_inplace(|x| x.clamp(-largest, largest));
        }
    }
}
