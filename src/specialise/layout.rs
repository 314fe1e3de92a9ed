//! Text without its layout: what `terraform fmt` may change and nothing else.
//!
//! In: a text, or a piece of one that begins outside of strings and comments. Out: the same without spaces and tabs between
//! tokens. Invariant: whatever stands in strings, heredocs and comments stays as it is, so that two
//! texts with one form differ in nothing that anybody typed but layout. Absent: the rewritings of `fmt` that change tokens.

/// A text without layout.
pub(super) struct Form {
    /// The text.
    pub text: String,
}

/// The construct around a byte.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Within {
    /// A quoted template.
    Quotes,
    /// An interpolation in one, or braces in that.
    Braces,
    /// A comment between `/*` and `*/`.
    Comment,
    /// A heredoc up to this word.
    Heredoc(String),
}

impl Form {
    /// The form of a text.
    pub fn of(text: &str) -> Form {
        let mut form = Form { text: String::with_capacity(text.len()) };
        let mut within: Vec<Within> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            match within.last() {
                Some(Within::Heredoc(word)) => {
                    let last = line.trim() == word;
                    form.push(text, at, end, last);
                    if last {
                        within.pop();
                    }
                }
                _ => form.line(text, (at, end), &mut within),
            }
            at = end;
        }
        form
    }

    /// Handles a line outside of heredocs.
    fn line(&mut self, text: &str, (start, end): (usize, usize), within: &mut Vec<Within>) {
        let mut at = start;
        while at < end {
            let tail = text.get(at..end).unwrap_or_default();
            let Some(c) = tail.chars().next() else { return };
            let starts = |with: &str| tail.starts_with(with);
            let mut length = c.len_utf8();
            let layout = within.is_empty();
            match within.last() {
                Some(Within::Quotes) => match c {
                    '\\' => length += tail.chars().nth(1).map_or(0, char::len_utf8),
                    '"' => drop(within.pop()),
                    _ if starts("$${") || starts("%%{") => length = 3,
                    _ if starts("${") || starts("%{") => {
                        length = 2;
                        within.push(Within::Braces);
                    }
                    _ => {}
                },
                Some(Within::Comment) => {
                    if starts("*/") {
                        length = 2;
                        within.pop();
                    }
                }
                inner => match c {
                    '"' => within.push(Within::Quotes),
                    '{' if inner.is_some() => within.push(Within::Braces),
                    '}' if inner.is_some() => drop(within.pop()),
                    _ if starts("#") || starts("//") => {
                        let own = tail.trim_end().len();
                        self.push(text, at, at + own, false);
                        return self.push(text, at + own, end, true);
                    }
                    _ if starts("/*") => {
                        length = 2;
                        within.push(Within::Comment);
                    }
                    _ if starts("<<") => {
                        self.push(text, at, end, layout);
                        let word = tail.trim_start_matches('<').trim_start_matches('-').trim();
                        return within.push(Within::Heredoc(word.to_owned()));
                    }
                    _ => {}
                },
            }
            self.push(text, at, (at + length).min(end), layout);
            at += length;
        }
    }

    /// Adds a part of the text, without its spaces where they are layout.
    fn push(&mut self, text: &str, from: usize, to: usize, layout: bool) {
        for c in text.get(from..to).unwrap_or_default().chars() {
            if layout && matches!(c, ' ' | '\t' | '\r') {
                continue;
            }
            self.text.push(c);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Form;

    #[test]
    fn layout_alone_goes() {
        let form = |text: &str| Form::of(text).text;
        assert_eq!(form("a   = 1\n\tb = [ 2 ]  \r\n"), "a=1\nb=[2]\n");
        assert_eq!(form("a = \"x  y ${ z }\\\"  \"  # why  so \n"), "a=\"x  y ${ z }\\\"  \"# why  so\n");
        assert_eq!(form("a = <<-EOT\n  x  y\n  EOT\nb  = 1\n"), "a=<<-EOT\n  x  y\nEOT\nb=1\n");
        assert_ne!(form("a = \"x y\""), form("a = \"x  y\""));
        assert_ne!(form("# a b"), form("# ab"));
        for exact in ["\"${x[\"a  b\"]}  c\"\n", "/* a\n  b \"  */", "\"$${  x\"", "\"%{ if x }  {  } \""] {
            assert_eq!(form(exact), exact);
        }
        assert_eq!(form("a = \"${ { b = \"}\" }  }\"  + 1"), "a=\"${ { b = \"}\" }  }\"+1");
    }
}
