//! Options that several commands have alike.
//!
//! The comments of the fields are what `--help` prints.

use crate::config::variables::VarArg;
use crate::report::issue::Format;
use clap::builder::{PossibleValuesParser, RangedU64ValueParser, TypedValueParser};
use clap::error::Error;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, value_parser};
use std::path::PathBuf;

/// A parser of the names in a table; it gives what stands beside a name.
pub(super) fn one_of<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    let parser = PossibleValuesParser::new(names.iter().map(|(name, _)| *name));
    let found = |given: String| names.iter().find(|(name, _)| *name == given).map(|(_, of)| *of);
    parser.try_map(move |given| found(given).ok_or("there is no such name"))
}

/// A parser of whole numbers from one on.
pub(super) fn positive() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..)
}

/// The form of what a command finds.
#[derive(Args, Clone, Copy, Debug)]
pub struct Findings {
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&Format::NAMES), conflicts_with = "json")]
    format: Option<Format>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Findings {
    /// Returns the form that is asked for.
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format.unwrap_or_default() }
    }
}

/// The name of what is passed on to Terraform.
pub(super) const TERRAFORMS: &str = "TERRAFORM'S ARGUMENTS";

/// The form of issues, where everything else is Terraform's.
#[derive(Args, Clone, Copy, Debug)]
pub struct Issues {
    /// How findings are printed
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&Format::NAMES))]
    format: Option<Format>,
}

impl Issues {
    /// Returns the form that is asked for.
    pub fn format(self) -> Format {
        self.format.unwrap_or_default()
    }
}

/// The forms of what is either for people or for programs.
pub(super) const PRINTED: [(&str, Format); 2] = [("text", Format::Text), ("json", Format::Json)];

/// The form of what a command prints for people or for programs.
#[derive(Args, Clone, Copy, Debug)]
pub struct Printed {
    /// How it is printed
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&PRINTED), conflicts_with = "json")]
    format: Option<Format>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Printed {
    /// Returns the form that is asked for.
    pub fn format(self) -> Format {
        if self.json { Format::Json } else { self.format.unwrap_or_default() }
    }
}

/// The amount of output besides findings and reports. The command line reads it for all commands.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Amount {
    /// Print errors only
    #[arg(short, long, alias = "q", conflicts_with = "verbose")]
    quiet: bool,
    /// Print every value, condition and file
    #[arg(short, long, alias = "v")]
    verbose: bool,
}

/// Output without colours. The command line reads it for all commands.
#[derive(Args, Clone, Copy, Debug)]
pub struct Colours {
    /// No colours
    #[arg(long)]
    no_color: bool,
}

/// `--var` and `--var-file`, in the order of the command line.
#[derive(Clone, Debug, Default)]
pub struct Vars(pub Vec<VarArg>);

impl Args for Vars {
    fn augment_args(command: Command) -> Command {
        let repeated = |name: &'static str, value: &'static str| {
            Arg::new(name).long(name).value_name(value).action(ArgAction::Append).allow_hyphen_values(true)
        };
        let file = repeated("var-file", "FILE").value_parser(value_parser!(PathBuf));
        command
            .arg(repeated("var", "NAME=VALUE").help("Take a root variable for this value"))
            .arg(file.help("Take root variables for the values in a file"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Vars::augment_args(command)
    }
}

impl FromArgMatches for Vars {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Vars, Error> {
        let indices = |name: &str| matches.indices_of(name).into_iter().flatten();
        let values = matches.get_many::<String>("var").into_iter().flatten();
        let values = indices("var").zip(values.map(|v| VarArg::Var(v.clone())));
        let files = matches.get_many::<PathBuf>("var-file").into_iter().flatten();
        let mut all: Vec<_> =
            values.chain(indices("var-file").zip(files.map(|f| VarArg::File(f.clone())))).collect();
        all.sort_by_key(|(at, _)| *at);
        Ok(Vars(all.into_iter().map(|(_, arg)| arg).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Vars::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The values that a run would give to the root variables.
#[derive(Args, Clone, Debug)]
pub struct RunValues {
    /// The variables.
    #[command(flatten)]
    pub vars: Vars,
    /// Give the variables and the workspace of this environment; in a Stack, the deployment
    #[arg(long, value_name = "NAME")]
    pub env: Option<String>,
}
