//! The comment above what was specialised: `# phi: FIELDS — gate: GATE — trace: PLACES — compiler: VERSION`.
//!
//! The form is a public contract. Invariant: one line that a reviewer can read. What a long line would list stands in the record,
//! whole. Absent: where the comment goes.

use crate::addr::FieldAddr;
use crate::specialise::unit::{Joint, Unit};
use crate::text::{Edit, one_line};
use crate::value::hcl;

/// A longer gate is said by the values that it stands for.
const LONGEST_GATE: usize = 120;

/// A longer value is cut.
const LONGEST_VALUE: usize = 40;

/// The number of fields and places that are named. Further ones are counted.
const MOST_NAMED: usize = 3;

/// The comment's text on a field that has one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::specialise) struct Told {
    /// The field, as comments name it.
    pub field: String,
    /// The place of its definition.
    pub place: String,
    /// The version that decided.
    pub version: String,
}

/// A field as comments name it: `engine_version (aws_db_instance.app)`.
pub(in crate::specialise) fn field(field: &FieldAddr) -> String {
    format!("{} ({})", field.path, field.target)
}

/// The comment.
pub(in crate::specialise) fn line(fields: &[String], gate: &str, places: &[String], version: &str) -> String {
    let mut places = places.to_vec();
    places.dedup();
    let text = format!(
        "# phi: {} — gate: {gate} — trace: {} — compiler: {version}",
        few(fields, ", "),
        few(&places, ", ")
    );
    // A folder's name may hold a line break, and what follows it would be configuration.
    one_line(&text).into_owned()
}

/// Returns true if an edit does nothing but insert the comment above something that stays one.
pub(in crate::specialise) fn is_inserted(edit: &Edit) -> bool {
    edit.span.is_empty() && edit.text.starts_with("# phi: ") && edit.text.trim_end().lines().count() == 1
}

/// The comment above fields that have one value each; nothing where there are none.
pub(in crate::specialise) fn resolved(told: &[&Told]) -> Option<String> {
    let version = &told.first()?.version;
    let of = |part: &dyn Fn(&Told) -> &String| told.iter().map(|t| part(t).clone()).collect::<Vec<_>>();
    let always = "Existing(true)";
    Some(line(&of(&|t| &t.field), always, &of(&|t| &t.place), version))
}

/// The gate of a branch as its comment says it: `shown`, or the values where that is too long to be read.
pub(in crate::specialise) fn gate(unit: &Unit<'_>, branch: Option<&Joint>, shown: String) -> String {
    let Some(branch) = branch.filter(|_| shown.chars().count() > LONGEST_GATE) else { return shown };
    let mut parts: Vec<String> = Vec::new();
    for (target, chosen) in unit.targets.iter().zip(&branch.values) {
        let value = hcl::to_hcl(&chosen.branch.value).unwrap_or_default();
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        let part = format!("{} == {}", target.driven.field.path, cut(&value));
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    few(&parts, " && ")
}

fn few(parts: &[String], between: &str) -> String {
    let named: Vec<&str> = parts.iter().take(MOST_NAMED).map(String::as_str).collect();
    let more = parts.len().saturating_sub(MOST_NAMED);
    let end = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{end}", named.join(between))
}

fn cut(text: &str) -> String {
    if text.chars().count() <= LONGEST_VALUE {
        return text.to_owned();
    }
    text.chars().take(LONGEST_VALUE).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use crate::specialise::written::comment::*;

    #[test]
    fn what_is_too_long_is_counted() {
        let all = |n: usize| (0..n).map(|i| format!("f{i} (t.a)")).collect::<Vec<_>>();
        let text = line(&all(5), "Existing(var.a)", &["a.tf:1-2".into(), "a.tf:1-2".into()], "tf-phi 1");
        let want = "# phi: f0 (t.a), f1 (t.a), f2 (t.a) and 2 more — gate: Existing(var.a) — trace: a.tf:1-2 — compiler: tf-phi 1";
        assert_eq!(text, want);
        assert_eq!(line(&all(1), "a\nb", &[], "v").lines().count(), 1);
        assert_eq!(cut(&"é".repeat(41)), format!("{}…", "é".repeat(40)));
    }
}
