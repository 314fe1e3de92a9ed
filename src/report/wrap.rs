//! Paragraphs.

const WIDTH: usize = 92;

/// The text in lines of at most some 90 characters, each after `indent`. Line breaks in the text stay; words are never
/// cut.
pub(super) fn paragraph(text: &str, indent: &str) -> String {
    let mut out = String::new();
    for line in text.trim_end().lines() {
        let mut width = 0;
        for word in line.split(' ') {
            let long = word.chars().count();
            if width == 0 {
                out.push_str(indent);
            } else if width + 1 + long > WIDTH {
                out.push('\n');
                out.push_str(indent);
                width = 0;
            } else {
                out.push(' ');
                width += 1;
            }
            out.push_str(word);
            width += long.max(1);
        }
        out.push('\n');
    }
    out
}

/// Every line after `indent`; empty lines stay empty.
pub(super) fn indented(text: &str, indent: &str) -> String {
    let mut out = String::new();
    for line in text.trim_end().lines() {
        if !line.is_empty() {
            out.push_str(indent);
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaks_between_words_and_keeps_breaks() {
        assert_eq!(paragraph("a b\n\nc", "  "), "  a b\n  \n  c\n".replace("  \n", "  \n"));
        let long = "word ".repeat(40);
        assert!(paragraph(&long, "  ").lines().all(|l| l.len() <= WIDTH + 2));
        assert_eq!(indented("a {\n\n  b\n}\n", "  "), "  a {\n\n    b\n  }\n");
    }
}
