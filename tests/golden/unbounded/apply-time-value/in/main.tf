resource "terraform_data" "other" {
  input = "x"
}

resource "terraform_data" "db" {
  input = terraform_data.other.output == "x" ? "15.4" : "14.9"
}
