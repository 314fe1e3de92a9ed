//! Blocks that no override file may hold. Of `moved` and `import` blocks there the loading of the configuration says it already, and a
//! `removed` block there counts for nothing (measured, 1.11).

use super::looked::{Looked, Refused};
use crate::syntax::Block;
use crate::text::Place;

/// The rules of declarations: the declaration's block, the block within it that holds them, and their own kinds.
const RULES: [(&str, Option<&str>, &[&str]); 5] = [
    ("resource", Some("lifecycle"), &["precondition", "postcondition"]),
    ("data", Some("lifecycle"), &["precondition", "postcondition"]),
    ("ephemeral", Some("lifecycle"), &["precondition", "postcondition"]),
    ("output", None, &["precondition"]),
    ("variable", None, &["validation"]),
];

pub(super) fn find_misplaced(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for file in looked.module.files.iter().filter(|file| file.is_override) {
        let mut say = |block: &Block, error: String| {
            let place = Place { file: file.source, span: block.kind.span };
            found.push(Refused { at: block.kind.text.to_string(), error, place });
        };
        for block in file.body.blocks_of("check") {
            say(
                block,
                "Can't override check blocks: Override files cannot override check blocks.".to_owned(),
            );
        }
        for (kind, holder, rules) in RULES {
            for block in file.body.blocks_of(kind) {
                let bodies = match holder {
                    Some(holder) => block.body.blocks_of(holder).map(|inner| &inner.body).collect(),
                    None => vec![&block.body],
                };
                for inner in bodies.iter().flat_map(|body| body.blocks()) {
                    let own = &*inner.kind.text;
                    if rules.contains(&own) {
                        say(
                            inner,
                            format!(
                                "Can't override {own} blocks: Override files cannot override {own:?} blocks."
                            ),
                        );
                    }
                }
            }
        }
    }
}
