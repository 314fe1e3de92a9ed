//! What is said where a copy's text means something else than what it stands for.

use crate::issue::{Code, Issue};
use crate::text::Place;

/// Returns the issue for a text that means something else in a copy.
pub(super) fn misread(place: Place) -> Issue {
    let why = "The text that a copy would have here was read back and evaluated, and its value is another one. Nothing is written.";
    Issue::error(Code::Fault, "tf-phi would write something else than what stands here", why).at(place).fix(
        "Please report it, with the expression. Until it is mended, take the pin away that leads here.",
        "",
    )
}
