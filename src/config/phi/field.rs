//! `field` blocks, which say more of one driven field: in a `service` and in a `specialize` block alike.

use super::FieldDecl;
use super::reader::Reader;
use crate::addr::FieldPath;
use crate::syntax::{Attribute, Block};
use crate::text::{Place, Span};
use regex::Regex;

impl FieldDecl {
    /// A field of which nothing more is said.
    pub(super) fn plain(field: FieldPath, place: Place) -> FieldDecl {
        FieldDecl { field, place, universe: None, bins: None, accepts: None, otherwise: None }
    }
}

/// Reads `field "PATH" { universe = […], bins = […] }`.
pub(super) fn decode(r: &mut Reader, block: &Block) -> Option<FieldDecl> {
    let [label] = block.labels.as_slice() else { return None };
    r.allow_only("field", &block.body, &["universe", "bins", "accepts", "otherwise"], &[]);
    let Some(path) = field_path(&label.text) else {
        no_path(r, &label.text, label.span);
        return None;
    };
    let universe = block.body.attribute("universe").and_then(|a| r.values(a));
    let bins = block.body.attribute("bins").and_then(|a| r.ascending(a));
    let accepts = block.body.attribute("accepts").and_then(|a| pattern(r, a));
    let otherwise = block.body.attribute("otherwise").and_then(|a| r.text(a)).map(|(text, _)| text.into());
    Some(FieldDecl { field: path, place: r.at(label.span), universe, bins, accepts, otherwise })
}

/// A pattern that has to match the whole of a value.
fn pattern(r: &mut Reader, attr: &Attribute) -> Option<Regex> {
    let (text, place) = r.text(attr)?;
    match Regex::new(&format!("^(?:{text})$")) {
        Ok(pattern) => Some(pattern),
        Err(e) => {
            let last = e.to_string().lines().last().unwrap_or_default().to_owned();
            r.fail(
                place.span,
                "Wrong \"accepts\" of a field",
                format!("It is no regular expression: {last}."),
            );
            None
        }
    }
}

/// Says that a text names no field.
pub(super) fn no_path(r: &mut Reader, text: &str, span: Span) {
    let why = "A field is a name, or names joined with dots, as \"storage.size\".";
    r.fail(span, format!("\"{text}\" is not a field"), why);
}

/// A path of one or more non-empty names.
pub(super) fn field_path(text: &str) -> Option<FieldPath> {
    let fine = !text.is_empty() && text.split('.').all(|p| !p.is_empty() && !p.contains(char::is_whitespace));
    fine.then(|| FieldPath::from_text(text))
}
