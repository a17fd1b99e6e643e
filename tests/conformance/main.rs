//! Small functions, one file for each group of constructs, each judged in both modes, all activity mixes and three widths.

mod judge;
mod subject;

mod arithmetic;
mod bindings;
mod branches;
mod calls;
mod closures;
mod generics;
mod iterators;
mod loops;
mod memory;
mod methods;
mod mutation;
mod places;
mod refusals;
mod single;
mod structs;
