variable "key" {
  type = string
}

locals {
  known = { "true" = "t", "zzz" = "z" }
}

resource "terraform_data" "r" {
  input = "is true"
}

# There is none where the key is not known; but a literal in the key's place would be an error even then.
resource "terraform_data" "s" {
  count            = var.key == "true" ? 1 : 0
  triggers_replace = local.known[var.key]
}
