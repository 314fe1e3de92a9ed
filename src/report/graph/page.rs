//! The pictures in a page: each field's picture, and the same as a table.

use super::super::html::{Fact, Item, Page, Rows, Tone, escaped, prose, section};
use super::super::way;
use super::svg;
use super::tree::{Drawing, Graph, Mark};
use crate::report::outcome::line_of;
use crate::report::{Found, Row};
use crate::text::Sources;

/// The page.
pub(super) fn page(drawings: &[Drawing], sources: &Sources) -> String {
    let title = match drawings {
        [one] => one.report.field.clone(),
        all => format!("{} fields", all.len()),
    };
    let asked = drawings.iter().flat_map(|one| &one.marks).any(|mark| mark.active.is_some());
    let lead = match asked {
        true => "From each field to its values, and when it has them. The way that this run takes is marked.",
        false => "From each field to its values, and when it has them.",
    };
    let count = |kind: &str| drawings.iter().filter(|one| one.report.kind().0 == kind).count();
    let fact = |tone, kind, what| Fact { tone, count: count(kind), what: [what, what] };
    let facts = [
        fact(Tone::Destroy, "error", "an error"),
        fact(Tone::Replace, "unbounded", "unbounded"),
        fact(Tone::Change, "bounded", "bounded"),
        fact(Tone::Plain, "resolved", "resolved"),
    ];
    let facts = facts.into_iter().filter(|fact| fact.count > 0 && drawings.len() > 1).collect();
    let alone = drawings.len() == 1;
    let mut body: String = drawings.iter().map(|one| field(one, alone, sources)).collect();
    if drawings.is_empty() {
        body.push_str("<p class=\"empty\">No field is driven: phi.hcl pins none, and no meta-argument is an expression.</p>\n");
    }
    Page { command: "graph", title, lead: lead.to_owned(), facts, body }.text()
}

fn field(one: &Drawing, alone: bool, sources: &Sources) -> String {
    let mut graph = Graph::default();
    graph.add(one, sources);
    let said = format!("The way from {} to its values; the table below says the same", one.report.field);
    let picture = svg::picture(&graph, &said, None);
    let below = match &one.report.found {
        found @ (Found::Resolved(_) | Found::Bounded { .. }) => table(one, found.rows(), sources),
        Found::Unbounded { why, fixes, .. } => {
            format!(
                "<div class=\"finding\" data-row><p>{}</p>\n{}</div>\n",
                prose(why),
                super::super::html::fixes(fixes)
            )
        }
        Found::Error(e) => format!("<div class=\"finding\" data-row><p>{}</p></div>\n", prose(&e.message)),
    };
    let name = escaped(&one.report.field);
    let body = format!(
        "<div class=\"picture\" role=\"region\" aria-label=\"Picture of {name}\" tabindex=\"0\">\n{picture}</div>\n{below}"
    );
    section("", if alone { "Trace" } else { &one.report.field }, &body).replacen(
        "data-group",
        &format!("data-group data-in=\"{name}\""),
        1,
    )
}

fn table(one: &Drawing, rows: &[Row], sources: &Sources) -> String {
    let none = Mark::default();
    let marks = || one.marks.iter().chain(std::iter::repeat(&none)).take(rows.len());
    let (copies, asked) = (marks().any(|m| !m.copies.is_empty()), marks().any(|m| m.active.is_some()));
    let columns =
        [Some("value"), Some("when"), copies.then_some("copy"), Some("from"), asked.then_some("this run")];
    let mut out = Rows::of(&format!("Values of {}", one.report.field), columns.into_iter().flatten());
    for (row, mark) in rows.iter().zip(marks()) {
        let from = row.origin(sources).or_else(|| line_of(sources, row.block));
        let text = |text: String| if text.is_empty() { Item::None } else { Item::Code(text) };
        let run = match mark.active {
            Some(true) => Item::Tag(Tone::Add, "takes it".into()),
            Some(false) => Item::Tag(Tone::Plain, "doesn't".into()),
            None => Item::None,
        };
        let cells = [
            Some(Item::Code(row.text())),
            Some(Item::Code(way::when(row, rows, one.report.found.fails()))),
            copies.then(|| text(mark.copies.join(", "))),
            Some(text(from.unwrap_or_default())),
            asked.then_some(run),
        ];
        out.rows.push(cells.into_iter().flatten().collect());
    }
    out.html()
}
