//! Flags that Terraform has, with values that it would refuse.

use super::fault::{Edit, Fault};
use super::line::{flag_of, shown};
use super::scan::{Scan, Word};
use crate::config::nearest::nearest;
use crate::terraform::flags::{Flag, Takes};

impl Scan<'_> {
    /// A flag that Terraform has.
    pub fn known(&self, at: usize, flag: &Flag, value: Option<&str>, found: &mut Vec<Fault>) -> Word {
        let name = flag.name;
        let separate = matches!(flag.takes, Takes::Text | Takes::Number | Takes::Duration) && value.is_none();
        let given = if separate { self.line.get(at + 1) } else { value };
        let next = at + 1 + usize::from(separate);
        let fault = match (flag.takes, given) {
            (Takes::Nothing, _) => Some(self.bare(at, name, value)),
            (Takes::Setting, None) => Some(self.one_dash(at)),
            (Takes::Setting | Takes::Module, Some(v)) if flag.takes.wants(v).is_none() => {
                Some(self.one_dash(at))
            }
            (Takes::Bool, None) => None,
            (_, None) => Some(Fault::new(at, format!("-{name} needs a value"), "Nothing follows it.")),
            (takes, Some(value)) => match takes.wants(value) {
                Some(wants) => Some(self.wrong(at, flag, value, wants, separate)),
                None if name == "var" && !value.contains('=') => {
                    let why = "There is no `=` in what follows it.";
                    Some(Fault::new(at, "-var needs NAME=VALUE", why))
                }
                None if separate && self.is_own(value) => {
                    let why = format!(
                        "Terraform takes the word after it for the value, so that {value} would not be heard."
                    );
                    let title = format!("If the value is meant to be that, write -{name}={value}.");
                    Some(Fault::new(at, format!("-{name} needs a value"), why).fix(title, Vec::new()))
                }
                None => None,
            },
        };
        found.extend(fault);
        Word::Flag(next)
    }

    fn wrong(&self, at: usize, flag: &Flag, value: &str, wants: &str, separate: bool) -> Fault {
        let name = flag.name;
        let fault = Fault::new(at, format!("-{name} takes {wants}, and not {value:?}"), "");
        let meant = match value.to_ascii_lowercase().as_str() {
            "no" | "off" | "n" | "disabled" | "never" => Some("false"),
            "yes" | "on" | "y" | "enabled" | "always" => Some("true"),
            other => nearest(other, ["true", "false"]),
        };
        match meant.filter(|_| flag.takes == Takes::Bool || flag.takes == Takes::Setting) {
            Some(meant) => {
                fault.fix(format!("If {meant} is meant"), vec![Edit::Replace(at, format!("-{name}={meant}"))])
            }
            None if flag.takes == Takes::Duration && value.parse::<u64>().is_ok() => {
                let mut edits = vec![Edit::Replace(at, format!("-{name}={value}s"))];
                edits.extend(separate.then_some(Edit::Drop(at + 1)));
                fault.fix("If seconds are meant", edits)
            }
            None => fault.fix("Give it such a value, or leave it out.", Vec::new()),
        }
    }

    fn one_dash(&self, at: usize) -> Fault {
        let right = format!("-{}", flag_of(self.written(at)).unwrap_or_default());
        let summary = format!("{} has one dash only", shown(&right));
        let fault = Fault::new(at, summary, "Terraform takes it in no other form.");
        fault.fix("Write it so", vec![Edit::Replace(at, right)])
    }

    /// `--no-color` or `-no-color=…`.
    fn bare(&self, at: usize, name: &str, value: Option<&str>) -> Fault {
        let summary = format!("-{name} has one dash and no value");
        let fault = Fault::new(at, summary, "Terraform takes it in no other form.");
        match value {
            Some("false") => fault.fix("As it is off", vec![Edit::Drop(at)]),
            _ => fault.fix("Write it so", vec![Edit::Replace(at, format!("-{name}"))]),
        }
    }

    fn is_own(&self, word: &str) -> bool {
        self.passed.own.iter().any(|(own, _)| word.strip_prefix("--") == Some(*own))
    }
}
