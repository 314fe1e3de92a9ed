//! `provisioner` and `connection` blocks: their arguments, keywords, and what one that runs as an object is destroyed may refer to.

use super::blocks::{describe_unexpected, missing, wrong_labels};
use super::looked::{Looked, Refused};
use crate::addr::Referent;
use crate::config::In;
use crate::graph::{Use, uses_in};
use crate::syntax::{Block, traversal};
use crate::text::{SourceId, Span};

/// A provisioner that comes with Terraform: what it takes, and what it needs.
struct Known {
    kind: &'static str,
    arguments: &'static [&'static str],
    required: &'static [&'static str],
    /// Exactly one of these.
    one_of: &'static [&'static str],
}

const KNOWN: [Known; 3] = [
    Known {
        kind: "local-exec",
        arguments: &["command", "interpreter", "working_dir", "environment", "quiet"],
        required: &["command"],
        one_of: &[],
    },
    Known {
        kind: "remote-exec",
        arguments: &["inline", "script", "scripts"],
        required: &[],
        one_of: &["inline", "script", "scripts"],
    },
    Known {
        kind: "file",
        arguments: &["source", "content", "destination"],
        required: &["destination"],
        one_of: &["source", "content"],
    },
];

/// All arguments of `connection`.
const CONNECTION: [&str; 30] = [
    "type",
    "user",
    "password",
    "host",
    "port",
    "timeout",
    "script_path",
    "target_platform",
    "private_key",
    "certificate",
    "host_key",
    "agent",
    "agent_identity",
    "proxy_scheme",
    "proxy_host",
    "proxy_port",
    "proxy_user_name",
    "proxy_user_password",
    "bastion_host",
    "bastion_host_key",
    "bastion_port",
    "bastion_user",
    "bastion_password",
    "bastion_private_key",
    "bastion_certificate",
    "https",
    "insecure",
    "use_ntlm",
    "cacert",
    "no_pty",
];

pub(super) fn find_unsuitable(looked: &Looked<'_>, found: &mut Vec<Refused>) {
    for resource in looked.module.managed() {
        let at = resource.addr.to_string();
        let mut destroys = false;
        for block in &resource.provisioners {
            let own = Own { at: &at, block, json: looked.module.has_json(block.file) };
            own.find_arguments(found);
            if own.is_at_destroy() {
                destroys = true;
                find_others(&at, block, block.file, found);
            }
        }
        if let Some(block) = resource.connection.as_ref().filter(|_| !resource.provisioners.is_empty()) {
            let own = Own { at: &at, block, json: looked.module.has_json(block.file) };
            own.find_in_connection(block, found);
            if destroys {
                find_others(&at, block, block.file, found);
            }
        }
    }
}

/// A block of a resource.
struct Own<'o> {
    at: &'o str,
    block: &'o In<Block>,
    json: bool,
}

impl Own<'_> {
    fn say(&self, error: impl Into<String>, span: Span, found: &mut Vec<Refused>) {
        let at = format!("{}.{}", self.at, self.block.kind.text);
        found.push(Refused { at, error: error.into(), place: self.block.at(span) });
    }

    fn is_at_destroy(&self) -> bool {
        let when = self.block.body.attribute("when");
        when.and_then(|attr| traversal::as_keyword(&attr.expr)).is_some_and(|word| &*word.text == "destroy")
    }

    fn find_arguments(&self, found: &mut Vec<Refused>) {
        let (block, header) = (self.block, self.block.kind.span);
        if let Some(error) = wrong_labels("provisioner", block.labels.len(), 1) {
            self.say(error, header, found);
            return;
        }
        let keywords: [(&str, &[&str], &str); 2] = [
            ("when", &["create", "destroy"], "create or destroy"),
            ("on_failure", &["continue", "fail"], "continue or fail"),
        ];
        for (name, words, shown) in keywords {
            let Some(attr) = block.body.attribute(name) else { continue };
            // A quoted keyword is one of old.
            let word = match &attr.expr.kind {
                crate::syntax::ExprKind::String(text) => Some(text.clone()),
                _ => traversal::as_keyword(&attr.expr).map(|word| word.text),
            };
            if word.is_none_or(|word| !words.contains(&&*word)) {
                let error = format!(
                    "Invalid {name:?} keyword: The {name:?} argument requires one of the following keywords: {shown}."
                );
                self.say(error, attr.expr.span, found);
            }
        }
        block.body.blocks_of("connection").for_each(|inner| self.find_in_connection(inner, found));
        let known = KNOWN.iter().find(|known| block.label(0) == Some(known.kind));
        let Some(known) = known else { return };
        for attr in block.body.attributes() {
            let name = &*attr.name.text;
            if !known.arguments.contains(&name) && !matches!(name, "when" | "on_failure") {
                self.say(describe_unexpected(self.json, name), attr.name.span, found);
            }
        }
        let has = |name: &&&str| block.body.attribute(name).is_some();
        for name in known.required.iter().filter(|name| !has(name)) {
            self.say(missing(name), header, found);
        }
        if !known.one_of.is_empty() && known.one_of.iter().filter(has).count() != 1 {
            let kind = known.kind;
            let error = format!(
                "Invalid {kind} provisioner configuration: Only one of {} must be set.",
                known.one_of.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
            );
            self.say(error, header, found);
        }
    }

    fn find_in_connection(&self, connection: &Block, found: &mut Vec<Refused>) {
        for attr in connection.body.attributes() {
            let name = &*attr.name.text;
            if !CONNECTION.contains(&name) {
                self.say(describe_unexpected(self.json, name), attr.name.span, found);
            }
        }
    }
}

/// What a block that runs as the object is destroyed refers to besides the object.
pub(super) fn find_others(at: &str, block: &Block, file: SourceId, found: &mut Vec<Refused>) {
    let is_other = |used: &Use| {
        !matches!(
            used.referent,
            Referent::SelfValue
                | Referent::CountIndex
                | Referent::EachKey
                | Referent::Path(_)
                | Referent::Workspace
                | Referent::Applying
        )
    };
    for used in uses_in(&block.body, file).iter().filter(|used| is_other(used)) {
        // A keyword looks like a name, and is none that `uses` knows; one with a dot is.
        let error = "Invalid reference from destroy provisioner: Destroy-time provisioners and their connection configurations may only \
                     reference attributes of the related resource, via 'self', 'count.index', or 'each.key'.";
        found.push(Refused {
            at: format!("{at}.{}", block.kind.text),
            error: error.to_owned(),
            place: used.place(),
        });
    }
}
