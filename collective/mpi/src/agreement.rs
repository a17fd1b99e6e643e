//! Ranks compare what they are about to call.

use coenzyme_collective::CommError;
use coenzyme_collective::transport::Call;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};

/// What a rank says about its call: as much of its text as fits, and a number for the whole text.
const LENGTH: usize = 120;
const WHOLE: usize = LENGTH + 8;

/// FNV-1a: the same on every machine.
fn number(text: &str) -> [u8; 8] {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step).to_le_bytes()
}

/// Whether all ranks make this call; if not, all of them get the same error. `members` are their numbers in the world.
pub(crate) fn agree(
    comm: &SimpleCommunicator,
    members: &[usize],
    call: &Call,
) -> Result<(), CommError> {
    let text = call.to_string();
    let mut mine = [0; WHOLE];
    let short = text.len().min(LENGTH);
    mine[..short].copy_from_slice(&text.as_bytes()[..short]);
    mine[LENGTH..].copy_from_slice(&number(&text));
    let mut all = vec![0; WHOLE * comm.size() as usize];
    comm.all_gather_into(&mine[..], &mut all[..]);
    let said = |rank: usize| &all[rank * WHOLE..][..WHOLE];
    let odd = (0..members.len()).find(|rank| said(*rank) != said(0));
    let words = |rank: usize| {
        let text = String::from_utf8_lossy(&said(rank)[..LENGTH]);
        text.trim_end_matches('\0').to_owned()
    };
    odd.map_or(Ok(()), |odd| {
        Err(CommError::Mismatch {
            ranks: [members[0], members[odd]],
            calls: [words(0), words(odd)],
        })
    })
}
