//! Blocks and arguments of Terraform's own: those that no version of it knows, those that have to be there, and what may stand only once.

use super::looked::{Looked, Refused};
use crate::syntax::{Block, Body, Expr, ExprKind};
use crate::text::{Place, SourceId, Span};
use std::cmp::Ordering;

/// A kind of block.
struct Known {
    kind: &'static str,
    /// The number of its labels; nothing where something else looks at them.
    labels: Option<usize>,
    /// The arguments that it takes; nothing where something else says which.
    arguments: Option<&'static [&'static str]>,
    /// The arguments that have to be there.
    required: &'static [&'static str],
    /// The blocks in it, where its arguments are known.
    blocks: &'static [Known],
}

/// A block in which anything may stand.
const fn open(kind: &'static str) -> Known {
    Known { kind, labels: None, arguments: None, required: &[], blocks: &[] }
}

/// The same, with labels.
const fn labelled(kind: &'static str, labels: usize) -> Known {
    Known { labels: Some(labels), ..open(kind) }
}

/// A block of arguments, all of which have to be there.
const fn whole(kind: &'static str, arguments: &'static [&'static str]) -> Known {
    Known { kind, labels: Some(0), arguments: Some(arguments), required: arguments, blocks: &[] }
}

const RULE: &[&str] = &["condition", "error_message"];

const LIFECYCLE: Known = Known {
    kind: "lifecycle",
    labels: Some(0),
    arguments: Some(&[
        "create_before_destroy",
        "prevent_destroy",
        "ignore_changes",
        "replace_triggered_by",
        "destroy",
    ]),
    required: &[],
    blocks: &[whole("precondition", RULE), whole("postcondition", RULE), open("action_trigger")],
};

/// The same as OpenTofu has it, since 1.11.
const LIFECYCLE_OF_TOFU: Known = Known {
    arguments: Some(&[
        "create_before_destroy",
        "prevent_destroy",
        "ignore_changes",
        "replace_triggered_by",
        "destroy",
        "enabled",
    ]),
    ..LIFECYCLE
};

/// All kinds of block at the top, of any version up to 1.15.
const TOP: [Known; 15] = [
    Known {
        kind: "terraform",
        labels: Some(0),
        arguments: Some(&["required_version", "experiments", "language"]),
        required: &[],
        blocks: &[
            labelled("backend", 1),
            labelled("cloud", 0),
            labelled("required_providers", 0),
            labelled("provider_meta", 1),
            open("state_store"),
        ],
    },
    Known {
        kind: "variable",
        labels: Some(1),
        arguments: Some(&[
            "description",
            "type",
            "default",
            "sensitive",
            "nullable",
            "ephemeral",
            "deprecated",
            "const",
        ]),
        required: &[],
        blocks: &[whole("validation", RULE)],
    },
    labelled("locals", 0),
    Known {
        kind: "output",
        labels: Some(1),
        arguments: Some(&[
            "description",
            "value",
            "depends_on",
            "sensitive",
            "ephemeral",
            "deprecated",
            "type",
        ]),
        required: &[],
        blocks: &[whole("precondition", RULE)],
    },
    open("module"),
    open("provider"),
    open("resource"),
    open("data"),
    open("ephemeral"),
    open("action"),
    open("list"),
    whole("moved", &["from", "to"]),
    Known {
        kind: "removed",
        labels: Some(0),
        arguments: Some(&["from"]),
        required: &["from"],
        blocks: &[
            Known { arguments: Some(&["destroy"]), blocks: &[], ..LIFECYCLE },
            labelled("provisioner", 1),
            open("connection"),
        ],
    },
    Known {
        kind: "import",
        labels: Some(0),
        arguments: Some(&["to", "id", "identity", "provider", "for_each"]),
        required: &["to"],
        blocks: &[],
    },
    Known {
        kind: "check",
        labels: Some(1),
        arguments: Some(&[]),
        required: &[],
        blocks: &[open("data"), whole("assert", RULE)],
    },
];

/// What only a managed resource has.
const MANAGED_ALONE: [&str; 4] =
    ["create_before_destroy", "prevent_destroy", "ignore_changes", "replace_triggered_by"];

pub(super) fn find_unknown(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    let mut backends = 0;
    let mut requirements = 0;
    for file in &looked.module.files {
        let own = File { source: file.source, json: file.json, tofu: looked.config.tofu };
        own.find_in(&file.body, &TOP, "", found);
        for block in file.body.blocks() {
            match &*block.kind.text {
                "resource" | "data" | "ephemeral" => own.find_in_resource(block, found),
                "terraform" if !file.is_override => {
                    for backend in block.body.blocks_of("backend") {
                        backends += 1;
                        if backends > 1 {
                            let error = "Duplicate backend configuration: A module may have only one backend configuration.";
                            own.say("terraform.backend", error, backend.kind.span, found);
                        }
                    }
                    for one in block.body.blocks_of("required_providers") {
                        requirements += 1;
                        if requirements > 1 {
                            let error = "Duplicate required providers configuration: A module may have only one required providers \
                                         configuration.";
                            own.say("terraform.required_providers", error, one.kind.span, found);
                        }
                    }
                    let both = block.body.blocks_of("cloud").zip(block.body.blocks_of("backend")).next();
                    if let Some((_, backend)) = both {
                        let error = "Both a backend and cloud configuration are present: A module may declare either one 'cloud' block OR \
                                     one 'backend' block configuring a state backend.";
                        own.say("terraform.backend", error, backend.kind.span, found);
                    }
                }
                _ => {}
            }
        }
    }
}

const RESERVED: &str = "Reserved block type name in resource block: The block type name \"locals\" is reserved for use by Terraform in a \
                        future version.";

/// Returns true if Terraform reads a JSON value as a block where it knows one of that name.
pub(super) fn may_be_block(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Object(_) | ExprKind::Tuple(_) | ExprKind::Null)
}

