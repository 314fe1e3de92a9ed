resource "terraform_data" "r" {
  count = 2
  input = "n${count.index}"
}
