variable "p" { type = bool }
resource "terraform_data" "a" {
  input = "is false"
}
