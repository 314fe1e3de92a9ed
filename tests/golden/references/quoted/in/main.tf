variable "env" {
  type = string
}

module "m" {
  source = "./m"
  v      = var.env == "prod" ? "1" : "2"
}

resource "terraform_data" "r" {
  provider = "terraform"
  input    = var.env == "prod" ? "a" : "b"

  lifecycle {
    ignore_changes = ["triggers_replace"]
  }
}

# As Terraform 0.11 had it.
resource "terraform_data" "s" {
  depends_on = ["module.m", "terraform_data.r"]
}

output "o" {
  value      = 1
  depends_on = ["terraform_data.r"]
}
