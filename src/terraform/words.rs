//! The splitting of `TF_CLI_ARGS` into words, as Terraform does it.
//!
//! Terraform uses mattn/go-shellwords without variables and command substitution: blanks separate, single
//! quotes keep everything, elsewhere a backslash keeps the next character. What releases of that library treat
//! differently, or what cuts the line off silently (an unquoted `;`), is refused rather than guessed.

/// Splits a line into words.
///
/// # Errors
/// One sentence on the form that is refused.
pub(super) fn split(line: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some('\''), c) if c != '\'' => word.get_or_insert_default().push(c),
            (_, '\\') => match chars.next() {
                Some(next @ ('n' | 't')) => {
                    return Err(format!("releases of Terraform differ on `\\{next}`; use single quotes"));
                }
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err("it ends in a backslash".to_owned()),
            },
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (Some(open), c) if c == open => quote = None,
            (None, ' ' | '\t' | '\r' | '\n') => words.extend(word.take()),
            (None, '`' | '(' | ')' | ';' | '&' | '|' | '<' | '>') => {
                return Err(format!(
                    "an unquoted `{c}` is not taken literally by Terraform; put it in quotes"
                ));
            }
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_owned());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn as_terraform_splits() {
        // Each was seen on Terraform 1.11.4 with TF_CLI_ARGS_plan="-var x=…".
        for (line, words) in [
            (r"a\b", &["ab"][..]),
            (r#""a\b""#, &["ab"]),
            (r"'a\b'", &[r"a\b"]),
            (r#""q\"uote""#, &["q\"uote"]),
            (r#""it's" 'a"b'"#, &["it's", "a\"b"]),
            (r#""a b"c"#, &["a bc"]),
            (r"a\ b", &["a b"]),
            ("a#b $HOME $$", &["a#b", "$HOME", "$$"]),
            (r#"x="" ''"#, &["x=", ""]),
            (r#""`x`" "a;b|(c)""#, &["`x`", "a;b|(c)"]),
            ("  -var\t'a = 1'\n-input=false ", &["-var", "a = 1", "-input=false"]),
            ("", &[]),
        ] {
            assert_eq!(split(line).unwrap(), words, "{line}");
        }
        for line in ["'a", "\"a", "a\\", "a;b", "a`b`", "$(a)", r#""\n""#, "a > b"] {
            assert!(split(line).is_err(), "{line}");
        }
    }
}
