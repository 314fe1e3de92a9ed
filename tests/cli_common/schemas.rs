//! Holds JSON that a run prints, or leaves in a record, to its schema. The validator shares no code with the program.

use boon::{Compiler, SchemaIndex, Schemas};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use tf_phi::report::schema;

static KNOWN: LazyLock<(Schemas, BTreeMap<&'static str, SchemaIndex>)> = LazyLock::new(|| {
    let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
    let compiled = schema::NAMES.iter().map(|name| {
        let at = format!("https://tf-phi.invalid/{name}.json");
        compiler.add_resource(&at, schema::named(name).unwrap()).unwrap();
        (*name, compiler.compile(&at, &mut schemas).unwrap_or_else(|e| panic!("{name}: {e:#}")))
    });
    let compiled = compiled.collect();
    (schemas, compiled)
});

/// Which member tells of what kind a document is.
const SIGNS: &[(&str, &str)] = &[
    ("roots", "roots"),
    ("root_modules", "root-modules"),
    ("traces", "trace"),
    ("rows", "matrix"),
    ("base", "review"),
    ("undecided", "validate"),
    ("directories", "check"),
    ("issues", "findings"),
    ("copies", "explain"),
    ("meaning", "explain-code"),
    ("objects", "history"),
    ("commit", "version"),
    ("specializations", "provenance"),
    ("keys", "history-line"),
    ("made_for", "history-line"),
    ("block", "history-line"),
    ("within", "history-line"),
    ("result", "expression"),
    ("services", "services"),
];

/// What else is JSON on a stream: schemas, SARIF, and Terraform's own.
const OTHERS: &[&str] = &["$schema", "@level", "terraform_version", "provider_selections", "diagnostics"];

/// What is wrong with a document of this kind.
pub fn refused(name: &str, document: &Json) -> Option<String> {
    let (schemas, compiled) = &*KNOWN;
    schemas.validate(document, compiled[name]).err().map(|e| format!("{e:#}"))
}

/// The kind of a document.
pub fn kind(document: &Json) -> Option<&'static str> {
    SIGNS.iter().find(|(sign, _)| document.get(sign).is_some()).map(|(_, name)| *name)
}

/// The JSON in what a run printed: the whole, or lines of it.
pub fn documents(text: &str) -> Vec<Json> {
    let object = |text: &str| serde_json::from_str::<Json>(text).ok().filter(Json::is_object);
    match object(text) {
        Some(whole) => vec![whole],
        None => text.lines().filter(|line| line.starts_with('{')).filter_map(object).collect(),
    }
}

/// Fails the test where JSON of ours isn't as its schema says, or has none.
#[track_caller]
pub fn judge(text: &str) {
    for document in documents(text) {
        if OTHERS.iter().any(|key| document.get(key).is_some()) {
            continue;
        }
        match kind(&document) {
            Some(name) => {
                let wrong = refused(name, &document);
                assert!(wrong.is_none(), "not as the schema {name} says: {}\n{document:#}", wrong.unwrap());
            }
            None => assert!(document.get("format_version").is_none(), "no schema knows {document:#}"),
        }
    }
}
