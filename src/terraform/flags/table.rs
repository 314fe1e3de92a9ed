//! The rows. Sources: `internal/command/arguments` of Terraform 1.5 to 1.17 and of OpenTofu 1.6 to 1.12, with `view.go` for
//! what is taken out of the line before flags are read.

use super::Takes::{Bool, Duration, Module, Nothing, Number, Setting, Text};
use super::{Flag, Product, Release, Releases, Takes};

/// The newest releases that were read.
pub const NEWEST: [(Product, Release); 2] = [(Product::Terraform, (1, 17)), (Product::OpenTofu, (1, 12))];

const ALWAYS: Option<Releases> = Some(Releases { from: (0, 0), until: None });

const fn since(major: u64, minor: u64) -> Option<Releases> {
    Some(Releases { from: (major, minor), until: None })
}

const fn before(major: u64, minor: u64) -> Option<Releases> {
    Some(Releases { from: (0, 0), until: Some((major, minor)) })
}

const fn between(from: Release, until: Release) -> Option<Releases> {
    Some(Releases { from, until: Some(until) })
}

const fn flag(
    name: &'static str,
    takes: Takes,
    commands: &'static [&'static str],
    terraform: Option<Releases>,
    opentofu: Option<Releases>,
) -> Flag {
    Flag { name, takes, commands, terraform, opentofu }
}

const EVERY: &[&str] = &["init", "plan", "apply", "test"];
const INIT: &[&str] = &["init"];
const RUNS: &[&str] = &["plan", "apply"];
const PLAN: &[&str] = &["plan"];
const APPLY: &[&str] = &["apply"];
const TEST: &[&str] = &["test"];

/// Every flag. A name stands in several rows where commands or releases differ.
pub const FLAGS: &[Flag] = &[
    // What is printed.
    flag("no-color", Nothing, EVERY, ALWAYS, ALWAYS),
    flag("compact-warnings", Nothing, EVERY, ALWAYS, ALWAYS),
    flag("concise", Nothing, EVERY, None, since(1, 7)),
    flag("consolidate-warnings", Setting, EVERY, None, since(1, 9)),
    flag("consolidate-errors", Setting, EVERY, None, since(1, 9)),
    flag("deprecation", Text, RUNS, None, between((1, 10), (1, 12))),
    flag("deprecation", Module, RUNS, None, since(1, 12)),
    flag("deprecation", Module, TEST, None, since(1, 10)),
    flag("show-sensitive", Bool, RUNS, None, since(1, 9)),
    flag("json", Bool, RUNS, ALWAYS, ALWAYS),
    flag("json", Bool, TEST, since(1, 6), ALWAYS),
    flag("json-into", Text, EVERY, None, since(1, 12)),
    // Values of variables.
    flag("var", Text, RUNS, ALWAYS, ALWAYS),
    flag("var-file", Text, RUNS, ALWAYS, ALWAYS),
    flag("var", Text, TEST, since(1, 6), ALWAYS),
    flag("var-file", Text, TEST, since(1, 6), ALWAYS),
    // State.
    flag("lock", Bool, RUNS, ALWAYS, ALWAYS),
    flag("lock-timeout", Duration, RUNS, ALWAYS, ALWAYS),
    flag("state", Text, RUNS, ALWAYS, ALWAYS),
    flag("state-out", Text, RUNS, ALWAYS, ALWAYS),
    flag("backup", Text, RUNS, ALWAYS, ALWAYS),
    // What is installed.
    flag("backend", Bool, INIT, ALWAYS, ALWAYS),
    flag("cloud", Bool, INIT, ALWAYS, ALWAYS),
    flag("backend-config", Text, INIT, ALWAYS, ALWAYS),
    flag("force-copy", Bool, INIT, ALWAYS, ALWAYS),
    flag("from-module", Text, INIT, ALWAYS, ALWAYS),
    flag("get", Bool, INIT, ALWAYS, ALWAYS),
    flag("plugin-dir", Text, INIT, ALWAYS, ALWAYS),
    flag("reconfigure", Bool, INIT, ALWAYS, ALWAYS),
    flag("migrate-state", Bool, INIT, ALWAYS, ALWAYS),
    flag("upgrade", Bool, INIT, ALWAYS, ALWAYS),
    flag("lockfile", Text, INIT, ALWAYS, ALWAYS),
    flag("ignore-remote-version", Bool, INIT, ALWAYS, ALWAYS),
    flag("test-directory", Text, INIT, since(1, 6), ALWAYS),
    flag("json", Bool, INIT, since(1, 9), ALWAYS),
    flag("var", Text, INIT, ALWAYS, ALWAYS),
    flag("var-file", Text, INIT, ALWAYS, ALWAYS),
    flag("target", Text, INIT, ALWAYS, ALWAYS),
    flag("input", Bool, INIT, ALWAYS, ALWAYS),
    flag("lock", Bool, INIT, ALWAYS, ALWAYS),
    flag("lock-timeout", Duration, INIT, ALWAYS, ALWAYS),
    // What is planned.
    flag("destroy", Bool, RUNS, ALWAYS, ALWAYS),
    flag("refresh", Bool, RUNS, ALWAYS, ALWAYS),
    flag("refresh-only", Bool, RUNS, ALWAYS, ALWAYS),
    flag("minimal-refresh", Bool, RUNS, since(1, 17), None),
    flag("replace", Text, RUNS, ALWAYS, ALWAYS),
    flag("target", Text, RUNS, ALWAYS, ALWAYS),
    flag("target-file", Text, RUNS, None, since(1, 10)),
    flag("exclude", Text, RUNS, None, since(1, 9)),
    flag("exclude-file", Text, RUNS, None, since(1, 10)),
    flag("invoke", Text, RUNS, since(1, 14), None),
    flag("policies", Text, RUNS, since(1, 16), None),
    flag("allow-deferral", Bool, RUNS, since(1, 9), None),
    flag("parallelism", Number, RUNS, ALWAYS, ALWAYS),
    flag("input", Bool, RUNS, ALWAYS, ALWAYS),
    flag("detailed-exitcode", Bool, PLAN, ALWAYS, ALWAYS),
    flag("out", Text, PLAN, ALWAYS, ALWAYS),
    flag("generate-config-out", Text, PLAN, since(1, 5), ALWAYS),
    flag("auto-approve", Bool, APPLY, ALWAYS, ALWAYS),
    flag("suppress-forget-errors", Bool, APPLY, None, since(1, 12)),
    // What is tested.
    flag("filter", Text, TEST, since(1, 6), ALWAYS),
    flag("test-directory", Text, TEST, since(1, 6), ALWAYS),
    flag("verbose", Bool, TEST, since(1, 6), ALWAYS),
    flag("cloud-run", Text, TEST, since(1, 6), None),
    flag("junit-xml", Text, TEST, before(1, 6), None),
    flag("junit-xml", Text, TEST, since(1, 8), None),
    flag("parallelism", Number, TEST, since(1, 12), None),
    flag("run-parallelism", Number, TEST, since(1, 13), None),
    flag("allow-deferral", Bool, TEST, since(1, 14), None),
    flag("repair", Bool, TEST, since(1, 14), None),
];
