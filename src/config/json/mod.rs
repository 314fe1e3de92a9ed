//! JSON configuration: `*.tf.json` to the same bodies that native files give.
//!
//! Input: a JSON text. The mapping is that of HCL's JSON syntax under Terraform's schema of the language: known block
//! types become blocks (an object of labels, an object or a list of bodies), all else becomes arguments. What a provider
//! would read as a nested block stays an argument here, since its schema is not known. Spans point into the JSON text,
//! within its strings too. Absent on purpose: rewriting.

mod body;
mod expr;
mod node;
mod places;
mod schema;
pub(super) mod values;

pub(super) use node::node;

use super::load::Fault;
use crate::syntax::Body;
use node::JsonError;

/// The body of a `.tf.json` file.
pub(super) fn configuration(text: &str) -> Result<Body, Fault> {
    parsed(text, &schema::ROOT)
}

/// Returns true if a text can be read as a `.tf.json` file.
pub fn is_configuration(text: &str) -> bool {
    configuration(text).is_ok()
}

/// The body of a `.tftest.json` file.
pub(super) fn tests(text: &str) -> Result<Body, Fault> {
    parsed(text, &schema::TESTS)
}

/// The body of a `.tfcomponent.json` file.
pub(super) fn stack(text: &str) -> Result<Body, Fault> {
    parsed(text, &schema::STACK)
}

fn parsed(text: &str, schema: &schema::Schema) -> Result<Body, Fault> {
    let fault =
        |e: JsonError| Fault { span: e.span, code: e.code, summary: e.summary.into(), detail: e.message };
    let node = node(text).map_err(fault)?;
    body::body(&node, schema, text).map_err(fault)
}

#[cfg(test)]
mod tests;
