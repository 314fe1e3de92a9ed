variable "env" {
  type = string
  validation {
    condition     = contains(["prod", "test"], var.env)
    error_message = "prod or test."
  }
}

variable "extra" {
  type    = string
  default = null
}

resource "terraform_data" "each_element" {
  input = upper(var.env)
}

resource "terraform_data" "cross" {
  input = join("-", concat(["db"], [var.env]))
}

resource "terraform_data" "selected" {
  input = element(["15.4", "16.2"], index(["prod", "test"], var.env))
}

resource "terraform_data" "arms" {
  input = try({ prod = "15.4" }[var.env], "14.9")
}

resource "terraform_data" "predicate" {
  input = startswith(var.env, "p") ? "15.4" : "16.2"
}

resource "terraform_data" "decoded" {
  input = jsondecode("{\"prod\":\"15.4\",\"test\":\"16.2\"}")[var.env]
}

resource "terraform_data" "file" {
  input = trimspace(file("${path.module}/versions/${var.env}.txt"))
}

resource "terraform_data" "passed_through" {
  input = coalesce(var.extra, var.env)
}
