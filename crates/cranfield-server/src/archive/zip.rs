//! Zip archives with one form: stored members in the order of their names, dated 1980, and nothing else. The same members give the same bytes, so a
//! reader compares every byte that is not in a member with what the writer would have written.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The member with the hashes of all others.
pub(crate) const MANIFEST: &str = "MANIFEST.blake3";
/// The most members of an archive.
const MOST_MEMBERS: usize = 100_000;
/// The most bytes of a name.
const MOST_NAME: usize = 200;
/// The most bytes of a member.
const MOST_BYTES: u64 = 2 << 30;

/// The bytes of a member.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Bytes(Vec<u8>),
    /// A part of a file.
    Part {
        path: PathBuf,
        start: u64,
        length: u64,
    },
}

impl Content {
    /// A whole file.
    pub(crate) fn of_file(path: PathBuf) -> io::Result<Self> {
        let length = std::fs::metadata(&path)?.len();
        Ok(Self::Part {
            path,
            start: 0,
            length,
        })
    }

    fn open(&self) -> io::Result<Box<dyn Read + '_>> {
        Ok(match self {
            Self::Bytes(bytes) => Box::new(bytes.as_slice()),
            Self::Part {
                path,
                start,
                length,
            } => {
                let mut file = File::open(path)?;
                file.seek(SeekFrom::Start(*start))?;
                Box::new(BufReader::new(file.take(*length)))
            }
        })
    }

    /// All bytes.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Size, CRC-32 and BLAKE3.
    pub(crate) fn sums(&self) -> io::Result<Sums> {
        let (mut crc, mut hasher) = (crc32fast::Hasher::new(), blake3::Hasher::new());
        let mut size = 0_u64;
        self.pieces(|piece| {
            size += piece.len() as u64;
            crc.update(piece);
            hasher.update(piece);
            Ok(())
        })?;
        let size = u32::try_from(size).ok();
        let size = size.filter(|size| u64::from(*size) <= MOST_BYTES);
        Ok(Sums {
            size: size.ok_or_else(|| io::Error::other("a member has more than 2 GiB"))?,
            crc: crc.finalize(),
            hash: hasher.finalize().to_hex().to_string(),
        })
    }

    fn pieces(&self, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let mut input = self.open()?;
        let mut buffer = vec![0; 64 << 10];
        loop {
            match input.read(&mut buffer)? {
                0 => return Ok(()),
                read => each(&buffer[..read])?,
            }
        }
    }
}

/// What is known of the bytes of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) size: u32,
    pub(crate) crc: u32,
    pub(crate) hash: String,
}

/// Members by name.
pub(crate) type Members = BTreeMap<String, Content>;

/// Writes members, and the manifest of their hashes.
pub(crate) fn write(mut members: Members, out: &mut dyn Write) -> io::Result<()> {
    let mut sums = BTreeMap::new();
    for (name, content) in &members {
        sums.insert(name.clone(), content.sums()?);
    }
    let manifest = manifest(sums.iter().map(|(name, sums)| (name.as_str(), &*sums.hash)));
    let manifest = Content::Bytes(manifest.into_bytes());
    sums.insert(MANIFEST.into(), manifest.sums()?);
    members.insert(MANIFEST.into(), manifest);
    if members.len() > MOST_MEMBERS {
        return Err(io::Error::other(format!(
            "an archive has at most {MOST_MEMBERS} members, not {}",
            members.len()
        )));
    }
    let mut directory = Directory::default();
    for (name, content) in &members {
        let sums = &sums[name];
        out.write_all(&directory.add(name, sums))?;
        content.pieces(|piece| out.write_all(piece))?;
    }
    out.write_all(&directory.bytes())
}

/// A line for each member in the order of names, and the hash of these lines.
pub(crate) fn manifest<'m>(members: impl Iterator<Item = (&'m str, &'m str)>) -> String {
    let lines: String = members
        .map(|(name, hash)| format!("{hash}  {name}\n"))
        .collect();
    let hash = blake3::hash(lines.as_bytes()).to_hex();
    format!("{lines}{hash}\n")
}

/// The directory at the end of an archive.
#[derive(Default)]
struct Directory {
    lines: Vec<u8>,
    members: u64,
    at: u64,
}

/// Fields that both headers of a member have: version, flags, method, time and date.
fn common(version: u16) -> Vec<u8> {
    const UTF_8: u16 = 1 << 11;
    const FIRST_OF_1980: u16 = (1 << 5) + 1;
    [version, UTF_8, 0, 0, FIRST_OF_1980]
        .iter()
        .flat_map(|field| field.to_le_bytes())
        .collect()
}

/// Sizes are below 4 GiB, so that the plain form does.
fn local_header(name: &str, sums: &Sums) -> Vec<u8> {
    let mut bytes = b"PK\x03\x04".to_vec();
    bytes.extend(common(20));
    bytes.extend(sums.crc.to_le_bytes());
    bytes.extend(sums.size.to_le_bytes());
    bytes.extend(sums.size.to_le_bytes());
    bytes.extend((name.len() as u16).to_le_bytes());
    bytes.extend(0_u16.to_le_bytes());
    bytes.extend(name.as_bytes());
    bytes
}

