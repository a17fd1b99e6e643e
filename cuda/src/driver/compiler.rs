//! NVRTC: from CUDA C++ to PTX, without a card and without a toolkit.

use std::ffi::{CStr, CString, c_char};

use cudarc::nvrtc::result::{self, NvrtcError};
use cudarc::nvrtc::sys;

use crate::error::{Error, Result};
use crate::source::Source;

const OPTIONS: &[&str] = &["--std=c++17"];

/// What compiled kernels depend on. The version of NVRTC is left out: PTX of any is right.
pub(super) fn target(architecture: &str) -> String {
    format!("nvrtc {architecture} {}", OPTIONS.join(" "))
}

/// Compiles kernels to PTX for an architecture such as `sm_90`. Needs NVRTC, and no card.
///
/// # Errors
/// [`Error::Missing`] without NVRTC, [`Error::Compile`] with its log.
pub fn compile_ptx(source: &Source, architecture: &str) -> Result<String> {
    // SAFETY: loads the library and drops it again
    if !unsafe { sys::is_culib_present() } {
        return Err(Error::Missing {
            what: "NVRTC (libnvrtc), which compiles kernels; it comes with the toolkit, or as the wheel \
                   nvidia-cuda-nvrtc-cu12, whose folder goes to LD_LIBRARY_PATH"
                .into(),
        });
    }
    let text =
        CString::new(source.full()).map_err(|_| refused(source, "a zero byte in the text"))?;
    let program = Program(result::create_program(&text, None).map_err(|e| broken(source, e))?);
    let architecture = format!("--gpu-architecture={architecture}");
    let options: Vec<&str> = OPTIONS.iter().copied().chain([&*architecture]).collect();
    // SAFETY: the program was made above
    if unsafe { result::compile_program(program.0, &options) }.is_err() {
        // SAFETY: the program was made above
        let log = unsafe { result::get_program_log(program.0) }.map_err(|e| broken(source, e))?;
        return Err(refused(source, &text_of(&log)));
    }
    // SAFETY: the program has been compiled
    let ptx = unsafe { result::get_ptx(program.0) }.map_err(|e| broken(source, e))?;
    Ok(text_of(&ptx))
}

/// A program, which is destroyed when it goes out of scope.
struct Program(sys::nvrtcProgram);

impl Drop for Program {
    fn drop(&mut self) {
        // SAFETY: made by `create_program`, destroyed once; there is nothing to do if that fails
        let _ = unsafe { result::destroy_program(self.0) };
    }
}

fn refused(source: &Source, log: &str) -> Error {
    Error::Compile {
        function: source.name.clone(),
        log: log.to_owned(),
    }
}

fn broken(source: &Source, error: NvrtcError) -> Error {
    refused(source, &format!("NVRTC failed: {:?}", error.0))
}

/// The text before the first zero.
fn text_of(bytes: &[c_char]) -> String {
    let bytes: Vec<u8> = bytes.iter().map(|b| b.cast_unsigned()).collect();
    let text = CStr::from_bytes_until_nul(&bytes).map(|text| text.to_string_lossy().into_owned());
    text.unwrap_or_default()
}
