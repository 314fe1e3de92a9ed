//! Pictures of traces: DOT, Mermaid, and our own SVG, alone or in a page.
//!
//! In: traces as they are reported, with the copies that stand for each value and whether this run takes it. A node is a line of
//! source, shared by the branches whose way begins alike, so a trace is a tree; leaves are values, and the arm to a leaf carries
//! its condition. Invariant: everything that is written is escaped.

mod page;
mod svg;
mod tree;

pub use tree::{Drawing, Mark};

use crate::text::Sources;
use tree::Graph;

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

/// The picture.
pub fn drawn(drawings: &[Drawing], sources: &Sources, form: Form) -> String {
    match form {
        Form::Html => page::page(drawings, sources),
        _ => {
            let mut graph = Graph::default();
            drawings.iter().for_each(|one| graph.add(one, sources));
            match form {
                Form::Dot => graph.dot(),
                Form::Mermaid => graph.mermaid(),
                Form::Svg | Form::Html => svg::image(&graph),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Found, Row, TraceReport};
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
            module: crate::addr::ModulePath::ROOT,
            scope: String::new(),
            path,
            block: Place { file: SourceId(0), span: Span::default() },
        }
    }

    fn sample(form: Form) -> String {
        let rows = vec![row("<1>", "var.e == \"p\""), row("2", "!(var.e == \"p\")")];
        let found = Found::Bounded { selector: None, rows, fails: false };
        let mark = |copy: &str, active| Mark { copies: vec![copy.to_owned()], active: Some(active) };
        let marks = vec![mark("t.a_<1>", true), mark("t.a_2", false)];
        let one = Drawing { report: TraceReport { field: "t.a.b".into(), found, rounded_from: None }, marks };
        drawn(&[one], &Sources::default(), form)
    }

    #[test]
    fn ways_that_begin_alike_are_shared() {
        let dot = sample(Form::Dot);
        assert_eq!(
            (dot.matches("  n").count() - dot.matches("  node").count(), dot.matches(" -> ").count()),
            (9, 4),
            "{dot}"
        );
        assert!(dot.contains("n2 -> n3 [label = \"var.e == \\\"p\\\"\", penwidth = 3]\n"), "{dot}");
        assert!(dot.contains("n2 -> n4 [label = \"otherwise\"]\n"), "{dot}");
        let mermaid = sample(Form::Mermaid);
        assert!(mermaid.contains("n3([\"#34;#60;1#62;#34;<br/>t.a_#60;1#62;\"])"), "{mermaid}");
        assert!(
            mermaid.contains("  n2 ==>|\"var.e == #34;p#34;\"| n3\n  n2 -->|\"otherwise\"| n4\n"),
            "{mermaid}"
        );
        assert!(mermaid.ends_with("  class n0,n1,n2,n3 active\n"), "{mermaid}");
    }

    #[test]
    fn images_are_escaped() {
        for form in [Form::Svg, Form::Html] {
            let text = sample(form);
            assert!(
                text.contains("&quot;&lt;1&gt;&quot;")
                    && text.contains("t.a_&lt;1&gt;")
                    && !text.contains("<1>"),
                "{text}"
            );
            assert!(!text.contains("http://") || text.contains("http://www.w3.org/2000/svg"));
            let arms = [
                "class=\"edge on\"",
                "class=\"edge off\"",
                "class=\"tip on\"",
                "class=\"arm off\"",
                ">otherwise</text>",
            ];
            arms.iter().for_each(|part| assert!(text.contains(part), "{part}: {text}"));
        }
    }
}
