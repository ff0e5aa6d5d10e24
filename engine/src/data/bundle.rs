//! Format of the word file, which holds the data files of the engine. The build script writes it.
//!
//! The first line names the version, which is a hash of the rest. Each file follows as a line with its name and its length
//! in bytes, then its bytes and a line break.

/// Start of the first line.
const HEADER: &str = "wherefore words ";

/// Length of the version, in hexadecimal digits.
const DIGITS: usize = 16;

/// A word file that holds these files, each with its name.
#[cfg_attr(not(test), allow(dead_code, reason = "the build script writes"))]
pub(crate) fn write<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Vec<u8> {
    let mut rest = Vec::new();
    for (name, bytes) in files {
        rest.extend(format!("{name} {}\n", bytes.len()).bytes());
        rest.extend(bytes);
        rest.push(b'\n');
    }
    let mut file = format!("{HEADER}{}\n", hash(&rest)).into_bytes();
    file.extend(rest);
    file
}

/// The version that a word file states, and the rest; `None` if it is no word file.
pub(crate) fn parts(file: &[u8]) -> Option<(&str, &[u8])> {
    let (version, rest) = file.strip_prefix(HEADER.as_bytes())?.split_at_checked(DIGITS)?;
    Some((str::from_utf8(version).ok()?, rest.strip_prefix(b"\n")?))
}

/// Whether the rest of a word file has the version that its first line states.
pub(crate) fn is_complete(version: &str, rest: &[u8]) -> bool {
    version == hash(rest)
}

/// The bytes of a file in a word file.
pub(crate) fn find<'a>(file: &'a [u8], wanted: &str) -> Option<&'a [u8]> {
    let (_, mut rest) = parts(file)?;
    while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
        let (line, after) = rest.split_at_checked(end)?;
        let (name, length) = str::from_utf8(line).ok()?.rsplit_once(' ')?;
        let (bytes, after) = after.get(1..)?.split_at_checked(length.parse().ok()?)?;
        if name == wanted {
            return Some(bytes);
        }
        rest = after.get(1..)?;
    }
    None
}

/// FNV-1a hash, 64 bits.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
