//! Whether a text is what a merge made of two others, told by its lines.
//!
//! In: a text, perhaps with conflict markers, and the three that were merged. Out: whether it can be their merge, with nothing typed into it.
//! Programs that merge align lines each in its own way, and mark others; what they agree on is how often a line stands in the result.
//! Invariant: a line that no side has, or that a side added and that is missing, is somebody's doing. Absent on purpose: lines without a
//! letter or a digit, and the order of lines.

use rustc_hash::FxHashMap;

/// The texts that a merge puts together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MergedTexts<'t> {
    /// The last one in common.
    pub base: &'t str,
    /// The one that was checked out.
    pub ours: &'t str,
    /// The one that comes in.
    pub theirs: &'t str,
}

/// How often a line stands in each text.
#[derive(Clone, Copy, Default)]
struct Counts {
    base: i64,
    ours: i64,
    theirs: i64,
    made: i64,
}

impl MergedTexts<'_> {
    /// Returns true if a text can be their merge. Where lines are marked, each side's choice of all of them is looked at.
    pub fn can_make(&self, text: &str) -> bool {
        if !is_marked(text) {
            return self.count_lines(text).values().all(Counts::is_merged);
        }
        let (ours, theirs) = resolve_each_way(text);
        let swapped = MergedTexts { ours: self.theirs, theirs: self.ours, ..*self };
        self.count_lines(&ours).values().all(Counts::is_chosen)
            && swapped.count_lines(&theirs).values().all(Counts::is_chosen)
    }

    fn count_lines<'s>(&'s self, made: &'s str) -> FxHashMap<&'s str, Counts> {
        let mut all: FxHashMap<&str, Counts> = FxHashMap::default();
        let mut add = |text: &'s str, one: fn(&mut Counts) -> &mut i64| {
            for line in text.lines().filter(|line| line.contains(char::is_alphanumeric)) {
                *one(all.entry(line).or_default()) += 1;
            }
        };
        add(self.base, |counts| &mut counts.base);
        add(self.ours, |counts| &mut counts.ours);
        add(self.theirs, |counts| &mut counts.theirs);
        add(made, |counts| &mut counts.made);
        all
    }
}

impl Counts {
    /// The count where both sides' changes are made one after the other. Where both make the same one, it is made once.
    fn with_both(&self) -> i64 {
        self.ours + self.theirs - self.base
    }

    fn is_merged(&self) -> bool {
        let all = [self.ours, self.theirs, self.with_both()];
        match (self.ours == self.base, self.theirs == self.base) {
            (_, true) => self.made == self.ours,
            (true, _) => self.made == self.theirs,
            _ => all.iter().min() <= Some(&self.made) && Some(&self.made) <= all.iter().max(),
        }
    }

    /// Returns true if this can be the count where all that is marked is decided for our side. The other side's changes are made in part.
    fn is_chosen(&self) -> bool {
        let both = self.with_both();
        (self.ours.min(both)..=self.ours.max(both)).contains(&self.made)
    }
}

fn is_marked(text: &str) -> bool {
    text.lines().any(|line| line.starts_with("<<<<<<<"))
}

/// What both sides would have, were all conflicts in a text decided for one of them.
fn resolve_each_way(marked: &str) -> (String, String) {
    let (mut ours, mut theirs) = (String::new(), String::new());
    let (mut in_ours, mut in_theirs) = (true, true);
    for line in marked.split_inclusive('\n') {
        (in_ours, in_theirs) = match line.get(..7) {
            Some("<<<<<<<") => (true, false),
            Some("|||||||") => (false, false),
            Some("=======") => (false, true),
            Some(">>>>>>>") => (true, true),
            _ => {
                ours.push_str(if in_ours { line } else { "" });
                theirs.push_str(if in_theirs { line } else { "" });
                continue;
            }
        };
    }
    (ours, theirs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BASE: &str = "a\nb = 1\nc\nd = 1\ne\n";
    const OURS: &str = "a\nb = 2\nc\nd = 2\ne\nours\n";
    const THEIRS: &str = "theirs\na\nb = 3\nc\nd = 3\ne\n";

    fn can_make(text: &str) -> bool {
        MergedTexts { base: BASE, ours: OURS, theirs: THEIRS }.can_make(text)
    }

    #[test]
    fn whatever_is_marked_is_a_merge() {
        let one =
            "theirs\na\n<<<<<<< ours\nb = 2\nc\nd = 2\n=======\nb = 3\nc\nd = 3\n>>>>>>> theirs\ne\nours\n";
        let two = "theirs\na\n<<<<<<< HEAD\nb = 2\n||||||| base\nb = 1\n=======\nb = 3\n>>>>>>> b1\nc\n<<<<<<< HEAD\nd = 2\n=======\nd = 3\n>>>>>>> b1\ne\nours\n";
        assert!(can_make(one) && can_make(two));
        let whole = format!("<<<<<<< ours\n{OURS}=======\n{THEIRS}>>>>>>> theirs\n");
        assert!(can_make(&whole));
        let half = two.replacen(
            "<<<<<<< HEAD\nb = 2\n||||||| base\nb = 1\n=======\nb = 3\n>>>>>>> b1\n",
            "b = 2\n",
            1,
        );
        assert!(!can_make(&half), "one of two is decided");
        assert!(!can_make(&one.replace("e\n", "e\ntyped\n")), "somebody typed");
        assert!(!can_make(&one.replace("b = 2\n", "b = 4\n")), "somebody typed");
        assert!(!can_make(&one.replace("theirs\na", "a")), "somebody took a line away");
    }

    #[test]
    fn what_is_not_marked_is_the_merge_of_all_changes() {
        let texts =
            MergedTexts { base: BASE, ours: "a\nb = 2\nc\nd = 1\ne\n", theirs: "a\nb = 1\nc\nd = 3\n" };
        assert!(texts.can_make("a\nb = 2\nc\nd = 3\n"));
        for other in
            ["a\nb = 2\nc\nd = 1\ne\n", "a\nb = 2\nc\nd = 3\ne\n", "a\nb = 2\nc\nd = 3\ntyped\n", BASE]
        {
            assert!(!texts.can_make(other), "{other}");
        }
        // Both add the same.
        let texts = MergedTexts { base: "a\n", ours: "a\nb\n", theirs: "a\nb\n" };
        assert!(texts.can_make("a\nb\n") && !texts.can_make("a\n"));
    }
}
