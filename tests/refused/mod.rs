//! The tables of this folder: trees that Terraform refuses, and those that look like it and are taken.
//!
//! A line `== NAME` before each tree, and `-- PATH` before each file where there are several. Of what is refused the name is the summary
//! that Terraform gives. After ` // ` stands what it says of the same in JSON where that is something else; `-` where it takes it.

mod twin;

/// A syntax of Terraform's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Syntax {
    /// `*.tf`
    Native,
    /// `*.tf.json`
    Json,
}

/// A tree of a table.
pub struct Tree<'t> {
    /// What it is called.
    pub name: &'t str,
    in_native: Option<&'t str>,
    in_json: Option<&'t str>,
    files: Vec<(&'t str, &'t str)>,
}

impl<'t> Tree<'t> {
    /// The summary with which Terraform refuses it; nothing where it takes it.
    pub fn summary(&self, syntax: Syntax) -> Option<&'t str> {
        if syntax == Syntax::Json { self.in_json } else { self.in_native }
    }

    /// Its files; nothing where it has no twin in JSON.
    pub fn in_syntax(&self, syntax: Syntax) -> Option<Vec<(String, String)>> {
        match syntax {
            Syntax::Native => Some(self.files.iter().map(|(path, text)| owned_file(path, text)).collect()),
            Syntax::Json => twin::make_twin(&self.files),
        }
    }
}

fn owned_file(path: &str, text: &str) -> (String, String) {
    (path.to_owned(), text.to_owned())
}

/// Reads a table of trees that are refused in native syntax, or of such that are taken.
pub fn read_trees(table: &str, is_refused: bool) -> Vec<Tree<'_>> {
    let read = |part| {
        let (name, rest) = str::split_once(part, '\n').unwrap();
        let (name, other) = name.split_once(" // ").map_or((name, None), |(name, other)| (name, Some(other)));
        let files = match rest.strip_prefix("-- ") {
            None => vec![("main.tf", rest)],
            Some(rest) => rest.split("\n-- ").map(|file| file.split_once('\n').unwrap()).collect(),
        };
        let in_native = Some(name).filter(|_| is_refused);
        Tree { name, in_native, in_json: other.or(in_native).filter(|name| *name != "-"), files }
    };
    table.strip_prefix("== ").unwrap().split("\n== ").map(read).collect()
}
