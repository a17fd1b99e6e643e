//! Operations of shared libraries.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_char};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use coenzyme_operations::{DType, OpError, Operand, Operation, Value};
use coenzyme_plugin::{
    ABI, ENTRY, MESSAGE, MOST_AXES, Message, Plugin, RawArray, RawOperation, RawShape,
};
use libloading::Library;

use crate::builder::{RuleBuilder, Said};
use crate::registry::Registry;

/// The most operations and operands that a plug-in has: more are a table that is not one.
const MOST: usize = 1 << 12;

/// Why a plug-in was not loaded. The registry is as before.
#[derive(Debug)]
#[non_exhaustive]
pub enum PluginError {
    /// The library cannot be opened.
    Open(libloading::Error),
    /// It has no function `coenzyme_plugin`.
    Entry(libloading::Error),
    /// It was built for another version of the table.
    Version {
        /// That of the plug-in.
        found: u32,
        /// That of this library.
        expected: u32,
    },
    /// The table is not as it must be.
    Malformed(String),
    /// One of the operations cannot be registered.
    Refused(OpError),
}

impl fmt::Display for PluginError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PluginError::Open(error) => write!(f, "the plug-in cannot be opened: {error}"),
            PluginError::Entry(error) => write!(
                f,
                "no plug-in: there is no function 'coenzyme_plugin': {error}"
            ),
            PluginError::Version { found, expected } => write!(
                f,
                "a plug-in for version {found} of the table; this library has version {expected}"
            ),
            PluginError::Malformed(reason) => write!(f, "malformed plug-in: {reason}"),
            PluginError::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PluginError {}

/// What was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The name of the plug-in.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The names of its operations.
    pub operations: Vec<String>,
}

/// An operation of a library, which stays loaded as long as there is one.
struct Foreign {
    raw: RawOperation,
    _library: Arc<Library>,
}

impl Registry {
    /// Registers the operations of a shared library, all or none. The library stays loaded as long as one of them is held.
    ///
    /// # Errors
    /// If it is no plug-in of this version, or one of its names is taken or none.
    ///
    /// # Safety
    /// The code of the library runs in this process: it must be a plug-in that follows `coenzyme_plugin`, or not one at all.
    pub unsafe fn load_plugin(&self, path: impl AsRef<Path>) -> Result<Loaded, PluginError> {
        // SAFETY: by the caller's promise
        let library = unsafe { Library::new(path.as_ref()) }.map_err(PluginError::Open)?;
        let table = {
            // SAFETY: a function of this name has this type, by the caller's promise
            let entry = unsafe { library.get::<unsafe extern "C" fn() -> *const Plugin>(ENTRY) };
            let entry = entry.map_err(PluginError::Entry)?;
            // SAFETY: by the caller's promise
            unsafe { entry() }
        };
        // SAFETY: by the caller's promise
        let (loaded, operations) = unsafe { read(table, Arc::new(library)) }?;
        self.register_all(operations)
            .map_err(PluginError::Refused)?;
        Ok(loaded)
    }
}

fn malformed(reason: &str) -> PluginError {
    PluginError::Malformed(reason.into())
}

/// The operations of a table.
///
/// # Safety
/// `table` is null or points to a table as `coenzyme_plugin` describes it, at least to its version.
unsafe fn read(
    table: *const Plugin,
    library: Arc<Library>,
) -> Result<(Loaded, Vec<Arc<dyn Operation>>), PluginError> {
    if table.is_null() {
        return Err(malformed("there is no table"));
    }
    // SAFETY: the version comes first in every version
    let found = unsafe { table.cast::<u32>().read() };
    if found != ABI {
        return Err(PluginError::Version {
            found,
            expected: ABI,
        });
    }
    // SAFETY: a table of this version is whole
    let table = unsafe { &*table };
    if table.operation_size as usize != size_of::<RawOperation>() {
        return Err(malformed("its operations have another size"));
    }
    if table.operations.is_null() || table.operation_count > MOST {
        return Err(malformed("it has no operations"));
    }
    // SAFETY: by the contract
    let raw = unsafe { std::slice::from_raw_parts(table.operations, table.operation_count) };
    let mut operations = Vec::new();
    for raw in raw {
        // SAFETY: by the contract
        operations.push(unsafe { one(*raw, Arc::clone(&library)) }?);
    }
    let names = operations.iter().map(|op| op.signature().name.clone());
    let loaded = Loaded {
        // SAFETY: by the contract
        name: unsafe { text(table.name) }?,
        // SAFETY: by the contract
        version: unsafe { text(table.version) }?,
        operations: names.map(Into::into).collect(),
    };
    Ok((loaded, operations))
}

