//! The reverse pass makes the transposes of the program's calls in exactly reversed order: told by a transport of one rank that writes down
//! what it is asked for. It is also the smallest transport there can be.

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use coenzyme::prelude::*;
use coenzyme_collective::per_rank::*;
use coenzyme_collective::transport::{Call, Carries, Channel, Op, Route, Traffic, Transport, Wire};
use coenzyme_collective::{Comm, CommError};

type Done = Result<(), CommError>;

/// One rank, with what it was asked for and the messages to itself.
#[derive(Default)]
struct Alone {
    asked: RefCell<Vec<String>>,
    messages: RefCell<VecDeque<(bool, Box<dyn Any>)>>,
}

impl Alone {
    fn note(&self, what: &str) {
        self.asked.borrow_mut().push(what.to_owned());
    }

    fn copy<E: Wire>(&self, what: &str, x: &[E], y: &mut [E]) -> Done {
        self.note(what);
        y.copy_from_slice(x);
        Ok(())
    }
}

fn pass(what: &str, route: Route) -> String {
    let pass = match route.channel {
        Channel::Primal => "",
        Channel::Tangent => " tangent",
        Channel::Adjoint => " back",
        Channel::Sums => " in parts",
    };
    format!("{what}{pass} {}", route.tag)
}

impl Transport for Alone {
    fn rank(&self) -> usize {
        0
    }
    fn size(&self) -> usize {
        1
    }
    fn in_world(&self, rank: usize) -> usize {
        rank
    }
    fn timeout(&self) -> Duration {
        Duration::ZERO
    }
    fn compares_calls(&self) -> bool {
        false
    }
    fn traffic(&self) -> Traffic {
        Traffic::default()
    }
    fn next_sum(&self) -> i32 {
        0
    }
    fn barrier(&self, _: &Call) -> Done {
        Ok(())
    }
}

impl<E: Wire> Carries<E> for Alone {
    fn all_reduce(&self, _: &Call, _: Op, x: &[E], y: &mut [E]) -> Done {
        self.copy("all_reduce", x, y)
    }
    fn all_gather(&self, _: &Call, x: &[E], _: &[usize], y: &mut [E]) -> Done {
        self.copy("all_gather", x, y)
    }
    fn reduce_scatter(&self, _: &Call, x: &[E], _: &[usize], y: &mut [E]) -> Done {
        self.copy("reduce_scatter", x, y)
    }
    fn all_to_all(&self, _: &Call, x: &[E], _: &[usize], y: &mut [E]) -> Done {
        self.copy("all_to_all", x, y)
    }
    fn broadcast(&self, _: &Call, _: usize, _: &mut [E]) -> Done {
        self.note("broadcast");
        Ok(())
    }
    fn reduce(&self, _: &Call, _: usize, x: &[E], y: &mut [E]) -> Done {
        self.copy("reduce", x, y)
    }
    fn gather(&self, _: &Call, _: usize, x: &[E], _: &[usize], y: &mut [E]) -> Done {
        self.copy("gather", x, y)
    }
    fn scatter(&self, _: &Call, _: usize, x: &[E], _: &[usize], y: &mut [E]) -> Done {
        self.copy("scatter", x, y)
    }
    fn scan(&self, _: &Call, _: bool, backwards: bool, x: &[E], y: &mut [E]) -> Done {
        self.copy(if backwards { "scan back" } else { "scan" }, x, y)
    }
    fn send(&self, route: Route, flag: bool, x: &[E]) -> Done {
        self.note(&pass("send", route));
        self.messages
            .borrow_mut()
            .push_back((flag, Box::new(x.to_vec())));
        Ok(())
    }
    fn recv(&self, route: Route, x: &mut [E]) -> Result<bool, CommError> {
        self.note(&pass("recv", route));
        let (flag, message) = self
            .messages
            .borrow_mut()
            .pop_front()
            .expect("it was sent before");
        x.copy_from_slice(message.downcast_ref::<Vec<E>>().expect("the same kind"));
        Ok(flag)
    }
    fn start(&self, route: Route, flag: bool, x: &[E]) -> Done {
        self.send(route, flag, x)
    }
}

#[differentiable]
fn program(comm: &Comm, x: &[f64]) -> Result<f64, CommError> {
    let a = all_reduce(comm, x)?;
    let b = broadcast(comm, 0, &a)?;
    let mut c = [0.0; 2];
    for tag in 0..2 {
        send(comm, 0, tag, &b)?;
        recv(comm, 0, tag, &mut c)?;
    }
    let d = scan(comm, &c)?;
    let e = gather(comm, 0, &d)?;
    let f = all_gather(comm, &e)?;
    Ok(f[0] * f[1])
}

#[test]
fn cotangents_are_sent_in_exactly_reversed_order() {
    let alone = Rc::new(Alone::default());
    let comm = Comm::new(alone.clone());
    let (x, mut dx) = ([3.0, 5.0], [0.0; 2]);
    autodiff!(Reverse, program, Const(&comm), Duplicated(&x, &mut dx)).expect("nothing fails");
    assert_eq!(dx, [5.0, 3.0]);
    let there = [
        "all_reduce",
        "broadcast",
        "send 0",
        "recv 0",
        "send 1",
        "recv 1",
        "scan",
        "gather",
        "all_gather",
    ];
    let back = [
        "reduce_scatter",
        "scatter",
        "scan back",
        "send back 1",
        "recv back 1",
        "send back 0",
        "recv back 0",
        "reduce",
        "all_reduce",
    ];
    assert_eq!(*alone.asked.borrow(), [there, back].concat());
}
