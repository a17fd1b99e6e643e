//! The observations.

use coenzyme::prelude::*;

/// Length of an eruption and waiting time to the next one, both in minutes.
pub(crate) type Observation = [f64; 2];

/// The 272 observations of `old_faithful.csv`, whose head names the source.
#[inactive]
pub(crate) fn observations() -> Vec<Observation> {
    let rows = include_str!("old_faithful.csv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .skip(1);
    rows.map(|row| {
        let (eruption, waiting) = row.split_once(',').expect("a row has two columns");
        [eruption, waiting].map(|entry| entry.parse().expect("an entry is a number"))
    })
    .collect()
}
