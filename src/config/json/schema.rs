//! Which names are blocks, how many labels they have, and how their arguments' strings are read.

/// The way in which a string of an argument is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// It is a template.
    Template,
    /// It is plain text, which Terraform reads without a scope.
    Literal,
    /// It is an expression in native syntax, also in lists and in values of objects: types and static references.
    Native,
}

/// A body: its block types with their labels and bodies, and arguments that are not templates.
pub(super) struct Schema {
    pub blocks: &'static [(&'static str, usize, &'static Schema)],
    pub modes: &'static [(&'static str, Mode)],
    /// The mode of all other arguments.
    pub other: Mode,
}

impl Schema {
    /// Returns the mode of the argument with that name.
    pub fn mode(&self, name: &str) -> Mode {
        self.modes.iter().find(|(n, _)| *n == name).map_or(self.other, |(_, m)| *m)
    }
}

const fn plain(blocks: &'static [(&'static str, usize, &'static Schema)]) -> Schema {
    Schema { blocks, modes: &[], other: Mode::Template }
}

static OPEN: Schema = plain(&[]);
static LITERAL: Schema = Schema { blocks: &[], modes: &[], other: Mode::Literal };
static NATIVE: Schema = Schema { blocks: &[], modes: &[], other: Mode::Native };
static RULE: Schema = plain(&[]);

static LIFECYCLE: Schema = Schema {
    blocks: &[("precondition", 0, &RULE), ("postcondition", 0, &RULE)],
    modes: &[("ignore_changes", Mode::Native), ("replace_triggered_by", Mode::Native)],
    other: Mode::Literal,
};

static PROVISIONER: Schema = Schema {
    blocks: &[("connection", 0, &OPEN)],
    modes: &[("when", Mode::Native), ("on_failure", Mode::Native)],
    other: Mode::Template,
};

static DYNAMIC: Schema = Schema {
    blocks: &[("content", 0, &NESTED)],
    modes: &[("iterator", Mode::Native)],
    other: Mode::Template,
};
static NESTED: Schema = plain(&[("dynamic", 1, &DYNAMIC)]);

static RESOURCE: Schema = Schema {
    blocks: &[
        ("lifecycle", 0, &LIFECYCLE),
        ("connection", 0, &OPEN),
        ("provisioner", 1, &PROVISIONER),
        ("dynamic", 1, &DYNAMIC),
        ("_", 0, &NESTED),
    ],
    modes: &[("depends_on", Mode::Native), ("provider", Mode::Native)],
    other: Mode::Template,
};

static DATA: Schema = Schema {
    blocks: &[("lifecycle", 0, &LIFECYCLE), ("dynamic", 1, &DYNAMIC), ("_", 0, &NESTED)],
    modes: &[("depends_on", Mode::Native), ("provider", Mode::Native)],
    other: Mode::Template,
};

static MODULE: Schema = Schema {
    blocks: &[("_", 0, &OPEN)],
    modes: &[
        ("source", Mode::Literal),
        ("version", Mode::Literal),
        ("depends_on", Mode::Native),
        ("providers", Mode::Native),
    ],
    other: Mode::Template,
};

static VARIABLE: Schema =
    Schema { blocks: &[("validation", 0, &RULE)], modes: &[("type", Mode::Native)], other: Mode::Literal };

static OUTPUT: Schema = Schema {
    blocks: &[("precondition", 0, &RULE)],
    modes: &[("depends_on", Mode::Native), ("description", Mode::Literal), ("sensitive", Mode::Literal)],
    other: Mode::Template,
};

static PROVIDER: Schema = Schema {
    blocks: &[("dynamic", 1, &DYNAMIC), ("_", 0, &NESTED)],
    modes: &[("alias", Mode::Literal), ("version", Mode::Literal)],
    other: Mode::Template,
};

static CHECK: Schema = plain(&[("data", 2, &DATA), ("assert", 0, &RULE)]);

static IMPORT: Schema =
    Schema { blocks: &[], modes: &[("to", Mode::Native), ("provider", Mode::Native)], other: Mode::Template };

