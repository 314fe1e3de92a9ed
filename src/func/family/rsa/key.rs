//! RSA private keys in PEM.

use super::super::base64;
use super::der::Reader;
use dashu_int::UBig;
use dashu_int::ops::BitTest;

/// A private key whose parts fit one another.
pub(super) struct Key {
    pub(super) modulus: UBig,
    pub(super) public: UBig,
    pub(super) private: UBig,
}

const BITS: std::ops::RangeInclusive<usize> = 1024..=8192;

/// The object identifier of RSA encryption, and no parameters.
const RSA: &[u8] = &[6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1, 5, 0];

const SEQUENCE: u8 = 0x30;
const OCTETS: u8 = 4;

impl Key {
    /// The key in a text that starts with it, without headers, in PKCS #1 or #8.
    pub(super) fn from_pem(text: &str) -> Option<Key> {
        let text = text.replace("\r\n", "\n");
        let (label, rest) = text.trim_start().strip_prefix("-----BEGIN ")?.split_once("-----\n")?;
        let (body, _) = rest.split_once(&format!("\n-----END {label}-----"))?;
        if !body.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=' | b'\n')) {
            return None;
        }
        let bytes = base64::decode(body)?;
        match label {
            "RSA PRIVATE KEY" => Key::from_pkcs1(&bytes),
            "PRIVATE KEY" => Key::from_pkcs8(&bytes),
            _ => None,
        }
    }

    /// The length of the modulus in bytes.
    pub(super) fn size(&self) -> usize {
        self.modulus.bit_len().div_ceil(8)
    }

    fn from_pkcs8(bytes: &[u8]) -> Option<Key> {
        let mut outer = Reader(bytes);
        let mut parts = Reader(outer.element(SEQUENCE)?);
        let plain = parts.number()? == UBig::ZERO && parts.element(SEQUENCE)? == RSA;
        let key = parts.element(OCTETS)?;
        if plain && outer.is_empty() && parts.is_empty() { Key::from_pkcs1(key) } else { None }
    }

    fn from_pkcs1(bytes: &[u8]) -> Option<Key> {
        let mut outer = Reader(bytes);
        let mut parts = Reader(outer.element(SEQUENCE)?);
        let version = parts.number()?;
        let [modulus, public, private, p, q, dp, dq, inverse] = {
            let mut next = || parts.number();
            [next()?, next()?, next()?, next()?, next()?, next()?, next()?, next()?]
        };
        let two_primes = version == UBig::ZERO && outer.is_empty() && parts.is_empty();
        let usual = BITS.contains(&modulus.bit_len())
            && public >= UBig::from(3u8)
            && public.bit_len() < 32
            && public.bit(0)
            && private < modulus
            && p > UBig::ONE
            && q > UBig::ONE;
        if !(two_primes && usual) {
            return None;
        }
        let (below_p, below_q) = (&p - UBig::ONE, &q - UBig::ONE);
        let product = &private * &public;
        let fits = &p * &q == modulus
            && &product % &below_p == UBig::ONE
            && &product % &below_q == UBig::ONE
            && &private % &below_p == dp
            && &private % &below_q == dq
            && (&inverse * &q) % &p == UBig::ONE
            && inverse < p;
        fits.then_some(Key { modulus, public, private })
    }
}
