//! A small network learns to read digits: 1797 images of handwriting, gradients from `#[differentiable]`, and the same by hand.
//!
//! `cargo run --release --example digits`

mod data;
mod model;
mod train;

use coenzyme::prelude::*;

fn main() {
    let images = data::images();
    // the writers of the last third are others than those of the first
    let (training, test) = images.split_at(1200);
    let mut network = train::start();

    let (mut d, mut hand) = (make_zero(&network), make_zero(&network));
    autodiff!(
        Reverse,
        model::loss,
        Duplicated(&network, &mut d),
        Const(&training[..100])
    );
    model::by_hand(&network, &training[..100], &mut hand);
    let error = distance(&d, &hand);
    println!("gradient, generated and by hand: relative distance {error:.1e}");
    assert!(error < 1e-12);

    println!("\nepoch   loss   right of {} others", test.len());
    let epochs = train::train(&mut network, training, test, 12);
    for (i, epoch) in epochs.iter().enumerate() {
        println!(
            "{:>5} {:>6.3} {:>7.1} %",
            i + 1,
            epoch.loss,
            100.0 * epoch.accuracy
        );
    }
    show(&network, &test[..4]);
    let accuracy = epochs.last().expect("there are epochs").accuracy;
    assert!(accuracy > 0.9, "{accuracy}");
}

/// `|a − b|/|b|`.
fn distance(a: &model::Network, b: &model::Network) -> f64 {
    let (a, b) = (Tangent::to_flat(a), Tangent::to_flat(b));
    let square: f64 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
    (square / b.iter().map(|b| b * b).sum::<f64>()).sqrt()
}

/// Images side by side, and what the network reads.
fn show(network: &model::Network, images: &[data::Image]) {
    println!();
    for row in 0..8 {
        for image in images {
            for pixel in &image.pixels[8 * row..8 * row + 8] {
                let shade = [' ', '.', ':', 'o', '#'][(4.0 * pixel).round() as usize];
                print!("{shade}{shade}");
            }
            print!("    ");
        }
        println!();
    }
    for image in images {
        let y = model::scores(network, &image.pixels);
        let best = (0..y.len())
            .max_by(|i, j| y[*i].total_cmp(&y[*j]))
            .expect("ten scores");
        print!("{:<20}", format!("read: {best}"));
    }
    println!();
}