/// A file that is looked at.
struct File {
    source: SourceId,
    json: bool,
    tofu: bool,
}

impl File {
    fn say(&self, at: &str, error: impl Into<String>, span: Span, found: &mut Vec<Refused>) {
        let place = Place { file: self.source, span };
        found.push(Refused { at: at.to_owned(), error: error.into(), place });
    }

    fn find_in_resource(&self, block: &Block, found: &mut Vec<Refused>) {
        let managed = &*block.kind.text == "resource";
        let provisioners = block.body.blocks_of("provisioner").filter(|_| managed);
        for around in std::iter::once(block).filter(|_| managed).chain(provisioners.map(|inner| &**inner)) {
            for further in around.body.blocks_of("connection").skip(1) {
                let kind = &around.kind.text;
                let error =
                    format!("Duplicate connection block: This {kind} already has a connection block.");
                self.say("connection", error, further.kind.span, found);
            }
        }
        let reserved = block.body.attribute("locals").filter(|_| self.json);
        if let Some(attr) = reserved.filter(|attr| may_be_block(&attr.expr)) {
            self.say("locals", RESERVED, attr.name.span, found);
        } else if let Some(attr) = reserved {
            let error = "Incorrect JSON value type: A block is an object, or a list of objects.";
            self.say("locals", error, attr.expr.span, found);
        }
        for inner in block.body.blocks() {
            match &*inner.kind.text {
                "lifecycle" => {
                    let known = if self.tofu { &LIFECYCLE_OF_TOFU } else { &LIFECYCLE };
                    self.find_in_block(inner, known, "lifecycle", found);
                    let alone = |name: &str| !managed && MANAGED_ALONE.contains(&name);
                    for attr in inner.body.attributes().filter(|attr| alone(&attr.name.text)) {
                        let name = &attr.name.text;
                        let error = format!(
                            "Invalid {} resource lifecycle argument: The lifecycle argument {name:?} is defined only for managed resources \
                             (\"resource\" blocks), and is not valid for {0} resources.",
                            block.kind.text
                        );
                        self.say(&format!("lifecycle.{name}"), error, attr.name.span, found);
                    }
                }
                "locals" => self.say("locals", RESERVED, inner.kind.span, found),
                "provisioner" | "connection" if !managed => {
                    let kind = &inner.kind.text;
                    let error =
                        format!("Unsupported block type: Blocks of type {kind:?} are not expected here.");
                    self.say(kind, error, inner.kind.span, found);
                }
                _ => {}
            }
        }
    }

    /// Looks at one body.
    fn find_in(&self, body: &Body, blocks: &[Known], at: &str, found: &mut Vec<Refused>) {
        for block in body.blocks() {
            let kind = &*block.kind.text;
            match blocks.iter().find(|known| known.kind == kind) {
                None => {
                    let error =
                        format!("Unsupported block type: Blocks of type {kind:?} are not expected here.");
                    self.say(&format!("{at}{kind}"), error, block.kind.span, found);
                }
                Some(known) => self.find_in_block(block, known, &format!("{at}{kind}"), found),
            }
        }
    }

    fn find_in_block(&self, block: &Block, known: &Known, at: &str, found: &mut Vec<Refused>) {
        let kind = known.kind;
        if let Some(error) = known.labels.and_then(|labels| wrong_labels(kind, block.labels.len(), labels)) {
            self.say(at, error, block.kind.span, found);
        }
        let Some(arguments) = known.arguments else { return };
        // In JSON what the reading doesn't know as a block is an argument.
        let is_known = |name: &str| {
            arguments.contains(&name) || self.json && known.blocks.iter().any(|inner| inner.kind == name)
        };
        for attr in block.body.attributes().filter(|attr| !is_known(&attr.name.text)) {
            let name = &attr.name.text;
            self.say(&format!("{at}.{name}"), describe_unexpected(self.json, name), attr.name.span, found);
        }
        let absent = |name: &&&str| block.body.attribute(name).is_none();
        for name in known.required.iter().filter(absent) {
            let error = missing(name);
            self.say(at, error, block.kind.span, found);
        }
        let says_which = |name| block.body.attribute(name).is_some();
        if kind == "import" && !says_which("id") && !says_which("identity") {
            self.say(at, missing("id"), block.kind.span, found);
        }
        self.find_in(&block.body, known.blocks, &format!("{at}."), found);
    }
}

/// Terraform's words for an argument that nothing takes; in JSON it may be meant as a block.
pub(in crate::trace::failures) fn describe_unexpected(json: bool, name: &str) -> String {
    if json {
        format!("Extraneous JSON object property: No argument or block type is named {name:?}.")
    } else {
        format!("Unsupported argument: An argument named {name:?} is not expected here.")
    }
}

/// Terraform's words for an argument that has to be there.
pub(super) fn missing(name: &str) -> String {
    format!("Missing required argument: The argument {name:?} is required, but no definition was found.")
}

/// Terraform's words for too many or too few labels.
pub(super) fn wrong_labels(kind: &str, has: usize, takes: usize) -> Option<String> {
    match has.cmp(&takes) {
        Ordering::Equal => None,
        Ordering::Less => {
            let what = if matches!(kind, "backend" | "provisioner" | "dynamic") { "type" } else { "name" };
            Some(format!("Missing {what} for {kind}: All {kind} blocks must have {takes} labels ({what})."))
        }
        Ordering::Greater if takes == 0 => {
            Some(format!("Extraneous label for {kind}: No labels are expected for {kind} blocks."))
        }
        Ordering::Greater => {
            Some(format!("Extraneous label for {kind}: Only {takes} labels are expected for {kind} blocks."))
        }
    }
}
