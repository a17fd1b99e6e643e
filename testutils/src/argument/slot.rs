//! One argument's memory during a call, and its flat face.

use std::any::Any;

use super::passing::{Access, Passing};
use super::vary::FURTHER;
use crate::ladder::Precision;

/// The primal of one argument and its shadows, one for each lane.
pub struct Slot<P: Passing> {
    pub(crate) primal: P::Store,
    pub(crate) shadows: Vec<P::Store>,
    /// What the shadows are made like, by turns; like the primal if there are none.
    forms: Vec<P::Store>,
}

impl<P: Passing> Slot<P> {
    pub(crate) fn new(primal: P::Store) -> Self {
        Slot {
            primal,
            shadows: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// The layouts that the argument has.
    fn layouts(&self) -> Vec<P::Store> {
        let layouts = (0..).map_while(|number| P::layout(&self.primal, number));
        layouts.collect()
    }

    /// In how many layouts the argument can be had.
    pub(super) fn count(&self) -> usize {
        self.layouts().len()
    }

    /// Primal and shadows alike in layout `number`, or the first if there is no such.
    pub(super) fn uniform(&self, number: usize) -> Self {
        let layout = P::layout(&self.primal, number);
        Slot::new(layout.unwrap_or_else(|| self.primal.clone()))
    }

    /// The primal in one layout and each shadow in another, in the order of a wheel turned by `turn`.
    pub(super) fn mixed(&self, turn: usize) -> Self {
        let mut forms = self.layouts();
        let places = forms.len();
        forms.rotate_left(turn % places);
        let primal = forms.remove(0);
        Slot {
            primal,
            shadows: Vec::new(),
            forms,
        }
    }

    /// The argument as rows that are one memory, where it can be had so; its shadows are ordinary.
    pub(super) fn broadcast(&self, way: usize) -> (Self, bool) {
        match P::broadcast(&self.primal, way) {
            Some(primal) => {
                let forms = vec![self.primal.clone()];
                let slot = Slot {
                    primal,
                    shadows: Vec::new(),
                    forms,
                };
                (slot, true)
            }
            None => (self.clone(), false),
        }
    }

    /// The argument with tangents whose rows are one memory, where they can be had so; its primal is ordinary. No cotangent can be
    /// added to such memory.
    pub(super) fn broadcast_tangents(&self, way: usize) -> (Self, bool) {
        match P::broadcast(&self.primal, way) {
            Some(tangent) => {
                let slot = Slot {
                    primal: self.primal.clone(),
                    shadows: Vec::new(),
                    forms: vec![tangent],
                };
                (slot, true)
            }
            None => (self.clone(), false),
        }
    }

    /// The argument at another size; what has no floats, such as a text, is of every size.
    pub(super) fn resized(&self, to: &dyn Fn(usize) -> usize) -> Option<Self> {
        let other = P::resized(&self.primal, to).map(Slot::new);
        let inert = || P::read(&self.primal).is_empty();
        other.or_else(|| inert().then(|| self.clone()))
    }

    /// The argument with another integer: number `number` of those there are, and from [`FURTHER`] on of those that are further out.
    pub(super) fn another(&self, number: usize) -> Option<Self> {
        let other = match number.checked_sub(FURTHER) {
            Some(further) => P::further(&self.primal).into_iter().nth(further),
            None => P::others(&self.primal).into_iter().nth(number),
        };
        other.map(Slot::new)
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
            forms: self.forms.clone(),
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
    /// The store of the primal, to be given to another slot.
    fn lend(&self) -> Box<dyn Any>;
    /// Moves the primal to memory that ends where that of `other` begins, which is the store of another slot; gives what that is to
    /// borrow. `None` if there is no such memory.
    fn adjoin(&mut self, other: &dyn Any) -> Option<Box<dyn Any>>;
    /// The same of the shadow of the first lane.
    fn adjoin_tangent(&mut self, other: &dyn Any) -> Option<Box<dyn Any>>;
    /// Lends the memory of the primal as the shadow of the first lane too.
    fn share_with_tangent(&mut self);
    /// Lends the memory of the first shadow as all others too.
    fn share_lanes(&mut self);
    /// The store of the shadow of the first lane, to be given to another slot.
    fn lend_tangent(&self) -> Option<Box<dyn Any>>;
    /// Takes over the tangent of another slot as its own; `false` if there is none, or the argument is not read-only memory of the
    /// same type.
    fn borrow_tangent(&mut self, store: &dyn Any) -> bool;
    /// Takes over the store of another slot; `false` if the argument is not read-only memory of the same type.
    fn borrow(&mut self, store: &dyn Any) -> bool;
}

/// The memory of all arguments, whatever their types.
pub trait AnySlots: Any + Send {
    /// The slots, one by one.
    fn flat(&self) -> Vec<&dyn Flat>;

    /// The slots, one by one, to be written.
    fn flat_mut(&mut self) -> Vec<&mut dyn Flat>;

    /// A copy.
    fn twin(&self) -> Box<dyn AnySlots>;
}

impl dyn AnySlots {
    /// The floats of each argument.
    pub(crate) fn primals(&self) -> Vec<Vec<f64>> {
        let slots = self.flat();
        slots.iter().map(|slot| slot.primal()).collect()
    }

    /// Writes the floats of each argument.
    pub(crate) fn set_primals(&mut self, primals: &[Vec<f64>]) {
        for (slot, flat) in self.flat_mut().into_iter().zip(primals) {
            slot.set_primal(flat);
        }
    }

    /// The shape of each argument.
    pub(crate) fn shapes(&self) -> Vec<Vec<usize>> {
        let slots = self.flat();
        slots.iter().map(|slot| slot.shape()).collect()
    }

    /// The precision of the arguments: single if one of them cannot hold a tenth exactly enough.
    pub(crate) fn precision(&self) -> Precision {
        let mut slots = self.twin();
        let mut double = true;
        for slot in slots.flat_mut() {
            let tenths = vec![0.1; slot.primal().len()];
            slot.set_primal(&tenths);
            double &= slot.primal() == tenths;
        }
        if double {
            Precision::Double
        } else {
            Precision::Single
        }
    }
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
        let forms = match self.forms.as_slice() {
            [] => std::slice::from_ref(&self.primal),
            forms => forms,
        };
        let made = self.shadows.len();
        let missing = forms.iter().cycle().skip(made).cloned();
        self.shadows
            .extend(missing.take(flat.len().saturating_sub(made)));
        self.shadows.truncate(flat.len());
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
    fn lend(&self) -> Box<dyn Any> {
        Box::new(self.primal.clone())
    }
    fn adjoin(&mut self, other: &dyn Any) -> Option<Box<dyn Any>> {
        let (mine, other) = P::adjoining(&self.primal, other.downcast_ref()?)?;
        self.primal = mine;
        Some(Box::new(other))
    }
    fn adjoin_tangent(&mut self, other: &dyn Any) -> Option<Box<dyn Any>> {
        let shadow = self.shadows.first_mut()?;
        let (mine, other) = P::adjoining(shadow, other.downcast_ref()?)?;
        *shadow = mine;
        Some(Box::new(other))
    }
    fn share_with_tangent(&mut self) {
        if let Some(first) = self.shadows.first_mut() {
            *first = self.primal.clone();
        }
    }
    fn share_lanes(&mut self) {
        if let [first, others @ ..] = &mut self.shadows[..] {
            others.fill(first.clone());
        }
    }
    fn lend_tangent(&self) -> Option<Box<dyn Any>> {
        let store = self.shadows.first()?.clone();
        Some(Box::new(store))
    }
    fn borrow_tangent(&mut self, store: &dyn Any) -> bool {
        let store = store.downcast_ref::<P::Store>();
        let shadow = self.shadows.first_mut();
        match (store, shadow) {
            (Some(store), Some(shadow)) if P::ACCESS == Access::Shared => {
                *shadow = store.clone();
                true
            }
            _ => false,
        }
    }
    fn borrow(&mut self, store: &dyn Any) -> bool {
        match store.downcast_ref::<P::Store>() {
            Some(store) if P::ACCESS == Access::Shared => {
                self.primal = store.clone();
                true
            }
            _ => false,
        }
    }
}
