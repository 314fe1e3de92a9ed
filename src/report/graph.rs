//! Pictures of traces: DOT, Mermaid, and our own SVG, alone or in a page.
//!
//! In: traces as they are reported. A node is a line of source, shared by the branches whose way begins alike; leaves are values,
//! and the edge to a leaf carries the gate. Invariant: everything that is written is escaped. Absent: other layouts than
//! layers, which are what a way from a field to its values is.

use super::outcome::line_of;
use super::trace_text::shortened;
use super::way;
use super::wrap::flat;
use super::{Found, Row, TraceReport};
use crate::text::{Sources, one_line};

mod svg;

/// So much of a line is shown in a node.
const WIDEST: usize = 80;

/// The form of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Graphviz.
    Dot,
    /// Mermaid, as GitHub and GitLab draw it.
    Mermaid,
    /// An image.
    Svg,
    /// A page that holds the image.
    Html,
}

/// What a node is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Field,
    Hop,
    Value,
    Problem,
}

#[derive(Clone, Debug)]
pub(super) struct Node {
    kind: Kind,
    text: String,
    place: String,
    layer: usize,
}

/// A picture as data.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    /// From, to, and what is written on it.
    edges: Vec<(usize, usize, String)>,
}

impl Graph {
    /// The graph of traces.
    pub fn new(reports: &[TraceReport], sources: &Sources) -> Graph {
        let mut graph = Graph::default();
        for report in reports {
            let field = graph.node(None, Kind::Field, &report.field, "", 0);
            match &report.found {
                Found::Resolved(row) => graph.row(field, row, "", sources),
                Found::Bounded { rows, fails, .. } => {
                    for row in rows {
                        graph.row(field, row, &way::when(row, rows, *fails), sources);
                    }
                }
                Found::Unbounded { code, place, .. } => {
                    let at = place.and_then(|p| line_of(sources, p)).unwrap_or_default();
                    graph.node(Some((field, "")), Kind::Problem, &format!("unbounded: {code}"), &at, 1);
                }
                Found::Error(e) => {
                    let at = e.place.and_then(|p| line_of(sources, p)).unwrap_or_default();
                    graph.node(
                        Some((field, "")),
                        Kind::Problem,
                        &format!("error: {}", flat(&e.message)),
                        &at,
                        1,
                    );
                }
            }
        }
        graph
    }

    fn row(&mut self, field: usize, row: &Row, gate: &str, sources: &Sources) {
        let mut at = field;
        let mut layer = 0;
        for hop in way::lines(row.path.iter(), sources) {
            layer += 1;
            at = self.node(Some((at, "")), Kind::Hop, &shortened(&hop.line, WIDEST), &hop.at, layer);
        }
        let (value, gate) = (shortened(&row.text(), WIDEST), shortened(gate, WIDEST));
        self.node(Some((at, &gate)), Kind::Value, &value, "", layer + 1);
    }

    /// A node behind another; the same one where that has it already.
    fn node(
        &mut self,
        from: Option<(usize, &str)>,
        kind: Kind,
        text: &str,
        place: &str,
        layer: usize,
    ) -> usize {
        if let Some((from, label)) = from {
            let same = |n: &Node| n.kind == kind && n.text == text && n.place == place;
            let known = self
                .edges
                .iter()
                .find(|(a, b, l)| *a == from && l == label && self.nodes.get(*b).is_some_and(same));
            if let Some((_, known, _)) = known {
                return *known;
            }
        }
        let index = self.nodes.len();
        self.nodes.push(Node { kind, text: one_line(text).into_owned(), place: place.to_owned(), layer });
        self.edges.extend(from.map(|(from, label)| (from, index, label.to_owned())));
        index
    }

    /// The picture.
    pub fn drawn(&self, form: Form) -> String {
        match form {
            Form::Dot => self.dot(),
            Form::Mermaid => self.mermaid(),
            Form::Svg => svg::image(&self.nodes, &self.edges),
            Form::Html => svg::page(&self.nodes, &self.edges),
        }
    }

