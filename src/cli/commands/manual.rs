//! `completions` and `man`: made from the one table of commands.

use crate::cli::{Spec, program};
use crate::ops::{DONE, FAILED, Start};
use crate::report::Reader;
use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

/// `tf-phi completions`
pub(in crate::cli) const COMPLETIONS: Spec = Spec {
    name: "completions",
    about: "Print the completion script of a shell",
    arguments: |command: Command| {
        command.arg(
            Arg::new("shell")
                .value_name("SHELL")
                .required(true)
                .value_parser(value_parser!(Shell))
                .help("The shell"),
        )
    },
    run: |start: &Start, matches: &ArgMatches| {
        let Some(shell) = matches.get_one::<Shell>("shell") else { return FAILED };
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut program(), "tf-phi", &mut script);
        start.console.print(Reader::Exact, &String::from_utf8_lossy(&script));
        DONE
    },
    among_terraforms: false,
};

/// `tf-phi man`
pub(in crate::cli) const MAN: Spec = Spec {
    name: "man",
    about: "Print the manual page, of tf-phi or of one command",
    arguments: |command: Command| {
        command.arg(Arg::new("command").value_name("COMMAND").help("The command; none gives the overview"))
    },
    run: |start: &Start, matches: &ArgMatches| {
        let mut all = program();
        all.build();
        let page = match matches.get_one::<String>("command") {
            None => Some(all),
            Some(name) => {
                let own = all.find_subcommand(name).cloned();
                own.map(|c| c.name(format!("tf-phi-{name}")).bin_name(format!("tf-phi {name}")))
            }
        };
        let Some(page) = page else {
            start.console.note("there is no such command.");
            return FAILED;
        };
        let mut text = Vec::new();
        if let Err(e) = clap_mangen::Man::new(page).render(&mut text) {
            start.console.note(&format!("the page can't be made: {e}."));
            return FAILED;
        }
        start.console.print(Reader::Exact, &String::from_utf8_lossy(&text));
        DONE
    },
    among_terraforms: false,
};
