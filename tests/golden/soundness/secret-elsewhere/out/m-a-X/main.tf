variable "name" {
  type = string
}

# Terraform takes no secret here: only where `name` is none there are instances.
resource "terraform_data" "each" {
  for_each = toset([for k in ["k1", "k2"] : k if k == "k1" || var.name == "none"])
  input    = sensitive("a-X")
}
