//! File descriptors of the process, which bound its connections.

/// File descriptors kept free for databases, the store, the model and files.
const RESERVE: u64 = 128;

/// Number of connections that the process can accept, at most `wanted`.
///
/// Raises the soft limit of file descriptors to the hard limit. If the limit is small, half of it is kept free.
pub fn room_for(wanted: usize, databases: u32) -> usize {
    let limit = match rlimit::increase_nofile_limit(u64::MAX) {
        Ok(limit) => limit,
        Err(error) => {
            tracing::warn!(%error, "cannot read the limit of file descriptors");
            return wanted;
        }
    };
    let reserve = (RESERVE + u64::from(databases)).min(limit / 2);
    let room = usize::try_from(limit - reserve).unwrap_or(usize::MAX);
    if room < wanted {
        tracing::info!(room, limit, "the limit of file descriptors bounds the connections");
    }
    room.min(wanted)
}