/// # Safety
/// `name` is null or a text with a zero at its end.
unsafe fn text(name: *const c_char) -> Result<String, PluginError> {
    if name.is_null() {
        return Err(malformed("a name is missing"));
    }
    // SAFETY: by the contract
    let name = unsafe { CStr::from_ptr(name) }.to_str();
    let name = name.map_err(|_| malformed("a name is not UTF-8"))?;
    Ok(name.into())
}

/// One operation, as closures.
///
/// # Safety
/// `raw` is as `coenzyme_plugin` describes it.
unsafe fn one(raw: RawOperation, library: Arc<Library>) -> Result<Arc<dyn Operation>, PluginError> {
    // SAFETY: by the contract
    let name = unsafe { text(raw.name) }?;
    if raw.output_count == 0 || raw.output_count > MOST {
        return Err(malformed("an operation has no outputs"));
    }
    if raw.operand_count > MOST || (raw.operand_count > 0 && raw.operands.is_null()) {
        return Err(malformed("the operands have no names"));
    }
    let mut operands = Vec::new();
    for i in 0..raw.operand_count {
        // SAFETY: by the contract there are as many names
        let name = unsafe { text((*raw.operands.add(i)).0) }?;
        operands.push(Operand {
            name: name.into(),
            dtypes: vec![DType::F64],
        });
    }
    let foreign = Arc::new(Foreign {
        raw,
        _library: library,
    });
    let (outlining, valuing) = (Arc::clone(&foreign), Arc::clone(&foreign));
    let mut rule = RuleBuilder::named(name, operands)
        .outline(move |x, _| {
            let shapes: Vec<&[usize]> = x.iter().map(|x| &x.shape[..]).collect();
            let shapes = foreign.outline(&shapes)?;
            let specs = shapes
                .iter()
                .map(|shape| coenzyme_operations::Spec::f64(shape));
            Ok(specs.collect())
        })
        .value(move |x, _| valuing.value(x));
    if raw.pushforward.is_some() {
        let foreign = Arc::clone(&outlining);
        rule = rule.pushforward(move |x, dx, _| foreign.pushforward(x, dx));
    }
    if raw.pullback.is_some() {
        let foreign = outlining;
        rule = rule.pullback(move |pull| foreign.pullback(pull));
    }
    match raw.value {
        Some(_) => rule.build().map_err(PluginError::Refused),
        None => Err(malformed("an operation has no value")),
    }
}

/// An array for a plug-in to read.
fn raw(x: &Value) -> RawArray {
    let entries = x.entries::<f64>().unwrap_or_default();
    RawArray {
        rank: x.shape().len(),
        shape: x.shape().as_ptr(),
        data: entries.as_ptr().cast_mut(),
    }
}

/// An array for a plug-in to write, which is shared with nobody.
fn raw_mut(x: &mut Value) -> RawArray {
    let data = x.get_mut::<f64>().map(|x| x.as_mut_ptr());
    RawArray {
        rank: x.shape().len(),
        shape: x.shape().as_ptr(),
        data: data.unwrap_or(std::ptr::null_mut()),
    }
}

fn absent() -> RawArray {
    RawArray {
        rank: 0,
        shape: std::ptr::null(),
        data: std::ptr::null_mut(),
    }
}

/// What a function of a plug-in said.
fn said(f: impl FnOnce(*mut Message) -> i32) -> Said<()> {
    let mut message: Message = [0; MESSAGE];
    if f(&raw mut message) == 0 {
        return Ok(());
    }
    let bytes = message.iter().map(|c| *c as u8).take_while(|c| *c != 0);
    let text = String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned();
    Err(match text.is_empty() {
        true => "the plug-in failed without a message".into(),
        false => text,
    })
}

