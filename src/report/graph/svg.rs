//! The picture as SVG. What has one way on stands below; what branches has its arms to the right, one below the other, with the
//! condition on the arm. So a picture is as wide as its widest line, however many values there are.

use super::super::html::escaped;
use super::tree::{Graph, Kind, Node};
use crate::report::wrap::shortened;
use std::fmt::Write as _;

/// The width of a character of a node, in tenths of a pixel; `SMALL` is that of a condition.
const CHARACTER: usize = 76;
const SMALL: usize = 70;
const LINE: usize = 16;
const PAD: usize = 13;
/// From a node's left to where its arms leave.
const STEM: usize = 22;
/// The vertical distance between nodes one below the other; `APART` is that between arms.
const DOWN: usize = 26;
const APART: usize = 14;
/// A longer condition on an arm is cut to this number of characters.
const LONGEST: usize = 72;
const MARGIN: usize = 16;

/// The position and size of a node, in pixels.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    x: usize,
    y: usize,
    wide: usize,
    high: usize,
}

const STYLE: &str = ".g{--card:#fff;--sunk:#f1f3f6;--line:#d9dee5;--text:#1b2028;--muted:#57606c;--accent:#4f3fd6;--add:#0b6b3f;\
    --add-bg:#e6f6ed;--change:#1a56b8;--destroy:#b3261e;--destroy-bg:#fdecea}\
    .g text{font:12.5px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:var(--text)}.g .at,.g .copy{font-size:11px;fill:var(--muted)}\
    .g .arm{font-size:11.5px;fill:var(--change)}.g rect{fill:var(--card);stroke:var(--line);stroke-width:1.2}.g .paper{stroke:none}\
    .g .field rect{fill:var(--sunk);stroke:var(--muted)}.g .value rect{fill:var(--add-bg);stroke:var(--add)}.g .value .name{fill:var(--add);font-weight:600}\
    .g .problem rect{fill:var(--destroy-bg);stroke:var(--destroy)}.g .problem .name{fill:var(--destroy)}.g .edge{fill:none;stroke:var(--muted);stroke-width:1.3}\
    .g .tip{fill:var(--muted)}.g .edge.on{stroke:var(--accent);stroke-width:2.4}.g .tip.on{fill:var(--accent)}.g .on rect{stroke:var(--accent);stroke-width:2.4}\
    .g .arm.on{fill:var(--accent);font-weight:600}.g .off{opacity:.62}";

/// An image alone.
pub(super) fn image(graph: &Graph) -> String {
    picture(graph, "The way from fields to their values", Some(STYLE))
}

