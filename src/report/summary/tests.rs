use super::*;
use crate::report::testing::{bare, snapshot};

fn branch(value: &str, active: Active) -> Branch {
    Branch { values: vec![value.to_owned()], active }
}

fn unit(address: &str, field: &str, branches: Vec<Branch>) -> Unit {
    Unit { address: address.to_owned(), fields: vec![field.to_owned()], branches }
}

/// The article's example, in the run that follows a flip.
fn flip() -> Summary {
    let when = Active::When("var.customer_env == \"prod\"".to_owned());
    Summary {
        fields: 2,
        written: [
            "main.tf",
            "modules/postgres-v14-9/main.tf",
            "modules/postgres-v15-4/main.tf",
            "phi.moved.tf",
        ]
        .map(String::from)
        .to_vec(),
        units: vec![
            unit(
                "module.database",
                "engine_version",
                vec![branch("\"15.4\"", when), branch("\"14.9\"", Active::No)],
            ),
            unit("aws_s3_bucket.logs", "lifecycle.prevent_destroy", vec![branch("true", Active::Always)]),
        ],
        moves: vec![("module.database_v14_9[0]".to_owned(), "module.database_v15_4[0]".to_owned())],
        aftermath: Aftermath::Stay,
        ..Summary::default()
    }
}

/// Everything that is long.
fn long() -> Summary {
    let address = "module.platform.module.region.module.database.aws_db_instance.with_a_long_name";
    let condition =
        "contains([\"production\", \"staging\"], var.environment) && var.region == \"eu-central-1\"";
    let all = |n: usize| (0..n).map(|i| branch(&format!("\"{i}.0\""), Active::No));
    let chosen = branch(
        "{\"a\":\"a value that goes on and on and is cut somewhere\"}",
        Active::When(condition.to_owned()),
    );
    let many = unit(address, "input.engine_version", [chosen].into_iter().chain(all(15)).collect());
    let joint = Unit {
        address: "module.app".to_owned(),
        fields: vec!["source".to_owned(), "version".to_owned()],
        branches: [("\"a\"", Active::Partly(2, 3)), ("\"b\"", Active::Partly(1, 3))]
            .map(|(v, active)| Branch { values: vec![v.to_owned(), "\"1.0\"".to_owned()], active })
            .to_vec(),
    };
    let units = [many, joint].into_iter().chain((0..14).map(|i| {
        unit(
            &format!("module.m{i}"),
            "x",
            vec![branch("1", Active::When("var.a".to_owned())), branch("2", Active::No)],
        )
    }));
    let moves = (0..9).map(|i| (format!("{address}_a[\"key-{i}\"]"), format!("{address}_b[\"key-{i}\"]")));
    Summary {
        has_records: false,
        fields: 17,
        written: vec!["main.tf".to_owned()],
        removed: vec!["db-a/main.tf".to_owned()],
        units: units.collect(),
        moves: moves.collect(),
        aftermath: Aftermath::PutBack,
    }
}

fn plain(summary: &Summary, detail: Detail, width: usize) -> String {
    text(summary, detail, Some(width), Style::Plain)
}

#[test]
fn as_it_is_read() {
    for (name, summary) in [("flip", flip()), ("long", long())] {
        for width in [80, 140] {
            let shown = plain(&summary, Detail::Normal, width);
            snapshot(&format!("summary/snapshots/{name}-{width}.txt"), &shown);
            let coloured = text(&summary, Detail::Normal, Some(width), Style::Coloured);
            // Escapes are kept readable in the file.
            snapshot(
                &format!("summary/snapshots/{name}-{width}-colour.txt"),
                &coloured.replace('\u{1b}', "␛"),
            );
            assert_eq!(bare(&coloured), shown, "colour changes nothing else");
        }
        snapshot(&format!("summary/snapshots/{name}-verbose.txt"), &plain(&summary, Detail::Verbose, 80));
    }
}

#[test]
fn no_line_is_too_wide_and_all_fits_on_a_screen() {
    for width in 48..200 {
        for summary in [flip(), long()] {
            let shown = plain(&summary, Detail::Normal, width);
            assert!(shown.lines().count() <= 24, "{shown}");
            for line in shown.lines() {
                assert!(line.chars().count() <= width, "{width}: {line}");
            }
        }
    }
}

#[test]
fn what_has_not_changed_is_one_line() {
    let nothing = Summary { written: Vec::new(), moves: Vec::new(), ..flip() };
    assert_eq!(plain(&nothing, Detail::Normal, 80), "tf-phi: 2 fields specialised, no file changed\n");
    // What is pending in state is said again.
    let pending = plain(&Summary { written: Vec::new(), ..flip() }, Detail::Normal, 80);
    assert_eq!(pending.lines().count(), 2, "{pending}");
    let gone = Summary { fields: 0, removed: vec!["a".to_owned()], ..Summary::default() };
    assert_eq!(
        plain(&gone, Detail::Normal, 80),
        "tf-phi: no field is specialised any more, 1 file removed\n"
    );
}

#[test]
fn a_trees_text_stays_on_its_line() {
    let mut summary = flip();
    summary.units.push(unit("t.x", "f", vec![branch("\"a\"", Active::When("var.a\n  == \"b\"".to_owned()))]));
    assert!(plain(&summary, Detail::Verbose, 80).contains("(active: var.a == \"b\")"));
}

#[test]
fn sources_that_differ_at_the_end_look_different() {
    let source = |version: &str| {
        branch(
            &format!("\"git::https://example.com/modules-of-a-company.git//network?ref={version}\""),
            Active::No,
        )
    };
    let units = vec![unit("module.network", "source", ["v1.2.0", "v1.2.1", "v2.0.0"].map(source).to_vec())];
    let summary = Summary { fields: 1, written: vec!["main.tf".to_owned()], units, ..Summary::default() };
    let text = plain(&summary, Detail::Normal, 200);
    for version in ["v1.2.0", "v1.2.1", "v2.0.0"] {
        assert!(text.contains(&format!("…?ref={version}\"")), "{text}");
    }
}
