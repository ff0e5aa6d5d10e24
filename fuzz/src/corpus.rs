//! The fuzzer's corpus: one compressed archive, `fuzz/corpus.tar.gz`, whose entries are inputs named by their SHA-1.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// An input of the fuzz target.
pub struct Input {
    /// File name: libFuzzer names an input by its SHA-1.
    pub name: String,
    /// The bytes that the target reads.
    pub bytes: Vec<u8>,
}

/// Path of the committed archive.
#[must_use]
pub fn archive() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus.tar.gz")
}

/// All inputs of the committed archive.
///
/// # Errors
///
/// When the archive cannot be opened or is damaged.
pub fn read() -> io::Result<Vec<Input>> {
    let mut archive = tar::Archive::new(GzDecoder::new(File::open(archive())?));
    let mut inputs = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes)?;
        inputs.push(Input { name, bytes });
    }
    Ok(inputs)
}

/// Writes each input of the archive as a file of `folder`.
///
/// # Errors
///
/// When the archive cannot be read or a file cannot be written.
pub fn unpack(folder: &Path) -> io::Result<usize> {
    fs::create_dir_all(folder)?;
    let inputs = read()?;
    for input in &inputs {
        fs::write(folder.join(&input.name), &input.bytes)?;
    }
    Ok(inputs.len())
}

/// Replaces the archive with the files of `folder` and returns their number.
///
/// Equal inputs give an equal archive: entries are sorted by name and contain neither time nor owner.
///
/// # Errors
///
/// When a file cannot be read or the archive cannot be written.
pub fn pack(folder: &Path) -> io::Result<usize> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::best()));
    for path in &paths {
        let bytes = fs::read(path)?;
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        archive.append_data(&mut header, path.file_name().unwrap_or_default(), &bytes[..])?;
    }
    fs::write(self::archive(), archive.into_inner()?.finish()?)?;
    Ok(paths.len())
}
