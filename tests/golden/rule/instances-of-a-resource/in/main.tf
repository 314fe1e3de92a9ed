variable "env" {
  type = string
  validation {
    condition     = contains(["dev", "prod"], var.env)
    error_message = "dev or prod"
  }
}

resource "terraform_data" "replica" {
  count = var.env == "prod" ? 2 : 0
  input = "r${count.index}"
}

resource "terraform_data" "zone" {
  for_each = toset(var.env == "prod" ? ["a", "b"] : ["a"])
  input    = each.key
}

# What the instances are decides; what they hold is never asked.
resource "terraform_data" "main" {
  input = {
    mode    = length(terraform_data.replica) > 0 ? "cluster" : "single"
    zones   = join("-", keys(terraform_data.zone))
    default = try(terraform_data.replica[5].id, "none")
  }
}

resource "terraform_data" "over" {
  for_each = terraform_data.zone
  input    = each.key == "a" ? "first" : "other"
}
