//! Messages that MPI is still sending, with the memory that they are sent from.
#![allow(unsafe_code)]

use mpi::request::{Request, StaticScope};

/// One message, with the memory it is sent from.
struct Message {
    id: usize,
    request: Option<Request<'static, [u8], StaticScope>>,
    memory: *mut [u8],
}

/// Messages on their way.
#[derive(Default)]
pub(crate) struct Pending {
    messages: Vec<Message>,
    begun: usize,
}

impl Pending {
    /// Begins to send, and lets go of messages that have been sent. Returns the number of this one.
    pub(crate) fn start(
        &mut self,
        message: Box<[u8]>,
        send: impl FnOnce(&'static [u8]) -> Request<'static, [u8], StaticScope>,
    ) -> usize {
        self.messages.retain_mut(|message| !message.is_sent());
        let memory = Box::into_raw(message);
        // SAFETY: `memory` comes from a box, is written by nobody, and is freed by `Message::drop` alone, after MPI has done with it
        let request = Some(send(unsafe { &*memory }));
        self.begun += 1;
        let id = self.begun;
        self.messages.push(Message {
            id,
            request,
            memory,
        });
        id
    }

    /// Whether a message has been sent.
    pub(crate) fn is_sent(&mut self, id: usize) -> bool {
        let message = self.messages.iter_mut().find(|message| message.id == id);
        message.is_none_or(Message::is_sent)
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
        if self.is_sent() {
            // SAFETY: `memory` comes from `Box::into_raw`, and the request which read it is complete
            return drop(unsafe { Box::from_raw(self.memory) });
        }
        // nobody has received it, and nobody will: MPI keeps the memory
        std::mem::forget(self.request.take());
    }
}
