//! The example: planned by the runtime and as a root module, and applied.

use super::cases::Case;
use super::{compare, lowered, with_runtime};
use crate::support::Scratch;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

const EXAMPLE: &str = "examples/stack";

/// The example as a case, with what its deployments give.
fn example() -> Case {
    let scratch = Scratch::copy_of(EXAMPLE);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let files: BTreeMap<String, String> = scratch
        .everything()
        .into_iter()
        .map(|(path, (bytes, _))| {
            (path.strip_prefix(scratch.dir()).unwrap().display().to_string(), text(bytes))
        })
        .collect();
    assert!(files.len() > 4, "{files:?}");
    let dev =
        json!({"env": "dev", "regions": ["eu-central-1"], "network": {"cidr": "10.0.0.0/16", "subnets": 1}});
    let prod = json!({
        "env": "prod", "regions": ["eu-central-1", "us-east-1"], "network": {"cidr": "10.16.0.0/16"},
    });
    let inputs = BTreeMap::from([("dev".to_owned(), dev), ("prod".to_owned(), prod)]);
    Case { name: EXAMPLE.to_owned(), settings: Vec::new(), files, inputs }
}

#[test]
fn the_example_is_what_the_runtime_plans() {
    with_runtime(|runtime| {
        let case = example();
        let tally = compare::case(&case, runtime).unwrap_or_else(|why| panic!("{why}"));
        assert!(tally.values > 20 && tally.open == 0, "{tally:?}");
        assert_eq!(lowered::case(&case, runtime).unwrap_or_else(|why| panic!("{why}")), 12);
    });
}

#[test]
fn the_example_is_applied() {
    let scratch = Scratch::copy_of(EXAMPLE);
    let apply = ["apply", "--env", "prod", "-no-color", "-auto-approve"];
    let done = scratch.tf_phi(&apply).expect(0);
    assert!(done.stdout.contains("9 added, 0 changed, 0 destroyed"), "{}", done.stdout);
    assert!(
        done.stdout.contains("\"us-east-1\" = \"https://shop.prod-us-east-1.example.com\""),
        "{}",
        done.stdout
    );
    scratch.tf_phi(&["plan", "--env", "prod", "-no-color", "-detailed-exitcode"]).expect(0);
    assert!(!Path::new(EXAMPLE).join(".phi").exists(), "the example itself is left as it is");
}
