//! Arrow IPC stream: schema, batches, and a final empty batch whose metadata holds the summary.

use arrow_array::RecordBatch;
use arrow_ipc::writer::{EncodedData, IpcWriteOptions, StreamEncoder, write_message};
use arrow_ipc::{
    Buffer, FieldNode, KeyValue, KeyValueArgs, Message, MessageArgs, MessageHeader,
    MetadataVersion, RecordBatch as BatchMessage, RecordBatchArgs,
};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use flatbuffers::FlatBufferBuilder;

use super::summary::metadata;
use super::writer::Writer;
use crate::database::{DatabaseError, RunEnd};

/// Writes an Arrow IPC stream.
pub(super) struct Arrow {
    schema: SchemaRef,
    encoder: Option<StreamEncoder>,
}

impl Arrow {
    /// A writer of batches of this schema.
    pub(super) fn new(schema: &SchemaRef) -> Result<Self, DatabaseError> {
        let encoder = StreamEncoder::try_new(schema).map_err(|error| failed(&error))?;
        Ok(Self { schema: schema.clone(), encoder: Some(encoder) })
    }

    fn encode(&mut self, batch: &RecordBatch) -> Result<Vec<u8>, DatabaseError> {
        let Some(encoder) = &mut self.encoder else { return Ok(Vec::new()) };
        let buffers = encoder.encode(batch).map_err(|error| failed(&error))?;
        let mut bytes =
            Vec::with_capacity(buffers.iter().map(|buffer| buffer.as_slice().len()).sum());
        for buffer in buffers {
            bytes.extend_from_slice(&buffer);
        }
        Ok(bytes)
    }
}

impl Writer<SchemaRef, RecordBatch> for Arrow {
    fn start(&mut self, schema: &SchemaRef) -> Result<Vec<u8>, DatabaseError> {
        self.encode(&RecordBatch::new_empty(schema.clone()))
    }

    fn rows(&mut self, batch: RecordBatch) -> Result<Vec<u8>, DatabaseError> {
        self.encode(&batch)
    }

    fn end(&mut self, end: &RunEnd) -> Result<Vec<u8>, DatabaseError> {
        let mut bytes = last_message(&self.schema, end).map_err(|error| failed(&error))?;
        if let Some(encoder) = self.encoder.take() {
            for buffer in encoder.finish().map_err(|error| failed(&error))? {
                bytes.extend_from_slice(&buffer);
            }
        }
        Ok(bytes)
    }
}

/// An empty batch with `rows`, `truncated`, `elapsed_ms`, `cut_count` and `cut_cells` in its custom metadata.
fn last_message(schema: &Schema, end: &RunEnd) -> Result<Vec<u8>, ArrowError> {
    let mut builder = FlatBufferBuilder::new();
    let buffers: usize = schema
        .fields()
        .iter()
        .map(|field| if *field.data_type() == DataType::Utf8 { 3 } else { 2 })
        .sum();
    let nodes = builder.create_vector(&vec![FieldNode::new(0, 0); schema.fields().len()]);
    let buffers = builder.create_vector(&vec![Buffer::new(0, 0); buffers]);
    let batch = BatchMessage::create(
        &mut builder,
        &RecordBatchArgs { nodes: Some(nodes), buffers: Some(buffers), ..Default::default() },
    );
    let entries = metadata(end).map(|(key, value)| {
        let (key, value) = (builder.create_string(key), builder.create_string(&value));
        KeyValue::create(&mut builder, &KeyValueArgs { key: Some(key), value: Some(value) })
    });
    let metadata = builder.create_vector(&entries);
    let message = Message::create(
        &mut builder,
        &MessageArgs {
            version: MetadataVersion::V5,
            header_type: MessageHeader::RecordBatch,
            header: Some(batch.as_union_value()),
            bodyLength: 0,
            custom_metadata: Some(metadata),
        },
    );
    builder.finish(message, None);
    let encoded = EncodedData { ipc_message: builder.finished_data().to_vec(), arrow_data: vec![] };
    let mut bytes = Vec::new();
    write_message(&mut bytes, encoded, &IpcWriteOptions::default())?;
    Ok(bytes)
}

fn failed(error: &ArrowError) -> DatabaseError {
    DatabaseError::statement(format!("cannot write the rows as Arrow: {error}"))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{Array, Int64Array, StringArray};
    use arrow_ipc::reader::StreamReader;
    use arrow_schema::Field;

    use super::*;

    #[test]
    fn a_reader_gets_the_rows_and_an_empty_last_batch() {
        let schema = Arc::new(Schema::new(vec![
            Field::new("id", DataType::Int64, true),
            Field::new("name", DataType::Utf8, true),
        ]));
        let ids = Arc::new(Int64Array::from(vec![Some(1), None]));
        let names = Arc::new(StringArray::from(vec![None, Some("")]));
        let batch = RecordBatch::try_new(schema.clone(), vec![ids, names]).unwrap();
        let mut writer = Arrow::new(&schema).unwrap();
        let mut bytes = writer.start(&schema).unwrap();
        bytes.extend(writer.rows(batch.clone()).unwrap());
        bytes
            .extend(writer.end(&RunEnd { rows: 2, truncated: true, ..RunEnd::default() }).unwrap());
        let batches: Vec<RecordBatch> =
            StreamReader::try_new(&bytes[..], None).unwrap().map(Result::unwrap).collect();
        assert_eq!(batches.iter().map(RecordBatch::num_rows).collect::<Vec<_>>(), [0, 2, 0]);
        assert_eq!(batches[1], batch);
        assert!(batches[1].column(1).is_null(0));
        assert!(bytes.windows(9).any(|window| window == b"truncated"));
    }
}
