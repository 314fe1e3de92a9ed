//! Functions whose result differs from run to run, and version 5 UUIDs.
//!
//! Unstable results are never computed: they are unknown, and only the arguments' errors are Terraform's.
//! Sources: Terraform's `crypto` and `datetime` functions, google/uuid, x/crypto's bcrypt.

use crate::func::args::{int, string, text};
use crate::func::{Context, FuncError, Function, Param, Returns, Run, Want};
use crate::value::{Type, Value};
use sha1::{Digest, Sha1};

const fn unstable(name: &'static str, params: &'static [Param], body: Run, doc: &'static str) -> Function {
    let returns = Returns::Fixed(Want::String);
    let function = Function::new(name, params, returns, body, doc);
    function.unstable()
}

pub(super) const FUNCTIONS: &[Function] = &[
    unstable("uuid", &[], later, "A random UUID. Terraform docs: uuid."),
    unstable("timestamp", &[], later, "The time of the call. Terraform docs: timestamp."),
    unstable("plantimestamp", &[], later, "The time of the plan. Terraform docs: plantimestamp.").nullable(),
    unstable(
        "bcrypt",
        &[Param::new("str", Want::String)],
        bcrypt,
        "A salted Blowfish hash. Terraform docs: bcrypt; x/crypto bcrypt.",
    )
    .variadic(Param::new("cost", Want::Number)),
    Function::text(
        "uuidv5",
        &[Param::new("namespace", Want::String), Param::new("name", Want::String)],
        |_, args, _| uuidv5(text(args, 0)?, text(args, 1)?),
        "The UUID of a name in a namespace. Terraform docs: uuidv5; RFC 4122; google/uuid Parse.",
    )
    .costs_for_each(256),
];

fn later(_: &Context<'_>, _: &[Value], ty: &Type) -> Result<Value, FuncError> {
    Ok(Value::unknown(ty.clone()))
}

/// The longest password that bcrypt takes, in bytes.
const MAX_PASSWORD: usize = 72;
const MAX_COST: i64 = 31;

fn bcrypt(_: &Context<'_>, args: &[Value], ty: &Type) -> Result<Value, FuncError> {
    let cost = if args.len() > 1 { int(args, 1)? } else { 0 };
    if args.len() > 2 {
        return Err(FuncError::new("bcrypt() takes no more than two arguments"));
    }
    if text(args, 0)?.len() > MAX_PASSWORD {
        return Err(FuncError::new(
            "error occured generating password: the password is longer than 72 bytes",
        ));
    }
    if cost > MAX_COST {
        return Err(FuncError::new(format!(
            "error occured generating password: cost {cost} is outside allowed range (4,31)"
        )));
    }
    Ok(Value::unknown(ty.clone()))
}

fn uuidv5(namespace: &str, name: &str) -> Result<Value, FuncError> {
    const WELL_KNOWN: u128 = 0x6ba7_b810_9dad_11d1_80b4_00c0_4fd4_30c8;
    let well_known = |n: u128| WELL_KNOWN + (n << 96);
    let namespace = match namespace {
        "dns" => well_known(0),
        "url" => well_known(1),
        "oid" => well_known(2),
        "x500" => well_known(4),
        text => {
            parse(text).ok_or_else(|| FuncError::new(format!("uuidv5() doesn't support namespace {text}")))?
        }
    };
    let hash = Sha1::new().chain_update(namespace.to_be_bytes()).chain_update(name).finalize();
    let bits = hash.iter().take(16).fold(0u128, |bits, byte| bits << 8 | u128::from(*byte));
    let version = bits & !(0xf << 76) | 5 << 76;
    let variant = version & !(0b11 << 62) | 0b10 << 62;
    let hex = format!("{variant:032x}");
    let part = |range: std::ops::Range<usize>| hex.get(range).unwrap_or_default();
    string(format!("{}-{}-{}-{}-{}", part(0..8), part(8..12), part(12..16), part(16..20), part(20..32)))
}

/// A UUID in any of the forms that google/uuid reads: plain, `urn:uuid:`, within any two characters, without dashes.
fn parse(text: &str) -> Option<u128> {
    let bytes = text.as_bytes();
    let plain = match bytes.len() {
        32 => return digits(bytes),
        36 => bytes,
        38 => bytes.get(1..37)?,
        45 if bytes.get(..9)?.eq_ignore_ascii_case(b"urn:uuid:") => bytes.get(9..)?,
        _ => return None,
    };
    let dashes = [8, 13, 18, 23];
    if dashes.iter().any(|at| plain.get(*at) != Some(&b'-')) {
        return None;
    }
    let hex: Vec<u8> =
        plain.iter().enumerate().filter(|(at, _)| !dashes.contains(at)).map(|(_, byte)| *byte).collect();
    digits(&hex)
}

fn digits(hex: &[u8]) -> Option<u128> {
    hex.iter().try_fold(0u128, |bits, byte| Some(bits << 4 | u128::from(char::from(*byte).to_digit(16)?)))
}
