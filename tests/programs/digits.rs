//! The network.

#[path = "../../examples/digits/data.rs"]
mod data;
#[path = "../../examples/digits/model.rs"]
mod model;
#[path = "../../examples/digits/train.rs"]
mod train;

use coenzyme::Tangent;
use coenzyme::prelude::*;

use super::{assert_all_close, assert_close, difference};

#[test]
fn the_images_are_those_of_the_source() {
    let images = data::images();
    let count = |digit| images.iter().filter(|image| image.digit == digit).count();
    // as the source describes its test set
    let counts = [178, 182, 177, 183, 181, 182, 181, 179, 174, 180];
    assert_eq!(std::array::from_fn(count), counts);
}

#[test]
fn the_gradient_agrees_with_differences_and_with_the_hand() {
    let images = &data::images()[..3];
    let network = train::start();
    let (mut d, mut hand) = (make_zero(&network), make_zero(&network));
    autodiff!(
        Reverse,
        model::loss,
        Duplicated(&network, &mut d),
        Const(images)
    );
    model::by_hand(&network, images, &mut hand);
    let (d, theta) = (Tangent::to_flat(&d), Tangent::to_flat(&network));
    assert_all_close(&d, &Tangent::to_flat(&hand), 1e-12);
    let n = theta.len();
    for i in [3, 70, 64 * 32 + 5, 65 * 32 + 7, 65 * 32 + 300, n - 4] {
        let at = |h: f64| {
            let (mut network, mut theta) = (network.clone(), theta.clone());
            theta[i] += h;
            Tangent::unflatten(&mut network, &theta);
            model::loss(&network, images)
        };
        assert_close(d[i], difference(at, 1e-2), 1e-7);
    }
}

#[test]
fn training_on_a_few_images_learns_them() {
    let images = &data::images()[..20];
    let mut network = train::start();
    let epochs = train::train(&mut network, images, images, 30);
    assert!(epochs[29].loss < 0.2 * epochs[0].loss);
    assert_eq!(epochs[29].accuracy, 1.0);
}
