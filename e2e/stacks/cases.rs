//! Stacks by hand: many in one file.
//!
//! `### NAME` begins one, with settings behind a colon; `--- PATH` begins a file of it, `--- inputs DEPLOYMENT` the values that a
//! deployment gives, in JSON. The files of the case `common` are part of each case that has none of that path.

use serde_json::Value;
use std::collections::BTreeMap;

/// One Stack.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub name: String,
    /// `crash`: a defect of the runtime ends it. `gap`: tf-phi doesn't find the error. `open`: tf-phi knows less than the runtime.
    /// `random`: it may be so, in either way. `apart`: a root module plans otherwise. `unformatted`: expressions aren't laid out.
    pub settings: Vec<String>,
    pub files: BTreeMap<String, String>,
    /// By deployment; without any there is one named `default`.
    pub inputs: BTreeMap<String, Value>,
}

impl Case {
    pub fn all(text: &str) -> Vec<Case> {
        let mut cases: Vec<Case> = text.split("\n### ").skip(1).map(Case::of).collect();
        let common = cases.iter().position(|c| c.name == "common").map(|at| cases.remove(at)).unwrap();
        for case in &mut cases {
            for (path, text) in &common.files {
                case.files.entry(path.clone()).or_insert_with(|| text.clone());
            }
            if case.inputs.is_empty() {
                case.inputs.insert("default".to_owned(), serde_json::json!({}));
            }
        }
        cases
    }

    fn of(text: &str) -> Case {
        let (head, rest) = text.split_once('\n').unwrap();
        let (name, settings) = head.split_once(": ").unwrap_or((head, ""));
        let mut case = Case { name: name.to_owned(), ..Case::default() };
        case.settings = settings.split(' ').filter(|s| !s.is_empty()).map(str::to_owned).collect();
        for part in format!("\n{rest}").split("\n--- ").skip(1) {
            let (path, text) = part.split_once('\n').unwrap_or((part, ""));
            match path.strip_prefix("inputs ") {
                Some(name) => {
                    let values = serde_json::from_str(text).unwrap_or_else(|e| panic!("{}: {e}", case.name));
                    case.inputs.insert(name.to_owned(), values);
                }
                None => {
                    case.files.insert(path.to_owned(), format!("{}\n", text.trim_end()));
                }
            }
        }
        case
    }

    pub fn has(&self, setting: &str) -> bool {
        self.settings.iter().any(|s| s == setting)
    }
}
