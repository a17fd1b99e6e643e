//! Messages that MPI is still sending, with the memory that they are sent from.
#![allow(unsafe_code)]

use mpi::request::{Request, StaticScope};

/// One message, with the memory it is sent from.
struct Message {
    request: Option<Request<'static, [f64], StaticScope>>,
    memory: *mut [f64],
}

/// Messages on their way. They are waited for when this is dropped.
#[derive(Default)]
pub(crate) struct Pending(Vec<Message>);

impl Pending {
    /// Begins to send, and lets go of messages that have been sent.
    pub(crate) fn start(
        &mut self,
        message: Box<[f64]>,
        send: impl FnOnce(&'static [f64]) -> Request<'static, [f64], StaticScope>,
    ) {
        self.0.retain_mut(|message| !message.is_sent());
        let memory = Box::into_raw(message);
        // SAFETY: `memory` comes from a box, is written by nobody, and is freed by `Message::drop` alone, after MPI has done with it
        let request = Some(send(unsafe { &*memory }));
        self.0.push(Message { request, memory });
    }
}

impl Message {
    fn is_sent(&mut self) -> bool {
        if let Some(request) = self.request.take() {
            self.request = request.test().err();
        }
        self.request.is_none()
    }
}

impl Drop for Message {
    fn drop(&mut self) {
        if let Some(request) = self.request.take() {
            request.wait_without_status();
        }
        // SAFETY: `memory` comes from `Box::into_raw`, and the request which read it is complete
        drop(unsafe { Box::from_raw(self.memory) });
    }
}
