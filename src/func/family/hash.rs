//! Checksums of texts and of files.
//!
//! Input: texts as UTF-8, files byte by byte. Output: hexadecimal in lower case, or padded standard Base64.
//! Sources of the semantics: Terraform's `crypto` functions, FIPS 180-4, RFC 1321. Deliberately absent: anything
//! that needs a key or randomness.

use super::file::bytes_at;
use crate::func::args::{check_text, string, text};
use crate::func::{FuncError, Function, Param, Run, Want};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};
use std::fmt::Write;
use std::marker::PhantomData;

/// The number of bytes that are hashed while an expression is evaluated.
const HASHED: u64 = 256;

/// How the digest of bytes is written.
trait Written {
    fn of(bytes: &[u8]) -> String;
}

struct Hex<D>(PhantomData<D>);
struct Base64<D>(PhantomData<D>);

impl<D: Digest> Written for Hex<D> {
    fn of(bytes: &[u8]) -> String {
        D::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
            // Writing to a string can't fail.
            let _ = write!(digits, "{byte:02x}");
            digits
        })
    }
}

impl<D: Digest> Written for Base64<D> {
    fn of(bytes: &[u8]) -> String {
        STANDARD.encode(D::digest(bytes))
    }
}

const fn of_text<W: Written>(name: &'static str, doc: &'static str) -> Function {
    const STR: &[Param] = &[Param::new("str", Want::String)];
    Function::text(name, STR, |_, args, _| string(W::of(text(args, 0)?.as_bytes())), doc)
        .costs_for_each(HASHED)
}

const fn of_file<W: Written>(name: &'static str, doc: &'static str) -> Function {
    const PATH: &[Param] = &[Param::new("path", Want::String)];
    let run: Run = |context, args, _| match bytes_at(context, text(args, 0)?)? {
        Some(bytes) => {
            check_text(bytes.len())?;
            context.work.call(bytes.len() as u64 / HASHED).map_err(|e| FuncError::from(&e))?;
            string(W::of(&bytes))
        }
        None => Ok(super::file::depends_on_user()),
    };
    Function::text(name, PATH, run, doc).on_files()
}

pub(super) const FUNCTIONS: &[Function] = &[
    of_text::<Hex<Md5>>("md5", "MD5 in hexadecimal. Terraform docs: md5; RFC 1321."),
    of_text::<Hex<Sha1>>("sha1", "SHA-1 in hexadecimal. Terraform docs: sha1; FIPS 180-4."),
    of_text::<Hex<Sha256>>("sha256", "SHA-256 in hexadecimal. Terraform docs: sha256; FIPS 180-4."),
    of_text::<Hex<Sha512>>("sha512", "SHA-512 in hexadecimal. Terraform docs: sha512; FIPS 180-4."),
    of_text::<Base64<Sha256>>(
        "base64sha256",
        "SHA-256 in Base64, of the bytes and not of the digits. Terraform docs: base64sha256.",
    ),
    of_text::<Base64<Sha512>>(
        "base64sha512",
        "SHA-512 in Base64, of the bytes and not of the digits. Terraform docs: base64sha512.",
    ),
    of_file::<Hex<Md5>>("filemd5", "MD5 of a file in hexadecimal. Terraform docs: filemd5."),
    of_file::<Hex<Sha1>>("filesha1", "SHA-1 of a file in hexadecimal. Terraform docs: filesha1."),
    of_file::<Hex<Sha256>>("filesha256", "SHA-256 of a file in hexadecimal. Terraform docs: filesha256."),
    of_file::<Hex<Sha512>>("filesha512", "SHA-512 of a file in hexadecimal. Terraform docs: filesha512."),
    of_file::<Base64<Sha256>>(
        "filebase64sha256",
        "SHA-256 of a file in Base64. Terraform docs: filebase64sha256.",
    ),
    of_file::<Base64<Sha512>>(
        "filebase64sha512",
        "SHA-512 of a file in Base64. Terraform docs: filebase64sha512.",
    ),
];
