//! The table by which a shared library offers operations with derivatives to `coenzyme-graph`. No dependencies.
//!
//! A library exports one function, `coenzyme_plugin`, which returns a [`Plugin`]: C types only, so that it may be written in any language
//! (`include/coenzyme_plugin.h`, `examples/square.c`) and built by any compiler. In Rust, implement [`Function`] and write [`export!`]:
//! panics inside become errors, and there are slices in place of pointers (`examples/swish_plugin.rs`).
//!
//! The first word of the table is [`ABI`], which a host compares before it reads any more.

#![allow(unsafe_code)]

mod guest;

pub use guest::{Active, Array, Function, operation};

use std::ffi::{c_char, c_void};

/// The version of the table. A host loads plug-ins of its own version only.
pub const ABI: u32 = 2;
/// The name of the function that a plug-in exports: `extern "C" fn() -> *const Plugin`.
pub const ENTRY: &[u8] = b"coenzyme_plugin\0";
/// The most axes that an array of a plug-in has.
pub const MOST_AXES: usize = 8;
/// The bytes of a message, with the zero at its end.
pub const MESSAGE: usize = 256;

/// An array of `f64` in logical order, the last axis fastest. `data` is null where there is no array: a tangent or a cotangent of an
/// operand that is inactive.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawArray {
    /// The number of axes.
    pub rank: usize,
    /// Their lengths.
    pub shape: *const usize,
    /// The entries.
    pub data: *mut f64,
}

/// A shape that a plug-in writes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawShape {
    /// The number of axes.
    pub rank: usize,
    /// Their lengths.
    pub shape: [usize; MOST_AXES],
}

/// A text that a plug-in writes when it returns something else than 0: UTF-8 with a zero at its end.
pub type Message = [c_char; MESSAGE];

/// Writes the shapes of the outputs, as many as the operation has. Entries are not there yet: `data` is null.
pub type OutlineFn =
    unsafe extern "C" fn(*const c_void, *const RawArray, usize, *mut RawShape, *mut Message) -> i32;
/// Operands, their number, and the outputs, which hold zeros and are written.
pub type ValueFn = unsafe extern "C" fn(
    *const c_void,
    *const RawArray,
    usize,
    *const RawArray,
    *mut Message,
) -> i32;
/// Operands, their number, their tangents, and the tangents of the outputs, which hold zeros and are written.
pub type PushforwardFn = unsafe extern "C" fn(
    *const c_void,
    *const RawArray,
    usize,
    *const RawArray,
    *const RawArray,
    *mut Message,
) -> i32;
/// Operands, their number, the outputs, their cotangents, and the cotangents of the operands, which hold zeros and are added to.
pub type PullbackFn = unsafe extern "C" fn(
    *const c_void,
    *const RawArray,
    usize,
    *const RawArray,
    *const RawArray,
    *const RawArray,
    *mut Message,
) -> i32;

/// One operation: a function of arrays of `f64`. All functions return 0, or something else after they have written a
/// message. They may be called from any thread, by several at once, as long as the library is loaded.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RawOperation {
    /// Its name, `crate::operation`.
    pub name: *const c_char,
    /// The names of the operands.
    pub operands: *const Name,
    /// Their number.
    pub operand_count: usize,
    /// The number of outputs, at least one.
    pub output_count: usize,
    /// Given to all functions.
    pub context: *const c_void,
    /// The shapes of the outputs; null: each has that of the first operand.
    pub outline: Option<OutlineFn>,
    /// The outputs.
    pub value: Option<ValueFn>,
    /// The forward rule; null: there is none.
    pub pushforward: Option<PushforwardFn>,
    /// The reverse rule; null: there is none.
    pub pullback: Option<PullbackFn>,
}

// SAFETY: the pointers are to what does not change, and the functions may be called from any thread.
unsafe impl Send for RawOperation {}
// SAFETY: likewise.
unsafe impl Sync for RawOperation {}

/// A text that is always there, with a zero at its end.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Name(pub *const c_char);

// SAFETY: what it points to does not change.
unsafe impl Send for Name {}
// SAFETY: likewise.
unsafe impl Sync for Name {}

impl Name {
    /// Of a literal.
    #[must_use]
    pub const fn new(name: &'static std::ffi::CStr) -> Self {
        Self(name.as_ptr())
    }
}

/// What a plug-in offers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Plugin {
    /// [`ABI`].
    pub abi: u32,
    /// The size of a [`RawOperation`] where the plug-in was built.
    pub operation_size: u32,
    /// The name of the plug-in.
    pub name: *const c_char,
    /// Its version.
    pub version: *const c_char,
    /// The operations.
    pub operations: *const RawOperation,
    /// Their number.
    pub operation_count: usize,
}

// SAFETY: the pointers are to what does not change.
unsafe impl Send for Plugin {}
// SAFETY: likewise.
unsafe impl Sync for Plugin {}

/// Exports operations from a shared library: `export!("name", "version", [Operation, …])` with types that are [`Function`]s.
#[macro_export]
macro_rules! export {
    ($name:literal, $version:literal, [$($function:ty),+ $(,)?]) => {
        /// The table of this plug-in.
        #[unsafe(no_mangle)]
        pub extern "C" fn coenzyme_plugin() -> *const $crate::Plugin {
            static OPERATIONS: &[$crate::RawOperation] = &[$($crate::operation::<$function>()),+];
            static PLUGIN: $crate::Plugin = $crate::Plugin {
                abi: $crate::ABI,
                operation_size: ::std::mem::size_of::<$crate::RawOperation>() as u32,
                name: concat!($name, "\0").as_ptr().cast(),
                version: concat!($version, "\0").as_ptr().cast(),
                operations: OPERATIONS.as_ptr(),
                operation_count: OPERATIONS.len(),
            };
            &raw const PLUGIN
        }
    };
}
