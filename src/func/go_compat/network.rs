//! One prefix: its reading, its arithmetic, its text.
//!
//! Reading is as Go's was before 1.17: leading zeros in decimal parts are allowed, and are decimal.

use std::net::{Ipv4Addr, Ipv6Addr};

/// A prefix of addresses. Invariant: no address bits outside the prefix, `length <= bits`, and `bits` is 32 or 128.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::func) struct Network {
    /// The first address.
    pub(in crate::func) address: u128,
    /// The number of leading bits that all addresses share.
    pub(in crate::func) length: u32,
    /// The number of bits of an address.
    pub(in crate::func) bits: u32,
}

/// Go gives up on decimal numbers from here.
const TOO_LARGE: u32 = 0xff_ffff;

impl Network {
    /// Reads `ADDRESS/LENGTH`.
    pub(in crate::func) fn parse(text: &str) -> Option<Network> {
        let (address, length) = text.split_once('/')?;
        let (address, bits) = match v4(address) {
            Some(address) => (address.into(), 32),
            None => (v6(address)?, 128),
        };
        let length = decimal(length)?;
        if length > bits {
            return None;
        }
        let network = Network { address, length, bits };
        Some(Network { address: address & network.mask(), ..network })
    }

    pub(in crate::func) fn is_v4(&self) -> bool {
        self.bits == 32
    }

    /// Ones where addresses of the prefix differ.
    pub(in crate::func) fn host_mask(&self) -> u128 {
        self.all().checked_shr(self.length).unwrap_or(0)
    }

    /// Ones where addresses of the prefix agree.
    pub(in crate::func) fn mask(&self) -> u128 {
        self.all() ^ self.host_mask()
    }

    /// The bits of a sum or difference that an address has.
    pub(in crate::func) fn wrap(&self, address: u128) -> u128 {
        address & self.all()
    }

    pub(in crate::func) fn contains(&self, address: u128) -> bool {
        address & self.mask() == self.address
    }

    fn all(&self) -> u128 {
        if self.is_v4() { u32::MAX.into() } else { u128::MAX }
    }

    /// Returns true if Go takes an address for an IPv4 one.
    pub(in crate::func) fn is_mapped(&self, address: u128) -> bool {
        !self.is_v4() && address >> 32 == 0xffff
    }

    /// Returns an address as text; a mapped one as the IPv4 address that it stands for.
    pub(in crate::func) fn address_text(&self, address: u128) -> String {
        let mapped = self.is_mapped(address);
        match u32::try_from(address & u128::from(u32::MAX)) {
            Ok(low) if self.is_v4() || mapped => Ipv4Addr::from(low).to_string(),
            _ => Ipv6Addr::from(address).to_string(),
        }
    }

    /// The prefix as text.
    pub(in crate::func) fn text(&self) -> String {
        // Of a mapped prefix all leading bits are fixed.
        let length = if self.is_mapped(self.address) { self.length.saturating_sub(96) } else { self.length };
        format!("{}/{length}", self.address_text(self.address))
    }
}

fn decimal(text: &str) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    text.bytes().try_fold(0u32, |n, digit| {
        let n = n * 10 + char::from(digit).to_digit(10)?;
        (n < TOO_LARGE).then_some(n)
    })
}

fn v4(text: &str) -> Option<u32> {
    let mut address = 0u32;
    let mut count = 0;
    for part in text.split('.') {
        let part = decimal(part).filter(|n| *n <= 0xff)?;
        address = address.checked_shl(8)? | part;
        count += 1;
    }
    (count == 4).then_some(address)
}

/// Groups of hexadecimal digits, the last two perhaps as an IPv4 address, one run of zeros perhaps as `::`.
fn v6(text: &str) -> Option<u128> {
    match text.split_once("::") {
        None => {
            let groups = groups(text, true)?;
            (groups.len() == 8).then(|| joined(&groups))
        }
        Some((head, tail)) => {
            let head = groups(head, false)?;
            let tail = groups(tail, true)?;
            let zeros = 8usize.checked_sub(head.len() + tail.len()).filter(|n| *n > 0)?;
            let all: Vec<u16> = head.into_iter().chain(std::iter::repeat_n(0, zeros)).chain(tail).collect();
            Some(joined(&all))
        }
    }
}

fn joined(groups: &[u16]) -> u128 {
    groups.iter().fold(0, |address, group| address << 16 | u128::from(*group))
}

fn groups(text: &str, last: bool) -> Option<Vec<u16>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let parts: Vec<&str> = text.split(':').collect();
    let mut groups = Vec::new();
    for (i, part) in parts.iter().enumerate() {
        if last && i + 1 == parts.len() && part.contains('.') {
            let address = v4(part)?;
            groups.extend([(address >> 16) as u16, address as u16]);
        } else {
            groups.push(hexadecimal(part)?);
        }
    }
    Some(groups)
}

/// Leading zeros are fine, in any number.
fn hexadecimal(text: &str) -> Option<u16> {
    if text.is_empty() {
        return None;
    }
    let value = text.bytes().try_fold(0u32, |n, digit| {
        let n = n * 16 + char::from(digit).to_digit(16)?;
        (n < TOO_LARGE).then_some(n)
    })?;
    u16::try_from(value).ok()
}
