//! `#[differentiable]` functions that return `Result` and `Option`.

use coenzyme::prelude::*;

/// √x, refused for negative numbers.
#[differentiable]
fn root(x: f64) -> Result<f64, String> {
    if x < 0.0 {
        return Err(format!("no root of {x}"));
    }
    Ok(x.sqrt())
}

/// Σ √xᵢ·wᵢ.
#[differentiable]
fn roots(x: &[f64], w: f64) -> Result<f64, String> {
    let mut sum = 0.0;
    for v in x.iter() {
        let r = root(*v)?;
        sum += r * w;
    }
    let scale: f64 = "2.0".parse::<f64>().map_err(|e| e.to_string())?;
    Ok(scale * sum)
}

/// ln x, if there is one.
#[differentiable]
fn logarithm(x: f64) -> Option<f64> {
    if x > 0.0 { Some(x.ln()) } else { None }
}

#[test]
fn a_value_is_differentiated_in_both_modes() {
    let (value, (dx, dw)) = value_and_gradient(&roots {}, (&[4.0, 9.0], 3.0)).unwrap();
    assert_eq!(value, 30.0);
    assert_eq!(dx, [1.5, 1.0]);
    assert_eq!(dw, 10.0);
    let x = [4.0, 9.0];
    let forward = autodiff!(
        ForwardWithPrimal,
        roots,
        Duplicated(&x[..], &[1.0, 0.0][..]),
        Duplicated(3.0, 0.0)
    );
    assert_eq!(forward, Ok((1.5, 30.0)));
    assert_eq!(autodiff!(Reverse, logarithm, Active(2.0)), Some(((0.5,),)));
}

#[test]
fn an_error_passes_through_and_leaves_shadows_alone() {
    let mut dx = [7.0, 7.0];
    let refused = autodiff!(
        Reverse,
        roots,
        Duplicated(&[4.0, -9.0][..], &mut dx[..]),
        Active(3.0)
    );
    assert_eq!(refused, Err("no root of -9".to_owned()));
    assert_eq!(dx, [7.0, 7.0]);
    assert_eq!(autodiff!(Forward, logarithm, Duplicated(-1.0, 1.0)), None);
    assert_eq!(autodiff!(Reverse, logarithm, Active(-1.0)), None);
}
