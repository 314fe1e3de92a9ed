//! Alignment of `=` in the lines of a block that were touched, as `terraform fmt` does it.

/// Realigns each run of consecutive single-line arguments at the outermost level of a block's text.
///
/// Only runs that are more than one line are looked at; blank lines, comments, nested blocks and values over several
/// lines end a run.
pub fn block(text: &str) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut out: Vec<String> = lines.iter().map(|l| (*l).to_owned()).collect();
    let mut depth = 0i32;
    let mut run: Vec<usize> = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let before = depth;
        depth += balance(line);
        if before == 1 && depth == 1 && argument(line).is_some() {
            run.push(i);
        } else {
            align(&mut out, &run);
            run.clear();
        }
    }
    align(&mut out, &run);
    out.concat()
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
    (valid && !value.starts_with(['=', '>']) && !value.starts_with("<<")).then_some((name, value))
}

/// Returns the number of brackets that a line opens minus those that it closes, without strings and comments.
fn balance(line: &str) -> i32 {
    let mut depth = 0;
    let mut chars = line.chars().peekable();
    let mut quoted = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if quoted => {
                chars.next();
            }
            '"' => quoted = !quoted,
            '#' if !quoted => break,
            '/' if !quoted && chars.peek() == Some(&'/') => break,
            '{' | '[' | '(' if !quoted => depth += 1,
            '}' | ']' | ')' if !quoted => depth -= 1,
            _ => {}
        }
    }
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
}
