//! The picture as SVG: nodes in layers, each layer in the middle, straight edges with their text on them.

use super::{Kind, Node};
use std::fmt::Write as _;

const CHARACTER: usize = 8;
const HEIGHT: usize = 44;
const GAP: usize = 28;
const LAYER: usize = 108;
const MARGIN: usize = 20;

/// Where a node stands: left, top, width.
type Frame = (usize, usize, usize);

const STYLE: &str = "text{font:13px monospace;text-anchor:middle;fill:#222}.p{font-size:11px;fill:#666}\
    .g{font-size:11px;fill:#0550ae}rect{fill:#fff;stroke:#888}.field rect{stroke:#222;stroke-width:2}\
    .value rect{fill:#e8f4ea;stroke:#2da44e}.problem rect{fill:#ffebe9;stroke:#cf222e}line{stroke:#888}";

/// The image alone.
pub(super) fn image(nodes: &[Node], edges: &[(usize, usize, String)]) -> String {
    let (boxes, width, height) = layout(nodes, edges);
    let mut out = String::new();
    // Writing to a String can't fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\
         \n<style>{STYLE}</style>\n<rect class=\"page\" width=\"{width}\" height=\"{height}\" style=\"stroke:none\"/>"
    );
    for (from, to, label) in edges {
        let (Some(a), Some(b)) = (boxes.get(*from), boxes.get(*to)) else { continue };
        let (x1, y1, x2, y2) = (a.0 + a.2 / 2, a.1 + HEIGHT, b.0 + b.2 / 2, b.1);
        let _ = writeln!(out, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
        if !label.is_empty() {
            let (x, y) = (x2, y2 - 8);
            let _ = writeln!(out, "<text class=\"g\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(label));
        }
    }
    for (node, (left, top, wide)) in nodes.iter().zip(&boxes) {
        let class = match node.kind {
            Kind::Field => "field",
            Kind::Hop => "hop",
            Kind::Value => "value",
            Kind::Problem => "problem",
        };
        let (x, y) = (left + wide / 2, if node.place.is_empty() { top + 27 } else { top + 19 });
        let _ = writeln!(
            out,
            "<g class=\"{class}\"><rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{HEIGHT}\" rx=\"5\"/>\
             <text x=\"{x}\" y=\"{y}\">{}</text>",
            escaped(&node.text)
        );
        if !node.place.is_empty() {
            let _ = writeln!(
                out,
                "<text class=\"p\" x=\"{x}\" y=\"{}\">{}</text>",
                top + 36,
                escaped(&node.place)
            );
        }
        out.push_str("</g>\n");
    }
    out.push_str("</svg>\n");
    out
}

/// A page that holds the image and needs nothing else.
pub(super) fn page(nodes: &[Node], edges: &[(usize, usize, String)]) -> String {
    let fields: Vec<String> =
        nodes.iter().filter(|n| n.kind == Kind::Field).map(|n| escaped(&n.text)).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>{0}</title></head>\n<body>\n\
         <h1 style=\"font:18px monospace\">{0}</h1>\n{1}</body>\n</html>\n",
        fields.join(", "),
        image(nodes, edges)
    )
}

/// Layer by layer, from left to right; then each layer is moved to the middle.
fn layout(nodes: &[Node], edges: &[(usize, usize, String)]) -> (Vec<Frame>, usize, usize) {
    let layers = nodes.iter().map(|n| n.layer).max().map_or(0, |l| l + 1);
    let mut ends = vec![0; layers];
    let mut boxes = Vec::with_capacity(nodes.len());
    for (index, node) in nodes.iter().enumerate() {
        let label = edges.iter().filter(|(_, to, _)| *to == index).map(|(_, _, l)| l.chars().count());
        let longest = label.max().unwrap_or(0).max(node.text.chars().count()).max(node.place.chars().count());
        let wide = longest * CHARACTER + 24;
        let end = ends.get(node.layer).copied().unwrap_or(0);
        boxes.push((end, MARGIN + node.layer * LAYER, wide));
        if let Some(end) = ends.get_mut(node.layer) {
            *end += wide + GAP;
        }
    }
    let widest = ends.iter().copied().max().unwrap_or(0);
    for (node, own) in nodes.iter().zip(&mut boxes) {
        let end = ends.get(node.layer).copied().unwrap_or(0);
        own.0 += MARGIN + (widest - end) / 2;
    }
    let height = 2 * MARGIN + layers.saturating_sub(1) * LAYER + HEIGHT;
    (boxes, widest.saturating_sub(GAP) + 2 * MARGIN, height)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
