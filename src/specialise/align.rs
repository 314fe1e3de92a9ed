//! Alignment of `=` in the lines of a block that were touched, as `terraform fmt` does it.

/// Realigns each run of consecutive single-line arguments at the outermost level of a block's text.
///
/// Blank lines, comments, nested blocks and values over several lines end a run; an argument with such a value is aligned with
/// no other. A heredoc is the last of its run, and what stands in it is no argument.
pub fn block(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
    let mut depth = 0i32;
    let mut run: Vec<usize> = Vec::new();
    let mut heredoc: Option<&str> = None;
    for (i, line) in lines.iter().enumerate() {
        if let Some(end) = heredoc {
            heredoc = (line.trim() != end).then_some(end);
            continue;
        }
        heredoc = heredoc_of(line);
        let before = depth;
        depth += balance(line);
        if before == 1 && depth == 1 && argument(line).is_some() {
            run.push(i);
            if heredoc.is_none() {
                continue;
            }
        }
        align(&mut out, &run);
        run.clear();
        if before == 1 && depth > 1 {
            align(&mut out, &[i]);
        }
    }
    align(&mut out, &run);
    out.concat()
}

/// A text whose lines begin with `from`, with `to` in its place but in the first line and where a heredoc keeps its indentation.
pub fn moved(text: &str, from: &str, to: &str) -> String {
    let mut out = String::new();
    let mut heredoc: Option<(&str, bool)> = None;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let fixed = heredoc.is_some_and(|(_, fixed)| fixed);
        match line.strip_prefix(from) {
            Some(rest) if at > 0 && !fixed && !line.trim().is_empty() => out.push_str(&format!("{to}{rest}")),
            _ => out.push_str(line),
        }
        heredoc = match heredoc {
            Some((end, _)) if line.trim() == end => None,
            Some(open) => Some(open),
            None => heredoc_of(line).map(|end| (end, !line.contains("<<-"))),
        };
    }
    out
}

fn align(lines: &mut [String], run: &[usize]) {
    let width = |l: &String| argument(l).map(|(name, _)| name.chars().count());
    let Some(widest) = run.iter().filter_map(|i| lines.get(*i).and_then(width)).max() else { return };
    for i in run {
        let Some(line) = lines.get_mut(*i) else { continue };
        let Some((name, value)) = argument(line) else { continue };
        let pad = widest
            - name.trim_start().chars().count()
            - (name.chars().count() - name.trim_start().chars().count());
        *line = format!("{name}{} = {value}", " ".repeat(pad));
    }
}

/// Indentation with name, and what follows the `=` (line ending included), of a line that is one argument.
fn argument(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end();
    let bare = name.trim_start();
    let valid = bare.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) && !bare.is_empty();
    let value = value.trim_start_matches([' ', '\t']);
    (valid && !value.starts_with(['=', '>'])).then_some((name, value))
}

/// The word that ends the heredoc which a line begins.
fn heredoc_of(line: &str) -> Option<&str> {
    let (front, word) = line.rsplit_once("<<")?;
    let word = word.strip_prefix('-').unwrap_or(word).trim();
    let valid = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    let first = word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (first && word.chars().all(valid) && !each_plain(front, |_| {})).then_some(word)
}

/// Visits the characters of a text that stand in no string and no comment. Returns true if it ends within one.
fn each_plain(text: &str, mut visit: impl FnMut(char)) -> bool {
    let mut chars = text.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => {
                chars.next();
            }
            '"' => quoted = !quoted,
            _ if quoted => {}
            '#' => return true,
            '/' if chars.peek() == Some(&'/') => return true,
            _ => visit(c),
        }
    }
    quoted
}

/// Returns the number of brackets that a line opens minus those that it closes, without strings and comments.
fn balance(line: &str) -> i32 {
    let mut depth = 0;
    each_plain(line, |c| match c {
        '{' | '[' | '(' => depth += 1,
        '}' | ']' | ')' => depth -= 1,
        _ => {}
    });
    depth
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_aligned_and_others_left() {
        let text = "module \"a\" {\n  count = x ? 1 : 0\n  instance_class = local.c\n\n  b = 1\n  tags = {\n    k = 2\n  }\n}";
        let want = "module \"a\" {\n  count          = x ? 1 : 0\n  instance_class = local.c\n\n  b = 1\n  tags = {\n    k = 2\n  }\n}";
        assert_eq!(block(text), want);
        assert_eq!(block(want), want);
    }

    #[test]
    fn a_value_over_several_lines_stands_alone() {
        let text =
            "module \"a\" {\n  for_each = {\n    a = 1\n  }\n  bb       = 2\n  c        = [\n    1]\n}";
        let want = "module \"a\" {\n  for_each = {\n    a = 1\n  }\n  bb = 2\n  c = [\n    1]\n}";
        assert_eq!(block(text), want);
        assert_eq!(
            block("module \"a\" {\n  dynamic \"b\" {\n  }\n}"),
            "module \"a\" {\n  dynamic \"b\" {\n  }\n}"
        );
    }

    #[test]
    fn what_stands_in_a_heredoc_stays() {
        let text = "module \"a\" {\n  b = 1\n  long = <<-EOT\n    a = 1\n    bbb = {\n  EOT\n  c = 2\n  dd = \"<<EOT\"\n  e = 1 # <<EOT\n}";
        let want = "module \"a\" {\n  b    = 1\n  long = <<-EOT\n    a = 1\n    bbb = {\n  EOT\n  c  = 2\n  dd = \"<<EOT\"\n  e  = 1 # <<EOT\n}";
        assert_eq!(block(text), want);
    }
}
