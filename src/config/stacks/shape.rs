//! Checks which arguments and blocks a block takes, and which it requires.

use super::rewrite::Rewriter;
use crate::syntax::Block;

/// Says what a block doesn't take.
pub(super) fn only(rewriter: &mut Rewriter<'_>, block: &Block, attrs: &[&str], blocks: &[&str]) {
    for attr in block.body.attributes().filter(|a| !attrs.contains(&&*a.name.text)) {
        let why = format!("An argument named \"{}\" is not expected here.", attr.name.text);
        rewriter.ctx.invalid(attr.name.span, "Unsupported argument", why);
    }
    for inner in block.body.blocks().filter(|b| !blocks.contains(&&*b.kind.text)) {
        let why = format!("Blocks of type \"{}\" are not expected here.", inner.kind.text);
        rewriter.ctx.invalid(inner.kind.span, "Unsupported block type", why);
    }
}

/// Says that an argument is missing.
pub(super) fn required(rewriter: &mut Rewriter<'_>, block: &Block, name: &str) {
    let why = format!("The argument \"{name}\" is required, but no definition was found.");
    rewriter.ctx.invalid(block.kind.span, "Missing required argument", why);
}
