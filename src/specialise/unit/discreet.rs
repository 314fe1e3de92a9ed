//! What may be written of a choice: gates and guards stand in files that are committed, and hold no secret.
//!
//! In: proved gates and guards, and who knows what a secret may be. Out: an issue for those that would hold one. Absent on purpose: what is secret.

use crate::addr::FieldAddr;
use crate::issue::{Code, Issue};
use crate::specialise::record::request::Discretion;
use crate::text::Place;
use crate::trace::{Guard, Subject};

/// Driven fields that are decided together, with the place of the first.
pub struct Fields<'t> {
    /// The fields.
    pub all: Vec<&'t FieldAddr>,
    /// The place of the first.
    pub at: Option<Place>,
}

impl Fields<'_> {
    fn names(&self) -> String {
        let all: Vec<String> = self.all.iter().map(|field| field.plain().to_string()).collect();
        all.join(", ")
    }

    /// An issue about the first of them.
    fn issue(&self, summary: String, why: String) -> Issue {
        let issue = Issue::error(Code::Sensitive, summary, why).at(self.at);
        match self.all.first() {
            Some(first) => issue.about(first.to_string()),
            None => issue,
        }
    }
}

/// Fields whose gates would hold a secret.
pub fn secret_gate(fields: &Fields<'_>) -> Issue {
    let summary = format!("{} can't be specialised", fields.names());
    let why = "What chooses its value is compared with something that a secret has a part in, as with a key of a map that is made of \
        secrets. That comparison would be written into a file, with the secret in clear.";
    with_ways_out(fields.issue(summary, why.to_owned()))
}

/// Fields for which something is held to values that hold a secret.
fn secret_guard(fields: &Fields<'_>, guard: &Guard) -> Issue {
    let summary = match fields.all.is_empty() {
        true => format!("{} can't be held to the values that are specialised", named(guard)),
        false => format!("{} can't be specialised", fields.names()),
    };
    let why = format!(
        "A rule would have to hold {} to the values that are specialised, and a secret has a part in these. The rule would be written \
         into a file, with the secret in clear.",
        named(guard)
    );
    with_ways_out(fields.issue(summary, why))
}

fn named(guard: &Guard) -> String {
    match &guard.subject {
        Subject::Variable(name) => format!("var.{name}"),
        Subject::Data(attribute) => attribute.to_string(),
        Subject::Workspace => crate::trace::WORKSPACE.to_owned(),
    }
}

fn with_ways_out(issue: Issue) -> Issue {
    issue
        .fix("Choose it by something that no secret has a part in: a variable of its own, or a map with other keys.", "")
        .fix("Where the keys are no secrets, say so where the map is made:", "{ for u in var.users : nonsensitive(u.name) => u.size }")
        .fix("Or take the field out of the `specialize` block in `phi.hcl`: it stays the expression that it is.", "")
}

/// The guards that fields need, where none of them holds a secret.
///
/// # Errors
/// One that does.
pub fn allowed(
    discretion: &dyn Discretion,
    fields: &Fields<'_>,
    guards: Vec<Guard>,
) -> Result<Vec<Guard>, Box<Issue>> {
    match guards.iter().find(|guard| discretion.tells_in_guard(&fields.all, guard)) {
        Some(guard) => Err(Box::new(secret_guard(fields, guard))),
        None => Ok(guards),
    }
}
