//! Traces as one tree of nodes, and its text for Graphviz and Mermaid.

use crate::report::outcome::line_of;
use crate::report::way;
use crate::report::wrap::{flat, shortened};
use crate::report::{Found, Row, TraceReport};
use crate::text::{Sources, one_line};

/// A trace, and what is known of each of its values besides.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The trace.
    pub report: TraceReport,
    /// One for each value, in order; none where nothing is known.
    pub marks: Vec<Mark>,
}

/// The copies that a value has, and whether this run takes it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Mark {
    /// The addresses of the copies that are specialised by it.
    pub copies: Vec<String>,
    /// True if this run takes the value; `None` if nobody asks or it isn't known.
    pub active: Option<bool>,
}

/// The kind of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Field,
    Hop,
    Value,
    Problem,
}

/// A node. The edge that leads to it is part of it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub text: String,
    pub place: String,
    /// The copies that a value stands in.
    pub copies: Vec<String>,
    /// The index of the node before it and the text on the arm between; nothing for a field.
    pub from: Option<(usize, String)>,
    /// True if this run takes this way; `None` if nobody asks or it isn't known.
    pub active: Option<bool>,
}

/// Nodes, each behind the one that it hangs on.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
}

impl Graph {
    pub(super) fn add(&mut self, drawing: &Drawing, sources: &Sources) {
        let report = &drawing.report;
        let field = self.node(None, Kind::Field, &report.field, "");
        let none = Mark::default();
        let marks = drawing.marks.iter().chain(std::iter::repeat(&none));
        match &report.found {
            Found::Resolved(row) => {
                marks.take(1).for_each(|mark| self.row(field, row, "", mark, sources));
            }
            Found::Bounded { rows, fails, .. } => {
                for (row, mark) in rows.iter().zip(marks) {
                    self.row(field, row, &way::when(row, rows, *fails), mark, sources);
                }
            }
            Found::Unbounded { code, place, .. } => {
                let at = place.and_then(|p| line_of(sources, p)).unwrap_or_default();
                self.node(Some((field, "")), Kind::Problem, &format!("unbounded: {code}"), &at);
            }
            Found::Error(e) => {
                let at = e.place.and_then(|p| line_of(sources, p)).unwrap_or_default();
                self.node(Some((field, "")), Kind::Problem, &format!("error: {}", flat(&e.message)), &at);
            }
        }
    }

    fn row(&mut self, field: usize, row: &Row, gate: &str, mark: &Mark, sources: &Sources) {
        let mut way = vec![field];
        let mut at = field;
        for hop in way::lines(row.path.iter(), sources) {
            at = self.node(Some((at, "")), Kind::Hop, &shortened(&hop.line, WIDEST), &hop.at);
            way.push(at);
        }
        let (text, gate) = (shortened(&row.text(), WIDEST), shortened(gate, WIDEST));
        let value = self.node(Some((at, &gate)), Kind::Value, &text, "");
        way.push(value);
        if let Some(value) = self.nodes.get_mut(value) {
            value.copies = mark.copies.iter().map(|copy| one_line(copy).into_owned()).collect();
        }
        for index in way {
            if let Some(node) = self.nodes.get_mut(index) {
                node.active = match (node.active, mark.active) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (_, known) => known,
                };
            }
        }
    }

    /// A node behind another; the same one where that has it already.
    fn node(&mut self, from: Option<(usize, &str)>, kind: Kind, text: &str, place: &str) -> usize {
        let text = one_line(text).into_owned();
        let from = from.map(|(from, label)| (from, one_line(label).into_owned()));
        let same = |n: &Node| n.kind == kind && n.text == text && n.place == place && n.from == from;
        // Two values that are cut may look alike.
        let shared = from.is_some() && kind != Kind::Value;
        if let Some(known) = self.nodes.iter().position(same).filter(|_| shared) {
            return known;
        }
        let place = place.to_owned();
        self.nodes.push(Node { kind, text, place, copies: Vec::new(), from, active: None });
        self.nodes.len() - 1
    }

    /// Each node with its number, what leads to it, and what is written on the arm.
    pub(super) fn edges(&self) -> impl Iterator<Item = (usize, usize, &str, &Node)> {
        let edge = |(to, node): (usize, &'_ Node)| node.from.as_ref().map(|(from, _)| (*from, to));
        let of = self.nodes.iter().enumerate().filter_map(edge);
        of.filter_map(|(from, to)| {
            let node = self.nodes.get(to)?;
            Some((from, to, node.from.as_ref().map_or("", |(_, label)| label.as_str()), node))
        })
    }

    pub(super) fn dot(&self) -> String {
        let quoted = |t: &str| t.replace('\\', "\\\\").replace('"', "\\\"");
        let mut out =
            String::from("digraph trace {\n  rankdir = TB\n  node [shape = box, fontname = \"monospace\"]\n");
        out.push_str("  edge [fontname = \"monospace\"]\n");
        for (index, node) in self.nodes.iter().enumerate() {
            let more: String = node.more().map(|line| format!("\\n{}", quoted(line))).collect();
            let style = match node.kind {
                Kind::Field => ", style = bold",
                Kind::Hop => "",
                Kind::Value => ", shape = ellipse",
                Kind::Problem => ", color = red",
            };
            let active = if node.active == Some(true) { ", penwidth = 3" } else { "" };
            out.push_str(&format!("  n{index} [label = \"{}{more}\"{style}{active}]\n", quoted(&node.text)));
        }
        for (from, to, label, node) in self.edges() {
            let mut says = Vec::new();
            if !label.is_empty() {
                says.push(format!("label = \"{}\"", quoted(label)));
            }
            if node.active == Some(true) {
                says.push("penwidth = 3".to_owned());
            }
            let says = if says.is_empty() { String::new() } else { format!(" [{}]", says.join(", ")) };
            out.push_str(&format!("  n{from} -> n{to}{says}\n"));
        }
        out.push_str("}\n");
        out
    }

    pub(super) fn mermaid(&self) -> String {
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
            let more: String = node.more().map(|line| format!("<br/>{}", quoted(line))).collect();
            let (open, close) = match node.kind {
                Kind::Field | Kind::Hop => ("[\"", "\"]"),
                Kind::Value => ("([\"", "\"])"),
                Kind::Problem => ("{{\"", "\"}}"),
            };
            out.push_str(&format!("  n{index}{open}{}{more}{close}\n", quoted(&node.text)));
        }
        for (from, to, label, node) in self.edges() {
            let label = if label.is_empty() { String::new() } else { format!("|\"{}\"|", quoted(label)) };
            let arrow = if node.active == Some(true) { "==>" } else { "-->" };
            out.push_str(&format!("  n{from} {arrow}{label} n{to}\n"));
        }
        let active = self.nodes.iter().enumerate().filter(|(_, node)| node.active == Some(true));
        let active: Vec<String> = active.map(|(index, _)| format!("n{index}")).collect();
        if !active.is_empty() {
            out.push_str("  classDef active stroke-width:3px\n");
            out.push_str(&format!("  class {} active\n", active.join(",")));
        }
        out
    }
}

impl Node {
    /// The lines below its text.
    pub(super) fn more(&self) -> impl Iterator<Item = &str> {
        let place = Some(self.place.as_str()).filter(|place| !place.is_empty());
        place.into_iter().chain(self.copies.iter().map(String::as_str))
    }
}

/// A longer line in a node is cut to this number of characters.
const WIDEST: usize = 80;
