//! Long lists in one sentence.

/// Lists the first of some names, and tells how many more there are.
pub fn list_first(all: &[String], most: usize) -> String {
    let named = all.get(..most).unwrap_or(all).join(", ");
    match all.len().saturating_sub(most) {
        0 => named,
        more => format!("{named}, and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_counted() {
        let all = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list_first(&all, 3), "a, b, c");
        assert_eq!(list_first(&all, 1), "a, and 2 more");
        assert_eq!(list_first(&[], 1), "");
    }
}
