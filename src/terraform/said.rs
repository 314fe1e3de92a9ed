//! What Terraform says, without what stands in the sources.
//!
//! In: its diagnostics as text. Out: of those that show a source only their headings and places, since both the line that they show and
//! what they say of it may hold a secret. All others are handed on whole.

/// Leaves out the lines of sources, and what is said of them.
pub fn leave_out_sources(said: &str) -> String {
    let mut out = Vec::new();
    let mut begin = 0;
    let lines: Vec<&str> = said.lines().map(bare).collect();
    for end in 1..=lines.len() {
        if lines.get(end).is_none_or(|line| is_heading(line)) {
            add_diagnostic(lines.get(begin..end).unwrap_or_default(), &mut out);
            begin = end;
        }
    }
    out.join("\n")
}

/// A line without the frame around it.
fn bare(line: &str) -> &str {
    line.trim_start_matches(['│', '╷', '╵', ' ']).trim_end()
}

fn is_heading(line: &str) -> bool {
    ["Error: ", "Warning: "].iter().any(|begin| line.starts_with(begin))
}

fn add_diagnostic(lines: &[&str], out: &mut Vec<String>) {
    let places: Vec<&str> = lines.iter().copied().filter_map(place).collect();
    if places.is_empty() {
        out.extend(lines.iter().map(|line| (*line).to_owned()));
        return;
    }
    out.extend(lines.iter().take_while(|line| place(line).is_none()).map(|line| (*line).to_owned()));
    out.extend(places.iter().map(|place| format!("  {place}")));
}

/// The place that a line tells: `on FILE line N`, without the declaration in which that is.
fn place(line: &str) -> Option<&str> {
    let from = Some(line).filter(|line| line.starts_with("on "))?;
    from.match_indices(" line ").find_map(|(at, word)| {
        let number = at + word.len();
        let rest = from.get(number..)?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        from.get(..number + digits).filter(|_| digits > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_diagnostic_with_a_source_its_heading_and_place_are_left() {
        let said = "\nError: Invalid escape sequence\n\n  on a line b.tf line 12, in resource \"x\" \"y\":\n  12:  password = \"S3cret\\q\"\n\n\
                    The symbol \"S3cret\" is none.\n\nError: Failed to load state: no credentials\n\nSet them.\n";
        let left = leave_out_sources(said);
        assert!(!left.contains("S3cret"), "{left}");
        assert!(left.contains("Error: Invalid escape sequence\n\n  on a line b.tf line 12\n"), "{left}");
        assert!(left.contains("no credentials\n\nSet them."), "{left}");
    }

    #[test]
    fn what_is_no_diagnostic_stays_as_it_is() {
        for said in ["", "Broken", "It goes on the next line of\nthe text.", "on my line"] {
            assert_eq!(leave_out_sources(said), said);
        }
    }

    #[test]
    fn a_frame_around_it_changes_nothing() {
        let left = leave_out_sources("╷\n│ Error: Wrong\n│ \n│   on a.tf line 1:\n│    1: S3cret\n╵\n");
        assert!(
            left.contains("Error: Wrong") && left.contains("on a.tf line 1") && !left.contains("S3cret"),
            "{left}"
        );
    }
}
