data "terraform_remote_state" "net" {
  backend = "local"
  config  = { path = "${path.module}/net.tfstate" }

  lifecycle {
    postcondition {
      condition     = self.outputs.env != ""
      error_message = "No environment."
    }
  }
}

module "site" {
  source = "./site"
}

module "other" {
  source = "./site"
}

# Both attributes are the value of the field; so both are held to what is listed.
resource "terraform_data" "db" {
  input = "${data.terraform_remote_state.net.outputs.env}-${data.terraform_remote_state.net.outputs.size}"
}

# What isn't listed makes no difference here.
resource "terraform_data" "cache" {
  input = data.terraform_remote_state.net.outputs.env == "prod" ? "large" : "small"
}

resource "terraform_data" "web" {
  input = module.site.zone
}
