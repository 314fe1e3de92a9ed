variable "size" {
  type = string
}

# No input calls it, and still Terraform validates what it is given and what is in it.
module "never" {
  source = "./m"
  count  = 0
  on     = false
  zones  = substr(var.size, 0, 1)
}

resource "terraform_data" "twice" {
  count = 2
  input = [["a", "b"][count.index], { a = 1 }["b"]]
}

# What depends on an input is no error where there is no instance.
resource "terraform_data" "none" {
  count = var.size == "large" ? 1 : 0
  input = { large = 1 }[var.size]

  lifecycle {
    precondition {
      condition     = var.size != "" && 1 > 2
      error_message = "never"
    }
  }
}

module "one" {
  source = "./one"
}

# What a module gives is of no type yet, and a list of it still has its length.
resource "terraform_data" "arms" {
  count = 0
  input = (true ? [count.index, module.one.o] : [])[4]
}
