variable "env" {
  type = string
}

resource "terraform_data" "vm" {
  count = <<-E
    ${length(var.env)}
  E
  input = var.env == "prod" ? "large" : "small"
}

resource "terraform_data" "named" {
  count = var.env == "" ? 0 : chomp(<<-E
    2
  E
  )
  input = var.env == "prod" ? "large" : "small"
}

resource "terraform_data" "keyed" {
  for_each = toset(split("\n", <<-E
    a
    b
  E
  ))
  input = var.env == "prod" ? "large" : "small"
}