/// The image; in a page, whose style it has, without one of its own. `said` is text.
pub(super) fn picture(graph: &Graph, said: &str, style: Option<&str>) -> String {
    let (frames, wide, high) = laid(graph);
    let mut out = String::new();
    // Writing to a String can't fail.
    let _ = writeln!(
        out,
        "<svg class=\"g\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" \
         role=\"img\" aria-label=\"{}\">",
        escaped(said)
    );
    if let Some(style) = style {
        let _ = writeln!(
            out,
            "<style>{style}</style>\n<rect class=\"paper\" width=\"{wide}\" height=\"{high}\"/>"
        );
    }
    // What is active lies above what isn't.
    for active in [false, true] {
        for (from, to, label, node) in
            graph.edges().filter(|(.., node)| (node.active == Some(true)) == active)
        {
            if let (Some(a), Some(b)) = (frames.get(from), frames.get(to)) {
                edge(*a, *b, label, node, &mut out);
            }
        }
    }
    for (node, frame) in graph.nodes.iter().zip(&frames) {
        drawn(node, *frame, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn state(node: &Node) -> &'static str {
    match node.active {
        Some(true) => " on",
        Some(false) => " off",
        None => "",
    }
}

fn edge(a: Frame, b: Frame, label: &str, node: &Node, out: &mut String) {
    let (x, top, state) = (a.x + STEM, a.y + a.high, state(node));
    if a.x == b.x {
        let (end, stop, base, left, right) = (b.y, b.y - 7, b.y - 8, x - 4, x + 4);
        let _ = writeln!(
            out,
            "<path class=\"edge{state}\" d=\"M{x} {top}V{stop}\"/>\
             <path class=\"tip{state}\" d=\"M{left} {base}H{right}L{x} {end}Z\"/>"
        );
        return;
    }
    let (middle, end, stop, base) = (b.y + b.high / 2, b.x, b.x - 7, b.x - 8);
    let (bend, turned, over, under) = (middle - 8, x + 8, middle - 4, middle + 4);
    let _ = writeln!(
        out,
        "<path class=\"edge{state}\" d=\"M{x} {top}V{bend}Q{x} {middle} {turned} {middle}H{stop}\"/>\
         <path class=\"tip{state}\" d=\"M{base} {over}V{under}L{end} {middle}Z\"/>"
    );
    if !label.is_empty() {
        let _ = writeln!(
            out,
            "<text class=\"arm{state}\" x=\"{}\" y=\"{}\"><title>{}</title>{}</text>",
            x + 12,
            middle - 6,
            escaped(label),
            escaped(&shortened(label, LONGEST))
        );
    }
}

fn drawn(node: &Node, Frame { x, y, wide, high }: Frame, out: &mut String) {
    let class = match node.kind {
        Kind::Field => "field",
        Kind::Hop => "hop",
        Kind::Value => "value",
        Kind::Problem => "problem",
    };
    let round = if node.kind == Kind::Value { high / 2 } else { 7 };
    let left = x + PAD;
    let mut line = y + 20;
    let _ = write!(
        out,
        "<g class=\"{class}{}\"><rect x=\"{x}\" y=\"{y}\" width=\"{wide}\" height=\"{high}\" rx=\"{}\"/>\
         <text class=\"name\" x=\"{left}\" y=\"{line}\">{}</text>",
        state(node),
        round.min(18),
        escaped(&node.text)
    );
    let below = if node.kind == Kind::Value { "copy" } else { "at" };
    for text in node.more() {
        line += LINE;
        let _ = write!(out, "<text class=\"{below}\" x=\"{left}\" y=\"{line}\">{}</text>", escaped(text));
    }
    out.push_str("</g>\n");
}

/// Returns the width of a text in pixels; `each` is the width of a character in tenths.
fn width(text: &str, each: usize) -> usize {
    (unicode_width::UnicodeWidthStr::width(text) * each).div_ceil(10)
}

/// Returns the frame of each node, and the width and height of the picture.
fn laid(graph: &Graph) -> (Vec<Frame>, usize, usize) {
    let mut children: Vec<Vec<(usize, &str)>> = vec![Vec::new(); graph.nodes.len()];
    for (from, to, label, _) in graph.edges() {
        if let Some(known) = children.get_mut(from) {
            known.push((to, label));
        }
    }
    let mut frames = vec![Frame::default(); graph.nodes.len()];
    // Nodes that are to be placed, the next one last: where from the left, and how far below what stands already.
    let fields = graph.nodes.iter().enumerate().filter(|(_, node)| node.from.is_none());
    let mut open: Vec<(usize, usize, usize)> = fields.map(|(index, _)| (index, MARGIN, DOWN)).collect();
    open.reverse();
    let (mut bottom, mut widest) = (0, 0);
    while let Some((index, x, gap)) = open.pop() {
        let (Some(node), Some(below)) = (graph.nodes.get(index), children.get(index)) else { continue };
        let more = node.more().map(|text| width(text, SMALL)).max().unwrap_or(0);
        let frame = Frame {
            x,
            y: if bottom == 0 { MARGIN } else { bottom + gap },
            wide: width(&node.text, CHARACTER).max(more) + 2 * PAD,
            high: 32 + LINE * node.more().count(),
        };
        bottom = frame.y + frame.high;
        widest = widest.max(frame.x + frame.wide);
        match below.as_slice() {
            [(only, "")] => open.push((*only, x, DOWN)),
            arms => {
                let longest = arms.iter().map(|(_, label)| width(&shortened(label, LONGEST), SMALL)).max();
                let x = x + STEM + longest.unwrap_or(0) + 44;
                open.extend(arms.iter().rev().map(|(to, _)| (*to, x, APART)));
            }
        }
        if let Some(known) = frames.get_mut(index) {
            *known = frame;
        }
    }
    (frames, widest + MARGIN, bottom + MARGIN)
}