impl Directory {
    /// Adds a member, and returns the header in front of it.
    fn add(&mut self, name: &str, sums: &Sums) -> Vec<u8> {
        let header = local_header(name, sums);
        // An offset of 4 GiB or more is in an extra field.
        let large =
            u32::try_from(self.at).map_or(Some(self.at), |at| (at == u32::MAX).then_some(self.at));
        let mut extra = Vec::new();
        if let Some(at) = large {
            extra.extend([1_u16, 8].iter().flat_map(|field| field.to_le_bytes()));
            extra.extend(at.to_le_bytes());
        }
        let lines = &mut self.lines;
        lines.extend(b"PK\x01\x02");
        // Made on Unix, for the permissions below.
        lines.extend(((3_u16 << 8) + 45).to_le_bytes());
        lines.extend(common(if large.is_some() { 45 } else { 20 }));
        lines.extend(sums.crc.to_le_bytes());
        lines.extend(sums.size.to_le_bytes());
        lines.extend(sums.size.to_le_bytes());
        lines.extend((name.len() as u16).to_le_bytes());
        lines.extend((extra.len() as u16).to_le_bytes());
        // No comment, first disk, no internal attributes.
        lines.extend([0; 6]);
        lines.extend((0o100_644_u32 << 16).to_le_bytes());
        lines.extend(large.map_or(self.at as u32, |_| u32::MAX).to_le_bytes());
        lines.extend(name.as_bytes());
        lines.extend(extra);
        self.members += 1;
        self.at += header.len() as u64 + u64::from(sums.size);
        header
    }

    /// The directory and its end.
    fn bytes(self) -> Vec<u8> {
        let size = self.lines.len() as u64;
        let mut bytes = self.lines;
        let is_large = self.members >= u64::from(u16::MAX)
            || self.at >= u64::from(u32::MAX)
            || size >= u64::from(u32::MAX);
        if is_large {
            let end = self.at + size;
            bytes.extend(b"PK\x06\x06");
            bytes.extend(44_u64.to_le_bytes());
            bytes.extend([45_u16, 45].iter().flat_map(|field| field.to_le_bytes()));
            bytes.extend([0; 8]);
            for field in [self.members, self.members, size, self.at] {
                bytes.extend(field.to_le_bytes());
            }
            bytes.extend(b"PK\x06\x07");
            bytes.extend(0_u32.to_le_bytes());
            bytes.extend(end.to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
        }
        let count = u16::try_from(self.members).unwrap_or(u16::MAX);
        bytes.extend(b"PK\x05\x06");
        bytes.extend([0; 4]);
        bytes.extend(count.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        for field in [size, self.at] {
            let field = if is_large { u32::MAX } else { field as u32 };
            bytes.extend(field.to_le_bytes());
        }
        bytes.extend([0; 2]);
        bytes
    }
}

/// An archive that was read. Its members are sound if there is no problem.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) members: Members,
    pub(crate) problems: Vec<Damage>,
}

/// What is damaged: a member, or the archive itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Damage {
    pub(crate) member: String,
    pub(crate) what: String,
}

impl Damage {
    pub(crate) fn of(member: &str, what: impl Into<String>) -> Self {
        Self {
            member: member.into(),
            what: what.into(),
        }
    }
}

/// Reads an archive, and compares it with its manifest.
pub(crate) fn open(path: &Path) -> io::Result<Opened> {
    let mut file = BufReader::new(File::open(path)?);
    let mut problems = Vec::new();
    let mut members = Members::new();
    let mut directory = Directory::default();
    let length = file.get_ref().metadata()?.len();
    let mut last = String::new();
    loop {
        let start = directory.at;
        file.seek(SeekFrom::Start(start))?;
        let Some((name, header)) = header(&mut file) else {
            break;
        };
        let content = Content::Part {
            path: path.to_owned(),
            start: start + header.written as u64,
            length: u64::from(header.size),
        };
        if start + header.written as u64 + u64::from(header.size) > length {
            problems.push(Damage::of(&name, "the file ends inside this member"));
            break;
        }
        let sums = content.sums()?;
        file.seek(SeekFrom::Start(start))?;
        let mut found = vec![0; header.written];
        file.read_exact(&mut found)?;
        let wanted = directory.add(&name, &sums);
        if found != wanted {
            problems.push(Damage::of(&name, "the header does not match the member"));
        }
        if !last.is_empty() && last >= name {
            problems.push(Damage::of(&name, "the member is out of order"));
        }
        if let Err(what) = check_name(&name) {
            problems.push(Damage::of(&name, what));
            break;
        }
        last.clone_from(&name);
        members.insert(name, content);
        if members.len() > MOST_MEMBERS {
            problems.push(Damage::of(
                "the archive",
                format!("it has more than {MOST_MEMBERS} members"),
            ));
            break;
        }
    }
    if members.is_empty() && problems.is_empty() {
        let what = "it does not begin as the archive of a campaign";
        problems.push(Damage::of("the archive", what));
    } else {
        check_manifest(&members, &mut problems)?;
    }
    if problems.is_empty() {
        file.seek(SeekFrom::Start(directory.at))?;
        // The directory is as long as it should be, or one byte longer.
        let wanted = directory.bytes();
        let mut found = Vec::new();
        file.take(wanted.len() as u64 + 1).read_to_end(&mut found)?;
        if found != wanted {
            let what = "the directory at its end does not match the members";
            problems.push(Damage::of("the archive", what));
        }
    }
    Ok(Opened { members, problems })
}

