//! From a decision to Terraform's exit: what is to be written, the writing, and the runs of Terraform.

pub(super) mod addresses;
pub(super) mod alone;
pub(super) mod carry;
pub(super) mod decide;
pub(super) mod enter;
pub(super) mod elsewhere;
pub(super) mod ephemeral;
pub(super) mod first;
pub(super) mod fresh;
pub(super) mod import;
pub(super) mod in_place;
pub(super) mod initialised;
pub(super) mod literals;
pub(super) mod original_json;
pub(super) mod outdated;
pub(super) mod providers;
pub(super) mod saved;
pub(super) mod scratch_plan;
pub(super) mod state_alone;
pub(super) mod summary;
pub(super) mod targets;
pub(super) mod terraform_blocks;
pub(super) mod terraformed;
pub(super) mod tested;
pub(super) mod values;
pub(super) mod write;
