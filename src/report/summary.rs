//! The changes of a run to the tree and the moves of state, printed before Terraform starts.
//!
//! In: what was decided and written, as data. Out: one line per unit, and no more than a screen. Invariants: no line is wider
//! than the stream; what is cut has `…` in its place; what is left out is counted. Absent on purpose: reading files or state.

use super::Style;
use super::wrap::flat;
use crate::text::shorten_apart;

/// The number of units shown.
const MOST_UNITS: usize = 12;
/// The number of moves shown.
const MOST_MOVES: usize = 6;
/// A longer value is cut to this number of characters.
const VALUE: usize = 40;
/// A condition with less room than this is left out.
const LEAST_CONDITION: usize = 16;
/// The characters that the values of a unit take where no line has a limit.
const LOG: usize = 100;
/// A value is never cut below this length to make room for its condition.
const LEAST_VALUE: usize = 6;

/// The files that a run wrote, the units that it specialised, and the moves in state.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The number of specialised fields.
    pub fields: usize,
    /// The files that were written, without tf-phi's own records.
    pub written: Vec<String>,
    /// The files that were removed.
    pub removed: Vec<String>,
    /// True if a record of tf-phi's own that stays changed.
    pub has_records: bool,
    /// The specialised units.
    pub units: Vec<Unit>,
    /// Moves of objects in state: from, to.
    pub moves: Vec<(String, String)>,
    /// The fate of the files after the run.
    pub aftermath: Aftermath,
}

/// The fate of the written files after the run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Aftermath {
    /// They stay, and nobody has to be told how to look at them.
    #[default]
    Silent,
    /// They stay, and a person may want to look at them or to undo them.
    Stay,
    /// They are put back once Terraform has ended.
    PutBack,
}

/// A module call or resource that is specialised.
#[derive(Clone, Debug)]
pub struct Unit {
    /// Its address in the original.
    pub address: String,
    /// The driven fields.
    pub fields: Vec<String>,
    /// The values of the fields.
    pub branches: Vec<Branch>,
}

/// One value of the driven fields.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The values as HCL, in the order of the fields.
    pub values: Vec<String>,
    /// Tells if this run takes it.
    pub active: Active,
}

/// The relation of this run to a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Active {
    /// It is the only one.
    Always,
    /// It is this run's, and the next one may have another.
    ThisRun,
    /// For every instance of the unit, by this condition.
    When(String),
    /// For the first number of instances, of the second.
    Partly(usize, usize),
    /// For no instance, or it isn't known.
    No,
}

/// The amount of output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Detail {
    /// Only what is wrong.
    Quiet,
    /// A screen.
    #[default]
    Normal,
    /// Everything.
    Verbose,
}

/// The text; lines of at most `width` characters, if there is a limit and not everything is asked for. Without one, addresses are whole, and
/// so many values are told as in `LOG` characters.
pub fn text(summary: &Summary, detail: Detail, width: Option<usize>, style: Style) -> String {
    let whole = detail == Detail::Verbose;
    let changed = !summary.written.is_empty() || !summary.removed.is_empty();
    let width = width.filter(|_| !whole).map_or(usize::MAX, |width| width.max(LEAST_CONDITION));
    let fit = Fit { width, values: if whole || width < usize::MAX { width } else { LOG }, style };
    let most = |most: usize| if whole { usize::MAX } else { most };
    let mut out = head(summary, changed, fit);
    let units: &[Unit] = if changed || whole { &summary.units } else { &[] };
    let (units, more_units) = shown(units, most(MOST_UNITS));
    let (moves, more_moves) = shown(&summary.moves, most(MOST_MOVES));
    const MOVES: &str = "state moves";
    let label = if moves.is_empty() { 0 } else { MOVES.len() };
    let column = |longest: usize, share: usize| longest.min(fit.width / share);
    let unit = column(units.iter().map(|u| length(&u.address)).chain([label]).max().unwrap_or(0), 3);
    let field = column(units.iter().map(|u| length(&u.field())).max().unwrap_or(0), 4);
    for one in units {
        let (address, name) = (end_of(&one.address, unit), cut(&one.field(), field));
        let front = format!("  {address:unit$}  {name:field$}  ");
        let room = fit.width.saturating_sub(length(&front)).min(fit.values);
        let values = values(one, room, style);
        out.push_str(&format!("{front}{values}\n"));
    }
    out.push_str(&rest(more_units, "unit", "-v shows all"));
    for (at, (from, to)) in moves.iter().enumerate() {
        let label = if at == 0 { MOVES } else { "" };
        let label = style.faint(&format!("{label:unit$}"));
        let space = fit.width.saturating_sub(unit + 4 + 3);
        let from = end_of(from, space.saturating_sub(length(to)).max(space / 2));
        let to = end_of(to, space.saturating_sub(length(&from)));
        out.push_str(&format!("  {label}  {from} → {to}\n"));
    }
    out.push_str(&rest(more_moves, "move", "phi.moved.tf has all"));
    if whole {
        let paths = summary.written.iter().map(|p| ("wrote", p));
        let paths = paths.chain(summary.removed.iter().map(|p| ("removed", p)));
        paths.for_each(|(what, path)| out.push_str(&format!("  {what} {}\n", flat(path))));
    }
    out
}

/// The width of a line, and how text is marked up.
#[derive(Clone, Copy)]
struct Fit {
    width: usize,
    /// The characters that the values of a unit take at most.
    values: usize,
    style: Style,
}

