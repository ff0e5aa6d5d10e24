//! What the head of a library says: for which system and processor it is made, and whether it is complete.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Bytes of the head of an ELF library of 64 bits.
const HEAD: usize = 64;
/// Processors by their number in ELF and their name in Rust.
const ELF_MACHINES: [(u16, &str); 5] =
    [(3, "x86"), (40, "arm"), (62, "x86_64"), (183, "aarch64"), (243, "riscv64")];
/// Processors by their number in Mach-O and their name in Rust.
const MACH_MACHINES: [(u32, &str); 2] = [(0x0100_0007, "x86_64"), (0x0100_000c, "aarch64")];

/// Why the file at a path is no shared library for this system and processor, by its first 64 bytes; `None` if it may be one.
pub(super) fn fault(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    let bytes = file.metadata().ok()?.len();
    let mut head = Vec::new();
    file.take(HEAD as u64).read_to_end(&mut head).ok()?;
    fault_of(&head, bytes, std::env::consts::OS, std::env::consts::ARCH)
}

/// The fault of a library with this head and size, on a machine with this system and processor.
fn fault_of(head: &[u8], bytes: u64, system: &str, processor: &str) -> Option<String> {
    let (made_for, machine) = match head {
        [0x7f, b'E', b'L', b'F', ..] => {
            let number = u16::from_le_bytes([*head.get(18)?, *head.get(19)?]);
            let named = ELF_MACHINES.iter().find(|(machine, _)| *machine == number);
            ("linux", named.map(|(_, name)| *name))
        }
        [0xcf, 0xfa, 0xed, 0xfe, a, b, c, d, ..] => {
            let number = u32::from_le_bytes([*a, *b, *c, *d]);
            let named = MACH_MACHINES.iter().find(|(machine, _)| *machine == number);
            ("macos", named.map(|(_, name)| *name))
        }
        // A library for several processors.
        [0xca, 0xfe, 0xba, 0xbe, ..] => ("macos", Some(processor)),
        [b'M', b'Z', ..] => ("windows", None),
        _ => return Some("it is no library".to_owned()),
    };
    let wanted = format!("this machine needs one for {system} on {processor}");
    if made_for != system {
        return Some(format!("it is a library for {made_for}; {wanted}"));
    }
    match machine {
        None => return Some(format!("it is a library for another processor; {wanted}")),
        Some(name) if name != processor => {
            return Some(format!("it is a library for {made_for} on {name}; {wanted}"));
        }
        Some(_) => {}
    }
    (made_for == "linux" && is_cut_off(head, bytes)).then(|| "the file is cut off".to_owned())
}

/// Whether the table of sections, which ends an ELF library of 64 bits, lies beyond the end of the file.
fn is_cut_off(head: &[u8], bytes: u64) -> bool {
    let Some(place) = head.get(40..48).and_then(|place| place.try_into().ok()) else { return true };
    head[4] == 2 && u64::from_le_bytes(place) > bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elf(machine: u16, sections: u64) -> Vec<u8> {
        let mut head = vec![0; HEAD];
        head[..5].copy_from_slice(b"\x7fELF\x02");
        head[18..20].copy_from_slice(&machine.to_le_bytes());
        head[40..48].copy_from_slice(&sections.to_le_bytes());
        head
    }

    #[test]
    fn a_library_of_another_machine_or_without_its_end_is_told_apart() {
        let mach = [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1].to_vec();
        for (head, words) in [
            (elf(62, 900), None),
            (
                elf(183, 900),
                Some("for linux on aarch64; this machine needs one for linux on x86_64"),
            ),
            (elf(9_999, 900), Some("for another processor")),
            (elf(62, 1_001), Some("cut off")),
            (elf(62, 900)[..30].to_vec(), Some("cut off")),
            (mach, Some("for macos")),
            (b"MZ\x90\0".to_vec(), Some("for windows")),
            (b"#!/bin/sh".to_vec(), Some("it is no library")),
        ] {
            let found = fault_of(&head, 1_000, "linux", "x86_64");
            let expected = words.is_some();
            assert_eq!(found.is_some(), expected, "{found:?}, expected {words:?}");
            assert!(found.unwrap_or_default().contains(words.unwrap_or_default()));
        }
        let mach = [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 1];
        assert_eq!(fault_of(&mach, 1_000, "macos", "aarch64"), None);
    }
}