    fn dot(&self) -> String {
        let quoted = |t: &str| t.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " ");
        let mut out =
            String::from("digraph trace {\n  rankdir = TB\n  node [shape = box, fontname = \"monospace\"]\n");
        out.push_str("  edge [fontname = \"monospace\"]\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let place =
                if node.place.is_empty() { String::new() } else { format!("\\n{}", quoted(&node.place)) };
            let style = match node.kind {
                Kind::Field => ", style = bold",
                Kind::Hop => "",
                Kind::Value => ", shape = ellipse",
                Kind::Problem => ", color = red",
            };
            out.push_str(&format!("  n{index} [label = \"{}{place}\"{style}]\n", quoted(&node.text)));
        }
        for (from, to, label) in &self.edges {
            let label =
                if label.is_empty() { String::new() } else { format!(" [label = \"{}\"]", quoted(label)) };
            out.push_str(&format!("  n{from} -> n{to}{label}\n"));
        }
        out.push_str("}\n");
        out
    }

    fn mermaid(&self) -> String {
        // Mermaid knows entities by number or name behind `#`, and takes nothing else for text.
        let quoted = |t: &str| {
            let escaped = |c: char| match c {
                c if c.is_alphanumeric() || " .,_-/=!?()".contains(c) => c.to_string(),
                c => format!("#{};", u32::from(c)),
            };
            t.chars().map(escaped).collect::<String>()
        };
        let mut out = String::from("flowchart TD\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let place =
                if node.place.is_empty() { String::new() } else { format!("<br/>{}", quoted(&node.place)) };
            let (open, close) = match node.kind {
                Kind::Field | Kind::Hop => ("[\"", "\"]"),
                Kind::Value => ("([\"", "\"])"),
                Kind::Problem => ("{{\"", "\"}}"),
            };
            out.push_str(&format!("  n{index}{open}{}{place}{close}\n", quoted(&node.text)));
        }
        for (from, to, label) in &self.edges {
            let label = if label.is_empty() { String::new() } else { format!("|\"{}\"|", quoted(label)) };
            out.push_str(&format!("  n{from} -->{label} n{to}\n"));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Place, SourceId, Span};
    use crate::trace::Hops;
    use crate::value::Value;

    fn row(text: &str, gate: &str) -> Row {
        let path = Hops::one("NameRef local.x", None).before("Field \"a\"", None);
        Row {
            given: Value::string(text),
            secret: false,
            condition: crate::cond::Condition::always(),
            secrets: Vec::new(),
            gate: gate.to_owned(),
            scope: String::new(),
            path,
            block: Place { file: SourceId(0), span: Span::default() },
        }
    }

    fn sample() -> Graph {
        let rows = vec![row("<1>", "var.e == \"p\""), row("2", "!(var.e == \"p\")")];
        let found = Found::Bounded { selector: None, rows, fails: false };
        Graph::new(&[TraceReport { field: "t.a.b".into(), found }], &Sources::default())
    }

    #[test]
    fn ways_that_begin_alike_are_shared() {
        let dot = sample().drawn(Form::Dot);
        assert_eq!((dot.matches("[label = \"").count(), dot.matches(" -> ").count()), (7, 4), "{dot}");
        assert!(dot.contains("n2 -> n3 [label = \"var.e == \\\"p\\\"\"]"), "{dot}");
        let mermaid = sample().drawn(Form::Mermaid);
        assert!(mermaid.contains("n3([\"#34;#60;1#62;#34;\"])"), "{mermaid}");
    }

    #[test]
    fn images_are_escaped() {
        for form in [Form::Svg, Form::Html] {
            let text = sample().drawn(form);
            assert!(text.contains("&quot;&lt;1&gt;&quot;") && !text.contains("<1>"), "{text}");
            assert!(!text.contains("http://") || text.contains("http://www.w3.org/2000/svg"));
        }
    }
}
