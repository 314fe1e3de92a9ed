//! A day: its two sides, the commands that were run, and what has to hold after each.

use crate::Covered;
use crate::repository::Repository;
use crate::rng::Rng;
use crate::steps::{self, Became, STEPS};
use crate::support::{Ran, Scratch};
use crate::trees::{self, TREES};
use crate::twin;
use std::fmt::Write as _;
use std::fs;

/// Commands in a day.
const LENGTH: usize = 16;

pub struct Day {
    pub scratch: Scratch,
    pub phi: Repository,
    pub plain: Repository,
    pub tree: &'static str,
    pub keep: bool,
    pub env: &'static str,
    pub branches: Vec<String>,
    pub number: usize,
    /// True if Git took the history and the way home back since the last run.
    pub is_history_lost: bool,
    pub log: String,
    pub covered: Covered,
    rng: Rng,
}

impl Day {
    pub fn new(seed: u64, at: u64) -> Day {
        let rng = Rng::new(seed.wrapping_mul(1_000_003).wrapping_add(at));
        let tree = TREES[at as usize % TREES.len()];
        let keep = (at as usize / TREES.len()).is_multiple_of(2);
        let scratch = Scratch::with(&[]);
        Repository::link_programs(&scratch);
        let files = trees::begin(tree, keep);
        let plain = files.iter().map(|(path, text)| (path.clone(), trees::by_hand(text))).collect();
        let phi = Repository::begin(&scratch, "phi", &files);
        let plain = Repository::begin(&scratch, "plain", &plain);
        let branches = vec!["main".to_owned()];
        let (log, covered) = (String::new(), Covered::new());
        Day {
            scratch,
            phi,
            plain,
            tree,
            keep,
            env: "dev",
            branches,
            number: 2,
            is_history_lost: false,
            log,
            covered,
            rng,
        }
    }

    pub fn title(&self) -> String {
        format!("{}, keep = {}", self.tree, self.keep)
    }

    pub fn run(&mut self) -> Result<(), String> {
        self.both("git init -q -b main . && git add -A && git commit -qm base")?;
        self.init()?;
        if self.rng.chance(60) {
            self.diverge()?;
        }
        for _ in 0..LENGTH {
            let mut rng = self.rng.clone();
            let (name, step) = *rng.pick(STEPS);
            let _ = writeln!(self.log, "--- {name}");
            let became = step(self, &mut rng)?;
            self.rng = rng;
            let column = format!("{} {}", self.tree, if self.keep { "kept" } else { "put back" });
            self.covered.entry((name.to_owned(), column)).or_default()[became as usize] += 1;
            if became != Became::LeftOut {
                self.compare()?;
            }
        }
        Ok(())
    }

    /// Two branches with work of their own, specialised where the tree is kept so.
    fn diverge(&mut self) -> Result<(), String> {
        for line in ["", "git checkout -q -b b1", "git checkout -q main"] {
            if !line.is_empty() {
                self.both(line)?;
                let mut rng = self.rng.clone();
                steps::edit(self, &mut rng)?;
                self.rng = rng;
            }
            if self.keep {
                self.led("tf-phi check --fix", &[0])?;
            }
            self.commit()?;
        }
        self.branches.push("b1".to_owned());
        Ok(())
    }

    /// Runs a line with tf-phi's side.
    pub fn in_phi(&mut self, line: &str) -> Ran {
        let ran = self.phi.sh(&self.scratch, line);
        let _ = writeln!(self.log, "phi$ {line}  [{}]", ran.code);
        if ran.code != 0 {
            let said = format!("{}{}", ran.stdout, ran.stderr);
            for line in said.lines().take(40) {
                let _ = writeln!(self.log, "    {line}");
            }
        }
        ran
    }

    /// Runs a line with Terraform's side.
    pub fn in_plain(&mut self, line: &str) -> Ran {
        let ran = self.plain.sh(&self.scratch, line);
        let _ = writeln!(self.log, "plain$ {line}  [{}]", ran.code);
        ran
    }

    /// Runs a line with both, which has to succeed.
    pub fn both(&mut self, line: &str) -> Result<(), String> {
        let takes_back = ["checkout -q ", "restore", "stash", "reset", "revert", "clean"];
        self.is_history_lost |= takes_back.iter().any(|word| line.starts_with(&format!("git {word}")));
        for ran in [self.in_plain(line), self.in_phi(line)] {
            if ran.code != 0 {
                return Err(format!("{line} failed: {}{}", ran.stdout, ran.stderr));
            }
        }
        Ok(())
    }

    /// Installs what a new clone needs.
    pub fn init(&mut self) -> Result<(), String> {
        for ran in [self.in_plain("terraform init -input=false"), self.in_phi("tf-phi init -input=false")] {
            if ran.code != 0 {
                return Err(format!("init failed: {}{}", ran.stdout, ran.stderr));
            }
        }
        Ok(())
    }

    /// Runs a line with tf-phi's side; where it stops, its advice is followed to the letter, and it is run again.
    pub fn led(&mut self, line: &str, passes: &[i32]) -> Result<(Ran, Became), String> {
        let mut became = Became::Ran;
        for _ in 0..3 {
            let ran = self.in_phi(line);
            if passes.contains(&ran.code) {
                self.is_history_lost &=
                    !(line.starts_with("tf-phi plan") || line.starts_with("tf-phi apply"));
                return Ok((ran, became));
            }
            let Some(way) = twin::advice(&ran).into_iter().next() else {
                return Err(format!("{line} stops without advice: {}{}", ran.stdout, ran.stderr));
            };
            became = Became::LedOut;
            self.in_phi(&way);
        }
        let ran = self.in_phi(line);
        match passes.contains(&ran.code) {
            true => Ok((ran, became)),
            false => Err(format!("the advice doesn't lead out of {line}: {}{}", ran.stdout, ran.stderr)),
        }
    }

    pub fn commit(&mut self) -> Result<(), String> {
        self.both("git add -A && git commit -q --allow-empty -m work")
    }

    /// A copy of tf-phi's side, put back, has the sources of the other.
    fn compare(&mut self) -> Result<(), String> {
        let plain = self.plain.sources();
        if !self.keep {
            return twin::differ(&self.phi.sources(), &plain).map_or(Ok(()), Err);
        }
        let copy = self.scratch.aside("copy");
        let restored = |day: &Day| {
            let _ = fs::remove_dir_all(&copy);
            // The copy of a linked work tree is none: it gets a repository of its own.
            let own = "if [ -f .git ]; then g=$(cat git-dir) && rm .git && cp -a $g/../.. .git && cp $g/HEAD $g/index .git/; fi";
            let to = copy.display();
            let line = format!(
                "cp -a . {to} && git rev-parse --absolute-git-dir > {to}/git-dir && cd {to} && {own} && rm git-dir && tf-phi restore"
            );
            day.phi.sh(&day.scratch, &line)
        };
        let mut ran = restored(self);
        if ran.code != 0 {
            // What a command left is led out of by what the next one says.
            self.led("tf-phi check --fix", &[0])?;
            ran = restored(self);
        }
        if ran.code != 0 {
            return Err(format!("restore: {}{}", ran.stdout, ran.stderr));
        }
        let back = Repository { dir: copy };
        twin::differ(&back.sources(), &plain).map_or(Ok(()), Err)
    }
}
