//! Parquet file: typed row groups, and a footer whose metadata holds the summary.

use std::fs::File;
use std::io::{BufWriter, Seek};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;

use super::file::FileWriter;
use super::summary::metadata;
use crate::database::RunEnd;
use crate::problem::Problem;

/// Memory of a row group, in bytes, at which it is written to the file.
const ROW_GROUP_BYTES: usize = 16 << 20;

/// Writes Parquet.
pub(super) struct Parquet(ArrowWriter<BufWriter<File>>);

impl Parquet {
    /// A writer of batches of this schema to a new temporary file.
    pub(super) fn new(schema: &SchemaRef) -> Result<Self, Problem> {
        let file = tempfile::tempfile().map_err(Problem::internal)?;
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let writer = ArrowWriter::try_new(BufWriter::new(file), schema.clone(), Some(properties));
        writer.map(Self).map_err(Problem::internal)
    }
}

impl FileWriter<RecordBatch> for Parquet {
    fn rows(&mut self, batch: RecordBatch) -> Result<(), Problem> {
        self.0.write(&batch).map_err(Problem::internal)?;
        if self.0.memory_size() >= ROW_GROUP_BYTES {
            self.0.flush().map_err(Problem::internal)?;
        }
        Ok(())
    }

    fn end(mut self, end: &RunEnd) -> Result<File, Problem> {
        for (key, value) in metadata(end) {
            self.0.append_key_value_metadata(KeyValue::new(key.to_owned(), value));
        }
        let buffered = self.0.into_inner().map_err(Problem::internal)?;
        let mut file = buffered.into_inner().map_err(Problem::internal)?;
        file.rewind().map_err(Problem::internal)?;
        Ok(file)
    }
}