/// A header in front of a member.
struct Header {
    written: usize,
    size: u32,
}

/// The next header; none where the members end.
fn header(file: &mut impl Read) -> Option<(String, Header)> {
    let mut fixed = [0; 30];
    if file.read_exact(&mut fixed).is_err() || !fixed.starts_with(b"PK\x03\x04") {
        return None;
    }
    let length = usize::from(u16::from_le_bytes([fixed[26], fixed[27]]));
    let mut name = vec![0; length];
    if file.read_exact(&mut name).is_err() {
        return None;
    }
    let name = String::from_utf8_lossy(&name).into_owned();
    let size = u32::from_le_bytes([fixed[18], fixed[19], fixed[20], fixed[21]]);
    let written = 30 + length;
    Some((name, Header { written, size }))
}

/// Names are relative paths without surprises.
fn check_name(name: &str) -> Result<(), &'static str> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._/-".contains(c);
    let parts = || name.split('/');
    let fits = name.len() <= MOST_NAME
        && name.chars().all(allowed)
        && parts().all(|part| !part.is_empty() && part != "." && part != "..");
    if fits {
        Ok(())
    } else {
        Err("the name is not allowed")
    }
}

fn check_manifest(members: &Members, problems: &mut Vec<Damage>) -> io::Result<()> {
    let Some(content) = members.get(MANIFEST) else {
        problems.push(Damage::of(MANIFEST, "the member is missing"));
        return Ok(());
    };
    let text = String::from_utf8_lossy(&content.read()?).into_owned();
    let lines = text.trim_end_matches('\n').rsplit_once('\n');
    let own = lines.map(|(lines, hash)| (blake3::hash(format!("{lines}\n").as_bytes()), hash));
    if own.is_none_or(|(computed, hash)| computed.to_hex().as_str() != hash) {
        problems.push(Damage::of(
            MANIFEST,
            "its last line is not the hash of the others",
        ));
        return Ok(());
    }
    let lines = lines.map_or("", |(lines, _)| lines);
    let listed: BTreeMap<&str, &str> = lines
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(hash, name)| (name, hash))
        .collect();
    for (name, content) in members.iter().filter(|(name, _)| *name != MANIFEST) {
        match listed.get(name.as_str()) {
            None => problems.push(Damage::of(name, "the member is not in the manifest")),
            Some(hash) if *hash != content.sums()?.hash => {
                problems.push(Damage::of(
                    name,
                    "its hash differs from that in the manifest",
                ));
            }
            Some(_) => {}
        }
    }
    let missing = listed.keys().filter(|name| !members.contains_key(**name));
    problems.extend(missing.map(|name| Damage::of(name, "the member is missing")));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members() -> Members {
        [("b/two.txt", "two"), ("a.txt", "one"), ("empty", "")]
            .map(|(name, text)| (name.to_owned(), Content::Bytes(text.as_bytes().to_vec())))
            .into()
    }

    fn written() -> Vec<u8> {
        let mut bytes = Vec::new();
        write(members(), &mut bytes).expect("written");
        bytes
    }

    fn open_bytes(bytes: &[u8]) -> Opened {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.zip");
        std::fs::write(&path, bytes).expect("written");
        open(&path).expect("opened")
    }

    #[test]
    fn every_flipped_bit_is_found() {
        let bytes = written();
        assert_eq!(open_bytes(&bytes).problems, []);
        for at in 0..bytes.len() {
            for bit in [0, 7] {
                let mut damaged = bytes.clone();
                damaged[at] ^= 1 << bit;
                assert_ne!(open_bytes(&damaged).problems, [], "byte {at}");
            }
        }
    }

    #[test]
    fn cut_and_longer_files_are_damaged() {
        let bytes = written();
        for length in [0, 10, 31, 60, bytes.len() - 1] {
            assert_ne!(open_bytes(&bytes[..length]).problems, [], "{length}");
        }
        assert_ne!(open_bytes(&[bytes, vec![0]].concat()).problems, []);
    }

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        for name in [
            "../x", "/x", "a//b", "a/../b", "a\\b", "C:x", "é", "a\0b", "", "a/",
        ] {
            assert!(check_name(name).is_err(), "{name:?}");
        }
        assert!(check_name("runs/T001-E002.run").is_ok());
    }
}