impl Foreign {
    /// The shapes of the outputs.
    fn outline(&self, x: &[&[usize]]) -> Said<Vec<Vec<usize>>> {
        let Some(outline) = self.raw.outline else {
            let shape = x.first().map_or(&[][..], |x| x);
            return Ok(vec![shape.to_vec(); self.raw.output_count]);
        };
        let x: Vec<RawArray> = x
            .iter()
            .map(|shape| RawArray {
                rank: shape.len(),
                shape: shape.as_ptr(),
                data: std::ptr::null_mut(),
            })
            .collect();
        let blank = RawShape {
            rank: 0,
            shape: [0; MOST_AXES],
        };
        let mut y = vec![blank; self.raw.output_count];
        // SAFETY: the arrays are as the table describes them, and stay until it returns
        said(|m| unsafe { outline(self.raw.context, x.as_ptr(), x.len(), y.as_mut_ptr(), m) })?;
        let shapes = y.iter().map(|y| {
            let shape = y.shape.get(..y.rank).ok_or("a value of too many axes")?;
            match coenzyme_operations::Spec::f64(shape).is_possible() {
                true => Ok(shape.to_vec()),
                false => Err(format!("no array has the shape {shape:?}")),
            }
        });
        shapes.collect()
    }

    /// Zeros of the shapes of the outputs.
    fn places(&self, x: &[&Value]) -> Said<Vec<Value>> {
        let shapes: Vec<&[usize]> = x.iter().map(|x| x.shape()).collect();
        let zeros = |shape: &Vec<usize>| Value::zeros(&coenzyme_operations::Spec::f64(shape));
        Ok(self.outline(&shapes)?.iter().map(zeros).collect())
    }

    fn value(&self, x: &[&Value]) -> Said<Vec<Value>> {
        let value = self.raw.value.ok_or("no value")?;
        let mut y = self.places(x)?;
        let operands: Vec<RawArray> = x.iter().map(|x| raw(x)).collect();
        let places: Vec<RawArray> = y.iter_mut().map(raw_mut).collect();
        let (x, n, to) = (operands.as_ptr(), operands.len(), places.as_ptr());
        // SAFETY: likewise; the outputs are ours alone, and different
        said(|m| unsafe { value(self.raw.context, x, n, to, m) })?;
        Ok(y)
    }

    fn pushforward(&self, x: &[&Value], dx: &[Option<&Value>]) -> Said<Vec<Value>> {
        let pushforward = self.raw.pushforward.ok_or("no forward rule")?;
        let mut dy = self.places(x)?;
        let places: Vec<RawArray> = dy.iter_mut().map(raw_mut).collect();
        let operands: Vec<RawArray> = x.iter().map(|x| raw(x)).collect();
        let tangents: Vec<RawArray> = dx.iter().map(|dx| dx.map_or(absent(), raw)).collect();
        let (x, dx, n) = (operands.as_ptr(), tangents.as_ptr(), operands.len());
        // SAFETY: likewise; the tangents of the outputs are ours alone, and different
        said(|m| unsafe { pushforward(self.raw.context, x, n, dx, places.as_ptr(), m) })?;
        Ok(dy)
    }

    fn pullback(&self, pull: &crate::Pull<'_>) -> Said<Vec<Option<Value>>> {
        let pullback = self.raw.pullback.ok_or("no reverse rule")?;
        let each = pull.x.iter().enumerate();
        let mut shadows: Vec<Option<Value>> = each
            .map(|(i, x)| pull.active.has(i).then(|| x.zeros_like()))
            .collect();
        let operands: Vec<RawArray> = pull.x.iter().map(|x| raw(x)).collect();
        let places: Vec<RawArray> = shadows
            .iter_mut()
            .map(|dx| dx.as_mut().map_or(absent(), raw_mut))
            .collect();
        let (x, dx, n) = (operands.as_ptr(), places.as_ptr(), operands.len());
        // an output without a cotangent has zeros
        let pairs = pull.dy.iter().zip(pull.y);
        let cotangents: Vec<Value> = pairs
            .map(|(dy, y)| dy.clone().unwrap_or_else(|| y.zeros_like()))
            .collect();
        let outputs: Vec<RawArray> = pull.y.iter().map(raw).collect();
        let seeds: Vec<RawArray> = cotangents.iter().map(raw).collect();
        let (y, dy) = (outputs.as_ptr(), seeds.as_ptr());
        // SAFETY: likewise; the shadows are ours alone, and different
        said(|m| unsafe { pullback(self.raw.context, x, n, y, dy, dx, m) })?;
        Ok(shadows)
    }
}
