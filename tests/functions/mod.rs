//! Arguments of every length for each registered function: what is measured by a bench, and counted by a test.

#![allow(dead_code, clippy::unwrap_used, clippy::disallowed_methods)] // no test program needs all of it

use std::sync::Arc;
use tf_phi::eval::Op;
use tf_phi::func::{Context, Function, NoSurroundings, Work, all, lookup};
use tf_phi::value::{Number, Type, Value};

/// Functions whose arguments have no length to speak of, of which each argument is an expression, that look at something outside, or that take expressions.
pub const FIXED: &[&str] = &[
    "abs",
    "abspath",
    "bcrypt",
    "can",
    "ceil",
    "cidrhost",
    "cidrnetmask",
    "cidrsubnet",
    "cidrsubnets",
    "convert",
    "max",
    "min",
    "file",
    "filebase64",
    "filebase64sha256",
    "filebase64sha512",
    "fileexists",
    "filemd5",
    "fileset",
    "filesha1",
    "filesha256",
    "filesha512",
    "floor",
    "formatdate",
    "log",
    "one",
    "pathexpand",
    "plantimestamp",
    "pow",
    "range",
    "rsadecrypt",
    "signum",
    "templatefile",
    "templatestring",
    "timeadd",
    "timecmp",
    "timestamp",
    "tobool",
    "tonumber",
    "try",
    "type",
    "uuid",
    "cidrcontains",
    "list",
    "map",
    "defaults",
];

/// A text of some bytes without much repetition: words with spaces between them.
pub fn text(bytes: usize) -> String {
    let mut state = 12_345_u32;
    let mut out = String::with_capacity(bytes + 8);
    while out.len() < bytes {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        out.push(char::from(b'a' + ((state >> 16) % 26) as u8));
        if out.len() % 8 == 7 {
            out.push(' ');
        }
    }
    out.truncate(bytes);
    out
}

fn texts(bytes: usize) -> Vec<Value> {
    let all = text(bytes);
    all.as_bytes().chunks(16).map(|part| Value::string(std::str::from_utf8(part).unwrap())).collect()
}

fn list(bytes: usize) -> Value {
    Value::list(Type::String, texts(bytes))
}

fn set(bytes: usize) -> Value {
    Value::set(Type::String, texts(bytes))
}

fn map(bytes: usize) -> Value {
    Value::map(
        Type::String,
        texts(bytes).into_iter().enumerate().map(|(n, v)| (Arc::from(format!("key{n:08}")), v)),
    )
}

fn repeated(value: &Value, bytes: usize) -> Value {
    Value::list(value.ty.clone(), vec![value.clone(); (bytes / 16).max(1)])
}

fn of(name: &str, args: &[Value]) -> Value {
    run(lookup(name).unwrap(), args).0.unwrap()
}

/// What a function gives, and what it was charged.
pub fn run(function: &'static Function, args: &[Value]) -> (Result<Value, String>, u64) {
    let work = Work::default();
    let context = Context { outside: &NoSurroundings, work: &work };
    let found = Op::Call(function, false).run(args, &context);
    (found.map_err(|e| e.message.to_string()), work.spent())
}

/// Arguments of about so many bytes.
pub fn args_of(function: &Function, bytes: usize) -> Vec<Value> {
    let s = |text: &str| Value::string(text);
    let words = || Value::string(text(bytes));
    let number = |n: i64| Value::number(Number::from(n));
    match function.name {
        "base64decode" => vec![of("base64encode", &[Value::string(text(bytes * 3 / 4))])],
        "textencodebase64" => vec![words(), s("UTF-16LE")],
        "textdecodebase64" => {
            vec![of("textencodebase64", &[Value::string(text(bytes * 3 / 8)), s("UTF-16LE")]), s("UTF-16LE")]
        }
        "jsondecode" | "yamldecode" => vec![of("jsonencode", &[list(bytes * 4 / 5)])],
        "csvdecode" => vec![Value::string(format!("a,b\n{}", "xxxxxxx,yyyyyyy\n".repeat(bytes / 16)))],
        "format" => vec![s("%s-%s"), words(), number(1)],
        "formatlist" => vec![s("%s-x"), list(bytes)],
        "regex" => vec![s("[a-z]+!?$"), words()],
        "regexall" => vec![s("[a-z]+"), words()],
        "replace" => vec![words(), s(" "), s("--")],
        "join" => vec![s(","), list(bytes)],
        "split" => vec![s(" "), words()],
        "indent" => vec![number(2), Value::string(text(bytes).replace(' ', "\n"))],
        "substr" => vec![words(), number(1), number(-1)],
        "trim" => vec![words(), s("ab")],
        "trimprefix" | "startswith" | "trimsuffix" | "endswith" | "strcontains" => vec![words(), words()],
        "uuidv5" => vec![s("dns"), words()],
        "parseint" => vec![Value::string("1".repeat(bytes)), number(10)],
        "flatten" => vec![repeated(&list(32), bytes)],
        "setproduct" => vec![list(bytes), list(32)],
        "zipmap" => vec![list_of_keys(bytes), list(bytes)],
        "lookup" => vec![map(bytes), s("key00000000"), s("")],
        "element" => vec![list(bytes), number(1)],
        "slice" => vec![list(bytes), number(0), number((bytes / 16) as i64)],
        "chunklist" => vec![list(bytes), number(2)],
        "contains" => vec![list(bytes), s("none")],
        "index" => vec![list(bytes), texts(bytes).last().unwrap().clone()],
        "matchkeys" => vec![list(bytes), list(bytes), list(bytes)],
        "transpose" => vec![Value::map(Type::list(Type::String), [(Arc::from("a"), list(bytes))])],
        "sum" => {
            let numbers: Vec<Value> = (0..(bytes / 16).max(1)).map(|n| number(n as i64)).collect();
            vec![Value::list(Type::Number, numbers)]
        }
        "alltrue" | "anytrue" => {
            vec![Value::list(Type::Bool, vec![Value::bool(function.name == "alltrue"); (bytes / 16).max(1)])]
        }
        "keys" | "values" | "tomap" => vec![map(bytes)],
        "merge" => vec![map(bytes), map(bytes)],
        "setunion" | "setintersection" | "setsubtract" => vec![set(bytes), set(bytes / 2)],
        "concat" => vec![list(bytes), list(bytes)],
        "jsonencode" | "yamlencode" => vec![map(bytes)],
        "toset" | "tolist" | "reverse" | "coalescelist" | "length" | "distinct" | "sort" | "compact" => {
            vec![list(bytes)]
        }
        "cidrsubnets" => vec![s("10.0.0.0/8"), number(1)],
        _ => function.params.iter().chain(&function.variadic).map(|_| words()).collect(),
    }
}

fn list_of_keys(bytes: usize) -> Value {
    let keys = (0..bytes.div_ceil(16)).map(|n| Value::string(format!("key{n:08}"))).collect();
    Value::list(Type::String, keys)
}

/// The functions whose arguments have a length.
pub fn growing() -> impl Iterator<Item = &'static Function> {
    all().filter(|function| !FIXED.contains(&function.name))
}
