use super::*;
use crate::config::{Config, load_with};
use crate::func::NoSurroundings;
use crate::host::memory::MemoryHost;
use crate::trace::{Assumptions, Limits, Tracer, Universes};
use std::path::Path;

/// The configuration with a resource `db` that has a `prevent_destroy`, beside one that has none.
fn config(name: &str, protect: &str) -> Config {
    let text = format!(
        "locals {{\n  protect = true\n}}\nresource \"terraform_data\" \"{name}\" {{\n  count = 0\n  lifecycle {{\n    prevent_destroy = \
         {protect}\n  }}\n}}\n"
    );
    let (config, issues) =
        load_with(&MemoryHost::new([("main.tf", text.as_str())]), &Default::default(), Path::new(""));
    assert!(issues.is_empty(), "{issues:?}");
    config
}

/// The faults where the original gives up the one object that there is, and the copy where it ends has another `prevent_destroy`.
fn faults_of(original: &str, copy: &str) -> Vec<Fault> {
    let (original, copy) = (config("db", original), config("db_v1", copy));
    let universes = Universes::default();
    let census = |config| {
        Census::new(
            config,
            Tracer::new(config, Limits::default(), &universes, Assumptions::default(), &NoSurroundings),
        )
    };
    let (before, after) = (census(&original), census(&copy));
    let object = Object {
        held: "terraform_data.db_v1[0]".parse().unwrap(),
        original: "terraform_data.db".parse().unwrap(),
    };
    let history = History::default();
    let contents = Contents::new(vec![object], Held::default(), &history);
    let (has, has_now) = (|a: &ObjectAddr| before.has(a), |a: &ObjectAddr| after.has(a));
    let protected = |a: &ObjectAddr| before.is_protected(a);
    let protected_now = |a: &ObjectAddr| after.is_protected(a);
    let original = Side {
        statements: &[],
        declared: &before,
        planned: &before,
        has: &has,
        forgotten: &[],
        is_protected: &protected,
    };
    let copy = Side {
        statements: &[],
        declared: &after,
        planned: &after,
        has: &has_now,
        forgotten: &[],
        is_protected: &protected_now,
    };
    faults(&original, &copy, &contents, &history)
}

#[test]
fn what_is_given_up_has_the_protection_of_the_original() {
    for (original, copy, wanted) in
        [("true", "false", true), ("false", "true", false), ("local.protect", "false", true)]
    {
        let found = faults_of(original, copy);
        assert!(
            matches!(found.as_slice(), [Fault::Unprotected { wanted: w, .. }] if *w == wanted),
            "{original}, {copy}: {found:?}"
        );
    }
    for (original, copy) in [("true", "true"), ("local.protect", "true"), ("false", "false")] {
        assert_eq!(faults_of(original, copy), [], "{original}, {copy}");
    }
}
