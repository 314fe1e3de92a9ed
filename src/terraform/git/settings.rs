//! Git's files of configuration: the names and values in them.
//!
//! In: the bytes of a file. Out: each name in lower case, and its value. Sections count for nothing. Absent on purpose: what a value means.

/// The names and values of a file of configuration, as far as git could read it.
pub(super) fn values(text: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut at = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    while let Some((first, rest)) = at.split_first() {
        at = match first {
            b'[' => after_section(rest),
            b'#' | b';' => after_line(rest),
            b if b.is_ascii_alphabetic() => {
                let end =
                    at.iter().position(|b| !(b.is_ascii_alphanumeric() || *b == b'-')).unwrap_or(at.len());
                let (name, rest) = at.split_at(end);
                let blanks = rest.iter().position(|b| !matches!(b, b' ' | b'\t')).unwrap_or(rest.len());
                match rest.get(blanks..).and_then(|rest| rest.strip_prefix(b"=")) {
                    Some(rest) => {
                        let (value, rest) = value_of(rest);
                        found.push((String::from_utf8_lossy(name).to_ascii_lowercase(), value));
                        rest
                    }
                    None => rest,
                }
            }
            _ => rest,
        };
    }
    found
}

/// What is behind the head of a section, which may hold quotes and escapes.
fn after_section(text: &[u8]) -> &[u8] {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'\n' => return text.get(at..).unwrap_or_default(),
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b']' if !is_quoted => return text.get(at + 1..).unwrap_or_default(),
            _ => {}
        }
    }
    &[]
}

fn after_line(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|b| *b == b'\n').unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

/// The value at the beginning of a text, to the end of its line, and what is behind it.
fn value_of(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut value: Vec<u8> = Vec::new();
    // Blanks at the end count for nothing, those in quotes apart.
    let mut kept = 0;
    let mut is_quoted = false;
    let mut bytes = text.iter().enumerate();
    let mut end = text.len();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\n' => {
                end = at;
                break;
            }
            b'#' | b';' if !is_quoted => {
                let rest = after_line(text.get(at..).unwrap_or_default());
                end = text.len() - rest.len();
                break;
            }
            b'"' => {
                is_quoted = !is_quoted;
                kept = value.len();
            }
            b'\\' => match bytes.next() {
                // The line goes on in the next one.
                Some((_, b'\n')) | None => {}
                Some((at, b'\r')) if text.get(at + 1) == Some(&b'\n') => drop(bytes.next()),
                Some((_, escaped)) => {
                    value.push(match escaped {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'b' => 8,
                        other => *other,
                    });
                    kept = value.len();
                }
            },
            b' ' | b'\t' | b'\r' if !is_quoted && value.is_empty() => {}
            blank @ (b' ' | b'\t' | b'\r') if !is_quoted => value.push(*blank),
            other => {
                value.push(*other);
                kept = value.len();
            }
        }
    }
    value.truncate(kept);
    (value, text.get(end..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_git_reads_them() {
        for (text, value) in [
            ("[include]\n\tpath = /dev/zero\n", "/dev/zero"),
            ("[include]path=/dev/zero", "/dev/zero"),
            ("[includeIf \"gitdir:a=b]\\\"]\"] path = /dev/zero ; c", "/dev/zero"),
            ("[include] # c\n path = /dev/\\\nzero\n", "/dev/zero"),
            ("[include]\r\npath = \"a#b\" \r\n", "a#b"),
            ("[include]\npath = a\"b c \"\n", "ab c "),
            ("[include]\npath = a b  # c\n", "a b"),
            ("[a]\nflag\nPATH = x\n", "x"),
        ] {
            let found = values(text.as_bytes());
            assert_eq!(found, [("path".to_owned(), value.as_bytes().to_vec())], "{text}");
        }
    }
}
