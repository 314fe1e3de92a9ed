//! `rsadecrypt`: RSA with PKCS #1 v1.5 padding.
//!
//! The arithmetic is the plain one over big integers: it runs on the user's own machine over the user's own key, nobody
//! can send it chosen ciphertexts or time its answers, so that side channels don't matter, and no library that has them
//! has to be brought in. Only an answer that every version of Go agrees with is given: a sound key of 1024 to 8192 bits
//! in PKCS #1 or #8, a ciphertext of the key's length, and a result in UTF-8. The rest is declined.
//! Sources of the semantics: Terraform's `crypto` functions, RFC 8017, Go's `crypto/rsa`.

mod der;
mod key;

use super::base64;
use crate::func::args::{string, text};
use crate::func::{FuncError, Function, Param, Want};
use crate::value::Value;
use dashu_int::UBig;
use dashu_int::fast_div::ConstDivisor;
use key::Key;

pub(super) const FUNCTIONS: &[Function] = &[Function::text(
    "rsadecrypt",
    &[Param::new("ciphertext", Want::String), Param::new("privatekey", Want::String)],
    |_, args, _| decrypted(text(args, 0)?, text(args, 1)?),
    "The text that was encrypted for an RSA key. Terraform docs: rsadecrypt; RFC 8017, section 7.2.",
)
.costs(20_000)];

fn decrypted(ciphertext: &str, key: &str) -> Result<Value, FuncError> {
    let bytes = base64::decode(ciphertext)
        .ok_or_else(|| FuncError::arg(0, "failed to decode input: cipher text must be base64-encoded"))?;
    if !key.contains("-----BEGIN") {
        return Err(FuncError::arg(1, "invalid private key: ssh: no key found"));
    }
    let key =
        Key::from_pem(key).ok_or_else(|| FuncError::unsupported("the private key is of an unusual form"))?;
    let number = UBig::from_be_bytes(&bytes);
    if bytes.len() != key.size() || number >= key.modulus {
        return Err(FuncError::unsupported("the ciphertext doesn't fit the private key"));
    }
    let padded = power(&number, &key.private, &key.modulus);
    if power(&padded, &key.public, &key.modulus) != number {
        return Err(FuncError::unsupported("the private key is not sound"));
    }
    let message =
        unpadded(&padded.to_be_bytes(), key.size()).ok_or_else(|| FuncError::new("failed to decrypt"))?;
    let message = String::from_utf8(message)
        .map_err(|_| FuncError::unsupported("the decrypted text is not valid UTF-8"))?;
    string(message)
}

fn power(base: &UBig, exponent: &UBig, modulus: &UBig) -> UBig {
    ConstDivisor::new(modulus.clone()).reduce(base.clone()).pow(exponent).residue()
}

/// The least number of random bytes before the message.
const MIN_PADDING: usize = 8;

/// The message in `00 02 (not 00)* 00 MESSAGE`, given without leading zeros, of `size` bytes in all.
fn unpadded(padded: &[u8], size: usize) -> Option<Vec<u8>> {
    let rest = padded.strip_prefix(&[2]).filter(|_| padded.len() + 1 == size)?;
    let end = rest.iter().position(|byte| *byte == 0).filter(|end| *end >= MIN_PADDING)?;
    rest.get(end + 1..).map(<[u8]>::to_vec)
}
