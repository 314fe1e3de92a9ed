# Several blocks, conjunctions, negations; and conditions that say something of values without listing any.
variable "blocks" {
  type = string
  validation {
    condition     = contains(["a", "b", "c"], var.blocks)
    error_message = "a, b or c."
  }
  validation {
    condition     = var.blocks != "b"
    error_message = "No b."
  }
  validation {
    condition     = !(var.blocks == "d")
    error_message = "No d."
  }
}

variable "and_not" {
  type = string
  validation {
    condition     = contains(["a", "b", "c", "d"], var.and_not) && !contains(["c", "d"], var.and_not)
    error_message = "a or b."
  }
}

variable "not_neither" {
  type = string
  validation {
    condition     = !(var.not_neither != "a" && var.not_neither != "b")
    error_message = "a or b."
  }
}

variable "all" {
  type = string
  validation {
    condition     = alltrue([contains(["a", "b", "c"], var.all), var.all != "c"])
    error_message = "a or b."
  }
}

variable "length" {
  type = string
  validation {
    condition     = contains(["a", "bb", "ccc"], var.length) && length(var.length) < 3
    error_message = "a or bb."
  }
}

variable "beginning" {
  type = string
  validation {
    condition     = contains(["dev", "dev-eu", "prod"], var.beginning)
    error_message = "dev, dev-eu or prod."
  }
  validation {
    condition     = startswith(var.beginning, "dev")
    error_message = "Not in production."
  }
}

# Listed in phi.hcl, and one of them is rejected.
variable "listed" {
  type = string
  validation {
    condition     = length(var.listed) <= 2
    error_message = "Two letters."
  }
}

# Null is a value of a bool, but not of this one.
variable "flag" {
  type = bool
  validation {
    condition     = var.flag != null
    error_message = "Yes or no."
  }
}

# What another variable decides is left open.
variable "both" {
  type = string
  validation {
    condition     = contains(["a", "b"], var.both) && (var.both == "a" || length(var.length) == 1)
    error_message = "b asks for a length of one."
  }
}

resource "terraform_data" "blocks" {
  input = var.blocks
}

resource "terraform_data" "and_not" {
  input = var.and_not
}

resource "terraform_data" "not_neither" {
  input = var.not_neither
}

resource "terraform_data" "all" {
  input = var.all
}

resource "terraform_data" "length" {
  input = var.length
}

resource "terraform_data" "beginning" {
  input = var.beginning
}

resource "terraform_data" "listed" {
  input = var.listed
}

resource "terraform_data" "flag" {
  input = var.flag
}

resource "terraform_data" "both" {
  input = var.both
}
