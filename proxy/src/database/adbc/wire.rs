//! Messages between the proxy and the process of a driver: frames on one socket.

use std::io::{self, Read, Write};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::StreamEncoder;
use arrow_schema::{ArrowError, SchemaRef};
use serde::{Deserialize, Serialize};

/// Largest frame, in bytes.
const FRAME: usize = 256 << 20;
/// Most bytes that are reserved before a message is there.
const SPACE: usize = 16 << 20;
/// Number of the messages that belong to no statement.
pub(super) const NO_STATEMENT: u32 = 0;

/// What is opened: a driver and a database.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub(super) struct Opening {
    /// Path of the library or of a manifest, or the name of a driver that is searched for.
    pub(super) driver: String,
    /// Function of the library that fills in the driver's functions, unless a manifest names one.
    pub(super) entry: String,
    /// Where the driver can be had.
    pub(super) install: String,
    /// Options of the database.
    pub(super) options: Vec<(String, String)>,
    /// Statements that are run once, in order, before all others.
    pub(super) setup: Vec<String>,
    /// Statements that are run, in order, on each connection before the statement that it is for.
    pub(super) session: Vec<String>,
}

/// A statement to run.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Running {
    /// Text of the statement.
    pub(super) sql: String,
    /// Values of its parameters, which are texts.
    pub(super) values: Vec<String>,
}

/// Why something failed in the process of the driver.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct Failed {
    /// What failed.
    pub(super) at: Step,
    /// Message of the driver.
    pub(super) message: String,
}

/// A step at which the process of a driver can fail.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Step {
    /// The driver was not found.
    Find,
    /// The driver cannot be loaded.
    Load,
    /// The database cannot be opened.
    Open,
    /// A statement failed.
    Run,
    /// The server cannot be reached, or was lost.
    Lost,
    /// The server speaks another protocol.
    Foreign,
    /// The server does not accept the login.
    Denied,
    /// A statement was cancelled.
    Cancelled,
}

/// Kind of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Kind {
    /// To the driver: an [`Opening`].
    Open,
    /// To the driver: a [`Running`].
    Run,
    /// To the driver: send one more batch of a statement.
    More,
    /// To the driver: end a statement.
    Cancel,
    /// From the driver: the database is open.
    Ready,
    /// From the driver: the columns of a statement, as an Arrow stream without rows.
    Columns,
    /// From the driver: rows of a statement, as an Arrow stream of batches.
    Rows,
    /// From the driver: all rows were sent.
    End,
    /// From the driver: a [`Failed`].
    Failed,
}

const KINDS: [Kind; 9] = [
    Kind::Open,
    Kind::Run,
    Kind::More,
    Kind::Cancel,
    Kind::Ready,
    Kind::Columns,
    Kind::Rows,
    Kind::End,
    Kind::Failed,
];

/// A message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    pub(super) statement: u32,
    pub(super) content: Vec<u8>,
}

impl Frame {
    /// A message without content.
    pub(super) fn new(kind: Kind, statement: u32) -> Self {
        Self { kind, statement, content: Vec::new() }
    }

    /// A message with a value as JSON.
    pub(super) fn with(kind: Kind, statement: u32, value: &impl Serialize) -> Self {
        let content = serde_json::to_vec(value).unwrap_or_default();
        Self { kind, statement, content }
    }

    /// The value of a message with JSON; `None` if it has none of this type.
    pub(super) fn value<T: for<'de> Deserialize<'de>>(&self) -> Option<T> {
        serde_json::from_slice(&self.content).ok()
    }

    /// Sends the message.
    pub(super) fn write(&self, mut to: impl Write) -> io::Result<()> {
        let length = u32::try_from(self.content.len()).ok().filter(|it| *it as usize <= FRAME);
        let length = length.ok_or_else(|| invalid("a message is too long"))?;
        let kind = KINDS.iter().position(|kind| *kind == self.kind).unwrap_or_default() as u8;
        let mut head = [kind; 9];
        head[1..5].copy_from_slice(&self.statement.to_le_bytes());
        head[5..].copy_from_slice(&length.to_le_bytes());
        to.write_all(&head)?;
        to.write_all(&self.content)
    }

    /// Waits for the next message.
    pub(super) fn read(mut from: impl Read) -> io::Result<Self> {
        let mut head = [0; 9];
        from.read_exact(&mut head)?;
        let [kind, s0, s1, s2, s3, l0, l1, l2, l3] = head;
        let kind = *KINDS.get(usize::from(kind)).ok_or_else(|| invalid("an unknown message"))?;
        let length = u32::from_le_bytes([l0, l1, l2, l3]) as usize;
        if length > FRAME {
            return Err(invalid("a message is too long"));
        }
        // Memory grows with the bytes that arrive, so that a forged length allocates nothing.
        let mut content = Vec::with_capacity(length.min(SPACE));
        from.take(length as u64).read_to_end(&mut content)?;
        if content.len() < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(Self { kind, statement: u32::from_le_bytes([s0, s1, s2, s3]), content })
    }
}

fn invalid(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

/// Columns, and the rows of batches, as an Arrow stream in the space of an earlier one.
pub(super) fn encoded(
    schema: &SchemaRef,
    batches: &[RecordBatch],
    mut space: Vec<u8>,
) -> Result<Vec<u8>, ArrowError> {
    space.clear();
    let mut encoder = StreamEncoder::try_new(schema)?;
    let empty = [RecordBatch::new_empty(Arc::clone(schema))];
    for batch in if batches.is_empty() { &empty } else { batches } {
        for buffer in encoder.encode(batch)? {
            space.extend_from_slice(&buffer);
        }
    }
    Ok(space)
}

/// The columns and rows of an Arrow stream, whose memory they share.
pub(super) fn decoded(stream: Vec<u8>) -> Result<(SchemaRef, Vec<RecordBatch>), ArrowError> {
    let mut left = Buffer::from_vec(stream);
    let (mut decoder, mut rows) = (StreamDecoder::new(), Vec::new());
    while !left.is_empty() {
        rows.extend(decoder.decode(&mut left)?);
    }
    let schema = decoder.schema();
    Ok((schema.ok_or_else(|| ArrowError::ParseError("it has no columns".to_owned()))?, rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_as_they_were_sent() {
        let failed = Failed { at: Step::Load, message: "no such file".to_owned() };
        let sent = [
            Frame::with(Kind::Failed, 7, &failed),
            Frame::new(Kind::End, u32::MAX),
            Frame { kind: Kind::Rows, statement: 1, content: vec![0, 1, 2] },
        ];
        let mut bytes = Vec::new();
        for frame in &sent {
            frame.write(&mut bytes).unwrap();
        }
        let mut rest = bytes.as_slice();
        for frame in &sent {
            assert_eq!(Frame::read(&mut rest).unwrap(), *frame);
        }
        assert_eq!(sent[0].value::<Failed>(), Some(failed));
        assert!(Frame::read(&mut rest).is_err(), "the end");
    }

    #[test]
    fn what_is_no_message_is_an_error() {
        let unknown = [9, 0, 0, 0, 0, 0, 0, 0, 0];
        let long = [0, 0, 0, 0, 0, 255, 255, 255, 255];
        let cut = [0, 0, 0, 0, 0, 3, 0, 0, 0, 1];
        for bytes in [&unknown[..], &long, &cut] {
            assert!(Frame::read(bytes).is_err(), "{bytes:?}");
        }
        assert!(decoded(b"no stream of Arrow".to_vec()).is_err());
    }
}