fn head(summary: &Summary, changed: bool, fit: Fit) -> String {
    let fields = match summary.fields {
        0 => "no field is specialised any more".to_owned(),
        n => format!("{} specialised", counted(n, "field")),
    };
    let files = match (summary.written.len(), summary.removed.len()) {
        (0, 0) if summary.has_records => "records in .phi changed".to_owned(),
        (0, 0) => "no file changed".to_owned(),
        (0, gone) => format!("{} removed", counted(gone, "file")),
        (n, 0) => format!("{} written", counted(n, "file")),
        (n, gone) => format!("{} written, {gone} removed", counted(n, "file")),
    };
    let said = format!("{fields}, {files}");
    let hints: &[&str] = match summary.aftermath {
        Aftermath::PutBack if changed => &["  (put back when Terraform has ended)", "  (put back later)"],
        Aftermath::Stay if changed => {
            &["  (git status lists them; undo: tf-phi restore)", "  (undo: tf-phi restore)"]
        }
        _ => &[],
    };
    let name = "tf-phi:";
    let said = cut(&said, fit.width.saturating_sub(length(name) + 1));
    let taken = length(name) + 1 + length(&said);
    let hint = hints.iter().find(|hint| taken + length(hint) <= fit.width).copied().unwrap_or_default();
    format!("{} {said}{}\n", fit.style.strong(name), fit.style.faint(hint))
}

impl Unit {
    fn field(&self) -> String {
        self.fields.join(" + ")
    }
}

/// Returns the values of branches, each no wider than this. Those that differ look different.
fn shorten_values(branches: &[&Branch], width: usize) -> Vec<String> {
    let most = branches.iter().map(|branch| branch.values.len()).max().unwrap_or(0);
    let mut texts: Vec<Vec<String>> = vec![Vec::new(); branches.len()];
    for field in 0..most {
        let own: Vec<String> = branches
            .iter()
            .map(|branch| branch.values.get(field).map_or_else(String::new, |v| flat(v)))
            .collect();
        let fitted: Vec<(&str, usize)> = own.iter().map(|text| (text.as_str(), width)).collect();
        texts.iter_mut().zip(shorten_apart(&fitted)).for_each(|(of, text)| of.push(text));
    }
    texts.into_iter().map(|of| of.join(" + ")).collect()
}

impl Branch {
    /// Returns the text in parentheses behind a branch, of about `room` characters.
    fn when(&self, room: usize) -> String {
        let text = match &self.active {
            Active::Always => "always".to_owned(),
            Active::ThisRun => "in this run".to_owned(),
            Active::When(condition) => format!("active: {}", flat(condition)),
            Active::Partly(some, all) => format!("active for {some} of {all}"),
            Active::No => return String::new(),
        };
        let short = length(&text) > room && room < LEAST_CONDITION;
        format!(" ({})", if short { "active".to_owned() } else { cut(&text, room.max(LEAST_CONDITION)) })
    }
}

/// The values of a unit in one line, the active ones first.
fn values(unit: &Unit, width: usize, style: Style) -> String {
    let (mut ordered, others): (Vec<&Branch>, Vec<&Branch>) =
        unit.branches.iter().partition(|b| b.active != Active::No);
    let active = ordered.len();
    ordered.extend(&others);
    let texts = shorten_values(&ordered, VALUE);
    // The conditions give way to the values.
    let plain = |text: &String, mark: usize| length(text) + mark + 2;
    let (first, rest) = texts.split_at(active);
    let needed = |of: &[String], mark: usize| of.iter().map(|text| plain(text, mark)).sum::<usize>();
    let needed = match needed(first, 3) + needed(rest, 0) {
        all if all <= width => all,
        _ => needed(first, 3) + length(&more(others.len())) + 2,
    };
    let room = width.saturating_sub(needed) / active.max(1);
    let mut left = width;
    let mut parts: Vec<String> = Vec::new();
    let all = ordered.len();
    for (at, (branch, value)) in ordered.iter().zip(&texts).enumerate() {
        let behind = all - at - 1;
        let when = branch.when(room);
        let between = if at == 0 { 0 } else { 2 };
        // What may still follow: ", 12 more".
        let reserve = if behind == 0 { 0 } else { length(&more(behind)) + 2 };
        let taken = between + length(value) + length(&when);
        if at > 0 && taken + reserve > left {
            parts.push(more(behind + 1));
            break;
        }
        let space = left.saturating_sub(reserve);
        let when = if length(&when) + length(value).min(LEAST_VALUE) > space { String::new() } else { when };
        let narrow = || {
            let width = space.saturating_sub(between + length(&when));
            let texts = shorten_values(&ordered, width);
            texts.get(at).map(|text| cut(text, width)).unwrap_or_default()
        };
        let value = if taken > space { narrow() } else { value.clone() };
        let value = if branch.active == Active::No { value } else { style.strong(&value) };
        parts.push(format!("{value}{when}"));
        left = left.saturating_sub(taken);
    }
    parts.join(", ")
}

fn more(n: usize) -> String {
    format!("{n} more")
}

/// The first so many, and how many there are besides.
pub(super) fn shown<T>(all: &[T], most: usize) -> (&[T], usize) {
    let some = all.get(..most).unwrap_or(all);
    (some, all.len() - some.len())
}

pub(super) fn rest(more: usize, noun: &str, hint: &str) -> String {
    if more == 0 {
        String::new()
    } else {
        format!("  and {} ({hint})\n", counted(more, &format!("more {noun}")))
    }
}

fn counted(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

/// The end of an address, which tells it from others, in at most so many characters.
pub(super) fn end_of(address: &str, most: usize) -> String {
    let all = length(address);
    if all <= most {
        return address.to_owned();
    }
    std::iter::once('…').chain(address.chars().skip(all + 1 - most.max(1))).collect()
}

/// At most so many characters; what is cut ends in `…`.
pub(super) fn cut(text: &str, most: usize) -> String {
    if length(text) <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests;
