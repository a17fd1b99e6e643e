//! One argument's memory during a call, and its flat face.

use super::passing::Passing;

/// The primal of one argument and its shadows, one for each lane.
pub struct Slot<P: Passing> {
    pub(crate) primal: P::Store,
    pub(crate) shadows: Vec<P::Store>,
}

impl<P: Passing> Slot<P> {
    pub(crate) fn new(primal: P::Store) -> Self {
        Slot {
            primal,
            shadows: Vec::new(),
        }
    }

    /// The shadow of each lane, lent by `lend`.
    ///
    /// **Panics** if there are not as many shadows as lanes: the state written before was of another width.
    pub(crate) fn lanes<'a, S, const W: usize>(
        shadows: &'a mut [P::Store],
        lend: impl Fn(&'a mut P::Store) -> S,
    ) -> [S; W] {
        let mut shadows = shadows.iter_mut();
        std::array::from_fn(|_| lend(shadows.next().expect("a shadow for each lane")))
    }
}

impl<P: Passing> Clone for Slot<P> {
    fn clone(&self) -> Self {
        Slot {
            primal: self.primal.clone(),
            shadows: self.shadows.clone(),
        }
    }
}

/// A slot whose type does not matter.
pub trait Flat {
    /// The floats of the primal.
    fn primal(&self) -> Vec<f64>;
    /// Replaces the floats of the primal.
    fn set_primal(&mut self, flat: &[f64]);
    /// The floats of the shadow of each lane.
    fn shadows(&self) -> Vec<Vec<f64>>;
    /// Replaces the shadows.
    fn set_shadows(&mut self, flat: &[Vec<f64>]);
    /// The shape by which messages index the floats.
    fn shape(&self) -> Vec<usize>;
    /// What lies between the entries of the primal and of the shadows.
    fn gaps(&self) -> Vec<f64>;
}

impl<P: Passing> Flat for Slot<P> {
    fn primal(&self) -> Vec<f64> {
        P::read(&self.primal)
    }
    fn set_primal(&mut self, flat: &[f64]) {
        P::write(&mut self.primal, flat);
    }
    fn shadows(&self) -> Vec<Vec<f64>> {
        self.shadows.iter().map(P::read).collect()
    }
    fn set_shadows(&mut self, flat: &[Vec<f64>]) {
        self.shadows.resize_with(flat.len(), || self.primal.clone());
        for (shadow, flat) in self.shadows.iter_mut().zip(flat) {
            P::write(shadow, flat);
        }
    }
    fn shape(&self) -> Vec<usize> {
        P::shape(&self.primal)
    }
    fn gaps(&self) -> Vec<f64> {
        let stores = std::iter::once(&self.primal).chain(&self.shadows);
        stores.flat_map(P::gaps).collect()
    }
}
