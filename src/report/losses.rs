//! The objects that a plan destroys or replaces, for people.

use super::Style;
use super::summary::{Detail, cut, end_of, length, rest, shown};
use super::wrap::flat;

/// The number of objects shown.
const MOST: usize = 12;

/// The act by which a plan destroys an object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Act {
    /// It goes.
    Destroyed,
    /// It goes, and another one comes.
    Replaced,
}

/// An object that a plan destroys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Its address in the original.
    pub address: String,
    /// The act.
    pub act: Act,
    /// The reason; empty if it isn't known.
    pub why: String,
}

/// The text; lines of at most `width` characters, if there is a limit, and no more than a screen unless everything is asked for.
pub fn text(losses: &[Loss], detail: Detail, width: Option<usize>, style: Style) -> String {
    let width = width.unwrap_or(usize::MAX);
    let (some, more) = shown(losses, if detail == Detail::Verbose { usize::MAX } else { MOST });
    let longest = some.iter().map(|l| length(&l.address)).max().unwrap_or(0);
    let address = longest.min(width / 2);
    let mut out =
        format!("{} this plan destroys or replaces specialised objects:\n", style.strong("tf-phi:"));
    for loss in some {
        let (act, painted) = match loss.act {
            Act::Destroyed => ("destroyed", style.removed("destroyed")),
            Act::Replaced => ("replaced ", style.warning("replaced") + " "),
        };
        let name = end_of(&loss.address, address);
        let why = cut(&flat(&loss.why), width.saturating_sub(address + length(act) + 6));
        out.push_str(format!("  {painted}  {name:address$}  {why}").trim_end());
        out.push('\n');
    }
    out.push_str(&rest(more, "object", "the plan above has all"));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(address: &str, act: Act, why: &str) -> Loss {
        Loss { address: address.to_owned(), act, why: why.to_owned() }
    }

    #[test]
    fn destroyed_and_replaced() {
        let why = "engine_version: \"14.9\" → \"15.4\", since var.customer_env == \"prod\"";
        let all = [
            loss("module.cache[\"k\"].aws_x.y", Act::Destroyed, "for_each has no such key any more"),
            loss("module.database.aws_db_instance.app", Act::Replaced, why),
        ];
        let wide = "tf-phi: this plan destroys or replaces specialised objects:\n\
                    \x20 destroyed  module.cache[\"k\"].aws_x.y            for_each has no such key any more\n\
                    \x20 replaced   module.database.aws_db_instance.app  engine_version: \"14.9\" → \"15.4\", since \
                    var.customer_env == \"prod\"\n";
        assert_eq!(text(&all, Detail::Normal, Some(140), Style::Plain), wide);
        let narrow = text(&all, Detail::Normal, Some(80), Style::Plain);
        assert!(narrow.lines().all(|l| l.chars().count() <= 80), "{narrow}");
        assert!(narrow.ends_with("engine_version: \"14.9\" → \"15.…\n"), "{narrow}");
        let coloured = text(&all, Detail::Normal, Some(140), Style::Coloured);
        assert!(coloured.contains("  \u{1b}[31mdestroyed\u{1b}[39m  module.cache"), "{coloured:?}");
        let many: Vec<Loss> = (0..30).map(|i| loss(&format!("a.b{i}"), Act::Destroyed, "")).collect();
        let shown = text(&many, Detail::Normal, Some(80), Style::Plain);
        assert!(
            shown.lines().count() <= 20
                && shown.ends_with("  and 18 more objects (the plan above has all)\n")
        );
        assert_eq!(text(&many, Detail::Verbose, None, Style::Plain).lines().count(), 31);
    }
}
