//! A part of all root modules: one of several machines works on it.
//!
//! Each root belongs to a shard by its own path alone, so that a root that comes or goes moves no other one.

use crate::host::{Host as _, Machine};
use sha2::{Digest as _, Sha256};
use std::path::Path;
use std::str::FromStr;

/// `K/N`: the `K`th of `N` parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let wanted = || "it is written K/N, with K from 1 to N, as in 2/8".to_owned();
        let (number, of) = text.split_once('/').ok_or_else(wanted)?;
        let number: u64 = number.trim().parse().map_err(|_| wanted())?;
        let of: u64 = of.trim().parse().map_err(|_| wanted())?;
        if number == 0 || number > of { Err(wanted()) } else { Ok(Shard { number, of }) }
    }
}

impl Shard {
    /// Returns true if a root belongs to it. Its path counts from the top of the work tree, or from `here` where
    /// there is none: the same on every machine, and from whichever folder the command is started.
    pub(super) fn holds(self, here: &Path, root: &Path) -> bool {
        let top = here.ancestors().find(|dir| Machine.kind(&dir.join(".git")).is_some()).unwrap_or(here);
        self.is_of(root.strip_prefix(top).unwrap_or(root))
    }

    fn is_of(self, path: &Path) -> bool {
        let names: Vec<_> = path.components().map(|c| c.as_os_str().to_string_lossy()).collect();
        let hash = Sha256::digest(names.join("/").as_bytes());
        let number = hash.iter().take(8).fold(0u64, |all, byte| all << 8 | u64::from(*byte));
        number % self.of == self.number - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_root_is_in_one_shard() {
        for of in [1, 2, 4, 8] {
            let shards: Vec<Shard> = (1..=of).map(|k| format!("{k}/{of}").parse().unwrap()).collect();
            let mut sizes = vec![0_usize; shards.len()];
            for root in (0..1_000).map(|n| format!("live/team-{}/root-{n:04}", n % 7)) {
                let mine: Vec<usize> =
                    (0..shards.len()).filter(|at| shards[*at].is_of(Path::new(&root))).collect();
                assert_eq!(mine.len(), 1, "{root}");
                sizes[mine[0]] += 1;
            }
            let even = 1_000 / shards.len();
            assert!(sizes.iter().all(|n| n.abs_diff(even) * 4 <= even), "{sizes:?}");
        }
    }

    /// A contract: a shard that runs on another machine, or with another version, has the same roots.
    #[test]
    fn the_parts_are_fixed() {
        let of_four = |path: &str| (1..=4).find(|k| Shard { number: *k, of: 4 }.is_of(Path::new(path)));
        let found = ["", "live/app", "live//app/", "live/db", "live/net"].map(of_four);
        assert_eq!(found.map(Option::unwrap), [1, 3, 3, 3, 4]);
    }

    #[test]
    fn what_is_no_part() {
        for text in ["", "1", "0/4", "5/4", "a/b", "1/0", "-1/4", "1/4/2"] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
