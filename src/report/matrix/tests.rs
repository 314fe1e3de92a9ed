//! Snapshots of a matrix and of a review in a terminal of 80 and of 140 columns, with and without colour.
//! `UPDATE_GOLDEN=1` writes the snapshots; look at them before they are committed.

use super::*;
use crate::cond::Condition;
use crate::config::variables::VarArg;
use crate::issue::{Code, Issue};
use crate::matrix::Cell;
use crate::matrix::review::{self, Action, Counts, PlanDifference, Planned, ResourceDifference, Review};
use crate::report::review::Shown;
use crate::report::testing::snapshot;
use crate::report::validate::Report;
use crate::text::{Place, SourceFile, Sources, Span};
use crate::trace::failures::{Failure, Found, Witness};
use crate::value::{Mark, Marks, Value};

fn matrix() -> Matrix {
    let resolved = |value: Value| Arc::new(Cell::Resolved(value));
    let text = |text: &str| resolved(Value::string(text));
    let secret = resolved(Value::string("hunter2").with_marks(&Marks::one(Mark::Sensitive)));
    let instance =
        |keys: &str, address: &str| Instance { keys: keys.to_owned(), address: address.to_owned() };
    let replica = |keys: &[&str]| {
        Some(keys.iter().map(|k| instance(k, &format!("aws_db_instance.replica{k}"))).collect::<Vec<_>>())
    };
    Matrix {
        environments: ["dev", "staging", "prod"].map(Arc::from).to_vec(),
        rows: vec![
            Row {
                field: "module.database.aws_db_instance.app.engine_version".into(),
                cells: vec![text("14.9"), text("14.9"), text("15.4")],
            },
            Row {
                field: "aws_db_instance.app.password".into(),
                cells: vec![secret.clone(), secret.clone(), secret],
            },
            Row {
                field: "aws_s3_bucket_policy.p.policy".into(),
                cells: vec![Arc::new(Cell::Absent), text(&"statement ".repeat(20)), text("日本語")],
            },
            Row {
                field: "aws_instance.web.instance_type".into(),
                cells: vec![
                    text("t3.micro"),
                    text("t3.micro"),
                    Arc::new(Cell::Error(
                        "Invalid index: The given key does not identify an element.".into(),
                    )),
                ],
            },
        ],
        instances: vec![Instances {
            address: "aws_db_instance.replica".into(),
            cells: vec![replica(&[]), replica(&["[0]"]), replica(&["[0]", "[1]"])],
        }],
        left_out: Default::default(),
        uncompared: Default::default(),
        folds: Default::default(),
    }
}

fn review() -> (Review, Found, Sources) {
    let head = matrix();
    let mut base = matrix();
    for row in &mut base.rows {
        row.cells.truncate(2);
        row.cells.push(Arc::new(Cell::Resolved(Value::string("old"))));
    }
    base.instances[0].cells[2] =
        Some(vec![Instance { keys: "[7]".into(), address: "aws_db_instance.replica[7]".into() }]);
    let mut environments = review::environments(&base, &head, None);
    environments[2].plan = Some(Planned::Made(Box::new(PlanDifference {
        before: Counts::default(),
        after: Counts { add: 1, change: 0, destroy: 1, replace: 1 },
        resources: vec![ResourceDifference {
            address: "aws_db_instance.replica[7]".into(),
            before: Action::NoOp,
            after: Action::Delete,
            attributes: vec!["engine_version".into(), "tags.env".into()],
        }],
        outputs: Vec::new(),
        text: "Terraform will perform the following actions:".into(),
    })));
    environments[1].plan =
        Some(Planned::Failed("The base can't be planned. No valid credential sources found".into()));
    let mut sources = Sources::default();
    let file = sources.add(SourceFile::new("main.tf", "locals {\n  size = var.sizes[var.env]\n}\n"));
    let place = Place { file, span: Span::new(18, 36) };
    let witness = Witness {
        workspace: "default".into(),
        variables: [("env".into(), Value::string("prod"))].into(),
        secret: Vec::new(),
        environment: Some("prod".into()),
        beside: None,
        set: Vec::new(),
        open: Vec::new(),
    };
    let failure = Failure {
        field: "local.size".into(),
        of: "local.size".parse().ok(),
        error: "Invalid index: The given key does not identify an element in this collection value.".into(),
        place,
        warning: false,
        kept_out: false,
        before_lazy: false,
        condition: Condition::always(),
        gate: "var.env == \"prod\"".into(),
        witness,
        environments: vec!["prod".into()],
    };
    let failures = Found { failures: vec![failure], ..Found::default() };
    let why = "Its value is known only during apply.";
    let unable = Issue::error(Code::ApplyTimeValue, "version can't be specialised", why).at(place);
    let review = Review {
        base: "origin/main".into(),
        environments,
        unable: vec![unable.about("module.database.version")],
        ..Review::default()
    };
    (review, failures, sources)
}

/// A review in some form.
fn shown(form: impl FnOnce(&Shown<'_>) -> String) -> String {
    let (review, found, sources) = review();
    let file = VarArg::File("env/prod.tfvars".into());
    let given = [("prod".into(), vec![file])].into();
    let (found, sources, given) = (&found, &sources, &given);
    let failures = Report {
        found,
        sources,
        given,
        unseen: &[],
        environments: 3,
        in_stack: false,
        chdir: None,
        program: "terraform",
    };
    form(&Shown { review: &review, failures, is_whole: false })
}

#[test]
fn what_a_terminal_shows() {
    for width in [80, 140] {
        for (colour, style) in [("plain", Style::Plain), ("colour", Style::Coloured)] {
            snapshot(
                &format!("matrix/snapshots/matrix-{width}-{colour}.txt"),
                &text(&matrix(), Some(width), style),
            );
            let said = shown(|review| super::super::review::text(review, Some(width), style));
            snapshot(&format!("matrix/snapshots/review-{width}-{colour}.txt"), &said);
        }
    }
}

#[test]
fn what_a_comment_shows() {
    snapshot("matrix/snapshots/matrix.md", &markdown(&matrix()));
    snapshot("matrix/snapshots/review.md", &shown(super::super::review::markdown));
}

#[test]
fn no_form_shows_what_is_sensitive() {
    let all = [
        object(&matrix()).to_string(),
        text(&matrix(), None, Style::Plain),
        table(&matrix()).csv(),
        markdown(&matrix()),
        page(&matrix()).text(),
        shown(|review| super::super::review::object(review).to_string()),
        shown(|review| super::super::review::page(review).text()),
    ];
    assert!(all.iter().all(|form| !form.contains("hunter2")));
}
