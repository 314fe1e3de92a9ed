//! YAML as go-cty-yaml has it: libyaml's emitter, scanner and parser.

mod chars;
mod emit;
mod parse;
mod resolve;
mod scalar;
mod scan;

pub(in crate::func) use emit::emit;
pub(in crate::func) use parse::parse;
