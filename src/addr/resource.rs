//! Resources within a module.

use super::in_a_row;
use std::fmt;
use std::sync::Arc;

/// The kind of block that declares a resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Mode {
    /// `resource`
    Managed,
    /// `data`
    Data,
    /// `ephemeral`
    Ephemeral,
}

/// A resource within its module.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ResourceAddr {
    /// Managed, data or ephemeral.
    pub mode: Mode,
    /// The resource type, as `aws_db_instance`.
    pub kind: Arc<str>,
    /// The name.
    pub name: Arc<str>,
}

impl ResourceAddr {
    /// A `resource` block's address.
    pub fn managed(kind: impl Into<Arc<str>>, name: impl Into<Arc<str>>) -> ResourceAddr {
        ResourceAddr { mode: Mode::Managed, kind: kind.into(), name: name.into() }
    }
}

impl fmt::Display for ResourceAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let prefix = match self.mode {
            Mode::Managed => "",
            Mode::Data => "data.",
            Mode::Ephemeral => "ephemeral.",
        };
        in_a_row(f, [prefix, &self.kind, ".", &self.name])
    }
}
