resource "terraform_data" "on" {
  input = false
}

resource "terraform_data" "v" {
  input = "15"
}

# With `on` written out, Terraform would look into the content of a copy that isn't there in this run, and stop every run.
resource "example_box" "fails" {
}

resource "example_box" "fails_below" {
}
