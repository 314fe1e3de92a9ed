//! The one table of codes. The first twelve are the codes of Unbounded, a public contract.

macro_rules! codes {
    ($($variant:ident = $name:literal, $doc:literal;)*) => {
        /// A stable code of a finding.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Code { $(#[doc = $doc] $variant,)* }

        impl Code {
            /// Every code, in the order of the table.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            /// The public name.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// Returns its meaning in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$variant => $doc,)* }
            }
        }
    };
}

codes! {
    NoUniverse = "no-universe", "The value is not narrowed to a finite set.";
    ApplyTimeValue = "apply-time-value", "The selector depends on a value that is known only after apply.";
    PlanStability = "plan-stability", "The selector changes from one plan to the next.";
    TooLarge = "too-large", "Finite, but larger than a limit.";
    TooDeep = "too-deep", "More levels than the limit.";
    Cycle = "cycle", "The value depends on itself.";
    UnknownFunction = "unknown-function", "A function whose results are not modelled.";
    Undecodable = "undecodable", "A decoder whose argument is not a literal.";
    Sensitive = "sensitive", "The value is sensitive and would have to be written into a file.";
    Ephemeral = "ephemeral", "The value is ephemeral.";
    IterationDependent = "iteration-dependent", "The value depends on an iteration that can't be gated.";
    Unparsable = "unparsable", "The text can't be parsed.";
    Invalid = "invalid", "Terraform itself would reject this.";
    Missing = "missing", "A file, folder or declaration that is referred to is not there.";
    Config = "config", "phi.hcl or the command line is wrong.";
    Environment = "environment", "Something outside the configuration is in the way.";
    Locked = "locked", "Another run works in this directory.";
    Outside = "outside", "A source lies outside of the tree, so it is not read.";
    Io = "io", "A file can't be read or written.";
    Edited = "edited", "What tf-phi wrote was changed by hand, so it can't be put back or renewed.";
    Unsupported = "unsupported", "A form that can't be rewritten safely.";
    NotInstalled = "not-installed", "A module is not installed.";
    MissingValue = "missing-value", "This run gives a variable no value.";
    Binned = "binned", "A number range was rounded to bins.";
    Outdated = "outdated", "The tree is not specialised as it would be now.";
    Terraform = "terraform", "Terraform can't be found or started.";
    Service = "service", "A resource can't be replaced by a service as it stands, or loses something by it.";
    Held = "held", "State holds an object that what would be written makes Terraform destroy.";
    Fails = "fails", "Terraform stops here for some input.";
    Ignored = "ignored", "Git leaves a file out that has to be committed.";
    Fault = "fault", "A fault of tf-phi: what it would write means something else.";
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Code::ALL.iter().map(|c| c.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }
}
