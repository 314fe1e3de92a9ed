//! The table of Terraform's flags, held against the Terraform under test: its help, and its parser.

use std::collections::BTreeSet;

use tf_phi::host::Machine;
use tf_phi::terraform::flags::{self, FLAGS, Takes};
use tf_phi::terraform::locate::locate;

use crate::support::{Scratch, terraform};

const COMMANDS: [&str; 4] = ["init", "plan", "apply", "test"];

/// The flags that a help text lists, each at the beginning of a line.
fn listed(help: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let rest = line.trim_start().strip_prefix('-')?;
        let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '-').collect();
        (line.starts_with("  -") && !name.is_empty()).then_some(name)
    };
    help.lines().filter_map(name).collect()
}

#[test]
fn what_the_help_lists_is_in_the_table() {
    let scratch = Scratch::with(&[]);
    let tool = locate(&Machine, terraform().to_str(), None).unwrap();
    let version = tool.version().unwrap();
    for command in COMMANDS {
        let help = scratch.terraform(&[command, "-help"]).expect(0);
        let listed = listed(&help.stdout);
        assert!(listed.len() > 4, "{command}: {listed:?}");
        for name in &listed {
            assert!(flags::find(command, name, Some(version)).is_some(), "{version} {command}: -{name}");
        }
    }
}

/// `-=` is no flag to any version, so that nothing is ever planned; what comes before it was read or refused. Flags that the table
/// has are read in one run; of those that it doesn't have Terraform names the first alone.
#[test]
fn the_parser_takes_what_the_table_has_and_nothing_else() {
    let scratch = Scratch::with(&[]);
    let tool = locate(&Machine, terraform().to_str(), None).unwrap();
    let version = tool.version().unwrap();
    let names: BTreeSet<&str> = FLAGS.iter().map(|f| f.name).collect();
    for command in COMMANDS {
        let mut read = Vec::new();
        for name in &names {
            let flag = flags::find(command, name, Some(version));
            let some = flag.or_else(|| flags::find(command, name, None));
            let value = match (*name, some.map(|f| f.takes)) {
                ("var", _) => "=a=b",
                (_, Some(Takes::Text)) => "=x",
                (_, Some(Takes::Number)) => "=1",
                (_, Some(Takes::Duration)) => "=1s",
                (_, Some(Takes::Module)) => "=module:all",
                _ => "",
            };
            let text = format!("-{name}{value}");
            if flag.is_some() {
                read.push(text);
                continue;
            }
            let ran = scratch.terraform(&[command, &text, "-="]);
            let refused = format!("flag provided but not defined: -{name}");
            let said = format!("{}{}", ran.stdout, ran.stderr);
            assert!(said.contains(&refused), "{version} {command} -{name}: {said}");
        }
        let words = std::iter::once(command).chain(read.iter().map(String::as_str)).chain(["-="]);
        let ran = scratch.terraform(&words.collect::<Vec<_>>());
        let said = format!("{}{}", ran.stdout, ran.stderr);
        let refused = said.contains("flag provided but not defined");
        assert!(!refused && said.contains("bad flag syntax: -="), "{version} {command} {read:?}: {said}");
    }
}

#[test]
fn a_typo_is_refused_before_anything_happens() {
    let main = "variable \"on\" {\n  default = true\n}\nresource \"terraform_data\" \"a\" {\n  input = var.on ? \"x\" : \"y\"\n}\n";
    let phi = "specialize \"terraform_data\" {\n  fields = [\"input\"]\n}\n";
    let scratch = Scratch::with(&[("main.tf", main), ("phi.hcl", phi)]);
    scratch.init();
    let before = scratch.sources();
    for typo in ["--dryrun", "--ephemral", "-chdir=.", "stray", "-detailed-exit-code"] {
        let ran = scratch.tf_phi(&["plan", "-input=false", typo]).expect(1);
        assert_eq!((ran.stdout.as_str(), scratch.sources()), ("", before.clone()), "{typo}: {}", ran.stderr);
    }
    scratch.phi(&["-lock=false", "-refresh=false", "-parallelism=2", "-compact-warnings", "-out=p"]);
}
