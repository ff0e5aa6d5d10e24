//! Files of a data source: which they are, and their content as rows in text.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::delimiter::delimiter;
use super::encoding::decode;
use super::error::{Fault, FileError, Located};
use super::limits::{MOST_TABLES, MOST_TOTAL_BYTES};
use super::survey::Grid;
use super::workbook;

/// Format of a file, by the extension of its name.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Format {
    /// `.csv`
    Commas,
    /// `.tsv`
    Tabs,
    /// `.xlsx`
    Workbook,
}

impl Format {
    /// Format of the file at a path; `None` if it is no table.
    pub(super) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_lowercase().as_str() {
            "csv" => Some(Self::Commas),
            "tsv" => Some(Self::Tabs),
            "xlsx" => Some(Self::Workbook),
            _ => None,
        }
    }
}

/// A file of a data source. Two that are equal have the same content.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Source {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    /// Name without its extension.
    pub(super) stem: String,
    bytes: u64,
    modified: Option<SystemTime>,
}

/// The file at a path, or all files of tables in the folder at it, in the order of their names.
pub(super) fn sources(path: &Path) -> Result<Vec<Source>, FileError> {
    let metadata = std::fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if !metadata.is_dir() {
        let format = Format::of(path).unwrap_or(Format::Commas);
        return Ok(vec![Source::new(path, format, &metadata)?]);
    }
    let sources = sources_in(path)?;
    if sources.is_empty() {
        return Err(fault(path, Fault::NoFiles));
    }
    Ok(sources)
}

/// All such files in a folder, in the order of their names.
pub(super) fn sources_in(path: &Path) -> Result<Vec<Source>, FileError> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(path).map_err(|error| unreadable(path, &error))? {
        let entry = entry.map_err(|error| unreadable(path, &error))?.path();
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Spreadsheet programs keep such files while one is open.
        let is_hidden = name.starts_with('.') || name.starts_with("~$");
        if let Some(format) = Format::of(&entry).filter(|_| !is_hidden) {
            paths.push((entry, format));
        }
    }
    if paths.len() > MOST_TABLES {
        return Err(fault(path, Fault::Tables));
    }
    paths.sort_by(|left, right| left.0.cmp(&right.0));
    let sources = paths.into_iter().map(|(path, format)| {
        let metadata =
            std::fs::symlink_metadata(&path).map_err(|error| unreadable(&path, &error))?;
        if metadata.is_symlink() {
            return Err(fault(&path, Fault::Link));
        }
        Source::new(&path, format, &metadata)
    });
    let sources = sources.collect::<Result<Vec<_>, _>>()?;
    if sources.iter().map(|source| source.bytes).sum::<u64>() > MOST_TOTAL_BYTES {
        return Err(fault(path, Fault::TooLarge));
    }
    Ok(sources)
}

impl Source {
    fn new(path: &Path, format: Format, metadata: &Metadata) -> Result<Self, FileError> {
        // Opening a pipe would wait for its other end.
        if !metadata.is_file() {
            return Err(fault(path, Fault::Irregular));
        }
        if metadata.len() > MOST_TOTAL_BYTES {
            return Err(fault(path, Fault::TooLarge));
        }
        Ok(Self {
            path: path.to_owned(),
            format,
            stem: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            bytes: metadata.len(),
            modified: metadata.modified().ok(),
        })
    }
}

/// Tables of a file. Their size is deducted from what is left for all.
pub(super) fn read(source: &Source, left: &mut u64) -> Result<Vec<Grid>, FileError> {
    let path = &source.path;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    // In the meantime, another file or a link may have taken its place.
    let metadata = file.metadata().map_err(|error| unreadable(path, &error))?;
    if Source::new(path, source.format, &metadata)? != *source {
        return Err(fault(path, Fault::Unreadable("it changes while it is read".to_owned())));
    }
    file.take(*left + 1).read_to_end(&mut bytes).map_err(|error| unreadable(path, &error))?;
    *left = left.checked_sub(bytes.len() as u64).ok_or_else(|| fault(path, Fault::TooLarge))?;
    let fails = |located: Located| located.within(path, None);
    if source.format == Format::Workbook {
        return workbook::grids(bytes, left).map_err(fails);
    }
    let (text, encoding) = decode(bytes).map_err(fails)?;
    let delimiter = delimiter(&text, source.format == Format::Tabs);
    tracing::debug!(path = %path.display(), encoding, delimiter = %char::from(delimiter), "read a file");
    Ok(vec![Grid { text, delimiter, sheet: None }])
}

fn fault(path: &Path, fault: Fault) -> FileError {
    Located::from(fault).within(path, None)
}

fn unreadable(path: &Path, error: &std::io::Error) -> FileError {
    fault(
        path,
        match error.kind() {
            std::io::ErrorKind::NotFound => Fault::Missing,
            kind => Fault::Unreadable(kind.to_string()),
        },
    )
}
