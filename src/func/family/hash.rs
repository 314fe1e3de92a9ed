//! Checksums of texts and of files.
//!
//! Input: texts as UTF-8, files byte by byte. Output: hexadecimal in lower case, or padded standard Base64.
//! Sources of the semantics: Terraform's `crypto` functions, FIPS 180-4, RFC 1321. Deliberately absent: anything
//! that needs a key or randomness.

use super::file::bytes_at;
use crate::func::args::{check_text, string, text};
use crate::func::{Body, Context, FuncError, Function, Param, Returns, Want};
use crate::value::Value;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use md5::Md5;
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};
use std::fmt::Write;

type Computation = fn(&Context<'_>, &[Value], &crate::value::Type) -> Result<Value, FuncError>;

const fn of_text(name: &'static str, body: Computation, doc: &'static str) -> Function {
    const STR: &[Param] = &[Param::new("str", Want::String)];
    Function::new(name, STR, Returns::Fixed(Want::String), Body::Plain(body), doc)
}

const fn of_file(name: &'static str, body: Computation, doc: &'static str) -> Function {
    const PATH: &[Param] = &[Param::new("path", Want::String)];
    let function = Function::new(name, PATH, Returns::Fixed(Want::String), Body::Plain(body), doc);
    function.on_files()
}

pub(super) const FUNCTIONS: &[Function] = &[
    of_text(
        "md5",
        |_, args, _| string(hex::<Md5>(text(args, 0)?.as_bytes())),
        "MD5 in hexadecimal. Terraform docs: md5; RFC 1321.",
    ),
    of_text(
        "sha1",
        |_, args, _| string(hex::<Sha1>(text(args, 0)?.as_bytes())),
        "SHA-1 in hexadecimal. Terraform docs: sha1; FIPS 180-4.",
    ),
    of_text(
        "sha256",
        |_, args, _| string(hex::<Sha256>(text(args, 0)?.as_bytes())),
        "SHA-256 in hexadecimal. Terraform docs: sha256; FIPS 180-4.",
    ),
    of_text(
        "sha512",
        |_, args, _| string(hex::<Sha512>(text(args, 0)?.as_bytes())),
        "SHA-512 in hexadecimal. Terraform docs: sha512; FIPS 180-4.",
    ),
    of_text(
        "base64sha256",
        |_, args, _| string(STANDARD.encode(Sha256::digest(text(args, 0)?))),
        "SHA-256 in Base64, of the bytes and not of the digits. Terraform docs: base64sha256.",
    ),
    of_text(
        "base64sha512",
        |_, args, _| string(STANDARD.encode(Sha512::digest(text(args, 0)?))),
        "SHA-512 in Base64, of the bytes and not of the digits. Terraform docs: base64sha512.",
    ),
    of_file(
        "filemd5",
        |context, args, _| file(context, args, hex::<Md5>),
        "MD5 of a file in hexadecimal. Terraform docs: filemd5.",
    ),
    of_file(
        "filesha1",
        |context, args, _| file(context, args, hex::<Sha1>),
        "SHA-1 of a file in hexadecimal. Terraform docs: filesha1.",
    ),
    of_file(
        "filesha256",
        |context, args, _| file(context, args, hex::<Sha256>),
        "SHA-256 of a file in hexadecimal. Terraform docs: filesha256.",
    ),
    of_file(
        "filesha512",
        |context, args, _| file(context, args, hex::<Sha512>),
        "SHA-512 of a file in hexadecimal. Terraform docs: filesha512.",
    ),
    of_file(
        "filebase64sha256",
        |context, args, _| file(context, args, |bytes| STANDARD.encode(Sha256::digest(bytes))),
        "SHA-256 of a file in Base64. Terraform docs: filebase64sha256.",
    ),
    of_file(
        "filebase64sha512",
        |context, args, _| file(context, args, |bytes| STANDARD.encode(Sha512::digest(bytes))),
        "SHA-512 of a file in Base64. Terraform docs: filebase64sha512.",
    ),
];

fn hex<D: Digest>(bytes: &[u8]) -> String {
    D::digest(bytes).iter().fold(String::new(), |mut digits, byte| {
        // Writing to a string can't fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}

fn file(context: &Context<'_>, args: &[Value], digest: fn(&[u8]) -> String) -> Result<Value, FuncError> {
    match bytes_at(context, text(args, 0)?)? {
        Some(bytes) => {
            check_text(bytes.len())?;
            string(digest(&bytes))
        }
        None => Ok(super::file::depends_on_user()),
    }
}
