variable "db" {
  type = object({ class = string, size = optional(number), backup = optional(bool, true) })
}

resource "terraform_data" "r" {
  input = var.db.backup ? upper(var.db.class) : var.db.class
}
