//! The two encodings of the plugin protocol, as far as the provider needs them: protobuf messages and msgpack values.

/// A protobuf message that is being written.
#[derive(Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    fn varint(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push((n as u8) | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    pub fn number(mut self, field: u64, n: u64) -> Message {
        self.varint(field << 3);
        self.varint(n);
        self
    }

    pub fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint((field << 3) | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    pub fn message(self, field: u64, inner: &Message) -> Message {
        self.bytes(field, &inner.0)
    }
}

/// The bytes of a field; none where it isn't set.
pub fn field(message: &[u8], wanted: u64) -> &[u8] {
    let mut rest = message;
    while !rest.is_empty() {
        let key = varint(&mut rest);
        let value: &[u8] = match key & 7 {
            0 => {
                varint(&mut rest);
                &[]
            }
            2 => {
                let length = varint(&mut rest) as usize;
                let (value, after) = rest.split_at(length);
                rest = after;
                value
            }
            other => panic!("wire type {other}"),
        };
        if key >> 3 == wanted {
            return value;
        }
    }
    &[]
}

fn varint(rest: &mut &[u8]) -> u64 {
    let (mut n, mut shift) = (0, 0);
    loop {
        let byte = rest[0];
        *rest = &rest[1..];
        n |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return n;
        }
    }
}

pub const NIL: &[u8] = &[0xc0];
pub const UNKNOWN: &[u8] = &[0xd4, 0, 0];

/// The entries of a map with texts for keys, each value as it is encoded; none for nil.
pub fn entries(value: &[u8]) -> Vec<(String, &[u8])> {
    let (count, mut rest) = match value[0] {
        0xc0 => return Vec::new(),
        0xde => (usize::from(u16::from_be_bytes([value[1], value[2]])), &value[3..]),
        head => (usize::from(head & 0x0f), &value[1..]),
    };
    let mut all = Vec::new();
    for _ in 0..count {
        let (key, after) = rest.split_at(size(rest));
        let (own, after) = after.split_at(size(after));
        all.push((text(key).unwrap(), own));
        rest = after;
    }
    all
}

/// The value within one of any type, which stands beside its type.
pub fn inner(value: &[u8]) -> &[u8] {
    assert_eq!(value[0], 0x92, "not of any type");
    &value[1 + size(&value[1..])..]
}

/// A map of these.
pub fn map(all: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut out = vec![0xde];
    out.extend((all.len() as u16).to_be_bytes());
    for (key, value) in all {
        out.extend(string(key));
        out.extend(value);
    }
    out
}

pub fn string(text: &str) -> Vec<u8> {
    let mut out = vec![0xdb];
    out.extend((text.len() as u32).to_be_bytes());
    out.extend(text.as_bytes());
    out
}

/// A text.
pub fn text(value: &[u8]) -> Option<String> {
    let start = match value[0] {
        0xa0..=0xbf => 1,
        0xd9 => 2,
        0xda => 3,
        0xdb => 5,
        _ => return None,
    };
    Some(String::from_utf8(value[start..].to_vec()).unwrap())
}

/// How many bytes the value has that stands first.
fn size(value: &[u8]) -> usize {
    let number = |bytes: &[u8]| bytes.iter().fold(0usize, |n, b| (n << 8) | usize::from(*b));
    let many = |start: usize, count: usize| {
        let mut at = start;
        for _ in 0..count {
            at += size(&value[at..]);
        }
        at
    };
    match value[0] {
        0x00..=0x7f | 0xc0..=0xc3 | 0xe0..=0xff => 1,
        0x80..=0x8f => many(1, 2 * usize::from(value[0] & 0x0f)),
        0x90..=0x9f => many(1, usize::from(value[0] & 0x0f)),
        0xa0..=0xbf => 1 + usize::from(value[0] & 0x1f),
        0xc4 | 0xd9 => 2 + number(&value[1..2]),
        0xc5 | 0xda => 3 + number(&value[1..3]),
        0xc6 | 0xdb => 5 + number(&value[1..5]),
        0xc7 => 3 + number(&value[1..2]),
        0xc8 => 4 + number(&value[1..3]),
        0xc9 => 6 + number(&value[1..5]),
        0xca | 0xce | 0xd2 => 5,
        0xcb | 0xcf | 0xd3 => 9,
        0xcc | 0xd0 => 2,
        0xcd | 0xd1 => 3,
        0xd4 => 3,
        0xd5 => 4,
        0xd6 => 6,
        0xd7 => 10,
        0xd8 => 18,
        0xdc => many(3, number(&value[1..3])),
        0xdd => many(5, number(&value[1..5])),
        0xde => many(3, 2 * number(&value[1..3])),
        0xdf => many(5, 2 * number(&value[1..5])),
    }
}
