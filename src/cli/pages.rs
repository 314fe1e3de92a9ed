//! `completions` and `man`, printed from the whole command line.

use super::about::{Completions, Man};
use super::program;
use crate::ops::{Command, DONE, FAILED, Outcome, Start};
use crate::report::Reader;

impl Command for Completions {
    fn run(&self, start: &Start) -> Outcome {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program(), "tf-phi", &mut script);
        start.console.print(Reader::Exact, &String::from_utf8_lossy(&script));
        Ok(DONE)
    }
}

impl Command for Man {
    fn run(&self, start: &Start) -> Outcome {
        let mut all = program();
        all.build();
        let page = match &self.command {
            None => Some(all),
            Some(name) => {
                let own = all.find_subcommand(name).cloned();
                own.map(|c| c.name(format!("tf-phi-{name}")).bin_name(format!("tf-phi {name}")))
            }
        };
        let Some(page) = page else {
            start.console.note("there is no such command.");
            return Ok(FAILED);
        };
        let mut text = Vec::new();
        if let Err(e) = clap_mangen::Man::new(page).render(&mut text) {
            start.console.note(&format!("the page can't be made: {e}."));
            return Ok(FAILED);
        }
        start.console.print(Reader::Exact, &String::from_utf8_lossy(&text));
        Ok(DONE)
    }
}
