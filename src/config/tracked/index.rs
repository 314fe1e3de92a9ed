//! Reads the names in Git's index (`gitformat-index`), versions 2 to 4.

use super::reader::{Entry, Reader};
use super::split::Link;

/// A path in the index has no more bytes.
const MOST_IN_NAME: usize = 4096;

/// All of them together have no more.
const MOST_IN_NAMES: usize = 256 << 20;

/// The bytes of an entry before the name of its object: times, device, mode, owner, size.
const STAT: usize = 40;

/// The lengths of the names of objects, SHA-1's and SHA-256's. The index doesn't say which it has.
const OBJECT_NAMES: [usize; 2] = [20, 32];

/// What an index holds.
pub(super) struct Index {
    /// Its entries; those without a path take the place of entries of a shared file.
    pub entries: Vec<Entry>,
    /// The shared file that it adds to.
    pub link: Option<Link>,
}

impl Index {
    /// Reads an index; `None` where that can't be done.
    pub fn read(bytes: &[u8]) -> Option<Index> {
        OBJECT_NAMES.iter().find_map(|length| with_names(bytes, *length))
    }
}

fn with_names(bytes: &[u8], object: usize) -> Option<Index> {
    let mut reader = Reader { bytes: bytes.get(..bytes.len().checked_sub(object)?)?, at: 0 };
    if reader.take(4)? != b"DIRC" {
        return None;
    }
    let version = reader.number()?;
    let count = reader.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut entries: Vec<Entry> = Vec::new();
    let (mut last, mut unfolded) = (Vec::new(), 0);
    for _ in 0..count {
        let start = reader.at;
        let mode = reader.take(STAT)?.get(24..28)?;
        // A submodule or a folder of a sparse index is no file.
        let is_file = matches!(mode, [0, 0, kind, _] if matches!(kind >> 4, 0o10 | 0o12));
        reader.take(object)?;
        let flags = reader.short()?;
        if version > 2 && flags & 0x4000 != 0 {
            reader.take(2)?;
        }
        let mut path = Vec::new();
        if version == 4 {
            let kept = last_kept(&last, reader.offset()?)?;
            path.extend_from_slice(kept);
        }
        path.extend_from_slice(reader.text()?);
        // No system has longer names. Beginnings that entries share count for each of them.
        unfolded += path.len();
        if path.len() > MOST_IN_NAME || unfolded > MOST_IN_NAMES {
            return None;
        }
        let length = usize::from(flags & 0xFFF);
        if length != path.len().min(0xFFF) {
            return None;
        }
        if version < 4 {
            // One NUL at least ends the name, and a multiple of eight bytes the entry.
            let used = reader.at - start;
            reader.take(used.next_multiple_of(8) - used)?;
        }
        entries.push(Entry { path: path.clone(), is_file });
        last = path;
    }
    // What follows are extensions.
    let mut link = None;
    while let Some(name) = reader.take(4) {
        let length = usize::try_from(reader.number()?).ok()?;
        let said = reader.take(length)?;
        if name == b"link" {
            link = Link::read(said, object)?;
        }
    }
    let is_whole = link.is_some() || entries.iter().all(|entry| !entry.path.is_empty());
    (reader.is_done() && is_whole).then_some(Index { entries, link })
}

/// The part of the path before that the next one begins with, without so many bytes at its end.
fn last_kept(last: &[u8], without: usize) -> Option<&[u8]> {
    last.get(..last.len().checked_sub(without)?)
}

#[cfg(test)]
mod tests {
    use super::Index;

    fn paths(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
        let index = Index::read(bytes)?;
        Some(index.entries.into_iter().filter(|entry| entry.is_file).map(|entry| entry.path).collect())
    }

    /// An index of version 2 with these paths, in order.
    fn index(names: &[&str], object: usize) -> Vec<u8> {
        let mut out = b"DIRC\0\0\0\x02".to_vec();
        out.extend(u32::try_from(names.len()).unwrap().to_be_bytes());
        for name in names {
            let start = out.len();
            let mut stat = [0; super::STAT];
            stat[26] = 0x81;
            stat[27] = 0xa4;
            out.extend(stat);
            out.extend(vec![0xAA; object]);
            out.extend(u16::try_from(name.len()).unwrap().to_be_bytes());
            out.extend(name.as_bytes());
            out.push(0);
            while !(out.len() - start).is_multiple_of(8) {
                out.push(0);
            }
        }
        out.extend(vec![7; object]);
        out
    }

    #[test]
    fn names_of_either_kind_of_object() {
        for object in super::OBJECT_NAMES {
            let read = paths(&index(&["a", "dir/common.auto.tfvars"], object)).unwrap();
            assert_eq!(read, [b"a".to_vec(), b"dir/common.auto.tfvars".to_vec()]);
        }
        assert_eq!(paths(&index(&[], 20)), Some(Vec::new()));
    }

    /// Every cut, and every byte changed, is read to an end.
    #[test]
    fn hostile_bytes_are_read_to_an_end() {
        let whole = index(&["a", "dir/common.auto.tfvars", "x.tf"], 20);
        for end in 0..whole.len() {
            let _ = paths(&whole[..end]);
            for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut changed = whole.clone();
                changed[end] = byte;
                let _ = paths(&changed);
            }
        }
        let mut many = index(&["a"], 20);
        many[8..12].copy_from_slice(&[0xFF; 4]);
        assert_eq!(paths(&many), None);
        let mut fourth = index(&["a", "b"], 20);
        fourth[7] = 4;
        let _ = paths(&fourth);
    }

    /// A split index of a folder names the shared file; every cut and every byte changed is read to an end.
    #[test]
    fn a_split_index_names_its_shared_file() {
        let mut split = index(&["a"], 20);
        let end = split.len() - 20;
        let mut said = b"link".to_vec();
        let bitmap = [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0];
        said.extend(u32::try_from(20 + 2 * bitmap.len()).unwrap().to_be_bytes());
        said.extend([0xAB; 20]);
        said.extend(bitmap);
        said.extend(bitmap);
        split.splice(end..end, said);
        let read = Index::read(&split).unwrap();
        assert_eq!(read.link.unwrap().shared, "ab".repeat(20));
        let merged = |bytes: &[u8]| {
            let (shared, own) = (Index::read(&index(&["b", "c"], 20))?, Index::read(bytes)?);
            own.link?.merged(shared.entries, own.entries)
        };
        // One entry is replaced, and the index has none without a name.
        assert!(merged(&split).is_none());
        for at in 0..split.len() {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] {
                let mut changed = split.clone();
                changed[at] = byte;
                let _ = merged(&changed);
            }
        }
    }
}
