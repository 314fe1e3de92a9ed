//! Quotes untrusted text for a shell command that is shown to be pasted.

use std::borrow::Cow;

/// Returns the text as one word of a shell's command line, in quotes only if it needs them.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(shell_quoted(text))
}

/// Returns a path as one word of a shell's command line that no program takes for an option.
pub fn shell_path(path: &str) -> Cow<'_, str> {
    if path.starts_with('-') {
        Cow::Owned(shell_word(&format!("./{path}")).into_owned())
    } else {
        shell_word(path)
    }
}

/// Returns a path as one word of a shell's command line that git takes for this path alone, and for no pattern.
pub fn git_path(path: &str) -> Cow<'_, str> {
    match path.contains(['*', '?', '[', '\\']) || path.starts_with(':') {
        true => Cow::Owned(shell_word(&format!(":(literal){path}")).into_owned()),
        false => shell_path(path),
    }
}

/// Returns the text as one word of a shell's command line, always in quotes.
pub fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_for_git_is_no_pattern() {
        assert_eq!(git_path("../m/main.tf"), "../m/main.tf");
        assert_eq!(git_path("mod*"), "':(literal)mod*'");
        assert_eq!(git_path(":(top)x"), "':(literal):(top)x'");
        assert_eq!(git_path("-x"), "./-x");
    }

    #[test]
    fn a_shell_reads_one_word() {
        for text in ["main.tf", "a/b-c", "-rf"] {
            assert_eq!(shell_word(text), text);
        }
        for text in ["", "a b", "$(touch x)", "`x`", "a;b", "ä\n#", "*", "~", "\\"] {
            assert_eq!(shell_word(text), format!("'{text}'"));
        }
        // In single quotes a shell takes everything as it is, but for the quote itself.
        assert_eq!(shell_word("a'; rm -rf ~; '"), r"'a'\''; rm -rf ~; '\'''");
        assert_eq!(shell_quoted("main.tf"), "'main.tf'");
        assert_eq!(
            (shell_path("-rf"), shell_path("a b"), shell_path("a")),
            ("./-rf".into(), "'a b'".into(), "a".into())
        );
    }
}
