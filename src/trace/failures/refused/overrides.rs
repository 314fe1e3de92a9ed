//! Blocks that no override file may hold. Of `moved` and `import` blocks there the loading of the configuration says it already, and a
//! `removed` block there counts for nothing (measured, 1.11).

use super::looked::{Looked, Refused};
use crate::text::Place;

pub(super) fn find_misplaced(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for file in looked.module.files.iter().filter(|file| file.is_override) {
        for block in file.body.blocks_of("check") {
            found.push(Refused {
                at: "check".to_owned(),
                error: "Can't override check blocks: Override files cannot override check blocks.".to_owned(),
                place: Place { file: file.source, span: block.kind.span },
            });
        }
    }
}
