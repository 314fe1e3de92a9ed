//! The valid name that a mistyped one is most like.

use strsim::osa_distance;

/// Nobody mistypes a name of more letters than this in one letter; and a comparison takes the square of them.
const LONGEST: usize = 128;

/// The nearest of `names` to `word`, where it is near enough to be a slip: a third of the letters may differ, and one
/// always may, as long as another one is the same. The first of equally near ones.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    if letters > LONGEST {
        return None;
    }
    let limit = (letters / 3).max(1);
    let near = names.into_iter().filter(|name| name.chars().count().abs_diff(letters) <= limit);
    let ranked = near.map(|name| (osa_distance(word, name), name));
    let has_common = |name: &str| word.chars().any(|letter| name.contains(letter));
    ranked.filter(|(d, name)| *d <= limit && has_common(name)).min_by_key(|(d, _)| *d).map(|(_, name)| name)
}

/// The end of a sentence that asks if the nearest of `names` was meant; empty where none is near.
pub fn question<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, names).map_or_else(String::new, |near| format!(" Did you mean \"{near}\"?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_slips_only() {
        let names = ["universe", "bins", "fields", "replaces"];
        assert_eq!(nearest("univese", names), Some("universe"));
        assert_eq!(nearest("feilds", names), Some("fields"));
        assert_eq!(nearest("bin", names), Some("bins"));
        assert_eq!(nearest("colour", names), None);
        assert_eq!(nearest("p", ["q"]), None, "no letter is the same");
        assert_eq!(nearest("b", ["b2"]), Some("b2"));
        assert_eq!(nearest("ab", ["ba"]), Some("ba"), "neighbours that changed places are one slip");
        assert_eq!(nearest(&"x".repeat(LONGEST + 1), [&*"x".repeat(LONGEST)]), None);
    }
}
