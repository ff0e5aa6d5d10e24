//! Unpacks the fuzzer's corpus into a folder, or packs a folder into the corpus.

use std::io::{self, Write as _};
use std::path::Path;

use wherefore_fuzz::corpus;

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let inputs = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["unpack", folder] => corpus::unpack(Path::new(folder))?,
        ["pack", folder] => corpus::pack(Path::new(folder))?,
        _ => return Err(io::Error::other("usage: wherefore-fuzz-corpus unpack|pack FOLDER")),
    };
    writeln!(io::stdout(), "{inputs} inputs")
}
