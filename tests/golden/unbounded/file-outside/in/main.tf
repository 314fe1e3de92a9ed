resource "terraform_data" "db" {
  input = trimspace(file("/etc/hostname"))
}
