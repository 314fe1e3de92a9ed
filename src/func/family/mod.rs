//! The families of functions, a file each; registering one costs a line here.

use super::Function;

pub(in crate::func) mod base64;
mod charset;
mod choose;
mod cidr;
mod collection_basic;
mod convert;
mod counting;
mod csv;
mod file;
mod format;
mod gone;
mod gzip;
mod hash;
mod json;
mod lists;
mod mark;
mod number;
mod path;
mod regex;
mod rsa;
mod search;
mod seq;
mod sets;
mod string;
mod string_list;
mod template;
mod text;
mod time;
mod truth;
mod unstable;
mod yaml;

/// All families.
pub const FAMILIES: &[&[Function]] = &[
    base64::FUNCTIONS,
    charset::FUNCTIONS,
    choose::FUNCTIONS,
    cidr::FUNCTIONS,
    collection_basic::FUNCTIONS,
    convert::FUNCTIONS,
    counting::FUNCTIONS,
    csv::FUNCTIONS,
    file::FUNCTIONS,
    format::FUNCTIONS,
    gone::FUNCTIONS,
    gzip::FUNCTIONS,
    hash::FUNCTIONS,
    json::FUNCTIONS,
    lists::FUNCTIONS,
    mark::FUNCTIONS,
    number::FUNCTIONS,
    path::FUNCTIONS,
    regex::FUNCTIONS,
    rsa::FUNCTIONS,
    search::FUNCTIONS,
    sets::FUNCTIONS,
    string::FUNCTIONS,
    string_list::FUNCTIONS,
    template::FUNCTIONS,
    text::FUNCTIONS,
    time::FUNCTIONS,
    truth::FUNCTIONS,
    unstable::FUNCTIONS,
    yaml::FUNCTIONS,
];
