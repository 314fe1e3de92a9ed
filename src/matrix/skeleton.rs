//! The blocks without arguments: no field tells that they are there.
//!
//! In: the blocks of a body. Out: a text that two bodies share where the same empty blocks stand at the same places in both. Invariant: a block
//! that has arguments, or only blocks that have some, is in it only as the place of an empty one. Absent on purpose: arguments, which are fields.

use crate::syntax::Block;
use std::collections::BTreeMap;

/// The empty blocks among these, and within them, each with its place among those of its kind.
pub(super) fn skeleton(blocks: &mut dyn Iterator<Item = &Block>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut out = String::new();
    for block in blocks {
        let at = counts.entry(&block.kind.text).or_default();
        let inner = skeleton(&mut block.body.blocks().map(|inner| &**inner));
        if !inner.is_empty() || block.body.items.is_empty() {
            let labels: Vec<&str> = block.labels.iter().map(|label| &*label.text).collect();
            out.push_str(&format!("{}.{at} {labels:?}({inner})", block.kind.text));
        }
        *at += 1;
    }
    out
}
