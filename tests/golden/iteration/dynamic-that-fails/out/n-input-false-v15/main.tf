resource "terraform_data" "on" {
  input = false
}

resource "terraform_data" "v" {
  input = "15"
}

resource "example_box" "works" {
}
