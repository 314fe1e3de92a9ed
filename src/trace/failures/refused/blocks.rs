//! Blocks and arguments of Terraform's own that no version of it knows, and a second `backend`.

use super::{Looked, Refused};
use crate::syntax::{Body, Item};
use crate::text::{Place, SourceId};

/// A kind of block: its arguments, and the blocks in it. What has neither is open: something else says what may stand there.
struct Known {
    kind: &'static str,
    arguments: &'static [&'static str],
    blocks: &'static [Known],
}

const fn open(kind: &'static str) -> Known {
    Known { kind, arguments: &[], blocks: &[] }
}

const RULE: &[&str] = &["condition", "error_message"];

const fn rule(kind: &'static str) -> Known {
    Known { kind, arguments: RULE, blocks: &[] }
}

const LIFECYCLE: Known = Known {
    kind: "lifecycle",
    arguments: &[
        "create_before_destroy",
        "prevent_destroy",
        "ignore_changes",
        "replace_triggered_by",
        "destroy",
    ],
    blocks: &[rule("precondition"), rule("postcondition"), open("action_trigger")],
};

/// All kinds of block at the top, of any version up to 1.15.
const TOP: [Known; 15] = [
    Known {
        kind: "terraform",
        arguments: &["required_version", "experiments", "language"],
        blocks: &[
            open("backend"),
            open("cloud"),
            open("required_providers"),
            open("provider_meta"),
            open("state_store"),
        ],
    },
    Known {
        kind: "variable",
        arguments: &[
            "description",
            "type",
            "default",
            "sensitive",
            "nullable",
            "ephemeral",
            "deprecated",
            "const",
        ],
        blocks: &[rule("validation")],
    },
    open("locals"),
    Known {
        kind: "output",
        arguments: &["description", "value", "depends_on", "sensitive", "ephemeral", "deprecated", "type"],
        blocks: &[rule("precondition")],
    },
    open("module"),
    open("provider"),
    open("resource"),
    open("data"),
    open("ephemeral"),
    open("action"),
    open("list"),
    Known { kind: "moved", arguments: &["from", "to"], blocks: &[] },
    Known {
        kind: "removed",
        arguments: &["from"],
        blocks: &[LIFECYCLE, open("provisioner"), open("connection")],
    },
    Known { kind: "import", arguments: &["to", "id", "identity", "provider", "for_each"], blocks: &[] },
    Known { kind: "check", arguments: &[], blocks: &[open("data"), open("ephemeral"), rule("assert")] },
];

pub(super) fn find_unknown(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let mut backends = 0;
    for file in looked.module.files.iter().filter(|file| !file.json) {
        find_in(&file.body, file.source, None, &TOP, "", found);
        for block in file.body.blocks() {
            if matches!(&*block.kind.text, "resource" | "data" | "ephemeral") {
                for inner in block.body.blocks_of("lifecycle") {
                    find_in(
                        &inner.body,
                        file.source,
                        Some(LIFECYCLE.arguments),
                        LIFECYCLE.blocks,
                        "lifecycle.",
                        found,
                    );
                }
            }
            if &*block.kind.text == "terraform" && !file.is_override {
                for backend in block.body.blocks_of("backend") {
                    backends += 1;
                    if backends > 1 {
                        let error = "Duplicate backend configuration: A module may have only one backend configuration.";
                        let place = Place { file: file.source, span: backend.kind.span };
                        found.push(Refused {
                            at: "terraform.backend".to_owned(),
                            error: error.to_owned(),
                            place,
                        });
                    }
                }
            }
        }
    }
}

/// Looks at one body. Without arguments that are known, any may stand there.
fn find_in(
    body: &Body,
    file: SourceId,
    arguments: Option<&[&str]>,
    blocks: &[Known],
    at: &str,
    found: &mut Vec<Refused>,
) {
    for item in &body.items {
        match item {
            Item::Attribute(attr) => {
                let name = &*attr.name.text;
                if arguments.is_some_and(|known| !known.contains(&name)) {
                    let error =
                        format!("Unsupported argument: An argument named {name:?} is not expected here.");
                    let place = Place { file, span: attr.name.span };
                    found.push(Refused { at: format!("{at}{name}"), error, place });
                }
            }
            Item::Block(block) => {
                let kind = &*block.kind.text;
                match blocks.iter().find(|known| known.kind == kind) {
                    None => {
                        let error =
                            format!("Unsupported block type: Blocks of type {kind:?} are not expected here.");
                        let place = Place { file, span: block.kind.span };
                        found.push(Refused { at: format!("{at}{kind}"), error, place });
                    }
                    Some(known) if known.arguments.is_empty() && known.blocks.is_empty() => {}
                    Some(known) => {
                        let inner = format!("{at}{kind}.");
                        find_in(&block.body, file, Some(known.arguments), known.blocks, &inner, found);
                    }
                }
            }
        }
    }
}
