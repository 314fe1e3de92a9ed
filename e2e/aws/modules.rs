//! What roots with the provider are made of.

use crate::offer;
use crate::support::Scratch;

pub const ENVS: [&str; 2] = ["-var=env=prod", "-var=env=dev"];

pub const PROVIDER: &str = r#"
terraform {
  required_providers {
    aws = { source = "hashicorp/aws" }
  }
}
provider "aws" {
  region                      = "eu-central-1"
  access_key                  = "dummy"
  secret_key                  = "dummy"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
}
"#;

/// A tree in which the provider is installed.
pub fn scratch(files: &[(&str, &str)]) -> Scratch {
    let scratch = Scratch::with(files);
    offer::offer(&scratch);
    scratch.init();
    scratch
}