static REMOVED: Schema = Schema {
    blocks: &[("lifecycle", 0, &LITERAL), ("provisioner", 1, &PROVISIONER)],
    modes: &[("from", Mode::Native)],
    other: Mode::Template,
};

static TERRAFORM: Schema = Schema {
    blocks: &[
        ("backend", 1, &LITERAL),
        ("cloud", 0, &LITERAL),
        ("required_providers", 0, &LITERAL),
        ("provider_meta", 1, &LITERAL),
    ],
    modes: &[],
    other: Mode::Literal,
};

static OVERRIDE: Schema = Schema {
    blocks: &[],
    modes: &[("target", Mode::Native), ("override_during", Mode::Native)],
    other: Mode::Template,
};

static RUN: Schema = Schema {
    blocks: &[
        ("variables", 0, &OPEN),
        ("plan_options", 0, &NATIVE),
        ("assert", 0, &RULE),
        ("module", 0, &LITERAL),
        ("override_resource", 0, &OVERRIDE),
        ("override_data", 0, &OVERRIDE),
        ("override_module", 0, &OVERRIDE),
    ],
    modes: &[("command", Mode::Native), ("expect_failures", Mode::Native), ("providers", Mode::Native)],
    other: Mode::Literal,
};

static MOCK: Schema = Schema {
    blocks: &[
        ("mock_resource", 1, &OVERRIDE),
        ("mock_data", 1, &OVERRIDE),
        ("override_resource", 0, &OVERRIDE),
        ("override_data", 0, &OVERRIDE),
        ("override_module", 0, &OVERRIDE),
    ],
    modes: &[("override_during", Mode::Native)],
    other: Mode::Literal,
};

/// The top level of a test file.
pub(super) static TESTS: Schema = Schema {
    blocks: &[
        ("test", 0, &LITERAL),
        ("variables", 0, &OPEN),
        ("provider", 1, &PROVIDER),
        ("mock_provider", 1, &MOCK),
        ("run", 1, &RUN),
        ("override_resource", 0, &OVERRIDE),
        ("override_data", 0, &OVERRIDE),
        ("override_module", 0, &OVERRIDE),
    ],
    modes: &[],
    other: Mode::Literal,
};

static COMPONENT: Schema = Schema {
    blocks: &[],
    modes: &[("source", Mode::Literal), ("version", Mode::Literal), ("depends_on", Mode::Native)],
    other: Mode::Template,
};

static TYPED: Schema = Schema {
    blocks: &[],
    modes: &[("type", Mode::Native), ("description", Mode::Literal)],
    other: Mode::Template,
};

static CONFIGURED: Schema = plain(&[("config", 0, &NESTED)]);

static GONE: Schema = Schema {
    blocks: &[("lifecycle", 0, &LITERAL)],
    modes: &[("source", Mode::Literal), ("version", Mode::Literal), ("from", Mode::Native)],
    other: Mode::Template,
};

/// The top level of a Stack's file.
pub(super) static STACK: Schema = plain(&[
    ("component", 1, &COMPONENT),
    ("stack", 1, &COMPONENT),
    ("provider", 2, &CONFIGURED),
    ("required_providers", 0, &LITERAL),
    ("variable", 1, &VARIABLE),
    ("locals", 0, &OPEN),
    ("output", 1, &TYPED),
    ("removed", 0, &GONE),
]);

/// The top level of a file.
pub(super) static ROOT: Schema = plain(&[
    ("terraform", 0, &TERRAFORM),
    ("provider", 1, &PROVIDER),
    ("variable", 1, &VARIABLE),
    ("locals", 0, &OPEN),
    ("output", 1, &OUTPUT),
    ("module", 1, &MODULE),
    ("resource", 2, &RESOURCE),
    ("data", 2, &DATA),
    ("ephemeral", 2, &DATA),
    ("check", 1, &CHECK),
    ("moved", 0, &NATIVE),
    ("removed", 0, &REMOVED),
    ("import", 0, &IMPORT),
    ("action", 2, &RESOURCE),
]);
