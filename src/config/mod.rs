//! The configuration: folders, files, overrides, JSON, the tree of modules, variable files, `phi.hcl`.
//!
//! Input: a root folder behind a [`crate::host::Host`], and texts that stand in for files. Output: declarations that
//! know the file and the bytes they come from, plus issues. Invariant: what Terraform would load is loaded, in
//! Terraform's order and with its precedence; what it would reject is an issue. Absent on purpose: evaluation and name
//! resolution.

mod accept;
mod bodies;
mod build;
mod decl;
mod decode;
mod deployment;
mod files;
pub mod ignored;
mod json;
mod load;
mod located;
mod module;
pub mod module_hosts;
pub mod module_source;
pub mod nearest;
mod outside;
mod overrides;
pub(crate) mod paths;
pub mod phi;
mod native;
mod required_version;
mod role;
mod secret_names;
pub mod stacks;
pub mod test_files;
mod tracked;
mod tree;
pub mod variables;
mod view;
mod whole;
pub mod writable;

pub use crate::eval::types::Defaults;
pub use crate::eval::{literal, types};
pub use accept::PartsLeft;
pub use bodies::MergedBody;
pub use decl::{Call, CheckBlock, CheckRule, Decl, Lifecycle, Local, Output, Provider, Resource, Variable};
pub use deployment::Deployment;
pub use files::Files;
pub use json::is_configuration;
pub use load::{ASIDE, CalledFrom, attach, called_from, is_configuration_name, is_tofus, is_within};
pub use located::In;
pub use module::{FileEntry, Module, ModuleId, Origin};
pub use native::{fix_in_native, json_members};
pub use required_version::VersionConstraint;
pub use role::Role;
pub use secret_names::{
    has_known_schema, is_secret_argument, is_secret_field, is_secret_name, is_secret_setting, is_secret_type,
    may_name_secret, stands_beside_secrets,
};
pub use stacks::{MAX_NESTING as MAX_NESTED_STACKS, is_stacks, stands_in as is_stack_in};
pub use tracked::Tracked;
pub use tree::{Config, TestFile};
pub use view::{Overlay, View};
pub use whole::{load, load_with};
