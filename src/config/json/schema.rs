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
    /// It is plain text, unless an expression is part of it. Terraform has no scope here, and rejects one or takes it for text.
    Static,
    /// It is a reference in native syntax, unless an expression is part of it, which Terraform rejects.
    Reference,
}

/// A body: its block types with their labels and bodies, and how its arguments are read.
pub(super) struct Schema {
    pub blocks: Blocks,
    native: &'static [&'static str],
    literal: &'static [&'static str],
    fixed: &'static [&'static str],
    references: &'static [&'static str],
    /// The mode of all other arguments.
    other: Mode,
}

/// Block types: each with the number of its labels, and its body.
type Blocks = &'static [(&'static str, usize, &'static Schema)];

impl Schema {
    /// A body whose arguments are templates, unless something else is said of them.
    const fn of(blocks: Blocks) -> Schema {
        Schema { blocks, native: &[], literal: &[], fixed: &[], references: &[], other: Mode::Template }
    }

    /// Reads these arguments as expressions in native syntax.
    const fn native(self, native: &'static [&'static str]) -> Schema {
        Schema { native, ..self }
    }

    /// Takes these arguments as plain text.
    const fn literal(self, literal: &'static [&'static str]) -> Schema {
        Schema { literal, ..self }
    }

    /// Takes these arguments as plain text, in which people write expressions all the same.
    const fn fixed(self, fixed: &'static [&'static str]) -> Schema {
        Schema { fixed, ..self }
    }

    /// Takes these arguments as references, in whose place people write expressions all the same.
    const fn references(self, references: &'static [&'static str]) -> Schema {
        Schema { references, ..self }
    }

    /// Reads all arguments of which nothing is said in this way.
    const fn other(self, other: Mode) -> Schema {
        Schema { other, ..self }
    }

    /// Returns the mode of the argument with that name.
    pub fn mode(&self, name: &str) -> Mode {
        match name {
            _ if self.native.contains(&name) => Mode::Native,
            _ if self.literal.contains(&name) => Mode::Literal,
            _ if self.fixed.contains(&name) => Mode::Static,
            _ if self.references.contains(&name) => Mode::Reference,
            _ => self.other,
        }
    }
}

static OPEN: Schema = Schema::of(&[]);
static LITERAL: Schema = Schema::of(&[]).other(Mode::Literal);
static NATIVE: Schema = Schema::of(&[]).other(Mode::Native);
static RULE: Schema = Schema::of(&[]);

static LIFECYCLE: Schema = Schema::of(&[("precondition", 0, &RULE), ("postcondition", 0, &RULE)])
    .native(&["replace_triggered_by"])
    .references(&["ignore_changes"])
    .other(Mode::Static);

static PROVISIONER: Schema = Schema::of(&[("connection", 0, &OPEN)]).native(&["when", "on_failure"]);

static DYNAMIC: Schema = Schema::of(&[("content", 0, &NESTED)]).native(&["iterator"]);
static NESTED: Schema = Schema::of(&[("dynamic", 1, &DYNAMIC)]);

static RESOURCE: Schema = Schema::of(&[
    ("lifecycle", 0, &LIFECYCLE),
    ("connection", 0, &OPEN),
    ("provisioner", 1, &PROVISIONER),
    ("dynamic", 1, &DYNAMIC),
    ("_", 0, &NESTED),
])
.native(&["depends_on"])
.references(&["provider"]);

static DATA: Schema =
    Schema::of(&[("lifecycle", 0, &LIFECYCLE), ("dynamic", 1, &DYNAMIC), ("_", 0, &NESTED)])
        .native(&["depends_on"])
        .references(&["provider"]);

static MODULE: Schema = Schema::of(&[("lifecycle", 0, &OPEN), ("_", 0, &OPEN)])
    .native(&["depends_on"])
    .references(&["providers"])
    .fixed(&["source", "version"]);

static VARIABLE: Schema = Schema::of(&[("validation", 0, &RULE)]).native(&["type"]).other(Mode::Literal);

static OUTPUT: Schema =
    Schema::of(&[("precondition", 0, &RULE)]).native(&["depends_on"]).literal(&["description", "sensitive"]);

static PROVIDER: Schema =
    Schema::of(&[("dynamic", 1, &DYNAMIC), ("_", 0, &NESTED)]).literal(&["alias", "version"]);

static CHECK: Schema = Schema::of(&[("data", 2, &DATA), ("assert", 0, &RULE)]);

static IMPORT: Schema = Schema::of(&[]).native(&["to", "provider"]);

static REMOVED: Schema =
    Schema::of(&[("lifecycle", 0, &LITERAL), ("provisioner", 1, &PROVISIONER)]).native(&["from"]);

static TERRAFORM: Schema = Schema::of(&[
    ("backend", 1, &LITERAL),
    ("cloud", 0, &LITERAL),
    ("required_providers", 0, &LITERAL),
    ("provider_meta", 1, &LITERAL),
])
.other(Mode::Literal);

static OVERRIDE: Schema = Schema::of(&[]).native(&["target", "override_during"]);

static RUN: Schema = Schema::of(&[
    ("variables", 0, &OPEN),
    ("plan_options", 0, &NATIVE),
    ("assert", 0, &RULE),
    ("module", 0, &LITERAL),
    ("override_resource", 0, &OVERRIDE),
    ("override_data", 0, &OVERRIDE),
    ("override_module", 0, &OVERRIDE),
])
.native(&["command", "expect_failures", "providers"])
.other(Mode::Literal);

static MOCK: Schema = Schema::of(&[
    ("mock_resource", 1, &OVERRIDE),
    ("mock_data", 1, &OVERRIDE),
    ("override_resource", 0, &OVERRIDE),
    ("override_data", 0, &OVERRIDE),
    ("override_module", 0, &OVERRIDE),
])
.native(&["override_during"])
.other(Mode::Literal);

/// The top level of a test file.
pub(super) static TESTS: Schema = Schema::of(&[
    ("test", 0, &LITERAL),
    ("variables", 0, &OPEN),
    ("provider", 1, &PROVIDER),
    ("mock_provider", 1, &MOCK),
    ("run", 1, &RUN),
    ("override_resource", 0, &OVERRIDE),
    ("override_data", 0, &OVERRIDE),
    ("override_module", 0, &OVERRIDE),
])
.other(Mode::Literal);

static COMPONENT: Schema = Schema::of(&[]).native(&["depends_on"]).literal(&["source", "version"]);

static TYPED: Schema = Schema::of(&[]).native(&["type"]).literal(&["description"]);

static CONFIGURED: Schema = Schema::of(&[("config", 0, &NESTED)]);

static GONE: Schema =
    Schema::of(&[("lifecycle", 0, &LITERAL)]).native(&["from"]).literal(&["source", "version"]);

/// The top level of a Stack's file.
pub(super) static STACK: Schema = Schema::of(&[
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
pub(super) static ROOT: Schema = Schema::of(&[
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
